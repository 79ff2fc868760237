#include "io/case/building.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "io/text.hpp"
#include "solver/geometry.hpp"

namespace swe::io {

namespace {

/// As a person finds it in the raster: rows from the north, columns from the west, both from 1.
std::string place_of(Grid const& grid, std::int64_t cell) {
  auto const i = int(cell % grid.nx), j = int(cell / grid.nx);
  return "row " + std::to_string(grid.ny - j) + ", column " + std::to_string(i + 1) + " (at " +
         number_text(grid.x_centre(i)) + ", " + number_text(grid.y_centre(j)) + ")";
}

std::string point_text(Point at) { return "(" + number_text(at.x) + ", " + number_text(at.y) + ")"; }

}  // namespace

void Building::problem(std::string const& key, std::string message) {
  Node const& node = nearest_node(root_, key);
  problems_.push_back({node.file ? *node.file : "", node.line, key, std::move(message)});
}

void Building::file_problem(std::string const& key, InputError const& error) {
  for (Problem one : error.problems()) {
    one.key = key;
    problems_.push_back(std::move(one));
  }
}

bool Building::broken(std::string const& key) const {
  auto const inside = [](std::string_view inner, std::string_view outer) {
    return inner == outer || outer.empty() || (inner.starts_with(outer) && inner[outer.size()] == '.');
  };
  return std::any_of(read_problems_.begin(), read_problems_.end(), [&](Problem const& one) {
    return inside(one.key, key) || (!one.key.empty() && inside(key, one.key));
  });
}

void Building::check_crs(std::string const& key, std::string const& file, std::string const& crs) {
  if (crs.empty()) return;
  if (is_geographic_crs(crs)) {
    problem(key, file + " is in longitude and latitude; the solver needs metres: reproject it first");
    return;
  }
  if (crs_.empty()) {
    crs_ = crs;
    crs_source_ = file;
    return;
  }
  std::string const other = crs_source_.empty() ? "the case's crs" : crs_source_;
  switch (compare_crs(crs_, crs)) {
    case CrsMatch::same:
      break;
    case CrsMatch::different:
      problem(key, file + " has another coordinate system than " + other + ": " + crs.substr(0, 80) +
                       " against " + crs_.substr(0, 80));
      break;
    case CrsMatch::unknown:
      note(file + ": its coordinate system cannot be compared with that of " + other + "; taken as the same");
      break;
  }
}

std::shared_ptr<Raster const> Building::raster(std::string const& key, RasterFile const& file) {
  std::string const id = file.raster.path.string() + '\n' + file.variable + '\n' +
                         (file.time_index ? std::to_string(*file.time_index) : "");
  if (auto const known = rasters_.find(id); known != rasters_.end()) return known->second;
  std::shared_ptr<Raster const> raster;
  try {
    raster = std::make_shared<Raster>(read_raster(file.raster.path, {file.variable, file.time_index}));
    for (auto const& text : raster->notes) note(text);
    std::size_t const before = problem_count();
    check_crs(key, file.raster.text, raster->crs);
    if (problem_count() > before) raster.reset();
  } catch (InputError const& error) {
    file_problem(key, error);
  }
  rasters_[id] = raster;
  return raster;
}

std::vector<double> Building::raster_on_grid(std::string const& key, RasterFile const& file) {
  auto const source = raster(key, file);
  if (!source || !has_grid()) return {};
  if (same_grid(source->grid, grid())) return source->values;
  if (file.resample == Resample::none) {
    problem(key, "the raster has " + describe_grid(source->grid) + ", the model grid has " +
                     describe_grid(grid()) + "; write {raster: " + file.raster.text +
                     ", resample: nearest} to have it resampled");
    return {};
  }
  return resample(*source, grid(), file.resample);
}

std::vector<Rings> Building::polygons(std::string const& key, Area const& area) {
  if (!area.file.empty()) {
    try {
      Shapes shapes = read_shapes(area.file.path);
      check_crs(key, area.file.text, shapes.crs);
      return std::move(shapes.polygons);
    } catch (InputError const& error) {
      file_problem(key, error);
      return {};
    }
  }
  return {{area.points}};
}

std::vector<std::int64_t> Building::cells(std::string const& key, Area const& area) {
  std::vector<std::int64_t> cells;
  std::size_t const before = problem_count();
  if (area.circle) {
    auto const [centre, radius] = *area.circle;
    for (std::int64_t cell = 0; cell < std::int64_t(scenario_.bed.size()); ++cell) {
      double const x = grid().x_centre(int(cell % grid().nx)), y = grid().y_centre(int(cell / grid().nx));
      if (std::hypot(x - centre.x, y - centre.y) < radius) cells.push_back(cell);
    }
  } else if (auto const rings = polygons(key, area); has_grid()) {
    cells = cells_in(grid(), rings);
  }
  if (!has_grid() || problem_count() > before) return {};
  std::erase_if(cells, [&](std::int64_t cell) { return !scenario_.active(cell); });
  if (cells.empty()) problem(key, "the area holds the centre of no active cell");
  return cells;
}

std::optional<std::int64_t> Building::active_cell(std::string const& key, Point at) {
  if (!has_grid()) return std::nullopt;
  auto const cell = cell_at(grid(), at.x, at.y);
  if (!cell) {
    problem(key, point_text(at) + " lies outside the grid, which spans x " + number_text(grid().x0) + " to " +
                     number_text(grid().x0 + grid().nx * grid().dx) + ", y " + number_text(grid().y0) +
                     " to " + number_text(grid().y0 + grid().ny * grid().dy));
    return std::nullopt;
  }
  if (!scenario_.active(*cell)) {
    problem(key, point_text(at) + " lies on an inactive cell (no data in the bed)");
    return std::nullopt;
  }
  return cell;
}

std::vector<Point> Building::line(std::string const& key, Line const& line) {
  if (line.file.empty()) return line.points;
  try {
    Shapes shapes = read_shapes(line.file.path);
    check_crs(key, line.file.text, shapes.crs);
    if (shapes.lines.size() == 1) return std::move(shapes.lines.front());
    problem(key, line.file.text + " holds " + std::to_string(shapes.lines.size()) + " lines, one is needed");
  } catch (InputError const& error) {
    file_problem(key, error);
  }
  return {};
}

CellField Building::field(std::string const& key, Field const& field, double otherwise) {
  CellField result;
  if (auto const* const number = std::get_if<double>(&field.value)) {
    result.constant = *number;
    return result;
  }
  if (auto const* const areas = std::get_if<AreaValues>(&field.value)) {
    if (has_grid()) result.raster.assign(std::size_t(grid().cells()), areas->otherwise.value_or(otherwise));
    bool const bare = nearest_node(root_, key).is_sequence();
    for (std::size_t k = 0; k < areas->polygons.size(); ++k) {
      auto const& [over, value] = areas->polygons[k];
      std::string const place = key + (bare ? "." : ".polygons.") + std::to_string(k) + ".over";
      for (std::int64_t const cell : cells(place, over)) result.raster[std::size_t(cell)] = value;
    }
    return result;
  }
  auto const& file = std::get<RasterFile>(field.value);
  result.raster = raster_on_grid(key, file);
  for (std::int64_t cell = 0; cell < std::int64_t(result.raster.size()); ++cell) {
    double const value = result.raster[std::size_t(cell)];
    if (!scenario_.active(cell)) continue;
    if (std::isnan(value)) {
      problem(key, file.raster.text + " has no value for the active cell in " + place_of(grid(), cell));
      break;
    }
    if (!field.range.contains(value)) {
      problem(key, file.raster.text + ": " + place_of(grid(), cell) + ": must be " + field.range.text() +
                       ", not " + number_text(value));
      break;
    }
  }
  return result;
}

std::vector<TimeSeries> Building::forcings(std::string const& series_key, Forcing const& forcing,
                                           SeriesRequest request) {
  if (forcing.series.empty()) return {TimeSeries::constant(forcing.constant.value_or(0) * request.to_si)};
  request.column = forcing.column;
  request.after_end = forcing.after_end;
  request.start = scenario_.start_time;
  request.end = scenario_.end_time;
  try {
    return read_series(forcing.series.path, request);
  } catch (InputError const& error) {
    file_problem(series_key, error);
    return {};
  }
}

TimeSeries Building::forcing(std::string const& series_key, Forcing const& forcing, SeriesRequest request) {
  auto all = forcings(series_key, forcing, std::move(request));
  if (all.empty()) return TimeSeries::constant(0);
  if (all.size() > 1)
    problem(series_key, forcing.series.text + " has " + std::to_string(all.size()) +
                            " value columns, one is needed; name it with `column`");
  return std::move(all.front());
}

Curve Building::curve(std::string const& key, FileName const& file, CurveColumn x, CurveColumn y,
                      std::function<std::string(double const*, double)> const& wrong) {
  Curve curve;
  try {
    CsvTable const table = read_csv(file.path);
    auto const fail = [&](int line, std::string message) {
      throw InputError({{table.file, line, "", std::move(message)}});
    };
    auto const full_name = [](CurveColumn c) { return std::string(c.name) + "_" + std::string(c.unit); };
    auto const column = [&](CurveColumn wanted, std::size_t without_header) {
      if (table.columns.empty()) return without_header;
      for (std::size_t k = 0; k < table.columns.size(); ++k) {
        auto const split = split_unit(table.columns[k]);
        if (lower_case(split.name) != wanted.name) continue;
        if (!split.unit.empty() && split.unit != wanted.unit)
          fail(table.header_line, "column '" + table.columns[k] + "' must be in " + std::string(wanted.unit));
        return k;
      }
      fail(table.header_line, "no column is called " + full_name(wanted));
      return without_header;
    };
    if (table.width() < 2)
      fail(table.lines.front(), "needs the columns " + full_name(x) + " and " + full_name(y));
    std::size_t const at_x = column(x, 0), at_y = column(y, 1);
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
      if (k > 0 && !(table.rows[k][at_x] > curve.x.back()))
        fail(table.lines[k], std::string(x.name) + "s must rise");
      if (auto const what = wrong(k > 0 ? &curve.y.back() : nullptr, table.rows[k][at_y]); !what.empty())
        fail(table.lines[k], what);
      curve.x.push_back(table.rows[k][at_x]);
      curve.y.push_back(table.rows[k][at_y]);
    }
    if (table.rows.size() < 2) fail(table.lines.front(), "a curve needs at least two rows");
    return curve;
  } catch (InputError const& error) {
    file_problem(key, error);
    return {};
  }
}

}  // namespace swe::io
