#pragma once
/// \file
/// The shallow-water equations on one page.
///
///   d/dt [h, hu, hv] + d/dx [hu, hu² + g h²/2, huv] + d/dy [hv, huv, hv² + g h²/2] = [0, -g h z_x, -g h z_y] + friction
///
/// h depth [m], (u, v) velocity [m/s], z bed [m], g gravity [m/s²]; eta = h + z is the water level.
///
/// Face frame: un is the velocity normal to the face (from the left to the right cell), ut along it.
/// A `Lane` is a number or a Kokkidio::Pair of them on a GPU and Kokkidio::Lane (one SIMD register) on a CPU.

#include <Kokkidio/Lane.hpp>
#include <Kokkidio/Pair.hpp>
#include <concepts>
#include <string_view>

namespace swe {

/// Depth and velocity on one side of a face.
template <class Lane>
struct FaceState {
  Lane h, un, ut;
};

/// What crosses a face, per metre of it. The normal momentum is given as the deviation from each side's own
/// hydrostatic pressure g h²/2, so that still water gives zero exactly instead of a difference of large numbers:
///   momentum_L = F_n - g h_L²/2,   momentum_R = F_n - g h_R²/2.
template <class Lane>
struct FaceFlux {
  Lane mass;        ///< [m²/s]
  Lane momentum_L;  ///< [m³/s²]
  Lane momentum_R;  ///< [m³/s²]
  Lane transverse;  ///< flux of h ut [m³/s²]
};

/// Difference of hydrostatic pressure over the density, right minus left [m³/s²].
template <class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION Lane pressure_difference(FaceState<Lane> const& L, FaceState<Lane> const& R, Real g) {
  return Lane(Real(0.5) * g) * (R.h - L.h) * (R.h + L.h);
}

/// Bounds of the wave speeds, times `scale`.
template <class Lane>
struct WaveSpeeds {
  Lane left, right;
  Lane scale;
};

/// Bounds of the wave speeds: those of both sides and of Roe's mean state (Einfeldt 1988, SIAM J. Numer. Anal. 25, 294), and
/// the speed of a dry front, u ± 2c, where one side only is dry (Toro, Shock-Capturing Methods for Free-Surface Shallow
/// Flows, 2001, ch. 10). Between two dry sides there is no front; a front taken from the other dry side would cross the
/// side's own speed and draw water out of nothing.
///
/// A standing jump has the speed of Roe's mean state, none, and is kept as it is. With wider bounds, such as those of two
/// rarefactions, it spreads over cells in a way that depends on where in a cell it stands, and may wander there for ever.
/// The mean celerity sqrt((c_L² + c_R²)/2) = sqrt(m² + d²), m half the sum and d half the difference, is taken as
/// m + d²/(2m): not less, and 0.02 % more at a jump to twice the depth. The scale 4m saves the division.
template <class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION WaveSpeeds<Lane> wave_speed_bounds(FaceState<Lane> const& L, FaceState<Lane> const& R,
                                                              Lane c_L, Lane c_R, Real dry_tolerance) {
  using Kokkidio::fma;
  using Kokkidio::max;
  using Kokkidio::min;
  using Kokkidio::select;
  Lane const sum = c_L + c_R, difference = c_L - c_R, scale = sum + sum;
  Lane const u_mean = fma(difference, L.un - R.un, sum * (L.un + R.un));
  Lane const c_mean = fma(Lane(Real(0.5)) * difference, difference, sum * sum);
  Lane const s_L = min(scale * (L.un - c_L), u_mean - c_mean);
  Lane const s_R = max(scale * (R.un + c_R), u_mean + c_mean);
  Lane const dry = dry_tolerance;
  if (Kokkidio::all(min(L.h, R.h) > dry)) return {s_L, s_R, scale};
  auto const wet_L = L.h > dry, wet_R = R.h > dry;
  auto const dry_L = !wet_L && wet_R, dry_R = !wet_R && wet_L;
  return {select(dry_L, scale * fma(Lane(Real(-2)), c_R, R.un), s_L),
          select(dry_R, scale * fma(Lane(Real(2)), c_L, L.un), s_R), scale};
}

/// A Riemann solver: two states of the face frame, their celerities, gravity and the dry tolerance in, fluxes out.
template <class Solver>
concept RiemannSolver = requires(Solver const s, FaceState<double> U) {
  { Solver::name } -> std::convertible_to<std::string_view>;
  { s(U, U, 1.0, 1.0, 9.81, 1e-6) } -> std::same_as<FaceFlux<double>>;
};

/// The call of a Riemann solver for states whose celerities sqrt(g h) are not at hand.
template <class Solver>
struct FromStatesAlone {
  template <class Lane, class Real>
  KOKKOS_FORCEINLINE_FUNCTION FaceFlux<Lane> operator()(FaceState<Lane> const& L, FaceState<Lane> const& R, Real g,
                                                       Real dry_tolerance) const noexcept {
    return static_cast<Solver const&>(*this)(L, R, Kokkidio::sqrt(Lane(g) * L.h), Kokkidio::sqrt(Lane(g) * R.h), g, dry_tolerance);
  }
};

}  // namespace swe
