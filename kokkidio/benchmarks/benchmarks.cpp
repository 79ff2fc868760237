#include "benchmarks.hpp"

#include <Kokkidio/Runtime.hpp>
#include <Kokkidio/Target.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <ostream>
#include <random>
#include <sstream>
#include <stdexcept>

#include "cases.hpp"

namespace Kokkidio::benchmarks {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(std::function<void()> const& run, std::int64_t calls) {
  auto const start = Clock::now();
  for (std::int64_t k = 0; k < calls; ++k) run();
  return std::chrono::duration<double>(Clock::now() - start).count() / double(calls);
}

double median(std::vector<double> values) {
  auto const middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void check_results(Case const& c, std::string const& bench, std::string const& precision, std::int64_t size) {
  bool const single = precision == "single";
  // The running sum of a plain loop loses up to n epsilon / 2, which in single precision is all of it from
  // 10^7 items on.
  double const of_plain_loops = double(size) * 6e-8;
  double expected = 0;
  for (std::size_t k = 0; k < c.variants.size(); ++k) {
    c.variants[k].run();
    double const result = c.variants[k].result();
    if (k == 0) expected = result;
    bool const plain = single && bench == "dot" && (c.variants[k].name == "i1" || c.variants[k].name == "i2");
    // The others sum in parts; so does the native code, whose parts grow with the size and with them its own error.
    double const of_native = double(size) * 1e-9;
    double const tolerance = plain ? std::max(1e-3, of_plain_loops) : single ? std::max(1e-3, of_native) : 1e-9;
    if (!(std::abs(result - expected) <= tolerance * std::abs(expected)))
      throw std::runtime_error(bench + ": " + c.variants[k].name + " gives " + std::to_string(result) + ", " +
                               c.variants[0].name + " " + std::to_string(expected));
  }
}

/// Rounds in which every implementation runs once.
std::vector<Record> measure(Case const& c, Record common, double seconds) {
  auto const& variants = c.variants;
  std::size_t const count = variants.size();
  auto const runner = [&](std::size_t v) -> std::function<void()> const& {
    return common.transfer ? variants[v].with_transfer : variants[v].run;
  };
  double once = 0;
  for (std::size_t v = 0; v < count; ++v) once += seconds_of(runner(v), 1);
  once /= double(count);
  // Short turns meet the same disturbances, but must be long against the clock.
  auto const calls = std::max<std::int64_t>(1, std::int64_t(1e-4 / std::max(once, 1e-8)));
  auto const rounds = std::clamp(std::size_t(seconds / (double(count) * once * double(calls))),
                                 std::size_t(5), std::size_t(2000));

  // In a new order each round: what ran before leaves its data in the caches.
  std::vector<std::vector<double>> times(count);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::mt19937 random(1);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t const v : order) times[v].push_back(seconds_of(runner(v), calls));
  }

  std::vector<Record> records;
  double best = 1e300;
  for (std::size_t v = 0; v < count; ++v) {
    Record r = common;
    r.variant = variants[v].name;
    r.threads = c.threads;
    r.median_s = median(times[v]);
    r.min_s = *std::min_element(times[v].begin(), times[v].end());
    std::vector<double> ratios;
    for (std::size_t round = 0; round < rounds; ++round) ratios.push_back(times[0][round] / times[v][round]);
    r.vs_native = median(ratios);
    best = std::min(best, r.median_s);
    records.push_back(r);
  }
  for (Record& r : records) r.efficiency = best / r.median_s;
  return records;
}

Case make_case(std::string const& device, std::string const& bench, std::string const& precision,
               std::int64_t size) {
  if constexpr (has_device)
    if (device == "gpu")
      return precision == "single" ? device_case<float>(bench, size) : device_case<double>(bench, size);
  return precision == "single" ? host_case<float>(bench, size) : host_case<double>(bench, size);
}

}  // namespace

void run(Options const& options, std::function<void(Record const&)> const& on_record) {
  std::int64_t const memory = std::int64_t(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  for (std::string const& device : options.devices) {
    if (device == "gpu" && !has_device) continue;
    for (std::string const& bench : options.benches)
      for (std::string const& precision : options.precisions)
        for (std::int64_t const size : options.sizes) {
          if (size * bytes_per_item(bench, precision == "single") * 2 > memory) continue;
          Case const c = make_case(device, bench, precision, size);
          check_results(c, bench, precision, size);
          Record common;
          common.bench = bench;
          common.size = size;
          common.precision = precision;
          common.device = device;
          common.transfer = options.transfer;
          for (Record const& r : measure(c, common, options.seconds_per_size)) on_record(r);
        }
  }
}

std::string to_json(Record const& r) {
  std::ostringstream out;
  out.precision(6);
  out << R"({"bench": ")" << r.bench << R"(", "variant": ")" << r.variant << R"(", "size": )" << r.size
      << R"(, "precision": ")" << r.precision << R"(", "device": ")" << r.device << R"(", "threads": )"
      << r.threads << R"(, "median_s": )" << r.median_s << R"(, "efficiency": )" << r.efficiency
      << R"(, "min_s": )" << r.min_s << R"(, "vs_native": )" << r.vs_native << R"(, "ns_per_item": )"
      << 1e9 * r.median_s / double(r.size) << R"(, "transfer": )" << (r.transfer ? "true" : "false") << "}";
  return out.str();
}

void print(Options const& options, bool json, std::ostream& out) {
  if (!json)
    out << "bench     device precision        size  variant    ns/item  efficiency  native/own  (i0b, i1b: "
           "the native code "
           "again)\n";
  run(options, [&](Record const& r) {
    if (json) {
      out << to_json(r) << std::endl;
      return;
    }
    char line[160];
    std::snprintf(line, sizeof line, "%-9s %-6s %-9s %11lld  %-7s %10.4f  %10.3f  %10.3f\n", r.bench.c_str(),
                  r.device.c_str(), r.precision.c_str(), static_cast<long long>(r.size), r.variant.c_str(),
                  1e9 * r.median_s / double(r.size), r.efficiency, r.vs_native);
    out << line << std::flush;
  });
}

}  // namespace Kokkidio::benchmarks
