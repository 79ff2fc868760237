#pragma once
/// \file
/// What a boundary sees and gives. Every boundary works in the outward frame: `un` is the cell's velocity
/// towards the outside, `ut` along the face.
///
/// Subcritical boundaries use the Riemann invariant un + 2c that leaves the domain (Sanders 2002);
/// supercritical outflow uses the cell's own state; inflow is never more than critical.

#include "solver/friction.hpp"
#include "solver/swe.hpp"

namespace swe {

/// Per metre of face, outward positive. `momentum` is the normal flux less the cell's own pressure g h²/2.
template <class Real>
struct Outflow {
  Real mass, momentum, transverse;
};

/// The cell inside, and what holds there: depth and velocities at its side of the boundary.
template <class Real>
struct CellInside {
  Real h, un, ut;         ///< depth [m], outward and tangential velocity [m/s]
  Real bed;               ///< in the middle of the cell [m]
  Real h_centre = h;      ///< depth there [m]
  Real level_change = 0;  ///< of the water from there to the side [m]
  Real un_centre = un;    ///< outward velocity there [m/s]

  /// Depth [m] at the side under a level [m]; for still water of that level exactly `h`.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Real depth_at(Real level) const {
    return h + (((level - bed) - h_centre) - level_change);
  }
};

/// What a boundary prescribes during a stage, alike for all its faces.
template <class Real>
struct BoundaryForcing {
  Boundary::Type type = Boundary::Type::wall;
  Real value = 0;  ///< level [m], elevation [m], unit discharge [m²/s], or discharge per weight
  Real slope = 0, still_level = 0;
  Real velocity_x = 0, velocity_y = 0;  ///< of the state outside, east and north [m/s]
  bool by_conveyance = true;            ///< discharge: weights are conveyances; else the dry ones
};

/// What holds at one face beside the state.
template <class Real>
struct BoundarySite {
  Real gravity, dry_tolerance;
  FrictionLaw::Type friction;
  Real friction_parameter;
  Real weight;                      ///< of the face in a discharge [weight per metre]
  Real normal_x = 0, normal_y = 0;  ///< outward
  Real length = 0;                  ///< of the cell across the face [m]
  Real fall = 0;  ///< of the bed per metre outwards, from the cell behind; 0 without one [-]
};

/// What a boundary's series are asked at: their mean over [time, time + span], or their value for span 0; for
/// discharges the mean over the whole step, so that the volume is that of the series.
struct BoundaryMoment {
  double time = 0, span = 0, step_start = 0, step = 0;
  double bed_datum = 0;   ///< levels are counted from here [m]
  double conveyance = 0;  ///< of the boundary; for kinds that measure their section
  double level = 0;       ///< over the section [m], from the datum
  double dry_weight_sum = 0;
};

/// Flux of a boundary state (h, un); what leaves takes the cell's tangential velocity along, what enters has
/// none.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_of_state(CellInside<Real> const& in, Real h, Real un, Real g) {
  Real const mass = h * un;
  Real const momentum = mass * un + Real(0.5) * g * (h - in.h) * (h + in.h);
  return {mass, momentum, mass > 0 ? mass * in.ut : Real(0)};
}

/// What kinds of boundaries have in common; each overrides what is its own.
struct BoundaryKind {
  static constexpr bool measures_section = false;  ///< BoundaryMoment has conveyance and level
  template <class Real>
  static void prescribe(Boundary const&, BoundaryMoment const&, BoundaryForcing<Real>&) {}
  /// Fastest velocity [m/s] that it prescribes between times a and b.
  static double fastest_flow(Boundary const&, double, double) { return 0; }
  /// Highest level [m] that it may hold against the domain between times a and b; -inf for none.
  static double highest_level(Boundary const&, double, double) {
    return -std::numeric_limits<double>::infinity();
  }
  /// Largest rate [m²/s] per metre at which it fills dry ground between times a and b.
  static double largest_inflow(Boundary const&, double, double, double /*dry_weight_sum*/) { return 0; }
};

}  // namespace swe
