#pragma once
/// \file
/// Forces on the water beside gravity and friction: wind, the air's pressure, the turning of the earth, eddy
/// viscosity. They are part of the stages, so that they balance slopes and friction without splitting.

#include <algorithm>

#include "solver/source/coriolis.hpp"
#include "solver/source/pressure.hpp"
#include "solver/source/pressure_low.hpp"
#include "solver/source/term.hpp"
#include "solver/source/viscosity.hpp"
#include "solver/source/wind.hpp"

namespace swe {

template <class Real>
struct ForceArgs {
  Real wind_x = 0, wind_y = 0;           ///< [m²/s²]
  Real turn_along = 0, turn_across = 0;  ///< [1/s]
  Real viscosity = 0;                    ///< [m²/s]
  PressureArgs<Real> pressure;
  PressureLowArgs<Real> const* lows = nullptr;
  int low_count = 0;
};

/// Force [m²/s²] on each of the n positions from cell (0, 0) on, by the state a stage starts from.
template <Target target, class Real>
void compute_forces(StepArgs<Real> const& a, Index n, ForceArgs<Real> const& f, Real* force_x,
                    Real* force_y) {
  for_each_item<target>(
      "forces", n, KOKKOS_LAMBDA(Index o) {
        Real x = 0, y = 0;
        Real const h = a.h[o];
        if (a.bed[o] < mark_threshold<Real> && h > a.dry_tolerance) {
          Real const share = wind_share(h);
          x = share * f.wind_x + f.turn_along * a.hu[o] + f.turn_across * a.hv[o];
          y = share * f.wind_y + f.turn_along * a.hv[o] - f.turn_across * a.hu[o];
          if (f.pressure.first) {
            auto const gradient = pressure_gradient(a, f.pressure, o);
            x -= h * gradient.x;
            y -= h * gradient.y;
          }
          for (int k = 0; k < f.low_count; ++k) {
            auto const gradient = pressure_low_gradient(a, f.lows[k], o);
            x -= h * gradient.x;
            y -= h * gradient.y;
          }
          if (f.viscosity > 0) {
            auto const viscous = viscous_force(a, o, f.viscosity);
            x += viscous.x;
            y += viscous.y;
          }
        }
        force_x[o] = x;
        force_y[o] = y;
      });
}

template <class Real, Target target>
class Forces : public Term<Real, target> {
public:
  static constexpr std::string_view name = "forces";

  explicit Forces(TermSetup const& s)
      : layout_(s.layout),
        wind_(s.scenario.wind),
        coriolis_(s.scenario.coriolis),
        viscosity_(s.scenario.eddy_viscosity),
        water_density_(s.scenario.water_density),
        order_(s.scenario.scheme.order),
        grid_(s.scenario.grid),
        lows_(s.scenario.pressure_lows),
        low_args_("pressure_lows", Index(lows_.size())) {
    step_limit_ = viscosity_step_limit(viscosity_, s.scenario.grid.dx, s.scenario.grid.dy);
    if (s.scenario.air_pressure) place_pressure(*s.scenario.air_pressure, s.active);
    if (!wind_ && coriolis_ == 0 && viscosity_ == 0 && pressure_times_.empty() && lows_.empty()) return;
    force_x_ = Array<Real, target>("force_x", Index(layout_.size()));
    force_y_ = Array<Real, target>("force_y", Index(layout_.size()));
  }

  void fill(StepArgs<Real>& a, StageMoment const& moment) {
    if (force_x_.size() == 0) return;
    ForceArgs<Real> f;
    if (wind_) {
      auto const stress = wind_stress(*wind_, water_density_, moment.time);
      f.wind_x = Real(stress.x);
      f.wind_y = Real(stress.y);
    }
    auto const turn = coriolis_turn(coriolis_, double(a.dt), order_);
    f.turn_along = Real(turn.along);
    f.turn_across = Real(turn.across);
    f.viscosity = Real(viscosity_);
    auto const o = layout_.origin();
    if (!pressure_times_.empty()) f.pressure = pressure_at(moment.time);
    if (!lows_.empty()) {
      upload<PressureLowArgs<Real>, target>(pressure_lows_at<Real>(lows_, water_density_, grid_, moment.time),
                                            low_args_);
      f.lows = low_args_.data();
      f.low_count = int(lows_.size());
    }
    a.force_x = force_x_.data() + o;
    a.force_y = force_y_.data() + o;
    compute_forces<target>(a, layout_.pitch * layout_.ny, f, force_x_.data() + o, force_y_.data() + o);
  }

  [[nodiscard]] double step_limit() const { return step_limit_; }

private:
  void place_pressure(AirPressure const& air, std::vector<char> const& active) {
    pressure_times_ = air.rasters.time;
    CompensatedSum sum;
    std::int64_t count = 0;
    for (std::size_t c = 0; c < active.size(); ++c)
      if (active[c]) {
        sum.add(air.rasters.raster.front()[c]);
        ++count;
      }
    // Only gradients matter: numbers near zero keep their digits in single precision.
    double const mean = count > 0 ? sum.value() / double(count) : 0.0;
    for (auto const& raster : air.rasters.raster)
      pressures_.push_back(field_on_target<Real, target>("air_pressure", layout_, [&](std::int64_t c) {
        return active[std::size_t(c)] ? (raster[std::size_t(c)] - mean) / water_density_ : 0.0;
      }));
  }
  [[nodiscard]] PressureArgs<Real> pressure_at(double t) const {
    auto const& time = pressure_times_;
    auto const after = std::size_t(std::upper_bound(time.begin(), time.end(), t) - time.begin());
    auto const first = after > 0 ? after - 1 : 0, second = std::min(after, time.size() - 1);
    double const share = second > first ? (t - time[first]) / (time[second] - time[first]) : 0.0;
    auto const o = layout_.origin();
    return {pressures_[first].data() + o, pressures_[second].data() + o, Real(share)};
  }

  Layout layout_;
  std::optional<Wind> wind_;
  double coriolis_ = 0, viscosity_ = 0, water_density_ = 1000;
  int order_ = 1;
  Grid grid_;
  std::vector<PressureLow> lows_;
  Array<PressureLowArgs<Real>, target> low_args_;
  double step_limit_ = std::numeric_limits<double>::infinity();
  std::vector<double> pressure_times_;
  std::vector<Array<Real, target>> pressures_;
  Array<Real, target> force_x_, force_y_;
};

}  // namespace swe
