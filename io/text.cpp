#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace swe::io {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return lower;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  auto const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string join(std::vector<std::string> const& parts, std::string_view separator) {
  std::string joined;
  for (auto const& part : parts) {
    if (!joined.empty()) joined += separator;
    joined += part;
  }
  return joined;
}

namespace {

/// Number of single-letter changes (insert, drop, replace, swap of neighbours) between two words.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, current);
  }
  return last[b.size()];
}

}  // namespace

std::string suggestion(std::string_view word, std::vector<std::string> const& known) {
  std::string const lower = lower_case(word);
  std::string_view nearest;
  std::size_t fewest = std::string::npos;
  for (auto const& candidate : known) {
    std::size_t distance = edit_distance(lower, lower_case(candidate));
    // A forgotten or added unit is the commonest slip: dry_tolerance for dry_tolerance_m.
    if (candidate.starts_with(lower + "_") || lower.starts_with(candidate + "_")) distance = 1;
    if (distance < fewest) {
      fewest = distance;
      nearest = candidate;
    }
  }
  if (nearest.empty() || fewest > std::max<std::size_t>(2, std::max(word.size(), nearest.size()) / 2))
    return "";
  return "; did you mean '" + std::string(nearest) + "'?";
}

std::string number_hint(std::string_view text) {
  text = trim(text);
  std::size_t k = !text.empty() && (text[0] == '+' || text[0] == '-');
  std::size_t const digits = k;
  while (k < text.size() && (is_digit(text[k]) || text[k] == '.')) ++k;
  if (k == digits || k == text.size()) return "";
  if (text[k] == ',') return " (write a decimal point, not a comma)";
  if (text[k] == ' ' || is_letter(text[k]) || text[k] == '%')
    return " (the unit belongs to the key, not to the value)";
  return "";
}

std::string counted(long long count, std::string_view singular, std::string_view plural) {
  return std::to_string(count) + ' ' + std::string(count == 1 ? singular : plural);
}

void append_number(std::string& text, double value) {
  double const size = std::abs(value);
  // Coordinates and times are read by people: 500000, not 5e+05.
  bool const ordinary = size == 0 || (size >= 1e-5 && size < 1e15);
  std::array<char, 32> digits;
  char* const last = digits.data() + digits.size();
  auto const [end, error] = ordinary ? std::to_chars(digits.data(), last, value, std::chars_format::fixed)
                                     : std::to_chars(digits.data(), last, value);
  text.append(digits.data(), end);
}

std::string number_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

}  // namespace swe::io
