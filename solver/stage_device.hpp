#pragma once
/// \file
/// The GPU's loop over cells and faces. A warp takes a strip of cells side by side and marches north through a block of
/// rows. Each thread holds one column: it keeps the south face's flux from the row before, computes its west
/// face, and takes everything else it needs of its neighbours (states, slopes, the east face's flux) from their
/// registers. So each face of a strip is computed once, and only the two outermost columns on either side are
/// computed for their neighbours' sake.

#include <Kokkidio/Kokkidio.hpp>
#include <algorithm>
#include <cstring>
#include <utility>

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
inline constexpr int strip_margin = 2;  ///< columns on either side that a warp computes for its own columns' sake
inline constexpr int strip_width = warp_size - 2 * strip_margin;

#if defined(__CUDACC__)
/// Number of the thread in its warp.
__device__ inline int lane_of_warp() { return int(threadIdx.x + blockDim.x * threadIdx.y) & (warp_size - 1); }
/// x of the thread `distance` places to the right in the warp (left for negative).
template <class T>
__device__ inline T from_right(T x, int distance) {
  return __shfl_sync(0xffffffffu, x, (lane_of_warp() + distance) & (warp_size - 1));
}
#endif

KOKKOS_FORCEINLINE_FUNCTION unsigned long long positive_bits(double x) {
  union { double x; unsigned long long bits; } u;
  u.x = x;
  return u.bits;
}

/// How marches cover the grid: strips side by side, each cut into long blocks of rows and, at its northern end, short ones.
/// Long marches share more with their neighbours; the short ones, which start last, fill the device while the last long ones
/// end. A grid that the device holds all at once is cut evenly instead. A march is also the piece of land that can be left
/// out while it is dry.
struct Marches {
  int strips = 0, blocks = 0;
  int long_rows = 32, long_blocks = 0;

  static constexpr int short_rows = 8;

  Marches() = default;
  Marches(int nx, int ny, int warps_at_once) : strips((nx + strip_width - 1) / strip_width) {
    auto const rows_at_once = std::int64_t(warps_at_once) * long_rows / strips;
    if (rows_at_once >= ny) {
      long_rows = std::max(short_rows, int((std::int64_t(strips) * ny + warps_at_once - 1) / warps_at_once));
      blocks = long_blocks = (ny + long_rows - 1) / long_rows;
    } else {
      long_blocks = int((ny - rows_at_once * 5 / 8) / long_rows);
      blocks = long_blocks + (ny - long_blocks * long_rows + short_rows - 1) / short_rows;
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION Kokkidio::Index count() const { return Kokkidio::Index(strips) * blocks; }
  /// First row of a block.
  [[nodiscard]] KOKKOS_FUNCTION int first_row(int block) const {
    return block <= long_blocks ? block * long_rows : long_blocks * long_rows + (block - long_blocks) * short_rows;
  }
  [[nodiscard]] KOKKOS_FUNCTION int of_cell(int i, int j) const {
    int const rows = long_blocks * long_rows;
    return i / strip_width + strips * (j < rows ? j / long_rows : long_blocks + (j - rows) / short_rows);
  }
};

/// One mark per march.
struct MarchMarks {
  /// Where water was found after the last step and the one before it, and where something else than flow may bring it.
  unsigned char const *wet = nullptr, *wet_before = nullptr, *always = nullptr;
  unsigned char* wet_new = nullptr;  ///< where the stages of this step leave water
  bool everywhere = false;           ///< all marches take part
};

/// One thread's march. Item k: thread k % 32 of warp k / 32. `Extras` false: no structures, forces, infiltration or rasters
/// of friction and rain, which saves registers.
template <class Real, class Riemann, int Order, int Stage, bool Extras>
struct March {
  StepArgs<Real> a;
  Marches marches;
  DeviceStageResult* result;
  MarchMarks marks;

  using Cell = Primitive<Real>;

  template <Surroundings where>
  KOKKOS_FORCEINLINE_FUNCTION Slope<Real> slopes(Cell const& left, Cell const& cell, Cell const& right,
                                                 Differences<Real> level, Real const* number_left, Real const* number_right) const {
    if constexpr (Extras) level = across_open_faces(level, number_left, number_right);
    auto const base = slope_base<where>(level, left.z, cell.z, right.z);
    if constexpr (Order == 1) return slopes_first(cell.h, base);
    else return slopes_second<where>(a.limiter, left, cell, right, base, a.dry_tolerance);
  }
  /// Number of the structure on the west or south face of a cell, null when there are none.
  KOKKOS_FORCEINLINE_FUNCTION Real const* number_x(Offset o) const {
    return Extras && a.structures.number_x ? a.structures.number_x + o : nullptr;
  }
  KOKKOS_FORCEINLINE_FUNCTION Real const* number_y(Offset o) const {
    return Extras && a.structures.number_y ? a.structures.number_y + o : nullptr;
  }

  KOKKOS_FORCEINLINE_FUNCTION static CellAtFace<Real> along_x(Cell const& c, Slope<Real> const& s) {
    return {c.h, c.u, c.v, c.z, s.level, s.depth, s.u, s.v, c.inverse};
  }
  KOKKOS_FORCEINLINE_FUNCTION static CellAtFace<Real> along_y(Cell const& c, Slope<Real> const& s) {
    return {c.h, c.v, c.u, c.z, s.level, s.depth, s.v, s.u, c.inverse};
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
        auto const result_here = update<Stage, Stage == Order, Extras, where>(a, o_south, r.south.z, r.south.h, r.south.u, r.south.v, t);
        r.largest = Kokkidio::max(r.largest, result_here.rate);
        r.failed = r.failed || !(result_here.depth >= 0) || !(result_here.rate < Real(1e30));
        r.wet = r.wet || result_here.depth > 0;
      }
      r.flux_south = flux;
      if (j < j1) {
        Cell west{from_right(r.cell.h, -1), from_right(r.cell.u, -1), from_right(r.cell.v, -1), from_right(r.cell.z, -1), {}};
        Cell east{};
        east.z = from_right(r.cell.z, 1);
        if constexpr (Order == 2) {
          west.inverse = from_right(r.cell.inverse, -1);
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

#if defined(__CUDACC__)
  /// Whether a march has to be computed: it or a neighbour holds water or did a step ago, or something feeds it. Each of
  /// nine threads looks at one of the nine.
  __device__ __forceinline__ bool takes_part(int strip, int block, int column) const {
    if (marks.everywhere) return true;
    int const x = strip + column % 3 - 1, y = block + column / 3 - 1;
    bool on = false;
    if (column < 9 && x >= 0 && x < marches.strips && y >= 0 && y < marches.blocks) {
      int const neighbour = x + marches.strips * y;
      on = marks.wet[neighbour] || marks.wet_before[neighbour] || (column == 4 && marks.always[neighbour]);
    }
    return __any_sync(0xffffffffu, on);
  }
#endif

  KOKKOS_FUNCTION void operator()(Kokkidio::BasicParallelRange<Kokkidio::Target::device> const& range) const {
#if defined(__CUDA_ARCH__)
    auto const k = range.begin();
    int const column = int(k % warp_size);
    auto const warp = k / warp_size;
    int const strip = int(warp % marches.strips), block = int(warp / marches.strips);
    int const i = strip * strip_width - strip_margin + column;
    int const j0 = marches.first_row(block), end = marches.first_row(block + 1), j1 = end < a.ny ? end : a.ny;
    bool const mine = column >= strip_margin && column < warp_size - strip_margin && i < a.nx;
    if (!takes_part(strip, block, column)) {
      if (Stage == 1 && column == 0) marks.wet_new[warp] = 0;
      return;
    }

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
    bool const wet = __any_sync(0xffffffffu, r.wet);
    if (column == 0 && (Stage == 1 || wet)) marks.wet_new[warp] = wet;
#else
    (void)range;
#endif
  }
};

/// Blocks per multiprocessor that the compiler is to leave registers for; the best of those tried on an H200.
template <class Real, int Order>
inline constexpr int blocks_per_multiprocessor = std::is_same_v<Real, double> ? (Order == 1 ? 5 : 4) : (Order == 1 ? 8 : 6);

inline constexpr int threads_per_block = 128;

/// Warps that the device holds at once.
template <class Real, int Order>
[[nodiscard]] int warps_at_once() {
  constexpr int threads_per_multiprocessor = 2048;  // what `concurrency` counts
  int const multiprocessors =
      std::max(1, int(Kokkidio::ExecutionSpace<Kokkidio::Target::device>().concurrency()) / threads_per_multiprocessor);
  return multiprocessors * blocks_per_multiprocessor<Real, Order> * (threads_per_block / warp_size);
}

/// What a launch needs beside the arguments of the step.
struct LaunchArgs {
  Marches marches;
  DeviceStageResult* result;
  MarchMarks marks;
};

template <class Real, class Riemann, int Order, int Stage, bool Extras>
void launch(StepArgs<Real> const& a, LaunchArgs const& l) {
  using Policy = Kokkos::RangePolicy<Kokkidio::ExecutionSpace<Kokkidio::Target::device>,
                                     Kokkos::LaunchBounds<threads_per_block, blocks_per_multiprocessor<Real, Order>>,
                                     Kokkos::IndexType<Kokkidio::Index>>;
  Kokkidio::parallel_for("stage", Policy(0, l.marches.count() * warp_size),
                         March<Real, Riemann, Order, Stage, Extras>{a, l.marches, l.result, l.marks});
}

/// The leanest kernel that does what `a` asks for. The usual solver has one without extras; the others make do with one.
template <class Real, int Order, int Stage>
void launch(Scheme::Riemann riemann, StepArgs<Real> const& a, LaunchArgs const& l) {
  bool const extras = a.structures.number_x || a.force_x || a.infiltration.model != InfiltrationModel::none || a.rain_raster ||
                      a.friction_raster;
  switch (riemann) {
    case Scheme::Riemann::hll: return launch<Real, RiemannHll, Order, Stage, true>(a, l);
    case Scheme::Riemann::roe: return launch<Real, RiemannRoe, Order, Stage, true>(a, l);
    case Scheme::Riemann::hllc:
      if (extras) return launch<Real, RiemannHllc, Order, Stage, true>(a, l);
      return launch<Real, RiemannHllc, Order, Stage, false>(a, l);
  }
}

inline void mark_marches(std::int64_t const* positions, Kokkidio::Index n, std::int64_t pitch, Marches const& m, unsigned char* marked) {
  Kokkidio::parallel_for<Kokkidio::Target::device>(
      "mark_marches", n, KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<Kokkidio::Target::device> const& range) {
        auto const p = positions[range.begin()];
        marked[m.of_cell(int(p % pitch), int(p / pitch))] = 1;
      });
}

}  // namespace device

/// Strips on the GPU; dry land is left out as on the CPU.
template <class Real>
class StageRunner<Real, Kokkidio::Target::device> {
  using Marks = Kokkidio::ViewMap<unsigned char*, Kokkidio::Target::device>;
  static constexpr int result_slots = 128;  // cleared once in 64 steps rather than in each
#if KOKKOS_VERSION >= 40000
  using ResultSpace = Kokkos::SharedHostPinnedSpace;
#else
  using ResultSpace = Kokkos::HostSpace;
#endif

 public:
  StageRunner() = default;
  StageRunner(Layout const& layout, Scheme const& scheme, std::vector<std::int64_t> const& always)
      : scheme_(scheme),
        pitch_(layout.pitch),
        marches_(layout.nx, layout.ny, scheme.order == 1 ? device::warps_at_once<Real, 1>() : device::warps_at_once<Real, 2>()),
        results_("stage_results", result_slots),
        results_host_("stage_results_host", result_slots) {
    for (auto* marks : {&always_, &wet_, &wet_before_, &wet_new_}) *marks = Marks("marches", marches_.count());
    wake_all();
    mark(always, always_);
  }

  /// Runs a stage. Only the last of a step waits for its end and tells what all of them found.
  [[nodiscard]] StageResult run(StepArgs<Real> const& a, int stage, bool everywhere) {
    if (stage == 1) slot_ += 2;
    if (slot_ >= result_slots) {
      Kokkos::deep_copy(execution_, results_, DeviceStageResult{});
      slot_ = 0;
    }
    device::LaunchArgs const l{
        marches_,
        results_.data() + slot_ + (stage - 1),
        {wet_.data(), wet_before_.data(), always_.data(), wet_new_.data(), everywhere || !skip_dry_}};
    if (scheme_.order == 1) device::launch<Real, 1, 1>(scheme_.riemann, a, l);
    else if (stage == 1) device::launch<Real, 2, 1>(scheme_.riemann, a, l);
    else device::launch<Real, 2, 2>(scheme_.riemann, a, l);
    StageResult out;
    if (stage < scheme_.order) return out;
    auto const slots = std::pair(slot_, slot_ + 2);
    Kokkos::deep_copy(execution_, Kokkos::subview(results_host_, slots), Kokkos::subview(results_, slots));
    execution_.fence();
    std::memcpy(&out.max_rate, &results_host_(slot_ + stage - 1).rate_bits, sizeof out.max_rate);
    for (int k = 0; k < stage; ++k) out.failed = out.failed || results_host_(slot_ + k).failed != 0;
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
  void mark(std::vector<std::int64_t> const& positions, Marks const& marks) {
    if (positions.empty()) return;
    if (positions_.size() != Kokkidio::Index(positions.size()) || positions != positions_host_) {
      positions_host_ = positions;
      positions_ = Kokkidio::ViewMap<std::int64_t*, Kokkidio::Target::device>("positions", Kokkidio::Index(positions.size()));
      Kokkos::deep_copy(positions_.view(), Kokkos::View<std::int64_t const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                                               positions.data(), positions.size()));
    }
    device::mark_marches(positions_.data(), positions_.size(), pitch_, marches_, marks.data());
  }

  Scheme scheme_;
  std::int64_t pitch_ = 0;
  device::Marches marches_;
  Kokkidio::ExecutionSpace<Kokkidio::Target::device> execution_;
  Kokkos::View<DeviceStageResult*, Kokkidio::MemorySpace<Kokkidio::Target::device>> results_;
  Kokkos::View<DeviceStageResult*, ResultSpace> results_host_;
  int slot_ = result_slots;  ///< of this step; both stages have one
  Marks always_, wet_, wet_before_, wet_new_;
  Kokkidio::ViewMap<std::int64_t*, Kokkidio::Target::device> positions_;
  std::vector<std::int64_t> positions_host_;
  bool skip_dry_ = true;
};

}  // namespace swe
