#pragma once
/// \file
/// The folder of one run's results: what lies in it, and who may write there.

#include <filesystem>
#include <string>

#include "io/output/posix_file.hpp"

namespace swe::io {

/// Names inside a result folder.
struct ResultPaths {
  explicit ResultPaths(std::filesystem::path folder) : folder(std::move(folder)) {}
  std::filesystem::path folder;
  [[nodiscard]] auto case_file() const { return folder / "case.yaml"; }
  [[nodiscard]] auto snapshots() const { return folder / "snapshots.nc"; }
  [[nodiscard]] auto xdmf() const { return folder / "snapshots.xdmf"; }
  [[nodiscard]] auto maxima() const { return folder / "maxima.nc"; }
  [[nodiscard]] auto gauges() const { return folder / "gauges.csv"; }
  [[nodiscard]] auto sections() const { return folder / "sections.csv"; }
  [[nodiscard]] auto checkpoints() const { return folder / "checkpoints"; }
  [[nodiscard]] auto summary() const { return folder / "summary.json"; }
  [[nodiscard]] auto log() const { return folder / "run.log"; }
  [[nodiscard]] auto lock() const { return folder / "run.lock"; }
  /// Raster of one maximum, without extension.
  [[nodiscard]] auto maximum_raster(std::string const& field) const { return folder / ("max_" + field); }
};

/// Whether a run left anything here.
[[nodiscard]] bool holds_results(ResultPaths const& paths);

/// Removes what a run left here, and nothing else.
void remove_results(ResultPaths const& paths);

/// Held while a run writes. The lock belongs to the process, so a kill releases it; the file that a kill
/// leaves behind says who held it last.
class RunLock {
public:
  /// Throws InputError when another process holds it, FileError when the file cannot be written.
  explicit RunLock(ResultPaths const& paths);
  RunLock(RunLock const&) = delete;
  RunLock& operator=(RunLock const&) = delete;
  ~RunLock();

private:
  [[noreturn]] void refuse(int error, std::filesystem::path const& folder) const;
  [[nodiscard]] bool is_same_file() const;

  std::filesystem::path path_;
  int fd_ = -1;
};

}  // namespace swe::io
