#pragma once
/// \file
/// Adding water to one cell and taking it, where volumes are counted.

#include "solver/step.hpp"

namespace swe {

/// Depth of a cell of the new state with what rounding kept from it [m].
template <class Real>
KOKKOS_INLINE_FUNCTION double full_depth(StepArgs<Real> const& a, std::int64_t o) {
  return double(a.h_new[o]) + (a.residue ? double(a.residue_new[o]) : 0.0);
}

/// Changes the depth of a cell of the new state by `change` [m], down to zero at most. Water that comes
/// brings no momentum; what is taken keeps its velocity. Gives what was moved [m], as the stored numbers have
/// it.
template <class Real>
KOKKOS_INLINE_FUNCTION double change_depth(StepArgs<Real> const& a, std::int64_t o, double change) {
  double const before = full_depth(a, o);
  double const wanted = before + change;
  double const after = wanted > 0 ? wanted : (before < 0 ? before : 0.0);
  Real const h = a.h_new[o], h_after = Real(after);
  if (change < 0) {
    Real const left = h_after > a.dry_tolerance ? h_after / h : Real(0);
    a.hu_new[o] *= left;
    a.hv_new[o] *= left;
  }
  a.h_new[o] = h_after;
  if (a.residue) a.residue_new[o] = Real(after - double(h_after));
  return full_depth(a, o) - before;
}

/// (|u| + c)/dx + (|v| + c)/dy of a cell of the new state [1/s].
template <class Real>
KOKKOS_INLINE_FUNCTION Real wave_rate(StepArgs<Real> const& a, std::int64_t o) {
  Real const h = a.h_new[o];
  if (!(h > 0)) return 0;
  Real const inverse = Real(1) / Kokkidio::max(h, a.dry_tolerance);
  Real const c = Kokkidio::sqrt(a.gravity * h);
  return (Kokkidio::abs(a.hu_new[o]) * inverse + c) * a.inv_dx +
         (Kokkidio::abs(a.hv_new[o]) * inverse + c) * a.inv_dy;
}

}  // namespace swe
