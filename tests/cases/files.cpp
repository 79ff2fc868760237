/// \file
/// The small inputs that troubled other programs, from the case file to what lies in the result folder:
/// rasters (D), outputs (O), restarts (R), maxima (N20) and names (U). Numbers and tolerances are those of
/// the set-ups.

#include <cmath>
#include <iomanip>
#include <sstream>

#include "io/case/load.hpp"
#include "io/output/bench.hpp"
#include "io/output/checkpoint.hpp"
#include "io/output/compare.hpp"
#include "io/output/hdf5.hpp"
#include "io/output/run.hpp"
#include "io/raster/raster.hpp"
#include "tests/io/support.hpp"
#include "tests/solver/support.hpp"

using namespace swe;
using namespace swe::test;

namespace {

std::string text_of(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The files of a run.
class Results {
public:
  explicit Results(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] std::filesystem::path const& folder() const { return folder_; }
  [[nodiscard]] std::vector<double> all(std::string const& file, std::string const& name) const {
    auto const id = io::h5::open_for_reading((folder_ / file).string());
    return io::h5::read_all(io::h5::open_dataset(id.get(), name).get());
  }
  [[nodiscard]] std::vector<double> times() const { return all("snapshots.nc", "time"); }
  [[nodiscard]] std::vector<double> field(std::string const& name, std::size_t record) const {
    auto const id = io::h5::open_for_reading((folder_ / "snapshots.nc").string());
    return io::h5::read_record(io::h5::open_dataset(id.get(), name).get(), record);
  }
  [[nodiscard]] std::vector<double> maximum(std::string const& name) const { return all("maxima.nc", name); }
  /// A column of gauges.csv by its name; NaN where it is empty.
  [[nodiscard]] std::vector<double> gauge(std::string const& column) const {
    std::istringstream lines(text_of(folder_ / "gauges.csv"));
    std::string line, cell;
    std::vector<double> values;
    std::size_t wanted = 0;
    for (bool first = true; std::getline(lines, line); first = false) {
      std::istringstream cells(line);
      std::size_t k = 0;
      for (; std::getline(cells, cell, ','); ++k)
        if (first && cell == column)
          wanted = k;
        else if (!first && k == wanted)
          values.push_back(cell.empty() ? no_cell : std::stod(cell));
      if (first && k > 0) REQUIRE(contains(line, column));
    }
    return values;
  }
  /// A number of summary.json.
  [[nodiscard]] double summary(std::string const& key) const {
    auto const text = text_of(folder_ / "summary.json");
    auto const at = text.find("\"" + key + "\":");
    REQUIRE(at != std::string::npos);
    return std::stod(text.substr(at + key.size() + 3));
  }

private:
  std::filesystem::path folder_;
};

io::RunOptions options_for(std::filesystem::path const& folder) {
  io::RunOptions options;
  options.quiet = true;
  options.directory = folder;
  options.device_name = "test";
  return options;
}

io::ExitCode exit_code_of(io::LoadedCase const& loaded, io::RunOptions const& options) {
  return io::run_case(loaded, options,
                      [](auto const&... arguments) { return make_simulation(arguments...); });
}

void run(io::LoadedCase const& loaded, io::RunOptions const& options) {
  REQUIRE(exit_code_of(loaded, options) == io::ExitCode::done);
}

/// A case run to its end in a folder of its own.
struct Ran {
  CaseFolder folder;
  io::LoadedCase loaded;
  Results results;
  explicit Ran(std::string const& text, std::vector<std::string> const& overrides = {},
               std::string const& name = "case")
      : folder(name), loaded(folder.load(text, overrides)), results(folder.path() / "out") {
    run(loaded, options_for(results.folder()));
  }
};

double volume(Grid const& grid, std::vector<double> const& depth) {
  double sum = 0;
  for (double const h : depth)
    if (h == h) sum += h * grid.cell_area();
  return sum;
}

std::size_t numbers(std::vector<double> const& values) {
  return std::size_t(std::count_if(values.begin(), values.end(), [](double v) { return v == v; }));
}

/// Deepest water as GIS programs read it: the raster beside maxima.nc.
io::Raster depth_raster(Results const& results) {
  for (char const* const name : {"max_depth.tif", "max_depth.asc"})
    if (std::filesystem::exists(results.folder() / name)) return io::read_raster(results.folder() / name);
  FAIL("there is no raster of the deepest water");
  return {};
}

bool same_numbers(std::vector<double> const& a, std::vector<double> const& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](double x, double y) { return x == y || (x != x && y != y); });
}

std::string order(int k) { return "scheme: {order: " + std::to_string(k) + "}\n"; }

std::string const every_map =
    "output: {snapshots: {fields: [h, hu, hv, level, speed]}, maxima: [depth, level, speed]}\n";

}  // namespace

TEST_CASE("D01_D02_D03_D06_D07_D08_D09_D11_D16_active_cells_and_volume_in_every_output") {
  struct Row {
    char const* dem;
    std::size_t active;
    double volume;
  };
  for (auto const& [dem, active, expected] : {Row{"D01/dem.asc", 11, 550},
                                              {"D02/dem.asc", 9, 450},
                                              {"D03/dem.asc", 11, 550},
                                              {"D06/corner.asc", 12, 600},
                                              {"D06/center.asc", 12, 600},
                                              {"D06/mixed.asc", 12, 600},
                                              {"D07/dem.asc", 12, 600},
                                              {"D08/square.asc", 12, 600},
                                              {"D08/oblong.asc", 12, 1200},
                                              {"D09/dem.asc", 12, 600},
                                              {"D11/exp.asc", 12, 600},
                                              {"D11/fortran.asc", 12, 600},
                                              {"D16/dem.asc", 12, 600}}) {
    INFO(dem);
    Ran const ran(case_on(dem, "initial: {depth_m: 0.5}\n" + every_map, "0.1"));
    auto const& grid = ran.loaded.scenario.grid;
    CHECK(std::abs(volume(grid, ran.results.field("h", 0)) - expected) <= 1e-6);
    auto const bed = ran.results.all("snapshots.nc", "bed");
    auto check_inactive = [&](std::vector<double> const& values) {
      CHECK(numbers(values) == active);
      for (std::size_t c = 0; c < values.size(); ++c) {
        CHECK((values[c] == values[c]) == (bed[c] == bed[c]));
        CHECK(std::abs(values[c]) != std::numeric_limits<double>::infinity());
      }
    };
    check_inactive(bed);
    for (double const z : bed) CHECK((z != z || (z >= 11 && z <= 34) || std::string(dem) == "D16/dem.asc"));
    for (std::size_t record = 0; record < 2; ++record)
      for (char const* const name : {"h", "hu", "hv", "level", "speed"})
        check_inactive(ran.results.field(name, record));
    for (char const* const name : {"depth", "level", "speed", "bed"})
      check_inactive(ran.results.maximum(name));
    check_inactive(depth_raster(ran.results).values);
    // the box of the map
    auto const x = ran.results.all("snapshots.nc", "x_node"), y = ran.results.all("snapshots.nc", "y_node");
    CHECK(x.front() == 500000);
    CHECK(x.back() == 500040);
    CHECK(y.front() == 4000000);
    CHECK(y.back() == (expected == 1200 ? 4000060 : 4000030));
  }
}

TEST_CASE("D06_a_gauge_reads_the_bed_of_its_cell") {
  for (char const* const dem : {"D06/corner.asc", "D06/center.asc", "D06/mixed.asc"}) {
    Ran const ran(case_on(dem, "gauges: [{name: G, at: [500001, 4000001]}]\n", "0.1"));
    CHECK(ran.results.gauge("G_level_m").front() == 31);
  }
}

TEST_CASE("D15_maps_and_rasters_keep_north_at_the_top") {
  Ran const ran(case_on("D15/dem.asc",
                        "initial: {depth_m: " + small_input("D15/h0.asc").string() + "}\n" + every_map,
                        "0.001"));
  auto const& grid = ran.loaded.scenario.grid;
  auto const bed = ran.results.all("snapshots.nc", "bed"), h = ran.results.field("h", 0);
  auto const at = [&](std::vector<double> const& values, double x, double y) {
    return values.at(std::size_t(cell_at(grid, x, y).value()));
  };
  CHECK(at(bed, 500005, 4000025) == 11);
  CHECK(at(bed, 500005, 4000005) == 31);
  CHECK(at(bed, 500035, 4000025) == 14);
  CHECK(at(h, 500005, 4000025) == 1);
  CHECK(at(h, 500005, 4000005) == 0);
  CHECK(at(h, 500035, 4000025) == 0);
  auto const raster = depth_raster(ran.results);
  CHECK(raster.grid == grid);
  CHECK(at(raster.values, 500005, 4000025) == 1);
  CHECK(at(raster.values, 500005, 4000005) == 0);
}

TEST_CASE("D17_a_hole_neither_fills_nor_leaks") {
  for (int k : {1, 2}) {
    Ran const ran(case_on(
        "D17/dem.asc",
        "initial: {level_m: 2}\n" + order(k) +
            "output: {snapshots: {every_s: 60, fields: [h, hu, hv, speed]}, maxima: [depth, speed]}\n",
        "600"));
    auto const& grid = ran.loaded.scenario.grid;
    auto const centre = std::size_t(grid.index(2, 2));
    REQUIRE(ran.results.times().size() == 11);
    for (std::size_t record = 0; record < 11; ++record) {
      auto const h = ran.results.field("h", record);
      CHECK(volume(grid, h) == Approx(2400).epsilon(1e-12));
      CHECK(h[centre] != h[centre]);
      CHECK(largest(ran.results.field("speed", record)) <= 1e-12);
    }
    CHECK(largest(ran.results.maximum("speed")) <= 1e-12);
    auto const deepest = ran.results.maximum("depth");
    CHECK(deepest[centre] != deepest[centre]);
    CHECK(ran.results.summary("active_cells") == 24);
  }
}

TEST_CASE("N20_maxima_know_the_peak_between_two_maps") {
  for (int k : {1, 2}) {
    CaseFolder const folder;
    folder.write("q.csv", "time_s,m3_per_s\n0,1\n50,1\n50,-1\n100,-1\n");
    auto const loaded = folder.load(
        case_on("N20/dem.asc",
                "sources: [{name: pit, type: inflow, at: [500015, 4000015], series: q.csv}]\n" + order(k) +
                    "output: {snapshots: {every_s: 100}, maxima: [depth, time_of_max]}\n"
                    "gauges: [{name: pit, at: [500015, 4000015]}]\n",
                "100"));
    Results const results(folder.path() / "out");
    run(loaded, options_for(results.folder()));
    auto const pit = std::size_t(loaded.scenario.grid.index(1, 1));
    CHECK(results.times() == std::vector<double>{0, 100});
    CHECK(results.field("h", 0)[pit] == 0);
    CHECK(std::abs(results.field("h", 1)[pit]) <= 1e-12);
    CHECK(results.maximum("depth")[pit] == Approx(0.5).epsilon(0.01));
    auto const times = results.gauge("time_s");
    double longest = 0;
    for (std::size_t n = 1; n < times.size(); ++n) longest = std::max(longest, times[n] - times[n - 1]);
    CHECK(std::abs(results.maximum("time_of_max")[pit] - 50) <= longest);
  }
}

TEST_CASE("O03_first_and_last_state_are_written_and_the_end_stays") {
  for (int k : {1, 2}) {
    Ran const ran(case_on("O03/dem.asc", "boundaries: [{name: q, on: west, type: discharge, series: " +
                                             small_input("O03/q.csv").string() + "}]\n" + order(k) +
                                             "output: {snapshots: {every_s: 3}}\n"
                                             "gauges: [{name: G, at: [500005, 4000005], every_s: 4}]\n"));
    CHECK(ran.results.times() == std::vector<double>{0, 3, 6, 9, 10});
    CHECK(ran.results.gauge("time_s") == std::vector<double>{0, 4, 8, 10});
    CHECK(ran.results.all("snapshots.nc", "gauges/time") == std::vector<double>{0, 4, 8, 10});
    CHECK(std::abs(volume(ran.loaded.scenario.grid, ran.results.field("h", 4)) - 20) <= 1e-6);
    CHECK(ran.results.summary("simulated_s") == 10);
  }
}

TEST_CASE("O07_dry_ground_reads_its_bed_in_maps_gauges_and_maxima") {
  for (int k : {1, 2}) {
    Ran const ran(
        case_on("O07/dem.asc",
                order(k) + every_map +
                    "gauges: [{name: up, at: [2.5, 1.5], every_s: 0.5}, {name: down, at: [18.5, 1.5], "
                    "every_s: 0.5}]\n",
                "1"));
    auto const& grid = ran.loaded.scenario.grid;
    for (auto const& [name, x, bed] : {std::tuple("up", 2.5, 10.0), {"down", 18.5, 0.0}}) {
      auto const cell = std::size_t(cell_at(grid, x, 1.5).value());
      for (auto const& [column, dry] :
           {std::pair("_depth_m", 0.0), {"_level_m", bed}, {"_u_m_per_s", 0.0}, {"_v_m_per_s", 0.0}})
        CHECK(ran.results.gauge(std::string(name) + column) == std::vector<double>(3, dry));
      for (std::size_t record = 0; record < 2; ++record) {
        CHECK(ran.results.field("h", record)[cell] == 0);
        CHECK(ran.results.field("level", record)[cell] == bed);
        CHECK(ran.results.field("speed", record)[cell] == 0);
      }
      CHECK(ran.results.maximum("depth")[cell] == 0);
      CHECK(ran.results.maximum("level")[cell] == bed);
      CHECK(ran.results.maximum("speed")[cell] == 0);
    }
  }
}

TEST_CASE("O07_below_a_cliff_it_is_dry_until_the_water_arrives") {
  auto const h0 = small_input("N10/h0.asc").string();
  Ran const ran(
      case_on("N10/dem.asc",
              "initial: {depth_m: " + h0 + "}\n" + every_map +
                  "gauges: [{name: up, at: [2.5, 1.5], every_s: 0.1}, {name: down, at: [18.5, 1.5], "
                  "every_s: 0.1}]\n",
              "0.2"));
  CHECK(ran.results.gauge("up_level_m") == std::vector<double>(3, 10.1));
  CHECK(ran.results.gauge("down_level_m") == std::vector<double>(3, 0));
  CHECK(ran.results.gauge("down_depth_m") == std::vector<double>(3, 0));
  auto const below = std::size_t(cell_at(ran.loaded.scenario.grid, 18.5, 1.5).value());
  CHECK(ran.results.maximum("level")[below] == 0);
}

namespace {

/// The 8 x 6 rough bed, dry, with a growing inflow; a row of the gauge per step shows every step.
std::string restart_case(std::string const& id, bool rain, int k, std::string const& checkpoint = "") {
  return case_on(id + "/dem.asc",
                 "friction: {law: manning, manning: 0.03}\n"
                 "boundaries: [{name: q, on: west, type: discharge, series: " +
                     small_input(id + "/q.csv").string() + "}]\n" +
                     (rain ? "sources: [{name: storm, type: rain, rate_mm_per_h: 36}]\n" : "") + order(k) +
                     "output: {snapshots: {every_s: 50}, maxima: [depth, time_of_max]}\n"
                     "gauges: [{name: G, at: [500015, 4000015]}]\n" +
                     checkpoint,
                 "200");
}

std::string const checkpoint_at_100 = "checkpoint: {every_s: 100, keep: 9}\n";

/// The checkpoint nearest after a time.
std::filesystem::path checkpoint_after(Results const& results, double time) {
  std::filesystem::path found;
  for (auto const& file : io::find_checkpoints(results.folder() / "checkpoints"))
    if (io::read_checkpoint(file).time >= time) found = file;
  REQUIRE(!found.empty());
  return found;
}

void check_same_end(Results const& a, Results const& b) {
  for (char const* const name : {"h", "hu", "hv"})
    CHECK(same_numbers(a.field(name, a.times().size() - 1), b.field(name, b.times().size() - 1)));
  CHECK(a.summary("steps") == b.summary("steps"));
  for (char const* const name : {"depth", "time_of_max"})
    CHECK(same_numbers(a.maximum(name), b.maximum(name)));
}

}  // namespace

TEST_CASE("R01_results_of_a_restarted_run_are_those_of_the_unbroken_one_to_the_bit") {
  for (int k : {1, 2}) {
    Ran const plain(restart_case("R01", true, k)), saving(restart_case("R01", true, k, checkpoint_at_100));
    auto const gauges = text_of(plain.results.folder() / "gauges.csv");
    check_same_end(saving.results, plain.results);  // writing checkpoints alters nothing
    CHECK(text_of(saving.results.folder() / "gauges.csv") == gauges);

    auto again = options_for(saving.results.folder());
    again.restart = true;
    again.restart_file = checkpoint_after(saving.results, 100);
    run(saving.loaded, again);
    check_same_end(saving.results, plain.results);
    CHECK(text_of(saving.results.folder() / "gauges.csv") == gauges);  // a row per step: the same steps
    CHECK(io::compare_results(saving.results.folder(), plain.results.folder(), {}).failures.empty());
  }
}

TEST_CASE("R02_a_restarted_clock_and_its_inflow_go_on") {
  Ran const whole(restart_case("R02", false, 1, checkpoint_at_100));
  auto const& grid = whole.loaded.scenario.grid;
  CHECK(whole.results.times() == std::vector<double>{0, 50, 100, 150, 200});
  CHECK(volume(grid, whole.results.field("h", 2)) == Approx(50).epsilon(1e-9));
  CHECK(volume(grid, whole.results.field("h", 4)) == Approx(200).epsilon(1e-9));

  Results const rest(whole.folder.path() / "rest");
  auto options = options_for(rest.folder());
  options.restart_file = checkpoint_after(whole.results, 100);
  run(whole.loaded, options);
  CHECK(rest.times() == std::vector<double>{100, 150, 200});
  CHECK(volume(grid, rest.field("h", 0)) == Approx(50).epsilon(1e-9));
  CHECK(volume(grid, rest.field("h", 2)) == Approx(200).epsilon(1e-9));
  CHECK(rest.summary("in_m3") == Approx(200).epsilon(1e-9));
  check_same_end(rest, whole.results);
}

TEST_CASE("R04_maxima_and_totals_in_the_files_survive_a_restart") {
  CaseFolder const folder;
  folder.write("q.csv", "time_s,m3_per_s\n0,1\n50,1\n50,-1\n100,-1\n");
  auto const loaded =
      folder.load(case_on("R04/dem.asc",
                          "sources: [{name: pit, type: inflow, at: [500015, 4000015], series: q.csv}]\n"
                          "output: {maxima: [depth, time_of_max]}\ncheckpoint: {every_s: 80, keep: 9}\n",
                          "100"));
  Results const whole(folder.path() / "whole"), rest(folder.path() / "rest");
  run(loaded, options_for(whole.folder()));
  auto options = options_for(rest.folder());
  options.restart_file = checkpoint_after(whole, 80);
  run(loaded, options);
  auto const pit = std::size_t(loaded.scenario.grid.index(1, 1));
  CHECK(rest.maximum("depth")[pit] == Approx(0.5).epsilon(0.01));
  CHECK(rest.summary("inflow_m3") == Approx(50).epsilon(1e-12));
  CHECK(rest.summary("abstraction_m3") == Approx(50).epsilon(1e-12));
  for (char const* const key : {"inflow_m3", "abstraction_m3", "final_m3"})
    CHECK(rest.summary(key) == whole.summary(key));
  check_same_end(rest, whole);
}

TEST_CASE("R06_another_number_of_processes_is_refused_with_both_numbers") {
  Ran const ran(restart_case("R06", true, 1, checkpoint_at_100));
  auto const refusal = [&](int now) {
    auto options = options_for(ran.results.folder());
    options.restart = true;
    options.processes = now;
    try {
      (void)exit_code_of(ran.loaded, options);
    } catch (io::InputError const& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(contains(refusal(3), "number of processes may not change on restart: was \"1\", is \"3\""));
  for (auto const& file : io::find_checkpoints(ran.results.folder() / "checkpoints")) {
    auto checkpoint = io::read_checkpoint(file);
    for (auto& [key, value] : checkpoint.fingerprint)
      if (key == "the number of processes") value = "2";
    io::write_checkpoint(file, checkpoint);
  }
  CHECK(contains(refusal(1), "number of processes may not change on restart: was \"2\", is \"1\""));
}

TEST_CASE("U13_numbers_that_fail_stop_the_run_and_name_time_and_cell") {
  CaseFolder const folder;
  auto const loaded = folder.load(case_on(
      "U13/dem.asc",
      "initial: {depth_m: {default: 0.5, polygons: [{over: [[500000, 4000000], [500010, 4000000], [500010, "
      "4000010], [500000, 4000010]], value: 1.0e+170}]}}\n"));
  CHECK(exit_code_of(loaded, options_for(folder.path() / "out")) == io::ExitCode::numbers_failed);
  auto const summary = text_of(folder.path() / "out/summary.json");
  CHECK(contains(summary, "\"status\": \"failed\""));
  CHECK(contains(summary, "cell i = 0, j = 0 at x = 500005.00, y = 4000005.00, t = 0 s"));
  CHECK(Results(folder.path() / "out").summary("steps") < 100);
}

TEST_CASE("U05_U15_names_with_blanks_dots_and_umlauts_give_the_results_of_plain_ones") {
  std::string const text =
      "domain: {bed: dem/a.asc}\ninitial: {depth_m: 0.5}\ntime: {end_s: 1}\n" + every_map;
  auto const prepare = [](CaseFolder const& folder, std::string const& dem) {
    std::filesystem::create_directories(folder.path() / "dem");
    std::filesystem::copy_file(small_input("U15/dem.asc"), folder.path() / dem);
  };
  CaseFolder const plain("K"), strange("Fluß 1.2 (test)");
  prepare(plain, "dem/a.asc");
  prepare(strange, "dem/höhen 10m.v2.asc");
  auto const file = plain.write("case.yaml", text);
  run(io::load_case(file), options_for(plain.path() / "out"));
  // from another working folder: the same files, the same results
  auto const before = std::filesystem::current_path();
  std::filesystem::current_path(plain.path());
  run(io::load_case("case.yaml"), options_for("from_here"));
  std::filesystem::current_path(before);
  run(strange.load(text, {"domain.bed=dem/höhen 10m.v2.asc"}), options_for(strange.path() / "lauf.1 a"));
  for (auto const& other : {plain.path() / "from_here", strange.path() / "lauf.1 a"})
    CHECK(io::compare_results(other, plain.path() / "out", {}).failures.empty());
  auto const xdmf = text_of(strange.path() / "lauf.1 a" / "snapshots.xdmf");
  CHECK(contains(xdmf, ">snapshots.nc:/h"));
  CHECK(!contains(xdmf, ">/"));
}

TEST_CASE("output_benchmark_reports_every_variant_and_leaves_nothing_behind") {
  CaseFolder const folder;
  io::OutputBenchOptions options;
  options.size = 24;
  options.seconds = 0;
  options.steps_apart = 3;
  options.folder = folder.path();
  std::vector<std::string> variants;
  io::bench_output(
      options, [](auto const&... arguments) { return make_simulation(arguments...); },
      [&](io::OutputBenchRecord const& record) {
        variants.push_back(record.variant);
        CHECK(record.rounds == 5);
        CHECK(record.interval_s > 0);
        CHECK((record.writer_s > 0) == (variants.size() > 2));
        CHECK(contains(io::to_json(record), "\"variant\": \"" + record.variant + "\""));
      });
  CHECK(variants == std::vector<std::string>{"plain", "plain_again", "uncompressed", "compressed"});
  CHECK(std::filesystem::is_empty(folder.path()));
}
