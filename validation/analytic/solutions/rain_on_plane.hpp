#pragma once
/// \file
/// Rain on a dry sloping plane, kinematic wave q = al h^(5/3), al = sqrt(S)/n (F. M. Henderson & R. A.
/// Wooding, J. Geophys. Res. 69, 1964). The full equations agree within about 1 % where S L / (h Fr^2) > 20.

#include <algorithm>

#include "validation/analytic/solutions/flow.hpp"
#include "validation/analytic/solutions/root.hpp"

namespace swe::exact {

struct RainOnPlane {
  double length = 1000;       ///< [m]
  double slope = 0.01;        ///< [-]
  double manning = 0.03;      ///< [s m^-1/3]
  double rain = 0.05 / 3600;  ///< [m/s]
  double duration = 7200;     ///< [s]

  [[nodiscard]] double al() const { return std::sqrt(slope) / manning; }  ///< [m^1/3/s]
  /// Time at which a wave from the top reaches the outlet [s].
  [[nodiscard]] double concentration_time() const {
    return std::pow(length / (al() * std::pow(rain, 2.0 / 3)), 0.6);
  }

  /// Discharge per width [m2/s] at the lower end.
  [[nodiscard]] double outflow(double t) const {
    if (t <= 0) return 0;
    double const t_c = concentration_time();
    if (duration >= t_c) {
      if (t <= t_c) return al() * std::pow(rain * t, 5.0 / 3);
      if (t <= duration) return rain * length;
    } else {
      if (t <= duration) return al() * std::pow(rain * t, 5.0 / 3);
      double const plateau = al() * std::pow(rain * duration, 5.0 / 3);
      if (recession_mismatch(plateau, t) <= 0) return plateau;
    }
    double const largest = std::min(rain * length, al() * std::pow(rain * duration, 5.0 / 3));
    if (recession_mismatch(largest, t) <= 0) return largest;
    return root_between(0.0, largest, [&](double q) { return recession_mismatch(q, t); });
  }
  /// Depth [m] at x from the top once the flow is steady.
  [[nodiscard]] double steady_depth(double x) const { return std::pow(rain * x / al(), 0.6); }
  /// Depth [m] at x from the top at time t while it rains.
  [[nodiscard]] double depth(double x, double t) const { return std::min(rain * t, steady_depth(x)); }

private:
  /// After the rain, the water that left x = q/i at the end of the rain arrives at the outlet when this is 0;
  /// negative while it is still under way.
  [[nodiscard]] double recession_mismatch(double q, double t) const {
    return q / rain + 5.0 / 3 * std::pow(al(), 0.6) * std::pow(q, 0.4) * (t - duration) - length;
  }
};

}  // namespace swe::exact
