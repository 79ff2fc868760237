#include "io/output/samplers.hpp"

#include <algorithm>
#include <limits>

namespace swe::io {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Spec>
std::vector<std::optional<double>> intervals(std::vector<Spec> const& specs) {
  std::vector<std::optional<double>> result;
  for (auto const& spec : specs) result.push_back(spec.every_s);
  return result;
}

template <class Sampler>
std::vector<SeriesRow> rows_due(Schedule& schedule, double now, Sampler const& row) {
  std::vector<SeriesRow> rows;
  for (auto const& at : schedule.due(now)) rows.push_back(row(at));
  return rows;
}

}  // namespace

SeriesLayout gauge_layout(std::vector<GaugeSpec> const& gauges) {
  auto const quantity = [](std::string const& name, std::string const& snapshot_name,
                           std::string const& suffix) {
    auto info = snapshot_field_info(snapshot_name);
    info.name = name;
    return SeriesLayout::Quantity{info, suffix};
  };
  SeriesLayout layout{"gauges",
                      "gauge",
                      {},
                      {quantity("depth", "h", "_depth_m"), quantity("level", "level", "_level_m"),
                       quantity("u", "u", "_u_m_per_s"), quantity("v", "v", "_v_m_per_s")}};
  for (auto const& gauge : gauges) layout.items.push_back({gauge.name, gauge.at.x, gauge.at.y});
  return layout;
}

SeriesLayout section_layout(std::vector<SectionSpec> const& sections) {
  SeriesLayout layout{
      "sections",
      "section",
      {},
      {{{"discharge", "m3 s-1", "discharge towards the left of the line", "", "time: mean"},
        "_discharge_m3_per_s"},
       {{"volume", "m3", "volume passed towards the left of the line since the start", "", "time: sum"},
        "_volume_m3"}}};
  for (auto const& section : sections) {
    auto const begin = section.line.empty() ? Point{} : section.line.front();
    layout.items.push_back({section.name, begin.x, begin.y});
  }
  return layout;
}

GaugeSampler::GaugeSampler(std::vector<GaugeSpec> const& gauges, double start, double end)
    : schedule_(intervals(gauges), start, end) {
  for (auto const& gauge : gauges) {
    Stencil stencil;
    auto const add = [&](std::int64_t cell, double weight) {
      auto const found = std::find(cells_.begin(), cells_.end(), cell);
      stencil.emplace_back(static_cast<std::size_t>(found - cells_.begin()), weight);
      if (found == cells_.end()) cells_.push_back(cell);
    };
    if (gauge.stencil.empty()) add(gauge.cell, 1);
    for (auto const& part : gauge.stencil) add(part.cell, part.weight);
    stencils_.push_back(std::move(stencil));
  }
}

void GaugeSampler::attach(Simulation& simulation) const {
  if (!cells_.empty()) simulation.set_gauges(cells_);
}

SeriesRow GaugeSampler::row(Schedule::Row const& at, Simulation const& simulation) const {
  auto const cells = simulation.gauges_at(at.time);
  SeriesRow row{at.time, {}};
  for (std::size_t k = 0; k < stencils_.size(); ++k) {
    GaugeReading sum;
    if (!at.due[k]) sum = {nan, nan, nan, nan};
    for (auto const& [index, weight] : stencils_[k]) {
      sum.depth += weight * cells[index].depth;
      sum.level += weight * cells[index].level;
      sum.u += weight * cells[index].u;
      sum.v += weight * cells[index].v;
    }
    row.values.insert(row.values.end(), {sum.depth, sum.level, sum.u, sum.v});
  }
  return row;
}

std::vector<SeriesRow> GaugeSampler::due(Simulation const& simulation) {
  return rows_due(schedule_, simulation.progress().time, [&](auto const& at) { return row(at, simulation); });
}

SeriesRow GaugeSampler::now(Simulation const& simulation) const {
  return row({simulation.progress().time, std::vector<bool>(stencils_.size(), true)}, simulation);
}

SectionSampler::SectionSampler(std::vector<SectionSpec> const& sections, double start, double end)
    : schedule_(intervals(sections), start, end) {
  for (auto const& section : sections) faces_.push_back(section.faces);
}

void SectionSampler::attach(Simulation& simulation) const {
  if (!faces_.empty()) simulation.set_sections(faces_);
}

SeriesRow SectionSampler::row(Schedule::Row const& at, Simulation const& simulation) const {
  auto const readings = simulation.sections_at(at.time);
  SeriesRow row{at.time, {}};
  for (std::size_t k = 0; k < faces_.size(); ++k) {
    row.values.push_back(at.due[k] ? readings[k].discharge : nan);
    row.values.push_back(at.due[k] ? readings[k].volume : nan);
  }
  return row;
}

std::vector<SeriesRow> SectionSampler::due(Simulation const& simulation) {
  return rows_due(schedule_, simulation.progress().time, [&](auto const& at) { return row(at, simulation); });
}

SeriesRow SectionSampler::now(Simulation const& simulation) const {
  return row({simulation.progress().time, std::vector<bool>(faces_.size(), true)}, simulation);
}

}  // namespace swe::io
