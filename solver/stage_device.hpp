#pragma once
/// \file
/// The GPU's loop over cells and faces. A warp takes a strip of cells side by side and marches north through a block of
/// rows. Each thread holds one column, or two in single precision: it keeps the south face's flux from the row before,
/// computes its west face, and takes everything else it needs of its neighbours (states, slopes, the east face's flux) from
/// their registers. So each face of a strip is computed once, and only the two outermost columns on either side are
/// computed for their neighbours' sake.

#include <Kokkidio/Kokkidio.hpp>
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "solver/riemann/registry.hpp"
#include "solver/stage.hpp"
#include "solver/step.hpp"

namespace swe {

/// What the threads of a stage tell the time step control; rates of wave speeds as their bits, which
/// for positive numbers sort as the numbers do. Where a cell has failed the rate is infinite.
struct DeviceStageResult {
  unsigned long long rate_bits = 0;
  double dt = 0;    ///< of the step [s]
  int marches = 0;  ///< that take part, where they were listed
};

namespace device {

inline constexpr int warp_size = 32;
inline constexpr int strip_margin = 2;  ///< columns on either side that a warp computes for its own columns' sake

/// The cells side by side that a thread computes: two, which registers allow in single precision, do more with the same
/// instructions. But they leave half as many threads, which in second order are too few for a small grid.
template <class Real>
using SeveralCells = std::conditional_t<std::is_same_v<Real, float>, Kokkidio::Pair<Real>, Real>;
inline constexpr std::int64_t many_cells = 8'000'000;
/// Whether the threads of a step compute several cells. (In second order the rarer solvers make do with kernels for one.)
[[nodiscard]] inline bool compute_several_cells(Scheme const& scheme, std::int64_t cells) {
  return scheme.order == 1 || (cells >= many_cells && scheme.riemann == Scheme::Riemann::hllc);
}

/// Columns of a strip that are a warp's own.
template <class Lane>
inline constexpr int strip_width = warp_size * Kokkidio::LaneTraits<Lane>::width - 2 * strip_margin;

#if defined(__CUDACC__)
/// x of the thread to the west or east in the warp; the outermost threads get their own.
template <class T>
__device__ inline T from_west(T x) {
  return __shfl_up_sync(0xffffffffu, x, 1);
}
template <class T>
__device__ inline T from_east(T x) {
  return __shfl_down_sync(0xffffffffu, x, 1);
}
template <class T>
__device__ inline Kokkidio::Pair<T> from_west(Kokkidio::Pair<T> x) {
  return {from_west(x[1]), x[0]};
}
template <class T>
__device__ inline Kokkidio::Pair<T> from_east(Kokkidio::Pair<T> x) {
  return {x[1], from_east(x[0])};
}
/// Keeps the compiler from putting off a load until its value is asked for.
__device__ inline void keep_loaded(double& x) { asm volatile("" : "+d"(x)); }
__device__ inline void keep_loaded(float& x) { asm volatile("" : "+f"(x)); }
template <class T>
__device__ inline void keep_loaded(Kokkidio::Pair<T>& x) {
  keep_loaded(x.v[0]);
  keep_loaded(x.v[1]);
}
template <class T, class... More>
__device__ inline void keep_loaded(T& x, More&... more) {
  keep_loaded(x);
  (keep_loaded(more), ...);
}
/// Has the memory at p brought to the second-level cache: a load without a register for it.
__device__ inline void fetch_ahead(void const* p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }
/// Bits that sort as rates of wave speeds do and come after those of the largest where a depth is negative or one of both
/// is not a number.
__device__ inline unsigned rate_bits(float rate, float depth) {
  return __float_as_uint(rate) | (__float_as_uint(depth) & 0x80000000u);
}
__device__ inline unsigned long long rate_bits(double rate, double depth) {
  int const sign = __double2hiint(depth) & int(0x80000000);
  return (unsigned long long)__double_as_longlong(__hiloint2double(__double2hiint(rate) | sign, __double2loint(rate)));
}
/// The largest of a thread's cells; the second counts where `both` is true.
template <class T>
__device__ inline auto rate_bits(T rate, T depth, bool) {
  return rate_bits(rate, depth);
}
template <class T>
__device__ inline auto rate_bits(Kokkidio::Pair<T> rate, Kokkidio::Pair<T> depth, bool both) {
  auto const x = rate_bits(rate[0], depth[0]), y = rate_bits(rate[1], depth[1]);
  return both && y > x ? y : x;
}
/// Bits of which none is set for 0 only.
__device__ inline int some_bits(double x) { return __double2hiint(x) | __double2loint(x); }
__device__ inline int some_bits(float x) { return __float_as_int(x); }
template <class T>
__device__ inline int some_bits(Kokkidio::Pair<T> x) {
  return some_bits(x[0]) | some_bits(x[1]);
}
#endif

KOKKOS_FORCEINLINE_FUNCTION unsigned long long positive_bits(double x) {
  union { double x; unsigned long long bits; } u;
  u.x = x;
  return u.bits;
}
KOKKOS_FORCEINLINE_FUNCTION double from_bits(unsigned long long bits) {
  union { double x; unsigned long long bits; } u;
  u.bits = bits;
  return u.x;
}
KOKKOS_FORCEINLINE_FUNCTION double from_bits(unsigned bits) {
  union { float x; unsigned bits; } u;
  u.bits = bits;
  return double(u.x);
}

/// How long a step is: as the host says, or, for a step launched before the host knows how the one before it ended, as
/// that one's result asks for.
struct StepClock {
  double dt = 0;                              ///< [s], where `before` is null
  DeviceStageResult const* before = nullptr;  ///< results of the stages of the step before
  int last_stage = 0;                         ///< which of them is its last, from 0
  StepSizeLimits limits;
  /// On the host: bits of the rate that the step before found, and how many marches took part in it.
  unsigned long long volatile* told_rate = nullptr;
  int volatile* told_marches = nullptr;

  struct Start {
    double dt;
    bool holds;                   ///< the step before holds, so this one can start
    unsigned long long rate_bits; ///< of the step before
  };
  [[nodiscard]] KOKKOS_FUNCTION Start start() const {
    if (!before) return {dt, true, 0};
    auto const first = before[0].rate_bits, last = before[last_stage].rate_bits;
    auto const bits = first > last ? first : last;  // the first of two finds zero or infinity
    double const rate = from_bits(bits);
    return {limits.step_size(rate), rate > 0 && limits.allow(rate, before[0].dt), bits};
  }
#if defined(__CUDACC__)
  /// For one thread of the step's first kernel.
  __device__ void tell(Start const& start) const {
    if (!told_rate) return;
    *told_marches = before[0].marches;
    __threadfence_system();
    *told_rate = start.rate_bits;
    __threadfence_system();
  }
#endif
};

/// How marches cover the grid: strips side by side, each cut into long blocks of rows and, at its northern end, short ones.
/// Long marches share more with their neighbours; the short ones, which start last, fill the device while the last long ones
/// end. (Warps that start together do not end together: a multiprocessor prefers those that it has begun.) A grid that the
/// device holds all at once is cut evenly instead. A march is also the piece of land that can be left out while it is dry.
struct Marches {
  int strip_width = 1;
  int strips = 0, blocks = 0;
  int long_rows = 0, long_blocks = 0;

  static constexpr int short_rows = 8;

  Marches() = default;
  Marches(int nx, int ny, int width, int warps_at_once) : strip_width(width), strips((nx + width - 1) / width) {
    auto const at_once = [&](int rows) { return std::int64_t(warps_at_once) * rows / strips; };
    long_rows = at_once(64) <= ny / 4 ? 64 : 32;
    if (at_once(long_rows) >= ny) {
      constexpr int fewest = 2;  // with one, a march does little but what its neighbours do too
      long_rows = std::max(fewest, int((std::int64_t(strips) * ny + warps_at_once - 1) / warps_at_once));
      blocks = long_blocks = (ny + long_rows - 1) / long_rows;
    } else {
      long_blocks = int((ny - at_once(long_rows) * 5 / 8) / long_rows);
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

/// The marches that take part in a step, listed by a kernel of its own where most land is dry: looking at each march in turn
/// would take longer than computing the others. In no certain order, on which nothing depends.
struct MarchList {
  int* march = nullptr;
  int* count = nullptr;  ///< null: no list; every march looks for itself
  int warps = 0;         ///< that share the list

  /// Into how many parts, as a power of two, marches are cut: as many as the device holds at once.
  [[nodiscard]] KOKKOS_FUNCTION int parts_log2(int listed) const {
    int k = 0;
    while (k < 3 && (listed << (k + 1)) <= warps) ++k;
    return k;
  }
};

#if defined(__CUDACC__)
/// Whether a march has to be computed: it or a neighbour holds water or did a step ago, or something feeds it. `which` of
/// these nine to look at.
__device__ inline bool takes_part(Marches const& marches, MarchMarks const& marks, int strip, int block, int which) {
  int const x = strip + which % 3 - 1, y = block + which / 3 - 1;
  if (which >= 9 || x < 0 || x >= marches.strips || y < 0 || y >= marches.blocks) return false;
  int const neighbour = x + marches.strips * y;
  int const always = which == 4 ? marks.always[neighbour] : 0;
  return (marks.wet[neighbour] | marks.wet_before[neighbour] | always) != 0;  // all on their way at once
}
#endif

/// Fills the list.
struct ListMarches {
  Marches marches;
  MarchMarks marks;
  MarchList list;
  StepClock clock;

  KOKKOS_FUNCTION void operator()(Kokkidio::BasicParallelRange<Kokkidio::Target::device> const& range) const {
#if defined(__CUDA_ARCH__)
    int const march = int(range.begin());
    auto const start = clock.start();
    if (march == 0) clock.tell(start);
    if (!start.holds) return;
    marks.wet_new[march] = 0;
    bool on = false;
#pragma unroll
    for (int which = 0; which < 9; ++which)  // no `||`: one after the other the loads would take longer than all else
      on = on | takes_part(marches, marks, march % marches.strips, march / marches.strips, which);
    if (on) list.march[atomicAdd(list.count, 1)] = march;
#else
    (void)range;
#endif
  }
};

/// One thread's march. Item k: thread k % 32 of warp k / 32. `Extras` false: no structures, forces, infiltration, rasters
/// of friction and rain, laws of friction but Manning's or limiters but MC, which saves registers and branches; so does
/// `Listed` false: no list of marches. A kernel with extras takes a list or none.
template <class LaneOfThread, class Riemann, int Order, int Stage, bool Extras, bool Listed>
struct March {
  using Lane = LaneOfThread;
  using Real = typename Kokkidio::LaneTraits<Lane>::Scalar;
  StepArgs<Real> a;
  Marches marches;
  DeviceStageResult* result;
  MarchMarks marks;
  MarchList list;
  StepClock clock;

  using Cell = Primitive<Lane>;
  using RateBits = std::conditional_t<sizeof(Real) == 8, unsigned long long, unsigned>;

  template <Surroundings where>
  KOKKOS_FORCEINLINE_FUNCTION Slope<Lane> slopes(Cell const& left, Cell const& cell, Cell const& right, Differences<Lane> level,
                                                 Differences<Lane> bed, Real const* number_left, Real const* number_right) const {
    if constexpr (Extras) level = across_open_faces(level, number_left, number_right);
    auto const base = slope_base<where>(level, bed, left.z, right.z);
    if constexpr (Order == 1) return slopes_first(cell.h, base);
    else return slopes_second<where>(Extras ? a.limiter : Scheme::Limiter::mc, left, cell, right, base, a.dry_tolerance);
  }
  /// Number of the structure on the west or south face of a cell, null when there are none.
  KOKKOS_FORCEINLINE_FUNCTION Real const* number_x(Offset o) const {
    return Extras && a.structures.number_x ? a.structures.number_x + o : nullptr;
  }
  KOKKOS_FORCEINLINE_FUNCTION Real const* number_y(Offset o) const {
    return Extras && a.structures.number_y ? a.structures.number_y + o : nullptr;
  }

  KOKKOS_FORCEINLINE_FUNCTION static CellAtFace<Lane> along_x(Cell const& c, Slope<Lane> const& s) {
    return {c.h, c.u, c.v, c.z, c.wave, s.level, s.depth, s.u, s.v, c.inverse};
  }
  KOKKOS_FORCEINLINE_FUNCTION static CellAtFace<Lane> along_y(Cell const& c, Slope<Lane> const& s) {
    return {c.h, c.v, c.u, c.z, c.wave, s.level, s.depth, s.v, s.u, c.inverse};
  }

#if defined(__CUDACC__)
  /// What a thread carries from row to row beside the cells of three rows.
  struct Carried {
    Slope<Lane> slope_y_south;
    FaceFlux<Lane> flux_south;      ///< of row j - 1
    FluxBalance<Lane> balance_x_south;  ///< of row j - 1
    Lane step_south;                ///< level difference from row j - 1 to row j
    RateBits largest = 0;           ///< see rate_bits
    int water = 0;                  ///< bits of the depths found
  };
  /// Columns and rows of a march; rows j0 ... j1 - 1 are its own.
  struct Place {
    int i, j0, j1;
    bool mine;      ///< the thread's cells are the march's own, at least one of them inside the grid
    bool all_mine;  ///< the second of them too
  };

  /// Flux through the south face of row j and the update of row j - 1; then the west face of row j.
  template <Surroundings where>
  __device__ __forceinline__ void row(Cell const& south, Cell const& cell, Cell const& north, Carried& r, Place const& p, int j) const {
    int const pitch = int(a.pitch);
    int const o = p.i + pitch * j, o_south = o - pitch;
    StateBefore<Lane> before;
    if constexpr (Order == 2) {  // there it takes long enough for what was not read before to come
      before = state_before<Stage, Lane>(a, o_south);
      if constexpr (std::is_same_v<Real, float>) keep_loaded(before.residue);
      if constexpr (Stage == 2) keep_loaded(before.h_0, before.hu_0, before.hv_0);
    }
    if constexpr (Order == 1 && std::is_same_v<Real, float>) fetch_ahead(a.residue + o);  // for the next row
    Lane const step_north = level_difference<where>(cell, north, a.dry_tolerance);
    auto const slope_y = slopes<where>(south, cell, north, {r.step_south, step_north}, {cell.z - south.z, north.z - cell.z},
                                       number_y(o), number_y(o + pitch));
    if (j >= p.j0) {
      auto flux = face_flux<Order, Riemann, where>(along_y(south, r.slope_y_south), along_y(cell, slope_y), a.gravity,
                                                   a.dry_tolerance);
      if constexpr (where == Surroundings::any) {
        take_boundary_fluxes(flux, a.boundary, south.z, cell.z, a.h + o_south, a.h + o, Side::north);
        take_structure_fluxes(flux, a.structures, number_y(o));
      }
      if (j > p.j0 && p.mine) {
        if constexpr (Order == 1) before = state_before<Stage, Lane>(a, o_south);
        auto const t = tendency(a, south.h, r.balance_x_south, flux_balance(r.slope_y_south.level, r.flux_south, flux));
        auto const result_here = update<Stage, Stage == Order, Extras, where>(a, o_south, south.z, south.h, south.u, south.v, t, before);
        auto const bits = rate_bits(result_here.rate, result_here.depth, p.all_mine);
        r.largest = bits > r.largest ? bits : r.largest;
        r.water |= some_bits(result_here.depth);
      }
      r.flux_south = flux;
      if (j < p.j1) {
        Cell west{from_west(cell.h), from_west(cell.u), from_west(cell.v), from_west(cell.z), {}, from_west(cell.wave)};
        Cell east{};
        if constexpr (where == Surroundings::any) east.z = from_east(cell.z);
        if constexpr (Order == 2) {
          west.inverse = from_west(cell.inverse);
          east.h = from_east(cell.h);
          east.u = from_east(cell.u);
          east.v = from_east(cell.v);
        }
        Lane const step_west = level_difference<where>(west, cell, a.dry_tolerance), bed_west = cell.z - west.z;
        auto const slope_x = slopes<where>(west, cell, east, {step_west, from_east(step_west)}, {bed_west, from_east(bed_west)},
                                           number_x(o), number_x(o + 1));
        Slope<Lane> slope_west{};
        slope_west.level = from_west(slope_x.level);
        slope_west.depth = from_west(slope_x.depth);
        if constexpr (Order == 2) {
          slope_west.u = from_west(slope_x.u);
          slope_west.v = from_west(slope_x.v);
        }
        auto flux_west =
            face_flux<Order, Riemann, where>(along_x(west, slope_west), along_x(cell, slope_x), a.gravity, a.dry_tolerance);
        if constexpr (where == Surroundings::any) {
          take_boundary_fluxes(flux_west, a.boundary, west.z, cell.z, a.h + o - 1, a.h + o, Side::east);
          take_structure_fluxes(flux_west, a.structures, number_x(o));
        }
        FaceFlux<Lane> const flux_east{from_east(flux_west.mass), from_east(flux_west.momentum_L), {},
                                       from_east(flux_west.transverse)};
        r.balance_x_south = flux_balance(slope_x.level, flux_west, flux_east);
      }
    }
    r.slope_y_south = slope_y;
    r.step_south = step_north;
  }

  /// A cell's fields as they lie in memory.
  struct RawCell {
    Lane h, hu, hv, z;
  };
  __device__ __forceinline__ RawCell load_raw(int o) const {
    using Kokkidio::load_aligned;
    return {load_aligned<Lane>(a.h + o), load_aligned<Lane>(a.hu + o), load_aligned<Lane>(a.hv + o), load_aligned<Lane>(a.bed + o)};
  }

  /// The cell's depth and velocity; `wet` tells whether all cells of the warp are active and wet.
  __device__ __forceinline__ Cell to_cell(RawCell const& c, bool& wet) const {
    wet = __all_sync(0xffffffffu, Kokkidio::all(c.h > Lane(a.dry_tolerance) && c.z < Lane(mark_threshold<Real>)));
    return wet ? primitives<Surroundings::all_wet>(a, c.h, c.hu, c.hv, c.z)
               : primitives<Surroundings::any>(a, c.h, c.hu, c.hv, c.z);
  }
#endif

  KOKKOS_FUNCTION void operator()(Kokkidio::BasicParallelRange<Kokkidio::Target::device> const& range) const {
#if defined(__CUDA_ARCH__)
    auto const start = clock.start();
    if (range.begin() == 0) {
      if (Stage == 1) result->dt = start.dt;
      if (Stage == 1 && !list.count) clock.tell(start);
    }
    if (!start.holds) return;
    March timed = *this;
    timed.a.dt = Real(start.dt);
    keep_loaded(timed.a.dt);  // once, and not in each row
    timed.run(int(range.begin() / warp_size), int(range.begin() % warp_size));
#else
    (void)range;
#endif
  }

#if defined(__CUDACC__)
  /// The march of a warp, or its share of those listed.
  __device__ __forceinline__ void run(int const warp, int const column) const {
    bool const listed = Extras ? list.count != nullptr : Listed;
    int const listed_count = listed ? *list.count : 0, parts = listed ? list.parts_log2(listed_count) : 0;
    int const end = listed ? listed_count << parts : warp + 1;
#pragma unroll 1
    for (int item = warp; item < end; item += listed ? list.warps : 1) {
      int const march_here = listed ? list.march[item >> parts] : item;
      int const strip = march_here % marches.strips, block = march_here / marches.strips;
      bool const on = listed || marks.everywhere || __any_sync(0xffffffffu, takes_part(marches, marks, strip, block, column));
      int j0 = marches.first_row(block), j1 = marches.first_row(block + 1);
      if (parts > 0) {
        int const rows = ::max(Marches::short_rows, (j1 - j0 + (1 << parts) - 1) >> parts);
        j0 += rows * (item & ((1 << parts) - 1));
        j1 = ::min(j1, j0 + rows);
      }
      j1 = ::min(j1, a.ny);
      bool const water = on && j0 < j1 && march(strip, j0, j1, column);
      if (column == 0 && (water || (Stage == 1 && !listed))) marks.wet_new[march_here] = water;
    }
  }

  /// Rows j0 ... j1 - 1 of a strip; returns whether water was found.
  __device__ __forceinline__ bool march(int const strip, int const j0, int const j1, int const column) const {
    constexpr int width = Kokkidio::LaneTraits<Lane>::width, margin = strip_margin / width;
    int i = strip * strip_width<Lane> - strip_margin + column * width;
    bool const mine = column >= margin && column < warp_size - margin && i < a.nx, all_mine = i + 1 < a.nx;
    if (i > a.nx + 1) i = a.nx + (a.nx & 1) + 2;  // beyond what matters to the grid, but within its rows
    Carried r{};
    Place const place{i, j0, j1, mine, all_mine};
    bool wet;
    int const pitch = int(a.pitch);
    RawCell const first = load_raw(i + pitch * (j0 - 2)), second = load_raw(i + pitch * (j0 - 1));
    RawCell ahead = load_raw(i + pitch * j0);
    Cell south = to_cell(first, wet);
    int wet_rows = wet;  // side by side, up to the row to the north
    Cell cell = to_cell(second, wet);
    wet_rows = wet ? wet_rows + 1 : 0;
    r.step_south = level_difference(south, cell, a.dry_tolerance);
    bool const structures = Extras && a.structures.number_x;
#pragma unroll 1
    for (int j = j0 - 1; j <= j1; ++j) {
      Cell const north = to_cell(ahead, wet);
      wet_rows = wet ? wet_rows + 1 : 0;
      if (j < j1) ahead = load_raw(i + pitch * (j + 2));  // on its way while this row is computed
      if (wet_rows >= 3 && !structures) row<Surroundings::all_wet>(south, cell, north, r, place, j);
      else row<Surroundings::any>(south, cell, north, r, place, j);
      south = cell;
      cell = north;
    }

    double const largest = from_bits(r.largest);
    bool const sound = largest >= 0 && largest < 1e30;
    unsigned long long const bits = positive_bits(sound ? largest : std::numeric_limits<double>::infinity());
    // A look first: nearly all threads find a larger one there.
    if (bits > *const_cast<unsigned long long volatile*>(&result->rate_bits)) atomicMax(&result->rate_bits, bits);
    return __any_sync(0xffffffffu, r.water != 0);
  }
#endif
};

/// Blocks per multiprocessor that the compiler is to leave registers for; the best of those tried on an H200.
template <class Lane, int Order>
inline constexpr int blocks_per_multiprocessor = Order == 1 ? 5 : std::is_same_v<Lane, float> ? 6 : 4;

inline constexpr int threads_per_block = 128;

/// Warps that the device holds at once.
template <class Lane>
[[nodiscard]] int warps_at_once(int order) {
  constexpr int threads_per_multiprocessor = 2048;  // what `concurrency` counts
  int const multiprocessors =
      std::max(1, int(Kokkidio::ExecutionSpace<Kokkidio::Target::device>().concurrency()) / threads_per_multiprocessor);
  int const blocks = order == 1 ? blocks_per_multiprocessor<Lane, 1> : blocks_per_multiprocessor<Lane, 2>;
  return multiprocessors * blocks * (threads_per_block / warp_size);
}

/// What a launch needs beside the arguments of the step.
struct LaunchArgs {
  Marches marches;
  DeviceStageResult* result;
  MarchMarks marks;
  MarchList list;
  StepClock clock;
};

/// Light: the arguments travel with the launch, which does not wait for the kernel before.
template <class Policy>
auto light(Policy const& policy) {
  return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

template <class Lane, class Riemann, int Order, int Stage, bool Extras, bool Listed = false, class Real>
void launch(StepArgs<Real> const& a, LaunchArgs const& l) {
  using Policy = Kokkos::RangePolicy<Kokkidio::ExecutionSpace<Kokkidio::Target::device>,
                                     Kokkos::LaunchBounds<threads_per_block, blocks_per_multiprocessor<Lane, Order>>,
                                     Kokkos::IndexType<Kokkidio::Index>>;
  auto const warps = l.list.count ? Kokkidio::Index(l.list.warps) : l.marches.count();
  Kokkidio::parallel_for("stage", light(Policy(0, warps * warp_size)),
                         March<Lane, Riemann, Order, Stage, Extras, Listed>{a, l.marches, l.result, l.marks, l.list, l.clock});
}

inline void list_marches(LaunchArgs const& l) {
  using Policy = Kokkos::RangePolicy<Kokkidio::ExecutionSpace<Kokkidio::Target::device>, Kokkos::IndexType<Kokkidio::Index>>;
  Kokkidio::parallel_for("list_marches", light(Policy(0, l.marches.count())), ListMarches{l.marches, l.marks, l.list, l.clock});
}

/// The leanest kernel that does what `a` asks for. The usual solver has one without extras; the others make do with one.
template <class Lane, int Order, int Stage, class Real>
void launch(Scheme::Riemann riemann, StepArgs<Real> const& a, LaunchArgs const& l) {
  if (riemann == Scheme::Riemann::hllc) {
    if (needs_extras(a, Order)) launch<Lane, RiemannHllc, Order, Stage, true>(a, l);
    else if (l.list.count) launch<Lane, RiemannHllc, Order, Stage, false, true>(a, l);
    else launch<Lane, RiemannHllc, Order, Stage, false>(a, l);
  } else if constexpr (Order == 1 || std::is_same_v<Lane, Real>) {  // see compute_several_cells
    if (riemann == Scheme::Riemann::hll) launch<Lane, RiemannHll, Order, Stage, true>(a, l);
    else launch<Lane, RiemannRoe, Order, Stage, true>(a, l);
  }
}
template <class Lane, class Real>
void launch(Scheme const& scheme, int stage, StepArgs<Real> const& a, LaunchArgs const& l) {
  if (scheme.order == 1) {
    if constexpr (std::is_same_v<Lane, SeveralCells<Real>>) launch<Lane, 1, 1>(scheme.riemann, a, l);
  } else if (stage == 1) {
    launch<Lane, 2, 1>(scheme.riemann, a, l);
  } else {
    launch<Lane, 2, 2>(scheme.riemann, a, l);
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

/// Strips on the GPU; dry land is left out as on the CPU. A step may be launched before it is known how the one before it
/// ended: it finds its length from that one's result, and does nothing if that one failed.
template <class Real>
class StageRunner<Real, Kokkidio::Target::device> {
  using Marks = Kokkidio::ViewMap<unsigned char*, Kokkidio::Target::device>;
  static constexpr int result_slots = 128;  // half of them cleared once in 32 steps rather than two in each
#if KOKKOS_VERSION >= 40000
  using SharedSpace = Kokkos::SharedHostPinnedSpace;
#else
  using SharedSpace = Kokkos::HostSpace;
#endif
  static constexpr unsigned long long untold = ~0ull;

 public:
  static constexpr bool can_run_ahead = !std::is_same_v<SharedSpace, Kokkos::HostSpace>;

  StageRunner() = default;
  StageRunner(Layout const& layout, Scheme const& scheme, std::vector<std::int64_t> const& always)
      : scheme_(scheme),
        pitch_(layout.pitch),
        several_cells_(device::compute_several_cells(scheme, std::int64_t(layout.nx) * layout.ny)),
        warps_at_once_(several_cells_ ? device::warps_at_once<Several>(scheme.order) : device::warps_at_once<Real>(scheme.order)),
        marches_(layout.nx, layout.ny, several_cells_ ? device::strip_width<Several> : device::strip_width<Real>, warps_at_once_),
        results_("stage_results", result_slots),
        results_host_("stage_results_host", result_slots),
        told_("rates_told", result_slots),
        told_marches_("marches_told", result_slots),
        list_("march_list", marches_.count()),
        marches_seen_(int(marches_.count())) {
    if (layout.size() > std::numeric_limits<int>::max())
      throw std::invalid_argument("the grid has " + std::to_string(layout.size()) + " cells with its margin; one GPU takes 2147483647");
    for (auto* marks : {&always_, &wet_, &wet_before_, &wet_new_, &wet_ahead_}) *marks = Marks("marches", marches_.count());
    wake_all();
    mark(always, always_);
  }

  /// Launches a stage of a step over dt. Nothing is known of it yet.
  StageResult run(StepArgs<Real> const& a, double dt, int stage, bool everywhere) {
    if (stage == 1) {
      slot_ = next_slot();
      choose_listing(slot_, everywhere);
    }
    ahead_ = false;
    device::StepClock clock;
    clock.dt = dt;
    launch(a, stage, slot_, {wet_.data(), wet_before_.data(), always_.data(), wet_new_.data(), everywhere || !skip_dry_}, clock);
    return {};
  }

  /// Launches a stage of the step that follows the one launched last, whatever its length is to be.
  void run_ahead(StepArgs<Real> const& a, int stage, bool everywhere, StepSizeLimits const& limits) {
    if (stage == 1) {
      ahead_slot_ = next_slot();
      choose_listing(ahead_slot_, everywhere);
      *const_cast<unsigned long long volatile*>(&told_(slot_)) = untold;
      ahead_ = true;
    }
    device::StepClock clock;
    clock.before = results_.data() + slot_;
    clock.last_stage = scheme_.order - 1;
    clock.limits = limits;
    if (stage == 1) {
      clock.told_rate = told_.data() + slot_;
      clock.told_marches = told_marches_.data() + slot_;
    }
    launch(a, stage, ahead_slot_, {wet_new_.data(), wet_.data(), always_.data(), wet_ahead_.data(), everywhere || !skip_dry_}, clock);
  }
  /// The step launched ahead is now the one whose result is asked for.
  void take_ahead() {
    slot_ = ahead_slot_;
    ahead_ = false;
  }

  /// What the stages of the step found; waits for their end. The step launched ahead tells it as it starts.
  [[nodiscard]] StageResult result() {
    StageResult out;
    unsigned long long bits = untold;
    if (ahead_) {
      auto const& told = *const_cast<unsigned long long const volatile*>(&told_(slot_));
      constexpr int patience = 1 << 26;
      for (int k = 0; k < patience && bits == untold; ++k) bits = told;
      if (bits == untold) {
        execution_.fence();  // throws if the device has failed
        bits = told;
        if (bits == untold) throw std::runtime_error("the GPU has not told how a step ended");
      }
      if (listed_[slot_]) marches_seen_ = *const_cast<int const volatile*>(&told_marches_(slot_));
    } else {
      auto const slots = std::pair(slot_, slot_ + scheme_.order);
      Kokkos::deep_copy(execution_, Kokkos::subview(results_host_, slots), Kokkos::subview(results_, slots));
      execution_.fence();
      bits = 0;
      for (int k = 0; k < scheme_.order; ++k) bits = std::max(bits, results_host_(slot_ + k).rate_bits);
      if (listed_[slot_]) marches_seen_ = results_host_(slot_).marches;
    }
    out.max_rate = device::from_bits(bits);
    out.failed = !(out.max_rate < std::numeric_limits<double>::infinity());
    return out;
  }

  void accept() {
    std::swap(wet_before_, wet_);
    std::swap(wet_, wet_new_);
    std::swap(wet_new_, wet_ahead_);
  }
  void wake(std::vector<std::int64_t> const& positions) { mark(positions, wet_new_); }
  void wake_all() { Kokkos::deep_copy(wet_before_.view(), (unsigned char)1); }
  void set_skip_dry(bool skip) { skip_dry_ = skip; }

 private:
  using Several = device::SeveralCells<Real>;

  /// Marches are listed while few take part, and once in a while to see how many do.
  void choose_listing(int slot, bool everywhere) {
    bool const few = marches_seen_ < marches_.count() / 4, look = slot == 0;
    listed_[slot] = skip_dry_ && !everywhere && (few || look);
  }

  /// Places for the results of a step's two stages. The half that is cleared is not the one in use.
  [[nodiscard]] int next_slot() {
    last_slot_ = (last_slot_ + 2) % result_slots;
    constexpr int half = result_slots / 2;
    if (last_slot_ % half == 0)
      Kokkos::deep_copy(execution_, Kokkos::subview(results_, std::pair(last_slot_, last_slot_ + half)), DeviceStageResult{});
    return last_slot_;
  }

  void launch(StepArgs<Real> const& a, int stage, int slot, device::MarchMarks const& marks, device::StepClock const& clock) {
    device::LaunchArgs l{marches_, results_.data() + slot + (stage - 1), marks, {}, clock};
    l.list.warps = int(std::min<Kokkidio::Index>(warps_at_once_, marches_.count() << 3));
    if (listed_[slot]) {
      l.list.march = list_.data();
      l.list.count = &results_.data()[slot].marches;
      if (stage == 1) device::list_marches(l);
    }
    if (several_cells_) device::launch<Several>(scheme_, stage, a, l);
    else device::launch<Real>(scheme_, stage, a, l);
  }

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
  bool several_cells_ = false;
  int warps_at_once_ = 0;  ///< that the device holds
  device::Marches marches_;
  Kokkidio::ExecutionSpace<Kokkidio::Target::device> execution_;
  Kokkos::View<DeviceStageResult*, Kokkidio::MemorySpace<Kokkidio::Target::device>> results_;
  Kokkos::View<DeviceStageResult*, SharedSpace> results_host_;
  Kokkos::View<unsigned long long*, SharedSpace> told_;  ///< by the step after; see device::StepClock
  Kokkos::View<int*, SharedSpace> told_marches_;         ///< likewise
  Kokkidio::ViewMap<int*, Kokkidio::Target::device> list_;
  int marches_seen_ = 0;              ///< that took part when they were last listed
  bool listed_[result_slots] = {};    ///< by the slot of a step's first stage
  int last_slot_ = result_slots - 2;                     ///< given away last; each stage has one
  int slot_ = 0, ahead_slot_ = 0;                        ///< of this step, and of the one launched ahead
  bool ahead_ = false;
  Marks always_, wet_, wet_before_, wet_new_, wet_ahead_;
  Kokkidio::ViewMap<std::int64_t*, Kokkidio::Target::device> positions_;
  std::vector<std::int64_t> positions_host_;
  bool skip_dry_ = true;
};

}  // namespace swe
