#include "io/series/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "io/case/input_error.hpp"
#include "io/raster/raster.hpp"
#include "io/text.hpp"

namespace swe::io {

namespace {

std::optional<double> parse_entry(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    auto const at = line.find(separator);
    std::string_view part = trim(line.substr(0, at));
    if (part.size() >= 2 && part.front() == '"' && part.back() == '"') part = part.substr(1, part.size() - 2);
    parts.push_back(part);
    if (at == std::string_view::npos) return parts;
    line.remove_prefix(at + 1);
  }
}

char separator_of(std::string_view line) {
  for (char const separator : {';', ',', '\t'})
    if (line.find(separator) != std::string_view::npos) return separator;
  return ',';
}

/// `0;2,5`: the comma inside an entry can only be a decimal one.
bool has_decimal_comma(std::vector<std::string_view> const& entries) {
  return std::any_of(entries.begin(), entries.end(), [](std::string_view entry) {
    return entry.find(',') != std::string_view::npos && number_hint(entry).find("comma") != std::string::npos;
  });
}

/// Spellings of units, and the one used in keys.
constexpr std::array<std::pair<std::string_view, std::string_view>, 40> unit_spellings{{
    {"m", "m"},
    {"metre", "m"},
    {"meter", "m"},
    {"cm", "cm"},
    {"mm", "mm"},
    {"ft", "ft"},
    {"s", "s"},
    {"sec", "s"},
    {"seconds", "s"},
    {"min", "min"},
    {"minutes", "min"},
    {"h", "h"},
    {"hours", "h"},
    {"d", "d"},
    {"days", "d"},
    {"m3_per_s", "m3_per_s"},
    {"m3/s", "m3_per_s"},
    {"m^3/s", "m3_per_s"},
    {"m³/s", "m3_per_s"},
    {"cumecs", "m3_per_s"},
    {"m3s-1", "m3_per_s"},
    {"m2_per_s", "m2_per_s"},
    {"m2/s", "m2_per_s"},
    {"m^2/s", "m2_per_s"},
    {"m²/s", "m2_per_s"},
    {"l_per_s", "l_per_s"},
    {"l/s", "l_per_s"},
    {"cfs", "cfs"},
    {"ft3/s", "cfs"},
    {"m_per_s", "m_per_s"},
    {"m/s", "m_per_s"},
    {"mm_per_h", "mm_per_h"},
    {"mm/h", "mm_per_h"},
    {"mm/hr", "mm_per_h"},
    {"mm_per_day", "mm_per_day"},
    {"mm/day", "mm_per_day"},
    {"mm/d", "mm_per_day"},
    {"in_per_h", "in_per_h"},
    {"in/h", "in_per_h"},
    {"mm/5min", "mm_per_5min"},
}};

std::string_view known_unit(std::string_view text) {
  for (auto const& [spelling, unit] : unit_spellings)
    if (spelling == text) return unit;
  return {};
}

bool is_time_name(std::string_view name) { return name == "time" || name == "t"; }

class SeriesReader {
public:
  SeriesReader(std::filesystem::path const& file, SeriesRequest const& request)
      : request_(request), table_(read_csv(file)) {
    for (auto const& column : table_.columns) names_.push_back(split_unit(column));
  }

  std::vector<TimeSeries> read() const {
    if (table_.width() < 2) fail(first_line(), "needs a time column and a value column");
    std::size_t const time = time_column();
    check_times(time);
    std::vector<TimeSeries> series;
    for (std::size_t const column : value_columns(time)) {
      check_unit(column);
      TimeSeries& one = series.emplace_back();
      one.interpolation = request_.interpolation;
      one.after_end = request_.after_end.value_or(TimeSeries::AfterEnd::hold);
      for (auto const& row : table_.rows) {
        one.time.push_back(row[time]);
        one.value.push_back(row[column] * request_.to_si);
      }
    }
    check_cover(series.front());
    return series;
  }

private:
  [[noreturn]] void fail(int line, std::string message) const {
    throw InputError({{table_.file, line, "", std::move(message)}});
  }
  [[nodiscard]] int first_line() const {
    return table_.header_line > 0 ? table_.header_line : table_.lines.front();
  }

  [[nodiscard]] std::size_t time_column() const {
    if (names_.empty()) return 0;
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < names_.size(); ++k)
      if (is_time_name(lower_case(names_[k].name))) found.push_back(k);
    if (found.empty())
      fail(table_.header_line, "no column is called time_s; the header reads: " + join(table_.columns, ", "));
    if (found.size() > 1) fail(table_.header_line, "two columns are called time");
    std::string const& unit = names_[found[0]].unit;
    if (!unit.empty() && unit != "s")
      fail(table_.header_line,
           "column '" + table_.columns[found[0]] + "' is in " + unit + ", times must be in seconds");
    return found[0];
  }

  [[nodiscard]] std::vector<std::size_t> value_columns(std::size_t time) const {
    std::vector<std::size_t> columns;
    std::vector<std::string> known;
    for (std::size_t k = 0; k < table_.width(); ++k) {
      if (k == time) continue;
      if (!names_.empty()) known.push_back(names_[k].name);
      bool const wanted =
          request_.column.empty() ||
          (!names_.empty() && (names_[k].name == request_.column || table_.columns[k] == request_.column));
      if (wanted) columns.push_back(k);
    }
    if (columns.empty())
      fail(first_line(),
           "no column is called '" + request_.column + "'" + suggestion(request_.column, known));
    return columns;
  }

  void check_unit(std::size_t column) const {
    if (names_.empty()) return;
    std::string const& unit = names_[column].unit;
    if (!unit.empty() && !request_.unit.empty() && unit != request_.unit)
      fail(table_.header_line, "column '" + table_.columns[column] + "' is in " + unit +
                                   ", but the case file reads it as " + request_.unit);
  }

  void check_times(std::size_t time) const {
    auto const at = [&](std::size_t row) { return table_.rows[row][time]; };
    for (std::size_t k = 1; k < table_.rows.size(); ++k) {
      if (at(k) < at(k - 1))
        fail(table_.lines[k],
             "time " + number_text(at(k)) + " comes after " + number_text(at(k - 1)) + "; times must rise");
      if (k > 1 && at(k) == at(k - 2))
        fail(table_.lines[k], "time " + number_text(at(k)) + " occurs more than twice; two make a jump");
    }
  }

  void check_cover(TimeSeries const& series) const {
    double const slack = 1e-9 * std::max(1.0, std::abs(request_.end));
    if (series.time.front() > request_.start + slack)
      fail(table_.lines.front(), "the series begins at " + number_text(series.time.front()) +
                                     " s, after the run begins at " + number_text(request_.start) + " s");
    if (series.time.back() < request_.end - slack && !request_.after_end)
      fail(table_.lines.back(), "the series ends at " + number_text(series.time.back()) +
                                    " s, before the run ends at " + number_text(request_.end) +
                                    " s; give after_end: hold or zero");
  }

  SeriesRequest const& request_;
  CsvTable table_;
  std::vector<ColumnName> names_;
};

}  // namespace

CsvTable read_csv(std::filesystem::path const& file) {
  CsvTable table;
  table.file = file.string();
  std::string const text = read_whole_file(file);
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  auto const fail = [&](int line, std::string message) {
    throw InputError({{table.file, line, "", std::move(message)}});
  };

  char separator = 0;
  for (int line = 1; !rest.empty(); ++line) {
    auto const end = rest.find('\n');
    std::string_view const content = trim(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (content.empty() || content.front() == '#') continue;
    bool const first = separator == 0;
    if (first) separator = separator_of(content);
    auto const entries = split(content, separator);

    std::vector<double> row;
    std::size_t bad = entries.size();
    for (std::size_t k = 0; k < entries.size(); ++k) {
      auto const value = parse_entry(entries[k]);
      if (!value && bad == entries.size()) bad = k;
      row.push_back(value.value_or(0));
    }
    if (separator != ',' && has_decimal_comma(entries)) fail(line, "write decimal points, not commas");
    if (first && bad < entries.size()) {
      table.header_line = line;
      for (auto const& entry : entries) table.columns.emplace_back(entry);
      continue;
    }
    if (!table.columns.empty() || !table.rows.empty())
      if (entries.size() != table.width())
        fail(line, "has " + counted((long long)entries.size(), "entry", "entries") + ", " +
                       std::to_string(table.width()) + " are expected");
    if (bad < entries.size()) {
      if (entries[bad].empty()) fail(line, "entry " + std::to_string(bad + 1) + " is missing");
      fail(line, "'" + std::string(entries[bad]) + "' is not a number" + number_hint(entries[bad]));
    }
    for (double const value : row)
      if (!std::isfinite(value))
        fail(line, "every value must be a finite number; this row holds " + number_text(value));
    table.rows.push_back(std::move(row));
    table.lines.push_back(line);
  }
  if (table.rows.empty()) fail(0, "holds no rows of numbers");
  return table;
}

ColumnName split_unit(std::string_view header) {
  header = trim(header);
  for (auto const& [open, close] : {std::pair('[', ']'), std::pair('(', ')')}) {
    auto const at = header.find(open);
    if (at == std::string_view::npos || header.back() != close) continue;
    std::string const unit = lower_case(trim(header.substr(at + 1, header.size() - at - 2)));
    return {std::string(trim(header.substr(0, at))), std::string(known_unit(unit))};
  }
  std::string const lower = lower_case(header);
  // A bare unit is no name of one letter: columns called s, h, d or m are names.
  if (lower.size() > 2 && !known_unit(lower).empty())
    return {std::string(header), std::string(known_unit(lower))};
  for (auto at = lower.find('_'); at != std::string::npos; at = lower.find('_', at + 1))
    if (auto const unit = known_unit(std::string_view(lower).substr(at + 1)); !unit.empty())
      return {std::string(header.substr(0, at)), std::string(unit)};
  return {std::string(header), ""};
}

std::vector<TimeSeries> read_series(std::filesystem::path const& file, SeriesRequest const& request) {
  return SeriesReader(file, request).read();
}

}  // namespace swe::io
