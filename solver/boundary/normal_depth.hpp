#pragma once
#include "solver/boundary/inside.hpp"

namespace swe {

/// Normal flow of depth h on a bed of slope `slope`, for friction parameter k (see friction.hpp): k u² = g
/// slope. Without friction there is none; water leaves as it comes then.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_normal_depth(CellInside<Real> const& in, FrictionLaw::Type law,
                                                          Real k, Real slope, Real g, Real dry_tolerance) {
  if (in.h <= dry_tolerance) return {0, 0, 0};
  Real const drag = k * depth_powers(law, in.h).friction;
  if (!(drag > 0)) return in.un > 0 ? outflow_of_state(in, in.h, in.un, g) : Outflow<Real>{0, 0, 0};
  Real const un = law == FrictionLaw::Type::linear ? g * slope / drag : Kokkidio::sqrt(g * slope / drag);
  return outflow_of_state(in, in.h, un, g);
}

struct NormalDepthBoundaryKind : BoundaryKind {
  static constexpr auto type = Boundary::Type::normal_depth;
  static constexpr std::string_view name = "normal_depth";
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const& in, BoundaryForcing<Real> const& f,
                                                   BoundarySite<Real> const& at) {
    return outflow_normal_depth(in, at.friction, at.friction_parameter, f.slope, at.gravity,
                                at.dry_tolerance);
  }
};

}  // namespace swe
