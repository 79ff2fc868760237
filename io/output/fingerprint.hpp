#pragma once
/// \file
/// What must be the same when a computation is continued from a checkpoint.

#include <string>
#include <utility>
#include <vector>

#include "io/case/load.hpp"

namespace swe::io {

/// Name of a part of the case, and a text that is equal exactly when that part is: numbers as they are,
/// rasters and series as a checksum.
using Fingerprint = std::vector<std::pair<std::string, std::string>>;

/// Series count up to `time` only: what has not been used yet may change, such as a newer forecast.
[[nodiscard]] Fingerprint fingerprint(LoadedCase const& loaded, Precision precision, double time);

/// One sentence for each part that differs, `then` being the checkpoint's.
[[nodiscard]] std::vector<std::string> differences(Fingerprint const& then, Fingerprint const& now);

}  // namespace swe::io
