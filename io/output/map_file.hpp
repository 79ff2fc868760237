#pragma once
/// \file
/// Maps over the grid in HDF5 files that are also valid NetCDF-4 files with CF-1.8 metadata: a dimension
/// scale for every axis, units, names, and the coordinate reference system as a grid-mapping variable `crs`.
/// Rows run from south to north, as y rises; GDAL and QGIS turn them by the y coordinate.

#include <string>
#include <vector>

#include "io/output/hdf5.hpp"
#include "solver/scenario.hpp"

namespace swe::io {

/// Name and meaning of one variable.
struct FieldInfo {
  std::string name;   ///< variable name in the file
  std::string units;  ///< UDUNITS text
  std::string long_name;
  std::string standard_name;  ///< from the CF table; empty where the table has none that fits
  std::string cell_methods;   ///< CF text; may be empty
};

/// What is known about a field of a snapshot or of the maxima by its name; a name not known gets units "1".
[[nodiscard]] FieldInfo snapshot_field_info(std::string const& name);
[[nodiscard]] FieldInfo maximum_info(std::string const& name);

struct MapDescription {
  Grid grid;
  std::string title;
  std::string crs;  ///< EPSG code or WKT; may be empty
};

struct MapStorage {
  bool single_precision = false;
  int compression = 0;  ///< deflate level; bytes are shuffled first when it is not 0
};

/// Global attributes, x, y, x_node, y_node and, when a reference system is known, crs.
void write_map_header(hid_t file, MapDescription const& map);

/// `mesh/node` over (y_node, x_node, 2): x and y of every corner, which is how XDMF wants to have them; the
/// header comes first. A small fraction of its size on disk.
void write_mesh(hid_t file, Grid const& grid);

/// Unlimited, still empty time axis in `group`.
[[nodiscard]] h5::Handle create_time_axis(hid_t group);

/// Variable over (y, x), or (time, y, x) when `time_axis` is a dataset; fill value NaN; still unwritten.
[[nodiscard]] h5::Handle create_map_variable(hid_t file, MapDescription const& map, FieldInfo const& info,
                                             MapStorage const& storage, hid_t time_axis = -1);

/// One-dimensional axis (dimension scale) of the given values.
h5::Handle create_axis(hid_t group, std::string const& name, std::vector<double> const& values);

/// Variable over the given axes; the first may be unlimited. `chunk` empty: contiguous.
[[nodiscard]] h5::Handle create_variable(hid_t group, FieldInfo const& info, std::vector<hid_t> const& axes,
                                         std::vector<hsize_t> const& chunk, MapStorage const& storage);

/// `EPSG:n` or other text as WKT where GDAL can tell, else the text itself.
[[nodiscard]] std::string crs_as_wkt(std::string const& crs);

}  // namespace swe::io
