#pragma once
/// \file
/// Where code runs and data lives.

#include <Kokkos_Core.hpp>

#include <Eigen/Core>
#include <type_traits>

namespace Kokkidio {

/// Counts and positions; signed, as in Eigen.
using Index = Eigen::Index;

/// `host`: this process's CPU threads, kernels receive chunks.
/// `device`: Kokkos' default execution space, kernels receive one item at a time. In a build without a GPU
/// that space is the CPU too, so code for `Target::device` compiles, runs and can be tested there.
enum class Target { host, device };

namespace detail {

template <Target target>
struct Space;
template <>
struct Space<Target::host> {
  using Execution = Kokkos::DefaultHostExecutionSpace;
  using Memory = Kokkos::HostSpace;
};
template <>
struct Space<Target::device> {
  using Execution = Kokkos::DefaultExecutionSpace;
  using Memory = Kokkos::DefaultExecutionSpace::memory_space;
};

}  // namespace detail

template <Target target>
using ExecutionSpace = typename detail::Space<target>::Execution;
template <Target target>
using MemorySpace = typename detail::Space<target>::Memory;

/// Whether Kokkos was built for a GPU (or another device with memory of its own).
inline constexpr bool has_device =
    !std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>;

/// Where Kokkos' default execution space runs.
inline constexpr Target DefaultTarget = has_device ? Target::device : Target::host;

namespace detail {

/// Ends the kernel: throws `Error` with the text on the host, aborts on a device. `message` is a function, so
/// that nothing is formatted while all is well.
template <class Error, class Message>
[[noreturn]] KOKKOS_INLINE_FUNCTION void fail([[maybe_unused]] Message const& message) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  Kokkos::abort("Kokkidio: range beyond an extent, or a buffer of another range");
  for (;;) {
  }
#else
  throw Error(message());
#endif
}

/// Whether checks that cost time are compiled in.
inline constexpr bool debug =
#if defined(KOKKIDIO_DEBUG)
    true;
#else
    false;
#endif

}  // namespace detail
}  // namespace Kokkidio
