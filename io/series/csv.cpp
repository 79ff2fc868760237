#include "io/series/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
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

/// `2024-01-31 12:00`, `31/01/2024`, `12:00`
bool is_date(std::string_view entry) {
  return std::count_if(entry.begin(), entry.end(), [](char c) { return c == ':' || c == '-' || c == '/'; }) >
             0 &&
         std::all_of(entry.begin(), entry.end(),
                     [](char c) {
                       return is_digit(c) || std::string_view(":-/. TZ").find(c) != std::string_view::npos;
                     }) &&
         entry.size() > 4;
}

/// `0;2,5`: the comma inside an entry can only be a decimal one.
bool has_decimal_comma(std::vector<std::string_view> const& entries) {
  return std::any_of(entries.begin(), entries.end(), [](std::string_view entry) {
    return entry.find(',') != std::string_view::npos && number_hint(entry).find("comma") != std::string::npos;
  });
}

/// A spelling, and what keys write for it.
struct Spelling {
  std::string_view text, unit;
};
constexpr Spelling lengths[] = {{"m", "m"},      {"metre", "m"}, {"metres", "m"}, {"meter", "m"},
                                {"meters", "m"}, {"cm", "cm"},   {"mm", "mm"},    {"km", "km"},
                                {"ft", "ft"},    {"feet", "ft"}};
/// What makes a unit over a time only: alone, `in` and `l` are names of columns.
constexpr Spelling amounts[] = {{"in", "in"},   {"inch", "in"},  {"inches", "in"}, {"m2", "m2"},
                                {"m3", "m3"},   {"l", "l"},      {"litre", "l"},   {"litres", "l"},
                                {"liter", "l"}, {"liters", "l"}, {"ft3", "ft3"},   {"cuft", "ft3"}};
constexpr Spelling times[] = {{"s", "s"},     {"sec", "s"},      {"second", "s"},    {"seconds", "s"},
                              {"min", "min"}, {"minute", "min"}, {"minutes", "min"}, {"h", "h"},
                              {"hr", "h"},    {"hrs", "h"},      {"hour", "h"},      {"hours", "h"},
                              {"d", "day"},   {"day", "day"},    {"days", "day"}};
constexpr Spelling rates[] = {{"cumec", "m3_per_s"},
                              {"cumecs", "m3_per_s"},
                              {"cms", "m3_per_s"},
                              {"cfs", "ft3_per_s"},
                              {"lps", "l_per_s"}};

std::string_view find_spelling(std::span<Spelling const> table, std::string_view text) {
  auto const found =
      std::find_if(table.begin(), table.end(), [&](Spelling const& one) { return one.text == text; });
  return found == table.end() ? std::string_view() : found->unit;
}

/// Superscripts and powers as plain digits: `m³ s⁻¹` and `m^3 s^-1` as `m3 s-1`.
std::string plain_powers(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> plain[] = {{"²", "2"}, {"³", "3"}, {"⁻¹", "-1"},
                                                                     {"·", " "}, {"**", ""}, {"^", ""}};
  std::string result(text);
  for (auto const& [from, to] : plain)
    for (auto at = result.find(from); at != std::string::npos; at = result.find(from))
      result.replace(at, from.size(), to);
  return result;
}

/// `amount_per_time` as keys write it, empty where one of them is not known. A time may have a number, as in
/// mm/5min.
std::string rate_unit(std::string_view amount, std::string_view time) {
  auto const digits = std::min(time.find_first_not_of("0123456789"), time.size());
  std::string_view over = find_spelling(lengths, amount);
  if (over.empty()) over = find_spelling(amounts, amount);
  std::string_view const per = find_spelling(times, time.substr(digits));
  if (over.empty() || per.empty()) return "";
  return std::string(over) + "_per_" + std::string(time.substr(0, digits)) + std::string(per);
}

/// What keys write for a unit in lower case, empty when it is none. A rate is written with `/`, `per`, a
/// power of -1, or as in names of columns with an underscore alone: m3_s.
std::string known_unit(std::string_view text) {
  std::string const plain = plain_powers(trim(text));
  std::string_view unit = plain;
  for (std::span<Spelling const> const table :
       {std::span<Spelling const>(rates), std::span<Spelling const>(lengths),
        std::span<Spelling const>(times)})
    if (auto const known = find_spelling(table, unit); !known.empty()) return std::string(known);
  bool const inverse = unit.ends_with("-1");
  if (inverse) unit.remove_suffix(2);
  for (std::string_view const between : {"_per_", " per ", "/", "_", " "})
    if (auto const at = unit.find(between); at != std::string_view::npos)
      return rate_unit(trim(unit.substr(0, at)), trim(unit.substr(at + between.size())));
  std::string joined;  // mmh-1, m3s-1
  for (std::size_t at = unit.size(); inverse && joined.empty() && at-- > 1;)
    joined = rate_unit(unit.substr(0, at), unit.substr(at));
  return joined;
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
    bool const width_known = !table.columns.empty() || !table.rows.empty();
    if (width_known && entries.size() != table.width()) {
      if (content.find('"') != std::string_view::npos) fail(line, "a comma in quotes; write decimal points");
      fail(line, "has " + counted((long long)entries.size(), "entry", "entries") + ", " +
                     std::to_string(table.width()) + " are expected");
    }
    if (bad < entries.size()) {
      if (entries[bad].empty()) fail(line, "entry " + std::to_string(bad + 1) + " is missing");
      fail(line, "'" + std::string(entries[bad]) + "' is not a number" +
                     (is_date(entries[bad]) ? " (times are seconds, not dates)" : number_hint(entries[bad])));
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
    std::string const inside = lower_case(trim(header.substr(at + 1, header.size() - at - 2)));
    std::string const known = known_unit(inside);
    return {std::string(trim(header.substr(0, at))), known.empty() && inside != "-" ? inside : known};
  }
  std::string const lower = lower_case(header);
  auto const is_rate = [](std::string const& unit) { return unit.find("_per_") != std::string::npos; };
  // Words such as min and m are names; a rate alone, or behind a blank, is none.
  if (auto const unit = known_unit(lower); is_rate(unit)) return {std::string(header), unit};
  for (auto at = lower.find_first_of("_ "); at != std::string::npos; at = lower.find_first_of("_ ", at + 1))
    if (auto const unit = known_unit(std::string_view(lower).substr(at + 1));
        lower[at] == '_' ? !unit.empty() : is_rate(unit))
      return {std::string(header.substr(0, at)), unit};
  return {std::string(header), ""};
}

std::vector<TimeSeries> read_series(std::filesystem::path const& file, SeriesRequest const& request) {
  return SeriesReader(file, request).read();
}

}  // namespace swe::io
