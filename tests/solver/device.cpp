// CPU and GPU compute the same: whole runs on both, compared cell by cell. Without a GPU each test says so.
#include "tests/solver/device_support.hpp"

namespace swe::test {
namespace {

Scenario dam_break_strip(double downstream) {
  auto s = basin(200, 3, 1);
  s.initial.depth.raster = sample(s.grid, [&](double x, double) { return x < 100 ? 2.0 : downstream; });
  return s;
}

/// Rough land with holes, partly under water, rain and friction.
Scenario rough_land(int n) {
  auto s = basin(n, n - 7, 10);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> height(0, 3);
  for (auto& z : s.bed) z = height(random);
  for (std::size_t c = 0; c < s.bed.size(); c += 37) s.bed[c] = std::numeric_limits<double>::quiet_NaN();
  fill_to(s, 1.2);
  s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
  Source rain;
  rain.name = "rain";
  rain.series = TimeSeries::constant(36 / 3.6e6);
  s.sources.push_back(rain);
  return s;
}

}  // namespace

TEST_CASE("L06 dry and wet dam break: GPU equals CPU after 1000 steps") {
  if (no_gpu()) return;
  for (double downstream : {0.0, 1.0})
    for (int order : {1, 2})
      for (auto riemann : {Scheme::Riemann::hll, Scheme::Riemann::hllc, Scheme::Riemann::roe}) {
        auto s = dam_break_strip(downstream);
        s.scheme.order = order;
        s.scheme.riemann = riemann;
        CAPTURE(downstream, order, int(riemann));
        expect_same(s, 1000, 1e-9);
      }
}

TEST_CASE("N06 column of water in a closed basin: GPU equals CPU, with all maxima") {
  if (no_gpu()) return;
  auto s = basin(9, 9, 1);
  s.initial.depth.raster = sample(s.grid, [](double x, double y) {
    return std::abs(x - 4.5) < 1.5 && std::abs(y - 4.5) < 1.5 ? 1.0 : 0.1;
  });
  s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
  MaximaOptions all;
  all.depth = all.level = all.speed = all.unit_discharge = all.hazard = all.time_of_max = all.arrival =
      all.duration = true;
  expect_same(s, 200, 1e-9, all);
}

// For tools that slow a GPU down a hundredfold: compute-sanitizer --tool racecheck test_solver '[racecheck]'.
TEST_CASE("every kernel of a step for a moment: GPU equals CPU", "[racecheck]") {
  if (no_gpu()) return;
  MaximaOptions all;
  all.depth = all.level = all.speed = all.unit_discharge = all.hazard = all.time_of_max = all.arrival = all.duration = true;
  for (auto precision : {Precision::double_precision, Precision::single_precision})
    for (int order : {1, 2})
      for (auto riemann : all_riemann)
        for (bool extras : {false, true}) {
          auto s = rough_land(40);
          s.scheme.order = order;
          s.scheme.riemann = riemann;
          if (extras) s.sources.push_back(soil(1e-6));
          bool const single = precision == Precision::single_precision;
          INFO((single ? "single" : "double") << ", order " << order << ", " << name_of(riemann) << ", extras " << extras);
          auto cpu = make_simulation(s, all, precision, Device::cpu);
          auto gpu = make_simulation(s, all, precision, Device::gpu);
          Point const line[] = {{200, 0}, {200, 300}};
          for (auto* sim : {cpu.get(), gpu.get()}) {
            sim->set_gauges({5 * 40 + 20, 30 * 40 + 7});
            sim->set_sections({section_faces(s.grid, line)});
            step(*sim, 3);
          }
          expect_same(*cpu, *gpu, single ? 1e-4 : 1e-9, precision);
          double const t = cpu->progress().time, margin = single ? 1e-3 : 1e-8;
          CHECK(gpu->gauges_at(t)[0].level == Approx(cpu->gauges_at(t)[0].level).margin(margin));
          CHECK(gpu->sections_at(t)[0].volume == Approx(cpu->sections_at(t)[0].volume).margin(1e3 * margin));
        }
}

TEST_CASE("rough land with holes, rain and shores: GPU equals CPU") {
  if (no_gpu()) return;
  for (int order : {1, 2}) {
    auto s = rough_land(150);
    s.scheme.order = order;
    CAPTURE(order);
    expect_same(s, 300, 1e-9);
  }
}

TEST_CASE("boundaries, point sources and infiltration: GPU equals CPU") {
  if (no_gpu()) return;
  auto s = rough_land(80);
  s.boundaries.push_back(on_side(s, Side::west, Boundary::Type::discharge, {{0, 1000}, {1, 5}}));
  s.boundaries.push_back(on_side(s, Side::east, Boundary::Type::open));
  s.boundaries.push_back(on_side(s, Side::north, Boundary::Type::level, TimeSeries::constant(1.5)));
  Source spring;
  spring.name = "spring";
  spring.type = Source::Type::inflow;
  spring.series = TimeSeries::constant(0.5);
  for (std::int64_t c = 1000; spring.cells.empty(); ++c)
    if (s.active(c)) spring.cells.push_back(c);
  s.sources.push_back(spring);
  expect_same(s, 300, 1e-9);
}

TEST_CASE("still water on the GPU stays still, and dry tiles left out change no bit") {
  if (no_gpu()) return;
  auto s = rough_land(100);
  s.sources.clear();
  auto gpu = make_simulation(s, {}, Precision::double_precision, Device::gpu);
  step(*gpu, 1000);
  CHECK(largest_speed(gpu->state()) <= 1e-13 * std::sqrt(9.81 * 1.2));

  auto dry = basin(500, 400, 1);
  dry.initial.depth.raster =
      sample(dry.grid, [](double x, double y) { return std::hypot(x - 250, y - 200) < 20 ? 2.0 : 0.0; });
  auto all_tiles = dry;
  all_tiles.scheme.skip_dry_tiles = false;
  auto a = make_simulation(dry, {}, Precision::double_precision, Device::gpu);
  auto b = make_simulation(all_tiles, {}, Precision::double_precision, Device::gpu);
  step(*a, 200);
  step(*b, 200);
  auto const x = a->state(), y = b->state();
  CHECK(x.h == y.h);
  CHECK(x.hu == y.hu);
  CHECK(x.hv == y.hv);
}

TEST_CASE("second order on a large grid, two cells to a thread in single precision: GPU equals CPU") {
  if (no_gpu()) return;
  auto s = basin(3001, 2700, 10);
  s.bed = sample(s.grid, [](double x, double y) { return 3 * std::sin(x * 4e-3) * std::cos(y * 3e-3); });
  fill_to(s, 0.5);
  for (std::size_t c = 0; c < s.bed.size(); c += 100003) s.bed[c] = std::numeric_limits<double>::quiet_NaN();
  s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
  s.initial.velocity_x.constant = 1;
  s.scheme.order = 2;
  for (bool extras : {false, true}) {
    if (extras) s.sources.push_back(soil(1e-6));
    INFO("extras " << extras);
    auto const cpu = make_simulation(s, {}, Precision::single_precision, Device::cpu);
    auto const gpu = make_simulation(s, {}, Precision::single_precision, Device::gpu);
    for (auto* sim : {cpu.get(), gpu.get()}) step(*sim, 10);
    expect_same(*cpu, *gpu, 1e-4, Precision::single_precision);
  }
}

TEST_CASE("single precision on the GPU: the volume is kept to 1e-6 and rain arrives") {
  if (no_gpu()) return;
  auto s = basin(64, 64, 10);
  for (auto& z : s.bed) z = 3000;
  Source rain;
  rain.name = "rain";
  rain.series = TimeSeries::constant(1 / 3.6e6);
  s.sources.push_back(rain);
  s.scheme.max_dt = 1;
  for (double depth : {0.0, 1.0, 10.0}) {
    s.initial.depth.raster.assign(s.bed.size(), depth);
    auto gpu = make_simulation(s, {}, Precision::single_precision, Device::gpu);
    gpu->advance_to(600);
    CAPTURE(depth);
    CHECK(gpu->balance().final_ - gpu->balance().initial ==
          Approx(64 * 64 * 100 * 600 / 3.6e6).epsilon(0.01));
    CHECK(std::abs(gpu->balance().relative_error()) <= 1e-6);
  }
}

}  // namespace swe::test
