#include "io/case/load.hpp"

#include <cmath>

namespace swe::io {

std::vector<double> output_times(double start, double end, std::optional<double> every) {
  std::vector<double> times{start};
  if (every) {
    for (std::int64_t k = 1;; ++k) {
      double const time = start + double(k) * *every;
      if (time >= end - 1e-9 * *every) break;
      times.push_back(time);
    }
  }
  if (end > start) times.push_back(end);
  return times;
}

}  // namespace swe::io
