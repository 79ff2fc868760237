#include "io/case/boundary_kinds.hpp"

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
                              number_text(boundary.slope) + "); give slope");
}

void RatingCurveBoundary::apply(Boundary& boundary, Building& building, std::string const& key) const {
  boundary.type = Boundary::Type::rating_curve;
  std::string const curve_key = key + ".curve";
  try {
    CsvTable const table = read_csv(curve.path);
    auto const fail = [&](int line, std::string message) {
      throw InputError({{table.file, line, "", std::move(message)}});
    };
    auto const column = [&](std::string_view name, std::string_view unit, std::size_t without_header) {
      if (table.columns.empty()) return without_header;
      for (std::size_t k = 0; k < table.columns.size(); ++k) {
        auto const split = split_unit(table.columns[k]);
        if (lower_case(split.name) != name) continue;
        if (!split.unit.empty() && split.unit != unit)
          fail(table.header_line, "column '" + table.columns[k] + "' must be in " + std::string(unit));
        return k;
      }
      fail(table.header_line, "no column is called " + std::string(name) + "_" + std::string(unit));
      return without_header;
    };
    if (table.width() < 2) fail(table.lines.front(), "needs the columns level_m and discharge_m3_per_s");
    std::size_t const level = column("level", "m", 0), discharge = column("discharge", "m3_per_s", 1);
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
      double const z = table.rows[k][level], q = table.rows[k][discharge];
      if (q < 0) fail(table.lines[k], "discharges must be at least 0");
      if (k > 0 && !(z > boundary.curve_level.back())) fail(table.lines[k], "levels must rise");
      if (k > 0 && q < boundary.curve_discharge.back()) fail(table.lines[k], "discharges must not fall");
      boundary.curve_level.push_back(z);
      boundary.curve_discharge.push_back(q);
    }
    if (table.rows.size() < 2) fail(table.lines.front(), "a curve needs at least two rows");
  } catch (InputError const& error) {
    building.file_problem(curve_key, error);
  }
}

template <>
Record<ConstituentCase> describe_record<ConstituentCase>() {
  return {"one part of a tide",
          {key("amplitude_m", &ConstituentCase::amplitude, {.doc = "amplitude", .range = at_least(0), .required = true}),
           key("period_s", &ConstituentCase::period_s, {.doc = "period", .range = positive()}),
           key("period_h", &ConstituentCase::period_h, {.doc = "period in hours, such as 12.4206 (M2)", .range = positive()}),
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
