#include <iterator>

#include "validation/analytic/benchmarks/list.hpp"

namespace swe::validation {

std::vector<Benchmark> all_benchmarks() {
  std::vector<Benchmark> all;
  for (auto* const group :
       {rest_benchmarks, dam_break_benchmarks, radial_benchmarks, bump_benchmarks, channel_benchmarks,
        bowl_benchmarks, vortex_benchmarks, beach_benchmarks, oblique_benchmarks, rain_benchmarks}) {
    auto benchmarks = group();
    std::move(benchmarks.begin(), benchmarks.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace swe::validation
