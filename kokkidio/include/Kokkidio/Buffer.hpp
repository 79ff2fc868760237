#pragma once
/// \file
/// Buffers: memory for a kernel's intermediate values.

#include <Kokkos_Core.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "Kokkidio/Batch.hpp"
#include "Kokkidio/HostRegion.hpp"
#include "Kokkidio/ParallelRange.hpp"
#include "Kokkidio/Runtime.hpp"
#include "Kokkidio/Target.hpp"

namespace Kokkidio {

namespace detail {

/// What a buffer of T holds per item: numbers (an Eigen row) or one small matrix.
template <class T>
struct BufferTraits {
  static_assert(std::is_arithmetic_v<T>,
                "Kokkidio: a buffer holds numbers, columns of them, or small matrices");
  using Scalar = T;
  using Host = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>, Eigen::AlignedMax>;
  using Device = Eigen::Matrix<T, 1, 1>;
  static constexpr Index per_item = 1;
  static Host map(Scalar* p, Index items) { return Host(p, items); }
};
template <EigenPlain T>
requires(!EigenFixed<T>) struct BufferTraits<T> {
  static_assert(T::ColsAtCompileTime != Eigen::Dynamic,
                "Kokkidio: a device needs to know a buffer's columns at compile time");
  using Scalar = typename T::Scalar;
  using Host = Eigen::Map<PlainLike<T, Scalar, Eigen::Dynamic, T::ColsAtCompileTime>, Eigen::AlignedMax>;
  using Device = PlainLike<T, Scalar, 1, T::ColsAtCompileTime>;
  static constexpr Index per_item = T::ColsAtCompileTime;
  static Host map(Scalar* p, Index items) { return Host(p, items, T::ColsAtCompileTime); }
};
template <EigenFixed T>
struct BufferTraits<T> {
  using Scalar = T;
  using Host = BatchMap<T>;
  using Device = T;
  static constexpr Index per_item = 1;
  static Host map(T* p, Index items) { return Host(p, items); }
};

/// Number of this thread among those that are alive and have asked; small, and nobody else's.
class ThreadNumber {
public:
  static std::size_t get() {
    thread_local ThreadNumber const mine;
    return mine.number_;
  }
  ThreadNumber(ThreadNumber const&) = delete;
  ThreadNumber& operator=(ThreadNumber const&) = delete;

private:
  struct Free {
    std::mutex mutex;
    std::vector<std::size_t> numbers;
    std::size_t next = 0;
  };
  static Free& free_numbers() {
    static Free* const free = new Free;  // outlives every thread
    return *free;
  }
  ThreadNumber() {
    Free& free = free_numbers();
    std::lock_guard const lock(free.mutex);
    if (free.numbers.empty()) {
      number_ = free.next++;
    } else {
      number_ = free.numbers.back();
      free.numbers.pop_back();
    }
  }
  ~ThreadNumber() {
    Free& free = free_numbers();
    std::lock_guard const lock(free.mutex);
    free.numbers.push_back(number_);
  }
  std::size_t number_;
};

/// Memory blocks, a few for each thread, taken and given back by that thread while kernels run. No two
/// threads share one, so nothing is locked.
class BufferPool {
public:
  static constexpr std::size_t alignment = 128;
  static constexpr std::size_t per_thread = 8;  ///< buffers that a kernel holds at once, usually

  BufferPool() : slots_(per_thread * std::size_t(2 * num_threads() + 4)) {}
  BufferPool(BufferPool const&) = delete;
  BufferPool& operator=(BufferPool const&) = delete;

  struct alignas(alignment) Slot {
    bool taken = false;
    std::size_t bytes = 0;
    void* memory = nullptr;
    Slot() = default;
    Slot(Slot const&) = delete;
    Slot& operator=(Slot const&) = delete;
    ~Slot() { ::operator delete(memory, std::align_val_t(alignment)); }
    void reserve(std::size_t wanted) {
      if (wanted <= bytes) return;
      ::operator delete(memory, std::align_val_t(alignment));
      memory = nullptr, bytes = 0;
      memory = ::operator new(wanted, std::align_val_t(alignment));
      bytes = wanted;
    }
  };

  /// A free slot of this thread; null where it has none.
  Slot* take() {
    std::size_t const first = per_thread * ThreadNumber::get();
    if (first >= slots_.size()) return nullptr;
    for (std::size_t k = first; k < first + per_thread; ++k)
      if (!slots_[k].taken) {
        slots_[k].taken = true;
        return &slots_[k];
      }
    return nullptr;
  }

private:
  std::vector<Slot> slots_;
};

/// A slot for as long as a kernel holds it.
class BufferLease {
public:
  BufferLease(BufferPool& pool, Index items, Index bytes_per_item)
      : slot_(pool.take()), bytes_per_item_(bytes_per_item) {
    if (slot_ == nullptr) own_ = std::make_unique<BufferPool::Slot>(), slot_ = own_.get();
    try {
      slot_->reserve(std::size_t(items * bytes_per_item));
    } catch (...) {
      slot_->taken = false;
      throw;
    }
    BufferUse::of_this_thread().take(bytes_per_item_);
  }
  BufferLease(BufferLease const&) = delete;
  BufferLease& operator=(BufferLease const&) = delete;
  ~BufferLease() {
    slot_->taken = false;
    BufferUse::of_this_thread().give_back(bytes_per_item_);
  }
  [[nodiscard]] void* memory() const { return slot_->memory; }

private:
  BufferPool::Slot* slot_;
  std::unique_ptr<BufferPool::Slot> own_;
  Index bytes_per_item_;
};

}  // namespace detail

/// A kernel's values for the items of its range, on the host: an Eigen map or a batch of small matrices.
template <class T>
class HostBuffer : private detail::BufferLease, public detail::BufferTraits<T>::Host {
  using Traits = detail::BufferTraits<T>;
  using Values = typename Traits::Host;

public:
  HostBuffer(detail::BufferPool& pool, Index items)
      : BufferLease(pool, items, Traits::per_item * Index(sizeof(typename Traits::Scalar))),
        Values(Traits::map(static_cast<typename Traits::Scalar*>(memory()), items)) {}
  HostBuffer(HostBuffer const&) = delete;
  HostBuffer& operator=(HostBuffer const& other) {
    Values::operator=(static_cast<Values const&>(other));
    return *this;
  }
  using Values::operator=;
};

/// What makeBuffer returns: says what a kernel's buffer holds; captured by the kernel, which gets its
/// buffer with getBuffer.
template <class T, Target target_>
class BufferDescriptor {
public:
  static constexpr Target target = target_;
  explicit BufferDescriptor(Index largest)
      : largest_(largest), pool_(std::make_shared<detail::BufferPool>()) {}

  [[nodiscard]] HostBuffer<T> get(Index items) const {
    if constexpr (detail::debug)
      if (largest_ > 0 && items > largest_)
        throw std::logic_error("Kokkidio: a buffer made for " + std::to_string(largest_) +
                               " items met a range of " + std::to_string(items));
    return HostBuffer<T>(*pool_, items);
  }

private:
  Index largest_;
  std::shared_ptr<detail::BufferPool> pool_;
};
template <class T>
class BufferDescriptor<T, Target::device> {
public:
  static constexpr Target target = Target::device;
  explicit BufferDescriptor(Index) {}
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION typename detail::BufferTraits<T>::Device get(Index) const {
    return typename detail::BufferTraits<T>::Device();
  }
};

/// Describes a buffer for kernels on `target`. T is a number (`double`: one per item), an Eigen type with
/// fixed columns
/// (`Eigen::ArrayXd`, `Eigen::Array<double, Eigen::Dynamic, 3>`: a row per item) or of fixed size
/// (`Eigen::Matrix2d`: a matrix per item). `largest` is the largest range it is meant for, checked in debug
/// builds; 0 for any.
template <class T, Target target = DefaultTarget>
[[nodiscard]] BufferDescriptor<T, target> makeBuffer(Index largest = 0) {
  return BufferDescriptor<T, target>(largest);
}

/// The buffer of this kernel call: uninitialised values for the items of `rng`, per thread on the host and on
/// the stack of a device. Each call gives memory of its own until the result goes out of scope.
template <class T, Target target, bool single>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto getBuffer(BufferDescriptor<T, target> const& descriptor,
                                                         BasicParallelRange<target, single> const& rng) {
  static_assert(!single || target == Target::device, "Kokkidio: take the buffer outside rng.for_each");
  return descriptor.get(rng.size());
}
template <class T, Target buffer_target, Target target, bool single>
requires(buffer_target != target) void getBuffer(BufferDescriptor<T, buffer_target> const&,
                                                 BasicParallelRange<target, single> const&) {
  static_assert(buffer_target == target, "Kokkidio: this buffer was made for the other target");
}

}  // namespace Kokkidio
