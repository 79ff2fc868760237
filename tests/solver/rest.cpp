/// \file
/// What must stay: still water, and the volume of a closed basin.

#include "tests/solver/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

/// Cliffs, pits, slopes of every steepness, some cells no part of the domain; a lake that leaves islands dry
/// and thin margins.
Scenario rough_lake(int nx, int ny, unsigned seed) {
  auto s = basin(nx, ny, 2, 3);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> height(0, 1);
  for (auto& z : s.bed) {
    double const kind = height(random);
    z = kind < 0.05 ? no_cell : kind < 0.1 ? 0.6 - 2e-6 * height(random) : height(random);
  }
  fill_to(s, 0.6);
  return s;
}

/// A dam in a rough basin: fronts that run over dry ground and come back.
Scenario sloshing(int nx, int ny) {
  auto s = basin(nx, ny, 1);
  std::mt19937 random(42);
  std::uniform_real_distribution<double> rough(0, 0.05);
  s.bed = sample(s.grid, [&](double x, double y) {
    return rough(random) + 0.02 * std::pow(x - nx / 2.0, 2) / nx + 0.1 * (y > ny / 2.0);
  });
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx / 3; ++i) s.initial.depth.raster[s.grid.index(i, j)] = 0.8;
  return s;
}

}  // namespace

namespace {

/// Calls f(early, late, scale) with the rough lake after 10^3 and 10^4 steps, for every solver and order;
/// scale is sqrt(g h_max).
template <class F>
void long_rest(F const& f) {
  auto s = rough_lake(24, 12, 7);
  double const scale = std::sqrt(9.81 * largest(s.initial.depth.raster));
  for (auto riemann : all_riemann)
    for (int order : {1, 2}) {
      s.scheme.riemann = riemann;
      s.scheme.order = order;
      auto sim = make_simulation(s);
      step(*sim, 1000);
      auto const early = sim->state();
      step(*sim, 9000);
      auto const late = sim->state();
      INFO(name_of(riemann) << ", order " << order << ", speed over sqrt(g h): "
                            << largest_speed(early) / scale << ", " << largest_speed(late) / scale);
      f(s, early, late, scale);
    }
}

}  // namespace

TEST_CASE("lake_at_rest_survives_random_bed_and_emerged_islands") {
  long_rest([](Scenario const& s, StateHost const& early, StateHost const& late, double scale) {
    CHECK(largest_speed(early) <= 1e-13 * scale);
    CHECK(largest_speed(late) <= 1e-13 * scale);
    for (std::size_t c = 0; c < s.bed.size(); ++c)
      if (s.initial.depth.raster[c] == 0 && s.bed[c] == s.bed[c]) CHECK(late.h[c] == 0);
    CHECK(largest_difference(early.h, late.h) <= 1e-13);
  });
}

TEST_CASE("lake_at_rest_does_not_stir_from_1e3_to_1e4_steps") {
  long_rest([](Scenario const&, StateHost const& early, StateHost const& late, double scale) {
    CHECK(largest_speed(late) <= 2 * largest_speed(early) + 1e-15 * scale);  // round-off wanders by that much
  });
}

TEST_CASE("lake_at_rest_in_single_precision") {
  auto s = rough_lake(24, 12, 8);
  for (auto& z : s.bed) z += 3000;  // a mountain lake
  for (int order : {1, 2}) {
    s.scheme.order = order;
    auto sim = make_simulation(s, {}, Precision::single_precision);
    step(*sim, 2000);
    // the bound for double precision times the ratio of the two round-offs, 2^29
    CHECK(largest_speed(sim->state()) <= 1e-13 * std::pow(2, 29) * std::sqrt(9.81 * 0.6));
  }
}

TEST_CASE("lake_at_rest_beside_every_boundary_that_holds_its_level") {
  auto s = rough_lake(20, 10, 9);
  for (Side side : all_sides) {
    auto b = on_side(s, side, side == Side::north ? Boundary::Type::incoming_wave : Boundary::Type::level,
                     TimeSeries::constant(0.6));
    if (side == Side::north) b.series = TimeSeries::constant(0);
    b.still_level = 0.6;
    s.boundaries.push_back(b);
  }
  for (int order : {1, 2}) {
    s.scheme.order = order;
    auto sim = make_simulation(s);
    step(*sim, 1000);
    CHECK(largest_speed(sim->state()) <= 1e-13 * std::sqrt(9.81 * 0.6));
  }
}

TEST_CASE("still_water_under_friction_stays_still") {
  auto s = rough_lake(20, 10, 10);
  for (auto law : {FrictionLaw::Type::manning, FrictionLaw::Type::chezy, FrictionLaw::Type::darcy_weisbach,
                   FrictionLaw::Type::linear})
    for (int order : {1, 2}) {
      s.friction = {law, {law == FrictionLaw::Type::chezy ? 40.0 : 0.03, {}}};
      s.scheme.order = order;
      auto sim = make_simulation(s);
      step(*sim, 500);
      CHECK(largest_speed(sim->state()) <= 1e-13 * std::sqrt(9.81 * 0.6));
    }
}

TEST_CASE("closed_basin_keeps_its_volume_over_1e5_steps_of_moving_fronts") {
  for (int order : {1, 2}) {
    auto s = sloshing(12, 6);
    s.scheme.order = order;
    auto sim = make_simulation(s);
    double worst = 0, lowest = 0;
    for (int k = 0; k < 20; ++k) {
      step(*sim, 5000);
      worst = std::max(worst, std::abs(sim->balance().relative_error()));
      lowest = std::min(lowest, smallest(sim->state().h));
    }
    CHECK(worst <= 1e-13);
    CHECK(lowest >= 0);
  }
}

TEST_CASE("closed_basin_keeps_its_volume_in_single_precision") {
  for (int order : {1, 2}) {
    auto s = sloshing(24, 12);
    s.scheme.order = order;
    auto sim = make_simulation(s, {}, Precision::single_precision);
    step(*sim, 5000);
    CHECK(std::abs(sim->balance().relative_error()) <= 1e-6);
    CHECK(smallest(sim->state().h) >= 0);
  }
}

TEST_CASE("no_solver_needs_a_step_twice_in_a_rough_basin") {
  for (auto riemann : all_riemann)
    for (int order : {1, 2}) {
      INFO(name_of(riemann) << ", order " << order);
      auto s = sloshing(60, 20);
      s.scheme.riemann = riemann;
      s.scheme.order = order;
      s.friction = {FrictionLaw::Type::manning, {0.02, {}}};
      auto sim = make_simulation(s);
      step(*sim, 500);
      CHECK(sim->progress().rejected_steps == 0);
      CHECK(smallest(sim->state().h) >= 0);
    }
}
