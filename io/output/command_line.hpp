#pragma once
/// \file
/// What the user typed, as typed structs.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/output/run.hpp"

namespace swe::io {

struct RunCommand {
  std::filesystem::path case_file;
  std::vector<std::string> overrides;  ///< `key.path=value`
  RunOptions options;
  /// For Kokkos, with `--threads` translated and last, so that it wins.
  std::vector<std::string> kokkos_arguments;
};

struct CheckCommand {
  std::filesystem::path case_file;
  std::vector<std::string> overrides;
};

struct CompareCommand {
  std::filesystem::path result, reference;
  std::optional<std::string> tolerance;
};

struct SchemaCommand {};

struct BenchCommand {
  std::string what = "solver";  ///< solver, output or kokkidio
  bool json = false;
  std::vector<std::string> cases, precisions, devices;  ///< empty: the benchmark's own choice
  std::vector<std::int64_t> sizes;
  std::vector<int> orders;
  double seconds = 0;            ///< 0: the benchmark's own choice
  std::filesystem::path folder;  ///< for what the output benchmark writes; empty: its own choice
  std::vector<std::string> kokkos_arguments;
};

using Command = std::variant<RunCommand, CheckCommand, CompareCommand, SchemaCommand, BenchCommand>;

/// The command, or the exit code where the program has nothing more to do: --help, --version, or a mistake
/// that has been explained on the error stream (bad_input).
[[nodiscard]] std::variant<Command, ExitCode> parse_command_line(int argc, char const* const* argv);

}  // namespace swe::io
