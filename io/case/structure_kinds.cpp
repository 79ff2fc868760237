#include "io/case/structure_kinds.hpp"

#include <algorithm>

#include "solver/geometry.hpp"
#include "solver/structure/buildings.hpp"

namespace swe::io {
namespace {

/// Both ends of a structure in cells of their own; false when something was reported or there is no grid.
bool place_ends(Structure& s, Point from, Point to, Building& building, std::string const& key) {
  auto const inlet = building.active_cell(key + ".from", from),
             outlet = building.active_cell(key + ".to", to);
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
/// names.
void add_line(Structure s, Line const& along, Building& building, std::string const& key,
              Scenario& scenario) {
  auto const line = building.line(key + ".along", along);
  if (!building.has_grid() || line.empty()) return;
  Grid const& grid = scenario.grid;
  auto const active = [&](int i, int j) {
    return i >= 0 && j >= 0 && i < grid.nx && j < grid.ny && scenario.active(grid.index(i, j));
  };
  for (auto const& f : section_faces(grid, line)) {
    bool const along_x = f.side == Side::west;
    BoundaryFace const face{f.i, f.j, f.side};
    if (!active(f.i, f.j) || !active(f.i - int(along_x), f.j - int(!along_x))) continue;
    if (std::find(s.faces.begin(), s.faces.end(), face) == s.faces.end()) s.faces.push_back(face);
  }
  if (s.faces.empty()) {
    building.problem(key + ".along", "structure '" + s.name + "' lies on no face between two active cells");
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
  if (place_ends(s, from, to, building, key)) scenario.structures.push_back(std::move(s));
}

void WeirStructure::apply(std::string const& name, Building& building, std::string const& key,
                          Scenario& scenario) const {
  Structure s = named(name, Structure::Type::weir);
  s.series = building.forcing(key + ".series", *this, {.unit = "m"});
  s.coefficient = coefficient;
  add_line(std::move(s), along, building, key, scenario);
}

void GateStructure::apply(std::string const& name, Building& building, std::string const& key,
                          Scenario& scenario) const {
  Structure s = named(name, Structure::Type::gate);
  s.series = building.forcing(key + ".series", *this, {.unit = "m"});
  s.coefficient = contraction;
  s.sill_level = sill;
  if (std::any_of(s.series.value.begin(), s.series.value.end(), [](double opening) { return opening < 0; }))
    building.problem(key + ".series", "an opening must be at least 0");
  add_line(std::move(s), along, building, key, scenario);
}

void LeveeStructure::apply(std::string const& name, Building& building, std::string const& key,
                           Scenario& scenario) const {
  Structure s = named(name, Structure::Type::levee);
  s.series = building.forcing(key + ".series", *this, {.unit = "m"});
  s.coefficient = coefficient;
  add_line(std::move(s), along, building, key, scenario);
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
