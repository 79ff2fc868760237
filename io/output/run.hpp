#pragma once
/// \file
/// One run: from a loaded case to its result folder.

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "io/case/load.hpp"

namespace swe::io {

/// What the program tells the shell.
enum class ExitCode : int {
  done = 0,
  comparison_failed = 1,
  bad_input = 2,       ///< the user's, the command line included
  numbers_failed = 3,  ///< NaN, or a step below the floor
  files_failed = 4,    ///< disk full, unwritable
  stopped = 75,        ///< by a signal or the wall limit, after a checkpoint
};

struct RunOptions {
  std::optional<std::filesystem::path> directory;  ///< instead of the case's
  Precision precision = Precision::double_precision;
  Device device = Device::cpu;
  std::string device_name;
  int threads = 1;
  int processes = 1;  ///< that compute together
  std::optional<double> wall_limit_s;
  bool overwrite = false;
  bool quiet = false;
  bool restart = false;                               ///< from the newest good checkpoint, if there is one
  std::optional<std::filesystem::path> restart_file;  ///< from this one
  /// What the wall limit counts from.
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

using SimulationFactory =
    std::function<std::unique_ptr<Simulation>(Scenario const&, MaximaOptions const&, Precision, Device)>;

/// Runs the case to its end, or until a signal (SIGTERM, SIGINT, SIGUSR1), the wall limit, or a failure.
/// Errors after the first step are logged and become the exit code; before it, throws InputError (results are
/// in the way, a checkpoint does not fit the case, another run holds the folder) or FileError.
[[nodiscard]] ExitCode run_case(LoadedCase const& loaded, RunOptions const& options,
                                SimulationFactory const& make);

}  // namespace swe::io
