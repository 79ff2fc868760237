#pragma once
#include "solver/riemann/hll.hpp"

namespace swe {

/// HLLC (Toro, Spruce & Speares 1994; for shallow water Toro 2001, ch. 10): HLL for mass and normal momentum, and
/// the transverse velocity carried by the contact wave, that is upwind with the mass flux.
struct RiemannHllc : FromStatesAlone<RiemannHllc> {
  static constexpr std::string_view name = "hllc";

  using FromStatesAlone<RiemannHllc>::operator();
  template <class Lane, class Real>
  KOKKOS_FORCEINLINE_FUNCTION FaceFlux<Lane> operator()(FaceState<Lane> const& L, FaceState<Lane> const& R, Lane c_L, Lane c_R,
                                                       Real g, Real dry_tolerance) const noexcept {
    auto w = two_wave_flux(L, R, c_L, c_R, g, dry_tolerance);
    w.flux.transverse = w.flux.mass * Kokkidio::select(w.flux.mass >= Lane(Real(0)), L.ut, R.ut);
    return w.flux;
  }
};
static_assert(RiemannSolver<RiemannHllc>);

}  // namespace swe
