#include "io/output/fingerprint.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <span>

#include "io/case/node.hpp"
#include "io/output/number_text.hpp"

namespace swe::io {
namespace {

constexpr std::size_t longest_list_shown = 16;

template <class T>
std::string checksum(std::span<T const> values) {
  auto const crc = crc32_z(0, reinterpret_cast<Bytef const*>(values.data()), values.size_bytes());
  char text[48];
  std::snprintf(text, sizeof text, "%zu values, checksum %08lx", values.size(),
                static_cast<unsigned long>(crc));
  return text;
}

template <class T>
std::string checksum(std::vector<T> const& values) {
  return checksum(std::span<T const>(values));
}

bool is_free(std::string const& key) {
  auto const& keys = keys_free_to_change();
  return std::any_of(keys.begin(), keys.end(), [&](std::string const& free) {
    return key == free || (key.starts_with(free) && key[free.size()] == '.');
  });
}

/// Leaves of the tree as key.path and text.
void flatten(Node const& node, std::string const& path, Fingerprint& parts) {
  if (is_free(path)) return;
  auto const below = [&](std::string const& key) { return path.empty() ? key : path + "." + key; };
  if (node.is_map()) {
    for (auto const& entry : node.entries) flatten(entry.value, below(entry.key), parts);
  } else if (node.is_sequence() && node.items.size() > longest_list_shown) {
    auto const text = to_yaml(node);
    parts.emplace_back(path, checksum(std::span<char const>(text)));
  } else if (node.is_sequence()) {
    for (std::size_t k = 0; k < node.items.size(); ++k)
      flatten(node.items[k], below(std::to_string(k)), parts);
  } else if (node.is_scalar()) {
    parts.emplace_back(path, node.text.starts_with('/') ? "(file)" : node.text);
  }
}

/// What came from files, by what it became.
class Contents {
public:
  Contents(Fingerprint& parts, double time) : parts_(parts), time_(time) {}

  void add(std::string const& key, CellField const& field) {
    if (!field.is_constant()) parts_.emplace_back(key, checksum(field.raster));
  }
  void add(std::string const& key, TimeSeries const& series) {
    std::vector<double> used;
    for (std::size_t k = 0; k < series.time.size() && series.time[k] <= time_; ++k)
      used.insert(used.end(), {series.time[k], series.value[k]});
    // The value now stands for the line that is half used.
    if (!series.time.empty()) used.push_back(series(time_));
    parts_.emplace_back(key, checksum(used));
  }
  void add(std::string const& key, RasterSeries const& series) {
    if (series.empty()) return;
    // The first raster still to come stands for the change that is half used.
    std::size_t used = 0;
    while (used < series.time.size() && (used == 0 || series.time[used - 1] <= time_)) ++used;
    for (std::size_t k = 0; k < used; ++k)
      parts_.emplace_back(key + " at " + number_text(series.time[k]) + " s", checksum(series.raster[k]));
  }
  void add(std::string const& key, std::vector<BoundaryFace> const& faces) {
    std::vector<int> numbers;
    for (auto const& face : faces)
      numbers.insert(numbers.end(), {face.i, face.j, static_cast<int>(face.side)});
    parts_.emplace_back(key, checksum(numbers));
  }
  template <class T>
  void add(std::string const& key, std::vector<T> const& values) {
    parts_.emplace_back(key, checksum(values));
  }

private:
  Fingerprint& parts_;
  double time_;
};

}  // namespace

std::vector<std::string> const& keys_free_to_change() {
  static std::vector<std::string> const keys = {"title",
                                                "time.end_s",
                                                "output.directory",
                                                "output.snapshots.every_s",
                                                "output.snapshots.compression",
                                                "checkpoint"};
  return keys;
}

Fingerprint fingerprint(LoadedCase const& loaded, Precision precision, double time) {
  auto const& scenario = loaded.scenario;
  auto const& grid = scenario.grid;
  Fingerprint parts;
  parts.emplace_back("--precision", precision == Precision::double_precision ? "double" : "single");
  parts.emplace_back("grid", std::to_string(grid.nx) + " x " + std::to_string(grid.ny) + " cells of " +
                                 number_text(grid.dx) + " x " + number_text(grid.dy) + " m at (" +
                                 number_text(grid.x0) + ", " + number_text(grid.y0) + ")");
  std::vector<Problem> ignored;
  flatten(parse_yaml(loaded.case_yaml, "case.yaml", ignored), "", parts);

  Contents contents(parts, time);
  contents.add("values of bed", scenario.bed);
  contents.add("values of friction", scenario.friction.coefficient);
  contents.add("values of initial depth", scenario.initial.depth);
  contents.add("values of initial velocity x", scenario.initial.velocity_x);
  contents.add("values of initial velocity y", scenario.initial.velocity_y);
  for (std::size_t k = 0; k < scenario.boundaries.size(); ++k) {
    auto const& boundary = scenario.boundaries[k];
    auto const name = "boundary " + (boundary.name.empty() ? std::to_string(k) : boundary.name);
    contents.add("faces of " + name, boundary.faces);
    contents.add("series of " + name, boundary.series);
    contents.add("levels of " + name, boundary.curve_level);
    contents.add("discharges of " + name, boundary.curve_discharge);
  }
  for (std::size_t k = 0; k < scenario.sources.size(); ++k) {
    auto const& source = scenario.sources[k];
    auto const name = "source " + (source.name.empty() ? std::to_string(k) : source.name);
    contents.add("cells of " + name, source.cells);
    contents.add("series of " + name, source.series);
    contents.add("rasters of " + name, source.rasters);
    contents.add("rate of " + name, source.rate);
    contents.add("initial rate of " + name, source.initial_rate);
    contents.add("decay of " + name, source.decay);
    contents.add("suction of " + name, source.suction_deficit);
    contents.add("retention of " + name, source.retention);
    contents.add("initial abstraction of " + name, source.initial_abstraction);
  }
  if (scenario.wind) {
    contents.add("wind to the east", scenario.wind->east);
    contents.add("wind to the north", scenario.wind->north);
  }
  if (scenario.air_pressure) contents.add("rasters of air pressure", scenario.air_pressure->rasters);
  for (std::size_t k = 0; k < scenario.bed_motions.size(); ++k) {
    auto const& motion = scenario.bed_motions[k];
    auto const name = "bed motion " + (motion.name.empty() ? std::to_string(k) : motion.name);
    contents.add("cells of " + name, motion.cells);
    contents.add("series of " + name, motion.series);
    contents.add("shape of " + name, motion.shape);
    contents.add("rasters of " + name, motion.rasters);
  }
  for (std::size_t k = 0; k < scenario.structures.size(); ++k) {
    auto const& structure = scenario.structures[k];
    auto const name = "structure " + (structure.name.empty() ? std::to_string(k) : structure.name);
    contents.add("faces of " + name, structure.faces);
    contents.add("series of " + name, structure.series);
  }
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
      sentences.push_back(key + " may not be left out on restart: was \"" + value + "\"");
    else if (other->second != value)
      sentences.push_back(key + " may not change on restart: was \"" + value + "\", is \"" + other->second +
                          "\"");
  }
  for (auto const& [key, value] : now)
    if (find(then, key) == then.end())
      sentences.push_back(key + " may not be added on restart: is \"" + value + "\"");
  return sentences;
}

}  // namespace swe::io
