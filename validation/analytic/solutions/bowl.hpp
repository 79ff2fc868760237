#pragma once
/// \file
/// Water swinging in parabolic bowls, with a moving shoreline (W. C. Thacker, J. Fluid Mech. 107, 1981;
/// J. Sampson, PhD thesis, Swinburne 2009, for the one with drag). Valid for all t >= 0.

#include <algorithm>

#include "validation/analytic/solutions/flow.hpp"

namespace swe::exact {

/// Canal of parabolic section on [0, 4] m, plane surface swinging to and fro; no friction.
struct ThackerCanal {
  double centre = 2, a = 1, h_0 = 0.5;  ///< [m]
  double g = standard_gravity;

  [[nodiscard]] double omega() const { return std::sqrt(2 * g * h_0) / a; }  ///< [1/s]
  [[nodiscard]] double period() const { return 2 * pi / omega(); }           ///< [s]
  [[nodiscard]] double bed(double x) const { return h_0 * (squared((x - centre) / a) - 1); }
  [[nodiscard]] double speed() const { return 0.5 * omega() * a; }  ///< largest velocity [m/s]
  /// The shoreline on the right [m]; the left one lies 2 a before it.
  [[nodiscard]] double shoreline(double t) const { return centre - 0.5 * a * std::cos(omega() * t) + a; }
  [[nodiscard]] Flow operator()(double x, double t) const {
    double const shift = speed() * std::cos(omega() * t) / std::sqrt(2 * g * h_0);
    double const h = -h_0 * (squared((x - centre) / a + shift) - 1);
    if (h <= 0) return {};
    return {h, speed() * std::sin(omega() * t), 0};
  }
};

/// Paraboloid on [0, 4]^2 m, plane surface circling about the centre; no friction.
struct ThackerPlanar {
  double centre = 2, a = 1, h_0 = 0.1, eta_0 = 0.5;  ///< [m]
  double g = standard_gravity;

  [[nodiscard]] double omega() const { return std::sqrt(2 * g * h_0) / a; }
  [[nodiscard]] double period() const { return 2 * pi / omega(); }
  [[nodiscard]] double bed(double x, double y) const {
    return -h_0 * (1 - (squared(x - centre) + squared(y - centre)) / squared(a));
  }
  [[nodiscard]] Flow operator()(double x, double y, double t) const {
    double const w = omega(), X = x - centre, Y = y - centre;
    double const eta = eta_0 * h_0 / squared(a) * (2 * X * std::cos(w * t) + 2 * Y * std::sin(w * t) - eta_0);
    double const h = eta - bed(x, y);
    if (h <= 0) return {};
    return {h, -eta_0 * w * std::sin(w * t), eta_0 * w * std::cos(w * t)};
  }
};

/// The same paraboloid, curved surface rising and falling about the centre; no friction.
struct ThackerRadial {
  double centre = 2, a = 1, h_0 = 0.1, r_0 = 0.8;  ///< [m]
  double g = standard_gravity;

  [[nodiscard]] double amplitude() const {
    double const a_4 = squared(squared(a)), r_4 = squared(squared(r_0));
    return (a_4 - r_4) / (a_4 + r_4);
  }
  [[nodiscard]] double omega() const { return std::sqrt(8 * g * h_0) / a; }
  [[nodiscard]] double period() const { return 2 * pi / omega(); }
  [[nodiscard]] double bed(double x, double y) const {
    return -h_0 * (1 - (squared(x - centre) + squared(y - centre)) / squared(a));
  }
  [[nodiscard]] Flow operator()(double x, double y, double t) const {
    double const A = amplitude(), w = omega(), swing = 1 - A * std::cos(w * t);
    double const X = x - centre, Y = y - centre, r_squared = squared(X) + squared(Y);
    double const eta = h_0 * (std::sqrt(1 - squared(A)) / swing - 1 -
                              r_squared / squared(a) * ((1 - squared(A)) / squared(swing) - 1));
    double const h = eta - bed(x, y);
    if (h <= 0) return {};
    double const stretch = w * A * std::sin(w * t) / (2 * swing);
    return {h, stretch * X, stretch * Y};
  }
};

/// Canal of parabolic section with a drag -tau h u in the momentum equation: the swing dies out.
struct Sampson {
  double a = 3000, h_0 = 10;  ///< [m]
  double speed = 5;           ///< [m/s]
  double tau = 0.001;         ///< drag rate [1/s]; less than p()
  double g = standard_gravity;

  [[nodiscard]] double p() const { return std::sqrt(8 * g * h_0) / a; }
  [[nodiscard]] double s() const { return 0.5 * std::sqrt(squared(p()) - squared(tau)); }
  [[nodiscard]] double period() const { return 2 * pi / s(); }
  [[nodiscard]] double bed(double x) const { return h_0 * squared(x / a); }
  [[nodiscard]] double decay(double t) const { return std::exp(-0.5 * tau * t); }
  /// The shoreline on the right [m]; the left one lies 2 a before it.
  [[nodiscard]] double shoreline(double t) const {
    return -squared(a) * decay(t) * speed / (2 * g * h_0) *
               (s() * std::cos(s() * t) + 0.5 * tau * std::sin(s() * t)) +
           a;
  }
  [[nodiscard]] Flow operator()(double x, double t) const {
    double const w = s(), E = decay(t), B = speed;
    double const eta =
        h_0 +
        squared(a * B * E) / (8 * squared(g) * h_0) *
            (-w * tau * std::sin(2 * w * t) + (squared(tau) / 4 - squared(w)) * std::cos(2 * w * t)) -
        squared(B * E) / (4 * g) - E / g * B * (w * std::cos(w * t) + 0.5 * tau * std::sin(w * t)) * x;
    double const h = eta - bed(x);
    if (h <= 0) return {};
    return {h, B * E * std::sin(w * t), 0};
  }
};

}  // namespace swe::exact
