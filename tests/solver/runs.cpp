/// \file
/// One answer whatever the threads, tiles and interruptions; maxima, gauges, sources.

#include "tests/solver/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

MaximaOptions everything() {
  MaximaOptions o;
  o.depth = o.level = o.speed = o.unit_discharge = o.hazard = o.time_of_max = o.arrival = o.duration = true;
  return o;
}

/// Several tiles, most of them dry: a dam, a spring, a side that lets water in, rain on a zone for a while,
/// soil.
Scenario flood(int order) {
  auto s = basin(300, 90, 5);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> rough(0, 0.3);
  s.bed = sample(s.grid, [&](double x, double y) {
    return rough(random) + 2 * std::sin(x / 150) * std::cos(y / 90) + 0.002 * x;
  });
  for_each_cell_in(s, 10, 40, [&](std::int64_t c) { s.initial.depth.raster[c] = 3; });
  s.bed[s.grid.index(60, 45)] = no_cell;
  s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
  s.scheme.order = order;
  s.boundaries.push_back(on_side(s, Side::south, Boundary::Type::open));
  auto river = on_side(s, Side::east, Boundary::Type::discharge, {{0, 40}, {5, 60}});
  std::erase_if(river.faces, [](BoundaryFace const& f) { return f.j > 5; });
  s.boundaries.push_back(river);
  s.sources = {source(Source::Type::inflow, TimeSeries::constant(20), {s.grid.index(200, 70)}), soil(1e-5)};
  return s;
}

void check_same(Simulation const& a, Simulation const& b) {
  CHECK(same_bits(a.state(), b.state()));
  CHECK(a.progress().steps == b.progress().steps);
  CHECK(a.progress().dt == b.progress().dt);
  auto const m = a.maxima(), n = b.maxima();
  REQUIRE(m.size() == n.size());
  for (std::size_t k = 0; k < m.size(); ++k) {
    INFO("maximum " << m[k].name);
    CHECK(same_bits(m[k].values, n[k].values));
  }
  auto const p = a.balance(), q = b.balance();
  for (auto field : {&VolumeBalance::boundary_in, &VolumeBalance::boundary_out, &VolumeBalance::rain,
                     &VolumeBalance::inflow, &VolumeBalance::infiltration, &VolumeBalance::final_})
    CHECK(p.*field == q.*field);
}

}  // namespace

TEST_CASE("L02_any_number_of_threads_gives_the_same_bits") {
  for (auto precision : {Precision::double_precision, Precision::single_precision})
    for (int order : {1, 2}) {
      auto s = flood(order);
      set_threads(1);
      auto one = make_simulation(s, everything(), precision);
      step(*one, 60);
      for (int threads : {2, 3}) {
        INFO(threads << " threads, order " << order);
        set_threads(threads);
        auto many = make_simulation(s, everything(), precision);
        step(*many, 60);
        check_same(*one, *many);
      }
      set_threads(0);
    }
}

/// Steps without rasters, infiltration and the like run in kernels that leave these out; a raster that says the same
/// everywhere asks for the full ones.
TEST_CASE("kernels_without_extras_give_the_bits_of_the_full_ones") {
  for (auto precision : {Precision::double_precision, Precision::single_precision})
    for (int order : {1, 2}) {
      INFO("order " << order);
      auto s = flood(order);
      s.sources.pop_back();  // the soil
      auto lean = make_simulation(s, everything(), precision);
      step(*lean, 20);
      s.friction.coefficient.raster.assign(std::size_t(s.grid.cells()), s.friction.coefficient.constant);
      auto full = make_simulation(s, everything(), precision);
      step(*full, 20);
      check_same(*lean, *full);
    }
}

TEST_CASE("leaving_dry_tiles_out_changes_no_bit") {
  for (auto precision : {Precision::double_precision, Precision::single_precision})
    for (int order : {1, 2})
      for (bool with_rain : {false, true}) {
        INFO("order " << order << ", rain " << with_rain);
        auto s = flood(order);
        if (with_rain) s.sources.push_back(rain(3, 5, 1e-5));
        auto skipping = make_simulation(s, everything(), precision);
        step(*skipping, 60);
        s.scheme.skip_dry_tiles = false;
        auto all = make_simulation(s, everything(), precision);
        step(*all, 60);
        check_same(*skipping, *all);
      }
}

TEST_CASE("restart_equals_uninterrupted") {
  for (auto precision : {Precision::double_precision, Precision::single_precision})
    for (int order : {1, 2}) {
      INFO("order " << order);
      auto s = flood(order);
      s.sources.push_back(rain(0.5, 4, 2e-5));
      Source zone = rain(1, 6, 3e-5);
      zone.cells = {s.grid.index(5, 5), s.grid.index(250, 60)};
      s.sources.push_back(zone);
      std::vector<std::int64_t> const gauges{s.grid.index(45, 40), s.grid.index(201, 70)};
      auto whole = make_simulation(s, everything(), precision);
      whole->set_gauges(gauges);
      step(*whole, 40);
      auto const saved = whole->checkpoint();
      auto restored = make_simulation(s, everything(), precision);
      restored->set_gauges(gauges);
      restored->restore(saved);
      check_same(*whole, *restored);
      step(*whole, 40);
      step(*restored, 40);
      check_same(*whole, *restored);
      double const t = whole->progress().time - 0.3 * whole->progress().dt;
      for (std::size_t k = 0; k < gauges.size(); ++k) {
        CHECK(whole->gauges_at(t)[k].depth == restored->gauges_at(t)[k].depth);
        CHECK(whole->gauges_at(t)[k].u == restored->gauges_at(t)[k].u);
      }
    }
}

TEST_CASE("checkpoints_of_another_grid_are_refused") {
  auto small = make_simulation(basin(4, 3, 1)), large = make_simulation(basin(40, 30, 1));
  CHECK_THROWS_AS(large->restore(small->checkpoint()), std::invalid_argument);
  CHECK_THROWS_AS(large->restore({}), std::invalid_argument);
}

TEST_CASE("gauges_read_between_steps_on_a_straight_line") {
  auto s = basin(20, 3, 1);
  s.bed.assign(s.bed.size(), 2.0);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 10; ++i) s.initial.depth.raster[s.grid.index(i, j)] = 1;
  auto sim = make_simulation(s);
  auto const cell = s.grid.index(10, 1);
  sim->set_gauges({cell, s.grid.index(19, 1)});
  CHECK(sim->gauges_at(0)[0].depth == 0);
  CHECK(sim->gauges_at(0)[0].level == 2);
  step(*sim, 10);
  auto const before = sim->state();
  step(*sim, 1);
  auto const now = sim->state();
  for (double w : {0.0, 0.25, 0.5, 1.0}) {
    auto const r = sim->gauges_at(before.time + w * (now.time - before.time))[0];
    CHECK(r.depth == Approx((1 - w) * before.h[cell] + w * now.h[cell]).epsilon(1e-12));
    CHECK(r.level == Approx(2 + r.depth).epsilon(1e-14));
    CHECK(r.u ==
          Approx((1 - w) * before.hu[cell] / before.h[cell] + w * now.hu[cell] / now.h[cell]).epsilon(1e-12));
    CHECK(std::abs(r.v) < 1e-14);
  }
  CHECK(sim->gauges_at(now.time)[0].depth == now.h[cell]);
}

TEST_CASE("gauges_do_not_alter_a_step") {
  auto s = flood(1);
  auto plain = make_simulation(s), read = make_simulation(s);
  read->set_gauges({s.grid.index(45, 40)});
  step(*plain, 30);
  for (int k = 0; k < 30; ++k) {
    step(*read, 1);
    (void)read->gauges_at(read->progress().time);
    (void)read->checkpoint();
  }
  CHECK(same_bits(plain->state(), read->state()));
}

TEST_CASE("maxima_are_those_of_every_step") {
  auto s = flood(2);
  auto sim = make_simulation(s, everything());
  std::size_t const n = s.bed.size();
  std::vector<double> depth(s.initial.depth.raster), speed(n, 0), unit(n, 0), hazard(n, 0), duration(n, 0),
      time(n, no_cell), arrival(n, no_cell);
  for (std::size_t c = 0; c < n; ++c) {
    if (depth[c] > 1e-6) time[c] = 0;
    if (depth[c] > 0.05) arrival[c] = 0;
  }
  for (std::size_t c = 0; c < n; ++c) hazard[c] = 0.5 * depth[c];
  for (int k = 0; k < 40; ++k) {
    step(*sim, 1);
    auto const now = sim->state();
    for (std::size_t c = 0; c < n; ++c) {
      double const h = now.h[c];
      if (!(h > 1e-6)) continue;
      double const q = std::sqrt(now.hu[c] * now.hu[c] + now.hv[c] * now.hv[c]);
      if (h > depth[c]) time[c] = now.time;
      depth[c] = std::max(depth[c], h);
      speed[c] = std::max(speed[c], q / h);
      unit[c] = std::max(unit[c], q);
      hazard[c] = std::max(hazard[c], h * (q / h + 0.5));
      if (h > 0.05) duration[c] += sim->progress().dt;
      if (h > 0.05 && arrival[c] != arrival[c]) arrival[c] = now.time;
    }
  }
  std::vector<double> level(depth);
  for (std::size_t c = 0; c < n; ++c) level[c] += s.bed[c];
  for (std::size_t c = 0; c < n; ++c)
    if (s.bed[c] != s.bed[c])
      for (auto* v : {&depth, &speed, &unit, &hazard, &duration, &time, &arrival}) (*v)[c] = no_cell;
  for (auto const& m : sim->maxima()) {
    INFO(m.name);
    auto const& expected = m.name == "depth"            ? depth
                           : m.name == "level"          ? level
                           : m.name == "speed"          ? speed
                           : m.name == "unit_discharge" ? unit
                           : m.name == "hazard"         ? hazard
                           : m.name == "duration"       ? duration
                           : m.name == "arrival"        ? arrival
                                                        : time;
    CHECK(largest_difference(m.values, expected) < 1e-12);
  }
}

TEST_CASE("steps_end_exactly_where_asked_and_on_jumps_of_the_forcing") {
  auto s = basin(4, 3, 10);
  s.sources.push_back(rain(0.7, 1.9, 1e-5));
  auto sim = make_simulation(s);
  std::vector<double> ends;
  sim->advance_to(3, [&](Progress const& p) {
    ends.push_back(p.time);
    return true;
  });
  CHECK(std::count(ends.begin(), ends.end(), 0.7) == 1);
  CHECK(std::count(ends.begin(), ends.end(), 1.9) == 1);
  CHECK(ends.back() == 3);
  CHECK(sim->balance().rain == Approx(1.2e-5 * 1200).epsilon(1e-12));
}

TEST_CASE("sources_in_single_precision_lose_nothing_on_deep_water") {
  // A drop in the sea: each step adds less than the last digit of the depth.
  for (int order : {1, 2})
    for (double depth : {0.5, 10.0}) {
      INFO("order " << order << ", depth " << depth);
      auto s = basin(4, 3, 10);
      for (auto& h : s.initial.depth.raster) h = depth;
      s.scheme.order = order;
      s.scheme.max_dt = 0.05;
      s.sources = {source(Source::Type::inflow, TimeSeries::constant(1200 * 1e-6), all_cells(s.grid))};
      auto sim = make_simulation(s, {}, Precision::single_precision);
      sim->advance_to(100);
      auto const b = sim->balance();
      CHECK(b.inflow == Approx(0.12).epsilon(1e-6));
      CHECK(b.final_ - b.initial == Approx(0.12).epsilon(0.01));

      s.sources = {soil(1e-6)};
      auto seeping = make_simulation(s, {}, Precision::single_precision);
      seeping->advance_to(100);
      CHECK(seeping->balance().infiltration == Approx(0.12).epsilon(1e-3));
      CHECK(seeping->balance().initial - seeping->balance().final_ == Approx(0.12).epsilon(0.01));
    }
}

TEST_CASE("taking_the_last_drop_leaves_nothing_in_either_precision") {
  for (auto precision : {Precision::double_precision, Precision::single_precision})
    for (int order : {1, 2})
      for (bool into_soil : {true, false}) {
        INFO("order " << order << ", infiltration " << into_soil << ", double "
                      << (precision == Precision::double_precision));
        auto s = basin(6, 5, 1);
        std::mt19937 random(3);
        std::uniform_real_distribution<double> number(0, 1);
        for (std::size_t c = 0; c < s.bed.size(); ++c) {
          s.bed[c] = 0.1 * number(random);
          s.initial.depth.raster[c] = 0.2 * number(random);
        }
        s.scheme.order = order;
        s.sources = {into_soil ? soil(0.02)
                               : source(Source::Type::inflow, TimeSeries::constant(-0.6), all_cells(s.grid))};
        auto sim = make_simulation(s, {}, precision);
        sim->advance_to(60);
        CHECK(largest(sim->state().h) == 0);
        CHECK(smallest(sim->state().h) == 0);
        auto const b = sim->balance();
        CHECK(b.infiltration + b.abstraction ==
              Approx(b.initial).epsilon(precision == Precision::double_precision ? 1e-13 : 1e-6));
      }
}
