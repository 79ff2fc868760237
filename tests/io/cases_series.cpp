// Small series inputs that troubled other programs: what reading them must give.

#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

std::string inflow(std::string const& series, std::string const& more = "") {
  return "boundaries: [{name: inflow, on: west, type: discharge, series: " + small_input(series).string() +
         more + "}]\n";
}

TimeSeries series_of(std::string const& dem, std::string const& series, std::string const& more = "") {
  CaseFolder const folder;
  return folder.load(case_on(dem, inflow(series, more), "100")).scenario.boundaries.at(0).series;
}

io::Problem refusal(std::string const& dem, std::string const& series, std::string const& more = "") {
  CaseFolder const folder;
  return only(folder.problems(case_on(dem, inflow(series, more), "100")));
}

}  // namespace

TEST_CASE("S01_a_series_that_ends_early_is_refused_unless_the_case_says_what_holds") {
  auto const problem = refusal("S01/dem.asc", "S01/q.csv");
  CHECK(problem.key == "boundaries.0.series");
  CHECK(problem.file == "q.csv");
  CHECK(problem.line == 3);
  CHECK(contains(problem.message, "after_end"));
  CHECK(series_of("S01/dem.asc", "S01/q.csv", ", after_end: hold").integral(0, 100) == 200);
  CHECK(series_of("S01/dem.asc", "S01/q.csv", ", after_end: zero").integral(0, 100) == 120);

  CaseFolder const folder;
  auto const rain = [](std::string const& more) {
    return case_on("S01/dem.asc",
                   "sources: [{name: storm, type: rain, series_mm_per_h: " +
                       small_input("S01/rain.csv").string() + more + "}]\n",
                   "100");
  };
  CHECK(only(folder.problems(rain(""))).key == "sources.0.series_mm_per_h");
  auto const held = folder.load(rain(", after_end: hold"));
  CHECK(held.scenario.sources.at(0).series.integral(0, 100) * 5000 == Approx(5));
}

TEST_CASE("S04_a_last_record_on_the_end_time_covers_the_run") {
  CHECK(series_of("S04/dem.asc", "S04/q.csv").integral(0, 100) == 200);
}

TEST_CASE("S05_times_out_of_order_are_refused_with_their_line") {
  auto const problem = refusal("S05/dem.asc", "S05/q.csv");
  CHECK(problem.line == 4);
  CHECK(contains(problem.message, "30"));
}

TEST_CASE("S06_a_doubled_time_is_a_jump") {
  auto const series = series_of("S06/dem.asc", "S06/q.csv");
  CHECK(series.integral(0, 100) == 100);
  CHECK(series.jumps() == std::vector<double>{50});
}

TEST_CASE("S08_line_ends_blanks_and_empty_lines_do_not_matter") {
  CHECK(series_of("S08/dem.asc", "S08/q.csv").integral(0, 100) == 200);
  CHECK(series_of("S08/dem.asc", "S08/q_nonl.csv").integral(0, 100) == 200);
}

TEST_CASE("S10_with_header_without_and_with_comments") {
  for (char const* const name : {"S10/head.csv", "S10/nohead.csv", "S10/comment.csv"})
    CHECK(series_of("S10/dem.asc", name).integral(0, 100) == 100);
}

TEST_CASE("S11_rain_is_a_step_function") {
  CaseFolder const folder;
  auto const loaded = folder.load(case_on(
      "S11/dem.asc",
      "sources: [{name: storm, type: rain, series_mm_per_h: " + small_input("S11/rain.csv").string() + "}]\n",
      "200"));
  CHECK(loaded.scenario.sources.at(0).series.integral(0, 200) * 1200 == Approx(1.2).epsilon(1e-12));
}

TEST_CASE("S12_missing_values_are_refused_with_their_line") {
  for (char const* const name : {"S12/nan.csv", "S12/gap.csv", "S12/dash.csv"}) {
    auto const problem = refusal("S12/dem.asc", name);
    CHECK(problem.line == 3);
    CHECK(problem.file == std::filesystem::path(name).filename());
  }
}

TEST_CASE("S14_one_value_column_for_each_point") {
  auto const text = [](std::string const& series) {
    return case_on("S14/dem.asc",
                   "sources:\n  - {name: springs, type: inflow, at: "
                   "[[500005,4000005],[500055,4000025],[500095,4000045]], "
                   "series: " +
                       small_input(series).string() + "}\n",
                   "10");
  };
  CaseFolder const folder;
  for (auto const& [series, count] :
       {std::pair("S14/q2.csv", "2 value columns"), {"S14/q4.csv", "4 value columns"}}) {
    auto const problem = only(folder.problems(text(series)));
    CHECK(contains(problem.message, "3 points"));
    CHECK(contains(problem.message, count));
  }
  CHECK(only(folder.problems(text("S14/qshort.csv"))).line == 3);

  auto const loaded = folder.load(text("S14/q3.csv"));
  REQUIRE(loaded.scenario.sources.size() == 3);
  double volume = 0;
  for (auto const& source : loaded.scenario.sources) volume += source.series.integral(0, 10);
  CHECK(volume == Approx(60));
  CHECK(loaded.scenario.sources[2].cells == std::vector<std::int64_t>{loaded.scenario.grid.index(9, 4)});
}

TEST_CASE("S15_the_time_column_is_found_by_name") {
  CHECK(series_of("S15/dem.asc", "S15/q.csv").integral(0, 100) == 200);
}
