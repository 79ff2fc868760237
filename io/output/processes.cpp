#include "io/output/processes.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

namespace swe::io {
namespace {

constexpr auto patience = std::chrono::seconds(5);

struct Launcher {
  char const *count, *rank;
};

/// The launcher nearest to the process comes first: mpirun is often called inside a Slurm job, never the
/// reverse. SLURM_NTASKS is not here, because a batch script has it too; SLURM_STEP_NUM_TASKS is set by srun
/// alone.
constexpr std::array<Launcher, 3> launchers = {Launcher{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                               {"PMI_SIZE", "PMI_RANK"},
                                               {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

std::optional<int> number(char const* text) {
  if (text == nullptr) return std::nullopt;
  int value = 0;
  auto const* const end = text + std::strlen(text);
  auto const [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end || value < 0) return std::nullopt;
  return value;
}

}  // namespace

Processes launched_processes(Environment const& environment) {
  for (auto const& launcher : launchers) {
    auto const count = number(environment(launcher.count)), rank = number(environment(launcher.rank));
    if (count && rank) return {*count, *rank, launcher.count + ("=" + std::to_string(*count))};
  }
  // PMIx alone tells no count, but a second process knows that there are two.
  if (auto const rank = number(environment("PMIX_RANK")); rank && *rank > 0)
    return {*rank + 1, *rank, "PMIX_RANK=" + std::to_string(*rank)};
  return {};
}

Processes launched_processes() {
  return launched_processes([](char const* name) { return std::getenv(name); });
}

Problem too_many_processes(Processes const& processes) {
  return {"", 0, "",
          "started as " + std::to_string(processes.count) + " processes (" + processes.variable +
              "), but this program computes in 1: start it without mpirun, or with srun -n 1, and share the "
              "work among "
              "threads with --threads"};
}

void be_silent() {
  for (auto* const stream : {stdout, stderr})
    if (std::freopen("/dev/null", "w", stream) == nullptr) std::fclose(stream);
}

void let_the_first_process_speak() { std::this_thread::sleep_for(patience); }

}  // namespace swe::io
