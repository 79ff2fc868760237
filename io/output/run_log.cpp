#include "io/output/run_log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>

#include "io/output/file_error.hpp"

namespace swe::io {

RunLog::RunLog(std::filesystem::path const& file, bool append, bool quiet)
    : quiet_(quiet), terminal_(!quiet && isatty(STDOUT_FILENO) != 0) {
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string(), !append);
    file_ = std::make_shared<spdlog::logger>("run", std::move(sink));
    file_->set_pattern("%Y-%m-%d %H:%M:%S %^%l%$ %v");
    file_->flush_on(spdlog::level::info);
    file_->set_error_handler([](std::string const&) {});
  } catch (spdlog::spdlog_ex const& error) {
    throw FileError(file, error.what());
  }
}

RunLog::~RunLog() { clear_progress(); }

void RunLog::clear_progress() {
  if (!progress_shown_) return;
  std::fputs("\r\033[K", stdout);
  std::fflush(stdout);
  progress_shown_ = false;
}

void RunLog::info(std::string const& text) {
  file_->info(text);
  if (quiet_) return;
  clear_progress();
  std::fputs((text + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void RunLog::warn(std::string const& text) {
  file_->warn(text);
  clear_progress();
  std::fputs(("warning: " + text + "\n").c_str(), stderr);
}

void RunLog::error(std::string const& text) {
  file_->error(text);
  clear_progress();
  std::fputs(("error: " + text + "\n").c_str(), stderr);
}

void RunLog::progress(std::string const& text) {
  if (terminal_) {
    std::fputs(("\r" + text + "\033[K").c_str(), stdout);
    std::fflush(stdout);
    progress_shown_ = true;
  } else {
    info(text);
  }
}

ProgressReport::ProgressReport(RunLog& log, double start, double end, std::int64_t cells, Progress const& at)
    : log_(log),
      start_(start),
      end_(end),
      cells_(cells),
      first_(at),
      interval_(log.on_terminal() ? std::chrono::milliseconds(250) : std::chrono::seconds(10)) {}

void ProgressReport::step(Progress const& progress) {
  auto const now = Clock::now();
  if (now - shown_ < interval_) return;
  shown_ = now;
  double const wall = std::chrono::duration<double>(now - began_).count();
  double const done = end_ > start_ ? (progress.time - start_) / (end_ - start_) : 1;
  double const rate = (progress.time - first_.time) / wall;
  double const speed =
      static_cast<double>(cells_) * static_cast<double>(progress.steps - first_.steps) / wall / 1e6;
  std::string const left = rate > 0 ? wall_time_text((end_ - progress.time) / rate) : std::string("?");
  log_.progress(formatted("t = %.1f of %.1f s (%.0f %%)   step %lld   dt %.3g s   %.1f Mcell/s   %s left",
                          progress.time, end_, 100 * done, static_cast<long long>(progress.steps),
                          progress.dt, speed, left.c_str()));
}

std::string wall_time_text(double seconds) {
  if (seconds < 60) return formatted("%.1f s", seconds);
  auto const whole = static_cast<long long>(seconds + 0.5);
  if (whole < 3600) return formatted("%lld min %02lld s", whole / 60, whole % 60);
  return formatted("%lld h %02lld min", whole / 3600, whole % 3600 / 60);
}

std::string formatted(char const* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::va_list again;
  va_copy(again, arguments);
  int const size = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(static_cast<std::size_t>(size), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

}  // namespace swe::io
