// Comparing and joining the grids of rasters, and what is known about their coordinates.

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

#include "io/raster/raster.hpp"
#include "io/text.hpp"
#include "solver/geometry.hpp"

namespace swe::io {

bool same_grid(Grid const& a, Grid const& b) {
  constexpr double tolerance = 1e-6;  // of a cell: headers are written with few digits
  auto const near = [](double p, double q, double unit) { return std::abs(p - q) <= tolerance * unit; };
  return a.nx == b.nx && a.ny == b.ny && near(a.x0, b.x0, a.dx) && near(a.y0, b.y0, a.dy) &&
         near(a.dx * a.nx, b.dx * b.nx, a.dx) && near(a.dy * a.ny, b.dy * b.ny, a.dy);
}

std::string describe_grid(Grid const& grid) {
  return std::to_string(grid.nx) + " x " + std::to_string(grid.ny) + " cells of " + number_text(grid.dx) +
         " x " + number_text(grid.dy) + " m from (" + number_text(grid.x0) + ", " + number_text(grid.y0) +
         ")";
}

std::vector<double> resample(Raster const& raster, Grid const& grid, Resample method) {
  Grid const& from = raster.grid;
  std::vector<double> values(std::size_t(grid.cells()), std::numeric_limits<double>::quiet_NaN());
  for (int j = 0; j < grid.ny; ++j)
    for (int i = 0; i < grid.nx; ++i) {
      double const x = grid.x_centre(i), y = grid.y_centre(j);
      auto const cell = cell_at(from, x, y);
      if (!cell) continue;
      double value = raster.values[*cell];
      if (method == Resample::bilinear) {
        double const p = std::clamp((x - from.x0) / from.dx - 0.5, 0.0, from.nx - 1.0);
        double const q = std::clamp((y - from.y0) / from.dy - 0.5, 0.0, from.ny - 1.0);
        int const west = std::min(int(p), std::max(from.nx - 2, 0)),
                  south = std::min(int(q), std::max(from.ny - 2, 0));
        int const east = std::min(west + 1, from.nx - 1), north = std::min(south + 1, from.ny - 1);
        double const s = p - west, t = q - south;
        double const smooth = (1 - t) * ((1 - s) * raster.values[from.index(west, south)] +
                                         s * raster.values[from.index(east, south)]) +
                              t * ((1 - s) * raster.values[from.index(west, north)] +
                                   s * raster.values[from.index(east, north)]);
        if (!std::isnan(smooth) && !std::isnan(value)) value = smooth;
      }
      values[grid.index(i, j)] = value;
    }
  return values;
}

std::optional<int> epsg_code(std::string const& crs) {
  std::smatch match;
  static std::regex const code(
      R"(^\s*(?:EPSG:|urn:ogc:def:crs:EPSG:[^:]*:|urn:x-ogc:def:crs:EPSG:[^:]*:)(\d{4,6})\s*$)",
      std::regex::icase);
  if (std::regex_match(crs, match, code)) return std::stoi(match[1]);
  // In a WKT the outermost authority is the last one, and belongs to the whole.
  static std::regex const authority(R"re((?:AUTHORITY\["EPSG",\s*"?|ID\["EPSG",\s*)(\d{4,6})"?\]\s*\]\s*$)re",
                                    std::regex::icase);
  if (std::regex_search(crs, match, authority)) return std::stoi(match[1]);
  return std::nullopt;
}

bool is_geographic_crs(std::string const& crs) {
  std::string const text = lower_case(trim(crs));
  for (std::string_view start :
       {"geogcs", "geogcrs", "geodcrs", "geographiccrs", "+proj=longlat", "+proj=latlong", "+init=epsg:4326",
        "ogc:crs84", "crs84", "urn:ogc:def:crs:ogc:1.3:crs84"})
    if (text.starts_with(start)) return true;
  // Codes of EPSG's two-dimensional geographic systems lie in this block, projected ones do not.
  auto const code = epsg_code(crs);
  if (code && *code >= 4001 && *code <= 4999) return true;
  return code && gdal_crs_kind("EPSG:" + std::to_string(*code)) == CrsKind::geographic;
}

bool is_unknown_epsg(std::string const& crs) {
  auto const code = epsg_code(crs);
  if (!code || gdal_crs_kind("EPSG:" + std::to_string(*code)) != CrsKind::unknown) return false;
  return gdal_crs_kind("EPSG:4326") != CrsKind::unknown;  // or else GDAL has no list here
}

bool looks_geographic(Grid const& grid, double relief) {
  double const east = grid.x0 + grid.nx * grid.dx, north = grid.y0 + grid.ny * grid.dy;
  bool const on_the_globe = grid.x0 >= -180 && east <= 360 && grid.y0 >= -90 && north <= 90;
  if (!on_the_globe || grid.dx > 0.5) return false;
  // Laboratory flumes have small cells near the origin too, but round ones, and less relief than length.
  double const thirds = grid.dx * 3600 * 3;  // in thirds of an arc second
  double const digits = grid.dx / std::pow(10, std::floor(std::log10(grid.dx)) - 2);
  bool const round = std::abs(digits - std::round(digits)) < 1e-6;
  bool const arc_seconds = thirds > 0.9 && std::abs(thirds - std::round(thirds)) < 1e-4 * thirds;
  return (arc_seconds && !round) || relief > std::max(east - grid.x0, north - grid.y0);
}

CrsMatch compare_crs(std::string const& a, std::string const& b) {
  auto const squeeze = [](std::string const& text) {
    std::string plain = lower_case(text);
    std::erase_if(plain, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
    return plain;
  };
  if (squeeze(a) == squeeze(b)) return CrsMatch::same;
  auto const code_a = epsg_code(a), code_b = epsg_code(b);
  if (code_a && code_b) return *code_a == *code_b ? CrsMatch::same : CrsMatch::different;
  return CrsMatch::unknown;
}

}  // namespace swe::io
