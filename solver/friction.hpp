#pragma once
/// \file
/// Bottom friction, implicit for any step: du/dt = -k |u| u, or -k u for the linear law.
///
///   manning         k = g n² / h^(4/3)      n [s m^-1/3]
///   chezy           k = g / (C² h)          C [m^1/2/s]
///   darcy_weisbach  k = f / (8 h)           f [-]
///   linear          k [1/s]

#include "solver/scenario.hpp"
#include "solver/swe.hpp"

namespace swe {

/// k of the law, in the unit it has there, from the law's parameter p with everything but the depth in it:
/// g n², g / C², f / 8, or the rate.
inline double friction_parameter(FrictionLaw::Type law, double coefficient, double g) {
  switch (law) {
    case FrictionLaw::Type::manning: return g * coefficient * coefficient;
    case FrictionLaw::Type::chezy: return g / (coefficient * coefficient);
    case FrictionLaw::Type::darcy_weisbach: return coefficient / 8;
    case FrictionLaw::Type::linear: return coefficient;
    case FrictionLaw::Type::none: break;
  }
  return 0;
}

template <class Lane>
struct DepthPowers {
  Lane inverse;   ///< 1/h
  Lane friction;  ///< the law's power of h: h^(-4/3), 1/h or 1
};

/// 1/h and the law's power of h, with one division or, for Manning, none: (h^(-1/3))³ = 1/h. In single precision on a CUDA
/// device, where logarithms are cheap, h^(-4/3) comes from one, to 1e-6 of itself.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION DepthPowers<Lane> depth_powers(FrictionLaw::Type law, Lane h) {
  using Real = typename Kokkidio::LaneTraits<Lane>::Scalar;
  if (law == FrictionLaw::Type::manning) {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same_v<Real, float>) return {Kokkidio::reciprocal(h), Kokkidio::power_nearly(h, Real(-4.0 / 3))};
#endif
    Lane const r = Kokkidio::rcbrt(h);
    Lane const inverse = r * r * r;
    return {inverse, inverse * r};
  }
  Lane const inverse = Kokkidio::reciprocal(h);
  if (law == FrictionLaw::Type::linear || law == FrictionLaw::Type::none) return {inverse, Lane(Real(1))};
  return {inverse, inverse};
}

/// What is left of a velocity of magnitude `speed` after dt: the solution w of w + dt k w² = speed (backward Euler),
/// over speed, where k = `coefficient` * `power`, the law's power of the depth. Positive, so the flow never turns round;
/// w² -> speed / (dt k) for long steps, which with a driving force a dt in `speed` is the steady state k w² = a.
template <class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION Lane friction_factor(FrictionLaw::Type law, Lane coefficient, Lane power, Lane speed, Real dt) {
  Lane const half = Real(0.5);
  if (law == FrictionLaw::Type::linear) return Kokkidio::reciprocal(Kokkidio::fma(Lane(dt), coefficient * power, Lane(Real(1))));
  Lane const root = Kokkidio::sqrt(Kokkidio::fma(Lane(4 * dt) * coefficient, power * speed, Lane(Real(1))));
  return Kokkidio::reciprocal(Kokkidio::fma(half, root, half));  // 2 / (1 + root)
}

}  // namespace swe
