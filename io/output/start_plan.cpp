#include "io/output/start_plan.hpp"

#include <system_error>

#include "io/output/number_text.hpp"
#include "io/output/samplers.hpp"
#include "io/output/snapshots.hpp"
#include "io/output/summary.hpp"
#include "io/output/version.hpp"

namespace swe::io {
namespace {

[[noreturn]] void refuse(std::filesystem::path const& file, std::string const& message) {
  throw InputError({{file.string(), 0, "", message}});
}

/// Throws InputError when the case is not the one that wrote the checkpoint.
void require_same_case(LoadedCase const& loaded, RunOptions const& options, std::filesystem::path const& file,
                       Checkpoint const& checkpoint) {
  std::vector<Problem> problems;
  for (auto const& sentence :
       differences(checkpoint.fingerprint,
                   fingerprint(loaded, {options.precision, options.processes}, checkpoint.time)))
    problems.push_back({file.string(), 0, "", sentence});
  if (loaded.scenario.end_time < checkpoint.time)
    problems.push_back({file.string(), 0, "",
                        "time.end_s is " + number_text(loaded.scenario.end_time) +
                            ", before the checkpoint at " + number_text(checkpoint.time) + " s"});
  if (!problems.empty()) throw InputError(std::move(problems));
}

void require_bytes(std::filesystem::path const& file, std::int64_t bytes) {
  std::error_code error;
  auto const size = std::filesystem::file_size(file, error);
  if (error) throw FileError(file, error.message());
  if (size < static_cast<std::uint64_t>(bytes)) throw FileError(file, "is shorter than the checkpoint says");
}

/// Throws FileError when the result files hold less than the checkpoint counts on.
void require_results(LoadedCase const& loaded, ResultPaths const& paths, Checkpoint const& checkpoint) {
  auto const& position = checkpoint.position;
  std::vector<SeriesLayout> series;
  std::vector<std::int64_t> rows;
  if (!loaded.gauges.empty()) {
    require_bytes(paths.gauges(), position.gauge_bytes);
    series.push_back(gauge_layout(loaded.gauges));
    rows.push_back(position.gauge_rows);
  }
  if (!loaded.sections.empty()) {
    require_bytes(paths.sections(), position.section_bytes);
    series.push_back(section_layout(loaded.sections));
    rows.push_back(position.section_rows);
  }
  auto const held = snapshot_counts(paths.snapshots(), series);
  bool enough = held.records >= position.snapshot_records;
  for (std::size_t k = 0; k < rows.size(); ++k) enough = enough && held.series_rows[k] >= rows[k];
  if (!enough) throw FileError(paths.snapshots(), "holds fewer records than the checkpoint counts");
}

bool is_inside(std::filesystem::path const& file, std::filesystem::path const& folder) {
  std::error_code error;
  return std::filesystem::equivalent(file.parent_path().empty() ? "." : file.parent_path(), folder, error) &&
         !error;
}

void accept(StartPlan& plan, std::filesystem::path const& file, Checkpoint checkpoint, bool in_place) {
  if (checkpoint.version != version)
    plan.notes.push_back(file.string() + " was written by version " + checkpoint.version +
                         "; the continued run may differ in the last bits");
  plan.checkpoint = std::move(checkpoint);
  plan.checkpoint_file = file;
  plan.in_place = in_place;
}

}  // namespace

ResultPaths result_paths(LoadedCase const& loaded, RunOptions const& options) {
  return ResultPaths(options.directory.value_or(loaded.output.directory));
}

StartPlan plan_start(LoadedCase const& loaded, RunOptions const& options, ResultPaths const& paths) {
  StartPlan plan;
  bool const in_the_way = holds_results(paths);
  if (options.restart_file) {
    auto const& file = *options.restart_file;
    bool const in_place = is_inside(file, paths.checkpoints());
    if (!in_place && in_the_way && !options.overwrite)
      refuse(paths.folder,
             "there are results here already, and the checkpoint is from elsewhere: choose another "
             "folder with -o, or --overwrite");
    try {
      auto checkpoint = read_checkpoint(file);
      require_same_case(loaded, options, file, checkpoint);
      if (in_place) require_results(loaded, paths, checkpoint);
      accept(plan, file, std::move(checkpoint), in_place);
    } catch (FileError const& error) {
      throw InputError({{"--restart", 0, "", error.what()}});
    }
    return plan;
  }
  if (options.restart) {
    for (auto const& file : find_checkpoints(paths.checkpoints())) {
      try {
        auto checkpoint = read_checkpoint(file);
        require_same_case(loaded, options, file, checkpoint);
        require_results(loaded, paths, checkpoint);
        accept(plan, file, std::move(checkpoint), true);
        return plan;
      } catch (FileError const& error) {
        plan.notes.push_back(std::string(error.what()) + "; trying an older checkpoint");
      }
    }
    if (summary_status(paths.summary()) == "finished" && !options.overwrite)
      refuse(paths.folder,
             "the run here is finished and left no checkpoint: nothing to restart (--overwrite runs it "
             "again)");
    plan.notes.push_back("no checkpoint in " + paths.checkpoints().string() +
                         ": starting from the beginning");
    return plan;
  }
  if (in_the_way && !options.overwrite)
    refuse(paths.folder,
           "there are results here already: --overwrite replaces them, --restart continues them, -o "
           "chooses another folder");
  return plan;
}

}  // namespace swe::io
