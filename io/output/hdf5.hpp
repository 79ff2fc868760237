#pragma once
/// \file
/// The part of HDF5's C interface used here, with handles that close themselves and errors that are
/// exceptions. HDF5 is not thread-safe: while a writer thread lives, all of this is called from that thread
/// only.

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace swe::io::h5 {

/// An HDF5 call failed; what() holds HDF5's own innermost reason.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Owns one HDF5 identifier of any kind.
class Handle {
public:
  using Closer = herr_t (*)(hid_t);
  Handle() = default;
  /// Throws Error, naming `what`, when `id` is negative.
  Handle(hid_t id, Closer closer, std::string const& what);
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  ~Handle() { reset(); }
  void reset() noexcept;
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] explicit operator bool() const { return id_ >= 0; }

private:
  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

/// Keeps HDF5 from printing its error stack; errors are reported once, through Error.
void silence();

/// Throws Error, naming `what`, when `status` is negative.
void check(herr_t status, std::string const& what);

/// File opened for reading by HDF5's default driver. Throws Error.
[[nodiscard]] Handle open_for_reading(std::string const& path);
[[nodiscard]] Handle open_dataset(hid_t parent, std::string const& name);
[[nodiscard]] bool exists(hid_t parent, std::string const& name);

/// How everything of ours is made: attributes and, in a group or a file, links keep their order, so that NetCDF clients list
/// them as written; no time of creation, so that equal runs make equal files. `kind`: H5P_DATASET_CREATE, H5P_GROUP_CREATE
/// or H5P_FILE_CREATE; `what` is named in errors.
[[nodiscard]] Handle creation_list(hid_t kind, std::string const& what);
/// The one of datasets.
[[nodiscard]] Handle dataset_creation();
/// Group made so.
[[nodiscard]] Handle create_group(hid_t parent, std::string const& name);

/// Extents of a dataset; empty for a scalar.
[[nodiscard]] std::vector<hsize_t> extents(hid_t dataset);

// Attributes; an existing one of that name is replaced.
void write_attribute(hid_t object, std::string const& name, std::string const& value);
void write_attribute(hid_t object, std::string const& name, double value);
void write_attribute(hid_t object, std::string const& name, float value);
void write_attribute(hid_t object, std::string const& name, std::int32_t value);
void write_attribute(hid_t object, std::string const& name, std::int64_t value);

[[nodiscard]] bool has_attribute(hid_t object, std::string const& name);
[[nodiscard]] std::string read_text_attribute(hid_t object, std::string const& name);
[[nodiscard]] double read_real_attribute(hid_t object, std::string const& name);
[[nodiscard]] std::int64_t read_integer_attribute(hid_t object, std::string const& name);

/// A whole dataset of numbers as double.
[[nodiscard]] std::vector<double> read_all(hid_t dataset);
/// Item `record` along the first axis, as double.
[[nodiscard]] std::vector<double> read_record(hid_t dataset, hsize_t record);

/// Lengthens or shortens the first axis to `count`.
void set_records(hid_t dataset, hsize_t count);
/// Writes items `first`, ..., `first + count - 1` along the first axis, which is lengthened where needed.
void write_records(hid_t dataset, hsize_t first, hsize_t count, std::span<double const> values);

/// Names of the links in a group, in order of creation where the file keeps it.
[[nodiscard]] std::vector<std::string> links(hid_t group);

}  // namespace swe::io::h5
