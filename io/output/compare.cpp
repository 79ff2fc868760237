#include "io/output/compare.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <sstream>

#include "io/case/input_error.hpp"
#include "io/output/hdf5.hpp"
#include "io/output/number_text.hpp"
#include "io/output/posix_file.hpp"
#include "io/output/run_log.hpp"

namespace swe::io {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<Norm, 5> all_norms = {Norm::l1, Norm::l2, Norm::linf, Norm::rmse, Norm::nse};
constexpr std::string_view whitespace = " \t\r\n";

[[noreturn]] void refuse(std::filesystem::path const& file, std::string const& message) {
  throw InputError({{file.string(), 0, "", message}});
}

std::string trimmed(std::string const& text) {
  auto const first = text.find_first_not_of(whitespace);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(whitespace) - first + 1);
}

std::optional<double> number(std::string const& text) {
  auto const trim = trimmed(text);
  double value = 0;
  auto const [end, error] = std::from_chars(trim.data(), trim.data() + trim.size(), value);
  if (error != std::errc{} || end != trim.data() + trim.size()) return std::nullopt;
  return value;
}

/// Sums over record after record.
class Accumulator {
public:
  void add_record(std::span<double const> result, std::span<double const> reference, double time) {
    double sum = 0, squares = 0, largest = 0;
    std::int64_t count = 0;
    for (std::size_t k = 0; k < reference.size(); ++k) {
      double const a = result[k], b = reference[k];
      if (std::isnan(a) && std::isnan(b)) continue;
      ++count;
      if (std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b)) ++out_.different;
      double const d = std::isnan(a) || std::isnan(b) ? infinity : a == b ? 0 : std::abs(a - b);
      sum += d;
      squares += d * d;
      largest = std::max(largest, d);
      if (std::isnan(b)) continue;
      ++reference_count_;
      double const from_mean = b - mean_;
      mean_ += from_mean / static_cast<double>(reference_count_);
      variation_ += from_mean * (b - mean_);
    }
    if (out_.values == 0 || largest > out_.linf) out_.worst_time = time;
    out_.values += count;
    total_squares_ += squares;
    if (count == 0) return;
    auto const n = static_cast<double>(count);
    out_.l1 = std::max(out_.l1, sum / n);
    out_.l2 = std::max(out_.l2, std::sqrt(squares / n));
    out_.linf = std::max(out_.linf, largest);
  }

  FieldDifference result(std::string file, std::string field) {
    out_.file = std::move(file);
    out_.field = std::move(field);
    if (out_.values > 0) out_.rmse = std::sqrt(total_squares_ / static_cast<double>(out_.values));
    if (total_squares_ > 0) out_.nse = variation_ > 0 ? 1 - total_squares_ / variation_ : -infinity;
    return out_;
  }

private:
  FieldDifference out_;
  double total_squares_ = 0, mean_ = 0, variation_ = 0;
  std::int64_t reference_count_ = 0;
};

/// The map fields of a NetCDF file: everything over (y, x) or (time, y, x).
std::vector<std::string> map_fields(hid_t file) {
  std::vector<std::string> names;
  for (auto const& name : h5::links(file)) {
    H5O_info_t info;
#if H5_VERSION_GE(1, 12, 0)
    auto const status = H5Oget_info_by_name(file, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT);
#else
    auto const status = H5Oget_info_by_name(file, name.c_str(), &info, H5P_DEFAULT);
#endif
    if (status < 0 || info.type != H5O_TYPE_DATASET) continue;
    if (h5::extents(h5::open_dataset(file, name).get()).size() >= 2) names.push_back(name);
  }
  return names;
}

/// Adds to `comparison` what is wrong with names that only one side has.
std::vector<std::string> common_fields(std::vector<std::string> const& result,
                                       std::vector<std::string> const& reference, std::string const& file,
                                       bool strict, Comparison& comparison) {
  std::vector<std::string> both;
  auto const has = [](auto const& list, std::string const& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (auto const& name : reference) {
    if (has(result, name))
      both.push_back(name);
    else
      (strict ? comparison.failures : comparison.notes)
          .push_back(file + ": " + name + " is in the reference only");
  }
  for (auto const& name : result)
    if (!has(reference, name))
      (strict ? comparison.failures : comparison.notes)
          .push_back(file + ": " + name + " is in the result only");
  return both;
}

bool same_times(std::vector<double> const& a, std::vector<double> const& b, bool strict) {
  constexpr double rounding = 1e-9;
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](double s, double t) {
           return strict ? s == t : std::abs(s - t) <= rounding * std::max(1.0, std::abs(t));
         });
}

void compare_maps(std::filesystem::path const& result_path, std::filesystem::path const& reference_path,
                  bool strict, Comparison& comparison) {
  auto const label = reference_path.filename().string();
  try {
    auto const result = h5::open_for_reading(result_path.string());
    auto const reference = h5::open_for_reading(reference_path.string());
    std::vector<double> times;
    if (h5::exists(reference.get(), "time") && h5::exists(result.get(), "time")) {
      times = h5::read_all(h5::open_dataset(reference.get(), "time").get());
      auto const others = h5::read_all(h5::open_dataset(result.get(), "time").get());
      if (!same_times(others, times, strict)) {
        comparison.failures.push_back(label + ": the times differ (" + std::to_string(others.size()) +
                                      " records in the result, " + std::to_string(times.size()) +
                                      " in the reference)");
        return;
      }
    }
    for (auto const& name :
         common_fields(map_fields(result.get()), map_fields(reference.get()), label, strict, comparison)) {
      auto const a = h5::open_dataset(result.get(), name), b = h5::open_dataset(reference.get(), name);
      auto const sizes = h5::extents(b.get());
      if (h5::extents(a.get()) != sizes) {
        comparison.failures.push_back(label + ": " + name + " has another size");
        continue;
      }
      Accumulator sums;
      if (sizes.size() == 2)
        sums.add_record(h5::read_all(a.get()), h5::read_all(b.get()), nan);
      else
        for (hsize_t k = 0; k < sizes[0]; ++k)
          sums.add_record(h5::read_record(a.get(), k), h5::read_record(b.get(), k),
                          k < times.size() ? times[k] : nan);
      comparison.fields.push_back(sums.result(label, name));
    }
  } catch (h5::Error const& error) {
    throw InputError({{result_path.string(), 0, "",
                       "cannot be compared with " + reference_path.string() + ": " + error.what()}});
  }
}

struct Table {
  std::vector<std::string> names;  ///< without the time column
  std::vector<double> time;
  std::vector<std::vector<double>> columns;  ///< NaN where a field is empty
};

std::vector<std::string> csv_fields(std::string const& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    char const c = line[k];
    if (quoted && c == '"' && k + 1 < line.size() && line[k + 1] == '"') {
      fields.back() += '"';
      ++k;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (auto& field : fields) field = trimmed(field);
  return fields;
}

Table read_table(std::filesystem::path const& path) {
  std::istringstream text(read_text(path));
  Table table;
  std::string line;
  int line_number = 0;
  while (std::getline(text, line)) {
    ++line_number;
    if (trimmed(line).empty() || line.front() == '#') continue;
    auto const fields = csv_fields(line);
    if (table.names.empty() && table.columns.empty()) {
      table.names.assign(fields.begin() + 1, fields.end());
      table.columns.resize(table.names.size());
      continue;
    }
    if (fields.size() != table.names.size() + 1)
      throw InputError({{path.string(), line_number, "", "has another number of columns than the header"}});
    for (std::size_t k = 0; k < fields.size(); ++k) {
      auto const value = fields[k].empty() ? std::optional(nan) : number(fields[k]);
      if (!value)
        throw InputError({{path.string(), line_number, "", "\"" + fields[k] + "\" is not a number"}});
      (k == 0 ? table.time : table.columns[k - 1]).push_back(*value);
    }
  }
  if (table.columns.empty()) refuse(path, "holds no columns beside the time");
  return table;
}

/// Straight line between the rows around `t`; NaN outside of them.
double interpolated(std::vector<double> const& time, std::vector<double> const& values, double t) {
  auto const above = std::lower_bound(time.begin(), time.end(), t);
  if (above == time.end()) return nan;
  auto const k = static_cast<std::size_t>(above - time.begin());
  if (*above == t) return values[k];
  if (k == 0) return nan;
  double const share = (t - time[k - 1]) / (time[k] - time[k - 1]);
  return (1 - share) * values[k - 1] + share * values[k];
}

void compare_tables(std::filesystem::path const& result_path, std::filesystem::path const& reference_path,
                    bool strict, Comparison& comparison) {
  auto const label = reference_path.filename().string();
  auto const result = read_table(result_path), reference = read_table(reference_path);
  bool const aligned = same_times(result.time, reference.time, strict);
  if (!aligned && strict) {
    comparison.failures.push_back(label + ": the times differ (" + std::to_string(result.time.size()) +
                                  " rows in the result, " + std::to_string(reference.time.size()) +
                                  " in the reference)");
    return;
  }
  if (!aligned)
    comparison.notes.push_back(label + ": the result is interpolated to the times of the reference");
  for (auto const& name : common_fields(result.names, reference.names, label, strict, comparison)) {
    auto const column = [&](Table const& table) -> std::vector<double> const& {
      auto const found = std::find(table.names.begin(), table.names.end(), name);
      return table.columns[static_cast<std::size_t>(found - table.names.begin())];
    };
    auto const& values = column(result);
    std::vector<double> at_reference = values, wanted = column(reference);
    if (!aligned) {
      at_reference.clear();
      for (double const t : reference.time) at_reference.push_back(interpolated(result.time, values, t));
    }
    // A measurement that is missing judges nothing.
    if (!strict)
      for (std::size_t k = 0; k < wanted.size(); ++k)
        if (std::isnan(wanted[k])) at_reference[k] = nan;
    Accumulator sums;
    sums.add_record(at_reference, wanted, nan);
    comparison.fields.push_back(sums.result(label, name));
  }
}

void compare_files(std::filesystem::path const& result, std::filesystem::path const& reference, bool strict,
                   Comparison& comparison) {
  auto const extension = reference.extension().string();
  if (result.extension() != reference.extension())
    refuse(result, "is not of the kind of " + reference.string());
  if (extension == ".csv")
    compare_tables(result, reference, strict, comparison);
  else if (extension == ".nc" || extension == ".h5")
    compare_maps(result, reference, strict, comparison);
  else
    refuse(reference, "only .nc, .h5 and .csv can be compared");
}

double value_of(FieldDifference const& field, Norm norm) {
  switch (norm) {
    case Norm::l1:
      return field.l1;
    case Norm::l2:
      return field.l2;
    case Norm::linf:
      return field.linf;
    case Norm::rmse:
      return field.rmse;
    case Norm::nse:
      return field.nse;
  }
  return nan;
}

void judge(Comparison& comparison, std::vector<Tolerance> const& tolerances) {
  if (tolerances.empty()) {
    for (auto& field : comparison.fields) {
      field.judged = true;
      field.within = field.different == 0;
      if (!field.within)
        comparison.failures.push_back(field.file + ": " + field.field + " differs in " +
                                      std::to_string(field.different) + " of " +
                                      std::to_string(field.values) + " values");
    }
    return;
  }
  for (auto const& tolerance : tolerances) {
    bool named = tolerance.field == "*";
    for (auto& field : comparison.fields) {
      if (tolerance.field != "*" && tolerance.field != field.field) continue;
      named = field.judged = true;
      double const value = value_of(field, tolerance.norm);
      bool const good = tolerance.norm == Norm::nse ? value >= tolerance.limit : value <= tolerance.limit;
      if (good) continue;
      field.within = false;
      comparison.failures.push_back(
          field.file + ": " + field.field + " " + norm_name(tolerance.norm) + " is " + number_text(value) +
          (tolerance.norm == Norm::nse ? ", below " : ", above ") + number_text(tolerance.limit));
    }
    if (!named && comparison.failures.empty())
      refuse("--tolerance", "no field \"" + tolerance.field + "\" on both sides");
  }
}

}  // namespace

char const* norm_name(Norm norm) {
  switch (norm) {
    case Norm::l1:
      return "l1";
    case Norm::l2:
      return "l2";
    case Norm::linf:
      return "linf";
    case Norm::rmse:
      return "rmse";
    case Norm::nse:
      return "nse";
  }
  return "";
}

std::vector<Tolerance> parse_tolerances(std::string const& text) {
  std::vector<Tolerance> tolerances;
  std::vector<Problem> problems;
  std::istringstream parts(text);
  std::string part;
  while (std::getline(parts, part, ',')) {
    part = trimmed(part);
    auto const problem = [&](std::string const& message) {
      problems.push_back({"--tolerance", 0, part, message});
    };
    auto const equals = part.rfind('=');
    if (equals == std::string::npos) {
      problem("write field:norm=limit, such as h:l1=1e-3");
      continue;
    }
    auto const left = part.substr(0, equals);
    auto const colon = left.rfind(':');
    auto const norm_text = trimmed(colon == std::string::npos ? left : left.substr(colon + 1));
    auto const norm = std::find_if(all_norms.begin(), all_norms.end(),
                                   [&](Norm candidate) { return norm_text == norm_name(candidate); });
    auto const limit = number(part.substr(equals + 1));
    if (norm == all_norms.end())
      problem("\"" + norm_text + "\" is no norm; there are l1, l2, linf, rmse, nse");
    if (!limit || std::isnan(*limit)) problem("\"" + part.substr(equals + 1) + "\" is not a number");
    if (norm != all_norms.end() && limit && *norm != Norm::nse && *limit < 0)
      problem("a limit cannot be negative");
    if (norm != all_norms.end() && limit)
      tolerances.push_back(
          {colon == std::string::npos ? "*" : trimmed(left.substr(0, colon)), *norm, *limit});
  }
  if (problems.empty() && tolerances.empty()) problems.push_back({"--tolerance", 0, "", "names nothing"});
  if (!problems.empty()) throw InputError(std::move(problems));
  return tolerances;
}

Comparison compare_results(std::filesystem::path const& result, std::filesystem::path const& reference,
                           std::vector<Tolerance> const& tolerances) {
  for (auto const& path : {result, reference})
    if (!std::filesystem::exists(path)) refuse(path, "does not exist");
  if (std::filesystem::is_directory(result) != std::filesystem::is_directory(reference))
    refuse(reference, "a folder can only be compared with a folder, a file with a file");
  bool const strict = tolerances.empty();
  Comparison comparison;
  if (!std::filesystem::is_directory(reference)) {
    compare_files(result, reference, strict, comparison);
  } else {
    bool any = false;
    for (auto const* name : {"snapshots.nc", "maxima.nc", "gauges.csv"}) {
      bool const in_reference = std::filesystem::exists(reference / name);
      bool const in_result = std::filesystem::exists(result / name);
      if (in_reference && in_result)
        compare_files(result / name, reference / name, strict, comparison);
      else if (in_reference)
        comparison.failures.push_back(std::string(name) + " is in the reference only");
      else if (in_result)
        comparison.notes.push_back(std::string(name) + " is in the result only");
      any = any || in_reference;
    }
    if (!any) refuse(reference, "holds none of snapshots.nc, maxima.nc, gauges.csv");
  }
  judge(comparison, tolerances);
  return comparison;
}

std::string comparison_text(Comparison const& comparison) {
  std::size_t width = 5;
  for (auto const& field : comparison.fields) width = std::max(width, field.field.size());
  auto const name_width = static_cast<int>(width);
  std::string text = formatted("%-12s  %-*s  %10s %10s  %10s %10s %10s %10s %10s\n", "file", name_width,
                               "field", "values", "different", "L1", "L2", "Linf", "RMSE", "NSE");
  for (auto const& f : comparison.fields) {
    char const* const verdict = !f.judged ? "  not judged" : f.within ? "" : "  OUT";
    text += formatted("%-12s  %-*s  %10lld %10lld  %10.3g %10.3g %10.3g %10.3g %10.6g%s", f.file.c_str(),
                      name_width, f.field.c_str(), static_cast<long long>(f.values),
                      static_cast<long long>(f.different), f.l1, f.l2, f.linf, f.rmse, f.nse, verdict);
    if (f.different > 0 && !std::isnan(f.worst_time))
      text += formatted("  (worst at t = %.9g s)", f.worst_time);
    text += "\n";
  }
  for (auto const& note : comparison.notes) text += "note: " + note + "\n";
  for (auto const& failure : comparison.failures) text += "out of tolerance: " + failure + "\n";
  if (comparison.failures.empty()) text += "within tolerance\n";
  return text;
}

}  // namespace swe::io
