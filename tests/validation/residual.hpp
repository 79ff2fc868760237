#pragma once
/// \file
/// How far a smooth flow is from satisfying the shallow-water equations, by central differences.

#include <cmath>
#include <functional>

#include "validation/analytic/solutions/flow.hpp"

namespace swe::exact {

/// What stands on the right of the equations besides the bed: rain [m/s] and friction force per mass and area
/// (positive against the flow) [m2/s2] as a function of the flow.
struct RightHandSide {
  std::function<double(double x, double y)> bed = [](double, double) { return 0.0; };
  std::function<Flow(Flow const&)> drag = [](Flow const&) { return Flow{}; };  ///< in u and v
  double rain = 0;
  double g = standard_gravity;
};

struct Residual {
  double mass, momentum_x, momentum_y;
  [[nodiscard]] double largest() const {
    return std::max({std::abs(mass), std::abs(momentum_x), std::abs(momentum_y)});
  }
};

/// Residuals at (x, y, t) by fourth-order differences with steps `d_space` and `d_time`.
inline Residual residual(std::function<Flow(double, double, double)> const& flow, double x, double y,
                         double t, double d_space, double d_time, RightHandSide const& right = {}) {
  auto const slope = [](auto const& f, double step) {
    return (8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step);
  };
  auto const in_t = [&](auto const& quantity) {
    return slope([&](double s) { return quantity(flow(x, y, t + s)); }, d_time);
  };
  auto const in_x = [&](auto const& quantity) {
    return slope([&](double s) { return quantity(flow(x + s, y, t)); }, d_space);
  };
  auto const in_y = [&](auto const& quantity) {
    return slope([&](double s) { return quantity(flow(x, y + s, t)); }, d_space);
  };
  auto const h = [](Flow const& f) { return f.h; };
  auto const hu = [](Flow const& f) { return f.hu(); };
  auto const hv = [](Flow const& f) { return f.hv(); };
  auto const push_x = [&](Flow const& f) { return f.hu() * f.u + 0.5 * right.g * squared(f.h); };
  auto const push_y = [&](Flow const& f) { return f.hv() * f.v + 0.5 * right.g * squared(f.h); };
  auto const cross = [](Flow const& f) { return f.h * f.u * f.v; };

  Flow const here = flow(x, y, t), drag = right.drag(here);
  double const bed_x = slope([&](double s) { return right.bed(x + s, y); }, d_space);
  double const bed_y = slope([&](double s) { return right.bed(x, y + s); }, d_space);
  return {in_t(h) + in_x(hu) + in_y(hv) - right.rain,
          in_t(hu) + in_x(push_x) + in_y(cross) + right.g * here.h * bed_x + drag.u,
          in_t(hv) + in_x(cross) + in_y(push_y) + right.g * here.h * bed_y + drag.v};
}

}  // namespace swe::exact
