#pragma once
/// \file
/// ViewMap: one piece of memory as a Kokkos view and as an Eigen map.

#include <Kokkos_Core.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <concepts>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "Kokkidio/HostRegion.hpp"
#include "Kokkidio/Target.hpp"

namespace Kokkidio {

/// Rows and columns; one number means one column.
struct Extents {
  Index rows = 0, cols = 1;
  Extents() = default;
  template <std::integral I>
  Extents(I rows_) : rows(Index(rows_)) {
    check();
  }
  template <std::integral I, std::integral J>
  Extents(I rows_, J cols_) : rows(Index(rows_)), cols(Index(cols_)) {
    check();
  }
  friend bool operator==(Extents a, Extents b) { return a.rows == b.rows && a.cols == b.cols; }

private:
  void check() const {
    if (rows < 0 || cols < 0) throw std::invalid_argument("Kokkidio: an extent cannot be negative");
  }
};

template <class T>
concept EigenDense = std::is_base_of_v<Eigen::DenseBase<std::remove_cvref_t<T>>, std::remove_cvref_t<T>>;
/// Owns its coefficients: Matrix or Array.
template <class T>
concept EigenPlain = EigenDense<T> &&
    std::is_base_of_v<Eigen::PlainObjectBase<std::remove_cvref_t<T>>, std::remove_cvref_t<T>>;
template <class T>
concept EigenFixed = EigenPlain<T> &&(std::remove_cvref_t<T>::SizeAtCompileTime != Eigen::Dynamic);
template <class T>
concept KokkosView = Kokkos::is_view<std::remove_cvref_t<T>>::value;
template <class T>
concept Label = std::convertible_to<T, std::string_view> && !std::integral<T>;

namespace detail {

inline std::string shape_text(Index rows, Index cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

template <class Plain>
inline constexpr bool is_array_like =
    std::is_same_v<typename Eigen::internal::traits<std::remove_cv_t<Plain>>::XprKind, Eigen::ArrayXpr>;

/// Matrix or Array, as `Like` is.
template <class Like, class Scalar, int rows, int cols,
          int options = (rows == 1 && cols != 1) ? Eigen::RowMajor : Eigen::ColMajor>
using PlainLike = std::conditional_t<is_array_like<Like>, Eigen::Array<Scalar, rows, cols, options>,
                                     Eigen::Matrix<Scalar, rows, cols, options>>;
template <class Plain, bool is_const>
using ConstIf = std::conditional_t<is_const, Plain const, Plain>;

/// What the data type of a ViewMap stands for.
///   Data    the same in Kokkos' notation
///   Plain   the Eigen type of the whole (void where there is none)
///   Item    the type of one item of a batch of small matrices, else void
template <class T>
struct DataTraits;

template <class T>
struct KokkosNotation {
  static constexpr int dynamic = 0, rank = 0;
  using Value = T;
};
template <class T>
struct KokkosNotation<T*> {
  static constexpr int dynamic = KokkosNotation<T>::dynamic + 1, rank = KokkosNotation<T>::rank + 1;
  using Value = typename KokkosNotation<T>::Value;
};
template <class T, std::size_t n>
struct KokkosNotation<T[n]> {
  static constexpr int dynamic = KokkosNotation<T>::dynamic, rank = KokkosNotation<T>::rank + 1;
  using Value = typename KokkosNotation<T>::Value;
};

/// Extent number `which` (0 = first) of Kokkos notation, Eigen::Dynamic for `*`.
template <class T, int which>
constexpr int static_extent() {
  using N = KokkosNotation<T>;
  if constexpr (which >= N::rank)
    return 1;
  else if constexpr (which < N::dynamic)
    return Eigen::Dynamic;
  else
    return int(std::extent_v<T, which - N::dynamic>);
}
template <class T>
struct DropPointers {
  using type = T;
};
template <class T>
struct DropPointers<T*> {
  using type = typename DropPointers<T>::type;
};

template <class T>
struct DataTraits {
  using Notation = KokkosNotation<T>;
  using Value = typename Notation::Value;
  using Scalar = Value;
  using Data = T;
  static constexpr int rank = Notation::rank, dynamic = Notation::dynamic;
  static constexpr bool is_const = std::is_const_v<Value>;
  static constexpr bool is_batch = false;
  static constexpr int extent0 = static_extent<T, 0>(), extent1 = static_extent<T, 1>();
  static constexpr bool row_vector = false;
  using Plain = std::conditional_t<
      (rank <= 2),
      Eigen::Matrix<std::remove_cv_t<Value>, rank <= 2 ? extent0 : 1, rank <= 2 ? extent1 : 1,
                    (extent0 == 1 && extent1 != 1) ? Eigen::RowMajor : Eigen::ColMajor>,
      void>;
};

template <class T>
requires EigenFixed<typename KokkosNotation<T>::Value> &&(KokkosNotation<T>::rank == 1) struct DataTraits<T> {
  using Notation = KokkosNotation<T>;
  using Value = typename Notation::Value;
  using Scalar = typename Value::Scalar;
  using Data = T;
  static constexpr int rank = 1, dynamic = Notation::dynamic;
  static constexpr bool is_const = std::is_const_v<Value>;
  static constexpr bool is_batch = true;
  static constexpr int extent0 = static_extent<T, 0>(), extent1 = 1;
  static constexpr bool row_vector = false;
  using Plain = void;
};

template <class S, int rows, int cols>
struct NotationOf {
  using type = S[rows][cols];
};
template <class S, int cols>
struct NotationOf<S, Eigen::Dynamic, cols> {
  using type = S* [cols];
};
template <class S, int rows>
struct NotationOf<S, rows, Eigen::Dynamic> {
  using type = S**;
};
template <class S>
struct NotationOf<S, Eigen::Dynamic, Eigen::Dynamic> {
  using type = S**;
};
template <class S>
struct NotationOf<S, Eigen::Dynamic, 1> {
  using type = S*;
};
template <class S>
struct NotationOf<S, 1, Eigen::Dynamic> {
  using type = S*;
};
template <class S, int rows>
struct NotationOf<S, rows, 1> {
  using type = S[rows];
};
template <class S, int cols>
struct NotationOf<S, 1, cols> {
  using type = S[cols];
};
template <class S>
struct NotationOf<S, 1, 1> {
  using type = S[1];
};

template <EigenPlain T>
struct DataTraits<T> {
  using Plain = std::remove_cv_t<T>;
  static constexpr bool is_const = std::is_const_v<T>;
  using Scalar = ConstIf<typename Plain::Scalar, is_const>;
  using Value = Scalar;
  using Data = typename NotationOf<Scalar, Plain::RowsAtCompileTime, Plain::ColsAtCompileTime>::type;
  static constexpr int rank = KokkosNotation<Data>::rank, dynamic = KokkosNotation<Data>::dynamic;
  static constexpr bool is_batch = false;
  static constexpr int extent0 = static_extent<Data, 0>(), extent1 = static_extent<Data, 1>();
  static constexpr bool row_vector = Plain::RowsAtCompileTime == 1 && Plain::ColsAtCompileTime != 1;
  static_assert(
      Plain::IsVectorAtCompileTime || !Plain::IsRowMajor,
      "Kokkidio: memory is column-major (LayoutLeft) on every target; use a column-major Eigen type");
};

}  // namespace detail

/// Asks a constructor to leave memory as it is instead of setting it to zero.
struct Uninitialized {};
inline constexpr Uninitialized uninitialized{};

/// A Kokkos view (LayoutLeft on every target) and an Eigen map of the same memory.
///
/// `T` is Kokkos notation (`double*`, `double**`, `double*[4]`, `const float*`; `Eigen::Matrix2d*` holds one
/// small matrix per item) or a dense Eigen type (`Eigen::ArrayXd`). Kokkos notation maps to `Eigen::Matrix`.
/// Copies share the memory, as copies of a Kokkos view do; constness is that of `T`. New memory is zero.
template <class T, Target target_ = DefaultTarget>
class ViewMap {
  using Traits = detail::DataTraits<T>;

public:
  static constexpr Target target = target_;
  using Scalar = std::remove_cv_t<typename Traits::Scalar>;  ///< arithmetic type
  using Value = typename Traits::Value;                      ///< what the view holds, const included
  using Data = typename Traits::Data;
  using Plain = typename Traits::Plain;  ///< Eigen type of the whole; void for batches and rank 3 and above
  using View = Kokkos::View<Data, Kokkos::LayoutLeft, MemorySpace<target>>;
  static constexpr int rank = Traits::rank;
  static constexpr bool is_const = Traits::is_const;
  static constexpr bool is_batch = Traits::is_batch;
  static constexpr bool row_vector = Traits::row_vector;

  ViewMap() = default;

  /// Memory of the given size, zero. Throws std::invalid_argument where a fixed extent of `T` disagrees.
  ViewMap(Extents extents) : ViewMap("Kokkidio::ViewMap", extents) {}
  template <Label L>
  ViewMap(L const& label, Extents extents) : ViewMap(label, extents, uninitialized) {
    set_zero();
  }
  ViewMap(Extents extents, Uninitialized) : ViewMap("Kokkidio::ViewMap", extents, uninitialized) {}
  template <Label L>
  ViewMap(L const& label, Extents extents, Uninitialized) : view_(allocate(std::string(label), extents)) {}

  /// Rank 3 and above: shape as in a Kokkos view.
  template <Label L, std::integral... N>
  requires(sizeof...(N) >= 3) ViewMap(L const& label, N... extents)
      : view_(Kokkos::view_alloc(std::string(label)), std::size_t(extents)...) {}

  /// An existing Eigen object or map, wrapped, not copied; it must outlive this. Host only. Throws
  /// std::invalid_argument where its shape does not fit or its columns do not lie one after the other.
  template <EigenDense Object>
  requires(!std::is_const_v<Object>) explicit ViewMap(Object& object) : view_(wrap(object)) {}
  template <EigenDense Object>
  requires(detail::DataTraits<T>::is_const) explicit ViewMap(Object const& object) : view_(wrap(object)) {}

  /// A Kokkos view of the same memory space, shared.
  template <KokkosView V>
  requires(std::is_constructible_v<View, V const&>) ViewMap(V const& view) : view_(view) {
    if constexpr (rank == 2)
      if (view_.extent(1) > 1 && Index(view_.stride(1)) != Index(view_.extent(0)))
        throw std::invalid_argument("Kokkidio: a ViewMap needs columns that lie one after the other");
  }
  /// Read-only from writable, Kokkos notation from Eigen type and back.
  template <class U>
  requires(!std::is_same_v<U, T> && std::is_constructible_v<View, typename ViewMap<U, target>::View const&>)
      ViewMap(ViewMap<U, target> const& other)
      : view_(other.view()) {}

  /// Copies the values of an Eigen expression of the same shape (host). An empty ViewMap is given its shape.
  template <EigenDense Expression>
  ViewMap& operator=(Expression const& expression) {
    static_assert(accessible_from_host, "Kokkidio: only host memory can be assigned from Eigen");
    if (view_.data() == nullptr && expression.size() > 0) *this = ViewMap(shape_of(expression));
    bool const fits = Plain::IsVectorAtCompileTime
                          ? expression.size() == size() && (expression.rows() == 1 || expression.cols() == 1)
                          : expression.rows() == rows() && expression.cols() == cols();
    if (!fits)
      throw std::invalid_argument("Kokkidio: '" + label() + "' has shape " +
                                  detail::shape_text(rows(), cols()) + ", the expression assigned to it " +
                                  detail::shape_text(expression.rows(), expression.cols()));
    map() = expression;
    return *this;
  }

  [[nodiscard]] KOKKOS_FUNCTION View const& view() const { return view_; }
  operator View const&() const { return view_; }

  /// The memory as an Eigen map. It can be made anywhere, and read where the memory can be read.
  [[nodiscard]] KOKKOS_FUNCTION auto map() const {
    static_assert(!is_batch,
                  "Kokkidio: a batch of small matrices has no map as a whole; use rng(batch) in a kernel");
    static_assert(rank <= 2, "Kokkidio: Eigen knows one and two extents; use view()");
    return Eigen::Map<detail::ConstIf<Plain, is_const>>(view_.data(), rows(), cols());
  }

  [[nodiscard]] KOKKOS_FUNCTION Value* data() const { return view_.data(); }
  [[nodiscard]] KOKKOS_FUNCTION Index rows() const { return row_vector ? 1 : items(); }
  [[nodiscard]] KOKKOS_FUNCTION Index cols() const {
    if constexpr (row_vector)
      return items();
    else if constexpr (rank < 2)
      return 1;
    else
      return Index(view_.extent(1));
  }
  /// First extent: what a range counts.
  [[nodiscard]] KOKKOS_FUNCTION Index items() const {
    if constexpr (rank == 0)
      return 1;
    else
      return Index(view_.extent(0));
  }
  [[nodiscard]] KOKKOS_FUNCTION Index size() const { return Index(view_.size()); }
  [[nodiscard]] std::string label() const { return view_.label(); }
  [[nodiscard]] bool wraps() const { return view_.data() != nullptr && view_.use_count() == 0; }

  /// New shape for this ViewMap (other copies keep the old memory); what fits of the values is kept, the rest
  /// is zero. Throws std::logic_error for wrapped memory.
  void resize(Extents extents) {
    if (extents == shape()) return;
    if (wraps()) throw std::logic_error("Kokkidio: wrapped memory cannot be resized");
    ViewMap resized(label().empty() ? std::string("Kokkidio::ViewMap") : label(), extents);
    if (size() > 0 && resized.size() > 0) copy_common(resized);
    view_ = resized.view_;
  }

  [[nodiscard]] Extents shape() const {
    if constexpr (row_vector)
      return Extents(items());
    else
      return Extents(rows(), cols());
  }

  /// Sets all bytes to zero.
  void set_zero() const {
    static_assert(!is_const, "Kokkidio: memory of const values cannot be set");
    auto* const first = reinterpret_cast<unsigned char*>(view_.data());
    Index const bytes = size() * Index(sizeof(Value));
    if (bytes == 0) return;
    if constexpr (accessible_from_host) {
      auto const zero_chunk = [](unsigned char* bytes_, void*, Index, Index begin, Index end) {
        constexpr Index item = Index(sizeof(Value));
        std::memset(bytes_ + begin * item, 0, std::size_t((end - begin) * item));
      };
      // In the chunks of the kernels to come, so that memory lies near the thread that will use it.
      detail::for_chunks(0, size(), detail::default_chunk(size()), zero_chunk, first,
                         static_cast<void*>(nullptr));
    } else {
      Kokkos::deep_copy(
          Kokkos::View<unsigned char*, MemorySpace<target>, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
              first, std::size_t(bytes)),
          static_cast<unsigned char>(0));
    }
  }

private:
  static constexpr bool accessible_from_host =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace<target>>::accessible;

  template <EigenDense Expression>
  static Extents shape_of(Expression const& expression) {
    if constexpr (Plain::IsVectorAtCompileTime)
      return Extents(expression.size());
    else
      return Extents(expression.rows(), expression.cols());
  }

  static void check_fixed(int fixed, Index given, char const* which) {
    if (fixed != Eigen::Dynamic && fixed != given)
      throw std::invalid_argument(std::string("Kokkidio: the ") + which + " extent is " +
                                  std::to_string(fixed) + " by type, but " + std::to_string(given) +
                                  " was asked for");
  }

  static void check_fixed(Extents extents) {
    check_fixed(Traits::extent0, extents.rows, "first");
    check_fixed(Traits::extent1, extents.cols, "second");
    if constexpr (rank == 2) check_fixed(Plain::RowsAtCompileTime, extents.rows, "first");
  }

  static View allocate(std::string const& label, Extents extents) {
    static_assert(rank <= 2, "Kokkidio: for rank 3 and above give a label and every extent");
    static_assert(!is_const, "Kokkidio: memory of const values can be shared or wrapped, not made");
    check_fixed(extents);
    auto const options = Kokkos::view_alloc(label, Kokkos::WithoutInitializing);
    auto const rows = std::size_t(extents.rows), cols = std::size_t(extents.cols);
    if constexpr (Traits::dynamic == 0)
      return View(options);
    else if constexpr (Traits::dynamic == 1)
      return View(options, rows);
    else
      return View(options, rows, cols);
  }

  template <class Object>
  static View wrap(Object& object) {
    static_assert(accessible_from_host, "Kokkidio: Eigen objects lie in host memory; use a DualViewMap");
    static_assert(std::is_same_v<typename Object::Scalar, Scalar>, "Kokkidio: the scalar types differ");
    static_assert(!is_batch && rank <= 2 && rank > 0);
    if constexpr (rank == 1) {
      static_assert(Object::IsVectorAtCompileTime, "Kokkidio: one extent wraps a vector");
    } else {
      static_assert(!Object::IsRowMajor || Object::IsVectorAtCompileTime,
                    "Kokkidio: the object must be column-major");
    }
    bool const contiguous =
        object.size() == 0 || (object.innerStride() == 1 && (object.cols() == 1 || object.rows() == 1 ||
                                                             object.outerStride() == object.rows()));
    if (!contiguous) throw std::invalid_argument("Kokkidio: the wrapped object must be contiguous");
    Extents const extents = rank == 1 ? Extents(object.size()) : Extents(object.rows(), object.cols());
    check_fixed(extents);
    auto* const data = object.data();
    auto const rows = std::size_t(extents.rows), cols = std::size_t(extents.cols);
    if constexpr (Traits::dynamic == 0)
      return View(data);
    else if constexpr (Traits::dynamic == 1)
      return View(data, rows);
    else
      return View(data, rows, cols);
  }

  void copy_common(ViewMap const& to) const {
    std::pair<std::size_t, std::size_t> const rows(0, std::size_t(std::min(items(), to.items())));
    if constexpr (rank == 1) {
      Kokkos::deep_copy(Kokkos::subview(to.view_, rows), Kokkos::subview(view_, rows));
    } else {
      std::pair<std::size_t, std::size_t> const cols(0, std::size_t(std::min(this->cols(), to.cols())));
      Kokkos::deep_copy(Kokkos::subview(to.view_, rows, cols), Kokkos::subview(view_, rows, cols));
    }
  }

  View view_;
};

template <EigenPlain Object>
ViewMap(Object&) -> ViewMap<Object, Target::host>;

}  // namespace Kokkidio
