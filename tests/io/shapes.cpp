#include "io/series/shapes.hpp"

#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::io;
using namespace swe::test;

TEST_CASE("lines_from_csv") {
  CaseFolder const folder;
  CHECK(read_shapes(folder.write("a.csv", "x_m,y_m\n1,2\n3,4\n")).lines.at(0).at(1).y == 4);
  CHECK(read_shapes(folder.write("b.csv", "1,2\n3,4\n")).lines.at(0).at(0).x == 1);
  CHECK(read_shapes(folder.write("c.csv", "id,northing,easting\n1,2,3\n2,4,5\n")).lines.at(0).at(0).x == 3);
  CHECK_THROWS_AS(read_shapes(folder.write("d.csv", "lon,lat\n1,2\n3,4\n")), InputError);
  CHECK_THROWS_AS(read_shapes(folder.write("e.csv", "p,q\n1,2\n3,4\n")), InputError);
}

TEST_CASE("polygons_with_holes_from_geojson") {
  CaseFolder const folder;
  auto const file = folder.write("lake.geojson", R"({"type":"FeatureCollection",
	"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2154"}},
	"features":[
	{"type":"Feature","properties":{"name":"lake"},"geometry":{"type":"Polygon","coordinates":
	  [[[0,0],[6,0],[6,6],[0,6],[0,0]],[[2,2],[4,2],[4,4],[2,4],[2,2]]]}},
	{"type":"Feature","properties":null,"geometry":{"type":"MultiPolygon","coordinates":[[[[8,0],[9,0],[9,1],[8,1],[8,0]]]]}}
	]})");
  auto const shapes = read_shapes(file);
  CHECK(shapes.crs == "urn:ogc:def:crs:EPSG::2154");
  CHECK(shapes.polygons.size() == 2);
  CHECK(shapes.lines.size() == 3);
  Grid const grid{10, 10, 1, 1, 0, 0};
  auto const cells = cells_in(grid, shapes.polygons);
  CHECK(cells.size() == 36 - 4 + 1);
  CHECK(std::is_sorted(cells.begin(), cells.end()));
}

TEST_CASE("geojson_that_is_no_line_is_refused") {
  CaseFolder const folder;
  CHECK_THROWS_AS(read_shapes(folder.write("a.geojson", R"({"type":"Point","coordinates":[1,2]})")),
                  InputError);
  CHECK_THROWS_AS(read_shapes(folder.write("b.geojson", R"({"type":"LineString"})")), InputError);
  CHECK_THROWS_AS(
      read_shapes(folder.write("c.geojson", R"({"type":"LineString","coordinates":[[1,"x"],[2,3]]})")),
      InputError);
  CHECK_THROWS_AS(read_shapes(folder.write("d.geojson", R"({"type":"FeatureCollection","features":[]})")),
                  InputError);
  CHECK_THROWS_AS(read_shapes(folder.write("e.geojson", "{\"type\":")), InputError);
}
