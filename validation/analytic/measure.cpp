#include "validation/analytic/measure.hpp"

#include <algorithm>
#include <cmath>

namespace swe::validation {

std::vector<Quantity> depth_and_discharge() {
  return {{"h", [](Flow const& f) { return f.h; }}, {"hu", [](Flow const& f) { return f.hu(); }}};
}

std::vector<Quantity> depth_and_discharges() {
  auto quantities = depth_and_discharge();
  quantities.push_back({"hv", [](Flow const& f) { return f.hv(); }});
  return quantities;
}

void Errors::add(double computed, double exact) {
  double const error = std::abs(computed - exact), size = std::abs(exact);
  sum_ += error, sum_exact_ += size;
  squares_ += error * error, squares_exact_ += size * size;
  // NaN must not hide behind max()
  if (!(error <= largest_)) largest_ = error;
  largest_exact_ = std::max(largest_exact_, size);
}

namespace {
double ratio(double error, double scale) { return scale > 0 ? error / scale : error; }
}  // namespace

double Errors::L1() const { return ratio(sum_, sum_exact_); }
double Errors::L2() const { return std::sqrt(ratio(squares_, squares_exact_)); }
double Errors::Linf() const { return ratio(largest_, largest_exact_); }
double Errors::operator()(Norm norm) const {
  switch (norm) {
    case Norm::L1:
      return L1();
    case Norm::L2:
      return L2();
    case Norm::Linf:
      return Linf();
  }
  return 0;
}

Flow flow_of(StateHost const& state, std::int64_t cell) {
  double const h = state.h[cell];
  if (!(h > 0)) return {h, 0, 0};
  return {h, state.hu[cell] / h, state.hv[cell] / h};
}

std::vector<Errors> errors_of(Benchmark const& benchmark, Grid const& grid, StateHost const& state) {
  std::vector<Errors> errors(benchmark.quantities.size());
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      double const x = grid.x_centre(i), y = grid.y_centre(j);
      if (benchmark.measured && !benchmark.measured(x, y)) continue;
      Flow const computed = flow_of(state, grid.index(i, j)), exact = benchmark.exact(x, y, state.time);
      for (std::size_t k = 0; k < errors.size(); ++k) {
        errors[k].add(benchmark.quantities[k].of(computed), benchmark.quantities[k].of(exact));
      }
    }
  }
  return errors;
}

std::optional<double> find_front(Front const& front, Grid const& grid, StateHost const& state) {
  int const row = grid.ny / 2;
  for (int k = 0; k < grid.nx; ++k) {
    int const i = front.from_east ? grid.nx - 1 - k : k;
    if (state.h[grid.index(i, row)] > front.depth) return grid.x0 + (i + (front.from_east ? 1 : 0)) * grid.dx;
  }
  return std::nullopt;
}

double total_energy(Scenario const& scenario, StateHost const& state) {
  double lowest = std::numeric_limits<double>::infinity();
  for (double const z : scenario.bed) {
    if (z < lowest) lowest = z;
  }
  double energy = 0;
  for (std::int64_t cell = 0; cell < scenario.grid.cells(); ++cell) {
    if (!scenario.active(cell)) continue;
    Flow const f = flow_of(state, cell);
    energy += 0.5 * f.h * (f.u * f.u + f.v * f.v) +
              scenario.scheme.gravity * f.h * (0.5 * f.h + scenario.bed[cell] - lowest);
  }
  return energy * scenario.grid.cell_area();
}

double smallest_depth(StateHost const& state) {
  double smallest = std::numeric_limits<double>::infinity();
  for (double const h : state.h) {
    if (h < smallest) smallest = h;
  }
  return smallest;
}

double largest_speed(StateHost const& state, double least_depth) {
  double largest = 0;
  for (std::size_t cell = 0; cell < state.h.size(); ++cell) {
    if (state.h[cell] > least_depth) {
      largest = std::max(largest, std::hypot(state.hu[cell], state.hv[cell]) / state.h[cell]);
    }
  }
  return largest;
}

}  // namespace swe::validation
