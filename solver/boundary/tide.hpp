#pragma once
#include <cmath>
#include <numbers>

#include "solver/boundary/level.hpp"

namespace swe {

/// Level [m] of a tide: still_level + sum of amplitude cos(2 pi t / period - phase).
inline double tide_level(Boundary const& b, double t) {
  double level = b.still_level;
  for (auto const& part : b.constituents)
    level += part.amplitude * std::cos(2 * std::numbers::pi * (t / part.period) - part.phase);
  return level;
}

/// A tide by its constituents; as a boundary, the level it has.
struct TideBoundaryKind : LevelBoundaryKind {
  static constexpr auto type = Boundary::Type::tide;
  static constexpr std::string_view name = "tide";
  template <class Real>
  static void prescribe(Boundary const& b, BoundaryMoment const& at, BoundaryForcing<Real>& f) {
    f.value = Real(tide_level(b, at.time + 0.5 * at.span) - at.bed_datum);
  }
  static double highest_level(Boundary const& b, double, double) {
    double level = b.still_level;
    for (auto const& part : b.constituents) level += std::abs(part.amplitude);
    return level;
  }
};

}  // namespace swe
