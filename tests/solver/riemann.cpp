/// \file
/// What every Riemann solver must do, over all that are registered, for one number and for a lane.

#include <Kokkidio/Kokkidio.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "solver/riemann/registry.hpp"
#include "tests/catch.hpp"

using namespace swe;

namespace {

constexpr double g = 9.81, dry = 1e-6;
using State = FaceState<double>;
using Flux = FaceFlux<double>;

/// Calls f(solver) for every solver of the registry.
template <class F, class... Solver>
void for_each(TypeList<Solver...>, F const& f) {
  (f(Solver{}), ...);
}
template <class F>
void for_each_solver(F const& f) {
  for_each(RiemannSolvers{}, [&](auto solver) {
    INFO("Riemann solver " << solver.name);
    f(solver);
  });
}

struct Pair {
  State L, R;
};

/// Pairs of depths from dry through films to 10 m and velocities from still to strongly supercritical.
std::vector<Pair> random_pairs(int n, bool wet = false) {
  std::mt19937 random(20261);
  std::uniform_real_distribution<double> exponent(-8, 1), velocity(-1, 1);
  std::uniform_int_distribution<int> kind(0, 5);
  auto const state = [&] {
    State s{std::pow(10, exponent(random)), 0, 0};
    if (wet) s.h = std::max(s.h, 1e-3);
    int const k = kind(random);
    if (k == 0 && !wet) s.h = 0;
    double const scale = k < 3 ? 3 * std::sqrt(g * s.h) : k < 5 ? 10 : 0;
    s.un = scale * velocity(random);
    s.ut = scale * velocity(random);
    return s;
  };
  std::vector<Pair> pairs;
  for (int k = 0; k < n; ++k) pairs.push_back({state(), state()});
  return pairs;
}

double wave(State const& s) { return std::abs(s.un) + std::sqrt(g * s.h); }
/// Size of the momentum fluxes of a pair, for round-off.
double momentum_scale(Pair const& p) {
  double const speed = wave(p.L) + wave(p.R);
  return (p.L.h + p.R.h) * (speed + std::abs(p.L.ut) + std::abs(p.R.ut)) * (speed + 1e-12);
}

}  // namespace

TEST_CASE("every_riemann_solver_file_is_registered") {
  namespace fs = std::filesystem;
  auto const folder = fs::path(SWE_SOURCE_DIR) / "solver" / "riemann";
  std::ifstream registry(folder / "registry.hpp");
  std::string const text((std::istreambuf_iterator<char>(registry)), {});
  std::set<std::string> names, files;
  for_each_solver([&](auto solver) { names.insert(std::string(solver.name)); });
  for (auto const& entry : fs::directory_iterator(folder)) {
    auto const file = entry.path().filename().string();
    if (file == "registry.hpp") continue;
    files.insert(entry.path().stem().string());
    CHECK(text.find("solver/riemann/" + file) != std::string::npos);
  }
  CHECK(names == files);
}

TEST_CASE("equal_states_give_the_physical_flux") {
  for_each_solver([](auto solver) {
    for (auto const& [U, unused] : random_pairs(2000)) {
      Flux const f = solver(U, U, g, dry);
      double const q = U.h * U.un, scale = U.h * wave(U) * 1e-14;
      CHECK(std::abs(f.mass - q) <= scale);
      CHECK(std::abs(f.momentum_L - q * U.un) <= scale * wave(U));
      CHECK(f.momentum_R == f.momentum_L);
      CHECK(std::abs(f.transverse - q * U.ut) <= scale * (wave(U) + std::abs(U.ut)));
    }
  });
}

TEST_CASE("still_water_gives_exactly_nothing") {
  for_each_solver([](auto solver) {
    for (double h : {0.0, 1e-12, 1e-6, 2e-6, 0.37, 1.0, 123.456}) {
      Flux const f = solver(State{h, 0, 0}, State{h, 0, 0}, g, dry);
      CHECK(f.mass == 0);
      CHECK(f.momentum_L == 0);
      CHECK(f.momentum_R == 0);
      CHECK(f.transverse == 0);
    }
  });
}

TEST_CASE("mirrored_states_give_mirrored_flux") {
  for_each_solver([](auto solver) {
    for (auto const& p : random_pairs(2000)) {
      Flux const f = solver(p.L, p.R, g, dry);
      Flux const m = solver(State{p.R.h, -p.R.un, p.R.ut}, State{p.L.h, -p.L.un, p.L.ut}, g, dry);
      double const scale = momentum_scale(p);
      double const round_off = 1e-14 * scale, slow = wave(p.L) + wave(p.R) + 1e-12;
      CHECK(std::abs(f.mass + m.mass) <= round_off / slow);
      CHECK(std::abs(f.momentum_L - m.momentum_R) <= round_off);
      CHECK(std::abs(f.momentum_R - m.momentum_L) <= round_off);
      CHECK(std::abs(f.transverse + m.transverse) <= round_off);
    }
  });
}

TEST_CASE("both_sides_share_one_momentum_flux") {
  for_each_solver([](auto solver) {
    for (auto const& p : random_pairs(2000)) {
      Flux const f = solver(p.L, p.R, g, dry);
      double const total_L = f.momentum_L + g * p.L.h * p.L.h / 2,
                   total_R = f.momentum_R + g * p.R.h * p.R.h / 2;
      CHECK(std::abs(total_L - total_R) <= 1e-14 * momentum_scale(p));
    }
  });
}

TEST_CASE("dry_ground_gives_no_water") {
  for_each_solver([](auto solver) {
    for (auto const& p : random_pairs(2000)) {
      State const nothing{0, p.R.un, p.R.ut};
      Flux const f = solver(p.L, nothing, g, dry), m = solver(nothing, p.L, g, dry);
      CHECK(f.mass >= 0);
      CHECK(m.mass <= 0);
      Flux const none = solver(nothing, State{0, p.L.un, p.L.ut}, g, dry);
      CHECK(none.mass == 0);
      CHECK(none.momentum_L == 0);
      CHECK(none.momentum_R == 0);
      CHECK(none.transverse == 0);
    }
  });
}

TEST_CASE("water_that_recedes_faster_than_its_front_leaves_dry_ground_alone") {
  for_each_solver([](auto solver) {
    for (double h : {1e-4, 0.1, 2.0}) {
      double const c = std::sqrt(g * h);
      Flux const f = solver(State{h, -2.5 * c, 1}, State{0, 0, 0}, g, dry);
      CHECK(f.mass == 0);
      CHECK(f.transverse == 0);
      CHECK(std::abs(f.momentum_R) <= 1e-15 * g * h * h);
    }
  });
}

TEST_CASE("wet_side_of_a_dry_front_sends_about_the_exact_discharge") {
  // Ritter: q = 8/27 c h at the dam. A two-wave flux has no room for the fan and sends 2/3 of c h; no solver
  // may send more than the water can carry, nor less than the exact flow.
  for_each_solver([](auto solver) {
    for (double h : {1e-3, 0.1, 2.0}) {
      double const c = std::sqrt(g * h);
      double const mass = solver(State{h, 0, 0}, State{0, 0, 0}, g, dry).mass / (c * h);
      CHECK(mass >= 8.0 / 27);
      CHECK(mass <= 2.0 / 3 * (1 + 1e-12));
    }
  });
}

TEST_CASE("supercritical_flow_is_upwinded") {
  for_each_solver([](auto solver) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> depth(0.1, 2), excess(2, 5);
    for (int k = 0; k < 500; ++k) {
      double const h_L = depth(random), h_R = depth(random);
      double const c = std::sqrt(g * std::max(h_L, h_R));
      State const L{h_L, excess(random) * c + c, 0.7}, R{h_R, excess(random) * c + c, -0.3};
      Flux const f = solver(L, R, g, dry);
      CHECK(f.mass == Approx(L.h * L.un).epsilon(1e-12));
      CHECK(std::abs(f.momentum_L - L.h * L.un * L.un) <= 1e-12 * momentum_scale({L, R}));
      CHECK(f.transverse == Approx(L.h * L.un * L.ut).epsilon(1e-12));
      Flux const m = solver(State{R.h, -R.un, R.ut}, State{L.h, -L.un, L.ut}, g, dry);
      CHECK(m.mass == Approx(-L.h * L.un).epsilon(1e-12));
    }
  });
}

TEST_CASE("a_step_within_the_courant_number_leaves_no_negative_depth") {
  // Of a cell with four faces each may take a quarter: dt/dx (|u| + c) <= 1/4 for the faster side.
  for_each_solver([](auto solver) {
    for (auto const& p : random_pairs(20000)) {
      Flux const f = solver(p.L, p.R, g, dry);
      double const s = std::max(wave(p.L), wave(p.R));
      if (s == 0) continue;
      double const ratio = 0.25 / s;
      CHECK(p.L.h / 4 + ratio * (p.L.h * std::max(0.0, p.L.un)) - ratio * f.mass >= -1e-16);
      CHECK(p.R.h / 4 - ratio * (p.R.h * std::min(0.0, p.R.un)) + ratio * f.mass >= -1e-16);
    }
  });
}

TEST_CASE("uniform_transverse_velocity_goes_with_the_mass") {
  for_each_solver([](auto solver) {
    for (auto p : random_pairs(2000)) {
      p.R.ut = p.L.ut;
      Flux const f = solver(p.L, p.R, g, dry);
      CHECK(std::abs(f.transverse - f.mass * p.L.ut) <= 1e-14 * momentum_scale(p));
    }
  });
}

TEST_CASE("contact_wave_is_kept_by_solvers_that_know_it") {
  for_each_solver([](auto solver) {
    if (solver.name == "hll") return;  // two waves only: smears shear
    for (double un : {0.0, 0.4, -0.4}) {
      Flux const f = solver(State{1, un, 2}, State{1, un, -3}, g, dry);
      CHECK(f.transverse == Approx(un * (un > 0 ? 2 : -3)).margin(1e-14));
    }
  });
}

TEST_CASE("standing_jump_stays_in_place_with_roe") {
  double const h_L = 0.5, h_R = 1.4, q = std::sqrt(g * h_L * h_R * (h_L + h_R) / 2);
  Flux const f = RiemannRoe{}(State{h_L, q / h_L, 0}, State{h_R, q / h_R, 0}, g, dry);
  CHECK(f.mass == Approx(q).epsilon(1e-13));
  CHECK(f.momentum_L == Approx(q * q / h_L).epsilon(1e-13));
}

TEST_CASE("standing_jump_hardly_spreads_with_any_solver") {
  double const h_L = 0.5, h_R = 1.4, q = std::sqrt(g * h_L * h_R * (h_L + h_R) / 2);
  for_each_solver([&](auto solver) {
    Flux const f = solver(State{h_L, q / h_L, 0}, State{h_R, q / h_R, 0}, g, dry);
    CHECK(f.mass == Approx(q).epsilon(1e-3));
    CHECK(f.momentum_L == Approx(q * q / h_L).epsilon(1e-3));
  });
}

TEST_CASE("roe_lets_no_expansion_shock_stand") {
  // The mirror image of a standing jump: same fluxes on both sides, but it must spread.
  double const h_L = 1.4, h_R = 0.5, q = std::sqrt(g * h_L * h_R * (h_L + h_R) / 2);
  Flux const f = RiemannRoe{}(State{h_L, q / h_L, 0}, State{h_R, q / h_R, 0}, g, dry);
  CHECK(f.mass > q * 1.01);
}

#if !defined(__CUDA_ARCH__)  // lanes exist on the CPU alone
TEMPLATE_TEST_CASE("one_number_and_a_lane_of_them_give_the_same_bits", "", float, double) {
  using Real = TestType;
  using Lane = Kokkidio::Lane<Real>;
  constexpr int W = Lane::width;
  for_each_solver([](auto solver) {
    auto const pairs = random_pairs(200 * W);
    for (int first = 0; first < int(pairs.size()); first += W) {
      FaceState<Real> L[W], R[W];
      Real column[6][W];
      for (int k = 0; k < W; ++k) {
        auto const& p = pairs[first + k];
        L[k] = {Real(p.L.h), Real(p.L.un), Real(p.L.ut)};
        R[k] = {Real(p.R.h), Real(p.R.un), Real(p.R.ut)};
        Real const values[6] = {L[k].h, L[k].un, L[k].ut, R[k].h, R[k].un, R[k].ut};
        for (int c = 0; c < 6; ++c) column[c][k] = values[c];
      }
      auto const lane = [&](int c) { return Lane::load(column[c]); };
      auto const f = solver(FaceState<Lane>{lane(0), lane(1), lane(2)},
                            FaceState<Lane>{lane(3), lane(4), lane(5)}, Real(g), Real(dry));
      for (int k = 0; k < W; ++k) {
        auto const one = solver(L[k], R[k], Real(g), Real(dry));
        CHECK(one.mass == f.mass[k]);
        CHECK(one.momentum_L == f.momentum_L[k]);
        CHECK(one.momentum_R == f.momentum_R[k]);
        CHECK(one.transverse == f.transverse[k]);
      }
    }
  });
}
#endif
