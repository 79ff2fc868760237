#pragma once
/// \file
/// Stand-ins for lanes while nvcc compiles for the device, where compiler vectors do not exist. Code that is written for both
/// targets mentions lanes then, but never runs with them: declarations suffice.

namespace Kokkidio {

template <class T, int W>
struct LaneMask {
  alignas(W * sizeof(T)) T storage[W];
  friend LaneMask operator&(LaneMask, LaneMask);
  friend LaneMask operator|(LaneMask, LaneMask);
  friend LaneMask operator&&(LaneMask, LaneMask);
  friend LaneMask operator||(LaneMask, LaneMask);
  friend LaneMask operator!(LaneMask);
  bool operator[](int) const;
};

template <class T, int W = native_lane_width<T>>
struct Lane {
  using Scalar = T;
  using Mask = LaneMask<T, W>;
  static constexpr int width = W;
  alignas(W * sizeof(T)) T storage[W];

  Lane() = default;
  template <class U>
    requires std::is_arithmetic_v<U>
  Lane(U);
  Lane(Eigen::Array<T, W, 1> const&);
  static Lane load(T const*);
  void store(T*) const;
  [[nodiscard]] Eigen::Array<T, W, 1> to_eigen() const;
  T operator[](int) const;
  friend Lane operator+(Lane, Lane);
  friend Lane operator-(Lane, Lane);
  friend Lane operator*(Lane, Lane);
  friend Lane operator/(Lane, Lane);
  friend Lane operator-(Lane);
  Lane& operator+=(Lane);
  Lane& operator-=(Lane);
  Lane& operator*=(Lane);
  Lane& operator/=(Lane);
  friend Mask operator<(Lane, Lane);
  friend Mask operator<=(Lane, Lane);
  friend Mask operator>(Lane, Lane);
  friend Mask operator>=(Lane, Lane);
  friend Mask operator==(Lane, Lane);
  friend Mask operator!=(Lane, Lane);
};

template <class T, int W>
void store(T*, Lane<T, W>);
template <class T, int W>
Lane<T, W> select(LaneMask<T, W>, Lane<T, W>, std::type_identity_t<Lane<T, W>>);
template <class T, int W>
Lane<T, W> select(LaneMask<T, W>, T, Lane<T, W>);
template <class T, int W>
Lane<T, W> min(Lane<T, W>, std::type_identity_t<Lane<T, W>>);
template <class T, int W>
Lane<T, W> max(Lane<T, W>, std::type_identity_t<Lane<T, W>>);
template <class T, int W>
Lane<T, W> abs(Lane<T, W>);
template <class T, int W>
Lane<T, W> sqrt(Lane<T, W>);
template <class T, int W>
bool any(LaneMask<T, W>);
template <class T, int W>
bool all(LaneMask<T, W>);
template <class T, int W>
T reduce_max(Lane<T, W>);
template <class T, int W>
T reduce_min(Lane<T, W>);
template <class T, int W>
Lane<T, W> rcbrt(Lane<T, W>);
template <class T, int W>
Lane<T, W> fast_cbrt(Lane<T, W>);

namespace detail {
template <class T, int W>
LaneMask<T, W> first_elements(std::ptrdiff_t count);
template <class T, int W>
Lane<T, W> counting_from(std::ptrdiff_t first);
template <int W>
Lane<float, W> to_float(Lane<double, W>);
template <int W>
Lane<double, W> to_double(Lane<float, W>);
}  // namespace detail

}  // namespace Kokkidio
