#pragma once
/// \file
/// Rain: uniform, on zones, or by rasters in time. It falls inside the stages, so that a film never waits for
/// it. Every record of a series and every raster holds from its time to the next.

#include <algorithm>
#include <limits>

#include "solver/source/term.hpp"

namespace swe {

template <class Real, Target target>
class Rain : public Term<Real, target> {
public:
  static constexpr std::string_view name = "rain";

  explicit Rain(TermSetup const& s)
      : layout_(s.layout), active_(&s.active), area_(s.scenario.grid.cell_area()) {
    cells_ = std::count(s.active.begin(), s.active.end(), 1);
    bool field = false;
    for (auto const& source : s.scenario.sources)
      if (source.type == Source::Type::rain) {
        Falling one{source, std::numeric_limits<double>::quiet_NaN(), {}};
        for (auto const& raster : source.rasters.raster) {
          double largest = 0;
          for (std::size_t c = 0; c < raster.size(); ++c)
            if (s.active[c]) largest = std::max(largest, raster[c]);
          one.largest.push_back(largest);
        }
        field = field || !one.uniform();
        sources_.push_back(std::move(one));
      }
    if (field) field_ = Array<Real, target>("rain", Index(layout_.size()));
  }

  void prepare(double t, double dt) {
    rate_ = 0;
    bool changed = false;
    for (auto& one : sources_) {
      double const state = one.source.rasters.empty() ? rate_over(one.source.series, t, dt)
                                                      : double(one.raster_at(t + dt / 2));
      if (one.uniform())
        rate_ += state;
      else if (state != one.state) {
        one.state = state;
        changed = true;
      }
    }
    if (changed) build_field();
  }

  void fill(StepArgs<Real>& a, StageMoment const&) {
    a.rain_depth = uniform_depth(a);
    if (field_.size() > 0) a.rain_raster = field_.data() + layout_.origin();
  }

  void accept(StepArgs<Real> const& a, double, double) {
    steps_since_ = rate_ > 0 || field_sum_ > 0 ? 0 : steps_since_ + 1;
    if (rate_ > 0) volume_.add(double(uniform_depth(a)) * area_ * double(cells_));
    if (field_sum_ > 0) volume_.add(field_sum_ * double(a.dt) * area_);
  }
  void report(VolumeBalance& b) const { b.rain = volume_.value(); }
  template <class F>
  void visit_scalars(F const& f) {
    f("rain_volume", volume_);
  }

  /// Ground that took all the rain is dry, but has not been at rest: a step more brings both copies of what
  /// it took together.
  [[nodiscard]] bool everywhere() const { return rate_ > 0 || field_sum_ > 0 || steps_since_ < 2; }
  [[nodiscard]] double largest_rise(double from, double to) const {
    double rise = 0;
    for (auto const& one : sources_)
      rise += one.source.rasters.empty() ? largest_over(one.source.series, from, to)
                                         : one.largest[one.raster_at(from)];
    return rise;
  }

private:
  struct Falling {
    Source source;
    double state;                 ///< rate [m/s] or number of the raster that the field holds
    std::vector<double> largest;  ///< of each raster [m/s]

    [[nodiscard]] bool uniform() const { return source.rasters.empty() && source.cells.empty(); }
    [[nodiscard]] std::size_t raster_at(double t) const {
      auto const& time = source.rasters.time;
      auto const after = std::upper_bound(time.begin(), time.end(), t) - time.begin();
      return std::size_t(std::max<std::ptrdiff_t>(after - 1, 0));
    }
  };

  /// Uniform rain of a step [m], as the cells get it.
  [[nodiscard]] Real uniform_depth(StepArgs<Real> const& a) const { return Real(rate_ * double(a.dt)); }

  void build_field() {
    std::vector<double> rates(active_->size(), 0.0);
    for (auto const& one : sources_) {
      if (one.uniform()) continue;
      if (!one.source.rasters.empty()) {
        auto const& raster = one.source.rasters.raster[std::size_t(one.state)];
        for (std::size_t c = 0; c < rates.size(); ++c) rates[c] += raster[c];
      } else {
        for (auto c : one.source.cells) rates[std::size_t(c)] += one.state;
      }
    }
    std::vector<Real> host(std::size_t(layout_.size()), 0);
    CompensatedSum sum;
    for (int j = 0; j < layout_.ny; ++j)
      for (int i = 0; i < layout_.nx; ++i) {
        auto const c = std::size_t(i + std::int64_t(layout_.nx) * j);
        if (!(*active_)[c]) continue;
        auto& rate = host[std::size_t(layout_.at(i, j))];
        rate = Real(rates[c]);
        sum.add(double(rate));
      }
    field_sum_ = sum.value();
    upload<Real, target>(host, field_);
  }

  Layout layout_;
  std::vector<char> const* active_;
  double area_ = 0;
  std::int64_t cells_ = 0;
  std::vector<Falling> sources_;
  int steps_since_ = 2;        ///< it rained
  double rate_ = 0;            ///< of uniform rain over the step [m/s]
  Array<Real, target> field_;  ///< of the others [m/s]
  double field_sum_ = 0;       ///< over cells [m/s]
  CompensatedSum volume_;
};

}  // namespace swe
