#pragma once
/// \file
/// Steady channel flow with friction, slope and rain (I. MacDonald et al., J. Hydraul. Eng. 123, 1997;
/// numbers of the compilation SWASHES, Delestre et al. 2013). Depth and discharge are chosen, the bed follows
/// from
///   dz/dx = (q^2/(g h^3) - 1) dh/dx - 2 q R/(g h^2) - S_f,   z(L) = 0.

#include <functional>
#include <string>
#include <vector>

#include "validation/analytic/solutions/flow.hpp"

namespace swe::exact {

/// What resists the flow: Manning's n [s m^-1/3] or the Darcy-Weisbach factor f [-].
enum class ChannelFriction { manning, darcy_weisbach };

/// One channel: its depth h(x) with derivative, on up to two pieces (a jump may separate them).
struct ChannelShape {
  std::string name;
  double length = 0;                    ///< [m]
  double q = 0;                         ///< unit discharge at x = 0 [m2/s]
  double rain = 0;                      ///< [m/s]; q grows by rain * x
  double manning = 0;                   ///< n [s m^-1/3]
  double darcy_weisbach = 0;            ///< f [-]; 0 where the source gives none
  double split = 0;                     ///< end of the first piece [m]; = length when there is one piece
  std::function<double(double)> h[2];   ///< depth [m] on either piece
  std::function<double(double)> dh[2];  ///< its derivative [-]
};

/// The ten channels, by name: long_subcritical, long_supercritical, long_sub_to_super, long_super_to_sub,
/// short_jump, short_supercritical, short_sub_to_super, long_periodic, rain_subcritical, rain_supercritical.
inline std::vector<ChannelShape> channel_shapes() {
  double const k = std::cbrt(4 / standard_gravity);
  auto const bell = [k](std::string name, double length, double q, double rain, double n, double f,
                        double height, double sharpness) {
    // h = k (1 + height exp(-sharpness w^2)), w = x/L - 1/2
    auto const h = [=](double x) {
      return k * (1 + height * std::exp(-sharpness * squared(x / length - 0.5)));
    };
    auto const dh = [=](double x) {
      double const w = x / length - 0.5;
      return -2 * sharpness * w / length * k * height * std::exp(-sharpness * squared(w));
    };
    return ChannelShape{std::move(name), length, q, rain, n, f, length, {h, h}, {dh, dh}};
  };
  // h = k (1 - tanh(steepness w) / steepness): the slope at the middle is the same for every steepness.
  auto const step_h = [k](double steepness) {
    return [=](double x) { return k * (1 - std::tanh(steepness * (x / 1000 - 0.5)) / steepness); };
  };
  auto const step_dh = [k](double steepness) {
    return [=](double x) { return -k / 1000 / squared(std::cosh(steepness * (x / 1000 - 0.5))); };
  };

  std::vector<ChannelShape> shapes;
  shapes.push_back(bell("long_subcritical", 1000, 2, 0, 0.033, 0.093, 0.5, 16));
  shapes.push_back(bell("long_supercritical", 1000, 2.5, 0, 0.04, 0.065, -0.2, 36));
  shapes.push_back({"long_sub_to_super",
                    1000,
                    2,
                    0,
                    0.0218,
                    0.042,
                    500,
                    {step_h(3), step_h(6)},
                    {step_dh(3), step_dh(6)}});
  shapes.push_back({"long_super_to_sub",
                    1000,
                    2,
                    0,
                    0.0218,
                    0.0425,
                    500,
                    {[k](double x) { return k * (0.9 - std::exp(-x / 250) / 6); },
                     [k](double x) {
                       double const w = x / 1000 - 0.5;
                       return k * (1 - 0.348427 * std::exp(-20 * w) + 0.552264 * std::exp(-40 * w) -
                                   0.55558 * std::exp(-60 * w) + 0.8 * std::exp(x / 1000 - 1));
                     }},
                    {[k](double x) { return k * std::exp(-x / 250) / 1500; },
                     [k](double x) {
                       double const w = x / 1000 - 0.5;
                       return k / 1000 *
                              (20 * 0.348427 * std::exp(-20 * w) - 40 * 0.552264 * std::exp(-40 * w) +
                               60 * 0.55558 * std::exp(-60 * w) + 0.8 * std::exp(x / 1000 - 1));
                     }}});
  shapes.push_back({"short_jump",
                    100,
                    2,
                    0,
                    0.0328,
                    0,
                    200.0 / 3,
                    {[k](double x) { return k * (4.0 / 3 - x / 100) - 9 * x / 1000 * (x / 100 - 2.0 / 3); },
                     [k](double x) {
                       double const s = x / 100 - 2.0 / 3;
                       return k * (0.674202 * (squared(squared(s)) + cubed(s)) - 21.7112 * squared(s) +
                                   14.492 * s + 1.4305);
                     }},
                    {[k](double x) { return -k / 100 - 9.0 / 1000 * (x / 100 - 2.0 / 3) - 9 * x / 1e5; },
                     [k](double x) {
                       double const s = x / 100 - 2.0 / 3;
                       return k / 100 *
                              (0.674202 * (4 * cubed(s) + 3 * squared(s)) - 2 * 21.7112 * s + 14.492);
                     }}});
  shapes.push_back(bell("short_supercritical", 100, 2, 0, 0.03, 0, -0.25, 4));
  {
    auto const h = [k](double x) { return k * (1 - (x - 50) / 200 + squared(x - 50) / 30000); };
    auto const dh = [k](double x) { return k * (-1.0 / 200 + (x - 50) / 15000); };
    shapes.push_back({"short_sub_to_super", 100, 2, 0, 0.0328, 0, 100, {h, h}, {dh, dh}});
  }
  {
    auto const h = [](double x) { return 9.0 / 8 + std::sin(pi * x / 500) / 4; };
    auto const dh = [](double x) { return pi / 2000 * std::cos(pi * x / 500); };
    shapes.push_back({"long_periodic", 5000, 2, 0, 0.03, 0, 5000, {h, h}, {dh, dh}});
  }
  shapes.push_back(bell("rain_subcritical", 1000, 1, 0.001, 0.033, 0.093, 0.5, 16));
  shapes.push_back(bell("rain_supercritical", 1000, 2.5, 0.001, 0.04, 0.065, -0.2, 36));
  return shapes;
}

/// A channel with its bed. The bed is integrated once by Simpson's rule on 2 * 10^5 intervals, piece by
/// piece, and read between them by a cubic through values and slopes: exact to round-off for our purpose.
class MacDonald {
public:
  MacDonald(ChannelShape shape, ChannelFriction friction, double g = standard_gravity)
      : shape_(std::move(shape)), friction_(friction), g_(g) {
    pieces_.push_back({shape_.split, shape_.length, 1, {}});
    pieces_.push_back({0, shape_.split, 0, {}});
    double z = 0;
    for (auto& piece : pieces_) {
      piece.z.assign(intervals + 1, z);
      double const step = (piece.to - piece.from) / intervals;
      for (int k = intervals; k > 0; --k) {
        double const b = piece.from + k * step, a = b - step;
        z -= step / 6 *
             (bed_slope(piece.part, a) + 4 * bed_slope(piece.part, 0.5 * (a + b)) + bed_slope(piece.part, b));
        piece.z[k - 1] = z;
      }
    }
  }

  [[nodiscard]] ChannelShape const& shape() const { return shape_; }
  [[nodiscard]] double q(double x) const { return shape_.q + shape_.rain * x; }  ///< [m2/s]
  [[nodiscard]] double depth(double x) const { return shape_.h[part(x)](x); }    ///< [m]
  [[nodiscard]] Flow operator()(double x) const { return {depth(x), q(x) / depth(x), 0}; }
  [[nodiscard]] double froude(double x) const { return q(x) / (depth(x) * celerity(depth(x), g_)); }

  /// Bed [m] at 0 <= x <= length; beyond the ends it goes on with the slope of the end.
  [[nodiscard]] double bed(double x) const {
    if (x < 0) return bed(0) + x * bed_slope(0, 0);
    if (x > shape_.length) return (x - shape_.length) * bed_slope(1, shape_.length);
    auto const& piece = part(x) == 1 && pieces_[0].to > pieces_[0].from ? pieces_[0] : pieces_[1];
    double const step = (piece.to - piece.from) / intervals;
    int const k = std::min(int((x - piece.from) / step), intervals - 1);
    double const a = piece.from + k * step, s = (x - a) / step;
    double const slope_a = step * bed_slope(piece.part, a), slope_b = step * bed_slope(piece.part, a + step);
    return piece.z[k] * squared(1 - s) * (1 + 2 * s) + slope_a * s * squared(1 - s) +
           piece.z[k + 1] * squared(s) * (3 - 2 * s) - slope_b * squared(s) * (1 - s);
  }

private:
  static constexpr int intervals = 100'000;
  struct Piece {
    double from, to;
    int part;
    std::vector<double> z;
  };

  [[nodiscard]] int part(double x) const { return x <= shape_.split ? 0 : 1; }
  [[nodiscard]] double bed_slope(int part, double x) const {
    double const h = shape_.h[part](x), dh = shape_.dh[part](x), q_x = q(x);
    double const friction_slope = friction_ == ChannelFriction::manning
                                      ? squared(shape_.manning * q_x) / std::pow(h, 10.0 / 3)
                                      : shape_.darcy_weisbach * squared(q_x) / (8 * g_ * cubed(h));
    return (squared(q_x) / (g_ * cubed(h)) - 1) * dh - 2 * q_x * shape_.rain / (g_ * squared(h)) -
           friction_slope;
  }

  ChannelShape shape_;
  ChannelFriction friction_;
  double g_;
  std::vector<Piece> pieces_;
};

/// Depth [m] of uniform flow: unit discharge q [m2/s], Manning n, slope of the bed along the flow.
inline double normal_depth(double q, double manning, double slope) {
  return std::pow(q * manning / std::sqrt(slope), 0.6);
}

}  // namespace swe::exact
