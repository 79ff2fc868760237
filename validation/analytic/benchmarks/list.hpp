#pragma once
/// \file
/// One function per group of tests; each file of this folder holds one group.

#include <vector>

#include "validation/analytic/benchmark.hpp"

namespace swe::validation {

std::vector<Benchmark> rest_benchmarks();
std::vector<Benchmark> dam_break_benchmarks();
std::vector<Benchmark> radial_benchmarks();
std::vector<Benchmark> bump_benchmarks();
std::vector<Benchmark> channel_benchmarks();
std::vector<Benchmark> bowl_benchmarks();
std::vector<Benchmark> vortex_benchmarks();
std::vector<Benchmark> beach_benchmarks();
std::vector<Benchmark> oblique_benchmarks();
std::vector<Benchmark> rain_benchmarks();

}  // namespace swe::validation
