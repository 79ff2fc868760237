#pragma once
#include <algorithm>

#include "solver/boundary/critical.hpp"
#include "solver/forcing.hpp"

namespace swe {

/// Depth of a boundary with outward unit discharge `q` [m²/s] at the leaving invariant: q/h + 2 sqrt(g h) =
/// invariant, the subcritical root, or critical depth where there is none. By Newton's method in c = sqrt(g
/// h).
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

/// Unit discharge `q` [m²/s], outward positive, inflow exactly as asked; outflow no more than critical flow
/// carries.
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

/// A total discharge, shared by conveyance; while everything is dry, by width where the bed is lowest.
struct DischargeBoundaryKind : BoundaryKind {
  static constexpr auto type = Boundary::Type::discharge;
  static constexpr std::string_view name = "discharge";
  static constexpr bool measures_section = true;
  template <class Real>
  static void prescribe(Boundary const& b, BoundaryMoment const& at, BoundaryForcing<Real>& f) {
    share(mean_over(b.series, at.step_start, at.step), at, f);
  }
  template <class Real>
  static void share(double discharge, BoundaryMoment const& at, BoundaryForcing<Real>& f) {
    f.by_conveyance = at.conveyance > 0;
    f.value = Real(discharge / (f.by_conveyance ? at.conveyance : at.dry_weight_sum));
  }
  static double largest_inflow(Boundary const& b, double from, double to, double dry_weight_sum) {
    return std::max(0.0, largest_over(b.series, from, to)) / dry_weight_sum;
  }
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const& in, BoundaryForcing<Real> const& f,
                                                   BoundarySite<Real> const& at) {
    return outflow_discharge(in, -f.value * at.weight, at.gravity);
  }
};

/// A discharge per metre of boundary, the same everywhere.
struct DischargePerWidthBoundaryKind : BoundaryKind {
  static constexpr auto type = Boundary::Type::discharge_per_width;
  static constexpr std::string_view name = "discharge_per_width";
  template <class Real>
  static void prescribe(Boundary const& b, BoundaryMoment const& at, BoundaryForcing<Real>& f) {
    f.value = Real(mean_over(b.series, at.step_start, at.step));
  }
  static double largest_inflow(Boundary const& b, double from, double to, double) {
    return std::max(0.0, largest_over(b.series, from, to));
  }
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const& in, BoundaryForcing<Real> const& f,
                                                   BoundarySite<Real> const& at) {
    return outflow_discharge(in, -f.value, at.gravity);
  }
};

}  // namespace swe
