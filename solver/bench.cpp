#include "solver/bench.hpp"

#include <Kokkidio/Kokkidio.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace swe {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

template <Kokkidio::Target target>
void copy_array(Kokkidio::ViewMap<double const*, target> const& from, Kokkidio::ViewMap<double*, target> const& to) {
  Kokkidio::parallel_for<target>("copy", from.size(), KOKKOS_LAMBDA(Kokkidio::BasicParallelRange<target> const& range) {
    range(to) = range(from);
  });
}

template <Kokkidio::Target target>
double measured_copy_bandwidth() {
  Kokkidio::Index const n = Kokkidio::Index(target == Kokkidio::Target::host ? 32 : 256) << 20;
  Kokkidio::ViewMap<double*, target> a("copy_from", n), b("copy_to", n);
  double best = 0;
  for (int k = 0; k < 7; ++k) {
    Kokkos::fence();
    auto const start = Clock::now();
    copy_array<target>(a, b);
    Kokkos::fence();
    best = std::max(best, 2.0 * sizeof(double) * double(n) / seconds_since(start));
  }
  return best;
}

/// Numbers moved per cell by a full step: h, hu, hv and the bed in, h, hu, hv out; the second stage reads the start of
/// the step as well. Single precision keeps the rounding of h beside it.
double bytes_moved(Scenario const& s, Precision precision) {
  bool const single = precision == Precision::single_precision;
  double numbers = 7 + (single ? 2 : 0) + (s.friction.coefficient.is_constant() ? 0 : 1);
  if (s.scheme.order == 2) numbers += numbers + 3;
  return numbers * (single ? sizeof(float) : sizeof(double));
}

}  // namespace

double copy_bandwidth(Device device) {
  if (device == Device::gpu) return measured_copy_bandwidth<Kokkidio::DefaultTarget>();
  return measured_copy_bandwidth<Kokkidio::Target::host>();
}

Scenario bench_scenario(std::string const& name, int n, int order) {
  Scenario s;
  s.title = name;
  s.grid = {n, n, 1000.0 / n, 1000.0 / n, 0, 0};
  s.bed.resize(std::size_t(s.grid.cells()));
  s.initial.depth.raster.resize(s.bed.size());
  s.scheme.order = order;
  s.end_time = 1e9;
  bool const mostly_dry = name == "dry95";
  double const radius = mostly_dry ? std::sqrt(0.05 / M_PI) * 1000 : 200;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      double const x = s.grid.x_centre(i), y = s.grid.y_centre(j);
      double const from_centre = std::hypot(x - 500, y - 500);
      // Where most is dry the water swings in a pool, so that its share stays as it is.
      bool const bank = mostly_dry && from_centre > radius;
      double const bed = (bank ? 10.0 : 0.0) + 0.2 * std::sin(x * 0.03) * std::cos(y * 0.02);
      double const level = from_centre < (mostly_dry ? radius / 2 : radius) ? 2.5 : 0.5;
      s.bed[s.grid.index(i, j)] = bed;
      s.initial.depth.raster[s.grid.index(i, j)] = std::max(0.0, level - bed);
    }
  if (name == "friction" || name == "rain" || name == "dry95") s.friction = {FrictionLaw::Type::manning, {0.03, {}}};
  else if (name == "raster") s.friction = {FrictionLaw::Type::manning, {0, std::vector<double>(s.bed.size(), 0.03)}};
  else if (name != "wet") throw std::invalid_argument("no benchmark case is called '" + name + "'");
  if (name == "rain") {
    Source rain;
    rain.name = "rain";
    rain.type = Source::Type::rain;
    rain.series = TimeSeries::constant(50 / 3.6e6);
    s.sources.push_back(rain);
  }
  return s;
}

void bench_solver(BenchOptions const& options, std::function<void(BenchRecord const&)> const& on_record) {
  for (auto device : options.devices) {
    double const bandwidth = copy_bandwidth(device);
    for (auto const& name : options.cases)
      for (int n : options.sizes)
        for (auto precision : options.precisions)
          for (int order : options.orders) {
            auto const scenario = bench_scenario(name, n, order);
            auto const simulation = make_simulation(scenario, {}, precision, device);
            auto const run_steps = [&](std::int64_t steps) {
              auto const until = simulation->progress().steps + steps;
              auto const start = Clock::now();
              simulation->advance_to(1e9, [&](Progress const& p) { return p.steps < until; });
              return seconds_since(start);
            };
            double const first = run_steps(3) / 3;
            auto const batch = std::clamp<std::int64_t>(std::int64_t(0.05 * options.seconds / first), 1, 100);
            std::vector<double> speeds;
            for (double spent = 0; spent < options.seconds || speeds.size() < 5;) {
              double const t = run_steps(batch);
              spent += t;
              speeds.push_back(double(scenario.grid.cells()) * double(batch) / t / 1e6);
            }
            std::nth_element(speeds.begin(), speeds.begin() + std::ptrdiff_t(speeds.size() / 2), speeds.end());
            BenchRecord r;
            r.name = name;
            r.nx = r.ny = n;
            r.order = order;
            r.precision = precision;
            r.device = device;
            r.threads = device == Device::cpu ? Kokkidio::num_threads() : 1;
            r.mcell_per_s = speeds[speeds.size() / 2];
            r.bytes_per_cell = bytes_moved(scenario, precision);
            r.copy_roof_share = r.mcell_per_s * 1e6 * r.bytes_per_cell / bandwidth;
            r.memory_per_cell = double(simulation->memory_bytes()) / double(scenario.grid.cells());
            on_record(r);
          }
  }
}

std::string to_json(BenchRecord const& r) {
  char text[512];
  std::snprintf(text, sizeof text,
                "{\"bench\": \"solver\", \"case\": \"%s\", \"nx\": %d, \"ny\": %d, \"order\": %d, \"precision\": \"%s\", "
                "\"device\": \"%s\", \"threads\": %d, \"ranks\": 1, \"mcell_per_s\": %.5g, \"copy_roof_share\": %.4f, "
                "\"bytes_per_cell\": %g, \"memory_per_cell\": %.1f}",
                r.name.c_str(), r.nx, r.ny, r.order, r.precision == Precision::double_precision ? "double" : "single",
                r.device == Device::cpu ? "cpu" : "gpu", r.threads, r.mcell_per_s, r.copy_roof_share, r.bytes_per_cell,
                r.memory_per_cell);
  return text;
}

}  // namespace swe
