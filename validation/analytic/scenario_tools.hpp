#pragma once
/// \file
/// Building scenarios by hand: grids, beds from formulas, sides, and the exchange of x and y.

#include <functional>
#include <string>

#include "solver/geometry.hpp"
#include "solver/scenario.hpp"
#include "solver/simulation.hpp"
#include "validation/analytic/solutions/flow.hpp"

namespace swe::validation {

using Bed = std::function<double(double x, double y)>;
using FlowField = std::function<exact::Flow(double x, double y)>;

/// A strip of n square cells from x_from to x_to, three cells wide, centred on y = 0.
[[nodiscard]] Grid strip_grid(double x_from, double x_to, int n);
/// n square cells from x_from to x_to, as many rows as fit from y_from to y_to.
[[nodiscard]] Grid square_grid(double x_from, double x_to, double y_from, double y_to, int n);

/// Bed and initial flow from their values at cell centres; walls all around, no friction, until `end_time`
/// [s].
[[nodiscard]] Scenario make_scenario(std::string title, Grid const& grid, Bed const& bed,
                                     FlowField const& initial, double end_time);

/// Value per cell from a formula at cell centres.
[[nodiscard]] CellField cell_field(Grid const& grid, std::function<double(double, double)> const& f);

/// Adds a boundary over a whole side, or the part of it between `from` and `to` [m]; returns it for more
/// settings.
Boundary& add_side(Scenario& scenario, Side side, Boundary::Type type, double value = 0,
                   double from = -std::numeric_limits<double>::infinity(),
                   double to = std::numeric_limits<double>::infinity());
/// Joins two opposite sides.
void add_periodic(Scenario& scenario, Side side);

/// The same physics with x and y exchanged.
[[nodiscard]] Scenario transposed(Scenario const& scenario);
/// A state on the transposed grid (nx, ny given for `state`), seen with x and y exchanged.
[[nodiscard]] StateHost transposed(StateHost const& state, int nx, int ny);

}  // namespace swe::validation
