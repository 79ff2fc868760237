#pragma once
/// \file
/// How the grid lies in memory.

#include <Kokkidio/Kokkidio.hpp>
#include <cstdint>

#include "solver/scenario.hpp"

namespace swe {

/// A raster with room around it: two ghost cells on every side, rows that start at a multiple of 16 numbers, and
/// space for two lanes to run over either end of a row.
struct Layout {
  static constexpr int row_unit = 16;
  static constexpr int ghost = 2;

  int nx = 0, ny = 0;
  std::int64_t pitch = 0;

  explicit Layout(Grid const& grid)
      : nx(grid.nx), ny(grid.ny), pitch(3 * row_unit + (std::int64_t(grid.nx) + row_unit - 1) / row_unit * row_unit) {}

  /// Position of cell (0, 0).
  [[nodiscard]] std::int64_t origin() const { return 2 * row_unit + ghost * pitch; }
  /// Position of cell (i, j), which may be a ghost cell.
  [[nodiscard]] std::int64_t at(int i, int j) const { return origin() + i + pitch * j; }
  [[nodiscard]] std::int64_t size() const { return pitch * (ny + 2 * ghost) + 2 * row_unit; }
};

template <class T, Kokkidio::Target target>
using Array = Kokkidio::ViewMap<T*, target>;

}  // namespace swe
