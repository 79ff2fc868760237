#pragma once
/// \file
/// What a run tells: `run.log`, the terminal, and the line that shows how far it is.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "solver/simulation.hpp"

namespace spdlog {
class logger;
}

namespace swe::io {

/// Messages go to run.log with the time of day and to the terminal without (unless quiet; errors always). A
/// log that cannot be written never stops a run.
class RunLog {
public:
  /// `append`: keep what an earlier run logged.
  RunLog(std::filesystem::path const& file, bool append, bool quiet);
  ~RunLog();

  void info(std::string const& text);
  void warn(std::string const& text);
  void error(std::string const& text);
  /// On a terminal one line that is written over; elsewhere plain lines.
  void progress(std::string const& text);
  [[nodiscard]] bool on_terminal() const { return terminal_; }
  [[nodiscard]] bool quiet() const { return quiet_; }

private:
  void clear_progress();

  std::shared_ptr<spdlog::logger> file_;
  bool quiet_, terminal_, progress_shown_ = false;
};

/// Decides when to show progress and words it: simulated time, step, Mcell/s, time left.
class ProgressReport {
public:
  using Clock = std::chrono::steady_clock;
  ProgressReport(RunLog& log, double start, double end, std::int64_t cells, Progress const& at);
  /// Call after every step.
  void step(Progress const& progress);

private:
  RunLog& log_;
  double start_, end_;
  std::int64_t cells_;
  Progress first_;
  Clock::time_point began_ = Clock::now(), shown_ = began_;
  Clock::duration interval_;
};

/// `2 h 05 min`, `3 min 20 s`, `4.2 s`
[[nodiscard]] std::string wall_time_text(double seconds);

/// Text as printf makes it.
[[gnu::format(printf, 1, 2)]] [[nodiscard]] std::string formatted(char const* format, ...);

}  // namespace swe::io
