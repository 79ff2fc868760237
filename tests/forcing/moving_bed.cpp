/// \file
/// A bed that moves: uplift, rasters, breaches.

#include "tests/forcing/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

BedMotion motion(BedMotion::Type type, TimeSeries series) {
  BedMotion m;
  m.name = "motion";
  m.type = type;
  m.series = std::move(series);
  return m;
}

}  // namespace

TEST_CASE("a_lake_lifted_as_a_whole_stays_at_rest") {
  for (auto precision : {Precision::double_precision, Precision::single_precision}) {
    auto s = basin(20, 10, 10);
    s.bed = sample(s.grid, [](double x, double y) { return 300 + std::sin(x / 20) + std::cos(y / 15); });
    fill_to(s, 304);
    auto lift = motion(BedMotion::Type::uplift, lines({10, 10}, {0, 1}));
    lift.shape.constant = 0.5;
    s.bed_motions.push_back(lift);
    auto const sim = make_simulation(s, {}, precision);
    sim->set_gauges({5});
    sim->advance_to(10);
    bool const single = precision == Precision::single_precision;
    CHECK(sim->gauges_at(10).at(0).level ==
          Approx(304.5).margin(single ? 1e-5 : 1e-12));  // at a jump the later value holds
    sim->advance_to(30);
    CHECK(sim->gauges_at(30).at(0).level == Approx(304.5).margin(single ? 1e-5 : 1e-12));
    CHECK(largest_speed(sim->state()) < (single ? 1e-4 : 1e-12));
    auto const b = sim->balance();
    CHECK(b.bed_displaced == Approx(0.5 * 20000).epsilon(1e-9));
    CHECK(std::abs(b.relative_error()) < (single ? 1e-6 : 1e-14));
    CHECK(sim->state().bed.at(5) == Approx(s.bed[5] + 0.5).margin(single ? 1e-6 : 1e-12));
  }
}

TEST_CASE("uplift_at_the_start_lifts_the_water_above_it") {
  auto s = basin(200, 1, 100);
  s.bed.assign(200, -100.0);
  fill_to(s, 0);
  auto lift = motion(BedMotion::Type::uplift, lines({0, 0}, {0, 1}));
  lift.shape.raster = sample(s.grid, [](double x, double) { return std::abs(x - 10000) < 2000 ? 1.0 : 0.0; });
  s.bed_motions.push_back(lift);
  s.scheme.order = 2;
  auto const sim = make_simulation(s);
  sim->set_gauges({100, 150});
  CHECK(sim->gauges_at(0)[0].level == Approx(1).epsilon(1e-12));
  // Two waves of half the height run to both sides at sqrt(g 100) = 31.3 m/s.
  sim->advance_to(160);
  CHECK(sim->gauges_at(160)[1].level == Approx(0.5).epsilon(0.03));
  CHECK(sim->gauges_at(160)[0].level == Approx(0).margin(0.02));
  CHECK(std::abs(sim->balance().relative_error()) < 1e-13);
}

TEST_CASE("bed_rasters_are_linear_in_time_and_leave_cells_without_data_alone") {
  auto s = basin(3, 1, 10);
  s.bed = {1, 2, none};
  auto m = motion(BedMotion::Type::rasters, {});
  m.rasters = {{100, 200}, {{3, none, 0}, {5, none, 0}}};
  s.bed_motions.push_back(m);
  s.scheme.max_dt = 5;
  auto const sim = make_simulation(s);
  CHECK(sim->state().bed[0] == 3);  // the first holds before its time
  sim->advance_to(150);
  CHECK(sim->state().bed[0] == Approx(4).epsilon(1e-12));
  CHECK(sim->state().bed[1] == 2);
  sim->advance_to(300);
  CHECK(sim->state().bed[0] == 5);
  CHECK(sim->balance().bed_displaced == Approx(400));
}

TEST_CASE("a_dam_breaches_as_its_crest_falls") {
  for (int order : {1, 2}) {
    auto s = basin(40, 5, 10);
    s.scheme.order = order;
    s.bed = sample(s.grid, [](double x, double) { return x > 200 && x < 210 ? 5.0 : 0.0; });
    s.initial.depth.raster = sample(s.grid, [](double x, double) { return x < 200 ? 4.0 : 0.0; });
    s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
    auto breach = motion(BedMotion::Type::breach, lines({20, 80}, {5, 0}));
    breach.cells = {s.grid.index(20, 2)};
    s.bed_motions.push_back(breach);
    MaximaOptions maxima;
    maxima.level = true;
    auto const sim = make_simulation(s, maxima);
    sim->advance_to(32);  // crest at 4 m: nothing has passed
    auto const downstream = [&] {
      double volume = 0;
      auto const h = sim->state().h;
      for (int j = 0; j < 5; ++j)
        for (int i = 21; i < 40; ++i) volume += h[std::size_t(s.grid.index(i, j))] * 100;
      return volume;
    };
    CHECK(downstream() == 0);
    CHECK(worst_balance(*sim, 60) < 1e-13);
    CHECK(downstream() > 0);
    sim->advance_to(4000);
    CHECK(std::abs(sim->balance().relative_error()) < 1e-12);
    // 4 m on 1000 x ... spread over both sides and the breached cell
    auto const h = sim->state().h;
    CHECK(h[std::size_t(s.grid.index(5, 2))] == Approx(h[std::size_t(s.grid.index(35, 2))]).epsilon(0.01));
    CHECK(sim->balance().bed_displaced == Approx(-500).epsilon(1e-9));
    CHECK(sim->maxima().at(0).values[std::size_t(s.grid.index(20, 2))] > 2);
  }
}
