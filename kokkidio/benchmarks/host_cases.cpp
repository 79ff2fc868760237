/// The implementations a CPU runs. In a CUDA build this file is compiled with EIGEN_NO_CUDA, since Eigen
/// switches its vectorisation off where it sees nvcc.

#include <Kokkidio/Kokkidio.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "benchmarks.hpp"
#include "cases.hpp"
#include "kernels.hpp"

namespace Kokkidio::benchmarks {

namespace {

constexpr Target host = Target::host;
using HostSpace = Kokkos::DefaultHostExecutionSpace;
template <class Real>
using KokkosVector = Kokkos::View<Real*, Kokkos::LayoutLeft, Kokkos::HostSpace>;
template <class Real>
using KokkosTable = Kokkos::View<Real**, Kokkos::LayoutLeft, Kokkos::HostSpace>;

/// Threads by hand: one where starting more would take longer than the work.
inline int threads_for(Index n) { return n < 1024 ? 1 : num_threads(); }

/// Each thread's share of [0, n) in chunks: body(begin, size, thread).
template <class Body>
void chunks_by_hand(Index n, Index chunk, Body const& body) {
#if defined(_OPENMP)
#pragma omp parallel num_threads(threads_for(n))
  {
    Index const thread = omp_get_thread_num(), threads = omp_get_num_threads();
#else
  {
    Index const thread = 0, threads = 1;
#endif
    Index const share = (n / threads + 15) / 16 * 16;
    Index const last = thread == threads - 1 ? n : std::min(n, share * (thread + 1));
    for (Index begin = std::min(n, share * thread); begin < last; begin += chunk)
      body(begin, std::min(chunk, last - begin), thread);
  }
}

/// Partial results of threads, a cache line apart.
template <class Real>
struct alignas(128) Padded {
  Real value{};
};

/// The chunk with which `run(chunk)` is fastest.
template <class Run>
Index best_chunk(Index n, Run const& run) {
  Index const whole = n / num_threads() + 16;
  if (n < 1024) return whole;
  std::vector<Index> chunks{whole};
  for (Index chunk : {256, 512, 1024, 2048, 4096, 16384})
    if (chunk < whole) chunks.push_back(chunk);
  std::vector<double> least(chunks.size(), std::numeric_limits<double>::max());
  Index const calls = std::max<Index>(1, 10000 / n);
  for (int round = 0; round < (n > 3000000 ? 2 : 7); ++round)
    for (std::size_t k = 0; k < chunks.size(); ++k) {
      auto const start = std::chrono::steady_clock::now();
      for (Index call = 0; call < calls; ++call) run(chunks[k]);
      least[k] =
          std::min(least[k], std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  return chunks[std::size_t(std::min_element(least.begin(), least.end()) - least.begin())];
}

template <class Real>
Case axpy_case(Index n) {
  auto const data = make_inputs<Real>("axpy", n);
  auto const a = Inputs<Real>::factor;
  auto const result = [=] { return double(data->z[n / 2]) + double(data->z[n - 1]); };
  auto const by_hand = [=](auto& z, Index chunk) {
    chunks_by_hand(n, chunk, [&](Index begin, Index size, Index) {
      z.segment(begin, size) = a * data->x.segment(begin, size) + data->y.segment(begin, size);
    });
  };
  Index const chunk = best_chunk(n, [&](Index c) { by_hand(data->z, c); });
  auto const native = [=] { by_hand(data->z, chunk); };
  auto const native_transfer = [=] {
    Vector<Real> z(n);
    by_hand(z, chunk);
    data->z = z;
  };
  auto const scalar = [=](Real* z) {
    Real const *x = data->x.data(), *y = data->y.data();
#pragma omp parallel for simd num_threads(threads_for(n))
    for (Index i = 0; i < n; ++i) z[i] = a * x[i] + y[i];
  };
  auto const kokkos = [=](Real* out) {
    KokkosVector<Real const> const x(data->x.data(), n), y(data->y.data(), n);
    KokkosVector<Real> const z(out, n);
    Kokkos::parallel_for(
        "axpy i2", Kokkos::RangePolicy<HostSpace>(0, n), KOKKOS_LAMBDA(Index i) { z(i) = a * x(i) + y(i); });
    Kokkos::fence();
  };
  auto const views = [=](Vector<Real>& z) {
    return axpy::Data<host, Real>{a, ViewMap<Vector<Real> const, host>(data->x),
                                  ViewMap<Vector<Real> const, host>(data->y), ViewMap<Vector<Real>, host>(z)};
  };
  auto const in_place = views(data->z);
  auto const with_dual = [=](auto kernel_of) {
    DualViewMap<Vector<Real>, host> z(n);
    parallel_for<host>(n, kernel_of(axpy::Data<host, Real>{a, in_place.x, in_place.y, z.viewTarget()}));
    z.copyToHost();
    data->z = z.mapHost();
  };
  using I = axpy::WithIndex<host, Real>;
  using R = axpy::WithRange<host, Real>;
  using L = axpy::WithLanes<host, Real>;
  return {num_threads(),
          {{"i0", native, native_transfer, result},
           {"i0b", native, native_transfer, result},
           {"i1", [=] { scalar(data->z.data()); },
            [=] {
              Vector<Real> z(n);
              scalar(z.data());
              data->z = z;
            },
            result},
           {"i2", [=] { kokkos(data->z.data()); },
            [=] {
              KokkosVector<Real> z("z", n);
              kokkos(z.data());
              data->z = Eigen::Map<Vector<Real>>(z.data(), n);
            },
            result},
           {"i3", [=] { parallel_for<host>(n, I{in_place}); },
            [=] { with_dual([](auto const& d) { return I{d}; }); }, result},
           {"i4", [=] { parallel_for<host>(n, R{in_place}); },
            [=] { with_dual([](auto const& d) { return R{d}; }); }, result},
           {"i5", [=] { parallel_for<host>(n, L{in_place}); },
            [=] { with_dual([](auto const& d) { return L{d}; }); }, result}}};
}

/// Both reductions have the same shape; `part(begin, size)` is the Eigen expression by hand.
template <class Real, class Part, class Combine, class Scalar, class Plain, class I, class R, class L,
          class Reducer>
Case reduction_case(Index n, Real neutral, Part part, Combine combine, Scalar scalar, Plain plain, I by_index,
                    R by_range, L by_lanes, Reducer reducer) {
  auto const value = std::make_shared<Real>();
  auto const result = [=] { return double(*value); };
  auto const by_hand = [=](Index chunk) {
    std::vector<Padded<Real>> partial(std::size_t(num_threads()), Padded<Real>{neutral});
    chunks_by_hand(n, chunk, [&](Index begin, Index size, Index thread) {
      Real& mine = partial[std::size_t(thread)].value;
      mine = combine(mine, part(begin, size));
    });
    Real total = neutral;
    for (auto const& p : partial) total = combine(total, p.value);
    *value = total;
  };
  Index const chunk = best_chunk(n, by_hand);
  auto const native = [=] { by_hand(chunk); };
  auto const kokkidio = [=](auto const& kernel) {
    return [=] { parallel_reduce<host>(n, kernel, reducer(*value)); };
  };
  auto const both = [&](char const* name, auto run) { return Variant{name, run, run, result}; };
  return {num_threads(),
          {both("i0", native), both("i0b", native), both("i1", [=] { *value = scalar(); }),
           both("i2", [=] { plain(*value); }), both("i3", kokkidio(by_index)), both("i4", kokkidio(by_range)),
           both("i5", kokkidio(by_lanes))}};
}

template <class Real>
Case dot_case(Index n) {
  auto const data = make_inputs<Real>("dot", n);
  dot::Data<host, Real> const views{ViewMap<Table<Real, 4> const, host>(data->a),
                                    ViewMap<Table<Real, 4> const, host>(data->b)};
  auto const part = [=](Index begin, Index size) -> Real {
    return (data->a.middleRows(begin, size) * data->b.middleRows(begin, size)).sum();
  };
  auto const scalar = [=] {
    Real const *a = data->a.data(), *b = data->b.data();
    Real sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(threads_for(n))
    for (Index i = 0; i < 4 * n; ++i) sum += a[i] * b[i];
    return sum;
  };
  auto const plain = [=](Real& sum) {
    KokkosTable<Real const> const a(data->a.data(), n, 4), b(data->b.data(), n, 4);
    Kokkos::parallel_reduce(
        "dot i2", Kokkos::RangePolicy<HostSpace>(0, n),
        KOKKOS_LAMBDA(Index i, Real & s) {
          s += (a(i, 0) * b(i, 0) + a(i, 1) * b(i, 1)) + (a(i, 2) * b(i, 2) + a(i, 3) * b(i, 3));
        },
        sum);
  };
  return reduction_case<Real>(
      n, Real(0), part, [](Real p, Real q) { return p + q; }, scalar, plain,
      dot::WithIndex<host, Real>{views}, dot::WithRange<host, Real>{views}, dot::WithLanes<host, Real>{views},
      [](Real& r) { return Kokkos::Sum<Real>(r); });
}

template <class Real>
Case norm_case(Index n) {
  auto const data = make_inputs<Real>("norm", n);
  norm::Data<host, Real> const views{ViewMap<Table<Real, 4> const, host>(data->a)};
  auto const part = [=](Index begin, Index size) -> Real {
    auto const x = data->a.middleRows(begin, size);
    return (x.col(0).square() + x.col(1).square() + x.col(2).square() + x.col(3).square()).maxCoeff();
  };
  auto const scalar = [=] {
    Real const* x = data->a.data();
    Real largest = 0;
#pragma omp parallel for simd reduction(max : largest) num_threads(threads_for(n))
    for (Index i = 0; i < n; ++i) {
      Real const square =
          (x[i] * x[i] + x[i + n] * x[i + n]) + (x[i + 2 * n] * x[i + 2 * n] + x[i + 3 * n] * x[i + 3 * n]);
      largest = largest > square ? largest : square;
    }
    return largest;
  };
  auto const plain = [=](Real& largest) {
    KokkosTable<Real const> const x(data->a.data(), n, 4);
    Kokkos::parallel_reduce(
        "norm i2", Kokkos::RangePolicy<HostSpace>(0, n),
        KOKKOS_LAMBDA(Index i, Real & m) {
          Real const square =
              (x(i, 0) * x(i, 0) + x(i, 1) * x(i, 1)) + (x(i, 2) * x(i, 2) + x(i, 3) * x(i, 3));
          m = m > square ? m : square;
        },
        Kokkos::Max<Real>(largest));
  };
  return reduction_case<Real>(
      n, std::numeric_limits<Real>::lowest(), part, [](Real p, Real q) { return p > q ? p : q; }, scalar,
      plain, norm::WithIndex<host, Real>{views}, norm::WithRange<host, Real>{views},
      norm::WithLanes<host, Real>{views}, [](Real& r) { return Kokkos::Max<Real>(r); });
}

/// Friction by hand: intermediate values of a chunk in arrays of the thread.
template <class Real>
class FrictionByHand {
public:
  explicit FrictionByHand(std::shared_ptr<Inputs<Real>> data) : data_(std::move(data)) {}

  void operator()(Index chunk, Table<Real, 2>& out) const {
    std::vector<Work>& all = *work_;
    all.resize(std::size_t(num_threads()));
    chunks_by_hand(data_->d.size(), chunk, [&](Index begin, Index size, Index thread) {
      Work& work = all[std::size_t(thread)];
      if (work.V.size() < size)
        work.V.resize(size), work.V_inverse.resize(size), work.C.resize(size), work.C_d.resize(size);
      auto V = work.V.head(size), V_inverse = work.V_inverse.head(size), C = work.C.head(size),
           C_d = work.C_d.head(size);
      auto const v = data_->v.middleRows(begin, size);
      auto const in = data_->in.middleRows(begin, size);
      auto const d = data_->d.segment(begin, size);
      V = (v.col(0).square() + v.col(1).square()).sqrt().max(friction::least_speed<Real>());
      V_inverse = V.inverse();
      C = Real(friction::gravity) * Inputs<Real>::manning * Inputs<Real>::manning * rcbrt(d);
      C_d = C / d;
      for (int i = 0; i < 2; ++i)
        out.col(i).segment(begin, size) =
            (in.col(i) - C * V * v.col(i)) / (Real(1) + C_d * (V + v.col(i).square() * V_inverse));
    });
  }

private:
  struct alignas(128) Work {
    Vector<Real> V, V_inverse, C, C_d;
  };
  std::shared_ptr<Inputs<Real>> data_;
  std::shared_ptr<std::vector<Work>> work_ = std::make_shared<std::vector<Work>>();
};

template <class Real>
void friction_scalar(Inputs<Real> const& data, Real* out) {
  Index const n = data.d.size();
  Real const *d = data.d.data(), *v = data.v.data(), *in = data.in.data();
#pragma omp parallel for simd num_threads(threads_for(n))
  for (Index i = 0; i < n; ++i) {
    auto const step = friction::implicit_step<Real>(Inputs<Real>::manning, d[i], v[i], v[i + n], in[i],
                                                    in[i + n], [](Real x) { return Real(1) / std::cbrt(x); });
    out[i] = step.x;
    out[i + n] = step.y;
  }
}

template <class Real>
void friction_plain_kokkos(Inputs<Real> const& data, Real* to) {
  Index const n = data.d.size();
  KokkosVector<Real const> const d(data.d.data(), n);
  KokkosTable<Real const> const v(data.v.data(), n, 2), in(data.in.data(), n, 2);
  KokkosTable<Real> const out(to, n, 2);
  auto const manning = Inputs<Real>::manning;
  Kokkos::parallel_for(
      "friction i2", Kokkos::RangePolicy<HostSpace>(0, n), KOKKOS_LAMBDA(Index i) {
        auto const step = friction::implicit_step<Real>(manning, d(i), v(i, 0), v(i, 1), in(i, 0), in(i, 1),
                                                        [](Real x) { return Real(1) / std::cbrt(x); });
        out(i, 0) = step.x;
        out(i, 1) = step.y;
      });
  Kokkos::fence();
}

template <class Real>
friction::Data<host, Real> friction_views(Inputs<Real>& data, ViewMap<Table<Real, 2>, host> const& out) {
  return {Inputs<Real>::manning, ViewMap<Vector<Real> const, host>(data.d),
          ViewMap<Table<Real, 2> const, host>(data.v), ViewMap<Table<Real, 2> const, host>(data.in), out};
}

template <class Real>
Case friction_case(std::shared_ptr<Inputs<Real>> const& data) {
  Index const n = data->d.size();
  auto const result = [=] { return double(data->out(n / 2, 0)) + double(data->out(n - 1, 1)); };
  FrictionByHand<Real> const by_hand(data);
  Index const chunk = best_chunk(n, [&](Index c) { by_hand(c, data->out); });
  auto const native = [=] { by_hand(chunk, data->out); };
  auto const native_transfer = [=] {
    Table<Real, 2> out(n, 2);
    by_hand(chunk, out);
    data->out = out;
  };
  auto const views = friction_views<Real>(*data, ViewMap<Table<Real, 2>, host>(data->out));
  auto const buffer = makeBuffer<Vector<Real>, host>();
  auto const index = [](auto const& d) { return friction::WithIndex<host, Real>{d}; };
  auto const range = [=](auto const& d) { return friction::WithRange<host, Real>{d, buffer}; };
  auto const lanes = [](auto const& d) { return friction::WithLanes<host, Real>{d}; };
  auto const kokkidio = [=](char const* name, auto kernel_of) {
    auto const kernel = kernel_of(views);
    return Variant{name, [=] { parallel_for<host>(n, kernel); },
                   [=] {
                     DualViewMap<Table<Real, 2>, host> out({n, 2});
                     parallel_for<host>(n, kernel_of(friction_views<Real>(*data, out.viewTarget())));
                     out.copyToHost();
                     data->out = out.mapHost();
                   },
                   result};
  };
  return {num_threads(),
          {{"i0", native, native_transfer, result},
           {"i0b", native, native_transfer, result},
           {"i1", [=] { friction_scalar(*data, data->out.data()); },
            [=] {
              Table<Real, 2> out(n, 2);
              friction_scalar(*data, out.data());
              data->out = out;
            },
            result},
           {"i2", [=] { friction_plain_kokkos(*data, data->out.data()); },
            [=] {
              KokkosTable<Real> out("out", n, 2);
              friction_plain_kokkos(*data, out.data());
              data->out = Eigen::Map<Table<Real, 2>>(out.data(), n, 2);
            },
            result},
           kokkidio("i3", index),
           kokkidio("i4", range),
           kokkidio("i5", lanes)}};
}

}  // namespace

template <class Real>
Case host_case(std::string const& bench, std::int64_t n) {
  if (bench == "axpy") return axpy_case<Real>(n);
  if (bench == "dot") return dot_case<Real>(n);
  if (bench == "norm") return norm_case<Real>(n);
  return friction_case<Real>(make_inputs<Real>("friction", n));
}
template Case host_case<float>(std::string const&, std::int64_t);
template Case host_case<double>(std::string const&, std::int64_t);

std::vector<double> friction_of(std::string const& variant, double depth, double u, double v, double manning,
                                double in_x, double in_y) {
  if (manning != Inputs<double>::manning)
    throw std::invalid_argument("the benchmark's Manning number is 0.025");
  auto const data = make_inputs<double>("friction", 1);
  data->d[0] = depth;
  data->v.row(0) << u, v;
  data->in.row(0) << in_x, in_y;
  for (Variant const& candidate : friction_case<double>(data).variants)
    if (candidate.name == variant) {
      data->out.setZero();
      candidate.run();
      return {data->out(0, 0), data->out(0, 1)};
    }
  throw std::invalid_argument("no implementation is named " + variant);
}

}  // namespace Kokkidio::benchmarks
