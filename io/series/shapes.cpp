#include "io/series/shapes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "io/case/node.hpp"
#include "io/raster/raster.hpp"
#include "io/series/csv.hpp"
#include "io/text.hpp"

namespace swe::io {

namespace {

[[noreturn]] void fail(std::string const& file, int line, std::string message) {
  throw InputError({{file, line, "", std::move(message)}});
}

Shapes read_csv_line(std::filesystem::path const& file) {
  CsvTable const table = read_csv(file);
  std::optional<std::size_t> x, y;
  if (table.columns.empty() && table.width() >= 2) {
    x = 0;
    y = 1;
  }
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    auto const [name, unit] = split_unit(table.columns[k]);
    std::string const lower = lower_case(name);
    if (!unit.empty() && unit != "m")
      fail(table.file, table.header_line, "column '" + table.columns[k] + "' must be in m");
    if (lower == "lon" || lower == "lat" || lower == "longitude" || lower == "latitude")
      fail(table.file, table.header_line, "coordinates in degrees; the solver needs metres");
    if (lower == "x" || lower == "easting" || lower == "e") x = k;
    if (lower == "y" || lower == "northing" || lower == "n") y = k;
  }
  if (!x || !y)
    fail(table.file, std::max(table.header_line, table.lines.front()), "needs columns called x and y");
  std::vector<Point> points;
  for (auto const& row : table.rows) points.push_back({row[*x], row[*y]});
  return {{points}, {{points}}, ""};
}

class GeoJson {
public:
  explicit GeoJson(std::string const& file) : file_(file) {}

  Shapes read(std::string const& text) {
    std::vector<Problem> problems;
    Node const root = parse_yaml(text, file_, problems);
    if (!problems.empty()) throw InputError(std::move(problems));
    if (!root.is_map()) fail(file_, 1, "is no GeoJSON: an object with a type is needed");
    if (Node const* const crs = root.find("crs"))
      if (Node const* const properties = crs->find("properties"))
        if (Node const* const name = properties->find("name")) shapes_.crs = name->text;
    add(root);
    if (shapes_.lines.empty()) fail(file_, 0, "holds no LineString or Polygon");
    return std::move(shapes_);
  }

private:
  void add(Node const& node) {
    Node const* const type = node.find("type");
    if (!type || !type->is_scalar()) fail(file_, node.line, "an object without a type");
    auto const part = [&](char const* name) -> Node const& {
      Node const* const found = node.find(name);
      if (!found) fail(file_, node.line, type->text + " without '" + name + "'");
      return *found;
    };
    if (type->text == "FeatureCollection") {
      for (auto const& feature : part("features").items) add(feature);
    } else if (type->text == "Feature") {
      if (Node const& geometry = part("geometry"); !geometry.is_null()) add(geometry);
    } else if (type->text == "GeometryCollection") {
      for (auto const& geometry : part("geometries").items) add(geometry);
    } else if (type->text == "LineString") {
      add_line(part("coordinates"));
    } else if (type->text == "MultiLineString") {
      for (auto const& line : part("coordinates").items) add_line(line);
    } else if (type->text == "Polygon") {
      add_polygon(part("coordinates"));
    } else if (type->text == "MultiPolygon") {
      for (auto const& polygon : part("coordinates").items) add_polygon(polygon);
    } else {
      fail(file_, type->line,
           "geometry of type '" + type->text + "' is not used; draw a LineString or a Polygon");
    }
  }

  void add_line(Node const& node) {
    shapes_.lines.push_back(points_of(node));
    shapes_.polygons.push_back({shapes_.lines.back()});
  }

  void add_polygon(Node const& node) {
    Rings rings;
    for (auto const& ring : node.items) rings.push_back(points_of(ring));
    shapes_.lines.insert(shapes_.lines.end(), rings.begin(), rings.end());
    shapes_.polygons.push_back(std::move(rings));
  }

  std::vector<Point> points_of(Node const& node) {
    std::vector<Point> points;
    for (auto const& item : node.items) {
      if (item.items.size() < 2) fail(file_, item.line, "a position needs two numbers");
      points.push_back({number(item.items[0]), number(item.items[1])});
    }
    if (points.size() < 2) fail(file_, node.line, "a line needs at least two positions");
    return points;
  }

  double number(Node const& node) {
    double value = 0;
    auto const [end, error] = std::from_chars(node.text.data(), node.text.data() + node.text.size(), value);
    if (error != std::errc() || end != node.text.data() + node.text.size() || !std::isfinite(value))
      fail(file_, node.line, "'" + node.text + "' is not a number");
    return value;
  }

  std::string const& file_;
  Shapes shapes_;
};

}  // namespace

Shapes read_shapes(std::filesystem::path const& file) {
  std::string const text = read_whole_file(file);
  auto const first = trim(text);
  if (!first.empty() && first.front() == '{') {
    std::string const name = file.string();
    return GeoJson(name).read(text);
  }
  return read_csv_line(file);
}

std::vector<std::int64_t> cells_in(Grid const& grid, std::vector<Rings> const& polygons) {
  std::vector<std::int64_t> cells;
  for (Rings const& rings : polygons) {
    std::vector<std::int64_t> inside;
    for (auto const& ring : rings) {
      auto const more = cells_in_polygon(grid, ring);
      std::vector<std::int64_t> odd;
      std::set_symmetric_difference(inside.begin(), inside.end(), more.begin(), more.end(),
                                    std::back_inserter(odd));
      inside = std::move(odd);
    }
    std::vector<std::int64_t> all;
    std::set_union(cells.begin(), cells.end(), inside.begin(), inside.end(), std::back_inserter(all));
    cells = std::move(all);
  }
  return cells;
}

}  // namespace swe::io
