#include "io/output/crash_safe_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace swe::io {
namespace {

constexpr std::uint64_t page_bytes = 4096;

std::filesystem::path journal_name(std::filesystem::path const& path) {
  auto name = path;
  name += ".journal";
  return name;
}

/// The journal is: this header, then `extents` times (offset, length, bytes).
struct JournalHeader {
  std::array<char, 8> magic = {'S', 'W', 'E', 'J', 'R', 'N', 'L', '1'};
  std::uint64_t file_bytes = 0;  ///< size of the file once the journal is applied
  std::uint64_t extents = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t crc = 0;
};

template <class T>
void append(std::vector<char>& bytes, T const& value) {
  auto const* raw = reinterpret_cast<char const*>(&value);
  bytes.insert(bytes.end(), raw, raw + sizeof(T));
}

std::uint64_t checksum(std::span<char const> bytes) {
  return crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<Bytef const*>(bytes.data()), bytes.size());
}

}  // namespace

/// The bytes of the file: those on disk, and pages of the committed part that were changed since the commit.
class CrashSafeFile::Storage {
public:
  Storage(std::filesystem::path const& path, PosixFile::Mode mode)
      : file_(path, mode), committed_(file_.size()), end_(committed_) {}

  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] std::filesystem::path const& path() const { return file_.path(); }
  void set_allocated(std::uint64_t bytes) { allocated_ = bytes; }

  void write(std::uint64_t offset, char const* data, std::uint64_t bytes) noexcept {
    end_ = std::max(end_, offset + bytes);
    if (error_ != 0) return;
    try {
      while (bytes > 0 && offset < committed_) {
        auto const page = offset / page_bytes;
        auto const begin = offset % page_bytes;
        auto const count = std::min({bytes, page_bytes - begin, committed_ - offset});
        std::memcpy(changed_page(page).data() + begin, data, count);
        offset += count;
        data += count;
        bytes -= count;
      }
    } catch (std::bad_alloc const&) {
      error_ = ENOMEM;
      return;
    }
    if (bytes > 0) error_ = file_.try_write_at(offset, data, bytes);
  }

  [[nodiscard]] bool read(std::uint64_t offset, char* data, std::uint64_t bytes) noexcept {
    if (file_.try_read_at(offset, data, bytes) != 0) return false;
    auto page = changed_.lower_bound(offset / page_bytes);
    for (; page != changed_.end() && page->first * page_bytes < offset + bytes; ++page) {
      auto const page_begin = page->first * page_bytes;
      auto const begin = std::max(page_begin, offset);
      auto const end = std::min({page_begin + page_bytes, offset + bytes, committed_});
      if (begin < end)
        std::memcpy(data + (begin - offset), page->second.data() + (begin - page_begin), end - begin);
    }
    return true;
  }

  void throw_if_failed() const {
    if (error_ != 0) throw FileError::from_errno(path(), error_);
  }

  void commit() {
    if (error_ == 0 && allocated_ > committed_)
      error_ = file_.try_reserve(committed_, allocated_ - committed_);
    throw_if_failed();
    try {
      if (!changed_.empty()) {
        write_journal();
        apply(file_, changed_extents(), allocated_);
        std::filesystem::remove(journal_name(path()));
      } else if (file_.size() != allocated_) {
        file_.truncate(allocated_);
      }
    } catch (FileError const&) {
      error_ = EIO;
      throw;
    }
    changed_.clear();
    committed_ = end_ = allocated_;
  }

  void sync() { file_.sync(); }

  /// Forgets what was not committed; later writes are ignored.
  void abandon() noexcept {
    if (error_ == 0) error_ = ECANCELED;
    changed_.clear();
    try {
      file_.truncate(committed_);
    } catch (FileError const&) {
      // The surplus stays behind the committed end, where no reader looks.
    }
  }

  struct Extent {
    std::uint64_t offset;
    std::span<char const> bytes;
  };

  /// Children of the index lie behind their parents' old content, so the order does not matter to a reader
  /// that comes later; to one that looks at this moment nothing can be promised.
  static void apply(PosixFile& file, std::vector<Extent> const& extents, std::uint64_t file_bytes) {
    if (file.size() < file_bytes) file.truncate(file_bytes);
    for (auto const& extent : extents) file.write_at(extent.offset, extent.bytes.data(), extent.bytes.size());
    if (file.size() != file_bytes) file.truncate(file_bytes);
  }

private:
  using Page = std::array<char, page_bytes>;

  Page& changed_page(std::uint64_t page) {
    auto const [position, is_new] = changed_.try_emplace(page);
    if (is_new) {
      if (int const error = file_.try_read_at(page * page_bytes, position->second.data(), page_bytes))
        error_ = error;
    }
    return position->second;
  }

  [[nodiscard]] std::vector<Extent> changed_extents() const {
    std::vector<Extent> extents;
    for (auto const& [page, bytes] : changed_) {
      auto const offset = page * page_bytes;
      auto const limit = std::min(committed_, allocated_);
      if (offset < limit) extents.push_back({offset, {bytes.data(), std::min(page_bytes, limit - offset)}});
    }
    return extents;
  }

  void write_journal() const {
    JournalHeader header;
    header.file_bytes = allocated_;
    std::vector<char> body;
    for (auto const& extent : changed_extents()) {
      append(body, extent.offset);
      append(body, std::uint64_t{extent.bytes.size()});
      body.insert(body.end(), extent.bytes.begin(), extent.bytes.end());
      ++header.extents;
    }
    header.body_bytes = body.size();
    header.crc = checksum(body);
    std::vector<char> journal;
    journal.reserve(sizeof header + body.size());
    append(journal, header);
    journal.insert(journal.end(), body.begin(), body.end());
    write_atomically(journal_name(path()), {journal.data(), journal.size()}, false);
  }

  PosixFile file_;
  std::uint64_t committed_ = 0;  ///< what an opener of the file may see
  std::uint64_t end_ = 0;        ///< furthest byte written
  std::uint64_t allocated_ = 0;  ///< what HDF5 has handed out
  int error_ = 0;
  std::map<std::uint64_t, Page> changed_;
};

namespace {

/// HDF5's view of one open file: the public part must come first.
struct OpenFile {
  H5FD_t base;
  CrashSafeFile::Storage* storage;
  haddr_t allocated;
};

/// Travels through the file access property list, which copies it byte by byte.
struct DriverInfo {
  CrashSafeFile::Storage* storage;
};

#if H5_VERSION_GE(1, 13, 0)
/// HDF5 asks for a number; those from 256 to 511 are free to use, higher ones are given out by The HDF Group.
constexpr H5FD_class_value_t driver_number = 411;
#endif

OpenFile* as_open_file(H5FD_t* file) { return reinterpret_cast<OpenFile*>(file); }
OpenFile const* as_open_file(H5FD_t const* file) { return reinterpret_cast<OpenFile const*>(file); }

hid_t driver() {
  static hid_t const id = [] {
    static H5FD_class_t functions = [] {
      H5FD_class_t f{};
#if H5_VERSION_GE(1, 13, 0)
      f.value = driver_number;
#endif
#ifdef H5FD_CLASS_VERSION
      f.version = H5FD_CLASS_VERSION;
#endif
      f.name = "swe_crash_safe";
      f.maxaddr = static_cast<haddr_t>(INT64_MAX);
      f.fc_degree = H5F_CLOSE_STRONG;
      f.fapl_size = sizeof(DriverInfo);
      f.open = [](char const*, unsigned, hid_t access, haddr_t) -> H5FD_t* {
        auto const* info = static_cast<DriverInfo const*>(H5Pget_driver_info(access));
        if (info == nullptr) return nullptr;
        return &(new OpenFile{{}, info->storage, 0})->base;
      };
      f.close = [](H5FD_t* file) -> herr_t {
        delete as_open_file(file);
        return 0;
      };
      f.query = [](H5FD_t const*, unsigned long* flags) -> herr_t {
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                 H5FD_FEAT_AGGREGATE_SMALLDATA;
        return 0;
      };
      f.get_eoa = [](H5FD_t const* file, H5FD_mem_t) -> haddr_t { return as_open_file(file)->allocated; };
      f.set_eoa = [](H5FD_t* file, H5FD_mem_t, haddr_t end) -> herr_t {
        as_open_file(file)->allocated = end;
        as_open_file(file)->storage->set_allocated(end);
        return 0;
      };
      f.get_eof = [](H5FD_t const* file, H5FD_mem_t) -> haddr_t {
        return as_open_file(file)->storage->end();
      };
      f.read = [](H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t bytes, void* data) -> herr_t {
        return as_open_file(file)->storage->read(offset, static_cast<char*>(data), bytes) ? 0 : -1;
      };
      f.write = [](H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t bytes,
                   void const* data) -> herr_t {
        as_open_file(file)->storage->write(offset, static_cast<char const*>(data), bytes);
        return 0;
      };
      constexpr std::array<H5FD_mem_t, H5FD_MEM_NTYPES> one_free_list = H5FD_FLMAP_DICHOTOMY;
      std::copy(one_free_list.begin(), one_free_list.end(), f.fl_map);
      return f;
    }();
    return H5FDregister(&functions);
  }();
  return id;
}

h5::Handle access_list(CrashSafeFile::Storage* storage) {
  h5::Handle list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file access");
  DriverInfo const info{storage};
  h5::check(H5Pset_driver(list.get(), driver(), &info), "file driver");
  return list;
}

}  // namespace

CrashSafeFile::CrashSafeFile(CrashSafeFile&&) noexcept = default;

CrashSafeFile& CrashSafeFile::operator=(CrashSafeFile&& other) noexcept {
  if (this != &other) {
    abandon();
    storage_ = std::move(other.storage_);
    file_ = std::move(other.file_);
  }
  return *this;
}

CrashSafeFile::~CrashSafeFile() { abandon(); }

void CrashSafeFile::abandon() noexcept {
  if (storage_ == nullptr) return;
  if (file_) storage_->abandon();
  file_.reset();
  storage_.reset();
}

CrashSafeFile CrashSafeFile::create(std::filesystem::path const& path, std::uint64_t user_block) {
  h5::silence();
  std::error_code ignored;
  std::filesystem::remove(journal_name(path), ignored);
  CrashSafeFile result;
  result.storage_ = std::make_unique<Storage>(path, PosixFile::Mode::create);
  try {
    auto const creation = h5::creation_list(H5P_FILE_CREATE, "file creation");
    if (user_block > 0) h5::check(H5Pset_userblock(creation.get(), user_block), "file creation");
    auto const access = access_list(result.storage_.get());
    result.file_ = h5::Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose,
                              path.string());
  } catch (h5::Error const& error) {
    throw FileError(path, error.what());
  }
  return result;
}

CrashSafeFile CrashSafeFile::open(std::filesystem::path const& path) {
  h5::silence();
  recover(path);
  CrashSafeFile result;
  result.storage_ = std::make_unique<Storage>(path, PosixFile::Mode::update);
  try {
    auto const access = access_list(result.storage_.get());
    result.file_ = h5::Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose, path.string());
  } catch (h5::Error const& error) {
    throw FileError(path, error.what());
  }
  return result;
}

bool CrashSafeFile::recover(std::filesystem::path const& path) {
  auto const journal_path = journal_name(path);
  std::error_code ignored;
  std::filesystem::remove(temporary_name(journal_path), ignored);
  if (!std::filesystem::exists(journal_path) || !std::filesystem::exists(path)) return false;

  auto const journal = read_text(journal_path);
  JournalHeader header;
  constexpr JournalHeader expected;
  bool good = journal.size() >= sizeof header;
  if (good) std::memcpy(&header, journal.data(), sizeof header);
  std::span<char const> body;
  if (good) body = std::span(journal).subspan(sizeof header);
  good = good && header.magic == expected.magic && header.body_bytes == body.size() &&
         header.crc == checksum(body);
  if (!good) throw FileError(journal_path, "the journal is damaged");

  std::vector<Storage::Extent> extents;
  for (std::uint64_t k = 0; k < header.extents; ++k) {
    std::array<std::uint64_t, 2> place{};
    std::memcpy(place.data(), body.data(), sizeof place);
    body = body.subspan(sizeof place);
    extents.push_back({place[0], body.first(place[1])});
    body = body.subspan(place[1]);
  }
  PosixFile file(path, PosixFile::Mode::update);
  Storage::apply(file, extents, header.file_bytes);
  file.sync();
  file.close();
  std::filesystem::remove(journal_path);
  return true;
}

void CrashSafeFile::commit() {
  try {
    h5::check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), storage_->path().string());
  } catch (h5::Error const& error) {
    // A write that failed earlier may be what confuses HDF5 now; that reason comes first.
    storage_->throw_if_failed();
    storage_->abandon();
    throw FileError(storage_->path(), error.what());
  }
  storage_->commit();
}

void CrashSafeFile::sync() { storage_->sync(); }

void CrashSafeFile::close() {
  if (!file_) return;
  commit();
  file_.reset();
  storage_->commit();
  storage_->sync();
  storage_.reset();
}

}  // namespace swe::io
