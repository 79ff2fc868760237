#pragma once
/// \file
/// What every exact solution returns, and the gravity all of them use.

#include <cmath>
#include <numbers>

namespace swe::exact {

inline constexpr double pi = std::numbers::pi;
inline constexpr double standard_gravity = 9.81;  ///< [m/s2]

/// Exact flow at one point: depth [m] and velocities [m/s].
struct Flow {
  double h = 0, u = 0, v = 0;
  [[nodiscard]] double hu() const { return h * u; }
  [[nodiscard]] double hv() const { return h * v; }
};

inline constexpr double squared(double a) { return a * a; }
inline constexpr double cubed(double a) { return a * a * a; }

/// Celerity of long waves sqrt(g h) [m/s].
inline double celerity(double h, double g = standard_gravity) { return std::sqrt(g * h); }
/// Critical depth (q^2/g)^(1/3) [m] of the unit discharge q [m2/s].
inline double critical_depth(double q, double g = standard_gravity) { return std::cbrt(q * q / g); }

}  // namespace swe::exact
