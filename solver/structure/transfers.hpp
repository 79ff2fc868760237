#pragma once
/// \file
/// Structures that take water from one cell and give it to another, at the end of a step: culverts and pumps.
/// Only water that is there passes, and a culvert moves no more than evens out the two levels, whatever the
/// step.

#include <cmath>
#include <limits>

#include "solver/source/inflow.hpp"
#include "solver/source/term.hpp"
#include "solver/source/water.hpp"
#include "solver/structure/culvert.hpp"
#include "solver/structure/pump.hpp"

namespace swe {

struct TransferRecord {
  static constexpr std::int64_t outside = std::numeric_limits<std::int64_t>::min();
  std::int64_t inlet = 0, outlet = 0;  ///< positions from cell (0, 0), or `outside` at one end of a pump
  bool is_pump = false, energy_head = false;
  CulvertArgs culvert;
  PumpArgs pump;
  double volume = 0;  ///< what a pump moves in this step while it runs [m3]
};

/// v²/(2g) of a cell of the new state [m].
template <class Real>
KOKKOS_INLINE_FUNCTION double velocity_head(StepArgs<Real> const& a, std::int64_t o) {
  if (!(a.h_new[o] > a.dry_tolerance)) return 0;
  double const h = double(a.h_new[o]), u = double(a.hu_new[o]) / h, v = double(a.hv_new[o]) / h;
  return (u * u + v * v) / (2 * double(a.gravity));
}

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
          double volume = 0;
          if (t.is_pump) {
            volume = running[k] > 0 ? t.volume : 0.0;
          } else {
            double const level_in = double(a.bed[t.inlet]) + datum + full_depth(a, t.inlet),
                         level_out = double(a.bed[t.outlet]) + datum + full_depth(a, t.outlet);
            double const head_in = t.energy_head ? velocity_head(a, t.inlet) : 0.0,
                         head_out = t.energy_head ? velocity_head(a, t.outlet) : 0.0;
            // The higher level is upstream; its velocity head drives the flow, that of the other end is lost.
            bool const forth = level_in >= level_out;
            volume = culvert_discharge(t.culvert, level_in + (forth ? head_in : 0.0),
                                       level_out + (forth ? 0.0 : head_out), double(a.gravity)) *
                     double(a.dt);
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
          double taken = size / cell_area;
          if (from != TransferRecord::outside) taken = size > 0 ? -change_depth(a, from, -taken) : 0.0;
          if (to != TransferRecord::outside && taken > 0) {
            double const arrived = change_depth(a, to, taken);
            if (from == TransferRecord::outside) taken = arrived;
          }
          moved[k] = (volume > 0 ? taken : -taken) * cell_area;
          std::int64_t const ends[] = {t.inlet, t.outlet};
          for (std::int64_t const end : ends)
            if (end != TransferRecord::outside) largest = Kokkidio::max(largest, double(wave_rate(a, end)));
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
        if (!t.is_pump || t.inlet == TransferRecord::outside) return;
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
      bool const is_pump = one.type == Structure::Type::pump;
      auto const place = [&](std::int64_t c) {
        return is_pump && c == Structure::outside ? TransferRecord::outside : position(c);
      };
      if (one.inlet == one.outlet)
        throw std::invalid_argument("structure '" + one.name + "' has both ends in one cell");
      TransferRecord r;
      r.inlet = place(one.inlet);
      r.outlet = place(one.outlet);
      r.is_pump = is_pump;
      r.energy_head = one.energy_head;
      r.culvert = culvert_args(one, s.scenario.scheme.gravity);
      r.pump = {one.on_level, one.off_level};
      records_.push_back(r);
      structures_.push_back(one);
      bool const runs =
          r.inlet == TransferRecord::outside ||
          pump_runs(r.pump, false,
                    s.scenario.bed[std::size_t(one.inlet)] + s.scenario.initial.depth(one.inlet));
      running.push_back(runs ? 1.0 : 0.0);
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
      auto const& name = structures_[k].name;
      if (records_[k].inlet == TransferRecord::outside) {
        b.inflow += forth;
        b.terms.push_back({name, forth, 0});
      } else if (records_[k].outlet == TransferRecord::outside) {
        b.abstraction += forth;
        b.terms.push_back({name, 0, forth});
      } else {
        b.structures += forth + back;
        b.through.push_back({name, forth, back});
      }
    }
  }
  template <class F>
  void visit_arrays(F const& f) const {
    f("pumps_running", running_);
    f("transfer_accounts", accounts_);
  }
  [[nodiscard]] std::vector<std::int64_t> wet_places() const { return places_; }
  /// Of pumps that bring water from outside, perhaps onto dry ground.
  [[nodiscard]] double largest_rise(double from, double to) const {
    double rise = 0;
    for (std::size_t k = 0; k < records_.size(); ++k)
      if (records_[k].inlet == TransferRecord::outside)
        rise += std::max(0.0, largest_over(structures_[k].series, from, to)) / area_;
    return rise;
  }

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
