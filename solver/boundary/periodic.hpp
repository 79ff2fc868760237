#pragma once
#include "solver/boundary/inside.hpp"

namespace swe {

/// Joined to the opposite side by ghost cells; no flux is computed here.
struct PeriodicBoundaryKind : BoundaryKind {
  static constexpr auto type = Boundary::Type::periodic;
  static constexpr std::string_view name = "periodic";
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const&, BoundaryForcing<Real> const&,
                                                   BoundarySite<Real> const&) {
    return {0, 0, 0};
  }
};

}  // namespace swe
