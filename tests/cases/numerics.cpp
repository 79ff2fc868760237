/// \file
/// The small inputs that troubled other solvers (folders beside this file), each with the outcome it must
/// have. Numbers and tolerances are those of the set-ups.

#include <filesystem>

#include "io/raster/raster.hpp"
#include "tests/solver/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

/// Raster of a case, bottom row first.
io::Raster raster(std::string const& file) {
  return io::read_raster(std::filesystem::path(SWE_TESTS_DIR) / "cases" / file);
}

/// The bed of a case, dry and closed.
Scenario closed(std::string const& id) {
  auto dem = raster(id + "/dem.asc");
  Scenario s;
  s.grid = dem.grid;
  s.bed = dem.values;
  s.initial.depth.raster.assign(s.bed.size(), 0.0);
  s.end_time = 1e9;
  return s;
}
Scenario with_depth(std::string const& id) {
  auto s = closed(id);
  s.initial.depth.raster = raster(id + "/h0.asc").values;
  return s;
}

FrictionLaw manning(double n) { return {FrictionLaw::Type::manning, {n, {}}}; }

constexpr double mm_per_h = 1e-3 / 3600;

/// Advances in `n` equal parts to n * every; calls f(k) after each.
template <class F>
void in_parts(Simulation& sim, int n, double every, F const& f) {
  for (int k = 1; k <= n; ++k) {
    sim.advance_to(k * every);
    f(k);
  }
}

/// Both schemes, one after the other.
template <class F>
void with_both_orders(F const& f) {
  for (int order : {1, 2}) {
    INFO("order " << order);
    f(order);
  }
}

}  // namespace

TEST_CASE("N01_lake_at_rest_at_rough_shores") {
  with_both_orders([](int order) {
    auto s = closed("N01");
    fill_to(s, 1.7);
    s.friction = manning(0.03);
    s.scheme.order = order;
    auto sim = make_simulation(s);
    sim->advance_to(600);
    auto const state = sim->state();
    for (std::size_t c = 0; c < s.bed.size(); ++c) {
      CHECK(std::abs(state.hu[c]) <= 1e-10);
      CHECK(std::abs(state.hv[c]) <= 1e-10);
      if (s.bed[c] < 1.7)
        CHECK(std::abs(s.bed[c] + state.h[c] - 1.7) <= 1e-12);
      else
        CHECK(state.h[c] == 0);
    }
    CHECK(volume(s.grid, state) == Approx(2017).epsilon(1e-12));
  });
}

TEST_CASE("N03_dry_grid_reaches_the_end_and_rain_starts_on_time") {
  with_both_orders([](int order) {
    auto s = closed("N03");
    s.scheme.order = order;
    auto sim = make_simulation(s);
    in_parts(*sim, 10, 10, [&](int k) {
      CHECK(sim->progress().time == 10 * k);
      CHECK(largest(sim->state().h) == 0);
      CHECK(largest(sim->state().hu) == 0);
    });
    s.sources = {source(Source::Type::rain,
                        {{0, 50, 100}, {0, 36 * mm_per_h, 36 * mm_per_h}, TimeSeries::Interpolation::step})};
    auto rained = make_simulation(s);
    in_parts(*rained, 10, 10, [](int) {});
    CHECK(volume(s.grid, rained->state()) == Approx(0.6).epsilon(1e-6));
  });
}

TEST_CASE("N04_wet_dam_break_has_the_right_middle_state_and_shock") {
  for (auto riemann : all_riemann)
    with_both_orders([&](int order) {
      INFO(name_of(riemann));
      auto s = with_depth("N04");
      s.scheme.order = order;
      s.scheme.riemann = riemann;
      auto sim = make_simulation(s);
      sim->advance_to(15);
      auto const state = sim->state();
      for (int i = 80; i < 150; ++i) {
        auto const c = s.grid.index(i, 1);
        CHECK(state.h[c] == Approx(1.45384).epsilon(0.01));
        CHECK(state.hu[c] / state.h[c] == Approx(1.30583).epsilon(0.01));
      }
      int front = 199;
      while (state.h[s.grid.index(front, 1)] < 1.227) --front;
      double const high = state.h[s.grid.index(front, 1)], low = state.h[s.grid.index(front + 1, 1)];
      CHECK(std::abs(s.grid.x_centre(front) + (high - 1.227) / (high - low) - 162.75) <= 1.5);
      CHECK(volume(s.grid, state) == Approx(900).epsilon(1e-12));
    });
}

TEST_CASE("N06_a_square_column_falls_symmetrically") {
  with_both_orders([](int order) {
    auto s = with_depth("N06");
    s.friction = manning(0.03);
    s.scheme.order = order;
    auto sim = make_simulation(s);
    sim->advance_to(2);
    auto const a = sim->state();
    for (int j = 0; j < 9; ++j)
      for (int i = 0; i < 9; ++i) {
        auto const at = s.grid.index(i, j);
        for (auto image : {s.grid.index(j, i), s.grid.index(8 - i, j), s.grid.index(i, 8 - j),
                           s.grid.index(8 - j, i), s.grid.index(j, 8 - i)})
          CHECK(std::abs(a.h[at] - a.h[image]) <= 1e-13);
        CHECK(std::abs(a.hu[at] - a.hv[s.grid.index(j, i)]) <= 1e-13);
      }
    CHECK(volume(s.grid, a) == Approx(16.2).epsilon(1e-12));
  });
}

TEST_CASE("N08_rain_film_on_a_steep_plane_runs_at_its_speed") {
  with_both_orders([](int order) {
    auto s = closed("N08");
    s.friction = manning(0.05);
    s.sources = {source(Source::Type::rain, TimeSeries::constant(50 * mm_per_h))};
    s.boundaries.push_back(on_side(s, Side::east, Boundary::Type::open));
    s.scheme.order = order;
    auto sim = make_simulation(s);
    sim->advance_to(3500);
    double const out_before = sim->balance().boundary_out;
    sim->advance_to(3600);
    CHECK((sim->balance().boundary_out - out_before) / 100 == Approx(0.00833333).epsilon(0.005));
    auto const state = sim->state();
    auto const c = s.grid.index(25, 1), d = s.grid.index(45, 1);
    REQUIRE(s.grid.x_centre(25) == 51);
    CHECK(state.h[c] == Approx(0.005246).epsilon(0.05));
    CHECK(state.hu[c] / state.h[c] == Approx(0.13502).epsilon(0.05));
    CHECK(state.h[d] == Approx(0.007425).epsilon(0.05));
    CHECK(state.hu[d] / state.h[d] == Approx(0.17021).epsilon(0.05));
  });
}

TEST_CASE("N10_water_off_a_cliff_stays_within_its_energy") {
  for (auto riemann : all_riemann)
    with_both_orders([&](int order) {
      INFO(name_of(riemann));
      auto s = with_depth("N10");
      s.scheme.order = order;
      s.scheme.riemann = riemann;
      MaximaOptions maxima;
      maxima.speed = true;
      auto sim = make_simulation(s, maxima);
      double lowest = 0;
      sim->advance_to(20, [&](Progress const&) {
        lowest = std::min(lowest, smallest(sim->state().h));
        return true;
      });
      CHECK(largest(sim->maxima()[0].values) <= 14.08);
      CHECK(sim->progress().steps < 2000);
      CHECK(volume(s.grid, sim->state()) == Approx(3).epsilon(1e-12));
      CHECK(lowest >= 0);
    });
}

TEST_CASE("N11_rain_on_rough_ground_makes_no_water_at_any_courant_number") {
  for (double cfl : {0.25, 0.5, 0.9})
    with_both_orders([&](int order) {
      INFO("cfl " << cfl);
      auto s = closed("N11");
      s.friction = manning(0.05);
      s.sources = {rain(0, 600, 30 * mm_per_h)};
      s.scheme.cfl = cfl;
      s.scheme.order = order;
      auto sim = make_simulation(s);
      double lowest = 0;
      sim->advance_to(1800, [&](Progress const&) {
        lowest = std::min(lowest, smallest(sim->state().h));
        return true;
      });
      CHECK(volume(s.grid, sim->state()) == Approx(18).epsilon(1e-10));
      CHECK(sim->balance().rain == Approx(18).epsilon(1e-10));
      CHECK(std::abs(sim->balance().relative_error()) <= 1e-10);
      CHECK(lowest >= 0);
    });
}

TEST_CASE("N12_infiltration_takes_what_is_there_and_no_more") {
  with_both_orders([](int order) {
    auto s = closed("N12");
    for (auto& h : s.initial.depth.raster) h = 0.005;
    s.sources = {soil(36 * mm_per_h)};
    s.scheme.order = order;
    auto sim = make_simulation(s);
    in_parts(*sim, 10, 100, [&](int k) {
      CHECK(smallest(sim->state().h) >= 0);
      CHECK(sim->balance().infiltration == Approx(std::min(6.0, 1.2 * k)).epsilon(1e-10));
    });
    CHECK(largest(sim->state().h) == 0);
    CHECK(std::abs(sim->balance().relative_error()) <= 1e-10);
  });
}

TEST_CASE("N15_discharge_enters_dry_ground_as_asked") {
  with_both_orders([](int order) {
    auto s = closed("N15");
    s.boundaries.push_back(on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(2)));
    s.scheme.order = order;
    MaximaOptions maxima;
    maxima.speed = true;
    auto sim = make_simulation(s, maxima);
    in_parts(*sim, 10, 10, [&](int k) { CHECK(std::abs(volume(s.grid, sim->state()) - 20 * k) <= 1e-8); });
    CHECK(largest(sim->maxima()[0].values) < 5);
  });
}

TEST_CASE("N17_free_outflow_lets_nothing_in_and_counts_what_leaves") {
  with_both_orders([](int order) {
    auto s = closed("N17");
    fill_to(s, 0.5);
    s.boundaries.push_back(on_side(s, Side::east, Boundary::Type::open));
    s.scheme.order = order;
    auto pond = make_simulation(s);
    pond->advance_to(600);
    CHECK(pond->balance().boundary_in == 0);
    CHECK(pond->balance().boundary_out == 0);
    CHECK(pond->balance().final_ == Approx(pond->balance().initial).epsilon(1e-12));

    s.initial.depth.raster.assign(s.bed.size(), 0.0);
    s.sources = {rain(0, 600, 36 * mm_per_h)};
    auto rained = make_simulation(s);
    double before = 0;
    in_parts(*rained, 60, 10, [&](int) {
      CHECK(rained->balance().boundary_out >= before);
      before = rained->balance().boundary_out;
    });
    CHECK(rained->balance().boundary_in == 0);
    CHECK(volume(s.grid, rained->state()) + rained->balance().boundary_out == Approx(18).epsilon(1e-10));
  });
}

TEST_CASE("N18_river_settles_at_normal_depth") {
  with_both_orders([](int order) {
    auto s = closed("N18");
    s.friction = manning(0.03);
    s.boundaries.push_back(on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(30)));
    s.boundaries.push_back(on_side(s, Side::east, Boundary::Type::level,
                                   TimeSeries::constant(s.bed[s.grid.index(49, 1)] + 0.968886)));
    s.scheme.order = order;
    auto sim = make_simulation(s);
    sim->advance_to(7200);
    auto const state = sim->state();
    for (int i = 5; i <= 45; ++i) {
      CHECK(state.h[s.grid.index(i, 1)] == Approx(0.96889).epsilon(0.01));
      CHECK(state.hu[s.grid.index(i, 1)] == Approx(1).epsilon(0.015));
    }
  });
}

TEST_CASE("N20_maximum_is_that_of_all_steps") {
  with_both_orders([](int order) {
    auto s = closed("N20");
    auto const pit = s.grid.index(1, 1);
    s.sources = {
        source(Source::Type::inflow, {{0, 50, 100}, {1, -1, 0}, TimeSeries::Interpolation::step}, {pit})};
    s.scheme.order = order;
    MaximaOptions maxima;
    maxima.depth = maxima.time_of_max = true;
    auto sim = make_simulation(s, maxima);
    double longest = 0;
    sim->advance_to(100, [&](Progress const& p) {
      longest = std::max(longest, p.dt);
      return true;
    });
    CHECK(std::abs(sim->state().h[pit]) <= 1e-12);
    auto const m = sim->maxima();
    CHECK(m[0].values[pit] == Approx(0.5).epsilon(0.01));
    CHECK(std::abs(m[1].values[pit] - 50) <= longest);
    CHECK(sim->balance().inflow == Approx(50).epsilon(1e-12));
    CHECK(sim->balance().abstraction == Approx(50).epsilon(1e-12));
  });
}

TEST_CASE("P01_small_rain_arrives_on_high_ground_dry_or_deep") {
  for (auto precision : {Precision::double_precision, Precision::single_precision})
    with_both_orders([&](int order) {
      bool const full = precision == Precision::double_precision;
      INFO(full);
      auto s = closed("P01");
      s.sources = {source(Source::Type::rain, TimeSeries::constant(mm_per_h))};
      s.scheme.max_dt = 1;
      s.scheme.order = order;
      auto sim = make_simulation(s, {}, precision);
      sim->advance_to(3600);
      for (double h : sim->state().h) CHECK(std::abs(h - 1e-3) <= (full ? 1e-9 : 1e-6));
      CHECK(sim->balance().final_ == Approx(1.2).epsilon(full ? 1e-9 : 1e-6));
      CHECK(std::abs(sim->balance().relative_error()) <= (full ? 1e-12 : 1e-6));
      for (double depth : {1.0, 10.0}) {  // and on water it arrives to 1 %
        for (auto& h : s.initial.depth.raster) h = depth;
        auto wet = make_simulation(s, {}, precision);
        wet->advance_to(3600);
        CHECK(wet->balance().final_ - wet->balance().initial == Approx(1.2).epsilon(0.01));
      }
    });
}

TEST_CASE("P03_gauges_in_utm_coordinates_read_their_cell") {
  auto s = closed("P03");
  auto const a = cell_at(s.grid, 634251.50, 4649777.45), b = cell_at(s.grid, 634251.50, 4649777.24);
  REQUIRE(a.has_value());
  REQUIRE(b.has_value());
  CHECK(s.bed[*a] == 22);
  CHECK(s.bed[*b] == 22);
  for (auto precision : {Precision::double_precision, Precision::single_precision}) {
    auto sim = make_simulation(s, {}, precision);
    sim->set_gauges({*a, *b});
    for (auto const& reading : sim->gauges_at(0)) CHECK(reading.level == 22);
  }
}

TEST_CASE("P05_times_far_from_zero_stay_apart") {
  auto s = closed("P05");
  for (auto& h : s.initial.depth.raster) h = 1;
  s.start_time = 1000000;
  auto sim = make_simulation(s);
  double before = 0;
  for (int k = 0; k <= 10; ++k) {
    double const t = 1000000 + 0.1 * k;
    sim->advance_to(t);
    CHECK(sim->progress().time == t);
    CHECK(sim->state().time == t);
    CHECK(sim->state().time > before);
    before = sim->state().time;
  }
}

TEST_CASE("P07_steps_meet_output_and_end_times_without_slivers") {
  struct Run {
    double end, every;
  };
  for (auto [end, every] : {Run{100, 0.1}, Run{0.3, 0.1}, Run{400000, 400000}})
    for (bool wet : {false, true}) {
      if (wet && end > 1000) continue;
      auto s = closed("P07");
      if (wet)
        for (auto& h : s.initial.depth.raster) h = 1;
      auto sim = make_simulation(s);
      int outputs = 1;
      double shortest = 1e9;
      int const last = int(std::lround(end / every));
      for (int k = 1; k <= last; ++k, ++outputs)
        sim->advance_to(k == last ? end : k * every, [&](Progress const& p) {
          shortest = std::min(shortest, p.dt);
          return true;
        });
      CHECK(outputs == last + 1);
      CHECK(sim->progress().time == end);
      CHECK(shortest >= 1e-9);
      if (!wet) CHECK(sim->progress().steps == last);
    }
}

namespace {

/// The 8 x 6 rough bed, dry, with a growing inflow and rain.
Scenario restart_case(bool with_rain) {
  auto s = closed("R01");
  s.friction = manning(0.03);
  s.boundaries.push_back(on_side(s, Side::west, Boundary::Type::discharge, {{0, 200}, {0, 2}}));
  if (with_rain) s.sources = {source(Source::Type::rain, TimeSeries::constant(36 * mm_per_h))};
  return s;
}

}  // namespace

TEST_CASE("L02_one_and_eight_threads_five_times_each_give_one_answer") {
  with_both_orders([](int order) {
    auto s = restart_case(true);
    s.scheme.order = order;
    StateHost first;
    for (int threads : {1, 8})
      for (int run = 0; run < 5; ++run) {
        set_threads(threads);
        auto sim = make_simulation(s);
        sim->advance_to(200);
        auto const state = sim->state();
        if (first.h.empty()) first = state;
        CHECK(same_bits(first, state));
      }
    set_threads(0);
  });
}

TEST_CASE("L06_dry_dam_break_on_a_cpu") {  // a GPU is compared with this run where there is one
  auto s = with_depth("L06");
  auto sim = make_simulation(s);
  step(*sim, 1000);
  CHECK(volume(s.grid, sim->state()) == Approx(sim->balance().initial).epsilon(1e-12));
  CHECK(smallest(sim->state().h) >= 0);
  if (!device_available(Device::gpu)) {
    WARN("SKIP: no GPU here, so the dry dam break was run on the CPU only");
    return;
  }
  for (auto const& scenario : {with_depth("L06"), with_depth("N04"), restart_case(true)}) {
    auto cpu = make_simulation(scenario),
         gpu = make_simulation(scenario, {}, Precision::double_precision, Device::gpu);
    step(*cpu, 1000);
    gpu->advance_to(cpu->progress().time);
    auto const a = cpu->state(), b = gpu->state();
    CHECK(gpu->progress().steps == 1000);
    CHECK(largest_difference(a.h, b.h) <= 1e-9);
    CHECK(volume(scenario.grid, b) == Approx(volume(scenario.grid, a)).epsilon(1e-12));
    for (std::size_t c = 0; c < a.h.size(); ++c) CHECK((a.h[c] > 1e-6) == (b.h[c] > 1e-6));
  }
}

TEST_CASE("R01_restart_continues_bit_for_bit") {
  with_both_orders([](int order) {
    auto s = restart_case(true);
    s.scheme.order = order;
    std::vector<double> steps, again;
    auto const note = [](std::vector<double>& to) {
      return [&to](Progress const& p) {
        to.push_back(p.dt);
        return true;
      };
    };
    auto whole = make_simulation(s);
    whole->advance_to(100);
    auto const saved = whole->checkpoint();
    whole->advance_to(200, note(steps));
    auto other = make_simulation(s);
    other->restore(saved);
    other->advance_to(200, note(again));
    CHECK(same_bits(whole->state(), other->state()));
    CHECK(whole->progress().steps == other->progress().steps);
    CHECK(steps == again);
  });
}

TEST_CASE("R02_restarted_clock_goes_on") {
  auto s = restart_case(false);
  auto whole = make_simulation(s);
  whole->advance_to(100);
  CHECK(whole->balance().boundary_in == Approx(50).epsilon(1e-12));
  auto other = make_simulation(s);
  other->restore(whole->checkpoint());
  CHECK(other->progress().time == 100);
  other->advance_to(200);
  CHECK(other->balance().boundary_in == Approx(200).epsilon(1e-12));
}

TEST_CASE("R04_maxima_and_totals_survive_a_restart") {
  auto s = closed("R04");
  auto const pit = s.grid.index(1, 1);
  s.sources = {
      source(Source::Type::inflow, {{0, 50, 100}, {1, -1, 0}, TimeSeries::Interpolation::step}, {pit})};
  MaximaOptions maxima;
  maxima.depth = maxima.time_of_max = true;
  auto whole = make_simulation(s, maxima);
  whole->advance_to(80);
  auto other = make_simulation(s, maxima);
  other->restore(whole->checkpoint());
  whole->advance_to(100);
  other->advance_to(100);
  CHECK(other->maxima()[0].values[pit] == Approx(0.5).epsilon(0.01));
  for (std::size_t k = 0; k < 2; ++k) CHECK(same_bits(other->maxima()[k].values, whole->maxima()[k].values));
  CHECK(other->balance().inflow == Approx(50).epsilon(1e-12));
  CHECK(other->balance().abstraction == Approx(50).epsilon(1e-12));
}
