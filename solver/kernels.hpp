#pragma once
/// \file
/// The loops beside the flux loop: boundaries, ghost cells, local sources, extremes, gauges. Each is a free function
/// over plain pointers, one text for both targets.

#include <Kokkidio/Kokkidio.hpp>

#include "solver/boundary/outflow.hpp"
#include "solver/fields.hpp"
#include "solver/simulation.hpp"
#include "solver/step.hpp"

namespace swe {

using Kokkidio::Index;
using Kokkidio::Target;

/// Calls f(k) for k in [0, n), in parallel on the target.
template <Target target, class F>
void for_each_item(char const* label, Index n, F const& f) {
  Kokkidio::parallel_for<target>(label, n, KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<target> const& range) {
    for (Index k = range.begin(); k < range.end(); ++k) f(k);
  });
}

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

/// What a boundary prescribes during a stage.
template <class Real>
struct BoundaryForcing {
  Boundary::Type type = Boundary::Type::wall;
  Real value = 0;        ///< level [m], elevation [m], or unit discharge per weight
  Real slope = 0, still_level = 0;
  bool by_conveyance = true;  ///< discharge: weights are conveyances; else the dry ones
};

/// Volumes that a face has let in and out [m3], kept with what rounding drops.
struct FaceAccount {
  double in = 0, in_rest = 0, out = 0, out_rest = 0;
};

/// sum += x with the rest kept in `rest`.
KOKKOS_INLINE_FUNCTION void add_compensated(double& sum, double& rest, double x) {
  double const y = x + rest;
  double const t = sum + y;
  rest = y - (t - sum);
  sum = t;
}

template <class Real>
KOKKOS_INLINE_FUNCTION CellInside<Real> cell_inside(StepArgs<Real> const& a, BoundaryFaceRecord<Real> const& f) {
  Real const h = a.h[f.cell];
  bool const flows = h > a.dry_tolerance;
  Real const u = flows ? a.hu[f.cell] / h : Real(0), v = flows ? a.hv[f.cell] / h : Real(0);
  bool const along_x = f.side == Side::west || f.side == Side::east;
  Real const sign = f.side == Side::west || f.side == Side::south ? Real(-1) : Real(1);
  return {h, sign * (along_x ? u : v), along_x ? v : u, a.bed[f.cell]};
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
template <Target target, class Real>
void compute_boundary_fluxes(StepArgs<Real> const& a, BoundaryFaceRecord<Real> const* faces, Index n,
                             BoundaryForcing<Real> const* forcings, Real* step_mass, Real weight, bool first_stage) {
  for_each_item<target>("boundary_fluxes", n, KOKKOS_LAMBDA(Index k) {
    BoundaryFaceRecord<Real> const f = faces[k];
    BoundaryForcing<Real> const b = forcings[f.boundary];
    auto const in = cell_inside(a, f);
    Outflow<Real> out{0, 0, 0};
    switch (b.type) {
      case Boundary::Type::open: out = outflow_open(in, a.gravity); break;
      case Boundary::Type::level: out = outflow_level(in, b.value, a.gravity); break;
      case Boundary::Type::critical: out = outflow_critical(in, a.gravity); break;
      case Boundary::Type::incoming_wave: out = outflow_incoming_wave(in, b.value, b.still_level, a.gravity); break;
      case Boundary::Type::normal_depth:
        out = outflow_normal_depth(in, a.friction, friction_at(a, f.cell), b.slope, a.gravity, a.dry_tolerance);
        break;
      case Boundary::Type::discharge_per_width: out = outflow_discharge(in, -b.value, a.gravity); break;
      case Boundary::Type::discharge:
      case Boundary::Type::rating_curve: {
        Real const share = (b.by_conveyance ? conveyance(a, f) : f.dry_weight) / f.width;
        out = outflow_discharge(in, -b.value * share, a.gravity);
        break;
      }
      case Boundary::Type::wall:
      case Boundary::Type::periodic: break;
    }
    Real const sign = f.side == Side::west || f.side == Side::south ? Real(-1) : Real(1);
    a.boundary.mass[f.entry] = sign * out.mass;
    a.boundary.momentum[f.entry] = out.momentum;  // a momentum flux keeps its sign under reflection
    a.boundary.transverse[f.entry] = sign * out.transverse;
    step_mass[k] = (first_stage ? Real(0) : step_mass[k]) + weight * out.mass;
  });
}

/// Books what the boundary faces let through in an accepted step.
template <Target target, class Real>
void book_boundary_volumes(BoundaryFaceRecord<Real> const* faces, Index n, Real const* step_mass, double dt,
                           FaceAccount* accounts) {
  for_each_item<target>("book_boundary_volumes", n, KOKKOS_LAMBDA(Index k) {
    double const volume = double(step_mass[k]) * double(faces[k].width) * dt;
    FaceAccount account = accounts[k];
    if (volume > 0) add_compensated(account.out, account.out_rest, volume);
    else add_compensated(account.in, account.in_rest, -volume);
    accounts[k] = account;
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

/// A cell that a point source feeds or drains; `share` of the source's discharge.
struct PointSourceCell {
  std::int64_t cell = 0;
  int source = 0;
  double share = 0;
};

/// Volumes moved by a point source cell [m3].
struct PointAccount {
  double in = 0, in_rest = 0, out = 0, out_rest = 0;
};

/// Adds water at `volumes[source]` [m3] this step to the new state, or takes it, never more than there is; what is taken
/// keeps its velocity. Moved volumes [m3] go to `moved`. Returns the largest wave rate of the cells touched.
template <Target target, class Real>
Real apply_point_sources(StepArgs<Real> const& a, PointSourceCell const* cells, Index n, double const* volumes,
                         double cell_area, double* moved) {
  Real rate = 0;
  Kokkidio::parallel_reduce<target>(
      "point_sources", n,
      KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<target> const& range, Real& largest) {
        for (Index k = range.begin(); k < range.end(); ++k) {
          PointSourceCell const s = cells[k];
          Real const h = a.h_new[s.cell];
          Real const wanted = Real(volumes[s.source] * s.share / cell_area);
          Real const change = Kokkidio::max(wanted, -h);
          Real const h_new = h + change;
          moved[k] = double(h_new - h) * cell_area;
          Real hu = a.hu_new[s.cell], hv = a.hv_new[s.cell];
          if (change < 0) {
            Real const left = h_new > a.dry_tolerance ? h_new / h : Real(0);
            hu *= left;
            hv *= left;
          }
          a.h_new[s.cell] = h_new;
          a.hu_new[s.cell] = hu;
          a.hv_new[s.cell] = hv;
          Real const inverse = Real(1) / Kokkidio::max(h_new, a.dry_tolerance);
          Real const c = Kokkidio::sqrt(a.gravity * h_new);
          Real const r = (Kokkidio::abs(hu) * inverse + c) * a.inv_dx + (Kokkidio::abs(hv) * inverse + c) * a.inv_dy;
          largest = Kokkidio::max(largest, r);
        }
      },
      Kokkos::Max<Real>(rate));
  return rate;
}

template <Target target>
void book_point_volumes(Index n, double const* moved, PointAccount* accounts) {
  for_each_item<target>("book_point_volumes", n, KOKKOS_LAMBDA(Index k) {
    PointAccount account = accounts[k];
    if (moved[k] > 0) add_compensated(account.in, account.in_rest, moved[k]);
    else add_compensated(account.out, account.out_rest, -moved[k]);
    accounts[k] = account;
  });
}

/// Infiltration at a constant capacity `rate` [m/s] per cell: takes what is there at most, and notes it in `step_taken`
/// [m]. `n` positions from cell (0, 0) on, ghost cells between rows among them.
template <Target target, class Real>
void apply_infiltration(StepArgs<Real> const& a, Index n, Real const* rate, double* step_taken) {
  for_each_item<target>("infiltration", n, KOKKOS_LAMBDA(Index o) {
    if (!(a.bed[o] < mark_threshold<Real>)) return;
    Real const h = a.h_new[o];
    Real const h_new = Kokkidio::max(h - rate[o] * a.dt, Real(0));
    step_taken[o] = double(h) - double(h_new);
    Real const left = h_new > a.dry_tolerance ? h_new / h : Real(0);
    a.h_new[o] = h_new;
    a.hu_new[o] *= left;
    a.hv_new[o] *= left;
  });
}

/// sum[k] += step[k] for n numbers.
template <Target target>
void accumulate(Index n, double const* step, double* sum) {
  for_each_item<target>("accumulate", n, KOKKOS_LAMBDA(Index k) { sum[k] += step[k]; });
}

/// Fields of running extremes; null where not wanted. All go by position in the layout.
template <class Real>
struct MaximaFields {
  Real *depth = nullptr, *speed = nullptr, *unit_discharge = nullptr, *hazard = nullptr, *duration = nullptr;
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
    if (m.speed) m.speed[o] = Kokkidio::max(m.speed[o], speed);
    if (m.unit_discharge) m.unit_discharge[o] = Kokkidio::max(m.unit_discharge[o], unit);
    if (m.hazard) m.hazard[o] = Kokkidio::max(m.hazard[o], hazard_rating(h, speed));
    if (m.duration && h > m.duration_depth) m.duration[o] += dt;
    if (m.arrival && h > m.arrival_depth && m.arrival[o] != m.arrival[o]) m.arrival[o] = time;
  });
}

/// Depth, velocities of `n` cells into `out`, three numbers each.
template <Target target, class Real>
void read_gauges(Real const* h_field, Real const* hu_field, Real const* hv_field, Real dry_tolerance,
                 std::int64_t const* cells, Index n, double* out) {
  for_each_item<target>("gauges", n, KOKKOS_LAMBDA(Index k) {
    std::int64_t const o = cells[k];
    Real const h = h_field[o];
    bool const flows = h > dry_tolerance;
    out[3 * k] = double(h);
    out[3 * k + 1] = flows ? double(hu_field[o]) / double(h) : 0.0;
    out[3 * k + 2] = flows ? double(hv_field[o]) / double(h) : 0.0;
  });
}

}  // namespace swe
