#pragma once
/// \file
/// The GPU's loop over cells and faces. A warp takes a strip of cells side by side and marches north through a block of
/// rows. Each thread holds one column: it keeps the south face's flux from the row before, computes its west
/// face, and takes everything else it needs of its neighbours (states, slopes, the east face's flux) from their
/// registers. So each face of a strip is computed once, and only the two outermost columns on either side are
/// computed for their neighbours' sake.

#include <Kokkidio/Kokkidio.hpp>
#include <cstring>

#include "solver/riemann/registry.hpp"
#include "solver/stage.hpp"
#include "solver/step.hpp"

namespace swe {

/// What the threads of a stage tell the time step control; rates of wave speeds as their bits, which
/// for positive numbers sort as the numbers do.
struct DeviceStageResult {
  unsigned long long rate_bits = 0;
  unsigned int failed = 0;
};

namespace device {

inline constexpr int warp_size = 32;
inline constexpr int strip_margin = 2;
inline constexpr int strip_width = warp_size - 2 * strip_margin;

#if defined(__CUDACC__)
/// x of the thread `distance` places to the right in the warp (left for negative).
template <class T>
__device__ inline T from_right(T x, int distance) {
  return __shfl_sync(0xffffffffu, x, (threadIdx.x + blockDim.x * threadIdx.y + distance) & (warp_size - 1));
}
#endif

KOKKOS_FORCEINLINE_FUNCTION unsigned long long positive_bits(double x) {
  union { double x; unsigned long long bits; } u;
  u.x = x;
  return u.bits;
}

/// One thread's march. Item k: thread k % 32 of warp k / 32. `Extras` false: no structures, forces, infiltration or rasters
/// of friction and rain, which saves registers.
template <class Real, class Riemann, int Order, int Stage, bool Extras>
struct March {
  StepArgs<Real> a;
  int strips, rows_per_block;
  DeviceStageResult* result;
  unsigned char const* active_tiles;
  unsigned char* wet_tiles;
  int tiles_x;

  using Cell = Primitive<Real>;

  template <Surroundings where>
  KOKKOS_FORCEINLINE_FUNCTION Slope<Real> slopes(Cell const& left, Cell const& cell, Cell const& right,
                                                 Differences<Real> level, Real const* number_left, Real const* number_right) const {
    if constexpr (Extras) level = across_open_faces(level, number_left, number_right);
    auto const base = slope_base<where>(level, left.z, cell.z, right.z);
    if constexpr (Order == 1) return slopes_first(cell.h, base);
    else return slopes_second(a.limiter, left, cell, right, base, a.dry_tolerance);
  }
  /// Number of the structure on the west or south face of a cell, null when there are none.
  KOKKOS_FORCEINLINE_FUNCTION Real const* number_x(Offset o) const {
    return Extras && a.structures.number_x ? a.structures.number_x + o : nullptr;
  }
  KOKKOS_FORCEINLINE_FUNCTION Real const* number_y(Offset o) const {
    return Extras && a.structures.number_y ? a.structures.number_y + o : nullptr;
  }

  KOKKOS_FORCEINLINE_FUNCTION static CellAtFace<Real> along_x(Cell const& c, Slope<Real> const& s) {
    return {c.h, c.u, c.v, c.z, s.level, s.depth, s.u, s.v};
  }
  KOKKOS_FORCEINLINE_FUNCTION static CellAtFace<Real> along_y(Cell const& c, Slope<Real> const& s) {
    return {c.h, c.v, c.u, c.z, s.level, s.depth, s.v, s.u};
  }

#if defined(__CUDACC__)
  /// What a thread carries from row to row: rows j - 1, j and j + 1 while it works on row j.
  struct Rows {
    Cell south, cell, north;
    Slope<Real> slope_y_south;
    FaceFlux<Real> flux_south, flux_west, flux_east;  ///< of row j - 1
    Real level_x_south;                               ///< level slope of row j - 1 along x
    Real step_south;                                  ///< level difference from row j - 1 to row j
    Real largest = 0;
    bool failed = false, wet = false;
  };

  /// Flux through the south face of row j and the update of row j - 1; then the west face of row j.
  template <Surroundings where>
  __device__ __forceinline__ void row(Rows& r, int i, int j, int j0, int j1, bool mine) const {
    Offset const o = i + a.pitch * j, o_south = o - a.pitch;
    Real const step_north = level_difference<where>(r.cell, r.north, a.dry_tolerance);
    auto const slope_y = slopes<where>(r.south, r.cell, r.north, {r.step_south, step_north}, number_y(o), number_y(o + a.pitch));
    if (j >= j0) {
      auto flux = face_flux<Order, Riemann, where>(along_y(r.south, r.slope_y_south), along_y(r.cell, slope_y), a.gravity,
                                                   a.dry_tolerance);
      if constexpr (where == Surroundings::any) {
        take_boundary_fluxes(flux, a.boundary, r.south.z, r.cell.z, a.h + o_south, a.h + o, Side::north);
        take_structure_fluxes(flux, a.structures, number_y(o));
      }
      if (j > j0 && mine) {
        auto const t = tendency(a, r.south.h, r.level_x_south, r.slope_y_south.level, r.flux_west, r.flux_east, r.flux_south, flux);
        auto const result_here = update<Stage, Extras, where>(a, o_south, r.south.z, r.south.h, r.south.u, r.south.v, t);
        r.largest = Kokkidio::max(r.largest, result_here.rate);
        r.failed = r.failed || !(result_here.depth >= 0) || !(result_here.rate < Real(1e30));
        r.wet = r.wet || result_here.depth > 0;
      }
      r.flux_south = flux;
      if (j < j1) {
        Cell const west{from_right(r.cell.h, -1), from_right(r.cell.u, -1), from_right(r.cell.v, -1), from_right(r.cell.z, -1)};
        Cell east{};
        east.z = from_right(r.cell.z, 1);
        if constexpr (Order == 2) {
          east.h = from_right(r.cell.h, 1);
          east.u = from_right(r.cell.u, 1);
          east.v = from_right(r.cell.v, 1);
        }
        Real const step_west = level_difference<where>(west, r.cell, a.dry_tolerance);
        auto const slope_x =
            slopes<where>(west, r.cell, east, {step_west, from_right(step_west, 1)}, number_x(o), number_x(o + 1));
        Slope<Real> slope_west{};
        slope_west.level = from_right(slope_x.level, -1);
        slope_west.depth = from_right(slope_x.depth, -1);
        if constexpr (Order == 2) {
          slope_west.u = from_right(slope_x.u, -1);
          slope_west.v = from_right(slope_x.v, -1);
        }
        r.flux_west =
            face_flux<Order, Riemann, where>(along_x(west, slope_west), along_x(r.cell, slope_x), a.gravity, a.dry_tolerance);
        if constexpr (where == Surroundings::any) {
          take_boundary_fluxes(r.flux_west, a.boundary, west.z, r.cell.z, a.h + o - 1, a.h + o, Side::east);
          take_structure_fluxes(r.flux_west, a.structures, number_x(o));
        }
        r.flux_east.mass = from_right(r.flux_west.mass, 1);
        r.flux_east.momentum_L = from_right(r.flux_west.momentum_L, 1);
        r.flux_east.transverse = from_right(r.flux_west.transverse, 1);
        r.level_x_south = slope_x.level;
      }
    }
    r.slope_y_south = slope_y;
    r.step_south = step_north;
    r.south = r.cell;
    r.cell = r.north;
  }

  /// A cell's fields as they lie in memory.
  struct RawCell {
    Real h, hu, hv, z;
  };
  __device__ __forceinline__ RawCell load_raw(Offset o) const { return {a.h[o], a.hu[o], a.hv[o], a.bed[o]}; }

  /// The cell's depth and velocity; `wet` tells whether all cells of the warp are active and wet.
  __device__ __forceinline__ Cell to_cell(RawCell const& c, bool& wet) const {
    wet = __all_sync(0xffffffffu, c.h > a.dry_tolerance && c.z < mark_threshold<Real>);
    return wet ? primitives<Surroundings::all_wet>(a, c.h, c.hu, c.hv, c.z)
               : primitives<Surroundings::any>(a, c.h, c.hu, c.hv, c.z);
  }
#endif

  KOKKOS_FUNCTION void operator()(Kokkidio::BasicParallelRange<Kokkidio::Target::device> const& range) const {
#if defined(__CUDA_ARCH__)
    auto const k = range.begin();
    int const column = int(k % warp_size);
    auto const warp = k / warp_size;
    int const strip = int(warp % strips), block = int(warp / strips);
    int const i = strip * strip_width - strip_margin + column;
    int const j0 = block * rows_per_block, j1 = j0 + rows_per_block < a.ny ? j0 + rows_per_block : a.ny;
    bool const mine = column >= strip_margin && column < warp_size - strip_margin && i < a.nx;
    if (!strip_is_active(strip, j0)) return;  // alike for the whole warp

    Rows r{};
    bool wet_south, wet_cell, wet_north;
    r.south = to_cell(load_raw(i + a.pitch * (j0 - 2)), wet_south);
    r.cell = to_cell(load_raw(i + a.pitch * (j0 - 1)), wet_cell);
    r.step_south = level_difference(r.south, r.cell, a.dry_tolerance);
    bool const structures = Extras && a.structures.number_x;
    RawCell ahead = load_raw(i + a.pitch * j0);
#pragma unroll 1
    for (int j = j0 - 1; j <= j1; ++j) {
      r.north = to_cell(ahead, wet_north);
      if (j < j1) ahead = load_raw(i + a.pitch * (j + 2));  // on its way while this row is computed
      if (wet_south && wet_cell && wet_north && !structures) row<Surroundings::all_wet>(r, i, j, j0, j1, mine);
      else row<Surroundings::any>(r, i, j, j0, j1, mine);
      wet_south = wet_cell;
      wet_cell = wet_north;
    }

    if (r.failed) result->failed = 1;
    unsigned long long const bits = positive_bits(double(r.largest));
    // A look first: nearly all threads find a larger one there.
    if (bits > *const_cast<unsigned long long volatile*>(&result->rate_bits)) atomicMax(&result->rate_bits, bits);
    if (r.wet) wet_tiles[tile_of(i, j0)] = 1;
#else
    (void)range;
#endif
  }

  KOKKOS_FUNCTION int tile_of(int i, int j) const { return i / tile_width + tiles_x * (j / tile_height); }

  /// Whether a tile that the strip's own columns touch takes part.
  KOKKOS_FUNCTION bool strip_is_active(int strip, int j0) const {
    int const first = strip * strip_width, last = first + strip_width - 1;
    int const i_last = last < a.nx ? last : a.nx - 1;
    return active_tiles[tile_of(first, j0)] || active_tiles[tile_of(i_last, j0)];
  }
};

/// Blocks per multiprocessor that the compiler is to leave registers for; the best of those tried on an H200.
template <class Real, int Order>
inline constexpr int blocks_per_multiprocessor = std::is_same_v<Real, double> ? (Order == 1 ? 5 : 4) : 6;

template <class Real, class Riemann, int Order, int Stage, bool Extras>
void launch(StepArgs<Real> const& a, DeviceStageResult* result, unsigned char const* active, unsigned char* wet, int tiles_x) {
  int const strips = (a.nx + strip_width - 1) / strip_width;
  // Long marches share more; short ones fill the device on small grids. Both divide the tiles' height.
  int const rows = std::int64_t(strips) * a.ny >= 150000 ? 32 : 8;
  Kokkidio::Index const warps = Kokkidio::Index(strips) * ((a.ny + rows - 1) / rows);
  using Policy = Kokkos::RangePolicy<Kokkidio::ExecutionSpace<Kokkidio::Target::device>,
                                     Kokkos::LaunchBounds<128, blocks_per_multiprocessor<Real, Order>>,
                                     Kokkos::IndexType<Kokkidio::Index>>;
  Kokkidio::parallel_for("stage", Policy(0, warps * warp_size),
                         March<Real, Riemann, Order, Stage, Extras>{a, strips, rows, result, active, wet, tiles_x});
}

/// The leanest kernel that does what `a` asks for. The usual solver has one without extras; the others make do with one.
template <class Real, int Order, int Stage>
void launch(Scheme::Riemann riemann, StepArgs<Real> const& a, DeviceStageResult* result, unsigned char const* active,
            unsigned char* wet, int tiles_x) {
  bool const extras = a.structures.number_x || a.force_x || a.infiltration.model != InfiltrationModel::none || a.rain_raster ||
                      a.friction_raster;
  switch (riemann) {
    case Scheme::Riemann::hll: return launch<Real, RiemannHll, Order, Stage, true>(a, result, active, wet, tiles_x);
    case Scheme::Riemann::roe: return launch<Real, RiemannRoe, Order, Stage, true>(a, result, active, wet, tiles_x);
    case Scheme::Riemann::hllc:
      if (extras) return launch<Real, RiemannHllc, Order, Stage, true>(a, result, active, wet, tiles_x);
      return launch<Real, RiemannHllc, Order, Stage, false>(a, result, active, wet, tiles_x);
  }
}

/// Marks the tiles that take part: those wet now or a step ago, their neighbours, and those always on.
inline void choose_active_tiles(int tiles_x, int tiles_y, unsigned char const* wet, unsigned char const* wet_before,
                                unsigned char const* always, bool everywhere, unsigned char* active, unsigned char* wet_new) {
  Kokkidio::parallel_for<Kokkidio::Target::device>(
      "choose_active_tiles", tiles_x * tiles_y, KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<Kokkidio::Target::device> const& range) {
        int const tile = int(range.begin());
        int const x = tile % tiles_x, y = tile / tiles_x;
        bool on = everywhere || always[tile];
        for (int v = y - 1; v <= y + 1; ++v)
          for (int u = x - 1; u <= x + 1; ++u)
            if (u >= 0 && u < tiles_x && v >= 0 && v < tiles_y) on = on || wet[u + tiles_x * v] || wet_before[u + tiles_x * v];
        active[tile] = on;
        wet_new[tile] = 0;
      });
}

inline void mark_tiles(std::int64_t const* positions, Kokkidio::Index n, std::int64_t pitch, int tiles_x, unsigned char* tiles) {
  Kokkidio::parallel_for<Kokkidio::Target::device>(
      "mark_tiles", n, KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<Kokkidio::Target::device> const& range) {
        auto const p = positions[range.begin()];
        tiles[int(p % pitch) / tile_width + tiles_x * (int(p / pitch) / tile_height)] = 1;
      });
}

}  // namespace device

/// Strips on the GPU; dry tiles are left out as on the CPU.
template <class Real>
class StageRunner<Real, Kokkidio::Target::device> {
  using Tiles = Kokkidio::ViewMap<unsigned char*, Kokkidio::Target::device>;

 public:
  StageRunner() = default;
  StageRunner(Layout const& layout, Scheme const& scheme, std::vector<std::int64_t> const& always)
      : scheme_(scheme),
        pitch_(layout.pitch),
        tiles_x_((layout.nx + tile_width - 1) / tile_width),
        tiles_y_((layout.ny + tile_height - 1) / tile_height),
        result_("stage_result") {
    Kokkidio::Index const n = Kokkidio::Index(tiles_x_) * tiles_y_;
    for (auto* tiles : {&active_, &always_, &wet_, &wet_before_, &wet_new_}) *tiles = Tiles("tiles", n);
    wake_all();
    mark(always, always_);
  }

  [[nodiscard]] StageResult run(StepArgs<Real> const& a, int stage, bool everywhere) {
    if (stage == 1)
      device::choose_active_tiles(tiles_x_, tiles_y_, wet_.data(), wet_before_.data(), always_.data(), everywhere || !skip_dry_,
                                  active_.data(), wet_new_.data());
    Kokkos::deep_copy(execution_, result_, DeviceStageResult{});
    if (scheme_.order == 1) device::launch<Real, 1, 1>(scheme_.riemann, a, result_.data(), active_.data(), wet_new_.data(), tiles_x_);
    else if (stage == 1) device::launch<Real, 2, 1>(scheme_.riemann, a, result_.data(), active_.data(), wet_new_.data(), tiles_x_);
    else device::launch<Real, 2, 2>(scheme_.riemann, a, result_.data(), active_.data(), wet_new_.data(), tiles_x_);
    DeviceStageResult r;
    Kokkos::deep_copy(Kokkos::View<DeviceStageResult, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(&r), result_);
    StageResult out;
    std::memcpy(&out.max_rate, &r.rate_bits, sizeof out.max_rate);
    out.failed = r.failed != 0;
    return out;
  }

  void accept() {
    std::swap(wet_before_, wet_);
    std::swap(wet_, wet_new_);
  }
  void wake(std::vector<std::int64_t> const& positions) { mark(positions, wet_new_); }
  void wake_all() { Kokkos::deep_copy(wet_before_.view(), (unsigned char)1); }
  void set_skip_dry(bool skip) { skip_dry_ = skip; }

 private:
  void mark(std::vector<std::int64_t> const& positions, Tiles const& tiles) {
    if (positions.empty()) return;
    if (positions_.size() != Kokkidio::Index(positions.size()) || positions != positions_host_) {
      positions_host_ = positions;
      positions_ = Kokkidio::ViewMap<std::int64_t*, Kokkidio::Target::device>("positions", Kokkidio::Index(positions.size()));
      Kokkos::deep_copy(positions_.view(), Kokkos::View<std::int64_t const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                                               positions.data(), positions.size()));
    }
    device::mark_tiles(positions_.data(), positions_.size(), pitch_, tiles_x_, tiles.data());
  }

  Scheme scheme_;
  std::int64_t pitch_ = 0;
  int tiles_x_ = 0, tiles_y_ = 0;
  Kokkidio::ExecutionSpace<Kokkidio::Target::device> execution_;
  Kokkos::View<DeviceStageResult, Kokkidio::MemorySpace<Kokkidio::Target::device>> result_;
  Tiles active_, always_, wet_, wet_before_, wet_new_;
  Kokkidio::ViewMap<std::int64_t*, Kokkidio::Target::device> positions_;
  std::vector<std::int64_t> positions_host_;
  bool skip_dry_ = true;
};

}  // namespace swe
