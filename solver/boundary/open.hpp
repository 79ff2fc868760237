#pragma once
#include "solver/boundary/inside.hpp"

namespace swe {

/// Zero gradient, outwards only.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_open(CellInside<Real> const& in, Real g) {
  if (in.un <= 0) return {0, 0, 0};
  return outflow_of_state(in, in.h, in.un, g);
}

struct OpenBoundaryKind : BoundaryKind {
  static constexpr auto type = Boundary::Type::open;
  static constexpr std::string_view name = "open";
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const& in, BoundaryForcing<Real> const&,
                                                   BoundarySite<Real> const& at) {
    return outflow_open(in, at.gravity);
  }
};

}  // namespace swe
