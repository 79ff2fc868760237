#pragma once
/// \file
/// A file could not be written or read back. Exit code 4.

#include <filesystem>
#include <stdexcept>
#include <string>

namespace swe::io {

/// Names the file and the reason; what() is `path: reason`.
class FileError : public std::runtime_error {
public:
  FileError(std::filesystem::path file, std::string const& reason)
      : std::runtime_error(file.string() + ": " + reason), file_(std::move(file)), reason_(reason) {}
  [[nodiscard]] std::filesystem::path const& file() const { return file_; }
  [[nodiscard]] std::string const& reason() const { return reason_; }

  /// With the system's words for `error_number`, such as "No space left on device".
  static FileError from_errno(std::filesystem::path const& file, int error_number);

private:
  std::filesystem::path file_;
  std::string reason_;
};

}  // namespace swe::io
