#pragma once
/// \file
/// `maxima.nc` and one raster a field for GIS: what a computation kept of its extremes.

#include <filesystem>
#include <string>
#include <vector>

#include "io/output/map_file.hpp"
#include "solver/simulation.hpp"

namespace swe::io {

/// Writes `maxima.nc` beside the bed, prepared under another name, synced and renamed. Throws FileError.
void write_maxima(std::filesystem::path const& path, MapDescription const& map,
                  std::vector<double> const& bed, std::vector<NamedField> const& maxima, int compression);

/// GeoTIFF where the program was built with GDAL, else ESRI ASCII (with a .prj when the reference system is
/// WKT). `path` without extension; returns the file written. Inactive cells and NaN become -9999. Throws
/// FileError.
std::filesystem::path write_raster(std::filesystem::path const& path, MapDescription const& map,
                                   std::vector<double> const& values);

/// ESRI ASCII text, north row first, `dx`/`dy` instead of `cellsize` when cells are not square.
[[nodiscard]] std::string esri_ascii_text(Grid const& grid, std::vector<double> const& values);

}  // namespace swe::io
