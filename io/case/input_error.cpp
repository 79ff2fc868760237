#include "io/case/input_error.hpp"

namespace swe::io {

std::string Problem::text() const {
  std::string text;
  if (!file.empty()) text += file + (line > 0 ? ":" + std::to_string(line) : "") + ": ";
  if (!key.empty()) text += key + ": ";
  return text + message;
}

namespace {

std::string one_a_line(std::vector<Problem> const& problems) {
  std::string text;
  for (auto const& problem : problems) text += (text.empty() ? "" : "\n") + problem.text();
  return text;
}

}  // namespace

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(one_a_line(problems)), problems_(std::move(problems)) {}

}  // namespace swe::io
