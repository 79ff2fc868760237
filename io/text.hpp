#pragma once
/// \file
/// Small things done with text in more than one reader.

#include <string>
#include <string_view>
#include <vector>

namespace swe::io {

/// Only ASCII letters; file formats do not follow the locale.
[[nodiscard]] inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] std::string lower_case(std::string_view text);
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::string join(std::vector<std::string> const& parts, std::string_view separator);

/// `; did you mean 'manning'?` when one of `known` is near enough to be a slip of the fingers, else empty.
[[nodiscard]] std::string suggestion(std::string_view word, std::vector<std::string> const& known);

/// Why something that should be a number is none: a decimal comma, or a unit behind it. Empty when neither.
[[nodiscard]] std::string number_hint(std::string_view text);

/// Shortest text that reads back to the same number; without exponent from 0.00001 to 10^15.
[[nodiscard]] std::string number_text(double value);
void append_number(std::string& text, double value);

/// 1, 2, ... for 0, 1, ... with its noun: `1 face`, `2 faces`.
[[nodiscard]] std::string counted(long long count, std::string_view singular, std::string_view plural);

}  // namespace swe::io
