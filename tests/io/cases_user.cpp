// Mistakes and habits of users that troubled other programs: what reading such cases must give.

#include "io/case/case_file.hpp"
#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

std::string const working =
    "domain: {grid: {nx: 4, ny: 3, dx_m: 10}, bed: {constant_m: 0}}\ntime: {end_s: 10}\n";

}  // namespace

TEST_CASE("U01_misspelt_keys_are_named_with_line_and_nearest_key") {
  CaseFolder const folder;
  auto const key =
      only(folder.problems(working + "friction:\n  law: manning\n  manning: 0.03\n  maning: 0.03\n"));
  CHECK(key.line == 6);
  CHECK(key.key == "friction.maning");
  CHECK(contains(key.message, "did you mean 'manning'?"));
  auto const deep = only(folder.problems(working + "output:\n  snapshots:\n    evry_s: 5\n"));
  CHECK(deep.line == 5);
  CHECK(deep.key == "output.snapshots.evry_s");
  CHECK(contains(deep.message, "'every_s'"));
  auto const section = only(folder.problems(working + "boundarys: []\n"));
  CHECK(section.line == 3);
  CHECK(contains(section.message, "'boundaries'"));
}

TEST_CASE("U02_a_key_that_appears_twice_is_refused") {
  CaseFolder const folder;
  auto const twice =
      only(folder.problems("domain: {grid: {nx: 4, ny: 3, dx_m: 10}, bed: {constant_m: 0}}\n"
                           "time:\n  end_s: 10\n  end_s: 20\n"));
  CHECK(twice.line == 4);
  CHECK(twice.key == "time.end_s");
  CHECK(contains(twice.message, "line 3"));
  auto const blocks = only(
      folder.problems(working + "gauges:\n  - {name: A, at: [5, 5]}\ngauges:\n  - {name: B, at: [5, 5]}\n"));
  CHECK(blocks.key == "gauges");
}

TEST_CASE("U04_words_never_become_booleans") {
  CaseFolder const folder;
  auto const loaded =
      folder.load(working + "gauges:\n  - name: no\n    x: 15\n    y: 25\n  - {name: y, at: [5, 5]}\n");
  CHECK(loaded.gauges.at(0).name == "no");
  CHECK(loaded.gauges[0].at.x == 15);
  CHECK(loaded.gauges[0].at.y == 25);
  CHECK(loaded.gauges[1].name == "y");
  CHECK(contains(only(folder.problems(working + "friction: off\n")).message, "leave the section out"));
  CHECK(only(folder.problems(working + "restart: no\n")).key == "restart");
}

TEST_CASE("U05_relative_names_start_at_the_case_file") {
  CaseFolder const folder("K");
  std::filesystem::create_directories(folder.path() / "dem");
  std::filesystem::copy_file(small_input("D06/corner.asc"), folder.path() / "dem/a.asc");
  auto const file = folder.write("case.yaml", "domain: {bed: dem/a.asc}\ntime: {end_s: 10}\n");
  auto const before = std::filesystem::current_path();
  auto const from_here = io::load_case(file);
  std::filesystem::current_path(folder.path());
  auto const from_there = io::load_case("case.yaml");
  std::filesystem::current_path(folder.path().parent_path());
  auto const from_above = io::load_case("K/case.yaml");
  CHECK(std::filesystem::absolute(from_above.output.directory).lexically_normal() ==
        (std::filesystem::current_path() / "K/results/case").lexically_normal());
  std::filesystem::current_path(before);
  CHECK(from_here.scenario.bed == from_there.scenario.bed);
  CHECK(from_here.scenario.bed == from_above.scenario.bed);
  CHECK(from_here.output.directory == folder.path() / "results/case");
}

TEST_CASE("U06_a_boundary_that_touches_nothing_is_refused_by_name") {
  CaseFolder const folder;
  auto const off = only(folder.problems(case_on(
      "U06/dem.asc",
      "boundaries: [{name: river, type: discharge, discharge_m3_per_s: 2, along: [[100, 0], [200, 0]]}]\n")));
  CHECK(contains(off.message, "'river' touches no active face"));
  auto const weest =
      only(folder.problems(case_on("U06/dem.asc", "boundaries: [{name: sea, type: open, on: weest}]\n")));
  CHECK(contains(weest.message, "did you mean 'west'?"));
}

TEST_CASE("U07_places_outside_or_on_no_data_are_refused") {
  CaseFolder const folder;
  CHECK(contains(
      only(folder.problems(case_on("U07/dem.asc", "gauges: [{name: far, at: [400000, 4000000]}]\n"))).message,
      "outside the grid"));
  CHECK(contains(
      only(folder.problems(case_on("U07/dem.asc", "gauges: [{name: hole, at: [500025, 4000025]}]\n")))
          .message,
      "inactive"));
  auto const source = only(folder.problems(
      case_on("U07/dem.asc",
              "sources: [{name: spring, type: inflow, at: [500025, 4000025], discharge_m3_per_s: 1}]\n")));
  CHECK(source.key == "sources.0.at");
  CHECK(contains(source.message, "inactive"));
  auto const edge = folder.load(case_on("U07/dem.asc", "gauges: [{name: edge, at: [500050, 4000050]}]\n"));
  CHECK(edge.gauges.at(0).cell == edge.scenario.grid.index(4, 4));
}

TEST_CASE("U09_the_unit_of_rain_is_part_of_the_key") {
  CaseFolder const folder;
  auto const loaded = folder.load(
      case_on("U09/dem.asc", "sources: [{name: storm, type: rain, rate_mm_per_h: 36}]\n", "1000"));
  CHECK(loaded.scenario.sources.at(0).series.integral(0, 1000) == Approx(0.01).epsilon(1e-12));
  CHECK(
      contains(only(folder.problems(case_on(
                        "U09/dem.asc", "sources: [{name: storm, type: rain, rate: 36, rate_mm_per_h: 1}]\n")))
                   .message,
               "rate_mm_per_h"));
}

TEST_CASE("U10_nonsense_values_are_refused_with_key_and_range") {
  CaseFolder const folder;
  struct Nonsense {
    char const *set, *key, *range;
  };
  for (auto const& [set, key, range] : {
           Nonsense{"friction={law: manning, manning: -0.03}", "friction.manning", "at least 0"},
           {"scheme.cfl=1.5", "scheme.cfl", "greater than 0 and at most 1"},
           {"scheme.cfl=0", "scheme.cfl", "greater than 0 and at most 1"},
           {"time.start_s=20", "time.end_s", "greater than start_s"},
           {"output.snapshots.every_s=0", "output.snapshots.every_s", "greater than 0"},
           {"output.snapshots.every_s=-1", "output.snapshots.every_s", "greater than 0"},
           {"scheme.gravity_m_per_s2=0", "scheme.gravity_m_per_s2", "greater than 0"},
           {"domain.grid.dx_m=0", "domain.grid.dx_m", "greater than 0"},
           {"scheme.dry_tolerance_m=-1", "scheme.dry_tolerance_m", "greater than 0"},
       }) {
    INFO(set);
    auto const problem = only(folder.problems(working, {set}));
    CHECK(problem.key == key);
    CHECK(contains(problem.message, range));
  }
  folder.write("dem.asc", "ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 0\n1\n");
  CHECK(contains(only(folder.problems("domain: {bed: dem.asc}\ntime: {end_s: 1}\n")).message,
                 "cellsize must be greater than 0"));
}

TEST_CASE("U12_a_missing_or_cut_raster_is_named_once") {
  CaseFolder const folder;
  auto const missing = only(folder.problems("domain: {bed: nowhere.asc}\ntime: {end_s: 1}\n"));
  CHECK(missing.file == "nowhere.asc");
  CHECK(missing.key == "domain.bed");
  CHECK(missing.message == "no such file");
}

TEST_CASE("U13_missing_and_negative_depths_are_refused_with_row_and_column") {
  CaseFolder const folder;
  for (char const* const raster : {"U13/h0_nan.asc", "U13/h0_neg.asc"}) {
    auto const problem = only(folder.problems(
        case_on("U13/dem.asc", "initial: {depth_m: " + small_input(raster).string() + "}\n")));
    CHECK(contains(problem.message, "row 2, column 2"));
  }
}

TEST_CASE("U14_discharge_is_in_total_and_per_width_is_another_type") {
  CaseFolder const folder;
  for (auto const& [dem, faces] : {std::pair("U14/dem10.asc", 5), {"U14/dem5.asc", 10}}) {
    auto const total = folder.load(
        case_on(dem, "boundaries: [{name: q, on: west, type: discharge, discharge_m3_per_s: 2}]\n"));
    CHECK(total.scenario.boundaries.at(0).type == Boundary::Type::discharge);
    CHECK(total.scenario.boundaries[0].series(0) == 2);
    CHECK(int(total.scenario.boundaries[0].faces.size()) == faces);
    auto const per_width = folder.load(case_on(
        dem, "boundaries: [{name: q, on: west, type: discharge_per_width, discharge_m2_per_s: 0.04}]\n"));
    auto const& boundary = per_width.scenario.boundaries.at(0);
    CHECK(boundary.series(0) * double(boundary.faces.size()) * per_width.scenario.grid.dy == Approx(2));
  }
}

TEST_CASE("U15_blanks_dots_and_letters_outside_ascii_in_names") {
  CaseFolder const folder("Fluß 1.2 (test)");
  std::filesystem::copy_file(small_input("U15/dem.asc"), folder.path() / "höhen 10m.v2.asc");
  auto const loaded =
      folder.load("domain: {bed: höhen 10m.v2.asc}\ntime: {end_s: 1}\noutput: {directory: lauf.1 a}\n");
  CHECK(loaded.scenario.active_cells() == 12);
  CHECK(loaded.output.directory == folder.path() / "lauf.1 a");
}

TEST_CASE("P01_flat_bed_at_3000_m_keeps_depth_apart_from_level") {
  CaseFolder const folder;
  auto const loaded = folder.load(
      case_on("P01/dem.asc", "sources: [{name: drizzle, type: rain, rate_mm_per_h: 1}]\n", "3600"),
      {"time.max_step_s=1"});
  CHECK(loaded.scenario.scheme.max_dt == 1);
  CHECK(volume(loaded.scenario) == 0);
}

TEST_CASE("P03_gauges_land_in_their_cells_at_utm_coordinates") {
  CaseFolder const folder;
  auto const loaded = folder.load(
      case_on("P03/dem.asc",
              "gauges: [{name: A, at: [634251.50, 4649777.45]}, {name: B, at: [634251.50, 4649777.24]}]\n"));
  for (auto const& gauge : loaded.gauges) CHECK(loaded.scenario.bed[std::size_t(gauge.cell)] == 22);
}

TEST_CASE("P05_output_times_keep_their_digits") {
  auto const times = io::output_times(1000000, 1000001, 0.1);
  REQUIRE(times.size() == 11);
  for (std::size_t k = 0; k < times.size(); ++k)
    CHECK(times[k] == Approx(1000000 + 0.1 * double(k)).margin(1e-9).epsilon(0));
}

TEST_CASE("P07_output_times_end_exactly_and_once") {
  auto const many = io::output_times(0, 100, 0.1);
  CHECK(many.size() == 1001);
  CHECK(many.back() == 100);
  CHECK(io::output_times(0, 0.3, 0.1).size() == 4);
  CHECK(io::output_times(0, 0.3, 0.1).back() == 0.3);
  CHECK(io::output_times(0, 400000, 400000) == std::vector<double>{0, 400000});
  CHECK(io::output_times(0, 10, 4) == std::vector<double>{0, 4, 8, 10});
  CHECK(io::output_times(0, 10, std::nullopt) == std::vector<double>{0, 10});
}
