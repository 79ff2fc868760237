#pragma once
/// \file
/// Structures that take water from one cell and give it to another, at the end of a step: culverts and pumps.
/// Only water that is there passes, and a culvert moves no more than evens out the two levels, whatever the
/// step.

#include <cmath>

#include "solver/source/inflow.hpp"
#include "solver/source/term.hpp"
#include "solver/source/water.hpp"
#include "solver/structure/culvert.hpp"
#include "solver/structure/pump.hpp"

namespace swe {

struct TransferRecord {
  std::int64_t inlet = 0, outlet = 0;  ///< positions from cell (0, 0)
  bool is_pump = false;
  CulvertArgs culvert;
  PumpArgs pump;
  double volume = 0;  ///< what a pump moves in this step while it runs [m3]
};

/// Levels count from `datum`. One item does all, in order, so that structures may share cells. What passed
/// [m3], negative from outlet to inlet, goes to `moved`; gives the largest wave rate of the cells touched.
template <Target target, class Real>
double move_transfers(StepArgs<Real> const& a, TransferRecord const* transfers, int count,
                      double const* running, double datum, double cell_area, double* moved) {
  double rate = 0;
  Kokkidio::parallel_reduce<target>(
      "transfers", Index(1),
      KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<target> const& range, double& largest) {
        if (range.size() == 0) return;
        for (int k = 0; k < count; ++k) {
          TransferRecord const t = transfers[k];
          double const z_in = double(a.bed[t.inlet]) + datum, z_out = double(a.bed[t.outlet]) + datum;
          double const h_in = full_depth(a, t.inlet), h_out = full_depth(a, t.outlet);
          double volume = 0;
          if (t.is_pump) {
            volume = running[k] > 0 ? t.volume : 0.0;
          } else {
            double const level_in = z_in + h_in, level_out = z_out + h_out;
            volume = culvert_discharge(t.culvert, level_in, level_out, double(a.gravity)) * double(a.dt);
            // Water leaves down to the higher of the other level and both floors, and meets what comes
            // halfway.
            double const up = volume > 0 ? level_in : level_out, down = volume > 0 ? level_out : level_in;
            double const most = 0.5 * (up - down) * cell_area;
            double const floor_up = volume > 0 ? t.culvert.inlet_level : t.culvert.outlet_level;
            double const above_floor = (up - floor_up) * cell_area;
            double const limit = most < above_floor ? most : above_floor;
            if (volume > limit) volume = limit;
            if (volume < -limit) volume = -limit;
          }
          std::int64_t const from = volume > 0 ? t.inlet : t.outlet, to = volume > 0 ? t.outlet : t.inlet;
          double const size = volume > 0 ? volume : -volume;
          double const taken = size > 0 ? -change_depth(a, from, -size / cell_area) : 0.0;
          if (taken > 0) change_depth(a, to, taken);
          moved[k] = (volume > 0 ? taken : -taken) * cell_area;
          double const here = double(wave_rate(a, t.inlet)), there = double(wave_rate(a, t.outlet));
          largest = Kokkidio::max(largest, Kokkidio::max(here, there));
        }
      },
      Kokkos::Max<double>(rate));
  return rate;
}

/// Switches pumps by the levels of the new state.
template <Target target, class Real>
void switch_pumps(StepArgs<Real> const& a, TransferRecord const* transfers, Index n, double datum,
                  double* running) {
  for_each_item<target>(
      "switch_pumps", n, KOKKOS_LAMBDA(Index k) {
        TransferRecord const t = transfers[k];
        if (!t.is_pump) return;
        double const level = double(a.bed[t.inlet]) + datum + full_depth(a, t.inlet);
        running[k] = pump_runs(t.pump, running[k] > 0, level) ? 1.0 : 0.0;
      });
}

template <class Real, Target target>
class Transfers : public Term<Real, target> {
public:
  static constexpr std::string_view name = "transfers";

  explicit Transfers(TermSetup const& s) : datum_(s.bed_datum), area_(s.scenario.grid.cell_area()) {
    auto const position = [&](std::int64_t c) {
      if (c < 0 || c >= s.scenario.grid.cells() || !s.active[std::size_t(c)])
        throw std::invalid_argument("a structure has an end on no active cell");
      places_.push_back(s.layout.at(int(c % s.layout.nx), int(c / s.layout.nx)) - s.layout.origin());
      return places_.back();
    };
    std::vector<double> running;
    for (auto const& one : s.scenario.structures) {
      if (one.type != Structure::Type::culvert && one.type != Structure::Type::pump) continue;
      if (one.inlet == one.outlet)
        throw std::invalid_argument("structure '" + one.name + "' has both ends in one cell");
      TransferRecord r;
      r.inlet = position(one.inlet);
      r.outlet = position(one.outlet);
      r.is_pump = one.type == Structure::Type::pump;
      r.culvert = culvert_args(one, s.scenario.scheme.gravity);
      r.pump = {one.on_level, one.off_level};
      records_.push_back(r);
      structures_.push_back(one);
      double const level = s.scenario.bed[std::size_t(one.inlet)] + s.scenario.initial.depth(one.inlet);
      running.push_back(pump_runs(r.pump, false, level) ? 1.0 : 0.0);
    }
    transfers_ = on_target<target>("transfers", records_);
    running_ = on_target<target>("pumps_running", running);
    moved_ = Array<double, target>("transfers_moved", Index(records_.size()));
    accounts_ = Array<VolumeAccount, target>("transfer_accounts", Index(records_.size()));
  }

  double finish(StepArgs<Real> const& a, double t, double dt) {
    if (records_.empty()) return 0;
    for (std::size_t k = 0; k < records_.size(); ++k)
      if (records_[k].is_pump) records_[k].volume = std::max(0.0, structures_[k].series.integral(t, t + dt));
    upload<TransferRecord, target>(records_, transfers_);
    return move_transfers<target>(a, transfers_.data(), int(records_.size()), running_.data(), datum_, area_,
                                  moved_.data());
  }
  void accept(StepArgs<Real> const& a, double, double) {
    if (records_.empty()) return;
    book_volumes<target>(moved_.size(), moved_.data(), accounts_.data());
    switch_pumps<target>(a, transfers_.data(), transfers_.size(), datum_, running_.data());
  }
  void report(VolumeBalance& b) const {
    auto const accounts = download<VolumeAccount, target>(accounts_);
    for (std::size_t k = 0; k < accounts.size(); ++k) {
      double const forth = accounts[k].in + accounts[k].in_rest,
                   back = accounts[k].out + accounts[k].out_rest;
      b.structures += forth + back;
      b.through.push_back({structures_[k].name, forth, back});
    }
  }
  template <class F>
  void visit_arrays(F const& f) const {
    f("pumps_running", running_);
    f("transfer_accounts", accounts_);
  }
  [[nodiscard]] std::vector<std::int64_t> wet_places() const { return places_; }

private:
  double datum_ = 0, area_ = 0;
  std::vector<Structure> structures_;
  std::vector<TransferRecord> records_;
  std::vector<std::int64_t> places_;
  Array<TransferRecord, target> transfers_;
  Array<double, target> running_, moved_;
  Array<VolumeAccount, target> accounts_;
};

}  // namespace swe
