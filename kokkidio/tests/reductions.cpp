#include <Kokkidio/Kokkidio.hpp>

#include <string>
#include <vector>

#include "catch.hpp"

using namespace Kokkidio;
using HostRange = BasicParallelRange<Target::host>;
using DeviceRange = BasicParallelRange<Target::device>;

namespace {

struct Extremes {
  double least, greatest;
};

/// A reducer of a user, in Kokkos' form.
struct SpanReducer {
  using reducer = SpanReducer;
  using value_type = Extremes;
  using result_view_type = Kokkos::View<Extremes, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Extremes* result_value;
  KOKKOS_FUNCTION void init(Extremes& v) const { v = {1e300, -1e300}; }
  KOKKOS_FUNCTION void join(Extremes& to, Extremes const& from) const {
    if (from.least < to.least) to.least = from.least;
    if (from.greatest > to.greatest) to.greatest = from.greatest;
  }
  KOKKOS_FUNCTION Extremes& reference() const { return *result_value; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result_value); }
};

/// Joins by itself and says so; counts in `value_type` that is no number.
struct LargestItem {
  struct value_type {
    Index item;
    int value;
  };
  ViewMap<int const*, Target::host> v;
  void operator()(HostRange const& rng, value_type& best) const {
    for (Index k = rng.begin(); k < rng.end(); ++k)
      if (v.map()[k] > best.value) best = {k, v.map()[k]};
  }
  void init(value_type& best) const { best = {-1, -1000}; }
  void join(value_type& best, value_type const& other) const {
    if (other.value > best.value) best = other;
  }
  void final(value_type& best) const { best.item += 1000000; }
};

}  // namespace

TEST_CASE("built_in_reducers") {
  Index const n = 5000;
  ViewMap<double*, Target::host> v(n);
  v = Eigen::VectorXd::LinSpaced(n, 1, 2);
  double sum = 5, product = 5, least = 5, greatest = 5;
  parallel_reduce<Target::host>(
      n, [=](HostRange rng, double& s) { s += rng(v).sum(); }, sum);
  parallel_reduce<Target::host>(
      100, [=](HostRange rng, double& p) { p *= rng(v).prod(); }, Kokkos::Prod<double>(product));
  parallel_reduce<Target::host>(
      n, [=](HostRange rng, double& m) { m = std::min(m, rng(v).minCoeff()); }, Kokkos::Min<double>(least));
  parallel_reduce<Target::host>(
      n, [=](Index k, double& m) { m = std::max(m, v.map()[k]); }, Kokkos::Max<double>(greatest));
  CHECK(sum == Approx(1.5 * double(n)).epsilon(1e-14));
  CHECK(product == Approx(v.map().head(100).prod()).epsilon(1e-13));
  CHECK(least == 1);
  CHECK(greatest == 2);

  Kokkos::View<double, Kokkos::HostSpace> in_view("result");
  parallel_reduce<Target::host>(
      "labelled", n, [=](HostRange rng, double& s) { s += rng(v).sum(); }, in_view);
  CHECK(in_view() == sum);
  Kokkos::MinMaxScalar<double> both;
  parallel_reduce<Target::host>(
      n,
      [=](HostRange rng, Kokkos::MinMaxScalar<double>& m) {
        m.min_val = std::min(m.min_val, rng(v).minCoeff());
        m.max_val = std::max(m.max_val, rng(v).maxCoeff());
      },
      Kokkos::MinMax<double>(both));
  CHECK(both.min_val == 1);
  CHECK(both.max_val == 2);
}

TEST_CASE("several_reductions_at_once") {
  Index const n = 3000;
  ViewMap<double*, Target::host> v(n);
  v = Eigen::VectorXd::LinSpaced(n, 0, double(n - 1));
  double sum = 0, greatest = 0;
  int count = 0;
  parallel_reduce<Target::host>(
      n,
      [=](HostRange rng, double& s, double& m, int& c) {
        s += rng(v).sum();
        m = std::max(m, rng(v).maxCoeff());
        c += int(rng.size());
      },
      sum, Kokkos::Max<double>(greatest), count);
  CHECK(sum == double(n * (n - 1) / 2));
  CHECK(greatest == double(n - 1));
  CHECK(count == n);
}

TEST_CASE("reducers_and_joins_of_a_user") {
  Index const n = 4000;
  ViewMap<int*, Target::host> v(n);
  for (Index k = 0; k < n; ++k) v.map()[k] = int((k * 7919) % 4001) - 2000;
  Extremes span{};
  parallel_reduce<Target::host>(
      n,
      [=](Index k, Extremes& s) {
        double const x = v.map()[k];
        s.least = std::min(s.least, x), s.greatest = std::max(s.greatest, x);
      },
      SpanReducer{&span});
  CHECK(span.least == v.map().minCoeff());
  CHECK(span.greatest == v.map().maxCoeff());

  LargestItem::value_type best{};
  parallel_reduce<Target::host>(n, LargestItem{v}, best);
  Index where = 0;
  CHECK(best.value == v.map().maxCoeff(&where));
  CHECK(best.item == where + 1000000);
}

namespace reductions {

void on_the_default_target() {
  Index const n = 20000;
  DualViewMap<double*> d(n);
  d.mapHost().setLinSpaced(n, 0, double(n - 1));
  d.copyToTarget();
  auto const v = d.viewTarget();
  double sum = 0, most = 0, sum_again = 0, most_again = 0;
  Kokkidio::parallel_reduce(
      n, KOKKOS_LAMBDA(ParallelRange rng, double& s) { s += rng(v).sum(); }, sum);
  parallel_reduce(
      n,
      KOKKOS_LAMBDA(ParallelRange rng, double& m) {
        double const x = rng(v).maxCoeff();
        if (x > m) m = x;
      },
      Kokkos::Max<double>(most));
  parallel_reduce(
      Kokkos::RangePolicy<>(0, n),
      KOKKOS_LAMBDA(ParallelRange rng, double& s, double& m) {
        s += rng(v).sum();
        double const x = rng(v).maxCoeff();
        if (x > m) m = x;
      },
      sum_again, Kokkos::Max<double>(most_again));
  CHECK(sum == double(n) * double(n - 1) / 2);
  CHECK(most == double(n - 1));
  CHECK(sum_again == sum);
  CHECK(most_again == most);
}

template <Target target>
void scan_on() {
  Index const n = 5000;
  DualViewMap<double*, target> d(n);
  d.mapHost().setLinSpaced(n, 1, double(n));
  d.copyToTarget();
  auto const v = d.viewTarget();
  double total = 0;
  parallel_scan<target>(
      n,
      KOKKOS_LAMBDA(Index k, double& running, bool last_pass) {
        running += v.view()(k);
        if (last_pass) v.view()(k) = running;
      },
      total);
  d.copyToHost();
  CHECK(total == double(n) * double(n + 1) / 2);
  CHECK(d.mapHost()[0] == 1);
  CHECK(d.mapHost()[99] == 5050);
  CHECK(d.mapHost()[n - 1] == total);
}

template <Target target>
struct RunningMaximum {
  using value_type = int;
  ViewMap<int*, target> v;
  KOKKOS_FUNCTION void operator()(BasicParallelRange<target> const& rng, int& running, bool last_pass) const {
    for (Index k = rng.begin(); k < rng.end(); ++k) {
      if (v.view()(k) > running) running = v.view()(k);
      if (last_pass) v.view()(k) = running;
    }
  }
  KOKKOS_FUNCTION void init(int& running) const { running = -5; }
  KOKKOS_FUNCTION void join(int& to, int const& from) const {
    if (from > to) to = from;
  }
};

template <Target target>
void scan_with_join_on() {
  Index const n = 3001;
  DualViewMap<int*, target> d(n);
  for (Index k = 0; k < n; ++k) d.mapHost()[k] = int((k * 7919) % 3001);
  Eigen::VectorXi expected = d.mapHost();
  for (Index k = 1; k < n; ++k) expected[k] = std::max(expected[k], expected[k - 1]);
  d.copyToTarget();
  parallel_scan<target>("running maximum", n, RunningMaximum<target>{d.viewTarget()});
  d.copyToHost();
  CHECK(d.mapHost() == expected);
}

/// The path of a GPU, which every build has: without a GPU Kokkos runs it on the CPU.
void device_reductions() {
  Index const n = 1000;
  DualViewMap<double*, Target::device> d(n);
  d.mapHost().setOnes();
  d.copyToTarget();
  auto const v = d.viewTarget();
  double sum = 0, least = 0;
  parallel_for<Target::device>(
      n, KOKKOS_LAMBDA(DeviceRange rng) { rng(v) *= double(rng.begin() % 3 + 1); });
  parallel_reduce<Target::device>(
      "sum and minimum", n,
      KOKKOS_LAMBDA(DeviceRange rng, double& s, double& m) {
        s += rng(v).sum();
        if (rng(v).minCoeff() < m) m = rng(v).minCoeff();
      },
      sum, Kokkos::Min<double>(least));
  CHECK(sum == 333 * 6 + 1);
  CHECK(least == 1);
  sum = -1;
  parallel_reduce<Target::device>(
      n, KOKKOS_LAMBDA(int i, double& s) { s += v.view()(i); }, sum);
  CHECK(sum == 333 * 6 + 1);
}

}  // namespace reductions

TEST_CASE("reductions_on_the_default_target") { reductions::on_the_default_target(); }
TEST_CASE("scans") {
  reductions::scan_on<Target::host>();
  reductions::scan_on<Target::device>();
  reductions::scan_with_join_on<Target::host>();
  reductions::scan_with_join_on<Target::device>();
}
TEST_CASE("reductions_on_the_device_path") { reductions::device_reductions(); }

TEST_CASE("scans_do_not_depend_on_threads") {
  Index const n = 12345;
  auto const scanned = [&](int threads) {
    ViewMap<float*, Target::host> v(n);
    for (Index k = 0; k < n; ++k) v.map()[k] = 1.f / float(k + 1);
    set_num_threads(threads);
    parallel_scan<Target::host>(n, [=](Index k, float& running, bool last_pass) {
      running += v.map()[k];
      if (last_pass) v.map()[k] = running;
    });
    set_num_threads(0);
    return v;
  };
  auto const reference = scanned(1);
  for (int threads : {2, 3, 7}) CHECK(scanned(threads).map() == reference.map());
}

namespace {

std::vector<std::string> seen_labels;
void see(char const* label, std::uint32_t, std::uint64_t*) { seen_labels.emplace_back(label); }

}  // namespace

TEST_CASE("profiling_tools_see_the_labels") {
  auto const profiling = [](auto begin) {
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(begin);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(begin);
    Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(begin);
  };
  profiling(&see);
  double sum = 0;
  parallel_for<Target::host>("advance the flow", 10, [](HostRange) {});
  parallel_reduce<Target::host>(
      "count the water", 10, [](HostRange, double&) {}, sum);
  parallel_scan<Target::host>("sort the cells", 10, [](Index, double&, bool) {});
  parallel_for<Target::device>("on the device", 10, KOKKOS_LAMBDA(DeviceRange){});
  parallel_for<Target::host>(10, [](HostRange) {});
  profiling(static_cast<decltype(&see)>(nullptr));
  REQUIRE(seen_labels.size() == 5);
  CHECK(seen_labels[0] == "advance the flow");
  CHECK(seen_labels[1] == "count the water");
  CHECK(seen_labels[2] == "sort the cells");
  CHECK(seen_labels[3] == "on the device");
  CHECK(!seen_labels[4].empty());
}
