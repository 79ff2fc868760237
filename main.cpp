/// \file
/// The program: read, validate, build, run. The only file that knows everybody.

#include <Kokkidio/Kokkidio.hpp>
#include <chrono>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <variant>

#include "io/case/load.hpp"
#include "io/output/command_line.hpp"
#include "io/output/compare.hpp"
#include "io/output/file_error.hpp"
#include "io/output/run.hpp"
#include "solver/simulation.hpp"

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
    guard_.emplace(count_, pointers_.data());
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

ExitCode fail(ExitCode code, char const* reason) {
  std::fprintf(stderr, "error: %s\n", reason);
  return code;
}

ExitCode run_program(int argc, char** argv) {
  try {
    auto const parsed = swe::io::parse_command_line(argc, argv);
    if (auto const* code = std::get_if<ExitCode>(&parsed)) return *code;
    return std::visit([](auto const& command) { return execute(command); },
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

int main(int argc, char** argv) { return static_cast<int>(run_program(argc, argv)); }
