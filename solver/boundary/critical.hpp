#pragma once
#include "solver/boundary/inside.hpp"

namespace swe {

/// Deepest possible outflow: critical flow at the invariant that leaves.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_critical(CellInside<Real> const& in, Real g) {
  Real const invariant = in.un + 2 * Kokkidio::sqrt(g * in.h);
  if (invariant <= 0) return {0, 0, 0};
  Real const c = invariant / 3;
  if (in.un >= Kokkidio::sqrt(g * in.h)) return outflow_of_state(in, in.h, in.un, g);
  return outflow_of_state(in, c * c / g, c, g);
}

/// A free fall beyond the boundary.
struct CriticalBoundaryKind : BoundaryKind {
  static constexpr auto type = Boundary::Type::critical;
  static constexpr std::string_view name = "critical";
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const& in, BoundaryForcing<Real> const&,
                                                   BoundarySite<Real> const& at) {
    return outflow_critical(in, at.gravity);
  }
};

}  // namespace swe
