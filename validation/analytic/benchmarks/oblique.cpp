/// \file
/// Oblique hydraulic jump: a standing shock that runs across the cells.

#include <algorithm>
#include <cmath>
#include <memory>

#include "validation/analytic/benchmarks/list.hpp"
#include "validation/analytic/measure.hpp"
#include "validation/analytic/scenario_tools.hpp"
#include "validation/analytic/solutions/oblique_jump.hpp"

namespace swe::validation {

namespace {

/// Angle [rad] of the line through the middle of the jump, fitted between x = 10 and 35 m.
double jump_angle(Grid const& grid, StateHost const& state, double h_middle) {
  double xx = 0, xy = 0, x_mean = 0, y_mean = 0;
  int count = 0;
  std::vector<std::pair<double, double>> points;
  for (int i = 0; i < grid.nx; ++i) {
    double const x = grid.x_centre(i);
    if (x < 10 || x > 35) continue;
    for (int j = grid.ny - 1; j > 0; --j) {
      if (grid.y_centre(j) > 30) continue;
      double const above = state.h[grid.index(i, j)], below = state.h[grid.index(i, j - 1)];
      if (above <= h_middle && below > h_middle) {
        points.emplace_back(x, grid.y_centre(j) - grid.dy * (h_middle - above) / (below - above));
        break;
      }
    }
  }
  for (auto const& [x, y] : points) x_mean += x, y_mean += y, ++count;
  x_mean /= count, y_mean /= count;
  for (auto const& [x, y] : points) xx += (x - x_mean) * (x - x_mean), xy += (x - x_mean) * (y - y_mean);
  return std::atan(xy / xx);
}

}  // namespace

std::vector<Benchmark> oblique_benchmarks() {
  auto const solution = std::make_shared<exact::ObliqueJump>();
  // The slowest wave crosses the 40 m in 10 s.
  double const end_time = 14;
  Benchmark b;
  b.name = "oblique_jump";
  b.title = "Oblique hydraulic jump, Froude number 2.74 turned by 8.95 degrees";
  b.shows = "a standing shock across the grid, and the slip wall";
  b.times = {end_time};
  b.strip = false;
  // Inflow at an angle needs depth and velocity together at the side. Instead, the uniform flow stands in a
  // domain so large that nothing from its western and northern edge arrives by the end, at |u| + c and |v| +
  // c.
  b.scenario = [=](int n) {
    Flow const incoming = solution->incoming();
    double const dx = 40.0 / n, c = exact::celerity(incoming.h);
    double const west = dx * std::ceil((incoming.u + c) * end_time / dx) + dx;
    double const north = dx * std::ceil((30 + (c - incoming.v) * end_time) / dx) + dx;
    auto scenario = make_scenario(
        "oblique jump", square_grid(-west, 40, 0, north, n + int(std::lround(west / dx))),
        [](double, double) { return 0.0; }, [&](double, double) { return incoming; }, end_time);
    add_side(scenario, Side::east, Boundary::Type::open);
    // the wall begins at x = 0; before it the flow leaves through the side
    add_side(scenario, Side::south, Boundary::Type::open, 0, -std::numeric_limits<double>::infinity(), 0);
    return scenario;
  };
  b.measured = [](double x, double y) { return x > 0 && y < 30; };
  b.exact = [=](double x, double y, double) { return (*solution)(x, y); };
  b.quantities = depth_and_discharges();
  b.checks = [=](Scenario const& scenario, StateHost const& state) {
    Grid const& grid = scenario.grid;
    double h = 0, u = 0, v = 0;
    int count = 0;
    for (int j = 0; j < grid.ny; ++j) {
      for (int i = 0; i < grid.nx; ++i) {
        double const x = grid.x_centre(i), y = grid.y_centre(j);
        if (x < 20 || y < 2 || y > 30 || std::atan2(y, x) > 0.7 * solution->wall_angle()) continue;
        Flow const f = flow_of(state, grid.index(i, j));
        h += f.h, u += f.u, v += f.v, ++count;
      }
    }
    h /= count, u /= count, v /= count;
    double const degrees = 180 / exact::pi;
    double const angle = jump_angle(grid, state, 0.5 * (1 + solution->h_2()));
    std::vector<Check> checks = {
        {"depth behind the jump, relative error", std::abs(h / solution->h_2() - 1), 1e-3},
        {"speed behind the jump, relative error", std::abs(std::hypot(u, v) / solution->speed_2() - 1), 1e-3},
        {"angle of the jump, error [degrees]", std::abs(angle - solution->wall_angle()) * degrees, 0.3}};
    // the limits hold where the jump is thin against the wedge behind it
    bool const fine = grid.dx <= (scenario.scheme.order == 2 ? 0.5 : 0.25);
    for (auto& check : checks) {
      if (!fine) check.limit = std::numeric_limits<double>::infinity();
    }
    return checks;
  };
  b.grids_short = {40, 80};
  b.grids_full = {40, 80, 160};
  b.expected = {{1, "h", Norm::L1, 80, 0.6},
                {1, "h", Norm::L1, 160, 0.7},
                {2, "h", Norm::L1, 80, 0.8},
                {2, "h", Norm::L1, 160, 0.85}};
  return {b};
}

}  // namespace swe::validation
