#pragma once
/// \file
/// Start and end of a program, and the number of threads of host kernels.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace Kokkidio {

namespace detail {
inline int& requested_threads() {
  static int threads = 0;
  return threads;
}
}  // namespace detail

/// Threads that host kernels use: the number set, else OpenMP's (which Kokkos sets where it has OpenMP).
[[nodiscard]] inline int num_threads() {
#if defined(_OPENMP)
  return detail::requested_threads() > 0 ? detail::requested_threads() : omp_get_max_threads();
#else
  return 1;
#endif
}

/// Sets the threads of host kernels; 0 gives the choice back to OpenMP. Results do not depend on it.
inline void set_num_threads(int threads) {
  if (threads < 0) throw std::invalid_argument("Kokkidio: the number of threads cannot be negative");
  detail::requested_threads() = threads;
}

namespace detail {

/// The number in `--kokkos-num-threads=4` or `--kokkos-threads=4`; nothing for other arguments.
inline std::optional<int> threads_argument(std::string_view argument) {
  for (std::string_view name : {"--kokkos-num-threads=", "--kokkos-threads="}) {
    if (!argument.starts_with(name)) continue;
    std::string_view const value = argument.substr(name.size());
    int threads = 0;
    auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), threads);
    if (error != std::errc() || end != value.data() + value.size() || threads < 1)
      throw std::invalid_argument("Kokkidio: " + std::string(argument) + " needs a positive number");
    return threads;
  }
  return std::nullopt;
}

}  // namespace detail

/// Starts Kokkos, ends it when it goes out of scope. `--kokkos-num-threads=N` and `--kokkos-threads=N` both
/// work with every Kokkos, and set the threads of host kernels also where Kokkos itself is Serial; so does
/// the environment variable KOKKOS_NUM_THREADS. Options that begin with `--kokkos-` are Kokkos' and removed
/// from `argc`, `argv`; all others are the program's, and Kokkos does not see them.
class ScopeGuard {
public:
  ScopeGuard(int& argc, char** argv) { start(argc, argv); }
  ScopeGuard() {
    int argc = 0;
    start(argc, nullptr);
  }
  ScopeGuard(ScopeGuard const&) = delete;
  ScopeGuard& operator=(ScopeGuard const&) = delete;
  ~ScopeGuard() {
    Kokkos::finalize();
    detail::requested_threads() = 0;
  }

private:
  static void start(int& argc, char** argv) {
    std::optional<int> threads;
    if (char const* text = std::getenv("KOKKOS_NUM_THREADS"))
      threads = detail::threads_argument(std::string("--kokkos-num-threads=") + text);
    // Kokkos sees its own options only: 3.4 also takes a program's `--device` or `--threads` for its own.
    std::string name, option;
    std::vector<char*> own, for_kokkos{argc > 0 ? argv[0] : name.data()};
    for (int k = 0; k < argc; ++k) {
      if (auto const number = detail::threads_argument(argv[k]))
        threads = number;
      else
        (std::string_view(argv[k]).starts_with("--kokkos-") ? for_kokkos : own).push_back(argv[k]);
    }
    if (threads) {  // in the spelling of its version
      set_num_threads(*threads);
      option = (KOKKOS_VERSION >= 30700 ? "--kokkos-num-threads=" : "--kokkos-threads=") +
               std::to_string(*threads);
      for_kokkos.push_back(option.data());
    }
    int count = int(for_kokkos.size());
    for_kokkos.push_back(nullptr);
    Kokkos::initialize(count, for_kokkos.data());
    for (int k = 1; k < count; ++k)  // what it did not know is the program's
      if (for_kokkos[k] != option.data()) own.push_back(for_kokkos[k]);
    std::copy_n(own.begin(), std::min(argc, int(own.size())), argv);
    if (int(own.size()) < argc) {
      argc = int(own.size());
      argv[argc] = nullptr;
    }
  }
};

}  // namespace Kokkidio
