#pragma once
#include "solver/structure/weir.hpp"

namespace swe {

/// Discharge [m²/s] under a sluice gate of opening `opening` [m], by the heads over its sill: the jet of
/// height c opening (contraction c) carries the fall from `up` to the jet, or to `down` where that drowns it:
///   q = c a sqrt(2g (up - max(c a, down)));
/// and never more than critical flow over the sill, which is what passes below a gate that stands clear of
/// the water.
KOKKOS_INLINE_FUNCTION double gate_discharge(double up, double down, double opening, double contraction,
                                             double g) {
  if (!(up > 0) || !(opening > 0)) return 0;
  double const open = weir_discharge(up, down, broad_crest, g);
  if (up <= opening) return open;
  double const jet = contraction * opening;
  double const fall = up - (down > jet ? down : jet);
  double const under = fall > 0 ? jet * ::sqrt(2 * g * fall) : 0.0;
  return under < open ? under : open;
}

}  // namespace swe
