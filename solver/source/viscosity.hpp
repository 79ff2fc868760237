#pragma once
/// \file
/// Eddy viscosity: div(nu h grad u) [m²/s²]. The depth at a face is the smaller of both, so nothing passes to
/// dry ground and thin cells are not shaken by deep neighbours; walls are free of stress.

#include "solver/step.hpp"

namespace swe {

/// Largest stable step of the explicit form, with a margin [s].
inline double viscosity_step_limit(double nu, double dx, double dy) {
  return nu > 0 ? 0.4 / (nu * (1 / (dx * dx) + 1 / (dy * dy))) : std::numeric_limits<double>::infinity();
}

template <class Real>
struct ViscousForce {
  Real x = 0, y = 0;
};

template <class Real>
KOKKOS_INLINE_FUNCTION ViscousForce<Real> viscous_force(StepArgs<Real> const& a, Offset o, Real nu) {
  auto const cell = primitives<Real>(a, o);
  ViscousForce<Real> force;
  Real const weight_x = nu * a.inv_dx * a.inv_dx, weight_y = nu * a.inv_dy * a.inv_dy;
  Offset const steps[4] = {-1, 1, -a.pitch, a.pitch};
  for (int k = 0; k < 4; ++k) {
    auto const other = primitives<Real>(a, o + steps[k]);  // no depth beyond walls and boundaries
    Real const h =
        Kokkidio::min(cell.h, other.h) > a.dry_tolerance ? Kokkidio::min(cell.h, other.h) : Real(0);
    Real const weight = (k < 2 ? weight_x : weight_y) * h;
    force.x += weight * (other.u - cell.u);
    force.y += weight * (other.v - cell.v);
  }
  return force;
}

}  // namespace swe
