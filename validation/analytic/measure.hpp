#pragma once
/// \file
/// Errors of a computed state against an exact one.

#include <optional>
#include <vector>

#include "validation/analytic/benchmark.hpp"

namespace swe::validation {

/// L1 = sum|a-b| / sum|b|, L2 = sqrt(sum (a-b)^2 / sum b^2), Linf = max|a-b| / max|b|, gathered one pair at a
/// time.
class Errors {
public:
  void add(double computed, double exact);
  [[nodiscard]] double L1() const;
  [[nodiscard]] double L2() const;
  [[nodiscard]] double Linf() const;
  [[nodiscard]] double operator()(Norm norm) const;

private:
  double sum_ = 0, sum_exact_ = 0, squares_ = 0, squares_exact_ = 0, largest_ = 0, largest_exact_ = 0;
};

/// Flow in one cell; still where the depth is 0.
[[nodiscard]] Flow flow_of(StateHost const& state, std::int64_t cell);

/// Errors of every quantity at cell centres, in the order of `benchmark.quantities`.
[[nodiscard]] std::vector<Errors> errors_of(Benchmark const& benchmark, Grid const& grid,
                                            StateHost const& state);

/// Outer face [m] of the first cell, seen from outside along the middle row, deeper than `front.depth`.
[[nodiscard]] std::optional<double> find_front(Front const& front, Grid const& grid, StateHost const& state);

/// Kinetic and potential energy per density [m5/s2], potential taken from the lowest bed.
[[nodiscard]] double total_energy(Scenario const& scenario, StateHost const& state);

[[nodiscard]] double smallest_depth(StateHost const& state);

}  // namespace swe::validation
