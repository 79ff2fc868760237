#pragma once
#include "solver/boundary/inside.hpp"

namespace swe {

/// Reflecting. Faces that no boundary claims are walls; the loop over cells mirrors the state there itself.
struct WallBoundaryKind : BoundaryKind {
  static constexpr auto type = Boundary::Type::wall;
  static constexpr std::string_view name = "wall";
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const&, BoundaryForcing<Real> const&,
                                                   BoundarySite<Real> const&) {
    return {0, 0, 0};
  }
};

}  // namespace swe
