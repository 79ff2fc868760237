// On a GPU steps are launched before the host knows how the one before ended. That may not be seen: wherever a run is
// stopped, cut short, or a step rejected, it goes on as one that waits for each step. The CPU, which always waits, has to
// keep the same promises.
#include "tests/solver/device_support.hpp"

namespace swe::test {
namespace {

constexpr Precision both_precisions[] = {Precision::double_precision, Precision::single_precision};

/// A dam breaks above a cliff. With steps this long the first wave, sped up from rest, makes several of them be rejected.
Scenario cliff_basin(int order) {
  auto s = basin(120, 30, 1, 4);
  s.bed = sample(s.grid, [](double x, double y) { return x < 60 ? 6 + 0.3 * std::sin(y / 10) : 0.02 * (x - 60); });
  s.initial.depth.raster = sample(s.grid, [](double x, double) { return x < 40 ? 1.5 : x > 90 ? 0.2 : 0.0; });
  s.friction = {FrictionLaw::Type::manning, {0.02, {}}};
  s.scheme.order = order;
  s.scheme.cfl = 0.95;
  return s;
}

/// Calls f(scenario, precision).
template <class F>
void for_each_scheme(F const& f) {
  for (int order : {1, 2})
    for (auto precision : both_precisions) {
      INFO("order " << order << (precision == Precision::single_precision ? ", single" : ", double"));
      f(cliff_basin(order), precision);
    }
}
/// The same on the CPU and, where there is one, on the GPU: f(scenario, precision, device).
template <class F>
void on_each_device(F const& f) {
  for (auto device : {Device::cpu, Device::gpu}) {
    if (device == Device::gpu && no_gpu()) continue;
    INFO((device == Device::gpu ? "GPU" : "CPU"));
    for_each_scheme([&](Scenario const& s, Precision precision) { f(s, precision, device); });
  }
}

/// [m] In single precision 1e-7 of the depth more at the start makes 3e-6 m after 150 steps, 2e-5 m²/s in the discharge.
double tolerance(Precision precision) { return precision == Precision::single_precision ? 1e-4 : 1e-9; }

}  // namespace

TEST_CASE("steps ahead: GPU equals CPU, with steps that are rejected") {
  for_each_scheme([](Scenario const& s, Precision precision) {
    auto const cpu = make_simulation(s, {}, precision, Device::cpu);
    step(*cpu, 150);
    CHECK(cpu->progress().rejected_steps > 0);
    if (no_gpu()) return;
    auto const gpu = make_simulation(s, {}, precision, Device::gpu);
    step(*gpu, 150);
    expect_same(*cpu, *gpu, tolerance(precision), precision);
  });
}

TEST_CASE("steps ahead: a run stopped after each step has the bits of one that is not") {
  on_each_device([](Scenario const& s, Precision precision, Device device) {
    auto const at_once = make_simulation(s, {}, precision, device);
    auto const one_by_one = make_simulation(s, {}, precision, device);
    step(*at_once, 300);
    for (int k = 0; k < 300; ++k) step(*one_by_one, 1);
    CHECK(one_by_one->progress().steps == at_once->progress().steps);
    CHECK(one_by_one->progress().rejected_steps == at_once->progress().rejected_steps);
    CHECK(same_bits(one_by_one->state(), at_once->state()));
  });
}

TEST_CASE("steps ahead: steps cut short, one of them after it was launched") {
  for_each_scheme([](Scenario const& s, Precision precision) {
    auto const cpu = make_simulation(s, {}, precision, Device::cpu);
    std::unique_ptr<Simulation> gpu;
    if (!no_gpu()) gpu = make_simulation(s, {}, precision, Device::gpu);
    auto const both = [&](auto const& f) {
      f(*cpu);
      if (gpu) f(*gpu);
    };
    for (double length : {0.4, 1.3, 2.5, 7.6}) {  // of what remains to the cut, in steps
      both([](Simulation& sim) { step(sim, 30); });
      double const cut = cpu->progress().time + length * cpu->progress().dt;
      both([&](Simulation& sim) {
        sim.advance_to(cut);
        CHECK(sim.progress().time == cut);
      });
    }
    both([](Simulation& sim) { step(sim, 30); });
    CHECK(cpu->progress().dt > 0);
    if (gpu) expect_same(*cpu, *gpu, tolerance(precision), precision);
  });
}

TEST_CASE("steps ahead: a state restored while a step is under way continues to the same bits") {
  on_each_device([](Scenario const& s, Precision precision, Device device) {
    auto const sim = make_simulation(s, {}, precision, device);
    step(*sim, 60);
    auto const saved = sim->checkpoint();
    step(*sim, 60);
    auto const first = sim->state();
    sim->restore(saved);
    step(*sim, 60);
    CHECK(same_bits(sim->state(), first));
  });
}

}  // namespace swe::test
