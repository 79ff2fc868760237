#pragma once
/// \file
/// What writing snapshots costs a run.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "io/output/run.hpp"
#include "solver/simulation.hpp"

namespace swe::io {

struct OutputBenchOptions {
  int size = 1000;  ///< cells along each side
  int order = 1;
  Precision precision = Precision::double_precision;
  Device device = Device::cpu;
  int threads = 1;       ///< for the record; those of the solver are set already
  double seconds = 60;   ///< measuring time, at least
  int steps_apart = 50;  ///< steps between two snapshots
  std::filesystem::path
      folder;  ///< for the snapshots, which are removed again; empty: the system's temporary folder
};

/// One way of running: `plain` writes nothing, `plain_again` neither (its cost is what equal runs differ by),
/// `uncompressed` and `compressed` (level 1) write h, hu and hv in double precision.
struct OutputBenchRecord {
  std::string variant;
  OutputBenchOptions of;
  int rounds = 0;
  double interval_s =
      0;  ///< median wall time from one snapshot to the next [s], the rest of the writing included
  double cost =
      0;  ///< median over rounds of the time beyond that of the plain runs of the round, as a share of it
  double cost_low = 0, cost_high = 0;  ///< quartiles
  double writer_s = 0;                 ///< median time the writer worked on one snapshot [s]
  double writer_cpu_s =
      0;                ///< and the processor time it took, which other work on the machine changes less [s]
  double copy_s = 0;    ///< median time in which the loop made the copy that is written [s]
  double mb_per_s = 0;  ///< of field values, through the writer
};

/// Runs all variants in turn, again and again, on one simulation that goes on: a dam break over a wavy bed,
/// all wet, with friction. Calls `on_record` for each at the end. Throws FileError.
void bench_output(OutputBenchOptions const& options, SimulationFactory const& make,
                  std::function<void(OutputBenchRecord const&)> const& on_record);

/// As one line of JSON.
[[nodiscard]] std::string to_json(OutputBenchRecord const& record);

}  // namespace swe::io
