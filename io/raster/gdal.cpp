#include <utility>

#include "io/case/input_error.hpp"
#include "io/raster/raster.hpp"

#ifdef SWE_HAS_GDAL
#include <cmath>
#include <limits>
#include <memory>

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal.h>
#include <ogr_srs_api.h>
#endif

namespace swe::io {

#ifdef SWE_HAS_GDAL

namespace {

/// GDAL's errors are reported through InputError, not on the terminal.
class QuietGdal {
public:
  QuietGdal() { CPLPushErrorHandler(CPLQuietErrorHandler); }
  QuietGdal(QuietGdal const&) = delete;
  QuietGdal& operator=(QuietGdal const&) = delete;
  ~QuietGdal() { CPLPopErrorHandler(); }
};

}  // namespace

bool has_gdal() { return true; }

CrsKind gdal_crs_kind(std::string const& crs) {
  QuietGdal const quiet;
  std::unique_ptr<void, void (*)(void*)> const system(OSRNewSpatialReference(nullptr),
                                                      OSRDestroySpatialReference);
  if (OSRSetFromUserInput(system.get(), crs.c_str()) != OGRERR_NONE) return CrsKind::unknown;
  return OSRIsGeographic(system.get()) != 0 ? CrsKind::geographic : CrsKind::other;
}

Raster read_gdal_raster(std::filesystem::path const& file) {
  auto const fail = [&](std::string message) {
    throw InputError({{file.string(), 0, "", std::move(message)}});
  };
  GDALAllRegister();
  QuietGdal const quiet;
  std::unique_ptr<void, void (*)(void*)> const data(
      GDALOpenEx(file.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, nullptr, nullptr, nullptr),
      [](void* open) { GDALClose(open); });
  if (!data) fail(std::string("GDAL cannot read it: ") + CPLGetLastErrorMsg());
  if (GDALGetRasterCount(data.get()) != 1)
    fail("holds " + std::to_string(GDALGetRasterCount(data.get())) + " bands, one is needed");

  double transform[6] = {};
  if (GDALGetGeoTransform(data.get(), transform) != CE_None) fail("has no georeference");
  if (transform[2] != 0 || transform[4] != 0) fail("is rotated; rows and columns must run east and north");
  if (!(transform[1] > 0) || transform[5] == 0) fail("columns must run from west to east");

  Raster raster;
  Grid& grid = raster.grid;
  grid.nx = GDALGetRasterXSize(data.get());
  grid.ny = GDALGetRasterYSize(data.get());
  grid.dx = transform[1];
  grid.dy = std::abs(transform[5]);
  grid.x0 = transform[0];
  bool const north_first = transform[5] < 0;
  grid.y0 = north_first ? transform[3] - grid.ny * grid.dy : transform[3];
  if (double(grid.nx) * grid.ny * sizeof(double) > double(memory_limit_bytes()))
    fail(describe_grid(grid) + " do not fit this machine's memory");

  GDALRasterBandH const band = GDALGetRasterBand(data.get(), 1);
  int has_no_data = 0;
  double const no_data = GDALGetRasterNoDataValue(band, &has_no_data);
  int has_scale = 0, has_offset = 0;
  double const scale = GDALGetRasterScale(band, &has_scale), offset = GDALGetRasterOffset(band, &has_offset);
  GDALRasterBandH const mask = GDALGetMaskBand(band);
  raster.values.resize(std::size_t(grid.cells()));
  std::vector<unsigned char> valid(std::size_t(grid.nx));
  for (int row = 0; row < grid.ny; ++row) {
    int const j = north_first ? grid.ny - 1 - row : row;
    double* const out = raster.values.data() + grid.index(0, j);
    bool const read =
        GDALRasterIO(band, GF_Read, 0, row, grid.nx, 1, out, grid.nx, 1, GDT_Float64, 0, 0) == CE_None &&
        GDALRasterIO(mask, GF_Read, 0, row, grid.nx, 1, valid.data(), grid.nx, 1, GDT_Byte, 0, 0) == CE_None;
    if (!read) fail("row " + std::to_string(row + 1) + " cannot be read: " + CPLGetLastErrorMsg());
    for (int i = 0; i < grid.nx; ++i) {
      bool const missing = !valid[i] || (has_no_data && out[i] == no_data);
      if (missing)
        out[i] = std::numeric_limits<double>::quiet_NaN();
      else if (has_scale || has_offset)
        out[i] = out[i] * (has_scale ? scale : 1) + (has_offset ? offset : 0);
    }
  }
  if (char const* const projection = GDALGetProjectionRef(data.get())) raster.crs = projection;
  return raster;
}

#else

bool has_gdal() { return false; }

CrsKind gdal_crs_kind(std::string const&) { return CrsKind::unknown; }

Raster read_gdal_raster(std::filesystem::path const& file) {
  throw InputError({{file.string(), 0, "",
                     "GeoTIFF needs a build with GDAL; convert the file with `gdal_translate -of AAIGrid`"}});
}

#endif

}  // namespace swe::io
