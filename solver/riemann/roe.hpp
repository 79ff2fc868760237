#pragma once
#include "solver/riemann/hll.hpp"

namespace swe {

/// Roe's linearisation (Roe 1981; for shallow water Glaister 1988) with the entropy fix of Harten & Hyman (1983) on
/// both acoustic waves. Roe's flux is not positive next to dry land, so there, and where the linearised middle
/// depth would be negative, the two-wave flux takes its place.
struct RiemannRoe : FromStatesAlone<RiemannRoe> {
  static constexpr std::string_view name = "roe";

  using FromStatesAlone<RiemannRoe>::operator();
  template <class Lane, class Real>
  KOKKOS_FORCEINLINE_FUNCTION FaceFlux<Lane> operator()(FaceState<Lane> const& L, FaceState<Lane> const& R, Lane c_L, Lane c_R,
                                                       Real g, Real dry_tolerance) const noexcept {
    using Kokkidio::abs;
    using Kokkidio::max;
    using Kokkidio::select;
    using Kokkidio::sqrt;
    Lane const zero = Real(0), half = Real(0.5);
    auto const two_wave = two_wave_flux(L, R, c_L, c_R, g, dry_tolerance);

    Lane const root_L = sqrt(L.h), root_R = sqrt(R.h);
    Lane const inv_root = Kokkidio::reciprocal(max(root_L + root_R, Lane(Real(1e-20))));
    Lane const u = (root_L * L.un + root_R * R.un) * inv_root;
    Lane const v = (root_L * L.ut + root_R * R.ut) * inv_root;
    Lane const c = sqrt(half * Lane(g) * (L.h + R.h));
    Lane const inv_2c = half * Kokkidio::reciprocal(max(c, Lane(Real(1e-20))));

    Lane const d_h = R.h - L.h;
    Lane const d_q = two_wave.q_R - two_wave.q_L;
    Lane const lambda_1 = u - c, lambda_3 = u + c;
    Lane const alpha_1 = (lambda_3 * d_h - d_q) * inv_2c;   // strength of the left acoustic wave
    Lane const alpha_3 = (d_q - lambda_1 * d_h) * inv_2c;   // of the right one
    Lane const alpha_2 = R.h * R.ut - L.h * L.ut - v * d_h; // of the shear wave

    Lane const spread_1 = max(zero, max(lambda_1 - (L.un - c_L), (R.un - c_R) - lambda_1));
    Lane const spread_3 = max(zero, max(lambda_3 - (L.un + c_L), (R.un + c_R) - lambda_3));
    Lane const abs_1 = entropy_fixed(lambda_1, spread_1), abs_3 = entropy_fixed(lambda_3, spread_3), abs_2 = abs(u);

    Lane const dp = pressure_difference(L, R, g);
    FaceFlux<Lane> f;
    f.mass = half * (two_wave.q_L + two_wave.q_R - (abs_1 * alpha_1 + abs_3 * alpha_3));
    f.momentum_L = half * (two_wave.q_L * L.un + two_wave.q_R * R.un + dp -
                           (abs_1 * alpha_1 * lambda_1 + abs_3 * alpha_3 * lambda_3));
    f.momentum_R = f.momentum_L - dp;
    f.transverse = half * (two_wave.q_L * L.ut + two_wave.q_R * R.ut -
                           (abs_1 * alpha_1 * v + abs_2 * alpha_2 + abs_3 * alpha_3 * v));

    auto const& w = two_wave.flux;
    Lane const w_transverse = w.mass * select(w.mass >= zero, L.ut, R.ut);
    Lane const h_middle_L = L.h + alpha_1, h_middle_R = R.h - alpha_3;
    auto const unsafe = L.h <= Lane(dry_tolerance) || R.h <= Lane(dry_tolerance) || h_middle_L <= zero || h_middle_R <= zero;
    return {select(unsafe, w.mass, f.mass), select(unsafe, w.momentum_L, f.momentum_L),
            select(unsafe, w.momentum_R, f.momentum_R), select(unsafe, w_transverse, f.transverse)};
  }

 private:
  /// |lambda|, rounded off to (lambda²/s + s)/2 where the wave spreads over zero by s
  template <class Lane>
  KOKKOS_FORCEINLINE_FUNCTION static Lane entropy_fixed(Lane lambda, Lane spread) {
    using Real = typename Kokkidio::LaneTraits<Lane>::Scalar;
    Lane const magnitude = Kokkidio::abs(lambda);
    Lane const s = Kokkidio::max(spread, Lane(Real(1e-20)));
    return Kokkidio::select(magnitude < spread, Lane(Real(0.5)) * (lambda * lambda / s + s), magnitude);
  }
};
static_assert(RiemannSolver<RiemannRoe>);

}  // namespace swe
