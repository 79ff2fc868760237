#include "io/output/schedule.hpp"

#include <algorithm>

#include "io/case/load.hpp"

namespace swe::io {

Schedule::Schedule(std::vector<std::optional<double>> const& intervals, double start, double end) {
  for (auto const& interval : intervals)
    items_.push_back({interval ? output_times(start, end, interval) : std::vector<double>{}, 0});
}

std::vector<Schedule::Row> Schedule::due(double now) {
  std::vector<double> times;
  for (auto const& item : items_) {
    if (item.times.empty()) times.push_back(now);
    for (auto k = item.next; k < item.times.size() && item.times[k] <= now; ++k)
      times.push_back(item.times[k]);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::vector<Row> rows;
  for (double const time : times) {
    Row row{time, {}};
    for (auto& item : items_) {
      bool const on_time = item.next < item.times.size() && item.times[item.next] == time;
      if (on_time) ++item.next;
      row.due.push_back(on_time || (item.times.empty() && time == now));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void Schedule::skip_past(double time) {
  for (auto& item : items_)
    item.next = static_cast<std::size_t>(std::upper_bound(item.times.begin(), item.times.end(), time) -
                                         item.times.begin());
}

}  // namespace swe::io
