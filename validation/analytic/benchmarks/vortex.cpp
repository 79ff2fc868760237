/// \file
/// Smooth vortices: the order of accuracy where nothing spoils it.

#include <cmath>

#include "validation/analytic/benchmarks/list.hpp"
#include "validation/analytic/scenario_tools.hpp"
#include "validation/analytic/solutions/vortex.hpp"

namespace swe::validation {

namespace {

double flat(double, double) { return 0.0; }

Benchmark gaussian() {
  exact::GaussianVortex const solution;
  Benchmark b;
  b.name = "vortex";
  b.title = "Gaussian vortex carried along, 16 x 16 m, 1 s";
  b.shows = "the order of the scheme";
  b.times = {1};
  b.scenario = [=](int n) {
    auto scenario = make_scenario(
        "gaussian vortex", square_grid(-8, 8, -8, 8, n), flat,
        [&](double x, double y) { return solution(x, y, 0); }, 1);
    add_periodic(scenario, Side::west);
    add_periodic(scenario, Side::south);
    return scenario;
  };
  b.exact = [=](double x, double y, double t) { return solution(x, y, t); };
  b.strip = false;
  double const H = solution.H, U = solution.U, V = solution.V;
  b.quantities = {{"u - U", [=](Flow const& f) { return f.u - U; }},
                  {"v - V", [=](Flow const& f) { return f.v - V; }},
                  {"h - H", [=](Flow const& f) { return f.h - H; }},
                  {"hu - HU", [=](Flow const& f) { return f.hu() - H * U; }},
                  {"hv - HV", [=](Flow const& f) { return f.hv() - H * V; }}};
  b.grids_short = {100, 200};
  b.grids_full = {100, 200, 400, 800};
  for (char const* const quantity : {"h - H", "hu - HU", "hv - HV"}) {
    b.expected.push_back({1, quantity, Norm::L1, 200, 0.8});
    b.expected.push_back({2, quantity, Norm::L1, 200, 1.75});
    b.expected.push_back({1, quantity, Norm::L1, 800, 0.95});
    b.expected.push_back({2, quantity, Norm::L1, 800, 1.9});
    b.expected.push_back({2, quantity, Norm::L2, 800, 1.85});
  }
  b.published = {{1, "u - U", {{100, ".251"}, {200, ".138"}, {400, ".0723"}}},
                 {2, "u - U", {{100, ".0296"}, {200, ".00811"}, {400, ".00215"}}},
                 {1, "h - H", {{100, "1.56"}, {200, ".859"}, {400, ".453"}}},
                 {2, "h - H", {{100, ".224"}, {200, ".0661"}, {400, ".0177"}}}};
  return b;
}

Benchmark compact() {
  exact::CompactVortex const solution;
  Benchmark b;
  b.name = "vortex_compact";
  b.title = "Vortex of finite support carried once around the unit square (Ricchiuto & Bollermann)";
  b.shows = "how much a vortex loses in one turn; second order is about the ceiling";
  b.times = {1.0 / 6};
  b.scenario = [=](int n) {
    auto scenario = make_scenario(
        "compact vortex", square_grid(0, 1, 0, 1, n), flat,
        [&](double x, double y) { return solution(x, y, 0); }, 1.0 / 6);
    add_periodic(scenario, Side::west);
    return scenario;
  };
  b.exact = [=](double x, double y, double t) { return solution(x, y, t); };
  b.strip = false;
  b.quantities = {{"h - h0", [=](Flow const& f) { return f.h - solution.h_0; }},
                  {"u - 6", [=](Flow const& f) { return f.u - solution.U; }},
                  {"v", [=](Flow const& f) { return f.v; }}};
  b.grids_short = {50, 100};
  b.grids_full = {50, 100, 200, 400};
  b.expected = {{2, "v", Norm::L1, 400, 1.7}};
  return b;
}

}  // namespace

std::vector<Benchmark> vortex_benchmarks() { return {gaussian(), compact()}; }

}  // namespace swe::validation
