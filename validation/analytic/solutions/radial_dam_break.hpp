#pragma once
/// \file
/// Circular dam break on a flat frictionless bed. There is no closed form: the radial equations
///   (r h)_t + (r h U)_r = 0,   (r h U)_t + (r (h U^2 + g h^2/2))_r = g h^2/2
/// are solved on a fine grid (second-order MUSCL, HLL, SSP-RK2), with code that shares nothing with the
/// solver.

#include <algorithm>
#include <vector>

#include "validation/analytic/solutions/flow.hpp"

namespace swe::exact {

class RadialDamBreak {
public:
  double r_0 = 50, h_inside = 10, h_outside = 1;  ///< [m]; h_outside may be 0
  double r_end = 100;                             ///< [m]; farther than any wave gets by `t_end`
  double t_end = 2;                               ///< [s]
  double g = standard_gravity;
  int cells = 4000;

  /// Computes the profile at t_end; call once before reading.
  void solve() {
    double const dr = r_end / cells;
    h_.assign(cells, h_outside);
    q_.assign(cells, 0.0);
    for (int i = 0; i < cells; ++i) {
      // the cell that the dam cuts holds the right volume
      double const inner = i * dr, outer = inner + dr;
      double const inside =
          std::clamp((squared(r_0) - squared(inner)) / (squared(outer) - squared(inner)), 0.0, 1.0);
      h_[i] = h_outside + (h_inside - h_outside) * inside;
    }
    for (double t = 0; t < t_end;) {
      double fastest = 1e-12;
      for (int i = 0; i < cells; ++i)
        fastest = std::max(fastest, std::abs(speed(h_[i], q_[i])) + celerity(h_[i], g));
      // a dry front moves at 2 c of the depth behind it
      double const dt = std::min(t_end - t, 0.2 * dr / fastest);
      auto const h_old = h_, q_old = q_;
      stage(dr, dt);
      stage(dr, dt);
      for (int i = 0; i < cells; ++i) {
        h_[i] = 0.5 * (h_old[i] + h_[i]);
        q_[i] = 0.5 * (q_old[i] + q_[i]);
      }
      t += dt;
    }
  }
  /// Depth and radial velocity (in Flow::u) at radius r [m], linear between centres.
  [[nodiscard]] Flow at(double r) const {
    double const dr = r_end / cells, place = std::clamp(r / dr - 0.5, 0.0, cells - 1.0);
    int const i = std::min(int(place), cells - 2);
    double const s = place - i;
    return {(1 - s) * h_[i] + s * h_[i + 1], (1 - s) * speed(h_[i], q_[i]) + s * speed(h_[i + 1], q_[i + 1]),
            0};
  }
  [[nodiscard]] Flow operator()(double x, double y) const {
    double const r = std::hypot(x, y);
    Flow const f = at(r);
    return r > 0 ? Flow{f.h, f.u * x / r, f.u * y / r} : Flow{f.h, 0, 0};
  }
  /// Where the depth first differs from the outside depth, seen from outside [m].
  [[nodiscard]] double front(double threshold) const {
    double const dr = r_end / cells;
    for (int i = cells - 1; i >= 0; --i) {
      if (h_[i] > h_outside + threshold) return (i + 1) * dr;
    }
    return 0;
  }

private:
  static double speed(double h, double q) { return h > 1e-10 ? q / h : 0.0; }
  static double limited(double a, double b) {
    return a * b <= 0 ? 0.0
                      : std::copysign(std::min({2 * std::abs(a), 2 * std::abs(b), 0.5 * std::abs(a + b)}), a);
  }

  /// One forward Euler step in place.
  void stage(double dr, double dt) {
    auto const cell = [&](std::vector<double> const& f, int i, double sign) {
      if (i < 0) return sign * f[-1 - i];  // mirror at the centre
      return f[std::min(i, cells - 1)];
    };
    std::vector<double> u(cells);
    for (int i = 0; i < cells; ++i) u[i] = speed(h_[i], q_[i]);
    std::vector<double> flux_h(cells + 1, 0.0), flux_q(cells + 1, 0.0);
    auto const slope = [&](std::vector<double> const& f, int i, double sign) {
      return limited(cell(f, i, sign) - cell(f, i - 1, sign), cell(f, i + 1, sign) - cell(f, i, sign));
    };
    for (int face = 0; face <= cells; ++face) {
      int const l = face - 1, r = face;
      double const h_l = cell(h_, l, 1) + 0.5 * slope(h_, l, 1), h_r = cell(h_, r, 1) - 0.5 * slope(h_, r, 1);
      double const u_l = cell(u, l, -1) + 0.5 * slope(u, l, -1), u_r = cell(u, r, -1) - 0.5 * slope(u, r, -1);
      double const c_l = celerity(h_l, g), c_r = celerity(h_r, g);
      double const u_star = 0.5 * (u_l + u_r) + c_l - c_r, c_star = 0.5 * (c_l + c_r) + 0.25 * (u_l - u_r);
      double s_l = std::min(u_l - c_l, u_star - c_star), s_r = std::max(u_r + c_r, u_star + c_star);
      if (h_l <= 0) s_l = u_r - 2 * c_r, s_r = u_r + c_r;
      if (h_r <= 0) s_l = u_l - c_l, s_r = u_l + 2 * c_l;
      if (h_l <= 0 && h_r <= 0) continue;
      double const a = std::min(s_l, 0.0), b = std::max(s_r, 0.0);
      double const f_l = h_l * u_l, f_r = h_r * u_r;
      double const m_l = f_l * u_l + 0.5 * g * squared(h_l), m_r = f_r * u_r + 0.5 * g * squared(h_r);
      flux_h[face] = (b * f_l - a * f_r + a * b * (h_r - h_l)) / (b - a);
      flux_q[face] = (b * m_l - a * m_r + a * b * (f_r - f_l)) / (b - a);
    }
    for (int i = 0; i < cells; ++i) {
      double const inner = i * dr, outer = inner + dr, middle = 0.5 * (inner + outer);
      double const pressure = 0.5 * g * squared(h_[i]);
      h_[i] = std::max(0.0, h_[i] - dt / (middle * dr) * (outer * flux_h[i + 1] - inner * flux_h[i]));
      q_[i] += dt / middle * (pressure - (outer * flux_q[i + 1] - inner * flux_q[i]) / dr);
    }
  }

  std::vector<double> h_, q_;
};

}  // namespace swe::exact
