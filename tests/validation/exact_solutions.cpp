/// \file
/// The exact solutions themselves: they satisfy the equations, their jumps keep mass and momentum, and they
/// give the tabulated numbers.

#include "tests/catch.hpp"
#include "tests/validation/residual.hpp"
#include "validation/analytic/solutions/bowl.hpp"
#include "validation/analytic/solutions/bump.hpp"
#include "validation/analytic/solutions/carrier_greenspan.hpp"
#include "validation/analytic/solutions/dam_break.hpp"
#include "validation/analytic/solutions/macdonald.hpp"
#include "validation/analytic/solutions/oblique_jump.hpp"
#include "validation/analytic/solutions/radial_dam_break.hpp"
#include "validation/analytic/solutions/rain_on_plane.hpp"
#include "validation/analytic/solutions/v_catchment.hpp"
#include "validation/analytic/solutions/vortex.hpp"

using namespace swe::exact;

namespace {
/// Mass and momentum jump across a shock of speed s, relative to the fluxes: 0 when kept.
double rankine_hugoniot(Flow const& a, Flow const& b, double s) {
  auto const momentum = [](Flow const& f) { return f.hu() * f.u + 0.5 * standard_gravity * squared(f.h); };
  double const mass = (a.hu() - b.hu()) - s * (a.h - b.h);
  double const push = (momentum(a) - momentum(b)) - s * (a.hu() - b.hu());
  return std::max(std::abs(mass) / std::abs(a.hu()), std::abs(push) / momentum(a));
}
}  // namespace

TEST_CASE("ritter_solves_the_equations_and_has_the_classical_dam_site_values", "[unit]") {
  Ritter const ritter;
  double const c = celerity(ritter.h_left);
  Flow const dam = ritter(5, 3);
  CHECK(dam.h == Approx(4.0 / 9 * ritter.h_left).epsilon(1e-14));
  CHECK(dam.hu() == Approx(8.0 / 27 * c * ritter.h_left).epsilon(1e-14));
  for (double x : {4.6, 5.0, 5.9, 6.8}) {
    auto const flow = [&](double a, double, double t) { return ritter(a, t); };
    CHECK(residual(flow, x, 0, 4, 1e-3, 1e-3).largest() < 1e-10);
  }
  CHECK(ritter(ritter.front(6) + 1e-9, 6).h == 0);
  CHECK(ritter(ritter.front(6) - 1e-3, 6).h > 0);
}

TEST_CASE("stoker_gives_the_tabulated_middle_states", "[unit]") {
  Stoker const small(5, 0.005, 0.001);
  CHECK(small.h_middle() == Approx(0.002539357).epsilon(1e-6));
  CHECK(small.u_middle() == Approx(0.127280).epsilon(1e-5));
  CHECK(small.shock_speed() == Approx(0.209963).epsilon(1e-5));
  Stoker const large(0, 10, 5);
  CHECK(large.h_middle() == Approx(7.269204).epsilon(1e-6));
  CHECK(large.u_middle() == Approx(2.919933).epsilon(1e-6));
  CHECK(large.shock_speed() == Approx(9.353758).epsilon(1e-6));
  double const front = large.front(2);
  CHECK(rankine_hugoniot(large(front - 1e-9, 2), large(front + 1e-9, 2), large.shock_speed()) < 1e-12);
}

TEST_CASE("dressler_has_the_tabulated_velocity_maximum", "[unit]") {
  Dressler const dressler;
  CHECK(dressler.first_valid(40) == Approx(693.12).margin(0.01));
  double const last = dressler.last_valid(40);
  CHECK(last == Approx(1084.56).margin(0.05));
  CHECK(dressler(last, 40).u == Approx(4.767).margin(0.001));
  CHECK(dressler(last, 40).h == Approx(2.310).margin(0.001));
  Flow const still = dressler(dressler.first_valid(40), 40);
  CHECK(still.h == Approx(6).epsilon(1e-12));
  CHECK(std::abs(still.u) < 1e-12);
}

TEST_CASE("bump_flows_give_the_tabulated_depths", "[unit]") {
  BumpFlow const subcritical(BumpFlow::Regime::subcritical);
  CHECK(subcritical(10).h == Approx(1.70735).margin(1e-5));
  CHECK(subcritical(25).h == Approx(2).epsilon(1e-12));

  BumpFlow const transcritical(BumpFlow::Regime::transcritical);
  CHECK(transcritical(0).h == Approx(1.01445).margin(1e-5));
  CHECK(transcritical(10).h == Approx(0.620256).margin(1e-5));
  CHECK(transcritical(25).h == Approx(0.405781).margin(1e-6));

  BumpFlow const shock(BumpFlow::Regime::shock);
  CHECK(shock(0).h == Approx(0.413736).margin(1e-6));
  CHECK(shock.jump() == Approx(11.665618).margin(1e-6));
  Flow const before = shock(shock.jump() - 1e-12), after = shock(shock.jump() + 1e-12);
  CHECK(before.h == Approx(0.0759703).margin(1e-7));
  CHECK(after.h == Approx(0.2593218).margin(1e-7));
  CHECK(rankine_hugoniot(before, after, 0) < 1e-9);
}

TEST_CASE("bump_flows_solve_the_equations", "[unit]") {
  using Regime = BumpFlow::Regime;
  for (auto regime : {Regime::subcritical, Regime::transcritical, Regime::shock}) {
    BumpFlow const bump(regime);
    RightHandSide right;
    right.bed = [](double x, double) { return bump_bed(x); };
    for (double x : {4.0, 8.7, 9.4, 10.6, 11.3, 11.9, 20.0}) {
      CHECK(residual([&](double a, double, double) { return bump(a); }, x, 0, 0, 1e-3, 1, right).largest() <
            1e-7);
    }
  }
}

TEST_CASE("macdonald_channels_give_the_tabulated_drops_and_depths", "[unit]") {
  struct Row {
    char const* name;
    double drop_manning, drop_darcy, h_0, h_L;
  };
  std::vector<Row> const rows = {{"long_subcritical", 6.9522, 7.1582, .74832, .74832},
                                 {"long_supercritical", 34.717, 15.815, .74151, .74151},
                                 {"long_sub_to_super", 5.6176, 5.6051, .96527, .61856},
                                 {"long_super_to_sub", 5.7045, 5.6446, .54379, 1.33475},
                                 {"short_jump", 2.5956, 0, .98871, 2.87871},
                                 {"short_supercritical", 1.9951, 0, .67333, .67333},
                                 {"short_sub_to_super", 1.1727, 0, .98871, .61794},
                                 {"long_periodic", 14.5693, 0, 1.125, 1.125},
                                 {"rain_subcritical", 4.5800, 4.6966, .74832, .74832},
                                 {"rain_supercritical", 51.5641, 24.1446, .74151, .74151}};
  auto const shapes = channel_shapes();
  REQUIRE(shapes.size() == rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    INFO(shapes[k].name);
    REQUIRE(shapes[k].name == rows[k].name);
    MacDonald const manning(shapes[k], ChannelFriction::manning);
    CHECK(manning.bed(0) == Approx(rows[k].drop_manning).epsilon(2e-5));
    CHECK(manning.bed(shapes[k].length) == Approx(0).margin(1e-12));
    CHECK(manning.depth(0) == Approx(rows[k].h_0).margin(1e-5));
    CHECK(manning.depth(shapes[k].length) == Approx(rows[k].h_L).margin(1e-5));
    if (rows[k].drop_darcy > 0) {
      MacDonald const darcy(shapes[k], ChannelFriction::darcy_weisbach);
      CHECK(darcy.bed(0) == Approx(rows[k].drop_darcy).epsilon(3e-5));
    }
  }
}

TEST_CASE("macdonald_channels_solve_the_equations", "[unit]") {
  for (auto const& shape : channel_shapes()) {
    for (auto friction : {ChannelFriction::manning, ChannelFriction::darcy_weisbach}) {
      if (friction == ChannelFriction::darcy_weisbach && shape.darcy_weisbach == 0) continue;
      MacDonald const channel(shape, friction);
      RightHandSide right;
      right.bed = [&](double x, double) { return channel.bed(x); };
      right.rain = shape.rain;
      right.drag = [&](Flow const& f) {
        double const speed = std::abs(f.u);
        double const drag = friction == ChannelFriction::manning
                                ? right.g * squared(shape.manning) * f.u * speed / std::cbrt(f.h)
                                : shape.darcy_weisbach * f.u * speed / 8;
        return Flow{0, drag, 0};
      };
      for (double part : {0.07, 0.31, 0.45, 0.61, 0.83, 0.95}) {
        double const x = part * shape.length;
        INFO(shape.name << " at " << x);
        auto const r = residual([&](double a, double, double) { return channel(a); }, x, 0, 0,
                                1e-4 * shape.length, 1, right);
        CHECK(r.largest() < 1e-6);
      }
    }
  }
}

TEST_CASE("macdonald_jumps_keep_the_momentum", "[unit]") {
  for (auto const& shape : channel_shapes()) {
    if (shape.split == shape.length || shape.name == "long_sub_to_super") continue;
    Flow const before{shape.h[0](shape.split), shape.q / shape.h[0](shape.split), 0};
    Flow const after{shape.h[1](shape.split), shape.q / shape.h[1](shape.split), 0};
    INFO(shape.name);
    CHECK(rankine_hugoniot(before, after, 0) < 1e-5);  // the published coefficients have six digits
  }
}

TEST_CASE("bowls_solve_the_equations", "[unit]") {
  RightHandSide right;
  SECTION("canal") {
    ThackerCanal const canal;
    CHECK(canal.period() == Approx(2.006067).margin(1e-6));
    right.bed = [&](double x, double) { return canal.bed(x); };
    auto const flow = [&](double x, double, double t) { return canal(x, t); };
    for (double t : {0.1, 0.7, 1.9}) CHECK(residual(flow, 2.1, 0, t, 1e-3, 1e-3, right).largest() < 1e-8);
    CHECK(canal(canal.shoreline(0.7) - 1e-6, 0.7).h > 0);
    CHECK(canal(canal.shoreline(0.7) + 1e-6, 0.7).h == 0);
  }
  SECTION("planar") {
    ThackerPlanar const bowl;
    CHECK(bowl.period() == Approx(4.485701).margin(1e-6));
    CHECK(bowl(2.5, 2, 0).v == Approx(0.7004).margin(1e-4));
    right.bed = [&](double x, double y) { return bowl.bed(x, y); };
    for (double t : {0.1, 1.7, 3.9}) CHECK(residual(bowl, 2.1, 1.8, t, 1e-3, 1e-3, right).largest() < 1e-8);
  }
  SECTION("radial") {
    ThackerRadial const bowl;
    CHECK(bowl.amplitude() == Approx(0.418842).margin(1e-6));
    CHECK(bowl.period() == Approx(2.242851).margin(1e-6));
    CHECK(bowl(2 + 0.7999, 2, 0).h > 0);
    CHECK(bowl(2 + 0.8001, 2, 0).h == 0);
    right.bed = [&](double x, double y) { return bowl.bed(x, y); };
    for (double t : {0.1, 0.7, 1.9}) CHECK(residual(bowl, 2.3, 1.8, t, 1e-3, 1e-3, right).largest() < 1e-8);
  }
  SECTION("sampson") {
    Sampson const canal;
    CHECK(canal.p() == Approx(0.00933809).epsilon(1e-6));
    CHECK(canal.s() == Approx(0.0046422).epsilon(1e-4));
    CHECK(canal.period() == Approx(1353.5).margin(0.1));
    CHECK(canal.shoreline(0) == Approx(1935.28).margin(0.01));
    CHECK(canal.shoreline(0) - 2 * canal.a == Approx(-4064.72).margin(0.01));
    CHECK(canal(canal.shoreline(300) - 0.01, 300).h > 0);
    CHECK(canal(canal.shoreline(300) + 0.01, 300).h == 0);
    right.bed = [&](double x, double) { return canal.bed(x); };
    right.drag = [&](Flow const& f) { return Flow{0, canal.tau * f.hu(), 0}; };
    auto const flow = [&](double x, double, double t) { return canal(x, t); };
    for (double t : {50.0, 700.0, 1900.0}) CHECK(residual(flow, 200, 0, t, 1, 0.5, right).largest() < 1e-7);
  }
}

TEST_CASE("vortices_solve_the_equations", "[unit]") {
  GaussianVortex const gaussian;
  CHECK(gaussian(-0.5, -0.25, 0).h == Approx(0.9921).margin(5e-5));
  CompactVortex const compact;
  CHECK(compact(0.5, 0.5, 0).h == Approx(9.5059).margin(5e-5));
  CHECK(compact(0.5, 0.5, 1.0 / 6).h == Approx(compact(0.5, 0.5, 0).h).epsilon(1e-12));
  for (double x : {-1.2, -0.1, 0.4}) {
    CHECK(residual(gaussian, x, 0.3, 0.4, 1e-3, 1e-3).largest() < 1e-9);
  }
  for (double x : {0.41, 0.55, 0.66}) {
    CHECK(residual(compact, x, 0.57, 0.01, 1e-4, 1e-5).largest() < 1e-5);
  }
}

TEST_CASE("carrier_greenspan_solves_the_equations_and_runs_up_to_its_amplitude", "[unit]") {
  CarrierGreenspan const beach;
  RightHandSide right;
  right.bed = [&](double x, double) { return beach.bed(x); };
  auto const flow = [&](double x, double, double t) { return beach(x, t); };
  for (double part : {0.05, 0.3, 0.55, 0.8}) {
    double const t = part * beach.period();
    for (double x : {13.0, 20.0, 45.0, 79.0}) {
      INFO("x " << x << " t/T " << part);
      CHECK(residual(flow, x, 0, t, 0.01, 0.001, right).largest() < 1e-6);
    }
  }
  double highest = 0, lowest = 0;
  for (int k = 0; k <= 1000; ++k) {
    double const edge = beach.shoreline(k * 1e-3 * beach.period());
    highest = std::min(highest, edge), lowest = std::max(lowest, edge);
    CHECK(beach.wave(edge, k * 1e-3 * beach.period()).eta == Approx(beach.bed(edge)).margin(1e-9));
  }
  CHECK(highest == Approx(-0.6 * beach.length).epsilon(1e-5));
  CHECK(lowest == Approx(0.6 * beach.length).epsilon(1e-5));
  CHECK(beach.shoreline(0) == Approx(beach.shoreline(beach.period())).epsilon(1e-9));
}

TEST_CASE("oblique_jump_gives_the_tabulated_angle_and_keeps_the_momentum", "[unit]") {
  ObliqueJump const jump;
  CHECK(jump.beta() * 180 / pi == Approx(29.989).margin(1e-3));
  CHECK(jump.speed_1() == Approx(8.58193).margin(1e-5));
  CHECK(jump.h_2() == Approx(1.50033).margin(1e-5));
  CHECK(jump.speed_2() == Approx(7.9639).margin(1e-4));
  CHECK(jump.froude_2() == Approx(2.0759).margin(1e-4));
  CHECK(jump.largest_deflection() * 180 / pi == Approx(29.87).margin(0.01));
  // seen along the normal of the jump: mass and momentum; along the jump: the same velocity
  double const a = jump.wall_angle();
  auto const turned = [a](Flow const& f) {
    return Flow{f.h, f.u * std::sin(a) - f.v * std::cos(a), f.u * std::cos(a) + f.v * std::sin(a)};
  };
  Flow const before = turned(jump.incoming()), after = turned(jump(10, 0.1));
  CHECK(rankine_hugoniot(before, after, 0) < 1e-12);
  CHECK(before.v == Approx(after.v).epsilon(1e-12));
}

TEST_CASE("rain_on_a_plane_gives_the_tabulated_numbers_and_its_whole_volume", "[unit]") {
  RainOnPlane const plane;
  CHECK(plane.al() == Approx(3.3333).epsilon(1e-4));
  CHECK(plane.concentration_time() == Approx(2686.6).margin(0.1));
  CHECK(plane.outflow(5000) == Approx(0.0138889).epsilon(1e-5));
  CHECK(plane.steady_depth(1000) == Approx(0.037314).epsilon(1e-4));
  for (double duration : {7200.0, 1500.0}) {
    RainOnPlane rain = plane;
    rain.duration = duration;
    double volume = 0, step = 5;
    for (double t = 0.5 * step; t < 400000; t += step) volume += rain.outflow(t) * step;
    CHECK(volume == Approx(rain.rain * rain.duration * rain.length).epsilon(2e-3));
  }
}

TEST_CASE("v_catchment_reaches_equilibrium_and_keeps_the_rain", "[unit]") {
  VCatchment const catchment;
  CHECK(catchment.plane.al() == Approx(14.907).epsilon(1e-4));
  CHECK(catchment.plane.concentration_time() == Approx(1765.9).margin(0.1));
  CHECK(catchment.equilibrium() == Approx(4.86).epsilon(1e-6));
  CHECK(catchment.channel_al() == Approx(0.9428).epsilon(1e-4));
  auto const outflow = catchment.outflow(60, 24 * 60, 500);
  CHECK(outflow[90] == Approx(4.86).epsilon(1e-3));
  double volume = 0;
  for (std::size_t k = 1; k < outflow.size(); ++k) volume += 30 * (outflow[k - 1] + outflow[k]);
  CHECK(volume == Approx(26244).epsilon(3e-3));
}

TEST_CASE("radial_reference_keeps_its_volume", "[unit]") {
  RadialDamBreak dam;
  dam.cells = 1000;
  dam.solve();
  double volume = 0, initial = 0;
  double const dr = dam.r_end / dam.cells;
  for (int i = 0; i < dam.cells; ++i) {
    double const r = (i + 0.5) * dr;
    volume += dam.at(r).h * 2 * pi * r * dr;
  }
  initial = pi * (squared(dam.r_end) * dam.h_outside + squared(dam.r_0) * (dam.h_inside - dam.h_outside));
  CHECK(volume == Approx(initial).epsilon(1e-10));
}
