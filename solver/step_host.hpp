#pragma once
/// \file
/// The CPU's loop over cells and faces: tiles that stay in the first-level cache, rows of lanes inside, each face
/// computed once per tile.

#include "solver/step.hpp"

namespace swe {

/// What a tile tells the time step control after a stage.
template <class Real>
struct TileResult {
  Real max_rate = 0;   ///< largest (|u| + c)/dx + (|v| + c)/dy [1/s]
  bool failed = false; ///< a depth below zero, or not a number
  bool wet = false;    ///< some cell holds water
};

/// Tiles are cut at fixed multiples of these, whatever the number of threads.
inline constexpr int tile_width = 256;
inline constexpr int tile_height = 32;

/// One stage over the cells [i0, i0 + tile_width) x [j0, j0 + tile_height) of the grid.
/// `order` 1 or 2; `stage` 1, or 2 for the second stage of second order.
template <class Real>
using TileKernel = TileResult<Real> (*)(StepArgs<Real> const&, int i0, int j0);

/// The kernel for a scheme, compiled for the CPU's lanes. `extras`: see needs_extras; only the usual solver, HLLC, has kernels
/// without them.
template <class Real>
[[nodiscard]] TileKernel<Real> host_tile_kernel(Scheme::Riemann riemann, int order, int stage, bool extras);

extern template TileKernel<float> host_tile_kernel<float>(Scheme::Riemann, int, int, bool);
extern template TileKernel<double> host_tile_kernel<double>(Scheme::Riemann, int, int, bool);

}  // namespace swe
