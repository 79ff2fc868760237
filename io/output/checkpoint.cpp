#include "io/output/checkpoint.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "io/output/crash_safe_file.hpp"
#include "io/output/version.hpp"

namespace swe::io {
namespace {

constexpr std::uint64_t user_block = 512;
constexpr std::int64_t format = 2;
constexpr std::string_view extension = ".h5";
constexpr std::string_view prefix = "ckpt_";
constexpr char const* seal_words = "swe checkpoint:";

/// First line of the file: what follows the user block, in bytes and as a checksum.
std::string seal_text(std::uint64_t bytes, std::uint64_t crc) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "%s %llu bytes after this block, crc32 %08llx\n", seal_words,
                static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(crc));
  return text.data();
}

std::string seal_of(PosixFile const& file) {
  auto const size = file.size();
  if (size < user_block) return "";
  std::vector<char> buffer(1 << 20);
  std::uint64_t crc = crc32_z(0, nullptr, 0);
  for (auto offset = user_block; offset < size;) {
    auto const count = std::min<std::uint64_t>(buffer.size(), size - offset);
    file.read_at(offset, buffer.data(), count);
    crc = crc32_z(crc, reinterpret_cast<Bytef const*>(buffer.data()), count);
    offset += count;
  }
  return seal_text(size - user_block, crc);
}

void write_bytes(hid_t group, std::string const& name, std::span<std::byte const> bytes) {
  hsize_t const size = bytes.size();
  h5::Handle const space(H5Screate_simple(1, &size, nullptr), H5Sclose, name);
  auto const creation = h5::dataset_creation();
  h5::Handle const dataset(H5Dcreate2(group, name.c_str(), H5T_NATIVE_UINT8, space.get(), H5P_DEFAULT,
                                      creation.get(), H5P_DEFAULT),
                           H5Dclose, name);
  if (!bytes.empty())
    h5::check(H5Dwrite(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), name);
}

h5::Handle open_group(hid_t file, char const* name) {
  return {H5Gopen2(file, name, H5P_DEFAULT), H5Gclose, name};
}

/// Numbered, so that names may hold anything; the name is an attribute.
std::string item_name(std::size_t k) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%04zu", k);
  return text.data();
}

void fill(hid_t file, Checkpoint const& checkpoint) {
  h5::write_attribute(file, "format", format);
  h5::write_attribute(file, "source", "swe " + std::string(version));
  h5::write_attribute(file, "version", std::string(version));
  h5::write_attribute(file, "time_s", checkpoint.time);
  h5::write_attribute(file, "steps", checkpoint.steps);
  h5::write_attribute(file, "snapshot_records", checkpoint.position.snapshot_records);
  h5::write_attribute(file, "gauge_rows", checkpoint.position.gauge_rows);
  h5::write_attribute(file, "gauge_bytes", checkpoint.position.gauge_bytes);
  h5::write_attribute(file, "section_rows", checkpoint.position.section_rows);
  h5::write_attribute(file, "section_bytes", checkpoint.position.section_bytes);
  h5::write_attribute(file, "wall_s", checkpoint.position.wall_s);

  auto const fingerprint = h5::create_group(file, "fingerprint");
  for (std::size_t k = 0; k < checkpoint.fingerprint.size(); ++k) {
    auto const& [key, value] = checkpoint.fingerprint[k];
    write_bytes(fingerprint.get(), item_name(k), std::as_bytes(std::span(value)));
    h5::write_attribute(h5::open_dataset(fingerprint.get(), item_name(k)).get(), "name", key);
  }
  auto const state = h5::create_group(file, "state");
  for (std::size_t k = 0; k < checkpoint.blobs.size(); ++k) {
    write_bytes(state.get(), item_name(k), checkpoint.blobs[k].bytes);
    h5::write_attribute(h5::open_dataset(state.get(), item_name(k)).get(), "name", checkpoint.blobs[k].name);
  }
}

struct NamedBytes {
  std::string name;
  std::vector<std::byte> bytes;
};

std::vector<NamedBytes> read_items(hid_t group) {
  std::vector<NamedBytes> items;
  for (auto const& link : h5::links(group)) {
    auto const dataset = h5::open_dataset(group, link);
    NamedBytes item{h5::read_text_attribute(dataset.get(), "name"), {}};
    item.bytes.resize(h5::extents(dataset.get()).at(0));
    if (!item.bytes.empty())
      h5::check(H5Dread(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, item.bytes.data()),
                link);
    items.push_back(std::move(item));
  }
  return items;
}

/// The step in a checkpoint's file name; nothing for other names.
std::optional<std::int64_t> step_of(std::filesystem::path const& path) {
  std::string const name = path.filename().string();
  if (!name.starts_with(prefix) || !name.ends_with(extension)) return std::nullopt;
  std::int64_t step = 0;
  auto const* const begin = name.data() + prefix.size();
  auto const* const end = name.data() + name.size() - extension.size();
  auto const [stop, error] = std::from_chars(begin, end, step);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return step;
}

}  // namespace

std::string checkpoint_name(std::int64_t steps) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "ckpt_%010lld.h5", static_cast<long long>(steps));
  return text.data();
}

void write_checkpoint(std::filesystem::path const& path, Checkpoint const& checkpoint) {
  auto const temporary = temporary_name(path);
  try {
    std::filesystem::create_directories(path.parent_path());
    auto file = CrashSafeFile::create(temporary, user_block);
    fill(file.id(), checkpoint);
    file.close();
    PosixFile sealed(temporary, PosixFile::Mode::update);
    auto const seal = seal_of(sealed);
    sealed.write_at(0, seal.data(), seal.size());
    sealed.sync();
    sealed.close();
    replace_file(temporary, path);
    sync_folder(path.parent_path());
  } catch (std::exception const& error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    auto const* file_error = dynamic_cast<FileError const*>(&error);
    throw FileError(path, file_error != nullptr ? file_error->reason() : error.what());
  }
}

Checkpoint read_checkpoint(std::filesystem::path const& path) {
  {
    PosixFile const file(path, PosixFile::Mode::read);
    auto const expected = seal_of(file);
    std::string found(expected.size(), '\0');
    if (!expected.empty()) file.read_at(0, found.data(), found.size());
    if (!found.starts_with(seal_words)) throw FileError(path, "is no checkpoint");
    if (found != expected) throw FileError(path, "the checkpoint is damaged (checksum)");
  }
  try {
    auto const file = h5::open_for_reading(path.string());
    if (auto const found = h5::read_integer_attribute(file.get(), "format"); found != format)
      throw InputError({{path.string(), 0, "",
                         "checkpoint of format " + std::to_string(found) + ", this program reads format " +
                             std::to_string(format)}});
    Checkpoint checkpoint;
    checkpoint.version = h5::read_text_attribute(file.get(), "version");
    checkpoint.time = h5::read_real_attribute(file.get(), "time_s");
    checkpoint.steps = h5::read_integer_attribute(file.get(), "steps");
    checkpoint.position.snapshot_records = h5::read_integer_attribute(file.get(), "snapshot_records");
    checkpoint.position.gauge_rows = h5::read_integer_attribute(file.get(), "gauge_rows");
    checkpoint.position.gauge_bytes = h5::read_integer_attribute(file.get(), "gauge_bytes");
    checkpoint.position.section_rows = h5::read_integer_attribute(file.get(), "section_rows");
    checkpoint.position.section_bytes = h5::read_integer_attribute(file.get(), "section_bytes");
    checkpoint.position.wall_s = h5::read_real_attribute(file.get(), "wall_s");
    for (auto& item : read_items(open_group(file.get(), "fingerprint").get()))
      checkpoint.fingerprint.emplace_back(
          item.name, std::string(reinterpret_cast<char const*>(item.bytes.data()), item.bytes.size()));
    for (auto& item : read_items(open_group(file.get(), "state").get()))
      checkpoint.blobs.push_back({std::move(item.name), std::move(item.bytes)});
    return checkpoint;
  } catch (h5::Error const& error) {
    throw FileError(path, error.what());
  }
}

std::vector<std::filesystem::path> find_checkpoints(std::filesystem::path const& folder) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (auto const& entry : std::filesystem::directory_iterator(folder, error))
    if (step_of(entry.path())) found.push_back(entry.path());
  std::sort(found.begin(), found.end(),
            [](auto const& a, auto const& b) { return *step_of(a) > *step_of(b); });
  return found;
}

void prune_checkpoints(std::filesystem::path const& folder, int keep) {
  auto const all = find_checkpoints(folder);
  std::error_code ignored;
  for (std::size_t k = static_cast<std::size_t>(std::max(keep, 1)); k < all.size(); ++k)
    std::filesystem::remove(all[k], ignored);
  for (auto const& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".part") std::filesystem::remove(entry.path(), ignored);
}

}  // namespace swe::io
