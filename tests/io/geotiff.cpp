#include <cmath>

#include "io/raster/raster.hpp"
#include "tests/io/support.hpp"

#ifdef SWE_HAS_GDAL
#include <gdal.h>
#include <ogr_srs_api.h>
#endif

using namespace swe;
using namespace swe::io;
using namespace swe::test;

namespace {

std::string refusal(std::filesystem::path const& file) {
  try {
    (void)read_raster(file);
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

#ifdef SWE_HAS_GDAL

namespace {

/// 3 x 2 cells of 10 x 20 m, north row 1 2 3, south row 4 (no data) 6.
void write_geotiff(std::filesystem::path const& file, int bands = 1, double rotation = 0) {
  GDALAllRegister();
  GDALDatasetH const data =
      GDALCreate(GDALGetDriverByName("GTiff"), file.c_str(), 3, 2, bands, GDT_Float32, nullptr);
  double transform[6] = {500000, 10, rotation, 4000040, rotation, -20};
  GDALSetGeoTransform(data, transform);
  OGRSpatialReferenceH const crs = OSRNewSpatialReference(nullptr);
  OSRImportFromEPSG(crs, 2154);
  GDALSetSpatialRef(data, crs);
  OSRDestroySpatialReference(crs);
  float values[6] = {1, 2, 3, 4, -9999, 6};
  for (int band = 1; band <= bands; ++band) {
    GDALRasterBandH const to = GDALGetRasterBand(data, band);
    GDALSetRasterNoDataValue(to, -9999);
    CHECK(GDALRasterIO(to, GF_Write, 0, 0, 3, 2, values, 3, 2, GDT_Float32, 0, 0) == CE_None);
  }
  GDALClose(data);
}

}  // namespace

TEST_CASE("geotiff_gives_grid_no_data_and_crs") {
  CaseFolder const folder;
  auto const file = folder.path() / "dem.tif";
  write_geotiff(file);
  Raster const raster = read_raster(file);
  CHECK(raster.grid == Grid{3, 2, 10, 20, 500000, 4000000});
  CHECK(raster.values[std::size_t(raster.grid.index(0, 1))] == 1);
  CHECK(raster.values[std::size_t(raster.grid.index(2, 0))] == 6);
  CHECK(std::isnan(raster.values[std::size_t(raster.grid.index(1, 0))]));
  CHECK(epsg_code(raster.crs) == 2154);
}

TEST_CASE("geotiff_that_is_no_map_is_refused") {
  CaseFolder const folder;
  auto const file = folder.path() / "dem.tif";
  write_geotiff(file, 3);
  CHECK(contains(refusal(file), "3 bands"));
  write_geotiff(file, 1, 2.0);
  CHECK(contains(refusal(file), "rotated"));
  folder.write("dem.tif", std::string("II*\0", 4) + "cut");
  CHECK(contains(refusal(file), "GDAL cannot read it"));
}

#else

TEST_CASE("geotiff_without_gdal_says_what_to_do") {
  WARN("built without GDAL: reading GeoTIFF is not tested");
  CaseFolder const folder;
  auto const file = folder.write("dem.tif", std::string("II*\0", 4));
  CHECK(contains(refusal(file), "gdal_translate"));
}

#endif
