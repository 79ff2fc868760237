#include "io/output/maxima.hpp"

#include <cmath>
#include <system_error>

#ifdef SWE_HAS_GDAL
#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal_priv.h>
#endif

#include "io/output/crash_safe_file.hpp"
#include "io/output/number_text.hpp"

namespace swe::io {
namespace {

constexpr double raster_nodata = -9999;

double or_nodata(double value) { return std::isnan(value) ? raster_nodata : value; }

void write_map(hid_t file, MapDescription const& map, FieldInfo const& info,
               std::vector<double> const& values, int compression) {
  auto const variable = create_map_variable(file, map, info, {false, compression});
  h5::check(H5Dwrite(variable.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            info.name);
}

#ifdef SWE_HAS_GDAL
void write_geotiff(std::filesystem::path const& path, MapDescription const& map,
                   std::vector<double> const& values) {
  GDALAllRegister();
  auto* const driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  if (driver == nullptr) throw FileError(path, "GDAL has no GeoTIFF driver");
  auto const& grid = map.grid;
  char const* const options[] = {"COMPRESS=DEFLATE", "PREDICTOR=3", "TILED=YES", nullptr};
  CPLPushErrorHandler(CPLQuietErrorHandler);
  CPLErrorReset();
  auto* const dataset =
      driver->Create(path.c_str(), grid.nx, grid.ny, 1, GDT_Float64, const_cast<char**>(options));
  bool good = dataset != nullptr;
  if (good) {
    double transform[] = {grid.x0, grid.dx, 0, grid.y0 + grid.ny * grid.dy, 0, -grid.dy};
    dataset->SetGeoTransform(transform);
    if (!map.crs.empty()) dataset->SetProjection(crs_as_wkt(map.crs).c_str());
    auto* const band = dataset->GetRasterBand(1);
    band->SetNoDataValue(raster_nodata);
    std::vector<double> row(static_cast<std::size_t>(grid.nx));
    for (int j = 0; j < grid.ny && good; ++j) {
      for (int i = 0; i < grid.nx; ++i)
        row[static_cast<std::size_t>(i)] =
            or_nodata(values[static_cast<std::size_t>(grid.index(i, grid.ny - 1 - j))]);
      good = band->RasterIO(GF_Write, 0, j, grid.nx, 1, row.data(), grid.nx, 1, GDT_Float64, 0, 0) == CE_None;
    }
    GDALClose(dataset);
  }
  good = good && CPLGetLastErrorType() < CE_Failure;
  std::string const reason = CPLGetLastErrorMsg();
  CPLPopErrorHandler();
  if (!good) throw FileError(path, reason.empty() ? "GDAL could not write it" : reason);
}
#endif

}  // namespace

void write_maxima(std::filesystem::path const& path, MapDescription const& map,
                  std::vector<double> const& bed, std::vector<NamedField> const& maxima, int compression) {
  auto const temporary = temporary_name(path);
  try {
    auto file = CrashSafeFile::create(temporary);
    write_map_header(file.id(), map);
    write_map(file.id(), map, maximum_info("bed"), bed, compression);
    for (auto const& field : maxima)
      write_map(file.id(), map, maximum_info(field.name), field.values, compression);
    file.close();
    replace_file(temporary, path);
  } catch (std::exception const& error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    auto const* file_error = dynamic_cast<FileError const*>(&error);
    throw FileError(path, file_error != nullptr ? file_error->reason() : error.what());
  }
}

std::string esri_ascii_text(Grid const& grid, std::vector<double> const& values) {
  std::string text = "ncols " + std::to_string(grid.nx) + "\nnrows " + std::to_string(grid.ny) +
                     "\nxllcorner " + number_text(grid.x0) + "\nyllcorner " + number_text(grid.y0) + "\n";
  if (grid.dx == grid.dy)
    text += "cellsize " + number_text(grid.dx) + "\n";
  else
    text += "dx " + number_text(grid.dx) + "\ndy " + number_text(grid.dy) + "\n";
  text += "NODATA_value " + number_text(raster_nodata) + "\n";
  for (int j = grid.ny - 1; j >= 0; --j) {
    for (int i = 0; i < grid.nx; ++i) {
      if (i > 0) text += ' ';
      text += number_text(or_nodata(values[static_cast<std::size_t>(grid.index(i, j))]));
    }
    text += '\n';
  }
  return text;
}

std::filesystem::path write_raster(std::filesystem::path const& path, MapDescription const& map,
                                   std::vector<double> const& values) {
  auto result = path;
#ifdef SWE_HAS_GDAL
  result += ".tif";
  auto const temporary = temporary_name(result);
  try {
    write_geotiff(temporary, map, values);
    PosixFile written(temporary, PosixFile::Mode::update);
    written.sync();
    written.close();
    replace_file(temporary, result);
  } catch (FileError const& error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw FileError(result, error.reason());
  }
#else
  result += ".asc";
  write_atomically(result, esri_ascii_text(map.grid, values));
  if (!map.crs.empty() && !map.crs.starts_with("EPSG:")) {
    auto projection = path;
    write_atomically(projection += ".prj", map.crs + "\n");
  }
#endif
  return result;
}

}  // namespace swe::io
