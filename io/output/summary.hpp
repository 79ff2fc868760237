#pragma once
/// \file
/// `summary.json`: how a run went.

#include <filesystem>
#include <string>
#include <vector>

#include "io/output/json.hpp"
#include "solver/simulation.hpp"

namespace swe::io {

struct RunSummary {
  enum class Status { running, finished, stopped, failed };

  Status status = Status::running;
  std::string reason;  ///< why it stopped or failed; may be empty
  std::string title;
  std::string device;  ///< cpu or gpu, with its name
  Precision precision = Precision::double_precision;
  int threads = 1;
  int ranks = 1;
  Grid grid;
  std::string crs;  ///< may be empty
  std::int64_t active_cells = 0;
  double start_time = 0, end_time = 0;  ///< asked for [s]
  Progress progress;                    ///< since the start of the simulation
  std::int64_t first_step = 0;          ///< steps already done when this process began
  double wall_s = 0;                    ///< of this process
  double wall_total_s = 0;              ///< with those it continued
  double stepping_s = 0;                ///< inside steps, this process
  double output_wait_s = 0;             ///< the loop waited for output
  std::size_t memory_bytes = 0;
  Timings timings;
  VolumeBalance balance;
  std::string restarted_from;  ///< checkpoint; may be empty
  double restarted_at = 0;     ///< [s]
  std::int64_t snapshot_records = 0;
  std::vector<std::string> notes;

  /// all cells x steps of this process / seconds of stepping [1e6/s]
  [[nodiscard]] double mcell_per_s() const;
};

[[nodiscard]] JsonObject to_json(RunSummary const& summary);

/// Atomically replaces the file. When there is no room for a second one, the old one is overwritten in place.
/// Throws FileError.
void write_summary(std::filesystem::path const& path, RunSummary const& summary);

/// The status an earlier run left; empty when there is no summary or it cannot be read.
[[nodiscard]] std::string summary_status(std::filesystem::path const& path);

}  // namespace swe::io
