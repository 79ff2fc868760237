/// \file
/// Standing wave on a plane beach (Carrier & Greenspan): run-up without breaking.

#include <cmath>

#include "validation/analytic/benchmarks/list.hpp"
#include "validation/analytic/measure.hpp"
#include "validation/analytic/scenario_tools.hpp"
#include "validation/analytic/solutions/carrier_greenspan.hpp"

namespace swe::validation {

std::vector<Benchmark> beach_benchmarks() {
  exact::CarrierGreenspan const solution;
  double const end_time = 2.25 * solution.period(), x_sea = 4 * solution.length;
  Benchmark b;
  b.name = "carrier_greenspan";
  b.title = "Standing wave on a plane beach (Carrier & Greenspan), A = 0.6, 2.25 periods";
  b.shows = "run-up and run-down of the shoreline, driven by the level offshore";
  // at whole periods the exact velocity is 0
  b.times = {0.25 * solution.period(), 1.25 * solution.period(), end_time};
  b.scenario = [=](int n) {
    auto scenario = make_scenario(
        "carrier greenspan", strip_grid(-solution.length, x_sea, n),
        [&](double x, double) { return solution.bed(x); }, [&](double x, double) { return solution(x, 0); },
        end_time);
    // The level alone fixes subcritical flow at the sea side. The solver takes the bed of the last cell for
    // that of the side, so the level is that of its centre.
    auto& sea = add_side(scenario, Side::east, Boundary::Type::level);
    sea.series = {};
    int const points = 2000;
    double const x_last = scenario.grid.x_centre(n - 1);
    for (int k = 0; k <= points; ++k) {
      double const t = end_time * k / points;
      sea.series.time.push_back(t);
      sea.series.value.push_back(solution.wave(x_last, t).eta);
    }
    return scenario;
  };
  b.exact = [=](double x, double, double t) { return solution(x, t); };
  b.quantities = depth_and_discharge();
  b.fronts = {
      {[=](double t) { return solution.shoreline(t); }, 1e-4 * solution.alpha * solution.length, false}};
  b.checks = [=](Scenario const& scenario, StateHost const& state) {
    Front const front{{}, 1e-4 * solution.alpha * solution.length, false};
    double const error =
        std::abs(find_front(front, scenario.grid, state).value_or(NAN) - solution.shoreline(state.time));
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
