#pragma once
/// \file
/// What the scenario's series ask for during a step, evaluated on the host.

#include <span>
#include <vector>

#include "solver/scenario.hpp"

namespace swe {

/// Mean of a series over [t, t + dt], so that its integral over any run is exact; its value for dt = 0.
[[nodiscard]] double mean_over(TimeSeries const& series, double t, double dt);

/// Mean of a series over a step, of which no part spans a jump: for step series exactly the value that holds.
[[nodiscard]] double rate_over(TimeSeries const& series, double t, double dt);

/// Largest value of a series over [a, b].
[[nodiscard]] double largest_over(TimeSeries const& series, double a, double b);

/// Largest magnitude of a series over [a, b].
[[nodiscard]] double largest_magnitude_over(TimeSeries const& series, double a, double b);

/// Discharge of a rating curve at a water level [m], linear between its points, constant beyond them.
[[nodiscard]] double rating_discharge(Boundary const& boundary, double level);

/// All times after `start` and up to `end` at which some forcing jumps, in order, each once. Steps end there.
[[nodiscard]] std::vector<double> forcing_jumps(Scenario const& scenario);

/// Largest step for water that rises at `rate` [m/s] on dry ground: the wave it starts stays within the Courant number,
///   dt (2/dx) sqrt(g rate dt) <= cfl.
/// Infinite for rate <= 0.
[[nodiscard]] double step_bound_for_rise(double rate, double dx, double gravity, double cfl);

}  // namespace swe
