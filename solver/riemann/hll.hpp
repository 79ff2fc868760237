#pragma once
#include "solver/swe.hpp"

namespace swe {

/// The two-wave part shared by HLL and HLLC (Harten, Lax & van Leer 1983): mass and normal momentum.
///   F = (b F_L - a F_R + a b (U_R - U_L)) / (b - a),   a = min(s_L, 0),  b = max(s_R, 0)
/// Numerator and denominator are taken times the square of the scale that the wave speeds come with.
template <class Lane>
struct TwoWave {
  Lane a, b, ab, inverse;  ///< a, b and a b, scaled; 1 / (b - a)
  Lane q_L, q_R;       ///< h un
  FaceFlux<Lane> flux; ///< transverse not set
};

template <class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION TwoWave<Lane> two_wave_flux(FaceState<Lane> const& L, FaceState<Lane> const& R, Lane c_L, Lane c_R,
                                                       Real g, Real dry_tolerance) {
  using Kokkidio::fma;
  auto const s = wave_speed_bounds(L, R, c_L, c_R, dry_tolerance);
  TwoWave<Lane> w;
  Lane const a = Kokkidio::negative_part(s.left);  // supercritical: one side drops out
  Lane const b = Kokkidio::positive_part(s.right);
  w.a = s.scale * a;
  w.b = s.scale * b;
  w.ab = a * b;
  Lane const tiny = Lane(Real(1e-30));  // both sides dry: every numerator below is zero
  w.inverse = Kokkidio::reciprocal(w.b - w.a + tiny);
  w.q_L = L.h * L.un;
  w.q_R = R.h * R.un;
  Lane const dp = pressure_difference(L, R, g);
  w.flux.mass = fma(w.ab, R.h - L.h, fma(w.b, w.q_L, -(w.a * w.q_R))) * w.inverse;
  w.flux.momentum_L =
      fma(w.ab, w.q_R - w.q_L, fma(w.b, w.q_L * L.un, -(w.a * fma(w.q_R, R.un, dp)))) * w.inverse;
  w.flux.momentum_R = w.flux.momentum_L - dp;
  return w;
}

struct RiemannHll : FromStatesAlone<RiemannHll> {
  static constexpr std::string_view name = "hll";

  using FromStatesAlone<RiemannHll>::operator();
  template <class Lane, class Real>
  KOKKOS_FORCEINLINE_FUNCTION FaceFlux<Lane> operator()(FaceState<Lane> const& L, FaceState<Lane> const& R, Lane c_L, Lane c_R,
                                                       Real g, Real dry_tolerance) const noexcept {
    auto w = two_wave_flux(L, R, c_L, c_R, g, dry_tolerance);
    using Kokkidio::fma;
    Lane const jump = fma(R.h, R.ut, -(L.h * L.ut));
    w.flux.transverse = fma(w.ab, jump, fma(w.b, w.q_L * L.ut, -(w.a * (w.q_R * R.ut)))) * w.inverse;
    return w.flux;
  }
};
static_assert(RiemannSolver<RiemannHll>);

}  // namespace swe
