#pragma once
#include "solver/boundary/inside.hpp"
#include "solver/reconstruction.hpp"

namespace swe {

/// Friction that is so many times stronger than the fall of the bed counts as that of level ground.
inline constexpr double level_ground = 100;

/// Zero gradient, outwards only: supercritical flow goes on as it comes. On level ground, where nothing balances
/// friction, what enters would pile up without end; so there the depth of subcritical flow falls on beyond the side
/// as in gradually varied flow, dh/dx = -Sf/(1 - Fr²), over one cell and to critical depth at most, at the
/// invariant that leaves. Waves, flow on a slope, and still water see no gradient.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_open(CellInside<Real> const& in, BoundarySite<Real> const& at) {
  using Kokkidio::max;
  using Kokkidio::sqrt;
  if (in.un <= 0) return {0, 0, 0};
  Real const g = at.gravity, c_in = sqrt(g * in.h);
  if (in.un < c_in) {
    Real const drag = at.friction_parameter * depth_powers(at.friction, in.h).friction;
    Real const speed =
        at.friction == FrictionLaw::Type::linear ? Real(1) : sqrt(in.un * in.un + in.ut * in.ut);
    Real const force = drag * speed * in.un;  // g Sf
    if (force > Real(level_ground) * g * max(at.fall, Real(0))) {
      Real const c_squared = c_in * c_in - force * at.length / (1 - in.un * in.un / (g * in.h));
      Real const c = max(sqrt(max(c_squared, Real(0))), (in.un + 2 * c_in) / 3);
      return outflow_of_state(in, c * c / g, in.un + 2 * (c_in - c), g);
    }
  }
  // The wave that enters subcritical flow is that of the middle of the cell: followed out to the side, against the way
  // it runs, it would feed itself. The faster the flow, the weaker this wave; supercritical flow has none.
  Real const wave = minmod(in.h - in.h_centre, in.level_change);
  Real const less = ((in.un - in.un_centre) - 2 * (c_in - sqrt(g * (in.h - wave)))) * max(1 - in.un / c_in, Real(0));
  return outflow_of_state(in, in.h + less * (8 * c_in + less) / (16 * g), in.un - less / 2, g);
}

struct OpenBoundaryKind : BoundaryKind {
  static constexpr auto type = Boundary::Type::open;
  static constexpr std::string_view name = "open";
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const& in, BoundaryForcing<Real> const&,
                                                   BoundarySite<Real> const& at) {
    return outflow_open(in, at);
  }
};

}  // namespace swe
