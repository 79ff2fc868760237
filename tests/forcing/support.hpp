#pragma once
/// \file
/// Forcing made by hand.

#include <cmath>
#include <string>

#include "tests/solver/support.hpp"

namespace swe::test {

inline TimeSeries steps(std::vector<double> time, std::vector<double> value) {
  return {std::move(time), std::move(value), TimeSeries::Interpolation::step, TimeSeries::AfterEnd::hold};
}
inline TimeSeries lines(std::vector<double> time, std::vector<double> value) {
  return {std::move(time), std::move(value), TimeSeries::Interpolation::linear, TimeSeries::AfterEnd::hold};
}

inline Source infiltration(InfiltrationModel model) {
  Source s;
  s.name = "ground";
  s.type = Source::Type::infiltration;
  s.model = model;
  return s;
}

inline void fill_depth(Scenario& s, double depth) { s.initial.depth = {depth, {}}; }

/// A weir, gate or levee on the west faces of column i, over all rows.
inline Structure line_structure(Scenario const& s, Structure::Type type, int i, double value) {
  Structure one;
  one.name = "line";
  one.type = type;
  one.series = TimeSeries::constant(value);
  one.coefficient = type == Structure::Type::gate ? 0.61 : 1 / std::sqrt(3.0);
  for (int j = 0; j < s.grid.ny; ++j) one.faces.push_back({i, j, Side::west});
  return one;
}

/// |error| relative to all that was there: of each of the first 100 steps of a run to `end`, of pieces of 25
/// steps after them, and since the start.
inline double worst_balance(Simulation& sim, double end) {
  double worst = 0;
  auto before = sim.balance();
  std::int64_t count = 0;
  sim.advance_to(end, [&](Progress const& p) {
    if (++count > 40 && count % 50 != 0 && p.time < end) return true;
    auto const now = sim.balance();
    auto const piece = now.since(before);
    double const scale = now.initial + now.boundary_in + now.rain + now.inflow;
    if (scale > 0) worst = std::max({worst, std::abs(now.error()) / scale, std::abs(piece.error()) / scale});
    before = now;
    return true;
  });
  return worst;
}

}  // namespace swe::test
