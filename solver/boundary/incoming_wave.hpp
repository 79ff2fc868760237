#pragma once
#include <algorithm>

#include "solver/boundary/inside.hpp"
#include "solver/forcing.hpp"

namespace swe {

/// Elevation `elevation` [m] of an incoming wave above still water of level `still_level`, as a simple wave
/// entering; what comes from inside leaves.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_incoming_wave(CellInside<Real> const& in, Real elevation,
                                                           Real still_level, Real g) {
  using Kokkidio::max;
  using Kokkidio::sqrt;
  Real const c_in = sqrt(g * in.h);
  if (in.un >= c_in && in.h > 0) return outflow_of_state(in, in.h, in.un, g);
  Real const c_still = sqrt(g * max(in.depth_at(still_level), Real(0)));
  Real const c_wave = sqrt(g * max(in.depth_at(still_level + elevation), Real(0)));
  Real const entering = 2 * c_still - 4 * c_wave;  // un - 2c of the simple wave moving inwards
  Real const leaving = in.un + 2 * c_in;
  Real const c = max((leaving - entering) / 4, Real(0));
  Real const un = (leaving + entering) / 2;
  return outflow_of_state(in, c * c / g, max(un, -c), g);
}

/// A wave that enters over still water; with no elevation, a side that absorbs what comes from inside.
struct IncomingWaveBoundaryKind : BoundaryKind {
  static constexpr auto type = Boundary::Type::incoming_wave;
  static constexpr std::string_view name = "incoming_wave";
  template <class Real>
  static void prescribe(Boundary const& b, BoundaryMoment const& at, BoundaryForcing<Real>& f) {
    f.value = Real(mean_over(b.series, at.time, at.span));
  }
  static double highest_level(Boundary const& b, double from, double to) {
    return b.still_level + 2 * std::max(0.0, largest_over(b.series, from, to));
  }
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const& in, BoundaryForcing<Real> const& f,
                                                   BoundarySite<Real> const& at) {
    return outflow_incoming_wave(in, f.value, f.still_level, at.gravity);
  }
};

}  // namespace swe
