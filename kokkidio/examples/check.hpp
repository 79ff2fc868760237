#pragma once
/// \file
/// The examples compute a number that is known, and say so when it is wrong.

#include <cmath>
#include <cstdio>
#include <cstdlib>

/// Prints `value`; ends the program with status 1 where it is further than `tolerance` from `expected`.
inline void expect(char const* what, double value, double expected, double tolerance = 0) {
  std::printf("%-50s %.15g\n", what, value);
  if (std::abs(value - expected) <= tolerance) return;
  std::printf("  expected %.15g within %g\n", expected, tolerance);
  std::exit(1);
}
