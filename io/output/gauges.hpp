#pragma once
/// \file
/// Point gauges: when they are read, and the CSV file their readings go to.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/case/load.hpp"
#include "io/output/posix_file.hpp"

namespace swe::io {

/// All gauges at one time; a gauge that is not due holds NaN.
struct GaugeRow {
  double time = 0;
  std::vector<GaugeReading> readings;
};

/// Turns the cells the simulation reads into the readings of gauges, each at its own times.
class GaugeSampler {
public:
  GaugeSampler(std::vector<GaugeSpec> const& gauges, double start, double end);

  /// Cells to hand to Simulation::set_gauges, each once.
  [[nodiscard]] std::vector<std::int64_t> const& cells() const { return cells_; }
  /// Rows due up to simulation.progress().time that were not handed out yet; call at the
  /// start and after every step.
  [[nodiscard]] std::vector<GaugeRow> due(Simulation const& simulation);
  /// The row at the simulation's time, whether due or not, for all gauges.
  [[nodiscard]] GaugeRow now(Simulation const& simulation) const;
  /// As if all rows up to and including `time` had been handed out.
  void skip_past(double time);

private:
  struct Place {
    std::vector<std::pair<std::size_t, double>> stencil;  ///< index into cells_, weight
    std::vector<double> times;                            ///< empty: after every step
    std::size_t next = 0;
  };
  [[nodiscard]] GaugeReading read(Place const& place, std::span<GaugeReading const> cells) const;

  std::vector<std::int64_t> cells_;
  std::vector<Place> places_;
};

/// `time_s,<name>_depth_m,<name>_level_m,<name>_u_m_per_s,<name>_v_m_per_s,...`, one row a time; a gauge not
/// due has empty fields. Rows gather in memory and reach the file on flush().
class GaugeTable {
public:
  /// A new file with its header. Throws FileError.
  static GaugeTable create(std::filesystem::path const& path, std::vector<std::string> const& names);
  /// An existing file, cut to `bytes`. Throws FileError when it is shorter or has another header.
  static GaugeTable reopen(std::filesystem::path const& path, std::vector<std::string> const& names,
                           std::uint64_t bytes);

  void append(GaugeRow const& row);
  /// Throws FileError; a row is in the file whole or not at all.
  void flush();
  void sync();
  /// Bytes in the file once flushed.
  [[nodiscard]] std::uint64_t bytes() const { return written_ + pending_.size(); }

private:
  PosixFile file_;
  std::uint64_t written_ = 0;
  std::string pending_;
};

}  // namespace swe::io
