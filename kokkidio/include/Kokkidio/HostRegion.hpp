#pragma once
/// \file
/// Chunks of a host loop, spread over threads.

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <limits>
#include <type_traits>

#include "Kokkidio/Runtime.hpp"
#include "Kokkidio/Target.hpp"

namespace Kokkidio::detail {

/// Chunk edges lie at multiples of the chunk and chunks are multiples of this many items, so that an item's
/// place in a SIMD register, and with it the last bit of its result, depends on nothing but the item.
inline constexpr Index chunk_unit = 16;
/// 32 KiB of doubles: a handful of such arrays fit a second-level cache, and starting a chunk costs little
/// against it. Kernels with many buffers gain from asking for less.
inline constexpr Index largest_default_chunk = 4096;

/// Kernels with buffers get chunks with which these fill no more than this, so that they stay in a
/// first-level cache.
inline constexpr Index buffer_bytes_per_chunk = 4096;
inline constexpr Index least_buffered_chunk = 8 * chunk_unit;
/// Reductions keep no intermediate values; longer chunks restart the processor's prefetching less often.
inline constexpr Index largest_reduction_chunk = 32768;

constexpr Index round_up(Index n, Index unit) { return (n + unit - 1) / unit * unit; }
constexpr Index floor_divide(Index a, Index b) { return a / b - (a % b != 0 && a < 0); }

/// Chunk of a loop over `items` when none was asked for: an equal number of equal chunks per thread, none
/// above `largest`.
inline Index default_chunk(Index items, Index largest = largest_default_chunk) {
  Index const threads = num_threads();
  Index const rounds = (items + threads * largest - 1) / (threads * largest);
  Index const parts = std::max<Index>(threads * rounds, 1);
  return std::max(round_up((items + parts - 1) / parts, chunk_unit), 4 * chunk_unit);
}

/// Chunk of a reduction or scan: a function of the number of items alone, since the order in which partial
/// results meet decides the last bits. Kernels on ranges get a multiple of 8 equal chunks, none above what a
/// cache holds; kernels on an index, whose items may be long work, get 64 or more.
inline Index reduction_chunk(Index items, bool by_range) {
  if (!by_range) return std::clamp<Index>((items + 63) / 64, 1, 1024);
  Index const parts =
      std::max<Index>(round_up((items + largest_reduction_chunk - 1) / largest_reduction_chunk, 8), 8);
  return std::max(round_up((items + parts - 1) / parts, chunk_unit), 4 * chunk_unit);
}

/// Bytes per item in the buffers of the kernel that this thread runs: now, and the most since it was last
/// set.
struct BufferUse {
  Index now = 0, most = 0;
  static BufferUse& of_this_thread() {
    thread_local BufferUse use;
    return use;
  }
  void take(Index bytes) { most = std::max(most, now += bytes); }
  void give_back(Index bytes) { now -= bytes; }
};

/// The largest default chunk of a kernel, as its buffers suggest: a first call finds out what it uses, later
/// ones follow. Values do not depend on the chunk.
class ChunkOfKernel {
public:
  [[nodiscard]] Index largest() const {
    Index const bytes = bytes_per_item_.load(std::memory_order_relaxed);
    return bytes == 0 ? largest_default_chunk
                      : std::clamp(buffer_bytes_per_chunk / bytes / chunk_unit * chunk_unit,
                                   least_buffered_chunk, largest_default_chunk);
  }
  /// To be called around a loop, by the thread that starts it and takes part.
  void watch() const {
    BufferUse& use = BufferUse::of_this_thread();
    use.most = use.now;
  }
  void learn() {
    BufferUse const& use = BufferUse::of_this_thread();
    if (Index const bytes = use.most - use.now; bytes != bytes_per_item_.load(std::memory_order_relaxed))
      bytes_per_item_.store(bytes, std::memory_order_relaxed);
  }

private:
  std::atomic<Index> bytes_per_item_{0};
};

/// The first exception by chunk number; chunks after it need not run.
class FirstException {
public:
  bool skips(Index chunk) const { return chunk > chunk_.load(std::memory_order_relaxed); }
  /// To be called in a catch block.
  void keep(Index chunk) noexcept {
    while (lock_.test_and_set(std::memory_order_acquire)) {
    }
    if (chunk < chunk_.load(std::memory_order_relaxed)) {
      chunk_.store(chunk, std::memory_order_relaxed);
      exception_ = std::current_exception();
    }
    lock_.clear(std::memory_order_release);
  }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

private:
  std::atomic<Index> chunk_{std::numeric_limits<Index>::max()};
  std::atomic_flag lock_ = ATOMIC_FLAG_INIT;
  std::exception_ptr exception_;
};

/// Number of chunks of [begin, end).
inline Index count_chunks(Index begin, Index end, Index chunk) {
  return begin >= end ? 0 : floor_divide(end - 1, chunk) - floor_divide(begin, chunk) + 1;
}

/// Calls `body(a, b, k, chunk_begin, chunk_end)` for every chunk of [begin, end), each thread taking
/// neighbours. `body` captures nothing; what it needs it gets through two pointers. An exception leaves the
/// region through the caller.
///
/// Everything travels to the threads by value: fetching the caller's stack from another core, one dependent
/// pointer after the other, took half a microsecond per loop.
template <class Body, class A, class B>
void for_chunks(Index begin, Index end, Index chunk, Body body, A* a, B* b) {
  static_assert(std::is_empty_v<Body>);
  Index const count = count_chunks(begin, end, chunk);
  if (count == 0) return;
  Index const first = floor_divide(begin, chunk) * chunk;
  int const threads = int(std::min<Index>(num_threads(), count));
  if (threads == 1) {
    for (Index k = 0; k < count; ++k)
      body(a, b, k, std::max(begin, first + k * chunk), std::min(end, first + (k + 1) * chunk));
    return;
  }
#if defined(_OPENMP)
  FirstException failure;
  FirstException* const failed = &failure;
#pragma omp parallel num_threads(threads) default(none) \
    firstprivate(begin, end, chunk, first, count, failed, a, b)
  {
    Index const thread = omp_get_thread_num(), team = omp_get_num_threads();
    Index k = count * thread / team;
    Index const last = count * (thread + 1) / team;
    try {
      for (; k < last && !failed->skips(k); ++k)
        Body()(a, b, k, std::max(begin, first + k * chunk), std::min(end, first + (k + 1) * chunk));
    } catch (...) {
      failed->keep(k);
    }
  }
  failure.rethrow();
#endif
}

}  // namespace Kokkidio::detail
