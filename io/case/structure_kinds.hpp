#pragma once
/// \file
/// Types of structures in a case file. A new one is a struct here and a word in the list at the end.
///
/// A kind has `kind`, `doc`, `keys()`, optionally `groups()`, and `apply(name, building, key, scenario)`.
/// Buildings are part of the bed and are applied before anything is placed on the grid.

#include <string>
#include <variant>
#include <vector>

#include "io/case/boundary_kinds.hpp"
#include "io/case/building.hpp"
#include "io/case/keys.hpp"

namespace swe::io {

enum class CulvertFlow { both_ways, one_way };
template <>
struct EnumNames<CulvertFlow> {
  static constexpr std::array<std::pair<std::string_view, CulvertFlow>, 2> table{
      {{"both_ways", CulvertFlow::both_ways}, {"one_way", CulvertFlow::one_way}}};
};

enum class HeadRule { level, energy };
template <>
struct EnumNames<HeadRule> {
  static constexpr std::array<std::pair<std::string_view, HeadRule>, 2> table{
      {{"level", HeadRule::level}, {"energy", HeadRule::energy}}};
};

/// Keys that several kinds have in common.
template <class Kind>
Key<Kind> along_key() {
  return key<Kind, Line>("along", &Kind::along,
                         {.doc = "line (CSV, GeoJSON or points)", .unit = "m", .required = true});
}
template <class Kind>
Key<Kind> head_key() {
  return key<Kind, HeadRule>("head", &Kind::head,
                             {.doc = "what drives the flow: the water levels, or at the upper side the "
                                     "energy, its velocity head included"});
}

struct CulvertStructure {
  static constexpr std::string_view kind = "culvert",
                                    doc = "a pipe under a bank, with control at its inlet or its outlet";
  Point from, to;
  std::optional<double> diameter, width, height, inlet_level, outlet_level;
  int barrels = 1;
  double length = 0, manning = 0.013, entrance_loss = 0.5;
  CulvertFlow flow = CulvertFlow::both_ways;
  HeadRule head = HeadRule::level;
  static std::vector<Key<CulvertStructure>> keys() {
    return {
        key("from", &CulvertStructure::from,
            {.doc = "point [x, y] at its inlet", .unit = "m", .required = true}),
        key("to", &CulvertStructure::to,
            {.doc = "point [x, y] at its outlet", .unit = "m", .required = true}),
        key("diameter_m", &CulvertStructure::diameter, {.doc = "of a round barrel", .range = positive()}),
        key("width_m", &CulvertStructure::width, {.doc = "of a box", .range = positive()}),
        key("height_m", &CulvertStructure::height, {.doc = "of a box", .range = positive()}),
        key("barrels", &CulvertStructure::barrels,
            {.doc = "how many lie side by side", .range = at_least(1)}),
        key("length_m", &CulvertStructure::length, {.doc = "length", .range = positive(), .required = true}),
        key("manning", &CulvertStructure::manning,
            {.doc = "roughness of the barrel", .unit = "s m^-1/3", .range = at_least(0)}),
        key("entrance_loss", &CulvertStructure::entrance_loss,
            {.doc = "loss coefficient", .unit = "-", .range = at_least(0)}),
        key("inlet_level_m", &CulvertStructure::inlet_level,
            {.doc = "floor at the inlet; default: the bed there"}),
        key("outlet_level_m", &CulvertStructure::outlet_level,
            {.doc = "floor at the outlet; default: the bed there"}),
        key("flow", &CulvertStructure::flow, {.doc = "a flap lets it flow one way only"}),
        head_key<CulvertStructure>()};
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"diameter_m", "width_m"}},
            {KeyGroup::Rule::exactly_one, {"diameter_m", "height_m"}}};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct PumpStructure : Forcing {
  static constexpr std::string_view kind = "pump",
                                    doc =
                                        "takes water from one place to another, never more than there is; "
                                        "one of the two may be outside the domain";
  std::optional<Point> from, to;
  std::optional<double> on_level, off_level;
  static std::vector<Key<PumpStructure>> keys() {
    auto keys =
        forcing_keys<PumpStructure>("series", "discharge_m3_per_s", "constant discharge", at_least(0));
    keys.push_back(
        key("from", &PumpStructure::from,
            {.doc = "point [x, y] it pumps from; without it, water comes from outside", .unit = "m"}));
    keys.push_back(
        key("to", &PumpStructure::to,
            {.doc = "point [x, y] it pumps to; without it, water leaves the domain", .unit = "m"}));
    keys.push_back(key("on_level_m", &PumpStructure::on_level,
                       {.doc = "starts when the water at `from` reaches this; default: always"}));
    keys.push_back(key("off_level_m", &PumpStructure::off_level,
                       {.doc = "stops when it has fallen to this; default on_level_m"}));
    return keys;
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"series", "discharge_m3_per_s"}}};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

/// What weirs and levees are: a crest along a line, level, in time, or varying along the line.
struct CrestLine : Forcing {
  Line along;
  std::vector<double> crests;
  FileName profile;
  double coefficient = 0.577;
  HeadRule head = HeadRule::level;

  template <class Kind>
  static std::vector<Key<Kind>> crest_keys(std::string_view coefficient_doc) {
    auto keys = forcing_keys<Kind>("series", "crest_m", "level of the crest");
    keys.push_back(along_key<Kind>());
    keys.push_back(key<Kind, std::vector<double>>(
        "crests_m", &CrestLine::crests,
        {.doc = "level of the crest at each point of the line, linear between"}));
    keys.push_back(key<Kind, FileName>(
        "profile", &CrestLine::profile,
        {.doc = "CSV with columns chainage_m, the length along the line, and crest_m; linear between"}));
    keys.push_back(key<Kind, double>("coefficient", &CrestLine::coefficient,
                                     {.doc = coefficient_doc, .unit = "-", .range = positive()}));
    keys.push_back(head_key<Kind>());
    return keys;
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"series", "crest_m", "crests_m", "profile"}}};
  }
  void apply_as(Structure::Type type, std::string const& name, Building& building, std::string const& key,
                Scenario& scenario) const;
};

struct WeirStructure : CrestLine {
  static constexpr std::string_view
      kind = "weir",
      doc = "a crest along a line, over which water passes by the formula of weirs";
  static std::vector<Key<WeirStructure>> keys() {
    return crest_keys<WeirStructure>("mu in 2/3 mu sqrt(2g) H^1.5: 0.577 broad crest, about 0.62 sharp");
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const {
    apply_as(Structure::Type::weir, name, building, key, scenario);
  }
};

struct GateStructure : Forcing {
  static constexpr std::string_view kind = "gate", doc = "a sluice gate along a line; water passes under it";
  Line along;
  double sill = 0, contraction = 0.61;
  HeadRule head = HeadRule::level;
  static std::vector<Key<GateStructure>> keys() {
    auto keys = forcing_keys<GateStructure>("series", "opening_m", "opening above the sill", at_least(0));
    keys.push_back(along_key<GateStructure>());
    keys.push_back(key("sill_m", &GateStructure::sill, {.doc = "level of the sill", .required = true}));
    keys.push_back(
        key("contraction", &GateStructure::contraction,
            {.doc = "height of the jet over the opening", .unit = "-", .range = above_up_to(0, 1)}));
    keys.push_back(head_key<GateStructure>());
    return keys;
  }
  static std::vector<KeyGroup> groups() { return {{KeyGroup::Rule::exactly_one, {"series", "opening_m"}}}; }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct LeveeStructure : CrestLine {
  static constexpr std::string_view
      kind = "levee",
      doc = "a bank narrower than a cell, on the faces along a line; a series lets it break";
  static std::vector<Key<LeveeStructure>> keys() {
    return crest_keys<LeveeStructure>("mu in 2/3 mu sqrt(2g) H^1.5 of water over the crest");
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const {
    apply_as(Structure::Type::levee, name, building, key, scenario);
  }
};

struct BuildingStructure {
  static constexpr std::string_view kind = "building",
                                    doc = "a hole in the domain, or ground raised by its height";
  std::optional<Area> over;
  std::optional<double> raised_by;
  static std::vector<Key<BuildingStructure>> keys() {
    return {key("over", &BuildingStructure::over,
                {.doc = "its outline; cells whose centre lies inside", .required = true}),
            key("raised_by_m", &BuildingStructure::raised_by,
                {.doc = "how much the bed is raised; without it the cells are holes", .range = positive()})};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

using StructureKind = std::variant<CulvertStructure, PumpStructure, WeirStructure, GateStructure,
                                   LeveeStructure, BuildingStructure>;

}  // namespace swe::io
