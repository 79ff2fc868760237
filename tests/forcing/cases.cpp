/// \file
/// Small inputs that troubled other programs, run from the case file to the volume at the end; and the cases
/// of configs/forcing.

#include <fstream>

#include "io/case/load.hpp"
#include "tests/forcing/support.hpp"
#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

/// A case run to its end.
struct Ran {
  io::LoadedCase loaded;
  std::unique_ptr<Simulation> simulation;
  double volume() const { return simulation->balance().final_; }
};

Ran run(io::LoadedCase loaded) {
  auto simulation = make_simulation(loaded.scenario, loaded.output.maxima);
  CHECK(worst_balance(*simulation, loaded.scenario.end_time) < 1e-12);
  CHECK(simulation->progress().time == loaded.scenario.end_time);
  return {std::move(loaded), std::move(simulation)};
}

Ran run_case(std::string const& text) {
  CaseFolder const folder;
  return run(folder.load(text));
}

std::string inflow(std::string const& series, std::string const& more = "") {
  return "boundaries: [{name: inflow, on: west, type: discharge, series: " + small_input(series).string() +
         more + "}]\n";
}
std::string rain(std::string const& series, std::string const& more = "") {
  return "sources: [{name: storm, type: rain, series_mm_per_h: " + small_input(series).string() + more +
         "}]\n";
}
double volume_with(std::string const& dem, std::string const& series, std::string const& more = "") {
  return run_case(case_on(dem, inflow(series, more), "100")).volume();
}

std::string message_of(std::string const& text) {
  CaseFolder const folder;
  return only(folder.problems(text)).text();
}

}  // namespace

TEST_CASE("S01_a_series_that_ends_early_holds_stops_or_is_refused_as_the_case_says") {
  CHECK(volume_with("S01/dem.asc", "S01/q.csv", ", after_end: hold") == Approx(200).margin(1e-8));
  CHECK(volume_with("S01/dem.asc", "S01/q.csv", ", after_end: zero") == Approx(120).margin(1e-8));
  CHECK(run_case(case_on("S01/dem.asc", rain("S01/rain.csv", ", after_end: hold"), "100")).volume() ==
        Approx(5).margin(1e-8));
  CHECK(contains(message_of(case_on("S01/dem.asc", inflow("S01/q.csv"), "100")), "after_end"));
}

TEST_CASE("S04_S08_the_last_record_on_the_end_time_and_any_line_ends_give_200") {
  CHECK(volume_with("S04/dem.asc", "S04/q.csv") == Approx(200).margin(1e-8));
  CHECK(volume_with("S08/dem.asc", "S08/q.csv") == Approx(200).margin(1e-8));
  CHECK(volume_with("S08/dem.asc", "S08/q_nonl.csv") == Approx(200).margin(1e-8));
}

TEST_CASE("S05_S12_unsorted_times_and_missing_values_are_refused_by_line") {
  CHECK(contains(message_of(case_on("S05/dem.asc", inflow("S05/q.csv"), "100")), "q.csv:4"));
  for (char const* const name : {"nan.csv", "gap.csv", "dash.csv"})
    CHECK(contains(message_of(case_on("S12/dem.asc", inflow(std::string("S12/") + name), "100")),
                   std::string(name) + ":3"));
}

TEST_CASE("S06_a_jump_by_a_doubled_time_gives_100") {
  CHECK(volume_with("S06/dem.asc", "S06/q.csv") == Approx(100).margin(1e-8));
}

TEST_CASE("S10_a_triangle_gives_100_with_and_without_header_and_comments") {
  for (char const* const name : {"S10/head.csv", "S10/nohead.csv", "S10/comment.csv"})
    CHECK(volume_with("S10/dem.asc", name) == Approx(100).margin(1e-8));
}

TEST_CASE("S11_rain_holds_from_its_time_to_the_next") {
  auto const ran = run_case(case_on("S11/dem.asc", rain("S11/rain.csv"), "200"));
  CHECK(ran.volume() == Approx(1.2).margin(1e-9));
  CHECK(ran.simulation->balance().rain == Approx(1.2).margin(1e-9));
}

TEST_CASE("S14_three_points_and_three_columns_give_60_and_other_counts_are_refused") {
  auto const points = [](std::string const& series) {
    return case_on("S14/dem.asc",
                   "sources: [{name: p, type: inflow, at: [[500005, 4000005], [500055, 4000025], [500095, "
                   "4000045]], series: " +
                       small_input(series).string() + "}]\n");
  };
  CHECK(run_case(points("S14/q3.csv")).volume() == Approx(60).margin(1e-8));
  CHECK(contains(message_of(points("S14/q2.csv")), "3 points, but 2"));
  CHECK(contains(message_of(points("S14/q4.csv")), "3 points, but 4"));
  CHECK(contains(message_of(points("S14/qshort.csv")), "qshort.csv:3"));
}

TEST_CASE("S15_columns_are_known_by_their_names_not_their_order") {
  CHECK(volume_with("S15/dem.asc", "S15/q.csv") == Approx(200).margin(1e-8));
}

TEST_CASE("U06_U07_a_source_off_the_grid_or_on_an_inactive_cell_is_refused") {
  CHECK(
      contains(message_of(case_on("U06/dem.asc",
                                  "sources: [{name: p, type: inflow, at: [1, 1], discharge_m3_per_s: 1}]\n")),
               "outside"));
  CHECK(contains(message_of(case_on(
                     "U07/dem.asc",
                     "sources: [{name: p, type: inflow, at: [500025, 4000025], discharge_m3_per_s: 1}]\n")),
                 "inactive"));
  CHECK(contains(
      message_of(case_on("U06/dem.asc",
                         "structures: [{name: w, type: weir, along: [[1, 1], [2, 2]], crest_m: 1}]\n")),
      "no face"));
}

TEST_CASE("U09_rain_of_36_mm_per_h_for_1000_s_is_10_mm") {
  auto const ran =
      run_case(case_on("U09/dem.asc", "sources: [{name: storm, type: rain, rate_mm_per_h: 36}]\n", "1000"));
  CHECK(ran.volume() == Approx(12).epsilon(1e-10));
  for (double h : ran.simulation->state().h) CHECK(h == Approx(0.01).epsilon(1e-10));
}

TEST_CASE("U14_a_total_discharge_and_one_per_width_do_not_depend_on_the_cells") {
  for (char const* const dem : {"U14/dem10.asc", "U14/dem5.asc"})
    for (char const* const what :
         {"type: discharge, discharge_m3_per_s: 2", "type: discharge_per_width, discharge_m2_per_s: 0.04"})
      CHECK(
          run_case(case_on(dem, std::string("boundaries: [{name: inflow, on: west, ") + what + "}]\n", "100"))
              .volume() == Approx(200).margin(1e-8));
}

TEST_CASE("what_contradicts_itself_is_refused_by_name") {
  auto const grid = [](std::string const& more) {
    return "domain: {grid: {nx: 8, ny: 8, dx_m: 10}, bed: {constant_m: 0}}\ntime: {end_s: 10}\n" + more;
  };
  CHECK(contains(message_of(grid("sources:\n  - {name: a, type: infiltration, rate_mm_per_h: 1}\n"
                                 "  - {name: b, type: infiltration_scs_cn, curve_number: 80}\n")),
                 "'a' is an infiltration already"));
  CHECK(contains(
      message_of(grid("structures:\n  - {name: a, type: weir, along: [[40, 0], [40, 80]], crest_m: 1}\n"
                      "  - {name: b, type: levee, along: [[40, 20], [40, 50]], crest_m: 1}\n")),
      "'a' and 'b' claim the same face"));
  CHECK(contains(
      message_of(grid(
          "structures: [{name: c, type: culvert, from: [5, 5], to: [6, 6], length_m: 5, diameter_m: 1}]\n")),
      "same cell"));
  CHECK(contains(
      message_of(
          grid("structures: [{name: h, type: building, over: [[0, 0], [90, 0], [90, 90], [0, 90]]}]\n")),
      "every active cell"));
  CHECK(contains(message_of(grid("structures:\n  - {name: p, type: pump, from: [5, 5], to: [75, 75], "
                                 "discharge_m3_per_s: 1, on_level_m: 1, "
                                 "off_level_m: 2}\n")),
                 "off_level_m"));
  CaseFolder const folder;
  folder.write(
      "a.asc", "ncols 8\nnrows 8\nxllcorner 0\nyllcorner 0\ncellsize 10\n" + [] {
        std::string rows;
        for (int k = 0; k < 64; ++k) rows += "1 ";
        return rows;
      }());
  auto const problems =
      folder.problems(grid("sources:\n  - name: r\n    type: rain\n    rasters_mm_per_h: [{at_s: 5, raster: "
                           "a.asc}, {at_s: 5, raster: a.asc}]\n"));
  CHECK(contains(only(problems).text(), "must rise"));
}

namespace {

/// A flat grid of 8 x 8 cells of 10 m, and what comes on top.
std::string flat(std::string const& more) {
  return "domain: {grid: {nx: 8, ny: 8, dx_m: 10}, bed: {constant_m: 0}}\ntime: {end_s: 10}\n" + more;
}

}  // namespace

TEST_CASE("headers_of_series_may_spell_the_unit_of_the_key_as_they_like") {
  CaseFolder const folder;
  for (char const* const header : {"time_s,rain_mm_h", "t,rain [mm/hr]", "time (s);rain (mm h-1)"}) {
    INFO(header);
    char const separator = std::string(header).find(';') != std::string::npos ? ';' : ',';
    folder.write("rain.csv", std::string(header) + "\n0" + separator + "36\n100" + separator + "36\n");
    auto const loaded =
        folder.load(flat("sources: [{name: storm, type: rain, series_mm_per_h: rain.csv}]\n"));
    CHECK(loaded.scenario.sources.at(0).series.value.at(0) == Approx(1e-5));
  }
  folder.write("rain.csv", "time_s,rain_mm_d\n0,36\n100,36\n");
  auto const message =
      only(folder.problems(flat("sources: [{name: storm, type: rain, series_mm_per_h: rain.csv}]\n"))).text();
  CHECK(contains(message, "rain.csv:1"));
  CHECK(contains(message, "'rain_mm_d' is in mm_per_day, but the case file reads it as mm_per_h"));
  folder.write("wind.csv", "time_s,east_m_s,north_m_s\n0,3,4\n100,3,4\n");
  auto const windy = folder.load(flat("sources: [{name: gale, type: wind, series: wind.csv}]\n"));
  CHECK(windy.scenario.wind->north(5) == 4);
}

TEST_CASE("crests_follow_the_line_by_points_or_by_chainage") {
  CaseFolder const folder;
  folder.write("crest.csv", "chainage_m,crest_m\n0,1\n40,3\n80,3\n");
  for (std::string const crest : {"crests_m: [1, 3, 3]", "profile: crest.csv"})
    for (std::string const type : {"levee", "weir"}) {
      auto const loaded = folder.load(flat("structures: [{name: bank, type: " + type +
                                           ", along: [[40, 0], [40, 40], [40, 80]], " + crest + "}]\n"));
      auto const& bank = loaded.scenario.structures.at(0);
      REQUIRE(bank.above_crest.size() == 8);
      for (int k = 0; k < 8; ++k) {
        CHECK(bank.faces[std::size_t(k)].j == k);
        CHECK(bank.above_crest[std::size_t(k)] == Approx(k < 4 ? 1 + (10 * k + 5) / 20.0 : 3.0));
      }
      CHECK(contains(io::describe(loaded), "crest 1.25 to 3 m along it"));
    }
  CHECK(
      contains(only(folder.problems(flat("structures: [{name: bank, type: levee, along: [[40, 0], [40, 80]], "
                                         "crests_m: [1, 2, 3]}]\n")))
                   .text(),
               "3 crests for 2 points"));
  folder.write("crest.csv", "chainage_m,crest_m\n0,1\n40,3\n30,3\n");
  CHECK(
      contains(only(folder.problems(flat("structures: [{name: bank, type: levee, along: [[40, 0], [40, 80]], "
                                         "profile: crest.csv}]\n")))
                   .text(),
               "crest.csv:4"));
}

TEST_CASE("pumps_with_one_end_are_read_and_those_with_none_refused") {
  CaseFolder const folder;
  auto const pump = [&](std::string const& ends) {
    return flat("structures: [{name: p, type: pump, discharge_m3_per_s: 1, " + ends + "}]\n");
  };
  auto const out = folder.load(pump("from: [5, 5], on_level_m: 0.5"));
  CHECK(out.scenario.structures.at(0).outlet == Structure::outside);
  CHECK(contains(io::describe(out), "to outside"));
  CHECK(folder.load(pump("to: [5, 5]")).scenario.structures.at(0).inlet == Structure::outside);
  CHECK(contains(
      only(folder.problems(flat("structures: [{name: p, type: pump, discharge_m3_per_s: 1}]\n"))).text(),
      "needs `from`, `to`, or both"));
  CHECK(contains(only(folder.problems(pump("to: [5, 5], on_level_m: 1"))).text(),
                 "on_level_m: is a level at `from`"));
}

TEST_CASE("a_state_outside_is_read_from_numbers_or_columns") {
  CaseFolder const folder;
  auto const constant =
      folder.load(flat("boundaries: [{name: in, on: west, type: state, level_m: 1, u_m_per_s: 8.5}]\n"));
  auto const& b = constant.scenario.boundaries.at(0);
  CHECK(b.series(3) == 1);
  CHECK(b.velocity_x(3) == 8.5);
  CHECK(b.velocity_y(3) == 0);
  CHECK(contains(io::describe(constant), "1 m, east 8.5 m/s, north 0 m/s"));
  folder.write("state.csv", "time_s,v_m_s,level_m,u_m_s\n0,1,2,3\n10,2,4,6\n");
  auto const series =
      folder.load(flat("boundaries: [{name: in, on: west, type: state, series: state.csv}]\n"));
  CHECK(series.scenario.boundaries.at(0).series(5) == 3);
  CHECK(series.scenario.boundaries.at(0).velocity_x(5) == 4.5);
  CHECK(series.scenario.boundaries.at(0).velocity_y(5) == 1.5);
  folder.write("state.csv", "time_s,level_m,u_m_s\n0,2,3\n10,4,6\n");
  CHECK(contains(
      only(folder.problems(flat("boundaries: [{name: in, on: west, type: state, series: state.csv}]\n")))
          .text(),
      "no column is called 'v'"));
}

TEST_CASE("a_low_travels_from_a_point_or_along_a_track") {
  CaseFolder const folder;
  auto const low = [&](std::string const& way) {
    return flat("sources: [{name: low, type: pressure_low, drop_pa: 500, radius_m: 30, " + way + "}]\n");
  };
  auto const moving = folder.load(low("at: [5, 40], velocity_m_per_s: [2, -1]"));
  auto const& one = moving.scenario.pressure_lows.at(0);
  CHECK(one.x(10) == Approx(25).epsilon(1e-12));
  CHECK(one.y(10) == Approx(30).epsilon(1e-12));
  CHECK(contains(io::describe(moving), "from (5, 40) at 0 s to (25, 30) at 10 s"));
  folder.write("track.csv", "time_s,x_m,y_m\n0,0,0\n10,20,40\n");
  CHECK(folder.load(low("track: track.csv")).scenario.pressure_lows.at(0).y(5) == 20);
  folder.write("track.csv", "time_s,x_m,y_m\n0,0,0\n5,20,40\n");
  CHECK(contains(folder.problems(low("track: track.csv")).front().text(), "track.csv:3"));
}

TEST_CASE("open_boundaries_with_still_water_are_pointed_out") {
  CaseFolder const folder;
  auto const words = [&](std::string const& type, std::string const& depth) {
    return io::describe(folder.load(flat("initial: {depth_m: " + depth +
                                         "}\nboundaries: [{name: rim, on: east, type: " + type + "}]\n")));
  };
  CHECK(contains(words("open", "1"), "still water stands at 8 faces"));
  CHECK(!contains(words("open", "0"), "still water"));
  CHECK(!contains(words("critical", "1"), "still water"));
}

TEST_CASE("what_a_newcomer_gets_wrong_is_told_with_what_would_be_right") {
  CaseFolder const folder;
  auto const message = [&](std::string const& more) { return only(folder.problems(flat(more))).text(); };
  CHECK(contains(message("boundaries: [{name: q, on: west, from: 500, to: 600, type: level, level_m: 3}]\n"),
                 "the side runs from y 0 to 80"));
  CHECK(contains(message("structures: [{name: w, type: weir, along: [[900, 0], [900, 50]], crest_m: 5}]\n"),
                 "outside the grid"));
  CHECK(contains(message("structures: [{name: w, type: weir, along: [[41, 31], [42, 32]], crest_m: 5}]\n"),
                 "edges of cells nearest"));
  folder.write("q.csv", "time,Q\n2024-01-01 00:00,3\n2024-01-01 01:00,4\n");
  CHECK(
      contains(message("boundaries: [{name: q, on: west, type: discharge, series: q.csv}]\n"), "not dates"));
  folder.write("q.csv", "time,Q\n0,\"1,5\"\n10,2\n");
  CHECK(contains(message("boundaries: [{name: q, on: west, type: discharge, series: q.csv}]\n"),
                 "decimal points"));

  auto const words = [&](std::string const& more) { return io::describe(folder.load(flat(more))); };
  CHECK(contains(
      words("sources: [{name: b, type: breach, over: [[10, 10], [40, 10], [40, 40]], level_m: 2}]\n"),
      "breach 'b' changes nothing"));
  CHECK(contains(words("structures: [{name: w, type: weir, along: [[40, 80], [40, 0]], crest_m: -1}]\n"),
                 "lies below the ground at 8 faces"));
  CHECK(contains(
      words("structures: [{name: c, type: culvert, from: [5, 5], to: [75, 5], diameter_m: 1, length_m: 70, "
            "outlet_level_m: -2}]\n"),
      "floor -2 m"));
}

TEST_CASE("boundaries_on_one_face_and_on_none_are_refused_by_name") {
  CHECK(contains(
      message_of(flat("boundaries:\n  - {name: river, on: west, type: discharge, discharge_m3_per_s: 1}\n"
                      "  - {name: sea, on: west, from: 30, to: 50, type: level, level_m: 1}\n")),
      "'river' and 'sea' claim the same face"));
  auto const nowhere = message_of(flat(
      "boundaries: [{name: river, along: [[300, 5], [300, 60]], type: discharge, discharge_m3_per_s: 1}]\n"));
  CHECK(contains(nowhere, "'river' touches no active face"));
  CHECK(contains(nowhere, "nearest"));
}

TEST_CASE("rasters_in_time_arrive_in_si_units") {
  CaseFolder const folder;
  auto const raster = [&](std::string const& name, double value) {
    std::string text = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n";
    for (int k = 0; k < 4; ++k) text += std::to_string(value) + " ";
    folder.write(name, text);
  };
  raster("a.asc", 36);
  raster("b.asc", 0);
  auto const ran =
      run(folder.load("domain: {grid: {nx: 2, ny: 2, dx_m: 10}, bed: {constant_m: 0}}\ntime: {end_s: 200}\n"
                      "sources:\n  - name: radar\n    type: rain\n    rasters_mm_per_h: [{at_s: 0, raster: "
                      "a.asc}, {at_s: 100, raster: b.asc}]\n"));
  CHECK(ran.volume() == Approx(0.4).margin(1e-10));
}

TEST_CASE("every_case_of_configs_forcing_runs_and_keeps_its_volume") {
  int count = 0;
  for (auto const& entry :
       std::filesystem::directory_iterator(std::filesystem::path(SWE_SOURCE_DIR) / "configs" / "forcing")) {
    if (entry.path().extension() != ".yaml") continue;
    INFO(entry.path().filename().string());
    auto const loaded = io::load_case(entry.path());
    auto const words = io::describe(loaded);
    for (auto const& b : loaded.scenario.boundaries) CHECK(contains(words, "'" + b.name + "'"));
    for (auto const& s : loaded.scenario.sources) CHECK(contains(words, "'" + s.name + "'"));
    for (auto const& s : loaded.scenario.structures) CHECK(contains(words, "'" + s.name + "'"));
    for (auto const& m : loaded.scenario.bed_motions) CHECK(contains(words, "'" + m.name + "'"));
    for (auto const& l : loaded.scenario.pressure_lows) CHECK(contains(words, "'" + l.name + "'"));
    auto const sim = make_simulation(loaded.scenario);
    sim->advance_to(std::min(loaded.scenario.end_time, 400.0));
    CHECK(std::abs(sim->balance().relative_error()) < 1e-12);
    ++count;
  }
  CHECK(count >= 20);
}
