// Maps in NetCDF-4 and HDF5 files: a two-dimensional variable (or one in time) on evenly spaced coordinates x
// and y.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <hdf5.h>

#include "io/case/input_error.hpp"
#include "io/raster/raster.hpp"
#include "io/text.hpp"

namespace swe::io {

namespace {

/// An HDF5 identifier that closes itself.
class Handle {
public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle const&) = delete;
  Handle& operator=(Handle const&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  [[nodiscard]] bool ok() const { return id_ >= 0; }

private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Keeps HDF5 from printing its own error stack while we report in our words.
class QuietHdf5 {
public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  QuietHdf5(QuietHdf5 const&) = delete;
  QuietHdf5& operator=(QuietHdf5 const&) = delete;
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

std::vector<hsize_t> extents(hid_t data) {
  Handle const space(H5Dget_space(data), H5Sclose);
  std::vector<hsize_t> sizes(std::size_t(std::max(H5Sget_simple_extent_ndims(space), 0)));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return sizes;
}

bool is_number(hid_t data) {
  Handle const type(H5Dget_type(data), H5Tclose);
  auto const kind = H5Tget_class(type);
  return kind == H5T_FLOAT || kind == H5T_INTEGER;
}

std::optional<double> number_attribute(hid_t object, char const* name) {
  if (H5Aexists(object, name) <= 0) return std::nullopt;
  Handle const attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  Handle const space(H5Aget_space(attribute), H5Sclose);
  double value = 0;
  if (H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0)
    return std::nullopt;
  return value;
}

std::string text_attribute(hid_t object, char const* name) {
  if (H5Aexists(object, name) <= 0) return "";
  Handle const attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  Handle const type(H5Aget_type(attribute), H5Tclose);
  if (H5Tget_class(type) != H5T_STRING) return "";
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    if (H5Aread(attribute, type, static_cast<void*>(&text)) < 0 || !text) return "";
    std::string copy = text;
    H5free_memory(text);
    return copy;
  }
  std::string text(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, text.data()) < 0) return "";
  return text.substr(0, text.find('\0'));
}

class MapReader {
public:
  MapReader(std::filesystem::path const& file, RasterSelection const& selection)
      : file_(file),
        selection_(selection),
        open_(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
    if (!open_.ok()) fail("HDF5 cannot open it; is it cut short?");
  }

  Raster read() const {
    std::string const name = selection_.variable.empty() ? only_map() : selection_.variable;
    if (!is_dataset(name)) fail("holds no variable '" + name + "'" + suggestion(name, datasets()));
    Handle const data(H5Dopen2(open_, name.c_str(), H5P_DEFAULT), H5Dclose);
    auto const sizes = extents(data);
    if (!is_number(data) || sizes.size() < 2 || sizes.size() > 3)
      fail("variable '" + name + "' is not a map: it needs the dimensions (y, x) or (time, y, x)");

    Raster raster;
    auto const rank = sizes.size();
    bool const north_first = fill_grid(raster.grid, data, name, sizes[rank - 1], sizes[rank - 2]);
    read_values(raster, data, name, sizes, north_first);
    raster.crs = crs_of(data);
    return raster;
  }

private:
  [[noreturn]] void fail(std::string message) const {
    throw InputError({{file_.string(), 0, "", std::move(message)}});
  }

  [[nodiscard]] bool is_dataset(std::string const& name) const {
    if (H5Lexists(open_, name.c_str(), H5P_DEFAULT) <= 0) return false;
    Handle const object(H5Oopen(open_, name.c_str(), H5P_DEFAULT), H5Oclose);
    return object.ok() && H5Iget_type(object) == H5I_DATASET;
  }

  [[nodiscard]] std::vector<std::string> datasets() const {
    std::vector<std::string> names;
    H5Literate(
        open_, H5_INDEX_NAME, H5_ITER_INC, nullptr,
        [](hid_t, char const* name, H5L_info_t const*, void* list) -> herr_t {
          static_cast<std::vector<std::string>*>(list)->emplace_back(name);
          return 0;
        },
        &names);
    std::erase_if(names, [&](std::string const& name) { return !is_dataset(name); });
    return names;
  }

  [[nodiscard]] std::string only_map() const {
    std::vector<std::string> maps;
    for (auto const& name : datasets()) {
      Handle const data(H5Dopen2(open_, name.c_str(), H5P_DEFAULT), H5Dclose);
      auto const rank = extents(data).size();
      if (is_number(data) && (rank == 2 || rank == 3)) maps.push_back(name);
    }
    if (maps.empty()) fail("holds no map: a variable with the dimensions (y, x) or (time, y, x)");
    if (maps.size() > 1)
      fail("holds several maps (" + join(maps, ", ") + "); name one: {raster: FILE, variable: NAME}");
    return maps.front();
  }

  /// The coordinate variable of one dimension: its dimension scale, else a variable of a customary name.
  [[nodiscard]] std::string coordinate_name(hid_t data, std::size_t dimension,
                                            std::vector<std::string> const& customary, hsize_t size) const {
    std::string found;
    if (H5Aexists(data, "DIMENSION_LIST") > 0) {
      Handle const attribute(H5Aopen(data, "DIMENSION_LIST", H5P_DEFAULT), H5Aclose);
      Handle const type(H5Aget_type(attribute), H5Tclose);
      Handle const space(H5Aget_space(attribute), H5Sclose);
      std::vector<hvl_t> references(std::size_t(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0)));
      if (dimension < references.size() && H5Tget_class(type) == H5T_VLEN &&
          H5Aread(attribute, type, references.data()) >= 0) {
        if (references[dimension].len > 0) {
          Handle const scale(H5Rdereference2(data, H5P_DEFAULT, H5R_OBJECT, references[dimension].p),
                             H5Oclose);
          auto const length = H5Iget_name(scale, nullptr, 0);
          if (length > 0) {
            found.resize(std::size_t(length));
            H5Iget_name(scale, found.data(), std::size_t(length) + 1);
          }
        }
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, references.data());
      }
    }
    if (!found.empty() && is_dataset(found)) return found;
    for (auto const& name : customary) {
      if (!is_dataset(name)) continue;
      Handle const coordinate(H5Dopen2(open_, name.c_str(), H5P_DEFAULT), H5Dclose);
      if (extents(coordinate) == std::vector<hsize_t>{size}) return name;
    }
    return "";
  }

  /// Centres of the cells along one dimension.
  [[nodiscard]] std::vector<double> coordinate(std::string const& name, hsize_t size) const {
    Handle const data(H5Dopen2(open_, name.c_str(), H5P_DEFAULT), H5Dclose);
    std::string const units = lower_case(text_attribute(data, "units"));
    std::string const standard = lower_case(text_attribute(data, "standard_name"));
    if (units.starts_with("degree") || standard == "longitude" || standard == "latitude")
      fail("coordinate '" + name + "' is in degrees; the solver needs metres: reproject the map first");
    if (!units.empty() && units != "m" && units != "metre" && units != "meter" && units != "metres" &&
        units != "meters")
      fail("coordinate '" + name + "' is in '" + units + "', metres are needed");
    std::vector<double> centres(size);
    if (extents(data) != std::vector<hsize_t>{size} ||
        H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, centres.data()) < 0)
      fail("coordinate '" + name + "' cannot be read");
    if (size < 2) fail("coordinate '" + name + "' has one value only, so the cell size is unknown");
    double const step = (centres.back() - centres.front()) / double(size - 1);
    for (hsize_t k = 0; k < size; ++k)
      if (!(step != 0) ||
          !(std::abs(centres[k] - (centres.front() + double(k) * step)) <= 1e-3 * std::abs(step)))
        fail("coordinate '" + name + "' is not evenly spaced");
    return centres;
  }

  /// Returns whether the first row is the north row.
  bool fill_grid(Grid& grid, hid_t data, std::string const& name, hsize_t nx, hsize_t ny) const {
    constexpr auto most = hsize_t(std::numeric_limits<int>::max());
    if (nx < 1 || ny < 1 || nx > most || ny > most) fail("variable '" + name + "' has an impossible size");
    auto const rank = extents(data).size();
    std::string const x_name = coordinate_name(data, rank - 1, {"x", "X", "easting"}, nx);
    std::string const y_name = coordinate_name(data, rank - 2, {"y", "Y", "northing"}, ny);
    if (x_name.empty() || y_name.empty()) fail("variable '" + name + "' has no coordinate variables x and y");
    auto const x = coordinate(x_name, nx), y = coordinate(y_name, ny);
    grid.nx = int(nx);
    grid.ny = int(ny);
    grid.dx = (x.back() - x.front()) / double(nx - 1);
    double const step = (y.back() - y.front()) / double(ny - 1);
    grid.dy = std::abs(step);
    if (!(grid.dx > 0)) fail("coordinate '" + x_name + "' must rise from west to east");
    grid.x0 = x.front() - 0.5 * grid.dx;
    grid.y0 = std::min(y.front(), y.back()) - 0.5 * grid.dy;
    if (double(nx) * double(ny) * sizeof(double) > double(memory_limit_bytes()))
      fail(describe_grid(grid) + " do not fit this machine's memory");
    return step < 0;
  }

  void read_values(Raster& raster, hid_t data, std::string const& name, std::vector<hsize_t> const& sizes,
                   bool north_first) const {
    Grid const& grid = raster.grid;
    Handle const file_space(H5Dget_space(data), H5Sclose);
    std::vector<hsize_t> start(sizes.size(), 0), count = sizes;
    if (sizes.size() == 3) {
      auto const times = std::int64_t(sizes[0]);
      std::int64_t k = selection_.time_index.value_or(-1);
      if (k < 0) k += times;
      if (k < 0 || k >= times)
        fail("variable '" + name + "' has " + std::to_string(times) + " times, time_index " +
             std::to_string(selection_.time_index.value_or(-1)) + " is none of them");
      start[0] = hsize_t(k);
      count[0] = 1;
    }
    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    hsize_t const cells = hsize_t(grid.cells());
    Handle const memory_space(H5Screate_simple(1, &cells, nullptr), H5Sclose);
    raster.values.resize(cells);
    if (H5Dread(data, H5T_NATIVE_DOUBLE, memory_space, file_space, H5P_DEFAULT, raster.values.data()) < 0)
      fail("variable '" + name + "' cannot be read");

    auto const fill = number_attribute(data, "_FillValue"), missing = number_attribute(data, "missing_value");
    double const scale = number_attribute(data, "scale_factor").value_or(1);
    double const offset = number_attribute(data, "add_offset").value_or(0);
    for (double& value : raster.values) {
      if ((fill && value == *fill) || (missing && value == *missing) || std::abs(value) >= 1e30)
        value = std::numeric_limits<double>::quiet_NaN();
      else
        value = value * scale + offset;
    }
    if (north_first)
      for (int j = 0; j < grid.ny / 2; ++j)
        std::swap_ranges(raster.values.begin() + grid.index(0, j),
                         raster.values.begin() + grid.index(0, j + 1),
                         raster.values.begin() + grid.index(0, grid.ny - 1 - j));
  }

  [[nodiscard]] std::string crs_of(hid_t data) const {
    std::string const mapping = text_attribute(data, "grid_mapping");
    if (mapping.empty() || !is_dataset(mapping)) return "";
    Handle const crs(H5Dopen2(open_, mapping.c_str(), H5P_DEFAULT), H5Dclose);
    for (char const* name : {"crs_wkt", "spatial_ref", "epsg_code"})
      if (auto text = text_attribute(crs, name); !text.empty()) return text;
    return "";
  }

  std::filesystem::path const& file_;
  RasterSelection const& selection_;
  Handle open_;
};

}  // namespace

Raster read_hdf5_raster(std::filesystem::path const& file, RasterSelection const& selection) {
  QuietHdf5 const quiet;
  return MapReader(file, selection).read();
}

}  // namespace swe::io
