/// \file
/// The instruments of the analytic tests: norms, orders, fronts, the exchange of x and y, and the list of
/// tests.

#include <cmath>
#include <set>
#include <sstream>

#include "tests/catch.hpp"
#include "validation/analytic/benchmark.hpp"
#include "validation/analytic/measure.hpp"
#include "validation/analytic/run.hpp"
#include "validation/analytic/scenario_tools.hpp"

using namespace swe;
using namespace swe::validation;

TEST_CASE("norms_follow_their_definitions", "[unit]") {
  Errors errors;
  errors.add(1.5, 1);
  errors.add(-2, -3);
  CHECK(errors.L1() == Approx(1.5 / 4));
  CHECK(errors.L2() == Approx(std::sqrt((0.25 + 1) / 10)));
  CHECK(errors.Linf() == Approx(1.0 / 3));
  errors.add(NAN, 1);
  CHECK(std::isnan(errors.Linf()));
  CHECK(observed_order(0.04, 0.01, 100, 200) == Approx(2));
}

TEST_CASE("front_is_the_first_cell_from_outside", "[unit]") {
  Grid const grid = strip_grid(0, 10, 10);
  StateHost state;
  state.h.assign(grid.cells(), 0.0);
  for (int i = 2; i < 6; ++i) state.h[grid.index(i, 1)] = 1;
  CHECK(find_front({{}, 0.5, true}, grid, state).value() == Approx(6));
  CHECK(find_front({{}, 0.5, false}, grid, state).value() == Approx(2));
  CHECK_FALSE(find_front({{}, 2, true}, grid, state).has_value());
}

TEST_CASE("transposing_twice_changes_nothing", "[unit]") {
  for (auto const& benchmark : all_benchmarks()) {
    if (!benchmark.strip) continue;
    INFO(benchmark.name);
    Scenario const scenario = benchmark.scenario(20);
    Scenario const once = transposed(scenario), twice = transposed(once);
    CHECK(once.grid.nx == scenario.grid.ny);
    CHECK(twice.grid == scenario.grid);
    CHECK(twice.bed == scenario.bed);
    CHECK(twice.initial.depth.raster == scenario.initial.depth.raster);
    CHECK(twice.initial.velocity_x.raster == scenario.initial.velocity_x.raster);
    REQUIRE(twice.boundaries.size() == scenario.boundaries.size());
    for (std::size_t k = 0; k < twice.boundaries.size(); ++k) {
      CHECK(twice.boundaries[k].faces == scenario.boundaries[k].faces);
      CHECK(once.boundaries[k].faces.size() == 3);
      CHECK(once.boundaries[k].velocity_y.value == scenario.boundaries[k].velocity_x.value);
    }
  }
}

TEST_CASE("transposed_states_keep_a_bed_that_moved", "[unit]") {
  StateHost const state{1, {1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}, {0, 1, 0, 1, 0, 1}, {7, 8, 9, 10, 11, 12}};
  auto const once = transposed(state, 3, 2);
  CHECK(once.bed == std::vector<double>{7, 10, 8, 11, 9, 12});
  CHECK(once.hu == std::vector<double>{0, 1, 1, 0, 0, 1});
  CHECK(transposed(once, 2, 3).bed == state.bed);
  CHECK(transposed(StateHost{1, state.h, state.hu, state.hv, {}}, 3, 2).bed.empty());
}

TEST_CASE("every_analytic_test_has_its_own_name_and_a_group", "[unit]") {
  std::set<std::string> names;
  for (auto const& benchmark : all_benchmarks()) {
    CHECK(names.insert(benchmark.name).second);
    bool grouped = false;
    std::istringstream groups(SWE_CONVERGENCE_GROUPS);
    for (std::string group; std::getline(groups, group, ',');)
      grouped = grouped || benchmark.name.starts_with(group);
    INFO(benchmark.name);
    CHECK(grouped);
  }
}

TEST_CASE("initial_states_are_the_exact_ones_where_there_are_any", "[unit]") {
  for (auto const& benchmark : all_benchmarks()) {
    if (benchmark.name.starts_with("thacker") || benchmark.name.starts_with("vortex")) {
      INFO(benchmark.name);
      Scenario const scenario = benchmark.scenario(40);
      StateHost state;
      for (std::int64_t cell = 0; cell < scenario.grid.cells(); ++cell) {
        double const h = scenario.initial.depth(cell);
        state.h.push_back(h);
        state.hu.push_back(h * scenario.initial.velocity_x(cell));
        state.hv.push_back(h * scenario.initial.velocity_y(cell));
      }
      for (auto const& errors : errors_of(benchmark, scenario.grid, state)) CHECK(errors.Linf() < 1e-10);
    }
  }
}
