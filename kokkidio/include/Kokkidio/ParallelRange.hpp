#pragma once
/// \file
/// What a kernel receives: a chunk of items on the host, one item on a device.

#include <Kokkos_Core.hpp>

#include <Eigen/Core>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "Kokkidio/Batch.hpp"
#include "Kokkidio/DualViewMap.hpp"
#include "Kokkidio/LanePiece.hpp"
#include "Kokkidio/Target.hpp"
#include "Kokkidio/ViewMap.hpp"

namespace Kokkidio {

namespace detail {

/// Whether a kernel on `target` may touch memory of `view_target`.
template <Target target, Target view_target>
inline constexpr bool same_memory =
    target == view_target || std::is_same_v<MemorySpace<target>, MemorySpace<view_target>>;

/// The numbers of one item as a function of Eigen's, which owns them.
template <class Scalar, int count>
struct LoadedNumbers {
  Scalar numbers[count];
  KOKKOS_FORCEINLINE_FUNCTION Scalar operator()(Index k) const { return numbers[k]; }
};

/// Whether a device reads an item of `Plain` as soon as `rng(v)` is made: read-only views with few columns.
/// The compiler cannot move a read up over a write that may go to the same place, so a kernel with several
/// results would wait for memory again after each of them.
template <Target target, class Plain, bool is_const>
constexpr bool loads_items() {
  constexpr int most = 8;  // registers
  if constexpr (target == Target::device && is_const)
    return Plain::IsVectorAtCompileTime ||
           (Plain::ColsAtCompileTime != Eigen::Dynamic && Plain::ColsAtCompileTime <= most);
  else
    return false;
}

/// One item, read; `stride` from column to column.
template <class Plain, class Value>
KOKKOS_FORCEINLINE_FUNCTION auto load_item(Value const* item, [[maybe_unused]] Index stride) {
  constexpr int count = Plain::IsVectorAtCompileTime ? 1 : Plain::ColsAtCompileTime;
  using Part = PlainLike<Plain, Value, 1, count>;
  LoadedNumbers<Value, count> loaded;
  for (int k = 0; k < count; ++k) loaded.numbers[k] = item[k * stride];
#if defined(__CUDA_ARCH__)
  asm volatile("" ::: "memory");  // keeps the reads here; nvcc would put each where its value is used
#endif
  return Eigen::CwiseNullaryOp<LoadedNumbers<Value, count>, Part>(1, count, loaded);
}

/// Items [begin, begin + size) of a vector or of a matrix's rows, as an Eigen map.
template <bool single, class Plain, class Value>
KOKKOS_FORCEINLINE_FUNCTION auto map_items(Value* data, Index begin, Index size, Index rows,
                                           [[maybe_unused]] Index cols) {
  using Scalar = std::remove_const_t<Value>;
  constexpr bool is_const = std::is_const_v<Value>;
  constexpr int count = single ? 1 : Eigen::Dynamic;
  if constexpr (Plain::IsVectorAtCompileTime) {
    constexpr bool row = Plain::RowsAtCompileTime == 1 && Plain::ColsAtCompileTime != 1;
    using Part = PlainLike<Plain, Scalar, row ? 1 : count, row ? count : 1>;
    if constexpr (single)
      return Eigen::Map<ConstIf<Part, is_const>>(data + begin);
    else
      return Eigen::Map<ConstIf<Part, is_const>>(data + begin, size);
  } else {
    using Part = PlainLike<Plain, Scalar, count, Plain::ColsAtCompileTime>;
    using Stride = std::conditional_t<single, Eigen::InnerStride<>, Eigen::OuterStride<>>;
    return Eigen::Map<ConstIf<Part, is_const>, 0, Stride>(data + begin, size, cols, Stride(rows));
  }
}

/// The same for any strides.
template <bool single, class Plain, class Value>
KOKKOS_FORCEINLINE_FUNCTION auto map_items_strided(Value* data, Index begin, Index size, Index cols,
                                                   Index row_stride, Index col_stride) {
  using Scalar = std::remove_const_t<Value>;
  constexpr int count = single ? 1 : Eigen::Dynamic;
  using Part = PlainLike<Plain, Scalar, count, Plain::ColsAtCompileTime>;
  using Stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  constexpr bool row_major = Part::IsRowMajor;
  return Eigen::Map<ConstIf<Part, std::is_const_v<Value>>, 0, Stride>(
      data + begin * row_stride, size, cols,
      row_major ? Stride(row_stride, col_stride) : Stride(col_stride, row_stride));
}

}  // namespace detail
}  // namespace Kokkidio

template <class Scalar, int count>
struct Eigen::internal::functor_traits<Kokkidio::detail::LoadedNumbers<Scalar, count>> {
  enum { Cost = 0, PacketAccess = false, IsRepeatable = true };
};

namespace Kokkidio {

/// Items [begin, end) of a parallel loop. Items are a view's first extent: elements of a vector, rows of a
/// matrix. `rng(v)` is an Eigen expression of exactly these items that reads and writes the view's memory;
/// `auto` copies nothing. On the host a range is a chunk, on a device a single item of compile-time size 1.
template <Target target_, bool is_single_ = target_ == Target::device>
class BasicParallelRange {
public:
  static constexpr Target target = target_;
  static constexpr bool is_single = is_single_;  ///< one item, known at compile time

  KOKKOS_FORCEINLINE_FUNCTION constexpr explicit BasicParallelRange(Index item)
      : begin_(item), end_(item + 1) {}
  KOKKOS_FORCEINLINE_FUNCTION constexpr BasicParallelRange(Index begin, Index end)
      : begin_(begin), end_(end) {}

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr Index begin() const { return begin_; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr Index end() const { return end_; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr Index size() const {
    if constexpr (is_single)
      return 1;
    else
      return end_ - begin_;
  }

  /// Throws std::out_of_range (on a device: aborts, in debug builds) where the range goes beyond the view. On
  /// a device, rows of read-only views with up to 8 columns known at compile time are read here: the
  /// expression holds their values.
  template <class T, Target view_target>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto operator()(ViewMap<T, view_target> const& v) const {
    static_assert(detail::same_memory<target, view_target>,
                  "Kokkidio: the view lies on another target than the kernel");
    check(v.items(), v);
    if constexpr (ViewMap<T, view_target>::is_batch) {
      return detail::batch_items<is_single>(v.data(), begin_, size());
    } else {
      static_assert(ViewMap<T, view_target>::rank <= 2, "Kokkidio: Eigen knows one and two extents");
      using Plain = typename ViewMap<T, view_target>::Plain;
      if constexpr (detail::loads_items<target, Plain, ViewMap<T, view_target>::is_const>())
        return detail::load_item<Plain>(v.data() + begin_, v.items());
      else
        return detail::map_items<is_single, Plain>(v.data(), begin_, size(), v.items(), v.cols());
    }
  }

  /// The target's side of a dual view.
  template <class T, Target view_target>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto operator()(DualViewMap<T, view_target> const& v) const {
    return (*this)(v.viewTarget());
  }

  /// A plain Kokkos view of rank 1 or 2 and any layout.
  template <KokkosView V>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto operator()(V const& v) const {
    using Traits = detail::DataTraits<typename V::data_type>;
    using Layout = typename V::array_layout;
    static_assert(Traits::rank >= 1 && Traits::rank <= 2, "Kokkidio: Eigen knows one and two extents");
    check(Index(v.extent(0)), v);
    Index const cols = Traits::rank == 2 ? Index(v.extent(1)) : 1;
    if constexpr (Traits::is_batch) {
      return detail::batch_items<is_single>(v.data(), begin_, size());
    } else if constexpr (detail::loads_items<target, typename Traits::Plain, Traits::is_const>()) {
      return detail::load_item<typename Traits::Plain>(v.data() + begin_ * Index(v.stride(0)),
                                                       Traits::rank == 2 ? Index(v.stride(1)) : 1);
    } else if constexpr (Traits::rank == 1 && !std::is_same_v<Layout, Kokkos::LayoutStride>) {
      return detail::map_items<is_single, typename Traits::Plain>(v.data(), begin_, size(),
                                                                  Index(v.extent(0)), cols);
    } else if constexpr (std::is_same_v<Layout, Kokkos::LayoutLeft>) {
      return detail::map_items<is_single, typename Traits::Plain>(v.data(), begin_, size(),
                                                                  Index(v.stride(1)), cols);
    } else {
      return detail::map_items_strided<is_single, typename Traits::Plain>(
          v.data(), begin_, size(), cols, Index(v.stride(0)), Traits::rank == 2 ? Index(v.stride(1)) : 1);
    }
  }

  /// An Eigen map, or on the host any Eigen object that has memory.
  template <EigenDense Object>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto operator()(Object&& object) const {
    using Plain = std::remove_cvref_t<Object>;
    static_assert(bool(Plain::Flags & Eigen::DirectAccessBit),
                  "Kokkidio: rng() takes what has memory, not an expression");
    Index const items = Plain::IsVectorAtCompileTime ? object.size() : object.rows();
    check(items, object);
    if constexpr (EigenPlain<Plain>)
      return eigen_items<Plain>(object.data(), object, items);
    else
      return eigen_items<Plain>(Plain(object).data(), object, items);
  }

  /// Hands out pieces as wide as a SIMD register of `Real` on the host, single items on a device:
  /// `f(lane)` with a LanePiece. The last piece is masked.
  template <class Real = double, int W = native_lane_width<Real>, class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_lane(F&& f) const {
    if constexpr (is_single) {
      f(LanePiece<Real, 1>(begin_));
    } else {
      Index i = begin_;
      for (; i + W <= end_; i += W) f(LanePiece<Real, W>(i));
      if (i < end_) f(LanePiece<Real, W, false>(i, end_ - i));
    }
  }

  /// Combines `f(lane)` of all pieces: `combine(a, b)` must accept two lanes and two numbers, `neutral` is
  /// its neutral element. The order is fixed by the range alone.
  template <class Real = double, int W = native_lane_width<Real>, class F, class Combine>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Real reduce_lanes(Real neutral, F&& f, Combine&& combine) const {
    if constexpr (is_single) {
      return combine(neutral, Real(f(LanePiece<Real, 1>(begin_))));
    } else {
      using L = Lane<Real, W>;
      L a(neutral), b(neutral), c(neutral), d(neutral);  // four, since an addition takes four cycles
      Index i = begin_;
      auto const piece = [](Index at) { return LanePiece<Real, W>(at); };
      for (; i + 4 * W <= end_; i += 4 * W) {
        a = combine(a, L(f(piece(i))));
        b = combine(b, L(f(piece(i + W))));
        c = combine(c, L(f(piece(i + 2 * W))));
        d = combine(d, L(f(piece(i + 3 * W))));
      }
      for (; i + W <= end_; i += W) a = combine(a, L(f(piece(i))));
      if (i < end_) {
        LanePiece<Real, W, false> const last(i, end_ - i);
        a = combine(a, select(last.valid(), L(f(last)), L(neutral)));
      }
      a = combine(combine(a, b), combine(c, d));
      Real r = a[0];
      for (int k = 1; k < W; ++k) r = combine(r, Real(a[k]));
      return r;
    }
  }
  template <class Real = double, class F>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Real sum_lanes(F&& f) const {
    return reduce_lanes<Real>(Real(0), f, [](auto a, auto b) { return a + b; });
  }
  template <class Real = double, class F>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Real max_lanes(F&& f) const {
    return reduce_lanes<Real>(std::numeric_limits<Real>::lowest(), f,
                              [](auto a, auto b) { return max(a, b); });
  }
  template <class Real = double, class F>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Real min_lanes(F&& f) const {
    return reduce_lanes<Real>(std::numeric_limits<Real>::max(), f, [](auto a, auto b) { return min(a, b); });
  }

  /// Item by item: `f(item)` with a range of one item (compile-time size 1), on every target.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(F&& f) const {
    for (Index i = begin_; i < end_; ++i) f(BasicParallelRange<target, true>(i));
  }

private:
  template <class View>
  KOKKOS_FORCEINLINE_FUNCTION void check([[maybe_unused]] Index items,
                                         [[maybe_unused]] View const& view) const {
    if constexpr (target == Target::host || detail::debug) {
      if (begin_ < 0 || end_ > items)
        detail::fail<std::out_of_range>([&] {
          std::string name;
          if constexpr (requires { view.label(); }) name = " '" + view.label() + "'";
          return "Kokkidio: items " + std::to_string(begin_) + " to " + std::to_string(end_) +
                 " were asked of a view" + name + " that has " + std::to_string(items);
        });
    }
  }

  template <class Plain, class Value, class Object>
  KOKKOS_FORCEINLINE_FUNCTION auto eigen_items(Value* data, Object const& object, Index items) const {
    using Owner = typename Plain::PlainObject;
    if constexpr (Plain::InnerStrideAtCompileTime == 1 &&
                  (Plain::IsVectorAtCompileTime || !Plain::IsRowMajor)) {
      return detail::map_items<is_single, Owner>(
          data, begin_, size(), Plain::IsVectorAtCompileTime ? items : object.outerStride(), object.cols());
    } else if constexpr (Plain::IsVectorAtCompileTime) {
      constexpr bool row = Plain::RowsAtCompileTime == 1 && Plain::ColsAtCompileTime != 1;
      constexpr int count = is_single ? 1 : Eigen::Dynamic;
      using Part = detail::PlainLike<Owner, std::remove_const_t<Value>, row ? 1 : count, row ? count : 1>;
      return Eigen::Map<detail::ConstIf<Part, std::is_const_v<Value>>, 0, Eigen::InnerStride<>>(
          data + begin_ * object.innerStride(), row ? 1 : size(), row ? size() : 1,
          Eigen::InnerStride<>(object.innerStride()));
    } else {
      return detail::map_items_strided<is_single, Owner>(data, begin_, size(), object.cols(),
                                                         object.rowStride(), object.colStride());
    }
  }

  Index begin_, end_;
};

using ParallelRange = BasicParallelRange<DefaultTarget>;

}  // namespace Kokkidio
