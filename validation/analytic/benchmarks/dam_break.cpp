/// \file
/// Dam breaks on a flat bed: Ritter, Stoker (along the axes and along the diagonal), Dressler, three hills.

#include <algorithm>
#include <cmath>
#include <memory>

#include "validation/analytic/benchmarks/list.hpp"
#include "validation/analytic/measure.hpp"
#include "validation/analytic/scenario_tools.hpp"
#include "validation/analytic/solutions/dam_break.hpp"

namespace swe::validation {

namespace {

double flat(double, double) { return 0.0; }

/// Value at x [m] of a row field, linear between the centres of the middle row.
double along_row(Grid const& grid, std::vector<double> const& field, double x) {
  double const place = std::clamp((x - grid.x0) / grid.dx - 0.5, 0.0, grid.nx - 1.0);
  int const i = std::min(int(place), grid.nx - 2), row = grid.ny / 2;
  double const s = place - i;
  return (1 - s) * field[grid.index(i, row)] + s * field[grid.index(i + 1, row)];
}

Benchmark ritter() {
  exact::Ritter const solution;
  // The tip of this shallow dam break is thinner than the default tolerance over a tenth of a metre.
  double const end_time = 6, dry_tolerance = 1e-8;
  Benchmark b;
  b.name = "ritter";
  b.title = "Dam break onto a dry bed (Ritter), 5 mm deep, 6 s";
  b.shows = "the rarefaction and the dry front; the tip of every scheme lags";
  b.scenario = [=](int n) {
    auto scenario = make_scenario(
        "ritter", strip_grid(0, 10, n), flat, [&](double x, double) { return solution(x, 0); }, end_time);
    add_side(scenario, Side::west, Boundary::Type::open);
    add_side(scenario, Side::east, Boundary::Type::open);
    scenario.scheme.dry_tolerance = dry_tolerance;
    return scenario;
  };
  b.exact = [=](double x, double, double t) { return solution(x, t); };
  b.quantities = depth_and_discharge();
  b.times = {end_time};
  b.fronts = {{[=](double t) { return solution.front(t); }, 1e-4 * solution.h_left}};
  b.checks = [=](Scenario const& scenario, StateHost const& state) {
    double const c = exact::celerity(solution.h_left);
    double const h = along_row(scenario.grid, state.h, solution.x_dam) / solution.h_left;
    double const q = along_row(scenario.grid, state.hu, solution.x_dam) / (c * solution.h_left);
    return std::vector<Check>{{"depth at the dam against 4/9, relative", std::abs(h * 9 / 4 - 1)},
                              {"discharge at the dam against 8/27, relative", std::abs(q * 27 / 8 - 1)}};
  };
  b.grids_short = {100, 200, 400};
  b.grids_full = {100, 200, 400, 800};
  b.expected = {{1, "h", Norm::L1, 400, 0.5},
                {1, "h", Norm::L1, 800, 0.55},
                {2, "h", Norm::L1, 400, 0.9},
                {2, "h", Norm::L1, 800, 0.9}};
  b.published = {{1, "h", {{100, ".0189"}, {200, ".0129"}, {400, ".0086"}, {800, ".0056"}}},
                 {2, "h", {{100, ".0103"}, {200, ".0053"}, {400, ".0026"}, {800, ".0014"}}}};
  return b;
}

Benchmark stoker() {
  auto const solution = std::make_shared<exact::Stoker>();
  double const end_time = 6;
  Benchmark b;
  b.name = "stoker";
  b.title = "Dam break onto still water (Stoker), 5 mm onto 1 mm, 6 s";
  b.shows = "the strength and the speed of the bore";
  b.scenario = [=](int n) {
    auto scenario = make_scenario(
        "stoker", strip_grid(0, 10, n), flat, [&](double x, double) { return (*solution)(x, 0); }, end_time);
    add_side(scenario, Side::west, Boundary::Type::open);
    add_side(scenario, Side::east, Boundary::Type::open);
    return scenario;
  };
  b.exact = [=](double x, double, double t) { return (*solution)(x, t); };
  b.quantities = depth_and_discharge();
  b.times = {end_time};
  b.fronts = {{[=](double t) { return solution->front(t); }, 0.5 * (solution->h_middle() + 0.001)}};
  b.checks = [=](Scenario const& scenario, StateHost const& state) {
    // half-way between the end of the fan and the bore
    double const fan = 5 + (solution->u_middle() - exact::celerity(solution->h_middle())) * state.time;
    double const x = 0.5 * (fan + solution->front(state.time));
    double const error = std::abs(along_row(scenario.grid, state.h, x) / solution->h_middle() - 1);
    double const bore =
        find_front({{}, 0.5 * (solution->h_middle() + 0.001)}, scenario.grid, state).value_or(NAN);
    std::vector<Check> checks = {
        {"bore off by cells", std::abs(bore - solution->front(state.time)) / scenario.grid.dx, 1.5}};
    checks.push_back({"middle depth, relative error", error});
    if (scenario.grid.nx == 400 && scenario.scheme.order == 2) checks.back().limit = 1e-3;
    return checks;
  };
  b.grids_short = {100, 200, 400};
  b.grids_full = {100, 200, 400, 800};
  b.expected = {{1, "h", Norm::L1, 400, 0.7},
                {1, "h", Norm::L1, 800, 0.75},
                {2, "h", Norm::L1, 400, 0.9},
                {2, "h", Norm::L1, 800, 0.95}};
  b.published = {{1, "h", {{100, ".0225"}, {200, ".0135"}, {400, ".0079"}, {800, ".0045"}}},
                 {2, "h", {{100, ".0087"}, {200, ".0044"}, {400, ".0023"}, {800, ".0011"}}}};
  return b;
}

/// Mean of a flow along the diagonal, a function of the position [m], over a square cell of width dx [m] whose centre is at
/// `position`. The points stand off the centre, where a dam may be.
Flow mean_across_diagonal(std::function<Flow(double)> const& flow, double position, double dx) {
  int const points = 64;
  double h = 0, hu = 0, weights = 0;
  for (int k = 0; k < points; ++k) {
    double const s = 2 * (k + 0.5) / points - 1, weight = 1 - std::abs(s);  // from corner to corner
    Flow const f = flow(position + s * dx / std::sqrt(2.0));
    h += weight * f.h, hu += weight * f.hu(), weights += weight;
  }
  return h > 0 ? Flow{h / weights, hu / h, 0} : Flow{};
}

/// The same on a square whose diagonal is the flume: the dam runs from corner to corner, and errors count in
/// a band about the diagonal that waves from the ends of the dam do not reach.
Benchmark along_diagonal(Benchmark straight, double least_1, double least_2) {
  Benchmark b = straight;
  b.name += "_diagonal";
  b.title += ", along the diagonal of the cells";
  b.shows = "that the grid's directions do not matter";
  double const side = 10;
  auto const position = [=](double x, double y) { return 5 + (x + y - side) / std::sqrt(2.0); };
  auto const turned = [](Flow const& f) { return Flow{f.h, f.u / std::sqrt(2.0), f.u / std::sqrt(2.0)}; };
  b.exact = [=, exact = straight.exact](double x, double y, double t) {
    return turned(exact(position(x, y), 0, t));
  };
  // The dam runs through the centres of the cells on the diagonal, which hold half of either side.
  b.scenario = [=, exact = straight.exact](int n) {
    auto const grid = square_grid(0, side, 0, side, n);
    auto const initial = [&](double p) { return exact(p, 0, 0); };
    auto scenario = make_scenario(
        "diagonal", grid, flat,
        [&](double x, double y) { return turned(mean_across_diagonal(initial, position(x, y), grid.dx)); }, 6);
    for (Side const s : all_sides) add_side(scenario, s, Boundary::Type::open);
    return scenario;
  };
  b.measured = [](double x, double y) { return std::abs(x - y) < 1.5 * std::sqrt(2.0); };
  b.quantities = depth_and_discharges();
  b.strip = false;
  b.fronts.clear();
  b.checks = {};
  b.published.clear();
  b.grids_short = {50, 100};
  b.grids_full = {100, 200, 400};
  b.expected = {{1, "h", Norm::L1, 100, least_1 - 0.1},
                {1, "h", Norm::L1, 400, least_1},
                {2, "h", Norm::L1, 100, least_2 - 0.1},
                {2, "h", Norm::L1, 400, least_2}};
  return b;
}

Benchmark dressler() {
  exact::Dressler const solution;
  double const end_time = 40;
  Benchmark b;
  b.name = "dressler";
  b.title = "Dam break onto a dry bed with Chézy friction (Dressler), 6 m deep, 40 s";
  b.shows =
      "friction at a moving front; the expansion itself is good to a few percent, so no order is expected";
  b.scenario = [=](int n) {
    auto scenario = make_scenario(
        "dressler", strip_grid(0, 2000, n), flat,
        [&](double x, double) { return Flow{x < solution.x_dam ? solution.h_left : 0.0}; }, end_time);
    scenario.friction = {FrictionLaw::Type::chezy, {solution.chezy, {}}};
    return scenario;
  };
  b.exact = [=](double x, double, double t) {
    return x <= solution.first_valid(t) ? Flow{solution.h_left, 0, 0} : solution(x, t);
  };
  double const first = solution.first_valid(end_time), last = solution.last_valid(end_time);
  b.measured = [=](double x, double) { return x > first && x < last; };
  b.quantities = depth_and_discharge();
  b.times = {end_time};
  b.checks = [b = b](Scenario const& scenario, StateHost const& state) {
    auto const errors = errors_of(b, scenario.grid, state);
    return std::vector<Check>{{"L1(h) within a few percent", errors[0].L1(), 0.03},
                              {"L1(hu) within a few percent", errors[1].L1(), 0.05}};
  };
  b.grids_short = {400};
  b.grids_full = {400, 800};
  return b;
}

Benchmark three_hills() {
  Benchmark b;
  b.name = "three_hills";
  b.title = "Dam break among three hills (Kawahara & Umetsu), 75 x 30 m, Manning 0.018, 300 s";
  // Friction alone still leaves about h / (g n^2 h^(-1/3) t) = 0.4 m/s at the end; less is the scheme's own
  // drag.
  b.shows = "symmetry and volume where the shore is everywhere; there is no exact solution";
  auto const bed = [](double x, double y) {
    auto const hill = [&](double x_0, double y_0, double height, double slope) {
      return height - slope * std::hypot(x - x_0, y - y_0);
    };
    return std::max({0.0, hill(30, 6, 1, 0.125), hill(30, 24, 1, 0.125), hill(47.5, 15, 3, 0.3)});
  };
  b.scenario = [=](int n) {
    auto scenario = make_scenario(
        "three hills", square_grid(0, 75, 0, 30, n), bed,
        [](double x, double) { return Flow{x < 16 ? 1.875 : 0.0}; }, 300);
    scenario.friction = {FrictionLaw::Type::manning, {0.018, {}}};
    return scenario;
  };
  b.strip = false;
  b.times = {300};
  b.checks = [](Scenario const& scenario, StateHost const& state) {
    Grid const& grid = scenario.grid;
    double asymmetry = 0, volume = 0;
    for (int j = 0; j < grid.ny; ++j) {
      for (int i = 0; i < grid.nx; ++i) {
        auto const cell = grid.index(i, j), mirror = grid.index(i, grid.ny - 1 - j);
        asymmetry = std::max(asymmetry, std::abs(state.h[cell] - state.h[mirror]));
        volume += state.h[cell] * grid.cell_area();
      }
    }
    double initial = 0;
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
      initial += scenario.initial.depth(cell) * grid.cell_area();
    return std::vector<Check>{{"asymmetry about the middle over the first depth", asymmetry / 1.875, 1e-10},
                              {"volume lost, relative", std::abs(volume / initial - 1), 1e-12},
                              {"largest speed where deeper than 1 cm [m/s]", largest_speed(state, 0.01)}};
  };
  b.grids_short = {75};
  b.grids_full = {75, 150};
  return b;
}

}  // namespace

std::vector<Benchmark> dam_break_benchmarks() {
  return {ritter(),   stoker(),     along_diagonal(ritter(), 0.5, 0.85), along_diagonal(stoker(), 0.65, 0.85),
          dressler(), three_hills()};
}

}  // namespace swe::validation
