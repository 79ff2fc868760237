/// \file
/// What must hold to round-off: lakes at rest, and uniform flow down a plane.

#include <algorithm>
#include <cmath>

#include "validation/analytic/benchmarks/list.hpp"
#include "validation/analytic/scenario_tools.hpp"
#include "validation/analytic/solutions/bump.hpp"
#include "validation/analytic/solutions/macdonald.hpp"

namespace swe::validation {

namespace {

Benchmark lake_at_rest(std::string name, std::string title, double level) {
  Benchmark b;
  b.name = std::move(name);
  b.title = std::move(title);
  b.shows = "that pressure and bed slope cancel, also at the shore";
  // 1000 steps and more on the short grid: c = sqrt(g level), two directions, cfl below one half
  double const end_time = 2 * 1000 * 0.25 / std::sqrt(9.81 * level) / 2;
  b.scenario = [=](int n) {
    auto const grid = strip_grid(0, 25, n);
    auto const bed = [](double x, double) { return exact::bump_bed(x); };
    return make_scenario(
        "lake at rest", grid, bed,
        [&](double x, double y) {
          return Flow{std::max(0.0, level - bed(x, y)), 0, 0};
        },
        end_time);
  };
  b.exact = [=](double x, double, double) { return Flow{std::max(0.0, level - exact::bump_bed(x)), 0, 0}; };
  b.quantities = {{"h", [](Flow const& f) { return f.h; }}};
  b.checks = [=](Scenario const&, StateHost const& state) {
    double const speed = largest_speed(state, 1e-6) / std::sqrt(9.81 * level);
    return std::vector<Check>{{"largest speed over sqrt(g h)", speed, 1e-13}};
  };
  b.grids_short = {100};
  b.grids_full = {100, 400};
  return b;
}

Benchmark uniform_flow() {
  double const slope = 0.01, manning = 0.03, q = 1, length = 100;
  double const h = exact::normal_depth(q, manning, slope);
  Benchmark b;
  b.name = "uniform_flow";
  b.title = "Uniform flow down a plane of 1 %, Manning 0.03, Froude number 0.94";
  b.shows = "that friction and slope balance: the offset is what the splitting of friction costs";
  b.scenario = [=](int n) {
    auto const grid = strip_grid(0, length, n);
    auto scenario = make_scenario(
        "uniform flow", grid, [=](double x, double) { return slope * (length - x); },
        [=](double, double) {
          return Flow{h, q / h, 0};
        },
        100);
    scenario.friction = {FrictionLaw::Type::manning, {manning, {}}};
    add_side(scenario, Side::west, Boundary::Type::discharge_per_width, q);
    add_side(scenario, Side::east, Boundary::Type::level, h);
    return scenario;
  };
  b.exact = [=](double, double, double) { return Flow{h, q / h, 0}; };
  b.quantities = depth_and_discharge();
  b.checks = [=](Scenario const& scenario, StateHost const& state) {
    auto const middle = scenario.grid.index(scenario.grid.nx / 2, 1);
    return std::vector<Check>{
        {"relative error of the normal depth half-way", std::abs(state.h[middle] / h - 1), 1e-6}};
  };
  b.steady = true;
  b.grids_short = {50};
  b.grids_full = {50, 100};
  return b;
}

}  // namespace

std::vector<Benchmark> rest_benchmarks() {
  return {lake_at_rest("lake_immersed", "Lake at rest over a bump under water", 0.5),
          lake_at_rest("lake_emerged", "Lake at rest around a bump that stands out", 0.1), uniform_flow()};
}

}  // namespace swe::validation
