/// \file
/// Exact flows, symmetry, films and falls.

#include <array>
#include <functional>

#include "tests/solver/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

constexpr double g = 9.81;

/// Dam at x = 0 between depths h_L and h_R, n cells over [-10, 10] m.
Scenario dam(int n, double h_L, double h_R) {
  auto s = basin(n, 3, 20.0 / n);
  s.grid.x0 = -10;
  s.initial.depth.raster = sample(s.grid, [&](double x, double) { return x < 0 ? h_L : h_R; });
  return s;
}

/// Depth and velocity as functions of x/t.
using Exact = std::function<std::array<double, 2>(double)>;

/// Ritter 1892: dry bed.
Exact ritter(double h_L) {
  double const c = std::sqrt(g * h_L);
  return [=](double xi) -> std::array<double, 2> {
    if (xi <= -c) return {h_L, 0};
    if (xi >= 2 * c) return {0, 0};
    return {std::pow(2 * c - xi, 2) / (9 * g), 2 * (xi + c) / 3};
  };
}

/// Stoker 1957: wet bed, middle depth by bisection.
Exact stoker(double h_L, double h_R) {
  double low = h_R, high = h_L;
  auto const excess = [&](double h) {
    return (h - h_R) * std::sqrt(g * (h + h_R) / (2 * h * h_R)) - 2 * (std::sqrt(g * h_L) - std::sqrt(g * h));
  };
  for (int k = 0; k < 200; ++k) {
    double const middle = 0.5 * (low + high);
    (excess(middle) > 0 ? high : low) = middle;
  }
  double const h = low, c_L = std::sqrt(g * h_L), c = std::sqrt(g * h), u = 2 * (c_L - c),
               shock = h * u / (h - h_R);
  return [=](double xi) -> std::array<double, 2> {
    if (xi <= -c_L) return {h_L, 0};
    if (xi <= u - c) return {std::pow(2 * c_L - xi, 2) / (9 * g), 2 * (xi + c_L) / 3};
    if (xi <= shock) return {h, u};
    return {h_R, 0};
  };
}

/// L1 errors of h and hu at 0.7 s.
std::array<double, 2> dam_errors(int n, double h_L, double h_R, Scheme const& scheme, Exact const& exact) {
  auto s = dam(n, h_L, h_R);
  s.scheme = scheme;
  auto sim = make_simulation(s);
  double const t = 0.7;
  sim->advance_to(t);
  auto const state = sim->state();
  auto const h = sample(s.grid, [&](double x, double) { return exact(x / t)[0]; });
  auto const hu = sample(s.grid, [&](double x, double) { return exact(x / t)[0] * exact(x / t)[1]; });
  return {l1_error(state.h, h), l1_error(state.hu, hu)};
}

/// L1 error of h in Thacker's planar surface in a bowl (1981) after `periods`, n x n cells over 4 m.
double thacker_error(int n, int order, double periods) {
  double const a = 1, depth = 0.1, eta = 0.5, omega = std::sqrt(2 * g * depth) / a;
  auto s = basin(n, n, 4.0 / n);
  s.grid.x0 = s.grid.y0 = -2;
  auto const bed = [&](double x, double y) { return -depth * (1 - (x * x + y * y) / (a * a)); };
  auto const h = [&](double x, double y, double t) {
    double const level =
        eta * depth / (a * a) * (2 * x * std::cos(omega * t) + 2 * y * std::sin(omega * t) - eta);
    return std::max(0.0, level - bed(x, y));
  };
  s.bed = sample(s.grid, bed);
  s.initial.depth.raster = sample(s.grid, [&](double x, double y) { return h(x, y, 0); });
  s.initial.velocity_y.constant = eta * omega;
  s.scheme.order = order;
  auto sim = make_simulation(s);
  double const t = periods * 2 * M_PI / omega;
  sim->advance_to(t);
  CHECK(std::abs(sim->balance().relative_error()) < 1e-13);
  CHECK(smallest(sim->state().h) >= 0);
  return l1_error(sim->state().h, sample(s.grid, [&](double x, double y) { return h(x, y, t); }));
}

}  // namespace

TEST_CASE("dry_dam_break_converges_to_ritter") {
  for (auto riemann : all_riemann)
    for (int order : {1, 2}) {
      Scheme scheme;
      scheme.riemann = riemann;
      scheme.order = order;
      auto const coarse = dam_errors(100, 1, 0, scheme, ritter(1)),
                 fine = dam_errors(200, 1, 0, scheme, ritter(1));
      INFO(name_of(riemann) << ", order " << order << ": h " << coarse[0] << ", " << fine[0] << ", hu "
                            << coarse[1] << ", " << fine[1]);
      // The corners of the fan and the thin tip leave first order at 0.4 to 0.6 on these grids, second at 0.8
      // to 1.
      CHECK(std::log2(coarse[0] / fine[0]) > (order == 1 ? 0.4 : 0.8));
      CHECK(std::log2(coarse[1] / fine[1]) > (order == 1 ? 0.4 : 0.8));
      CHECK(fine[0] < (order == 1 ? 0.0129 : 0.0053));  // what a plain minmod scheme has at 200 cells
    }
}

TEST_CASE("wet_dam_break_converges_to_stoker") {
  for (auto riemann : all_riemann)
    for (int order : {1, 2}) {
      Scheme scheme;
      scheme.riemann = riemann;
      scheme.order = order;
      auto const coarse = dam_errors(100, 1, 0.2, scheme, stoker(1, 0.2)),
                 fine = dam_errors(200, 1, 0.2, scheme, stoker(1, 0.2));
      INFO(name_of(riemann) << ", order " << order << ": h " << coarse[0] << ", " << fine[0] << ", hu "
                            << coarse[1] << ", " << fine[1]);
      CHECK(std::log2(coarse[0] / fine[0]) > (order == 1 ? 0.6 : 0.75));
      CHECK(std::log2(coarse[1] / fine[1]) > (order == 1 ? 0.6 : 0.75));
      CHECK(fine[0] < (order == 1 ? 0.0135 : 0.0044));
    }
}

TEST_CASE("ritter_flow_at_the_dam_is_the_exact_one") {
  auto s = dam(400, 1, 0);
  s.scheme.order = 2;
  auto sim = make_simulation(s);
  sim->advance_to(1);
  auto const state = sim->state();
  auto const at = s.grid.index(200, 1), before = s.grid.index(199, 1);
  CHECK(0.5 * (state.h[at] + state.h[before]) == Approx(4.0 / 9).epsilon(0.005));
  CHECK(0.5 * (state.hu[at] + state.hu[before]) == Approx(8.0 / 27 * std::sqrt(g)).epsilon(0.005));
}

TEST_CASE("planar_surface_in_a_bowl_keeps_turning") {
  double const first = thacker_error(50, 1, 1), second = thacker_error(50, 2, 1);
  INFO("L1 of h after one period, 50 x 50: " << first << ", " << second);
  CHECK(first < 0.429);  // what a plain minmod scheme has
  CHECK(second < 0.0774);
}

namespace {

/// A rough 18 x 18 basin with holes, water here and there, friction, and motion.
Scenario rough_square() {
  auto s = basin(18, 18, 1);
  std::mt19937 random(99);
  std::uniform_real_distribution<double> number(0, 1);
  s.initial.velocity_x.raster.resize(s.bed.size());
  s.initial.velocity_y.raster.resize(s.bed.size());
  for (std::size_t c = 0; c < s.bed.size(); ++c) {
    s.bed[c] = number(random) < 0.05 ? no_cell : 0.5 * number(random);
    s.initial.depth.raster[c] = number(random) < 0.4 ? 0 : number(random);
    s.initial.velocity_x.raster[c] = number(random) - 0.5;
    s.initial.velocity_y.raster[c] = number(random) - 0.5;
  }
  s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
  return s;
}

/// An orthogonal map of the square about its middle.
struct Turn {
  char const* name;
  int xx, xy, yx, yy;
  [[nodiscard]] std::int64_t cell(Grid const& grid, int i, int j) const {
    int const x = 2 * i + 1 - grid.nx, y = 2 * j + 1 - grid.ny;
    return grid.index((xx * x + xy * y + grid.nx - 1) / 2, (yx * x + yy * y + grid.ny - 1) / 2);
  }
};

template <class F>
void for_each_cell(Grid const& grid, F const& f) {
  for (int j = 0; j < grid.ny; ++j)
    for (int i = 0; i < grid.nx; ++i) f(i, j, grid.index(i, j));
}

Scenario turned(Scenario const& s, Turn const& turn) {
  Scenario r = s;
  for_each_cell(s.grid, [&](int i, int j, std::int64_t from) {
    auto const to = turn.cell(s.grid, i, j);
    r.bed[to] = s.bed[from];
    r.initial.depth.raster[to] = s.initial.depth.raster[from];
    double const u = s.initial.velocity_x.raster[from], v = s.initial.velocity_y.raster[from];
    r.initial.velocity_x.raster[to] = turn.xx * u + turn.xy * v;
    r.initial.velocity_y.raster[to] = turn.yx * u + turn.yy * v;
  });
  return r;
}

}  // namespace

TEST_CASE("mirrored_turned_and_transposed_inputs_give_such_results") {
  Turn const turns[] = {{"mirror in x", -1, 0, 0, 1},  {"mirror in y", 1, 0, 0, -1},
                        {"half turn", -1, 0, 0, -1},   {"transpose", 0, 1, 1, 0},
                        {"quarter turn", 0, -1, 1, 0}, {"back turn", 0, 1, -1, 0}};
  auto s = rough_square();
  for (auto riemann : all_riemann)
    for (int order : {1, 2}) {
      s.scheme.riemann = riemann;
      s.scheme.order = order;
      auto sim = make_simulation(s);
      step(*sim, 60);
      auto const a = sim->state();
      for (auto const& turn : turns) {
        INFO(name_of(riemann) << ", order " << order << ", " << turn.name);
        auto other = make_simulation(turned(s, turn));
        step(*other, 60);
        auto const b = other->state();
        double worst = 0;
        for_each_cell(s.grid, [&](int i, int j, std::int64_t from) {
          if (s.bed[from] != s.bed[from]) return;
          auto const to = turn.cell(s.grid, i, j);
          worst = std::max({worst, std::abs(b.h[to] - a.h[from]),
                            std::abs(b.hu[to] - (turn.xx * a.hu[from] + turn.xy * a.hv[from])),
                            std::abs(b.hv[to] - (turn.yx * a.hu[from] + turn.yy * a.hv[from]))});
        });
        CHECK(worst < 1e-12);
        CHECK(std::abs(a.time - b.time) < 1e-12);
      }
    }
}

namespace {

/// du/dt = -rate u² (-rate u for the linear law), from the formulas of the laws.
double rate(FrictionLaw::Type law, double coefficient, double h) {
  switch (law) {
    case FrictionLaw::Type::manning:
      return g * coefficient * coefficient / std::pow(h, 4.0 / 3);
    case FrictionLaw::Type::chezy:
      return g / (coefficient * coefficient * h);
    case FrictionLaw::Type::darcy_weisbach:
      return coefficient / (8 * h);
    default:
      return coefficient;
  }
}

/// Velocity after one second of friction alone, in steps of dt, in a periodic square.
double slowed(FrictionLaw::Type law, double coefficient, int order, double dt) {
  auto s = basin(4, 4, 100);
  for (auto& h : s.initial.depth.raster) h = 0.5;
  s.initial.velocity_x.constant = 1.2;
  s.initial.velocity_y.constant = -1.6;
  for (Side side : all_sides) s.boundaries.push_back(on_side(s, side, Boundary::Type::periodic));
  s.friction = {law, {coefficient, {}}};
  s.scheme.order = order;
  s.scheme.max_dt = dt;
  auto sim = make_simulation(s);
  sim->advance_to(1);
  auto const state = sim->state();
  CHECK(state.hv[5] == Approx(-4.0 / 3 * state.hu[5]).epsilon(1e-12));
  return std::hypot(state.hu[5], state.hv[5]) / state.h[5];
}

}  // namespace

TEST_CASE("friction_has_the_order_of_the_scheme_in_time") {
  struct Law {
    FrictionLaw::Type type;
    double coefficient;
  };
  for (auto [type, coefficient] :
       {Law{FrictionLaw::Type::manning, 0.1}, Law{FrictionLaw::Type::chezy, 7},
        Law{FrictionLaw::Type::darcy_weisbach, 1.5}, Law{FrictionLaw::Type::linear, 0.8}}) {
    double const k = rate(type, coefficient, 0.5);
    double const exact = type == FrictionLaw::Type::linear ? 2 * std::exp(-k) : 2 / (1 + 2 * k);
    for (int order : {1, 2}) {
      double const coarse = slowed(type, coefficient, order, 0.1) - exact,
                   fine = slowed(type, coefficient, order, 0.05) - exact;
      INFO("law " << int(type) << ", order " << order << ": " << coarse << ", " << fine);
      CHECK(std::log2(std::abs(coarse / fine)) == Approx(order).margin(0.2));
      CHECK(std::abs(fine) < 0.05 * exact);
    }
  }
}

TEST_CASE("huge_friction_stops_the_flow_and_turns_nothing_round") {
  for (int order : {1, 2}) {
    auto s = basin(10, 4, 1);
    for (auto& h : s.initial.depth.raster) h = 1e-3;
    s.initial.velocity_x.constant = 1;
    s.friction = {FrictionLaw::Type::manning, {5, {}}};
    s.scheme.order = order;
    for (Side side : all_sides) s.boundaries.push_back(on_side(s, side, Boundary::Type::periodic));
    auto sim = make_simulation(s);
    for (int k = 0; k < 50; ++k) {
      step(*sim, 1);
      CHECK(smallest(sim->state().hu) >= 0);
    }
    CHECK(largest_speed(sim->state()) < 1e-3);
  }
}

namespace {

/// Runs a frictionless fall from rest to `t`; returns the largest speed of any step.
double fastest(Scenario const& s, double t) {
  MaximaOptions maxima;
  maxima.speed = true;
  auto sim = make_simulation(s, maxima);
  sim->advance_to(t);
  CHECK(std::abs(sim->balance().relative_error()) < 1e-12);
  CHECK(smallest(sim->state().h) >= 0);
  return largest(sim->maxima()[0].values);
}

}  // namespace

namespace {

/// Films of three depths at rest on the top, 10 m, of a staircase, along x and along y.
void check_falls(std::vector<std::vector<double>> const& staircases) {
  for (auto const& stairs : staircases)
    for (double film : {1e-4, 0.003, 0.1})
      for (auto riemann : all_riemann)
        for (int order : {1, 2})
          for (bool along_x : {true, false}) {
            int const flat = 6, n = int(stairs.size()) + 2 * flat;
            auto s = basin(along_x ? n : 3, along_x ? 3 : n, 1);
            for_each_cell(s.grid, [&](int i, int j, std::int64_t c) {
              int const k = std::clamp((along_x ? i : j) - flat, 0, int(stairs.size()) - 1);
              s.bed[c] = stairs[std::size_t(k)];
              s.initial.depth.raster[c] = s.bed[c] == 10 ? film : 0;
            });
            s.scheme.riemann = riemann;
            s.scheme.order = order;
            INFO("film " << film << ", " << stairs.size() << " stairs, " << name_of(riemann) << ", order "
                         << order << (along_x ? ", along x" : ", along y"));
            CHECK(fastest(s, 5) <= std::sqrt(2 * g * (10 + film)));
          }
}

}  // namespace

TEST_CASE("falls_over_cliffs_stay_within_their_energy") {
  check_falls({{0, 10}, {0, 1, 9, 10}, {0, 3, 3, 6, 10}, {0, 9.9, 10}});
}

// On a ramp of one or few cells the last water of a slug stays in its cell while the ramp's whole force acts on it.
TEST_CASE("falls_down_short_ramps_stay_within_their_energy") {
  check_falls({{0, 0, 5, 10, 10}, {0, 0, 2, 4, 6, 8, 10, 10}});
}

// Open: the last water of a cell leaves as its share does, so the longer the less of it there is, and is driven all the
// while; on random cliffs it passes the bound by up to two thirds in first order, in second up to twice.
TEST_CASE("films_fall_over_random_cliffs_within_their_energy", "[!mayfail]") {
  for (int order : {1, 2})
    for (unsigned seed = 0; seed < 6; ++seed) {
      auto s = basin(24, 16, 1);
      std::mt19937 random(seed);
      std::uniform_real_distribution<double> number(0, 1);
      for (std::size_t c = 0; c < s.bed.size(); ++c) {
        s.bed[c] = 20 * std::pow(number(random), 1 + seed % 3);
        s.initial.depth.raster[c] = 0.02 * number(random);
      }
      s.scheme.order = order;
      INFO("seed " << seed << ", order " << order);
      double const drop = largest(s.bed) - smallest(s.bed);
      CHECK(fastest(s, 3) <= std::sqrt(2 * g * (drop + 0.02)));
    }
}
