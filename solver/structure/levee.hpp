#pragma once
#include "solver/structure/weir.hpp"

namespace swe {

/// Discharge [m²/s] over a levee: a wall on the faces of cells until the water stands above its crest, then a
/// broad-crested weir of coefficient `mu`.
KOKKOS_INLINE_FUNCTION double levee_discharge(double up, double down, double mu, double g) {
  return weir_discharge(up, down, mu, g);
}

}  // namespace swe
