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
  if (fast_in) b.needs = "a boundary that gives depth and velocity together (supercritical inflow)";
  double const end_time = shape.length >= 5000 ? 5000 : shape.length >= 1000 ? 1500 : 300;
  b.scenario = [=](int n) {
    auto const& c = solution();
    auto const grid = strip_grid(0, shape.length, n);
    double const h_out = shape.h[1](shape.length);
    auto scenario = make_scenario(
        "channel", grid, [&](double x, double) { return c.bed(x); },
        [&](double x, double) {
          return Flow{h_out, c.q(x) / h_out, 0};
        },
        end_time);
    scenario.friction = manning ? FrictionLaw{FrictionLaw::Type::manning, {shape.manning, {}}}
                                : FrictionLaw{FrictionLaw::Type::darcy_weisbach, {shape.darcy_weisbach, {}}};
    add_side(scenario, Side::west, Boundary::Type::discharge_per_width, shape.q);
    if (fast_out) {
      add_side(scenario, Side::east, Boundary::Type::open);
    } else {
      // the solver takes the bed of the last cell for that of the side, so the level is that of its centre
      add_side(scenario, Side::east, Boundary::Type::level,
               scenario.bed[n - 1] + c.depth(grid.x_centre(n - 1)));
    }
    if (shape.rain > 0) {
      Source rain;
      rain.name = "rain";
      rain.type = Source::Type::rain;
      rain.series = TimeSeries::constant(shape.rain);
      scenario.sources.push_back(rain);
    }
    return scenario;
  };
  b.exact = [=](double x, double, double) { return solution()(x); };
  b.quantities = depth_and_discharge();
  b.times = {end_time};
  b.steady = true;
  b.checks = [=](Scenario const& scenario, StateHost const& state) {
    double deviation = 0;
    Grid const& grid = scenario.grid;
    for (int i = 0; i < grid.nx; ++i) {
      deviation =
          std::max(deviation, std::abs(state.hu[grid.index(i, 1)] / solution().q(grid.x_centre(i)) - 1));
    }
    return std::vector<Check>{{"largest deviation of q, relative", deviation}};
  };
  // 50 m cells are too coarse for waves of 1000 m
  b.grids_short = shape.length >= 5000 ? std::vector<int>{200, 400} : std::vector<int>{100, 200};
  b.grids_full = {50, 100, 200, 400, 800};
  double const least_1 = jump ? 0.7 : 0.9, least_2 = jump ? 0.8 : 1.8;
  b.expected = {{1, "h", Norm::L1, b.grids_short.back(), least_1},
                {1, "h", Norm::L1, 800, least_1},
                {2, "h", Norm::L1, b.grids_short.back(), least_2},
                {2, "h", Norm::L1, 800, least_2}};
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
