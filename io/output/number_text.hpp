#pragma once
/// \file
/// Numbers as text that reads back to the same bits.

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace swe::io {

/// Shortest decimal text that reads back to exactly `value`, without an exponent where people write none;
/// `nan`, `inf`, `-inf` where there is no number.
inline std::string number_text(double value) {
  std::array<char, 64> buffer;
  double const size = std::abs(value);
  bool const plain = size == 0 || (size >= 1e-4 && size < 1e15);
  auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 plain ? std::chars_format::fixed : std::chars_format::general)
                       .ptr;
  return {buffer.data(), end};
}

}  // namespace swe::io
