#pragma once
/// \file
/// `snapshots.nc` and `snapshots.xdmf`: the state over time, and gauges and sections beside it.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/case/load.hpp"
#include "io/output/crash_safe_file.hpp"
#include "io/output/map_file.hpp"
#include "io/output/series_output.hpp"

namespace swe::io {

[[nodiscard]] std::string_view field_name(SnapshotField field);

/// The field as it is stored: h, hu, hv as they are, the others derived from them and the bed. Velocities are
/// zero where the depth is at most `dry_tolerance`; inactive cells are NaN. grid.cells() values.
[[nodiscard]] std::vector<double> snapshot_values(SnapshotField field, StateHost const& state,
                                                  std::vector<double> const& bed, double dry_tolerance);

struct SnapshotLayout {
  MapDescription map;
  std::vector<SnapshotField> fields;
  MapStorage storage;
  std::vector<double> bed;  ///< grid.cells() values, NaN where inactive
  bool bed_moves = false;   ///< then the bed is stored with every record
  double dry_tolerance = 0;
  std::vector<SeriesLayout> series;  ///< gauges and sections, those there are
};

/// How much a snapshot file holds.
struct SnapshotCounts {
  std::int64_t records = 0;
  std::vector<std::int64_t> series_rows;  ///< as SnapshotLayout::series
};

/// Completes a commit that a kill cut short. Throws FileError.
[[nodiscard]] SnapshotCounts snapshot_counts(std::filesystem::path const& path,
                                             std::vector<SeriesLayout> const& series);

/// Grows by one record a call. Every call commits: a kill at any moment leaves a readable file with all
/// records committed before it. The root attribute `records_committed` counts them. Use from one thread.
class SnapshotFile {
public:
  /// Throws FileError, as do all members.
  static SnapshotFile create(std::filesystem::path const& path, SnapshotLayout layout);
  /// Continues a file: records and rows beyond the given numbers are dropped. Throws FileError when it holds
  /// fewer, or another layout.
  static SnapshotFile reopen(std::filesystem::path const& path, SnapshotLayout layout,
                             SnapshotCounts const& keep);

  void append(StateHost const& state);
  /// Rows of one of SnapshotLayout::series; they become part of the file with the next append(), sync() or
  /// close().
  void append_rows(std::size_t series, std::vector<SeriesRow> const& rows);
  /// Commits and waits for the disk; brings the XDMF up to date.
  void sync();
  void close();

  [[nodiscard]] std::int64_t records() const { return static_cast<std::int64_t>(times_.size()); }
  [[nodiscard]] std::vector<double> const& times() const { return times_; }

private:
  SnapshotFile(CrashSafeFile file, std::filesystem::path path, SnapshotLayout layout);
  void open_variables();
  void write_count();
  void write_xdmf();

  CrashSafeFile file_;
  std::filesystem::path path_;
  SnapshotLayout layout_;
  h5::Handle time_;
  std::vector<h5::Handle> fields_;
  h5::Handle bed_;  ///< where it moves
  std::vector<SeriesGroup> series_;
  std::vector<double> times_;
  std::chrono::steady_clock::time_point xdmf_written_{};
  std::int64_t xdmf_records_ = -1;
};

}  // namespace swe::io
