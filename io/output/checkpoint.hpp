#pragma once
/// \file
/// Checkpoints: single HDF5 files from which a computation continues bit for bit.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/output/fingerprint.hpp"
#include "solver/simulation.hpp"

namespace swe::io {

/// Where the results stood.
struct OutputPosition {
  std::int64_t snapshot_records = 0;
  std::int64_t gauge_rows = 0, section_rows = 0;    ///< in snapshots.nc
  std::int64_t gauge_bytes = 0, section_bytes = 0;  ///< of gauges.csv and sections.csv
  double wall_s = 0;                                ///< spent by all runs so far [s]
};

struct Checkpoint {
  double time = 0;  ///< [s]
  std::int64_t steps = 0;
  std::string version;  ///< of the program that wrote it
  OutputPosition position;
  Fingerprint fingerprint;
  std::vector<Simulation::Blob> blobs;
};

/// `ckpt_<step>.h5`
[[nodiscard]] std::string checkpoint_name(std::int64_t steps);

/// Written under another name with a checksum of all its bytes in the first 512, synced, renamed. Throws
/// FileError.
void write_checkpoint(std::filesystem::path const& path, Checkpoint const& checkpoint);

/// Throws FileError when the file is missing or damaged (checksum), InputError when it is of another format.
[[nodiscard]] Checkpoint read_checkpoint(std::filesystem::path const& path);

/// Checkpoints in a folder, newest (most steps) first; empty when there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> find_checkpoints(std::filesystem::path const& folder);

/// Removes all but the `keep` newest (at least one is kept), and leftovers of interrupted writing.
void prune_checkpoints(std::filesystem::path const& folder, int keep);

}  // namespace swe::io
