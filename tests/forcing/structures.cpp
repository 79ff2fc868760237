/// \file
/// Culverts, pumps, weirs, gates, levees and buildings, against their formulas and for what they must never
/// do.

#include "solver/structure/buildings.hpp"
#include "solver/structure/culvert.hpp"
#include "solver/structure/gate.hpp"
#include "solver/structure/weir.hpp"
#include "tests/forcing/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

constexpr double g = 9.81;

/// Two basins of one cell each with a wall between them.
Scenario two_ponds(double dx, double bed_a, double level_a, double bed_b, double level_b) {
  auto s = basin(3, 1, dx);
  s.bed = {bed_a, no_cell, bed_b};
  s.initial.depth = {0, {level_a - bed_a, 0, level_b - bed_b}};
  return s;
}

Structure culvert() {
  Structure c;
  c.name = "culvert";
  c.type = Structure::Type::culvert;
  c.inlet = 0;
  c.outlet = 2;
  c.width = 1.5;
  c.height = 1;
  c.length = 20;
  c.manning = 0.013;
  c.entrance_loss = 0.5;
  c.inlet_level = 0.5;
  c.outlet_level = 0.3;
  return c;
}

}  // namespace

TEST_CASE("culvert_discharge_is_that_of_the_control_that_rules") {
  auto const c = culvert_args(culvert(), g);
  CHECK(c.loss == Approx(1.8302078).epsilon(1e-7));  // 1 + 0.5 + 2 g n² L / 0.3^(4/3)
  CHECK(culvert_discharge(c, 2.0, -2.0, g) ==
        Approx(3.986502).epsilon(1e-6));  // 0.6 * 1.5 sqrt(2g (1.5 - 0.5)): inlet
  CHECK(culvert_discharge(c, 2.0, 1.8, g) ==
        Approx(2.1963703).epsilon(1e-7));  // 1.5 sqrt(2g 0.2 / 1.8302078): outlet
  CHECK(culvert_discharge(c, 1.1, -2.0, g) ==
        Approx(1.1885453).epsilon(1e-7));  // 1.5 sqrt(g) 0.4^1.5: not submerged
  CHECK(culvert_discharge(c, 0.5, -2.0, g) == 0);
  CHECK(culvert_discharge(c, 1.8, 2.0, g) < 0);
  auto flap = c;
  flap.one_way = true;
  CHECK(culvert_discharge(flap, 1.8, 2.0, g) == 0);
  auto pipe = culvert();
  pipe.round = true;
  pipe.width = 1.2;
  pipe.barrels = 2;
  pipe.entrance_loss = 0;
  pipe.manning = 0;
  // two full pipes of 1.131 m², fall 0.1 m under water
  CHECK(culvert_discharge(culvert_args(pipe, g), 5.1, 5.0, g) ==
        Approx(2 * 1.130973 * std::sqrt(2 * g * 0.1)).epsilon(1e-6));
}

TEST_CASE("a_culvert_in_a_run_carries_its_formula_and_counts_water_once") {
  auto s = two_ponds(100, 0, 2, -3, -2);
  s.structures.push_back(culvert());
  s.scheme.max_dt = 0.1;
  auto const sim = make_simulation(s);
  CHECK(worst_balance(*sim, 1) < 1e-14);
  auto const b = sim->balance();
  CHECK(b.structures == Approx(3.9865).epsilon(1e-3));
  CHECK(b.through.at(0).in == b.structures);
  auto const h = sim->state().h;
  CHECK((2 - h[0]) * 1e4 == Approx(b.structures).epsilon(1e-9));
  CHECK((h[2] - 1) * 1e4 == Approx(b.structures).epsilon(1e-9));
}

TEST_CASE("a_culvert_evens_out_levels_without_swinging_whatever_the_step") {
  for (auto precision : {Precision::double_precision, Precision::single_precision}) {
    auto s = two_ponds(1, 0, 3, 0, 1);
    auto c = culvert();
    c.barrels = 50;
    c.inlet_level = c.outlet_level = 0;
    s.structures.push_back(c);
    s.scheme.gravity = 9.81;
    auto const sim = make_simulation(s, {}, precision);
    double above = 3;
    sim->advance_to(20, [&](Progress const&) {
      auto const h = sim->state().h;
      CHECK(h[0] >= h[2] - 1e-6);
      CHECK(h[0] <= above + 1e-6);
      above = h[0];
      return true;
    });
    CHECK(sim->state().h[0] == Approx(2).epsilon(1e-3));
    CHECK(std::abs(sim->balance().relative_error()) <
          (precision == Precision::double_precision ? 1e-14 : 1e-6));
  }
}

TEST_CASE("a_culvert_leaves_what_lies_below_its_floor") {
  auto s = two_ponds(10, 0, 0.6, -3, -3);
  auto c = culvert();
  c.barrels = 10;
  s.structures.push_back(c);
  auto const sim = make_simulation(s);
  sim->advance_to(2000);
  CHECK(sim->state().h[0] == Approx(0.5).margin(1e-3));
  CHECK(sim->state().h[0] >= 0.5 - 1e-12);
}

TEST_CASE("a_pump_runs_between_its_levels_and_never_dry") {
  auto s = two_ponds(10, 0, 1, 5, 5);
  Structure pump;
  pump.name = "pump";
  pump.type = Structure::Type::pump;
  pump.inlet = 0;
  pump.outlet = 2;
  pump.series = TimeSeries::constant(0.5);
  SECTION("without levels it runs until nothing is left") {
    s.structures.push_back(pump);
    auto const sim = make_simulation(s);
    CHECK(worst_balance(*sim, 100) < 1e-13);
    CHECK(sim->balance().structures == Approx(50).epsilon(1e-9));
    sim->advance_to(300);
    CHECK(sim->state().h[0] == 0);
    CHECK(sim->state().h[2] == Approx(1).epsilon(1e-12));
  }
  SECTION("off below 0.4 m, on again above 0.8 m") {
    pump.on_level = 0.8;
    pump.off_level = 0.4;
    s.structures.push_back(pump);
    s.scheme.max_dt = 1;
    s.sources.push_back(source(Source::Type::inflow, TimeSeries::constant(0.1), {0}));
    auto const sim = make_simulation(s);
    // falls from 1 to 0.4 at 0.4 m3/s: 150 s; rises to 0.8 at 0.1 m3/s: 400 s
    sim->advance_to(160);
    double const at_off = sim->state().h[0];
    CHECK(at_off == Approx(0.41).margin(0.006));
    sim->advance_to(540);
    CHECK(sim->state().h[0] == Approx(at_off + 0.38).margin(0.001));
    sim->advance_to(600);
    CHECK(sim->state().h[0] < 0.75);
  }
}

TEST_CASE("a_pump_may_have_one_end_outside_the_domain") {
  for (auto precision : {Precision::double_precision, Precision::single_precision}) {
    double const tolerance = precision == Precision::double_precision ? 1e-12 : 1e-6;
    auto s = two_ponds(10, 0, 1, 5, 5);
    Structure pump;
    pump.name = "drain";
    pump.type = Structure::Type::pump;
    pump.inlet = 0;
    pump.outlet = Structure::outside;
    pump.series = TimeSeries::constant(0.5);
    pump.on_level = 0.8;
    pump.off_level = 0.4;
    s.structures.push_back(pump);
    pump.name = "feed";
    pump.inlet = Structure::outside;
    pump.outlet = 2;
    pump.on_level = pump.off_level = -std::numeric_limits<double>::infinity();
    pump.series = lines({0, 100}, {0, 2});
    s.structures.push_back(pump);
    s.scheme.max_dt = 1;
    auto const sim = make_simulation(s, {}, precision);
    CHECK(worst_balance(*sim, 100) < tolerance);
    sim->advance_to(200);
    auto const b = sim->balance();
    // out: from 1 to 0.4 m on 100 m² in steps of up to 0.5 m³; in: 100 s of 1 m³/s on average, then 2 m³/s
    CHECK(b.abstraction == Approx(60).margin(0.5));
    CHECK(b.inflow == Approx(300).epsilon(precision == Precision::double_precision ? 1e-12 : 1e-5));
    CHECK(sim->state().h[2] == Approx(3).epsilon(1e-5));
    CHECK(b.structures == 0);
    REQUIRE(b.terms.size() == 2);
    CHECK(b.terms[0].out == b.abstraction);
    CHECK(b.terms[1].in == b.inflow);
    CHECK(std::abs(b.relative_error()) < tolerance);
  }
  auto s = two_ponds(10, 0, 1, 5, 5);
  s.structures.push_back(culvert());
  s.structures.back().outlet = Structure::outside;
  CHECK_THROWS_AS(make_simulation(s), std::invalid_argument);
}

TEST_CASE("the_velocity_head_drives_a_culvert_and_a_weir_where_asked") {
  // A stream of 2 m/s past the inlet: its head of 0.2039 m counts.
  auto s = basin(6, 1, 50);
  s.bed[3] = no_cell;
  s.initial.depth.raster = {1.5, 1.5, 1.5, 0, 0.1, 0.1};
  s.initial.velocity_x.constant = 2;
  auto c = culvert();
  c.inlet = 1;
  c.outlet = 4;
  c.inlet_level = c.outlet_level = 0;
  auto const moved = [&](bool energy) {
    auto one = s;
    c.energy_head = energy;
    one.structures = {c};
    one.scheme.max_dt = 0.01;
    auto const sim = make_simulation(one);
    sim->advance_to(0.01);
    return sim->balance().structures / 0.01;
  };
  CHECK(moved(false) == Approx(0.6 * 1.5 * std::sqrt(2 * g * (1.5 - 0.5))).epsilon(5e-3));
  CHECK(moved(true) == Approx(0.6 * 1.5 * std::sqrt(2 * g * (1.5 + 2 * 2 / (2 * g) - 0.5))).epsilon(5e-3));

  // Steady flow over a low weir: H = 1.5 (q²/g)^(1/3) is the energy over the crest.
  for (bool energy : {false, true}) {
    auto r = basin(60, 1, 10);
    fill_depth(r, 1.2);
    r.friction = {FrictionLaw::Type::linear, {1e-3, {}}};
    auto weir = line_structure(r, Structure::Type::weir, 30, 0.7);
    weir.energy_head = energy;
    r.structures = {weir};
    r.boundaries = {on_side(r, Side::west, Boundary::Type::discharge, TimeSeries::constant(10)),
                    on_side(r, Side::east, Boundary::Type::critical)};
    auto const sim = make_simulation(r);
    sim->advance_to(6000);
    auto const state = sim->state();
    double const u = state.hu[29] / state.h[29];
    CHECK(state.h[29] - 0.7 + (energy ? u * u / (2 * g) : 0.0) ==
          Approx(1.5 * std::cbrt(1 / g)).epsilon(3e-3));
    CHECK(u * u / (2 * g) > 0.02);
  }
}

TEST_CASE("a_bank_with_a_culvert_and_a_weir_carries_what_both_formulas_say") {
  // Two large ponds, a bank between them with its crest at 2 m over 30 m, and a culvert through it.
  auto s = basin(21, 20, 100);
  s.bed = sample(s.grid, [](double x, double) { return x > 1000 && x < 1100 ? no_cell : 0.0; });
  auto open_cell = s.grid.index(10, 10);
  s.bed[std::size_t(open_cell)] = 0;
  s.initial.depth.raster = sample(s.grid, [](double x, double) { return x < 1000 ? 2.5 : 0.8; });
  s.initial.depth.raster[std::size_t(open_cell)] = 0.8;
  Structure weir;
  weir.name = "crest";
  weir.type = Structure::Type::weir;
  weir.series = TimeSeries::constant(2);
  weir.coefficient = broad_crest;
  weir.faces = {{10, 10, Side::west}};
  auto pipe = culvert();
  pipe.inlet = s.grid.index(5, 5);
  pipe.outlet = s.grid.index(15, 5);
  pipe.barrels = 4;
  pipe.inlet_level = 0.5;
  pipe.outlet_level = 0.3;
  s.structures = {weir, pipe};
  s.scheme.max_dt = 0.5;
  auto const sim = make_simulation(s);
  CHECK(worst_balance(*sim, 30) < 1e-13);
  sim->advance_to(300);
  auto const b = sim->balance();
  REQUIRE(b.through.size() == 2);
  // 100 m of crest under 0.5 m: 100 * 0.6028 m²/s; the cells beside it feel the draught, so a little less
  CHECK(b.through[0].in / 300 > 0.75 * 100 * weir_discharge(0.5, -1, broad_crest, g));
  CHECK(b.through[0].in / 300 < 100 * weir_discharge(0.5, -1, broad_crest, g));
  // 4 barrels, inlet control with 2 m of head that the inlet's cell loses a little of: 4 * 0.6 * 1.5
  // sqrt(2g 1.5)
  CHECK(b.through[1].in / 300 == Approx(4 * 0.9 * std::sqrt(2 * g * 1.5)).epsilon(0.03));
  CHECK(std::abs(b.relative_error()) < 1e-13);
}

TEST_CASE("a_levee_with_a_crest_that_varies_passes_water_where_it_is_low") {
  auto s = basin(10, 4, 10);
  s.initial.depth.raster = sample(s.grid, [](double x, double) { return x < 50 ? 1.0 : 0.0; });
  auto levee = line_structure(s, Structure::Type::levee, 5, 0.5);
  levee.above_crest = {1.0, 0.3, 0.6, 1.0};  // crests 1.5, 0.8, 1.1, 1.5 m
  s.structures = {levee};
  s.scheme.max_dt = 0.01;
  auto const sim = make_simulation(s);
  sim->advance_to(0.02);
  // through the one low face only, 0.2 m under water, the level there falling by q / c
  double q = 0.1;
  for (int k = 0; k < 100; ++k)
    q = 0.5 * q + 0.5 * std::sqrt(g) * std::pow(2.0 / 3 * (0.2 - q / std::sqrt(g)), 1.5);
  CHECK(sim->balance().structures == Approx(q * 10 * 0.02).epsilon(2e-3));
  auto const h = sim->state().h;
  CHECK(h[std::size_t(s.grid.index(5, 1))] > 0);
  CHECK(h[std::size_t(s.grid.index(5, 2))] < 1e-3 * h[std::size_t(s.grid.index(5, 1))]);
  CHECK(worst_balance(*sim, 100) < 1e-13);
  levee.above_crest = {1.0};
  s.structures = {levee};
  CHECK_THROWS_AS(make_simulation(s), std::invalid_argument);
}

TEST_CASE("where_the_ground_is_above_a_crest_the_ground_is_the_crest") {
  auto const passed = [](double bed, double crest) {
    auto s = basin(40, 1, 50);
    s.bed = sample(s.grid, [&](double x, double) { return x > 1000 && x < 1050 ? bed : 0.0; });
    s.initial.depth.raster = sample(s.grid, [](double x, double) { return x < 1000 ? 1.5 : 0.0; });
    s.structures = {line_structure(s, Structure::Type::levee, 20, crest)};
    auto const sim = make_simulation(s);
    sim->advance_to(20);
    return sim->balance().structures;
  };
  CHECK(passed(1.2, 0.3) == passed(1.2, 1.2));
  CHECK(passed(1.2, 0.3) > 0);
  CHECK(passed(1.2, 1.4) < passed(1.2, 1.2));
}

TEST_CASE("weir_and_gate_formulas") {
  CHECK(weir_discharge(0.5, -1, broad_crest, g) == Approx(0.602771).epsilon(1e-6));  // sqrt(g) (1/3)^1.5
  CHECK(weir_discharge(0.5, 0.25, broad_crest, g) ==
        Approx(0.602771 * std::pow(1 - std::pow(0.5, 1.5), 0.385)).epsilon(1e-6));
  CHECK(weir_discharge(0.5, 0.5, broad_crest, g) == 0);
  CHECK(weir_discharge(0, -1, broad_crest, g) == 0);
  CHECK(gate_discharge(2, 0, 0.2, 0.61, g) == Approx(0.740555).epsilon(1e-6));  // 0.122 sqrt(2g (2 - 0.122))
  CHECK(gate_discharge(2, 1.5, 0.2, 0.61, g) == Approx(0.122 * std::sqrt(2 * g * 0.5)).epsilon(1e-9));
  CHECK(gate_discharge(2, 2, 0.2, 0.61, g) == 0);
  CHECK(gate_discharge(2, 0, 0, 0.61, g) == 0);
  CHECK(gate_discharge(0.1, 0, 0.2, 0.61, g) == weir_discharge(0.1, 0, broad_crest, g));
}

TEST_CASE("a_weir_lets_still_water_start_as_its_invariants_allow_and_counts_it_once") {
  for (int order : {1, 2}) {
    auto s = basin(40, 3, 50);
    s.scheme.order = order;
    s.scheme.max_dt = 0.01;
    s.initial.depth.raster = sample(s.grid, [](double x, double) { return x < 1000 ? 1.5 : 0.5; });
    s.structures.push_back(line_structure(s, Structure::Type::weir, 20, 1.0));
    auto const sim = make_simulation(s);
    CHECK(worst_balance(*sim, 0.02) < 1e-14);
    // q = sqrt(g) (2/3 (0.5 - q / c))^1.5 with c = sqrt(1.5 g): the level at the crest falls as the flow sets
    // in
    double q = 0.4;
    for (int k = 0; k < 100; ++k)
      q = 0.5 * q + 0.5 * std::sqrt(g) * std::pow(2.0 / 3 * (0.5 - q / std::sqrt(1.5 * g)), 1.5);
    CHECK(sim->balance().structures == Approx(q * 150 * 0.02).epsilon(1e-3));
    sim->advance_to(20);
    CHECK(std::abs(sim->balance().relative_error()) < 1e-13);
  }
}

TEST_CASE("flow_over_a_weir_settles_at_the_head_of_its_formula") {
  for (int order : {1, 2}) {
    auto s = basin(60, 1, 10);
    s.scheme.order = order;
    s.bed = sample(s.grid, [](double, double) { return 0.0; });
    fill_depth(s, 1);
    s.friction = {FrictionLaw::Type::linear, {1e-3, {}}};
    s.structures.push_back(line_structure(s, Structure::Type::weir, 30, 3.0));
    s.boundaries = {on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(10)),
                    on_side(s, Side::east, Boundary::Type::level, TimeSeries::constant(1))};
    auto const sim = make_simulation(s);
    sim->advance_to(6000);
    // 1 m²/s over a broad crest: H = 1.5 (q²/g)^(1/3)
    auto const state = sim->state();
    CHECK(state.h[29] - 3 == Approx(1.5 * std::cbrt(1 / g)).epsilon(2e-3));
    CHECK(state.hu[29] == Approx(1).epsilon(2e-3));
    CHECK(std::abs(sim->balance().relative_error()) < 1e-12);
  }
}

TEST_CASE("flow_under_a_gate_settles_at_the_fall_of_its_formula") {
  auto s = basin(60, 1, 10);
  fill_depth(s, 1);
  s.friction = {FrictionLaw::Type::linear, {1e-3, {}}};
  s.structures.push_back(line_structure(s, Structure::Type::gate, 30, 0.2));
  s.boundaries = {on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(10)),
                  on_side(s, Side::east, Boundary::Type::level, TimeSeries::constant(1))};
  auto const sim = make_simulation(s);
  sim->advance_to(24000);
  // 1 m²/s = 0.61 * 0.2 sqrt(2g fall), drowned by the water downstream
  auto const state = sim->state();
  CHECK(state.h[29] - state.h[30] == Approx(3.424384).epsilon(5e-3));
  CHECK(state.hu[29] == Approx(1).epsilon(2e-3));
  CHECK(std::abs(sim->balance().relative_error()) < 1e-12);
}

TEST_CASE("water_at_rest_on_both_sides_of_lines_stays_at_rest") {
  for (auto type : {Structure::Type::weir, Structure::Type::levee, Structure::Type::gate})
    for (int order : {1, 2}) {
      auto s = basin(20, 5, 1);
      s.scheme.order = order;
      bool const gate = type == Structure::Type::gate;
      s.bed = sample(s.grid, [](double x, double y) { return 0.1 * std::sin(x) * std::cos(y); });
      for (std::size_t c = 0; c < s.bed.size(); ++c) {
        double const level = gate ? 1.3 : int(c) % 20 < 10 ? 2.2 : int(c) % 20 == 10 ? 1.1 : 1.7;
        s.initial.depth.raster[c] = level - s.bed[c];
      }
      auto line = line_structure(s, type, 10, gate ? 0.3 : 2.5);
      auto second = line_structure(s, type, 11, gate ? 0.3 : 2.5);  // a pond one cell wide between both
      second.name = "second";
      s.structures = {line, second};
      auto const sim = make_simulation(s);
      step(*sim, 500);
      CHECK(largest_speed(sim->state()) < 1e-13);
      CHECK(sim->balance().structures < 1e-11);
    }
}

TEST_CASE("a_levee_holds_until_the_water_stands_above_it") {
  auto s = basin(10, 4, 10);
  s.initial.depth.raster = sample(s.grid, [](double x, double) { return x < 50 ? 1.0 : 0.0; });
  auto levee = line_structure(s, Structure::Type::levee, 5, 1.2);
  SECTION("a dry side stays dry to the bit") {
    s.structures.push_back(levee);
    auto const sim = make_simulation(s);
    sim->advance_to(100);
    auto const h = sim->state().h;
    for (std::size_t c = 0; c < h.size(); ++c) CHECK((int(c) % 10 < 5 ? h[c] == 1.0 : h[c] == 0.0));
  }
  SECTION("its crest breaks down in time") {
    levee.series = lines({0, 50, 60}, {1.2, 1.2, 0.5});
    s.structures.push_back(levee);
    auto const sim = make_simulation(s);
    sim->advance_to(50);
    CHECK(sim->balance().structures == 0);
    CHECK(worst_balance(*sim, 1000) < 1e-12);
    double right = 0;
    for (int j = 0; j < 4; ++j)
      for (int i = 5; i < 10; ++i) right += sim->state().h[std::size_t(s.grid.index(i, j))] * 100;
    CHECK(right > 0.8 * 1000);
  }
}

TEST_CASE("buildings_are_holes_or_raised_ground") {
  auto s = basin(5, 5, 10);
  std::vector<std::int64_t> const house = {12};
  SECTION("a hole takes no rain and no water") {
    cut_buildings(s, house);
    s.sources.push_back(source(Source::Type::rain, TimeSeries::constant(1e-5)));
    auto const sim = make_simulation(s);
    sim->advance_to(100);
    CHECK(std::isnan(sim->state().h[12]));
    CHECK(sim->balance().rain == Approx(24 * 100 * 1e-3).epsilon(1e-12));
  }
  SECTION("rain runs off a raised one") {
    raise_buildings(s, house, 4);
    s.sources.push_back(source(Source::Type::rain, TimeSeries::constant(1e-5), house));
    s.friction = {FrictionLaw::Type::manning, {0.02, {}}};
    auto const sim = make_simulation(s);
    CHECK(worst_balance(*sim, 600) < 1e-12);
    CHECK(sim->state().h[12] < 1e-3);
    CHECK(sim->state().h[0] > 0);
  }
}

TEST_CASE("structures_on_no_face_or_no_cell_are_refused") {
  auto s = basin(4, 4, 10);
  auto line = line_structure(s, Structure::Type::weir, 0, 1);  // on the outline
  s.structures = {line};
  CHECK_THROWS_AS(make_simulation(s), std::invalid_argument);
  line = line_structure(s, Structure::Type::weir, 2, 1);
  s.structures = {line, line};
  CHECK_THROWS_AS(make_simulation(s), std::invalid_argument);
  auto c = culvert();
  c.outlet = c.inlet;
  s.structures = {c};
  CHECK_THROWS_AS(make_simulation(s), std::invalid_argument);
}
