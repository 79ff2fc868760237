#pragma once
/// \file
/// A bed that moves in time: rasters, uplift, breaches. The bed of a step is that of its start; water keeps
/// its depth, so its level follows the bed, and no volume changes.

#include <algorithm>
#include <cmath>

#include "solver/source/term.hpp"

namespace swe {

/// One motion at a moment. `first`, `second`: a number per moving cell, see BedMotion::Type:
///   rasters  levels of the two rasters around the moment; NaN leaves a cell alone
///   uplift   `first`: rise for value 1
///   breach   `first`: 1 inside
struct BedMotionArgs {
  BedMotion::Type type = BedMotion::Type::uplift;
  double value = 0;  ///< share of the second raster, share of the uplift, highest bed [m]
  double const *first = nullptr, *second = nullptr;
};

/// Bed [m] of moving cell k, from where it was without any motion.
KOKKOS_INLINE_FUNCTION double moved_bed(double bed, BedMotionArgs const& m, Index k) {
  switch (m.type) {
    case BedMotion::Type::rasters: {
      double const level = m.first[k] + m.value * (m.second[k] - m.first[k]);
      return level == level ? level : bed;
    }
    case BedMotion::Type::uplift:
      return bed + m.value * m.first[k];
    case BedMotion::Type::breach:
      return m.first[k] > 0 && bed > m.value ? m.value : bed;
  }
  return bed;
}

/// Applies the motions, in order, to the n moving cells: `level` [m] their bed in double, `bed` the solver's
/// field. Gives the sum over cells of the change [m].
template <Target target, class Real>
double move_bed(std::int64_t const* cells, Index n, double const* at_rest, BedMotionArgs const* motions,
                int count, double datum, double* level, Real* bed) {
  double change = 0;
  Kokkidio::parallel_reduce<target>(
      "move_bed", n,
      KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<target> const& range, double& sum) {
        for (Index k = range.begin(); k < range.end(); ++k) {
          double z = at_rest[k];
          for (int m = 0; m < count; ++m) z = moved_bed(z, motions[m], k);
          sum += z - level[k];
          level[k] = z;
          bed[cells[k]] = Real(z - datum);
        }
      },
      change);
  return change;
}

template <class Real, Target target>
class MovingBed {
public:
  MovingBed() = default;
  explicit MovingBed(TermSetup const& s)
      : datum_(s.bed_datum), area_(s.scenario.grid.cell_area()), motions_(s.scenario.bed_motions) {
    auto const& scenario = s.scenario;
    std::vector<std::int64_t> cells;
    for (std::int64_t c = 0; c < scenario.grid.cells(); ++c)
      if (s.active[std::size_t(c)] &&
          std::any_of(motions_.begin(), motions_.end(), [&](auto const& m) { return touches(m, c); }))
        cells.push_back(c);
    if (cells.empty()) {
      motions_.clear();
      return;
    }
    std::vector<double> at_rest;
    std::vector<std::int64_t> positions;
    for (auto c : cells) {
      at_rest.push_back(scenario.bed[std::size_t(c)]);
      positions.push_back(s.layout.at(int(c % s.layout.nx), int(c / s.layout.nx)) - s.layout.origin());
    }
    cells_ = on_target<target>("moving_cells", positions);
    at_rest_ = on_target<target>("bed_at_rest", at_rest);
    level_ = on_target<target>("moving_bed", at_rest);
    for (auto& m : motions_) {
      fields_.emplace_back();
      auto const add = [&](auto const& value) {
        std::vector<double> numbers;
        for (auto c : cells) numbers.push_back(value(c));
        fields_.back().push_back(on_target<target>("bed_motion", numbers));
      };
      if (m.type == BedMotion::Type::rasters)
        for (auto const& raster : m.rasters.raster)
          add([&](std::int64_t c) { return raster[std::size_t(c)]; });
      else if (m.type == BedMotion::Type::uplift)
        add([&](std::int64_t c) { return inside(m, c) ? m.shape(c) : 0.0; });
      else
        add([&](std::int64_t c) {
          return std::binary_search(m.cells.begin(), m.cells.end(), c) ? 1.0 : 0.0;
        });
      m.rasters.raster.clear();
      m.shape = {};
    }
    args_ = Array<BedMotionArgs, target>("bed_motion_args", Index(motions_.size()));
  }

  [[nodiscard]] bool moves() const { return !motions_.empty(); }

  /// Brings `bed`, a field from cell (0, 0) on, to time t; false when nothing has changed.
  bool move_to(double t, Real* bed) {
    std::vector<BedMotionArgs> args;
    for (std::size_t k = 0; k < motions_.size(); ++k) args.push_back(at_time(motions_[k], fields_[k], t));
    auto const same = [](BedMotionArgs const& a, BedMotionArgs const& b) {
      return a.value == b.value && a.first == b.first && a.second == b.second;
    };
    if (std::equal(args.begin(), args.end(), last_.begin(), last_.end(), same)) return false;
    upload<BedMotionArgs, target>(args, args_);
    displaced_.add(move_bed<target>(cells_.data(), cells_.size(), at_rest_.data(), args_.data(),
                                    int(args.size()), datum_, level_.data(), bed) *
                   area_);
    last_ = std::move(args);
    return true;
  }
  void report(VolumeBalance& b) const { b.bed_displaced = displaced_.value(); }
  template <class F>
  void visit_scalars(F const& f) {
    f("bed_displaced", displaced_);
  }

private:
  static bool inside(BedMotion const& m, std::int64_t c) {
    return m.cells.empty() || std::binary_search(m.cells.begin(), m.cells.end(), c);
  }
  static bool touches(BedMotion const& m, std::int64_t c) {
    switch (m.type) {
      case BedMotion::Type::rasters:
        return std::any_of(m.rasters.raster.begin(), m.rasters.raster.end(),
                           [&](auto const& raster) { return !std::isnan(raster[std::size_t(c)]); });
      case BedMotion::Type::uplift:
        return inside(m, c) && m.shape(c) != 0;
      case BedMotion::Type::breach:
        return std::binary_search(m.cells.begin(), m.cells.end(), c);
    }
    return false;
  }
  static BedMotionArgs at_time(BedMotion const& m, std::vector<Array<double, target>> const& fields,
                               double t) {
    BedMotionArgs args{m.type, m.series(t), fields.front().data(), fields.front().data()};
    if (m.type != BedMotion::Type::rasters) return args;
    auto const& time = m.rasters.time;
    auto const after = std::size_t(std::upper_bound(time.begin(), time.end(), t) - time.begin());
    auto const first = after > 0 ? after - 1 : 0, second = std::min(after, time.size() - 1);
    args.value = second > first ? (t - time[first]) / (time[second] - time[first]) : 0.0;
    args.first = fields[first].data();
    args.second = fields[second].data();
    return args;
  }

  double datum_ = 0, area_ = 0;
  std::vector<BedMotion> motions_;
  std::vector<std::vector<Array<double, target>>> fields_;
  Array<std::int64_t, target> cells_;
  Array<double, target> at_rest_, level_;
  Array<BedMotionArgs, target> args_;
  std::vector<BedMotionArgs> last_;
  CompensatedSum displaced_;
};

}  // namespace swe
