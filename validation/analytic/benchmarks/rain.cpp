/// \file
/// Rain that runs off: a plane, and a V-shaped catchment.

#include <algorithm>
#include <cmath>
#include <memory>

#include "validation/analytic/benchmarks/list.hpp"
#include "validation/analytic/scenario_tools.hpp"
#include "validation/analytic/solutions/rain_on_plane.hpp"
#include "validation/analytic/solutions/v_catchment.hpp"

namespace swe::validation {

namespace {

Source storm(double rate, double duration) {
  Source rain;
  rain.name = "storm";
  rain.type = Source::Type::rain;
  rain.series = {{0, duration}, {rate, 0}, TimeSeries::Interpolation::step, TimeSeries::AfterEnd::hold};
  return rain;
}

Benchmark plane(std::string name, std::string title, double duration, double end_time) {
  exact::RainOnPlane solution;
  solution.duration = duration;
  Benchmark b;
  b.name = std::move(name);
  b.title = std::move(title);
  b.shows = "thin films: a cut-off at too large a depth shows as a late rise";
  b.scenario = [=](int n) {
    auto scenario = make_scenario(
        "rain on a plane", strip_grid(0, solution.length, n),
        [&](double x, double) { return solution.slope * (solution.length - x); },
        [](double, double) { return Flow{}; }, end_time);
    scenario.friction = {FrictionLaw::Type::manning, {solution.manning, {}}};
    scenario.sources.push_back(storm(solution.rain, duration));
    add_side(scenario, Side::east, Boundary::Type::open);
    return scenario;
  };
  double const interval = 60;
  b.hydrographs = {{interval, [=](Scenario const& scenario, int count) {
                      double const width = scenario.grid.ny * scenario.grid.dy;
                      std::vector<double> means(count);
                      for (int k = 0; k < count; ++k) {
                        double sum = 0;
                        for (int part = 0; part < 20; ++part)
                          sum += solution.outflow((k + (part + 0.5) / 20) * interval);
                        means[k] = sum / 20 * width;
                      }
                      return means;
                    }}};
  b.checks = [=](Scenario const& scenario, StateHost const& state) {
    double left = 0;
    for (double const h : state.h) left += h * scenario.grid.cell_area();
    double const rained =
        solution.rain * duration * double(scenario.grid.cells()) * scenario.grid.cell_area();
    return std::vector<Check>{{"share of the rain still on the plane", left / rained}};
  };
  b.grids_short = {50, 100};
  b.grids_full = {50, 100, 200};
  b.times = {end_time};
  return b;
}

Benchmark v_catchment() {
  auto const solution = std::make_shared<exact::VCatchment>();
  double const end_time = 10800, interval = 120;
  Benchmark b;
  b.name = "v_catchment";
  b.title = "Rain on a V-shaped catchment (Di Giammarco), 90 min of rain, 180 min";
  b.shows =
      "runoff over two roughnesses; the planes here also fall along the valley, so their water enters the "
      "channel nearer to the outlet and the hydrograph leads the reference by minutes";
  b.scenario = [=](int n) {
    double const half = solution->plane.length + 0.5 * solution->channel_width;
    auto const grid = square_grid(-half, half, 0, solution->channel_length, n);
    auto scenario = make_scenario(
        "v catchment", grid,
        [&](double x, double y) {
          return solution->plane.slope * std::max(std::abs(x) - 10, 0.0) + solution->channel_slope * y;
        },
        [](double, double) { return Flow{}; }, end_time);
    scenario.friction.type = FrictionLaw::Type::manning;
    scenario.friction.coefficient = cell_field(grid, [&](double x, double) {
      return std::abs(x) < 10 ? solution->channel_manning : solution->plane.manning;
    });
    scenario.sources.push_back(storm(solution->plane.rain, solution->plane.duration));
    // The channel flows subcritically, so the outlet needs a control; a free one may fill up like a lake.
    add_side(scenario, Side::south, Boundary::Type::normal_depth, 0, -10, 10).slope = solution->channel_slope;
    return scenario;
  };
  b.strip = false;
  b.times = {end_time};
  b.hydrographs = {{interval, [=](Scenario const&, int count) {
                      auto const q = solution->outflow(0.5 * interval, 2 * count + 1);
                      std::vector<double> means(count);
                      for (int k = 0; k < count; ++k)
                        means[k] = (q[2 * k] + 4 * q[2 * k + 1] + q[2 * k + 2]) / 6;
                      return means;
                    }}};
  b.grids_short = {81};
  b.grids_full = {81, 162};
  return b;
}

}  // namespace

std::vector<Benchmark> rain_benchmarks() {
  return {plane("rain_on_plane", "Rain on a plane, longer than the time of concentration, 50 mm/h for 2 h",
                7200, 14400),
          plane("rain_on_plane_short",
                "Rain on a plane, shorter than the time of concentration, 50 mm/h for 30 min", 1800, 14400),
          v_catchment()};
}

}  // namespace swe::validation
