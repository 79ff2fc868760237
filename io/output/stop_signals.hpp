#pragma once
/// \file
/// Signals as a polite request to stop after a checkpoint.

#include <csignal>
#include <optional>

namespace swe::io {

/// While it lives, SIGTERM, SIGINT and SIGUSR1 are noted instead of ending the process, and SIGXFSZ (file
/// size limit) becomes an ordinary write error. One at a time.
class StopSignals {
public:
  StopSignals();
  StopSignals(StopSignals const&) = delete;
  StopSignals& operator=(StopSignals const&) = delete;
  ~StopSignals();

  /// The signal that arrived, if any.
  [[nodiscard]] static std::optional<int> received();
  [[nodiscard]] static char const* name(int signal);

private:
  struct sigaction old_term_ {
  }, old_int_{}, old_usr1_{}, old_xfsz_{};
};

}  // namespace swe::io
