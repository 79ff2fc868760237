#pragma once
/// \file
/// Lows of the air's pressure that travel: p = -drop exp(-r²/(2 radius²)), r from a centre that moves. Slow
/// ones lift the water by drop/(density g); one that moves at speed U lifts it by 1/(1 - U²/(g h)) times that
/// (Proudman 1929).

#include <cmath>
#include <vector>

#include "solver/source/pressure.hpp"

namespace swe {

/// A low at a moment.
template <class Real>
struct PressureLowArgs {
  Real x = 0, y = 0;        ///< its centre, from the centre of cell (0, 0) [m]
  Real strength = 0;        ///< drop / (density radius²) [1/s²]
  Real inverse_radius = 0;  ///< [1/m]
};

template <class Real>
[[nodiscard]] std::vector<PressureLowArgs<Real>> pressure_lows_at(std::vector<PressureLow> const& lows,
                                                                  double water_density, Grid const& grid,
                                                                  double t) {
  std::vector<PressureLowArgs<Real>> args;
  for (auto const& low : lows)
    args.push_back({Real(low.x(t) - grid.x_centre(0)), Real(low.y(t) - grid.y_centre(0)),
                    Real(low.drop / (water_density * low.radius * low.radius)), Real(1 / low.radius)});
  return args;
}

/// Gradient of the pressure over the density at the cell at o [m/s²].
template <class Real>
KOKKOS_INLINE_FUNCTION PressureGradient<Real> pressure_low_gradient(StepArgs<Real> const& a,
                                                                    PressureLowArgs<Real> const& low,
                                                                    Offset o) {
  Real const x = Real(int(o % a.pitch)) / a.inv_dx - low.x, y = Real(int(o / a.pitch)) / a.inv_dy - low.y;
  Real const r = Kokkidio::sqrt(x * x + y * y) * low.inverse_radius;
  Real const slope = low.strength * Real(::exp(-0.5 * double(r) * double(r)));
  return {slope * x, slope * y};
}

}  // namespace swe
