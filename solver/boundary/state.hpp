#pragma once
#include <algorithm>
#include <cmath>

#include "solver/boundary/level.hpp"
#include "solver/riemann/hllc.hpp"

namespace swe {

/// Outside stand a level [m] over the cell's bed and a velocity [m/s]; what passes is the flux between that
/// state and the cell's, by HLLC. Supercritical inflow arrives as it is prescribed, supercritical outflow
/// leaves as it comes.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_to_state(CellInside<Real> const& in, Real level, Real un,
                                                      Real ut, Real g, Real dry_tolerance) {
  Real const h = Kokkidio::max(in.depth_at(level), Real(0));
  auto const flux =
      RiemannHllc{}(FaceState<Real>{in.h, in.un, in.ut}, FaceState<Real>{h, un, ut}, g, dry_tolerance);
  return {flux.mass, flux.momentum_L, flux.transverse};
}

/// A level and a velocity prescribed outside.
struct StateBoundaryKind : LevelBoundaryKind {
  static constexpr auto type = Boundary::Type::state;
  static constexpr std::string_view name = "state";
  template <class Real>
  static void prescribe(Boundary const& b, BoundaryMoment const& at, BoundaryForcing<Real>& f) {
    LevelBoundaryKind::prescribe(b, at, f);
    f.velocity_x = Real(mean_over(b.velocity_x, at.time, at.span));
    f.velocity_y = Real(mean_over(b.velocity_y, at.time, at.span));
  }
  static double fastest_flow(Boundary const& b, double from, double to) {
    return std::hypot(largest_magnitude_over(b.velocity_x, from, to),
                      largest_magnitude_over(b.velocity_y, from, to));
  }
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const& in, BoundaryForcing<Real> const& f,
                                                   BoundarySite<Real> const& at) {
    Real const un = at.normal_x * f.velocity_x + at.normal_y * f.velocity_y;
    Real const ut = at.normal_x != 0 ? f.velocity_y : f.velocity_x;
    return outflow_to_state(in, f.value, un, ut, at.gravity, at.dry_tolerance);
  }
};

}  // namespace swe
