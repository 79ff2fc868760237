// Every case in bad_input/ says in its first lines what is wrong with it:  # expect LINE KEY: MESSAGE
// (a part of the message; LINE 0 where the problem has none). Exactly these problems must be reported.

#include <sstream>

#include "tests/io/support.hpp"

using namespace swe::test;

namespace {

struct Expected {
  int line = 0;
  std::string key, message;
};

std::vector<Expected> expectations(std::filesystem::path const& file) {
  std::vector<Expected> list;
  std::ifstream in(file);
  std::string const start = "# expect ";
  for (std::string text; std::getline(in, text) && text.starts_with("#");) {
    if (!text.starts_with(start)) continue;
    std::istringstream words(text.substr(start.size()));
    Expected one;
    words >> one.line >> one.key;
    one.key.pop_back();
    std::getline(words >> std::ws, one.message);
    list.push_back(one);
  }
  return list;
}

}  // namespace

TEST_CASE("bad_input_is_refused_with_file_line_key_and_rule") {
  int files = 0;
  for (auto const& entry :
       std::filesystem::directory_iterator(std::filesystem::path(SWE_TESTS_DIR) / "io/bad_input")) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    auto const expected = expectations(entry.path());
    std::vector<swe::io::Problem> problems;
    try {
      (void)swe::io::load_case(entry.path());
    } catch (swe::io::InputError const& error) {
      problems = error.problems();
    }
    std::string all;
    for (auto const& one : problems) all += one.text() + "\n";
    INFO(entry.path().filename().string() << " says:\n" << all);
    CHECK(!expected.empty());
    CHECK(problems.size() == expected.size());
    for (auto const& want : expected) {
      INFO("wanted: " << want.line << " " << want.key << ": " << want.message);
      CHECK(std::any_of(problems.begin(), problems.end(), [&](swe::io::Problem const& one) {
        return one.line == want.line && one.key == want.key && contains(one.message, want.message);
      }));
    }
  }
  CHECK(files > 10);
}
