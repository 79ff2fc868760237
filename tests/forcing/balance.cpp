/// \file
/// Everything at once: the volume balance, threads, restart, sections.

#include "tests/forcing/support.hpp"

using namespace swe;
using namespace swe::test;

namespace swe::test {
void set_threads(int threads);
}

namespace {

/// A river valley with every kind of forcing at once.
Scenario everything(int order) {
  auto s = basin(150, 70, 10);
  s.scheme.order = order;
  s.bed = sample(s.grid, [](double x, double y) {
    return 5 - 0.002 * x + 0.004 * std::abs(y - 350) + 0.3 * std::sin(x / 37) * std::cos(y / 23);
  });
  for (int j = 30; j < 34; ++j)
    for (int i = 60; i < 66; ++i)
      s.bed[std::size_t(s.grid.index(i, j))] = std::numeric_limits<double>::quiet_NaN();
  s.initial.depth.raster =
      sample(s.grid, [](double x, double y) { return x < 600 && std::abs(y - 350) < 100 ? 0.8 : 0.0; });
  for (std::size_t c = 0; c < s.bed.size(); ++c)
    if (!(s.bed[c] == s.bed[c])) s.initial.depth.raster[c] = 0;
  s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
  auto river = on_side(s, Side::west, Boundary::Type::discharge, lines({0, 200, 400}, {5, 60, 20}));
  auto sea = on_side(s, Side::east, Boundary::Type::tide);
  sea.still_level = 3;
  sea.constituents = {{0.5, 300, 0.3}, {0.1, 100, 1}};
  auto rim = on_side(s, Side::north, Boundary::Type::open);
  s.boundaries = {river, sea, rim};
  s.sources.push_back(source(Source::Type::rain, steps({0, 100, 250}, {5e-5, 1e-5, 0})));
  std::vector<std::int64_t> zone;
  for (int i = 20; i < 50; ++i) zone.push_back(s.grid.index(i, 10));
  s.sources.push_back(source(Source::Type::rain, steps({0, 60}, {2e-4, 1e-4}), zone));
  auto ground = infiltration(InfiltrationModel::green_ampt);
  ground.rate.constant = 5e-6;
  ground.suction_deficit = {0, sample(s.grid, [](double x, double) { return x < 500 ? 0.02 : 0.05; })};
  s.sources.push_back(ground);
  s.sources.push_back(source(Source::Type::evaporation, TimeSeries::constant(1e-6)));
  s.sources.push_back(
      source(Source::Type::inflow, lines({0, 100}, {0, 5}), {s.grid.index(100, 20), s.grid.index(101, 20)}));
  s.sources.push_back(
      source(Source::Type::inflow, TimeSeries::constant(-3), {s.grid.index(30, 35), s.grid.index(101, 20)}));
  s.wind = Wind{};
  s.wind->east = lines({0, 300}, {0, 15});
  s.wind->north = TimeSeries::constant(-4);
  s.coriolis = 1e-4;
  s.eddy_viscosity = 0.5;
  s.air_pressure =
      AirPressure{{{0, 300},
                   {sample(s.grid, [](double x, double) { return 1e5 + 0.1 * x; }),
                    sample(s.grid, [](double x, double y) { return 1e5 - 0.1 * x + 0.2 * y; })}}};
  BedMotion slide;
  slide.name = "slide";
  slide.type = BedMotion::Type::uplift;
  slide.series = lines({50, 120}, {0, 1});
  slide.shape.raster = sample(s.grid, [](double x, double y) {
    return 0.3 * std::exp(-(x - 400) * (x - 400) / 5000 - (y - 350) * (y - 350) / 5000);
  });
  s.bed_motions.push_back(slide);
  s.structures.push_back(line_structure(s, Structure::Type::levee, 90, 3.9));
  Structure culvert;
  culvert.name = "culvert";
  culvert.type = Structure::Type::culvert;
  culvert.inlet = s.grid.index(58, 32);
  culvert.outlet = s.grid.index(68, 32);
  culvert.inlet_level = 4;
  culvert.outlet_level = 3.8;
  Structure pump = culvert;
  pump.name = "pump";
  pump.type = Structure::Type::pump;
  pump.inlet = s.grid.index(40, 35);
  pump.outlet = s.grid.index(120, 60);
  pump.series = TimeSeries::constant(2);
  pump.on_level = 5.2;
  pump.off_level = 4.9;
  s.structures.push_back(culvert);
  s.structures.push_back(pump);
  return s;
}

/// Place of the first number that is not the same to the bit, -1 when all are.
std::ptrdiff_t first_difference(std::vector<double> const& a, std::vector<double> const& b) {
  auto const at = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return at.first == a.end() && at.second == b.end() ? -1 : at.first - a.begin();
}

/// The outline of cells [i0, i1) x [j0, j1), outward positive.
std::vector<SectionFace> ring(int i0, int i1, int j0, int j1) {
  std::vector<SectionFace> faces;
  for (int j = j0; j < j1; ++j) {
    faces.push_back({i0, j, Side::west, -1});
    faces.push_back({i1, j, Side::west, 1});
  }
  for (int i = i0; i < i1; ++i) {
    faces.push_back({i, j0, Side::south, -1});
    faces.push_back({i, j1, Side::south, 1});
  }
  return faces;
}

}  // namespace

TEST_CASE("with_every_forcing_at_once_volume_is_kept_in_every_step") {
  for (int order : {1, 2}) {
    auto const sim = make_simulation(everything(order));
    CHECK(worst_balance(*sim, 300) < 1e-12);
    auto const b = sim->balance();
    CHECK(b.rain > 1000);
    CHECK(b.infiltration > 100);
    CHECK(b.evaporation > 10);
    CHECK(b.inflow > 1000);
    CHECK(b.abstraction > 100);
    CHECK(b.boundary_in > 1000);
    CHECK(b.boundary_out > 1);
    CHECK(b.structures > 10);
    CHECK(smallest(sim->state().h) >= 0);
    for (auto const& t : b.through) CHECK(t.in + t.out > 0);
  }
}

TEST_CASE("with_every_forcing_at_once_threads_change_no_bit") {
  for (auto precision : {Precision::double_precision, Precision::single_precision}) {
    auto const result = [&](int threads) {
      set_threads(threads);
      auto const sim = make_simulation(everything(2), {}, precision);
      sim->set_sections({ring(20, 80, 10, 60)});
      sim->advance_to(60);
      set_threads(2);
      auto const state = sim->state();
      auto const b = sim->balance();
      std::vector<double> all = state.h;
      all.insert(all.end(), state.hu.begin(), state.hu.end());
      std::erase_if(all, [](double x) { return x != x; });
      for (double x :
           {b.rain, b.infiltration, b.evaporation, b.inflow, b.abstraction, b.boundary_in, b.boundary_out,
            b.structures, b.bed_displaced, b.final_, sim->sections_at(60)[0].volume})
        all.push_back(x);
      return all;
    };
    CHECK(first_difference(result(1), result(2)) == -1);
  }
}

TEST_CASE("with_every_forcing_at_once_a_restart_changes_no_bit") {
  for (int order : {1, 2}) {
    auto const scenario = everything(order);
    MaximaOptions maxima;
    maxima.level = true;
    auto const straight = make_simulation(scenario, maxima), first = make_simulation(scenario, maxima),
               second = make_simulation(scenario, maxima);
    std::vector<std::vector<SectionFace>> const sections = {ring(20, 80, 10, 60)};
    for (auto const* sim : {&straight, &first, &second}) (*sim)->set_sections(sections);
    step(*straight, 90);
    step(*first, 50);
    second->restore(first->checkpoint());
    step(*second, 40);
    REQUIRE(second->progress().time == straight->progress().time);
    auto const bits = [](Simulation const& sim) {
      auto const state = sim.state();
      std::vector<double> all;
      for (auto const* v : {&state.h, &state.hu, &state.hv, &state.bed})
        for (double x : *v)
          if (x == x) all.push_back(x);
      auto const highest = sim.maxima();  // a loop over a part of what a call returns would outlive it
      for (double x : highest[0].values)
        if (x == x) all.push_back(x);
      auto const b = sim.balance();
      for (double x : {b.initial, b.rain, b.infiltration, b.evaporation, b.inflow, b.abstraction,
                       b.boundary_in, b.boundary_out, b.structures, b.bed_displaced, b.final_,
                       sim.sections_at(sim.progress().time)[0].volume})
        all.push_back(x);
      return all;
    };
    CHECK(first_difference(bits(*second), bits(*straight)) == -1);
  }
}

TEST_CASE("a_restart_at_any_step_around_the_end_of_a_shower_changes_no_bit") {
  // Ground that takes all the rain stays dry, so its tiles are left out once the shower is over; what it took
  // must be there whichever of its two copies the last step has written.
  for (int order : {1, 2})
    for (auto precision : {Precision::double_precision, Precision::single_precision}) {
      auto s = basin(200, 70, 10);
      s.scheme.order = order;
      s.scheme.max_dt = 5;
      s.bed = sample(s.grid, [](double x, double) { return 0.01 * x; });
      fill_to(s, 1);
      s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
      auto ground = infiltration(InfiltrationModel::green_ampt);
      ground.rate.constant = 1e-5;
      ground.suction_deficit.constant = 0.02;
      s.sources = {ground, source(Source::Type::rain, steps({0, 20, 40}, {5e-6, 2e-5, 0}))};
      auto const straight = make_simulation(s, {}, precision);
      step(*straight, 40);
      auto const balance = straight->balance();
      for (int cut = 1; cut < 30; cut += 2) {
        INFO("order " << order << ", restarted at step " << cut);
        auto const first = make_simulation(s, {}, precision), second = make_simulation(s, {}, precision);
        step(*first, cut);
        second->restore(first->checkpoint());
        step(*second, 40 - cut);
        CHECK(same_bits(second->state(), straight->state()));
        CHECK(second->balance().infiltration == balance.infiltration);
        CHECK(second->balance().final_ == balance.final_);
      }
      CHECK(std::abs(balance.relative_error()) < (precision == Precision::double_precision ? 1e-12 : 1e-6));
    }
}

TEST_CASE("a_ring_of_section_faces_accounts_for_the_water_inside_to_round_off") {
  for (auto riemann : {Scheme::Riemann::hll, Scheme::Riemann::hllc, Scheme::Riemann::roe})
    for (int order : {1, 2}) {
      auto s = everything(order);
      s.sources.clear();  // inside the ring only what flows through it changes the volume
      s.structures.erase(s.structures.begin() + 1, s.structures.end());
      s.scheme.riemann = riemann;
      auto const sim = make_simulation(s);
      sim->set_sections({ring(10, 110, 5, 65), ring(0, 150, 0, 70)});
      auto const inside = [&](int i0, int i1, int j0, int j1) {
        double volume = 0;
        auto const h = sim->state().h;
        for (int j = j0; j < j1; ++j)
          for (int i = i0; i < i1; ++i)
            if (double const x = h[std::size_t(s.grid.index(i, j))]; x == x) volume += x * s.grid.cell_area();
        return volume;
      };
      double const before = inside(10, 110, 5, 65);
      sim->advance_to(50);
      auto const r = sim->sections_at(50);
      CHECK(std::abs(inside(10, 110, 5, 65) - before + r[0].volume) < 1e-12 * before);
      auto const b = sim->balance();
      // The outline of the grid: what the boundaries let through.
      CHECK(std::abs(r[1].volume - (b.boundary_out - b.boundary_in)) < 1e-12 * b.initial);
    }
}

TEST_CASE("a_section_reads_the_discharge_of_a_steady_channel_and_its_sign_follows_the_line") {
  auto s = basin(60, 4, 5);
  s.bed = sample(s.grid, [](double x, double) { return -0.002 * x; });
  fill_depth(s, 0.5);
  s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
  s.boundaries = {on_side(s, Side::west, Boundary::Type::discharge, TimeSeries::constant(8)),
                  on_side(s, Side::east, Boundary::Type::open)};
  auto const sim = make_simulation(s);
  // from the left to the right bank of a flow to the east: drawn southwards
  std::vector<Point> const down = {{150, 20}, {150, 0}}, up = {{150, 0}, {150, 20}};
  sim->set_sections({section_faces(s.grid, down), section_faces(s.grid, up)});
  sim->advance_to(3000);
  auto const r = sim->sections_at(3000);
  CHECK(r[0].discharge == Approx(8).epsilon(1e-3));
  CHECK(r[1].discharge == -r[0].discharge);
  CHECK(r[0].volume == Approx(24000).epsilon(0.02));
  double const dt = sim->progress().dt;
  CHECK(sim->sections_at(3000 - dt / 2)[0].volume ==
        Approx(r[0].volume - r[0].discharge * dt / 2).epsilon(1e-12));
}

TEST_CASE("rejected_steps_leave_no_trace_in_the_balance") {
  auto s = basin(40, 40, 5);
  s.bed = sample(s.grid, [](double x, double) {
    return 20 * std::clamp((130 - x) / 30, 0.0, 1.0);  // a short ramp speeds water up in one step
  });
  s.initial.depth.raster = sample(s.grid, [](double x, double) { return x < 100 ? 0.05 : 0.0; });
  auto ground = infiltration(InfiltrationModel::horton);
  ground.rate.constant = 1e-5;
  ground.initial_rate.constant = 1e-4;
  ground.decay.constant = 1e-3;
  s.sources = {ground, source(Source::Type::inflow, steps({0, 5}, {0.1, 40}), {s.grid.index(5, 20)}),
               source(Source::Type::rain, TimeSeries::constant(1e-4))};
  s.scheme.cfl = 0.9;
  auto const sim = make_simulation(s);
  CHECK(worst_balance(*sim, 60) < 1e-12);
  CHECK(sim->progress().rejected_steps > 0);
  CHECK(sim->balance().inflow == Approx(0.5 + 55 * 40).epsilon(1e-12));
}
