#pragma once
/// \file
/// What is wrong with the user's input, all of it at once.

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace swe::io {

/// One mistake in the input.
struct Problem {
  std::string file;     ///< the file as the user wrote it, or `--set key=value`
  int line = 0;         ///< 1-based; 0 where lines make no sense
  std::string key;      ///< path in the case file, such as `boundaries.0.series`; may be empty
  std::string message;  ///< what is wrong, and what would be right

  /// `file:line: key: message`; parts that are empty are left out.
  [[nodiscard]] std::string text() const;
  bool operator==(Problem const&) const = default;
};

/// The input cannot be used; holds at least one problem. what() is one problem a line. Exit code 2.
class InputError : public std::runtime_error {
public:
  explicit InputError(std::vector<Problem> problems);
  [[nodiscard]] std::vector<Problem> const& problems() const { return problems_; }

private:
  std::vector<Problem> problems_;
};

}  // namespace swe::io
