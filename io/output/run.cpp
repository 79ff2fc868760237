#include "io/output/run.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

#include "io/output/checkpoint.hpp"
#include "io/output/maxima.hpp"
#include "io/output/result_folder.hpp"
#include "io/output/run_log.hpp"
#include "io/output/samplers.hpp"
#include "io/output/snapshots.hpp"
#include "io/output/start_plan.hpp"
#include "io/output/stop_signals.hpp"
#include "io/output/summary.hpp"
#include "io/output/version.hpp"
#include "io/output/writer_thread.hpp"

namespace swe::io {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Adds the time of its life to a sum.
class Stopwatch {
public:
  explicit Stopwatch(double& sum) : sum_(sum) {}
  ~Stopwatch() { sum_ += seconds_since(begin_); }

private:
  double& sum_;
  Clock::time_point begin_ = Clock::now();
};

/// Rows of gauges and sections reach their files at least this often, so that a run can be watched.
constexpr auto series_interval = std::chrono::seconds(1);

SnapshotLayout snapshot_layout(LoadedCase const& loaded) {
  SnapshotLayout layout;
  layout.map = {loaded.scenario.grid, loaded.scenario.title.empty() ? loaded.name : loaded.scenario.title,
                loaded.output.crs};
  layout.fields = loaded.output.fields;
  layout.storage = {loaded.output.single_precision, loaded.output.compression};
  layout.bed = loaded.scenario.bed;
  layout.dry_tolerance = loaded.scenario.scheme.dry_tolerance;
  layout.bed_moves = !loaded.scenario.bed_motions.empty();
  if (!loaded.gauges.empty()) layout.series.push_back(gauge_layout(loaded.gauges));
  if (!loaded.sections.empty()) layout.series.push_back(section_layout(loaded.sections));
  return layout;
}

/// Gauges or sections: their CSV table, and the rows that are in no file yet. The same rows go to a group of
/// the snapshot file, which is the writer's.
struct Series {
  std::optional<SeriesTable> table;  ///< none when there is nothing to read
  std::size_t group = 0;             ///< index into SnapshotLayout::series
  std::int64_t rows = 0;             ///< handed over so far
  std::vector<SeriesRow> pending;

  void open(std::filesystem::path const& path, SeriesLayout const& layout, bool in_place,
            std::int64_t rows_kept, std::int64_t bytes_kept) {
    table = in_place ? SeriesTable::reopen(path, layout, static_cast<std::uint64_t>(bytes_kept))
                     : SeriesTable::create(path, layout);
    rows = rows_kept;
  }
  [[nodiscard]] std::int64_t bytes() const { return table ? static_cast<std::int64_t>(table->bytes()) : 0; }
};

class Run {
public:
  Run(LoadedCase const& loaded, RunOptions const& options, ResultPaths paths, StartPlan plan,
      std::unique_ptr<Simulation> simulation);

  ExitCode execute();

private:
  enum class Outcome { finished, stopped };

  void open_files();
  Outcome step_through();
  Outcome advance_to_output(double target);
  void read_series();
  void read_series_now();
  void hand_over_series();
  void hand_over(Series& series);
  void write_snapshot();
  void write_checkpoint_now();
  void write_maxima_now();
  void close_files();
  [[nodiscard]] bool stop_requested() const;
  [[nodiscard]] bool checkpoint_due() const;
  void plan_next_checkpoint();
  [[nodiscard]] std::string stop_reason() const;
  [[nodiscard]] RunSummary summary(RunSummary::Status status, std::string const& reason) const;
  void try_to_write_summary(RunSummary::Status status, std::string const& reason);
  void save_failed_state();
  void report_end(RunSummary const& result);

  LoadedCase const& loaded_;
  RunOptions const& options_;
  ResultPaths paths_;
  StartPlan plan_;
  std::unique_ptr<Simulation> simulation_;
  RunLog log_;
  SnapshotLayout layout_;
  GaugeSampler gauge_sampler_;
  SectionSampler section_sampler_;
  ProgressReport progress_;

  Series gauges_, sections_;
  Clock::time_point series_handed_over_ = Clock::now();

  std::int64_t records_ = 0;  ///< counted when handed to the writer, which works in order
  double last_record_time_ = -std::numeric_limits<double>::infinity();

  std::int64_t first_step_ = 0;
  double stepping_s_ = 0, output_s_ = 0;
  Clock::time_point last_checkpoint_ = Clock::now();
  double next_checkpoint_time_ = std::numeric_limits<double>::infinity();

  std::unique_ptr<SnapshotFile> snapshots_;  ///< touched by the writer's tasks only
  WriterThread writer_;                      ///< last: its tasks use what lies above
};

Run::Run(LoadedCase const& loaded, RunOptions const& options, ResultPaths paths, StartPlan plan,
         std::unique_ptr<Simulation> simulation)
    : loaded_(loaded),
      options_(options),
      paths_(std::move(paths)),
      plan_(std::move(plan)),
      simulation_(std::move(simulation)),
      log_(paths_.log(), plan_.in_place, options.quiet),
      layout_(snapshot_layout(loaded)),
      gauge_sampler_(loaded.gauges, loaded.scenario.start_time, loaded.scenario.end_time),
      section_sampler_(loaded.sections, loaded.scenario.start_time, loaded.scenario.end_time),
      progress_(log_, loaded.scenario.start_time, loaded.scenario.end_time, loaded.scenario.grid.cells(),
                simulation_->progress()),
      first_step_(simulation_->progress().steps) {}

void Run::open_files() {
  write_atomically(paths_.case_file(), loaded_.case_yaml);
  OutputPosition const at = plan_.in_place ? plan_.checkpoint->position : OutputPosition{};
  records_ = at.snapshot_records;
  SnapshotCounts keep{at.snapshot_records, {}};
  if (!loaded_.gauges.empty()) {
    gauges_.group = keep.series_rows.size();
    gauges_.open(paths_.gauges(), layout_.series[gauges_.group], plan_.in_place, at.gauge_rows,
                 at.gauge_bytes);
    keep.series_rows.push_back(at.gauge_rows);
  }
  if (!loaded_.sections.empty()) {
    sections_.group = keep.series_rows.size();
    sections_.open(paths_.sections(), layout_.series[sections_.group], plan_.in_place, at.section_rows,
                   at.section_bytes);
    keep.series_rows.push_back(at.section_rows);
  }
  writer_.submit([this, keep] {
    auto file = plan_.in_place ? SnapshotFile::reopen(paths_.snapshots(), layout_, keep)
                               : SnapshotFile::create(paths_.snapshots(), layout_);
    snapshots_ = std::make_unique<SnapshotFile>(std::move(file));
  });
  writer_.drain();
  if (plan_.in_place) {
    // Checkpoints of the future that is about to be computed anew would not fit its results.
    for (auto const& file : find_checkpoints(paths_.checkpoints()))
      if (file.filename().string() > checkpoint_name(plan_.checkpoint->steps)) std::filesystem::remove(file);
    if (!snapshots_->times().empty()) last_record_time_ = snapshots_->times().back();
  }
}

ExitCode Run::execute() {
  StopSignals const signals;
  for (auto const& note : loaded_.notes) log_.warn(note);
  for (auto const& note : plan_.notes) log_.warn(note);
  open_files();
  log_.info(formatted("%s: %d x %d cells, %s, %s precision, %d thread%s", layout_.map.title.c_str(),
                      loaded_.scenario.grid.nx, loaded_.scenario.grid.ny, options_.device_name.c_str(),
                      options_.precision == Precision::double_precision ? "double" : "single",
                      options_.threads, options_.threads == 1 ? "" : "s"));
  if (plan_.checkpoint)
    log_.info("continuing from " + plan_.checkpoint_file.string() +
              formatted(" at t = %.9g s, step %lld", plan_.checkpoint->time,
                        static_cast<long long>(plan_.checkpoint->steps)));
  try_to_write_summary(RunSummary::Status::running, "");

  try {
    auto const outcome = step_through();
    if (outcome == Outcome::stopped) {
      auto const reason = stop_reason();
      write_checkpoint_now();
      write_maxima_now();
      close_files();
      try_to_write_summary(RunSummary::Status::stopped, reason);
      log_.info("stopped by " + reason + formatted(" at t = %.9g s; ", simulation_->progress().time) +
                "run again with --restart to continue");
      return ExitCode::stopped;
    }
    if (loaded_.checkpoint.every_s || loaded_.checkpoint.every_wall_s) write_checkpoint_now();
    write_maxima_now();
    close_files();
    report_end(summary(RunSummary::Status::finished, ""));
    write_summary(paths_.summary(), summary(RunSummary::Status::finished, ""));
    return ExitCode::done;
  } catch (NumericalFailure const& failure) {
    std::string reason = failure.what();
    if (failure.i >= 0)
      reason += formatted(" (cell i = %d, j = %d at x = %.2f, y = %.2f, t = %.9g s)", failure.i, failure.j,
                          loaded_.scenario.grid.x_centre(failure.i),
                          loaded_.scenario.grid.y_centre(failure.j), failure.time);
    log_.error(reason);
    save_failed_state();
    try_to_write_summary(RunSummary::Status::failed, reason);
    return ExitCode::numbers_failed;
  } catch (FileError const& error) {
    std::string const reason = error.what();
    log_.error(reason + formatted(" (at t = %.9g s; results committed before are intact)",
                                  simulation_->progress().time));
    try_to_write_summary(RunSummary::Status::failed, reason);
    return ExitCode::files_failed;
  }
}

Run::Outcome Run::step_through() {
  auto const& scenario = loaded_.scenario;
  auto const times = output_times(scenario.start_time, scenario.end_time, loaded_.output.every_s);
  double const now = simulation_->progress().time;
  plan_next_checkpoint();
  if (!plan_.checkpoint) {
    read_series();
    write_snapshot();
  } else {
    if (!plan_.in_place) {
      read_series_now();
      write_snapshot();
    }
    gauge_sampler_.skip_past(now);
    section_sampler_.skip_past(now);
  }
  for (auto next = std::upper_bound(times.begin(), times.end(), now); next != times.end(); ++next)
    if (advance_to_output(*next) == Outcome::stopped) return Outcome::stopped;
  if (last_record_time_ < scenario.end_time) write_snapshot();
  return Outcome::finished;
}

Run::Outcome Run::advance_to_output(double target) {
  for (;;) {
    {
      Stopwatch const stopwatch(stepping_s_);
      double in_callback = 0;
      simulation_->advance_to(target, [&](Progress const& at) {
        Stopwatch const inner(in_callback);
        read_series();
        progress_.step(at);
        return !stop_requested() && !checkpoint_due() && !writer_.failed();
      });
      stepping_s_ -= in_callback;
      output_s_ += in_callback;
    }
    double const now = simulation_->progress().time;
    bool const reached = now >= target;
    if (reached) write_snapshot();
    if (writer_.failed()) writer_.drain();
    bool const at_end = now >= loaded_.scenario.end_time;
    if (stop_requested() && !at_end) return Outcome::stopped;
    if (checkpoint_due() && !at_end) write_checkpoint_now();
    if (reached) return Outcome::finished;
  }
}

void Run::read_series() {
  auto const add = [](Series& series, std::vector<SeriesRow> rows) {
    std::move(rows.begin(), rows.end(), std::back_inserter(series.pending));
  };
  if (gauges_.table) add(gauges_, gauge_sampler_.due(*simulation_));
  if (sections_.table) add(sections_, section_sampler_.due(*simulation_));
  if (Clock::now() - series_handed_over_ >= series_interval) hand_over_series();
}

void Run::read_series_now() {
  if (gauges_.table) gauges_.pending.push_back(gauge_sampler_.now(*simulation_));
  if (sections_.table) sections_.pending.push_back(section_sampler_.now(*simulation_));
}

void Run::hand_over_series() {
  series_handed_over_ = Clock::now();
  hand_over(gauges_);
  hand_over(sections_);
}

void Run::hand_over(Series& series) {
  if (series.pending.empty()) return;
  for (auto const& row : series.pending) series.table->append(row);
  series.table->flush();
  series.rows += static_cast<std::int64_t>(series.pending.size());
  writer_.submit([this, group = series.group, rows = std::exchange(series.pending, {})] {
    snapshots_->append_rows(group, rows);
  });
}

void Run::write_snapshot() {
  Stopwatch const stopwatch(output_s_);
  hand_over_series();
  auto const state = std::make_shared<StateHost const>(simulation_->state());
  writer_.submit([this, state] { snapshots_->append(*state); });
  ++records_;
  last_record_time_ = state->time;
}

void Run::write_checkpoint_now() {
  Stopwatch const stopwatch(output_s_);
  hand_over_series();
  auto checkpoint = std::make_shared<Checkpoint>();
  checkpoint->time = simulation_->progress().time;
  checkpoint->steps = simulation_->progress().steps;
  checkpoint->position = {records_,          gauges_.rows,
                          sections_.rows,    gauges_.bytes(),
                          sections_.bytes(), summary(RunSummary::Status::running, "").wall_total_s};
  checkpoint->fingerprint = fingerprint(loaded_, {options_.precision, options_.processes}, checkpoint->time);
  checkpoint->blobs = simulation_->checkpoint();
  writer_.submit([this, checkpoint] {
    snapshots_->sync();
    for (auto* series : {&gauges_, &sections_})
      if (series->table) series->table->sync();
    write_checkpoint(paths_.checkpoints() / checkpoint_name(checkpoint->steps), *checkpoint);
    prune_checkpoints(paths_.checkpoints(), loaded_.checkpoint.keep);
  });
  plan_next_checkpoint();
  try_to_write_summary(RunSummary::Status::running, "");
}

void Run::write_maxima_now() {
  if (!loaded_.output.maxima.any()) return;
  Stopwatch const stopwatch(output_s_);
  writer_.submit([this, maxima = simulation_->maxima()] {
    write_maxima(paths_.maxima(), layout_.map, layout_.bed, maxima, loaded_.output.compression);
    for (auto const& field : maxima)
      write_raster(paths_.maximum_raster(field.name), layout_.map, field.values);
  });
}

void Run::close_files() {
  Stopwatch const stopwatch(output_s_);
  hand_over_series();
  writer_.submit([this] { snapshots_->close(); });
  writer_.drain();
  for (auto* series : {&gauges_, &sections_})
    if (series->table) series->table->sync();
}

bool Run::stop_requested() const {
  return StopSignals::received().has_value() ||
         (options_.wall_limit_s && seconds_since(options_.started) >= *options_.wall_limit_s);
}

std::string Run::stop_reason() const {
  if (auto const signal = StopSignals::received()) return StopSignals::name(*signal);
  return "the wall limit of " + wall_time_text(*options_.wall_limit_s);
}

bool Run::checkpoint_due() const {
  if (simulation_->progress().time >= next_checkpoint_time_) return true;
  return loaded_.checkpoint.every_wall_s &&
         seconds_since(last_checkpoint_) >= *loaded_.checkpoint.every_wall_s;
}

void Run::plan_next_checkpoint() {
  last_checkpoint_ = Clock::now();
  if (!loaded_.checkpoint.every_s) return;
  double const every = *loaded_.checkpoint.every_s, start = loaded_.scenario.start_time;
  auto const passed = std::floor((simulation_->progress().time - start) / every);
  next_checkpoint_time_ = start + (passed + 1) * every;
  // Rounding may put the multiple just reached ahead of us once more.
  if (next_checkpoint_time_ <= simulation_->progress().time)
    next_checkpoint_time_ = start + (passed + 2) * every;
}

RunSummary Run::summary(RunSummary::Status status, std::string const& reason) const {
  RunSummary s;
  s.status = status;
  s.reason = reason;
  s.title = layout_.map.title;
  s.device = (options_.device == Device::gpu ? "gpu: " : "cpu: ") + options_.device_name;
  s.precision = options_.precision;
  s.threads = options_.threads;
  s.ranks = options_.processes;
  s.grid = loaded_.scenario.grid;
  s.crs = loaded_.output.crs;
  s.active_cells = loaded_.scenario.active_cells();
  s.start_time = loaded_.scenario.start_time;
  s.end_time = loaded_.scenario.end_time;
  s.progress = simulation_->progress();
  s.first_step = first_step_;
  s.wall_s = seconds_since(options_.started);
  s.wall_total_s = s.wall_s + (plan_.checkpoint ? plan_.checkpoint->position.wall_s : 0);
  s.stepping_s = stepping_s_;
  s.output_wait_s = output_s_;
  s.memory_bytes = simulation_->memory_bytes();
  s.timings = simulation_->timings();
  s.balance = simulation_->balance();
  if (plan_.checkpoint) {
    s.restarted_from = plan_.checkpoint_file.string();
    s.restarted_at = plan_.checkpoint->time;
  }
  s.snapshot_records = records_;
  s.notes = loaded_.notes;
  s.notes.insert(s.notes.end(), plan_.notes.begin(), plan_.notes.end());
  return s;
}

void Run::try_to_write_summary(RunSummary::Status status, std::string const& reason) {
  try {
    write_summary(paths_.summary(), summary(status, reason));
  } catch (FileError const& error) {
    log_.error(error.what());
  }
}

/// The results are of use even where the numbers failed: they show where.
void Run::save_failed_state() {
  try {
    if (simulation_->progress().time > last_record_time_) write_snapshot();
    write_maxima_now();
    close_files();
  } catch (FileError const& error) {
    log_.error(error.what());
  }
}

void Run::report_end(RunSummary const& s) {
  log_.info(formatted("finished: t = %.9g s, %lld steps, %s, %.1f Mcell/s, relative volume error %.2g",
                      s.progress.time, static_cast<long long>(s.progress.steps),
                      wall_time_text(s.wall_s).c_str(), s.mcell_per_s(), s.balance.relative_error()));
  log_.info("results in " + paths_.folder.string());
}

/// Creates the folder; true when it was not there.
bool make_folder(std::filesystem::path const& folder) {
  std::error_code error;
  bool const made = std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder, error.message());
  return made;
}

}  // namespace

ExitCode run_case(LoadedCase const& loaded, RunOptions const& options, SimulationFactory const& make) {
  auto const paths = result_paths(loaded, options);
  std::optional<StartPlan> plan;
  if (!std::filesystem::exists(paths.folder)) plan = plan_start(loaded, options, paths);
  auto simulation = make(loaded.scenario, loaded.output.maxima, options.precision, options.device);

  make_folder(paths.folder);
  RunLock const lock(paths);
  if (!plan) plan = plan_start(loaded, options, paths);

  auto const start = loaded.scenario.start_time, end = loaded.scenario.end_time;
  GaugeSampler(loaded.gauges, start, end).attach(*simulation);
  SectionSampler(loaded.sections, start, end).attach(*simulation);
  if (plan->checkpoint) simulation->restore(plan->checkpoint->blobs);
  if (plan->checkpoint) plan->checkpoint->blobs.clear();
  if (!plan->in_place) remove_results(paths);

  return Run(loaded, options, paths, std::move(*plan), std::move(simulation)).execute();
}

}  // namespace swe::io
