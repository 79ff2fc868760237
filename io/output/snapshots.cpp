#include "io/output/snapshots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "io/output/xdmf.hpp"

namespace swe::io {
namespace {

/// The XDMF text grows with the records, so rewriting it for each would take quadratic time in long runs.
constexpr std::int64_t xdmf_each_record_up_to = 200;
constexpr auto xdmf_interval = std::chrono::seconds(2);

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
                                    std::vector<double> const& first_bed, double dry_tolerance) {
  auto const& bed = state.bed.empty() ? first_bed : state.bed;
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

SnapshotCounts snapshot_counts(std::filesystem::path const& path, std::vector<SeriesLayout> const& series) {
  CrashSafeFile::recover(path);
  try {
    auto const file = h5::open_for_reading(path.string());
    SnapshotCounts counts;
    counts.records = h5::read_integer_attribute(file.get(), "records_committed");
    for (auto const& one : series)
      counts.series_rows.push_back(static_cast<std::int64_t>(
          h5::extents(h5::open_dataset(file.get(), one.group + "/time").get()).at(0)));
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
    write_mesh(file, all.map.grid);
    {
      auto const time = create_time_axis(file);
      auto const bed = create_map_variable(file, all.map, snapshot_field_info("bed"),
                                           {false, all.storage.compression}, all.bed_moves ? time.get() : -1);
      if (!all.bed_moves)
        h5::check(H5Dwrite(bed.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.bed.data()),
                  "bed");
      for (auto const field : all.fields)
        (void)create_map_variable(file, all.map, snapshot_field_info(std::string(field_name(field))),
                                  all.storage, time.get());
      for (auto const& series : all.series) SeriesGroup::create(file, series);
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
                                  SnapshotCounts const& keep) {
  SnapshotFile result(CrashSafeFile::open(path), path, std::move(layout));
  try {
    result.open_variables();
    auto const committed = h5::read_integer_attribute(result.file_.id(), "records_committed");
    if (committed < keep.records)
      throw FileError(path, "holds " + std::to_string(committed) + " records, the checkpoint counts " +
                                std::to_string(keep.records));
    auto const count = static_cast<hsize_t>(keep.records);
    h5::set_records(result.time_.get(), count);
    auto const& grid = result.layout_.map.grid;
    std::vector<hsize_t> const expected = {static_cast<hsize_t>(grid.ny), static_cast<hsize_t>(grid.nx)};
    auto const cut = [&](h5::Handle const& field) {
      auto const sizes = h5::extents(field.get());
      if (sizes.size() != 3 || !std::equal(expected.begin(), expected.end(), sizes.begin() + 1))
        throw FileError(path, "has another grid");
      h5::set_records(field.get(), count);
    };
    for (auto const& field : result.fields_) cut(field);
    if (result.bed_) cut(result.bed_);
    result.times_ = h5::read_all(result.time_.get());
    for (std::size_t k = 0; k < result.series_.size(); ++k) result.series_[k].cut(keep.series_rows.at(k));
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
  if (layout_.bed_moves) bed_ = h5::open_dataset(file, "bed");
  for (auto const& series : layout_.series) series_.emplace_back(file, series);
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
    if (bed_) h5::write_records(bed_.get(), record, 1, state.bed.empty() ? layout_.bed : state.bed);
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

void SnapshotFile::append_rows(std::size_t series, std::vector<SeriesRow> const& rows) {
  try {
    series_.at(series).append(rows);
  } catch (h5::Error const& error) {
    throw FileError(path_, error.what());
  }
}

void SnapshotFile::sync() {
  file_.commit();
  file_.sync();
  write_xdmf();
}

void SnapshotFile::close() {
  time_.reset();
  bed_.reset();
  fields_.clear();
  series_.clear();
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
  contents.bed_moves = layout_.bed_moves;
  contents.times = times_;
  auto xdmf = path_;
  write_atomically(xdmf.replace_extension(".xdmf"), xdmf_text(contents), false);
  xdmf_written_ = std::chrono::steady_clock::now();
  xdmf_records_ = records();
}

}  // namespace swe::io
