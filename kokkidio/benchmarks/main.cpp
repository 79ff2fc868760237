/// kokkidio_bench [--json] [--transfer] [--bench a,b] [--precision double,single] [--device cpu,gpu] [--sizes
/// n,m] [--seconds s]
/// kokkidio_bench --about

#include <Kokkidio/Lane.hpp>
#include <Kokkidio/Runtime.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <string_view>

#include "benchmarks.hpp"

namespace {

std::vector<std::string> words(std::string const& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) result.push_back(word);
  return result;
}

/// What the program was built from, in a line.
std::string about() {
  std::ostringstream out;
#if defined(__clang__)
  out << "Clang " << __clang_major__ << '.' << __clang_minor__;
#else
  out << "GCC " << __GNUC__ << '.' << __GNUC_MINOR__;
#endif
  out << ", Kokkos " << KOKKOS_VERSION / 10000 << '.' << KOKKOS_VERSION / 100 % 100 << '.'
      << KOKKOS_VERSION % 100 << " (" << Kokkos::DefaultExecutionSpace::name() << "), Eigen "
      << EIGEN_WORLD_VERSION << '.' << EIGEN_MAJOR_VERSION << '.' << EIGEN_MINOR_VERSION
      << ", SIMD registers of " << Kokkidio::native_lane_width<double> * 64 << " bits";
  return out.str();
}

}  // namespace

int main(int argc, char** argv) try {
  Kokkidio::ScopeGuard const guard(argc, argv);
  Kokkidio::benchmarks::Options options;
  bool json = false;
  for (int k = 1; k < argc; ++k) {
    std::string_view const option = argv[k];
    auto const value = [&] {
      if (++k >= argc) throw std::invalid_argument(std::string(option) + " needs a value");
      return std::string(argv[k]);
    };
    if (option == "--about") {
      std::cout << about() << '\n';
      return 0;
    }
    if (option == "--json")
      json = true;
    else if (option == "--transfer")
      options.transfer = true;
    else if (option == "--bench")
      options.benches = words(value());
    else if (option == "--precision")
      options.precisions = words(value());
    else if (option == "--device")
      options.devices = words(value());
    else if (option == "--seconds")
      options.seconds_per_size = std::stod(value());
    else if (option == "--sizes") {
      options.sizes.clear();
      for (std::string const& word : words(value())) options.sizes.push_back(std::int64_t(std::stod(word)));
    } else {
      throw std::invalid_argument("unknown option " + std::string(option));
    }
  }
  Kokkidio::benchmarks::print(options, json, std::cout);
  return 0;
} catch (std::exception const& error) {
  std::cerr << "kokkidio_bench: " << error.what() << '\n';
  return 2;
}
