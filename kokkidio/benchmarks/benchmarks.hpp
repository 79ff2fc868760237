#pragma once
/// \file
/// The performance-portability benchmark: four small kernels, each in up to six implementations on every
/// processor of this build.
///
///   i0  OpenMP and Eigen by hand, with the chunk that suits it best (CPU)
///   i1  scalar loops by hand: OpenMP; CUDA, reductions with CUB
///   i2  plain Kokkos
///   i3  Kokkidio with an index
///   i4  Kokkidio with a range
///   i5  Kokkidio with lanes
///   i0b (on a GPU i1b) is i0 (i1) once more, to show what differences mean nothing

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace Kokkidio::benchmarks {

struct Options {
  std::vector<std::string> benches{"axpy", "dot", "norm", "friction"};
  std::vector<std::string> precisions{"double", "single"};
  std::vector<std::string> devices{"cpu", "gpu"};  ///< those not in this build are left out
  std::vector<std::int64_t> sizes{10, 100, 1000, 10000, 100000, 1000000, 10000000};
  double seconds_per_size = 0.5;  ///< measuring time of one bench, size and precision
  bool transfer = false;          ///< measure with allocation and copies, instead of without
};

/// Times of one implementation. The efficiency is best time / own time over the implementations measured
/// with it. Ratios are medians over rounds, in each of which every implementation ran once.
struct Record {
  std::string bench, variant;
  std::int64_t size = 0;
  std::string precision, device;
  int threads = 0;
  double median_s = 0, min_s = 0;
  double efficiency = 0;
  double vs_native = 0;  ///< time of i0 (GPU: i1) / own time
  bool transfer = false;
};

/// Measures and calls `on_record` after each size. Throws std::runtime_error where implementations disagree.
void run(Options const& options, std::function<void(Record const&)> const& on_record);

/// As one line of JSON.
[[nodiscard]] std::string to_json(Record const& record);

/// Runs and prints: a table, or with `json` one object a line.
void print(Options const& options, bool json, std::ostream& out);

/// The friction kernel of `variant` (i1 to i5 as a CPU runs them) for one cell, for checking: returns the two
/// results.
[[nodiscard]] std::vector<double> friction_of(std::string const& variant, double depth, double u, double v,
                                              double manning, double in_x, double in_y);

}  // namespace Kokkidio::benchmarks
