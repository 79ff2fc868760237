#pragma once
/// \file
/// Coriolis force [m²/s²] on the momentum (hu, hv): f (hv, -hu).

#include <cmath>

#include "solver/swe.hpp"

namespace swe {

/// Force = turn_x (hu, hv) + turn_y (hv, -hu). With one stage a step the momentum is turned by just f dt,
/// which keeps its size; two stages do so to third order by themselves.
struct CoriolisTurn {
  double along = 0, across = 0;  ///< [1/s]
};
inline CoriolisTurn coriolis_turn(double f, double dt, int order) {
  if (order == 2) return {0, f};
  return {(std::cos(f * dt) - 1) / dt, std::sin(f * dt) / dt};
}

}  // namespace swe
