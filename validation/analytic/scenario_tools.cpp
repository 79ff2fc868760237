#include "validation/analytic/scenario_tools.hpp"

#include <cmath>
#include <utility>

namespace swe::validation {

namespace {

std::vector<double> transposed(std::vector<double> const& v, int nx, int ny) {
  std::vector<double> result(v.size());
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      if (!v.empty()) result[j + std::int64_t(ny) * i] = v[i + std::int64_t(nx) * j];
    }
  }
  return result;
}

Side transposed(Side side) {
  switch (side) {
    case Side::west:
      return Side::south;
    case Side::south:
      return Side::west;
    case Side::east:
      return Side::north;
    case Side::north:
      return Side::east;
  }
  return side;
}

}  // namespace

Grid strip_grid(double x_from, double x_to, int n) {
  double const dx = (x_to - x_from) / n;
  return {n, 3, dx, dx, x_from, -1.5 * dx};
}

Grid square_grid(double x_from, double x_to, double y_from, double y_to, int n) {
  double const dx = (x_to - x_from) / n;
  return {n, int(std::lround((y_to - y_from) / dx)), dx, dx, x_from, y_from};
}

CellField cell_field(Grid const& grid, std::function<double(double, double)> const& f) {
  CellField field;
  field.raster.resize(grid.cells());
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) field.raster[grid.index(i, j)] = f(grid.x_centre(i), grid.y_centre(j));
  }
  return field;
}

Scenario make_scenario(std::string title, Grid const& grid, Bed const& bed, FlowField const& initial,
                       double end_time) {
  Scenario scenario;
  scenario.title = std::move(title);
  scenario.grid = grid;
  scenario.bed = cell_field(grid, bed).raster;
  scenario.initial.depth = cell_field(grid, [&](double x, double y) { return initial(x, y).h; });
  scenario.initial.velocity_x = cell_field(grid, [&](double x, double y) { return initial(x, y).u; });
  scenario.initial.velocity_y = cell_field(grid, [&](double x, double y) { return initial(x, y).v; });
  scenario.end_time = end_time;
  return scenario;
}

Boundary& add_side(Scenario& scenario, Side side, Boundary::Type type, double value, double from, double to) {
  Boundary boundary;
  boundary.name = "side " + std::to_string(int(side)) + " " + std::to_string(scenario.boundaries.size());
  boundary.type = type;
  boundary.side = side;
  boundary.faces = faces_on_side(scenario.grid, scenario.bed, side, from, to);
  boundary.series = TimeSeries::constant(value);
  scenario.boundaries.push_back(std::move(boundary));
  return scenario.boundaries.back();
}

void add_periodic(Scenario& scenario, Side side) {
  Side const opposite[] = {Side::east, Side::west, Side::north, Side::south};
  for (Side const s : {side, opposite[int(side)]}) {
    Boundary boundary;
    boundary.name = "periodic " + std::to_string(int(s));
    boundary.type = Boundary::Type::periodic;
    boundary.side = s;
    scenario.boundaries.push_back(std::move(boundary));
  }
}

Scenario transposed(Scenario const& scenario) {
  Grid const& g = scenario.grid;
  Scenario result = scenario;
  result.grid = {g.ny, g.nx, g.dy, g.dx, g.y0, g.x0};
  result.bed = transposed(scenario.bed, g.nx, g.ny);
  auto const field = [&](CellField& f) { f.raster = transposed(f.raster, g.nx, g.ny); };
  field(result.friction.coefficient);
  field(result.initial.depth);
  field(result.initial.velocity_x);
  field(result.initial.velocity_y);
  std::swap(result.initial.velocity_x, result.initial.velocity_y);
  for (auto& boundary : result.boundaries) {
    boundary.side = transposed(boundary.side);
    std::swap(boundary.velocity_x, boundary.velocity_y);
    for (auto& face : boundary.faces) face = {face.j, face.i, transposed(face.side)};
  }
  for (auto& source : result.sources) {
    field(source.rate);
    for (auto& cell : source.cells) cell = cell / g.nx + g.ny * (cell % g.nx);
  }
  return result;
}

StateHost transposed(StateHost const& state, int nx, int ny) {
  return {state.time, transposed(state.h, nx, ny), transposed(state.hv, nx, ny),
          transposed(state.hu, nx, ny), transposed(state.bed, nx, ny)};
}

}  // namespace swe::validation
