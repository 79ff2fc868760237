#pragma once
/// \file
/// Zero of a function between two points of different sign.

#include <cmath>
#include <stdexcept>

namespace swe::exact {

/// Bisection until the bracket cannot shrink: at most 1100 evaluations, no derivative, cannot diverge.
/// Throws std::invalid_argument when f(a) and f(b) have the same sign.
template <class Function>
double root_between(double a, double b, Function const& f) {
  double f_a = f(a), f_b = f(b);
  if (f_a == 0) return a;
  if (f_b == 0) return b;
  if (std::signbit(f_a) == std::signbit(f_b)) throw std::invalid_argument("root_between: no change of sign");
  for (;;) {
    double const middle = a + 0.5 * (b - a);
    if (middle == a || middle == b) return middle;
    double const f_middle = f(middle);
    if (f_middle == 0) return middle;
    if (std::signbit(f_middle) == std::signbit(f_a)) {
      a = middle;
    } else {
      b = middle;
    }
  }
}

}  // namespace swe::exact
