#pragma once
/// \file
/// HDF5 files that survive a kill and a full disk.
///
/// HDF5 alone rewrites its index in place while a file grows, so that a process killed at a bad moment leaves
/// a file nobody can open, and a full disk can make it abort when it closes. Here HDF5 writes through a
/// driver of our own:
///  - bytes beyond the end of the last commit go to the file at once; nobody refers to them yet;
///  - changes to bytes that are already committed stay in memory;
///  - commit() writes those changes to a journal beside the file (`<file>.journal`), then into the file, then
///    removes the journal. A kill leaves the old state, or the new, or a journal that open() completes.
///  - a failed write (disk full) is remembered and reported by commit(); HDF5 is told that all is well, so it
///    closes in peace, and the file on disk stays at the last commit.
/// The promise holds for kills of the process. sync() extends it to power cuts.

#include <cstdint>
#include <filesystem>
#include <memory>

#include "io/output/hdf5.hpp"
#include "io/output/posix_file.hpp"

namespace swe::io {

class CrashSafeFile {
public:
  /// A new, empty file with creation order tracked (so that NetCDF clients list variables in order) and
  /// `user_block` bytes reserved at its start (0, or a power of two from 512). Throws FileError.
  static CrashSafeFile create(std::filesystem::path const& path, std::uint64_t user_block = 0);
  /// An existing file, for change; a commit that a kill cut short is completed first. Throws FileError.
  static CrashSafeFile open(std::filesystem::path const& path);
  /// Completes a commit that a kill cut short; true when there was one. Throws FileError.
  static bool recover(std::filesystem::path const& path);

  CrashSafeFile(CrashSafeFile&&) noexcept;
  CrashSafeFile& operator=(CrashSafeFile&&) noexcept;
  /// Drops what was not committed.
  ~CrashSafeFile();

  [[nodiscard]] hid_t id() const { return file_.get(); }

  /// All that was written so far becomes part of the file. Throws FileError; the file then stays at its last
  /// commit and takes no more.
  void commit();
  /// Waits until the last commit is on the disk.
  void sync();
  /// Closes every HDF5 object of the file, commits what that writes and waits for the disk.
  void close();

  class Storage;  ///< what the driver works on

private:
  CrashSafeFile() = default;
  void abandon() noexcept;

  std::unique_ptr<Storage> storage_;
  h5::Handle file_;
};

}  // namespace swe::io
