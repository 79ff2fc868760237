#include "io/output/run.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>

#include "io/output/checkpoint.hpp"
#include "io/output/compare.hpp"
#include "io/output/fingerprint.hpp"
#include "io/output/hdf5.hpp"
#include "io/output/posix_file.hpp"
#include "io/output/result_folder.hpp"
#include "io/output/snapshots.hpp"
#include "tests/catch.hpp"
#include "tests/output/support.hpp"

using namespace swe;
using namespace swe::io;
using namespace swe::test;

namespace {

std::vector<double> times_in(std::filesystem::path const& folder) {
  auto const file = h5::open_for_reading((folder / "snapshots.nc").string());
  return h5::read_all(h5::open_dataset(file.get(), "time").get());
}

std::vector<double> gauge_times(std::filesystem::path const& folder) {
  std::istringstream lines(text_of(folder / "gauges.csv"));
  std::string line;
  std::getline(lines, line);
  std::vector<double> times;
  while (std::getline(lines, line)) times.push_back(std::stod(line));
  return times;
}

void require_equal(std::filesystem::path const& result, std::filesystem::path const& reference) {
  auto const comparison = compare_results(result, reference, {});
  INFO(comparison_text(comparison));
  REQUIRE(comparison.failures.empty());
  REQUIRE(text_of(result / "gauges.csv") == text_of(reference / "gauges.csv"));
  auto const a = h5::open_for_reading((result / "snapshots.nc").string());
  auto const b = h5::open_for_reading((reference / "snapshots.nc").string());
  for (auto const* name : {"gauges/time", "gauges/depth", "gauges/level"})
    REQUIRE(h5::read_all(h5::open_dataset(a.get(), name).get()) ==
            h5::read_all(h5::open_dataset(b.get(), name).get()));
}

/// Runs until the given step, is then sent a signal, and stops.
ExitCode run_until(LoadedCase const& loaded, RunOptions const& options, std::int64_t step) {
  return run_case(loaded, options, fake_factory([&](FakeSimulation& simulation) {
                    simulation.on_step = [step](Progress const& at) {
                      if (at.steps == step) std::raise(SIGTERM);
                    };
                  }));
}

}  // namespace

TEST_CASE("O03_last_state_and_last_gauge_row_are_written") {
  TemporaryFolder const folder;
  auto const results = folder.path() / "out";
  REQUIRE(run_case(small_case(results), quiet_options(), fake_factory()) == ExitCode::done);
  CHECK(times_in(results) == std::vector<double>{0, 3, 6, 9, 10});
  CHECK(gauge_times(results) == std::vector<double>{0, 4, 8, 10});
  for (auto const* name :
       {"case.yaml", "snapshots.nc", "snapshots.xdmf", "maxima.nc", "gauges.csv", "summary.json", "run.log"})
    CHECK(std::filesystem::exists(results / name));
  CHECK_FALSE(std::filesystem::exists(results / "run.lock"));
  auto const summary = text_of(results / "summary.json");
  CHECK(summary.find("\"status\": \"finished\"") != std::string::npos);
  CHECK(summary.find("\"crs\": \"EPSG:32633\"") != std::string::npos);
}

TEST_CASE("P05_times_far_from_zero_stay_apart") {
  TemporaryFolder const folder;
  auto loaded = small_case(folder.path() / "out");
  loaded.scenario.start_time = 1e6;
  loaded.scenario.end_time = 1000001;
  loaded.output.every_s = 0.1;
  for (auto& gauge : loaded.gauges) gauge.every_s = 0.1;
  REQUIRE(run_case(loaded, quiet_options(), fake_factory()) == ExitCode::done);
  auto const xdmf = text_of(folder.path() / "out" / "snapshots.xdmf");
  std::vector<double> shown;
  for (auto at = xdmf.find("<Time Value=\""); at != std::string::npos;
       at = xdmf.find("<Time Value=\"", at + 1))
    shown.push_back(std::stod(xdmf.substr(at + 13)));
  for (auto const& times : {times_in(folder.path() / "out"), gauge_times(folder.path() / "out"), shown}) {
    REQUIRE(times.size() == 11);
    for (std::size_t k = 0; k < times.size(); ++k)
      CHECK(std::abs(times[k] - (1e6 + 0.1 * static_cast<double>(k))) < 1e-6);
  }
}

TEST_CASE("P07_no_output_is_lost_or_doubled_by_rounding") {
  struct Row {
    double end, every;
    std::size_t outputs;
  };
  for (auto const& row : {Row{100, 0.1, 1001}, Row{0.3, 0.1, 4}, Row{400000, 400000, 2}}) {
    TemporaryFolder const folder;
    auto loaded = small_case(folder.path() / "out");
    loaded.scenario.end_time = row.end;
    loaded.output.every_s = row.every;
    double shortest = 1e9;
    REQUIRE(run_case(loaded, quiet_options(), fake_factory([&](FakeSimulation& simulation) {
                       simulation.natural_dt = row.every * 0.7;
                       simulation.on_step = [&](Progress const& at) { shortest = std::min(shortest, at.dt); };
                     })) == ExitCode::done);
    auto const times = times_in(folder.path() / "out");
    CHECK(times.size() == row.outputs);
    CHECK(times.back() == row.end);
    CHECK(shortest > 1e-9);
  }
}

TEST_CASE("restart_equals_uninterrupted") {
  TemporaryFolder const folder;
  auto const whole = folder.path() / "whole", parts = folder.path() / "parts";
  REQUIRE(run_case(small_case(whole), quiet_options(), fake_factory()) == ExitCode::done);

  auto const loaded = small_case(parts);
  REQUIRE(run_until(loaded, quiet_options(), 60) == ExitCode::stopped);
  CHECK(text_of(parts / "summary.json").find("\"status\": \"stopped\"") != std::string::npos);
  auto again = quiet_options();
  again.restart = true;
  REQUIRE(run_until(loaded, again, 100) == ExitCode::stopped);
  REQUIRE(run_case(loaded, again, fake_factory()) == ExitCode::done);
  require_equal(parts, whole);
}

TEST_CASE("restart_drops_what_came_after_its_checkpoint") {
  TemporaryFolder const folder;
  auto const whole = folder.path() / "whole", parts = folder.path() / "parts";
  auto loaded = small_case(whole);
  REQUIRE(run_case(loaded, quiet_options(), fake_factory()) == ExitCode::done);
  loaded.output.directory = parts;
  loaded.checkpoint.every_s = 2;
  loaded.checkpoint.keep = 10;
  REQUIRE(run_case(loaded, quiet_options(), fake_factory()) == ExitCode::done);
  require_equal(parts, whole);  // checkpoints alter nothing
  auto const checkpoints = find_checkpoints(parts / "checkpoints");
  REQUIRE(checkpoints.size() == 5);
  auto again = quiet_options();
  again.restart_file = checkpoints[2];
  REQUIRE(run_case(loaded, again, fake_factory()) == ExitCode::done);
  require_equal(parts, whole);
}

TEST_CASE("restart_into_another_folder_begins_at_the_checkpoint") {
  TemporaryFolder const folder;
  auto loaded = small_case(folder.path() / "a");
  loaded.checkpoint.every_s = 5;
  loaded.checkpoint.keep = 5;
  REQUIRE(run_case(loaded, quiet_options(), fake_factory()) == ExitCode::done);
  auto const checkpoint = find_checkpoints(folder.path() / "a" / "checkpoints").back();
  double const begin = read_checkpoint(checkpoint).time;
  auto again = quiet_options();
  again.restart_file = checkpoint;
  again.directory = folder.path() / "b";
  REQUIRE(run_case(loaded, again, fake_factory()) == ExitCode::done);
  CHECK(times_in(folder.path() / "b") == std::vector<double>{begin, 6, 9, 10});
  CHECK(gauge_times(folder.path() / "b") == std::vector<double>{begin, 8, 10});
}

TEST_CASE("damaged_checkpoint_gives_way_to_the_one_before") {
  TemporaryFolder const folder;
  auto const whole = folder.path() / "whole", parts = folder.path() / "parts";
  auto loaded = small_case(whole);
  REQUIRE(run_case(loaded, quiet_options(), fake_factory()) == ExitCode::done);
  loaded.output.directory = parts;
  loaded.checkpoint.every_s = 2;
  loaded.checkpoint.keep = 3;
  REQUIRE(run_until(loaded, quiet_options(), 130) == ExitCode::stopped);
  auto const checkpoints = find_checkpoints(parts / "checkpoints");
  REQUIRE(checkpoints.size() == 3);
  PosixFile file(checkpoints.front(), PosixFile::Mode::update);
  char byte = 0;
  file.read_at(file.size() / 2, &byte, 1);
  byte = static_cast<char>(byte ^ 1);
  file.write_at(file.size() / 2, &byte, 1);
  CHECK_THROWS_AS(read_checkpoint(checkpoints.front()), FileError);

  auto again = quiet_options();
  again.restart = true;
  REQUIRE(run_case(loaded, again, fake_factory()) == ExitCode::done);
  CHECK(text_of(parts / "run.log").find("trying an older checkpoint") != std::string::npos);
  require_equal(parts, whole);
}

TEST_CASE("restart_without_a_checkpoint_starts_afresh_and_says_so") {
  TemporaryFolder const folder;
  auto const results = folder.path() / "out";
  auto options = quiet_options();
  options.restart = true;
  REQUIRE(run_case(small_case(results), options, fake_factory()) == ExitCode::done);
  CHECK(text_of(results / "run.log").find("starting from the beginning") != std::string::npos);
  CHECK(times_in(results).front() == 0);
  CHECK_THROWS_AS(run_case(small_case(results), options, fake_factory()),
                  InputError);  // finished: left alone
}

TEST_CASE("what_may_not_change_on_restart_is_refused_by_name") {
  TemporaryFolder const folder;
  auto loaded = small_case(folder.path() / "out");
  loaded.case_yaml = "title: one\nscheme: {cfl: 0.45}\noutput: {snapshots: {every_s: 3}}\n";
  auto& river = loaded.scenario.boundaries.emplace_back();
  river.name = "river";
  river.type = Boundary::Type::discharge;
  river.series = {{0, 5, 20}, {1, 2, 3}};
  REQUIRE(run_until(loaded, quiet_options(), 60) == ExitCode::stopped);
  auto again = quiet_options();
  again.restart = true;
  auto const refusal = [&](LoadedCase const& changed,
                           RunOptions const& options = quiet_options()) -> std::string {
    auto restart = options;
    restart.restart = true;
    try {
      (void)run_case(changed, restart, fake_factory());
    } catch (InputError const& error) {
      return error.what();
    }
    return "";
  };
  auto changed = loaded;
  changed.case_yaml = "title: another\nscheme: {cfl: 0.3}\n";
  CHECK(refusal(changed).find("scheme.cfl") != std::string::npos);
  changed = loaded;
  changed.scenario.bed[3] += 1e-12;
  CHECK(refusal(changed).find("values of bed") != std::string::npos);
  changed = loaded;
  changed.scenario.sources.emplace_back();
  CHECK(refusal(changed).find("source 0 may not be added") != std::string::npos);
  changed = loaded;
  changed.scenario.boundaries.back().series.value[0] = 1.5;  // used already
  CHECK(refusal(changed).find("series of boundary river") != std::string::npos);
  changed = loaded;
  changed.scenario.end_time = 1;
  CHECK(refusal(changed).find("time.end_s") != std::string::npos);
  auto single = quiet_options();
  single.precision = Precision::single_precision;
  CHECK(refusal(loaded, single).find("precision") != std::string::npos);

  changed = loaded;  // a later end, a newer forecast, other intervals: welcome
  changed.scenario.end_time = 12;
  changed.scenario.boundaries.back().series = {{0, 5, 30, 40}, {1, 2, 2 + 25.0 / 15, 9}};
  changed.checkpoint.every_s = 1;
  changed.output.every_s = 2;
  changed.case_yaml = "title: two\nscheme: {cfl: 0.45}\noutput: {snapshots: {every_s: 2}}\n";
  CHECK(refusal(changed).empty());
  CHECK(times_in(folder.path() / "out") == std::vector<double>{0, 3, 6, 8, 10, 12});
}

TEST_CASE("documentation_lists_what_may_change_on_restart") {
  auto const page = text_of(std::filesystem::path(SWE_SOURCE_DIR) / "docs" / "restart.md");
  for (auto const& key : keys_free_to_change()) {
    INFO(key);
    CHECK(page.find("`" + key) != std::string::npos);
  }
}

TEST_CASE("old_results_are_never_overwritten_unasked") {
  TemporaryFolder const folder;
  auto const loaded = small_case(folder.path() / "out");
  REQUIRE(run_case(loaded, quiet_options(), fake_factory()) == ExitCode::done);
  auto const before = text_of(folder.path() / "out" / "snapshots.nc");
  std::ofstream(folder.path() / "out" / "notes.txt") << "mine";
  CHECK_THROWS_AS(run_case(loaded, quiet_options(), fake_factory()), InputError);
  CHECK((text_of(folder.path() / "out" / "snapshots.nc") == before));
  auto overwrite = quiet_options();
  overwrite.overwrite = true;
  CHECK(run_case(loaded, overwrite, fake_factory()) == ExitCode::done);
  CHECK((text_of(folder.path() / "out" / "snapshots.nc") == before));
  CHECK(text_of(folder.path() / "out" / "notes.txt") == "mine");
}

TEST_CASE("equal_runs_make_equal_files_at_any_time_of_day") {
  TemporaryFolder const folder;
  auto const run_into = [&](char const* name) {
    auto loaded = small_case(folder.path() / name);
    loaded.sections.push_back({"bridge", {{500010, 4000000}, {500010, 4000030}}, {}, 2.0});
    REQUIRE(run_case(loaded, quiet_options(), fake_factory()) == ExitCode::done);
  };
  run_into("one");
  auto const second = std::time(nullptr);  // HDF5 counts in seconds
  while (std::time(nullptr) == second) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  run_into("other");
  for (auto const* file : {"snapshots.nc", "maxima.nc", "gauges.csv", "sections.csv"}) {
    INFO(file);
    CHECK((text_of(folder.path() / "one" / file) == text_of(folder.path() / "other" / file)));
  }
}

TEST_CASE("second_run_in_the_same_folder_is_refused") {
  TemporaryFolder const folder;
  ResultPaths const paths(folder.path());
  RunLock const lock(paths);
  CHECK_THROWS_AS(run_case(small_case(folder.path()), quiet_options(), fake_factory()), InputError);
}

TEST_CASE("failed_numbers_leave_the_last_state_and_name_the_cell") {
  TemporaryFolder const folder;
  auto const results = folder.path() / "out";
  auto const fails = fake_factory([](FakeSimulation& simulation) { simulation.fail_at = 4; });
  CHECK(run_case(small_case(results), quiet_options(), fails) == ExitCode::numbers_failed);
  auto const times = times_in(results);
  REQUIRE(times.size() == 3);
  CHECK(times.back() >= 4);
  auto const summary = text_of(results / "summary.json");
  CHECK(summary.find("\"status\": \"failed\"") != std::string::npos);
  CHECK(summary.find("i = 2, j = 1") != std::string::npos);
}

TEST_CASE("wall_limit_stops_with_a_checkpoint") {
  TemporaryFolder const folder;
  auto options = quiet_options();
  options.wall_limit_s = 0;
  CHECK(run_case(small_case(folder.path()), options, fake_factory()) == ExitCode::stopped);
  CHECK(find_checkpoints(folder.path() / "checkpoints").size() == 1);
}

TEST_CASE("unwritable_folder_is_named") {
  TemporaryFolder const folder;
  std::ofstream(folder.path() / "file") << "in the way";
  try {
    (void)run_case(small_case(folder.path() / "file" / "out"), quiet_options(), fake_factory());
    FAIL("nothing was thrown");
  } catch (FileError const& error) {
    CHECK(std::string(error.what()).find((folder.path() / "file" / "out").string()) != std::string::npos);
  }
}

TEST_CASE("gauges_with_their_own_intervals_leave_gaps") {
  TemporaryFolder const folder;
  auto loaded = small_case(folder.path() / "out");
  loaded.gauges[1].every_s = 5;
  loaded.gauges[1].name = "with, comma";
  REQUIRE(run_case(loaded, quiet_options(), fake_factory()) == ExitCode::done);
  CHECK(gauge_times(folder.path() / "out") == std::vector<double>{0, 4, 5, 8, 10});
  auto const text = text_of(folder.path() / "out" / "gauges.csv");
  CHECK(text.starts_with(
      "time_s,south west_depth_m,south west_level_m,south west_u_m_per_s,south west_v_m_per_s,"
      "\"with, comma_depth_m\","));
  CHECK(text.find("\n5,,,,,") != std::string::npos);
}

TEST_CASE("sections_have_their_table_and_continue_without_gap_or_double") {
  TemporaryFolder const folder;
  auto loaded = small_case(folder.path() / "whole");
  loaded.sections.push_back({"bridge", {{500010, 4000000}, {500010, 4000030}}, {}, 2.0});
  REQUIRE(run_case(loaded, quiet_options(), fake_factory()) == ExitCode::done);
  auto const text = text_of(folder.path() / "whole" / "sections.csv");
  CHECK(text.starts_with("time_s,bridge_discharge_m3_per_s,bridge_volume_m3\n0,"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 7);

  loaded.output.directory = folder.path() / "parts";
  REQUIRE(run_until(loaded, quiet_options(), 60) == ExitCode::stopped);
  auto again = quiet_options();
  again.restart = true;
  REQUIRE(run_case(loaded, again, fake_factory()) == ExitCode::done);
  CHECK(text_of(folder.path() / "parts" / "sections.csv") == text);
  auto const file = h5::open_for_reading((folder.path() / "parts" / "snapshots.nc").string());
  CHECK(h5::read_all(h5::open_dataset(file.get(), "sections/time").get()) ==
        std::vector<double>{0, 2, 4, 6, 8, 10});
}

TEST_CASE("bed_that_moves_is_stored_with_every_record") {
  TemporaryFolder const folder;
  auto loaded = small_case(folder.path() / "out");
  loaded.scenario.bed_motions.emplace_back();
  REQUIRE(run_case(loaded, quiet_options(), fake_factory()) == ExitCode::done);
  auto const file = h5::open_for_reading((folder.path() / "out" / "snapshots.nc").string());
  CHECK(h5::extents(h5::open_dataset(file.get(), "bed").get()) == std::vector<hsize_t>{5, 3, 4});
  CHECK(text_of(folder.path() / "out" / "snapshots.xdmf").find("snapshots.nc:/bed|4 0 0") !=
        std::string::npos);
}
