#include "io/output/hdf5.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace swe::io::h5 {
namespace {

/// HDF5 lists an error from the outermost call inwards; the last entry says why.
std::string innermost_reason() {
  std::string reason;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, H5E_error2_t const* entry, void* data) -> herr_t {
        if (entry->desc != nullptr) *static_cast<std::string*>(data) = entry->desc;
        return 0;
      },
      &reason);
  H5Eclear2(H5E_DEFAULT);
  return reason.empty() ? "unknown HDF5 error" : reason;
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "dataspace"}; }

void write_scalar_attribute(hid_t object, std::string const& name, hid_t type, void const* value) {
  auto const space = scalar_space();
  Handle const attribute(H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, "attribute " + name);
  check(H5Awrite(attribute.get(), type, value), "attribute " + name);
}

Handle open_attribute(hid_t object, std::string const& name) {
  return {H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "attribute " + name};
}

/// A number keeps its place: only its bytes change.
void write_number_attribute(hid_t object, std::string const& name, hid_t type, void const* value) {
  if (has_attribute(object, name))
    check(H5Awrite(open_attribute(object, name).get(), type, value), "attribute " + name);
  else
    write_scalar_attribute(object, name, type, value);
}

/// Selection of some items along the first axis, and a memory space of the same shape: with another one HDF5
/// goes from value to value, several times slower than the copy.
std::pair<Handle, Handle> record_selection(hid_t dataset, hsize_t first, hsize_t items) {
  auto count = extents(dataset);
  std::vector<hsize_t> start(count.size(), 0);
  start.at(0) = first;
  count.at(0) = items;
  Handle file_space(H5Dget_space(dataset), H5Sclose, "dataspace");
  check(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        "selection");
  Handle memory_space(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose,
                      "dataspace");
  return {std::move(file_space), std::move(memory_space)};
}

}  // namespace

Handle::Handle(hid_t id, Closer closer, std::string const& what) : id_(id), closer_(closer) {
  if (id_ < 0) throw Error(what + ": " + innermost_reason());
}

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = std::exchange(other.id_, -1);
    closer_ = other.closer_;
  }
  return *this;
}

void Handle::reset() noexcept {
  if (id_ >= 0) closer_(std::exchange(id_, -1));
}

void silence() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

void check(herr_t status, std::string const& what) {
  if (status < 0) throw Error(what + ": " + innermost_reason());
}

Handle open_for_reading(std::string const& path) {
  silence();
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, path};
}

Handle open_dataset(hid_t parent, std::string const& name) {
  return {H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, name};
}

bool exists(hid_t parent, std::string const& name) {
  return H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0;
}

Handle creation_list(hid_t kind, std::string const& what) {
  Handle list(H5Pcreate(kind), H5Pclose, what);
  constexpr unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  check(H5Pset_attr_creation_order(list.get(), order), what);
  if (kind != H5P_DATASET_CREATE) check(H5Pset_link_creation_order(list.get(), order), what);
  check(H5Pset_obj_track_times(list.get(), false), what);
  return list;
}

Handle dataset_creation() { return creation_list(H5P_DATASET_CREATE, "dataset creation"); }

Handle create_group(hid_t parent, std::string const& name) {
  Handle const list = creation_list(H5P_GROUP_CREATE, name);
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, list.get(), H5P_DEFAULT), H5Gclose, name};
}

std::vector<hsize_t> extents(hid_t dataset) {
  Handle const space(H5Dget_space(dataset), H5Sclose, "dataspace");
  int const rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0) throw Error("dataspace: " + innermost_reason());
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  if (rank > 0) check(H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr), "dataspace");
  return sizes;
}

void write_attribute(hid_t object, std::string const& name, std::string const& value) {
  Handle const type(H5Tcopy(H5T_C_S1), H5Tclose, "string type");
  check(H5Tset_size(type.get(), std::max<std::size_t>(value.size(), 1)), "string type");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLTERM), "string type");
  bool const ascii = std::all_of(value.begin(), value.end(), [](char c) { return (c & 0x80) == 0; });
  if (!ascii) check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "string type");
  if (has_attribute(object, name)) check(H5Adelete(object, name.c_str()), "attribute " + name);
  write_scalar_attribute(object, name, type.get(), value.c_str());
}

void write_attribute(hid_t object, std::string const& name, double value) {
  write_number_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t object, std::string const& name, float value) {
  write_number_attribute(object, name, H5T_NATIVE_FLOAT, &value);
}

void write_attribute(hid_t object, std::string const& name, std::int32_t value) {
  write_number_attribute(object, name, H5T_NATIVE_INT32, &value);
}

void write_attribute(hid_t object, std::string const& name, std::int64_t value) {
  write_number_attribute(object, name, H5T_NATIVE_INT64, &value);
}

bool has_attribute(hid_t object, std::string const& name) { return H5Aexists(object, name.c_str()) > 0; }

std::string read_text_attribute(hid_t object, std::string const& name) {
  auto const attribute = open_attribute(object, name);
  Handle const type(H5Aget_type(attribute.get()), H5Tclose, "attribute " + name);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0)
    throw Error("attribute " + name + ": not a text of fixed length");
  std::string text(H5Tget_size(type.get()), '\0');
  check(H5Aread(attribute.get(), type.get(), text.data()), "attribute " + name);
  return text.substr(0, text.find('\0'));
}

double read_real_attribute(hid_t object, std::string const& name) {
  auto const attribute = open_attribute(object, name);
  double value = 0;
  check(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &value), "attribute " + name);
  return value;
}

std::int64_t read_integer_attribute(hid_t object, std::string const& name) {
  auto const attribute = open_attribute(object, name);
  std::int64_t value = 0;
  check(H5Aread(attribute.get(), H5T_NATIVE_INT64, &value), "attribute " + name);
  return value;
}

std::vector<double> read_all(hid_t dataset) {
  auto const sizes = extents(dataset);
  std::vector<double> values(std::accumulate(sizes.begin(), sizes.end(), hsize_t{1}, std::multiplies<>{}));
  if (!values.empty())
    check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "reading");
  return values;
}

std::vector<double> read_record(hid_t dataset, hsize_t record) {
  auto const [file_space, memory_space] = record_selection(dataset, record, 1);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_select_npoints(file_space.get())));
  check(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory_space.get(), file_space.get(), H5P_DEFAULT, values.data()),
        "reading");
  return values;
}

void set_records(hid_t dataset, hsize_t count) {
  auto sizes = extents(dataset);
  sizes.at(0) = count;
  check(H5Dset_extent(dataset, sizes.data()), "size of a dataset");
}

void write_records(hid_t dataset, hsize_t first, hsize_t count, std::span<double const> values) {
  if (extents(dataset).at(0) < first + count) set_records(dataset, first + count);
  auto const [file_space, memory_space] = record_selection(dataset, first, count);
  if (static_cast<std::size_t>(H5Sget_select_npoints(file_space.get())) != values.size())
    throw std::logic_error("write_records: records of another size");
  check(
      H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory_space.get(), file_space.get(), H5P_DEFAULT, values.data()),
      "writing");
}

std::vector<std::string> links(hid_t group) {
  std::vector<std::string> names;
  auto const collect = [](hid_t, char const* name, H5L_info_t const*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  hsize_t position = 0;
  if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, &position, collect, &names) < 0) {
    H5Eclear2(H5E_DEFAULT);
    names.clear();
    position = 0;
    check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &position, collect, &names), "group");
  }
  return names;
}

}  // namespace swe::io::h5
