#pragma once
/// \file
/// Infiltration: takes part in the last stage of a step, in the loop over cells, by the law of
/// infiltration_law.hpp.

#include <stdexcept>

#include "solver/source/infiltration_law.hpp"
#include "solver/source/term.hpp"

namespace swe {

template <class Real, Target target>
class Infiltration : public Term<Real, target> {
public:
  static constexpr std::string_view name = "infiltration";

  explicit Infiltration(TermSetup const& s)
      : layout_(s.layout), active_(&s.active), area_(s.scenario.grid.cell_area()) {
    for (auto const& source : s.scenario.sources) {
      if (source.type != Source::Type::infiltration) continue;
      if (args_.model != InfiltrationModel::none)
        throw std::invalid_argument("two infiltrations: '" + source.name + "' is the second");
      place(source);
    }
  }

  void fill(StepArgs<Real>& a, StageMoment const& moment) {
    if (args_.model == InfiltrationModel::none || !moment.last) return;
    auto const o = layout_.origin();
    args_.depth = depth_[0].data() + o;
    args_.depth_new = depth_[1].data() + o;
    if (excess_[0].size() > 0) {
      args_.excess = excess_[0].data() + o;
      args_.excess_new = excess_[1].data() + o;
    }
    a.infiltration = args_;
  }
  void accept(StepArgs<Real> const&, double, double) {
    std::swap(depth_[0], depth_[1]);
    std::swap(excess_[0], excess_[1]);
  }
  void report(VolumeBalance& b) const {
    if (depth_[0].size() == 0) return;
    auto const host = download<double, target>(depth_[0]);
    CompensatedSum sum;
    for (int j = 0; j < layout_.ny; ++j)
      for (int i = 0; i < layout_.nx; ++i)
        if ((*active_)[std::size_t(i + std::int64_t(layout_.nx) * j)])
          sum.add(host[std::size_t(layout_.at(i, j))]);
    b.infiltration = sum.value() * area_;
  }
  template <class F>
  void visit_arrays(F const& f) const {
    f("infiltrated", depth_[0]);
    f("infiltration_excess", excess_[0]);
  }
  void restored() {
    for (auto* pair : {depth_, excess_})
      if (pair[0].size() > 0) Kokkos::deep_copy(pair[1].view(), pair[0].view());
  }

private:
  void place(Source const& source) {
    args_.model = source.model;
    auto const none = CellField{};
    switch (source.model) {
      case InfiltrationModel::none:
        return;
      case InfiltrationModel::constant:
        set(source, source.rate, none, none);
        break;
      case InfiltrationModel::horton:
        set(source, source.rate, source.initial_rate, source.decay);
        break;
      case InfiltrationModel::green_ampt:
        set(source, source.rate, source.suction_deficit, none);
        break;
      case InfiltrationModel::scs_cn:
        set(source, source.retention, source.initial_abstraction, none);
        break;
    }
    for (auto& d : depth_) d = Array<double, target>("infiltrated", Index(layout_.size()));
    if (source.model == InfiltrationModel::horton)
      for (auto& e : excess_) e = Array<double, target>("infiltration_excess", Index(layout_.size()));
  }

  /// Outside the source's cells nothing infiltrates: every law has this at p = q = 0.
  void set(Source const& source, CellField const& p, CellField const& q, CellField const& r) {
    std::vector<char> inside;
    if (!source.cells.empty()) {
      inside.assign(active_->size(), 0);
      for (auto c : source.cells) inside[std::size_t(c)] = 1;
    }
    auto const parameter = [&](int k, CellField const& field, CellParameter<Real>& to) {
      to.constant = Real(field.constant);
      if (field.is_constant() && inside.empty()) return;
      fields_[k] = field_on_target<Real, target>("infiltration", layout_, [&](std::int64_t c) {
        auto const cell = std::size_t(c);
        return (*active_)[cell] && (inside.empty() || inside[cell]) ? field(c) : 0.0;
      });
      to.field = fields_[k].data() + layout_.origin();
    };
    parameter(0, p, args_.p);
    parameter(1, q, args_.q);
    parameter(2, r, args_.r);
  }

  Layout layout_;
  std::vector<char> const* active_;
  double area_ = 0;
  InfiltrationArgs<Real> args_;
  Array<Real, target> fields_[3];
  Array<double, target> depth_[2], excess_[2];  ///< now, and after the step being tried [m]
};

}  // namespace swe
