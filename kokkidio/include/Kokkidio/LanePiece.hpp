#pragma once
/// \file
/// Pieces of a range that are as wide as a SIMD register.

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

#include "Kokkidio/DualViewMap.hpp"
#include "Kokkidio/Lane.hpp"
#include "Kokkidio/ViewMap.hpp"

namespace Kokkidio {

namespace detail {

/// `count` numbers from `p`; the elements beyond repeat the first, so that they raise no floating-point
/// exception that the valid ones do not raise.
template <class T, int W>
inline Lane<T, W> load_part(T const* p, Index count) {
#if defined(__AVX512F__) && !defined(__CUDA_ARCH__)
  if constexpr (W * sizeof(T) == 64 && std::is_same_v<T, double>)
    return Lane<T, W>((typename Lane<T, W>::Vector)_mm512_mask_loadu_pd(_mm512_set1_pd(*p),
                                                                        __mmask8((1u << count) - 1), p));
  if constexpr (W * sizeof(T) == 64 && std::is_same_v<T, float>)
    return Lane<T, W>((typename Lane<T, W>::Vector)_mm512_mask_loadu_ps(_mm512_set1_ps(*p),
                                                                        __mmask16((1u << count) - 1), p));
#endif
  T padded[W];
  for (Index k = 0; k < W; ++k) padded[k] = p[k < count ? k : 0];
  return Lane<T, W>::load(padded);
}

template <class T, int W>
inline void store_part(T* p, Lane<T, W> value, Index count) {
#if defined(__AVX512F__) && !defined(__CUDA_ARCH__)
  if constexpr (W * sizeof(T) == 64 && std::is_same_v<T, double>) {
    _mm512_mask_storeu_pd(p, __mmask8((1u << count) - 1), (__m512d)value.v);
    return;
  }
  if constexpr (W * sizeof(T) == 64 && std::is_same_v<T, float>) {
    _mm512_mask_storeu_ps(p, __mmask16((1u << count) - 1), (__m512)value.v);
    return;
  }
#endif
  for (Index k = 0; k < count; ++k) p[k] = value[int(k)];
}

}  // namespace detail

/// The numbers of a view at a piece's items: a lane with their values that writes to the view when assigned
/// to.
template <class T, int W, bool full>
class LaneReference : public Lane<T, W> {
public:
  using Value = Lane<T, W>;
  LaneReference(T* p, Index count)
      : Value(full ? Value::load(p) : detail::load_part<T, W>(p, count)), p_(p), count_(count) {}
  LaneReference(LaneReference const&) = default;

  LaneReference& operator=(Value x) {
    static_cast<Value&>(*this) = x;
    if constexpr (full)
      x.store(p_);
    else
      detail::store_part(p_, x, count_);
    return *this;
  }
  LaneReference& operator=(LaneReference const& x) { return *this = static_cast<Value const&>(x); }
  LaneReference& operator=(T x) { return *this = Value(x); }
  LaneReference& operator+=(Value x) { return *this = static_cast<Value const&>(*this) + x; }
  LaneReference& operator-=(Value x) { return *this = static_cast<Value const&>(*this) - x; }
  LaneReference& operator*=(Value x) { return *this = static_cast<Value const&>(*this) * x; }
  LaneReference& operator/=(Value x) { return *this = static_cast<Value const&>(*this) / x; }

private:
  T* p_;
  Index count_;
};

template <class T, int W, bool full>
inline Lane<T, W> rcbrt(LaneReference<T, W, full> x) {
  return rcbrt(static_cast<Lane<T, W> const&>(x));
}
template <class T, int W, bool full>
inline Lane<T, W> fast_cbrt(LaneReference<T, W, full> x) {
  return fast_cbrt(static_cast<Lane<T, W> const&>(x));
}

namespace detail {

/// Start of column `col` and number of items of whatever a lane can read.
template <class T>
struct ColumnView {
  T* data;
  Index items;
};

template <class T, Target target>
KOKKOS_FORCEINLINE_FUNCTION auto column(ViewMap<T, target> const& v, Index col) {
  return ColumnView<typename ViewMap<T, target>::Value>{v.data() + col * v.items(), v.items()};
}
template <class T, Target target>
KOKKOS_FORCEINLINE_FUNCTION auto column(DualViewMap<T, target> const& v, Index col) {
  return column(v.viewTarget(), col);
}
template <KokkosView V>
KOKKOS_FORCEINLINE_FUNCTION auto column(V const& v, Index col) {
  static_assert(DataTraits<typename V::data_type>::rank <= 2);
  static_assert(std::is_same_v<typename V::array_layout, Kokkos::LayoutLeft> ||
                    (DataTraits<typename V::data_type>::rank == 1 &&
                     std::is_same_v<typename V::array_layout, Kokkos::LayoutRight>),
                "Kokkidio: lanes need items that lie one after the other");
  if constexpr (DataTraits<typename V::data_type>::rank == 2)
    return ColumnView<typename V::value_type>{v.data() + col * Index(v.stride(1)), Index(v.extent(0))};
  else
    return ColumnView<typename V::value_type>{v.data(), Index(v.extent(0))};
}
template <EigenDense Object>
KOKKOS_FORCEINLINE_FUNCTION auto column(Object& object, Index col) {
  using Plain = std::remove_const_t<Object>;
  static_assert(Plain::InnerStrideAtCompileTime == 1 && (!Plain::IsRowMajor || Plain::IsVectorAtCompileTime),
                "Kokkidio: lanes need items that lie one after the other");
  Index const items = Plain::IsVectorAtCompileTime ? object.size() : object.rows();
  if constexpr (EigenPlain<Plain>) {
    return ColumnView<std::remove_reference_t<decltype(*object.data())>>{
        object.data() + col * object.outerStride(), items};
  } else {
    Plain writable(object);
    return ColumnView<std::remove_reference_t<decltype(*writable.data())>>{
        writable.data() + col * object.outerStride(), items};
  }
}
template <class T>
requires std::is_arithmetic_v<T> KOKKOS_FORCEINLINE_FUNCTION auto column(T* data, Index) {
  return ColumnView<T>{data, -1};
}

}  // namespace detail

/// Neighbouring items that a kernel treats at once: `width` of them on the host (the last piece of a range
/// may be part of that, `full` false), one on a device. `x` is a view, map or pointer that can be read where
/// the kernel runs.
///
///   lane(x)              their numbers in x, to read and to assign to
///   lane(x, shift)       those of the items `shift` further on, for stencils
///   lane(x, shift, col)  in column `col` of a matrix
///   lane.load(x, …), lane.store(x, value, …)   the same, by value
///
/// Shifted accesses must lie within the view; a debug build checks.
template <class Real, int W, bool full_ = true>
class LanePiece {
public:
  static constexpr int width = W;  ///< 1: plain numbers
  static constexpr bool full = full_;
  using Scalar = Real;
  using Value = std::conditional_t<W == 1, Real, Lane<Real, W>>;
  using Mask = typename LaneTraits<Value>::Mask;

  KOKKOS_FORCEINLINE_FUNCTION explicit LanePiece(Index begin, Index count = width)
      : begin_(begin), count_(count) {}

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Index begin() const { return begin_; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Index end() const { return begin_ + size(); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Index size() const {
    if constexpr (full)
      return width;
    else
      return count_;
  }
  /// True where an item belongs to the range.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Mask valid() const {
    if constexpr (W > 1)
      return detail::first_elements<Real, W>(size());
    else
      return true;
  }
  /// Numbers of the items as values: begin, begin + 1, …
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Value position() const {
    if constexpr (W > 1) {
      return detail::counting_from<Real, W>(begin_);
    } else {
      return Real(begin_);
    }
  }

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) operator()(X&& x, Index shift = 0, Index col = 0) const {
    auto const source = checked_column(x, shift, col);
    using T = std::remove_reference_t<decltype(*source.data)>;
    if constexpr (W == 1)
      return static_cast<T&>(source.data[begin_ + shift]);
    else if constexpr (std::is_const_v<T>)
      return load_from(source.data + begin_ + shift);
    else
      return LaneReference<Real, W, full>(source.data + begin_ + shift, count_);
  }
  template <class X>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Value load(X&& x, Index shift = 0, Index col = 0) const {
    return load_from(checked_column(x, shift, col).data + begin_ + shift);
  }
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION void store(X&& x, Value value, Index shift = 0, Index col = 0) const {
    Real* const p = checked_column(x, shift, col).data + begin_ + shift;
    if constexpr (W == 1)
      *p = value;
    else if constexpr (full)
      value.store(p);
    else
      detail::store_part(p, value, count_);
  }

private:
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION auto checked_column(X& x, [[maybe_unused]] Index shift, Index col) const {
    auto const source = detail::column(x, col);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(*source.data)>, Real>,
                  "Kokkidio: name the number type of the view, as in rng.for_each_lane<float>(...)");
    if constexpr (detail::debug)
      if (source.items >= 0 && (begin_ + shift < 0 || end() + shift > source.items))
        detail::fail<std::out_of_range>([&] {
          return "Kokkidio: a lane reads items " + std::to_string(begin_ + shift) + " to " +
                 std::to_string(end() + shift) + " of " + std::to_string(source.items);
        });
    return source;
  }
  KOKKOS_FORCEINLINE_FUNCTION Value load_from(Real const* p) const {
    if constexpr (W == 1)
      return *p;
    else if constexpr (full)
      return Value::load(p);
    else
      return detail::load_part<Real, W>(p, count_);
  }

  Index begin_, count_;
};

}  // namespace Kokkidio
