#pragma once
/// \file
/// parallel_for, parallel_reduce, parallel_scan.

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "Kokkidio/HostRegion.hpp"
#include "Kokkidio/ParallelRange.hpp"
#include "Kokkidio/Target.hpp"

namespace Kokkidio {

/// Which items a loop runs over: a size, `{begin, end}`, or a Kokkos::RangePolicy (whose chunk size and
/// execution space instance are kept). `Items(n).chunk(256)` asks for a chunk size.
class Items {
public:
  template <std::integral I>
  Items(I size) : end_(Index(size)) {}
  template <std::integral I, std::integral J>
  Items(I begin, J end) : begin_(Index(begin)), end_(Index(end)) {}
  template <class... P>
  Items(Kokkos::RangePolicy<P...> const& policy);

  /// Items a host kernel receives at a time. Kernels on ranges get it rounded up to a multiple of 16, so that
  /// no result depends on it; reductions and scans choose their own for the same reason, and use this only to
  /// give each thread several of theirs in a row.
  [[nodiscard]] Items chunk(Index items) const {
    if (items < 1) throw std::invalid_argument("Kokkidio: a chunk holds at least one item");
    Items r = *this;
    r.chunk_ = items;
    return r;
  }
  /// The chunk that fills 32 KiB with numbers of type T.
  template <class T>
  [[nodiscard]] Items chunk_for() const {
    return chunk(chunk_size<T>());
  }
  template <class T>
  [[nodiscard]] static constexpr Index chunk_size() {
    return detail::round_up(detail::largest_default_chunk * Index(sizeof(double)) / Index(sizeof(T)),
                            detail::chunk_unit);
  }

  [[nodiscard]] Index begin() const { return begin_; }
  [[nodiscard]] Index end() const { return end_; }
  [[nodiscard]] Index size() const { return end_ > begin_ ? end_ - begin_ : 0; }
  /// 0 where none was asked for
  [[nodiscard]] Index chunk() const { return chunk_; }

private:
  Index begin_ = 0, end_ = 0, chunk_ = 0;
};

namespace detail {

template <class T>
struct IsRangePolicy : std::false_type {};
template <class... P>
struct IsRangePolicy<Kokkos::RangePolicy<P...>> : std::true_type {};

/// A policy's chunk size counts as asked for where it is not the one that Kokkos would have chosen (always a
/// power of two).
template <class Policy>
Index requested_chunk(Policy const& policy) {
  using Plain = Kokkos::RangePolicy<typename Policy::execution_space, typename Policy::schedule_type,
                                    typename Policy::index_type>;
  return policy.chunk_size() == Plain(policy.begin(), policy.end()).chunk_size() ? 0
                                                                                 : Index(policy.chunk_size());
}

}  // namespace detail

template <class... P>
Items::Items(Kokkos::RangePolicy<P...> const& policy)
    : begin_(Index(policy.begin())), end_(Index(policy.end())), chunk_(detail::requested_chunk(policy)) {}

namespace detail {

/// Target of a policy's execution space.
template <class Policy>
inline constexpr Target policy_target =
    std::is_same_v<typename Policy::execution_space, Kokkos::DefaultExecutionSpace> ? DefaultTarget
                                                                                    : Target::host;

template <Target target, class F, class... More>
inline constexpr bool takes_range = std::is_invocable_v<F const&, BasicParallelRange<target>, More...>;
template <class F, class... More>
inline constexpr bool takes_index = std::is_invocable_v<F const&, Index, More...>;

template <Target target, class F, class... More>
constexpr void check_kernel() {
  static_assert(takes_range<target, F, More...> || takes_index<F, More...>,
                "Kokkidio: a kernel takes a range of the loop's target (BasicParallelRange<target>) or an "
                "index, then one "
                "reference per result");
}

/// Calls a kernel for one item: what a device runs. No template, since Kokkos looks at the signature.
template <Target target, class F, class... Values>
struct ItemKernel {
  F kernel;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Index item, Values&... values) const {
    if constexpr (takes_range<target, F, Values&...>)
      kernel(BasicParallelRange<target>(item), values...);
    else
      kernel(item, values...);
  }
};

/// Threads a GPU works with at once side by side; consecutive items of as many threads are one stretch of
/// memory.
inline constexpr Index device_tile = 256;

/// Calls a kernel for `per_slot` items, a tile apart. Kokkos starts blocks of 128 threads however many items
/// there are, and an H200 cannot start blocks of short kernels as fast as it can run them: axpy in single
/// precision took 1.4 times as long with one item per thread as with two.
template <Target target, class F>
struct TiledKernel {
  static constexpr Index per_slot = 2;
  static constexpr Index least_items = Index(1) << 22;  ///< several times what a GPU holds at once

  ItemKernel<target, F> item;
  Index begin, end;

  [[nodiscard]] static Index slots(Index items) { return round_up(items, per_slot * device_tile) / per_slot; }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Index slot) const {
    Index i = begin + slot / device_tile * (per_slot * device_tile) + slot % device_tile;
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll 1
#endif
    for (Index k = 0; k < per_slot && i < end; ++k, i += device_tile) item(i);
  }
};

/// Calls a reducing kernel for two items a tile apart, and again a grid further on, and keeps its part of the
/// result in registers (what Kokkos hands to a kernel lies in shared memory). The grid is half as many
/// threads as the GPU holds, all under way at once (`LaunchBounds` keeps them to 64 registers); together they
/// sweep through memory. Of twelve such schemes this was the fastest on an H200 for all kernels of the
/// benchmark, and no slower than CUB.
template <Target target, class F, class... Values>
struct SweepingKernel {
  static constexpr Index per_round = 2;
  using Bounds = Kokkos::LaunchBounds<unsigned(device_tile), 4>;

  ItemKernel<target, F, Values...> item;
  Index begin, end, slots, rounds_end;

  static SweepingKernel over(F const& kernel, Items const& items) {
    Index const size = items.size();
    Index const most =
        std::max(ExecutionSpace<target>().concurrency() / 2 / device_tile * device_tile, device_tile);
    Index const slots = has_device ? std::min(size, most) : size;
    Index const round = std::max<Index>(per_round * slots, 1);
    return {{kernel}, items.begin(), items.end(), slots, items.begin() + size / round * round};
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Index slot, Values&... values) const {
    sweep(slot, values..., values...);
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION void sweep(Index slot, Values&... values, Values... own) const {
    Index i = begin + slot / device_tile * (per_round * device_tile) + slot % device_tile;
    for (; i < rounds_end; i += per_round * slots) {
      item(i, own...);
      item(i + device_tile, own...);
    }
    for (i = rounds_end + slot; i < end; i += slots) item(i, own...);
    ((values = own), ...);
  }
};

/// Calls a kernel for a host chunk.
template <class F, class... More>
inline void call_chunk(F const& kernel, Index begin, Index end, More&... more) {
  if constexpr (takes_range<Target::host, F, More&...>) {
    kernel(BasicParallelRange<Target::host>(begin, end), more...);
  } else if constexpr (sizeof...(More) == 0) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__) && !defined(__CUDACC__)
#pragma GCC ivdep
#endif
    for (Index i = begin; i < end; ++i) kernel(i);  // items of a parallel loop are independent by contract
  } else {
    for (Index i = begin; i < end; ++i) kernel(i, more...);
  }
}

template <class F>
std::string kernel_label(std::string_view label) {
  return label.empty() ? std::string(typeid(F).name()) : std::string(label);
}

enum class LoopKind { for_loop, reduce, scan };

/// Tells Kokkos' profiling tools about a host loop, as Kokkos does about its own.
template <LoopKind kind, class F>
class ProfiledLoop {
public:
  explicit ProfiledLoop(std::string_view label) : seen_(Kokkos::Tools::profileLibraryLoaded()) {
    if (!seen_) return;
    std::string const name = kernel_label<F>(label);
    if constexpr (kind == LoopKind::for_loop)
      Kokkos::Tools::beginParallelFor(name, 0, &id_);
    else if constexpr (kind == LoopKind::reduce)
      Kokkos::Tools::beginParallelReduce(name, 0, &id_);
    else
      Kokkos::Tools::beginParallelScan(name, 0, &id_);
  }
  ProfiledLoop(ProfiledLoop const&) = delete;
  ProfiledLoop& operator=(ProfiledLoop const&) = delete;
  ~ProfiledLoop() {
    if (!seen_) return;
    if constexpr (kind == LoopKind::for_loop)
      Kokkos::Tools::endParallelFor(id_);
    else if constexpr (kind == LoopKind::reduce)
      Kokkos::Tools::endParallelReduce(id_);
    else
      Kokkos::Tools::endParallelScan(id_);
  }

private:
  bool seen_;
  std::uint64_t id_ = 0;
};

template <class Bounds = Kokkos::LaunchBounds<unsigned(device_tile)>, class Space>
auto device_policy(Space const& space, Index begin, Index end) {
  return Kokkos::RangePolicy<Space, Kokkos::IndexType<Index>, Bounds>(space, begin, std::max(begin, end));
}

// Reductions
// ------------------------------------------------------------------------------------------------------

template <class T>
concept KokkosReducer = requires(T const& r, typename T::value_type& a, typename T::value_type const& b) {
  r.init(a);
  r.join(a, b);
  r.reference();
};
template <class F, class Value>
concept HasInit = requires(F const& f, Value& a) {
  f.init(a);
};
template <class F, class Value>
concept HasJoin = requires(F const& f, Value& a, Value const& b) {
  f.join(a, b);
};
template <class F, class Value>
concept HasFinal = requires(F const& f, Value& a) {
  f.final(a);
};

/// Sum into a plain variable.
template <class Value>
struct SumInto {
  using value_type = Value;
  Value* result;
  KOKKOS_INLINE_FUNCTION void init(Value& v) const { v = Kokkos::reduction_identity<Value>::sum(); }
  KOKKOS_INLINE_FUNCTION void join(Value& to, Value const& from) const { to += from; }
};

/// Joins as the kernel itself says.
template <class F, class Value>
struct JoinAsKernel {
  using value_type = Value;
  F kernel;
  Value* result;
  KOKKOS_INLINE_FUNCTION void init(Value& v) const {
    if constexpr (HasInit<F, Value>)
      kernel.init(v);
    else
      v = Value();
  }
  KOKKOS_INLINE_FUNCTION void join(Value& to, Value const& from) const { kernel.join(to, from); }
};

/// Any of the two above, or a reducer of a user, in the form Kokkos takes.
template <class Inner>
struct DeviceReducer {
  using reducer = DeviceReducer;
  using value_type = typename Inner::value_type;
  using result_view_type =
      Kokkos::View<value_type, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Inner inner;
  value_type* result;
  KOKKOS_INLINE_FUNCTION void init(value_type& v) const { inner.init(v); }
  KOKKOS_INLINE_FUNCTION void join(value_type& to, value_type const& from) const { inner.join(to, from); }
#if KOKKOS_VERSION < 40000
  KOKKOS_INLINE_FUNCTION void join(value_type volatile& to, value_type const volatile& from) const {
    inner.join(const_cast<value_type&>(to), const_cast<value_type const&>(from));
  }
#endif
  KOKKOS_INLINE_FUNCTION value_type& reference() const { return *result; }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return result_view_type(result); }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return true; }
};

/// Reducer for one result argument of parallel_reduce, and what to do with the value in the end.
template <class F, class Result, bool only>
auto make_reducer(F const& kernel, Result&& result) {
  using R = std::remove_cvref_t<Result>;
  if constexpr (KokkosReducer<R>) {
    return std::remove_cvref_t<Result>(result);
  } else if constexpr (KokkosView<R>) {
    static_assert(R::rank == 0, "Kokkidio: a result is a variable, a reducer, or a view of rank 0");
    return SumInto<typename R::non_const_value_type>{result.data()};
  } else if constexpr (only && HasJoin<F, R>) {
    return JoinAsKernel<F, R>{kernel, &result};
  } else {
    return SumInto<R>{&result};
  }
}

template <class Reducer>
void store_result(Reducer const& reducer, typename Reducer::value_type const& value) {
  if constexpr (requires { *reducer.result; })
    *reducer.result = value;
  else
    reducer.reference() = value;
}

/// Partial results of chunks, constructed by the threads that compute them; a few need no allocation. On
/// cache lines of their own: threads write here while they read what lies beside it.
template <class Values>
class Partials {
public:
  explicit Partials(Index count) : many_(count > few ? std::size_t(count) : 0) {}
  [[nodiscard]] Values* data() { return many_.empty() ? reinterpret_cast<Values*>(few_) : many_.data(); }

private:
  static_assert(std::is_trivially_destructible_v<Values>, "Kokkidio: results of reductions own no memory");
  static constexpr Index few = sizeof(Values) <= 64 ? 64 : 1;
  alignas(128) std::byte few_[std::size_t(few) * sizeof(Values)];
  std::vector<Values> many_;
};

template <class... Reducers>
void init_all(std::tuple<Reducers const&...> const& reducers,
              std::tuple<typename Reducers::value_type...>& values) {
  [&]<std::size_t... r>(std::index_sequence<r...>) { (std::get<r>(reducers).init(std::get<r>(values)), ...); }
  (std::index_sequence_for<Reducers...>());
}

template <class F, class... Reducers>
void host_reduce(Items const& items, F const& kernel, Reducers const&... reducers) {
  using Values = std::tuple<typename Reducers::value_type...>;
  constexpr bool by_range = takes_range<Target::host, F, typename Reducers::value_type&...>;
  std::tuple<Reducers const&...> const all(reducers...);
  Index const chunk = reduction_chunk(items.size(), by_range);
  Index const count = count_chunks(items.begin(), items.end(), chunk);
  Partials<Values> partial(count);
  struct Call {
    F const& kernel;
    std::tuple<Reducers const&...> reducers;
  } const call{kernel, all};
  auto const reduce_chunk = [](Call const* c, Values* partials, Index k, Index begin, Index end) {
    Values local;
    init_all(c->reducers, local);
    std::apply([&](auto&... value) { call_chunk(c->kernel, begin, end, value...); }, local);
    std::construct_at(partials + k, local);
  };
  for_chunks(items.begin(), items.end(), chunk, reduce_chunk, &call, partial.data());
  Values total;
  init_all(all, total);
  [&]<std::size_t... r>(std::index_sequence<r...>) {
    for (Index k = 0; k < count; ++k)
      (std::get<r>(all).join(std::get<r>(total), std::as_const(std::get<r>(partial.data()[k]))), ...);
    if constexpr (sizeof...(r) == 1)
      if constexpr ((HasFinal<F, typename Reducers::value_type> && ...))
        (kernel.final(std::get<r>(total)), ...);
    (store_result(std::get<r>(all), std::get<r>(total)), ...);
  }
  (std::index_sequence_for<Reducers...>());
}

template <class Reducer>
auto to_kokkos(Reducer const& reducer) {
  if constexpr (requires { *reducer.result; })
    return DeviceReducer<Reducer>{reducer, reducer.result};
  else
    return reducer;
}

}  // namespace detail

namespace detail {

/// `policy()` makes the Kokkos policy where one is needed; a loop or reduction without one (nullptr) chooses
/// its own.
template <Target target, class MakePolicy, class F>
void run_for(std::string_view label, Items const& items, [[maybe_unused]] MakePolicy const& policy,
             F const& kernel) {
  check_kernel<target, F>();
  if (items.size() == 0) return;
  if constexpr (target == Target::host) {
    ProfiledLoop<LoopKind::for_loop, F> const profiled(label);
    auto const run = [](F const* f, void*, Index, Index begin, Index end) { call_chunk(*f, begin, end); };
    auto const all_chunks = [&](Index chunk) {
      for_chunks(items.begin(), items.end(), chunk, run, &kernel, static_cast<void*>(nullptr));
    };
    if constexpr (takes_range<Target::host, F>) {
      static ChunkOfKernel of_kernel;
      of_kernel.watch();
      all_chunks(round_up(
          items.chunk() > 0 ? items.chunk() : default_chunk(items.size(), of_kernel.largest()), chunk_unit));
      of_kernel.learn();
    } else {
      all_chunks(items.chunk() > 0 ? items.chunk() : default_chunk(items.size()));
    }
  } else if constexpr (!std::is_null_pointer_v<MakePolicy>) {
    Kokkos::parallel_for(kernel_label<F>(label), policy(), ItemKernel<target, F>{kernel});
  } else if (has_device && items.size() >= TiledKernel<target, F>::least_items) {
    Kokkos::parallel_for(
        kernel_label<F>(label),
        device_policy(ExecutionSpace<target>(), 0, TiledKernel<target, F>::slots(items.size())),
        TiledKernel<target, F>{{kernel}, items.begin(), items.end()});
  } else {
    Kokkos::parallel_for(kernel_label<F>(label),
                         device_policy(ExecutionSpace<target>(), items.begin(), items.end()),
                         ItemKernel<target, F>{kernel});
  }
}

template <Target target, class MakePolicy, class F, class... Results>
void run_reduce(std::string_view label, Items const& items, [[maybe_unused]] MakePolicy const& policy,
                F const& kernel, Results&&... results) {
  constexpr bool only = sizeof...(Results) == 1;
  auto const run = [&](auto const&... reducers) {
    check_kernel<target, F, typename std::remove_cvref_t<decltype(reducers)>::value_type&...>();
    if constexpr (target == Target::host) {
      ProfiledLoop<LoopKind::reduce, F> const profiled(label);
      host_reduce(items, kernel, reducers...);
    } else {
      if constexpr (std::is_null_pointer_v<MakePolicy>) {
        using Kernel =
            SweepingKernel<target, F, typename std::remove_cvref_t<decltype(reducers)>::value_type...>;
        Kernel const sweeping = Kernel::over(kernel, items);
        Kokkos::parallel_reduce(
            kernel_label<F>(label),
            device_policy<typename Kernel::Bounds>(ExecutionSpace<target>(), 0, sweeping.slots), sweeping,
            to_kokkos(reducers)...);
      } else {
        Kokkos::parallel_reduce(
            kernel_label<F>(label), policy(),
            ItemKernel<target, F, typename std::remove_cvref_t<decltype(reducers)>::value_type...>{kernel},
            to_kokkos(reducers)...);
      }
    }
  };
  run(make_reducer<F, Results, only>(kernel, std::forward<Results>(results))...);
}

template <class Call>
struct ScanValue;
template <class F, class Item, class Value>
struct ScanValue<void (F::*)(Item, Value&, bool) const> {
  using type = Value;
};
template <class F, class Item, class Value>
struct ScanValue<void (F::*)(Item, Value&, bool) const noexcept> {
  using type = Value;
};

/// Type of the running value: the kernel's `value_type`, else that of its second parameter.
template <class F>
struct ScanValueOf : ScanValue<decltype(&F::operator())> {};
template <class F>
requires requires { typename F::value_type; }
struct ScanValueOf<F> {
  using type = typename F::value_type;
};

template <class F, class Value>
void scan_init(F const& kernel, Value& value) {
  if constexpr (HasInit<F, Value>)
    kernel.init(value);
  else
    value = Value();
}
template <class F, class Value>
void scan_join(F const& kernel, Value& to, Value const& from) {
  if constexpr (HasJoin<F, Value>)
    kernel.join(to, from);
  else
    to += from;
}

template <Target target, class F, class Value>
struct ScanKernel {
  using value_type = Value;
  F kernel;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Index item, Value& update, bool const final_pass) const {
    if constexpr (takes_range<target, F, Value&, bool>)
      kernel(BasicParallelRange<target>(item), update, final_pass);
    else
      kernel(item, update, final_pass);
  }
};
template <Target target, class F, class Value>
requires HasJoin<F, Value>
struct ScanKernel<target, F, Value> {
  using value_type = Value;
  F kernel;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Index item, Value& update, bool const final_pass) const {
    if constexpr (takes_range<target, F, Value&, bool>)
      kernel(BasicParallelRange<target>(item), update, final_pass);
    else
      kernel(item, update, final_pass);
  }
  KOKKOS_INLINE_FUNCTION void init(Value& v) const {
    if constexpr (HasInit<F, Value>)
      kernel.init(v);
    else
      v = Value();
  }
#if KOKKOS_VERSION < 40000
  KOKKOS_INLINE_FUNCTION void join(Value volatile& to, Value const volatile& from) const {
    kernel.join(const_cast<Value&>(to), const_cast<Value const&>(from));
  }
#else
  KOKKOS_INLINE_FUNCTION void join(Value& to, Value const& from) const { kernel.join(to, from); }
#endif
};

template <class F, class Value>
void scan_chunk(F const& kernel, Index begin, Index end, Value& value, bool last_pass) {
  if constexpr (takes_range<Target::host, F, Value&, bool>)
    kernel(BasicParallelRange<Target::host>(begin, end), value, last_pass);
  else
    for (Index i = begin; i < end; ++i) kernel(i, value, last_pass);
}

template <class F, class Value>
void host_scan(Items const& items, F const& kernel, Value& total) {
  constexpr bool by_range = takes_range<Target::host, F, Value&, bool>;
  Index const chunk = reduction_chunk(items.size(), by_range);
  Index const count = count_chunks(items.begin(), items.end(), chunk);
  Partials<Value> partial(count);
  for_chunks(
      items.begin(), items.end(), chunk,
      [](F const* f, Value* partials, Index k, Index begin, Index end) {
        Value local;
        scan_init(*f, local);
        scan_chunk(*f, begin, end, local, false);
        std::construct_at(partials + k, local);
      },
      &kernel, partial.data());
  scan_init(kernel, total);
  for (Index k = 0; k < count; ++k) {
    Value const before = total;
    scan_join(kernel, total, std::as_const(partial.data()[k]));
    partial.data()[k] = before;
  }
  for_chunks(
      items.begin(), items.end(), chunk,
      [](F const* f, Value* partials, Index k, Index begin, Index end) {
        Value local = partials[k];
        scan_chunk(*f, begin, end, local, true);
      },
      &kernel, partial.data());
}

template <Target target, class MakePolicy, class F, class Value>
void run_scan(std::string_view label, Items const& items, [[maybe_unused]] MakePolicy const& policy,
              F const& kernel, Value& total) {
  static_assert(takes_range<target, F, Value&, bool> || takes_index<F, Value&, bool>,
                "Kokkidio: a scan's kernel takes a range or an index, the running value, and a bool");
  if constexpr (target == Target::host) {
    ProfiledLoop<LoopKind::scan, F> const profiled(label);
    host_scan(items, kernel, total);
  } else {
    Kokkos::parallel_scan(kernel_label<F>(label), policy(), ScanKernel<target, F, Value>{kernel}, total);
  }
}

template <Target target>
auto default_policy(Items const& items) {
  return [items] { return device_policy(ExecutionSpace<target>(), items.begin(), items.end()); };
}

}  // namespace detail

// The overloads below differ in how the loop's items are given. Those for an integer and for Kokkos' policies
// are templates of just this shape, so that Kokkos' own functions, which a Kokkos argument brings into the
// lookup, fit less well.

// parallel_for

/// Runs `kernel` for all items. The kernel takes a `BasicParallelRange<target>` (chunks on the host, single
/// items on a device) or an index. On the host the threads are this call's own, whatever Kokkos was built
/// with, and an exception in the kernel is thrown here; on a device the call may return before the kernel
/// ends, as in Kokkos.
template <Target target = DefaultTarget, class F>
void parallel_for(Items const& items, F const& kernel) {
  detail::run_for<target>({}, items, nullptr, kernel);
}
template <Target target = DefaultTarget, Label L, class F>
void parallel_for(L const& label, Items const& items, F const& kernel) {
  detail::run_for<target>(label, items, nullptr, kernel);
}
template <Target target = DefaultTarget, std::integral N, class F>
void parallel_for(N const& size, F const& kernel) {
  parallel_for<target>(Items(size), kernel);
}
template <Target target = DefaultTarget, Label L, std::integral N, class F>
void parallel_for(L const& label, N const& size, F const& kernel) {
  parallel_for<target>(label, Items(size), kernel);
}
/// A Kokkos::RangePolicy runs on the target that its execution space belongs to; other policies
/// (MDRangePolicy, TeamPolicy) go to Kokkos as they are, with kernels that take what Kokkos gives.
template <Label L, template <class...> class Policy, class... P, class F>
requires(Kokkos::is_execution_policy<Policy<P...>>::value) void parallel_for(L const& label,
                                                                             Policy<P...> const& policy,
                                                                             F const& kernel) {
  if constexpr (detail::IsRangePolicy<Policy<P...>>::value)
    detail::run_for<detail::policy_target<Policy<P...>>>(
        label, policy, [&] { return policy; }, kernel);
  else
    Kokkos::parallel_for(detail::kernel_label<F>(label), policy, kernel);
}
template <template <class...> class Policy, class... P, class F>
requires(Kokkos::is_execution_policy<Policy<P...>>::value) void parallel_for(Policy<P...> const& policy,
                                                                             F const& kernel) {
  Kokkidio::parallel_for("", policy, kernel);
}

// parallel_reduce

/// Reduces over all items. The kernel takes a range or an index, then one reference per result, and adds its
/// part. A result is a variable or a Kokkos view of rank 0 (summed; or, for a single one, joined by the
/// kernel's own `init` and `join`), or a Kokkos reducer such as `Kokkos::Max<double>(x)`. No items: every
/// result is its neutral element.
///
/// On the host partial results meet in chunk order, and chunks depend on the number of items alone: the
/// result is the same to the bit for any number of threads and any chunk asked for.
template <Target target = DefaultTarget, class F, class... Results>
requires(sizeof...(Results) > 0) void parallel_reduce(Items const& items, F const& kernel,
                                                      Results&&... results) {
  detail::run_reduce<target>({}, items, nullptr, kernel, std::forward<Results>(results)...);
}
template <Target target = DefaultTarget, Label L, class F, class... Results>
requires(sizeof...(Results) > 0) void parallel_reduce(L const& label, Items const& items, F const& kernel,
                                                      Results&&... results) {
  detail::run_reduce<target>(label, items, nullptr, kernel, std::forward<Results>(results)...);
}
template <Target target = DefaultTarget, std::integral N, class F, class... Results>
requires(sizeof...(Results) > 0) void parallel_reduce(N const& size, F const& kernel, Results&&... results) {
  parallel_reduce<target>(Items(size), kernel, std::forward<Results>(results)...);
}
template <Target target = DefaultTarget, Label L, std::integral N, class F, class... Results>
requires(sizeof...(Results) > 0) void parallel_reduce(L const& label, N const& size, F const& kernel,
                                                      Results&&... results) {
  parallel_reduce<target>(label, Items(size), kernel, std::forward<Results>(results)...);
}
template <Label L, template <class...> class Policy, class... P, class F, class... Results>
requires(Kokkos::is_execution_policy<Policy<P...>>::value &&
         sizeof...(Results) > 0) void parallel_reduce(L const& label, Policy<P...> const& policy,
                                                      F const& kernel, Results&&... results) {
  if constexpr (detail::IsRangePolicy<Policy<P...>>::value)
    detail::run_reduce<detail::policy_target<Policy<P...>>>(
        label, policy, [&] { return policy; }, kernel, std::forward<Results>(results)...);
  else
    Kokkos::parallel_reduce(detail::kernel_label<F>(label), policy, kernel,
                            std::forward<Results>(results)...);
}
template <template <class...> class Policy, class... P, class F, class Result>
requires(Kokkos::is_execution_policy<Policy<P...>>::value) void parallel_reduce(Policy<P...> const& policy,
                                                                                F const& kernel,
                                                                                Result& result) {
  Kokkidio::parallel_reduce("", policy, kernel, result);
}
template <template <class...> class Policy, class... P, class F, class Result>
requires(Kokkos::is_execution_policy<Policy<P...>>::value) void parallel_reduce(Policy<P...> const& policy,
                                                                                F const& kernel,
                                                                                Result const& result) {
  Kokkidio::parallel_reduce("", policy, kernel, result);
}
template <template <class...> class Policy, class... P, class F, class Result, class Second, class... Results>
requires(Kokkos::is_execution_policy<Policy<P...>>::value) void parallel_reduce(
    Policy<P...> const& policy, F const& kernel, Result&& result, Second&& second, Results&&... results) {
  Kokkidio::parallel_reduce("", policy, kernel, std::forward<Result>(result), std::forward<Second>(second),
                            std::forward<Results>(results)...);
}

// parallel_scan

/// Prefix combination. The kernel takes a range or an index, the running value, and whether this is the last
/// pass; it runs twice: to add up its part, and with the value of all items before it, when it may write.
/// `total`, optional, receives the value after the last item. Sums, or the kernel's own `init` and `join`;
/// the same to the bit for any number of threads.
template <Target target = DefaultTarget, class F, class Value>
void parallel_scan(Items const& items, F const& kernel, Value& total) {
  detail::run_scan<target>({}, items, detail::default_policy<target>(items), kernel, total);
}
template <Target target = DefaultTarget, class F>
void parallel_scan(Items const& items, F const& kernel) {
  typename detail::ScanValueOf<F>::type total;
  parallel_scan<target>(items, kernel, total);
}
template <Target target = DefaultTarget, Label L, class F, class Value>
void parallel_scan(L const& label, Items const& items, F const& kernel, Value& total) {
  detail::run_scan<target>(label, items, detail::default_policy<target>(items), kernel, total);
}
template <Target target = DefaultTarget, Label L, class F>
void parallel_scan(L const& label, Items const& items, F const& kernel) {
  typename detail::ScanValueOf<F>::type total;
  parallel_scan<target>(label, items, kernel, total);
}
template <Target target = DefaultTarget, std::integral N, class F, class... Total>
requires(sizeof...(Total) <= 1) void parallel_scan(N const& size, F const& kernel, Total&... total) {
  parallel_scan<target>(Items(size), kernel, total...);
}
template <Target target = DefaultTarget, Label L, std::integral N, class F, class... Total>
requires(sizeof...(Total) <= 1) void parallel_scan(L const& label, N const& size, F const& kernel,
                                                   Total&... total) {
  parallel_scan<target>(label, Items(size), kernel, total...);
}
template <Label L, class... P, class F, class Value>
void parallel_scan(L const& label, Kokkos::RangePolicy<P...> const& policy, F const& kernel, Value& total) {
  detail::run_scan<detail::policy_target<Kokkos::RangePolicy<P...>>>(
      label, policy, [&] { return policy; }, kernel, total);
}
template <class... P, class F, class Value>
void parallel_scan(Kokkos::RangePolicy<P...> const& policy, F const& kernel, Value& total) {
  Kokkidio::parallel_scan("", policy, kernel, total);
}
template <class... P, class F>
void parallel_scan(Kokkos::RangePolicy<P...> const& policy, F const& kernel) {
  typename detail::ScanValueOf<F>::type total;
  Kokkidio::parallel_scan("", policy, kernel, total);
}

}  // namespace Kokkidio
