#pragma once
/// \file
/// One stage of a time step, in pieces that act on one lane of cells or faces: what the CPU and GPU loops share.
///
///   primitives -> slopes -> face fluxes -> update (bed force, rain, friction, drying, wave speed)
///
/// First order: one stage. Second order: MUSCL slopes and the two stages of SSP-RK2 (Heun), where
///   U1 = R(U0 + dt L(U0)),   U = R'(U0 + dt/2 (L(U0) + L(U1)))
/// and R, R' are the friction steps: backward Euler, and a second-order one that uses U1 (see update_second_stage).

#include <cstdint>
#include <limits>
#include <type_traits>

#include "solver/friction.hpp"
#include "solver/reconstruction.hpp"
#include "solver/source/infiltration_law.hpp"

namespace swe {

/// Fluxes computed by boundaries, read where a neighbour carries `flux_bed`. Entry 4 n + side belongs to the
/// marked cell n and to the face of the active cell whose side `side` it is. `momentum` is the deviation from
/// the active cell's own pressure, in the +x or +y direction like all fluxes.
template <class Real>
struct BoundaryFluxTable {
  Real* mass = nullptr;
  Real* momentum = nullptr;
  Real* transverse = nullptr;
};

/// Fluxes computed by structures on faces between cells. `number_x`, `number_y`: place in the table of the west and the south
/// face of each cell, -1 for faces without; null when there are none at all.
template <class Real>
struct StructureFluxes {
  Real *mass = nullptr, *momentum_L = nullptr, *momentum_R = nullptr, *transverse = nullptr;
  Real const *number_x = nullptr, *number_y = nullptr;
};

/// Everything a stage reads and writes. Pointers are to cell (0, 0); cell (i, j) is at i + pitch j, and two more
/// cells exist on every side.
template <class Real>
struct StepArgs {
  std::int64_t pitch = 0;
  int nx = 0, ny = 0;
  Real inv_dx = 0, inv_dy = 0, gravity = 0, dry_tolerance = 0;
  Real twice_gravity = 0, half_root_gravity = 0;  ///< 2 g, sqrt(g)/2
  Real dt = 0;

  Real const *h = nullptr, *hu = nullptr, *hv = nullptr;     ///< state the fluxes are taken from
  Real const *h_0 = nullptr, *hu_0 = nullptr, *hv_0 = nullptr;  ///< start of the step (second stage only)
  Real *h_new = nullptr, *hu_new = nullptr, *hv_new = nullptr;
  Real const* residue = nullptr;  ///< what rounding has kept from h so far; single precision only, where it must be
  Real* residue_new = nullptr;
  Real const* bed = nullptr;

  FrictionLaw::Type friction = FrictionLaw::Type::none;
  Real friction_constant = 0;             ///< friction_parameter(...), used when the raster is null
  Real const* friction_raster = nullptr;
  Real rain_depth = 0;                    ///< rain of this step [m]
  Real const* rain_raster = nullptr;      ///< rate [m/s] per cell on top of it, or null
  Scheme::Limiter limiter = Scheme::Limiter::mc;
  BoundaryFluxTable<Real> boundary;
  StructureFluxes<Real> structures;
  Real const *force_x = nullptr, *force_y = nullptr;  ///< on the momentum [m²/s²], or null
  InfiltrationArgs<Real> infiltration;
};

/// Whether a step needs more than the lean kernels know: structures, forces, infiltration, rasters of friction and rain, laws of
/// friction but Manning's, limiters but MC.
template <class Real>
[[nodiscard]] bool needs_extras(StepArgs<Real> const& a, int order) {
  return a.structures.number_x || a.force_x || a.infiltration.model != InfiltrationModel::none || a.rain_raster ||
         a.friction_raster || (order == 2 && a.limiter != Scheme::Limiter::mc) ||
         (a.friction != FrictionLaw::Type::none && a.friction != FrictionLaw::Type::manning);
}

/// Offset of a lane of cells from cell (0, 0), a multiple of the lane's width. Functions with an `Int` take it in 32 bits as
/// well, in which a GPU does less for an address.
using Offset = std::int64_t;

/// `all_wet` may be asked for only where every cell of the lane is active and wet.
template <Surroundings where = Surroundings::any, class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION Primitive<Lane> primitives(StepArgs<Real> const& a, Lane h_raw, Lane hu, Lane hv, Lane z) {
  using Kokkidio::max;
  using Kokkidio::select;
  Lane const half_root_g = a.half_root_gravity;
  if constexpr (where == Surroundings::all_wet) {
    auto const [inverse, inverse_root] = Kokkidio::inverse_roots(h_raw);
    return {h_raw, hu * inverse, hv * inverse, z, inverse, half_root_g * inverse_root};
  }
  Lane const zero = Real(0), dry = a.dry_tolerance;
  Lane const h = select(z < Lane(mark_threshold<Real>), h_raw, zero);
  auto const [inverse, inverse_root] = Kokkidio::inverse_roots(max(h, dry));
  auto const flows = h > dry;
  return {h, select(flows, hu * inverse, zero), select(flows, hv * inverse, zero), z, inverse, half_root_g * inverse_root};
}

template <class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION Primitive<Lane> primitives(StepArgs<Real> const& a, Offset o) {
  using Kokkidio::load;
  return primitives(a, load<Lane>(a.h + o), load<Lane>(a.hu + o), load<Lane>(a.hv + o), load<Lane>(a.bed + o));
}

/// Differences to the two neighbours in one direction, left and right of a cell.
template <class Lane>
struct Differences {
  Lane left, right;
};

/// No level slope across a face that a structure closes. `left`, `right`: where StructureFluxes has the numbers of the
/// faces on both sides, null when there are none.
template <class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION Differences<Lane> across_open_faces(Differences<Lane> level, Real const* left, Real const* right) {
  if (!left) return level;
  Lane const zero = Real(0);
  return {Kokkidio::select(Kokkidio::load<Lane>(left) < zero, level.left, zero),
          Kokkidio::select(Kokkidio::load<Lane>(right) < zero, level.right, zero)};
}

/// What the slopes of a cell in one direction follow from.
template <class Lane>
struct SlopeBase {
  Differences<Lane> level, bed;
  Lane bed_rise;    ///< from the centre to the right face
  Lane level_most;  ///< bound of the level's rise in first order; see slopes_first
};

/// Differences to the neighbours as given, and the rise of the cell's bed: half its smaller difference, so zero at
/// cliffs, at local extremes and beside walls. With a sharper limiter the beds of two cells could pass each other between
/// the centres, and a film running down would stand before a step up, its fall still driving it. Towards a computed flux
/// the cell goes on as it comes from its other side.
template <Surroundings where = Surroundings::any, class Lane>
KOKKOS_FORCEINLINE_FUNCTION SlopeBase<Lane> slope_base(Differences<Lane> level, Differences<Lane> bed, Lane z_left, Lane z_right) {
  using Real = typename Kokkidio::LaneTraits<Lane>::Scalar;
  Lane const zero = Real(0), mark = mark_threshold<Real>, flux = flux_threshold<Real>;
  auto const level_most = [&] { return Lane(Real(0.25 * 1.15)) * (level.left + level.right); };
  if constexpr (where == Surroundings::all_wet)
    return {level, bed, Lane(Real(0.5)) * minmod(bed.left, bed.right), level_most()};
  auto const mark_l = z_left > mark, mark_r = z_right > mark;
  if (Kokkidio::any(mark_l || mark_r)) {
    using Kokkidio::select;
    auto const flux_l = z_left > flux, flux_r = z_right > flux;
    for (auto* d : {&level, &bed}) {
      Lane const left = select(mark_l, zero, d->left), right = select(mark_r, zero, d->right);
      d->left = select(flux_l, right, left);
      d->right = select(flux_r, left, right);
    }
    // Beside a boundary there is no mean between neighbours: the level follows the bed as far as the other side allows.
    return {level, bed, Lane(Real(0.5)) * minmod(bed.left, bed.right),
            select(flux_l || flux_r, level.left + level.right, level_most())};
  }
  return {level, bed, Lane(Real(0.5)) * minmod(bed.left, bed.right), level_most()};
}

/// Towards a computed flux depth and velocity of a cell go on as they come from its other side.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION void go_on_to_boundaries(Primitive<Lane>& left, Primitive<Lane> const& cell, Primitive<Lane>& right) {
  using Real = typename Kokkidio::LaneTraits<Lane>::Scalar;
  using Kokkidio::select;
  Lane const flux = flux_threshold<Real>;
  auto const flux_l = left.z > flux, flux_r = right.z > flux;
  if (!Kokkidio::any(flux_l || flux_r)) return;
  auto const go_on = [&](Lane& on_left, Lane here, Lane& on_right) {
    Lane const twice = here + here, from_right = twice - on_right, from_left = twice - on_left;
    on_left = select(flux_l, from_right, on_left);
    on_right = select(flux_r, from_left, on_right);
  };
  go_on(left.h, cell.h, right.h);
  go_on(left.u, cell.u, right.u);
  go_on(left.v, cell.v, right.v);
}

/// First order: the level follows the bed where the water does, as far as both neighbours agree; no other slopes. Where the
/// level rises nearly as steeply as the bed, the water is a stream and lies parallel to it; in a pool over a curved bed the
/// level must not rise more steeply than it does between the neighbours, or the force on the cell brings energy in. Both are
/// kept by a bound a little above half the mean difference. Its factor was found by trial: 1.1 is less than the depth of
/// MacDonald's channels varies by, with 1.2 the swing in a bowl begins to lose its order, and half slopes throughout miss
/// Malpasset's gauges.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION Slope<Lane> slopes_first(Lane h, SlopeBase<Lane> const& base) {
  Lane const level = minmod(base.level.left, base.level.right, base.bed_rise, base.level_most);
  return {level, depth_half_difference(h, level, base.bed_rise), Lane(), Lane()};
}

/// Second order: limited slopes of level, depth and velocity. The bed between both, level - depth, stays within the bed's
/// rise, and the depth changes as its own limiter allows, with a quarter of what water there is to spare: on steep ground
/// the limited level may differ from the bed by many depths of a film, and would empty the side that the film runs off
/// over. That side keeps half the depth: the force g h dz on the cell then leaves with u² = g dz h / h_side <= 2 g dz.
/// Towards a front, where the shallower neighbour has less than an eighth of the cell's depth, the slopes pass smoothly
/// into those of first order, reached where a neighbour is dry: a slope that emptied the side of a cell facing dry ground
/// would hold the front back.
template <Surroundings where = Surroundings::any, class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION Slope<Lane> slopes_second(Scheme::Limiter limiter, Primitive<Lane> left, Primitive<Lane> const& cell,
                                                     Primitive<Lane> right, SlopeBase<Lane> const& base, Real dry_tolerance) {
  if constexpr (where == Surroundings::any) go_on_to_boundaries(left, cell, right);
  using Kokkidio::max;
  using Kokkidio::min;
  using Kokkidio::select;
  Lane const zero = Real(0), one = Real(1), dry = dry_tolerance;
  Lane const shallower = min(left.h, right.h);
  Lane second = min(one, Lane(Real(8)) * shallower * cell.inverse);
  if constexpr (where == Surroundings::any) second = select(shallower > dry, second, zero);
  Slope<Lane> const first = slopes_first(cell.h, base);
  Lane const half = Real(0.5);
  Lane const level = limited_half_difference(limiter, base.level.left, base.level.right);
  Lane const depth_limited = limited_half_difference(limiter, cell.h - left.h, right.h - cell.h);
  Lane const margin = Lane(Real(0.25)) * min(shallower, cell.h), most = half * cell.h;
  // The smaller difference makes the bed of a curved reach rough by its second derivative; where the water is deep enough to
  // tell, the bed takes the sharper limiter.
  Lane const bed_sharp = limited_half_difference(Scheme::Limiter::mc, base.bed.left, base.bed.right);
  Lane const bed_rise = base.bed_rise + max(-margin, min(margin, bed_sharp - base.bed_rise));
  Lane const lowest = min(first.depth, max(-most, depth_limited - margin));
  Lane const highest = max(first.depth, min(most, depth_limited + margin));
  Lane const depth = max(lowest, min(highest, level - bed_rise));
  Lane const bed = max(Kokkidio::negative_part(bed_rise), min(Kokkidio::positive_part(bed_rise), level - depth));
  Lane const u = limited_half_difference(limiter, cell.u - left.u, right.u - cell.u);
  Lane const v = limited_half_difference(limiter, cell.v - left.v, right.v - cell.v);
  return {Kokkidio::fma(second, depth + bed - first.level, first.level), Kokkidio::fma(second, depth - first.depth, first.depth),
          second * u, second * v};
}

/// A cell as one of its faces sees it: `un` normal to the face, `ut` along it.
template <class Lane>
struct CellAtFace {
  Lane h, un, ut, z, wave, level_slope, depth_slope;
  Lane un_slope{}, ut_slope{}, inverse{};  ///< second order only
};

/// Takes jumps of the transverse velocity that are no more than noise of rounding, below 1024 units of `celerities`, the sum
/// of both sides', out of the flow with the dissipation of HLL. A solver that resolves the contact wave does not damp
/// a shear in still water, and second order, whose slopes and averages of two stages keep rounding anew, feeds it: what
/// moves in a lake at rest would grow with the root of the number of steps. No other flow has such jumps.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION void damp_noise_of_shear(FaceFlux<Lane>& flux, FaceState<Lane> const& L, FaceState<Lane> const& R,
                                                    Lane celerities) {
  using Real = typename Kokkidio::LaneTraits<Lane>::Scalar;
  Lane const jump = L.ut - R.ut;
  auto const noise = Kokkidio::abs(jump) < Lane(1024 * std::numeric_limits<Real>::epsilon()) * celerities;
  if (!Kokkidio::any(noise)) return;
  Lane const dissipation = Lane(Real(0.25)) * celerities * Kokkidio::min(L.h, R.h);
  flux.transverse = Kokkidio::fma(dissipation, Kokkidio::select(noise, jump, Lane(Real(0))), flux.transverse);
}

/// Flux between cells L and R. Mirrors the state at walls; computed boundary fluxes are put in later.
template <int Order, class Riemann, Surroundings where = Surroundings::any, class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION FaceFlux<Lane> face_flux(CellAtFace<Lane> const& L, CellAtFace<Lane> const& R, Real g,
                                                    Real dry_tolerance) {
  Lane h_L = L.h + L.depth_slope, h_R = R.h - R.depth_slope;
  Lane un_L = L.un, ut_L = L.ut, un_R = R.un, ut_R = R.ut;
  Lane wave_L = L.wave, wave_R = R.wave, h_cell_L = L.h, h_cell_R = R.h;
  if constexpr (Order == 2) {  // so that depth times velocity keeps the cell's momentum (Bouchut 2004)
    Lane const weight_L = (L.h - L.depth_slope) * L.inverse;
    Lane const weight_R = (R.h + R.depth_slope) * R.inverse;
    un_L = Kokkidio::fma(weight_L, L.un_slope, un_L);
    ut_L = Kokkidio::fma(weight_L, L.ut_slope, ut_L);
    un_R = Kokkidio::fma(-weight_R, R.un_slope, un_R);
    ut_R = Kokkidio::fma(-weight_R, R.ut_slope, ut_R);
  }
  Lane bed_step = (R.z - L.z) - (L.level_slope + R.level_slope) + (L.depth_slope + R.depth_slope);
  if constexpr (where == Surroundings::any) {
    Lane const mark = mark_threshold<Real>;
    auto const mark_L = L.z > mark, mark_R = R.z > mark;
    if (Kokkidio::any(mark_L || mark_R)) {
      using Kokkidio::select;
      bed_step = select(mark_L || mark_R, Lane(Real(0)), bed_step);
      Lane const h = h_L, un = un_L, ut = ut_L;
      wave_L = select(mark_L, R.wave, L.wave);
      h_cell_L = select(mark_L, R.h, L.h);
      wave_R = select(mark_R, L.wave, R.wave);
      h_cell_R = select(mark_R, L.h, R.h);
      h_L = select(mark_L, h_R, h_L);
      un_L = select(mark_L, -un_R, un_L);
      ut_L = select(mark_L, ut_R, ut_L);
      h_R = select(mark_R, h, h_R);
      un_R = select(mark_R, -un, un_R);
      ut_R = select(mark_R, ut, ut_R);
    }
  }
  auto const pair = hydrostatic_reconstruction(h_L, h_R, bed_step, un_L, ut_L, un_R, ut_R);
  Lane const c_L = celerity_at_face(wave_L, h_cell_L, pair.L.h), c_R = celerity_at_face(wave_R, h_cell_R, pair.R.h);
  auto flux = Riemann{}(pair.L, pair.R, c_L, c_R, g, dry_tolerance);
  if constexpr (Order == 2) damp_noise_of_shear(flux, pair.L, pair.R, c_L + c_R);
  return flux;
}

/// Puts computed boundary fluxes in place of those of a lane of faces. `h_L`, `h_R` are the raw depth fields,
/// which hold the table's numbers in marked cells. `side_of_L`: which side of L the face is (east or north).
template <class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION void take_boundary_fluxes(FaceFlux<Lane>& f, BoundaryFluxTable<Real> const& table, Lane z_L, Lane z_R,
                                                     Real const* h_L, Real const* h_R, Side side_of_L) {
  Lane const flux = flux_threshold<Real>, mark = mark_threshold<Real>;
  auto const here = (z_L > flux && z_R < mark) || (z_R > flux && z_L < mark);
  if (!Kokkidio::any(here)) return;
  auto const put = [&](auto&& mass, auto&& momentum_L, auto&& momentum_R, auto&& transverse, bool L_is_cell, Real number) {
    int const side = L_is_cell ? int(side_of_L) : int(side_of_L) - 1;  // east -> west, north -> south for R
    auto const k = 4 * std::int64_t(number) + side;
    mass = table.mass[k];
    momentum_L = momentum_R = table.momentum[k];
    transverse = table.transverse[k];
  };
  if constexpr (std::is_arithmetic_v<Lane>) {
    put(f.mass, f.momentum_L, f.momentum_R, f.transverse, z_R > flux, z_R > flux ? *h_R : *h_L);
  } else {
    for (int k = 0; k < Lane::width; ++k)
      if (here[k])
        put(f.mass.v[k], f.momentum_L.v[k], f.momentum_R.v[k], f.transverse.v[k], z_R[k] > flux[0],
            z_R[k] > flux[0] ? h_R[k] : h_L[k]);
  }
}

/// Puts fluxes computed by structures in place of those of a lane of faces. `number`: of the first face, or null.
template <class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION void take_structure_fluxes(FaceFlux<Lane>& f, StructureFluxes<Real> const& table, Real const* number) {
  if (!number) return;
  if constexpr (std::is_arithmetic_v<Lane>) {
    if (*number < 0) return;
    auto const k = std::int64_t(*number);
    f = {table.mass[k], table.momentum_L[k], table.momentum_R[k], table.transverse[k]};
  } else {
    if (!Kokkidio::any(Kokkidio::load<Lane>(number) >= Lane(Real(0)))) return;
    for (int n = 0; n < Lane::width; ++n) {
      if (number[n] < 0) continue;
      auto const k = std::int64_t(number[n]);
      f.mass.v[n] = table.mass[k];
      f.momentum_L.v[n] = table.momentum_L[k];
      f.momentum_R.v[n] = table.momentum_R[k];
      f.transverse.v[n] = table.transverse[k];
    }
  }
}

/// What a lane of updated cells tells the time step control.
template <class Lane>
struct UpdateResult {
  Lane rate;   ///< (|u| + c)/dx + (|v| + c)/dy [1/s], 0 where dry or not active, or not asked for
  Lane depth;  ///< new depth, 0 where not active; negative or NaN: the step has failed
};

/// What the two faces of a cell in one direction take from it, and the level's rise from its centre to the higher one.
template <class Lane>
struct FluxBalance {
  Lane mass, momentum, transverse, level_slope;
};
/// `low`, `high`: fluxes through the west and east or the south and north face.
template <class Lane>
KOKKOS_FORCEINLINE_FUNCTION FluxBalance<Lane> flux_balance(Lane level_slope, FaceFlux<Lane> const& low, FaceFlux<Lane> const& high) {
  return {high.mass - low.mass, high.momentum_L - low.momentum_R, high.transverse - low.transverse, level_slope};
}

/// Change of a cell over dt by its four faces and the force of its bed. The force acts on the depth at the start, but on no more
/// than 1.05 times what is left at the end: in a cell that runs empty the little that stays would else take over the push
/// on all that has left, and a slug's last water would come down a ramp faster than the fall allows.
template <class Lane>
struct Tendency {
  Lane h, hu, hv;
};
template <class Lane, class Real>
KOKKOS_FORCEINLINE_FUNCTION Tendency<Lane> tendency(StepArgs<Real> const& a, Lane h, FluxBalance<Lane> const& x, FluxBalance<Lane> const& y) {
  Lane const cx = a.dt * a.inv_dx, cy = a.dt * a.inv_dy;
  using Kokkidio::fma;
  Lane const dh = -fma(cx, x.mass, cy * y.mass);
  Lane const weight = Lane(a.twice_gravity) * Kokkidio::min(h, Lane(Real(1.05)) * (h + dh));
  Lane const push_x = fma(weight, x.level_slope, x.momentum), push_y = fma(weight, y.level_slope, y.momentum);
  return {dh, -fma(cx, push_x, cy * y.transverse), -fma(cy, push_y, cx * x.transverse)};
}

/// What an update reads of a lane of cells: the momentum that the fluxes were taken from, what rounding has kept from the
/// depth (single precision), and the start of the step (second stage).
template <class Lane>
struct StateBefore {
  Lane hu, hv, residue{}, h_0{}, hu_0{}, hv_0{};
};
template <int Stage, class Lane, class Real, class Int>
KOKKOS_FORCEINLINE_FUNCTION StateBefore<Lane> state_before(StepArgs<Real> const& a, Int o) {
  using Kokkidio::load_aligned;
  StateBefore<Lane> s{load_aligned<Lane>(a.hu + o), load_aligned<Lane>(a.hv + o)};
  if constexpr (std::is_same_v<Real, float>) s.residue = load_aligned<Lane>(a.residue + o);
  if constexpr (Stage == 2) {
    s.h_0 = load_aligned<Lane>(a.h_0 + o);
    s.hu_0 = load_aligned<Lane>(a.hu_0 + o);
    s.hv_0 = load_aligned<Lane>(a.hv_0 + o);
  }
  return s;
}

/// Rain, friction, drying; writes the new state of a lane of cells. Stage 2 uses the start of the step as well.
/// `Extras` false: the caller knows that there are no forces, infiltration, rain or friction rasters, and no law of friction
/// but Manning's. `Last` false: no wave speed is asked for.
template <int Stage, bool Last = true, bool Extras = true, Surroundings where = Surroundings::any, class Lane, class Real, class Int>
KOKKOS_FORCEINLINE_FUNCTION UpdateResult<Lane> update(StepArgs<Real> const& a, Int o, Lane z, Lane h, Lane u, Lane v,
                                                     Tendency<Lane> t, StateBefore<Lane> const& before) {
  using Kokkidio::abs;
  using Kokkidio::fma;
  using Kokkidio::load_aligned;
  using Kokkidio::max;
  using Kokkidio::select;
  using Kokkidio::sqrt;
  using Kokkidio::store_aligned;
  Lane const zero = Real(0), one = Real(1), half = Real(0.5), dry = a.dry_tolerance;
  auto const law = Extras || a.friction == FrictionLaw::Type::none ? a.friction : FrictionLaw::Type::manning;
  auto const active = z < Lane(mark_threshold<Real>);
  auto const where_active = [active](Lane x, Lane otherwise) {
    if constexpr (where == Surroundings::all_wet) return x;
    else return select(active, x, otherwise);
  };
  Lane const h_raw = where == Surroundings::all_wet ? h : load_aligned<Lane>(a.h + o);
  Lane const k_law = Extras && a.friction_raster ? load_aligned<Lane>(a.friction_raster + o) : Lane(a.friction_constant);

  Lane rain = a.rain_depth;
  if (Extras && a.rain_raster) rain = fma(Lane(a.dt), load_aligned<Lane>(a.rain_raster + o), rain);
  t.h += rain;
  if (Extras && a.force_x) {
    t.hu = fma(Lane(a.dt), load_aligned<Lane>(a.force_x + o), t.hu);
    t.hv = fma(Lane(a.dt), load_aligned<Lane>(a.force_y + o), t.hv);
  }

  Lane h_base = h_raw, dh = t.h, hu = before.hu, hv = before.hv;
  Lane hu_0 = zero, hv_0 = zero, drag_old = zero, keep_old = one;
  if constexpr (Stage == 1) {
    hu += t.hu;
    hv += t.hv;
  } else {
    h_base = before.h_0;
    hu_0 = before.hu_0;
    hv_0 = before.hv_0;
    dh = half * ((h - h_base) + t.h);
    // Undo the friction of stage 1 (w + dt k w² = |u|, so the factor was 1 / (1 + dt k w)), to average the
    // tendencies alone.
    Lane const h_flow = max(h, dry);
    Lane const k_1 = k_law * depth_powers(law, h_flow).friction;
    Lane const speed_1 = sqrt(fma(u, u, v * v));
    Lane const drag_1 = law == FrictionLaw::Type::linear ? k_1 : k_1 * speed_1;
    Lane const undo = fma(Lane(a.dt), drag_1, one);
    hu = half * (fma(hu, undo, hu_0) + t.hu);
    hv = half * (fma(hv, undo, hv_0) + t.hv);
    // Friction over the step, second order: k at mid depth, |u| between both ends, and weights that go from the
    // trapezoidal rule (short steps) to backward Euler (long ones), so the flow never turns round and a steady
    // balance is kept exactly.
    Lane const inverse_0 = Kokkidio::reciprocal(max(h_base, dry));
    auto const flowed = h_base > dry;
    Lane const speed_0 = select(flowed, sqrt(fma(hu_0, hu_0, hv_0 * hv_0)) * inverse_0, zero);
    Lane const h_mid = max(fma(half, dh, h_base), dry);
    Lane const k_mid = Lane(a.dt) * k_law * depth_powers(law, h_mid).friction;
    bool const linear = law == FrictionLaw::Type::linear;
    Lane const most = linear ? k_mid : k_mid * max(speed_0, speed_1);
    Lane const theta = (one + most) * Kokkidio::reciprocal(Lane(Real(2)) + most);
    Lane const drag = linear ? k_mid : k_mid * fma(theta, speed_1, (one - theta) * speed_0);
    drag_old = (one - theta) * drag;
    keep_old = Kokkidio::reciprocal(fma(theta, drag, one));
  }

  Lane h_new = h_base + dh;
  constexpr bool compensated = std::is_same_v<Real, float>;
  if constexpr (compensated) {  // compensated sum (Kahan 1965)
    Lane const add = dh + before.residue;
    h_new = h_base + add;
    store_aligned(a.residue_new + o, where_active(add - (h_new - h_base), zero));
  }

  Lane const h_flow = max(h_new, dry);
  DepthPowers<Lane> powers{};
  if constexpr (Stage == 1) powers = depth_powers(law, h_flow);
  else powers.inverse = Kokkidio::reciprocal(h_flow);
  auto const flows = h_new > dry;
  Lane factor = one;
  if constexpr (Stage == 1) {
    if (law != FrictionLaw::Type::none) {
      Lane const speed = sqrt(fma(hu, hu, hv * hv)) * powers.inverse;
      factor = friction_factor(law, k_law, powers.friction, speed, a.dt);
    }
    hu *= factor;
    hv *= factor;
  } else {
    hu = fma(-drag_old, hu_0, hu) * keep_old;
    hv = fma(-drag_old, hv_0, hv) * keep_old;
  }
  hu = where_active(select(flows, hu, zero), zero);
  hv = where_active(select(flows, hv, zero), zero);
  Lane const u_new = hu * powers.inverse, v_new = hv * powers.inverse;
  if (Extras && a.infiltration.model != InfiltrationModel::none) {  // what seeps away takes its momentum along
    Lane const taken = infiltrate(a.infiltration, o, where_active(h_new, zero), rain, a.dt);
    Lane left = h_new - taken;
    if constexpr (compensated) {  // less than the last digit seeps away too; with the last drop goes what rounding kept
      Lane const add = load_aligned<Lane>(a.residue_new + o) - taken;
      auto const some = taken < h_new && h_new + add > zero;
      left = select(some || h_new < zero, h_new + add, zero);
      store_aligned(a.residue_new + o, where_active(select(some, add - (left - h_new), zero), zero));
    }
    Lane const share = select(left > dry, left * powers.inverse, zero);
    hu *= share;
    hv *= share;
    h_new = where_active(left, h_new);
  }
  store_aligned(a.h_new + o, where_active(h_new, h_raw));
  store_aligned(a.hu_new + o, hu);
  store_aligned(a.hv_new + o, hv);

  if constexpr (!Last) return {zero, where_active(h_new, zero)};
  Lane const c = sqrt(Lane(a.gravity) * h_new);  // a depth below zero is told as such
  Lane const rate = fma(abs(u_new) + c, Lane(a.inv_dx), (abs(v_new) + c) * Lane(a.inv_dy));
  return {where_active(rate, zero), where_active(h_new, zero)};
}

}  // namespace swe
