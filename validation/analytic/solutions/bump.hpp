#pragma once
/// \file
/// Steady frictionless flow over a parabolic bump in a channel of 25 m (Goutal & Maurel, 2nd workshop on
/// dam-break wave simulation, EDF 1997): Bernoulli's equation, and a jump that keeps the momentum.

#include <limits>

#include "validation/analytic/solutions/flow.hpp"
#include "validation/analytic/solutions/root.hpp"

namespace swe::exact {

/// Bed [m] of the bump, 0 <= x <= 25 m.
inline double bump_bed(double x) { return x > 8 && x < 12 ? 0.2 - 0.05 * squared(x - 10) : 0.0; }

/// Positive roots of h^3 + (z - E) h^2 + q^2/(2 g) = 0, the depths that have the energy E [m] above the datum
/// at bed z [m] and unit discharge q [m2/s]. Below the critical energy there is none: the critical depth is
/// returned, which is what the crest needs when rounding takes E just below.
struct EnergyDepths {
  double subcritical, supercritical;  ///< [m]
};
inline EnergyDepths depths_of_energy(double energy, double bed, double q, double g = standard_gravity) {
  double const critical = critical_depth(q, g), head = squared(q) / (2 * g), available = energy - bed;
  auto const excess = [&](double h) { return squared(h) * (h - available) + head; };
  if (excess(critical) >= 0) return {critical, critical};
  return {root_between(critical, available, excess), root_between(1e-9 * critical, critical, excess)};
}

/// The three classical cases; each is steady.
class BumpFlow {
public:
  enum class Regime { subcritical, transcritical, shock };

  explicit BumpFlow(Regime regime, double g = standard_gravity) : regime_(regime), g_(g) {
    double const crest = 0.2;
    switch (regime) {
      case Regime::subcritical:
        q_ = 4.42, h_downstream_ = 2;
        energy_left_ = energy_right_ = h_downstream_ + squared(q_ / h_downstream_) / (2 * g);
        break;
      case Regime::transcritical:
        q_ = 1.53, h_downstream_ = 0.66;
        energy_left_ = energy_right_ = crest + 1.5 * critical_depth(q_, g);
        break;
      case Regime::shock:
        q_ = 0.18, h_downstream_ = 0.33;
        energy_left_ = crest + 1.5 * critical_depth(q_, g);
        energy_right_ = h_downstream_ + squared(q_ / h_downstream_) / (2 * g);
        jump_ = root_between(10.001, 11.999, [&](double x) {
          return momentum(depths_of_energy(energy_left_, bump_bed(x), q_, g_).supercritical) -
                 momentum(depths_of_energy(energy_right_, bump_bed(x), q_, g_).subcritical);
        });
        break;
    }
  }

  [[nodiscard]] double q() const { return q_; }                        ///< unit discharge [m2/s]
  [[nodiscard]] double h_downstream() const { return h_downstream_; }  ///< given at x = 25 m [m]
  [[nodiscard]] double jump() const { return jump_; }  ///< position [m]; infinite when there is none
  [[nodiscard]] double energy(double x) const { return x < jump_ ? energy_left_ : energy_right_; }

  [[nodiscard]] Flow operator()(double x) const {
    auto const roots = depths_of_energy(energy(x), bump_bed(x), q_, g_);
    bool const fast = regime_ != Regime::subcritical && x > 10 && x < jump_;
    double const h = fast ? roots.supercritical : roots.subcritical;
    return {h, q_ / h, 0};
  }

private:
  [[nodiscard]] double momentum(double h) const { return squared(q_) / h + 0.5 * g_ * squared(h); }

  Regime regime_;
  double g_, q_ = 0, h_downstream_ = 0, energy_left_ = 0, energy_right_ = 0;
  double jump_ = std::numeric_limits<double>::infinity();
};

}  // namespace swe::exact
