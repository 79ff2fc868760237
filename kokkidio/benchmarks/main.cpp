/// kokkidio_bench [--json] [--transfer] [--bench a,b] [--precision double,single] [--device cpu,gpu] [--sizes
/// n,m]
/// [--seconds s]

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
