/// \file
/// swe_convergence: runs the analytic tests on series of grids and prints errors, observed orders and what
/// was promised. Exit code 0 when every promise holds but those known to be open, 1 when another is missed, 2 for a wrong command line.

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>

#include "validation/analytic/report.hpp"

using namespace swe;
using namespace swe::validation;

namespace {

/// Promises that the solver does not keep yet. They stay as they are and are printed as missed; the exit code leaves
/// them out, so that new misses show. docs/validation.md says by how much, and why as far as that is known.
struct OpenPoint {
  std::string_view benchmark;
  int order;
  std::string_view promise;  ///< beginning of what was promised; any other miss of the same test counts
};
constexpr OpenPoint open_points[] = {
    {"channel_long_supercritical", 1, "order of L1(h)"},  // comes near 1 from below: 0.88, 0.945, 0.973
};

bool is_open(std::string_view benchmark, int order, std::string_view promise) {
  return std::any_of(std::begin(open_points), std::end(open_points), [&](OpenPoint const& p) {
    return p.benchmark == benchmark && p.order == order && promise.starts_with(p.promise);
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Compares the solver with exact solutions on a series of grids."};
  std::vector<std::string> only;
  std::vector<int> orders = {1, 2};
  std::vector<int> grids;
  std::map<std::string, Scheme::Riemann> const riemann_names = {
      {"hll", Scheme::Riemann::hll}, {"hllc", Scheme::Riemann::hllc}, {"roe", Scheme::Riemann::roe}};
  std::map<std::string, Scheme::Limiter> const limiter_names = {{"minmod", Scheme::Limiter::minmod},
                                                                {"van_leer", Scheme::Limiter::van_leer},
                                                                {"mc", Scheme::Limiter::mc}};
  Scheme scheme;
  bool list = false, quick = false, single = false, gpu = false;
  std::string directory;
  app.add_option("--only", only, "names of tests, or beginnings of names")->delimiter(',');
  app.add_option("--order", orders, "orders of the scheme to run")->delimiter(',')->check(CLI::Range(1, 2));
  app.add_option("--riemann", scheme.riemann, "hll, hllc, roe")
      ->transform(CLI::CheckedTransformer(riemann_names));
  app.add_option("--limiter", scheme.limiter, "minmod, van_leer, mc")
      ->transform(CLI::CheckedTransformer(limiter_names));
  app.add_option("--cfl", scheme.cfl, "Courant number")->check(CLI::Range(0.01, 1.0));
  app.add_option("--grids", grids, "cells along x, instead of each test's own series")->delimiter(',');
  app.add_flag("--quick", quick, "small grids only");
  app.add_flag("--single", single, "single precision");
  app.add_flag("--gpu", gpu, "on the GPU");
  app.add_flag("--list", list, "only list the tests");
  app.add_option("--out", directory, "folder for report.md and report.json");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    int const code = app.exit(error);
    return code == 0 ? 0 : 2;
  }

  std::vector<Benchmark> chosen;
  for (auto& benchmark : all_benchmarks()) {
    bool const wanted = only.empty() || std::any_of(only.begin(), only.end(), [&](std::string const& name) {
                          return benchmark.name.starts_with(name);
                        });
    if (wanted) chosen.push_back(std::move(benchmark));
  }
  if (chosen.empty()) {
    std::cerr << "no test has such a name; --list shows them\n";
    return 2;
  }
  if (list) {
    for (auto const& benchmark : chosen) std::cout << benchmark.name << "  " << benchmark.title << "\n";
    return 0;
  }

  Kokkos::ScopeGuard const kokkos(argc, argv);
  std::vector<Finding> findings;
  std::size_t missed = 0, open = 0, promised = 0, not_run = 0;
  for (auto& benchmark : chosen) {
    Finding finding{std::move(benchmark), {}};
    for (int const order : orders) {
      scheme.order = order;
      auto const& series_grids = !grids.empty() ? grids
                                 : quick        ? finding.benchmark.grids_short
                                                : finding.benchmark.grids_full;
      finding.series.push_back(run_series(finding.benchmark, scheme, series_grids,
                                          single ? Precision::single_precision : Precision::double_precision,
                                          gpu ? Device::gpu : Device::cpu));
      auto const& series = finding.series.back();
      print_text(std::cout, finding.benchmark, series);
      std::cout.flush();
      not_run += !series.not_run.empty();
      promised += series.verdicts.size();
      for (auto const& verdict : series.verdicts) {
        if (verdict.holds()) continue;
        bool const known = is_open(finding.benchmark.name, order, verdict.what);
        if (known) std::cout << "  OPEN: known not to be met yet, see docs/validation.md\n";
        ++(known ? open : missed);
      }
    }
    findings.push_back(std::move(finding));
  }
  std::cout << "\n"
            << promised - missed - open << " of " << promised << " promises kept, " << missed << " missed, " << open
            << " known and open, " << not_run << " series not run\n";

  if (!directory.empty()) {
    std::filesystem::create_directories(directory);
    std::ofstream markdown(directory + "/report.md");
    write_markdown(markdown, findings);
    std::ofstream json(directory + "/report.json");
    write_json(json, findings);
    if (!markdown.flush() || !json.flush()) {
      std::cerr << "cannot write to " << directory << "\n";
      return 4;
    }
  }
  return missed == 0 ? 0 : 1;
}
