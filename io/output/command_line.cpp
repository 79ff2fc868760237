#include "io/output/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <string_view>

#include "io/case/values.hpp"
#include "io/output/version.hpp"

namespace swe::io {
namespace {

constexpr std::string_view kokkos_prefix = "--kokkos-";

/// Kokkos' options that take a value; written without `=` the value is the next argument.
constexpr std::array<std::string_view, 8> kokkos_options_with_value = {
    "--kokkos-num-threads", "--kokkos-threads",     "--kokkos-numa",       "--kokkos-device-id",
    "--kokkos-device",      "--kokkos-num-devices", "--kokkos-tools-libs", "--kokkos-map-device-id-by"};

constexpr int most_threads = 65536;  // only keeps slips of the fingers out

bool names_case(std::string_view argument) {
  return argument.ends_with(".yaml") || argument.ends_with(".yml");
}

struct SplitArguments {
  std::vector<std::string> own, kokkos;
};

SplitArguments split(int argc, char const* const* argv) {
  SplitArguments arguments;
  std::vector<std::string> last;
  for (int k = 1; k < argc; ++k) {
    std::string argument = argv[k];
    // The file after --restart is optional; a case file is not it.
    if (argument == "--restart" && k + 1 < argc && names_case(argv[k + 1])) {
      last.push_back(std::move(argument));
      continue;
    }
    if (!argument.starts_with(kokkos_prefix)) {
      arguments.own.push_back(std::move(argument));
      continue;
    }
    bool const wants_value = std::find(kokkos_options_with_value.begin(), kokkos_options_with_value.end(),
                                       argument) != kokkos_options_with_value.end();
    if (wants_value && k + 1 < argc) argument += "=" + std::string(argv[++k]);
    arguments.kokkos.push_back(std::move(argument));
  }
  arguments.own.insert(arguments.own.end(), last.begin(), last.end());
  return arguments;
}

CLI::Validator const wall_time(
    [](std::string& text) -> std::string {
      if (parse_duration(text)) return {};
      return "'" + text + "' is no duration; write 11h50m, 30min, 90s or a number of seconds";
    },
    "DURATION", "wall time");

/// What CLI11 fills; its types are simpler than ours.
struct RawOptions {
  std::string case_file, directory, restart_file, wall_limit, result, reference, tolerance;
  std::vector<std::string> overrides;
  std::string device = "cpu", precision = "double";
  int threads = 0;
  bool overwrite = false, quiet = false;
};

void add_case_options(CLI::App& command, RawOptions& raw) {
  command.add_option("CASE", raw.case_file, "Case file (YAML)")->required();
  command
      .add_option("--set", raw.overrides,
                  "Change a key of the case; repeatable, lists by index: gauges.0.x=5")
      ->type_name("KEY.PATH=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

/// Kokkos' arguments as given, and `--threads` last, so that it wins.
std::vector<std::string> kokkos_arguments(RawOptions const& raw, std::vector<std::string> kokkos) {
  if (raw.threads > 0) kokkos.push_back("--kokkos-num-threads=" + std::to_string(raw.threads));
  return kokkos;
}

RunCommand run_command(RawOptions const& raw, CLI::App const& app, std::vector<std::string> kokkos) {
  RunCommand command;
  command.case_file = raw.case_file;
  command.overrides = raw.overrides;
  auto& options = command.options;
  if (!raw.directory.empty()) options.directory = raw.directory;
  options.precision = raw.precision == "single" ? Precision::single_precision : Precision::double_precision;
  options.device = raw.device == "gpu" ? Device::gpu : Device::cpu;
  if (!raw.wall_limit.empty()) options.wall_limit_s = parse_duration(raw.wall_limit)->seconds;
  options.overwrite = raw.overwrite;
  options.quiet = raw.quiet;
  options.restart = app.count("--restart") > 0;
  if (!raw.restart_file.empty()) options.restart_file = raw.restart_file;
  command.kokkos_arguments = kokkos_arguments(raw, std::move(kokkos));
  return command;
}

}  // namespace

std::variant<Command, ExitCode> parse_command_line(int argc, char const* const* argv) {
  RawOptions raw;
  CLI::App app("Two-dimensional shallow-water flow: dam breaks, floods, tsunami run-up", "swe");
  app.set_version_flag("--version", "swe " + std::string(version));
  app.require_subcommand(1);

  auto& run = *app.add_subcommand("run", "Run a case");
  add_case_options(run, raw);
  run.add_option("-o,--output", raw.directory, "Result folder, instead of the case's")->type_name("DIR");
  run.add_option(
         "--restart", raw.restart_file,
         "Continue from the newest good checkpoint in the result folder, or from FILE; starts afresh where "
         "there is none")
      ->type_name("[FILE]")
      ->expected(0, 1);
  run.add_option("--device", raw.device, "cpu or gpu")
      ->check(CLI::IsMember({"cpu", "gpu"}))
      ->capture_default_str();
  run.add_option("--precision", raw.precision, "double or single")
      ->check(CLI::IsMember({"double", "single"}))
      ->capture_default_str();
  run.add_option("--threads", raw.threads, "CPU threads")->check(CLI::Range(1, most_threads));
  run.add_option("--wall-limit", raw.wall_limit,
                 "Stop after this wall time with a checkpoint and exit code 75, such as 11h50m")
      ->check(wall_time);
  run.add_flag("--overwrite", raw.overwrite, "Replace results that are there already");
  run.add_flag("--quiet", raw.quiet, "Only warnings and errors");
  run.footer("Options that begin with --kokkos- go to Kokkos; --threads wins over --kokkos-num-threads.");

  auto& check = *app.add_subcommand("check", "Read and check a case, run nothing");
  add_case_options(check, raw);

  auto& compare = *app.add_subcommand("compare", "Compare two results; exit code 1 when they differ");
  compare.add_option("RESULT", raw.result, "Result folder, .nc or .csv")->required();
  compare.add_option("REFERENCE", raw.reference, "Reference of the same kind")->required();
  compare.add_option(
      "--tolerance", raw.tolerance,
      "Limits such as h:l1=1e-3,hu:linf=0.01 (norms l1, l2, linf, rmse, nse); without it every value "
      "must be equal to the bit");

  auto& schema = *app.add_subcommand("schema", "Print the JSON Schema of the case file");

  BenchCommand bench_command;
  auto& bench = *app.add_subcommand("bench", "Measure the speed of this build on this machine");
  bench.add_option("WHAT", bench_command.what, "solver, output or kokkidio")
      ->check(CLI::IsMember({"solver", "output", "kokkidio"}))
      ->capture_default_str();
  bench.add_flag("--json", bench_command.json, "One JSON object a line instead of a table");
  bench.add_option("--case", bench_command.cases, "Benchmarks, such as friction,dry95 or axpy,dot")
      ->delimiter(',');
  bench.add_option("--size", bench_command.sizes, "Cells along each side, or items")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  bench.add_option("--order", bench_command.orders, "1, 2 or both")->delimiter(',')->check(CLI::Range(1, 2));
  bench.add_option("--precision", bench_command.precisions, "double, single or both")
      ->delimiter(',')
      ->check(CLI::IsMember({"double", "single"}));
  bench.add_option("--device", bench_command.devices, "cpu, gpu or both")
      ->delimiter(',')
      ->check(CLI::IsMember({"cpu", "gpu"}));
  bench.add_option("--threads", raw.threads, "CPU threads")->check(CLI::Range(1, most_threads));
  bench.add_option("--seconds", bench_command.seconds, "Measuring time of one combination")
      ->check(CLI::PositiveNumber);

  bench
      .add_option("-o,--output", raw.directory,
                  "Folder in which output is tried (default: the temporary one)")
      ->type_name("DIR");

  auto arguments = split(argc, argv);
  try {
    std::reverse(arguments.own.begin(), arguments.own.end());  // CLI11 takes them from the back
    app.parse(arguments.own);
    if (!arguments.kokkos.empty() && !run.parsed() && !bench.parsed())
      throw CLI::ExtrasError({arguments.kokkos.front() + " only makes sense with run and bench"});
  } catch (CLI::ParseError const& error) {
    int const code = app.exit(error, std::cout, std::cerr);
    return code == 0 ? ExitCode::done : ExitCode::bad_input;
  }
  if (run.parsed()) return Command(run_command(raw, run, std::move(arguments.kokkos)));
  if (check.parsed()) return Command(CheckCommand{raw.case_file, raw.overrides});
  if (compare.parsed())
    return Command(CompareCommand{raw.result, raw.reference,
                                  raw.tolerance.empty() && compare.count("--tolerance") == 0
                                      ? std::nullopt
                                      : std::optional(raw.tolerance)});
  if (bench.parsed()) {
    bench_command.folder = raw.directory;
    bench_command.kokkos_arguments = kokkos_arguments(raw, std::move(arguments.kokkos));
    return Command(std::move(bench_command));
  }
  (void)schema;
  return Command(SchemaCommand{});
}

}  // namespace swe::io
