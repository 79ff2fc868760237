#pragma once
/// \file
/// A computation that costs nothing, and a folder that goes away.

#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>

#include "io/case/load.hpp"
#include "io/output/run.hpp"
#include "solver/simulation.hpp"

namespace swe::test {

class TemporaryFolder {
public:
  TemporaryFolder() {
    static std::atomic<int> counter = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("swe_output_" + std::to_string(::getpid()) + "_" + std::to_string(counter++));
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path const& path() const { return path_; }

private:
  std::filesystem::path path_;
};

inline std::string text_of(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A depth that depends on place and on all steps taken so far, so that a step lost or doubled shows. Steps
/// of `natural_dt`, shortened to end on the times asked for.
class FakeSimulation : public Simulation {
public:
  double natural_dt = 0.07;
  double fail_at = std::numeric_limits<double>::infinity();
  std::function<void(Progress const&)> on_step = [](Progress const&) {};

  explicit FakeSimulation(Scenario scenario) : scenario_(std::move(scenario)) {
    progress_.time = scenario_.start_time;
    before_ = memory_ = 1;
  }

  void advance_to(double end, std::function<bool(Progress const&)> const& after_step) override {
    while (progress_.time < end) {
      bool const last = progress_.time + natural_dt >= end;
      progress_.dt = last ? end - progress_.time : natural_dt;
      before_ = memory_;
      memory_ = std::fmod(memory_ * 1.37 + progress_.dt, 3.0);
      progress_.time = last ? end : progress_.time + natural_dt;
      ++progress_.steps;
      largest_ = std::max(largest_, memory_);
      on_step(progress_);
      if (progress_.time >= fail_at) {
        NumericalFailure failure("depth is NaN");
        failure.i = 2;
        failure.j = 1;
        failure.time = progress_.time;
        throw failure;
      }
      if (after_step && !after_step(progress_)) return;
    }
  }
  Progress progress() const override { return progress_; }
  StateHost state() const override {
    StateHost s;
    s.time = progress_.time;
    for (std::int64_t c = 0; c < scenario_.grid.cells(); ++c) {
      bool const active = scenario_.active(c);
      s.h.push_back(active ? depth(c, memory_) : nan);
      s.hu.push_back(active ? 0.5 * depth(c, memory_) : nan);
      s.hv.push_back(active ? -0.25 * depth(c, memory_) : nan);
    }
    return s;
  }
  VolumeBalance balance() const override {
    VolumeBalance balance;
    balance.initial = balance.final_ = 10;
    return balance;
  }
  std::vector<NamedField> maxima() const override {
    NamedField field{"depth", {}};
    for (std::int64_t c = 0; c < scenario_.grid.cells(); ++c)
      field.values.push_back(scenario_.active(c) ? depth(c, largest_) : nan);
    return {field};
  }
  Timings timings() const override { return {.flux = 1, .other = 0.5}; }
  std::size_t memory_bytes() const override { return 1000; }
  void set_gauges(std::vector<std::int64_t> const& cells) override { gauges_ = cells; }
  std::vector<GaugeReading> gauges_at(double t) const override {
    double const w = progress_.dt > 0 ? 1 - (progress_.time - t) / progress_.dt : 1;
    std::vector<GaugeReading> readings;
    for (auto const cell : gauges_) {
      double const d = depth(cell, before_ + w * (memory_ - before_));
      readings.push_back({d, d + scenario_.bed[static_cast<std::size_t>(cell)], 0.5, -0.25});
    }
    return readings;
  }
  void set_sections(std::vector<std::vector<SectionFace>> const& sections) override {
    sections_ = sections.size();
  }
  std::vector<SectionReading> sections_at(double t) const override {
    return std::vector<SectionReading>(sections_, {2.5, 2.5 * (t - scenario_.start_time)});
  }
  std::vector<Blob> checkpoint() const override {
    std::array<double, 6> const all = {progress_.time, progress_.dt, static_cast<double>(progress_.steps),
                                       memory_,        before_,      largest_};
    Blob blob{"everything", std::vector<std::byte>(sizeof all)};
    std::memcpy(blob.bytes.data(), all.data(), sizeof all);
    return {blob, {"empty", {}}};
  }
  void restore(std::span<Blob const> blobs) override {
    std::array<double, 6> all{};
    std::memcpy(all.data(), blobs.front().bytes.data(), sizeof all);
    progress_ = {static_cast<std::int64_t>(all[2]), 0, all[0], all[1]};
    memory_ = all[3];
    before_ = all[4];
    largest_ = all[5];
  }

private:
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  static double depth(std::int64_t cell, double memory) { return memory + 0.01 * static_cast<double>(cell); }

  Scenario scenario_;
  Progress progress_;
  std::size_t sections_ = 0;
  std::vector<std::int64_t> gauges_;
  double memory_, before_, largest_ = 0;
};

/// 4 x 3 cells of 10 m at large coordinates, one of them inactive; two gauges; 10 s.
inline io::LoadedCase small_case(std::filesystem::path const& folder) {
  io::LoadedCase loaded;
  loaded.file = "small.yaml";
  loaded.name = "small";
  auto& s = loaded.scenario;
  s.title = "A & B <small> case";
  s.grid = {4, 3, 10, 10, 500000, 4000000};
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 4; ++i)
      s.bed.push_back(10 * (3 - j) + i + 1);  // north row 11..14, as in the words of O01
  s.bed[5] = std::numeric_limits<double>::quiet_NaN();
  s.initial.depth.constant = 1;
  s.end_time = 10;
  loaded.output.directory = folder;
  loaded.output.every_s = 3;
  loaded.output.crs = "EPSG:32633";
  loaded.output.maxima.depth = true;
  loaded.gauges.push_back({"south west", {500005, 4000005}, 0, io::GaugeSpec::Sample::cell, {{0, 1.0}}, 4.0});
  loaded.gauges.push_back(
      {"mixed", {500010, 4000005}, 0, io::GaugeSpec::Sample::bilinear, {{0, 0.5}, {1, 0.5}}, 4.0});
  loaded.case_yaml = "title: small\n";
  return loaded;
}

inline io::SimulationFactory fake_factory(std::function<void(FakeSimulation&)> prepare = [](FakeSimulation&) {
}) {
  return [prepare](Scenario const& scenario, MaximaOptions const&, Precision, Device) {
    auto simulation = std::make_unique<FakeSimulation>(scenario);
    prepare(*simulation);
    return simulation;
  };
}

inline io::RunOptions quiet_options() {
  io::RunOptions options;
  options.quiet = true;
  options.device_name = "test";
  return options;
}

}  // namespace swe::test
