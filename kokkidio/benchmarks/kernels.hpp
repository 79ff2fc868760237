#pragma once
/// \file
/// The benchmarks' kernels on Kokkidio, written once for CPU and GPU, each with an index, a range, and lanes.

#include <Kokkidio/Kokkidio.hpp>

#include <cmath>

namespace Kokkidio::benchmarks {

template <class Real>
using Vector = Eigen::Array<Real, Eigen::Dynamic, 1>;
template <class Real, int columns>
using Table = Eigen::Array<Real, Eigen::Dynamic, columns>;

/// z = a x + y
namespace axpy {

template <Target target, class Real>
struct Data {
  Real a;
  ViewMap<Vector<Real> const, target> x, y;
  ViewMap<Vector<Real>, target> z;
};

template <Target target, class Real>
struct WithIndex : Data<target, Real> {
  KOKKOS_FUNCTION void operator()(Index i) const {
    this->z.data()[i] = this->a * this->x.data()[i] + this->y.data()[i];
  }
};

template <Target target, class Real>
struct WithRange : Data<target, Real> {
  KOKKOS_FUNCTION void operator()(BasicParallelRange<target> const& rng) const {
    rng(this->z) = this->a * rng(this->x) + rng(this->y);
  }
};

template <Target target, class Real>
struct WithLanes : Data<target, Real> {
  KOKKOS_FUNCTION void operator()(BasicParallelRange<target> const& rng) const {
    rng.template for_each_lane<Real>(
        [&](auto lane) { lane.store(this->z, this->a * lane.load(this->x) + lane.load(this->y)); });
  }
};

}  // namespace axpy

/// sum over N rows of 4 products
namespace dot {

template <Target target, class Real>
struct Data {
  ViewMap<Table<Real, 4> const, target> a, b;
};

template <Target target, class Real>
struct WithIndex : Data<target, Real> {
  KOKKOS_FUNCTION void operator()(Index i, Real& sum) const {
    Index const n = this->a.items();
    Real const* const a = this->a.data() + i;
    Real const* const b = this->b.data() + i;
    sum += (a[0] * b[0] + a[n] * b[n]) + (a[2 * n] * b[2 * n] + a[3 * n] * b[3 * n]);
  }
};

template <Target target, class Real>
struct WithRange : Data<target, Real> {
  KOKKOS_FUNCTION void operator()(BasicParallelRange<target> const& rng, Real& sum) const {
    sum += (rng(this->a) * rng(this->b)).sum();
  }
};

template <Target target, class Real>
struct WithLanes : Data<target, Real> {
  KOKKOS_FUNCTION void operator()(BasicParallelRange<target> const& rng, Real& sum) const {
    sum += rng.template sum_lanes<Real>([&](auto lane) {
      auto const product = [&](int c) { return lane.load(this->a, 0, c) * lane.load(this->b, 0, c); };
      return (product(0) + product(1)) + (product(2) + product(3));
    });
  }
};

}  // namespace dot

/// square of the largest norm of N rows of 4; the root is taken of the result
namespace norm {

template <Target target, class Real>
struct Data {
  ViewMap<Table<Real, 4> const, target> x;
};

template <Target target, class Real>
struct WithIndex : Data<target, Real> {
  KOKKOS_FUNCTION void operator()(Index i, Real& largest) const {
    Index const n = this->x.items();
    Real const* const x = this->x.data() + i;
    Real const square = (x[0] * x[0] + x[n] * x[n]) + (x[2 * n] * x[2 * n] + x[3 * n] * x[3 * n]);
    largest = largest > square ? largest : square;
  }
};

template <Target target, class Real>
struct WithRange : Data<target, Real> {
  KOKKOS_FUNCTION void operator()(BasicParallelRange<target> const& rng, Real& largest) const {
    auto const x = rng(this->x);
    Real const square =
        (x.col(0).square() + x.col(1).square() + x.col(2).square() + x.col(3).square()).maxCoeff();
    largest = largest > square ? largest : square;
  }
};

template <Target target, class Real>
struct WithLanes : Data<target, Real> {
  KOKKOS_FUNCTION void operator()(BasicParallelRange<target> const& rng, Real& largest) const {
    Real const square = rng.template max_lanes<Real>([&](auto lane) {
      auto const squared = [&](int c) {
        auto const x = lane.load(this->x, 0, c);
        return x * x;
      };
      return (squared(0) + squared(1)) + (squared(2) + squared(3));
    });
    largest = largest > square ? largest : square;
  }
};

}  // namespace norm

/// Point-implicit Manning friction per cell:
///   C = g n² / d^(1/3),  V = |v|,  out_i = (in_i - C V v_i) / (1 + (C/d) (V + v_i²/V))
/// V = 0 gives in_i: V is kept above a number whose square is still normal, and v_i = 0 then.
namespace friction {

inline constexpr double gravity = 9.81;

template <class Real>
KOKKOS_INLINE_FUNCTION constexpr Real least_speed() {
  return Real(1e-15);
}

template <Target target, class Real>
struct Data {
  Real manning;
  ViewMap<Vector<Real> const, target> d;
  ViewMap<Table<Real, 2> const, target> v, in;
  ViewMap<Table<Real, 2>, target> out;
};

template <class Real>
struct Pair {
  Real x, y;
};

/// One cell, or a lane of cells; `reciprocal_cube_root` as the caller likes it.
template <class L, class Real, class Root>
KOKKOS_FORCEINLINE_FUNCTION Pair<L> implicit_step(Real manning, L d, L vx, L vy, L x, L y,
                                                  Root reciprocal_cube_root) {
  L const V = max(sqrt(vx * vx + vy * vy), L(least_speed<Real>()));
  L const C = L(Real(gravity) * manning * manning) * reciprocal_cube_root(d);
  L const C_d = C / d, V_inverse = L(Real(1)) / V, CV = C * V, one(Real(1));
  return {(x - CV * vx) / (one + C_d * (V + vx * vx * V_inverse)),
          (y - CV * vy) / (one + C_d * (V + vy * vy * V_inverse))};
}

template <Target target, class Real>
struct WithIndex : Data<target, Real> {
  KOKKOS_FUNCTION void operator()(Index i) const {
    Index const n = this->d.items();
    Real const* const v = this->v.data() + i;
    Real const* const in = this->in.data() + i;
    auto const out = implicit_step<Real>(this->manning, this->d.data()[i], v[0], v[n], in[0], in[n],
                                         [](Real x) { return Real(1) / std::cbrt(x); });
    this->out.data()[i] = out.x;
    this->out.data()[i + n] = out.y;
  }
};

template <Target target, class Real>
struct WithRange : Data<target, Real> {
  BufferDescriptor<Vector<Real>, target> buffer;

  KOKKOS_FUNCTION void operator()(BasicParallelRange<target> const& rng) const {
    auto V = getBuffer(buffer, rng);
    auto V_inverse = getBuffer(buffer, rng);
    auto C = getBuffer(buffer, rng);
    auto const d = rng(this->d);
    auto const v = rng(this->v);
    auto const in = rng(this->in);
    auto out = rng(this->out);
    V = (v.col(0).square() + v.col(1).square()).sqrt().max(least_speed<Real>());
    V_inverse = V.inverse();
    C = Real(gravity) * this->manning * this->manning * rcbrt(d);
    auto C_d = getBuffer(buffer, rng);
    C_d = C / d;
    for (int i = 0; i < 2; ++i)
      out.col(i) = (in.col(i) - C * V * v.col(i)) / (Real(1) + C_d * (V + v.col(i).square() * V_inverse));
  }
};

template <Target target, class Real>
struct WithLanes : Data<target, Real> {
  KOKKOS_FUNCTION void operator()(BasicParallelRange<target> const& rng) const {
    rng.template for_each_lane<Real>([&](auto lane) {
      using L = typename decltype(lane)::Value;
      auto const out = implicit_step<L>(this->manning, lane.load(this->d), lane.load(this->v, 0, 0),
                                        lane.load(this->v, 0, 1), lane.load(this->in, 0, 0),
                                        lane.load(this->in, 0, 1), [](L x) { return rcbrt(x); });
      lane.store(this->out, out.x, 0, 0);
      lane.store(this->out, out.y, 0, 1);
    });
  }
};

}  // namespace friction
}  // namespace Kokkidio::benchmarks
