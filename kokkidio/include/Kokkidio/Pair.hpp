#pragma once
/// \file
/// Pairs: two neighbouring numbers in one thread of a device, with the arithmetic of one number. A kernel written for a
/// template parameter `Lane` runs on them as it does on one number or on a SIMD register: with two cells to a thread, what a
/// thread does once (addresses, branches, values passed to its neighbours) serves both. Worth it where registers allow,
/// which on today's GPUs is single precision.

#include <Kokkos_Core.hpp>

#include <concepts>

#include "Kokkidio/Lane.hpp"

namespace Kokkidio {

struct PairMask {
  bool v[2];

  friend KOKKOS_FORCEINLINE_FUNCTION PairMask operator&(PairMask a, PairMask b) { return {{a.v[0] && b.v[0], a.v[1] && b.v[1]}}; }
  friend KOKKOS_FORCEINLINE_FUNCTION PairMask operator|(PairMask a, PairMask b) { return {{a.v[0] || b.v[0], a.v[1] || b.v[1]}}; }
  friend KOKKOS_FORCEINLINE_FUNCTION PairMask operator&&(PairMask a, PairMask b) { return a & b; }
  friend KOKKOS_FORCEINLINE_FUNCTION PairMask operator||(PairMask a, PairMask b) { return a | b; }
  friend KOKKOS_FORCEINLINE_FUNCTION PairMask operator!(PairMask a) { return {{!a.v[0], !a.v[1]}}; }
  KOKKOS_FORCEINLINE_FUNCTION bool operator[](int k) const { return v[k]; }
};

template <std::floating_point T>
struct Pair {
  using Scalar = T;
  using Mask = PairMask;
  static constexpr int width = 2;
  T v[2];

  Pair() = default;
  KOKKOS_FORCEINLINE_FUNCTION Pair(T x) : v{x, x} {}
  KOKKOS_FORCEINLINE_FUNCTION Pair(T x, T y) : v{x, y} {}

  /// Two numbers from p; for `load_aligned` and `store_aligned` an address that both their size divides.
  static KOKKOS_FORCEINLINE_FUNCTION Pair load(T const* p) { return {p[0], p[1]}; }
  static KOKKOS_FORCEINLINE_FUNCTION Pair load_aligned(T const* p) {
    auto const both = *reinterpret_cast<Both const*>(p);
    return {both.x, both.y};
  }
  KOKKOS_FORCEINLINE_FUNCTION void store_aligned(T* p) const { *reinterpret_cast<Both*>(p) = Both{v[0], v[1]}; }
  KOKKOS_FORCEINLINE_FUNCTION T operator[](int k) const { return v[k]; }

  friend KOKKOS_FORCEINLINE_FUNCTION Pair operator+(Pair a, Pair b) { return {a.v[0] + b.v[0], a.v[1] + b.v[1]}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Pair operator-(Pair a, Pair b) { return {a.v[0] - b.v[0], a.v[1] - b.v[1]}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Pair operator*(Pair a, Pair b) { return {a.v[0] * b.v[0], a.v[1] * b.v[1]}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Pair operator/(Pair a, Pair b) { return {a.v[0] / b.v[0], a.v[1] / b.v[1]}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Pair operator-(Pair a) { return {-a.v[0], -a.v[1]}; }
  KOKKOS_FORCEINLINE_FUNCTION Pair& operator+=(Pair b) { return *this = *this + b; }
  KOKKOS_FORCEINLINE_FUNCTION Pair& operator-=(Pair b) { return *this = *this - b; }
  KOKKOS_FORCEINLINE_FUNCTION Pair& operator*=(Pair b) { return *this = *this * b; }
  friend KOKKOS_FORCEINLINE_FUNCTION Mask operator<(Pair a, Pair b) { return {{a.v[0] < b.v[0], a.v[1] < b.v[1]}}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Mask operator<=(Pair a, Pair b) { return {{a.v[0] <= b.v[0], a.v[1] <= b.v[1]}}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Mask operator>(Pair a, Pair b) { return {{a.v[0] > b.v[0], a.v[1] > b.v[1]}}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Mask operator>=(Pair a, Pair b) { return {{a.v[0] >= b.v[0], a.v[1] >= b.v[1]}}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Mask operator==(Pair a, Pair b) { return {{a.v[0] == b.v[0], a.v[1] == b.v[1]}}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Mask operator!=(Pair a, Pair b) { return {{a.v[0] != b.v[0], a.v[1] != b.v[1]}}; }

 private:
  struct alignas(2 * sizeof(T)) Both {
    T x, y;
  };
};

template <class T>
struct LaneTraits<Pair<T>> {
  using Scalar = T;
  using Mask = PairMask;
  static constexpr int width = 2;
};

template <class L>
inline constexpr bool is_pair = false;
template <class T>
inline constexpr bool is_pair<Pair<T>> = true;

template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> select(PairMask m, Pair<T> a, std::type_identity_t<Pair<T>> b) {
  return {select(m.v[0], a.v[0], b.v[0]), select(m.v[1], a.v[1], b.v[1])};
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> select(PairMask m, T a, Pair<T> b) { return select(m, Pair<T>(a), b); }
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> min(Pair<T> a, std::type_identity_t<Pair<T>> b) {
  return {min(a.v[0], b.v[0]), min(a.v[1], b.v[1])};
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> max(Pair<T> a, std::type_identity_t<Pair<T>> b) {
  return {max(a.v[0], b.v[0]), max(a.v[1], b.v[1])};
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> abs(Pair<T> a) { return {abs(a.v[0]), abs(a.v[1])}; }
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> sqrt(Pair<T> a) { return {sqrt(a.v[0]), sqrt(a.v[1])}; }
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> reciprocal(Pair<T> a) { return {reciprocal(a.v[0]), reciprocal(a.v[1])}; }
template <class T>
KOKKOS_FORCEINLINE_FUNCTION InverseRoots<Pair<T>> inverse_roots(Pair<T> a) {
  auto const x = inverse_roots(a.v[0]), y = inverse_roots(a.v[1]);
  return {{x.inverse, y.inverse}, {x.inverse_root, y.inverse_root}};
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> rcbrt(Pair<T> a) { return {rcbrt(a.v[0]), rcbrt(a.v[1])}; }
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> power_nearly(Pair<T> a, T exponent) {
  return {power_nearly(a.v[0], exponent), power_nearly(a.v[1], exponent)};
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> fma(Pair<T> a, std::type_identity_t<Pair<T>> b, std::type_identity_t<Pair<T>> c) {
  return {fma(a.v[0], b.v[0], c.v[0]), fma(a.v[1], b.v[1], c.v[1])};
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> positive_part(Pair<T> a) { return {positive_part(a.v[0]), positive_part(a.v[1])}; }
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> negative_part(Pair<T> a) { return {negative_part(a.v[0]), negative_part(a.v[1])}; }
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T reduce_max(Pair<T> a) { return max(a.v[0], a.v[1]); }
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T reduce_min(Pair<T> a) { return min(a.v[0], a.v[1]); }
KOKKOS_FORCEINLINE_FUNCTION bool any(PairMask m) { return m.v[0] || m.v[1]; }
KOKKOS_FORCEINLINE_FUNCTION bool all(PairMask m) { return m.v[0] && m.v[1]; }
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void store(std::type_identity_t<T>* p, Pair<T> x) {
  p[0] = x.v[0];
  p[1] = x.v[1];
}

}  // namespace Kokkidio
