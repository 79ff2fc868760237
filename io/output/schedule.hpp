#pragma once
/// \file
/// When gauges and sections are read: each at its own interval, or after every step.

#include <cstddef>
#include <optional>
#include <vector>

namespace swe::io {

class Schedule {
public:
  /// A time, and which items are due then.
  struct Row {
    double time = 0;
    std::vector<bool> due;
  };

  /// One interval [s] an item; without one it is due after every step.
  Schedule(std::vector<std::optional<double>> const& intervals, double start, double end);

  /// Rows due up to `now` that were not handed out yet, in order; call at the start and after every step.
  [[nodiscard]] std::vector<Row> due(double now);
  /// As if all rows up to and including `time` had been handed out.
  void skip_past(double time);
  [[nodiscard]] std::size_t size() const { return items_.size(); }

private:
  struct Item {
    std::vector<double> times;  ///< empty: after every step
    std::size_t next = 0;
  };
  std::vector<Item> items_;
};

}  // namespace swe::io
