#pragma once
/// \file
/// Discharge of a culvert by the levels at its ends: the smaller of what its inlet lets in and what its
/// barrel carries (the two controls of FHWA HDS-5, with the plain formulas of hydraulics in place of its
/// fitted ones).
///
///   inlet   critical flow into the barrel, b sqrt(g) (2H/3)^(3/2); once it is submerged, the orifice 0.6 A
///   sqrt(2g (H - D/2)) where
///           that is smaller; H head over the floor at the inlet, D height, b = A / D
///   outlet  full barrel: A sqrt(2g (upstream level - tail) / (1 + entrance_loss + 2 g n² L / R^(4/3))); the
///   tail is the level
///           at the outlet, and no lower than half the barrel's height, or half the head, above the outlet's
///           floor

#include <cmath>
#include <numbers>

#include "solver/scenario.hpp"
#include "solver/swe.hpp"

namespace swe {

/// A culvert as its kernel wants it.
struct CulvertArgs {
  double area = 0, height = 0, width = 0;  ///< of one barrel: flow area, D, and A / D
  double barrels = 1;
  double loss = 0;  ///< 1 + entrance loss + friction [-]
  double inlet_level = 0, outlet_level = 0;
  bool one_way = false;
};

inline CulvertArgs culvert_args(Structure const& s, double g) {
  CulvertArgs a;
  double const area = s.round ? std::numbers::pi / 4 * s.width * s.width : s.width * s.height;
  double const height = s.round ? s.width : s.height;
  double const perimeter = s.round ? std::numbers::pi * s.width : 2 * (s.width + s.height);
  a.area = area;
  a.height = height;
  a.width = area / height;
  a.barrels = s.barrels;
  a.loss =
      1 + s.entrance_loss + 2 * g * s.manning * s.manning * s.length / std::pow(area / perimeter, 4.0 / 3);
  a.inlet_level = s.inlet_level;
  a.outlet_level = s.outlet_level;
  a.one_way = s.one_way;
  return a;
}

/// Discharge [m3/s] from the end with water level `up` and floor `up_floor` to the other, up >= down.
KOKKOS_INLINE_FUNCTION double culvert_one_way(CulvertArgs const& c, double up, double up_floor, double down,
                                              double down_floor, double g) {
  double const head = up - up_floor;
  if (!(head > 0)) return 0;
  double inlet = c.width * ::sqrt(g) * ::pow(2.0 / 3 * head, 1.5);
  if (head > c.height) {
    double const orifice = 0.6 * c.area * ::sqrt(2 * g * (head - c.height / 2));
    if (orifice < inlet) inlet = orifice;
  }
  double const filled = head < c.height ? head : c.height;
  double const tail_floor = down_floor + filled / 2;
  double const tail = down > tail_floor ? down : tail_floor;
  double const fall = up - tail;
  double const outlet = fall > 0 ? c.area * ::sqrt(2 * g * fall / c.loss) : 0.0;
  return c.barrels * (inlet < outlet ? inlet : outlet);
}

/// Discharge [m3/s] from inlet to outlet, negative back.
KOKKOS_INLINE_FUNCTION double culvert_discharge(CulvertArgs const& c, double level_in, double level_out,
                                                double g) {
  if (level_in >= level_out) return culvert_one_way(c, level_in, c.inlet_level, level_out, c.outlet_level, g);
  return c.one_way ? 0.0 : -culvert_one_way(c, level_out, c.outlet_level, level_in, c.inlet_level, g);
}

}  // namespace swe
