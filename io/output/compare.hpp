#pragma once
/// \file
/// How far two results are apart.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace swe::io {

enum class Norm { l1, l2, linf, rmse, nse };
[[nodiscard]] char const* norm_name(Norm norm);

/// A limit on one norm of one field: at most `limit`, or at least for `nse`.
struct Tolerance {
  std::string field;  ///< `*` for every field
  Norm norm = Norm::linf;
  double limit = 0;
};

/// `h:l1=1e-3,hu:linf=0.01`; a norm without a field (`linf=1e-9`) holds for every field. Throws InputError.
[[nodiscard]] std::vector<Tolerance> parse_tolerances(std::string const& text);

/// Differences d of one field, in its own unit. The norms l1 = mean |d|, l2 = sqrt(mean d²) and linf = max
/// |d| are over the cells of one record (or the rows of one gauge column), and of all records the worst is
/// given. rmse and nse (Nash-Sutcliffe efficiency, 1 at best) are over everything at once. A value that is
/// NaN on one side only makes the norms infinite and nse minus infinity.
struct FieldDifference {
  std::string file, field;
  std::int64_t values = 0;     ///< pairs compared
  std::int64_t different = 0;  ///< pairs with different bits
  double l1 = 0, l2 = 0, linf = 0, rmse = 0, nse = 1;
  double worst_time = 0;  ///< of the record with the largest linf [s]; NaN without a time axis
  bool judged = false, within = true;
};

struct Comparison {
  std::vector<FieldDifference> fields;
  std::vector<std::string> failures;  ///< sentences; empty when everything is within tolerance
  std::vector<std::string> notes;
};

/// Compares two result folders (snapshots.nc, maxima.nc, gauges.csv: what the reference has), or two files of
/// one kind (.nc, .csv). Without tolerances every field must be equal to the bit. With them, what they name
/// is judged and the rest only reported; CSV rows at other times than the reference's are then interpolated
/// linearly. Throws InputError when there is nothing to compare or a tolerance names a field that is not
/// there.
[[nodiscard]] Comparison compare_results(std::filesystem::path const& result,
                                         std::filesystem::path const& reference,
                                         std::vector<Tolerance> const& tolerances);

/// A table for people, and the failures.
[[nodiscard]] std::string comparison_text(Comparison const& comparison);

}  // namespace swe::io
