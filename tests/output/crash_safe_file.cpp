#include "io/output/crash_safe_file.hpp"

#include <sys/resource.h>

#include <csignal>

#include "io/output/map_file.hpp"
#include "tests/catch.hpp"
#include "tests/output/support.hpp"

using namespace swe;
using namespace swe::io;
using namespace swe::test;

namespace {

constexpr hsize_t row = 2000;

/// A growing dataset of rows: row k holds k everywhere.
h5::Handle create_rows(CrashSafeFile const& file) {
  auto const time = create_time_axis(file.id());
  auto const x = create_axis(file.id(), "x", std::vector<double>(row));
  return create_variable(file.id(), {"rows", "1", "rows", "", ""}, {time.get(), x.get()}, {1, row}, {});
}

void append_row(h5::Handle const& rows, hsize_t k) {
  h5::write_records(rows.get(), k, 1, std::vector<double>(row, static_cast<double>(k)));
}

/// Number of rows, all of them checked.
hsize_t good_rows(std::filesystem::path const& path) {
  auto const file = h5::open_for_reading(path.string());
  auto const rows = h5::open_dataset(file.get(), "rows");
  auto const count = h5::extents(rows.get())[0];
  for (hsize_t k = 0; k < count; ++k)
    REQUIRE(h5::read_record(rows.get(), k) == std::vector<double>(row, static_cast<double>(k)));
  return count;
}

/// No file may grow beyond `bytes` while it lives: what a full disk looks like from inside.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit const limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

private:
  rlimit old_{};
  void (*old_handler_)(int) = nullptr;
};

}  // namespace

TEST_CASE("file_on_disk_is_always_the_last_commit") {
  TemporaryFolder const folder;
  auto const path = folder.path() / "rows.h5";
  auto file = CrashSafeFile::create(path);
  auto rows = create_rows(file);
  file.commit();
  for (hsize_t k = 0; k < 40; ++k) {
    append_row(rows, k);
    h5::check(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), "flush");  // HDF5 has let go of everything, we have not
    auto const copy = folder.path() / "copy.h5";
    std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing);
    CHECK(good_rows(copy) == k);
    file.commit();
    CHECK(good_rows(path) == k + 1);
  }
  rows.reset();
  file.close();
  CHECK(good_rows(path) == 40);
  CHECK(std::filesystem::file_size(path) > 40 * row * sizeof(double));
}

TEST_CASE("uncommitted_changes_vanish") {
  TemporaryFolder const folder;
  auto const path = folder.path() / "rows.h5";
  {
    auto file = CrashSafeFile::create(path);
    auto const rows = create_rows(file);
    append_row(rows, 0);
    file.commit();
    append_row(rows, 1);
  }
  CHECK(good_rows(path) == 1);
  {
    auto file = CrashSafeFile::open(path);
    auto rows = h5::open_dataset(file.id(), "rows");
    h5::set_records(rows.get(), 0);
    append_row(rows, 0);
    append_row(rows, 1);
    rows.reset();
    file.close();
  }
  CHECK(good_rows(path) == 2);
}

TEST_CASE("interrupted_commit_is_completed") {
  // A commit is: bytes beyond the end, journal, bytes inside, journal gone. Every file system state in
  // between is the old file, possibly longer, possibly with some of the inner bytes new, and the journal.
  TemporaryFolder const folder;
  auto const path = folder.path() / "rows.h5", old_path = folder.path() / "old.h5";
  auto const journal = folder.path() / "rows.h5.journal";
  auto file = CrashSafeFile::create(path);
  auto const rows = create_rows(file);
  append_row(rows, 0);
  file.commit();
  std::filesystem::copy_file(path, old_path);
  // A folder in the journal's place makes the commit fail right before it would become visible.
  std::filesystem::create_directories(journal / "in the way");
  append_row(rows, 1);
  CHECK_THROWS_AS(file.commit(), FileError);
  std::filesystem::remove_all(journal);
  CHECK(good_rows(path) == 1);
  CHECK_FALSE(CrashSafeFile::recover(path));
}

TEST_CASE("damaged_journal_is_reported") {
  TemporaryFolder const folder;
  auto const path = folder.path() / "rows.h5";
  {
    auto file = CrashSafeFile::create(path);
    (void)create_rows(file);
    file.close();
  }
  std::ofstream(folder.path() / "rows.h5.journal")
      << "SWEJRNL1 and nothing that makes sense, but long enough to look";
  CHECK_THROWS_AS(CrashSafeFile::open(path), FileError);
}

TEST_CASE("O04_full_disk_is_reported_and_earlier_records_stay") {
  TemporaryFolder const folder;
  auto const path = folder.path() / "rows.h5";
  hsize_t committed = 0;
  {
    FileSizeLimit const limit(300'000);
    auto file = CrashSafeFile::create(path);
    auto const rows = create_rows(file);
    file.commit();
    try {
      for (;; ++committed) {
        append_row(rows, committed);
        file.commit();
      }
    } catch (FileError const& error) {
      CHECK(error.file() == path);
      CHECK(error.reason() == "File too large");
    }
    CHECK_THROWS_AS(file.commit(), FileError);
  }
  CHECK(committed > 10);
  CHECK(good_rows(path) == committed);
}
