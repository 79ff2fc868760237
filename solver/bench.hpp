#pragma once
/// \file
/// How fast the solver steps, and how far that is from what the memory allows.

#include <functional>
#include <string>
#include <vector>

#include "solver/simulation.hpp"

namespace swe {

struct BenchOptions {
  /// wet: radial dam break over a wavy bed, everywhere wet; friction: the same with Manning friction; rain: with rain;
  /// dry95: water in a pool of 5 % of the area, the rest dry land; raster: friction from a raster
  std::vector<std::string> cases{"wet", "friction", "rain", "dry95"};
  std::vector<int> sizes{256, 1024, 4096};  ///< cells along each side
  std::vector<int> orders{1, 2};
  std::vector<Precision> precisions{Precision::double_precision, Precision::single_precision};
  std::vector<Device> devices{Device::cpu};
  double seconds = 1.5;  ///< measuring time of one combination, at least
};

struct BenchRecord {
  std::string name;  ///< of the case
  int nx = 0, ny = 0, order = 1;
  Precision precision = Precision::double_precision;
  Device device = Device::cpu;
  int threads = 1;
  double mcell_per_s = 0;       ///< median over batches of steps: all cells x steps / seconds, in millions
  double bytes_per_cell = 0;    ///< that a full step has to move at least, every field once per stage
  double copy_roof_share = 0;   ///< speed over that of copying as many bytes
  double memory_per_cell = 0;   ///< bytes of fields held per cell
};

/// Bandwidth of copying one large array to another, read and write counted [bytes/s]; the best of several.
[[nodiscard]] double copy_bandwidth(Device device);

/// Measures every combination and calls `on_record` after each.
void bench_solver(BenchOptions const& options, std::function<void(BenchRecord const&)> const& on_record);

/// As one line of JSON.
[[nodiscard]] std::string to_json(BenchRecord const& record);

/// The scenario of a case, for tests and other measurements. Throws std::invalid_argument for an unknown name.
[[nodiscard]] Scenario bench_scenario(std::string const& name, int n, int order);

}  // namespace swe
