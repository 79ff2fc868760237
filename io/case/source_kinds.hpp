#pragma once
/// \file
/// Types of sources in a case file. A new one is a struct here and a word in the list at the end.
///
/// A kind has `kind`, `doc`, `keys()`, optionally `groups()`, and `apply(name, building, key, scenario)`,
/// which adds what it stands for to the scenario; `key` is the path of the source in the case.

#include <string>
#include <variant>
#include <vector>

#include "io/case/boundary_kinds.hpp"
#include "io/case/building.hpp"
#include "io/case/keys.hpp"

namespace swe::io {

constexpr double mm_per_h = 1e-3 / 3600;     ///< [m/s]
constexpr double mm_per_day = 1e-3 / 86400;  ///< [m/s]

/// A raster and the time it belongs to.
struct RasterAtTime {
  double time = 0;
  RasterFile file;
};
template <>
Record<RasterAtTime> describe_record<RasterAtTime>();
template <>
struct Codec<RasterAtTime> : RecordCodec<RasterAtTime> {};

/// Rasters on the grid, in SI; times must rise. `key` is that of the list. Empty when something was reported.
[[nodiscard]] RasterSeries raster_series(std::vector<RasterAtTime> const& list, Building& building,
                                         std::string const& key, double to_si, Range range);

struct RainSource : Forcing {
  static constexpr std::string_view
      kind = "rain",
      doc =
          "rain on all active cells or on an area, or by rasters; each value of a series and each "
          "raster holds from its time to the next";
  std::optional<Area> over;
  std::optional<std::vector<RasterAtTime>> rasters;
  static std::vector<Key<RainSource>> keys() {
    auto keys = forcing_keys<RainSource>("series_mm_per_h", "rate_mm_per_h", "constant rate", at_least(0));
    keys.push_back(key("rasters_mm_per_h", &RainSource::rasters,
                       {.doc = "rasters in time; the first holds before its time too, the last to the end"}));
    keys.push_back(key("over", &RainSource::over, {.doc = "area it falls on; default: everywhere"}));
    return keys;
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"series_mm_per_h", "rate_mm_per_h", "rasters_mm_per_h"}},
            {KeyGroup::Rule::at_most_one, {"rasters_mm_per_h", "over"}}};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct InflowSource : Forcing {
  static constexpr std::string_view
      kind = "inflow",
      doc = "water added at points, along a line or in an area; negative: taken, never more than there is";
  Points at;
  Line along;
  std::optional<Area> over;
  std::vector<double> discharges;
  static std::vector<Key<InflowSource>> keys() {
    auto keys = forcing_keys<InflowSource>("series", "discharge_m3_per_s", "");
    std::erase_if(keys, [](auto const& one) { return one.name == "discharge_m3_per_s"; });
    keys.push_back(key("discharge_m3_per_s", &InflowSource::discharges,
                       {.doc = "constant discharge; for several points a list, one for each"}));
    keys.push_back(
        key("at", &InflowSource::at,
            {.doc = "point [x, y], or several; a series then has one value column for each", .unit = "m"}));
    keys.push_back(key("along", &InflowSource::along,
                       {.doc = "line (CSV, GeoJSON or points) whose active cells share the discharge equally",
                        .unit = "m"}));
    keys.push_back(
        key("over", &InflowSource::over, {.doc = "area whose active cells share the discharge equally"}));
    return keys;
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"series", "discharge_m3_per_s"}},
            {KeyGroup::Rule::exactly_one, {"at", "along", "over"}}};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct InfiltrationSource {
  static constexpr std::string_view kind = "infiltration",
                                    doc =
                                        "water that seeps away at a constant rate, never more than there is";
  Field rate;
  static std::vector<Key<InfiltrationSource>> keys() {
    return {
        key("rate_mm_per_h", &InfiltrationSource::rate,
            {.doc = "rate: number, raster, or areas with values", .range = at_least(0), .required = true})};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct HortonSource {
  static constexpr std::string_view
      kind = "infiltration_horton",
      doc = "infiltration whose capacity falls from initial to final as the ground takes up water";
  Field initial, final_, decay;
  static std::vector<Key<HortonSource>> keys() {
    return {key("initial_mm_per_h", &HortonSource::initial,
                {.doc = "capacity of dry ground: number, raster or areas",
                 .range = at_least(0),
                 .required = true}),
            key("final_mm_per_h", &HortonSource::final_,
                {.doc = "capacity of wet ground: number, raster or areas",
                 .range = at_least(0),
                 .required = true}),
            key("decay_per_h", &HortonSource::decay,
                {.doc = "rate at which it falls: number, raster or areas",
                 .range = positive(),
                 .required = true})};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct GreenAmptSource {
  static constexpr std::string_view kind = "infiltration_green_ampt", doc = "infiltration by Green and Ampt";
  Field conductivity, suction, deficit;
  static std::vector<Key<GreenAmptSource>> keys() {
    return {key("conductivity_mm_per_h", &GreenAmptSource::conductivity,
                {.doc = "hydraulic conductivity: number, raster or areas",
                 .range = at_least(0),
                 .required = true}),
            key("suction_m", &GreenAmptSource::suction,
                {.doc = "suction head at the wetting front: number, raster or areas",
                 .range = at_least(0),
                 .required = true}),
            key("moisture_deficit", &GreenAmptSource::deficit,
                {.doc = "porosity less moisture at the start: number, raster or areas",
                 .unit = "-",
                 .range = between(0, 1),
                 .required = true})};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct CurveNumberSource {
  static constexpr std::string_view kind = "infiltration_scs_cn",
                                    doc = "what rain leaves in the ground by the SCS curve number";
  Field number;
  double initial_share = 0.2;
  static std::vector<Key<CurveNumberSource>> keys() {
    return {
        key("curve_number", &CurveNumberSource::number,
            {.doc = "CN, of which S = 25.4 mm (1000/CN - 10): number, raster or areas",
             .unit = "-",
             .range = above_up_to(0, 100),
             .required = true}),
        key("initial_share", &CurveNumberSource::initial_share,
            {.doc = "share of S that is kept before any rain runs off", .unit = "-", .range = at_least(0)})};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct EvaporationSource : Forcing {
  static constexpr std::string_view kind = "evaporation",
                                    doc = "water that evaporates, never more than there is";
  std::optional<Area> over;
  static std::vector<Key<EvaporationSource>> keys() {
    auto keys =
        forcing_keys<EvaporationSource>("series_mm_per_day", "rate_mm_per_day", "constant rate", at_least(0));
    keys.push_back(key("over", &EvaporationSource::over, {.doc = "area it acts on; default: everywhere"}));
    return keys;
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"series_mm_per_day", "rate_mm_per_day"}}};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

template <>
struct EnumNames<Wind::Drag> {
  static constexpr std::array<std::pair<std::string_view, Wind::Drag>, 4> table{
      {{"constant", Wind::Drag::constant},
       {"garratt", Wind::Drag::garratt},
       {"wu", Wind::Drag::wu},
       {"smith_banke", Wind::Drag::smith_banke}}};
};

struct WindSource {
  static constexpr std::string_view kind = "wind", doc = "stress of the wind on the water";
  FileName series;
  std::optional<TimeSeries::AfterEnd> after_end;
  std::optional<double> speed, from;
  Wind::Drag drag = Wind::Drag::garratt;
  double coefficient = 1.3e-3, air_density = 1.225;
  static std::vector<Key<WindSource>> keys() {
    return {key("series", &WindSource::series,
                {.doc = "CSV with columns time_s, east_m_per_s and north_m_per_s, the velocity of the air; "
                        "linear between"}),
            key("after_end", &WindSource::after_end,
                {.doc = "what holds after the last time of a series that ends early"}),
            key("speed_m_per_s", &WindSource::speed,
                {.doc = "constant speed, 10 m above the water", .range = at_least(0)}),
            key("from_deg", &WindSource::from,
                {.doc = "where it blows from: 0 north, 90 east", .unit = "degrees"}),
            key("drag", &WindSource::drag, {.doc = "law of the drag coefficient"}),
            key("coefficient", &WindSource::coefficient,
                {.doc = "of the constant law", .unit = "-", .range = at_least(0)}),
            key("air_density_kg_per_m3", &WindSource::air_density,
                {.doc = "density of the air", .range = positive()})};
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"series", "speed_m_per_s"}},
            {KeyGroup::Rule::exactly_one, {"series", "from_deg"}}};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct AirPressureSource {
  static constexpr std::string_view
      kind = "air_pressure",
      doc = "pressure of the air, by rasters in time; its gradient drives the water";
  std::vector<RasterAtTime> rasters;
  static std::vector<Key<AirPressureSource>> keys() {
    return {key("rasters_pa", &AirPressureSource::rasters,
                {.doc = "rasters, linear in time between them", .required = true})};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct PressureLowSource {
  static constexpr std::string_view
      kind = "pressure_low",
      doc = "a low of the air's pressure that travels, -drop exp(-r^2 / (2 radius^2)); there may be several";
  double drop = 0, radius = 0;
  std::optional<Point> at, velocity;
  FileName track;
  std::optional<TimeSeries::AfterEnd> after_end;
  static std::vector<Key<PressureLowSource>> keys() {
    return {
        key("drop_pa", &PressureLowSource::drop,
            {.doc = "how much lower the pressure is at its centre; negative for a high", .required = true}),
        key("radius_m", &PressureLowSource::radius,
            {.doc = "distance from the centre at which the pressure rises fastest",
             .range = positive(),
             .required = true}),
        key("at", &PressureLowSource::at,
            {.doc = "point [x, y] of its centre at the start of the run", .unit = "m"}),
        key("velocity_m_per_s", &PressureLowSource::velocity,
            {.doc = "[u, v], towards east and north; default: it stays"}),
        key("track", &PressureLowSource::track,
            {.doc = "CSV with columns time_s, x_m and y_m of its centre; linear between"}),
        key("after_end", &PressureLowSource::after_end,
            {.doc = "hold: where a track that ends early leaves it, it stays"})};
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"at", "track"}},
            {KeyGroup::Rule::at_most_one, {"velocity_m_per_s", "track"}}};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct CoriolisSource {
  static constexpr std::string_view kind = "coriolis", doc = "the turning of the earth";
  std::optional<double> parameter, latitude;
  static std::vector<Key<CoriolisSource>> keys() {
    return {key("f_per_s", &CoriolisSource::parameter, {.doc = "Coriolis parameter"}),
            key("latitude_deg", &CoriolisSource::latitude,
                {.doc = "latitude, from which it follows", .unit = "degrees", .range = between(-90, 90)})};
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"f_per_s", "latitude_deg"}}};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct EddyViscositySource {
  static constexpr std::string_view kind = "eddy_viscosity", doc = "exchange of momentum by eddies";
  double viscosity = 0;
  static std::vector<Key<EddyViscositySource>> keys() {
    return {key("viscosity_m2_per_s", &EddyViscositySource::viscosity,
                {.doc = "constant eddy viscosity", .range = at_least(0), .required = true})};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct UpliftSource {
  static constexpr std::string_view kind = "uplift",
                                    doc = "the bed rises, and the water on it: an earthquake";
  Field rise;
  double at = 0, duration = 0;
  static std::vector<Key<UpliftSource>> keys() {
    return {
        key("rise_m", &UpliftSource::rise, {.doc = "final rise: number, raster or areas", .required = true}),
        key("at_s", &UpliftSource::at, {.doc = "when it begins"}),
        key("duration_s", &UpliftSource::duration,
            {.doc = "how long it takes, evenly; 0: at once", .range = at_least(0)})};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct BedRastersSource {
  static constexpr std::string_view kind = "bed_rasters",
                                    doc = "the bed by rasters in time; cells without data keep theirs";
  std::vector<RasterAtTime> rasters;
  static std::vector<Key<BedRastersSource>> keys() {
    return {key("rasters_m", &BedRastersSource::rasters,
                {.doc = "rasters of the bed, linear in time between them", .required = true})};
  }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

struct BreachSource : Forcing {
  static constexpr std::string_view kind = "breach",
                                    doc = "in an area the bed is cut down to a level that falls in time";
  std::optional<Area> over;
  static std::vector<Key<BreachSource>> keys() {
    auto keys = forcing_keys<BreachSource>("series", "level_m", "highest bed there");
    keys.push_back(key("over", &BreachSource::over, {.doc = "the area", .required = true}));
    return keys;
  }
  static std::vector<KeyGroup> groups() { return {{KeyGroup::Rule::exactly_one, {"series", "level_m"}}}; }
  void apply(std::string const& name, Building& building, std::string const& key, Scenario& scenario) const;
};

using SourceKind =
    std::variant<RainSource, InflowSource, InfiltrationSource, HortonSource, GreenAmptSource,
                 CurveNumberSource, EvaporationSource, WindSource, AirPressureSource, PressureLowSource,
                 CoriolisSource, EddyViscositySource, UpliftSource, BedRastersSource, BreachSource>;

}  // namespace swe::io
