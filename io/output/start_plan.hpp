#pragma once
/// \file
/// Where a run starts from: the beginning, or a checkpoint.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/output/checkpoint.hpp"
#include "io/output/result_folder.hpp"
#include "io/output/run.hpp"

namespace swe::io {

struct StartPlan {
  std::optional<Checkpoint> checkpoint;  ///< empty: from the beginning
  std::filesystem::path checkpoint_file;
  bool in_place = false;           ///< the results in the folder are continued, not begun
  std::vector<std::string> notes;  ///< for the log
};

/// Where the results go: the folder on the command line, or that of the case.
[[nodiscard]] ResultPaths result_paths(LoadedCase const& loaded, RunOptions const& options);

/// Reads, changes nothing but to complete a commit that a kill cut short. Throws InputError when results are
/// in the way, the checkpoint does not fit the case, or the one named on the command line cannot be used.
[[nodiscard]] StartPlan plan_start(LoadedCase const& loaded, RunOptions const& options,
                                   ResultPaths const& paths);

}  // namespace swe::io
