#pragma once
#include <cmath>

#include "solver/swe.hpp"

namespace swe {

/// Coefficient of a broad crest, over which the flow is critical: q = sqrt(g) (2H/3)^(3/2).
inline constexpr double broad_crest = 0.57735026918962576;  // 1/sqrt(3)

/// Discharge [m²/s] over a crest from the side with head `up` [m] above it to that with head `down` <= up:
/// Poleni's 2/3 mu sqrt(2g) up^(3/2), less (1 - (down/up)^(3/2))^0.385 where drowned (Villemonte 1947).
KOKKOS_INLINE_FUNCTION double weir_discharge(double up, double down, double mu, double g) {
  if (!(up > 0)) return 0;
  double const free = 2.0 / 3 * mu * ::sqrt(2 * g) * up * ::sqrt(up);
  if (!(down > 0)) return free;
  double const ratio = down / up;
  return ratio < 1 ? free * ::pow(1 - ratio * ::sqrt(ratio), 0.385) : 0.0;
}

}  // namespace swe
