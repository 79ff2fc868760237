#pragma once
/// \file
/// Boundary fluxes, from the cell inside and what is prescribed outside. Every boundary works in the outward frame:
/// `un` is the cell's velocity towards the outside, `ut` along the face.
///
/// Subcritical boundaries use the Riemann invariant un + 2c that leaves the domain (Sanders 2002); supercritical
/// outflow uses the cell's own state; inflow is never more than critical.

#include "solver/friction.hpp"
#include "solver/swe.hpp"

namespace swe {

/// Per metre of face, outward positive. `momentum` is the normal flux less the cell's own pressure g h²/2.
template <class Real>
struct Outflow {
  Real mass, momentum, transverse;
};

template <class Real>
struct CellInside {
  Real h, un, ut;  ///< depth [m], outward and tangential velocity [m/s]
  Real bed;        ///< [m]
};

/// Flux of a boundary state (h, un); what leaves takes the cell's tangential velocity along, what enters has none.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_of_state(CellInside<Real> const& in, Real h, Real un, Real g) {
  Real const mass = h * un;
  Real const momentum = mass * un + Real(0.5) * g * (h - in.h) * (h + in.h);
  return {mass, momentum, mass > 0 ? mass * in.ut : Real(0)};
}

/// Deepest possible outflow: critical flow at the invariant that leaves.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_critical(CellInside<Real> const& in, Real g) {
  Real const invariant = in.un + 2 * Kokkidio::sqrt(g * in.h);
  if (invariant <= 0) return {0, 0, 0};
  Real const c = invariant / 3;
  if (in.un >= Kokkidio::sqrt(g * in.h)) return outflow_of_state(in, in.h, in.un, g);
  return outflow_of_state(in, c * c / g, c, g);
}

/// Zero gradient, outwards only.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_open(CellInside<Real> const& in, Real g) {
  if (in.un <= 0) return {0, 0, 0};
  return outflow_of_state(in, in.h, in.un, g);
}

/// Water level `level` [m] outside.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_level(CellInside<Real> const& in, Real level, Real g) {
  Real const c_in = Kokkidio::sqrt(g * in.h);
  if (in.un >= c_in && in.h > 0) return outflow_of_state(in, in.h, in.un, g);
  Real const h = level - in.bed;
  if (h <= 0) return outflow_critical(in, g);
  Real const c = Kokkidio::sqrt(g * h);
  Real const un = in.un + 2 * (c_in - c);
  if (un > c) return outflow_critical(in, g);
  return outflow_of_state(in, h, Kokkidio::max(un, -c), g);
}

/// Depth of a boundary with outward unit discharge `q` [m²/s] at the leaving invariant: q/h + 2 sqrt(g h) = invariant,
/// the subcritical root, or critical depth where there is none. By Newton's method in c = sqrt(g h).
template <class Real>
KOKKOS_INLINE_FUNCTION Real depth_for_discharge(Real invariant, Real q, Real g) {
  Real const magnitude = Kokkidio::abs(q);
  if (magnitude == 0) return Kokkidio::max(invariant, Real(0)) * Kokkidio::max(invariant, Real(0)) / (4 * g);
  Real const c_critical = Real(::cbrt(double(magnitude * g)));
  Real c = Kokkidio::max(Real(0.5) * invariant, 2 * c_critical);  // right of the root: Newton falls onto it
  for (int k = 0; k < 20; ++k) {
    Real const f = q * g / (c * c) + 2 * c - invariant;
    Real const df = 2 - 2 * q * g / (c * c * c);
    if (!(df > 0)) break;
    Real const next = Kokkidio::max(c - f / df, c_critical);
    bool const done = Kokkidio::abs(next - c) <= Real(1e-7) * c;
    c = next;
    if (done) break;
  }
  return c * c / g;
}

/// Unit discharge `q` [m²/s], outward positive, inflow exactly as asked; outflow no more than critical flow carries.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_discharge(CellInside<Real> const& in, Real q, Real g) {
  Real const c_in = Kokkidio::sqrt(g * in.h);
  Real const invariant = in.un + 2 * c_in;
  if (q > 0) {
    Real const most = outflow_critical(in, g).mass;
    if (most <= q) return outflow_critical(in, g);
  }
  if (q == 0) return {0, 0, 0};
  Real const h = depth_for_discharge(invariant, q, g);
  auto flow = outflow_of_state(in, h, q / h, g);
  flow.mass = q;
  return flow;
}

/// Elevation `elevation` [m] of an incoming wave above still water of level `still_level`, as a simple wave entering; what
/// comes from inside leaves.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_incoming_wave(CellInside<Real> const& in, Real elevation, Real still_level,
                                                          Real g) {
  using Kokkidio::max;
  using Kokkidio::sqrt;
  Real const c_in = sqrt(g * in.h);
  if (in.un >= c_in && in.h > 0) return outflow_of_state(in, in.h, in.un, g);
  Real const c_still = sqrt(g * max(still_level - in.bed, Real(0)));
  Real const c_wave = sqrt(g * max(still_level + elevation - in.bed, Real(0)));
  Real const entering = 2 * c_still - 4 * c_wave;  // un - 2c of the simple wave moving inwards
  Real const leaving = in.un + 2 * c_in;
  Real const c = max((leaving - entering) / 4, Real(0));
  Real const un = (leaving + entering) / 2;
  return outflow_of_state(in, c * c / g, max(un, -c), g);
}

/// Normal flow of depth h on a bed of slope `slope`, for friction parameter k (see friction.hpp): k u² = g slope.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_normal_depth(CellInside<Real> const& in, FrictionLaw::Type law, Real k, Real slope,
                                                         Real g, Real dry_tolerance) {
  if (in.h <= dry_tolerance) return {0, 0, 0};
  Real const drag = k * depth_powers(law, in.h).friction;
  if (!(drag > 0)) return outflow_open(in, g);
  Real const un = law == FrictionLaw::Type::linear ? g * slope / drag : Kokkidio::sqrt(g * slope / drag);
  return outflow_of_state(in, in.h, un, g);
}

}  // namespace swe
