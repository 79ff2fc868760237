#pragma once
/// \file
/// The loops beside the flux loop: boundaries, ghost cells, local sources, extremes, gauges. Each is a free function
/// over plain pointers, one text for both targets.

#include <Kokkidio/Kokkidio.hpp>

#include "solver/boundary/registry.hpp"
#include "solver/fields.hpp"
#include "solver/loops.hpp"
#include "solver/section.hpp"
#include "solver/simulation.hpp"
#include "solver/step.hpp"

namespace swe {

/// One face of a boundary.
template <class Real>
struct BoundaryFaceRecord {
  std::int64_t cell = 0;  ///< position of the active cell
  std::int64_t entry = 0; ///< in the BoundaryFluxTable
  int boundary = 0;
  Side side = Side::west;
  Real dry_weight = 0;    ///< share of a discharge while every face is dry: width where the bed is lowest
  Real width = 0;         ///< [m]
};

/// The cell at a face as the fluxes through its other faces see it: with the slopes that it has inside.
template <int Order, class Real>
KOKKOS_INLINE_FUNCTION CellInside<Real> cell_inside(StepArgs<Real> const& a, BoundaryFaceRecord<Real> const& f) {
  bool const along_x = f.side == Side::west || f.side == Side::east;
  Real const sign = f.side == Side::west || f.side == Side::south ? Real(-1) : Real(1);
  auto const c = cell_at_face<Order>(a, f.cell, along_x);
  Real const change = sign * c.depth_slope;
  CellInside<Real> in{c.h + change, sign * c.un, c.ut, c.z, c.h, sign * c.level_slope, sign * c.un};
  if constexpr (Order == 2) {
    Real const weight = sign * (c.h - change) * c.inverse;
    in.un = Kokkidio::fma(weight, sign * c.un_slope, in.un);
    in.ut = Kokkidio::fma(weight, c.ut_slope, in.ut);
  }
  return in;
}

/// Friction parameter at a cell.
template <class Real>
KOKKOS_INLINE_FUNCTION Real friction_at(StepArgs<Real> const& a, std::int64_t cell) {
  return a.friction_raster ? a.friction_raster[cell] : a.friction_constant;
}

/// Conveyance of a face's cell: depth^(5/3) / n for Manning, sqrt(h / k) h in general, times the width.
template <class Real>
KOKKOS_INLINE_FUNCTION Real conveyance(StepArgs<Real> const& a, BoundaryFaceRecord<Real> const& f) {
  Real const h = a.h[f.cell];
  if (h <= a.dry_tolerance) return 0;
  if (a.friction == FrictionLaw::Type::none) return f.width * h * Kokkidio::sqrt(h);
  Real const drag = friction_at(a, f.cell) * depth_powers(a.friction, h).friction;
  return f.width * h / Kokkidio::sqrt(Kokkidio::max(drag, Real(1e-20)));
}

/// Conveyance of a boundary and the water level over it, weighted by conveyance.
struct BoundarySection {
  double conveyance = 0, level = 0;
};
template <Target target, class Real>
BoundarySection measure_section(StepArgs<Real> const& a, BoundaryFaceRecord<Real> const* faces, Index n) {
  double conveyance_sum = 0, level_sum = 0;
  Kokkidio::parallel_reduce<target>(
      "conveyance", n,
      KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<target> const& range, double& sum, double& weighted_level) {
        for (Index k = range.begin(); k < range.end(); ++k) {
          BoundaryFaceRecord<Real> const face = faces[k];
          double const share = double(conveyance(a, face));
          sum += share;
          weighted_level += share * (double(a.bed[face.cell]) + double(a.h[face.cell]));
        }
      },
      conveyance_sum, level_sum);
  return {conveyance_sum, conveyance_sum > 0 ? level_sum / conveyance_sum : 0};
}

/// Computes the flux of every boundary face into the table and adds `weight` times its mass to `step_mass`.
template <Target target, int Order, class Real>
void compute_boundary_fluxes(StepArgs<Real> const& a, BoundaryFaceRecord<Real> const* faces, Index n,
                             BoundaryForcing<Real> const* forcings, Real* step_mass, Real weight, bool first_stage) {
  for_each_item<target>("boundary_fluxes", n, KOKKOS_LAMBDA(Index k) {
    BoundaryFaceRecord<Real> const f = faces[k];
    BoundaryForcing<Real> const b = forcings[f.boundary];
    auto const in = cell_inside<Order>(a, f);
    Real const per_metre = (b.by_conveyance ? conveyance(a, f) : f.dry_weight) / f.width;
    bool const along_x = f.side == Side::west || f.side == Side::east;
    Real const sign = f.side == Side::west || f.side == Side::south ? Real(-1) : Real(1);
    BoundarySite<Real> site{a.gravity, a.dry_tolerance, a.friction, friction_at(a, f.cell), per_metre};
    site.normal_x = along_x ? sign : Real(0);
    site.normal_y = along_x ? Real(0) : sign;
    Real const inverse_length = along_x ? a.inv_dx : a.inv_dy;
    site.length = 1 / inverse_length;
    Offset const inward = (along_x ? Offset(1) : a.pitch) * (sign > 0 ? -1 : 1);
    Real const behind = a.bed[f.cell + inward];
    if (behind < mark_threshold<Real>) site.fall = (behind - in.bed) * inverse_length;
    auto const out = AllBoundaryKinds::flux(in, b, site);
    a.boundary.mass[f.entry] = sign * out.mass;
    a.boundary.momentum[f.entry] = out.momentum;  // a momentum flux keeps its sign under reflection
    a.boundary.transverse[f.entry] = sign * out.transverse;
    step_mass[k] = (first_stage ? Real(0) : step_mass[k]) + weight * out.mass;
  });
}

/// Books what the boundary faces let through in an accepted step.
template <Target target, class Real>
void book_boundary_volumes(BoundaryFaceRecord<Real> const* faces, Index n, Real const* step_mass, double dt,
                           VolumeAccount* accounts) {
  for_each_item<target>("book_boundary_volumes", n, KOKKOS_LAMBDA(Index k) {
    accounts[k].add(-double(step_mass[k]) * double(faces[k].width) * dt);
  });
}

/// Copies `n` cells `from[k]` of a state to the ghost cells `to[k]` (periodic sides).
template <Target target, class Real>
void copy_ghost_cells(std::int64_t const* from, std::int64_t const* to, Index n, Real* h, Real* hu, Real* hv) {
  for_each_item<target>("copy_ghost_cells", n, KOKKOS_LAMBDA(Index k) {
    h[to[k]] = h[from[k]];
    hu[to[k]] = hu[from[k]];
    hv[to[k]] = hv[from[k]];
  });
}

/// Fields of running extremes; null where not wanted. All go by position in the layout.
template <class Real>
struct MaximaFields {
  Real *depth = nullptr, *level = nullptr, *speed = nullptr, *unit_discharge = nullptr, *hazard = nullptr, *duration = nullptr;
  double *time_of_max = nullptr, *arrival = nullptr;
  Real arrival_depth = 0, duration_depth = 0;
};

/// Hazard rating h (|u| + 0.5), the part of the UK rating without a debris factor (DEFRA FD2320, 2005) [m²/s].
template <class Real>
KOKKOS_INLINE_FUNCTION Real hazard_rating(Real h, Real speed) {
  return h * (speed + Real(0.5));
}

/// `n` positions from cell (0, 0) on.
template <Target target, class Real>
void update_maxima(Index n, Real const* bed, Real const* h_field, Real const* hu_field, Real const* hv_field,
                   Real dry_tolerance, MaximaFields<Real> m, double time, Real dt) {
  for_each_item<target>("maxima", n, KOKKOS_LAMBDA(Index o) {
    Real const h = h_field[o];
    if (!(bed[o] < mark_threshold<Real>) || !(h > dry_tolerance)) return;
    Real const unit = Kokkidio::sqrt(hu_field[o] * hu_field[o] + hv_field[o] * hv_field[o]);
    Real const speed = unit / h;
    if (m.depth && h > m.depth[o]) {
      m.depth[o] = h;
      if (m.time_of_max) m.time_of_max[o] = time;
    }
    if (m.level) m.level[o] = Kokkidio::max(m.level[o], bed[o] + h);
    if (m.speed) m.speed[o] = Kokkidio::max(m.speed[o], speed);
    if (m.unit_discharge) m.unit_discharge[o] = Kokkidio::max(m.unit_discharge[o], unit);
    if (m.hazard) m.hazard[o] = Kokkidio::max(m.hazard[o], hazard_rating(h, speed));
    if (m.duration && h > m.duration_depth) m.duration[o] += dt;
    if (m.arrival && h > m.arrival_depth && m.arrival[o] != m.arrival[o]) m.arrival[o] = time;
  });
}

/// Depth, level over the solver's datum, velocities of `n` cells into `out`, four numbers each.
template <Target target, class Real>
void read_gauges(Real const* bed, Real const* h_field, Real const* hu_field, Real const* hv_field, Real dry_tolerance,
                 std::int64_t const* cells, Index n, double* out) {
  for_each_item<target>("gauges", n, KOKKOS_LAMBDA(Index k) {
    std::int64_t const o = cells[k];
    Real const h = h_field[o];
    bool const flows = h > dry_tolerance;
    out[4 * k] = double(h);
    out[4 * k + 1] = double(h) + double(bed[o]);
    out[4 * k + 2] = flows ? double(hu_field[o]) / double(h) : 0.0;
    out[4 * k + 3] = flows ? double(hv_field[o]) / double(h) : 0.0;
  });
}

/// Copies `n` cells `from[k]` of one field to `to[k]`.
template <Target target, class Real>
void copy_field_cells(std::int64_t const* from, std::int64_t const* to, Index n, Real* field) {
  for_each_item<target>("copy_field_cells", n, KOKKOS_LAMBDA(Index k) { field[to[k]] = field[from[k]]; });
}

}  // namespace swe
