#pragma once
/// \file
/// Scenarios by hand, and what is measured on their results.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>

#include "solver/geometry.hpp"
#include "solver/simulation.hpp"
#include "tests/catch.hpp"

namespace swe::test {

/// Threads of the solver's loops; 0 gives the choice back to OpenMP. (In kokkos.cpp, with Kokkos itself.)
void set_threads(int threads);

inline constexpr Scheme::Riemann all_riemann[] = {Scheme::Riemann::hll, Scheme::Riemann::hllc,
                                                  Scheme::Riemann::roe};
inline std::string_view name_of(Scheme::Riemann riemann) {
  return riemann == Scheme::Riemann::hll ? "hll" : riemann == Scheme::Riemann::hllc ? "hllc" : "roe";
}
inline constexpr double no_cell = std::numeric_limits<double>::quiet_NaN();

/// A flat, dry, closed, frictionless basin.
inline Scenario basin(int nx, int ny, double dx, double dy = 0) {
  Scenario s;
  s.grid = {nx, ny, dx, dy > 0 ? dy : dx, 0, 0};
  s.bed.assign(std::size_t(s.grid.cells()), 0.0);
  s.initial.depth.raster.assign(std::size_t(s.grid.cells()), 0.0);
  s.end_time = 1e9;
  return s;
}

/// f(x, y) at every cell centre.
template <class F>
std::vector<double> sample(Grid const& g, F const& f) {
  std::vector<double> r(std::size_t(g.cells()));
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i) r[g.index(i, j)] = f(g.x_centre(i), g.y_centre(j));
  return r;
}

/// Still water of level `level` over the bed.
inline void fill_to(Scenario& s, double level) {
  for (std::size_t c = 0; c < s.bed.size(); ++c)
    s.initial.depth.raster[c] = s.bed[c] == s.bed[c] ? std::max(0.0, level - s.bed[c]) : 0.0;
}

/// f(cell) for the cells with i in [i_begin, i_end), of every row.
template <class F>
void for_each_cell_in(Scenario const& s, int i_begin, int i_end, F const& f) {
  for (int j = 0; j < s.grid.ny; ++j)
    for (int i = i_begin; i < i_end; ++i) f(s.grid.index(i, j));
}

inline Boundary on_side(Scenario const& s, Side side, Boundary::Type type, TimeSeries series = {}) {
  Boundary b;
  static char const* const names[] = {"west", "east", "south", "north"};
  b.name = names[int(side)];
  b.type = type;
  b.side = side;
  b.series = std::move(series);
  if (type != Boundary::Type::periodic) b.faces = faces_on_side(s.grid, s.bed, side);
  return b;
}

inline Source source(Source::Type type, TimeSeries series, std::vector<std::int64_t> cells = {}) {
  Source s;
  s.name = "source";
  s.type = type;
  s.series = std::move(series);
  s.cells = std::move(cells);
  return s;
}
/// Infiltration at a constant rate [m/s] everywhere.
inline Source soil(double rate) {
  auto s = source(Source::Type::infiltration, {});
  s.rate.constant = rate;
  return s;
}
/// Rain of `rate` [m/s] between two times.
inline Source rain(double from, double to, double rate) {
  return source(Source::Type::rain, {{0, from, to}, {0, rate, 0}, TimeSeries::Interpolation::step});
}
inline std::vector<std::int64_t> all_cells(Grid const& g) {
  std::vector<std::int64_t> r;
  for (std::int64_t c = 0; c < g.cells(); ++c) r.push_back(c);
  return r;
}

inline double largest_speed(StateHost const& s, double dry = 1e-6) {
  double r = 0;
  for (std::size_t c = 0; c < s.h.size(); ++c)
    if (s.h[c] > dry) r = std::max(r, std::hypot(s.hu[c], s.hv[c]) / s.h[c]);
  return r;
}

inline double largest(std::vector<double> const& v) {
  double r = -std::numeric_limits<double>::infinity();
  for (double x : v)
    if (x == x) r = std::max(r, x);
  return r;
}
inline double smallest(std::vector<double> const& v) {
  double r = std::numeric_limits<double>::infinity();
  for (double x : v)
    if (x == x) r = std::min(r, x);
  return r;
}

/// sum |a - b| / sum |b|
inline double l1_error(std::vector<double> const& a, std::vector<double> const& b) {
  double e = 0, n = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    e += std::abs(a[k] - b[k]);
    n += std::abs(b[k]);
  }
  return e / n;
}

/// Volume of the water in a state [m3].
inline double volume(Grid const& g, StateHost const& s) {
  double sum = 0;
  for (double h : s.h)
    if (h == h) sum += h;
  return sum * g.cell_area();
}

/// Largest |a - b|; where only one of them is a number, infinity.
inline double largest_difference(std::vector<double> const& a, std::vector<double> const& b) {
  double r = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    if ((a[k] == a[k]) != (b[k] == b[k])) return std::numeric_limits<double>::infinity();
    if (a[k] == a[k]) r = std::max(r, std::abs(a[k] - b[k]));
  }
  return r;
}

/// Equal bit for bit, where no-data equals no-data.
inline bool same_bits(std::vector<double> const& a, std::vector<double> const& b) {
  return largest_difference(a, b) == 0;
}
inline bool same_bits(StateHost const& a, StateHost const& b) {
  return a.time == b.time && same_bits(a.h, b.h) && same_bits(a.hu, b.hu) && same_bits(a.hv, b.hv);
}

/// Runs `steps` steps.
inline void step(Simulation& sim, std::int64_t steps) {
  auto const until = sim.progress().steps + steps;
  sim.advance_to(1e30, [&](Progress const& p) { return p.steps < until; });
}

}  // namespace swe::test
