#pragma once
/// \file
/// From what the simulation reads in cells and through faces to rows for the tables of gauges and sections.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "io/case/load.hpp"
#include "io/output/schedule.hpp"
#include "io/output/series_output.hpp"

namespace swe::io {

[[nodiscard]] SeriesLayout gauge_layout(std::vector<GaugeSpec> const& gauges);
[[nodiscard]] SeriesLayout section_layout(std::vector<SectionSpec> const& sections);

/// Reads gauges: single cells or weighted means of several.
class GaugeSampler {
public:
  GaugeSampler(std::vector<GaugeSpec> const& gauges, double start, double end);

  /// Tells the simulation which cells to read.
  void attach(Simulation& simulation) const;
  /// Rows due up to the simulation's time that were not handed out yet; call at the start and after every
  /// step.
  [[nodiscard]] std::vector<SeriesRow> due(Simulation const& simulation);
  /// The row at the simulation's time, whether due or not.
  [[nodiscard]] SeriesRow now(Simulation const& simulation) const;
  /// As if all rows up to and including `time` had been handed out.
  void skip_past(double time) { schedule_.skip_past(time); }

private:
  using Stencil = std::vector<std::pair<std::size_t, double>>;  ///< index into cells_, weight
  [[nodiscard]] SeriesRow row(Schedule::Row const& at, Simulation const& simulation) const;

  std::vector<std::int64_t> cells_;  ///< each once
  std::vector<Stencil> stencils_;
  Schedule schedule_;
};

/// Reads discharge and volume through sections; members as for gauges.
class SectionSampler {
public:
  SectionSampler(std::vector<SectionSpec> const& sections, double start, double end);

  void attach(Simulation& simulation) const;
  [[nodiscard]] std::vector<SeriesRow> due(Simulation const& simulation);
  [[nodiscard]] SeriesRow now(Simulation const& simulation) const;
  void skip_past(double time) { schedule_.skip_past(time); }

private:
  [[nodiscard]] SeriesRow row(Schedule::Row const& at, Simulation const& simulation) const;

  std::vector<std::vector<SectionFace>> faces_;
  Schedule schedule_;
};

}  // namespace swe::io
