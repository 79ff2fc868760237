/// \file
/// Every kind of boundary, source and structure on the CPU and on the GPU: the same to round-off. Without a
/// GPU each test says so.

#include "tests/forcing/support.hpp"
#include "tests/solver/device_support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

constexpr std::int64_t steps_run = 200;
constexpr double tolerance = 1e-9;  // [m]

/// A valley with a river in it, a hole, and water on part of the ground.
Scenario valley(int order) {
  auto s = basin(72, 50, 10);
  s.scheme.order = order;
  s.bed = sample(s.grid, [](double x, double y) {
    return 3 - 0.002 * x + 0.004 * std::abs(y - 250) + 0.2 * std::sin(x / 37) * std::cos(y / 23);
  });
  for (int j = 20; j < 23; ++j)
    for (int i = 40; i < 44; ++i)
      s.bed[std::size_t(s.grid.index(i, j))] = std::numeric_limits<double>::quiet_NaN();
  fill_to(s, 3.2);
  s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
  return s;
}

/// Runs the valley of both orders on both targets after a change was made to it.
struct LongRuns {
  template <class Change>
  void operator()(std::string const& what, Change const& change) const {
    for (int order : {1, 2}) {
      INFO(what << ", order " << order);
      auto s = valley(order);
      change(s);
      expect_same(s, steps_run, tolerance);
    }
  }
};
/// The same in both precisions for two steps, for tools that slow a GPU down a hundredfold.
struct BriefRuns {
  template <class Change>
  void operator()(std::string const& what, Change const& change) const {
    for (auto precision : {Precision::double_precision, Precision::single_precision})
      for (int order : {1, 2}) {
        bool const single = precision == Precision::single_precision;
        INFO(what << ", order " << order << (single ? ", single" : ", double"));
        auto s = valley(order);
        change(s);
        expect_same(s, 2, single ? 1e-4 : tolerance, {}, precision);
      }
  }
};

Source rain_of(double rate) { return source(Source::Type::rain, TimeSeries::constant(rate)); }

template <class Compare>
void every_boundary(Compare const& compare) {
  for (auto type :
       {Boundary::Type::wall, Boundary::Type::open, Boundary::Type::level, Boundary::Type::discharge,
        Boundary::Type::discharge_per_width, Boundary::Type::normal_depth, Boundary::Type::rating_curve,
        Boundary::Type::critical, Boundary::Type::incoming_wave, Boundary::Type::tide, Boundary::Type::state})
    compare("boundary type " + std::to_string(int(type)), [&](Scenario& s) {
      s.initial.velocity_x.constant = 0.4;
      for (Side side : all_sides) {
        bool const level = type == Boundary::Type::level || type == Boundary::Type::state;
        auto b = on_side(s, side, type, level ? lines({0, 60}, {3.2, 3.6}) : lines({0, 60}, {0.1, 0.3}));
        b.slope = 0.002;
        b.still_level = 3.2;
        b.curve_level = {2.5, 3.5};
        b.curve_discharge = {0, 20};
        b.constituents = {{0.3, 50, 0.5}};
        b.velocity_x = TimeSeries::constant(0.5);
        b.velocity_y = TimeSeries::constant(-0.2);
        s.boundaries.push_back(b);
      }
    });
  compare("periodic", [](Scenario& s) {
    s.bed = sample(s.grid, [](double x, double y) {
      return 0.2 * std::sin(x / 720 * 2 * M_PI) + 0.1 * std::cos(y / 500 * 2 * M_PI);
    });
    fill_to(s, 0.5);
    s.initial.velocity_x.constant = 0.5;
    for (Side side : all_sides) s.boundaries.push_back(on_side(s, side, Boundary::Type::periodic));
  });
}

template <class Compare>
void every_source(Compare const& compare) {
  compare("rain in zones and evaporation", [](Scenario& s) {
    s.sources = {rain_of(2e-5), source(Source::Type::rain, TimeSeries::constant(1e-4), {5, 6, 7, 800, 801}),
                 source(Source::Type::evaporation, TimeSeries::constant(1e-5))};
  });
  compare("rain by rasters", [](Scenario& s) {
    auto rain = rain_of(0);
    rain.rasters = {{0, 20},
                    {sample(s.grid, [](double x, double) { return 1e-7 * x; }),
                     sample(s.grid, [](double, double y) { return 1e-7 * y; })}};
    s.sources = {rain};
  });
  compare("inflow and abstraction", [](Scenario& s) {
    s.sources = {source(Source::Type::inflow, lines({0, 60}, {0, 5}), {1000, 1001, 2000}),
                 source(Source::Type::inflow, TimeSeries::constant(-30), {1001, 1500})};
  });
  for (auto model : {InfiltrationModel::constant, InfiltrationModel::horton, InfiltrationModel::green_ampt,
                     InfiltrationModel::scs_cn})
    compare("infiltration " + std::to_string(int(model)), [&](Scenario& s) {
      auto ground = infiltration(model);
      ground.rate = {0, sample(s.grid, [](double x, double) { return 1e-5 + 1e-8 * x; })};
      ground.initial_rate.constant = 1e-4;
      ground.decay.constant = 1e-3;
      ground.suction_deficit.constant = 0.03;
      ground.retention.constant = 0.06;
      ground.initial_abstraction.constant = 0.001;
      s.sources = {ground, rain_of(5e-5)};
    });
}

template <class Compare>
void every_force_and_moving_bed(Compare const& compare) {
  compare("wind, Coriolis, viscosity", [](Scenario& s) {
    s.wind = Wind{};
    s.wind->east = lines({0, 60}, {5, 15});
    s.wind->north = TimeSeries::constant(-4);
    s.coriolis = 1e-3;
    s.eddy_viscosity = 0.5;
  });
  compare("air pressure and a low", [](Scenario& s) {
    s.air_pressure = AirPressure{{{0, 60},
                                  {sample(s.grid, [](double x, double) { return 1e5 + 0.5 * x; }),
                                   sample(s.grid, [](double, double y) { return 1e5 - 0.5 * y; })}}};
    s.pressure_lows = {{"low", lines({0, 100}, {100, 600}), TimeSeries::constant(250), 500, 80}};
  });
  compare("uplift, bed rasters, breach", [](Scenario& s) {
    BedMotion lift, survey, breach;
    lift.type = BedMotion::Type::uplift;
    lift.series = lines({5, 30}, {0, 1});
    lift.shape.raster =
        sample(s.grid, [](double x, double y) { return std::hypot(x - 300, y - 250) < 60 ? 0.3 : 0.0; });
    survey.type = BedMotion::Type::rasters;
    double const none = std::numeric_limits<double>::quiet_NaN();
    survey.rasters = {{0, 60},
                      {sample(s.grid, [&](double x, double) { return x > 600 ? 2.0 : none; }),
                       sample(s.grid, [&](double x, double) { return x > 600 ? 2.4 : none; })}};
    breach.type = BedMotion::Type::breach;
    breach.series = lines({0, 40}, {3.5, 2.5});
    for (int j = 0; j < 50; ++j) breach.cells.push_back(s.grid.index(20, j));
    s.bed_motions = {lift, survey, breach};
  });
}

template <class Compare>
void every_structure(Compare const& compare) {
  for (auto type : {Structure::Type::weir, Structure::Type::gate, Structure::Type::levee})
    for (bool energy : {false, true})
      compare("line structure " + std::to_string(int(type)), [&](Scenario& s) {
        s.initial.velocity_x.constant = 0.5;
        auto line = line_structure(s, type, 30, type == Structure::Type::gate ? 0.2 : 3.0);
        line.sill_level = 2.6;
        line.energy_head = energy;
        if (type != Structure::Type::gate)
          for (int j = 0; j < s.grid.ny; ++j) line.above_crest.push_back(0.01 * j);
        s.structures = {line};
      });
  compare("culverts and pumps", [](Scenario& s) {
    Structure culvert;
    culvert.name = "culvert";
    culvert.type = Structure::Type::culvert;
    culvert.inlet = s.grid.index(38, 25);
    culvert.outlet = s.grid.index(46, 25);
    culvert.inlet_level = 2.4;
    culvert.outlet_level = 2.3;
    culvert.energy_head = true;
    Structure pump = culvert, out = culvert, in = culvert;
    pump.name = "pump";
    pump.type = out.type = in.type = Structure::Type::pump;
    pump.series = out.series = in.series = TimeSeries::constant(2);
    pump.on_level = 3.1;
    pump.off_level = 2.9;
    out.name = "out";
    out.outlet = Structure::outside;
    in.name = "in";
    in.inlet = Structure::outside;
    in.outlet = s.grid.index(10, 45);
    s.structures = {culvert, pump, out, in};
  });
}

}  // namespace

TEST_CASE("every boundary: GPU equals CPU") {
  if (!no_gpu()) every_boundary(LongRuns{});
}
TEST_CASE("every source of water and every infiltration: GPU equals CPU") {
  if (!no_gpu()) every_source(LongRuns{});
}
TEST_CASE("every force and every moving bed: GPU equals CPU") {
  if (!no_gpu()) every_force_and_moving_bed(LongRuns{});
}
TEST_CASE("every structure: GPU equals CPU") {
  if (!no_gpu()) every_structure(LongRuns{});
}

// compute-sanitizer --tool racecheck test_forcing '[racecheck]'
TEST_CASE("every kernel of forcing for a moment: GPU equals CPU", "[racecheck]") {
  if (no_gpu()) return;
  every_boundary(BriefRuns{});
  every_source(BriefRuns{});
  every_force_and_moving_bed(BriefRuns{});
  every_structure(BriefRuns{});
}
