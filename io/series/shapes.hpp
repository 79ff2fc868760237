#pragma once
/// \file
/// Lines and polygons in CSV and GeoJSON files.

#include <filesystem>
#include <string>
#include <vector>

#include "solver/geometry.hpp"

namespace swe::io {

/// A polygon: outer ring first, then holes; a point inside an odd number of rings is inside. Rings need not
/// repeat their first point.
using Rings = std::vector<std::vector<Point>>;

struct Shapes {
  std::vector<std::vector<Point>> lines;  ///< line strings; rings of polygons count as closed lines
  std::vector<Rings> polygons;            ///< for CSV and line strings: the line, closed
  std::string crs;                        ///< as a GeoJSON file names it; usually empty
};

/// CSV: columns x and y (also x_m, easting, ...), or the first two without a header; one line.
/// GeoJSON: any mix of LineString, Polygon, their Multi forms, features and collections.
/// Throws InputError.
[[nodiscard]] Shapes read_shapes(std::filesystem::path const& file);

/// Cells whose centre lies in any of the polygons, rising.
[[nodiscard]] std::vector<std::int64_t> cells_in(Grid const& grid, std::vector<Rings> const& polygons);

}  // namespace swe::io
