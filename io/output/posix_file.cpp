#include "io/output/posix_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace swe::io {

FileError FileError::from_errno(std::filesystem::path const& file, int error_number) {
  return {file, std::system_category().message(error_number)};
}

PosixFile::PosixFile(std::filesystem::path path, Mode mode) : path_(std::move(path)) {
  int const flags = mode == Mode::read     ? O_RDONLY
                    : mode == Mode::update ? O_RDWR
                                           : O_RDWR | O_CREAT | O_TRUNC;
  fd_ = ::open(path_.c_str(), flags | O_CLOEXEC, 0666);
  if (fd_ < 0) throw FileError::from_errno(path_, errno);
}

PosixFile::PosixFile(PosixFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

PosixFile& PosixFile::operator=(PosixFile&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) ::close(fd_);
    path_ = std::move(other.path_);
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

PosixFile::~PosixFile() {
  if (fd_ >= 0) ::close(fd_);
}

std::uint64_t PosixFile::size() const {
  struct stat status {};
  if (::fstat(fd_, &status) != 0) throw FileError::from_errno(path_, errno);
  return static_cast<std::uint64_t>(status.st_size);
}

int PosixFile::try_write_at(std::uint64_t offset, void const* data, std::size_t bytes) noexcept {
  auto const* from = static_cast<char const*>(data);
  while (bytes > 0) {
    auto const written = ::pwrite(fd_, from, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return ENOSPC;
    from += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
  return 0;
}

void PosixFile::write_at(std::uint64_t offset, void const* data, std::size_t bytes) {
  if (int const error = try_write_at(offset, data, bytes)) throw FileError::from_errno(path_, error);
}

int PosixFile::try_read_at(std::uint64_t offset, void* data, std::size_t bytes) const noexcept {
  auto* to = static_cast<char*>(data);
  while (bytes > 0) {
    auto const got = ::pread(fd_, to, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) {
      std::memset(to, 0, bytes);
      return 0;
    }
    to += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
  return 0;
}

void PosixFile::read_at(std::uint64_t offset, void* data, std::size_t bytes) const {
  if (int const error = try_read_at(offset, data, bytes)) throw FileError::from_errno(path_, error);
}

int PosixFile::try_reserve(std::uint64_t offset, std::uint64_t bytes) noexcept {
  if (bytes == 0) return 0;
  int const error = ::posix_fallocate(fd_, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  return error == EOPNOTSUPP || error == EINVAL || error == ENOSYS ? 0 : error;
}

void PosixFile::truncate(std::uint64_t bytes) {
  if (::ftruncate(fd_, static_cast<off_t>(bytes)) != 0) throw FileError::from_errno(path_, errno);
}

void PosixFile::sync() {
  // EINVAL and EROFS: the file does not support syncing (a pipe, a special file), so there is nothing to wait
  // for.
  if (::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) throw FileError::from_errno(path_, errno);
}

void PosixFile::close() {
  if (fd_ < 0) return;
  int const result = ::close(std::exchange(fd_, -1));
  if (result != 0 && errno != EINTR) throw FileError::from_errno(path_, errno);
}

void sync_folder(std::filesystem::path const& folder) {
  int const fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);  // best effort: some network file systems refuse it on folders
  ::close(fd);
}

std::filesystem::path temporary_name(std::filesystem::path const& path) {
  auto name = path;
  name += ".part";
  return name;
}

void replace_file(std::filesystem::path const& temporary, std::filesystem::path const& path) {
  if (::rename(temporary.c_str(), path.c_str()) != 0) throw FileError::from_errno(path, errno);
}

void write_atomically(std::filesystem::path const& path, std::string_view text, bool sync) {
  auto const temporary = temporary_name(path);
  try {
    PosixFile file(temporary, PosixFile::Mode::create);
    file.write_at(0, text.data(), text.size());
    if (sync) file.sync();
    file.close();
    replace_file(temporary, path);
  } catch (FileError const& error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw FileError(path, error.reason());
  }
  if (sync) sync_folder(path.parent_path());
}

std::string read_text(std::filesystem::path const& path) {
  PosixFile const file(path, PosixFile::Mode::read);
  std::string text(file.size(), '\0');
  file.read_at(0, text.data(), text.size());
  return text;
}

}  // namespace swe::io
