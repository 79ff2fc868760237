#pragma once
/// \file
/// What must be the same when a computation is continued from a checkpoint.

#include <string>
#include <utility>
#include <vector>

#include "io/case/load.hpp"

namespace swe::io {

/// Key of the case, and a text that is equal exactly when its value is: scalars as they are, long lists and
/// the contents of files as a checksum. Names of files do not count, what is in them does.
using Fingerprint = std::vector<std::pair<std::string, std::string>>;

/// What computes, as far as the bits depend on it.
struct Machine {
  Precision precision = Precision::double_precision;
  int processes = 1;  ///< that compute together
};

/// Every key of the case counts unless it is listed as free to change (docs/restart.md has the same list).
/// Series count up to `time` only: what has not been used yet may change, such as a newer forecast.
[[nodiscard]] Fingerprint fingerprint(LoadedCase const& loaded, Machine const& machine, double time);

/// Keys, or beginnings of keys, that may change on restart.
[[nodiscard]] std::vector<std::string> const& keys_free_to_change();

/// One sentence for each part that differs, `then` being the checkpoint's.
[[nodiscard]] std::vector<std::string> differences(Fingerprint const& then, Fingerprint const& now);

}  // namespace swe::io
