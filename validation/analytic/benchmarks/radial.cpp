/// \file
/// Circular dam breaks: the grid must not show.

#include <algorithm>
#include <cmath>
#include <memory>

#include "validation/analytic/benchmarks/list.hpp"
#include "validation/analytic/measure.hpp"
#include "validation/analytic/scenario_tools.hpp"
#include "validation/analytic/solutions/radial_dam_break.hpp"

namespace swe::validation {

namespace {

/// The radial reference takes a second; it is computed when first asked for.
struct LazyReference {
  exact::RadialDamBreak dam;
  bool solved = false;
  exact::RadialDamBreak const& get() {
    if (!solved) {
      dam.solve();
      solved = true;
    }
    return dam;
  }
};

/// Outermost radius [m] deeper than `depth`, linear between the centres of the cells beside the x axis or on the diagonal.
/// Whole cells would not do: they are 1.41 times as long along the diagonal.
double front_radius(Grid const& grid, StateHost const& state, bool diagonal, double depth) {
  int const middle = grid.nx / 2;
  auto const row = [&](int i) { return diagonal ? i : middle; };
  auto const radius = [&](int i) { return std::hypot(grid.x_centre(i), grid.y_centre(row(i))); };
  for (int i = grid.nx - 2; i >= middle; --i) {
    double const inner = state.h[grid.index(i, row(i))], outer = state.h[grid.index(i + 1, row(i + 1))];
    if (inner > depth) return radius(i) + (radius(i + 1) - radius(i)) * (inner - depth) / (inner - outer);
  }
  return 0;
}

Benchmark circular(std::string name, std::string title, double h_outside) {
  auto const reference = std::make_shared<LazyReference>();
  reference->dam.h_outside = h_outside;
  double const end_time = reference->dam.t_end;
  Benchmark b;
  b.name = std::move(name);
  b.title = std::move(title);
  b.shows = "anisotropy: along an axis and along the diagonal the water must be the same";
  b.scenario = [=](int n) {
    auto const& dam = reference->dam;
    auto const grid = square_grid(-100, 100, -100, 100, n);
    // cells that the circle cuts hold their share, counted on 16 x 16 points
    auto const share = [&](double x, double y) {
      int inside = 0;
      for (int a = 0; a < 16; ++a) {
        for (int c = 0; c < 16; ++c) {
          inside += std::hypot(x + ((a + 0.5) / 16 - 0.5) * grid.dx, y + ((c + 0.5) / 16 - 0.5) * grid.dx) <
                    dam.r_0;
        }
      }
      return inside / 256.0;
    };
    return make_scenario(
        "circular dam break", grid, [](double, double) { return 0.0; },
        [&](double x, double y) {
          return Flow{h_outside + (dam.h_inside - h_outside) * share(x, y), 0, 0};
        },
        end_time);
  };
  b.exact = [=](double x, double y, double) { return reference->get()(x, y); };
  b.quantities = {{"h", [](Flow const& f) { return f.h; }},
                  {"speed", [](Flow const& f) { return f.h > 0.01 ? std::hypot(f.u, f.v) : 0.0; }},
                  {"hu", [](Flow const& f) { return f.hu(); }}};
  b.strip = false;
  b.times = {end_time};
  b.checks = [=](Scenario const& scenario, StateHost const& state) {
    Grid const& grid = scenario.grid;
    double const threshold = h_outside > 0 ? h_outside + 0.2 : 0.1;
    double const axis = front_radius(grid, state, false, threshold);
    double const diagonal = front_radius(grid, state, true, threshold);
    double const expected = reference->get().front(threshold - h_outside);
    return std::vector<Check>{
        {"front on the axis against the diagonal, cells", std::abs(axis - diagonal) / grid.dx, 1.5},
        {"front on the axis against the reference, cells", std::abs(axis - expected) / grid.dx}};
  };
  b.grids_short = {50, 100};
  b.grids_full = {50, 100, 200, 400};
  b.expected = {{1, "h", Norm::L1, 100, 0.55}, {1, "h", Norm::L1, 200, 0.6},  {1, "h", Norm::L1, 400, 0.65},
                {2, "h", Norm::L1, 100, 0.8},  {2, "h", Norm::L1, 200, 0.85}, {2, "h", Norm::L1, 400, 0.9}};
  return b;
}

}  // namespace

std::vector<Benchmark> radial_benchmarks() {
  return {circular("radial_wet", "Circular dam break, 10 m onto 1 m, radius 50 m, 2 s", 1),
          circular("radial_dry", "Circular dam break, 10 m onto a dry bed, radius 50 m, 2 s", 0)};
}

}  // namespace swe::validation
