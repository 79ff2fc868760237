#include "solver/step_host.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "solver/riemann/registry.hpp"

// Lanes exist on the CPU alone; a GPU compiler's pass over this file has nothing to do.
#if !defined(__CUDA_ARCH__)

namespace swe {
namespace {

/// Lanes of a tile that are computed at once: a LaneSet has room for them and two more on either side.
constexpr int most_lanes = 32;

/// Rows of one tile, with room for the cells around it. Small enough for the second-level cache, most of them
/// for the first.
template <class Real>
class TileRows {
public:
  static constexpr int lane_width = Kokkidio::native_lane_width<Real>;
  static constexpr int margin =
      2 * lane_width;  ///< columns west of the tile, so that the tile's lanes are aligned
  static constexpr int lanes =
      std::min(tile_width / lane_width, most_lanes);  ///< of the part of a tile that is computed at once
  static constexpr int length = lanes * lane_width + 2 * margin;
  using Row = std::array<Real, length>;

  struct PrimitiveRow {
    alignas(64) Row h, u, v;
    alignas(64) Row wave;
    alignas(64) Row inverse;  // second order only
  };
  struct SlopeRow {
    alignas(64) Row level, depth;
    alignas(64) Row u, v;  // second order only
  };
  struct FluxRow {
    alignas(64) Row mass, momentum_L, momentum_R, transverse;
  };

  /// primitives of rows j-1, j, j+1 (index: row modulo 3)
  PrimitiveRow primitive[3];
  SlopeRow slope_x[2], slope_y[2];  ///< of rows j-1 and j
  FluxRow flux_x;                   ///< west faces of row j-1
  FluxRow flux_y[2];                ///< south faces of rows j-1 and j
  alignas(64) Row level_step;       ///< level differences from row j-1 to row j; first order only
};

/// Which lanes of a row are wet (every cell active and holding water) and which are dry (no cell holds any).
/// Bit k stands for the lane that starts 2 lanes west of the tile's first plus k.
using LaneSet = std::uint64_t;
static_assert(most_lanes + 4 <= 64);
struct LaneBits {
  LaneSet wet = 0, dry = 0;
};
inline LaneBits operator&(LaneBits a, LaneBits b) { return {a.wet & b.wet, a.dry & b.dry}; }

/// How a lane is to be computed.
enum class Path { any, all_wet, all_dry };

template <class Lane, class Row>
inline Lane at(Row const& row, int c) {
  return Lane::load(row.data() + c);
}

/// Fetched long before it is read: rows of a tile are too short for the processor to see the pattern in time.
template <class... T>
inline void prefetch(Offset o, T const*... fields) {
  (__builtin_prefetch(fields + o), ...);
}
template <class... T>
inline void prefetch_for_writing(Offset o, T*... fields) {
  (__builtin_prefetch(fields + o, 1), ...);
}
template <class Lane, class... T>
inline void store_everywhere(Lane x, Offset o, T*... fields) {
  (x.store(fields + o), ...);
}

/// `Extras` as in update(); false too: no structures, and no limiter but MC.
template <class Real, class Riemann, int Order, int Stage, bool Extras>
struct TileStep {
  using Lane = Kokkidio::Lane<Real>;
  using Rows = TileRows<Real>;
  static constexpr int W = Lane::width;

  StepArgs<Real> const& a;
  int const i0, j0;
  int const lanes;      ///< of the tile that hold cells of the grid
  bool const skip_dry;  ///< nothing but flow changes a dry cell
  Rows rows;            // not initialised: every entry is written before it is read
  LaneBits bits_[4];    ///< of rows j-2 ... j+1

  TileStep(StepArgs<Real> const& args, int i, int j, int lane_count)
      : a(args),
        i0(i),
        j0(j),
        lanes(lane_count),
        skip_dry(args.rain_depth == 0 && !(Extras && (args.structures.number_x || args.rain_raster ||
                                                      args.infiltration.model != InfiltrationModel::none))) {}

  /// First column in the rows of lane k of the tile; cell i0 is in the first column of lane 0.
  static constexpr int column(int k) { return Rows::margin + k * W; }
  /// Offset of the cell in column c of the rows.
  Offset offset(int c, int j) const { return i0 + (c - Rows::margin) + a.pitch * j; }

  /// Numbers of structures on the west or south faces of row j, null when there are none.
  Real const* number_x(int c, int j) const {
    return Extras && a.structures.number_x ? a.structures.number_x + offset(c, j) : nullptr;
  }
  Real const* number_y(int c, int j) const {
    return Extras && a.structures.number_y ? a.structures.number_y + offset(c, j) : nullptr;
  }

  typename Rows::PrimitiveRow& primitive(int j) { return rows.primitive[(j + 3) % 3]; }
  typename Rows::SlopeRow& slope_x(int j) { return rows.slope_x[(j + 2) % 2]; }
  typename Rows::SlopeRow& slope_y(int j) { return rows.slope_y[(j + 2) % 2]; }
  typename Rows::FluxRow& flux_y(int j) { return rows.flux_y[(j + 2) % 2]; }
  LaneBits& bits(int j) { return bits_[(j + 4) % 4]; }

  Primitive<Lane> primitive_at(int j, int c) {
    auto const& p = primitive(j);
    Primitive<Lane> r{at<Lane>(p.h, c), at<Lane>(p.u, c), at<Lane>(p.v, c), Lane::load(a.bed + offset(c, j))};
    r.wave = at<Lane>(p.wave, c);
    if constexpr (Order == 2) r.inverse = at<Lane>(p.inverse, c);
    return r;
  }

  /// Calls f(k, path) for the lanes k in [begin, end); `path`, a constant, says how to compute lane k if
  /// lanes k + first ... k + last of the rows that `b` stands for matter to it. It depends on the grid's
  /// lanes alone, so two tiles that compute the same face do it in the same way.
  template <int first, int last, class F>
  static void for_lanes(LaneBits b, int begin, int end, F const& f) {
    auto const all_of = [&](LaneSet bits) {
      bits >>= begin + 2 + first;
      LaneSet r = bits;
      for (int n = 1; n <= last - first; ++n) r &= bits >> n;
      return r;
    };
    LaneSet wet = all_of(b.wet), dry = all_of(b.dry);
    for (int k = begin; k < end; ++k, wet >>= 1, dry >>= 1) {
      if (wet & 1)
        f(k, std::integral_constant<Path, Path::all_wet>{});
      else if (dry & 1)
        f(k, std::integral_constant<Path, Path::all_dry>{});
      else
        f(k, std::integral_constant<Path, Path::any>{});
    }
  }
  template <Path path>
  static constexpr Surroundings surroundings =
      path == Path::all_wet ? Surroundings::all_wet : Surroundings::any;

  /// Depth and velocity of row j, one lane beyond the tile on either side; the bits of a second.
  void compute_primitives(int j) {
    auto& p = primitive(j);
    LaneBits b;
    Lane const dry = a.dry_tolerance, mark = mark_threshold<Real>, zero = Real(0);
    Lane const flux_mark = flux_threshold<Real>, inverse_dry = Lane(Real(1)) / dry;
    auto const note = [&](int k, Lane h, Lane z) {
      auto const o = offset(column(k), j);
      bool const wet = all(h > dry && z < mark);
      bool no_water = !wet && all(h == zero && z < flux_mark);
      if (no_water && a.residue) no_water = all(Lane::load(a.residue + o) == zero);
      if (Stage == 2 && no_water) no_water = all(Lane::load(a.h_0 + o) == zero);
      b.wet |= LaneSet(wet) << (k + 2);
      b.dry |= LaneSet(no_water) << (k + 2);
      return no_water;
    };
    for (int k : {-2, lanes + 1})
      note(k, Lane::load(a.h + offset(column(k), j)), Lane::load(a.bed + offset(column(k), j)));
    for (int k = -1; k <= lanes; ++k) {
      int const c = column(k);
      Lane const h_raw = Lane::load(a.h + offset(c, j)), z = Lane::load(a.bed + offset(c, j));
      if (note(k, h_raw, z)) {
        store_everywhere(zero, c, p.h.data(), p.u.data(), p.v.data(), p.wave.data());
        if constexpr (Order == 2) inverse_dry.store(p.inverse.data() + c);
        continue;
      }
      auto const q =
          primitives(a, h_raw, Lane::load(a.hu + offset(c, j)), Lane::load(a.hv + offset(c, j)), z);
      q.h.store(p.h.data() + c);
      q.u.store(p.u.data() + c);
      q.v.store(p.v.data() + c);
      q.wave.store(p.wave.data() + c);
      if constexpr (Order == 2) q.inverse.store(p.inverse.data() + c);
    }
    if (Extras && a.structures.number_x) b.wet = 0;  // structures are looked for on the long path only
    if (!skip_dry) b.dry = 0;
    bits(j) = b;
  }

  void compute_level_steps(int j_from) {
    for (int k = -1; k <= lanes; ++k)
      level_difference(primitive_at(j_from, column(k)), primitive_at(j_from + 1, column(k)), a.dry_tolerance)
          .store(rows.level_step.data() + column(k));
  }

  template <Surroundings where>
  KOKKOS_FORCEINLINE_FUNCTION Slope<Lane> slopes(Primitive<Lane> const& left, Primitive<Lane> const& cell,
                                                 Primitive<Lane> const& right,
                                                 Differences<Lane> level) const {
    auto const base = slope_base<where>(level, {cell.z - left.z, right.z - cell.z}, left.z, right.z);
    if constexpr (Order == 1)
      return slopes_first(cell.h, base);
    else
      return slopes_second<where>(Extras ? a.limiter : Scheme::Limiter::mc, left, cell, right, base, a.dry_tolerance);
  }

  static void store(Slope<Lane> const& s, typename Rows::SlopeRow& row, int c) {
    s.level.store(row.level.data() + c);
    s.depth.store(row.depth.data() + c);
    if constexpr (Order == 2) {
      s.u.store(row.u.data() + c);
      s.v.store(row.v.data() + c);
    }
  }

  /// Slopes of row j, one lane beyond the tile on either side. Needs primitives of rows j-1 to j+1 and the
  /// level steps from j-1 to j; leaves those from j to j+1.
  void compute_slopes(int j) {
    auto const compute = [&]<Path path>(int k, std::integral_constant<Path, path>) {
      int const c = column(k);
      prefetch(offset(c, j + 2), a.h, a.bed);
      if constexpr (path == Path::all_dry) {
        Lane const zero = Real(0);
        store({zero, zero, zero, zero}, slope_x(j), c);
        store({zero, zero, zero, zero}, slope_y(j), c);
        if constexpr (Order == 1) zero.store(rows.level_step.data() + c);
      } else {
        compute_slopes<surroundings<path>>(j, c);
      }
    };
    for_lanes<-1, 1>(bits(j - 1) & bits(j) & bits(j + 1), -1, lanes + 1, compute);
  }

  template <Surroundings where>
  KOKKOS_FORCEINLINE_FUNCTION void compute_slopes(int j, int c) {
    auto const cell = primitive_at(j, c);
    auto const south = primitive_at(j - 1, c), north = primitive_at(j + 1, c);
    Lane const step_north = level_difference<where>(cell, north, a.dry_tolerance);
    Lane step_south;
    if constexpr (Order == 1) step_south = at<Lane>(rows.level_step, c);
    else step_south = level_difference<where>(south, cell, a.dry_tolerance);  // its differences are needed anyway
    Differences<Lane> dy{step_south, step_north};
    auto const west = primitive_at(j, c - 1), east = primitive_at(j, c + 1);
    Differences<Lane> dx{level_difference<where>(west, cell, a.dry_tolerance),
                         level_difference<where>(cell, east, a.dry_tolerance)};
    if constexpr (Extras && where == Surroundings::any) {
      dy = across_open_faces(dy, number_y(c, j), number_y(c, j + 1));
      dx = across_open_faces(dx, number_x(c, j), number_x(c + 1, j));
    }
    store(slopes<where>(south, cell, north, dy), slope_y(j), c);
    store(slopes<where>(west, cell, east, dx), slope_x(j), c);
    if constexpr (Order == 1) step_north.store(rows.level_step.data() + c);
  }

  KOKKOS_FORCEINLINE_FUNCTION CellAtFace<Lane> x_cell(int j, int c) {
    auto const p = primitive_at(j, c);
    auto const& s = slope_x(j);
    CellAtFace<Lane> f{p.h, p.u, p.v, p.z, p.wave, at<Lane>(s.level, c), at<Lane>(s.depth, c)};
    if constexpr (Order == 2) {
      f.un_slope = at<Lane>(s.u, c);
      f.ut_slope = at<Lane>(s.v, c);
      f.inverse = p.inverse;
    }
    return f;
  }
  KOKKOS_FORCEINLINE_FUNCTION CellAtFace<Lane> y_cell(int j, int c) {
    auto const p = primitive_at(j, c);
    auto const& s = slope_y(j);
    CellAtFace<Lane> f{p.h, p.v, p.u, p.z, p.wave, at<Lane>(s.level, c), at<Lane>(s.depth, c)};
    if constexpr (Order == 2) {
      f.un_slope = at<Lane>(s.v, c);
      f.ut_slope = at<Lane>(s.u, c);
      f.inverse = p.inverse;
    }
    return f;
  }

  static void store(FaceFlux<Lane> const& f, typename Rows::FluxRow& row, int c) {
    f.mass.store(row.mass.data() + c);
    f.momentum_L.store(row.momentum_L.data() + c);
    f.momentum_R.store(row.momentum_R.data() + c);
    f.transverse.store(row.transverse.data() + c);
  }
  static FaceFlux<Lane> flux_at(typename Rows::FluxRow const& row, int c) {
    return {at<Lane>(row.mass, c), at<Lane>(row.momentum_L, c), at<Lane>(row.momentum_R, c),
            at<Lane>(row.transverse, c)};
  }
  static constexpr FaceFlux<Lane> no_flux() { return {Real(0), Real(0), Real(0), Real(0)}; }

  /// Flux through the faces between L and R; the long path asks boundaries and structures too.
  template <Surroundings where>
  KOKKOS_FORCEINLINE_FUNCTION FaceFlux<Lane> flux(CellAtFace<Lane> const& L, CellAtFace<Lane> const& R,
                                                  Offset o_L, Offset o_R, Side side_of_L,
                                                  Real const* number) const {
    auto f = face_flux<Order, Riemann, where>(L, R, a.gravity, a.dry_tolerance);
    if constexpr (where == Surroundings::any) {
      take_boundary_fluxes(f, a.boundary, L.z, R.z, a.h + o_L, a.h + o_R, side_of_L);
      take_structure_fluxes(f, a.structures, number);
    }
    return f;
  }

  /// Fluxes through the west faces of row j, up to the east face of the tile.
  void compute_x_fluxes(int j) {
    auto const compute = [&]<Path path>(int k, std::integral_constant<Path, path>) {
      int const c = column(k);
      auto const o = offset(c, j);
      prefetch(o + 2 * a.pitch, a.hu);
      if constexpr (path == Path::all_dry)
        store(no_flux(), rows.flux_x, c);
      else
        store(flux<surroundings<path>>(x_cell(j, c - 1), x_cell(j, c), o - 1, o, Side::east, number_x(c, j)),
              rows.flux_x, c);
    };
    for_lanes<-1, 0>(bits(j), 0, lanes + 1, compute);
  }

  /// Fluxes through the south faces of row j.
  void compute_y_fluxes(int j) {
    auto const compute = [&]<Path path>(int k, std::integral_constant<Path, path>) {
      int const c = column(k);
      auto const o = offset(c, j);
      prefetch(o + 2 * a.pitch, a.hv);
      prefetch_for_writing(o, a.h_new, a.hu_new, a.hv_new);
      if constexpr (std::is_same_v<Real, float>) {  // kept in single precision only
        prefetch(o, a.residue);
        prefetch_for_writing(o, a.residue_new);
      }
      if constexpr (Stage == 2) prefetch(o, a.h_0, a.hu_0, a.hv_0);
      if constexpr (path == Path::all_dry)
        store(no_flux(), flux_y(j), c);
      else
        store(flux<surroundings<path>>(y_cell(j - 1, c), y_cell(j, c), o - a.pitch, o, Side::north,
                                       number_y(c, j)),
              flux_y(j), c);
    };
    for_lanes<0, 0>(bits(j - 1) & bits(j), 0, lanes, compute);
  }

  /// Cells of row j from their four faces.
  template <Surroundings where>
  KOKKOS_FORCEINLINE_FUNCTION UpdateResult<Lane> update_lane(int j, int c) {
    auto const p = primitive_at(j, c);
    auto const x = flux_balance(at<Lane>(slope_x(j).level, c), flux_at(rows.flux_x, c), flux_at(rows.flux_x, c + 1));
    auto const y = flux_balance(at<Lane>(slope_y(j).level, c), flux_at(flux_y(j), c), flux_at(flux_y(j + 1), c));
    auto const t = tendency(a, p.h, x, y);
    auto const o = offset(c, j);
    return update<Stage, Stage == Order, Extras, where>(a, o, p.z, p.h, p.u, p.v, t, state_before<Stage, Lane>(a, o));
  }

  /// Cells that are and stay dry.
  UpdateResult<Lane> keep_dry(int j, int c) {
    Lane const zero = Real(0);
    auto const o = offset(c, j);
    store_everywhere(zero, o, a.h_new, a.hu_new, a.hv_new);
    if (a.residue) zero.store(a.residue_new + o);
    return {zero, zero};
  }

  struct Found {
    Lane max_rate = Real(0), deepest = Real(0);
    typename Lane::Mask bad = Lane(Real(0)) > Lane(Real(0));
  };

  void update_row(int j, Found& found) {
    // A wet lane goes the short way whatever its neighbours, whose fluxes are there; a dry one stays dry
    // among dry ones.
    LaneBits b = bits(j - 1) & bits(j) & bits(j + 1);
    b.dry &= (b.dry >> 1) & (b.dry << 1);
    b.wet = bits(j).wet;
    auto const compute = [&]<Path path>(int k, std::integral_constant<Path, path>) {
      int const c = column(k);
      UpdateResult<Lane> r;
      if constexpr (path == Path::all_dry)
        r = keep_dry(j, c);
      else
        r = update_lane<surroundings<path>>(j, c);
      int const i = i0 + k * W;
      if (i + W > a.nx) {  // cells beyond the grid have no say
        Lane number;
        for (int n = 0; n < W; ++n) number.v[n] = Real(n);
        auto const inside = number < Lane(Real(a.nx - i));
        r.rate = select(inside, r.rate, Lane(Real(0)));
        r.depth = select(inside, r.depth, Lane(Real(0)));
      }
      found.max_rate = max(found.max_rate, r.rate);
      found.deepest = max(found.deepest, r.depth);
      found.bad = found.bad || !(r.depth >= Lane(Real(0))) || !(r.rate < Lane(Real(1e30)));
    };
    for_lanes<0, 0>(b, 0, lanes, compute);
  }

  TileResult<Real> run() {
    int const rows_here = std::min(tile_height, a.ny - j0);
    Found found;
    for (int j = j0 - 2; j <= j0; ++j) compute_primitives(j);
    if constexpr (Order == 1) compute_level_steps(j0 - 2);
    for (int j = j0 - 1; j <= j0 + rows_here; ++j) {
      if (j > j0 - 1) compute_primitives(j + 1);
      compute_slopes(j);
      if (j < j0) continue;
      compute_y_fluxes(j);
      if (j > j0) update_row(j - 1, found);
      if (j < j0 + rows_here) compute_x_fluxes(j);
    }
    return {reduce_max(found.max_rate), any(found.bad), reduce_max(found.deepest) > 0};
  }
};

template <class Real, class Riemann, int Order, int Stage, bool Extras>
TileResult<Real> tile_step(StepArgs<Real> const& a, int i0, int j0) {
  using Rows = TileRows<Real>;
  constexpr int width = Rows::lane_width;
  TileResult<Real> all;
  for (int i = i0; i < std::min(i0 + tile_width, a.nx); i += Rows::lanes * width) {
    int const lanes = std::min(Rows::lanes, (a.nx - i + width - 1) / width);
    auto const part = TileStep<Real, Riemann, Order, Stage, Extras>(a, i, j0, lanes).run();
    all = {std::max(all.max_rate, part.max_rate), all.failed || part.failed, all.wet || part.wet};
  }
  return all;
}

template <class Real, class Riemann, bool Extras>
TileKernel<Real> kernel_for(int order, int stage) {
  if (order == 1) return tile_step<Real, Riemann, 1, 1, Extras>;
  return stage == 1 ? tile_step<Real, Riemann, 2, 1, Extras> : tile_step<Real, Riemann, 2, 2, Extras>;
}

}  // namespace

template <class Real>
TileKernel<Real> host_tile_kernel(Scheme::Riemann riemann, int order, int stage, bool extras) {
  switch (riemann) {
    case Scheme::Riemann::hll:
      return kernel_for<Real, RiemannHll, true>(order, stage);
    case Scheme::Riemann::roe:
      return kernel_for<Real, RiemannRoe, true>(order, stage);
    case Scheme::Riemann::hllc:
      break;
  }
  return extras ? kernel_for<Real, RiemannHllc, true>(order, stage) : kernel_for<Real, RiemannHllc, false>(order, stage);
}

template TileKernel<float> host_tile_kernel<float>(Scheme::Riemann, int, int, bool);
template TileKernel<double> host_tile_kernel<double>(Scheme::Riemann, int, int, bool);

}  // namespace swe

#endif
