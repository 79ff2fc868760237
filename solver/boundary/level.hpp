#pragma once
#include "solver/boundary/critical.hpp"
#include "solver/forcing.hpp"

namespace swe {

/// Water level `level` [m] outside.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> outflow_level(CellInside<Real> const& in, Real level, Real g) {
  Real const c_in = Kokkidio::sqrt(g * in.h);
  if (in.un >= c_in && in.h > 0) return outflow_of_state(in, in.h, in.un, g);
  Real const h = in.depth_at(level);
  if (h <= 0) return outflow_critical(in, g);
  Real const c = Kokkidio::sqrt(g * h);
  Real const un = in.un + 2 * (c_in - c);
  if (un > c) return outflow_critical(in, g);
  return outflow_of_state(in, h, Kokkidio::max(un, -c), g);
}

/// A given water level; water enters and leaves.
struct LevelBoundaryKind : BoundaryKind {
  static constexpr auto type = Boundary::Type::level;
  static constexpr std::string_view name = "level";
  template <class Real>
  static void prescribe(Boundary const& b, BoundaryMoment const& at, BoundaryForcing<Real>& f) {
    f.value = Real(mean_over(b.series, at.time, at.span) - at.bed_datum);
  }
  static double highest_level(Boundary const& b, double from, double to) {
    return largest_over(b.series, from, to);
  }
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const& in, BoundaryForcing<Real> const& f,
                                                   BoundarySite<Real> const& at) {
    return outflow_level(in, f.value, at.gravity);
  }
};

}  // namespace swe
