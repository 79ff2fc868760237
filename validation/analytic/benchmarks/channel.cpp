/// \file
/// MacDonald's channels: friction, slope, rain and jumps in equilibrium.

#include <algorithm>
#include <cmath>
#include <memory>

#include "validation/analytic/benchmarks/list.hpp"
#include "validation/analytic/scenario_tools.hpp"
#include "validation/analytic/solutions/macdonald.hpp"

namespace swe::validation {

namespace {

using exact::ChannelFriction;

Benchmark channel(exact::ChannelShape const& shape, ChannelFriction friction) {
  // The bed is integrated when a grid is first built, so that listing the tests costs nothing.
  auto const built = std::make_shared<std::unique_ptr<exact::MacDonald>>();
  auto const solution = [=]() -> exact::MacDonald const& {
    if (!*built) *built = std::make_unique<exact::MacDonald>(shape, friction);
    return **built;
  };
  bool const manning = friction == ChannelFriction::manning;
  auto const froude = [&](int part, double x) {
    double const h = shape.h[part](x), q = shape.q + shape.rain * x;
    return q / (h * exact::celerity(h));
  };
  bool const fast_in = froude(0, 0) > 1, fast_out = froude(1, shape.length) > 1;
  bool const jump = froude(0, shape.split) > 1 && froude(1, shape.split) < 1;

  Benchmark b;
  b.name = "channel_" + shape.name + (manning ? "" : "_darcy");
  std::string spaced = shape.name;
  std::replace(spaced.begin(), spaced.end(), '_', ' ');
  b.title = "MacDonald's channel, " + spaced + (manning ? ", Manning" : ", Darcy-Weisbach");
  b.shows = "that friction, slope and inertia balance in steady flow";
  // The outflow of the subcritical channel with rain is all but critical (Froude number 0.986), so what the level there
  // holds back creeps up the channel: after 1500 s depths still change by 3e-5 m in 75 s, after 3000 s by 1e-9 m.
  double const end_time = shape.length >= 5000                ? 5000
                          : shape.rain > 0 && !fast_out       ? 3000
                          : shape.length >= 1000              ? 1500
                                                              : 300;
  // Supercritical inflow needs depth and velocity together. A reach of uniform flow in front gives both: from
  // the critical depth at its head the flow falls to the normal depth h(0) within a few of the lengths h
  // (Fr^2 - 1) / (10/3 S), and 25 of them leave nothing.
  double const h_in = shape.h[0](0), roughness = manning ? shape.manning : shape.darcy_weisbach;
  double const reach_slope = manning ? exact::squared(roughness * shape.q) / std::pow(h_in, 10.0 / 3)
                                     : roughness * exact::squared(shape.q) / (8 * 9.81 * exact::cubed(h_in));
  double const reach =
      fast_in ? 25 * h_in * (exact::squared(froude(0, 0)) - 1) / (10.0 / 3 * reach_slope) : 0;
  b.scenario = [=](int n) {
    auto const& c = solution();
    double const dx = shape.length / n;
    int const cells_before = int(std::ceil(reach / dx));
    auto const grid = strip_grid(-cells_before * dx, shape.length, n + cells_before);
    double const h_out = shape.h[1](shape.length);
    auto const bed = [&](double x, double) { return x < 0 ? c.bed(0) - x * reach_slope : c.bed(x); };
    auto scenario = make_scenario(
        "channel", grid, bed,
        [&](double x, double) {
          double const h = x < 0 ? h_in : h_out;
          return Flow{h, c.q(std::max(x, 0.0)) / h, 0};
        },
        end_time);
    scenario.friction = manning ? FrictionLaw{FrictionLaw::Type::manning, {shape.manning, {}}}
                                : FrictionLaw{FrictionLaw::Type::darcy_weisbach, {shape.darcy_weisbach, {}}};
    add_side(scenario, Side::west, Boundary::Type::discharge_per_width, shape.q);
    if (fast_out) {
      add_side(scenario, Side::east, Boundary::Type::open);
    } else {
      add_side(scenario, Side::east, Boundary::Type::level, c.bed(shape.length) + h_out);
    }
    if (shape.rain > 0) {
      Source rain;
      rain.name = "rain";
      rain.type = Source::Type::rain;
      rain.series = TimeSeries::constant(shape.rain);
      for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        if (int(cell % grid.nx) >= cells_before) rain.cells.push_back(cell);
      }
      scenario.sources.push_back(rain);
    }
    return scenario;
  };
  b.measured = [](double x, double) { return x > 0; };
  b.exact = [=](double x, double, double) { return solution()(std::max(x, 0.0)); };
  b.quantities = depth_and_discharge();
  b.times = {end_time};
  b.steady = true;
  b.checks = [=](Scenario const& scenario, StateHost const& state) {
    double deviation = 0;
    Grid const& grid = scenario.grid;
    for (int i = 0; i < grid.nx; ++i) {
      if (grid.x_centre(i) < 0) continue;
      deviation =
          std::max(deviation, std::abs(state.hu[grid.index(i, 1)] / solution().q(grid.x_centre(i)) - 1));
    }
    return std::vector<Check>{{"largest deviation of q, relative", deviation}};
  };
  b.grids_full = {50, 100, 200, 400, 800};
  if (jump) {
    b.grids_short = {100, 400};
    b.expected = {{1, "h", Norm::L1, 400, 0.7, 100},
                  {2, "h", Norm::L1, 400, 0.8, 100},
                  {1, "h", Norm::L1, 800, 0.7, 200},
                  {2, "h", Norm::L1, 800, 0.8, 200}};
  } else {
    // 50 m cells are too coarse for waves of 1000 m, and steep supercritical reaches are not smooth on 10 m
    b.grids_short = shape.length >= 5000 || fast_in ? std::vector<int>{200, 400} : std::vector<int>{100, 200};
    b.expected = {{1, "h", Norm::L1, b.grids_short.back(), 0.9},
                  {2, "h", Norm::L1, b.grids_short.back(), 1.8},
                  {1, "h", Norm::L1, 800, 0.9},
                  {2, "h", Norm::L1, 800, 1.8}};
  }
  return b;
}

}  // namespace

std::vector<Benchmark> channel_benchmarks() {
  std::vector<Benchmark> benchmarks;
  for (auto const& shape : exact::channel_shapes()) {
    benchmarks.push_back(channel(shape, ChannelFriction::manning));
    if (shape.darcy_weisbach > 0) benchmarks.push_back(channel(shape, ChannelFriction::darcy_weisbach));
  }
  return benchmarks;
}

}  // namespace swe::validation
