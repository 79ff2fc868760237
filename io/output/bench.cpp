#include "io/output/bench.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <optional>

#include "io/output/file_error.hpp"
#include "io/output/json.hpp"
#include "io/output/snapshots.hpp"
#include "io/output/writer_thread.hpp"
#include "solver/bench.hpp"

namespace swe::io {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int snapshots_a_turn = 2;
constexpr std::size_t fewest_rounds = 5;
constexpr double never = 1e9;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The value below which a share of the numbers lies.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  auto const at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

struct Variant {
  std::string name;
  std::optional<int> compression;  ///< none: writes nothing
  std::vector<double> turn_s{}, writer_s{}, writer_cpu_s{}, copy_s{};
};

/// A folder that goes away with what is in it.
class ScratchFolder {
public:
  explicit ScratchFolder(std::filesystem::path const& in)
      : path_(in / ("swe_bench_" + std::to_string(::getpid()))) {
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (error) throw FileError(path_, error.message());
  }
  ScratchFolder(ScratchFolder const&) = delete;
  ScratchFolder& operator=(ScratchFolder const&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path const& path() const { return path_; }

private:
  std::filesystem::path path_;
};

class OutputBench {
public:
  OutputBench(OutputBenchOptions const& options, SimulationFactory const& make)
      : options_(options),
        folder_(options.folder.empty() ? std::filesystem::temp_directory_path() : options.folder),
        scenario_(bench_scenario("friction", options.size, options.order)),
        simulation_(make(scenario_, {}, options.precision, options.device)) {
    layout_.map = {scenario_.grid, "output benchmark", ""};
    layout_.fields = {SnapshotField::h, SnapshotField::hu, SnapshotField::hv};
    layout_.bed = scenario_.bed;
  }

  void measure() {
    step();  // once outside the clock: first touch, caches
    auto const begin = Clock::now();
    for (std::size_t round = 0; round < fewest_rounds || seconds_since(begin) < options_.seconds; ++round)
      for (std::size_t k = 0; k < variants_.size(); ++k) take_turn(variants_[(round + k) % variants_.size()]);
  }

  [[nodiscard]] std::vector<OutputBenchRecord> records() const {
    std::vector<OutputBenchRecord> records;
    auto const rounds = variants_.front().turn_s.size();
    for (auto const& variant : variants_) {
      std::vector<double> costs;
      for (std::size_t k = 0; k < rounds; ++k) {
        double const first = variants_[0].turn_s[k], second = variants_[1].turn_s[k];
        double const plain = variant.compression ? 0.5 * (first + second) : first;
        costs.push_back(variant.turn_s[k] / plain - 1);
      }
      OutputBenchRecord record{variant.name, options_, static_cast<int>(rounds)};
      record.interval_s = quantile(variant.turn_s, 0.5) / snapshots_a_turn;
      record.cost = quantile(costs, 0.5);
      record.cost_low = quantile(costs, 0.25);
      record.cost_high = quantile(costs, 0.75);
      record.writer_s = quantile(variant.writer_s, 0.5);
      record.writer_cpu_s = quantile(variant.writer_cpu_s, 0.5);
      record.copy_s = quantile(variant.copy_s, 0.5);
      if (record.writer_s > 0)
        record.mb_per_s = static_cast<double>(layout_.fields.size() * sizeof(double)) *
                          static_cast<double>(scenario_.grid.cells()) / record.writer_s / 1e6;
      records.push_back(std::move(record));
    }
    return records;
  }

private:
  void step() {
    auto const until = simulation_->progress().steps + options_.steps_apart;
    simulation_->advance_to(never, [&](Progress const& at) { return at.steps < until; });
  }

  /// Snapshots with steps after each; the clock runs until the last is written.
  void take_turn(Variant& variant) {
    std::optional<SnapshotFile> file;
    if (variant.compression) {
      layout_.storage = {false, *variant.compression};
      file = SnapshotFile::create(folder_.path() / (variant.name + ".nc"), layout_);
    }
    WriterThread writer;
    auto const begin = Clock::now();
    for (int k = 0; k < snapshots_a_turn; ++k) {
      if (file) {
        auto const copying = Clock::now();
        auto state = std::make_shared<StateHost const>(simulation_->state());
        variant.copy_s.push_back(seconds_since(copying));
        writer.submit([&, state = std::move(state)] {
          auto const started = Clock::now();
          double const cpu = thread_cpu_seconds();
          file->append(*state);
          variant.writer_s.push_back(seconds_since(started));
          variant.writer_cpu_s.push_back(thread_cpu_seconds() - cpu);
        });
      }
      step();
    }
    writer.drain();
    variant.turn_s.push_back(seconds_since(begin));
    if (file) file->close();
  }

  OutputBenchOptions options_;
  ScratchFolder folder_;
  Scenario scenario_;
  std::unique_ptr<Simulation> simulation_;
  SnapshotLayout layout_;
  std::array<Variant, 4> variants_ = {
      Variant{"plain", std::nullopt}, {"plain_again", std::nullopt}, {"uncompressed", 0}, {"compressed", 1}};
};

}  // namespace

void bench_output(OutputBenchOptions const& options, SimulationFactory const& make,
                  std::function<void(OutputBenchRecord const&)> const& on_record) {
  OutputBench bench(options, make);
  bench.measure();
  for (auto const& record : bench.records()) on_record(record);
}

std::string to_json(OutputBenchRecord const& r) {
  JsonObject json;
  json.set("bench", "output").set("variant", r.variant).set("nx", r.of.size).set("ny", r.of.size);
  json.set("order", r.of.order);
  json.set("precision", r.of.precision == Precision::double_precision ? "double" : "single");
  json.set("device", r.of.device == Device::cpu ? "cpu" : "gpu").set("threads", r.of.threads);
  json.set("steps_apart", r.of.steps_apart).set("rounds", r.rounds).set("interval_s", r.interval_s);
  json.set("cost", r.cost).set("cost_low", r.cost_low).set("cost_high", r.cost_high);
  json.set("copy_s", r.copy_s).set("writer_s", r.writer_s).set("writer_cpu_s", r.writer_cpu_s);
  json.set("writer_mb_per_s", r.mb_per_s);
  return json.text(-1);
}

}  // namespace swe::io
