/// \file
/// The program: read, validate, build, run. The only file that knows everybody.

#include <Kokkidio/Kokkidio.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <limits>
#include <new>
#include <stdexcept>
#include <variant>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "io/case/load.hpp"
#include "io/output/bench.hpp"
#include "io/output/command_line.hpp"
#include "io/output/compare.hpp"
#include "io/output/file_error.hpp"
#include "io/output/processes.hpp"
#include "io/output/run.hpp"
#include "io/output/start_plan.hpp"
#include "solver/bench.hpp"
#include "solver/simulation.hpp"
#if defined(SWE_KOKKIDIO_BENCHMARKS)
#include "kokkidio/benchmarks/benchmarks.hpp"
#endif

namespace {

using swe::io::ExitCode;

std::chrono::steady_clock::time_point const started = std::chrono::steady_clock::now();

/// Kokkos for the life of the object; only commands that compute need it, and the others must work where a
/// GPU build finds no GPU.
class KokkosSession {
public:
  explicit KokkosSession(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {
    pointers_.push_back(name_.data());
    for (auto& argument : arguments_) pointers_.push_back(argument.data());
    count_ = static_cast<int>(pointers_.size());
    pointers_.push_back(nullptr);
    try {
      guard_.emplace(count_, pointers_.data());
    } catch (std::runtime_error const& error) {
      throw swe::io::InputError({{"--device", 0, "",
                                  std::string("Kokkos does not start; where it was built for a GPU it needs one even to compute on the CPU: ") +
                                      error.what()}});
    }
    if (count_ > 1)
      throw swe::io::InputError(
          {{"command line", 0, "", std::string("Kokkos does not know ") + pointers_[1]}});
  }

private:
  std::string name_ = "swe";
  std::vector<std::string> arguments_;
  std::vector<char*> pointers_;
  int count_ = 0;
  std::optional<Kokkidio::ScopeGuard> guard_;
};

ExitCode execute(swe::io::RunCommand const& command) {
  auto const loaded = swe::io::load_case(command.case_file, command.overrides);
  KokkosSession const session(command.kokkos_arguments);
  auto options = command.options;
  if (!swe::device_available(options.device))
    throw swe::io::InputError({{"--device", 0, "", "this build, on this machine, has no GPU to run on"}});
  options.device_name = swe::device_name(options.device);
  options.threads = Kokkidio::num_threads();
  options.started = started;
  return swe::io::run_case(loaded, options, swe::make_simulation);
}

ExitCode execute(swe::io::CheckCommand const& command) {
  auto const loaded = swe::io::load_case(command.case_file, command.overrides);
  std::fputs(swe::io::describe(loaded).c_str(), stdout);
  for (auto const& note : loaded.notes) std::printf("note: %s\n", note.c_str());
  return ExitCode::done;
}

ExitCode execute(swe::io::CompareCommand const& command) {
  std::vector<swe::io::Tolerance> tolerances;
  if (command.tolerance) tolerances = swe::io::parse_tolerances(*command.tolerance);
  auto const comparison = swe::io::compare_results(command.result, command.reference, tolerances);
  std::fputs(swe::io::comparison_text(comparison).c_str(), stdout);
  return comparison.failures.empty() ? ExitCode::done : ExitCode::comparison_failed;
}

ExitCode execute(swe::io::SchemaCommand const&) {
  std::puts(swe::io::case_schema().c_str());
  return ExitCode::done;
}

/// Once for each precision and order asked for.
ExitCode bench_output(swe::io::BenchCommand const& command, swe::Device device) {
  swe::io::OutputBenchOptions options;
  options.device = device;
  options.threads = device == swe::Device::cpu ? Kokkidio::num_threads() : 1;
  options.folder = command.folder;
  if (command.seconds > 0) options.seconds = command.seconds;
  if (!command.json)
    std::printf("%-12s %6s  order  precision  threads  rounds  s/interval   cost  quartiles        copy s  writer s  cpu s  MB/s\n",
                "variant", "size");
  for (auto const size : command.sizes.empty() ? std::vector<std::int64_t>{options.size} : command.sizes)
    for (auto const& precision : command.precisions.empty() ? std::vector<std::string>{"double"} : command.precisions)
      for (int const order : command.orders.empty() ? std::vector{1} : command.orders) {
        options.size = static_cast<int>(size);
        options.order = order;
        options.precision = precision == "single" ? swe::Precision::single_precision : swe::Precision::double_precision;
        swe::io::bench_output(options, swe::make_simulation, [&](swe::io::OutputBenchRecord const& r) {
          if (command.json) std::puts(to_json(r).c_str());
          else
            std::printf("%-12s %6d  %5d  %9s  %7d  %6d  %10.4f  %4.1f %%  %4.1f to %4.1f %%  %6.3f  %8.3f  %5.3f  %4.0f\n",
                        r.variant.c_str(), r.of.size, order, precision.c_str(), r.of.threads, r.rounds, r.interval_s,
                        100 * r.cost, 100 * r.cost_low, 100 * r.cost_high, r.copy_s, r.writer_s, r.writer_cpu_s, r.mb_per_s);
          std::fflush(stdout);
        });
      }
  return ExitCode::done;
}

ExitCode execute(swe::io::BenchCommand const& command) {
  KokkosSession const session(command.kokkos_arguments);
  auto const known = [&](std::string const& device) {
    if (device == "gpu" && !swe::device_available(swe::Device::gpu))
      throw swe::io::InputError({{"--device", 0, "", "this build, on this machine, has no GPU to run on"}});
    return device == "gpu" ? swe::Device::gpu : swe::Device::cpu;
  };
  if (command.what == "kokkidio") {
#if defined(SWE_KOKKIDIO_BENCHMARKS)
    Kokkidio::benchmarks::Options options;
    if (!command.cases.empty()) options.benches = command.cases;
    if (!command.sizes.empty()) options.sizes = command.sizes;
    if (!command.precisions.empty()) options.precisions = command.precisions;
    if (!command.devices.empty()) options.devices = command.devices;
    for (auto const& device : command.devices) known(device);
    if (command.seconds > 0) options.seconds_per_size = command.seconds;
    Kokkidio::benchmarks::print(options, command.json, std::cout);
    return ExitCode::done;
#else
    throw swe::io::InputError({{"bench", 0, "", "this build leaves Kokkidio's benchmarks out (SWE_BUILD_EXAMPLES)"}});
#endif
  }
  if (command.what == "output")
    return bench_output(command, command.devices.empty() ? swe::Device::cpu : known(command.devices.front()));
  swe::BenchOptions options;
  if (!command.cases.empty()) options.cases = command.cases;
  if (!command.sizes.empty()) options.sizes.assign(command.sizes.begin(), command.sizes.end());
  if (!command.orders.empty()) options.orders = command.orders;
  if (command.seconds > 0) options.seconds = command.seconds;
  if (!command.precisions.empty()) {
    options.precisions.clear();
    for (auto const& p : command.precisions)
      options.precisions.push_back(p == "single" ? swe::Precision::single_precision : swe::Precision::double_precision);
  }
  if (!command.devices.empty()) {
    options.devices.clear();
    for (auto const& device : command.devices) options.devices.push_back(known(device));
  } else if (swe::device_available(swe::Device::gpu)) {
    options.devices.push_back(swe::Device::gpu);
  }
  if (!command.json)
    std::printf("%-9s %6s  order  precision  device  threads  Mcell/s  bytes/cell  share of copy roof  memory/cell\n", "case", "size");
  swe::bench_solver(options, [&](swe::BenchRecord const& r) {
    if (command.json) std::puts(swe::to_json(r).c_str());
    else
      std::printf("%-9s %6d  %5d  %9s  %6s  %7d  %7.1f  %10g  %18.3f  %11.1f\n", r.name.c_str(), r.nx, r.order,
                  r.precision == swe::Precision::double_precision ? "double" : "single",
                  r.device == swe::Device::cpu ? "cpu" : "gpu", r.threads, r.mcell_per_s, r.bytes_per_cell, r.copy_roof_share,
                  r.memory_per_cell);
    std::fflush(stdout);
  });
  return ExitCode::done;
}

/// All that is wrong with what several processes were to do, the case and the checkpoint included.
std::vector<swe::io::Problem> problems_of_several(swe::io::Processes const& processes, swe::io::RunCommand const& run) {
  std::vector problems = {swe::io::too_many_processes(processes)};
  try {
    auto const loaded = swe::io::load_case(run.case_file, run.overrides);
    auto options = run.options;
    options.processes = processes.count;
    (void)swe::io::plan_start(loaded, options, swe::io::result_paths(loaded, options));
  } catch (swe::io::InputError const& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  } catch (swe::io::FileError const& error) {
    problems.push_back({"", 0, "", error.what()});
  }
  return problems;
}
std::vector<swe::io::Problem> problems_of_several(swe::io::Processes const& processes, swe::io::BenchCommand const&) {
  return {swe::io::too_many_processes(processes)};
}

/// What computes is refused to several processes; the rest is done by the first alone.
template <class Command>
ExitCode execute_as(swe::io::Processes const& processes, Command const& command) {
  if (!processes.several()) return execute(command);
  if constexpr (requires { problems_of_several(processes, command); }) {
    if (!processes.first()) return ExitCode::bad_input;
    throw swe::io::InputError(problems_of_several(processes, command));
  } else {
    return processes.first() ? execute(command) : ExitCode::done;
  }
}

/// Every snapshot copies the state into new arrays. Memory given back to the system in between would have to be fetched
/// again page by page, which takes longer than the copy; glibc keeps arrays up to the limit set here (its largest).
void keep_freed_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

ExitCode fail(ExitCode code, char const* reason) {
  std::fprintf(stderr, "error: %s\n", reason);
  return code;
}

ExitCode run_program(swe::io::Processes const& processes, int argc, char** argv) {
  try {
    auto const parsed = swe::io::parse_command_line(argc, argv);
    if (auto const* code = std::get_if<ExitCode>(&parsed)) return *code;
    return std::visit([&](auto const& command) { return execute_as(processes, command); },
                      std::get<swe::io::Command>(parsed));
  } catch (swe::io::InputError const& error) {
    for (auto const& problem : error.problems()) fail(ExitCode::bad_input, problem.text().c_str());
    return ExitCode::bad_input;
  } catch (swe::io::FileError const& error) {
    return fail(ExitCode::files_failed, error.what());
  } catch (std::bad_alloc const&) {
    return fail(ExitCode::bad_input, "the case needs more memory than there is");
  } catch (std::invalid_argument const& error) {
    return fail(ExitCode::bad_input, error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  auto const processes = swe::io::launched_processes();
  if (!processes.first()) swe::io::be_silent();
  auto const code = run_program(processes, argc, argv);
  if (!processes.first() && code != ExitCode::done) swe::io::let_the_first_process_speak();
  return static_cast<int>(code);
}
