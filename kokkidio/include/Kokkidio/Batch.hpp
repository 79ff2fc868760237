#pragma once
/// \file
/// Batches: one small matrix per item. On the host `rng(A)` is a batch, on a device a single matrix; both
/// take the same expressions.

#include <Kokkos_Core.hpp>

#include <Eigen/Core>
#include <Eigen/LU>
#include <concepts>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "Kokkidio/ViewMap.hpp"

namespace Kokkidio {

template <class Function>
class BatchExpression;

namespace detail {

struct BatchTag {};

template <class Item>
auto evaluated(Item&& item) {
  if constexpr (EigenDense<std::remove_cvref_t<Item>>)
    return item.eval();
  else
    return item;
}

/// Function k -> item as a batch of matrices, or as an Eigen vector where items are numbers.
template <class Function>
auto make_batch(Index size, Function function) {
  using Item = decltype(function(Index(0)));
  if constexpr (EigenDense<Item>)
    return BatchExpression<Function>(size, std::move(function));
  else
    return Eigen::Matrix<Item, Eigen::Dynamic, 1>::NullaryExpr(size, std::move(function));
}

}  // namespace detail

template <class B>
concept Batch = std::is_base_of_v<detail::BatchTag, std::remove_cvref_t<B>>;

namespace detail {

inline void check_batches(Index a, Index b) {
  if (a != b)
    throw std::invalid_argument("Kokkidio: batches of " + std::to_string(a) + " and " + std::to_string(b) +
                                " matrices meet");
}

template <class Derived>
struct BatchBase : BatchTag {
  using BatchType = Derived;  ///< cheap to copy, also where a derived class (a buffer) is not

  /// `f` of every matrix: f(matrix) -> matrix or number.
  template <class F>
  [[nodiscard]] auto each(F f) const {
    return make_batch(self().size(), [batch = self(), f](Index k) { return evaluated(f(batch[k])); });
  }
  [[nodiscard]] auto inverse() const {
    return each([](auto const& m) { return m.inverse(); });
  }
  [[nodiscard]] auto transpose() const {
    return each([](auto const& m) { return m.transpose(); });
  }
  [[nodiscard]] auto determinant() const {
    return each([](auto const& m) { return m.determinant(); });
  }
  [[nodiscard]] auto trace() const {
    return each([](auto const& m) { return m.trace(); });
  }
  [[nodiscard]] auto norm() const {
    return each([](auto const& m) { return m.norm(); });
  }
  [[nodiscard]] auto squaredNorm() const {
    return each([](auto const& m) { return m.squaredNorm(); });
  }
  [[nodiscard]] auto operator-() const {
    return each([](auto const& m) { return -m; });
  }

private:
  Derived const& self() const { return static_cast<Derived const&>(*this); }
};

/// Both sides item by item; a side that is no batch (a number, one matrix) is the same for all.
template <class A, class B, class Op>
auto combine_batches(A const& a, B const& b, Op op) {
  if constexpr (Batch<A> && Batch<B>) {
    check_batches(a.size(), b.size());
    typename A::BatchType const& x = a;
    typename B::BatchType const& y = b;
    return make_batch(a.size(), [x, y, op](Index k) { return evaluated(op(x[k], y[k])); });
  } else if constexpr (Batch<A>) {
    return a.each([b, op](auto const& m) { return op(m, b); });
  } else {
    return b.each([a, op](auto const& m) { return op(a, m); });
  }
}

template <class B>
concept BatchOperand = Batch<B> || EigenFixed<B> || std::is_arithmetic_v<B>;

}  // namespace detail

template <detail::BatchOperand A, detail::BatchOperand B>
requires(Batch<A> || Batch<B>) auto operator+(A const& a, B const& b) {
  return detail::combine_batches(a, b, [](auto const& x, auto const& y) { return (x + y).eval(); });
}
template <detail::BatchOperand A, detail::BatchOperand B>
requires(Batch<A> || Batch<B>) auto operator-(A const& a, B const& b) {
  return detail::combine_batches(a, b, [](auto const& x, auto const& y) { return (x - y).eval(); });
}
template <detail::BatchOperand A, detail::BatchOperand B>
requires(Batch<A> || Batch<B>) auto operator*(A const& a, B const& b) {
  return detail::combine_batches(a, b, [](auto const& x, auto const& y) { return (x * y).eval(); });
}

/// Matrices computed one at a time, when asked for.
template <class Function>
class BatchExpression : public detail::BatchBase<BatchExpression<Function>> {
public:
  BatchExpression(Index size, Function function) : size_(size), function_(std::move(function)) {}
  [[nodiscard]] Index size() const { return size_; }
  auto operator[](Index k) const { return function_(k); }

private:
  Index size_;
  Function function_;
};

/// Matrices in memory, one after the other.
template <class Matrix>
class BatchMap : public detail::BatchBase<BatchMap<Matrix>> {
public:
  BatchMap(Matrix* first, Index size) : first_(first), size_(size) {}
  BatchMap(BatchMap const&) = default;
  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] Matrix& operator[](Index k) const { return first_[k]; }
  [[nodiscard]] Matrix* data() const { return first_; }

  BatchMap& operator=(BatchMap const& other) {
    return assign(other, [](Matrix& to, auto const& from) { to = from; });
  }
  template <Batch B>
  BatchMap& operator=(B const& other) {
    return assign(other, [](Matrix& to, auto const& from) { to = from; });
  }
  template <Batch B>
  BatchMap& operator+=(B const& other) {
    return assign(other, [](Matrix& to, auto const& from) { to += from; });
  }
  template <Batch B>
  BatchMap& operator-=(B const& other) {
    return assign(other, [](Matrix& to, auto const& from) { to -= from; });
  }
  /// The same matrix for all.
  BatchMap& operator=(std::remove_const_t<Matrix> const& all) {
    for (Index k = 0; k < size_; ++k) first_[k] = all;
    return *this;
  }

private:
  template <class B, class Op>
  BatchMap& assign(B const& other, Op op) {
    detail::check_batches(size_, other.size());
    for (Index k = 0; k < size_; ++k) op(first_[k], other[k]);
    return *this;
  }

  Matrix* first_;
  Index size_;
};

/// The one matrix of a device's range: an Eigen map whose numbers (determinant, trace, norms) are 1 x 1
/// matrices, so that they can be assigned to `rng(v)` as a host's can.
template <class Matrix>
class BatchItem : public Eigen::Map<Matrix> {
  using Base = Eigen::Map<Matrix>;
  using Number = Eigen::Matrix<typename Base::Scalar, 1, 1>;

public:
  KOKKOS_FUNCTION explicit BatchItem(Matrix* m)
      : Base(const_cast<typename Base::PointerArgType>(m->data())) {}
  KOKKOS_FUNCTION BatchItem(BatchItem const& other) : Base(other) {}
  KOKKOS_FUNCTION BatchItem& operator=(BatchItem const& other) {
    Base::operator=(other);
    return *this;
  }
  template <class Expression>
  KOKKOS_FUNCTION BatchItem& operator=(Eigen::DenseBase<Expression> const& expression) {
    Base::operator=(expression.derived());
    return *this;
  }
  [[nodiscard]] KOKKOS_FUNCTION Number determinant() const { return Number(Base::determinant()); }
  [[nodiscard]] KOKKOS_FUNCTION Number trace() const { return Number(Base::trace()); }
  [[nodiscard]] KOKKOS_FUNCTION Number norm() const { return Number(Base::norm()); }
  [[nodiscard]] KOKKOS_FUNCTION Number squaredNorm() const { return Number(Base::squaredNorm()); }
  template <class F>
  [[nodiscard]] KOKKOS_FUNCTION auto each(F f) const {
    using Item = decltype(f(static_cast<Base const&>(*this)));
    if constexpr (EigenDense<Item>)
      return typename Item::PlainObject(f(static_cast<Base const&>(*this)));
    else
      return Eigen::Matrix<Item, 1, 1>(f(static_cast<Base const&>(*this)));
  }
};

namespace detail {

template <bool single, class Matrix>
KOKKOS_FORCEINLINE_FUNCTION auto batch_items(Matrix* first, Index begin, [[maybe_unused]] Index size) {
  if constexpr (single)
    return BatchItem<Matrix>(first + begin);
  else
    return BatchMap<Matrix>(first + begin, size);
}

}  // namespace detail
}  // namespace Kokkidio
