#pragma once
/// \file
/// Readings over time, of gauges and of sections: as a CSV table and as a group in the snapshot file.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/output/hdf5.hpp"
#include "io/output/map_file.hpp"
#include "io/output/posix_file.hpp"

namespace swe::io {

/// Items (gauges, sections) of which the same quantities are read.
struct SeriesLayout {
  struct Item {
    std::string name;
    double x = 0, y = 0;  ///< where it lies; of a section, where its line begins [m]
  };
  struct Quantity {
    FieldInfo info;          ///< in the HDF5
    std::string csv_suffix;  ///< column `<name><csv_suffix>`
  };
  std::string group;      ///< name in the HDF5, which is that of the items
  std::string item_axis;  ///< name of one item
  std::vector<Item> items;
  std::vector<Quantity> quantities;
};

/// One time; values are item by item, for each its quantities. NaN: not due.
struct SeriesRow {
  double time = 0;
  std::vector<double> values;
};

/// `time_s,<name><suffix>,...`, one row a time; what was not due is an empty field. Rows gather in memory and
/// reach the file on flush().
class SeriesTable {
public:
  /// A new file with its header. Throws FileError.
  static SeriesTable create(std::filesystem::path const& path, SeriesLayout const& layout);
  /// An existing file, cut to `bytes`. Throws FileError when it is shorter or has another header.
  static SeriesTable reopen(std::filesystem::path const& path, SeriesLayout const& layout,
                            std::uint64_t bytes);

  void append(SeriesRow const& row);
  /// Throws FileError; a row is in the file whole or not at all.
  void flush();
  void sync();
  /// Bytes in the file once flushed.
  [[nodiscard]] std::uint64_t bytes() const { return written_ + pending_.size(); }

private:
  PosixFile file_;
  std::uint64_t written_ = 0;
  std::string pending_;
};

/// A group with its own unlimited time axis, an axis of items with names and places, and a variable for each
/// quantity over (time, item). All members throw h5::Error.
class SeriesGroup {
public:
  static void create(hid_t file, SeriesLayout const& layout);
  SeriesGroup(hid_t file, SeriesLayout const& layout);

  void append(std::vector<SeriesRow> const& rows);
  /// Drops later rows; throws h5::Error when there are fewer.
  void cut(std::int64_t rows);

private:
  std::size_t items_;
  std::int64_t rows_ = 0;
  h5::Handle time_;
  std::vector<h5::Handle> values_;
};

}  // namespace swe::io
