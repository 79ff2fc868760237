#pragma once
/// \file
/// Rain on a V-shaped catchment: two planes drain into a channel (P. Di Giammarco, E. Todini & P. Lamberti,
/// J. Hydrol. 175, 1996). Planes by the kinematic wave in closed form, channel by a fine upwind scheme.

#include <vector>

#include "validation/analytic/solutions/rain_on_plane.hpp"

namespace swe::exact {

struct VCatchment {
  RainOnPlane plane{800, 0.05, 0.015, 10.8e-3 / 3600, 5400};
  double channel_length = 1000, channel_width = 20;  ///< [m]
  double channel_slope = 0.02, channel_manning = 0.15;

  [[nodiscard]] double channel_al() const { return std::sqrt(channel_slope) / channel_manning; }
  /// Outflow [m3/s] once everything is steady.
  [[nodiscard]] double equilibrium() const {
    return plane.rain * channel_length * (2 * plane.length + channel_width);
  }

  /// Outflow [m3/s] of the channel at the times k * interval [s], k = 0 ... count - 1: kinematic wave
  /// h_t + (al h^(5/3))_x = (2 q_plane)/width + rain on `cells` cells, explicit upwind at Courant number 0.9.
  [[nodiscard]] std::vector<double> outflow(double interval, int count, int cells = 2000) const {
    double const dx = channel_length / cells, al = channel_al();
    auto const unit_discharge = [al](double h) { return al * std::pow(h, 5.0 / 3); };
    std::vector<double> h(cells, 0.0), q_of_time;
    double const deepest = std::pow(equilibrium() / (channel_width * al), 0.6);
    double const dt_largest = 0.9 * dx / (5.0 / 3 * al * std::pow(deepest, 2.0 / 3));
    double t = 0;
    for (int k = 0; k < count; ++k) {
      int const steps = std::max(1, int(std::ceil((k * interval - t) / dt_largest)));
      double const dt = (k * interval - t) / steps;
      for (int s = 0; s < steps && dt > 0; ++s) {
        double const middle = t + (s + 0.5) * dt;
        double const gain =
            2 * plane.outflow(middle) / channel_width + (middle < plane.duration ? plane.rain : 0.0);
        double from_above = 0;
        for (double& depth : h) {
          double const out = unit_discharge(depth);
          depth = std::max(0.0, depth + dt * (gain + (from_above - out) / dx));
          from_above = out;
        }
      }
      t = k * interval;
      q_of_time.push_back(channel_width * unit_discharge(h.back()));
    }
    return q_of_time;
  }
};

}  // namespace swe::exact
