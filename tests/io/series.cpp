#include "io/series/csv.hpp"

#include "io/text.hpp"
#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::io;
using namespace swe::test;

namespace {

std::vector<TimeSeries> read(std::string const& text,
                             SeriesRequest const& request = {.unit = "m3_per_s", .end = 10}) {
  CaseFolder const folder;
  return read_series(folder.write("q.csv", text), request);
}

std::string refusal(std::string const& text, SeriesRequest const& request = {.unit = "m3_per_s", .end = 10}) {
  try {
    (void)read(text, request);
  } catch (InputError const& error) {
    auto const& problem = error.problems().front();
    return std::to_string(problem.line) + ": " + problem.message;
  }
  return "";
}

}  // namespace

TEST_CASE("a_unit_in_the_header_must_agree_with_the_key") {
  CHECK(read("time_s,discharge_m3_per_s\n0,1\n10,1\n").size() == 1);
  CHECK(read("time [s];Q [m3/s]\n0;1\n10;1\n").size() == 1);
  CHECK(contains(refusal("time_s,level_m\n0,1\n10,1\n"),
                 "1: column 'level_m' is in m, but the case file reads it as m3_per_s"));
  CHECK(contains(refusal("time_s,Q (l/s)\n0,1\n10,1\n"), "l_per_s"));
  CHECK(contains(refusal("time_s,Q [kcfs]\n0,1\n10,1\n"), "1: column 'Q [kcfs]' is in kcfs"));
  CHECK(contains(refusal("time_h,Q\n0,1\n10,1\n"), "seconds"));
  CHECK(contains(refusal("time_s,mm_per_h\n0,1\n10,1\n"), "mm_per_h"));
}

TEST_CASE("units_are_split_off_names") {
  CHECK(split_unit("level_m").name == "level");
  CHECK(split_unit("level_m").unit == "m");
  CHECK(split_unit("Q [m³/s]").unit == "m3_per_s");
  CHECK(split_unit("rain_upper_mm_per_h").name == "rain_upper");
  CHECK(split_unit("mm_per_h").unit == "mm_per_h");
  CHECK(split_unit("value").unit.empty());
  CHECK(split_unit("m").unit.empty());
  for (char const* const header : {"q_m3_per_s", "q_m3_s", "q_m3/s", "Q [m3/s]", "Q [m^3/s]", "Q (m³/s)",
                                   "Q [m3 s-1]", "Q [m³ s⁻¹]", "Q [m3s-1]", "Q (m^3 s^-1)", "Q [m**3/s]",
                                   "Q [m3 per s]", "Q (m3/sec)", "Q [cumecs]", "Q_cms", "Q m3/s"}) {
    INFO(header);
    CHECK(split_unit(header).unit == "m3_per_s");
    CHECK(lower_case(split_unit(header).name) == "q");
  }
  for (char const* const header : {"rain_mm_h", "rain_mm_per_h", "rain_mm_hr", "rain [mm/h]", "rain (mm/hr)",
                                   "rain [mm/hour]", "rain [mm h-1]", "rain [mmh-1]", "Rain_MM_per_hour"}) {
    INFO(header);
    CHECK(split_unit(header).unit == "mm_per_h");
  }
  for (auto const& [header, unit] :
       {std::pair("rain_mm_d", "mm_per_day"), std::pair("rain [mm/day]", "mm_per_day"),
        std::pair("rain [mm/5min]", "mm_per_5min"), std::pair("rain_in_h", "in_per_h"),
        std::pair("q [l/s]", "l_per_s"), std::pair("q_cfs", "ft3_per_s"), std::pair("q_m2_s", "m2_per_s"),
        std::pair("east_m_s", "m_per_s"), std::pair("t [min]", "min"), std::pair("t_hours", "h"),
        std::pair("stage_ft", "ft"), std::pair("Q [kcfs]", "kcfs"), std::pair("x [-]", "")}) {
    INFO(header);
    CHECK(split_unit(header).unit == unit);
  }
  for (char const* const name : {"value", "flow_in", "q_l", "gauge_3", "s", "in", "h", "inflow"}) {
    INFO(name);
    CHECK(split_unit(name).unit.empty());
  }
}

TEST_CASE("columns_by_name") {
  std::string const text = "# two gauges\na,time_s,b\n1,0,3\n2,10,4\n";
  CHECK(read(text).size() == 2);
  auto const b = read(text, {.unit = "m3_per_s", .column = "b", .end = 10});
  REQUIRE(b.size() == 1);
  CHECK(b[0](10) == 4);
  CHECK(contains(refusal(text, {.column = "c", .end = 10}), "no column is called 'c'"));
  CHECK(contains(refusal("hours,a\n0,1\n10,1\n"), "no column is called time_s"));
}

TEST_CASE("malformed_rows_are_refused_with_their_line") {
  CHECK(contains(refusal("time_s;Q\n0;1\n5;2,5\n10;1\n"), "3: write decimal points"));
  CHECK(contains(refusal("time_s,Q\n0,1\n5,2,5\n10,1\n"), "3: has 3 entries, 2 are expected"));
  CHECK(contains(refusal("time_s,Q\n0,1\n5,inf\n10,1\n"), "3: every value must be a finite number"));
  CHECK(contains(refusal("time_s,Q\n0,1\n5,3 m\n10,1\n"), "3: '3 m' is not a number (the unit"));
  CHECK(contains(refusal("time_s,Q\n0,1\n5,1\n5,2\n5,3\n10,1\n"), "5: time 5 occurs more than twice"));
  CHECK(contains(refusal("time_s,Q\n"), "no rows"));
  CHECK(contains(refusal("time_s\n0\n10\n"), "needs a time column and a value column"));
}

TEST_CASE("a_series_must_cover_the_run") {
  CHECK(
      contains(refusal("time_s,Q\n1,1\n10,1\n"), "2: the series begins at 1 s, after the run begins at 0 s"));
  CHECK(contains(refusal("time_s,Q\n0,1\n9,1\n"), "3: the series ends at 9 s, before the run ends at 10 s"));
  CHECK(read("time_s,Q\n-5,1\n20,1\n").size() == 1);
}
