/// Buffers, batches of small matrices, lanes.

#include <Kokkidio/Kokkidio.hpp>

#include <atomic>
#include <limits>
#include <stdexcept>

#include "catch.hpp"

using namespace Kokkidio;
using HostRange = BasicParallelRange<Target::host>;

TEST_CASE("a_buffer_is_the_kernels_own") {
  Index const n = 20000;
  ViewMap<double*, Target::host> v(n);
  v = Eigen::VectorXd::LinSpaced(n, 0, double(n - 1));
  auto const numbers = makeBuffer<double, Target::host>();
  auto const columns = makeBuffer<Eigen::Array<double, Eigen::Dynamic, 3>, Target::host>();
  std::atomic<int> shared{0};  // Catch's assertions are for one thread
  set_num_threads(4);
  parallel_for<Target::host>(n, [=, &shared](HostRange rng) {
    auto a = getBuffer(numbers, rng);
    auto b = getBuffer(numbers, rng);
    auto c = getBuffer(columns, rng);
    shared += a.data() == b.data();
    a = rng(v);
    b = 2 * a;
    c.colwise() = b.array();
    rng(v) = c.rowwise().sum();
  });
  set_num_threads(0);
  CHECK(shared == 0);
  CHECK((v.map() == Eigen::VectorXd::LinSpaced(n, 0, 6. * double(n - 1))));
}

TEST_CASE("chunks_of_kernels_with_buffers_fit_a_first_level_cache") {
  auto const numbers = makeBuffer<double, Target::host>();
  auto const table = makeBuffer<Eigen::Array<double, Eigen::Dynamic, 3>, Target::host>();
  std::atomic<Index> largest{0};
  auto const run = [&](Items const& items) {
    largest = 0;
    parallel_for<Target::host>(items, [&](HostRange rng) {
      for (Index seen = largest; rng.size() > seen && !largest.compare_exchange_weak(seen, rng.size());) {
      }
      auto a = getBuffer(numbers, rng);
      auto b = getBuffer(table, rng);
      a.setZero(), b.setZero();
    });
    return largest.load();
  };
  run(100000);
  CHECK(run(100000) == 4096 / (4 * sizeof(double)));
  CHECK(run(Items(100000).chunk(4096)) == 4096);
}

TEST_CASE("a_buffer_for_a_smaller_range_is_caught") {
  auto const buffer = makeBuffer<double, Target::host>(64);
  auto const run = [&](Index chunk) {
    parallel_for<Target::host>(Items(10000).chunk(chunk), [=](HostRange rng) {
      auto local = getBuffer(buffer, rng);
      local.setZero();
    });
  };
  CHECK_NOTHROW(run(64));
  if (detail::debug)
    CHECK_THROWS_AS(run(128), std::logic_error);
  else
    CHECK_NOTHROW(run(128));
}

TEST_CASE("batches_of_small_matrices") {
  Index const n = 3000;
  ViewMap<Eigen::Matrix3d*, Target::host> A("A", n), B("B", n), C("C", n);
  ViewMap<Eigen::Vector3d*, Target::host> x("x", n);
  ViewMap<double*, Target::host> number(n);
  for (Index k = 0; k < n; ++k) {
    A.view()(k) = Eigen::Matrix3d::Identity() * double(k + 1) + Eigen::Matrix3d::Ones();
    B.view()(k) = Eigen::Matrix3d::Ones();
  }
  Eigen::Matrix3d const fixed = Eigen::Vector3d(1, 2, 3).asDiagonal();
  parallel_for<Target::host>(n, [=](HostRange rng) {
    rng(C) = rng(A) * rng(A).inverse() + rng(B) * 2. - fixed * rng(B).transpose();
    rng(C) += -rng(B);
    rng(x) = rng(C) * rng(A) * Eigen::Vector3d(1, 0, 0);
    rng(number) = rng(A).determinant();
  });
  double error = 0;
  for (Index k = 0; k < n; ++k) {
    Eigen::Matrix3d const c = Eigen::Matrix3d::Identity() + B.view()(k) - fixed * B.view()(k);
    error = std::max(error, (C.view()(k) - c).norm());
    error = std::max(error, (x.view()(k) - (C.view()(k) * A.view()(k)).col(0)).norm());
    error = std::max(error, std::abs(number.map()[k] / A.view()(k).determinant() - 1));
  }
  CHECK(error < 1e-11);
  CHECK_THROWS_AS(
      parallel_for<Target::host>(n, [=](HostRange rng) { rng(A) = HostRange(0, rng.size() + 1)(B) * 1.; }),
      std::invalid_argument);
}

namespace kernels {

/// The same text for chunks and for single items.
template <Target target>
struct InvertAndMeasure {
  ViewMap<Eigen::Matrix2d*, target> A;
  ViewMap<double*, target> number;
  BufferDescriptor<Eigen::Matrix2d, target> buffer;
  KOKKOS_FUNCTION void operator()(BasicParallelRange<target> const& rng) const {
    auto local = getBuffer(buffer, rng);
    local = rng(A).inverse();
    rng(A) = local * 2.;
    rng(number) = rng(A).determinant();
  }
};

template <Target target>
void invert_and_measure() {
  Index const n = 1500;
  DualViewMap<Eigen::Matrix2d*, target> A(n);
  DualViewMap<double*, target> number(n);
  for (Index k = 0; k < n; ++k) A.viewHost().view()(k) << double(k + 1), 0, 1, 1;
  A.copyToTarget();
  parallel_for<target>(n, InvertAndMeasure<target>{A.viewTarget(), number.viewTarget(),
                                                   makeBuffer<Eigen::Matrix2d, target>()});
  number.copyToHost();
  for (Index k = 0; k < n; k += 499) CHECK(number.mapHost()[k] == Approx(4. / double(k + 1)).epsilon(1e-14));
}

/// Smoothing by a three-point stencil, then a limiter with a mask.
template <Target target, class Real>
struct Smooth {
  ViewMap<Real const*, target> in;
  ViewMap<Real*, target> out;
  KOKKOS_FUNCTION void operator()(BasicParallelRange<target> const& rng) const {
    rng.template for_each_lane<Real>([&](auto lane) {
      using L = typename decltype(lane)::Value;
      L const mean = (lane.load(in, -1) + lane.load(in) + lane.load(in, +1)) / L(Real(3));
      L const root = sqrt(max(mean, L(Real(0))));
      lane(out) = select(lane(in) > L(Real(0.5)), root, min(mean, L(Real(0.25))));
    });
  }
};

template <Target target, class Real>
Eigen::Matrix<Real, Eigen::Dynamic, 1> smoothed(Index n, Index begin, Index end) {
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  DualViewMap<Real*, target> in(n), out(n);
  for (Index k = 0; k < n; ++k) in.mapHost()[k] = Real((k * 37) % 101) / Real(101);
  out.mapHost().setConstant(-1);
  in.copyToTarget();
  out.copyToTarget();
  parallel_for<target>({begin, end}, Smooth<target, Real>{in.viewTarget(), out.viewTarget()});
  out.copyToHost();
  return Vector(out.mapHost());
}

template <class Real>
void lanes_equal_single_items() {
  for (Index n : {3, 9, 16, 17, 100, 1023, 3000})
    for (Index begin : {1, 2, 5}) {
      Index const end = std::max(begin, n - 1);
      auto const wide = smoothed<Target::host, Real>(n, begin, end);
      auto const single = smoothed<Target::device, Real>(n, begin, end);
      CHECK(wide == single);
      CHECK(wide.head(std::min(begin, n)).isConstant(-1));
      CHECK(wide.tail(1).isConstant(-1));
    }
}

}  // namespace kernels

TEST_CASE("one_batch_kernel_for_both_targets") {
  kernels::invert_and_measure<Target::host>();
  kernels::invert_and_measure<Target::device>();
}

TEST_CASE("lanes_and_single_items_agree_to_the_bit") {
  kernels::lanes_equal_single_items<double>();
  kernels::lanes_equal_single_items<float>();
}

TEST_CASE("lanes_write_only_their_items") {
  ViewMap<double*, Target::host> v(100);
  HostRange(3, 92).for_each_lane([&](auto lane) {
    CHECK(lane.begin() >= 3);
    CHECK(lane.end() <= 92);
    lane(v) += 1;
    lane.store(v, lane.load(v) * 2.);
    lane(v) = lane.position();
  });
  for (Index k = 0; k < 100; ++k) CHECK(v.map()[k] == (k >= 3 && k < 92 ? double(k) : 0));
}

TEST_CASE("lanes_read_columns_maps_views_and_pointers") {
  Eigen::ArrayXXf const table = Eigen::ArrayXXf::Random(50, 3);
  Kokkos::View<float**, Kokkos::LayoutLeft, Kokkos::HostSpace> view("view", 50, 3);
  Eigen::ArrayXf out(50);
  HostRange const rng(0, 50);
  rng.for_each_lane<float>([&](auto lane) {
    lane(view, 0, 2) = lane(table, 0, 1);
    lane(out) = lane.load(view, 0, 2) + lane.load(table.data());
  });
  CHECK((out == table.col(1) + table.col(0)).all());
}

TEST_CASE("reductions_over_lanes_ignore_what_lies_beyond") {
  ViewMap<double*, Target::host> v(1000);
  v.map().setConstant(std::numeric_limits<double>::quiet_NaN());
  v.map().segment(10, 777).setLinSpaced(1, 777);
  HostRange const rng(10, 787);
  auto const read = [&](auto lane) { return lane(v); };
  CHECK(rng.sum_lanes(read) == 777 * 778 / 2);
  CHECK(rng.max_lanes(read) == 777);
  CHECK(rng.min_lanes(read) == 1);
}

TEST_CASE("a_shifted_lane_beyond_the_view_is_caught_in_debug_builds") {
  ViewMap<double*, Target::host> v(64);
  auto const run = [&](Index shift) {
    HostRange(8, 56).for_each_lane([&](auto lane) { lane.store(v, lane.load(v, shift)); });
  };
  CHECK_NOTHROW(run(8));
  if (detail::debug) CHECK_THROWS_AS(run(9), std::out_of_range);
}

TEST_CASE("lanes_convert_to_and_from_eigen_arrays") {
  constexpr int W = native_lane_width<double>;
  Eigen::Array<double, W, 1> const a = Eigen::Array<double, W, 1>::Random();
  Lane<double, W> const lane(a);
  CHECK((lane.to_eigen() == a).all());
  CHECK((sqrt(abs(lane)).to_eigen() == a.abs().sqrt()).all());
}

template <class L>
void lane_arithmetic() {
  using T = typename L::Scalar;
  constexpr int W = L::width;
  T x[W], y[W];
  for (int k = 0; k < W; ++k) x[k] = T(k) - T(1.5), y[k] = T(2 * k % 5) + T(0.25);
  L const a = L::load(x), b = L::load(y);
  for (int k = 0; k < W; ++k) {
    CHECK((a + b)[k] == x[k] + y[k]);
    CHECK((a - b)[k] == x[k] - y[k]);
    CHECK((a * b)[k] == x[k] * y[k]);
    CHECK((a / b)[k] == x[k] / y[k]);
    CHECK((-a)[k] == -x[k]);
    CHECK(min(a, b)[k] == std::min(x[k], y[k]));
    CHECK(max(a, b)[k] == std::max(x[k], y[k]));
    CHECK(abs(a)[k] == std::abs(x[k]));
    CHECK(sqrt(b)[k] == std::sqrt(y[k]));
    CHECK((a < b)[k] == (x[k] < y[k]));
    CHECK((a >= b)[k] == (x[k] >= y[k]));
    CHECK(select(a < b, a, b)[k] == (x[k] < y[k] ? x[k] : y[k]));
    CHECK(select(a < b && b > L(T(1)), L(T(7)), b)[k] == (x[k] < y[k] && y[k] > 1 ? T(7) : y[k]));
    CHECK(select(!(a < b), T(3), b)[k] == (!(x[k] < y[k]) ? T(3) : y[k]));
    T const cube_root = std::cbrt(y[k]);
    CHECK(std::abs(fast_cbrt(b)[k] / cube_root - 1) < 4 * std::numeric_limits<T>::epsilon());
    CHECK(fast_cbrt(b)[k] == fast_cbrt(y[k]));
  }
  CHECK(reduce_max(a) == T(W) - T(2.5));
  CHECK(reduce_min(a) == T(-1.5));
  CHECK(any(a < T(0)) == true);
  CHECK(all(a < T(0)) == (W <= 2));
  CHECK(!any(b < T(0)));
  CHECK(all(b > T(0)));
}

TEST_CASE("lanes_compute_as_single_numbers_do") {
  lane_arithmetic<Lane<double>>();
  lane_arithmetic<Lane<float>>();
  lane_arithmetic<Lane<double, 4>>();
  lane_arithmetic<Lane<float, 4>>();
  lane_arithmetic<Pair<double>>();
  lane_arithmetic<Pair<float>>();
}

template <class T>
struct Roots {
  ViewMap<T*> x, inverse, inverse_root, cube_root, power, by_pairs;

  explicit Roots(Index n)
      : x("x", n), inverse("inverse", n), inverse_root("inverse_root", n), cube_root("cube_root", n), power("power", n), by_pairs("by_pairs", n) {}

  void compute() const {
    auto const [x, inverse, inverse_root, cube_root, power, by_pairs] = *this;
    parallel_for<DefaultTarget>("roots", x.size() / 2, KOKKOS_LAMBDA(BasicParallelRange<DefaultTarget> const& range) {
      for (Index item = range.begin(); item < range.end(); ++item) {
        for (Index k = 2 * item; k < 2 * item + 2; ++k) {
          auto const r = inverse_roots(x.data()[k]);
          inverse.data()[k] = r.inverse;
          inverse_root.data()[k] = r.inverse_root;
          cube_root.data()[k] = rcbrt(x.data()[k]);
          power.data()[k] = power_nearly(x.data()[k], T(-4.0 / 3));
        }
        auto const p = load_aligned<Pair<T>>(x.data() + 2 * item);
        auto const r = inverse_roots(p);
        store_aligned(by_pairs.data() + 2 * item, r.inverse + r.inverse_root + rcbrt(p));
      }
    });
  }
};

TEMPLATE_TEST_CASE("roots_and_reciprocals_on_the_target", "", double, float) {
  using T = TestType;
  std::vector<T> x;
  for (double v = 1e-6; v < 1e5; v *= 1.01) x.push_back(T(v));
  if (x.size() % 2) x.pop_back();
  auto const n = Index(x.size());
  Roots<T> const r(n);
  Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const from(x.data(), x.size());
  Kokkos::deep_copy(r.x.view(), from);
  r.compute();
  auto const host = [](auto const& map) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), map.view()); };
  auto const inverse = host(r.inverse), inverse_root = host(r.inverse_root), cube_root = host(r.cube_root), by_pairs = host(r.by_pairs), power = host(r.power);
  double worst = 0, worst_power = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    double const v = double(x[k]);
    for (double e : {double(inverse(k)) * v, double(inverse_root(k)) * std::sqrt(v), double(cube_root(k)) * std::cbrt(v),
                     double(by_pairs(k)) / (1 / v + 1 / std::sqrt(v) + 1 / std::cbrt(v))})
      worst = std::max(worst, std::abs(e - 1));
    worst_power = std::max(worst_power, std::abs(double(power(k)) * std::pow(v, 4.0 / 3) - 1));
  }
  CHECK(worst_power < 2e-6);
  CHECK(worst < 4 * std::numeric_limits<T>::epsilon());
}

TEST_CASE("parts_above_and_below_zero_add_up") {
  for (double x : {-3.5, -1e-300, -0.0, 0.0, 1e-300, 7.25}) {
    CHECK(positive_part(x) == (x > 0 ? x : 0));
    CHECK(negative_part(x) == (x < 0 ? x : 0));
    CHECK(positive_part(float(x)) + negative_part(float(x)) == float(x));
    Lane<double> const lane = x;
    CHECK(positive_part(lane)[0] == positive_part(x));
    CHECK(negative_part(lane)[Lane<double>::width - 1] == negative_part(x));
  }
}

TEST_CASE("cube_roots_over_the_range_of_depths") {
  double worst = 0;
  float worst_float = 0;
  for (double x = 1e-30; x < 1e30; x *= 1.37) {
    worst = std::max(worst, std::abs(fast_cbrt(x) / std::cbrt(x) - 1));
    worst_float = std::max(worst_float, std::abs(fast_cbrt(float(x)) / std::cbrt(float(x)) - 1));
  }
  CHECK(worst < 1e-15);
  CHECK(worst_float < 5e-7f);
}
