#include "solver/forcing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace swe {

double mean_over(TimeSeries const& series, double t, double dt) {
  if (!(dt > 0)) return series(t);
  // Within one piece the middle is the mean, without the rounding of t + dt - t: a level that holds stays as it is.
  auto const next = std::upper_bound(series.time.begin(), series.time.end(), t);
  if (next == series.time.end() || *next >= t + dt) return series(t + dt / 2);
  return series.integral(t, t + dt) / dt;
}

double rate_over(TimeSeries const& series, double t, double dt) {
  return series.interpolation == TimeSeries::Interpolation::step ? series(t + dt / 2) : mean_over(series, t, dt);
}

namespace {

/// Largest of f(value) over [a, b], for an f without maxima between records.
template <class F>
double largest_of(TimeSeries const& series, double a, double b, F const& f) {
  double largest = std::max(f(series(a)), f(series(b)));
  auto const first = std::lower_bound(series.time.begin(), series.time.end(), a) - series.time.begin();
  for (auto k = std::size_t(first); k < series.time.size() && series.time[k] <= b; ++k)
    largest = std::max(largest, f(series.value[k]));
  return largest;
}

}  // namespace

double largest_over(TimeSeries const& series, double a, double b) {
  return largest_of(series, a, b, [](double x) { return x; });
}

double largest_magnitude_over(TimeSeries const& series, double a, double b) {
  return largest_of(series, a, b, [](double x) { return std::abs(x); });
}

double rating_discharge(Boundary const& boundary, double level) {
  auto const& x = boundary.curve_level;
  auto const& y = boundary.curve_discharge;
  if (x.empty()) return 0;
  auto const above = std::upper_bound(x.begin(), x.end(), level);
  if (above == x.begin()) return y.front();
  if (above == x.end()) return y.back();
  auto const k = std::size_t(above - x.begin());
  return y[k - 1] + (level - x[k - 1]) / (x[k] - x[k - 1]) * (y[k] - y[k - 1]);
}

std::vector<double> forcing_jumps(Scenario const& scenario) {
  std::vector<double> all;
  auto const add = [&](std::vector<double> const& times) {
    for (double t : times)
      if (t > scenario.start_time && t <= scenario.end_time) all.push_back(t);
  };
  for (auto const& b : scenario.boundaries)
    for (auto const* series : {&b.series, &b.velocity_x, &b.velocity_y}) add(series->jumps());
  for (auto const& s : scenario.sources) {
    add(s.series.jumps());
    add(s.rasters.time);
  }
  if (scenario.wind) {
    add(scenario.wind->east.jumps());
    add(scenario.wind->north.jumps());
  }
  for (auto const& low : scenario.pressure_lows) {
    add(low.x.jumps());
    add(low.y.jumps());
  }
  for (auto const& m : scenario.bed_motions) add(m.series.jumps());
  for (auto const& s : scenario.structures) add(s.series.jumps());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

double step_bound_for_rise(double rate, double dx, double gravity, double cfl) {
  if (!(rate > 0)) return std::numeric_limits<double>::infinity();
  return std::cbrt(std::pow(cfl * dx / 2, 2) / (gravity * rate));
}

}  // namespace swe
