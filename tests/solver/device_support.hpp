#pragma once
/// \file
/// One scenario on both targets.

#include "tests/solver/support.hpp"

namespace swe::test {

/// Says so where there is none.
inline bool no_gpu() {
  if (device_available(Device::gpu)) return false;
  WARN("SKIPPED: this build, on this machine, has no GPU");
  return true;
}

/// Of two states, cell by cell.
struct Difference {
  double h = 0, hu = 0, hv = 0;
};

inline Difference largest_difference(StateHost const& a, StateHost const& b) {
  Difference d;
  for (std::size_t c = 0; c < a.h.size(); ++c) {
    if (a.h[c] != a.h[c] && b.h[c] != b.h[c]) continue;  // inactive in both
    d.h = std::max(d.h, std::abs(a.h[c] - b.h[c]));
    d.hu = std::max(d.hu, std::abs(a.hu[c] - b.hu[c]));
    d.hv = std::max(d.hv, std::abs(a.hv[c] - b.hv[c]));
  }
  return d;
}

/// Expects the same number of steps, time, wet cells and state, and maxima alike, after the same run on both; `tolerance`
/// of depths [m].
inline void expect_same(Simulation const& cpu, Simulation const& gpu, double tolerance,
                        Precision precision = Precision::double_precision) {
  bool const single = precision == Precision::single_precision;
  CHECK(cpu.progress().steps == gpu.progress().steps);
  CHECK(cpu.progress().rejected_steps == gpu.progress().rejected_steps);
  CHECK(gpu.progress().time == Approx(cpu.progress().time).epsilon(single ? 1e-5 : 1e-12));
  auto const a = cpu.state(), b = gpu.state();
  auto const d = largest_difference(a, b);
  CHECK(d.h <= tolerance);
  CHECK(d.hu <= 10 * tolerance);
  CHECK(d.hv <= 10 * tolerance);
  for (std::size_t c = 0; c < a.h.size(); ++c)
    if ((a.h[c] > 1e-6) != (b.h[c] > 1e-6)) CHECK(std::abs(a.h[c] - b.h[c]) <= tolerance);
  CHECK(std::abs(gpu.balance().relative_error()) <= (single ? 1e-6 : 1e-12));
  auto const m = cpu.maxima(), n = gpu.maxima();
  REQUIRE(m.size() == n.size());
  for (std::size_t k = 0; k < m.size(); ++k)
    for (std::size_t c = 0; c < m[k].values.size(); ++c)
      if (m[k].values[c] == m[k].values[c]) CHECK(n[k].values[c] == Approx(m[k].values[c]).margin(10 * tolerance));
}
/// Runs `steps` steps on both before.
inline void expect_same(Scenario const& scenario, std::int64_t steps, double tolerance, MaximaOptions const& maxima = {},
                        Precision precision = Precision::double_precision) {
  auto cpu = make_simulation(scenario, maxima, precision, Device::cpu);
  auto gpu = make_simulation(scenario, maxima, precision, Device::gpu);
  step(*cpu, steps);
  step(*gpu, steps);
  expect_same(*cpu, *gpu, tolerance, precision);
}

}  // namespace swe::test
