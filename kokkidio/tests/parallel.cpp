#include <Kokkidio/Kokkidio.hpp>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "catch.hpp"

using namespace Kokkidio;
using HostRange = BasicParallelRange<Target::host>;

namespace {

Index const sizes[] = {1, 3, 15, 16, 17, 63, 64, 65, 1000, 1023, 1024, 1025, 10007};

void axpy(Index n) {
  DualViewMap<double*> x(n), y(n), z(n);
  x.mapHost().setLinSpaced(n, 0., double(n - 1));
  y.mapHost().setConstant(0.5);
  x.copyToTarget();
  y.copyToTarget();
  double const a = 3;
  parallel_for(
      n, KOKKOS_LAMBDA(ParallelRange rng) { rng(z) = a * rng(x) + rng(y); });
  z.copyToHost();
  bool equal = true;
  for (Index k = 0; k < n; ++k) equal = equal && z.mapHost()[k] == 3. * double(k) + 0.5;
  CHECK(equal);
}

}  // namespace

namespace device_loops {

using DeviceRange = BasicParallelRange<Target::device>;
/// Around the sizes of a GPU's tiles, rounds and grids.
Index const sizes[] = {1,      255,    256,    257,    511,    513,     67584,
                       135167, 135168, 135169, 270335, 270337, 1000003, (1 << 22) + 77};

void visit_each_once(Index begin, Index size) {
  DualViewMap<int*, Target::device> seen(begin + size + 5);
  auto const v = seen.viewTarget();
  parallel_for<Target::device>(
      {begin, begin + size}, KOKKOS_LAMBDA(DeviceRange rng) { rng(v).array() += 1; });
  parallel_for<Target::device>(
      {begin, begin + size}, KOKKOS_LAMBDA(Index k) { v.view()(k) += 2; });
  Index items = 0, sum = 0, largest = 0;
  parallel_reduce<Target::device>(
      {begin, begin + size},
      KOKKOS_LAMBDA(DeviceRange rng, Index & n, Index & s, Index & m) {
        n += rng.size();
        s += rng.begin();
        if (rng.begin() > m) m = rng.begin();
      },
      items, sum, Kokkos::Max<Index>(largest));
  seen.copyToHost();
  CHECK(seen.mapHost().head(begin).isZero());
  CHECK((seen.mapHost().segment(begin, size).array() == 3).all());
  CHECK(seen.mapHost().tail(5).isZero());
  CHECK(items == size);
  CHECK(sum == size * begin + size * (size - 1) / 2);
  CHECK(largest == begin + size - 1);
}

}  // namespace device_loops

TEST_CASE("device_loops_visit_every_item_once") {
  for (Index n : device_loops::sizes)
    for (Index begin : {0, 3}) device_loops::visit_each_once(begin, n);
}

TEST_CASE("axpy_on_a_range") {
  for (Index n : sizes) axpy(n);
}

TEST_CASE("every_item_is_visited_once") {
  for (Index n : sizes)
    for (Index chunk : {0, 1, 7, 16, 100, 5000}) {
      ViewMap<int*, Target::host> seen(n);
      Items const items = chunk ? Items(n).chunk(chunk) : Items(n);
      parallel_for<Target::host>(items, [=](HostRange rng) { rng(seen).array() += 1; });
      parallel_for<Target::host>(items, [=](Index k) { seen.map()[k] += 1; });
      CHECK((seen.map().array() == 2).all());
    }
}

TEST_CASE("chunks_follow_the_request_and_the_type") {
  auto const largest = [](Items const& items) {
    std::atomic<Index> most{0};
    parallel_for<Target::host>(items, [&](HostRange rng) {
      for (Index seen = most; rng.size() > seen && !most.compare_exchange_weak(seen, rng.size());) {
      }
    });
    return most.load();
  };
  CHECK(Items::chunk_size<float>() == 2 * Items::chunk_size<double>());
  CHECK(largest(Items(100000).chunk_for<float>()) == Items::chunk_size<float>());
  CHECK(largest(Items(100000).chunk(256)) == 256);
  CHECK(largest(Items(100000).chunk(250)) == 256);
  CHECK(largest(Items(
            Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 100000, Kokkos::ChunkSize(768)))) ==
        768);  // no power of two, which Kokkos might choose itself
  CHECK_THROWS_AS(Items(10).chunk(0), std::invalid_argument);
}

TEST_CASE("fewer_items_than_threads") {
  set_num_threads(8);
  ViewMap<int*, Target::host> seen(5);
  parallel_for<Target::host>(5, [=](HostRange rng) { rng(seen).array() += 1; });
  parallel_for<Target::host>(Items(5).chunk(1), [=](Index k) { seen.map()[k] += 1; });
  set_num_threads(0);
  CHECK((seen.map().array() == 2).all());
}

TEST_CASE("a_range_may_begin_anywhere") {
  ViewMap<int*, Target::host> seen(300);
  parallel_for<Target::host>({17, 290}, [=](HostRange rng) { rng(seen).array() += 1; });
  CHECK(seen.map().head(17).isZero());
  CHECK((seen.map().segment(17, 273).array() == 1).all());
  CHECK(seen.map().tail(10).isZero());
  Index negative = 0;
  parallel_reduce<Target::host>(
      {-20, 10}, [](Index k, Index& sum) { sum += k; }, negative);
  CHECK(negative == -165);
}

TEST_CASE("an_empty_range_never_calls_the_kernel") {
  std::atomic<int> calls{0};
  parallel_for<Target::host>(0, [&](HostRange) { ++calls; });
  parallel_for<Target::host>({5, 5}, [&](HostRange) { ++calls; });
  parallel_for<Target::host>({9, 5}, [&](Index) { ++calls; });
  double sum = 7;
  parallel_reduce<Target::host>(
      0,
      [&](HostRange, double& s) {
        ++calls;
        s += 1;
      },
      sum);
  CHECK(sum == 0);
  CHECK(calls == 0);
}

TEST_CASE("an_exception_in_a_kernel_reaches_the_caller") {
  for (int threads : {1, 2, 5}) {
    set_num_threads(threads);
    auto const fails_at = [](Index bad) {
      parallel_for<Target::host>(Items(10000).chunk(16), [=](HostRange rng) {
        if (rng.begin() <= bad && bad < rng.end()) throw std::domain_error("item " + std::to_string(bad));
      });
    };
    CHECK_THROWS_AS(fails_at(0), std::domain_error);
    CHECK_THROWS_AS(fails_at(9999), std::domain_error);
    CHECK_NOTHROW(fails_at(-1));
    try {
      parallel_for<Target::host>(Items(10000).chunk(16), [](HostRange rng) { throw rng.begin(); });
      FAIL("no exception");
    } catch (Index first) {
      CHECK(first == 0);
    }
  }
  set_num_threads(0);
}

TEST_CASE("exceptions_leave_reductions_and_scans_too_and_the_next_loop_runs") {
  for (int threads : {1, 3}) {
    set_num_threads(threads);
    double sum = 7, total = 7;
    CHECK_THROWS_AS(parallel_reduce<Target::host>(
                        10000, [](HostRange, double&) { throw std::domain_error("reduce"); }, sum),
                    std::domain_error);
    CHECK_THROWS_AS(parallel_scan<Target::host>(
                        10000, [](Index, double&, bool) { throw std::domain_error("scan"); }, total),
                    std::domain_error);
    parallel_reduce<Target::host>(
        10000, [](HostRange rng, double& s) { s += double(rng.size()); }, sum);
    CHECK(sum == 10000);
  }
  set_num_threads(0);
}

TEST_CASE("a_range_beyond_an_extent_is_refused") {
  ViewMap<double*, Target::host> v("depth", 10);
  CHECK_THROWS_AS(parallel_for<Target::host>(11, [=](HostRange rng) { rng(v).setZero(); }),
                  std::out_of_range);
  CHECK_THROWS_WITH(parallel_for<Target::host>(11, [=](HostRange rng) { rng(v).setZero(); }),
                    contains_text("depth"));
  CHECK_THROWS_AS(parallel_for<Target::host>({-1, 5}, [=](HostRange rng) { rng(v).setZero(); }),
                  std::out_of_range);
}

TEST_CASE("values_do_not_depend_on_threads_or_chunks") {
  Index const n = 54321;
  ViewMap<Eigen::ArrayXf, Target::host> const x(n);
  x.map().setRandom();
  auto const computed = [&](int threads, Index chunk) {
    set_num_threads(threads);
    ViewMap<Eigen::ArrayXf, Target::host> const by_range(n), by_lanes(n);
    Items const items = chunk ? Items(n).chunk(chunk) : Items(n);
    parallel_for<Target::host>(items,
                               [=](HostRange rng) { rng(by_range) = rng(x).exp() / (1 + rng(x).square()); });
    parallel_for<Target::host>(items, [=](HostRange rng) {
      rng.for_each_lane<float>([&](auto lane) {
        auto const v = lane.load(x);
        lane(by_lanes) = rcbrt(v * v + 1.f) / (v * v + 0.1f);
      });
    });
    set_num_threads(0);
    return Eigen::ArrayXf(by_range.map() + 1000 * by_lanes.map());
  };
  Eigen::ArrayXf const reference = computed(1, 0);
  for (int threads : {1, 2, 5})
    for (Index chunk : {0, 1, 48, 1000, 100000}) CHECK((computed(threads, chunk) == reference).all());
}

TEST_CASE("reductions_do_not_depend_on_threads_or_chunks") {
  Index const n = 123457;
  ViewMap<float*, Target::host> v(n);
  v = Eigen::VectorXf::Random(n);
  auto const sum = [&](int threads, Index chunk) {
    set_num_threads(threads);
    Items const items = chunk ? Items(n).chunk(chunk) : Items(n);
    float by_range = 0, by_index = 0, by_lanes = 0;
    parallel_reduce<Target::host>(
        items, [=](HostRange rng, float& s) { s += rng(v).sum(); }, by_range);
    parallel_reduce<Target::host>(
        items, [=](Index k, float& s) { s += v.map()[k]; }, by_index);
    parallel_reduce<Target::host>(
        items,
        [=](HostRange rng, float& s) { s += rng.sum_lanes<float>([&](auto lane) { return lane.load(v); }); },
        by_lanes);
    set_num_threads(0);
    return std::array{by_range, by_index, by_lanes};
  };
  auto const reference = sum(1, 0);
  CHECK(reference[2] == Approx(v.map().cast<double>().sum()).epsilon(1e-4));
  for (int threads : {1, 2, 3, 8})
    for (Index chunk : {0, 1, 50, 4096}) CHECK(sum(threads, chunk) == reference);
}
