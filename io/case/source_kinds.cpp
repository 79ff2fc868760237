#include "io/case/source_kinds.hpp"

#include <algorithm>

namespace swe::io {

std::vector<Source> RainSource::apply(std::string const& name, Building& building,
                                      std::string const& key) const {
  Source source;
  source.name = name;
  source.type = Source::Type::rain;
  std::string const series_key = key + ".series_mm_per_h";
  source.series = building.forcing(
      series_key, *this,
      {.unit = "mm_per_h", .to_si = mm_per_h, .interpolation = TimeSeries::Interpolation::step});
  if (std::any_of(source.series.value.begin(), source.series.value.end(),
                  [](double rate) { return rate < 0; }))
    building.problem(series_key, "rain must be at least 0");
  if (over) source.cells = building.cells(key + ".over", *over);
  return {source};
}

std::vector<Source> InflowSource::apply(std::string const& name, Building& building,
                                        std::string const& key) const {
  std::vector<TimeSeries> series;
  if (this->series.empty())
    for (double const discharge : discharges) series.push_back(TimeSeries::constant(discharge));
  else
    series = building.forcings(key + ".series", *this, {.unit = "m3_per_s"});

  std::size_t const places = over ? 1 : at.points.size();
  if (!series.empty() && series.size() != places) {
    std::string const given = this->series.empty() ? "values" : "value columns";
    building.problem(key + (this->series.empty() ? ".discharge_m3_per_s" : ".series"),
                     std::to_string(places) +
                         (over          ? " area"
                          : places == 1 ? " point"
                                        : " points") +
                         ", but " + std::to_string(series.size()) + " " + given + "; one for each is needed");
  }

  std::vector<Source> sources;
  for (std::size_t k = 0; k < places; ++k) {
    Source source;
    source.name = places == 1 ? name : name + "." + std::to_string(k);
    source.type = Source::Type::inflow;
    if (k < series.size()) source.series = series[k];
    if (over) {
      source.cells = building.cells(key + ".over", *over);
    } else if (auto const cell = building.active_cell(key + ".at", at.points[k])) {
      source.cells = {*cell};
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

std::vector<Source> InfiltrationSource::apply(std::string const& name, Building& building,
                                              std::string const& key) const {
  Source source;
  source.name = name;
  source.type = Source::Type::infiltration;
  source.rate = building.field(key + ".rate_mm_per_h", rate);
  source.rate.constant *= mm_per_h;
  for (double& value : source.rate.raster) value *= mm_per_h;
  return {source};
}

}  // namespace swe::io
