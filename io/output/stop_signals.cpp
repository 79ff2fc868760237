#include "io/output/stop_signals.hpp"

namespace swe::io {
namespace {

volatile std::sig_atomic_t received_signal = 0;

extern "C" void note_signal(int signal) { received_signal = signal; }

}  // namespace

StopSignals::StopSignals() {
  received_signal = 0;
  struct sigaction note {};
  note.sa_handler = note_signal;
  sigemptyset(&note.sa_mask);
  note.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &note, &old_term_);
  sigaction(SIGINT, &note, &old_int_);
  sigaction(SIGUSR1, &note, &old_usr1_);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigemptyset(&ignore.sa_mask);
  sigaction(SIGXFSZ, &ignore, &old_xfsz_);
}

StopSignals::~StopSignals() {
  sigaction(SIGTERM, &old_term_, nullptr);
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGUSR1, &old_usr1_, nullptr);
  sigaction(SIGXFSZ, &old_xfsz_, nullptr);
}

std::optional<int> StopSignals::received() {
  if (received_signal == 0) return std::nullopt;
  return static_cast<int>(received_signal);
}

char const* StopSignals::name(int signal) {
  switch (signal) {
    case SIGTERM:
      return "SIGTERM";
    case SIGINT:
      return "SIGINT";
    case SIGUSR1:
      return "SIGUSR1";
    default:
      return "signal";
  }
}

}  // namespace swe::io
