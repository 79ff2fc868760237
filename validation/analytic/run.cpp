#include "validation/analytic/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

#include "validation/analytic/measure.hpp"
#include "validation/analytic/scenario_tools.hpp"

namespace swe::validation {

namespace {

/// The computed state in the frame of the benchmark, whichever way the strip runs.
struct Frame {
  Scenario scenario;  ///< as run
  bool turned = false;
  [[nodiscard]] StateHost state(Simulation const& simulation) const {
    StateHost const s = simulation.state();
    return turned ? transposed(s, scenario.grid.nx, scenario.grid.ny) : s;
  }
};

double largest_difference(StateHost const& a, StateHost const& b) {
  double largest = 0, scale = 0;
  auto const compare = [&](std::vector<double> const& u, std::vector<double> const& v) {
    for (std::size_t k = 0; k < u.size(); ++k) {
      double const difference = std::abs(u[k] - v[k]);
      if (difference > largest) largest = difference;
    }
  };
  compare(a.h, b.h);
  compare(a.hu, b.hu);
  compare(a.hv, b.hv);
  for (double const h : a.h) scale = std::max(scale, h);
  return scale > 0 ? largest / scale : largest;
}

/// Times to stop at, rising, each once.
std::vector<double> stops(Benchmark const& benchmark, double end_time) {
  std::vector<double> times = benchmark.times;
  times.push_back(end_time);
  if (benchmark.steady) times.push_back(0.95 * end_time);
  for (auto const& hydrograph : benchmark.hydrographs) {
    for (int k = 1; k * hydrograph.interval <= end_time * (1 + 1e-12); ++k)
      times.push_back(k * hydrograph.interval);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

bool contains(std::vector<double> const& times, double t) {
  return std::find(times.begin(), times.end(), t) != times.end();
}

Profile middle_row(Benchmark const& benchmark, Scenario const& scenario, StateHost const& state) {
  Profile profile;
  Grid const& grid = scenario.grid;
  int const row = grid.ny / 2;
  for (int i = 0; i < grid.nx; ++i) {
    auto const cell = grid.index(i, row);
    profile.x.push_back(grid.x_centre(i));
    profile.bed.push_back(scenario.bed[cell]);
    profile.h.push_back(state.h[cell]);
    profile.hu.push_back(state.hu[cell]);
    if (benchmark.exact) {
      Flow const f = benchmark.exact(grid.x_centre(i), grid.y_centre(row), state.time);
      profile.h_exact.push_back(f.h);
      profile.hu_exact.push_back(f.hu());
    }
  }
  return profile;
}

GridResult run_grid(Benchmark const& benchmark, Scheme const& scheme, int n, Precision precision,
                    Device device) {
  Scenario scenario = benchmark.scenario(n);
  auto const [gravity, dry_tolerance] = std::pair{scenario.scheme.gravity, scenario.scheme.dry_tolerance};
  scenario.scheme = scheme;
  scenario.scheme.gravity = gravity;
  scenario.scheme.dry_tolerance = dry_tolerance;

  GridResult result;
  result.n = n;
  result.dx = scenario.grid.dx;
  result.smallest_depth = std::numeric_limits<double>::infinity();
  std::optional<StateHost> end_along_x;

  for (bool const turned : {false, true}) {
    if (turned && !benchmark.strip) break;
    Frame const frame{turned ? transposed(scenario) : scenario, turned};
    auto const started = std::chrono::steady_clock::now();
    auto const simulation = make_simulation(frame.scenario, {}, precision, device);
    double const energy_before = benchmark.energy ? total_energy(scenario, frame.state(*simulation)) : 0;
    // Reading a large state back after every step would cost more than the step.
    bool const watch_every_step = scenario.grid.cells() <= 2000;
    auto const watch = [&](Progress const&) {
      if (watch_every_step)
        result.smallest_depth = std::min(result.smallest_depth, smallest_depth(simulation->state()));
      return true;
    };

    std::optional<StateHost> before_end;
    double let_out = 0;
    OutflowCurve outflow;
    for (double const t : stops(benchmark, scenario.end_time)) {
      simulation->advance_to(t, watch);
      if (!benchmark.hydrographs.empty()) {
        auto const balance = simulation->balance();
        double const now = balance.boundary_out - balance.boundary_in;
        double const interval = benchmark.hydrographs.front().interval;
        outflow.time.push_back(t - 0.5 * interval);
        outflow.computed.push_back((now - let_out) / interval);
        let_out = now;
        if (t != scenario.end_time) continue;
      }
      StateHost const state = frame.state(*simulation);
      result.smallest_depth = std::min(result.smallest_depth, smallest_depth(state));
      if (benchmark.steady && t == 0.95 * scenario.end_time) before_end = state;
      if (turned) continue;
      if (benchmark.exact && (contains(benchmark.times, t) || t == scenario.end_time)) {
        auto const errors = errors_of(benchmark, scenario.grid, state);
        for (std::size_t k = 0; k < errors.size(); ++k) {
          result.errors.push_back(
              {benchmark.quantities[k].name, t, errors[k].L1(), errors[k].L2(), errors[k].Linf()});
        }
        for (auto const& front : benchmark.fronts) {
          result.fronts.push_back(
              {t, front.position(t), find_front(front, scenario.grid, state).value_or(NAN)});
        }
      }
    }

    StateHost const end = frame.state(*simulation);
    double const volume_error = std::abs(simulation->balance().relative_error());
    result.volume_error = std::max(result.volume_error, volume_error);
    if (turned) {
      result.xy_difference = largest_difference(*end_along_x, end);
      continue;
    }
    end_along_x = end;
    result.steps = simulation->progress().steps;
    result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    if (benchmark.energy) result.energy_loss = 1 - total_energy(scenario, end) / energy_before;
    if (before_end) result.unsteadiness = largest_difference(*before_end, end) / (0.05 * scenario.end_time);
    if (benchmark.checks) result.checks = benchmark.checks(scenario, end);
    result.profile = middle_row(benchmark, scenario, end);
    if (!benchmark.hydrographs.empty()) {
      outflow.exact = benchmark.hydrographs.front().mean_outflow(scenario, int(outflow.time.size()));
      Errors errors;
      for (std::size_t k = 0; k < outflow.time.size(); ++k) errors.add(outflow.computed[k], outflow.exact[k]);
      result.errors.push_back({"outflow", scenario.end_time, errors.L1(), errors.L2(), errors.Linf()});
      result.outflow = std::move(outflow);
    }
  }
  return result;
}

/// A printed number stands for everything that rounds to it: half a unit of its last digit more is still
/// equal.
double upper_end_of_printed(char const* text) {
  char const* const point = std::strchr(text, '.');
  double const unit = point ? std::pow(10.0, -double(std::strlen(point + 1))) : 1.0;
  return std::atof(text) + 0.5 * unit;
}

char const* norm_name(Norm norm) { return norm == Norm::L1 ? "L1" : norm == Norm::L2 ? "L2" : "Linf"; }
double norm_of(ErrorRow const& row, Norm norm) {
  return norm == Norm::L1 ? row.L1 : norm == Norm::L2 ? row.L2 : row.Linf;
}

void judge(Benchmark const& benchmark, SeriesResult& series) {
  auto const grid_of = [&](int n) -> GridResult const* {
    for (auto const& grid : series.grids) {
      if (grid.n == n) return &grid;
    }
    return nullptr;
  };
  for (auto const& grid : series.grids) {
    std::string const on = " at n = " + std::to_string(grid.n);
    series.verdicts.push_back({"smallest depth [m]" + on, grid.smallest_depth, 0, true});
    series.verdicts.push_back({"volume error" + on, grid.volume_error, 1e-12});
    if (grid.xy_difference) series.verdicts.push_back({"x against y" + on, *grid.xy_difference, 1e-10});
    for (auto const& check : grid.checks) {
      if (std::isfinite(check.limit)) series.verdicts.push_back({check.name + on, check.value, check.limit});
    }
  }
  for (auto const& expected : benchmark.expected) {
    GridResult const *fine = grid_of(expected.n),
                     *coarse = grid_of(expected.n_coarse > 0 ? expected.n_coarse : expected.n / 2);
    if (expected.scheme_order != series.scheme.order || !fine || !coarse) continue;
    auto const judged = [&](GridResult const& grid) {
      ErrorRow const* found = nullptr;
      for (auto const& row : grid.errors) {
        if (row.quantity == expected.quantity && (expected.time < 0 || row.time == expected.time))
          found = &row;
      }
      return found;
    };
    ErrorRow const *e_fine = judged(*fine), *e_coarse = judged(*coarse);
    if (!e_fine || !e_coarse) continue;
    double const order = observed_order(norm_of(*e_coarse, expected.norm), norm_of(*e_fine, expected.norm),
                                        coarse->n, fine->n);
    series.verdicts.push_back({std::string("order of ") + norm_name(expected.norm) + "(" + expected.quantity +
                                   "), " + std::to_string(coarse->n) + " to " + std::to_string(fine->n),
                               order, expected.least, true});
  }
  for (auto const& published : benchmark.published) {
    if (published.scheme_order != series.scheme.order) continue;
    for (auto const& entry : published.entries) {
      GridResult const* grid = grid_of(entry.n);
      if (!grid) continue;
      for (auto const& row : grid->errors) {
        // the first time measured is the one that was published
        if (row.quantity != published.quantity) continue;
        series.comparisons.push_back({row.quantity, entry.n, row.L1, entry.error});
        // Only second order promises to be better; the first-order errors of two plain schemes differ by
        // their steps.
        if (series.scheme.order == 2) {
          series.verdicts.push_back({"L1(" + row.quantity + ") at n = " + std::to_string(entry.n) +
                                         " against that of a plain scheme",
                                     row.L1, upper_end_of_printed(entry.error)});
        }
        break;
      }
    }
  }
}

}  // namespace

ErrorRow const* GridResult::find(std::string const& quantity, double time) const {
  for (auto const& row : errors) {
    if (row.quantity == quantity && row.time == time) return &row;
  }
  return nullptr;
}

bool SeriesResult::passed() const {
  return std::all_of(verdicts.begin(), verdicts.end(), [](Verdict const& v) { return v.holds(); });
}

double observed_order(double error_coarse, double error_fine, int n_coarse, int n_fine) {
  return std::log(error_coarse / error_fine) / std::log(double(n_fine) / n_coarse);
}

SeriesResult run_series(Benchmark const& benchmark, Scheme const& scheme, std::vector<int> const& grids,
                        Precision precision, Device device) {
  SeriesResult series;
  series.scheme = scheme;
  if (!benchmark.needs.empty()) {
    series.not_run = "needs " + benchmark.needs;
    return series;
  }
  try {
    for (int const n : grids) series.grids.push_back(run_grid(benchmark, scheme, n, precision, device));
  } catch (std::invalid_argument const& error) {
    series.grids.clear();
    series.not_run = error.what();
    return series;
  } catch (NumericalFailure const& error) {
    series.verdicts.push_back({std::string("numbers failed: ") + error.what(), 1, 0});
  }
  judge(benchmark, series);
  return series;
}

std::string riemann_name(Scheme const& scheme) {
  switch (scheme.riemann) {
    case Scheme::Riemann::hll:
      return "hll";
    case Scheme::Riemann::hllc:
      return "hllc";
    case Scheme::Riemann::roe:
      return "roe";
  }
  return "?";
}

std::string scheme_name(Scheme const& scheme) {
  std::string name = "order " + std::to_string(scheme.order) + ", " + riemann_name(scheme);
  if (scheme.order == 1) return name;
  switch (scheme.limiter) {
    case Scheme::Limiter::minmod:
      return name + ", minmod";
    case Scheme::Limiter::van_leer:
      return name + ", van_leer";
    case Scheme::Limiter::mc:
      return name + ", mc";
  }
  return name;
}

}  // namespace swe::validation
