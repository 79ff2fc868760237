#pragma once
/// \file
/// Inflow and abstraction at points, along lines and over areas. A source shares its discharge equally among
/// its cells; an abstraction takes from each cell no more than it holds.

#include <algorithm>
#include <map>
#include <utility>

#include "solver/source/term.hpp"
#include "solver/source/water.hpp"

namespace swe {

/// What one source does to one cell.
struct InflowPart {
  int source = 0;
  double share = 0;  ///< of the source's discharge
};
/// A cell and its parts, which act one after the other.
struct InflowCell {
  std::int64_t cell = 0;
  int first = 0, end = 0;
};

/// Moves `volumes[source]` [m3] in the new state; what was moved [m3] goes to `moved`, one number a part.
/// Gives the largest wave rate of the cells touched.
template <Target target, class Real>
double move_inflows(StepArgs<Real> const& a, InflowCell const* cells, Index n, InflowPart const* parts,
                    double const* volumes, double cell_area, double* moved) {
  Real rate = 0;
  Kokkidio::parallel_reduce<target>(
      "inflows", n,
      KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<target> const& range, Real& largest) {
        for (Index k = range.begin(); k < range.end(); ++k) {
          InflowCell const c = cells[k];
          for (int p = c.first; p < c.end; ++p)
            moved[p] =
                change_depth(a, c.cell, volumes[parts[p].source] * parts[p].share / cell_area) * cell_area;
          largest = Kokkidio::max(largest, wave_rate(a, c.cell));
        }
      },
      Kokkos::Max<Real>(rate));
  return double(rate);
}

template <Target target>
void book_volumes(Index n, double const* moved, VolumeAccount* accounts) {
  for_each_item<target>(
      "book_volumes", n, KOKKOS_LAMBDA(Index k) { accounts[k].add(moved[k]); });
}

template <class Real, Target target>
class Inflow : public Term<Real, target> {
public:
  static constexpr std::string_view name = "inflow";

  explicit Inflow(TermSetup const& s) : area_(s.scenario.grid.cell_area()) {
    std::map<std::int64_t, std::vector<InflowPart>> by_cell;
    for (auto const& source : s.scenario.sources) {
      if (source.type != Source::Type::inflow) continue;
      for (auto c : source.cells)
        by_cell[s.layout.at(int(c % s.layout.nx), int(c / s.layout.nx)) - s.layout.origin()].push_back(
            {int(sources_.size()), 1.0 / double(source.cells.size())});
      sources_.push_back(source);
    }
    std::vector<InflowCell> cells;
    std::vector<InflowPart> parts;
    for (auto& [cell, list] : by_cell) {
      // What comes is there to be taken, whatever the order in the scenario.
      cells.push_back({cell, int(parts.size()), int(parts.size() + list.size())});
      parts.insert(parts.end(), list.begin(), list.end());
      places_.push_back(cell);
    }
    for (auto const& part : parts) part_source_.push_back(part.source);
    cells_ = on_target<target>("inflow_cells", cells);
    parts_ = on_target<target>("inflow_parts", parts);
    accounts_ = Array<VolumeAccount, target>("inflow_accounts", Index(parts.size()));
    moved_ = Array<double, target>("inflow_moved", Index(parts.size()));
    volumes_ = Array<double, target>("inflow_volumes", Index(sources_.size()));
  }

  double finish(StepArgs<Real> const& a, double t, double dt) {
    if (places_.empty()) return 0;
    std::vector<double> volumes;
    for (auto const& source : sources_) volumes.push_back(source.series.integral(t, t + dt));
    upload<double, target>(volumes, volumes_);
    return move_inflows<target>(a, cells_.data(), cells_.size(), parts_.data(), volumes_.data(), area_,
                                moved_.data());
  }
  void accept(StepArgs<Real> const&, double, double) {
    if (!places_.empty()) book_volumes<target>(moved_.size(), moved_.data(), accounts_.data());
  }
  void report(VolumeBalance& b) const {
    std::vector<CompensatedSum> in(sources_.size()), out(sources_.size());
    auto const accounts = download<VolumeAccount, target>(accounts_);
    for (std::size_t k = 0; k < accounts.size(); ++k) {
      auto& source_in = in[std::size_t(part_source_[k])];
      auto& source_out = out[std::size_t(part_source_[k])];
      source_in.add(accounts[k].in);
      source_in.add(accounts[k].in_rest);
      source_out.add(accounts[k].out);
      source_out.add(accounts[k].out_rest);
    }
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      b.inflow += in[s].value();
      b.abstraction += out[s].value();
      b.terms.push_back({sources_[s].name, in[s].value(), out[s].value()});
    }
  }
  template <class F>
  void visit_arrays(F const& f) const {
    f("inflow_accounts", accounts_);
  }
  [[nodiscard]] std::vector<std::int64_t> wet_places() const { return places_; }
  [[nodiscard]] double largest_rise(double from, double to) const {
    double rise = 0;
    for (auto const& source : sources_)
      rise += std::max(0.0, largest_over(source.series, from, to)) / (double(source.cells.size()) * area_);
    return rise;
  }

private:
  double area_ = 0;
  std::vector<Source> sources_;
  std::vector<std::int64_t> places_;
  std::vector<int> part_source_;
  Array<InflowCell, target> cells_;
  Array<InflowPart, target> parts_;
  Array<VolumeAccount, target> accounts_;
  Array<double, target> moved_, volumes_;
};

}  // namespace swe
