#pragma once
/// \file
/// Types of sources in a case file. A new one is a struct here and a word in the list at the end.
///
/// A kind has `kind`, `doc`, `keys()`, optionally `groups()`, and `apply(name, building, key)`, which gives
/// the Source or Sources it stands for; `key` is the path of the source in the case.

#include <string>
#include <variant>
#include <vector>

#include "io/case/boundary_kinds.hpp"
#include "io/case/building.hpp"
#include "io/case/keys.hpp"

namespace swe::io {

constexpr double mm_per_h = 1e-3 / 3600;  ///< [m/s]

struct RainSource : Forcing {
  static constexpr std::string_view
      kind = "rain",
      doc =
          "rain on all active cells or on an area; each value of a series holds from "
          "its time to the next";
  std::optional<Area> over;
  static std::vector<Key<RainSource>> keys() {
    auto keys = forcing_keys<RainSource>("series_mm_per_h", "rate_mm_per_h", "constant rate", at_least(0));
    keys.push_back(key("over", &RainSource::over, {.doc = "area it falls on; default: everywhere"}));
    return keys;
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"series_mm_per_h", "rate_mm_per_h"}}};
  }
  [[nodiscard]] std::vector<Source> apply(std::string const& name, Building& building,
                                          std::string const& key) const;
};

struct InflowSource : Forcing {
  static constexpr std::string_view
      kind = "inflow",
      doc = "water added at points or in an area; negative: taken, never more than there is";
  Points at;
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
    keys.push_back(
        key("over", &InflowSource::over, {.doc = "area whose active cells share the discharge equally"}));
    return keys;
  }
  static std::vector<KeyGroup> groups() {
    return {{KeyGroup::Rule::exactly_one, {"series", "discharge_m3_per_s"}},
            {KeyGroup::Rule::exactly_one, {"at", "over"}}};
  }
  [[nodiscard]] std::vector<Source> apply(std::string const& name, Building& building,
                                          std::string const& key) const;
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
  [[nodiscard]] std::vector<Source> apply(std::string const& name, Building& building,
                                          std::string const& key) const;
};

using SourceKind = std::variant<RainSource, InflowSource, InfiltrationSource>;

}  // namespace swe::io
