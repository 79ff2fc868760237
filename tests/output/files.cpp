#include <thread>

#include "io/output/command_line.hpp"
#include "io/output/json.hpp"
#include "io/output/maxima.hpp"
#include "io/output/number_text.hpp"
#include "io/output/posix_file.hpp"
#include "io/output/snapshots.hpp"
#include "io/output/summary.hpp"
#include "io/output/writer_thread.hpp"
#include "io/output/xdmf.hpp"
#include "tests/catch.hpp"
#include "tests/output/support.hpp"

using namespace swe;
using namespace swe::io;
using namespace swe::test;

TEST_CASE("numbers_read_back_to_the_same_bits") {
  for (double const x : {0.1, 1e6 + 0.1, 1.0 / 3, 100000.0, 1e-300, 5e-5, 123456789012345680.0})
    CHECK(std::stod(number_text(x)) == x);
  CHECK(number_text(100000) == "100000");
  CHECK(number_text(1000000.1) == "1000000.1");
}

TEST_CASE("json_escapes_and_nests") {
  JsonObject inner;
  inner.set("a", 1).set("b", std::numeric_limits<double>::quiet_NaN());
  JsonObject outer;
  outer.set("text", "say \"hi\"\n\x01").set("inner", inner).set("flag", true);
  CHECK(outer.text(-1) == R"({"text": "say \"hi\"\n\u0001", "inner": {"a": 1, "b": null}, "flag": true})");
}

TEST_CASE("O02_xdmf_names_its_file_relative_and_escaped") {
  XdmfContents contents;
  contents.hdf5_name = "a&b.nc";
  contents.title = "<t>";
  contents.grid = {4, 3, 10, 10, 500000, 4000000};
  contents.fields = {"h"};
  contents.times = {0, 0.1};
  auto const text = xdmf_text(contents);
  CHECK(text.find("a&amp;b.nc:/h") != std::string::npos);
  CHECK(text.find("&lt;t&gt;") != std::string::npos);
  CHECK(text.find(">/") == std::string::npos);
}

TEST_CASE("O07_dry_cells_read_zero_depth_and_the_level_of_the_bed") {
  StateHost state{0, {0, 1e-9, 2}, {0, 1, 4}, {0, 1, 0}, {}};
  std::vector<double> const bed = {10, 20, 30};
  CHECK(snapshot_values(SnapshotField::level, state, bed, 1e-6) == std::vector<double>{10, 20 + 1e-9, 32});
  CHECK(snapshot_values(SnapshotField::speed, state, bed, 1e-6) == std::vector<double>{0, 0, 2});
  state.bed = {11, 20, 30};  // a bed that moves carries its level with it
  CHECK(snapshot_values(SnapshotField::level, state, bed, 1e-6).front() == 11);
}

TEST_CASE("ascii_raster_has_its_north_row_first") {
  CHECK(esri_ascii_text({2, 2, 5, 5, 100, 200}, {1, 2, 3, std::numeric_limits<double>::quiet_NaN()}) ==
        "ncols 2\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 5\nNODATA_value -9999\n3 -9999\n1 2\n");
}

TEST_CASE("writer_keeps_order_and_hands_back_the_first_failure") {
  std::vector<int> done;
  WriterThread writer;
  for (int k = 0; k < 20; ++k) writer.submit([&done, k] { done.push_back(k); });
  writer.drain();
  CHECK(done.size() == 20);
  CHECK(std::is_sorted(done.begin(), done.end()));
  writer.submit([] { throw std::runtime_error("first"); });
  CHECK_THROWS_WITH(writer.drain(), "first");
  CHECK(writer.failed());
  CHECK_THROWS_WITH(writer.submit([&done] { done.push_back(99); }), "first");
  CHECK(done.size() == 20);
}

TEST_CASE("writer_bounds_what_waits") {
  std::atomic<bool> go = false;
  std::atomic<int> handed_over = 0;
  WriterThread writer(2);
  std::thread producer([&] {
    for (int k = 0; k < 10; ++k) {
      writer.submit([&] {
        while (!go) std::this_thread::yield();
      });
      ++handed_over;
    }
  });
  while (handed_over < 3) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(handed_over == 3);  // one at work, two waiting
  go = true;
  producer.join();
  writer.drain();
}

TEST_CASE("atomic_write_leaves_the_old_file_when_it_fails") {
  TemporaryFolder const folder;
  auto const path = folder.path() / "summary.json";
  write_atomically(path, "old");
  std::filesystem::create_directory(temporary_name(path));
  CHECK_THROWS_AS(write_atomically(path, "new"), FileError);
  CHECK(text_of(path) == "old");
}

TEST_CASE("summary_is_overwritten_in_place_where_there_is_no_room_for_another") {
  TemporaryFolder const folder;
  auto const path = folder.path() / "summary.json";
  RunSummary summary;
  write_summary(path, summary);
  CHECK(summary_status(path) == "running");
  std::filesystem::create_directory(temporary_name(path));
  summary.status = RunSummary::Status::failed;
  write_summary(path, summary);
  CHECK(summary_status(path) == "failed");
}

namespace {

std::variant<Command, ExitCode> parse(std::vector<char const*> arguments) {
  arguments.insert(arguments.begin(), "swe");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

TEST_CASE("command_line_of_run") {
  auto const parsed = parse({"run",
                             "case.yaml",
                             "-o",
                             "dir",
                             "--set",
                             "a.b=1",
                             "--set",
                             "c=[1, 2]",
                             "--restart",
                             "--device",
                             "cpu",
                             "--precision",
                             "single",
                             "--kokkos-num-threads",
                             "8",
                             "--threads",
                             "2",
                             "--kokkos-disable-warnings",
                             "--wall-limit",
                             "11h50m",
                             "--overwrite",
                             "--quiet"});
  auto const command = std::get<RunCommand>(std::get<Command>(parsed));
  CHECK(command.case_file == "case.yaml");
  CHECK(command.overrides == std::vector<std::string>{"a.b=1", "c=[1, 2]"});
  CHECK(command.options.directory == "dir");
  CHECK(command.options.restart);
  CHECK_FALSE(command.options.restart_file);
  CHECK(command.options.precision == Precision::single_precision);
  CHECK(command.options.wall_limit_s == 42600);
  CHECK(command.options.overwrite);
  CHECK(command.options.quiet);
  CHECK(command.kokkos_arguments == std::vector<std::string>{"--kokkos-num-threads=8",
                                                             "--kokkos-disable-warnings",
                                                             "--kokkos-num-threads=2"});
}

TEST_CASE("restart_takes_a_file_or_none") {
  auto const parsed = parse({"run", "case.yaml", "--restart", "ckpt.h5"});
  CHECK(std::get<RunCommand>(std::get<Command>(parsed)).options.restart_file == "ckpt.h5");
  auto const command =
      std::get<RunCommand>(std::get<Command>(parse({"run", "--restart", "case.yaml", "--quiet"})));
  CHECK(command.case_file == "case.yaml");
  CHECK(command.options.restart);
  CHECK_FALSE(command.options.restart_file);
}

TEST_CASE("command_line_mistakes_are_the_users") {
  for (auto const& arguments : std::vector<std::vector<char const*>>{{},
                                                                     {"fly"},
                                                                     {"run"},
                                                                     {"run", "a", "--precision", "half"},
                                                                     {"run", "a", "--wall-limit", "soon"},
                                                                     {"run", "a", "--threads", "0"},
                                                                     {"run", "a", "--colour"},
                                                                     {"check", "a", "--kokkos-threads=2"},
                                                                     {"compare", "a"}})
    CHECK(std::get<ExitCode>(parse(arguments)) == ExitCode::bad_input);
  CHECK(std::get<ExitCode>(parse({"--help"})) == ExitCode::done);
  CHECK(std::get<ExitCode>(parse({"run", "--help"})) == ExitCode::done);
}
