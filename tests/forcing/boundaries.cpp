/// \file
/// Boundaries in whole runs, against numbers worked out by hand.

#include <numbers>

#include "io/case/load.hpp"
#include "solver/boundary/tide.hpp"
#include "tests/forcing/support.hpp"
#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {
constexpr double g = 9.81;
}

TEST_CASE("a_total_discharge_is_shared_by_conveyance") {
  for (int order : {1, 2}) {
    auto s = basin(4, 6, 10);
    s.scheme.order = order;
    s.bed = sample(s.grid, [](double, double y) { return y < 30 ? 0.0 : -1.0; });
    fill_to(s, 1);
    s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
    s.boundaries = {on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(3))};
    s.scheme.max_dt = 1e-3;
    auto const sim = make_simulation(s);
    step(*sim, 1);
    // Of two depths 1 : 2 the conveyances per metre are 1 : 2^(5/3); nothing else has moved yet.
    double const shallow = 3 / (30 * (1 + std::pow(2, 5.0 / 3))), dt = sim->progress().time;
    auto const h = sim->state().h;
    for (int j = 0; j < 6; ++j) {
      double const q = j < 3 ? shallow : shallow * std::pow(2, 5.0 / 3);
      double const before = j < 3 ? 1 : 2;
      CHECK((h[std::size_t(s.grid.index(0, j))] - before) * 10 / dt ==
            Approx(q).epsilon(order == 1 ? 1e-6 : 1e-2));
    }
    CHECK(sim->balance().boundary_in == Approx(3 * dt).epsilon(1e-12));
  }
}

TEST_CASE("a_rating_curve_lets_out_what_its_table_says_of_the_level") {
  for (int order : {1, 2}) {
    auto s = basin(20, 4, 10);
    s.scheme.order = order;
    fill_depth(s, 2);
    s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
    auto gauge = on_side(s, Side::east, Boundary::Type::rating_curve);
    gauge.curve_level = {1, 3};
    gauge.curve_discharge = {0, 10};
    s.boundaries = {on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(5)), gauge};
    s.scheme.max_dt = 0.01;
    auto const sim = make_simulation(s);
    step(*sim, 1);
    CHECK(sim->balance().boundary_out == Approx(5 * 0.01).epsilon(1e-3));  // half-way up the table
    s.scheme.max_dt = std::numeric_limits<double>::infinity();
    s.boundaries[0].series = TimeSeries::constant(8);
    auto const steady = make_simulation(s);
    steady->advance_to(20000);
    CHECK(steady->state().h[std::size_t(s.grid.index(19, 1))] == Approx(2.6).epsilon(1e-3));  // 1 + 2 * 8/10
    CHECK(std::abs(steady->balance().relative_error()) < 1e-12);
  }
}

TEST_CASE("a_tide_is_the_sum_of_its_constituents_and_a_small_bay_follows_it") {
  auto s = basin(10, 1, 20);
  s.bed.assign(s.bed.size(), -10.0);
  auto sea = on_side(s, Side::west, Boundary::Type::tide);
  sea.still_level = 0.4;
  sea.constituents = {{1.2, 4000, std::numbers::pi / 2}, {0.3, 2000, 0}};
  CHECK(tide_level(sea, 0) == Approx(0.4 + 0.3));
  CHECK(tide_level(sea, 1000) == Approx(0.4 + 1.2 - 0.3));  // a quarter and half of the periods later
  CHECK(tide_level(sea, 3000) == Approx(0.4 - 1.2 - 0.3));
  fill_to(s, 0.7);
  s.friction = {FrictionLaw::Type::linear, {0.01, {}}};
  s.boundaries = {sea};
  auto const sim = make_simulation(s);
  for (double t : {5000.0, 7000.0, 8000.0}) {
    sim->advance_to(t);
    CHECK(sim->state().h[9] - 10 == Approx(tide_level(sea, t)).margin(0.02));
  }
  CHECK(std::abs(sim->balance().relative_error()) < 1e-12);
}

TEST_CASE("normal_depth_holds_a_river_at_the_depth_of_manning") {
  for (int order : {1, 2}) {
    auto s = basin(60, 1, 10);
    s.scheme.order = order;
    s.bed = sample(s.grid, [](double x, double) { return -0.001 * x; });
    fill_depth(s, 0.5);
    s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
    auto down = on_side(s, Side::east, Boundary::Type::normal_depth);
    down.slope = 0.001;
    s.boundaries = {on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(10)), down};
    auto const sim = make_simulation(s);
    sim->advance_to(7200);
    // (n q / sqrt(S))^(3/5)
    for (int i = 5; i < 60; ++i) CHECK(sim->state().h[std::size_t(i)] == Approx(0.968886).epsilon(3e-3));
  }
}

TEST_CASE("a_boundary_may_lie_along_a_line_and_along_a_hole_inside_the_domain") {
  CaseFolder const folder;
  std::string dem = "ncols 9\nnrows 9\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n";
  for (int j = 8; j >= 0; --j)
    for (int i = 0; i < 9; ++i) dem += i >= 3 && i < 6 && j >= 3 && j < 6 ? "-9999 " : "0 ";
  folder.write("dem.asc", dem);
  auto const loaded = folder.load(
      "domain: {bed: dem.asc}\ntime: {end_s: 50}\nboundaries:\n"
      "  - {name: well, along: [[30, 30], [30, 60]], type: discharge, discharge_m3_per_s: 2}\n"
      "  - {name: brook, along: [[0, 20], [0, 50]], type: discharge, discharge_m3_per_s: 1}\n");
  REQUIRE(loaded.scenario.boundaries.size() == 2);
  CHECK(loaded.scenario.boundaries[0].faces.size() == 3);  // east faces of the cells west of the hole
  for (auto const& face : loaded.scenario.boundaries[0].faces) CHECK(face.side == Side::east);
  CHECK(loaded.scenario.boundaries[1].faces.size() == 3);
  auto const sim = make_simulation(loaded.scenario);
  CHECK(worst_balance(*sim, 50) < 1e-12);
  auto const b = sim->balance();
  CHECK(b.terms.at(0).in == Approx(100).epsilon(1e-12));
  CHECK(b.terms.at(1).in == Approx(50).epsilon(1e-12));
  CHECK(b.final_ == Approx(150).epsilon(1e-12));
}

TEST_CASE("steady_flow_on_level_ground_ends_critical_at_a_fall") {
  // Steady flow of 2 m²/s on level ground without friction ends at critical depth (q²/g)^(1/3).
  auto s = basin(40, 1, 5);
  fill_depth(s, 1.2);
  s.scheme.order = 2;
  s.boundaries = {on_side(s, Side::west, Boundary::Type::discharge_per_width, TimeSeries::constant(2)),
                  on_side(s, Side::east, Boundary::Type::critical)};
  auto const sim = make_simulation(s);
  sim->advance_to(2000);
  auto const state = sim->state();
  CHECK(state.h[20] == Approx(std::cbrt(4 / g)).epsilon(0.02));
  CHECK(state.hu[20] == Approx(2).epsilon(1e-3));
}
