#include "solver/scenario.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

using swe::TimeSeries;

namespace {

constexpr auto linear = TimeSeries::Interpolation::linear;
constexpr auto step = TimeSeries::Interpolation::step;
constexpr auto hold = TimeSeries::AfterEnd::hold;
constexpr auto zero = TimeSeries::AfterEnd::zero;

}  // namespace

TEST_CASE("linear_series_is_straight_between_points") {
  TimeSeries const series{{0, 10, 30}, {1, 3, 3}, linear, hold};
  CHECK(series(-5) == 1);
  CHECK(series(0) == 1);
  CHECK(series(5) == Approx(2));
  CHECK(series(10) == 3);
  CHECK(series(29) == 3);
  CHECK(series(1e9) == 3);
}

TEST_CASE("step_series_holds_each_value_to_the_next") {
  TimeSeries const series{{0, 100, 200}, {36, 0, 5}, step, zero};
  CHECK(series(0) == 36);
  CHECK(series(std::nextafter(100.0, 0.0)) == 36);
  CHECK(series(100) == 0);
  CHECK(series(200) == 5);
  CHECK(series(200.5) == 0);
}

TEST_CASE("later_value_holds_at_a_jump") {
  TimeSeries const series{{0, 50, 50, 100}, {0, 0, 2, 2}, linear, hold};
  CHECK(series(std::nextafter(50.0, 0.0)) == 0);
  CHECK(series(50) == 2);
  CHECK(series(75) == 2);
}

TEST_CASE("integral_is_exact") {
  SECTION("linear: triangle") {
    TimeSeries const series{{0, 50, 100}, {4, 0, 0}, linear, hold};
    CHECK(series.integral(0, 100) == 100);
    CHECK(series.integral(0, 25) == 75);
    CHECK(series.integral(60, 90) == 0);
  }
  SECTION("step: the value holds from its time on") {
    TimeSeries const series{{0, 100, 200}, {36, 0, 0}, step, hold};
    CHECK(series.integral(0, 200) == 3600);
    CHECK(series.integral(50, 150) == 1800);
  }
  SECTION("a jump adds nothing of its own") {
    TimeSeries const series{{0, 50, 50, 100}, {0, 0, 2, 2}, linear, hold};
    CHECK(series.integral(0, 100) == 100);
    CHECK(series.integral(50, 50) == 0);
  }
  SECTION("before the first and after the last time") {
    TimeSeries held{{10, 20}, {2, 4}, linear, hold};
    CHECK(held.integral(0, 10) == 20);
    CHECK(held.integral(20, 30) == 40);
    CHECK(held.integral(0, 30) == 20 + 30 + 40);
    held.after_end = zero;
    CHECK(held.integral(0, 30) == 20 + 30);
    CHECK(held.integral(25, 30) == 0);
  }
  SECTION("constant") {
    CHECK(TimeSeries::constant(2.5).integral(3, 7) == 10);
    CHECK(TimeSeries::constant(2.5)(1e6) == 2.5);
  }
}

TEST_CASE("integral_is_additive") {
  TimeSeries const series{{0, 7, 7, 19, 40}, {1, 4, -2, 8, 3}, linear, zero};
  double const whole = series.integral(-3, 55);
  for (double const cut : {-1.0, 0.0, 3.3, 7.0, 12.5, 40.0, 44.0})
    CHECK(series.integral(-3, cut) + series.integral(cut, 55) == Approx(whole).epsilon(1e-14));
}

TEST_CASE("jumps_are_where_steps_must_stop") {
  CHECK(TimeSeries{{0, 50, 50, 100}, {0, 0, 2, 2}, linear, hold}.jumps() == std::vector<double>{50});
  CHECK(TimeSeries{{0, 50, 100}, {0, 1, 2}, linear, hold}.jumps().empty());
  CHECK(TimeSeries{{0, 50, 100}, {0, 1, 2}, linear, zero}.jumps() == std::vector<double>{100});
  CHECK(TimeSeries{{0, 50, 50, 100}, {0, 1, 2, 2}, step, hold}.jumps() == std::vector<double>{0, 50, 100});
}

TEST_CASE("active_cells_are_those_with_a_bed") {
  swe::Scenario scenario;
  scenario.grid = {2, 2, 1, 1, 0, 0};
  scenario.bed = {0, std::numeric_limits<double>::quiet_NaN(), 1, 2};
  CHECK(scenario.active_cells() == 3);
  CHECK(!scenario.active(1));
}
