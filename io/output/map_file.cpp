#include "io/output/map_file.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#ifdef SWE_HAS_GDAL
#include <cpl_error.h>
#include <ogr_spatialref.h>
#endif

#include "io/output/version.hpp"

namespace swe::io {
namespace {

constexpr hsize_t chunk_target_bytes = 1 << 20;  // HDF5's default chunk cache holds one of these
constexpr hsize_t time_chunk = 512;

FieldInfo find_info(std::vector<FieldInfo> const& table, std::string const& name) {
  auto const found =
      std::find_if(table.begin(), table.end(), [&](auto const& info) { return info.name == name; });
  if (found != table.end()) return *found;
  return {name, "1", name, "", ""};
}

/// Parts of equal length, none longer than `limit`.
hsize_t even_part(hsize_t total, hsize_t limit) {
  hsize_t const parts = (total + limit - 1) / std::max<hsize_t>(limit, 1);
  return (total + parts - 1) / std::max<hsize_t>(parts, 1);
}

std::array<hsize_t, 2> map_chunk(Grid const& grid, hsize_t value_bytes) {
  auto const nx = static_cast<hsize_t>(grid.nx), ny = static_cast<hsize_t>(grid.ny);
  hsize_t const values = chunk_target_bytes / value_bytes;
  hsize_t const columns = even_part(nx, std::min(nx, values));
  hsize_t const rows = even_part(ny, std::clamp<hsize_t>(values / columns, 1, ny));
  return {rows, columns};
}

hid_t stored_type(MapStorage const& storage) {
  return storage.single_precision ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}

void describe(hid_t dataset, FieldInfo const& info) {
  if (!info.units.empty()) h5::write_attribute(dataset, "units", info.units);
  h5::write_attribute(dataset, "long_name", info.long_name);
  if (!info.standard_name.empty()) h5::write_attribute(dataset, "standard_name", info.standard_name);
  if (!info.cell_methods.empty()) h5::write_attribute(dataset, "cell_methods", info.cell_methods);
}

void write_crs(hid_t file, std::string const& crs) {
  h5::Handle const space(H5Screate(H5S_SCALAR), H5Sclose, "crs");
  auto const creation = h5::dataset_creation();
  h5::Handle const variable(
      H5Dcreate2(file, "crs", H5T_NATIVE_INT32, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose, "crs");
  std::int32_t const nothing = 0;
  h5::check(H5Dwrite(variable.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, &nothing), "crs");
  auto const wkt = crs_as_wkt(crs);
  h5::write_attribute(variable.get(), "long_name", std::string("coordinate reference system"));
  h5::write_attribute(variable.get(), "crs_wkt", wkt);
  h5::write_attribute(variable.get(), "spatial_ref", wkt);
  if (crs.starts_with("EPSG:")) h5::write_attribute(variable.get(), "epsg_code", crs);
}

void attach(hid_t dataset, std::vector<hid_t> const& axes) {
  for (unsigned k = 0; k < axes.size(); ++k)
    h5::check(H5DSattach_scale(dataset, axes[k], k), "dimension scale");
}

}  // namespace

FieldInfo snapshot_field_info(std::string const& name) {
  static std::vector<FieldInfo> const table = {
      {"h", "m", "water depth", "flood_water_thickness", "time: point"},
      {"hu", "m2 s-1", "unit discharge along x", "", "time: point"},
      {"hv", "m2 s-1", "unit discharge along y", "", "time: point"},
      {"level", "m", "water level (the bed where dry)", "water_surface_height_above_reference_datum",
       "time: point"},
      {"u", "m s-1", "depth-averaged velocity along x", "", "time: point"},
      {"v", "m s-1", "depth-averaged velocity along y", "", "time: point"},
      {"speed", "m s-1", "depth-averaged speed", "flood_water_speed", "time: point"},
      {"bed", "m", "bed elevation", "", ""},
  };
  return find_info(table, name);
}

FieldInfo maximum_info(std::string const& name) {
  static std::vector<FieldInfo> const table = {
      {"depth", "m", "largest water depth", "flood_water_thickness", "time: maximum"},
      {"level", "m", "highest water level (the bed where never wet)",
       "water_surface_height_above_reference_datum", "time: maximum"},
      {"speed", "m s-1", "largest depth-averaged speed", "flood_water_speed", "time: maximum"},
      {"unit_discharge", "m2 s-1", "largest unit discharge", "", "time: maximum"},
      {"hazard", "m2 s-1", "largest flood hazard rating, depth x (speed + 0.5 m/s)", "", "time: maximum"},
      {"time_of_max", "s", "time of the largest depth", "", ""},
      {"arrival", "s", "time when the water first was deeper than the arrival depth", "", ""},
      {"duration", "s", "time during which the water was deeper than the duration depth",
       "flood_water_duration_above_threshold", ""},
      {"bed", "m", "bed elevation", "", ""},
  };
  return find_info(table, name);
}

h5::Handle create_variable(hid_t group, FieldInfo const& info, std::vector<hid_t> const& axes,
                           std::vector<hsize_t> const& chunk, MapStorage const& storage) {
  std::vector<hsize_t> sizes, limits;
  for (hid_t const axis : axes) {
    auto const size = h5::extents(axis).at(0);
    sizes.push_back(size);
    limits.push_back(size == 0 ? H5S_UNLIMITED : size);  // only the time axis starts empty
  }
  auto const creation = h5::dataset_creation();
  if (!chunk.empty()) {
    h5::check(H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data()), info.name);
    if (storage.compression > 0) {
      h5::check(H5Pset_shuffle(creation.get()), info.name);
      h5::check(H5Pset_deflate(creation.get(), static_cast<unsigned>(storage.compression)), info.name);
    }
  }
  double const fill = std::numeric_limits<double>::quiet_NaN();
  h5::check(H5Pset_fill_value(creation.get(), H5T_NATIVE_DOUBLE, &fill), info.name);
  h5::Handle const space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), limits.data()),
                         H5Sclose, info.name);
  h5::Handle variable(H5Dcreate2(group, info.name.c_str(), stored_type(storage), space.get(), H5P_DEFAULT,
                                 creation.get(), H5P_DEFAULT),
                      H5Dclose, info.name);
  attach(variable.get(), axes);
  describe(variable.get(), info);
  if (storage.single_precision)
    h5::write_attribute(variable.get(), "_FillValue", std::numeric_limits<float>::quiet_NaN());
  else
    h5::write_attribute(variable.get(), "_FillValue", fill);
  return variable;
}

h5::Handle create_axis(hid_t group, std::string const& name, std::vector<double> const& values) {
  hsize_t const size = values.size();
  h5::Handle const space(H5Screate_simple(1, &size, nullptr), H5Sclose, name);
  auto const creation = h5::dataset_creation();
  h5::Handle axis(H5Dcreate2(group, name.c_str(), H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT, creation.get(),
                             H5P_DEFAULT),
                  H5Dclose, name);
  h5::check(H5Dwrite(axis.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  h5::check(H5DSset_scale(axis.get(), name.c_str()), name);
  return axis;
}

h5::Handle create_time_axis(hid_t group) {
  hsize_t const none = 0, unlimited = H5S_UNLIMITED;
  h5::Handle const space(H5Screate_simple(1, &none, &unlimited), H5Sclose, "time");
  auto const creation = h5::dataset_creation();
  h5::check(H5Pset_chunk(creation.get(), 1, &time_chunk), "time");
  h5::Handle axis(
      H5Dcreate2(group, "time", H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose, "time");
  h5::check(H5DSset_scale(axis.get(), "time"), "time");
  describe(axis.get(), {"time", "seconds", "simulated time", "", ""});
  h5::write_attribute(axis.get(), "axis", std::string("T"));
  return axis;
}

void write_map_header(hid_t file, MapDescription const& map) {
  h5::write_attribute(file, "Conventions", std::string("CF-1.8"));
  h5::write_attribute(file, "title", map.title.empty() ? std::string("shallow-water results") : map.title);
  h5::write_attribute(file, "source", "swe " + std::string(version));

  auto const& grid = map.grid;
  std::vector<double> x, y, x_node, y_node;
  for (int i = 0; i < grid.nx; ++i) x.push_back(grid.x_centre(i));
  for (int j = 0; j < grid.ny; ++j) y.push_back(grid.y_centre(j));
  for (int i = 0; i <= grid.nx; ++i) x_node.push_back(grid.x0 + i * grid.dx);
  for (int j = 0; j <= grid.ny; ++j) y_node.push_back(grid.y0 + j * grid.dy);

  auto const axis = [&](std::string const& name, std::vector<double> const& values,
                        std::string const& long_name, std::string const& standard_name,
                        std::string const& letter) {
    auto const dataset = create_axis(file, name, values);
    describe(dataset.get(), {name, "m", long_name, standard_name, ""});
    if (!letter.empty()) h5::write_attribute(dataset.get(), "axis", letter);
  };
  axis("x", x, "x of cell centres", "projection_x_coordinate", "X");
  axis("y", y, "y of cell centres", "projection_y_coordinate", "Y");
  axis("x_node", x_node, "x of cell corners", "", "");
  axis("y_node", y_node, "y of cell corners", "", "");
  if (!map.crs.empty()) write_crs(file, map.crs);
}

void write_mesh(hid_t file, Grid const& grid) {
  auto const group = h5::create_group(file, "mesh");
  auto const y = h5::open_dataset(file, "y_node"), x = h5::open_dataset(file, "x_node");
  auto const part = create_axis(group.get(), "coordinate", {0, 1});
  describe(part.get(), {"coordinate", "1", "0: x, 1: y", "", ""});
  auto const rows = static_cast<hsize_t>(grid.ny) + 1, columns = static_cast<hsize_t>(grid.nx) + 1;
  auto const columns_at_once = even_part(columns, chunk_target_bytes / (2 * sizeof(double)));
  auto const rows_at_once =
      even_part(rows, std::max<hsize_t>(chunk_target_bytes / (2 * sizeof(double) * columns_at_once), 1));
  auto const node =
      create_variable(group.get(), {"node", "m", "x and y of cell corners", "", ""},
                      {y.get(), x.get(), part.get()}, {rows_at_once, columns_at_once, 2}, {false, 1});
  std::vector<double> corners(rows_at_once * columns * 2);
  for (hsize_t first = 0; first < rows; first += rows_at_once) {
    auto const count = std::min(rows_at_once, rows - first);
    auto corner = corners.begin();
    for (hsize_t j = first; j < first + count; ++j)
      for (hsize_t i = 0; i < columns; ++i) {
        *corner++ = grid.x0 + static_cast<double>(i) * grid.dx;
        *corner++ = grid.y0 + static_cast<double>(j) * grid.dy;
      }
    h5::write_records(node.get(), first, count, std::span(corners).first(count * columns * 2));
  }
}

h5::Handle create_map_variable(hid_t file, MapDescription const& map, FieldInfo const& info,
                               MapStorage const& storage, hid_t time_axis) {
  auto const y = h5::open_dataset(file, "y"), x = h5::open_dataset(file, "x");
  std::vector<hid_t> axes = {y.get(), x.get()};
  auto const [rows, columns] = map_chunk(map.grid, storage.single_precision ? sizeof(float) : sizeof(double));
  std::vector<hsize_t> chunk = {rows, columns};
  if (time_axis >= 0) {
    axes.insert(axes.begin(), time_axis);
    chunk.insert(chunk.begin(), 1);
  }
  auto variable = create_variable(file, info, axes, chunk, storage);
  if (!map.crs.empty()) h5::write_attribute(variable.get(), "grid_mapping", std::string("crs"));
  return variable;
}

std::string crs_as_wkt(std::string const& crs) {
#ifdef SWE_HAS_GDAL
  CPLPushErrorHandler(CPLQuietErrorHandler);
  OGRSpatialReference reference;
  std::string wkt;
  char* text = nullptr;
  if (reference.SetFromUserInput(crs.c_str()) == OGRERR_NONE && reference.exportToWkt(&text) == OGRERR_NONE)
    wkt = text;
  CPLFree(text);
  CPLPopErrorHandler();
  if (!wkt.empty()) return wkt;
#endif
  return crs;
}

}  // namespace swe::io
