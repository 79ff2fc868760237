#pragma once
/// \file
/// What a cell looks like between its faces, over any bed.
///
/// The bed of a cell is a plane through its centre whose limited slope is fixed at the start, so a smooth hillside
/// is continuous over faces, and a cliff or a wall stays a jump between flat cells. In a cell of depth h, with the
/// bed rising by b from the centre to the right face, the water level rises by d and the depth by e:
///
///   h_left = h - e,  h_right = h + e,  e = clamp(d - b, -h, h),   level = eta -+ d
///
/// * Still water has d = 0, wherever the bed goes: its level is flat and nothing moves.
/// * A film on a slope has d = b: it lies parallel to the bed, feels the whole force -g h b, and its depth is the same
///   at both faces. This is what hydrostatic reconstruction over flat cells loses when the bed step is larger than
///   the depth (thin rain films come out many times too slow).
/// * At a cliff b = 0 on both sides, and the step is met by hydrostatic reconstruction (Audusse et al. 2004): water
///   leaves the edge at about critical speed, so no cell is ever given the energy of the whole fall at once.
///
/// The piecewise-linear bed with hydrostatic reconstruction of the jumps that remain follows Buttinger-Kreuzhuber
/// et al. 2019; writing the in-cell force as g h (level_right - level_left) keeps rest exact to the last bit.

#include "solver/scenario.hpp"
#include "solver/swe.hpp"

namespace swe {

/// In the bed field: a cell that is no part of the domain. Its faces are walls.
template <class Real>
inline constexpr Real wall_bed = Real(1e30);
/// In the bed field: a cell whose faces take a flux computed by a boundary; its depth field holds the cell's number
/// in the table of such fluxes.
template <class Real>
inline constexpr Real flux_bed = Real(3e30);
/// Beds above this are one of the two marks.
template <class Real>
inline constexpr Real mark_threshold = Real(1e29);
template <class Real>
inline constexpr Real flux_threshold = Real(2e30);

template <class Lane>
struct Primitive {
  Lane h, u, v, z;
  Lane inverse{};  ///< 1 / max(h, dry tolerance); second order only
  Lane wave{};     ///< c / (2h) with the celerity c = sqrt(g h); see celerity_at_face [1/s]
};

/// Celerity where the depth is h_face in a cell of depth h whose `wave` is c / (2h): c (1 + h_face / h) / 2. The mean bounds the
/// root, c sqrt(h_face / h), from above and differs from it by the square of the difference of depths, so one root a cell
/// serves all its faces.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION Lane celerity_at_face(Lane wave, Lane h, Lane h_face) {
  return wave * (h + h_face);
}

/// Half differences over the cell (centre to right face): level, depth, velocities.
template <class Lane>
struct Slope {
  Lane level, depth, u, v;
};

#if defined(__CUDA_ARCH__)
// In double precision a minimum takes three instructions there, a choice two.
KOKKOS_FORCEINLINE_FUNCTION double smaller_in_magnitude(double a, double b) { return ::fabs(a) < ::fabs(b) ? a : b; }
KOKKOS_FORCEINLINE_FUNCTION float smaller_in_magnitude(float a, float b) { return ::fabsf(a) < ::fabsf(b) ? a : b; }
/// x where no bit of `signs` says that signs differ, else zero: by bits, since the compiler makes branches of choices.
KOKKOS_FORCEINLINE_FUNCTION double where_of_one_sign(int signs, double x) {
  int const keep = ~(signs >> 31);
  return __hiloint2double(__double2hiint(x) & keep, __double2loint(x) & keep);
}
KOKKOS_FORCEINLINE_FUNCTION int sign_difference(double a, double b) { return __double2hiint(a) ^ __double2hiint(b); }
#endif

/// Zero where `least` and `most` enclose it, else the nearer of the two.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION Lane nearest_to_zero(Lane least, Lane most) {
  return Kokkidio::max(least, Kokkidio::negative_part(most));
}

/// The smallest in magnitude of numbers of one sign, else zero.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION Lane minmod(Lane a, Lane b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<Lane, double>) return where_of_one_sign(sign_difference(a, b), smaller_in_magnitude(a, b));
#endif
  return nearest_to_zero(Kokkidio::min(a, b), Kokkidio::max(a, b));
}

/// The same of four, the last of which has the sign of the first two where these agree.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION Lane minmod(Lane a, Lane b, Lane c, Lane d) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<Lane, double>)
    return where_of_one_sign(sign_difference(a, b) | sign_difference(a, c),
                             smaller_in_magnitude(smaller_in_magnitude(a, b), smaller_in_magnitude(c, d)));
#endif
  using Kokkidio::max;
  using Kokkidio::min;
  return nearest_to_zero(min(min(a, b), min(c, d)), max(max(a, b), max(c, d)));
}

/// Half the limited difference of a cell from the differences to its two neighbours.
/// minmod; van Leer 1974 (harmonic mean); monotonised central (MC), van Leer 1977. MC takes 0.9 of what is monotone: with all
/// of it, a side of a cell would have just the value of the next cell, a flux that damps nothing, and steady flow over a
/// crest would end in waves that go on for ever.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION Lane limited_half_difference(Scheme::Limiter limiter, Lane left, Lane right) {
  using Kokkidio::max;
  using Kokkidio::min;
  using Kokkidio::select;
  using Real = typename Kokkidio::LaneTraits<Lane>::Scalar;
  if (limiter == Scheme::Limiter::van_leer) {
    Lane const product = left * right;
    Lane const sum = left + right;
    auto const same_sign = product > Lane(Real(0));
    return select(same_sign, product / select(same_sign, sum, Lane(Real(1))), Lane(Real(0)));
  }
  // Half the mean difference, not beyond `share` of the smaller one: 1/2 for minmod, up to 1 monotone.
  Lane const share = limiter == Scheme::Limiter::mc ? Real(0.9) : Real(0.5), mean = Lane(Real(0.25)) * (left + right);
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<Lane, double>)
    return where_of_one_sign(sign_difference(left, right), smaller_in_magnitude(share * smaller_in_magnitude(left, right), mean));
  else if constexpr (std::is_same_v<Lane, float>) return smaller_in_magnitude(share * minmod(left, right), mean);
  else if constexpr (Kokkidio::is_pair<Lane>)
    return {limited_half_difference(limiter, left[0], right[0]), limited_half_difference(limiter, left[1], right[1])};
#endif
  Lane const most = share * Kokkidio::positive_part(min(left, right)), least = share * Kokkidio::negative_part(max(left, right));
  return max(least, min(most, mean));
}

/// What is known about all cells that a lane (or a warp) of cells and faces looks at. `all_wet`: each is active and
/// holds more than the dry tolerance, so everything about shores, walls and boundaries can be left out.
enum class Surroundings { any, all_wet };

/// Level of R minus level of L. Dry ground above the water of its neighbour has no water level: the difference is 0.
template <Surroundings where = Surroundings::any, class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION Lane level_difference(Primitive<Lane> const& L, Primitive<Lane> const& R, Real dry_tolerance) {
  using Kokkidio::select;
  Lane const zero = Real(0), dry = dry_tolerance;
  Lane const d = (R.h - L.h) + (R.z - L.z);
  if constexpr (where == Surroundings::all_wet) return d;
  auto const shore = (R.h <= dry && d >= zero) || (L.h <= dry && d <= zero);
  return select(shore, zero, d);
}

/// Depth change over half the cell for a level change `d` and a bed rise `b`; the depth stays within [0, 2h].
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION Lane depth_half_difference(Lane h, Lane d, Lane b) {
  return Kokkidio::max(-h, Kokkidio::min(h, d - b));
}

/// Both sides of the face between L and R, brought to one bed by hydrostatic reconstruction (Audusse et al. 2004).
/// `un` picks the velocity normal to the face.
template <class Lane>
struct FacePair {
  FaceState<Lane> L, R;
};
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION FacePair<Lane> hydrostatic_reconstruction(Lane h_L, Lane h_R, Lane bed_step, Lane un_L, Lane ut_L,
                                                                     Lane un_R, Lane ut_R) {
  using Kokkidio::positive_part;
  Lane const up = positive_part(bed_step);
  return {{positive_part(h_L - up), un_L, ut_L}, {positive_part(h_R + (bed_step - up)), un_R, ut_R}};
}

}  // namespace swe
