#pragma once
/// \file
/// From a case file to everything a run needs. Reads files, writes none.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/case/input_error.hpp"
#include "solver/geometry.hpp"
#include "solver/scenario.hpp"
#include "solver/simulation.hpp"

namespace swe::io {

struct CaseFile;  // io/case/case_file.hpp

/// Fields a snapshot may hold.
enum class SnapshotField { h, hu, hv, level, u, v, speed };

struct OutputOptions {
  std::filesystem::path directory;  ///< absolute, or relative to the working directory of the process
  /// Snapshots at the start, at start + k every_s, and at the end; only at start and end when empty.
  std::optional<double> every_s;
  std::vector<SnapshotField> fields = {SnapshotField::h, SnapshotField::hu, SnapshotField::hv};
  int compression = 1;            ///< deflate level 0 (none) to 9
  bool single_precision = false;  ///< snapshots stored as float
  MaximaOptions maxima;
  std::string
      crs;  ///< as the case or the bed raster gives it (EPSG code or WKT), passed through; may be empty
};

/// A share of one cell in a reading.
struct CellWeight {
  std::int64_t cell = 0;
  double weight = 0;
};

struct GaugeSpec {
  enum class Sample { cell, bilinear };
  std::string name;
  Point at;               ///< [m], as given
  std::int64_t cell = 0;  ///< active cell that holds `at`
  Sample sample = Sample::cell;
  /// What is read: for `cell` that cell alone; for `bilinear` up to four cells, weights summing to 1,
  /// inactive cells left out and their weight shared among the others.
  std::vector<CellWeight> stencil;
  std::optional<double> every_s;  ///< rows at start + k every_s and at the end; a row per step when empty
};

struct SectionSpec {
  std::string name;
  std::vector<Point> line;         ///< [m], as given
  std::vector<SectionFace> faces;  ///< staircase of cell faces nearest to the line; see swe::section_faces
  std::optional<double> every_s;   ///< as for gauges
};

struct CheckpointOptions {
  std::optional<double> every_wall_s;  ///< [s] of wall time
  std::optional<double> every_s;       ///< [s] of simulated time
  int keep = 2;                        ///< newest checkpoints kept
};

/// A case that has been read, checked and brought onto the grid.
struct LoadedCase {
  std::filesystem::path file;
  std::string name;                           ///< file name without extension
  std::shared_ptr<CaseFile const> case_file;  ///< as written, with defaults
  Scenario scenario;
  OutputOptions output;
  std::vector<GaugeSpec> gauges;
  std::vector<SectionSpec> sections;
  CheckpointOptions checkpoint;
  std::string case_yaml;           ///< the case with all defaults filled in, for `case.yaml` in the results
  std::vector<std::string> notes;  ///< things accepted that the user should know
};

/// Reads `file` and all it names. `overrides` are `key.path=value` as given to --set, applied in order before
/// anything is read; list items go by index, and an index equal to the length appends.
/// Throws InputError holding every problem found.
[[nodiscard]] LoadedCase load_case(std::filesystem::path const& file,
                                   std::vector<std::string> const& overrides = {});

/// What would run, in words, for `swe check`: grid, memory, where each place landed, steps expected, outputs.
[[nodiscard]] std::string describe(LoadedCase const& loaded);

/// JSON Schema (draft 2020-12) of the case file.
[[nodiscard]] std::string case_schema();

/// start, start + every, ... and end, each once: multiples are not summed but computed, and one that lies
/// within 1e-9 of an interval of the end is the end. Only start and end when `every` is empty; only start
/// when end == start.
[[nodiscard]] std::vector<double> output_times(double start, double end, std::optional<double> every);

}  // namespace swe::io
