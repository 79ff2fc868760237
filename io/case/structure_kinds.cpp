#include "io/case/structure_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "io/text.hpp"
#include "solver/geometry.hpp"
#include "solver/structure/buildings.hpp"

namespace swe::io {
namespace {

/// Both ends of a structure in cells of their own, those not given outside; false when something was reported
/// or there is no grid.
bool place_ends(Structure& s, std::optional<Point> from, std::optional<Point> to, Building& building,
                std::string const& key) {
  auto const place = [&](std::string const& name, std::optional<Point> at) {
    return at ? building.active_cell(key + "." + name, *at) : Structure::outside;
  };
  auto const inlet = place("from", from), outlet = place("to", to);
  if (!inlet || !outlet) return false;
  if (*inlet == *outlet) {
    building.problem(key + ".to", "lies in the same cell as `from`");
    return false;
  }
  s.inlet = *inlet;
  s.outlet = *outlet;
  return true;
}

/// Faces between active cells along a line, each once; those another structure has are reported with both
/// names. `crest`: what stands at a chainage above the structure's series, or nothing.
void add_line(Structure s, std::vector<Point> const& line, std::function<double(double)> const& crest,
              Building& building, std::string const& key, Scenario& scenario) {
  if (!building.has_grid() || line.empty()) return;
  Grid const& grid = scenario.grid;
  auto const active = [&](int i, int j) {
    return i >= 0 && j >= 0 && i < grid.nx && j < grid.ny && scenario.active(grid.index(i, j));
  };
  for (auto const& f : section_faces(grid, line)) {
    bool const along_x = f.side == Side::west;
    BoundaryFace const face{f.i, f.j, f.side};
    if (!active(f.i, f.j) || !active(f.i - int(along_x), f.j - int(!along_x))) continue;
    if (std::find(s.faces.begin(), s.faces.end(), face) != s.faces.end()) continue;
    s.faces.push_back(face);
    if (crest) s.above_crest.push_back(crest(chainage(face_midpoint(grid, face), line)));
  }
  if (s.faces.empty()) {
    bool const outside =
        std::none_of(line.begin(), line.end(), [&](Point p) { return cell_at(grid, p.x, p.y).has_value(); });
    building.problem(key + ".along", "structure '" + s.name + "' lies on no face between two active cells; " +
                                         (outside ? "the line lies outside the grid"
                                                  : "a line takes the edges of cells nearest to it"));
    return;
  }
  for (auto const& other : scenario.structures)
    for (auto const& face : s.faces)
      if (std::find(other.faces.begin(), other.faces.end(), face) != other.faces.end()) {
        building.problem(key + ".along",
                         "structures '" + other.name + "' and '" + s.name + "' claim the same face");
        return;
      }
  scenario.structures.push_back(std::move(s));
}

/// Value at x of a curve, linear between its points and held beyond them.
double at(Curve const& curve, double x) {
  return TimeSeries{curve.x, curve.y, TimeSeries::Interpolation::linear, TimeSeries::AfterEnd::hold}(x);
}

Structure named(std::string const& name, Structure::Type type) {
  Structure s;
  s.name = name;
  s.type = type;
  return s;
}

}  // namespace

void CulvertStructure::apply(std::string const& name, Building& building, std::string const& key,
                             Scenario& scenario) const {
  Structure s = named(name, Structure::Type::culvert);
  if (!place_ends(s, from, to, building, key)) return;
  s.round = diameter.has_value();
  s.width = diameter ? *diameter : width.value_or(1);
  s.height = diameter ? *diameter : height.value_or(1);
  s.barrels = barrels;
  s.length = length;
  s.manning = manning;
  s.entrance_loss = entrance_loss;
  s.inlet_level = inlet_level.value_or(scenario.bed[std::size_t(s.inlet)]);
  s.outlet_level = outlet_level.value_or(scenario.bed[std::size_t(s.outlet)]);
  s.one_way = flow == CulvertFlow::one_way;
  s.energy_head = head == HeadRule::energy;
  scenario.structures.push_back(std::move(s));
}

void PumpStructure::apply(std::string const& name, Building& building, std::string const& key,
                          Scenario& scenario) const {
  Structure s = named(name, Structure::Type::pump);
  s.series = building.forcing(key + ".series", *this, {.unit = "m3_per_s"});
  if (on_level) s.on_level = *on_level;
  if (on_level)
    s.off_level = off_level.value_or(*on_level);
  else if (off_level)
    s.on_level = s.off_level = *off_level;
  if (s.off_level > s.on_level) building.problem(key + ".off_level_m", "must not be above on_level_m");
  if (std::any_of(s.series.value.begin(), s.series.value.end(), [](double q) { return q < 0; }))
    building.problem(key + ".series", "a pump's discharge must be at least 0");
  if (!from && !to) building.problem(key, "needs `from`, `to`, or both");
  if (!from && (on_level || off_level))
    building.problem(key + (on_level ? ".on_level_m" : ".off_level_m"),
                     "is a level at `from`, which is not given");
  if ((from || to) && place_ends(s, from, to, building, key)) scenario.structures.push_back(std::move(s));
}

void CrestLine::apply_as(Structure::Type type, std::string const& name, Building& building,
                         std::string const& key, Scenario& scenario) const {
  Structure s = named(name, type);
  s.series = building.forcing(key + ".series", *this, {.unit = "m"});
  s.coefficient = coefficient;
  s.energy_head = head == HeadRule::energy;
  auto const line = building.line(key + ".along", along);
  Curve crest;
  if (!profile.empty()) {
    crest = building.curve(key + ".profile", profile, {"chainage", "m"}, {"crest", "m"},
                           [](double const*, double) { return std::string(); });
  } else if (!crests.empty() && !line.empty()) {
    if (crests.size() != line.size()) {
      building.problem(key + ".crests_m", counted((long long)crests.size(), "crest", "crests") + " for " +
                                              counted((long long)line.size(), "point", "points") +
                                              " of the line; one for each is needed");
      return;
    }
    for (std::size_t k = 0; k < line.size(); ++k) {
      double const part = k > 0 ? std::hypot(line[k].x - line[k - 1].x, line[k].y - line[k - 1].y) : 0.0;
      crest.x.push_back(k > 0 ? crest.x.back() + part : 0.0);
      crest.y.push_back(crests[k]);
    }
  }
  bool const varies = !profile.empty() || !crests.empty();
  if (varies && crest.x.empty()) return;
  add_line(std::move(s), line,
           varies ? [&](double x) { return at(crest, x); } : std::function<double(double)>(), building, key,
           scenario);
}

void GateStructure::apply(std::string const& name, Building& building, std::string const& key,
                          Scenario& scenario) const {
  Structure s = named(name, Structure::Type::gate);
  s.series = building.forcing(key + ".series", *this, {.unit = "m"});
  s.coefficient = contraction;
  s.sill_level = sill;
  s.energy_head = head == HeadRule::energy;
  if (std::any_of(s.series.value.begin(), s.series.value.end(), [](double opening) { return opening < 0; }))
    building.problem(key + ".series", "an opening must be at least 0");
  add_line(std::move(s), building.line(key + ".along", along), {}, building, key, scenario);
}

void BuildingStructure::apply(std::string const&, Building& building, std::string const& key,
                              Scenario& scenario) const {
  auto const cells = building.cells(key + ".over", *over);
  if (raised_by)
    raise_buildings(scenario, cells, *raised_by);
  else
    cut_buildings(scenario, cells);
}

}  // namespace swe::io
