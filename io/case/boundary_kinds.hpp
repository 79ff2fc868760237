#pragma once
/// \file
/// Types of boundaries in a case file. A new one is a struct here and a word in the list at the end.
///
/// A kind has `kind` (its name), `doc`, `keys()`, optionally `groups()`, and `apply(boundary, building,
/// key)`, which fills what is its own in a Boundary whose name and faces are known; `key` is the path of the
/// boundary in the case.

#include <string>
#include <variant>
#include <vector>

#include "io/case/building.hpp"
#include "io/case/keys.hpp"

namespace swe::io {

template <>
struct EnumNames<TimeSeries::AfterEnd> {
  static constexpr std::array<std::pair<std::string_view, TimeSeries::AfterEnd>, 2> table{
      {{"hold", TimeSeries::AfterEnd::hold}, {"zero", TimeSeries::AfterEnd::zero}}};
};

/// Keys of a kind derived from Forcing: a CSV under `series_key`, or a constant under `value_key`.
template <class Kind>
std::vector<Key<Kind>> forcing_keys(std::string_view series_key, std::string_view value_key,
                                    std::string_view doc, Range range = any_number()) {
  return {key<Kind, FileName>(
              series_key, &Forcing::series,
              {.doc = "CSV with a time column in seconds and a value column; must cover the run"}),
          key<Kind, std::optional<double>>(value_key, &Forcing::constant, {.doc = doc, .range = range}),
          key<Kind, std::string>("column", &Forcing::column,
                                 {.doc = "which value column of the CSV, by its header"}),
          key<Kind, std::optional<TimeSeries::AfterEnd>>(
              "after_end", &Forcing::after_end,
              {.doc = "what holds after the last time of a series that ends early"})};
}

struct WallBoundary {
  static constexpr std::string_view kind = "wall",
                                    doc = "reflecting; so is every face that no boundary claims";
  static std::vector<Key<WallBoundary>> keys() { return {}; }
  void apply(Boundary& boundary, Building&, std::string const&) const {
    boundary.type = Boundary::Type::wall;
  }
};

struct OpenBoundary {
  static constexpr std::string_view
      kind = "open",
      doc = "water leaves freely (zero gradient) and never enters; still water stands";
  static std::vector<Key<OpenBoundary>> keys() { return {}; }
  void apply(Boundary& boundary, Building&, std::string const&) const {
    boundary.type = Boundary::Type::open;
  }
};

struct LevelBoundary : Forcing {
  static constexpr std::string_view kind = "level", doc = "given water level; water enters and leaves";
  static std::vector<Key<LevelBoundary>> keys() {
    return forcing_keys<LevelBoundary>("series", "level_m", "constant water level");
  }
  static std::vector<KeyGroup> groups() { return {{KeyGroup::Rule::exactly_one, {"series", "level_m"}}}; }
  void apply(Boundary& boundary, Building& building, std::string const& key) const {
    boundary.type = Boundary::Type::level;
    boundary.series = building.forcing(key + ".series", *this, {.unit = "m"});
  }
};

struct DischargeBoundary : Forcing {
  static constexpr std::string_view
      kind = "discharge",
      doc =
          "total discharge into the domain, shared along the boundary by conveyance; "
          "negative values leave";
  static std::vector<Key<DischargeBoundary>> keys() {
    return forcing_keys<DischargeBoundary>("series", "discharge_m3_per_s", "constant total discharge");
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"series", "discharge_m3_per_s"}}};
  }
  void apply(Boundary& boundary, Building& building, std::string const& key) const {
    boundary.type = Boundary::Type::discharge;
    boundary.series = building.forcing(key + ".series", *this, {.unit = "m3_per_s"});
  }
};

struct DischargePerWidthBoundary : Forcing {
  static constexpr std::string_view
      kind = "discharge_per_width",
      doc = "discharge into the domain per metre of boundary; negative values leave";
  static std::vector<Key<DischargePerWidthBoundary>> keys() {
    return forcing_keys<DischargePerWidthBoundary>("series", "discharge_m2_per_s",
                                                   "constant discharge per width");
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"series", "discharge_m2_per_s"}}};
  }
  void apply(Boundary& boundary, Building& building, std::string const& key) const {
    boundary.type = Boundary::Type::discharge_per_width;
    boundary.series = building.forcing(key + ".series", *this, {.unit = "m2_per_s"});
  }
};

struct NormalDepthBoundary {
  static constexpr std::string_view kind = "normal_depth", doc = "outflow at the normal depth of a bed slope";
  std::optional<double> slope;
  static std::vector<Key<NormalDepthBoundary>> keys() {
    return {key("slope", &NormalDepthBoundary::slope,
                {.doc = "bed slope along the flow; default: mean slope of the bed towards the boundary",
                 .unit = "-",
                 .range = positive()})};
  }
  void apply(Boundary& boundary, Building& building, std::string const& key) const;
};

struct RatingCurveBoundary {
  static constexpr std::string_view kind = "rating_curve", doc = "outflow by a table of level and discharge";
  FileName curve;
  static std::vector<Key<RatingCurveBoundary>> keys() {
    return {
        key("curve", &RatingCurveBoundary::curve,
            {.doc = "CSV with columns level_m and discharge_m3_per_s; levels rise, discharges do not fall",
             .required = true})};
  }
  void apply(Boundary& boundary, Building& building, std::string const& key) const;
};

struct CriticalBoundary {
  static constexpr std::string_view kind = "critical", doc = "outflow at critical depth, as over a free fall";
  static std::vector<Key<CriticalBoundary>> keys() { return {}; }
  void apply(Boundary& boundary, Building&, std::string const&) const {
    boundary.type = Boundary::Type::critical;
  }
};

struct PeriodicBoundary {
  static constexpr std::string_view kind = "periodic", doc = "joined to the opposite side; whole sides only";
  static std::vector<Key<PeriodicBoundary>> keys() { return {}; }
  void apply(Boundary& boundary, Building&, std::string const&) const {
    boundary.type = Boundary::Type::periodic;
  }
};

struct IncomingWaveBoundary : Forcing {
  static constexpr std::string_view kind = "incoming_wave",
                                    doc = "a wave that enters over still water; reflected waves leave";
  double still_level = 0;
  static std::vector<Key<IncomingWaveBoundary>> keys() {
    auto keys = forcing_keys<IncomingWaveBoundary>(
        "series", "elevation_m", "constant elevation of the incoming wave above the still level");
    keys.push_back(
        key("still_level_m", &IncomingWaveBoundary::still_level, {.doc = "level of the still water"}));
    return keys;
  }
  static std::vector<KeyGroup> groups() { return {{KeyGroup::Rule::exactly_one, {"series", "elevation_m"}}}; }
  void apply(Boundary& boundary, Building& building, std::string const& key) const {
    boundary.type = Boundary::Type::incoming_wave;
    boundary.still_level = still_level;
    boundary.series = building.forcing(key + ".series", *this, {.unit = "m"});
  }
};

struct AbsorbingBoundary {
  static constexpr std::string_view
      kind = "absorbing",
      doc = "open water beyond: waves leave, and water enters or leaves towards the still level";
  double still_level = 0;
  static std::vector<Key<AbsorbingBoundary>> keys() {
    return {key("still_level_m", &AbsorbingBoundary::still_level, {.doc = "level of the still water"})};
  }
  void apply(Boundary& boundary, Building&, std::string const&) const {
    boundary.type = Boundary::Type::incoming_wave;
    boundary.still_level = still_level;
    boundary.series = TimeSeries::constant(0);
  }
};

/// One constituent of a tide as written.
struct ConstituentCase {
  double amplitude = 0, phase_degrees = 0;
  std::optional<double> period_s, period_h;
};
template <>
Record<ConstituentCase> describe_record<ConstituentCase>();
template <>
struct Codec<ConstituentCase> : RecordCodec<ConstituentCase> {};

struct TideBoundary {
  static constexpr std::string_view kind = "tide", doc = "water level of a tide, by its constituents";
  double mean_level = 0;
  std::vector<ConstituentCase> constituents;
  static std::vector<Key<TideBoundary>> keys() {
    return {key("mean_level_m", &TideBoundary::mean_level, {.doc = "level without the tide"}),
            key("constituents", &TideBoundary::constituents,
                {.doc = "its parts, amplitude cos(2 pi t / period - phase) each", .required = true})};
  }
  void apply(Boundary& boundary, Building& building, std::string const& key) const;
};

struct StateBoundary {
  static constexpr std::string_view
      kind = "state",
      doc =
          "level and velocity outside, imposed through the Riemann solver; for inflow faster than its waves";
  FileName series;
  std::optional<TimeSeries::AfterEnd> after_end;
  std::optional<double> level, u, v;
  static std::vector<Key<StateBoundary>> keys() {
    return {key("series", &StateBoundary::series,
                {.doc = "CSV with columns time_s, level_m, u_m_per_s and v_m_per_s; linear between"}),
            key("after_end", &StateBoundary::after_end,
                {.doc = "what holds after the last time of a series that ends early"}),
            key("level_m", &StateBoundary::level, {.doc = "constant water level"}),
            key("u_m_per_s", &StateBoundary::u, {.doc = "constant velocity towards the east; default 0"}),
            key("v_m_per_s", &StateBoundary::v, {.doc = "constant velocity towards the north; default 0"})};
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"series", "level_m"}},
            {KeyGroup::Rule::at_most_one, {"series", "u_m_per_s"}},
            {KeyGroup::Rule::at_most_one, {"series", "v_m_per_s"}}};
  }
  void apply(Boundary& boundary, Building& building, std::string const& key) const;
};

using BoundaryKind =
    std::variant<WallBoundary, OpenBoundary, LevelBoundary, DischargeBoundary, DischargePerWidthBoundary,
                 NormalDepthBoundary, RatingCurveBoundary, CriticalBoundary, PeriodicBoundary,
                 IncomingWaveBoundary, AbsorbingBoundary, TideBoundary, StateBoundary>;

}  // namespace swe::io
