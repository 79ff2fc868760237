/// \file
/// Boundary fluxes, one cell at a time, and what they do to waves and volumes in a channel.

#include "solver/boundary/registry.hpp"

#include <cmath>
#include <vector>

#include "tests/solver/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

constexpr double g = 9.81;
using Cell = CellInside<double>;

/// Cells from dry to deep, still to supercritical in both directions.
std::vector<Cell> cells() {
  std::vector<Cell> r;
  for (double h : {0.0, 1e-7, 1e-4, 0.02, 0.5, 3.0})
    for (double froude : {-2.5, -1.0, -0.3, 0.0, 0.2, 0.9, 1.0, 1.8}) {
      double const c = std::sqrt(g * h);
      r.push_back({h, froude * c, h > 0 ? 0.4 : 0.0, 1.25});
    }
  return r;
}

/// A face without friction on a level bed.
BoundarySite<double> smooth_site() {
  BoundarySite<double> site{g, 1e-6, FrictionLaw::Type::none, 0, 1};
  site.normal_x = 1;
  site.length = 5;
  return site;
}

double froude(Outflow<double> const& out, double h) { return out.mass / (h * std::sqrt(g * h)); }

/// Depth at the boundary, from the flux: momentum + g h_in²/2 = mass²/h + g h²/2, the root nearest to
/// `guess`.
double boundary_depth(Cell const& in, Outflow<double> const& out, double guess) {
  double const force = out.momentum + g * in.h * in.h / 2;
  double h = guess;
  for (int k = 0; k < 50; ++k)
    h -= (out.mass * out.mass / h + g * h * h / 2 - force) / (g * h - out.mass * out.mass / (h * h));
  return h;
}

}  // namespace

TEST_CASE("level_boundary_at_rest_gives_exactly_nothing") {
  for (double h : {1e-3, 0.7, 4.0}) {
    double const bed = 0.5;
    auto const out = outflow_level(Cell{(bed + h) - bed, 0, 0, bed}, bed + h, g);
    CHECK(out.mass == 0);
    CHECK(out.momentum == 0);
    CHECK(out.transverse == 0);
  }
}

TEST_CASE("level_boundary_keeps_the_leaving_invariant") {
  for (auto const& in : cells())
    for (double level : {1.3, 1.7, 2.2}) {
      if (in.h == 0 || in.un >= std::sqrt(g * in.h)) continue;
      double const h = level - in.bed, c = std::sqrt(g * h);
      auto const out = outflow_level(in, level, g);
      double const un = in.un + 2 * std::sqrt(g * in.h) - 2 * c;
      if (std::abs(un) < c) CHECK(out.mass == Approx(h * un).epsilon(1e-12).margin(1e-14));
    }
}

TEST_CASE("boundaries_let_out_no_more_than_critical_flow") {
  for (auto const& in : cells()) {
    double const c_in = std::sqrt(g * in.h);
    double const most = in.un >= c_in ? in.h * in.un : outflow_critical(in, g).mass;
    for (double level : {-5.0, 1.0, 1.25, 1.3, 1.7, 9.0})
      CHECK(outflow_level(in, level, g).mass <= most * (1 + 1e-12));
    for (double q : {1e-6, 0.1, 50.0}) {
      auto const out = outflow_discharge(in, q, g);
      CHECK(out.mass <= std::min(q, most) * (1 + 1e-12));
      CHECK(out.mass == Approx(std::min(q, most)).epsilon(1e-12));
    }
  }
}

TEST_CASE("nothing_leaves_a_dry_cell") {
  Cell const dry_cell{0, 0, 0, 1.25};
  CHECK(outflow_open(dry_cell, smooth_site()).mass == 0);
  CHECK(outflow_critical(dry_cell, g).mass == 0);
  CHECK(outflow_level(dry_cell, 0.3, g).mass == 0);
  CHECK(outflow_discharge(dry_cell, 2.0, g).mass == 0);
  CHECK(outflow_normal_depth(dry_cell, FrictionLaw::Type::manning, 0.01, 0.1, g, 1e-6).mass == 0);
  CHECK(outflow_incoming_wave(dry_cell, 0.0, 0.2, g).mass == 0);
}

TEST_CASE("discharge_enters_exactly_and_no_faster_than_critical") {
  for (auto const& in : cells())
    for (double q : {1e-9, 1e-3, 0.2, 8.0}) {
      auto const out = outflow_discharge(in, -q, g);
      CHECK(out.mass == -q);
      CHECK(std::isfinite(out.momentum));
      double const invariant = in.un + 2 * std::sqrt(g * in.h);
      double const h = depth_for_discharge(invariant, -q, g);
      CHECK(q / h <= std::sqrt(g * h) * (1 + 1e-6));
      if (q / h < std::sqrt(g * h) * (1 - 1e-6))
        CHECK(-q / h + 2 * std::sqrt(g * h) == Approx(invariant).epsilon(1e-6));
    }
}

TEST_CASE("critical_outflow_is_critical") {
  for (auto const& in : cells()) {
    double const c_in = std::sqrt(g * in.h);
    auto const out = outflow_critical(in, g);
    CHECK(out.mass >= 0);
    if (in.un >= c_in) {
      CHECK(out.mass == in.h * in.un);
    } else if (out.mass > 0) {
      double const c = (in.un + 2 * c_in) / 3, h = c * c / g;
      CHECK(froude(out, h) == Approx(1).epsilon(1e-12));
      CHECK(out.momentum == Approx(h * c * c + g * (h * h - in.h * in.h) / 2).epsilon(1e-12));
    }
  }
}

TEST_CASE("open_side_lets_nothing_in") {
  for (auto const& in : cells()) {
    auto const out = outflow_open(in, smooth_site());
    CHECK(out.mass == (in.un > 0 ? in.h * in.un : 0));
    CHECK(out.transverse == (in.un > 0 ? in.h * in.un * in.ut : 0));
  }
}

TEST_CASE("open_side_goes_on_as_gradually_varied_flow_does_but_no_lower_than_critical") {
  auto site = smooth_site();
  site.friction = FrictionLaw::Type::manning;
  site.friction_parameter = friction_parameter(FrictionLaw::Type::manning, 0.03, g);
  Cell const in{1, 0.8, 0, 0};
  // Sf = n² u² / h^(4/3), over 5 m: the depth falls by Sf 5 / (1 - u²/(g h))
  double const slope = 9e-4 * 0.64, h = 1 - slope * 5 / (1 - 0.64 / g);
  double const un = 0.8 + 2 * (std::sqrt(g) - std::sqrt(g * h));
  CHECK(outflow_open(in, site).mass == Approx(h * un).epsilon(1e-9));
  CHECK(boundary_depth(in, outflow_open(in, site), h) == Approx(h).epsilon(1e-9));
  site.fall = slope / 90;  // ground that is not level
  CHECK(outflow_open(in, site).mass == Approx(0.8).epsilon(1e-12));
  site.fall = -0.1;  // a bed that rises outwards is no gain
  CHECK(outflow_open(in, site).mass == Approx(h * un).epsilon(1e-9));
  site.fall = 0;
  site.length = 1e4;
  CHECK(outflow_open(in, site).mass == Approx(outflow_critical(in, g).mass).epsilon(1e-12));
  CHECK(outflow_open(Cell{1, 4, 0, 0}, site).mass == 4);  // supercritical
  CHECK(outflow_open(Cell{1, 0, 0, 0}, site).mass == 0);
}

TEST_CASE("normal_depth_outflow_is_uniform_flow") {
  double const n = 0.03, slope = 0.002, h = 0.8;
  double const k = friction_parameter(FrictionLaw::Type::manning, n, g);
  auto const out = outflow_normal_depth(Cell{h, 0.1, 0, 0}, FrictionLaw::Type::manning, k, slope, g, 1e-6);
  CHECK(out.mass == Approx(std::pow(h, 5.0 / 3) * std::sqrt(slope) / n).epsilon(1e-12));
  double const chezy = friction_parameter(FrictionLaw::Type::chezy, 45, g);
  CHECK(outflow_normal_depth(Cell{h, 0.1, 0, 0}, FrictionLaw::Type::chezy, chezy, slope, g, 1e-6).mass ==
        Approx(45 * h * std::sqrt(h * slope)).epsilon(1e-12));
}

TEST_CASE("still_water_meets_no_incoming_wave") {
  for (double h : {0.01, 1.0, 20.0}) {
    auto const out = outflow_incoming_wave(Cell{h, 0, 0, -h}, 0.0, 0.0, g);
    CHECK(std::abs(out.mass) <= 1e-15 * h * std::sqrt(g * h));
    CHECK(std::abs(out.momentum) <= 1e-14 * g * h * h);
  }
}

TEST_CASE("incoming_wave_raises_the_level_by_its_elevation") {
  double const h = 10, a = 0.05;
  auto const out = outflow_incoming_wave(Cell{h, 0, 0, -h}, a, 0.0, g);
  // Against still water inside, the state at the face is the simple wave itself.
  double const speed = 2 * (std::sqrt(g * (h + a)) - std::sqrt(g * h));
  CHECK(out.mass < 0);
  Cell const wave{h + a, -speed, 0, -h};
  auto const carried = outflow_incoming_wave(wave, a, 0.0, g);
  CHECK(carried.mass == Approx(-(h + a) * speed).epsilon(1e-10));
  CHECK(boundary_depth(wave, carried, h + a) == Approx(h + a).epsilon(1e-10));
}

namespace {

/// A channel 300 m long and 2 m deep, with a hump of water 0.1 m high about x = 200 running east.
Scenario channel_with_wave(int order) {
  auto s = basin(300, 3, 1);
  s.initial.velocity_x.raster.assign(s.bed.size(), 0.0);
  for (std::size_t c = 0; c < s.bed.size(); ++c) {
    double const x = s.grid.x_centre(int(c % 300)), h = 2 + 0.1 * std::exp(-std::pow((x - 200) / 15, 2));
    s.initial.depth.raster[c] = h;
    s.initial.velocity_x.raster[c] = 2 * (std::sqrt(g * h) - std::sqrt(g * 2));
  }
  s.scheme.order = order;
  return s;
}

/// What is left of the wave's height once it has met the east side.
double reflected_share(Boundary::Type type) {
  auto s = channel_with_wave(2);
  auto b = on_side(s, Side::east, type, TimeSeries::constant(type == Boundary::Type::level ? 2 : 0));
  b.still_level = 2;
  s.boundaries.push_back(b);
  auto sim = make_simulation(s);
  sim->advance_to(48);  // the wave left before t = 33 s; what came back is half-way home
  auto const state = sim->state();
  return std::max(largest(state.h) - 2, 2 - smallest(state.h)) / 0.1;
}

}  // namespace

TEST_CASE("absorbing_side_reflects_less_than_one_per_cent") {
  CHECK(reflected_share(Boundary::Type::incoming_wave) < 0.01);
}

TEST_CASE("open_side_reflects_less_than_one_per_cent_of_a_crest") {
  CHECK(reflected_share(Boundary::Type::open) < 0.01);
}

TEST_CASE("still_water_stands_at_an_open_side") {
  for (int order : {1, 2}) {
    auto s = basin(20, 4, 5);
    s.bed = sample(s.grid, [](double x, double) { return 0.01 * x; });
    fill_to(s, 2);
    s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
    s.scheme.order = order;
    for (Side side : all_sides) s.boundaries.push_back(on_side(s, side, Boundary::Type::open));
    auto sim = make_simulation(s);
    step(*sim, 500);
    CHECK(largest_speed(sim->state()) <= 1e-13);
    CHECK(sim->balance().boundary_out <= 1e-12 * sim->balance().initial);
  }
}

namespace {

/// Depth of gradually varied flow q [m²/s] on a level bed `distance` [m] above a free fall.
double drawdown_depth(double q, double n, double distance) {
  double h = std::cbrt(q * q / g), x = 0;
  // dx/dh = (Fr² - 1) / Sf, from critical depth upwards
  auto const slope = [&](double at) {
    return (1 - q * q / (g * at * at * at)) * std::pow(at, 10.0 / 3) / (n * n * q * q);
  };
  for (double const dh = 1e-5; x < distance; h += dh) x += slope(h + dh / 2) * dh;
  return h;
}

}  // namespace

TEST_CASE("an_open_side_ends_a_level_plain_as_a_fall_does_and_nothing_piles_up") {
  for (double start : {0.0, 1.5})
    for (int order : {1, 2}) {
      auto s = basin(100, 1, 5);
      fill_to(s, start);
      s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
      s.scheme.order = order;
      s.boundaries = {on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(5)),
                      on_side(s, Side::east, Boundary::Type::open)};
      auto sim = make_simulation(s);
      sim->advance_to(4000);
      auto const h = sim->state().h;
      CHECK(h[50] == Approx(drawdown_depth(1, 0.03, 247.5)).epsilon(0.01));
      CHECK(h[10] == Approx(drawdown_depth(1, 0.03, 447.5)).epsilon(0.01));
      CHECK(h[99] < 0.7);
    }
}

TEST_CASE("an_open_side_ends_a_slope_at_normal_depth") {
  for (double start : {0.0, 1.5})
    for (int order : {1, 2}) {
      auto s = basin(50, 1, 10);
      s.bed = sample(s.grid, [](double x, double) { return -0.001 * x; });
      for (auto& h : s.initial.depth.raster) h = start;
      s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
      s.scheme.order = order;
      s.boundaries = {on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(10)),
                      on_side(s, Side::east, Boundary::Type::open)};
      auto sim = make_simulation(s);
      sim->advance_to(7200);
      auto const h = sim->state().h;
      for (int i = 5; i < 50; ++i) CHECK(h[std::size_t(i)] == Approx(0.968886).epsilon(0.003));
    }
}

TEST_CASE("a_filled_basin_falls_over_a_critical_side_as_over_a_broad_crest") {
  for (int order : {1, 2}) {
    auto s = basin(400, 1, 1);
    fill_to(s, 2);
    s.scheme.order = order;
    s.boundaries = {on_side(s, Side::east, Boundary::Type::critical)};
    auto sim = make_simulation(s);
    sim->advance_to(50);
    // Until the wave is back from the far end: (8/27) sqrt(g) h^1.5 of a dam that is gone (Ritter 1892).
    CHECK(sim->balance().boundary_out ==
          Approx(50 * 8.0 / 27 * std::sqrt(g) * std::pow(2, 1.5)).epsilon(0.005));
  }
  // A lake that is fed, running off over a smooth sill 1 m high: energy 1.5 (q²/g)^(1/3) above it.
  for (int order : {1, 2}) {
    auto s = basin(200, 1, 5);
    s.bed = sample(s.grid, [](double x, double) {
      return x < 600 ? 0.0 : x > 900 ? 1.0 : std::pow(std::sin(M_PI / 2 * (x - 600) / 300), 2);
    });
    fill_to(s, 1.5);
    s.scheme.order = order;
    s.boundaries = {on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(5)),
                    on_side(s, Side::east, Boundary::Type::critical)};
    auto sim = make_simulation(s);
    sim->advance_to(5000);
    auto const state = sim->state();
    double const u = state.hu[60] / state.h[60];
    CHECK(state.h[60] + u * u / (2 * g) - 1 ==
          Approx(1.5 * std::cbrt(1 / g)).epsilon(order == 1 ? 0.03 : 0.01));
    CHECK(state.hu[60] == Approx(1).epsilon(0.005));
    CHECK(std::abs(sim->balance().relative_error()) < 1e-12);
  }
}

TEST_CASE("a_state_outside_at_rest_gives_exactly_nothing_and_a_fast_one_comes_in_as_it_is") {
  auto const still = outflow_to_state(Cell{1.2, 0, 0, 0.5}, 1.7, 0.0, 0.0, g, 1e-6);
  CHECK(still.mass == 0);
  CHECK(still.momentum == 0);
  auto const fast = outflow_to_state(Cell{0.4, 0.3, -0.2, 0}, 1.0, -8.0, 2.0, g, 1e-6);
  CHECK(fast.mass == Approx(-8).epsilon(1e-12));
  CHECK(fast.momentum == Approx(64 + g / 2 * (1 - 0.16)).epsilon(1e-12));
  CHECK(fast.transverse == Approx(-16).epsilon(1e-12));
  auto const leaving = outflow_to_state(Cell{0.4, 5, 1, 0}, 0.1, 0.0, 0.0, g, 1e-6);
  CHECK(leaving.mass == Approx(2).epsilon(1e-12));
  CHECK(outflow_to_state(Cell{0, 0, 0, 0}, -1.0, 0.0, 0.0, g, 1e-6).mass == 0);
}

TEST_CASE("a_state_boundary_holds_an_oblique_supercritical_stream_on_all_sides") {
  for (auto precision : {Precision::double_precision, Precision::single_precision})
    for (int order : {1, 2}) {
      auto s = basin(16, 12, 2);
      fill_to(s, 0.5);
      s.initial.velocity_x.constant = 4;
      s.initial.velocity_y.constant = -3;
      s.scheme.order = order;
      for (Side side : all_sides) {
        auto b = on_side(s, side, Boundary::Type::state, TimeSeries::constant(0.5));
        b.velocity_x = TimeSeries::constant(4);
        b.velocity_y = TimeSeries::constant(-3);
        s.boundaries.push_back(b);
      }
      auto sim = make_simulation(s, {}, precision);
      sim->advance_to(20);
      auto const state = sim->state();
      double const margin = precision == Precision::double_precision ? 1e-12 : 2e-6;
      for (std::size_t c = 0; c < state.h.size(); ++c) {
        CHECK(state.h[c] == Approx(0.5).margin(margin));
        CHECK(state.hu[c] == Approx(2).margin(4 * margin));
        CHECK(state.hv[c] == Approx(-1.5).margin(4 * margin));
      }
      double const through = 20 * 0.5 * (4 * 24 + 3 * 32);
      CHECK(sim->balance().boundary_in == Approx(through).epsilon(1e-5));
    }
}

TEST_CASE("fixed_level_reflects_the_whole_wave") {
  double const share = reflected_share(Boundary::Type::level);
  CHECK(share > 0.8);
  CHECK(share < 1.05);
}

TEST_CASE("incoming_wave_arrives_with_its_height") {
  auto s = basin(200, 3, 5);
  for (auto& h : s.initial.depth.raster) h = 10;
  TimeSeries series;
  for (int k = 0; k <= 200; ++k) {
    series.time.push_back(k * 0.5);
    series.value.push_back(k < 120 ? 0.02 * std::pow(std::sin(M_PI * k / 120.0), 2) : 0.0);
  }
  auto b = on_side(s, Side::west, Boundary::Type::incoming_wave, series);
  b.still_level = 10;
  s.boundaries.push_back(b);
  s.scheme.order = 2;
  MaximaOptions maxima;
  maxima.depth = true;
  auto sim = make_simulation(s, maxima);
  sim->advance_to(80);
  double const height = sim->maxima()[0].values[s.grid.index(60, 1)] - 10;
  CHECK(height == Approx(0.02).epsilon(0.01));
  CHECK(std::abs(sim->balance().relative_error()) < 1e-13);
}

TEST_CASE("volume_balance_closes_for_every_boundary_and_order") {
  auto const types = {Boundary::Type::open,         Boundary::Type::level,
                      Boundary::Type::discharge,    Boundary::Type::critical,
                      Boundary::Type::normal_depth, Boundary::Type::discharge_per_width,
                      Boundary::Type::rating_curve, Boundary::Type::incoming_wave,
                      Boundary::Type::state,        Boundary::Type::tide};
  for (auto type : types)
    for (int order : {1, 2}) {
      INFO("boundary type " << int(type) << ", order " << order);
      auto s = basin(24, 10, 5);
      s.bed = sample(s.grid, [](double x, double y) { return 0.3 * std::sin(0.1 * x) + 0.004 * y; });
      fill_to(s, 0.35);
      s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
      for (Side side : {Side::west, Side::north}) {
        auto b = on_side(s, side, type, {{0, 30, 60}, {0.4, 0.2, 0.5}});
        b.slope = 0.002;
        b.velocity_x = TimeSeries::constant(0.2);
        b.constituents = {{0.1, 50, 0.5}};
        b.still_level = 0.3;
        b.curve_level = {0, 0.5};
        b.curve_discharge = {0, 4};
        s.boundaries.push_back(b);
      }
      s.scheme.order = order;
      auto sim = make_simulation(s);
      sim->advance_to(60);
      auto const balance = sim->balance();
      CHECK(std::abs(balance.relative_error()) < 1e-13);
      CHECK(smallest(sim->state().h) >= 0);
      bool const asked = type == Boundary::Type::discharge || type == Boundary::Type::discharge_per_width;
      double const share = type == Boundary::Type::discharge ? 2 : 24 * 5 + 10 * 5;
      if (asked) CHECK(balance.boundary_in == Approx(share * (0.3 * 30 + 0.35 * 30)).epsilon(1e-12));
      if (asked) CHECK(balance.boundary_out == 0);
    }
}

TEST_CASE("discharge_integrates_exactly_over_kinks_and_jumps") {
  for (int order : {1, 2})
    for (auto interpolation : {TimeSeries::Interpolation::linear, TimeSeries::Interpolation::step}) {
      auto s = basin(10, 4, 10);
      fill_to(s, 0.2);
      TimeSeries const series{{0, 7.3, 12, 12, 20}, {1, 4, 4, 0, 2}, interpolation};
      s.boundaries.push_back(on_side(s, Side::west, Boundary::Type::discharge, series));
      s.scheme.order = order;
      auto sim = make_simulation(s);
      sim->advance_to(20);
      CHECK(sim->balance().boundary_in == Approx(series.integral(0, 20)).epsilon(1e-12));
    }
}

TEST_CASE("held_level_stays_as_it_is_late_in_a_run") {
  auto s = basin(10, 4, 10);
  s.bed.assign(s.bed.size(), 250.0);
  fill_to(s, 253.7);
  s.start_time = 1e7;
  for (Side side : all_sides)
    s.boundaries.push_back(on_side(s, side, Boundary::Type::level, {{0, 1e8}, {253.7, 253.7}}));
  auto sim = make_simulation(s);
  step(*sim, 200);
  CHECK(largest_speed(sim->state()) <= 1e-13 * std::sqrt(9.81 * 3.7));
}

TEST_CASE("discharge_is_the_total_whatever_the_cells") {  // the width of the side does not matter
  for (double dx : {10.0, 5.0}) {
    auto s = basin(int(100 / dx), int(40 / dx), dx);
    fill_to(s, 0.2);
    s.boundaries.push_back(on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(3)));
    auto sim = make_simulation(s);
    sim->advance_to(50);
    CHECK(sim->balance().boundary_in == Approx(150).epsilon(1e-13));
    CHECK(volume(s.grid, sim->state()) == Approx(0.2 * 4000 + 150).epsilon(1e-13));
  }
}

TEST_CASE("periodic_channel_is_the_same_wherever_it_is_cut") {
  auto const run = [](int shift, bool along_x, int order) {
    auto s = basin(along_x ? 30 : 8, along_x ? 8 : 30, 1);
    for (int j = 0; j < s.grid.ny; ++j)
      for (int i = 0; i < s.grid.nx; ++i) {
        double const phase = 2 * M_PI * (((along_x ? i : j) + shift) % 30) / 30.0, across = along_x ? j : i;
        s.bed[s.grid.index(i, j)] = 0.2 * std::sin(phase) + 0.01 * across;
        s.initial.depth.raster[s.grid.index(i, j)] = std::max(0.0, 0.15 + 0.1 * std::cos(2 * phase));
      }
    s.friction = {FrictionLaw::Type::manning, {0.02, {}}};
    (along_x ? s.initial.velocity_x : s.initial.velocity_y).constant = 0.5;
    s.boundaries.push_back(on_side(s, along_x ? Side::west : Side::south, Boundary::Type::periodic));
    s.boundaries.push_back(on_side(s, along_x ? Side::east : Side::north, Boundary::Type::periodic));
    s.scheme.order = order;
    auto sim = make_simulation(s);
    step(*sim, 150);
    CHECK(std::abs(sim->balance().relative_error()) < 1e-13);
    auto const h = sim->state().h;
    std::vector<double> line;
    for (int k = 0; k < 30; ++k)
      for (int across = 0; across < 8; ++across) {
        int const at = (k + 30 - shift) % 30;
        line.push_back(h[along_x ? s.grid.index(at, across) : s.grid.index(across, at)]);
      }
    return line;
  };
  for (int order : {1, 2}) {
    auto const uncut = run(0, true, order);
    CHECK(same_bits(uncut, run(7, true, order)));
    CHECK(largest_difference(uncut, run(0, false, order)) < 1e-12);
    CHECK(largest_difference(uncut, run(16, false, order)) < 1e-12);
  }
}
