#include "io/output/fingerprint.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <span>

#include "io/output/number_text.hpp"
#include "io/output/snapshots.hpp"

namespace swe::io {
namespace {

template <class T>
std::string checksum(std::span<T const> values) {
  auto const crc = crc32_z(0, reinterpret_cast<Bytef const*>(values.data()), values.size_bytes());
  char text[40];
  std::snprintf(text, sizeof text, "%zu values, checksum %08lx", values.size(),
                static_cast<unsigned long>(crc));
  return text;
}

std::string text_of(CellField const& field) {
  return field.is_constant() ? number_text(field.constant) : checksum(std::span<double const>(field.raster));
}

std::string text_of(TimeSeries const& series, double time) {
  std::vector<double> used;
  for (std::size_t k = 0; k < series.time.size() && series.time[k] <= time; ++k) {
    used.push_back(series.time[k]);
    used.push_back(series.value[k]);
  }
  // The value now stands for the slope of the line that is half used.
  if (!series.time.empty()) used.push_back(series(time));
  return checksum(std::span<double const>(used)) +
         (series.interpolation == TimeSeries::Interpolation::step ? ", steps" : ", lines");
}

std::string text_of(std::vector<BoundaryFace> const& faces) {
  std::vector<int> numbers;
  for (auto const& face : faces) numbers.insert(numbers.end(), {face.i, face.j, static_cast<int>(face.side)});
  return checksum(std::span<int const>(numbers));
}

std::string joined(std::vector<std::string> const& parts) {
  std::string text;
  for (auto const& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

char const* name_of(Scheme::Riemann riemann) {
  switch (riemann) {
    case Scheme::Riemann::hll:
      return "hll";
    case Scheme::Riemann::hllc:
      return "hllc";
    case Scheme::Riemann::roe:
      return "roe";
  }
  return "";
}

char const* name_of(Scheme::Limiter limiter) {
  switch (limiter) {
    case Scheme::Limiter::minmod:
      return "minmod";
    case Scheme::Limiter::van_leer:
      return "van_leer";
    case Scheme::Limiter::mc:
      return "mc";
  }
  return "";
}

std::string text_of(MaximaOptions const& maxima) {
  std::vector<std::string> names;
  auto const add = [&](bool wanted, std::string const& name) {
    if (wanted) names.push_back(name);
  };
  add(maxima.depth, "depth");
  add(maxima.level, "level");
  add(maxima.speed, "speed");
  add(maxima.unit_discharge, "unit_discharge");
  add(maxima.hazard, "hazard");
  add(maxima.time_of_max, "time_of_max");
  add(maxima.arrival, "arrival above " + number_text(maxima.arrival_depth) + " m");
  add(maxima.duration, "duration above " + number_text(maxima.duration_depth) + " m");
  return joined(names);
}

}  // namespace

Fingerprint fingerprint(LoadedCase const& loaded, Precision precision, double time) {
  auto const& scenario = loaded.scenario;
  auto const& grid = scenario.grid;
  auto const& scheme = scenario.scheme;
  Fingerprint parts;
  parts.emplace_back("precision", precision == Precision::double_precision ? "double" : "single");
  parts.emplace_back("domain.grid", std::to_string(grid.nx) + " x " + std::to_string(grid.ny) + " cells of " +
                                        number_text(grid.dx) + " x " + number_text(grid.dy) + " m at (" +
                                        number_text(grid.x0) + ", " + number_text(grid.y0) + ")");
  parts.emplace_back("domain.bed", checksum(std::span<double const>(scenario.bed)));
  parts.emplace_back("time.start_s", number_text(scenario.start_time));
  parts.emplace_back("friction", "law " + std::to_string(static_cast<int>(scenario.friction.type)) + ", " +
                                     text_of(scenario.friction.coefficient));
  parts.emplace_back("initial", joined({text_of(scenario.initial.depth), text_of(scenario.initial.velocity_x),
                                        text_of(scenario.initial.velocity_y)}));
  parts.emplace_back("scheme.riemann", name_of(scheme.riemann));
  parts.emplace_back("scheme.order", std::to_string(scheme.order));
  parts.emplace_back("scheme.limiter", name_of(scheme.limiter));
  parts.emplace_back("scheme.cfl", number_text(scheme.cfl));
  parts.emplace_back("scheme.dry_tolerance_m", number_text(scheme.dry_tolerance));
  parts.emplace_back("scheme.gravity", number_text(scheme.gravity));
  parts.emplace_back("scheme.max_dt_s", number_text(scheme.max_dt));
  parts.emplace_back("scheme.min_dt_s", number_text(scheme.min_dt));
  for (std::size_t k = 0; k < scenario.boundaries.size(); ++k) {
    auto const& b = scenario.boundaries[k];
    std::string const key = "boundaries." + (b.name.empty() ? std::to_string(k) : b.name);
    parts.emplace_back(key, joined({"type " + std::to_string(static_cast<int>(b.type)),
                                    "side " + std::to_string(static_cast<int>(b.side)), text_of(b.faces),
                                    number_text(b.slope), number_text(b.still_level),
                                    checksum(std::span<double const>(b.curve_level)),
                                    checksum(std::span<double const>(b.curve_discharge))}));
    parts.emplace_back(key + ".series", text_of(b.series, time));
  }
  for (std::size_t k = 0; k < scenario.sources.size(); ++k) {
    auto const& s = scenario.sources[k];
    std::string const key = "sources." + (s.name.empty() ? std::to_string(k) : s.name);
    parts.emplace_back(key, joined({"type " + std::to_string(static_cast<int>(s.type)),
                                    checksum(std::span<std::int64_t const>(s.cells)), text_of(s.rate)}));
    parts.emplace_back(key + ".series", text_of(s.series, time));
  }
  std::vector<std::string> gauges;
  for (auto const& gauge : loaded.gauges) {
    std::string text = gauge.name + " (" + number_text(gauge.at.x) + " " + number_text(gauge.at.y) + ")";
    if (gauge.sample == GaugeSpec::Sample::bilinear) text += " bilinear";
    gauges.push_back(text);
  }
  parts.emplace_back("gauges", joined(gauges));
  parts.emplace_back("output.maxima", text_of(loaded.output.maxima));
  std::vector<std::string> fields;
  for (auto const field : loaded.output.fields) fields.emplace_back(field_name(field));
  parts.emplace_back("output.snapshots.fields", joined(fields));
  parts.emplace_back("output.snapshots.precision", loaded.output.single_precision ? "single" : "double");
  return parts;
}

std::vector<std::string> differences(Fingerprint const& then, Fingerprint const& now) {
  auto const find = [](Fingerprint const& in, std::string const& key) {
    return std::find_if(in.begin(), in.end(), [&](auto const& part) { return part.first == key; });
  };
  std::vector<std::string> sentences;
  for (auto const& [key, value] : then) {
    auto const other = find(now, key);
    if (other == now.end())
      sentences.push_back(key + " was there when the checkpoint was written and is not in the case now");
    else if (other->second != value)
      sentences.push_back(key + " may not change on restart: was \"" + value + "\", is \"" + other->second +
                          "\"");
  }
  for (auto const& [key, value] : now)
    if (find(then, key) == then.end())
      sentences.push_back(key + " may not be added on restart: \"" + value + "\"");
  return sentences;
}

}  // namespace swe::io
