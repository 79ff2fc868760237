#include "io/output/snapshots.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include <hdf5_hl.h>

#include "io/output/xdmf.hpp"

namespace swe::io {
namespace {

constexpr std::array<char const*, 4> gauge_quantities = {"depth", "level", "u", "v"};
constexpr hsize_t gauge_chunk_rows = 256;

/// The XDMF text grows with the records, so rewriting it for each would take quadratic time in long runs.
constexpr std::int64_t xdmf_each_record_up_to = 200;
constexpr auto xdmf_interval = std::chrono::seconds(2);

FieldInfo gauge_info(std::string const& quantity) {
  auto info = snapshot_field_info(quantity == "depth" ? "h" : quantity);
  info.name = quantity;
  return info;
}

/// One text per gauge, as NetCDF's string type stores it.
void write_names(hid_t group, hid_t axis, std::vector<GaugeSpec> const& gauges) {
  h5::Handle const type(H5Tcopy(H5T_C_S1), H5Tclose, "name");
  h5::check(H5Tset_size(type.get(), H5T_VARIABLE), "name");
  h5::check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "name");
  hsize_t const count = gauges.size();
  h5::Handle const space(H5Screate_simple(1, &count, nullptr), H5Sclose, "name");
  h5::Handle const variable(
      H5Dcreate2(group, "name", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
      "name");
  std::vector<char const*> names;
  for (auto const& gauge : gauges) names.push_back(gauge.name.c_str());
  h5::check(H5Dwrite(variable.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, names.data()), "name");
  h5::check(H5DSattach_scale(variable.get(), axis, 0), "name");
  h5::write_attribute(variable.get(), "long_name", std::string("gauge"));
  h5::write_attribute(variable.get(), "cf_role", std::string("timeseries_id"));
}

void create_gauge_group(hid_t file, std::vector<GaugeSpec> const& gauges) {
  h5::Handle const creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "gauges");
  constexpr unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  h5::check(H5Pset_link_creation_order(creation.get(), order), "gauges");
  h5::check(H5Pset_attr_creation_order(creation.get(), order), "gauges");
  h5::Handle const group(H5Gcreate2(file, "gauges", H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose,
                         "gauges");
  h5::write_attribute(group.get(), "featureType", std::string("timeSeries"));

  auto const time = create_time_axis(group.get());
  std::vector<double> number, x, y;
  for (auto const& gauge : gauges) {
    number.push_back(static_cast<double>(number.size()));
    x.push_back(gauge.at.x);
    y.push_back(gauge.at.y);
  }
  auto const axis = create_axis(group.get(), "gauge", number);
  write_names(group.get(), axis.get(), gauges);
  auto const place = [&](std::string const& name, std::vector<double> const& values) {
    auto const variable =
        create_variable(group.get(), {name, "m", name + " of the gauge", "", ""}, {axis.get()}, {}, {});
    h5::check(H5Dwrite(variable.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              name);
  };
  place("x", x);
  place("y", y);
  for (std::string const quantity : gauge_quantities) {
    auto const variable = create_variable(group.get(), gauge_info(quantity), {time.get(), axis.get()},
                                          {gauge_chunk_rows, gauges.size()}, {});
    h5::write_attribute(variable.get(), "coordinates", std::string("name x y"));
  }
}

}  // namespace

std::string_view field_name(SnapshotField field) {
  switch (field) {
    case SnapshotField::h:
      return "h";
    case SnapshotField::hu:
      return "hu";
    case SnapshotField::hv:
      return "hv";
    case SnapshotField::level:
      return "level";
    case SnapshotField::u:
      return "u";
    case SnapshotField::v:
      return "v";
    case SnapshotField::speed:
      return "speed";
  }
  throw std::logic_error("field_name: not a field");
}

std::vector<double> snapshot_values(SnapshotField field, StateHost const& state,
                                    std::vector<double> const& bed, double dry_tolerance) {
  auto const per_depth = [&](std::vector<double> const& discharge, std::size_t k) {
    if (std::isnan(state.h[k])) return state.h[k];
    return state.h[k] > dry_tolerance ? discharge[k] / state.h[k] : 0.0;
  };
  std::vector<double> values(state.h.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    switch (field) {
      case SnapshotField::h:
        values[k] = state.h[k];
        break;
      case SnapshotField::hu:
        values[k] = state.hu[k];
        break;
      case SnapshotField::hv:
        values[k] = state.hv[k];
        break;
      case SnapshotField::level:
        values[k] = state.h[k] + bed[k];
        break;
      case SnapshotField::u:
        values[k] = per_depth(state.hu, k);
        break;
      case SnapshotField::v:
        values[k] = per_depth(state.hv, k);
        break;
      case SnapshotField::speed:
        values[k] = std::hypot(per_depth(state.hu, k), per_depth(state.hv, k));
        break;
    }
  }
  return values;
}

SnapshotCounts snapshot_counts(std::filesystem::path const& path) {
  CrashSafeFile::recover(path);
  try {
    auto const file = h5::open_for_reading(path.string());
    SnapshotCounts counts;
    counts.records = h5::read_integer_attribute(file.get(), "records_committed");
    if (h5::exists(file.get(), "gauges"))
      counts.gauge_rows =
          static_cast<std::int64_t>(h5::extents(h5::open_dataset(file.get(), "gauges/time").get()).at(0));
    return counts;
  } catch (h5::Error const& error) {
    throw FileError(path, error.what());
  }
}

SnapshotFile::SnapshotFile(CrashSafeFile file, std::filesystem::path path, SnapshotLayout layout)
    : file_(std::move(file)), path_(std::move(path)), layout_(std::move(layout)) {}

SnapshotFile SnapshotFile::create(std::filesystem::path const& path, SnapshotLayout layout) {
  SnapshotFile result(CrashSafeFile::create(path), path, std::move(layout));
  auto const& all = result.layout_;
  hid_t const file = result.file_.id();
  try {
    write_map_header(file, all.map);
    {
      auto const bed = create_map_variable(file, all.map, snapshot_field_info("bed"), {});
      h5::check(H5Dwrite(bed.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.bed.data()), "bed");
      auto const time = create_time_axis(file);
      for (auto const field : all.fields)
        (void)create_map_variable(file, all.map, snapshot_field_info(std::string(field_name(field))),
                                  all.storage, time.get());
      if (!all.gauges.empty()) create_gauge_group(file, all.gauges);
    }
    h5::write_attribute(file, "records_committed", std::int64_t{0});
    result.open_variables();
  } catch (h5::Error const& error) {
    throw FileError(path, error.what());
  }
  result.file_.commit();
  return result;
}

SnapshotFile SnapshotFile::reopen(std::filesystem::path const& path, SnapshotLayout layout,
                                  std::int64_t records, std::int64_t gauge_rows) {
  SnapshotFile result(CrashSafeFile::open(path), path, std::move(layout));
  try {
    result.open_variables();
    auto const committed = h5::read_integer_attribute(result.file_.id(), "records_committed");
    if (committed < records)
      throw FileError(path, "holds " + std::to_string(committed) + " records, the checkpoint counts " +
                                std::to_string(records));
    auto const count = static_cast<hsize_t>(records);
    h5::set_records(result.time_.get(), count);
    auto const& grid = result.layout_.map.grid;
    for (auto const& field : result.fields_) {
      std::vector<hsize_t> const expected = {static_cast<hsize_t>(grid.ny), static_cast<hsize_t>(grid.nx)};
      auto const sizes = h5::extents(field.get());
      if (sizes.size() != 3 || !std::equal(expected.begin(), expected.end(), sizes.begin() + 1))
        throw FileError(path, "has another grid");
      h5::set_records(field.get(), count);
    }
    result.times_ = h5::read_all(result.time_.get());
    if (result.gauge_time_) {
      auto const rows = static_cast<hsize_t>(gauge_rows);
      if (h5::extents(result.gauge_time_.get()).at(0) < rows)
        throw FileError(path, "holds fewer gauge rows than the checkpoint counts");
      h5::set_records(result.gauge_time_.get(), rows);
      for (auto const& values : result.gauge_values_) h5::set_records(values.get(), rows);
      result.gauge_rows_ = gauge_rows;
    }
    result.write_count();
  } catch (h5::Error const& error) {
    throw FileError(path, error.what());
  }
  result.file_.commit();
  result.write_xdmf();
  return result;
}

void SnapshotFile::open_variables() {
  hid_t const file = file_.id();
  time_ = h5::open_dataset(file, "time");
  for (auto const field : layout_.fields)
    fields_.push_back(h5::open_dataset(file, std::string(field_name(field))));
  if (layout_.gauges.empty()) return;
  gauge_time_ = h5::open_dataset(file, "gauges/time");
  for (std::string const quantity : gauge_quantities)
    gauge_values_.push_back(h5::open_dataset(file, "gauges/" + quantity));
}

void SnapshotFile::write_count() { h5::write_attribute(file_.id(), "records_committed", records()); }

void SnapshotFile::append(StateHost const& state) {
  auto const record = static_cast<hsize_t>(records());
  try {
    h5::write_records(time_.get(), record, 1, std::array{state.time});
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      switch (layout_.fields[k]) {
        case SnapshotField::h:
          h5::write_records(fields_[k].get(), record, 1, state.h);
          break;
        case SnapshotField::hu:
          h5::write_records(fields_[k].get(), record, 1, state.hu);
          break;
        case SnapshotField::hv:
          h5::write_records(fields_[k].get(), record, 1, state.hv);
          break;
        default:
          h5::write_records(fields_[k].get(), record, 1,
                            snapshot_values(layout_.fields[k], state, layout_.bed, layout_.dry_tolerance));
      }
    }
    times_.push_back(state.time);
    write_count();
    file_.commit();
  } catch (h5::Error const& error) {
    throw FileError(path_, error.what());
  }
  bool const due = records() <= xdmf_each_record_up_to ||
                   std::chrono::steady_clock::now() - xdmf_written_ >= xdmf_interval;
  if (due) write_xdmf();
}

void SnapshotFile::append(std::vector<GaugeRow> const& rows) {
  if (!gauge_time_ || rows.empty()) return;
  std::vector<double> times;
  std::array<std::vector<double>, gauge_quantities.size()> values;
  for (auto const& row : rows) {
    times.push_back(row.time);
    for (auto const& reading : row.readings) {
      values[0].push_back(reading.depth);
      values[1].push_back(reading.level);
      values[2].push_back(reading.u);
      values[3].push_back(reading.v);
    }
  }
  auto const first = static_cast<hsize_t>(gauge_rows_);
  try {
    h5::write_records(gauge_time_.get(), first, rows.size(), times);
    for (std::size_t k = 0; k < values.size(); ++k)
      h5::write_records(gauge_values_[k].get(), first, rows.size(), values[k]);
  } catch (h5::Error const& error) {
    throw FileError(path_, error.what());
  }
  gauge_rows_ += static_cast<std::int64_t>(rows.size());
}

void SnapshotFile::sync() {
  file_.commit();
  file_.sync();
  write_xdmf();
}

void SnapshotFile::close() {
  time_.reset();
  gauge_time_.reset();
  fields_.clear();
  gauge_values_.clear();
  file_.close();
  write_xdmf();
}

void SnapshotFile::write_xdmf() {
  if (xdmf_records_ == records()) return;
  XdmfContents contents;
  contents.hdf5_name = path_.filename().string();
  contents.title = layout_.map.title;
  contents.grid = layout_.map.grid;
  contents.single_precision = layout_.storage.single_precision;
  for (auto const field : layout_.fields) contents.fields.emplace_back(field_name(field));
  contents.times = times_;
  auto xdmf = path_;
  write_atomically(xdmf.replace_extension(".xdmf"), xdmf_text(contents), false);
  xdmf_written_ = std::chrono::steady_clock::now();
  xdmf_records_ = records();
}

}  // namespace swe::io
