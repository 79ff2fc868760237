#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::test;

TEST_CASE("check_says_where_everything_landed") {
  CaseFolder const folder;
  auto const loaded = folder.load(
      "title: a test\n"
      "domain: {grid: {nx: 10, ny: 5, dx_m: 10}, bed: {constant_m: 0}}\n"
      "friction: {law: manning, manning: 0.03}\n"
      "initial: {depth_m: 1}\n"
      "boundaries: [{name: sea, on: west, type: level, level_m: 1}, {name: gap, along: [[100, 0], [100, "
      "20]], type: open}]\n"
      "sources: [{name: spring, type: inflow, at: [42, 17], discharge_m3_per_s: 2.5}]\n"
      "time: {end_s: 100}\n"
      "output: {snapshots: {every_s: 50}, maxima: [depth]}\n"
      "gauges: [{name: G, at: [42, 17]}]\n"
      "sections: [{name: S, along: [[50, 50], [50, 0]]}]\n"
      "checkpoint: {every_wall: 30min}\n");
  auto const text = io::describe(loaded);
  INFO(text);
  for (char const* const part :
       {"10 x 5 cells of 10 x 10 m from (0, 0)", "50 of 50 cells active", "50 wet cells, volume 5000 m3",
        "'sea', level: 5 faces, 50 m wide (5 west), lowest bed 0 m, 1 m",
        "'gap', open: 2 faces, 20 m wide (2 east)",
        "'spring', inflow into 1 cell at cell (4, 1) with centre (45, 15), 2.5 m3/s",
        "'G' at (42, 17): cell (4, 1) with centre (45, 15), 3.606 m away",
        "'S': 5 faces, 50 m along the cells", "0 to 100 s, about 140 steps", "3 snapshots of h, hu, hv",
        "every 30m of wall time"})
    CHECK(contains(text, part));
}

TEST_CASE("check_of_a_dry_case_says_that_steps_are_unknown") {
  CaseFolder const folder;
  auto const loaded =
      folder.load("domain: {grid: {nx: 2, ny: 2, dx_m: 10}, bed: {constant_m: 0}}\ntime: {end_s: 100}\n");
  CHECK(contains(io::describe(loaded), "steps unknown"));
}
