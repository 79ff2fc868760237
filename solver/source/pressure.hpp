#pragma once
/// \file
/// Gradient of the air's pressure: a force -h/density grad p [m²/s²].

#include "solver/step.hpp"

namespace swe {

/// Pressure over the water's density [m²/s²], from cell (0, 0) on: first + share (second - first).
template <class Real>
struct PressureArgs {
  Real const *first = nullptr, *second = nullptr;
  Real share = 0;
};

template <class Real>
struct PressureGradient {
  Real x = 0, y = 0;
};

/// Central between active cells of the grid, one-sided beside others.
template <class Real>
KOKKOS_INLINE_FUNCTION PressureGradient<Real> pressure_gradient(StepArgs<Real> const& a,
                                                                PressureArgs<Real> const& p, Offset o) {
  auto const value = [&](Offset q) { return p.first[q] + p.share * (p.second[q] - p.first[q]); };
  auto const along = [&](Offset step, int place, int count, Real inverse) {
    bool const left = place > 0 && a.bed[o - step] < mark_threshold<Real>;
    bool const right = place + 1 < count && a.bed[o + step] < mark_threshold<Real>;
    if (!left && !right) return Real(0);
    Real const difference = value(right ? o + step : o) - value(left ? o - step : o);
    return difference * inverse * (left && right ? Real(0.5) : Real(1));
  };
  int const i = int(o % a.pitch), j = int(o / a.pitch);
  return {along(1, i, a.nx, a.inv_dx), along(a.pitch, j, a.ny, a.inv_dy)};
}

}  // namespace swe
