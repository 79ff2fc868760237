#pragma once
/// \file
/// Vortices carried along by a uniform flow on a flat frictionless bed: smooth, always wet, exact for all t
/// on an infinite plane. They show a scheme's order.

#include "validation/analytic/solutions/flow.hpp"

namespace swe::exact {

/// Vortex with a Gaussian velocity profile. Its tail reaches the edge of a domain of +-8 m at round-off
/// level.
struct GaussianVortex {
  double H = 1, U = 1, V = 0.5;            ///< background depth [m] and velocity [m/s]
  double strength = 1.5;                   ///< beta [m/s]
  double x_start = -0.5, y_start = -0.25;  ///< centre at t = 0 [m]
  double g = standard_gravity;

  [[nodiscard]] Flow operator()(double x, double y, double t) const {
    double const X = x - U * t - x_start, Y = y - V * t - y_start;
    double const E = std::exp(0.5 * (1 - squared(X) - squared(Y)));
    double const turn = strength / (2 * pi) * E;
    return {H - squared(turn) / (2 * g), U - turn * Y, V + turn * X};
  }
};

/// Vortex of finite support (M. Ricchiuto & A. Bollermann, J. Comput. Phys. 228, 2009) on the unit square,
/// periodic in x. Its velocity has one continuous derivative at the edge, which limits what can be shown to
/// second order.
struct CompactVortex {
  double h_0 = 10, U = 6, strength = 15, wave_number = 4 * pi;  ///< [m], [m/s], [1/s], [1/m]
  double x_start = 0.5, y_start = 0.5;                          ///< [m]
  double g = standard_gravity;

  [[nodiscard]] Flow operator()(double x, double y, double t) const {
    double X = x - x_start - U * t;
    X -= std::round(X);
    double const Y = y - y_start, angle = wave_number * std::hypot(X, Y);
    if (angle > pi) return {h_0, U, 0};
    double const turn = strength * (1 + std::cos(angle));
    double const dip = squared(strength / wave_number) / g * (profile(angle) - profile(pi));
    return {h_0 + dip, U - turn * Y, turn * X};
  }

private:
  static double profile(double q) {
    return 2 * std::cos(q) + 2 * q * std::sin(q) + std::cos(2 * q) / 8 + q / 4 * std::sin(2 * q) +
           0.75 * squared(q);
  }
};

}  // namespace swe::exact
