#pragma once
/// \file
/// Case files made up on the spot, and what loading them says.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "io/case/load.hpp"
#include "tests/catch.hpp"

namespace swe::test {

/// A small input that has troubled other programs, by id and name.
inline std::filesystem::path small_input(std::string const& name) {
  return std::filesystem::path(SWE_TESTS_DIR) / "cases" / name;
}

/// A folder of its own that goes away again.
class CaseFolder {
public:
  explicit CaseFolder(std::string const& name = "case") {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("swe_test_" + std::to_string(getpid()) + "_" + std::to_string(count++)) / name;
    std::filesystem::create_directories(path_);
  }
  CaseFolder(CaseFolder const&) = delete;
  CaseFolder& operator=(CaseFolder const&) = delete;
  ~CaseFolder() { std::filesystem::remove_all(path_.parent_path()); }

  [[nodiscard]] std::filesystem::path const& path() const { return path_; }

  std::filesystem::path write(std::string const& name, std::string const& text) const {
    auto const file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  io::LoadedCase load(std::string const& text, std::vector<std::string> const& overrides = {}) const {
    return io::load_case(write("case.yaml", text), overrides);
  }

  /// What is wrong with a case, one problem a line, file names without their folder; empty when nothing is.
  std::vector<io::Problem> problems(std::string const& text,
                                    std::vector<std::string> const& overrides = {}) const {
    try {
      (void)load(text, overrides);
    } catch (io::InputError const& error) {
      auto problems = error.problems();
      for (auto& one : problems)
        if (!one.file.starts_with("--set")) one.file = std::filesystem::path(one.file).filename().string();
      return problems;
    }
    return {};
  }

private:
  std::filesystem::path path_;
};

/// A case on the DEM of a small input, 10 s long; `more` adds sections.
inline std::string case_on(std::string const& dem, std::string const& more = "",
                           std::string const& end_s = "10") {
  return "domain: {bed: " + small_input(dem).string() + "}\ntime: {end_s: " + end_s + "}\n" + more;
}

/// The one problem there is.
inline io::Problem only(std::vector<io::Problem> const& problems) {
  std::string all;
  for (auto const& one : problems) all += one.text() + "\n";
  INFO(all);
  REQUIRE(problems.size() == 1);
  return problems.front();
}

inline bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

inline double value_at(Scenario const& scenario, std::vector<double> const& values, double x, double y) {
  return values.at(std::size_t(cell_at(scenario.grid, x, y).value()));
}

inline double volume(Scenario const& scenario) {
  double sum = 0;
  for (std::int64_t cell = 0; cell < scenario.grid.cells(); ++cell)
    if (scenario.active(cell)) sum += scenario.initial.depth(cell) * scenario.grid.cell_area();
  return sum;
}

}  // namespace swe::test
