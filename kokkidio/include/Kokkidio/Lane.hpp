#pragma once
/// \file
/// Lanes: as many numbers as one SIMD register holds, with the arithmetic of one number.
///
/// A kernel written for a template parameter `Lane` runs on `Lane<double, 8>` on a CPU (eight cells in one
/// AVX-512 register) and on a plain `double` on a GPU. Branches become `select(mask, a, b)`; `min`, `max`,
/// `abs`, `sqrt`, `rcbrt` have overloads for both, so the same lines serve both.
///
/// Every operation acts on each element alone and rounds as the scalar operation does, so a result depends
/// neither on the width of the lane nor on an element's place in it.
///
/// The lanes are compiler vectors (GCC, Clang) rather than `Eigen::Array<T, W, 1>`: comparisons then stay
/// in mask registers, which Eigen's arrays of bool lose, and `sqrt` is the correctly rounded instruction.
/// `to_eigen()` and the constructor from an Eigen array convert for free.

#include <Kokkos_Core.hpp>

#include <Eigen/Core>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#if defined(__AVX__) && !defined(__CUDA_ARCH__)
#include <immintrin.h>
#endif

namespace Kokkidio {

/// Elements of type T in one SIMD register of the processor compiled for.
template <class T>
inline constexpr int native_lane_width =
#if defined(__AVX512F__)
    64 / int(sizeof(T));
#elif defined(__AVX__)
    32 / int(sizeof(T));
#else
    16 / int(sizeof(T));
#endif

}  // namespace Kokkidio

#if defined(__CUDA_ARCH__)
#include "Kokkidio/LaneDevicePass.hpp"
#endif

namespace Kokkidio {

#if !defined(__CUDA_ARCH__)

namespace detail {
template <class T, int W>
struct CompilerVector {
  typedef T type __attribute__((vector_size(W * sizeof(T))));
  /// The same anywhere in an array of T. A copy through memcpy would do too, but after it the compiler takes every
  /// other variable for changed.
  typedef T in_memory __attribute__((vector_size(W * sizeof(T)), aligned(alignof(T))));
};
}  // namespace detail

/// Truth of a comparison, element by element.
template <class T, int W>
struct LaneMask {
  using Int = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  using Vector = typename detail::CompilerVector<Int, W>::type;
  Vector v;  ///< all bits set where true

  friend LaneMask operator&(LaneMask a, LaneMask b) { return {a.v & b.v}; }
  friend LaneMask operator|(LaneMask a, LaneMask b) { return {a.v | b.v}; }
  friend LaneMask operator&&(LaneMask a, LaneMask b) { return {a.v & b.v}; }
  friend LaneMask operator||(LaneMask a, LaneMask b) { return {a.v | b.v}; }
  friend LaneMask operator!(LaneMask a) { return {~a.v}; }
  bool operator[](int k) const { return v[k] != 0; }
};

/// W numbers in one register.
template <class T, int W = native_lane_width<T>>
struct Lane {
  static_assert(std::is_floating_point_v<T> && W > 0 && (W & (W - 1)) == 0, "width is a power of two");
  using Scalar = T;
  using Mask = LaneMask<T, W>;
  static constexpr int width = W;
  using Vector = typename detail::CompilerVector<T, W>::type;
  Vector v;

  Lane() = default;
  Lane(Vector x) : v(x) {}
  Lane(T x) : v(x - Vector{}) {}
  template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, T>)
  Lane(U x) : Lane(T(x)) {}
  Lane(Eigen::Array<T, W, 1> const& a) { std::memcpy(&v, a.data(), sizeof v); }

  /// W numbers from `p`, which needs no alignment.
  static Lane load(T const* p) {
    return Vector(*reinterpret_cast<typename detail::CompilerVector<T, W>::in_memory const*>(p));
  }
  void store(T* p) const { *reinterpret_cast<typename detail::CompilerVector<T, W>::in_memory*>(p) = v; }
  [[nodiscard]] Eigen::Array<T, W, 1> to_eigen() const {
    Eigen::Array<T, W, 1> a;
    store(a.data());
    return a;
  }
  T operator[](int k) const { return v[k]; }

  friend Lane operator+(Lane a, Lane b) { return a.v + b.v; }
  friend Lane operator-(Lane a, Lane b) { return a.v - b.v; }
  friend Lane operator*(Lane a, Lane b) { return a.v * b.v; }
  friend Lane operator/(Lane a, Lane b) { return a.v / b.v; }
  friend Lane operator-(Lane a) { return -a.v; }
  Lane& operator+=(Lane b) { v += b.v; return *this; }
  Lane& operator-=(Lane b) { v -= b.v; return *this; }
  Lane& operator*=(Lane b) { v *= b.v; return *this; }
  Lane& operator/=(Lane b) { v /= b.v; return *this; }
  friend Mask operator<(Lane a, Lane b) { return {a.v < b.v}; }
  friend Mask operator<=(Lane a, Lane b) { return {a.v <= b.v}; }
  friend Mask operator>(Lane a, Lane b) { return {a.v > b.v}; }
  friend Mask operator>=(Lane a, Lane b) { return {a.v >= b.v}; }
  friend Mask operator==(Lane a, Lane b) { return {a.v == b.v}; }
  friend Mask operator!=(Lane a, Lane b) { return {a.v != b.v}; }
};

#endif

/// Type and width of one number or of a lane.
template <class L>
struct LaneTraits {
  using Scalar = L;
  using Mask = bool;
  static constexpr int width = 1;
};
template <class T, int W>
struct LaneTraits<Lane<T, W>> {
  using Scalar = T;
  using Mask = LaneMask<T, W>;
  static constexpr int width = W;
};

/// W numbers from `p` on a CPU, one on a device.
template <class L>
KOKKOS_FORCEINLINE_FUNCTION L load(typename LaneTraits<L>::Scalar const* p) {
  if constexpr (std::is_arithmetic_v<L>) return *p;
  else return L::load(p);
}
/// The same from a place that is a multiple of W numbers away from where the memory begins: one access on a device too.
template <class L>
KOKKOS_FORCEINLINE_FUNCTION L load_aligned(typename LaneTraits<L>::Scalar const* p) {
  if constexpr (requires { L::load_aligned(p); }) return L::load_aligned(p);
  else return load<L>(p);
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION void store(T* p, T x) { *p = x; }
#if !defined(__CUDA_ARCH__)
template <class T, int W>
inline void store(T* p, Lane<T, W> x) { x.store(p); }
#endif

/// Counterpart of load_aligned.
template <class L>
KOKKOS_FORCEINLINE_FUNCTION void store_aligned(typename LaneTraits<L>::Scalar* p, L x) {
  if constexpr (requires { x.store_aligned(p); }) x.store_aligned(p);
  else store(p, x);
}

// One number. min and max are written as comparisons so that all targets agree to the bit. Where an operand is not a
// number, a CPU returns the second, a CUDA device in single precision NaN: there one instruction does it.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T select(bool m, T a, T b) { return m ? a : b; }
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T min(T a, std::type_identity_t<T> b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<T, float>) {
    float r;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
  }
#endif
  return a < b ? a : b;
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T max(T a, std::type_identity_t<T> b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<T, float>) {
    float r;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
  }
#endif
  return a > b ? a : b;
}
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T abs(T a) { return ::fabs(a); }
/// Square root of a >= 0: correctly rounded on a CPU; to about one unit in the last place on a CUDA device, where that costs
/// half as much.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T sqrt(T a) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) {
    float r;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
  } else if constexpr (std::is_same_v<T, double>) {
    double y;  // 1/sqrt(a) to 20 bits, from the high word alone; a tiny number in place of 0 keeps it finite
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(__hiloint2double(::max(__double2hiint(a), 0x06000000), 0)));
    double const s = a * y, e = fma(-s, y, 1.0);  // one step of third order
    return fma(s * e, fma(0.375, e, 0.5), s);
  }
#endif
  return ::sqrt(a);
}
/// 1/a for a normal number: the division on a CPU; to about one unit in the last place on a CUDA device.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T reciprocal(T a) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
  } else if constexpr (std::is_same_v<T, double>) {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
    double const e = fma(-a, r, 1.0);
    return fma(r, fma(e, e, e), r);
  }
#endif
  return T(1) / a;
}
/// 1/a and 1/sqrt(a) of a positive normal number.
template <class L>
struct InverseRoots {
  L inverse, inverse_root;
};
/// On a CPU a division and the root of its result; on a CUDA device one root and its square, to about two units in the last
/// place, for less than either alone and the other.
template <class L>
KOKKOS_FORCEINLINE_FUNCTION InverseRoots<L> inverse_roots(L a) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<L, float>) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
    return {y * y, y};
  } else if constexpr (std::is_same_v<L, double>) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
    double const e = fma(-(a * y), y, 1.0);  // one step of third order
    y = fma(y * e, fma(0.375, e, 0.5), y);
    return {y * y, y};
  }
#endif
  L const inverse = reciprocal(a);
  return {inverse, sqrt(inverse)};
}
/// a^exponent of a positive normal number. In single precision on a CUDA device by its logarithm, in three instructions and to
/// about 1e-6 |exponent| of itself.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T power_nearly(T a, std::type_identity_t<T> exponent) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) {
    float r;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    r *= exponent;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(r));
    return r;
  }
#endif
  return ::pow(a, exponent);
}
/// a b + c with one rounding where the processor has such an instruction, else with two. Written out rather than left to
/// the compiler, which fuses the same sum in one place and not in another, so that its last digit would depend on the place.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T fma(T a, std::type_identity_t<T> b, std::type_identity_t<T> c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return ::fma(a, b, c);
#else
  return a * b + c;
#endif
}
KOKKOS_FORCEINLINE_FUNCTION bool any(bool m) { return m; }
KOKKOS_FORCEINLINE_FUNCTION bool all(bool m) { return m; }

// A lane.
#if !defined(__CUDA_ARCH__)
template <class T, int W>
inline Lane<T, W> select(LaneMask<T, W> m, Lane<T, W> a, std::type_identity_t<Lane<T, W>> b) {
  return m.v ? a.v : b.v;
}
template <class T, int W>
inline Lane<T, W> select(LaneMask<T, W> m, T a, Lane<T, W> b) { return m.v ? Lane<T, W>(a).v : b.v; }
// The processor's own minimum and maximum are these comparisons; the compiler does not see it when one side is a constant.
template <class T, int W>
inline Lane<T, W> min(Lane<T, W> a, std::type_identity_t<Lane<T, W>> b) {
#if defined(__AVX512F__)
  using Vector = typename Lane<T, W>::Vector;
  if constexpr (sizeof(Vector) == 64) {
    if constexpr (sizeof(T) == 8) return (Vector)_mm512_maskz_min_pd(0xff, (__m512d)a.v, (__m512d)b.v);
    else return (Vector)_mm512_maskz_min_ps(0xffff, (__m512)a.v, (__m512)b.v);
  }
#endif
  return a.v < b.v ? a.v : b.v;
}
template <class T, int W>
inline Lane<T, W> max(Lane<T, W> a, std::type_identity_t<Lane<T, W>> b) {
#if defined(__AVX512F__)
  using Vector = typename Lane<T, W>::Vector;
  if constexpr (sizeof(Vector) == 64) {
    if constexpr (sizeof(T) == 8) return (Vector)_mm512_maskz_max_pd(0xff, (__m512d)a.v, (__m512d)b.v);
    else return (Vector)_mm512_maskz_max_ps(0xffff, (__m512)a.v, (__m512)b.v);
  }
#endif
  return a.v > b.v ? a.v : b.v;
}
template <class T, int W>
inline Lane<T, W> abs(Lane<T, W> a) {
  using Bits = typename LaneMask<T, W>::Vector;
  return (typename Lane<T, W>::Vector)((Bits)a.v & std::numeric_limits<typename LaneMask<T, W>::Int>::max());
}
// One instruction, which the compiler splits in two where it is tuned for registers of half the size. (The masked form, since GCC warns
// of its own unmasked one.)
template <class T, int W>
inline Lane<T, W> sqrt(Lane<T, W> a) {
  using Vector = typename Lane<T, W>::Vector;
#if defined(__AVX512F__)
  if constexpr (sizeof(Vector) == 64) {
    if constexpr (sizeof(T) == 8) return (Vector)_mm512_maskz_sqrt_pd(0xff, (__m512d)a.v);
    else return (Vector)_mm512_maskz_sqrt_ps(0xffff, (__m512)a.v);
  }
#endif
  Vector r;
  for (int k = 0; k < W; ++k) r[k] = std::sqrt(a.v[k]);
  return r;
}
template <class T, int W>
inline Lane<T, W> fma(Lane<T, W> a, std::type_identity_t<Lane<T, W>> b, std::type_identity_t<Lane<T, W>> c) {
#if defined(__FMA__)
  using Vector = typename Lane<T, W>::Vector;
#if defined(__AVX512F__)
  if constexpr (sizeof(Vector) == 64) {
    if constexpr (sizeof(T) == 8) return (Vector)_mm512_fmadd_pd((__m512d)a.v, (__m512d)b.v, (__m512d)c.v);
    else return (Vector)_mm512_fmadd_ps((__m512)a.v, (__m512)b.v, (__m512)c.v);
  }
#endif
  if constexpr (sizeof(Vector) == 32) {
    if constexpr (sizeof(T) == 8) return (Vector)_mm256_fmadd_pd((__m256d)a.v, (__m256d)b.v, (__m256d)c.v);
    else return (Vector)_mm256_fmadd_ps((__m256)a.v, (__m256)b.v, (__m256)c.v);
  }
#endif
  Lane<T, W> r;
  for (int k = 0; k < W; ++k) r.v[k] = fma(a.v[k], b.v[k], c.v[k]);
  return r;
}
template <class T, int W>
inline Lane<T, W> reciprocal(Lane<T, W> a) { return Lane<T, W>(T(1)) / a; }
template <class T, int W>
inline bool any(LaneMask<T, W> m) {
#if defined(__AVX512DQ__) && !defined(__CUDA_ARCH__)
  if constexpr (sizeof(m.v) == 64) {
    if constexpr (sizeof(T) == 8) return _mm512_movepi64_mask((__m512i)m.v) != 0;
    else return _mm512_movepi32_mask((__m512i)m.v) != 0;
  }
#endif
  typename LaneMask<T, W>::Int r = 0;
  for (int k = 0; k < W; ++k) r |= m.v[k];
  return r != 0;
}
template <class T, int W>
inline bool all(LaneMask<T, W> m) { return !any(!m); }
#endif

/// max(x, 0) and min(x, 0). In double precision on a CUDA device the sign's bit chooses: integer units do that beside the
/// arithmetic, and without the many instructions that a maximum for every kind of number takes there.
template <class L>
KOKKOS_FORCEINLINE_FUNCTION L positive_part(L x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<L, double>) {
    int const keep = ~(__double2hiint(x) >> 31);
    return __hiloint2double(__double2hiint(x) & keep, __double2loint(x) & keep);
  }
#endif
  return max(x, L(typename LaneTraits<L>::Scalar(0)));
}
template <class L>
KOKKOS_FORCEINLINE_FUNCTION L negative_part(L x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<L, double>) {
    int const keep = __double2hiint(x) >> 31;
    return __hiloint2double(__double2hiint(x) & keep, __double2loint(x) & keep);
  }
#endif
  return min(x, L(typename LaneTraits<L>::Scalar(0)));
}

/// Largest and smallest element.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T reduce_max(T a) { return a; }
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T reduce_min(T a) { return a; }
#if !defined(__CUDA_ARCH__)
template <class T, int W>
inline T reduce_max(Lane<T, W> a) {
  T r = a.v[0];
  for (int k = 1; k < W; ++k) r = r > a.v[k] ? r : a.v[k];
  return r;
}
template <class T, int W>
inline T reduce_min(Lane<T, W> a) {
  T r = a.v[0];
  for (int k = 1; k < W; ++k) r = r < a.v[k] ? r : a.v[k];
  return r;
}

namespace detail {

/// True for the first `count` elements.
template <class T, int W>
inline LaneMask<T, W> first_elements(std::ptrdiff_t count) {
  typename LaneMask<T, W>::Vector number;
  for (int k = 0; k < W; ++k) number[k] = k;
  return {number < typename LaneMask<T, W>::Int(count)};
}

/// first, first + 1, …
template <class T, int W>
inline Lane<T, W> counting_from(std::ptrdiff_t first) {
  Lane<T, W> r;
  for (int k = 0; k < W; ++k) r.v[k] = T(first + k);
  return r;
}

}  // namespace detail
#endif

namespace detail {

#if !defined(__CUDA_ARCH__)
/// Each number in the other precision: one instruction each, which __builtin_convertvector takes apart.
template <int W>
inline Lane<float, W> to_float(Lane<double, W> x) {
#if defined(__AVX512F__)
  if constexpr (W == 8) return (typename Lane<float, W>::Vector)_mm512_maskz_cvtpd_ps(0xff, (__m512d)x.v);
#endif
  return __builtin_convertvector(x.v, typename Lane<float, W>::Vector);
}
template <int W>
inline Lane<double, W> to_double(Lane<float, W> x) {
#if defined(__AVX512F__)
  if constexpr (W == 8) return (typename Lane<double, W>::Vector)_mm512_maskz_cvtps_pd(0xff, (__m256)x.v);
#endif
  return __builtin_convertvector(x.v, typename Lane<double, W>::Vector);
}
#endif

/// First guess of x^(-1/3) to about 3 %: the exponent divided by -3 through the bits of a float.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION F rcbrt_guess(F x) {
  if constexpr (std::is_arithmetic_v<F>) {
    union { float f; std::int32_t i; } bits;
    bits.f = x;
    bits.i = std::int32_t(fma(float(bits.i), -1.0f / 3.0f, 1419967488.0f));
    return bits.f;
  } else {
    using I = typename LaneMask<float, F::width>::Vector;
    I i;
    std::memcpy(&i, &x.v, sizeof i);
    F const scaled = fma(F(__builtin_convertvector(i, typename F::Vector)), F(-1.0f / 3.0f), F(1419967488.0f));
    i = __builtin_convertvector(scaled.v, I);
    F r;
    std::memcpy(&r.v, &i, sizeof i);
    return r;
  }
}

/// One step of third order towards x^(-1/3): with e = 1 - x y^3, y (1 + e/3 + 2 e^2/9).
template <class F>
KOKKOS_FORCEINLINE_FUNCTION F rcbrt_refine(F y, F x) {
  using T = typename LaneTraits<F>::Scalar;
  F const e = fma(-(x * y), y * y, F(T(1)));
  return fma(y * e, fma(F(T(2.0 / 9)), e, F(T(1.0 / 3))), y);
}

/// x^(-1/3) to about 2e-6 by the logarithm of a CUDA device, to 1e-5 elsewhere.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION F rcbrt_nearly(F x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<F, float>) return power_nearly(x, -1.0f / 3.0f);
#endif
  return rcbrt_refine(rcbrt_guess(x), x);
}

}  // namespace detail

/// A floating-point number or a lane of them.
template <class L>
concept LaneValue = std::is_floating_point_v<L> || !std::is_same_v<typename LaneTraits<L>::Scalar, L>;

/// Reciprocal cube root x^(-1/3) for x > 0 within the range of float (1e-37 ... 1e37), to about 2 units in
/// the last place and without a division. Zero, negative, infinite x give an unspecified number.
template <LaneValue L>
KOKKOS_FORCEINLINE_FUNCTION L rcbrt(L x) {
  using T = typename LaneTraits<L>::Scalar;
  constexpr int W = LaneTraits<L>::width;
  if constexpr (std::is_same_v<T, float>) {
    return detail::rcbrt_refine(detail::rcbrt_nearly(x), x);
  } else if constexpr (std::is_arithmetic_v<L>) {
    float const xf = float(x);
    float y = detail::rcbrt_nearly(xf);
#if !defined(__CUDA_ARCH__)
    y = detail::rcbrt_refine(y, xf);
#endif
    return detail::rcbrt_refine(T(y), x);
  } else {
    using F = Lane<float, W>;
    F const xf = detail::to_float(x);
    F const y = detail::rcbrt_refine(detail::rcbrt_nearly(xf), xf);
    return detail::rcbrt_refine(detail::to_double(y), x);
  }
}

/// Cube root of x > 0, with the range and accuracy of rcbrt.
template <LaneValue L>
KOKKOS_FORCEINLINE_FUNCTION L fast_cbrt(L x) {
  L const r = rcbrt(x);
  return x * r * r;
}

}  // namespace Kokkidio
