/// \file
/// Steady flow over a bump: sub-, transcritical, with a jump.

#include <algorithm>
#include <cmath>
#include <memory>

#include "validation/analytic/benchmarks/list.hpp"
#include "validation/analytic/scenario_tools.hpp"
#include "validation/analytic/solutions/bump.hpp"

namespace swe::validation {

namespace {

using Regime = exact::BumpFlow::Regime;

Benchmark bump(std::string name, std::string title, Regime regime, double end_time) {
  auto const solution = std::make_shared<exact::BumpFlow>(regime);
  Benchmark b;
  b.name = std::move(name);
  b.title = std::move(title);
  b.shows = "that the discharge is the same everywhere; its spikes at crest and jump are the usual defects";
  b.scenario = [=](int n) {
    auto const bed = [](double x, double) { return exact::bump_bed(x); };
    auto scenario = make_scenario(
        "flow over a bump", strip_grid(0, 25, n), bed,
        [&](double x, double y) {
          double const h = solution->h_downstream() - bed(x, y);
          return Flow{h, solution->q() / h, 0};
        },
        end_time);
    add_side(scenario, Side::west, Boundary::Type::discharge_per_width, solution->q());
    if (regime == Regime::transcritical) {
      add_side(scenario, Side::east, Boundary::Type::open);
    } else {
      add_side(scenario, Side::east, Boundary::Type::level, solution->h_downstream());
    }
    return scenario;
  };
  b.exact = [=](double x, double, double) { return (*solution)(x); };
  b.quantities = depth_and_discharge();
  b.times = {end_time};
  b.steady = true;
  b.checks = [=](Scenario const& scenario, StateHost const& state) {
    double spike = 0;
    int off = 0;
    Grid const& grid = scenario.grid;
    for (int i = 0; i < grid.nx; ++i) {
      double const deviation = std::abs(state.hu[grid.index(i, 1)] / solution->q() - 1);
      spike = std::max(spike, deviation);
      off += deviation > 0.01;
    }
    return std::vector<Check>{{"largest deviation of q, relative", spike},
                              {"cells where q is off by more than 1 %", double(off)}};
  };
  b.grids_short = {100, 200};
  b.grids_full = {100, 200, 400, 800};
  double const least_1 = regime == Regime::subcritical ? 0.9 : 0.8;
  double const least_2 = regime == Regime::subcritical ? 1.8 : regime == Regime::transcritical ? 1.2 : 0.8;
  b.expected = {{1, "h", Norm::L1, 200, least_1},
                {1, "h", Norm::L1, 800, least_1},
                {2, "h", Norm::L1, 200, least_2},
                {2, "h", Norm::L1, 800, least_2}};
  return b;
}

}  // namespace

std::vector<Benchmark> bump_benchmarks() {
  return {bump("bump_subcritical", "Subcritical flow over a bump, q = 4.42 m2/s", Regime::subcritical, 200),
          bump("bump_transcritical", "Flow turning supercritical on a bump, q = 1.53 m2/s",
               Regime::transcritical, 200),
          bump("bump_shock", "Flow over a bump with a hydraulic jump, q = 0.18 m2/s", Regime::shock, 400)};
}

}  // namespace swe::validation
