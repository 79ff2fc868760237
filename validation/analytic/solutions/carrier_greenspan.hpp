#pragma once
/// \file
/// Standing wave running up and down a plane beach without breaking (G. F. Carrier & H. P. Greenspan, J.
/// Fluid Mech. 4, 1958). x points offshore, the still shoreline is at 0, the velocity is positive offshore.

#include <algorithm>
#include <cmath>

#include "validation/analytic/solutions/flow.hpp"

namespace swe::exact {

/// Dimensional solution on a beach of slope `alpha`: x = l x*, eta = alpha l eta*, u = sqrt(g alpha l) u*,
/// t = sqrt(l / (alpha g)) t*. Valid for amplitude < 1 (no breaking).
struct CarrierGreenspan {
  double amplitude = 0.6;  ///< A [-]
  double alpha = 0.1;      ///< slope of the bed [-]
  double length = 20;      ///< l [m]
  double g = standard_gravity;

  [[nodiscard]] double speed_scale() const { return std::sqrt(g * alpha * length); }
  [[nodiscard]] double time_scale() const { return std::sqrt(length / (alpha * g)); }
  [[nodiscard]] double period() const { return 2 * pi * time_scale(); }
  [[nodiscard]] double bed(double x) const { return -alpha * x; }

  /// Surface elevation [m] and velocity [m/s] at x [m], t [s] where there is water; see `shoreline`.
  struct Wave {
    double eta, u;
  };
  [[nodiscard]] Wave wave(double x, double t) const {
    Reduced const r = reduced(x / length, t / time_scale());
    return {alpha * length * r.eta, speed_scale() * r.u};
  }
  [[nodiscard]] Flow operator()(double x, double t) const {
    if (x <= shoreline(t)) return {};
    Wave const w = wave(x, t);
    return {std::max(0.0, w.eta - bed(x)), w.u, 0};
  }
  /// Where the water ends on the beach [m], between -amplitude * l and +amplitude * l.
  [[nodiscard]] double shoreline(double t) const {
    // On the shoreline sigma = 0: u = A sin(lambda/2), t = u - lambda/2, a scalar equation for lambda.
    double const time = t / time_scale();
    double lambda = -2 * time;
    for (int k = 0; k < 100; ++k) {
      double const mismatch = amplitude * std::sin(0.5 * lambda) - 0.5 * lambda - time;
      lambda -= mismatch / (0.5 * amplitude * std::cos(0.5 * lambda) - 0.5);
    }
    double const u = amplitude * std::sin(0.5 * lambda);
    return length * (amplitude * std::cos(0.5 * lambda) + 0.5 * squared(u));
  }

private:
  struct Reduced {
    double eta, u;
  };

  /// eta*, u* in terms of the hodograph variables; J1(s/2)/s -> 1/4 at the shoreline.
  [[nodiscard]] Reduced at(double sigma, double lambda) const {
    double const ratio = sigma < 1e-8 ? 0.25 : std::cyl_bessel_j(1, 0.5 * sigma) / sigma;
    double const u = 4 * amplitude * ratio * std::sin(0.5 * lambda);
    return {-amplitude * std::cyl_bessel_j(0, 0.5 * sigma) * std::cos(0.5 * lambda) - 0.5 * squared(u), u};
  }

  /// Newton's method for sigma^2/16 - eta = x, u - lambda/2 = t. The unknown is m = sigma^2/16, in which the
  /// equations stay regular at the shoreline.
  [[nodiscard]] Reduced reduced(double x, double t) const {
    double m = std::max(x, 0.05), lambda = -2 * t;
    auto const sigma_of = [](double value) { return 4 * std::sqrt(std::max(value, 0.0)); };
    for (int k = 0; k < 200; ++k) {
      Reduced const r = at(sigma_of(m), lambda);
      double const f = m - r.eta - x, f_t = r.u - 0.5 * lambda - t;
      if (std::abs(f) + std::abs(f_t) < 1e-14) break;
      double const step = 1e-6;
      Reduced const r_m = at(sigma_of(m + step), lambda), r_l = at(sigma_of(m), lambda + step);
      double const a = 1 - (r_m.eta - r.eta) / step, b = -(r_l.eta - r.eta) / step;
      double const c = (r_m.u - r.u) / step, d = (r_l.u - r.u) / step - 0.5;
      double const det = a * d - b * c;
      m = std::max(0.0, m - (f * d - b * f_t) / det);
      lambda -= (a * f_t - c * f) / det;
    }
    return at(sigma_of(m), lambda);
  }
};

}  // namespace swe::exact
