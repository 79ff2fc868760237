#pragma once
/// \file
/// Supercritical flow turned into itself by a wall: a straight standing jump leaves the leading edge
/// (A. T. Ippen, Trans. ASCE 116, 1951). Steady, frictionless, flat bed.

#include "validation/analytic/solutions/flow.hpp"
#include "validation/analytic/solutions/root.hpp"

namespace swe::exact {

/// The weak branch. In the frame used here the wall is the x axis, starting at x = 0, and the flow comes in
/// at the angle -theta to it, so that no wall cuts the cells; the jump makes the angle beta - theta with the
/// wall.
class ObliqueJump {
public:
  explicit ObliqueJump(double h_1 = 1, double froude_1 = 2.74, double theta = 8.95 * pi / 180,
                       double g = standard_gravity)
      : h_1_(h_1), speed_1_(froude_1 * celerity(h_1, g)), theta_(theta), g_(g) {
    auto const deflection = [&](double beta) {
      double const m = std::sqrt(1 + 8 * squared(froude_1 * std::sin(beta)));
      return std::atan(std::tan(beta) * (m - 3) / (2 * squared(std::tan(beta)) + m - 1)) - theta;
    };
    // The weak branch runs from the Mach angle (no deflection) up to the largest deflection.
    double const mach_angle = std::asin(1 / froude_1);
    double top = mach_angle;
    for (double beta = mach_angle; beta < pi / 2; beta += 1e-4) {
      if (deflection(beta) > deflection(top)) top = beta;
    }
    largest_deflection_ = deflection(top) + theta;
    beta_ = root_between(mach_angle, top, deflection);
    double const m = std::sqrt(1 + 8 * squared(froude_1 * std::sin(beta_)));
    h_2_ = h_1 * (m - 1) / 2;
    speed_2_ = speed_1_ * std::cos(beta_) / std::cos(beta_ - theta);
  }

  [[nodiscard]] double beta() const { return beta_; }                 ///< to the incoming flow [rad]
  [[nodiscard]] double wall_angle() const { return beta_ - theta_; }  ///< of the jump to the wall [rad]
  [[nodiscard]] double largest_deflection() const { return largest_deflection_; }  ///< [rad]
  [[nodiscard]] double h_2() const { return h_2_; }
  [[nodiscard]] double speed_1() const { return speed_1_; }
  [[nodiscard]] double speed_2() const { return speed_2_; }
  [[nodiscard]] double froude_2() const { return speed_2_ / celerity(h_2_, g_); }
  [[nodiscard]] Flow incoming() const {
    return {h_1_, speed_1_ * std::cos(theta_), -speed_1_ * std::sin(theta_)};
  }
  /// x, y >= 0 from the leading edge [m].
  [[nodiscard]] Flow operator()(double x, double y) const {
    if (std::atan2(y, x) > wall_angle()) return incoming();
    return {h_2_, speed_2_, 0};
  }

private:
  double h_1_, speed_1_, theta_, g_, beta_ = 0, h_2_ = 0, speed_2_ = 0, largest_deflection_ = 0;
};

}  // namespace swe::exact
