#pragma once
/// \file
/// Maps of numbers on a regular grid, and the formats they come in.

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "io/text.hpp"
#include "solver/scenario.hpp"

namespace swe::io {

/// A map in memory. value(i, j) = values[i + nx * j], row j = 0 is the SOUTH row; NaN means no data.
struct Raster {
  Grid grid;
  std::vector<double> values;
  std::string crs;                 ///< EPSG code or WKT, empty when the file says nothing
  std::vector<std::string> notes;  ///< what the reader had to assume
};

/// Which map to take from a file that holds several.
struct RasterSelection {
  std::string variable;           ///< NetCDF/HDF5 variable; may be empty when there is only one map
  std::optional<int> time_index;  ///< of a map in time; negative counts from the end; the last when empty
};

/// Reads ESRI ASCII (also gzipped), GeoTIFF and whatever else GDAL knows (when built with it), NetCDF-4/HDF5.
/// The format is taken from the content, not from the name.
/// Throws InputError: unreadable file, malformed content (with line, row and column; rows count from the
/// north, columns from the west, both from 1), wrong number of values, too large for this machine, all
/// no-data.
[[nodiscard]] Raster read_raster(std::filesystem::path const& file, RasterSelection const& selection = {});

/// ESRI ASCII from text already in memory. `file` names it in errors.
[[nodiscard]] Raster parse_ascii_raster(std::string_view text, std::string const& file);

/// Writes ESRI ASCII with the north row first, every value in the fewest digits that read back to the same
/// bits, NaN as `no_data`. Square cells give `cellsize`, others `dx` and `dy`.
void write_ascii_raster(std::ostream& out, Grid const& grid, std::vector<double> const& values,
                        double no_data = -9999);

enum class Resample { none, nearest, bilinear };

/// Whether both grids have the same size, cells and origin (origins within 1e-6 of a cell).
[[nodiscard]] bool same_grid(Grid const& a, Grid const& b);

/// `4 x 3 cells of 10 x 10 m from (500000, 4000000)`
[[nodiscard]] std::string describe_grid(Grid const& grid);

/// `raster` brought onto `grid`. A cell takes the value at its centre: that of the raster cell holding it
/// (nearest), or bilinear between the four raster centres around it, where a missing one makes it nearest.
/// Centres outside the raster give NaN.
[[nodiscard]] std::vector<double> resample(Raster const& raster, Grid const& grid, Resample method);

/// Bytes of memory this process may use: physical memory, or the control group's limit where that is less.
[[nodiscard]] std::uint64_t memory_limit_bytes();

/// Same place on earth, different, or not to be told from the texts (EPSG code against WKT without one).
enum class CrsMatch { same, different, unknown };
[[nodiscard]] CrsMatch compare_crs(std::string const& a, std::string const& b);
/// EPSG code named by `EPSG:n`, an OGC URN, or the outermost authority of a WKT; empty when there is none.
[[nodiscard]] std::optional<int> epsg_code(std::string const& crs);
/// Whether the text describes longitude and latitude rather than metres.
[[nodiscard]] bool is_geographic_crs(std::string const& crs);
/// Whether the text names an EPSG code that does not exist; never true without GDAL, which has the list.
[[nodiscard]] bool is_unknown_epsg(std::string const& crs);
/// For a raster without CRS: whether its box and cells look like degrees. `relief` is the range of its
/// values.
[[nodiscard]] bool looks_geographic(Grid const& grid, double relief);

/// Readers by format; see read_raster.
[[nodiscard]] Raster read_hdf5_raster(std::filesystem::path const& file, RasterSelection const& selection);
[[nodiscard]] Raster read_gdal_raster(std::filesystem::path const& file);
[[nodiscard]] bool has_gdal();
/// What GDAL makes of a reference system: nothing where it cannot tell, or is not there.
enum class CrsKind { unknown, geographic, other };
[[nodiscard]] CrsKind gdal_crs_kind(std::string const& crs);

/// Whole file as bytes, inflated when it is gzip. Throws InputError.
[[nodiscard]] std::string read_whole_file(std::filesystem::path const& file);

}  // namespace swe::io
