/// \file
/// Limiters, what a cell looks like between its faces, and friction, one cell at a time.

#include "solver/reconstruction.hpp"

#include <Kokkidio/Kokkidio.hpp>
#include <cmath>
#include <random>

#include "solver/friction.hpp"
#include "solver/step.hpp"
#include "tests/catch.hpp"

using namespace swe;

namespace {

constexpr double g = 9.81, dry = 1e-6;
constexpr Scheme::Limiter limiters[] = {Scheme::Limiter::minmod, Scheme::Limiter::van_leer,
                                        Scheme::Limiter::mc};
constexpr FrictionLaw::Type laws[] = {FrictionLaw::Type::manning, FrictionLaw::Type::chezy,
                                      FrictionLaw::Type::darcy_weisbach, FrictionLaw::Type::linear};

/// A usual coefficient of each law.
double usual_coefficient(FrictionLaw::Type law) {
  switch (law) {
    case FrictionLaw::Type::manning:
      return 0.03;
    case FrictionLaw::Type::chezy:
      return 40;
    case FrictionLaw::Type::darcy_weisbach:
      return 0.05;
    default:
      return 0.02;
  }
}

/// Deceleration by friction of water of depth h and speed u, from the formulas of the laws.
double deceleration(FrictionLaw::Type law, double coefficient, double h, double u) {
  switch (law) {
    case FrictionLaw::Type::manning:
      return g * coefficient * coefficient * u * u / std::pow(h, 4.0 / 3);
    case FrictionLaw::Type::chezy:
      return g * u * u / (coefficient * coefficient * h);
    case FrictionLaw::Type::darcy_weisbach:
      return coefficient * u * u / (8 * h);
    default:
      return coefficient * u;
  }
}

/// k with the depth in it.
double drag(FrictionLaw::Type law, double coefficient, double h) {
  return friction_parameter(law, coefficient, g) * depth_powers(law, h).friction;
}

}  // namespace

TEST_CASE("limiters_keep_straight_lines_and_make_no_extremes") {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (auto limiter : limiters)
    for (int k = 0; k < 1000; ++k) {
      double const a = normal(random), b = normal(random);
      double const s = limited_half_difference(limiter, a, b);
      CHECK(limited_half_difference(limiter, a, a) == Approx(a / 2).epsilon(1e-15));
      CHECK(s == limited_half_difference(limiter, b, a));
      CHECK(limited_half_difference(limiter, -a, -b) == -s);
      CHECK(limited_half_difference(limiter, 4 * a, 4 * b) == 4 * s);
      CHECK(limited_half_difference(limiter, a, 0.0) == 0);
      if (a * b <= 0) CHECK(s == 0);
      // The face value stays between the two cells, and so does the mean over any half of the cell.
      CHECK(std::abs(s) <= std::min(std::abs(a), std::abs(b)));
      CHECK(s * a >= 0);
    }
}

TEST_CASE("limiters_differ_in_sharpness_only") {
  for (double r : {0.1, 0.5, 0.9}) {
    double const minmod_ = limited_half_difference(Scheme::Limiter::minmod, 1.0, r);
    double const van_leer = limited_half_difference(Scheme::Limiter::van_leer, 1.0, r);
    double const mc = limited_half_difference(Scheme::Limiter::mc, 1.0, r);
    CHECK(minmod_ == Approx(r / 2));
    CHECK(van_leer == Approx(r / (1 + r)));
    CHECK(mc == Approx(std::min(0.9 * r, (1 + r) / 4)));
  }
}

TEST_CASE("dry_ground_above_the_water_has_no_level") {
  auto const step = [](double h_L, double z_L, double h_R, double z_R) {
    return level_difference(Primitive<double>{h_L, 0, 0, z_L}, Primitive<double>{h_R, 0, 0, z_R}, dry);
  };
  CHECK(step(1, 0, 0, 3) == 0);               // a dry bank to the right
  CHECK(step(0, 3, 1, 0) == 0);               // to the left
  CHECK(step(1, 0, 0, 0.5) == Approx(-0.5));  // dry ground that the water will flood
  CHECK(step(0, 0.5, 1, 0) == Approx(0.5));
  CHECK(step(1, 0, 0.25, 3) == Approx(2.25));  // water on the bank counts
  CHECK(step(0.5, 1, 1, 0.5) == 0);
}

TEST_CASE("still_water_stays_level_whatever_the_bed") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> rise(-3, 3), depth(0, 2);
  for (int k = 0; k < 1000; ++k) {
    double const h = depth(random), b = rise(random), e = depth_half_difference(h, 0.0, b);
    CHECK(std::abs(e) <= h);
    if (std::abs(b) <= h) CHECK(h + e == h - b);
  }
}

TEST_CASE("film_on_a_slope_lies_parallel_to_the_bed") {
  // On a plane, with a film thinner than the bed step, level and bed have one slope: no change of depth in
  // the cell.
  for (double h : {1e-5, 1e-3, 0.1})
    for (double rise : {-2.0, 0.05}) {
      auto const s = [&](double a) { return Primitive<double>{h, 0, 0, a * 2 * rise}; };
      double const level =
          minmod(minmod(level_difference(s(-1), s(0), dry), level_difference(s(0), s(1), dry)), rise);
      CHECK(level == rise);
      CHECK(depth_half_difference(h, level, rise) == 0);
    }
}

TEST_CASE("hydrostatic_reconstruction_lowers_only_the_lower_side") {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> depth(0, 2), step(-3, 3);
  for (int k = 0; k < 1000; ++k) {
    double const h_L = depth(random), h_R = depth(random), b = step(random);
    auto const p = hydrostatic_reconstruction(h_L, h_R, b, 1.0, 2.0, 3.0, 4.0);
    CHECK(p.L.h == (b > 0 ? std::max(0.0, h_L - b) : h_L));
    CHECK(p.R.h == (b < 0 ? std::max(0.0, h_R + b) : h_R));
    CHECK(p.L.un == 1);
    CHECK(p.R.ut == 4);
    auto const level = hydrostatic_reconstruction(h_L, std::max(0.0, h_L - b), b, 0.0, 0.0, 0.0, 0.0);
    if (h_L >= b) CHECK(std::abs(level.L.h - level.R.h) <= 2e-15);  // still water: one depth at the face
  }
}

TEST_CASE("friction_laws_have_their_textbook_form") {
  for (auto law : laws)
    for (double h : {1e-4, 0.02, 1.0, 30.0})
      for (double u : {0.01, 2.0}) {
        double const c = usual_coefficient(law), k = drag(law, c, h);
        double const is = law == FrictionLaw::Type::linear ? k * u : k * u * u;
        CHECK(is == Approx(deceleration(law, c, h, u)).epsilon(1e-12));
        CHECK(depth_powers(law, h).inverse == Approx(1 / h).epsilon(1e-13));
      }
  CHECK(drag(FrictionLaw::Type::manning, 0.025, 2.0) ==
        Approx(9.81 * 0.025 * 0.025 / std::pow(2, 4.0 / 3)).epsilon(1e-13));
  CHECK(friction_parameter(FrictionLaw::Type::none, 3, g) == 0);
}

TEST_CASE("friction_is_backward_euler_for_any_step") {
  for (auto law : laws)
    for (double dt : {1e-6, 0.1, 10.0, 1e8})
      for (double speed : {0.0, 1e-9, 0.3, 12.0, 1e4}) {
        double const k = drag(law, usual_coefficient(law), 0.01), power = 0.3;
        double const factor = friction_factor(law, k / power, power, speed, dt), w = factor * speed;
        double const slowed = law == FrictionLaw::Type::linear ? k * w : k * w * w;
        CHECK(factor > 0);   // never turns the flow round,
        CHECK(factor <= 1);  // never drives it
        CHECK(w + dt * slowed == Approx(speed).epsilon(1e-12));
      }
}

TEST_CASE("long_friction_steps_reach_the_steady_speed") {
  double const a = g * 0.01, dt = 1e9;  // a slope of 1 %, starting from rest
  for (auto law : laws) {
    double const k = drag(law, usual_coefficient(law), 0.4);
    double const w = a * dt * friction_factor(law, k, 1.0, a * dt, dt);
    CHECK(w == Approx(law == FrictionLaw::Type::linear ? a / k : std::sqrt(a / k)).epsilon(1e-6));
  }
}

TEST_CASE("second_order_slopes_are_those_of_first_order_beside_dry_ground") {
  using P = Primitive<double>;
  P const wet_left{0.5, 1, 2, 0.3, 1 / 0.5}, cell{0.4, 1.5, 1, 0.2, 1 / 0.4}, dry_right{0, 0, 0, 0.1, 1 / dry};
  auto const slopes = [&](P const& right) {
    auto const base = slope_base(
        Differences<double>{level_difference(wet_left, cell, dry), level_difference(cell, right, dry)},
        Differences<double>{cell.z - wet_left.z, right.z - cell.z}, wet_left.z, right.z);
    return std::pair(slopes_first(cell.h, base),
                     slopes_second(Scheme::Limiter::mc, wet_left, cell, right, base, dry));
  };
  auto const [first, second] = slopes(dry_right);
  CHECK(second.level == first.level);
  CHECK(second.depth == first.depth);
  CHECK(second.u == 0);
  CHECK(second.v == 0);
  double last = 0;
  for (double h : {1e-5, 1e-3, 0.01, 0.03, 0.05, 0.2}) {  // and come back as the neighbour fills
    auto const u = slopes({h, 2, 0, 0.1}).second.u;
    CHECK(u >= last);
    last = u;
  }
  CHECK(last == limited_half_difference(Scheme::Limiter::mc, 0.5, 0.5));
}
