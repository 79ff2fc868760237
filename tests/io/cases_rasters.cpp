// Small raster inputs that troubled other programs: what reading them must give.

#include <cmath>
#include <sstream>

#include "io/raster/raster.hpp"
#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

std::string const half_a_metre = "initial: {depth_m: 0.5}\n";

io::LoadedCase load(std::string const& dem, std::string const& more = half_a_metre) {
  CaseFolder const folder;
  return folder.load(case_on(dem, more));
}

io::Problem refusal(std::string const& text) {
  CaseFolder const folder;
  return only(folder.problems(text));
}

void check_is_corner_grid(Scenario const& scenario) {
  CHECK(scenario.grid == Grid{4, 3, 10, 10, 500000, 4000000});
  CHECK(scenario.active_cells() == 12);
  CHECK(value_at(scenario, scenario.bed, 500005, 4000025) == 11);
  CHECK(value_at(scenario, scenario.bed, 500035, 4000025) == 14);
  CHECK(value_at(scenario, scenario.bed, 500005, 4000005) == 31);
  CHECK(value_at(scenario, scenario.bed, 500035, 4000005) == 34);
}

}  // namespace

TEST_CASE("D01_missing_no_data_line_takes_minus_9999_with_a_note") {
  auto const loaded = load("D01/dem.asc");
  CHECK(loaded.scenario.active_cells() == 11);
  CHECK(volume(loaded.scenario) == Approx(550));
  REQUIRE(loaded.notes.size() == 1);
  CHECK(contains(loaded.notes[0], "-9999"));
}

TEST_CASE("D02_no_data_is_compared_as_a_number") {
  auto const loaded = load("D02/dem.asc");
  CHECK(loaded.scenario.active_cells() == 9);
  CHECK(volume(loaded.scenario) == Approx(450));
}

TEST_CASE("D03_no_data_of_a_float_with_fewer_digits") {
  auto const loaded = load("D03/dem.asc");
  CHECK(loaded.scenario.active_cells() == 11);
  CHECK(volume(loaded.scenario) == Approx(550));
  for (double const z : loaded.scenario.bed) CHECK((std::isnan(z) || (z >= 11 && z <= 34)));
}

TEST_CASE("D06_corner_and_centre_registration_agree_per_axis") {
  std::string const gauge = "gauges: [{name: G, at: [500001, 4000001]}]\n";
  for (char const* const dem : {"D06/corner.asc", "D06/center.asc", "D06/mixed.asc"}) {
    INFO(dem);
    auto const loaded = load(dem, gauge);
    check_is_corner_grid(loaded.scenario);
    CHECK(loaded.scenario.bed[std::size_t(loaded.gauges.at(0).cell)] == 31);
  }
}

TEST_CASE("D07_header_keys_in_any_order_and_case") { check_is_corner_grid(load("D07/dem.asc").scenario); }

TEST_CASE("D08_cells_of_two_sizes") {
  check_is_corner_grid(load("D08/square.asc").scenario);
  auto const oblong = load("D08/oblong.asc");
  CHECK(volume(oblong.scenario) == Approx(1200));
  CHECK(oblong.scenario.grid == Grid{4, 3, 10, 20, 500000, 4000000});
}

TEST_CASE("D09_windows_line_ends_tabs_and_blanks") {
  auto const loaded = load("D09/dem.asc");
  check_is_corner_grid(loaded.scenario);
  CHECK(volume(loaded.scenario) == Approx(600));
}

TEST_CASE("D11_exponents_signs_and_fortran") {
  for (char const* const dem : {"D11/exp.asc", "D11/fortran.asc"}) check_is_corner_grid(load(dem).scenario);
}

TEST_CASE("D13_number_of_values_must_match_the_header") {
  for (auto const& [dem, found] :
       {std::pair("D13/short.asc", "11"), {"D13/long.asc", "13"}, {"D13/empty.asc", "0"}}) {
    auto const problem = refusal(case_on(dem));
    CHECK(contains(problem.message, "expected 12 values"));
    CHECK(problem.message.ends_with(std::string("found ") + found));
  }
}

TEST_CASE("D15_first_data_row_is_the_north_row") {
  auto const loaded = load("D15/dem.asc", "initial: {depth_m: " + small_input("D15/h0.asc").string() + "}\n");
  auto const& scenario = loaded.scenario;
  check_is_corner_grid(scenario);
  CHECK(value_at(scenario, scenario.initial.depth.raster, 500005, 4000025) == 1);
  CHECK(value_at(scenario, scenario.initial.depth.raster, 500005, 4000005) == 0);
  CHECK(value_at(scenario, scenario.initial.depth.raster, 500035, 4000025) == 0);
  std::ostringstream written;
  io::write_ascii_raster(written, scenario.grid, scenario.bed);
  CHECK(contains(written.str(), "NODATA_value -9999\n11 12 13 14\n21 22 23 24\n"));
}

TEST_CASE("D16_an_elevation_may_equal_the_customary_no_data_number") {
  auto const loaded = load("D16/dem.asc");
  CHECK(loaded.scenario.active_cells() == 12);
  CHECK(volume(loaded.scenario) == Approx(600));
  CHECK(value_at(loaded.scenario, loaded.scenario.bed, 500025, 4000015) == -9999);
}

TEST_CASE("D17_a_hole_is_inactive_and_holds_no_water") {
  auto const loaded = load("D17/dem.asc", "initial: {level_m: 2}\n");
  CHECK(loaded.scenario.active_cells() == 24);
  CHECK(volume(loaded.scenario) == Approx(2400));
}

TEST_CASE("D18_rasters_that_do_not_match_the_grid_are_refused_with_both_sizes") {
  auto const friction = [](std::string const& raster) {
    return "friction: {law: manning, manning: " + raster + "}\n";
  };
  auto const wide = refusal(case_on("D18/dem.asc", friction(small_input("D18/n_wide.asc").string())));
  CHECK(wide.key == "friction.manning");
  CHECK(contains(wide.message, "5 x 3"));
  CHECK(contains(wide.message, "4 x 3"));
  auto const shifted = refusal(case_on("D18/dem.asc", friction(small_input("D18/n_shift.asc").string())));
  CHECK(contains(shifted.message, "500005"));
  CHECK(contains(shifted.message, "500000"));

  auto const resampled = load(
      "D18/dem.asc", friction("{raster: " + small_input("D18/n_wide.asc").string() + ", resample: nearest}"));
  CHECK(resampled.scenario.friction.coefficient.raster == std::vector<double>(12, 0.03));
}

TEST_CASE("D20_a_raster_without_header_is_refused_by_its_missing_keys") {
  auto const problem = refusal(case_on(
      "D20/dem.asc", "friction: {law: manning, manning: " + small_input("D20/n_bare.txt").string() + "}\n"));
  CHECK(contains(problem.file, "n_bare.txt"));
  CHECK(contains(problem.message, "header keys are missing: ncols, nrows, xllcorner, yllcorner, cellsize"));
}
