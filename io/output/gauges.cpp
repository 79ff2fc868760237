#include "io/output/gauges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/output/number_text.hpp"

namespace swe::io {
namespace {

/// A field of a CSV line; quoted where it holds what separates fields.
std::string csv_field(std::string const& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string header(std::vector<std::string> const& names) {
  std::string line = "time_s";
  for (auto const& name : names)
    for (char const* quantity : {"_depth_m", "_level_m", "_u_m_per_s", "_v_m_per_s"})
      line += "," + csv_field(name + quantity);
  return line + "\n";
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

GaugeSampler::GaugeSampler(std::vector<GaugeSpec> const& gauges, double start, double end) {
  for (auto const& gauge : gauges) {
    Place place;
    auto const add = [&](std::int64_t cell, double weight) {
      auto const found = std::find(cells_.begin(), cells_.end(), cell);
      place.stencil.emplace_back(static_cast<std::size_t>(found - cells_.begin()), weight);
      if (found == cells_.end()) cells_.push_back(cell);
    };
    if (gauge.stencil.empty()) add(gauge.cell, 1);
    for (auto const& part : gauge.stencil) add(part.cell, part.weight);
    if (gauge.every_s) place.times = output_times(start, end, gauge.every_s);
    places_.push_back(std::move(place));
  }
}

GaugeReading GaugeSampler::read(Place const& place, std::span<GaugeReading const> cells) const {
  GaugeReading sum;
  for (auto const& [index, weight] : place.stencil) {
    sum.depth += weight * cells[index].depth;
    sum.level += weight * cells[index].level;
    sum.u += weight * cells[index].u;
    sum.v += weight * cells[index].v;
  }
  return sum;
}

std::vector<GaugeRow> GaugeSampler::due(Simulation const& simulation) {
  double const now = simulation.progress().time;
  std::vector<double> times;
  for (auto& place : places_) {
    if (place.times.empty()) {
      times.push_back(now);
    } else {
      for (auto k = place.next; k < place.times.size() && place.times[k] <= now; ++k)
        times.push_back(place.times[k]);
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());

  std::vector<GaugeRow> rows;
  for (double const time : times) {
    auto const cells = simulation.gauges_at(time);
    GaugeRow row{time, {}};
    for (auto& place : places_) {
      bool const every_step = place.times.empty() && time == now;
      bool const on_time = place.next < place.times.size() && place.times[place.next] == time;
      if (on_time) ++place.next;
      row.readings.push_back(every_step || on_time ? read(place, cells) : GaugeReading{nan, nan, nan, nan});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

GaugeRow GaugeSampler::now(Simulation const& simulation) const {
  GaugeRow row{simulation.progress().time, {}};
  auto const cells = simulation.gauges_at(row.time);
  for (auto const& place : places_) row.readings.push_back(read(place, cells));
  return row;
}

void GaugeSampler::skip_past(double time) {
  for (auto& place : places_)
    place.next = static_cast<std::size_t>(std::upper_bound(place.times.begin(), place.times.end(), time) -
                                          place.times.begin());
}

GaugeTable GaugeTable::create(std::filesystem::path const& path, std::vector<std::string> const& names) {
  GaugeTable table;
  table.file_ = PosixFile(path, PosixFile::Mode::create);
  table.pending_ = header(names);
  table.flush();
  return table;
}

GaugeTable GaugeTable::reopen(std::filesystem::path const& path, std::vector<std::string> const& names,
                              std::uint64_t bytes) {
  auto const expected = header(names);
  GaugeTable table;
  table.file_ = PosixFile(path, PosixFile::Mode::update);
  if (table.file_.size() < bytes || bytes < expected.size())
    throw FileError(path, "shorter than the checkpoint says");
  std::string found(expected.size(), '\0');
  table.file_.read_at(0, found.data(), found.size());
  if (found != expected) throw FileError(path, "its header names other gauges");
  table.file_.truncate(bytes);
  table.written_ = bytes;
  return table;
}

void GaugeTable::append(GaugeRow const& row) {
  pending_ += number_text(row.time);
  for (auto const& reading : row.readings)
    for (double const value : {reading.depth, reading.level, reading.u, reading.v})
      pending_ += std::isnan(value) ? "," : "," + number_text(value);
  pending_ += '\n';
}

void GaugeTable::flush() {
  if (pending_.empty()) return;
  if (int const error = file_.try_write_at(written_, pending_.data(), pending_.size())) {
    file_.truncate(written_);
    throw FileError::from_errno(file_.path(), error);
  }
  written_ += pending_.size();
  pending_.clear();
}

void GaugeTable::sync() { file_.sync(); }

}  // namespace swe::io
