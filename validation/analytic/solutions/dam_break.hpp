#pragma once
/// \file
/// Dam breaks on a flat bed of infinite length, one-dimensional.

#include <algorithm>

#include "validation/analytic/solutions/flow.hpp"
#include "validation/analytic/solutions/root.hpp"

namespace swe::exact {

/// Frictionless break onto a dry bed (A. Ritter, Z. Ver. Dtsch. Ing. 36, 1892). Any t > 0.
struct Ritter {
  double x_dam = 5;       ///< [m]
  double h_left = 0.005;  ///< [m]
  double g = standard_gravity;

  [[nodiscard]] Flow operator()(double x, double t) const {
    double const c = celerity(h_left, g);
    if (t <= 0) return {x < x_dam ? h_left : 0.0, 0, 0};
    double const xi = (x - x_dam) / t;
    if (xi <= -c) return {h_left, 0, 0};
    if (xi >= 2 * c) return {};
    return {squared(2 * c - xi) / (9 * g), 2 * (xi + c) / 3, 0};
  }
  /// Where the water ends [m].
  [[nodiscard]] double front(double t) const { return x_dam + 2 * celerity(h_left, g) * t; }
};

/// Frictionless break onto still water (J. J. Stoker, Water Waves, 1957, section 10.8):
/// a rarefaction, a middle state and a bore. Needs 0 < h_right < h_left; any t > 0.
class Stoker {
public:
  explicit Stoker(double x_dam = 5, double h_left = 0.005, double h_right = 0.001,
                  double g = standard_gravity)
      : x_dam_(x_dam), h_left_(h_left), h_right_(h_right), g_(g) {
    auto const mismatch = [&](double h) {
      return 2 * (celerity(h_left_, g_) - celerity(h, g_)) -
             (h - h_right_) * std::sqrt(g_ * (h + h_right_) / (2 * h * h_right_));
    };
    h_middle_ = root_between(h_right_, h_left_, mismatch);
    u_middle_ = 2 * (celerity(h_left_, g_) - celerity(h_middle_, g_));
  }

  [[nodiscard]] double h_middle() const { return h_middle_; }
  [[nodiscard]] double u_middle() const { return u_middle_; }
  [[nodiscard]] double shock_speed() const { return h_middle_ * u_middle_ / (h_middle_ - h_right_); }
  /// Where the bore is [m].
  [[nodiscard]] double front(double t) const { return x_dam_ + shock_speed() * t; }

  [[nodiscard]] Flow operator()(double x, double t) const {
    if (t <= 0) return {x < x_dam_ ? h_left_ : h_right_, 0, 0};
    double const c = celerity(h_left_, g_), xi = (x - x_dam_) / t;
    if (xi <= -c) return {h_left_, 0, 0};
    if (xi < u_middle_ - celerity(h_middle_, g_))
      return {squared(2 * c - xi) / (9 * g_), 2 * (xi + c) / 3, 0};
    if (xi < shock_speed()) return {h_middle_, u_middle_, 0};
    return {h_right_, 0, 0};
  }

private:
  double x_dam_, h_left_, h_right_, g_, h_middle_ = 0, u_middle_ = 0;
};

/// Break onto a dry bed with Chézy friction, first order in g^2 t / C^2 (R. F. Dressler, J. Res. Natl. Bur.
/// Stand. 49, 1952), so it is itself approximate. Use it only between `first_valid(t)` and
/// `last_valid(t)`: beyond lies the tip, which the expansion does not describe.
struct Dressler {
  double x_dam = 1000;  ///< [m]
  double h_left = 6;    ///< [m]
  double chezy = 40;    ///< [m^1/2/s]
  double g = standard_gravity;

  [[nodiscard]] Flow operator()(double x, double t) const {
    double const c = celerity(h_left, g), xi = (x - x_dam) / t, s = 2 - xi / c;
    double const friction = squared(g / chezy) * t, root_3 = std::sqrt(3.0);
    double const a_1 = 6 / (5 * s) - 2.0 / 3 + 4 * root_3 / 135 * std::pow(s, 1.5);
    double const a_2 = 12 / s - 8.0 / 3 + 8 * root_3 / 189 * std::pow(s, 1.5) - 108 / (7 * squared(s));
    return {squared(2 * c / 3 - xi / 3 + friction * a_1) / g, 2 * c / 3 + 2 * xi / 3 + friction * a_2, 0};
  }
  /// Where the still reservoir begins [m].
  [[nodiscard]] double first_valid(double t) const { return x_dam - celerity(h_left, g) * t; }
  /// Where the velocity of the expansion is largest [m]; found by golden section.
  [[nodiscard]] double last_valid(double t) const {
    double a = first_valid(t), b = x_dam + 1.99 * celerity(h_left, g) * t;
    double const ratio = (std::sqrt(5.0) - 1) / 2;
    while (b - a > 1e-9 * h_left) {
      double const left = b - ratio * (b - a), right = a + ratio * (b - a);
      if ((*this)(left, t).u < (*this)(right, t).u) {
        a = left;
      } else {
        b = right;
      }
    }
    return 0.5 * (a + b);
  }
};

}  // namespace swe::exact
