#pragma once
/// \file
/// What the user typed, as typed structs.

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

using Command = std::variant<RunCommand, CheckCommand, CompareCommand, SchemaCommand>;

/// The command, or the exit code where the program has nothing more to do: --help, --version, or a mistake
/// that has been explained on the error stream (bad_input).
[[nodiscard]] std::variant<Command, ExitCode> parse_command_line(int argc, char const* const* argv);

}  // namespace swe::io
