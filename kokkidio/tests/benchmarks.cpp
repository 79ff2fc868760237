#include "kokkidio/benchmarks/benchmarks.hpp"

#include <Kokkidio/Runtime.hpp>
#include <cmath>
#include <limits>
#include <set>

#include "catch.hpp"

using namespace Kokkidio::benchmarks;

TEST_CASE("benchmark_friction_gives_the_published_values") {
  for (std::string const variant : {"i0", "i1", "i2", "i3", "i4", "i5"}) {
    INFO(variant);
    auto const out = friction_of(variant, 2, 3, 4, 0.025, 1, 2);
    CHECK(std::abs(out[0] / 0.9119160834218206 - 1) <= 1e-15);
    CHECK(std::abs(out[1] / 1.865452694025437 - 1) <= 1e-15);
    auto const at_rest = friction_of(variant, 2, 0, 0, 0.025, 1, 2);
    CHECK(at_rest[0] == 1);
    CHECK(at_rest[1] == 2);
  }
}

TEST_CASE("benchmark_records_every_implementation") {
  Kokkidio::set_num_threads(1);  // threads that wait for one another would make this slow on a busy machine
  Options options;
  options.sizes = {10, 1000};
  options.seconds_per_size = 1e-3;
  options.devices = {"cpu"};
  for (bool transfer : {false, true}) {
    options.transfer = transfer;
    std::set<std::string> seen;
    run(options, [&](Record const& r) {
      seen.insert(r.bench + r.precision + r.variant + std::to_string(r.size));
      if (!(r.median_s > 0 && r.efficiency > 0 && r.efficiency <= 1)) FAIL(to_json(r));
    });
    CHECK(seen.size() == 4 * 2 * 7 * 2);
  }
  Kokkidio::set_num_threads(0);
}
