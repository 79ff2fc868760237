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

/// Rows of one tile, with room for the cells around it. Sized so that all of them fit into the first-level cache.
template <class Real>
class TileRows {
 public:
  static constexpr int lane_width = Kokkidio::native_lane_width<Real>;
  static constexpr int margin = 2;  // cells beyond the tile that a row may hold
  static constexpr int length = tile_width + 2 * margin + 2 * lane_width;
  using Row = std::array<Real, length>;

  struct PrimitiveRow {
    alignas(64) Row h, u, v;
  };
  struct SlopeRow {
    alignas(64) Row level, depth, u, v;
  };
  struct FluxRow {
    alignas(64) Row mass, momentum_L, momentum_R, transverse;
  };

  /// primitives of rows j-1, j, j+1 (index: row modulo 3)
  PrimitiveRow primitive[3];
  SlopeRow slope_x;     ///< of row j
  SlopeRow slope_y[2];  ///< of rows j-1 and j
  FluxRow flux_x;       ///< west faces of row j-1
  FluxRow flux_y;       ///< south faces of row j-1
  /// Of rows j-1, j, j+1: bit k is set where all cells of columns [k W, (k + 1) W) are active and wet.
  std::uint32_t wet[3] = {0, 0, 0};
  alignas(64) Row level_step;    ///< level differences from row j-1 to row j
  alignas(64) Row level_slope_x; ///< of row j-1, kept for its update
};

template <class Lane, class Row>
inline Lane at(Row const& row, int c) { return Lane::load(row.data() + c); }

template <class Real, class Riemann, int Order, int Stage>
struct TileStep {
  using Lane = Kokkidio::Lane<Real>;
  using Rows = TileRows<Real>;
  static constexpr int W = Lane::width;

  StepArgs<Real> const& a;
  int const i0, j0;
  int const columns;  ///< of the tile that lie in the grid, rounded up to lanes
  Rows rows;  // not initialised: every entry is written before it is read

  TileStep(StepArgs<Real> const& args, int i, int j, int count) : a(args), i0(i), j0(j), columns(count) {}

  /// Offset of the cell in column c of the rows; column `margin` is cell i0.
  Offset offset(int c, int j) const { return i0 + (c - Rows::margin) + a.pitch * j; }

  /// Numbers of structures on the west or south faces of row j, null when there are none.
  Real const* number_x(int c, int j) const { return a.structures.number_x ? a.structures.number_x + offset(c, j) : nullptr; }
  Real const* number_y(int c, int j) const { return a.structures.number_y ? a.structures.number_y + offset(c, j) : nullptr; }

  typename Rows::PrimitiveRow& primitive(int j) { return rows.primitive[(j + 3) % 3]; }
  typename Rows::SlopeRow& slope_y(int j) { return rows.slope_y[(j + 2) % 2]; }

  Primitive<Lane> primitive_at(int j, int c) {
    auto const& p = primitive(j);
    return {at<Lane>(p.h, c), at<Lane>(p.u, c), at<Lane>(p.v, c), Lane::load(a.bed + offset(c, j))};
  }

  std::uint32_t& wet(int j) { return rows.wet[(j + 3) % 3]; }
  /// Whether columns [k W, (k + 2) W) are all wet, by the bits of a row or of rows combined. A lane that starts one or
  /// two columns after k W, and its neighbours, lie within.
  static bool wet_around(std::uint32_t bits, int k) { return ((bits >> k) & 3u) == 3u; }

  /// Depth and velocity of row j, two cells beyond the tile to the west and to the east as far as the lane of the tile's
  /// last face looks: so the tile to the east takes the same path for that face, and gets the same flux to the bit.
  void compute_primitives(int j) {
    auto& p = primitive(j);
    std::uint32_t bits = 0;
    Lane const dry = a.dry_tolerance, mark = mark_threshold<Real>;
    for (int c = 0; c < columns + 2 * W; c += W) {
      auto const q = primitives<Lane>(a, offset(c, j));
      bits |= std::uint32_t(all(q.h > dry && q.z < mark)) << (c / W);
      q.h.store(p.h.data() + c);
      q.u.store(p.u.data() + c);
      q.v.store(p.v.data() + c);
    }
    wet(j) = a.structures.number_x ? 0 : bits;  // structures are looked for on the long path only
  }

  void compute_level_steps(int j_from, int begin, int end) {
    for (int c = begin; c < end; c += W)
      level_difference(primitive_at(j_from, c), primitive_at(j_from + 1, c), a.dry_tolerance)
          .store(rows.level_step.data() + c);
  }

  template <Surroundings where>
  Slope<Lane> slopes(Primitive<Lane> const& left, Primitive<Lane> const& cell, Primitive<Lane> const& right,
                     Differences<Lane> level) const {
    auto const base = slope_base<where>(level, left.z, cell.z, right.z);
    if constexpr (Order == 1) return slopes_first(cell.h, base);
    else return slopes_second(a.limiter, left, cell, right, base, a.dry_tolerance);
  }

  static void store(Slope<Lane> const& s, typename Rows::SlopeRow& row, int c) {
    s.level.store(row.level.data() + c);
    s.depth.store(row.depth.data() + c);
    if constexpr (Order == 2) {
      s.u.store(row.u.data() + c);
      s.v.store(row.v.data() + c);
    }
  }

  /// Slopes of row j, one cell beyond the tile on either side. Needs primitives of rows j-1 to j+1 and the level
  /// steps from j-1 to j; leaves those from j to j+1.
  void compute_slopes(int j) {
    auto const bits = wet(j - 1) & wet(j) & wet(j + 1);
    for (int k = 0, c = Rows::margin - 1; c < Rows::margin + columns + 1; ++k, c += W)
      if (wet_around(bits, k)) compute_slopes<Surroundings::all_wet>(j, c);
      else compute_slopes<Surroundings::any>(j, c);
  }

  template <Surroundings where>
  void compute_slopes(int j, int c) {
    auto const cell = primitive_at(j, c);
    auto const south = primitive_at(j - 1, c), north = primitive_at(j + 1, c);
    Lane const step_north = level_difference<where>(cell, north, a.dry_tolerance);
    Differences<Lane> dy{at<Lane>(rows.level_step, c), step_north};
    auto const west = primitive_at(j, c - 1), east = primitive_at(j, c + 1);
    Differences<Lane> dx{level_difference<where>(west, cell, a.dry_tolerance), level_difference<where>(cell, east, a.dry_tolerance)};
    if constexpr (where == Surroundings::any) {
      dy = across_open_faces(dy, number_y(c, j), number_y(c, j + 1));
      dx = across_open_faces(dx, number_x(c, j), number_x(c + 1, j));
    }
    store(slopes<where>(south, cell, north, dy), slope_y(j), c);
    store(slopes<where>(west, cell, east, dx), rows.slope_x, c);
    step_north.store(rows.level_step.data() + c);
  }

  CellAtFace<Lane> x_cell(int j, int c) {
    auto const p = primitive_at(j, c);
    auto const& s = rows.slope_x;
    CellAtFace<Lane> f{p.h, p.u, p.v, p.z, at<Lane>(s.level, c), at<Lane>(s.depth, c), {}, {}};
    if constexpr (Order == 2) {
      f.un_slope = at<Lane>(s.u, c);
      f.ut_slope = at<Lane>(s.v, c);
    }
    return f;
  }
  CellAtFace<Lane> y_cell(int j, int c) {
    auto const p = primitive_at(j, c);
    auto const& s = slope_y(j);
    CellAtFace<Lane> f{p.h, p.v, p.u, p.z, at<Lane>(s.level, c), at<Lane>(s.depth, c), {}, {}};
    if constexpr (Order == 2) {
      f.un_slope = at<Lane>(s.v, c);
      f.ut_slope = at<Lane>(s.u, c);
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
    return {at<Lane>(row.mass, c), at<Lane>(row.momentum_L, c), at<Lane>(row.momentum_R, c), at<Lane>(row.transverse, c)};
  }

  /// Fluxes through the west faces of row j, up to the east face of the tile.
  void compute_x_fluxes(int j) {
    for (int k = 0, c = Rows::margin; c < Rows::margin + columns + 1; ++k, c += W) {
      auto const L = x_cell(j, c - 1), R = x_cell(j, c);
      if (wet_around(wet(j), k)) {
        store(face_flux<Order, Riemann, Surroundings::all_wet>(L, R, a.gravity, a.dry_tolerance), rows.flux_x, c);
        continue;
      }
      auto f = face_flux<Order, Riemann>(L, R, a.gravity, a.dry_tolerance);
      take_boundary_fluxes(f, a.boundary, L.z, R.z, a.h + offset(c - 1, j), a.h + offset(c, j), Side::east);
      take_structure_fluxes(f, a.structures, number_x(c, j));
      store(f, rows.flux_x, c);
    }
  }

  /// Flux through the south face of row j.
  template <Surroundings where>
  FaceFlux<Lane> y_flux(int j, int c) {
    auto const L = y_cell(j - 1, c), R = y_cell(j, c);
    auto f = face_flux<Order, Riemann, where>(L, R, a.gravity, a.dry_tolerance);
    if constexpr (where == Surroundings::any) {
      take_boundary_fluxes(f, a.boundary, L.z, R.z, a.h + offset(c, j - 1), a.h + offset(c, j), Side::north);
      take_structure_fluxes(f, a.structures, number_y(c, j));
    }
    return f;
  }

  /// Cells of row j from their four faces, of which the north one is given.
  template <Surroundings where>
  UpdateResult<Lane> update_row(int j, int c, FaceFlux<Lane> const& north) {
    auto const p = primitive_at(j, c);
    auto const t = tendency(a, p.h, at<Lane>(rows.level_slope_x, c), at<Lane>(slope_y(j).level, c), flux_at(rows.flux_x, c),
                            flux_at(rows.flux_x, c + 1), flux_at(rows.flux_y, c), north);
    return update<Stage, true, where>(a, offset(c, j), p.z, p.h, p.u, p.v, t);
  }

  TileResult<Real> run() {
    int const rows_here = std::min(tile_height, a.ny - j0);
    Lane max_rate = Real(0), deepest = Real(0);
    auto bad = Lane(Real(0)) > Lane(Real(0));
    Lane column;
    for (int k = 0; k < W; ++k) column.v[k] = Real(k);

    for (int j = j0 - 2; j <= j0; ++j) compute_primitives(j);
    compute_level_steps(j0 - 2, Rows::margin - 1, Rows::margin + columns + 1);
    for (int j = j0 - 1; j <= j0 + rows_here; ++j) {
      if (j > j0 - 1) compute_primitives(j + 1);
      if (j > j0)  // the update of row j - 1 below still needs this
        std::copy_n(rows.slope_x.level.data(), Rows::length, rows.level_slope_x.data());
      compute_slopes(j);
      if (j < j0) continue;

      auto const bits = wet(j - 1) & wet(j);
      for (int k = 0, c = Rows::margin; c < Rows::margin + columns; ++k, c += W) {
        bool const short_path = wet_around(bits, k);
        auto const north = short_path ? y_flux<Surroundings::all_wet>(j, c) : y_flux<Surroundings::any>(j, c);
        if (j > j0) {
          auto r = short_path ? update_row<Surroundings::all_wet>(j - 1, c, north) : update_row<Surroundings::any>(j - 1, c, north);
          int const i = i0 + c - Rows::margin;
          if (i + W > a.nx) {  // cells beyond the grid have no say
            auto const inside = column < Lane(Real(a.nx - i));
            r.rate = select(inside, r.rate, Lane(Real(0)));
            r.depth = select(inside, r.depth, Lane(Real(0)));
          }
          max_rate = max(max_rate, r.rate);
          deepest = max(deepest, r.depth);
          bad = bad || !(r.depth >= Lane(Real(0))) || !(r.rate < Lane(Real(1e30)));
        }
        store(north, rows.flux_y, c);
      }
      if (j < j0 + rows_here) compute_x_fluxes(j);
    }
    return {reduce_max(max_rate), any(bad), reduce_max(deepest) > 0};
  }
};

template <class Real, class Riemann, int Order, int Stage>
TileResult<Real> tile_step(StepArgs<Real> const& a, int i0, int j0) {
  constexpr int width = Kokkidio::native_lane_width<Real>;
  int const columns = std::min(tile_width, (a.nx - i0 + width - 1) / width * width);
  TileStep<Real, Riemann, Order, Stage> step(a, i0, j0, columns);
  return step.run();
}

template <class Real, class Riemann>
TileKernel<Real> kernel_for(int order, int stage) {
  if (order == 1) return tile_step<Real, Riemann, 1, 1>;
  return stage == 1 ? tile_step<Real, Riemann, 2, 1> : tile_step<Real, Riemann, 2, 2>;
}

}  // namespace

template <class Real>
TileKernel<Real> host_tile_kernel(Scheme::Riemann riemann, int order, int stage) {
  switch (riemann) {
    case Scheme::Riemann::hll: return kernel_for<Real, RiemannHll>(order, stage);
    case Scheme::Riemann::roe: return kernel_for<Real, RiemannRoe>(order, stage);
    case Scheme::Riemann::hllc: break;
  }
  return kernel_for<Real, RiemannHllc>(order, stage);
}

template TileKernel<float> host_tile_kernel<float>(Scheme::Riemann, int, int);
template TileKernel<double> host_tile_kernel<double>(Scheme::Riemann, int, int);

}  // namespace swe

#endif
