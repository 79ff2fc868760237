#pragma once
/// \file
/// Small loops over items on either target, and moving fields between host and target.

#include <Kokkidio/Kokkidio.hpp>
#include <utility>
#include <vector>

#include "solver/fields.hpp"

namespace swe {

using Kokkidio::Index;
using Kokkidio::Target;

/// Calls f(k) for k in [0, n), in parallel on the target.
template <Target target, class F>
void for_each_item(char const* label, Index n, F const& f) {
  Kokkidio::parallel_for<target>(
      label, n, KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<target> const& range) {
        for (Index k = range.begin(); k < range.end(); ++k) f(k);
      });
}

template <class T, Target target>
[[nodiscard]] std::vector<T> download(Array<T, target> const& a) {
  std::vector<T> host(std::size_t(a.size()));
  Kokkos::deep_copy(
      Kokkos::View<T*, Kokkos::LayoutLeft, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
          host.data(), host.size()),
      a.view());
  return host;
}
template <class T, Target target>
void upload(std::vector<T> const& host, Array<T, target> const& a) {
  Kokkos::deep_copy(
      a.view(),
      Kokkos::View<T const*, Kokkos::LayoutLeft, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
          host.data(), host.size()));
}
template <Target target, class T>
[[nodiscard]] Array<T, target> on_target(char const* label, std::vector<T> const& host) {
  Array<T, target> a(label, Index(host.size()), Kokkidio::uninitialized);
  upload<T, target>(host, a);
  return a;
}

/// Array over the layout from a function of the cell's number in the grid; `outside` elsewhere.
template <class T, Target target, class F>
[[nodiscard]] Array<T, target> field_on_target(char const* label, Layout const& layout, F const& value,
                                               T outside = T(0)) {
  std::vector<T> host(std::size_t(layout.size()), outside);
  for (int j = 0; j < layout.ny; ++j)
    for (int i = 0; i < layout.nx; ++i) host[layout.at(i, j)] = T(value(i + std::int64_t(layout.nx) * j));
  return on_target<target>(label, host);
}

/// sum += x with the rest kept in `rest`.
KOKKOS_INLINE_FUNCTION void add_compensated(double& sum, double& rest, double x) {
  double const y = x + rest;
  double const t = sum + y;
  rest = y - (t - sum);
  sum = t;
}

/// Volumes that have come in and gone out [m3], kept with what rounding drops.
struct VolumeAccount {
  double in = 0, in_rest = 0, out = 0, out_rest = 0;
  KOKKOS_INLINE_FUNCTION void add(double volume) {
    if (volume > 0)
      add_compensated(in, in_rest, volume);
    else
      add_compensated(out, out_rest, -volume);
  }
};

}  // namespace swe
