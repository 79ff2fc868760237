#pragma once
/// \file
/// Structures along a line of faces between cells: weirs, gates, levees. Their faces take a computed flux in
/// every stage, the same on both sides, so volume is counted once; each side sees the face as a boundary with
/// that discharge. Never more passes than critical flow of the upstream cell carries.

#include <algorithm>
#include <stdexcept>

#include "solver/boundary/discharge.hpp"
#include "solver/source/inflow.hpp"
#include "solver/source/term.hpp"
#include "solver/structure/gate.hpp"
#include "solver/structure/levee.hpp"
#include "solver/structure/weir.hpp"

namespace swe {

/// A face of a line structure, between cell `left` and the next cell in +x or +y.
template <class Real>
struct LineFace {
  std::int64_t left = 0, right = 0;  ///< positions from cell (0, 0)
  int structure = 0;
  bool along_x = true;
  Real length = 0;         ///< [m]
  double above_crest = 0;  ///< how far its crest lies above the structure's [m]
};

/// A line structure during a stage; levels count from the solver's datum.
struct LineArgs {
  Structure::Type type = Structure::Type::weir;
  double crest = 0;  ///< crest or sill [m]
  double opening = 0;
  double coefficient = 0;
  bool energy_head = false;  ///< heads include the velocity head of what comes towards the structure
};

/// Discharge [m²/s] by the heads over the crest on both sides, up >= down.
KOKKOS_INLINE_FUNCTION double line_discharge(LineArgs const& s, double up, double down, double g) {
  switch (s.type) {
    case Structure::Type::weir:
      return weir_discharge(up, down, s.coefficient, g);
    case Structure::Type::levee:
      return levee_discharge(up, down, s.coefficient, g);
    case Structure::Type::gate:
      return gate_discharge(up, down, s.opening, s.coefficient, g);
    default:
      return 0;
  }
}

/// A cell beside a structure: head over the crest [m], and flow towards the structure.
struct LineSide {
  double head = 0, depth = 0, velocity = 0;
};

/// Head at the face when `q` [m²/s] leaves through it, by the invariant that the cell sends there: the level
/// falls by (q - h u) / (c - u), not at all in steady flow. Without this the discharge, which changes without
/// bound where two levels meet, would throw water to and fro in every step.
KOKKOS_INLINE_FUNCTION double head_at_face(LineSide const& side, double q, double g) {
  double const c = ::sqrt(g * side.depth), slowest = 0.1 * c;
  double const relative = c - side.velocity > slowest ? c - side.velocity : slowest;
  return relative > 0 ? side.head - (q - side.depth * side.velocity) / relative : side.head;
}

/// Discharge [m²/s] at which the formula agrees with the heads at the face, at most `most`: the formula falls
/// with the discharge, so halving an interval finds it.
KOKKOS_INLINE_FUNCTION double settled_discharge(LineArgs const& s, LineSide const& up, LineSide const& down,
                                                double most, double g) {
  double const approach = s.energy_head && up.velocity > 0 ? up.velocity * up.velocity / (2 * g) : 0.0;
  auto const excess = [&](double q) {
    double const from = head_at_face(up, q, g) + approach, to = head_at_face(down, -q, g);
    return (from > to ? line_discharge(s, from, to, g) : 0.0) - q;
  };
  if (!(most > 0) || excess(most) >= 0) return most > 0 ? most : 0.0;
  double low = 0, high = most;
  for (int k = 0; k < 52; ++k) {
    double const middle = 0.5 * (low + high);
    (excess(middle) > 0 ? low : high) = middle;
  }
  return low;
}

/// Momentum flux of a side of a structure with discharge q out of it, and of a wall where q is 0.
template <class Real>
KOKKOS_INLINE_FUNCTION Outflow<Real> structure_side(CellInside<Real> const& in, Real q, Real g) {
  if (q != 0) return outflow_discharge(in, q, g);
  if (in.un == 0) return {0, 0, 0};
  return outflow_of_state(in, depth_for_discharge(in.un + 2 * Kokkidio::sqrt(g * in.h), Real(0), g), Real(0),
                          g);
}

/// Fluxes of n faces into the table, and `weight` times their mass into `step_mass`.
template <Target target, class Real>
void compute_structure_fluxes(StepArgs<Real> const& a, LineFace<Real> const* faces, Index n,
                              LineArgs const* structures, StructureFluxes<Real> const& table, Real* step_mass,
                              Real weight, bool first_stage) {
  for_each_item<target>(
      "structure_fluxes", n, KOKKOS_LAMBDA(Index k) {
        LineFace<Real> const f = faces[k];
        LineArgs const s = structures[f.structure];
        auto const L = primitives<Real>(a, f.left), R = primitives<Real>(a, f.right);
        CellInside<Real> const in_L{L.h, f.along_x ? L.u : L.v, f.along_x ? L.v : L.u, L.z};
        CellInside<Real> const in_R{R.h, -(f.along_x ? R.u : R.v), f.along_x ? R.v : R.u, R.z};
        Real const g = a.gravity;
        // Where the ground is higher, the ground is the crest.
        double const ground = double(Kokkidio::max(L.z, R.z));
        double const crest = Kokkidio::max(s.crest + f.above_crest, ground);
        LineSide const side_L{double(L.z) - crest + double(L.h), double(L.h), double(in_L.un)};
        LineSide const side_R{double(R.z) - crest + double(R.h), double(R.h), double(in_R.un)};
        bool const forth = side_L.head >= side_R.head;
        Real q = 0;
        if ((forth ? L.h : R.h) > a.dry_tolerance) {
          double const most = double(outflow_critical(forth ? in_L : in_R, g).mass);
          q = Real(forth ? settled_discharge(s, side_L, side_R, most, double(g))
                         : settled_discharge(s, side_R, side_L, most, double(g)));
        }
        auto const out_L = structure_side(in_L, forth ? q : -q, g),
                   out_R = structure_side(in_R, forth ? -q : q, g);
        Real const mass = forth ? q : -q;
        table.mass[k] = mass;
        table.momentum_L[k] = out_L.momentum;
        table.momentum_R[k] = out_R.momentum;
        table.transverse[k] = mass * (forth ? in_L.ut : in_R.ut);
        step_mass[k] = (first_stage ? Real(0) : step_mass[k]) + weight * mass;
      });
}

/// What passed the faces in an accepted step.
template <Target target, class Real>
void book_structure_volumes(LineFace<Real> const* faces, Index n, Real const* step_mass, double dt,
                            VolumeAccount* accounts) {
  for_each_item<target>(
      "book_structure_volumes", n,
      KOKKOS_LAMBDA(Index k) { accounts[k].add(double(step_mass[k]) * double(faces[k].length) * dt); });
}

template <class Real, Target target>
class LineStructures : public Term<Real, target> {
public:
  static constexpr std::string_view name = "lines";

  explicit LineStructures(TermSetup const& s)
      : layout_(s.layout), datum_(s.bed_datum), stages_(s.scenario.scheme.order == 2 ? 2 : 1) {
    std::vector<LineFace<Real>> faces;
    std::vector<Real> number_x, number_y;
    auto const active = [&](int i, int j) {
      return i >= 0 && j >= 0 && i < layout_.nx && j < layout_.ny &&
             s.active[std::size_t(i + std::int64_t(layout_.nx) * j)];
    };
    for (auto const& one : s.scenario.structures) {
      if (one.type == Structure::Type::culvert || one.type == Structure::Type::pump) continue;
      if (number_x.empty()) {
        number_x.assign(std::size_t(layout_.size()), Real(-1));
        number_y = number_x;
      }
      if (!one.above_crest.empty() && one.above_crest.size() != one.faces.size())
        throw std::invalid_argument("structure '" + one.name + "' does not have one crest per face");
      for (std::size_t k = 0; k < one.faces.size(); ++k) {
        auto const& f = one.faces[k];
        bool const along_x = f.side == Side::west;
        int const i_left = along_x ? f.i - 1 : f.i, j_left = along_x ? f.j : f.j - 1;
        if ((f.side != Side::west && f.side != Side::south) || !active(f.i, f.j) || !active(i_left, j_left))
          throw std::invalid_argument("structure '" + one.name +
                                      "' has a face that is not between two active cells");
        auto& number = (along_x ? number_x : number_y)[std::size_t(layout_.at(f.i, f.j))];
        if (number >= 0)
          throw std::invalid_argument("structure '" + one.name + "' has a face that another has already");
        number = Real(faces.size());
        faces.push_back({layout_.at(i_left, j_left) - layout_.origin(),
                         layout_.at(f.i, f.j) - layout_.origin(), int(structures_.size()), along_x,
                         Real(along_x ? s.scenario.grid.dy : s.scenario.grid.dx),
                         one.above_crest.empty() ? 0.0 : one.above_crest[k]});
        face_structure_.push_back(int(structures_.size()));
      }
      structures_.push_back(one);
      structures_.back().faces.clear();
    }
    auto const n = Index(faces.size());
    faces_ = on_target<target>("line_faces", faces);
    number_x_ = on_target<target>("structure_x", number_x);
    number_y_ = on_target<target>("structure_y", number_y);
    args_ = Array<LineArgs, target>("line_args", Index(structures_.size()));
    for (auto* field : {&mass_, &momentum_L_, &momentum_R_, &transverse_, &step_mass_})
      *field = Array<Real, target>("line_flux", n);
    accounts_ = Array<VolumeAccount, target>("line_accounts", n);
    for (auto const& f : faces) {
      places_.push_back(f.left);
      places_.push_back(f.right);
    }
  }

  void prepare(double, double) { stage_ = 0; }
  void fill(StepArgs<Real>& a, StageMoment const& moment) {
    if (structures_.empty()) return;
    std::vector<LineArgs> args;
    for (auto const& one : structures_) {
      double const value = one.series(moment.time);
      bool const gate = one.type == Structure::Type::gate;
      args.push_back({one.type, (gate ? one.sill_level : value) - datum_, gate ? value : 0.0, one.coefficient,
                      one.energy_head});
    }
    upload<LineArgs, target>(args, args_);
    auto const o = layout_.origin();
    a.structures = {mass_.data(),       momentum_L_.data(),   momentum_R_.data(),
                    transverse_.data(), number_x_.data() + o, number_y_.data() + o};
    compute_structure_fluxes<target>(a, faces_.data(), faces_.size(), args_.data(), a.structures,
                                     step_mass_.data(), Real(1.0 / stages_), stage_ == 0);
    ++stage_;
  }
  void accept(StepArgs<Real> const&, double, double dt) {
    if (!structures_.empty())
      book_structure_volumes<target>(faces_.data(), faces_.size(), step_mass_.data(), dt, accounts_.data());
  }
  void report(VolumeBalance& b) const {
    std::vector<CompensatedSum> forth(structures_.size()), back(structures_.size());
    auto const accounts = download<VolumeAccount, target>(accounts_);
    for (std::size_t k = 0; k < accounts.size(); ++k) {
      auto const s = std::size_t(face_structure_[k]);
      forth[s].add(accounts[k].in + accounts[k].in_rest);
      back[s].add(accounts[k].out + accounts[k].out_rest);
    }
    for (std::size_t s = 0; s < structures_.size(); ++s) {
      b.structures += forth[s].value() + back[s].value();
      b.through.push_back({structures_[s].name, forth[s].value(), back[s].value()});
    }
  }
  template <class F>
  void visit_arrays(F const& f) const {
    f("line_accounts", accounts_);
  }
  [[nodiscard]] std::vector<std::int64_t> wet_places() const { return places_; }

private:
  Layout layout_;
  double datum_ = 0;
  int stages_ = 1, stage_ = 0;
  std::vector<Structure> structures_;
  std::vector<int> face_structure_;
  std::vector<std::int64_t> places_;
  Array<LineFace<Real>, target> faces_;
  Array<LineArgs, target> args_;
  Array<Real, target> number_x_, number_y_, mass_, momentum_L_, momentum_R_, transverse_, step_mass_;
  Array<VolumeAccount, target> accounts_;
};

}  // namespace swe
