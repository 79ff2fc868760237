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

  void add(std::string const& name, Boundary const& boundary) {
    add("faces of " + name, boundary.faces);
    add("series of " + name, boundary.series);
    add("velocity to the east of " + name, boundary.velocity_x);
    add("velocity to the north of " + name, boundary.velocity_y);
    add("levels of " + name, boundary.curve_level);
    add("discharges of " + name, boundary.curve_discharge);
  }
  void add(std::string const& name, Source const& source) {
    add("cells of " + name, source.cells);
    add("series of " + name, source.series);
    add("rasters of " + name, source.rasters);
    add("rate of " + name, source.rate);
    add("initial rate of " + name, source.initial_rate);
    add("decay of " + name, source.decay);
    add("suction of " + name, source.suction_deficit);
    add("retention of " + name, source.retention);
    add("initial abstraction of " + name, source.initial_abstraction);
  }
  void add(std::string const& name, PressureLow const& low) {
    add("way to the east of " + name, low.x);
    add("way to the north of " + name, low.y);
  }
  void add(std::string const& name, BedMotion const& motion) {
    add("cells of " + name, motion.cells);
    add("series of " + name, motion.series);
    add("shape of " + name, motion.shape);
    add("rasters of " + name, motion.rasters);
  }
  void add(std::string const& name, Structure const& structure) {
    add("faces of " + name, structure.faces);
    add("series of " + name, structure.series);
    add("crest of " + name, structure.above_crest);
  }
  /// Things that may have a name; those without one go by their number.
  template <class Item>
  void add_each(std::string const& kind, std::vector<Item> const& items) {
    for (std::size_t k = 0; k < items.size(); ++k)
      add(kind + " " + (items[k].name.empty() ? std::to_string(k) : items[k].name), items[k]);
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

Fingerprint fingerprint(LoadedCase const& loaded, Machine const& machine, double time) {
  auto const& scenario = loaded.scenario;
  auto const& grid = scenario.grid;
  Fingerprint parts;
  parts.emplace_back("--precision", machine.precision == Precision::double_precision ? "double" : "single");
  parts.emplace_back("the number of processes", std::to_string(machine.processes));
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
  contents.add_each("boundary", scenario.boundaries);
  contents.add_each("source", scenario.sources);
  contents.add_each("bed motion", scenario.bed_motions);
  contents.add_each("structure", scenario.structures);
  if (scenario.wind) {
    contents.add("wind to the east", scenario.wind->east);
    contents.add("wind to the north", scenario.wind->north);
  }
  contents.add_each("pressure low", scenario.pressure_lows);
  if (scenario.air_pressure) contents.add("rasters of air pressure", scenario.air_pressure->rasters);
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
