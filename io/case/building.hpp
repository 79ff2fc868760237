#pragma once
/// \file
/// What the kinds of a case (boundaries, sources, ...) use to turn themselves into parts of a Scenario.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/node.hpp"
#include "io/case/values.hpp"
#include "io/series/csv.hpp"
#include "io/series/shapes.hpp"
#include "solver/scenario.hpp"

namespace swe::io {

/// A forcing given as a constant or as a series. Kinds of boundaries and sources derive from it.
struct Forcing {
  FileName series;
  std::string column;
  std::optional<TimeSeries::AfterEnd> after_end;
  std::optional<double> constant;
};

/// A column of a table: its name, and the unit its header must not contradict.
struct CurveColumn {
  std::string_view name, unit;
};
/// Pairs of numbers from a table, x rising.
struct Curve {
  std::vector<double> x, y;
};

class Building {
public:
  Building(Node const& root, Scenario& scenario, std::vector<Problem>& problems,
           std::vector<std::string>& notes)
      : scenario_(scenario), root_(root), problems_(problems), notes_(notes), read_problems_(problems) {}

  [[nodiscard]] Scenario const& scenario() const { return scenario_; }
  [[nodiscard]] Grid const& grid() const { return scenario_.grid; }
  /// Whether there is a bed to place things on; without one, places come out empty and nothing is said about
  /// them.
  [[nodiscard]] bool has_grid() const { return !scenario_.bed.empty(); }

  /// Problem at a key of the case file. `file_problem` keeps the place inside the named file.
  void problem(std::string const& key, std::string message);
  void file_problem(std::string const& key, InputError const& error);
  void note(std::string text) { notes_.push_back(std::move(text)); }
  /// Whether reading already found something wrong at `key`, in it or around it.
  [[nodiscard]] bool broken(std::string const& key) const;
  [[nodiscard]] std::size_t problem_count() const { return problems_.size(); }

  /// The CRS of the case, against which those of files are compared. Empty: the first one met is taken.
  void set_crs(std::string crs) { crs_ = std::move(crs); }
  [[nodiscard]] std::string const& crs() const { return crs_; }
  void check_crs(std::string const& key, std::string const& file, std::string const& crs);

  /// `field` on the grid; every active cell has a value in the allowed range, or it is reported. `otherwise`
  /// fills cells outside all areas where the case gives no default.
  [[nodiscard]] CellField field(std::string const& key, Field const& field, double otherwise = 0);

  /// Active cells of an area, rising; none in it is reported.
  [[nodiscard]] std::vector<std::int64_t> cells(std::string const& key, Area const& area);
  /// Active cell that holds a point, or it is reported.
  [[nodiscard]] std::optional<std::int64_t> active_cell(std::string const& key, Point at);
  /// One line; files that hold several are reported.
  [[nodiscard]] std::vector<Point> line(std::string const& key, Line const& line);

  /// What a forcing says over time, in SI; one series per value column of the file. `series_key` is the full
  /// key of the file name. Empty when something was reported.
  [[nodiscard]] std::vector<TimeSeries> forcings(std::string const& series_key, Forcing const& forcing,
                                                 SeriesRequest request);
  /// The same where only one series makes sense.
  [[nodiscard]] TimeSeries forcing(std::string const& series_key, Forcing const& forcing,
                                   SeriesRequest request);

  /// Two columns of a CSV, known by name or, without a header, the first and the second; at least two rows.
  /// Of every y `wrong` says what is amiss, by the y before it (null at first), or nothing. Empty when
  /// something was reported.
  [[nodiscard]] Curve curve(std::string const& key, FileName const& file, CurveColumn x, CurveColumn y,
                            std::function<std::string(double const* before, double y)> const& wrong);

  /// A raster file, read once however often it is named; null after reporting.
  [[nodiscard]] std::shared_ptr<Raster const> raster(std::string const& key, RasterFile const& file);
  /// Its values on the grid, NaN where it has none; empty after reporting.
  [[nodiscard]] std::vector<double> raster_on_grid(std::string const& key, RasterFile const& file);

private:
  [[nodiscard]] std::vector<Rings> polygons(std::string const& key, Area const& area);

  Scenario& scenario_;
  Node const& root_;
  std::vector<Problem>& problems_;
  std::vector<std::string>& notes_;
  std::vector<Problem> read_problems_;
  std::string crs_;
  std::string crs_source_;
  std::map<std::string, std::shared_ptr<Raster const>> rasters_;
};

}  // namespace swe::io
