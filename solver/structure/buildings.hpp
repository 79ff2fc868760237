#pragma once
/// \file
/// Buildings as part of the bed.

#include <limits>
#include <span>

#include "solver/scenario.hpp"

namespace swe {

/// Cells that water cannot enter: they take no part, and their outline is a wall.
inline void cut_buildings(Scenario& scenario, std::span<std::int64_t const> cells) {
  for (auto c : cells) scenario.bed[std::size_t(c)] = std::numeric_limits<double>::quiet_NaN();
}

/// Cells raised by `height` [m], over which water may go.
inline void raise_buildings(Scenario& scenario, std::span<std::int64_t const> cells, double height) {
  for (auto c : cells) scenario.bed[std::size_t(c)] += height;
}

}  // namespace swe
