#pragma once
/// \file
/// How much a cell's ground may take up in a step, by what it has taken so far. `F` is the infiltrated depth
/// [m].
///
///   constant    rate p
///   horton      p + (q - p) as long as the ground is dry, falling with what it took beyond the final rate p:
///               dX/dt = (q - p) - r X, capacity p + dX/dt; from dry ground X_t = (q - p)(1 - exp(-r t))/r,
///               Horton 1941
///   green_ampt  p (1 + q / F) (Green & Ampt 1911), q = suction head times moisture deficit; the depth of
///   ponded water,
///               small beside the suction head, is left out
///   scs_cn      the share of rain that does not run off: all of the first q, then (1 - (F - q)/p)² of it,
///   which is
///               Q = (P - q)²/(P - q + p) in the rain P
///
/// All are integrated over the step with second order or exactly, so that large steps do not take too much.

#include "solver/friction.hpp"
#include "solver/swe.hpp"

namespace swe {

/// A parameter per cell: a field from cell (0, 0) on, or where that is null a constant.
template <class Real>
struct CellParameter {
  Real const* field = nullptr;
  Real constant = 0;
  template <class Lane>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Lane at(std::int64_t o) const {
    return field ? Kokkidio::load<Lane>(field + o) : Lane(constant);
  }
};

/// Infiltration in the last stage of a step. Depths are kept in double and in two copies, so that a rejected
/// step leaves no trace.
template <class Real>
struct InfiltrationArgs {
  InfiltrationModel model = InfiltrationModel::none;
  CellParameter<Real> p, q, r;
  double const *depth = nullptr, *excess = nullptr;  ///< F, and horton's X [m]
  double *depth_new = nullptr, *excess_new = nullptr;
};

namespace infiltration_detail {

/// Numbers kept in double, as lanes of Real.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION Lane load_double(double const* p) {
  if constexpr (std::is_arithmetic_v<Lane>)
    return Lane(*p);
  else if constexpr (Kokkidio::is_pair<Lane>)
    return Lane(typename Lane::Scalar(p[0]), typename Lane::Scalar(p[1]));
  else
    return Lane(
        __builtin_convertvector((Kokkidio::Lane<double, Lane::width>::load(p).v), typename Lane::Vector));
}
/// to = from + x
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION void store_sum(double* to, double const* from, Lane x) {
  if constexpr (std::is_arithmetic_v<Lane>)
    *to = *from + double(x);
  else if constexpr (Kokkidio::is_pair<Lane>) {
    for (int k = 0; k < 2; ++k) to[k] = from[k] + double(x[k]);
  } else {
    using Wide = Kokkidio::Lane<double, Lane::width>;
    (Wide::load(from) + Wide(__builtin_convertvector(x.v, typename Wide::Vector))).store(to);
  }
}

/// x of x²/2 + b x = c, for c >= 0.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION Lane positive_root(Lane b, Lane c) {
  using Kokkidio::max;
  using Real = typename Kokkidio::LaneTraits<Lane>::Scalar;
  if constexpr (std::is_same_v<Real, double>) return Kokkidio::sqrt(b * b + c + c) - b;
  // In single precision that difference would lose the small steps of wet ground. There c is small beside b²:
  // with e = c/b², x = c/b (1 - e/2 + e²/2 - 5 e³/8 + ...), to round-off for e < 0.02, and no root is needed.
  Lane const tiny = Real(1e-30);
  Lane const inverse = Kokkidio::reciprocal(max(b, tiny));
  Lane const first = c * inverse, e = first * inverse;
  if (Kokkidio::all(e < Lane(Real(0.02)))) {
    Lane const half = Real(0.5);
    return first - first * e * (half - e * (half - Lane(Real(0.625)) * e));
  }
  return (c + c) / max(b + Kokkidio::sqrt(b * b + c + c), tiny);
}

}  // namespace infiltration_detail

/// Water to take from a lane of cells that hold depth h (what rains in this step, `rain`, being part of it):
/// exactly h where all of it goes, nothing from negative depths, which mean a failed step.
template <class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION Lane infiltrate(InfiltrationArgs<Real> const& a, std::int64_t o, Lane h,
                                            Lane rain, Real dt) {
  using namespace infiltration_detail;
  using Kokkidio::max;
  using Kokkidio::min;
  using Kokkidio::select;
  Lane const zero = Real(0), half = Real(0.5), step = dt;
  Lane const p = a.p.template at<Lane>(o);
  Lane capacity = p * step;
  Lane excess = zero;
  switch (a.model) {
    case InfiltrationModel::green_ampt: {
      // x (F + x/2) = p dt (F + x/2 + q): the rate at the middle of the step; from F = 0 it gives sqrt(2 p q
      // dt), the sorptivity that the law has there.
      Lane const F = load_double<Lane>(a.depth + o);
      capacity = positive_root(F - half * capacity, capacity * (F + a.q.template at<Lane>(o)));
      break;
    }
    case InfiltrationModel::horton: {
      Lane const r = a.r.template at<Lane>(o);
      excess = max(zero, a.q.template at<Lane>(o) - p - r * load_double<Lane>(a.excess + o)) * step /
               (Lane(Real(1)) + half * r * step);
      capacity += excess;
      break;
    }
    case InfiltrationModel::scs_cn: {
      Lane const F = load_double<Lane>(a.depth + o), q = a.q.template at<Lane>(o);
      Lane const initial = min(max(q - F, zero), rain);
      Lane const kept = max(p, Lane(Real(1e-30)));
      Lane const room = max(Lane(Real(1e-12)), Lane(Real(1)) - max(F + initial - q, zero) / kept);
      Lane const later = rain - initial;
      // d(1/room) = dP / p
      capacity =
          select(p > zero, initial + later * room * room / (Lane(Real(1)) + room * later / kept), initial);
      break;
    }
    default:
      break;
  }
  Lane const taken = min(max(h, zero), capacity);
  store_sum(a.depth_new + o, a.depth + o, taken);
  if (a.model == InfiltrationModel::horton)
    store_sum(a.excess_new + o, a.excess + o, min(excess, max(zero, taken - p * step)));
  return taken;
}

}  // namespace swe
