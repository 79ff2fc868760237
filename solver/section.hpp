#pragma once
/// \file
/// What flows through lines of faces. The flux of each face is computed once more, by the functions and from
/// the state that the loop over cells uses, so that the volumes agree with those of the cells to round-off.

#include <vector>

#include "solver/geometry.hpp"
#include "solver/loops.hpp"
#include "solver/riemann/registry.hpp"
#include "solver/simulation.hpp"
#include "solver/step.hpp"
#include "solver/sum.hpp"

namespace swe {

template <class Real>
struct SectionFaceRecord {
  std::int64_t right = 0;  ///< position of the cell to the east or north
  bool along_x = true;
  Real signed_length = 0;  ///< [m]
};

/// A cell in the frame of a direction: u along it.
template <class Real>
KOKKOS_INLINE_FUNCTION Primitive<Real> cell_along(StepArgs<Real> const& a, Offset o, bool along_x) {
  auto const p = primitives<Real>(a, o);
  return along_x ? p : Primitive<Real>{p.h, p.v, p.u, p.z, p.inverse, p.wave};
}

template <int Order, class Real>
KOKKOS_INLINE_FUNCTION CellAtFace<Real> cell_at_face(StepArgs<Real> const& a, Offset o, bool along_x) {
  Offset const step = along_x ? 1 : a.pitch;
  Real const* const number = along_x ? a.structures.number_x : a.structures.number_y;
  auto const left = cell_along(a, o - step, along_x), cell = cell_along(a, o, along_x),
             right = cell_along(a, o + step, along_x);
  Differences<Real> const level{level_difference(left, cell, a.dry_tolerance),
                                level_difference(cell, right, a.dry_tolerance)};
  auto const base = slope_base(
      across_open_faces(level, number ? number + o : nullptr, number ? number + o + step : nullptr), {cell.z - left.z, right.z - cell.z},
      left.z, right.z);
  Slope<Real> slope;
  if constexpr (Order == 1)
    slope = slopes_first(cell.h, base);
  else
    slope = slopes_second(a.limiter, left, cell, right, base, a.dry_tolerance);
  return {cell.h, cell.u, cell.v, cell.z, cell.wave, slope.level, slope.depth, slope.u, slope.v, cell.inverse};
}

/// Mass flux [m²/s] through the west or south face of the cell at `o`.
template <int Order, class Riemann, class Real>
KOKKOS_INLINE_FUNCTION Real face_mass(StepArgs<Real> const& a, Offset o, bool along_x) {
  Offset const left = o - (along_x ? 1 : a.pitch);
  auto const L = cell_at_face<Order>(a, left, along_x), R = cell_at_face<Order>(a, o, along_x);
  auto flux = face_flux<Order, Riemann>(L, R, a.gravity, a.dry_tolerance);
  take_boundary_fluxes(flux, a.boundary, L.z, R.z, a.h + left, a.h + o, along_x ? Side::east : Side::north);
  Real const* const number = along_x ? a.structures.number_x : a.structures.number_y;
  take_structure_fluxes(flux, a.structures, number ? number + o : nullptr);
  return L.z > mark_threshold<Real> && R.z > mark_threshold<Real> ? Real(0) : flux.mass;
}

/// Adds `weight` times the mass flux of n faces to `step_mass`.
template <Target target, int Order, class Riemann, class Real>
void measure_faces(StepArgs<Real> const& a, SectionFaceRecord<Real> const* faces, Index n, Real* step_mass,
                   Real weight, bool first) {
  for_each_item<target>(
      "section_faces", n, KOKKOS_LAMBDA(Index k) {
        SectionFaceRecord<Real> const f = faces[k];
        step_mass[k] =
            (first ? Real(0) : step_mass[k]) + weight * face_mass<Order, Riemann>(a, f.right, f.along_x);
      });
}

template <Target target, class Real>
void book_section_volumes(SectionFaceRecord<Real> const* faces, Index n, Real const* step_mass, double dt,
                          VolumeAccount* accounts) {
  for_each_item<target>(
      "book_section_volumes", n, KOKKOS_LAMBDA(Index k) {
        accounts[k].add(double(step_mass[k]) * double(faces[k].signed_length) * dt);
      });
}

template <class Real, Target target>
class Sections {
public:
  Sections() = default;
  Sections(std::vector<std::vector<SectionFace>> const& sections, Grid const& grid, Layout const& layout,
           Scheme const& scheme)
      : scheme_(scheme) {
    std::vector<SectionFaceRecord<Real>> records;
    for (auto const& faces : sections) {
      for (auto const& f : faces) {
        bool const along_x = f.side == Side::west;
        records.push_back(
            {layout.at(f.i, f.j) - layout.origin(), along_x, Real(f.sign * (along_x ? grid.dy : grid.dx))});
        length_.push_back(double(records.back().signed_length));
      }
      end_.push_back(records.size());
    }
    faces_ = on_target<target>("section_faces", records);
    step_mass_ = Array<Real, target>("section_mass", Index(records.size()));
    accounts_ = Array<VolumeAccount, target>("section_accounts", Index(records.size()));
  }

  [[nodiscard]] bool empty() const { return faces_.size() == 0; }
  /// Fluxes of a stage whose arguments are complete.
  void measure(StepArgs<Real> const& a, Real weight, bool first) {
    if (faces_.size() == 0) return;
    switch (scheme_.riemann) {
      case Scheme::Riemann::hll:
        return measure_with<RiemannHll>(a, weight, first);
      case Scheme::Riemann::hllc:
        return measure_with<RiemannHllc>(a, weight, first);
      case Scheme::Riemann::roe:
        return measure_with<RiemannRoe>(a, weight, first);
    }
  }
  void accept(double dt) {
    if (faces_.size() > 0)
      book_section_volumes<target>(faces_.data(), faces_.size(), step_mass_.data(), dt, accounts_.data());
  }
  /// `before`: seconds before the end of the last step, no more than its length.
  [[nodiscard]] std::vector<SectionReading> readings(double before) const {
    std::vector<SectionReading> r;
    auto const mass = download<Real, target>(step_mass_);
    auto const accounts = download<VolumeAccount, target>(accounts_);
    std::size_t k = 0;
    for (auto const end : end_) {
      CompensatedSum discharge, volume;
      for (; k < end; ++k) {
        discharge.add(double(mass[k]) * length_[k]);
        volume.add(accounts[k].in);
        volume.add(accounts[k].in_rest);
        volume.add(-accounts[k].out);
        volume.add(-accounts[k].out_rest);
      }
      volume.add(-discharge.value() * before);
      r.push_back({discharge.value(), volume.value()});
    }
    return r;
  }
  template <class F>
  void visit_arrays(F const& f) const {
    f("section_mass", step_mass_);
    f("section_accounts", accounts_);
  }

private:
  template <class Riemann>
  void measure_with(StepArgs<Real> const& a, Real weight, bool first) {
    if (scheme_.order == 2)
      measure_faces<target, 2, Riemann>(a, faces_.data(), faces_.size(), step_mass_.data(), weight, first);
    else
      measure_faces<target, 1, Riemann>(a, faces_.data(), faces_.size(), step_mass_.data(), weight, first);
  }

  Scheme scheme_;
  std::vector<std::size_t> end_;
  std::vector<double> length_;
  Array<SectionFaceRecord<Real>, target> faces_;
  Array<Real, target> step_mass_;
  Array<VolumeAccount, target> accounts_;
};

}  // namespace swe
