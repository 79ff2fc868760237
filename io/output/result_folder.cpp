#include "io/output/result_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

#include "io/case/input_error.hpp"

namespace swe::io {
namespace {

/// Everything a run may write, but for the lock and the rasters of the maxima.
std::vector<std::filesystem::path> known_files(ResultPaths const& paths) {
  return {paths.case_file(), paths.snapshots(), paths.xdmf(), paths.maxima(),     paths.gauges(),
          paths.sections(),  paths.summary(),   paths.log(),  paths.checkpoints()};
}

bool is_maximum_raster(std::filesystem::path const& path) {
  static constexpr std::array<std::string_view, 4> extensions = {".asc", ".prj", ".tif", ".xml"};
  return path.filename().string().starts_with("max_") &&
         std::find(extensions.begin(), extensions.end(), path.extension().string()) != extensions.end();
}

}  // namespace

bool holds_results(ResultPaths const& paths) {
  auto const files = known_files(paths);
  return std::any_of(files.begin(), files.end(), [](auto const& file) {
    std::error_code ignored;
    return std::filesystem::exists(file, ignored);
  });
}

void remove_results(ResultPaths const& paths) {
  std::error_code error;
  auto const remove = [&](std::filesystem::path const& file) {
    std::filesystem::remove_all(file, error);
    if (error) throw FileError(file, error.message());
  };
  for (auto const& file : known_files(paths)) {
    remove(file);
    auto journal = file;
    remove(journal += ".journal");
    remove(temporary_name(file));
  }
  std::vector<std::filesystem::path> rasters;
  for (auto const& entry : std::filesystem::directory_iterator(paths.folder, error))
    if (is_maximum_raster(entry.path())) rasters.push_back(entry.path());
  for (auto const& raster : rasters) remove(raster);
}

RunLock::RunLock(ResultPaths const& paths) : path_(paths.lock()) {
  for (;;) {
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) throw FileError::from_errno(path_, errno);
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) refuse(errno, paths.folder);
    if (is_same_file()) break;
    ::close(fd_);  // the last holder removed the file between our two calls
  }
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  auto const text = "process " + std::to_string(::getpid()) + " on " + host.data() + "\n";
  if (::ftruncate(fd_, 0) != 0 || ::pwrite(fd_, text.data(), text.size(), 0) < 0) {
    int const error = errno;
    ::close(fd_);
    throw FileError::from_errno(path_, error);
  }
}

void RunLock::refuse(int error, std::filesystem::path const& folder) const {
  std::array<char, 128> holder{};
  auto const count = ::pread(fd_, holder.data(), holder.size(), 0);
  ::close(fd_);
  if (error != EWOULDBLOCK) throw FileError::from_errno(path_, error);
  std::string who(holder.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (who.ends_with('\n')) who.pop_back();
  throw InputError(
      {{folder.string(), 0, "", "another run is writing here" + (who.empty() ? "" : " (" + who + ")")}});
}

bool RunLock::is_same_file() const {
  struct stat by_name {
  }, by_descriptor{};
  return ::stat(path_.c_str(), &by_name) == 0 && ::fstat(fd_, &by_descriptor) == 0 &&
         by_name.st_ino == by_descriptor.st_ino && by_name.st_dev == by_descriptor.st_dev;
}

RunLock::~RunLock() {
  ::unlink(path_.c_str());
  ::close(fd_);
}

}  // namespace swe::io
