#include "io/case/load.hpp"

#include <cmath>

#include "io/case/case_file.hpp"
#include "io/raster/raster.hpp"
#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::io;
using namespace swe::test;

namespace {

std::string const basin =
    "domain: {grid: {nx: 10, ny: 5, dx_m: 10}, bed: {constant_m: 0}}\ntime: {end_s: 10}\n";

}  // namespace

TEST_CASE("beds_in_words") {
  CaseFolder const folder;
  auto const plane = folder.load(
      "domain: {grid: {nx: 4, ny: 3, dx_m: 10, dy_m: 20, x0_m: 100}, bed: {plane: {level_m: 5, slope_x: "
      "-0.1, slope_y: 0.01}}}\n"
      "time: {end_s: 1}\n");
  CHECK(plane.scenario.grid == Grid{4, 3, 10, 20, 100, 0});
  CHECK(plane.scenario.bed.at(0) == Approx(5 - 0.1 * 5 + 0.01 * 10));
  auto const bowl = folder.load(
      "domain: {grid: {nx: 4, ny: 4, dx_m: 1}, bed: {bowl: {level_m: -1, curvature_x_per_m: 2}}}\ntime: "
      "{end_s: 1}\n");
  CHECK(bowl.scenario.bed.at(0) == Approx(-1 + 2 * 1.5 * 1.5));
  CHECK(bowl.scenario.bed.at(1) == Approx(-1 + 2 * 0.5 * 0.5));
}

TEST_CASE("friction_by_every_law") {
  CaseFolder const folder;
  for (auto const& [law, key, type] :
       {std::tuple("manning", "manning", FrictionLaw::Type::manning),
        {"chezy", "chezy", FrictionLaw::Type::chezy},
        {"darcy_weisbach", "darcy_weisbach", FrictionLaw::Type::darcy_weisbach},
        {"linear", "linear_per_s", FrictionLaw::Type::linear}}) {
    auto const loaded = folder.load(basin + "friction: {law: " + law + ", " + key + ": 0.04}\n");
    CHECK(loaded.scenario.friction.type == type);
    CHECK(loaded.scenario.friction.coefficient.constant == 0.04);
  }
  CHECK(folder.load(basin + "friction: {law: none}\n").scenario.friction.type == FrictionLaw::Type::none);
  CHECK(folder.load(basin).scenario.friction.type == FrictionLaw::Type::none);
}

TEST_CASE("initial_water_by_areas") {
  CaseFolder const folder;
  auto const dam = folder.load(basin +
                               "initial:\n  depth_m:\n    default: 1\n    polygons:\n"
                               "      - {over: [[0, 0], [50, 0], [50, 50], [0, 50]], value: 10}\n"
                               "      - {over: {centre: [5, 5], radius_m: 2}, value: 3}\n");
  CHECK(volume(dam.scenario) == Approx(100 * (24 * 10 + 3 + 25)));
  folder.write("lake.csv", "x,y\n0,0\n30,0\n30,50\n0,50\n");
  auto const lake = folder.load(basin + "initial: {level_m: [{over: lake.csv, value: 2}]}\n");
  CHECK(volume(lake.scenario) == Approx(100 * 15 * 2));
  CHECK(volume(folder.load(basin + "initial: {level_m: -1}\n").scenario) == 0);
  auto const moving =
      folder.load(basin + "initial: {depth_m: 1, velocity_x_m_per_s: 0.5, velocity_y_m_per_s: -1}\n");
  CHECK(moving.scenario.initial.velocity_x(0) == 0.5);
  CHECK(moving.scenario.initial.velocity_y(0) == -1);
}

TEST_CASE("boundaries_of_every_type") {
  CaseFolder const folder;
  folder.write("curve.csv", "level_m,discharge_m3_per_s\n0,0\n1,5\n2,20\n");
  folder.write("wave.csv", "time_s,elevation_m\n0,0\n10,0.5\n");
  auto const loaded = folder.load(
      "domain: {grid: {nx: 10, ny: 5, dx_m: 10}, bed: {plane: {slope_x: -0.01}}}\ntime: {end_s: 10}\n"
      "boundaries:\n"
      "  - {name: a, on: south, from: 0, to: 20, type: wall}\n"
      "  - {name: b, on: south, from: 20, to: 40, type: open}\n"
      "  - {name: c, on: south, from: 40, to: 60, type: level, level_m: 1}\n"
      "  - {name: d, on: south, from: 60, to: 80, type: rating_curve, curve: curve.csv}\n"
      "  - {name: e, on: south, from: 80, to: 100, type: critical}\n"
      "  - {name: f, on: east, type: normal_depth}\n"
      "  - {name: g, along: [[0, 0], [0, 50]], type: incoming_wave, series: wave.csv, still_level_m: 0.2}\n"
      "  - {name: h, on: north, type: normal_depth, slope: 0.002}\n");
  auto const& all = loaded.scenario.boundaries;
  REQUIRE(all.size() == 8);
  for (std::size_t k = 0; k < 5; ++k) CHECK(all[k].faces.size() == 2);
  CHECK(all[3].curve_discharge == std::vector<double>{0, 5, 20});
  CHECK(all[5].slope == Approx(0.01));
  CHECK(all[6].faces.size() == 5);
  CHECK(all[6].still_level == 0.2);
  CHECK(all[6].series(5) == 0.25);
  CHECK(all[7].slope == 0.002);
}

TEST_CASE("periodic_sides_come_in_pairs_however_they_are_named") {
  CaseFolder const folder;
  for (char const* const on : {"west", "[west, east]"}) {
    auto const loaded =
        folder.load(basin + "boundaries: [{name: p, type: periodic, on: " + std::string(on) + "}]\n");
    REQUIRE(loaded.scenario.boundaries.size() == 2);
    CHECK(loaded.scenario.boundaries[0].side == Side::west);
    CHECK(loaded.scenario.boundaries[1].side == Side::east);
    CHECK(loaded.scenario.boundaries[0].faces.empty());
  }
  auto const clash = only(folder.problems(
      basin + "boundaries:\n  - {name: p, type: periodic, on: west}\n  - {name: q, type: open, on: east}\n"));
  CHECK(contains(clash.message, "'p' and 'q' claim the same face"));
}

TEST_CASE("inner_edges_of_active_cells_take_boundaries") {
  CaseFolder const folder;
  auto const loaded = folder.load(case_on("D17/dem.asc",
                                          "boundaries: [{name: pit, type: open, along: [[500020, 4000020], "
                                          "[500030, 4000020], [500030, 4000030]]}]\n"));
  CHECK(loaded.scenario.boundaries.at(0).faces.size() == 2);
}

TEST_CASE("bilinear_gauges_weigh_active_cells_only") {
  CaseFolder const folder;
  auto const loaded = folder.load(basin +
                                  "gauges:\n  - {name: G, at: [12.5, 10], sample: bilinear}\n  - {name: E, "
                                  "at: [0, 0], sample: bilinear}\n");
  auto const& stencil = loaded.gauges.at(0).stencil;
  REQUIRE(stencil.size() == 4);
  double x = 0, sum = 0;
  for (auto const& [cell, weight] : stencil) {
    x += weight * loaded.scenario.grid.x_centre(int(cell % 10));
    sum += weight;
  }
  CHECK(sum == Approx(1));
  CHECK(x == Approx(12.5));
  CHECK(loaded.gauges[1].stencil.size() == 1);
  auto const beside_hole =
      folder.load(case_on("D17/dem.asc", "gauges: [{name: G, at: [500019, 4000019], sample: bilinear}]\n"));
  CHECK(beside_hole.gauges.at(0).stencil.size() == 3);
}

TEST_CASE("sections_keep_the_faces_of_active_cells") {
  CaseFolder const folder;
  auto const loaded = folder.load(basin + "sections: [{name: S, along: [[52, 50], [52, 0]], every_s: 2}]\n");
  CHECK(loaded.sections.at(0).faces.size() == 5);
  CHECK(loaded.sections[0].faces[0].sign == 1);
  CHECK(loaded.sections[0].every_s == 2.0);
}

TEST_CASE("aliases_serve_whole_values_in_a_case") {
  CaseFolder const folder;
  auto const loaded = folder.load(
      basin +
      "initial: {depth_m: &one 1.5}\nboundaries: [{name: sea, on: west, type: level, level_m: *one}]\n");
  CHECK(loaded.scenario.boundaries.at(0).series(0) == 1.5);
}

TEST_CASE("a_bed_raster_is_resampled_and_cropped_only_on_request") {
  CaseFolder const folder;
  std::string const raster = small_input("D06/corner.asc").string();
  auto const text = [&](std::string const& more) {
    return "domain:\n  grid: {nx: 2, ny: 2, dx_m: 10, x0_m: 500010, y0_m: 4000000}\n  bed: {raster: " +
           raster + more + "}\ntime: {end_s: 1}\n";
  };
  CHECK(contains(only(folder.problems(text(""))).message, "resample: bilinear"));
  CHECK(folder.load(text(", resample: nearest")).scenario.bed == std::vector<double>{32, 33, 22, 23});
}

TEST_CASE("coordinates_in_degrees_are_refused") {
  CaseFolder const folder;
  std::string const body =
      "ncols 2\nnrows 2\nxllcorner -84.4\nyllcorner 36.6\ncellsize 0.00083333333\n300 310\n320 330\n";
  folder.write("dem.asc", body);
  std::string const text = "domain: {bed: dem.asc}\ntime: {end_s: 1}\n";
  CHECK(contains(only(folder.problems(text)).message, "look like degrees"));
  CHECK(folder.problems(text, {"domain.crs=local"}).empty());
  CHECK(contains(only(folder.problems(text, {"domain.crs=EPSG:4326"})).message, "longitude and latitude"));
  if (io::has_gdal()) {
    CHECK(contains(only(folder.problems(text, {"domain.crs=EPSG:7844"})).message, "longitude and latitude"));
    CHECK(contains(only(folder.problems(text, {"domain.crs=EPSG:99999"})).message, "EPSG has no"));
  } else {
    WARN("SKIP: without GDAL, EPSG codes are not looked up");
  }
  folder.write("dem.prj", "GEOGCS[\"GCS_WGS_1984\"]");
  CHECK(contains(only(folder.problems(text)).message, "longitude and latitude"));
}

TEST_CASE("rasters_of_two_coordinate_systems_are_refused") {
  CaseFolder const folder;
  std::filesystem::copy_file(small_input("D06/corner.asc"), folder.path() / "dem.asc");
  std::filesystem::copy_file(small_input("D15/h0.asc"), folder.path() / "h0.asc");
  folder.write("dem.prj", "PROJCS[\"a\",AUTHORITY[\"EPSG\",\"25832\"]]");
  folder.write("h0.prj", "PROJCS[\"b\",AUTHORITY[\"EPSG\",\"25833\"]]");
  std::string const text = "domain: {bed: dem.asc}\ninitial: {depth_m: h0.asc}\ntime: {end_s: 1}\n";
  CHECK(contains(only(folder.problems(text)).message, "another coordinate system"));
  folder.write("h0.prj", "PROJCS[\"a, spelt otherwise\",AUTHORITY[\"EPSG\",\"25832\"]]");
  CHECK(contains(folder.load(text).output.crs, "25832"));
}

TEST_CASE("every_problem_is_reported_at_once") {
  CaseFolder const folder;
  auto const problems = folder.problems(
      "domain: {bed: missing.asc}\nfriction: {law: manning, manning: -0.03}\nscheme: {clf: 0.4}\ntime: "
      "{end_s: 10}\n");
  REQUIRE(problems.size() == 3);
  CHECK(std::any_of(problems.begin(), problems.end(),
                    [](Problem const& one) { return one.key == "domain.bed"; }));
  CHECK(std::any_of(problems.begin(), problems.end(),
                    [](Problem const& one) { return one.key == "friction.manning"; }));
  CHECK(std::any_of(problems.begin(), problems.end(),
                    [](Problem const& one) { return one.key == "scheme.clf"; }));
}

TEST_CASE("overrides_are_named_in_errors") {
  CaseFolder const folder;
  auto const problem = only(folder.problems(basin, {"scheme.cfl=2"}));
  CHECK(problem.text() == "--set scheme.cfl=2: scheme.cfl: must be greater than 0 and at most 1, not 2");
  auto const moved = folder.load(basin + "gauges: [{name: G, x: 1, y: 5}]\n",
                                 {"gauges.0.x=95", "output.directory=elsewhere"});
  CHECK(moved.gauges.at(0).cell == 9);
  CHECK(moved.output.directory == folder.path() / "elsewhere");
}

TEST_CASE("durations_of_wall_time") {
  CHECK(parse_duration("30min")->seconds == 1800);
  CHECK(parse_duration("11h50m")->seconds == 42600);
  CHECK(parse_duration("1d")->seconds == 86400);
  CHECK(parse_duration("90")->seconds == 90);
  for (char const* const bad : {"", "h", "30x", "1h 30", "-5min", "5,5h", "30min5"}) {
    INFO(bad);
    CHECK_FALSE(parse_duration(bad));
  }
  CHECK(duration_text({42600}) == "11h50m");
  CHECK(duration_text({90.5}) == "1m30.5s");
}

TEST_CASE("a_missing_case_is_an_input_error") {
  CHECK_THROWS_AS(load_case("/nowhere/case.yaml"), InputError);
}

TEST_CASE("a_grid_larger_than_memory_is_refused") {
  CaseFolder const folder;
  auto const problem = only(folder.problems(
      "domain: {grid: {nx: 2000000, ny: 2000000, dx_m: 1}, bed: {constant_m: 0}}\ntime: {end_s: 1}\n"));
  CHECK(problem.key == "domain.grid");
  CHECK(contains(problem.message, "GB"));
}

TEST_CASE("learning_cases_load") {
  int cases = 0;
  for (auto const& entry :
       std::filesystem::directory_iterator(std::filesystem::path(SWE_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() != ".yaml") continue;
    INFO(entry.path().string());
    CHECK(load_case(entry.path()).scenario.active_cells() > 0);
    ++cases;
  }
  CHECK(cases > 0);
}
