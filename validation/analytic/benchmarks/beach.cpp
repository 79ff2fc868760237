/// \file
/// Standing wave on a plane beach (Carrier & Greenspan): run-up without breaking.

#include <cmath>

#include "validation/analytic/benchmarks/list.hpp"
#include "validation/analytic/measure.hpp"
#include "validation/analytic/scenario_tools.hpp"
#include "validation/analytic/solutions/carrier_greenspan.hpp"

namespace swe::validation {

namespace {

/// Where the depth, linear through the centres of the two cells nearest the western shore that are deeper than `depth`, ends [m].
double shoreline(Grid const& grid, StateHost const& state, double depth) {
  int const row = grid.ny / 2;
  int i = 0;
  while (i < grid.nx - 2 && !(state.h[grid.index(i, row)] > depth)) ++i;
  double const h = state.h[grid.index(i, row)], rise = state.h[grid.index(i + 1, row)] - h;
  return grid.x_centre(i) - grid.dx * h / rise;
}

}  // namespace

std::vector<Benchmark> beach_benchmarks() {
  exact::CarrierGreenspan const solution;
  double const end_time = 2.25 * solution.period(), x_sea = 4 * solution.length;
  Benchmark b;
  b.name = "carrier_greenspan";
  b.title = "Standing wave on a plane beach (Carrier & Greenspan), A = 0.6, 2.25 periods";
  b.shows = "run-up and run-down of the shoreline, driven by level and velocity offshore";
  // at whole periods the exact velocity is 0
  b.times = {0.25 * solution.period(), 1.25 * solution.period(), end_time};
  b.scenario = [=](int n) {
    auto scenario = make_scenario(
        "carrier greenspan", strip_grid(-solution.length, x_sea, n),
        [&](double x, double) { return solution.bed(x); }, [&](double x, double) { return solution(x, 0); },
        end_time);
    // Level and velocity at the sea side: a level alone would throw back what comes from inside.
    auto& sea = add_side(scenario, Side::east, Boundary::Type::state);
    sea.series = {};
    int const points = 2000;
    for (int k = 0; k <= points; ++k) {
      double const t = end_time * k / points;
      auto const wave = solution.wave(x_sea, t);
      sea.series.time.push_back(t);
      sea.series.value.push_back(wave.eta);
      sea.velocity_x.time.push_back(t);
      sea.velocity_x.value.push_back(wave.u);
    }
    sea.velocity_y = TimeSeries::constant(0);
    return scenario;
  };
  b.exact = [=](double x, double, double t) { return solution(x, t); };
  b.quantities = depth_and_discharge();
  b.fronts = {
      {[=](double t) { return solution.shoreline(t); }, 1e-4 * solution.alpha * solution.length, false}};
  b.checks = [=](Scenario const& scenario, StateHost const& state) {
    // A whole cell of the grid of 400 is already 2 % of the amplitude.
    double const found = shoreline(scenario.grid, state, 1e-4 * solution.alpha * solution.length);
    double const error = std::abs(found - solution.shoreline(state.time));
    std::vector<Check> checks = {{"shoreline error over A", error / (solution.amplitude * solution.length)}};
    if (scenario.grid.nx == 400 && scenario.scheme.order == 2) checks.back().limit = 0.02;
    return checks;
  };
  b.grids_short = {100, 200};
  b.grids_full = {100, 200, 400, 800};
  b.expected = {{1, "h", Norm::L1, 200, 0.6},
                {1, "h", Norm::L1, 800, 0.7},
                {2, "h", Norm::L1, 200, 1.3},
                {2, "h", Norm::L1, 800, 1.3}};
  return {b};
}

}  // namespace swe::validation
