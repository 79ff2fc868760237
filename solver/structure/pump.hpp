#pragma once
/// \file
/// A pump: a discharge in time, switched on when the water at its inlet rises above one level and off when it
/// falls below another.

#include "solver/swe.hpp"

namespace swe {

struct PumpArgs {
  double on_level = 0, off_level = 0;  ///< [m]
};

/// Whether it runs next, by whether it ran and the level [m] at its inlet.
KOKKOS_INLINE_FUNCTION bool pump_runs(PumpArgs const& p, bool ran, double level) {
  return level >= p.on_level || (ran && level > p.off_level);
}

}  // namespace swe
