/// \file
/// Rain, infiltration, evaporation, inflow and forces on the water, against numbers worked out by hand.

#include <numbers>

#include "solver/source/coriolis.hpp"
#include "solver/source/wind.hpp"
#include "tests/forcing/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

constexpr double mm = 1e-3, hour = 3600;
constexpr double g = 9.81;

std::unique_ptr<Simulation> run(Scenario const& s, double end,
                                Precision precision = Precision::double_precision) {
  auto sim = make_simulation(s, {}, precision);
  sim->advance_to(end);
  return sim;
}

/// Largest speed of a row of cells but for those beside the walls, whose level is flat.
double inner_speed(StateHost const& state) {
  double r = 0;
  for (std::size_t c = 3; c + 3 < state.h.size(); ++c) r = std::max(r, std::abs(state.hu[c]) / state.h[c]);
  return r;
}

}  // namespace

TEST_CASE("uniform_rain_fills_a_basin_by_the_step_rule") {
  for (int order : {1, 2}) {
    auto s = basin(4, 3, 10);
    s.scheme.order = order;
    s.sources.push_back(source(Source::Type::rain, steps({0, 100, 200}, {36 * mm / hour, 0, 0})));
    auto const sim = run(s, 200);
    for (double h : sim->state().h) CHECK(h == Approx(1 * mm).epsilon(1e-12));
    CHECK(sim->balance().rain == Approx(1.2).epsilon(1e-12));
    CHECK(std::abs(sim->balance().relative_error()) < 1e-12);
  }
}

TEST_CASE("single_precision_keeps_rain_on_deep_water") {
  auto s = basin(16, 16, 10);
  fill_depth(s, 1);
  s.scheme.max_dt = 0.1;
  s.sources.push_back(source(Source::Type::rain, TimeSeries::constant(1 * mm / hour)));
  auto const sim = run(s, 100, Precision::single_precision);
  auto const b = sim->balance();
  CHECK(b.final_ - b.initial == Approx(100 * mm / hour * 25600).epsilon(1e-3));
}

TEST_CASE("zones_of_rain_add_up_where_they_overlap") {
  auto s = basin(4, 1, 10);
  s.bed = {0, 1, 2, 3};  // each cell keeps its film for the first instant
  s.sources.push_back(source(Source::Type::rain, TimeSeries::constant(1e-5), {0, 1}));
  s.sources.push_back(source(Source::Type::rain, TimeSeries::constant(2e-5), {1, 2}));
  s.scheme.max_dt = 0.01;
  auto const sim = run(s, 0.01);
  auto const h = sim->state().h;
  CHECK(h[0] == Approx(1e-7));
  CHECK(h[1] == Approx(3e-7));
  CHECK(h[2] == Approx(2e-7));
  CHECK(h[3] == 0);
  CHECK(std::abs(sim->balance().relative_error()) < 1e-12);
}

TEST_CASE("rain_rasters_hold_from_their_time_to_the_next") {
  auto s = basin(2, 2, 10);
  Source rain = source(Source::Type::rain, {});
  rain.rasters = {{10, 60, 110}, {{1e-5, 1e-5, 1e-5, 1e-5}, {0, 0, 0, 0}, {2e-5, 4e-5, 2e-5, 0}}};
  s.sources.push_back(rain);
  auto const sim = make_simulation(s);
  // 60 s of 1e-5 (the first raster holds before its time too), none for 50 s, then 2e-5 on the mean for 20 s
  CHECK(worst_balance(*sim, 130) < 1e-12);
  CHECK(sim->balance().rain == Approx(400 * (60e-5 + 20 * 2e-5)).epsilon(1e-12));
}

TEST_CASE("N12_constant_infiltration_takes_all_there_is_and_no_more") {
  for (auto precision : {Precision::double_precision, Precision::single_precision})
    for (int order : {1, 2}) {
      auto s = basin(4, 3, 10);
      s.scheme.order = order;
      fill_depth(s, 5 * mm);
      auto ground = infiltration(InfiltrationModel::constant);
      ground.rate.constant = 36 * mm / hour;
      s.sources.push_back(ground);
      auto const sim = make_simulation(s, {}, precision);
      double const tolerance = precision == Precision::double_precision ? 1e-10 : 1e-6;
      sim->advance_to(250);
      CHECK(sim->balance().infiltration == Approx(3.0).epsilon(1e-5));
      sim->advance_to(501);
      for (double h : sim->state().h) CHECK(h == 0);
      CHECK(sim->balance().infiltration == Approx(6.0).epsilon(tolerance));
      sim->advance_to(1000);
      CHECK(sim->balance().infiltration == Approx(6.0).epsilon(tolerance));
      CHECK(std::abs(sim->balance().relative_error()) < tolerance);
    }
}

TEST_CASE("horton_under_ponded_water_follows_his_curve") {
  auto s = basin(3, 3, 10);
  fill_depth(s, 1);
  s.scheme.max_dt = 5;
  auto ground = infiltration(InfiltrationModel::horton);
  ground.rate.constant = 10 * mm / hour;
  ground.initial_rate.constant = 60 * mm / hour;
  ground.decay.constant = 4 / hour;
  s.sources.push_back(ground);
  // 10 + 50/4 (1 - exp(-4)) mm in the first hour
  CHECK(run(s, 3600)->balance().infiltration / 900 == Approx(22.271054513 * mm).epsilon(1e-6));
}

TEST_CASE("horton_remembers_how_wet_the_ground_is_not_how_late_it_is") {
  auto s = basin(1, 1, 10);
  auto ground = infiltration(InfiltrationModel::horton);
  ground.rate.constant = 10 * mm / hour;
  ground.initial_rate.constant = 60 * mm / hour;
  ground.decay.constant = 4 / hour;
  s.sources.push_back(ground);
  s.sources.push_back(source(Source::Type::rain, steps({0, 7200}, {0, 30 * mm / hour})));
  s.scheme.max_dt = 5;
  auto const sim = run(s, 7200 + 600);
  // After two dry hours the ground still takes more than 30 mm/h: nothing stands on it.
  CHECK(sim->state().h[0] == 0);
  CHECK(sim->balance().infiltration == Approx(5 * mm * 100).epsilon(1e-9));
}

TEST_CASE("green_ampt_under_ponded_water_solves_its_implicit_equation") {
  double const K = 3e-6, S = 0.03, t = 3600;
  double F = 0.03;  // F - S ln(1 + F/S) = K t
  for (int k = 0; k < 50; ++k) F -= (F - S * std::log(1 + F / S) - K * t) / (F / (F + S));
  for (auto precision : {Precision::double_precision, Precision::single_precision}) {
    auto s = basin(3, 3, 1000);
    fill_depth(s, 1);
    s.scheme.max_dt = 10;
    auto ground = infiltration(InfiltrationModel::green_ampt);
    ground.rate.constant = K;
    ground.suction_deficit.constant = S;
    s.sources.push_back(ground);
    auto const sim = run(s, t, precision);
    CHECK(sim->balance().infiltration / 9e6 == Approx(F).epsilon(2e-3));
    CHECK(std::abs(sim->balance().relative_error()) <
          (precision == Precision::double_precision ? 1e-12 : 1e-6));
    if (precision == Precision::single_precision) continue;
    s.scheme.max_dt = 1;
    double const fine = std::abs(run(s, t)->balance().infiltration / 9e6 - F);
    CHECK(fine < 0.3 * std::abs(sim->balance().infiltration / 9e6 - F));
  }
}

TEST_CASE("green_ampt_takes_all_rain_until_ponding_and_keeps_count_per_cell") {
  double const K = 5e-6, S = 0.02, rain = 2e-5;
  auto s = basin(2, 1, 10);
  s.bed = {0, 10};
  auto ground = infiltration(InfiltrationModel::green_ampt);
  ground.rate = {0, {K, 0}};
  ground.suction_deficit.constant = S;
  s.sources.push_back(ground);
  s.sources.push_back(source(Source::Type::rain, TimeSeries::constant(rain)));
  s.bed[1] = std::numeric_limits<double>::quiet_NaN();
  s.scheme.max_dt = 1;
  // Ponding when K (1 + S/F) = rain: F = K S / (rain - K), after F / rain = 333.3 s.
  double const ponding = K * S / (rain - K) / rain;
  CHECK(run(s, ponding - 5)->state().h[0] < 1e-12);
  CHECK(run(s, ponding + 5)->state().h[0] > 1e-7);
}

TEST_CASE("curve_number_leaves_the_runoff_of_its_formula") {
  for (int order : {1, 2}) {
    auto s = basin(3, 1, 10);
    s.scheme.order = order;
    s.scheme.max_dt = 7;
    auto ground = infiltration(InfiltrationModel::scs_cn);
    ground.retention.constant = 25.4 * mm * (1000.0 / 80 - 10);  // 63.5 mm
    ground.initial_abstraction.constant = 0.2 * 63.5 * mm;
    s.sources.push_back(ground);
    s.sources.push_back(
        source(Source::Type::rain, steps({0, 1800, 3600}, {150 * mm / hour, 50 * mm / hour, 0})));
    auto const sim = run(s, 4000);
    // (100 - 12.7)² / (100 - 12.7 + 63.5) mm run off
    CHECK(sim->state().h[1] == Approx(50.539058355 * mm).epsilon(1e-9));
    CHECK(std::abs(sim->balance().relative_error()) < 1e-12);
  }
}

TEST_CASE("what_dry_ground_took_of_the_rain_is_remembered_when_the_rain_has_stopped") {
  for (int order : {1, 2})
    for (bool skip : {true, false}) {
      auto s = basin(300, 100, 10);  // several tiles
      s.scheme.order = order;
      s.scheme.skip_dry_tiles = skip;
      s.scheme.max_dt = 7;
      auto ground = infiltration(InfiltrationModel::green_ampt);
      ground.rate.constant = 36 * mm / hour;
      ground.suction_deficit.constant = 0.05;
      s.sources = {ground, source(Source::Type::rain, steps({0, 100, 107}, {18 * mm / hour, 0, 0}))};
      auto const sim = make_simulation(s);
      for (double t : {100.0, 103.0, 110.0, 117.0, 131.0}) {
        sim->advance_to(t);
        CHECK(sim->balance().infiltration == Approx(0.5 * mm * 3e6).epsilon(1e-12));
        CHECK(std::abs(sim->balance().relative_error()) < 1e-12);
      }
    }
}

TEST_CASE("infiltration_takes_momentum_along_and_keeps_the_velocity") {
  auto s = basin(8, 8, 10);
  fill_depth(s, 0.5);
  s.initial.velocity_x.constant = 1;
  s.boundaries = {on_side(s, Side::west, Boundary::Type::periodic),
                  on_side(s, Side::east, Boundary::Type::periodic)};
  auto ground = infiltration(InfiltrationModel::constant);
  ground.rate.constant = 1e-3;
  s.sources.push_back(ground);
  auto const state = run(s, 100)->state();
  for (std::size_t c = 0; c < state.h.size(); ++c)
    CHECK(state.hu[c] / state.h[c] == Approx(1).epsilon(1e-12));
  CHECK(state.h[0] == Approx(0.4).epsilon(1e-12));
}

TEST_CASE("evaporation_dries_a_pond_exactly_and_only_where_asked") {
  for (auto precision : {Precision::double_precision, Precision::single_precision}) {
    auto s = basin(2, 1, 10);
    s.bed = {0, 0};
    fill_depth(s, 5 * mm);
    auto const evaporation = source(Source::Type::evaporation, TimeSeries::constant(36 * mm / hour));
    s.sources.push_back(evaporation);
    auto const sim = make_simulation(s, {}, precision);
    double const tolerance = precision == Precision::double_precision ? 1e-12 : 1e-6;
    sim->advance_to(250);
    CHECK(sim->balance().evaporation == Approx(0.5).epsilon(tolerance));
    sim->advance_to(600);
    for (double h : sim->state().h) CHECK(h == 0);
    CHECK(sim->balance().evaporation == Approx(1.0).epsilon(tolerance));
    CHECK(std::abs(sim->balance().relative_error()) < tolerance);
  }
  auto s = basin(3, 1, 10);
  s.bed = {0, std::numeric_limits<double>::quiet_NaN(), 0};
  fill_depth(s, 5 * mm);
  s.sources.push_back(source(Source::Type::evaporation, TimeSeries::constant(36 * mm / hour), {2}));
  auto const state = run(s, 100)->state();
  CHECK(state.h[0] == 5 * mm);
  CHECK(state.h[2] == Approx(4 * mm));
}

TEST_CASE("inflow_and_abstraction_may_share_a_cell_and_never_take_what_is_not_there") {
  for (auto precision : {Precision::double_precision, Precision::single_precision}) {
    auto s = basin(5, 5, 10);
    s.sources.push_back(source(Source::Type::inflow, TimeSeries::constant(2), {12, 13}));
    s.sources.push_back(source(Source::Type::inflow, steps({0, 50}, {0, -100}), {13}));
    auto const sim = make_simulation(s, {}, precision);
    CHECK(worst_balance(*sim, 100) < (precision == Precision::double_precision ? 1e-12 : 1e-6));
    auto const b = sim->balance();
    CHECK(b.inflow == Approx(200).epsilon(1e-6));
    CHECK(b.abstraction > 50);
    CHECK(b.abstraction < 200);
    CHECK(smallest(sim->state().h) >= 0);
    REQUIRE(b.terms.size() == 2);
    CHECK(b.terms[0].in == Approx(200).epsilon(1e-6));
    CHECK(b.terms[1].out == b.abstraction);
  }
}

TEST_CASE("N20_a_pit_filled_and_emptied_shows_its_peak_in_the_maxima") {
  auto s = basin(3, 3, 10);
  s.bed.assign(9, 10);
  s.bed[4] = 0;
  s.sources.push_back(source(Source::Type::inflow, lines({0, 50, 50, 100}, {1, 1, -1, -1}), {4}));
  MaximaOptions maxima;
  maxima.depth = maxima.time_of_max = true;
  auto const sim = make_simulation(s, maxima);
  sim->advance_to(100);
  CHECK(sim->state().h[4] == Approx(0).margin(1e-12));
  auto const fields = sim->maxima();
  CHECK(fields[0].values[4] == Approx(0.5).epsilon(1e-9));
  CHECK(fields[1].values[4] == Approx(50).margin(1e-9));
}

TEST_CASE("wind_sets_up_the_water_against_its_lee_shore") {
  int const n = 50;
  double const length = 1000;
  auto s = basin(n, 1, length / n);
  fill_depth(s, 2);
  s.scheme.order = 2;
  s.friction = {FrictionLaw::Type::linear, {0.01, {}}};
  s.wind = Wind{};
  s.wind->east = TimeSeries::constant(20);
  s.wind->north = TimeSeries::constant(0);
  auto const sim = run(s, 4000);
  // C = (0.75 + 0.067 * 20) 1e-3, stress 1.225 C 400 Pa; g h h' = stress / density, so h² is linear in x
  double const stress = 1.225 * 2.09e-3 * 400;
  CHECK(stress == Approx(wind_stress(*s.wind, 1, 0).x));
  auto const h = sim->state().h;
  double const distance = length * (n - 1) / n;
  CHECK((h[n - 1] * h[n - 1] - h[0] * h[0]) / 2 == Approx(stress / 1000 / g * distance).epsilon(2e-3));
  CHECK(inner_speed(sim->state()) < 1e-4);
}

TEST_CASE("drag_laws_have_their_published_values") {
  Wind w;
  w.drag = Wind::Drag::garratt;
  CHECK(wind_drag(w, 10) == Approx(1.42e-3));
  w.drag = Wind::Drag::wu;
  CHECK(wind_drag(w, 10) == Approx(1.45e-3));
  w.drag = Wind::Drag::smith_banke;
  CHECK(wind_drag(w, 10) == Approx(1.29e-3));
  w.drag = Wind::Drag::constant;
  w.coefficient = 2e-3;
  CHECK(wind_drag(w, 30) == 2e-3);
}

TEST_CASE("low_air_pressure_lifts_the_water_by_a_centimetre_a_hectopascal") {
  int const n = 40;
  auto s = basin(n, 1, 25);
  fill_depth(s, 5);
  s.scheme.order = 2;
  s.friction = {FrictionLaw::Type::linear, {0.02, {}}};
  auto const pressure = sample(s.grid, [](double x, double) { return 101325 - x; });
  s.air_pressure = AirPressure{{{0, 500}, {std::vector<double>(pressure.size(), 101325), pressure}}};
  auto const sim = run(s, 3000);
  auto const h = sim->state().h;
  CHECK(h[n - 1] - h[0] == Approx((n - 1) * 25 / (1000 * g)).epsilon(2e-3));
  CHECK(inner_speed(sim->state()) < 1e-4);
}

namespace {

/// A channel 10 m deep and 10 km long under a low of `drop` [Pa] that starts at x = 3 km with speed `speed`.
Scenario channel_under_low(double drop, double speed) {
  auto s = basin(1000, 1, 10);
  fill_depth(s, 10);
  s.scheme.order = 2;
  s.pressure_lows.push_back(
      {"low", lines({0, 1e9}, {3000, 3000 + 1e9 * speed}), TimeSeries::constant(5), drop, 200});
  return s;
}

}  // namespace

TEST_CASE("a_low_that_stays_lifts_the_water_as_a_barometer_does") {
  auto s = channel_under_low(1000, 0);
  s.friction = {FrictionLaw::Type::linear, {0.006, {}}};  // damps the sloshing of the channel best
  auto const h = run(s, 4000)->state().h;
  for (int i : {200, 280, 299, 310, 340})
    CHECK(h[std::size_t(i)] - h[700] ==
          Approx(1000 / (1000 * g) * std::exp(-std::pow((10 * (i + 0.5) - 3000) / 200, 2) / 2)).margin(2e-4));
}

TEST_CASE("a_low_at_half_the_speed_of_waves_lifts_the_water_by_a_third_more") {
  double const c = std::sqrt(g * 10);
  for (auto precision : {Precision::double_precision, Precision::single_precision}) {
    auto const h = run(channel_under_low(100, 0.5 * c), 400, precision)->state().h;
    // The low is at 5 km; waves let free at the start have run off at c.
    double peak = 0;
    for (int i = 400; i < 600; ++i) peak = std::max(peak, h[std::size_t(i)] - 10);
    CHECK(peak == Approx(100 / (1000 * g) / (1 - 0.25)).epsilon(0.01));
  }
}

TEST_CASE("a_low_as_fast_as_waves_grows_its_wave_as_proudman_found") {
  double const c = std::sqrt(g * 10), t = 400, radius = 200, lift = 10 / (1000 * g);
  auto const h = run(channel_under_low(10, c), t)->state().h;
  double peak = 0, trough = 0, expected = 0, lowest = 0;
  for (double x : h) {
    peak = std::max(peak, x - 10);
    trough = std::min(trough, x - 10);
  }
  // From rest: eta = c t / 2 dz/ds + z / 4 in the frame of the low, z its lift.
  for (double s = -1000; s < 1000; s += 1) {
    double const z = lift * std::exp(-s * s / (2 * radius * radius)), slope = -s / (radius * radius) * z;
    expected = std::max(expected, c * t / 2 * slope + z / 4);
    lowest = std::min(lowest, c * t / 2 * slope + z / 4);
  }
  CHECK(peak == Approx(expected).epsilon(0.02));
  CHECK(trough == Approx(lowest).epsilon(0.02));
}

TEST_CASE("the_turning_earth_turns_the_flow") {
  for (int order : {1, 2}) {
    auto s = basin(8, 8, 100);
    fill_depth(s, 10);
    s.initial.velocity_x.constant = 0.5;
    for (Side side : all_sides) s.boundaries.push_back(on_side(s, side, Boundary::Type::periodic));
    s.scheme.order = order;
    s.coriolis = 1e-2;
    auto const state = run(s, std::numbers::pi / 2 / s.coriolis)->state();
    // A quarter of an inertial period: from east to south.
    double const tolerance = order == 1 ? 1e-12 : 2e-3;
    CHECK(state.hu[20] / 10 == Approx(0).margin(tolerance));
    CHECK(state.hv[20] / 10 == Approx(-0.5).epsilon(tolerance));
  }
}

TEST_CASE("eddy_viscosity_wears_shear_down_at_its_rate") {
  int const n = 64;
  double const length = 640, k = 2 * std::numbers::pi / length, nu = 2, t = 2000;
  auto s = basin(n, 4, length / n);
  fill_depth(s, 3);
  s.initial.velocity_y.raster = sample(s.grid, [&](double x, double) { return 0.1 * std::sin(k * x); });
  for (Side side : all_sides) s.boundaries.push_back(on_side(s, side, Boundary::Type::periodic));
  s.eddy_viscosity = nu;
  auto const state = run(s, t)->state();
  double amplitude = 0;
  for (int i = 0; i < n; ++i)
    amplitude += 2.0 / n * state.hv[std::size_t(i)] / 3 * std::sin(k * s.grid.x_centre(i));
  CHECK(amplitude == Approx(0.1 * std::exp(-nu * k * k * t)).epsilon(5e-3));
}

TEST_CASE("two_infiltrations_are_refused") {
  auto s = basin(2, 2, 10);
  s.sources = {infiltration(InfiltrationModel::constant), infiltration(InfiltrationModel::constant)};
  CHECK_THROWS_AS(make_simulation(s), std::invalid_argument);
}
