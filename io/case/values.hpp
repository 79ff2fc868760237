#pragma once
/// \file
/// Kinds of values that keys of a case file hold.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/raster/raster.hpp"
#include "solver/simulation.hpp"

namespace swe::io {

/// Allowed numbers; open ends exclude the bound itself.
struct Range {
  std::optional<double> low, high;
  bool low_open = false, high_open = false;

  [[nodiscard]] bool contains(double value) const;
  /// `greater than 0 and at most 1`; empty when everything is allowed
  [[nodiscard]] std::string text() const;
};
[[nodiscard]] constexpr Range any_number() { return {}; }
[[nodiscard]] constexpr Range positive() { return {0.0, std::nullopt, true, false}; }
[[nodiscard]] constexpr Range at_least(double low) { return {low, std::nullopt, false, false}; }
[[nodiscard]] constexpr Range between(double low, double high) { return {low, high, false, false}; }
[[nodiscard]] constexpr Range above_up_to(double low, double high) { return {low, high, true, false}; }

/// A file named in the case. `path` is absolute or relative to the process; `text` as written.
struct FileName {
  std::filesystem::path path;
  std::string text;
  [[nodiscard]] bool empty() const { return text.empty(); }
};

/// Points of a line, written in the case or in a CSV or GeoJSON file.
struct Line {
  std::vector<Point> points;
  FileName file;
  [[nodiscard]] bool empty() const { return points.empty() && file.empty(); }
};

/// An area: polygon points, a file of polygons, or a circle.
struct Circle {
  Point centre;
  double radius = 0;
};
struct Area {
  std::vector<Point> points;
  FileName file;
  std::optional<Circle> circle;
  [[nodiscard]] bool empty() const { return points.empty() && file.empty() && !circle; }
};

/// A raster and how it is brought onto the grid when it does not match.
struct RasterFile {
  FileName raster;
  Resample resample = Resample::none;
  std::string variable;
  std::optional<int> time_index;
};

/// Values by area; later areas win.
struct AreaValue {
  Area over;
  double value = 0;
};
struct AreaValues {
  std::optional<double> otherwise;  ///< outside all areas
  std::vector<AreaValue> polygons;
};

/// A quantity per cell: a number, a raster, or values by area.
struct Field {
  std::variant<double, RasterFile, AreaValues> value = 0.0;
  Range range;
};

/// Duration of wall time: `30min`, `11h50m`, `1d`, `90s`, or a plain number of seconds. Empty when it is
/// none.
struct Duration {
  double seconds = 0;
};
[[nodiscard]] std::optional<Duration> parse_duration(std::string_view text);
/// `11h50m`
[[nodiscard]] std::string duration_text(Duration duration);

}  // namespace swe::io
