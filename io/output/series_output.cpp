#include "io/output/series_output.hpp"

#include <hdf5_hl.h>

#include <cmath>

#include "io/output/number_text.hpp"

namespace swe::io {
namespace {

constexpr hsize_t chunk_rows = 256;

/// A field of a CSV line; quoted where it holds what separates fields.
std::string csv_field(std::string const& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string header(SeriesLayout const& layout) {
  std::string line = "time_s";
  for (auto const& item : layout.items)
    for (auto const& quantity : layout.quantities) line += "," + csv_field(item.name + quantity.csv_suffix);
  return line + "\n";
}

/// One text an item, as NetCDF's string type stores it.
void write_names(hid_t group, hid_t axis, SeriesLayout const& layout) {
  h5::Handle const type(H5Tcopy(H5T_C_S1), H5Tclose, "name");
  h5::check(H5Tset_size(type.get(), H5T_VARIABLE), "name");
  h5::check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "name");
  hsize_t const count = layout.items.size();
  h5::Handle const space(H5Screate_simple(1, &count, nullptr), H5Sclose, "name");
  auto const creation = h5::dataset_creation();
  h5::Handle const variable(
      H5Dcreate2(group, "name", type.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose,
      "name");
  std::vector<char const*> names;
  for (auto const& item : layout.items) names.push_back(item.name.c_str());
  h5::check(H5Dwrite(variable.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, names.data()), "name");
  h5::check(H5DSattach_scale(variable.get(), axis, 0), "name");
  h5::write_attribute(variable.get(), "long_name", layout.item_axis);
  h5::write_attribute(variable.get(), "cf_role", std::string("timeseries_id"));
}

}  // namespace

SeriesTable SeriesTable::create(std::filesystem::path const& path, SeriesLayout const& layout) {
  SeriesTable table;
  table.file_ = PosixFile(path, PosixFile::Mode::create);
  table.pending_ = header(layout);
  table.flush();
  return table;
}

SeriesTable SeriesTable::reopen(std::filesystem::path const& path, SeriesLayout const& layout,
                                std::uint64_t bytes) {
  auto const expected = header(layout);
  SeriesTable table;
  table.file_ = PosixFile(path, PosixFile::Mode::update);
  if (table.file_.size() < bytes || bytes < expected.size())
    throw FileError(path, "shorter than the checkpoint says");
  std::string found(expected.size(), '\0');
  table.file_.read_at(0, found.data(), found.size());
  if (found != expected) throw FileError(path, "its header names other columns");
  table.file_.truncate(bytes);
  table.written_ = bytes;
  return table;
}

void SeriesTable::append(SeriesRow const& row) {
  pending_ += number_text(row.time);
  for (double const value : row.values) pending_ += std::isnan(value) ? "," : "," + number_text(value);
  pending_ += '\n';
}

void SeriesTable::flush() {
  if (pending_.empty()) return;
  if (int const error = file_.try_write_at(written_, pending_.data(), pending_.size())) {
    file_.truncate(written_);
    throw FileError::from_errno(file_.path(), error);
  }
  written_ += pending_.size();
  pending_.clear();
}

void SeriesTable::sync() { file_.sync(); }

void SeriesGroup::create(hid_t file, SeriesLayout const& layout) {
  auto const group = h5::create_group(file, layout.group);
  h5::write_attribute(group.get(), "featureType", std::string("timeSeries"));

  auto const time = create_time_axis(group.get());
  std::vector<double> number, x, y;
  for (auto const& item : layout.items) {
    number.push_back(static_cast<double>(number.size()));
    x.push_back(item.x);
    y.push_back(item.y);
  }
  auto const axis = create_axis(group.get(), layout.item_axis, number);
  write_names(group.get(), axis.get(), layout);
  auto const place = [&](std::string const& name, std::vector<double> const& values) {
    auto const variable = create_variable(
        group.get(), {name, "m", name + " of the " + layout.item_axis, "", ""}, {axis.get()}, {}, {});
    h5::check(H5Dwrite(variable.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              name);
  };
  place("x", x);
  place("y", y);
  for (auto const& quantity : layout.quantities) {
    auto const variable = create_variable(group.get(), quantity.info, {time.get(), axis.get()},
                                          {chunk_rows, layout.items.size()}, {});
    h5::write_attribute(variable.get(), "coordinates", std::string("name x y"));
  }
}

SeriesGroup::SeriesGroup(hid_t file, SeriesLayout const& layout)
    : items_(layout.items.size()), time_(h5::open_dataset(file, layout.group + "/time")) {
  for (auto const& quantity : layout.quantities)
    values_.push_back(h5::open_dataset(file, layout.group + "/" + quantity.info.name));
  rows_ = static_cast<std::int64_t>(h5::extents(time_.get()).at(0));
}

void SeriesGroup::append(std::vector<SeriesRow> const& rows) {
  if (rows.empty()) return;
  auto const first = static_cast<hsize_t>(rows_);
  std::vector<double> times;
  for (auto const& row : rows) times.push_back(row.time);
  h5::write_records(time_.get(), first, rows.size(), times);
  for (std::size_t quantity = 0; quantity < values_.size(); ++quantity) {
    std::vector<double> values;
    for (auto const& row : rows)
      for (std::size_t item = 0; item < items_; ++item)
        values.push_back(row.values[item * values_.size() + quantity]);
    h5::write_records(values_[quantity].get(), first, rows.size(), values);
  }
  rows_ += static_cast<std::int64_t>(rows.size());
}

void SeriesGroup::cut(std::int64_t rows) {
  if (rows_ < rows) throw h5::Error("fewer rows than the checkpoint counts");
  h5::set_records(time_.get(), static_cast<hsize_t>(rows));
  for (auto const& values : values_) h5::set_records(values.get(), static_cast<hsize_t>(rows));
  rows_ = rows;
}

}  // namespace swe::io
