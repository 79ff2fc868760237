#include "solver/scenario.hpp"

#include <algorithm>
#include <cmath>

namespace swe {

namespace {

/// Index of the last point not later than t, or -1: at a doubled time this is the later of the two.
std::ptrdiff_t last_not_after(std::vector<double> const& time, double t) {
  return std::upper_bound(time.begin(), time.end(), t) - time.begin() - 1;
}

}  // namespace

double TimeSeries::operator()(double t) const {
  if (time.empty()) return 0;
  auto const k = last_not_after(time, t);
  auto const last = std::ptrdiff_t(time.size()) - 1;
  if (k < 0) return value.front();
  if (k == last) return after_end == AfterEnd::zero && t > time.back() ? 0 : value.back();
  if (interpolation == Interpolation::step) return value[k];
  double const s = (t - time[k]) / (time[k + 1] - time[k]);
  return value[k] + s * (value[k + 1] - value[k]);
}

double TimeSeries::integral(double a, double b) const {
  if (time.empty() || !(b > a)) return 0;
  double sum = 0;
  if (a < time.front()) sum += value.front() * (std::min(b, time.front()) - a);
  if (b > time.back() && after_end == AfterEnd::hold) sum += value.back() * (b - std::max(a, time.back()));

  auto const first = std::max<std::ptrdiff_t>(last_not_after(time, a), 0);
  for (std::size_t k = first; k + 1 < time.size() && time[k] < b; ++k) {
    double const from = std::max(a, time[k]), to = std::min(b, time[k + 1]);
    if (!(to > from)) continue;
    if (interpolation == Interpolation::step) {
      sum += value[k] * (to - from);
    } else {
      double const slope = (value[k + 1] - value[k]) / (time[k + 1] - time[k]);
      double const middle = 0.5 * ((from - time[k]) + (to - time[k]));
      sum += (value[k] + slope * middle) * (to - from);
    }
  }
  return sum;
}

std::vector<double> TimeSeries::jumps() const {
  std::vector<double> times;
  for (std::size_t k = 0; k < time.size(); ++k) {
    bool const doubled = k > 0 && time[k] == time[k - 1];
    bool const stops = k + 1 == time.size() && after_end == AfterEnd::zero;
    bool const jump = interpolation == Interpolation::step || doubled || stops;
    if (jump && (times.empty() || times.back() != time[k])) times.push_back(time[k]);
  }
  return times;
}

std::int64_t Scenario::active_cells() const {
  return std::count_if(bed.begin(), bed.end(), [](double z) { return z == z; });
}

std::string_view structure_name(Structure::Type type) {
  switch (type) {
    case Structure::Type::culvert: return "culvert";
    case Structure::Type::pump: return "pump";
    case Structure::Type::weir: return "weir";
    case Structure::Type::gate: return "gate";
    case Structure::Type::levee: return "levee";
  }
  return "";
}

}  // namespace swe
