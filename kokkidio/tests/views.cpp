#include <Kokkidio/Kokkidio.hpp>

#include <stdexcept>

#include "catch.hpp"

using namespace Kokkidio;

TEST_CASE("view_and_map_show_the_same_memory") {
  ViewMap<double**, Target::host> m("m", {3, 4});
  CHECK(m.map().isZero());
  m.map()(2, 1) = 5;
  CHECK(m.view()(2, 1) == 5);
  CHECK(m.data()[2 + 3 * 1] == 5);
  CHECK(m.label() == "m");
  static_assert(std::is_same_v<decltype(m.map()), Eigen::Map<Eigen::MatrixXd>>);
  ViewMap<Eigen::ArrayXXf, Target::host> a({2, 3});
  static_assert(std::is_same_v<decltype(a.map()), Eigen::Map<Eigen::ArrayXXf>>);
  ViewMap<double* [4], Target::host> fixed({6, 4});
  static_assert(std::is_same_v<decltype(fixed.map()), Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, 4>>>);
  CHECK_THROWS_AS((ViewMap<double* [4], Target::host>({6, 3})), std::invalid_argument);
  ViewMap<Eigen::RowVectorXd, Target::host> row(5);
  CHECK(row.rows() == 1);
  CHECK(row.cols() == 5);
  ViewMap<Eigen::Matrix3d, Target::host> small({3, 3});
  CHECK(small.size() == 9);
  CHECK_THROWS_AS((ViewMap<double*, Target::host>(-1)), std::invalid_argument);
  ViewMap<double***, Target::host> cube("cube", 2, 3, 4);
  CHECK(cube.size() == 24);
  CHECK(cube.view().label() == "cube");
}

TEST_CASE("copies_share_memory") {
  ViewMap<double*, Target::host> a(3);
  auto const b = a;
  a.map()[1] = 2;
  CHECK(b.map()[1] == 2);
  CHECK(a.data() == b.data());
}

TEST_CASE("eigen_objects_are_wrapped_not_copied") {
  Eigen::MatrixXd object = Eigen::MatrixXd::Random(3, 2);
  ViewMap<double**, Target::host> by_notation(object);
  ViewMap<Eigen::MatrixXd, Target::host> by_type(object);
  ViewMap deduced(object);
  CHECK(by_notation.data() == object.data());
  CHECK(by_type.data() == object.data());
  CHECK(deduced.data() == object.data());
  by_notation.map()(0, 0) = 42;
  CHECK(object(0, 0) == 42);
  CHECK(by_notation.wraps());
  CHECK_THROWS_AS(by_notation.resize({4, 4}), std::logic_error);
  CHECK_NOTHROW(by_notation.resize({3, 2}));

  Eigen::VectorXd const constant = Eigen::VectorXd::LinSpaced(4, 0, 3);
  ViewMap<double const*, Target::host> read_only(constant);
  CHECK(read_only.map().sum() == 6);
  Eigen::Map<Eigen::VectorXd> map(object.data(), 6);
  CHECK((ViewMap<double*, Target::host>(map).data() == object.data()));
  auto upper = object.topRows(2);
  CHECK_THROWS_AS((ViewMap<double**, Target::host>(upper)), std::invalid_argument);
}

TEST_CASE("const_views_read_and_do_not_write") {
  ViewMap<float*, Target::host> v(10);
  v.map().setConstant(2);
  ViewMap<float const*, Target::host> const c = v;
  CHECK(c.data() == v.data());
  static_assert(std::is_same_v<decltype(c.data()), float const*>);
  static_assert(!std::is_constructible_v<ViewMap<float*, Target::host>, ViewMap<float const*, Target::host>>);
  float sum = 0;
  parallel_reduce<Target::host>(
      10, [=](BasicParallelRange<Target::host> rng, float& s) { s += rng(c).sum(); }, sum);
  CHECK(sum == 20);
}

TEST_CASE("assigning_an_expression_checks_its_shape") {
  ViewMap<double*, Target::host> v("depth", 3);
  CHECK_THROWS_AS(v = Eigen::VectorXd::Zero(4), std::invalid_argument);
  CHECK_THROWS_WITH(v = Eigen::VectorXd::Zero(4), contains_text("depth") && contains_text("4 x 1"));
  ViewMap<double**, Target::host> empty;
  empty = Eigen::MatrixXd::Ones(2, 5);
  CHECK(empty.cols() == 5);
}

TEST_CASE("resize_keeps_what_fits") {
  ViewMap<double**, Target::host> m({2, 2});
  m.map() << 1, 2, 3, 4;
  auto const old = m;
  m.resize({3, 1});
  CHECK(m.map() == Eigen::Vector3d(1, 3, 0));
  CHECK(old.map()(1, 1) == 4);
}

TEST_CASE("where_the_target_is_the_host_there_is_one_allocation") {
  DualViewMap<double*, Target::host> d(100);
  CHECK(d.mapHost().data() == d.mapTarget().data());
  CHECK(d.viewHost().view().use_count() == 2);
  d.mapHost().setConstant(3);
  auto* const before = d.mapTarget().data();
  d.copyToTarget();
  d.copyToHost();
  CHECK(d.mapTarget().data() == before);
  CHECK(d.mapTarget()[7] == 3);
  d.resize(10);
  CHECK(d.mapHost().data() == d.mapTarget().data());
  CHECK(d.size() == 10);
}

TEST_CASE("host_and_device_copies_move_both_ways") {
  Eigen::ArrayXd object = Eigen::ArrayXd::LinSpaced(50, 0, 49);
  DualViewMap<Eigen::ArrayXd, Target::device> d(object);
  CHECK(d.mapHost().data() == object.data());
  CHECK((d.one_allocation == !has_device));
  d.sync();
  CHECK(!d.needsSyncTarget());
  DualViewMap<Eigen::ArrayXd, Target::device> other(50);
  Kokkos::deep_copy(other.viewTarget().view(), d.viewTarget().view());
  other.modifyTarget();
  CHECK(other.needsSyncHost() == has_device);
  other.sync();
  CHECK((other.mapHost() == object).all());
  other.modifyHost();
  other.modifyTarget();
  if (has_device)
    CHECK_THROWS_AS(other.sync(), std::logic_error);
  else
    CHECK_NOTHROW(other.sync());

  Kokkos::DefaultExecutionSpace const space;
  other.mapHost().setConstant(1);
  other.copyToTarget(space);
  space.fence();
  other.copyToHost(space);
  space.fence();
  CHECK((other.mapHost() == 1).all());
}

TEST_CASE("both_targets_in_one_program") {
  ViewMap<double*, Target::host> host(64);
  ViewMap<double*, Target::device> device(64);
  parallel_for<Target::host>(64, [=](BasicParallelRange<Target::host> rng) { rng(host).setConstant(2); });
  Kokkos::deep_copy(device.view(), host.view());
  parallel_for<Target::host>(64, [=](BasicParallelRange<Target::host> rng) { rng(host).setZero(); });
  Kokkos::deep_copy(host.view(), device.view());
  CHECK(host.map().sum() == 128);
}

TEST_CASE("kokkos_views_and_eigen_maps_go_in_and_out") {
  Index const n = 100;
  Kokkos::View<double*, Kokkos::HostSpace> plain("plain", n);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> right("right", n, 3);
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", n, 3);
  auto const strided = Kokkos::subview(right, Kokkos::ALL(), 1);
  Eigen::MatrixXd object = Eigen::MatrixXd::Zero(n, 3);
  Eigen::Map<Eigen::MatrixXd> map(object.data(), n, 3);
  parallel_for<Target::host>(n, [&](BasicParallelRange<Target::host> rng) {
    rng(plain).setConstant(1);
    rng(left).setConstant(2);
    rng(right).rowwise() = Eigen::RowVector3d(1, 2, 3);
    rng(map).col(1) = rng(plain) + rng(strided);
    rng(object).col(2) = rng(object).col(1);
    rng(map.col(0)) = rng(plain);
  });
  CHECK(plain(99) == 1);
  CHECK(left(99, 2) == 2);
  CHECK(right(99, 2) == 3);
  CHECK(object.row(99) == Eigen::RowVector3d(1, 3, 3));
  ViewMap<double**, Target::host> const shared(left);
  CHECK(shared.data() == left.data());
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> const back = shared;
  CHECK(back.data() == left.data());
}

namespace read_only {

using DeviceRange = BasicParallelRange<Target::device>;

/// Everything a kernel does with the rows of read-only views, which a device reads as soon as it is asked for
/// them.
template <class Views>
void rows_of(Views const& views) {
  Index const n = 40;
  DualViewMap<double* [3], Target::device> table({n, 3});
  for (Index k = 0; k < n; ++k) table.mapHost().row(k) << double(k), double(2 * k + 1), -1;
  table.copyToTarget();
  DualViewMap<double* [6], Target::device> results({n, 6});
  auto const out = results.viewTarget();
  auto const in = views(table.viewTarget());
  parallel_for<Target::device>(
      n, KOKKOS_LAMBDA(DeviceRange rng) {
        auto const row = rng(in);
        auto const second = rng(in).col(1);
        rng(out).col(0) = row.col(0);
        rng(out).col(1) = second + row.col(2);
        rng(out).col(2) = row.rowwise().squaredNorm();
        rng(out).col(3).setConstant(row.maxCoeff());
        rng(out).col(4).setConstant(row(2) + row(0, 1));
        rng(out).col(5) = (2 * row).rowwise().sum();
      });
  results.copyToHost();
  auto const r = results.mapHost();
  double error = 0;
  for (Index k = 0; k < n; ++k) {
    double const a = double(k), b = 2 * a + 1;
    Eigen::Matrix<double, 1, 6> expected;
    expected << a, b - 1, a * a + b * b + 1, b, b - 1, 2 * (a + b - 1);
    error = std::max(error, (r.row(k) - expected).cwiseAbs().maxCoeff());
  }
  CHECK(error == 0);
}

struct AsViewMap {
  auto operator()(ViewMap<double* [3], Target::device> const& v) const {
    return ViewMap<double const* [3], Target::device>(v);
  }
};
struct AsKokkosView {
  auto operator()(ViewMap<double* [3], Target::device> const& v) const {
    return Kokkos::View<double const* [3], Kokkos::LayoutLeft, MemorySpace<Target::device>>(v.view());
  }
};
struct AsRightView {
  auto operator()(ViewMap<double* [3], Target::device> const& v) const {
    Kokkos::View<double* [3], Kokkos::LayoutRight, MemorySpace<Target::device>> right("right", v.rows());
    Kokkos::deep_copy(right, v.view());
    return Kokkos::View<double const* [3], Kokkos::LayoutRight, MemorySpace<Target::device>>(right);
  }
};

void vector_after_a_write() {
  DualViewMap<float*, Target::device> both(8);
  both.mapHost().setConstant(3);
  both.copyToTarget();
  auto const v = both.viewTarget();
  ViewMap<float const*, Target::device> const c = v;
  parallel_for<Target::device>(
      8, KOKKOS_LAMBDA(DeviceRange rng) {
        rng(v) = 2 * rng(c);
        rng(v) = rng(c) + rng(v);
      });
  both.copyToHost();
  CHECK((both.mapHost().array() == 12).all());
}

}  // namespace read_only

TEST_CASE("rows_of_read_only_views_on_a_device") {
  read_only::rows_of(read_only::AsViewMap());
  read_only::rows_of(read_only::AsKokkosView());
  read_only::rows_of(read_only::AsRightView());
  read_only::vector_after_a_write();
}

#if defined(KOKKOS_HALF_T_IS_FLOAT)

namespace half_precision {

using Half = Kokkos::Experimental::half_t;

void scale_and_count() {
  Index const n = 1000;
  DualViewMap<Half*> x("x", n), y("y", n);
  for (Index k = 0; k < n; ++k) x.viewHost().view()(k) = Half(float(k % 500));
  x.copyToTarget();
  auto const vx = x.viewTarget(), vy = y.viewTarget();
  parallel_for(
      n, KOKKOS_LAMBDA(ParallelRange rng) {
        for (Index k = rng.begin(); k < rng.end(); ++k) vy.view()(k) = Half(2.f) * vx.view()(k);
      });
  parallel_for(
      n, KOKKOS_LAMBDA(Index k) { vy.view()(k) += Half(0.5f); });
  float sum = 0;
  parallel_reduce(
      n, KOKKOS_LAMBDA(Index k, float& s) { s += float(vy.view()(k)) - 0.5f; }, sum);
  y.copyToHost();
  bool equal = true;
  for (Index k = 0; k < n; ++k) equal = equal && float(y.viewHost().view()(k)) == 2.f * float(k % 500) + 0.5f;
  CHECK(equal);
  CHECK(sum == 2.f * 2.f * 500 * 499 / 2);
}

}  // namespace half_precision

TEST_CASE("half_precision_item_by_item") {
  if (KOKKOS_HALF_T_IS_FLOAT) WARN("half_t of this Kokkos is float: half precision itself is not tested");
  half_precision::scale_and_count();
}
#else
TEST_CASE("half_precision_item_by_item") { WARN("skipped: this Kokkos has no half_t"); }
#endif

TEST_CASE("row_vectors_count_their_elements") {
  ViewMap<Eigen::RowVectorXd, Target::host> r(20);
  parallel_for<Target::host>(20, [=](BasicParallelRange<Target::host> rng) {
    static_assert(decltype(rng(r))::RowsAtCompileTime == 1);
    rng(r).setConstant(1);
  });
  CHECK(r.map().sum() == 20);
}
