#pragma once
/// \file
/// Tables of numbers as text, and the time series in them.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/scenario.hpp"

namespace swe::io {

/// Rows of numbers. Separator comma, semicolon, or tab; blanks around values, CRLF, empty lines and lines
/// that start with # do not matter. The first row is a header when any of its entries is not a number.
struct CsvTable {
  std::string file;
  std::vector<std::string> columns;  ///< names from the header; empty without one
  std::vector<std::vector<double>> rows;
  std::vector<int> lines;  ///< line of each row in the file, from 1
  int header_line = 0;

  [[nodiscard]] std::size_t width() const {
    return !columns.empty() ? columns.size() : rows.empty() ? 0 : rows.front().size();
  }
};

/// Throws InputError naming the line: a row with more or fewer entries than the first, an entry that is
/// missing, no number, or not finite; a decimal comma; no rows.
[[nodiscard]] CsvTable read_csv(std::filesystem::path const& file);

/// Name and unit of a column: `level_m`, `Q [m3/s]`, `rain (mm/h)`, `rain_mm_h` or the bare unit `mm_per_h`.
/// A unit that is known comes as keys spell it (`m3_per_s`, `mm_per_h`), whatever its spelling; one in
/// brackets that is not known as it stands there. Empty when the header gives none.
struct ColumnName {
  std::string name, unit;
};
[[nodiscard]] ColumnName split_unit(std::string_view header);

/// What the case expects of a series.
struct SeriesRequest {
  std::string unit = "";  ///< as in keys: `m`, `m3_per_s`, `mm_per_h`; the header must not contradict it
  double to_si = 1;       ///< factor from that unit
  TimeSeries::Interpolation interpolation = TimeSeries::Interpolation::linear;
  std::string column = "";  ///< take this one; all value columns when empty
  std::optional<TimeSeries::AfterEnd> after_end = std::nullopt;
  double start = 0, end = 0;  ///< [s], the run that must be covered
};

/// One series per value column, in the order of the file. The time column is the one named time (or t);
/// without a header it is the first. Times are seconds and rise; one may occur twice, which is a jump. Throws
/// InputError naming the line; also for a series that does not cover the run.
[[nodiscard]] std::vector<TimeSeries> read_series(std::filesystem::path const& file,
                                                  SeriesRequest const& request);

}  // namespace swe::io
