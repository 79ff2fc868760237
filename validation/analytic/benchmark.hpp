#pragma once
/// \file
/// What one analytic test is: what to compute, what the exact answer is, what to measure and what to expect.

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "solver/scenario.hpp"
#include "solver/simulation.hpp"
#include "validation/analytic/solutions/flow.hpp"

namespace swe::validation {

using exact::Flow;

enum class Norm { L1, L2, Linf };

/// A number made from the flow whose error is measured, such as the depth or a deviation from a background.
struct Quantity {
  std::string name;
  std::function<double(Flow const&)> of;
};
[[nodiscard]] std::vector<Quantity> depth_and_discharges();  ///< h, hu, hv
[[nodiscard]] std::vector<Quantity> depth_and_discharge();   ///< h, hu: for strips, where hv is 0

/// The observed order between grids n_coarse (0: n/2) and n must reach `least`. A jump sits differently in
/// the cells of every grid, so cases with one are judged over a factor of four.
struct ExpectedOrder {
  int scheme_order;
  std::string quantity;
  Norm norm;
  int n;
  double least;
  int n_coarse = 0;
  double time = -1;  ///< when [s]; negative: at the end
};

/// L1 errors measured by others with a plain scheme (HLL, minmod, hydrostatic reconstruction), as printed.
struct PublishedError {
  int scheme_order;
  std::string quantity;
  struct Entry {
    int n;
    char const* error;
  };
  std::vector<Entry> entries;
};

/// A single number with a limit that holds on its own, such as the velocity of a lake at rest.
struct Check {
  std::string name;
  double value = 0;
  double limit = std::numeric_limits<double>::infinity();  ///< value <= limit; infinite: only reported
};

/// Where the water, or a shock, ends. Looked for along the middle row, from outside.
struct Front {
  std::function<double(double t)> position;  ///< exact x [m]
  double depth;                              ///< the front is where h first exceeds this [m]
  bool from_east = true;                     ///< side from which to look
};

/// Outflow through all boundaries, compared as means over intervals.
struct Hydrograph {
  double interval = 60;  ///< [s]
  /// Exact means of intervals 0 ... count-1 [m3/s].
  std::function<std::vector<double>(Scenario const&, int count)> mean_outflow;
};

struct Benchmark {
  std::string name;   ///< snake_case, unique
  std::string title;  ///< one line
  std::string shows;  ///< what a wrong result would mean
  /// Missing in the solver's interface so far; empty when the test can run.
  std::string needs = {};

  /// The scenario on n cells, with its physics; the driver sets the scheme. Strips run along x here and are
  /// transposed by the driver.
  std::function<Scenario(int n)> scenario;
  bool strip = true;  ///< run along x and along y, and compare both

  /// The exact flow; empty when only `checks` or the hydrograph speak.
  std::function<Flow(double x, double y, double t)> exact = {};
  std::function<bool(double x, double y)> measured = {};  ///< where errors count; everywhere when empty
  std::vector<Quantity> quantities = {};
  std::vector<double> times = {};  ///< when to measure [s]; the last one is the end of the run
  std::vector<Front> fronts = {};
  std::vector<Hydrograph> hydrographs = {};
  std::function<std::vector<Check>(Scenario const&, StateHost const&)> checks = {};
  bool energy = false;  ///< frictionless: report the loss of energy
  bool steady = false;  ///< report how far from steady the end is

  std::vector<int> grids_short = {}, grids_full = {};
  std::vector<ExpectedOrder> expected = {};
  std::vector<PublishedError> published = {};
};

/// All of them, in the order of the report.
[[nodiscard]] std::vector<Benchmark> all_benchmarks();

/// Checks that only make sense on the grid at hand use these.
[[nodiscard]] double largest_speed(StateHost const& state, double least_depth);

}  // namespace swe::validation
