#pragma once
/// \file
/// Files through the system calls, where synced, truncated and renamed are promises and not hopes.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "io/output/file_error.hpp"

namespace swe::io {

/// An open file descriptor. Every member throws FileError, except where it says otherwise.
class PosixFile {
public:
  enum class Mode {
    read,
    update,
    create
  };  ///< update: read and write, must exist; create: emptied if it exists

  PosixFile() = default;
  PosixFile(std::filesystem::path path, Mode mode);
  PosixFile(PosixFile&& other) noexcept;
  PosixFile& operator=(PosixFile&& other) noexcept;
  ~PosixFile();

  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  [[nodiscard]] int descriptor() const { return fd_; }
  [[nodiscard]] std::filesystem::path const& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const;

  void write_at(std::uint64_t offset, void const* data, std::size_t bytes);
  /// As write_at; returns 0 or the error number instead of throwing.
  [[nodiscard]] int try_write_at(std::uint64_t offset, void const* data, std::size_t bytes) noexcept;
  /// Bytes beyond the end read as zero. Returns 0 or the error number.
  [[nodiscard]] int try_read_at(std::uint64_t offset, void* data, std::size_t bytes) const noexcept;
  void read_at(std::uint64_t offset, void* data, std::size_t bytes) const;
  /// Blocks for [offset, offset + bytes), so that writing there cannot run out of space. Returns 0 or the
  /// error number; file systems that cannot promise it count as success.
  [[nodiscard]] int try_reserve(std::uint64_t offset, std::uint64_t bytes) noexcept;
  void truncate(std::uint64_t bytes);
  void sync();
  void close();

private:
  std::filesystem::path path_;
  int fd_ = -1;
};

/// Makes a rename or removal inside `folder` survive a power cut.
void sync_folder(std::filesystem::path const& folder);

/// Name under which a single file is prepared before it takes the place of `path`.
[[nodiscard]] std::filesystem::path temporary_name(std::filesystem::path const& path);

/// `temporary` (written and synced) takes the place of `path` in one move.
void replace_file(std::filesystem::path const& temporary, std::filesystem::path const& path);

/// Writes `text` beside `path`, syncs it and renames it: readers see the old text or the new, nothing
/// between. On failure the old file is untouched and nothing else is left.
void write_atomically(std::filesystem::path const& path, std::string_view text, bool sync = true);

/// Whole file as text.
[[nodiscard]] std::string read_text(std::filesystem::path const& path);

}  // namespace swe::io
