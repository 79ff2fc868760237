#include "io/case/source_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "io/text.hpp"
#include "solver/geometry.hpp"

namespace swe::io {

template <>
Record<RasterFile> describe_record<RasterFile>();

template <>
Record<RasterAtTime> describe_record<RasterAtTime>() {
  Record<RasterAtTime> record{"a raster at a time",
                              {key("at_s", &RasterAtTime::time, {.doc = "its time", .required = true})}};
  for (Key<RasterFile> const& one : record_of<RasterFile>().keys)
    record.keys.push_back({one.name, one.about,
                           [read = one.read](Node const& node, RasterAtTime& at, Reading& reading) {
                             read(node, at.file, reading);
                           },
                           [write = one.write](RasterAtTime const& at) { return write(at.file); },
                           one.schema});
  return record;
}

RasterSeries raster_series(std::vector<RasterAtTime> const& list, Building& building, std::string const& key,
                           double to_si, Range range) {
  RasterSeries series;
  if (list.empty()) building.problem(key, "needs at least one raster");
  for (std::size_t k = 0; k < list.size(); ++k) {
    std::string const item = key + "." + std::to_string(k);
    if (k > 0 && !(list[k].time > list[k - 1].time))
      building.problem(item + ".at_s", "times must rise: " + number_text(list[k].time) + " follows " +
                                           number_text(list[k - 1].time));
    CellField field = building.field(item, Field{list[k].file, range});
    if (field.raster.empty()) continue;
    for (double& value : field.raster)
      value = std::isnan(value) ? 0.0 : value * to_si;  // NaN: inactive cells
    series.time.push_back(list[k].time);
    series.raster.push_back(std::move(field.raster));
  }
  return series.time.size() == list.size() ? series : RasterSeries{};
}

namespace {

void scale(CellField& field, double factor) {
  field.constant *= factor;
  for (double& value : field.raster) value *= factor;
}

/// The only infiltration there may be, or a report that names both.
Source* new_infiltration(std::string const& name, InfiltrationModel model, Building& building,
                         std::string const& key, Scenario& scenario) {
  for (auto const& other : scenario.sources)
    if (other.type == Source::Type::infiltration) {
      building.problem(key, "'" + other.name +
                                "' is an infiltration already; one model serves the whole grid, with "
                                "parameters by area or raster");
      return nullptr;
    }
  Source source;
  source.name = name;
  source.type = Source::Type::infiltration;
  source.model = model;
  scenario.sources.push_back(std::move(source));
  return &scenario.sources.back();
}

void refuse_second(bool there, std::string_view what, Building& building, std::string const& key) {
  if (there) building.problem(key, "there is " + std::string(what) + " already");
}

/// Active cells that a line passes through, rising.
std::vector<std::int64_t> cells_along(Scenario const& scenario, std::vector<Point> const& line) {
  Grid const& grid = scenario.grid;
  std::set<std::int64_t> cells;
  for (std::size_t k = 0; k + 1 < line.size(); ++k) {
    double const dx = line[k + 1].x - line[k].x, dy = line[k + 1].y - line[k].y;
    // A hundred looks a cell miss no more than the tip of a corner.
    auto const looks =
        std::int64_t(std::ceil(100 * std::max(std::abs(dx) / grid.dx, std::abs(dy) / grid.dy))) + 1;
    for (std::int64_t n = 0; n <= looks; ++n) {
      double const s = double(n) / double(looks);
      if (auto const cell = cell_at(grid, line[k].x + s * dx, line[k].y + s * dy);
          cell && scenario.active(*cell))
        cells.insert(*cell);
    }
  }
  return {cells.begin(), cells.end()};
}

}  // namespace

void RainSource::apply(std::string const& name, Building& building, std::string const& key,
                       Scenario& scenario) const {
  Source source;
  source.name = name;
  source.type = Source::Type::rain;
  if (rasters) {
    source.rasters = raster_series(*rasters, building, key + ".rasters_mm_per_h", mm_per_h, at_least(0));
    if (!source.rasters.empty()) scenario.sources.push_back(std::move(source));
    return;
  }
  std::string const series_key = key + ".series_mm_per_h";
  source.series = building.forcing(
      series_key, *this,
      {.unit = "mm_per_h", .to_si = mm_per_h, .interpolation = TimeSeries::Interpolation::step});
  if (std::any_of(source.series.value.begin(), source.series.value.end(),
                  [](double rate) { return rate < 0; }))
    building.problem(series_key, "rain must be at least 0");
  if (over) source.cells = building.cells(key + ".over", *over);
  scenario.sources.push_back(std::move(source));
}

void InflowSource::apply(std::string const& name, Building& building, std::string const& key,
                         Scenario& scenario) const {
  std::vector<TimeSeries> series;
  if (this->series.empty())
    for (double const discharge : discharges) series.push_back(TimeSeries::constant(discharge));
  else
    series = building.forcings(key + ".series", *this, {.unit = "m3_per_s"});

  std::size_t const places = at.points.empty() ? 1 : at.points.size();
  if (!series.empty() && series.size() != places) {
    std::string const given = this->series.empty() ? "values" : "value columns";
    building.problem(key + (this->series.empty() ? ".discharge_m3_per_s" : ".series"),
                     std::to_string(places) +
                         (over                ? " area"
                          : at.points.empty() ? " line"
                          : places == 1       ? " point"
                                              : " points") +
                         ", but " + std::to_string(series.size()) + " " + given + "; one for each is needed");
  }

  for (std::size_t k = 0; k < places; ++k) {
    Source source;
    source.name = places == 1 ? name : name + "." + std::to_string(k);
    source.type = Source::Type::inflow;
    if (k < series.size()) source.series = series[k];
    if (over) {
      source.cells = building.cells(key + ".over", *over);
    } else if (at.points.empty()) {
      auto const line = building.line(key + ".along", along);
      if (building.has_grid() && !line.empty()) {
        source.cells = cells_along(scenario, line);
        if (source.cells.empty()) building.problem(key + ".along", "the line passes through no active cell");
      }
    } else if (auto const cell = building.active_cell(key + ".at", at.points[k])) {
      source.cells = {*cell};
    }
    scenario.sources.push_back(std::move(source));
  }
}

void InfiltrationSource::apply(std::string const& name, Building& building, std::string const& key,
                               Scenario& scenario) const {
  Source* const source = new_infiltration(name, InfiltrationModel::constant, building, key, scenario);
  if (!source) return;
  source->rate = building.field(key + ".rate_mm_per_h", rate);
  scale(source->rate, mm_per_h);
}

void HortonSource::apply(std::string const& name, Building& building, std::string const& key,
                         Scenario& scenario) const {
  Source* const source = new_infiltration(name, InfiltrationModel::horton, building, key, scenario);
  if (!source) return;
  source->rate = building.field(key + ".final_mm_per_h", final_);
  source->initial_rate = building.field(key + ".initial_mm_per_h", initial);
  source->decay = building.field(key + ".decay_per_h", decay);
  scale(source->rate, mm_per_h);
  scale(source->initial_rate, mm_per_h);
  scale(source->decay, 1.0 / 3600);
}

void GreenAmptSource::apply(std::string const& name, Building& building, std::string const& key,
                            Scenario& scenario) const {
  Source* const source = new_infiltration(name, InfiltrationModel::green_ampt, building, key, scenario);
  if (!source) return;
  source->rate = building.field(key + ".conductivity_mm_per_h", conductivity);
  scale(source->rate, mm_per_h);
  CellField const head = building.field(key + ".suction_m", suction),
                  room = building.field(key + ".moisture_deficit", deficit);
  source->suction_deficit.constant = head.constant * room.constant;
  if (head.is_constant() && room.is_constant()) return;
  for (std::int64_t c = 0; c < building.grid().cells(); ++c)
    source->suction_deficit.raster.push_back(head(c) * room(c));
}

void CurveNumberSource::apply(std::string const& name, Building& building, std::string const& key,
                              Scenario& scenario) const {
  Source* const source = new_infiltration(name, InfiltrationModel::scs_cn, building, key, scenario);
  if (!source) return;
  auto const retention = [](double cn) { return cn > 0 ? 25.4e-3 * (1000 / cn - 10) : 0.0; };
  source->retention = building.field(key + ".curve_number", number, 100);
  source->retention.constant = retention(source->retention.constant);
  for (double& value : source->retention.raster) value = retention(value);
  source->initial_abstraction = source->retention;
  scale(source->initial_abstraction, initial_share);
}

void EvaporationSource::apply(std::string const& name, Building& building, std::string const& key,
                              Scenario& scenario) const {
  Source source;
  source.name = name;
  source.type = Source::Type::evaporation;
  std::string const series_key = key + ".series_mm_per_day";
  source.series = building.forcing(
      series_key, *this,
      {.unit = "mm_per_day", .to_si = mm_per_day, .interpolation = TimeSeries::Interpolation::step});
  if (std::any_of(source.series.value.begin(), source.series.value.end(),
                  [](double rate) { return rate < 0; }))
    building.problem(series_key, "evaporation must be at least 0");
  if (over) source.cells = building.cells(key + ".over", *over);
  scenario.sources.push_back(std::move(source));
}

void WindSource::apply(std::string const&, Building& building, std::string const& key,
                       Scenario& scenario) const {
  refuse_second(scenario.wind.has_value(), "a wind", building, key);
  Wind wind;
  wind.drag = drag;
  wind.coefficient = coefficient;
  wind.air_density = air_density;
  if (speed) {
    double const angle = from.value_or(0) * std::numbers::pi / 180;
    wind.east = TimeSeries::constant(-*speed * std::sin(angle));
    wind.north = TimeSeries::constant(-*speed * std::cos(angle));
  } else {
    Forcing forcing;
    forcing.series = series;
    forcing.after_end = after_end;
    for (auto const& [column, to] : {std::pair("east", &wind.east), std::pair("north", &wind.north)}) {
      forcing.column = column;
      *to = building.forcing(key + ".series", forcing, {.unit = "m_per_s"});
    }
  }
  scenario.wind = std::move(wind);
}

void AirPressureSource::apply(std::string const&, Building& building, std::string const& key,
                              Scenario& scenario) const {
  refuse_second(scenario.air_pressure.has_value(), "an air pressure", building, key);
  auto series = raster_series(rasters, building, key + ".rasters_pa", 1, any_number());
  if (!series.empty()) scenario.air_pressure = AirPressure{std::move(series)};
}

void PressureLowSource::apply(std::string const& name, Building& building, std::string const& key,
                              Scenario& scenario) const {
  PressureLow low;
  low.name = name;
  low.drop = drop;
  low.radius = radius;
  if (at) {
    Point const speed = velocity.value_or(Point{0, 0});
    // Longer than any run, so that no bit of the way depends on when the run ends.
    constexpr double horizon = 1e9;  // [s]
    auto const way = [&](double start, double rate) {
      return TimeSeries{{scenario.start_time, scenario.start_time + horizon},
                        {start, start + rate * horizon}};
    };
    low.x = way(at->x, speed.x);
    low.y = way(at->y, speed.y);
  } else {
    Forcing forcing;
    forcing.series = track;
    forcing.after_end = after_end;
    if (after_end == TimeSeries::AfterEnd::zero)
      building.problem(key + ".after_end", "a track can only be held at its end");
    for (auto const& [column, to] : {std::pair("x", &low.x), std::pair("y", &low.y)}) {
      forcing.column = column;
      *to = building.forcing(key + ".track", forcing, {.unit = "m"});
    }
  }
  scenario.pressure_lows.push_back(std::move(low));
}

void CoriolisSource::apply(std::string const&, Building& building, std::string const& key,
                           Scenario& scenario) const {
  refuse_second(scenario.coriolis != 0, "a Coriolis force", building, key);
  constexpr double earth = 7.2921e-5;  // [1/s]
  scenario.coriolis = parameter.value_or(2 * earth * std::sin(latitude.value_or(0) * std::numbers::pi / 180));
}

void EddyViscositySource::apply(std::string const&, Building& building, std::string const& key,
                                Scenario& scenario) const {
  refuse_second(scenario.eddy_viscosity != 0, "an eddy viscosity", building, key);
  scenario.eddy_viscosity = viscosity;
}

void UpliftSource::apply(std::string const& name, Building& building, std::string const& key,
                         Scenario& scenario) const {
  BedMotion motion;
  motion.name = name;
  motion.type = BedMotion::Type::uplift;
  motion.shape = building.field(key + ".rise_m", rise);
  motion.series = {
      {at, at + duration}, {0, 1}, TimeSeries::Interpolation::linear, TimeSeries::AfterEnd::hold};
  scenario.bed_motions.push_back(std::move(motion));
}

void BedRastersSource::apply(std::string const& name, Building& building, std::string const& key,
                             Scenario& scenario) const {
  BedMotion motion;
  motion.name = name;
  motion.type = BedMotion::Type::rasters;
  for (std::size_t k = 0; k < rasters.size(); ++k) {
    std::string const item = key + ".rasters_m." + std::to_string(k);
    if (k > 0 && !(rasters[k].time > rasters[k - 1].time))
      building.problem(item + ".at_s", "times must rise");
    auto values = building.raster_on_grid(item, rasters[k].file);
    if (values.empty()) return;
    motion.rasters.time.push_back(rasters[k].time);
    motion.rasters.raster.push_back(std::move(values));
  }
  if (rasters.empty())
    building.problem(key + ".rasters_m", "needs at least one raster");
  else
    scenario.bed_motions.push_back(std::move(motion));
}

void BreachSource::apply(std::string const& name, Building& building, std::string const& key,
                         Scenario& scenario) const {
  BedMotion motion;
  motion.name = name;
  motion.type = BedMotion::Type::breach;
  motion.series = building.forcing(key + ".series", *this, {.unit = "m"});
  motion.cells = building.cells(key + ".over", *over);
  double highest = -std::numeric_limits<double>::infinity();
  for (auto const cell : motion.cells) highest = std::max(highest, scenario.bed[std::size_t(cell)]);
  if (auto const& levels = motion.series.value; !motion.cells.empty() && !levels.empty())
    if (double const lowest = *std::min_element(levels.begin(), levels.end()); lowest >= highest)
      building.note("breach '" + name + "' changes nothing: its level comes down to " + number_text(lowest) +
                    " m, the bed there is nowhere above " + number_text(highest) + " m");
  scenario.bed_motions.push_back(std::move(motion));
}

}  // namespace swe::io
