#include "io/raster/raster.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <sstream>

#include <hdf5.h>
#include <zlib.h>

#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::io;
using namespace swe::test;

namespace {

std::string const header = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -1\n";

std::string refusal(std::string const& text) {
  try {
    (void)parse_ascii_raster(text, "dem.asc");
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

template <class Read>
std::string refusal_of(Read const& read) {
  try {
    (void)read();
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

/// A CF file as other programs write it: map(y, x) or map(time, y, x) with coordinate variables.
struct CfFile {
  std::vector<double> x = {5, 15, 25, 35}, y = {25, 15, 5};
  std::string units = "m";
  int times = 0;

  void write(std::filesystem::path const& path) const {
    hid_t const file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    write_numbers(file, "x", {x.size()}, x);
    write_numbers(file, "y", {y.size()}, y);
    std::vector<hsize_t> extents{y.size(), x.size()};
    std::vector<double> values;
    for (int t = 0; t < std::max(times, 1); ++t)
      for (int k = 0; k < 12; ++k) values.push_back(k == 6 ? -999 : 100 * t + k);
    if (times > 0) extents.insert(extents.begin(), hsize_t(times));
    hid_t const map = write_numbers(file, "bed", extents, values, false);
    attach(map, "_FillValue", -999);
    H5Dclose(map);
    H5Fclose(file);
  }

private:
  hid_t write_numbers(hid_t file, char const* name, std::vector<hsize_t> const& extents,
                      std::vector<double> const& values, bool close = true) const {
    hid_t const space = H5Screate_simple(int(extents.size()), extents.data(), nullptr);
    hid_t const data =
        H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Sclose(space);
    if (close) {
      hid_t const text = H5Tcopy(H5T_C_S1);
      H5Tset_size(text, units.size());
      hid_t const scalar = H5Screate(H5S_SCALAR);
      hid_t const attribute = H5Acreate2(data, "units", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(attribute, text, units.data());
      H5Aclose(attribute);
      H5Sclose(scalar);
      H5Tclose(text);
      H5Dclose(data);
    }
    return data;
  }
  static void attach(hid_t data, char const* name, double value) {
    hid_t const scalar = H5Screate(H5S_SCALAR);
    hid_t const attribute = H5Acreate2(data, name, H5T_NATIVE_DOUBLE, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(attribute);
    H5Sclose(scalar);
  }
};

}  // namespace

TEST_CASE("ascii_raster_errors_name_line_row_and_column") {
  CHECK(contains(refusal(header + "1 2 3\n4 x 6\n"), "dem.asc:8: row 2, column 2: 'x' is not a number"));
  CHECK(contains(refusal(header + "1 2 3\n4 1,5 6\n"), "decimal point"));
  CHECK(contains(refusal(header + "1 2 3\n4 inf 6\n"), "row 2, column 2"));
  CHECK(contains(refusal(header + "1 2 3\n4 -3.4e38 6\n"), "no sensible value"));
  CHECK(contains(refusal(header + "1 2 3\n4 1e999 6\n"), "row 2, column 2"));
  CHECK(contains(refusal("ncol 3\n"), "did you mean 'ncols'?"));
  CHECK(contains(refusal("ncols 3\nNCOLS 3\n"), "appears twice"));
  CHECK(contains(refusal("ncols 2.5\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n"), "whole number"));
  CHECK(contains(refusal("ncols 3\nnrows 1\nxllcorner 0,5\n"), "decimal point"));
  CHECK(contains(refusal("ncols 1000000\nnrows 1000000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n"),
                 "memory"));
  CHECK(contains(refusal(""), "header keys are missing"));
}

TEST_CASE("ascii_raster_written_reads_back_to_the_bit") {
  Raster raster;
  raster.grid = {7, 5, 0.3, 0.7, 634250.25, -4649776.7};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-100, 100);
  for (int k = 0; k < 35; ++k) raster.values.push_back(value(random));
  raster.values[3] = std::numeric_limits<double>::quiet_NaN();
  std::ostringstream out;
  write_ascii_raster(out, raster.grid, raster.values);
  Raster const again = parse_ascii_raster(out.str(), "out.asc");
  CHECK(again.grid == raster.grid);
  for (std::size_t k = 0; k < 35; ++k)
    CHECK((again.values[k] == raster.values[k] ||
           (std::isnan(again.values[k]) && std::isnan(raster.values[k]))));
}

TEST_CASE("gzipped_rasters_and_their_projection_beside") {
  CaseFolder const folder;
  std::string const text = header + "1 2 3\n4 5 -1\n";
  auto const path = folder.path() / "dem.asc.gz";
  gzFile const gz = gzopen(path.c_str(), "wb");
  gzwrite(gz, text.data(), unsigned(text.size()));
  gzclose(gz);
  folder.write("dem.prj", "PROJCS[\"somewhere\"]\n");
  Raster const raster = read_raster(path);
  CHECK(raster.values[3] == 1);
  CHECK(std::isnan(raster.values[2]));
  CHECK(raster.crs == "PROJCS[\"somewhere\"]");

  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 9);
  CHECK(contains(refusal_of([&] { return read_raster(path); }), "cut short"));
}

TEST_CASE("rasters_that_cannot_be_used_are_refused") {
  CaseFolder const folder;
  auto const empty = folder.write("none.asc", header + "-1 -1 -1\n-1 -1 -1\n");
  CHECK(contains(refusal_of([&] { return read_raster(empty); }), "every cell is no data"));
  CHECK(contains(refusal_of([&] { return read_raster(folder.path()); }), "is a folder"));
  CHECK(contains(refusal_of([&] { return read_raster(folder.path() / "x.asc"); }), "no such file"));
  auto const classic = folder.write("old.nc", std::string("CDF\x01", 4) + std::string(100, '\0'));
  CHECK(contains(refusal_of([&] { return read_raster(classic); }), "nccopy"));
  auto const cut = folder.write("cut.nc", "\x89HDF\r\n\x1a\n and no more");
  CHECK(contains(refusal_of([&] { return read_raster(cut); }), "HDF5 cannot open it"));
}

TEST_CASE("netcdf_rasters_with_coordinates_in_either_direction") {
  CaseFolder const folder;
  auto const path = folder.path() / "map.nc";
  CfFile{}.write(path);
  Raster const raster = read_raster(path);
  CHECK(raster.grid == Grid{4, 3, 10, 10, 0, 0});
  CHECK(raster.values[std::size_t(raster.grid.index(0, 2))] == 0);
  CHECK(raster.values[std::size_t(raster.grid.index(3, 0))] == 11);
  CHECK(std::isnan(raster.values[std::size_t(raster.grid.index(2, 1))]));

  CfFile{.x = {5, 15, 25, 35}, .y = {5, 15, 25}}.write(path);
  CHECK(read_raster(path).values[0] == 0);

  CfFile{.times = 3}.write(path);
  CHECK(read_raster(path).values.back() == 203);
  CHECK(read_raster(path, {"bed", 0}).values.back() == 3);
  CHECK(contains(refusal_of([&] { return read_raster(path, {"bed", 7}); }), "3 times"));
  CHECK(contains(refusal_of([&] { return read_raster(path, {"bde", {}}); }), "did you mean 'bed'?"));

  CfFile{.units = "degrees_east"}.write(path);
  CHECK(contains(refusal_of([&] { return read_raster(path); }), "degrees"));
  CfFile{.x = {5, 15, 25, 36}}.write(path);
  CHECK(contains(refusal_of([&] { return read_raster(path); }), "evenly spaced"));
}

TEST_CASE("resampling_keeps_a_plane_and_leaves_outside_empty") {
  Raster raster;
  raster.grid = {10, 8, 10, 10, 0, 0};
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 10; ++i)
      raster.values.push_back(raster.grid.x_centre(i) + 2 * raster.grid.y_centre(j));
  Grid const fine{12, 10, 5, 5, 20, 10};
  auto const smooth = resample(raster, fine, Resample::bilinear);
  auto const nearest = resample(raster, fine, Resample::nearest);
  for (int j = 0; j < fine.ny; ++j)
    for (int i = 0; i < fine.nx; ++i) {
      double const exact = fine.x_centre(i) + 2 * fine.y_centre(j);
      CHECK(smooth[std::size_t(fine.index(i, j))] == Approx(exact));
      CHECK(nearest[std::size_t(fine.index(i, j))] == Approx(exact).margin(7.5));
    }
  Grid const beyond{2, 1, 10, 10, 90, 0};
  auto const partly = resample(raster, beyond, Resample::nearest);
  CHECK(partly[0] == 105);
  CHECK(std::isnan(partly[1]));
}

TEST_CASE("coordinate_systems_are_told_apart_where_the_text_allows") {
  CHECK(epsg_code("EPSG:2154") == 2154);
  CHECK(epsg_code("urn:ogc:def:crs:EPSG::25832") == 25832);
  CHECK(epsg_code("PROJCS[\"a\",GEOGCS[\"b\",AUTHORITY[\"EPSG\",\"4171\"]],AUTHORITY[\"EPSG\",\"2154\"]]") ==
        2154);
  CHECK_FALSE(epsg_code("PROJCS[\"a\",GEOGCS[\"b\",AUTHORITY[\"EPSG\",\"4171\"]]]"));
  CHECK(is_geographic_crs("EPSG:4326"));
  CHECK(is_geographic_crs("GEOGCS[\"GCS_WGS_1984\",DATUM[...]]"));
  CHECK_FALSE(is_geographic_crs("EPSG:2154"));
  CHECK(compare_crs("EPSG:2154", "urn:ogc:def:crs:EPSG::2154") == CrsMatch::same);
  CHECK(compare_crs("EPSG:2154", "EPSG:25832") == CrsMatch::different);
  CHECK(compare_crs("EPSG:2154", "PROJCS[\"RGF_1993_Lambert_93\"]") == CrsMatch::unknown);
}

TEST_CASE("degrees_are_recognised_and_flumes_are_not") {
  CHECK(looks_geographic({403, 344, 1.0 / 1200, 1.0 / 1200, -84.41, 36.58}, 500));
  CHECK(looks_geographic({100, 100, 0.01, 0.01, 7, 47}, 800));
  CHECK(looks_geographic({3600, 3600, 1.0 / 3600, 1.0 / 3600, 7, 47}, 0.1));
  CHECK_FALSE(looks_geographic({393, 244, 0.014, 0.014, 0, 0}, 0.26));
  CHECK_FALSE(looks_geographic({600, 500, 0.05, 0.05, 0, 0}, 0.6));
  CHECK_FALSE(looks_geographic({862, 460, 20, 20, 536, -2344}, 120));
}
