#pragma once
/// \file
/// Runs one benchmark on a series of grids with one scheme and judges the result.

#include <optional>
#include <string>
#include <vector>

#include "validation/analytic/benchmark.hpp"

namespace swe::validation {

/// Errors of one quantity at one time.
struct ErrorRow {
  std::string quantity;
  double time = 0;
  double L1 = 0, L2 = 0, Linf = 0;
};

struct FrontRow {
  double time = 0, exact = 0, computed = 0;
};

/// A cut through the middle row at the end, for plots.
struct Profile {
  std::vector<double> x, bed, h, hu, h_exact, hu_exact;
};
/// Outflow over time, for plots.
struct OutflowCurve {
  std::vector<double> time, computed, exact;
};

struct GridResult {
  int n = 0;
  double dx = 0;
  std::int64_t steps = 0;
  double wall_s = 0;
  std::vector<ErrorRow> errors;
  std::vector<FrontRow> fronts;
  std::vector<Check> checks;
  double volume_error = 0;             ///< balance error over what was there and came in [-]
  double smallest_depth = 0;           ///< ever seen [m]
  std::optional<double> energy_loss;   ///< share of the initial energy lost [-]
  std::optional<double> unsteadiness;  ///< largest |dh/dt| and |d(hu)/dt| in the last 5 % of the run
  std::optional<double>
      xy_difference;  ///< largest difference between the run along x and along y, over max h
  Profile profile;
  OutflowCurve outflow;

  [[nodiscard]] ErrorRow const* find(std::string const& quantity, double time) const;
};

/// One thing that was promised, and whether it holds.
struct Verdict {
  std::string what;
  double value = 0, limit = 0;
  bool at_least = false;  ///< value >= limit is wanted, otherwise value <= limit
  [[nodiscard]] bool holds() const { return at_least ? value >= limit : value <= limit; }
};

/// Our L1 error beside one published for a plain scheme of the same order.
struct Comparison {
  std::string quantity;
  int n = 0;
  double ours = 0;
  std::string published;  ///< as printed
};

struct SeriesResult {
  Scheme scheme;
  std::vector<GridResult> grids;
  std::vector<Comparison> comparisons;
  std::vector<Verdict> verdicts;
  std::string not_run;  ///< why there are no results; empty otherwise
  [[nodiscard]] bool passed() const;
};

/// log2 of the ratio of errors between two grids, for any ratio of sizes.
[[nodiscard]] double observed_order(double error_coarse, double error_fine, int n_coarse, int n_fine);

[[nodiscard]] SeriesResult run_series(Benchmark const& benchmark, Scheme const& scheme,
                                      std::vector<int> const& grids,
                                      Precision precision = Precision::double_precision,
                                      Device device = Device::cpu);

[[nodiscard]] std::string riemann_name(Scheme const& scheme);
/// Such as "order 2, hllc, mc".
[[nodiscard]] std::string scheme_name(Scheme const& scheme);

}  // namespace swe::validation
