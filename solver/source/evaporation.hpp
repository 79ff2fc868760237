#pragma once
/// \file
/// Evaporation from open water, never more than there is.

#include "solver/source/term.hpp"
#include "solver/source/water.hpp"

namespace swe {

/// Takes `depth` [m] from `n` cells of the new state, or from the first n positions where `cells` is null.
/// Gives the sum over cells of what was taken [m].
template <Target target, class Real>
double evaporate(StepArgs<Real> const& a, std::int64_t const* cells, Index n, double depth) {
  double taken = 0;
  Kokkidio::parallel_reduce<target>(
      "evaporation", n,
      KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<target> const& range, double& sum) {
        for (Index k = range.begin(); k < range.end(); ++k) {
          std::int64_t const o = cells ? cells[k] : k;
          if (a.bed[o] < mark_threshold<Real> && a.h_new[o] > 0) sum -= change_depth(a, o, -depth);
        }
      },
      taken);
  return taken;
}

template <class Real, Target target>
class Evaporation : public Term<Real, target> {
public:
  static constexpr std::string_view name = "evaporation";

  explicit Evaporation(TermSetup const& s)
      : positions_(s.layout.pitch * s.layout.ny), area_(s.scenario.grid.cell_area()) {
    for (auto const& source : s.scenario.sources) {
      if (source.type != Source::Type::evaporation) continue;
      std::vector<std::int64_t> cells;
      for (auto c : source.cells)
        cells.push_back(s.layout.at(int(c % s.layout.nx), int(c / s.layout.nx)) - s.layout.origin());
      sources_.push_back({source, on_target<target>("evaporation_cells", cells), 0, {}});
    }
  }

  double finish(StepArgs<Real> const& a, double t, double dt) {
    for (auto& one : sources_) {
      double const depth = rate_over(one.source.series, t, dt) * dt;
      bool const all = one.source.cells.empty();
      one.step = depth > 0 ? evaporate<target>(a, all ? nullptr : one.cells.data(),
                                               all ? positions_ : one.cells.size(), depth)
                           : 0.0;
    }
    return 0;
  }
  void accept(StepArgs<Real> const&, double, double) {
    for (auto& one : sources_) one.depth.add(one.step);
  }
  void report(VolumeBalance& b) const {
    for (auto const& one : sources_) {
      b.evaporation += one.depth.value() * area_;
      b.terms.push_back({one.source.name, 0, one.depth.value() * area_});
    }
  }
  template <class F>
  void visit_scalars(F const& f) {
    for (auto& one : sources_) f("evaporated." + one.source.name, one.depth);
  }

private:
  struct Drying {
    Source source;
    Array<std::int64_t, target> cells;
    double step;           ///< taken in the step being tried, sum over cells [m]
    CompensatedSum depth;  ///< the same since the start
  };
  Index positions_ = 0;
  double area_ = 0;
  std::vector<Drying> sources_;
};

}  // namespace swe
