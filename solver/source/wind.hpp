#pragma once
/// \file
/// Wind over water: stress / density as a force on the momentum [m²/s²].

#include <cmath>

#include "solver/scenario.hpp"
#include "solver/swe.hpp"

namespace swe {

/// Drag coefficient [-] of a wind of `speed` [m/s].
inline double wind_drag(Wind const& wind, double speed) {
  switch (wind.drag) {
    case Wind::Drag::constant:
      return wind.coefficient;
    case Wind::Drag::garratt:
      return (0.75 + 0.067 * speed) * 1e-3;
    case Wind::Drag::wu:
      return (0.8 + 0.065 * speed) * 1e-3;
    case Wind::Drag::smith_banke:
      return (0.63 + 0.066 * speed) * 1e-3;
  }
  return 0;
}

/// Stress over the water's density at time t [m²/s²], towards east and north.
struct WindStress {
  double x = 0, y = 0;
};
inline WindStress wind_stress(Wind const& wind, double water_density, double t) {
  double const east = wind.east(t), north = wind.north(t), speed = std::hypot(east, north);
  double const factor = wind.air_density / water_density * wind_drag(wind, speed) * speed;
  return {factor * east, factor * north};
}

/// Films thinner than this feel the wind in proportion to their depth: what lies between grass and stones is
/// not swept away.
inline constexpr double wind_film = 0.01;  // [m]

template <class Real>
KOKKOS_INLINE_FUNCTION Real wind_share(Real h) {
  return Kokkidio::min(Real(1), h * Real(1 / wind_film));
}

}  // namespace swe
