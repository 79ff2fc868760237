#include "io/case/boundary_kinds.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "io/text.hpp"

namespace swe::io {

void NormalDepthBoundary::apply(Boundary& boundary, Building& building, std::string const& key) const {
  boundary.type = Boundary::Type::normal_depth;
  if (slope) {
    boundary.slope = *slope;
    return;
  }
  // Mean fall per metre from the cell behind to the cell at the boundary.
  auto const& scenario = building.scenario();
  Grid const& grid = building.grid();
  double fall = 0;
  int count = 0;
  for (auto const& [i, j, side] : boundary.faces) {
    bool const along_x = side == Side::west || side == Side::east;
    int const inward = side == Side::west || side == Side::south ? 1 : -1;
    int const behind_i = along_x ? i + inward : i, behind_j = along_x ? j : j + inward;
    if (behind_i < 0 || behind_i >= grid.nx || behind_j < 0 || behind_j >= grid.ny) continue;
    std::int64_t const cell = grid.index(i, j), behind = grid.index(behind_i, behind_j);
    if (!scenario.active(behind)) continue;
    fall +=
        (scenario.bed[std::size_t(behind)] - scenario.bed[std::size_t(cell)]) / (along_x ? grid.dx : grid.dy);
    ++count;
  }
  boundary.slope = count > 0 ? fall / count : 0;
  if (building.has_grid() && !boundary.faces.empty() && !(boundary.slope > 0))
    building.problem(key, "the bed does not fall towards this boundary (mean slope " +
                              number_text(std::round(boundary.slope * 1e6) / 1e6) + "); give slope");
}

void RatingCurveBoundary::apply(Boundary& boundary, Building& building, std::string const& key) const {
  boundary.type = Boundary::Type::rating_curve;
  auto table = building.curve(key + ".curve", curve, {"level", "m"}, {"discharge", "m3_per_s"},
                              [](double const* before, double q) -> std::string {
                                if (q < 0) return "discharges must be at least 0";
                                return before && q < *before ? "discharges must not fall" : "";
                              });
  boundary.curve_level = std::move(table.x);
  boundary.curve_discharge = std::move(table.y);
}

void StateBoundary::apply(Boundary& boundary, Building& building, std::string const& key) const {
  boundary.type = Boundary::Type::state;
  Forcing one;
  one.series = series;
  one.after_end = after_end;
  auto const part = [&](char const* column, std::optional<double> const& constant, char const* unit) {
    one.column = column;
    one.constant = constant;
    return building.forcing(key + ".series", one, {.unit = unit});
  };
  boundary.series = part("level", level, "m");
  boundary.velocity_x = part("u", u, "m_per_s");
  boundary.velocity_y = part("v", v, "m_per_s");
}

template <>
Record<ConstituentCase> describe_record<ConstituentCase>() {
  return {"one part of a tide",
          {key("amplitude_m", &ConstituentCase::amplitude,
               {.doc = "amplitude", .range = at_least(0), .required = true}),
           key("period_s", &ConstituentCase::period_s, {.doc = "period", .range = positive()}),
           key("period_h", &ConstituentCase::period_h,
               {.doc = "period in hours, such as 12.4206 (M2)", .range = positive()}),
           key("phase_deg", &ConstituentCase::phase_degrees, {.doc = "phase at time 0", .unit = "degrees"})},
          {{KeyGroup::Rule::exactly_one, {"period_s", "period_h"}}}};
}

void TideBoundary::apply(Boundary& boundary, Building& building, std::string const& key) const {
  boundary.type = Boundary::Type::tide;
  boundary.still_level = mean_level;
  if (constituents.empty()) building.problem(key + ".constituents", "needs at least one constituent");
  for (auto const& one : constituents)
    boundary.constituents.push_back({one.amplitude, one.period_s.value_or(3600 * one.period_h.value_or(0)),
                                     one.phase_degrees * std::numbers::pi / 180});
}

}  // namespace swe::io
