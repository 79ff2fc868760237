/// \file
/// Water swinging in parabolic bowls: the shoreline moves all the time.

#include <cmath>

#include "validation/analytic/benchmarks/list.hpp"
#include "validation/analytic/scenario_tools.hpp"
#include "validation/analytic/solutions/bowl.hpp"

namespace swe::validation {

namespace {

Benchmark canal() {
  exact::ThackerCanal const solution;
  Benchmark b;
  b.name = "thacker_canal";
  b.title = "Plane surface swinging in a parabolic canal (Thacker), five periods";
  b.shows = "wetting and drying: loss of energy, a shoreline that sticks";
  b.times = {solution.period(), 5 * solution.period()};
  b.scenario = [=](int n) {
    return make_scenario(
        "thacker canal", strip_grid(0, 4, n), [&](double x, double) { return solution.bed(x); },
        [&](double x, double) { return solution(x, 0); }, 5 * solution.period());
  };
  b.exact = [=](double x, double, double t) { return solution(x, t); };
  b.quantities = {{"h", [](Flow const& f) { return f.h; }}};
  b.fronts = {{[=](double t) { return solution.shoreline(t); }, 1e-4 * solution.h_0}};
  b.energy = true;
  b.grids_short = {50, 100};
  b.grids_full = {50, 100, 200, 400};
  b.expected = {{1, "h", Norm::L1, 100, 0.5},
                {1, "h", Norm::L1, 400, 0.6},
                {2, "h", Norm::L1, 100, 1.3},
                {2, "h", Norm::L1, 400, 1.3}};
  return b;
}

template <class Bowl>
Benchmark bowl(Bowl const& solution, std::string name, std::string title) {
  Benchmark b;
  b.name = std::move(name);
  b.title = std::move(title);
  b.shows = "wetting and drying in every direction";
  double const period = solution.period();
  b.times = {period};
  b.scenario = [=](int n) {
    return make_scenario(
        "thacker bowl", square_grid(0, 4, 0, 4, n), [&](double x, double y) { return solution.bed(x, y); },
        [&](double x, double y) { return solution(x, y, 0); }, period);
  };
  b.exact = [=](double x, double y, double t) { return solution(x, y, t); };
  b.strip = false;
  b.energy = true;
  b.grids_short = {50, 100};
  b.grids_full = {50, 100, 200, 400};
  return b;
}

Benchmark planar() {
  auto b = bowl(exact::ThackerPlanar{}, "thacker_planar",
                "Plane surface circling in a paraboloid (Thacker), one period");
  b.quantities = {{"h", [](Flow const& f) { return f.h; }}, {"hv", [](Flow const& f) { return f.hv(); }}};
  b.expected = {{1, "h", Norm::L1, 100, 0.75}, {1, "h", Norm::L1, 200, 0.8}, {1, "hv", Norm::L1, 200, 0.85},
                {2, "h", Norm::L1, 100, 1.4},  {2, "h", Norm::L1, 200, 1.4}, {2, "hv", Norm::L1, 200, 1.6}};
  b.published = {{1, "h", {{50, ".429"}, {100, ".242"}, {200, ".127"}}},
                 {2, "h", {{50, ".0774"}, {100, ".0233"}, {200, ".0085"}}},
                 {1, "hv", {{50, ".499"}, {100, ".275"}, {200, ".144"}}},
                 {2, "hv", {{50, ".113"}, {100, ".0363"}, {200, ".0113"}}}};
  return b;
}

Benchmark radial() {
  auto b = bowl(exact::ThackerRadial{}, "thacker_radial",
                "Curved surface rising and falling in a paraboloid (Thacker), one period");
  // at whole periods the exact velocity is 0, so only the depth has a scale
  b.quantities = {{"h", [](Flow const& f) { return f.h; }}};
  b.expected = {{1, "h", Norm::L1, 100, 0.55},
                {1, "h", Norm::L1, 200, 0.6},
                {2, "h", Norm::L1, 100, 1.4},
                {2, "h", Norm::L1, 200, 1.4}};
  b.published = {{1, "h", {{50, ".338"}, {100, ".226"}, {200, ".134"}}},
                 {2, "h", {{50, ".148"}, {100, ".0522"}, {200, ".0192"}}}};
  return b;
}

Benchmark sampson() {
  exact::Sampson const solution;
  Benchmark b;
  b.name = "sampson";
  b.title = "Swing dying out in a parabolic canal with linear drag (Sampson), 6000 s";
  b.shows = "drag in time with a moving shoreline";
  b.times = {1000, 3000, 6000};
  b.scenario = [=](int n) {
    auto scenario = make_scenario(
        "sampson", strip_grid(-5000, 5000, n), [&](double x, double) { return solution.bed(x); },
        [&](double x, double) { return solution(x, 0); }, 6000);
    scenario.friction = {FrictionLaw::Type::linear, {solution.tau, {}}};
    return scenario;
  };
  b.exact = [=](double x, double, double t) { return solution(x, t); };
  b.quantities = depth_and_discharge();
  b.fronts = {{[=](double t) { return solution.shoreline(t); }, 1e-4 * solution.h_0}};
  b.grids_short = {100, 200};
  b.grids_full = {50, 100, 200, 400, 800};
  // at 6000 s only a twentieth of the swing is left, so orders are judged half-way
  for (int const n : {200, 800}) {
    b.expected.push_back({1, "h", Norm::L1, n, 0.7, n / 2, 3000});
    b.expected.push_back({2, "h", Norm::L1, n, 1.3, n / 2, 3000});
  }
  return b;
}

}  // namespace

std::vector<Benchmark> bowl_benchmarks() { return {canal(), planar(), radial(), sampson()}; }

}  // namespace swe::validation
