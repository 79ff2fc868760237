#include "io/case/node.hpp"

#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::io;
using namespace swe::test;

namespace {

std::vector<Problem> problems_in(std::string const& yaml) {
  std::vector<Problem> problems;
  (void)parse_yaml(yaml, "case.yaml", problems);
  return problems;
}

}  // namespace

TEST_CASE("anchors_and_aliases_stand_for_whole_values") {
  std::vector<Problem> problems;
  Node const root = parse_yaml("a: &dem {bed: x.asc, n: [1, 2]}\nb: *dem\n", "case.yaml", problems);
  CHECK(problems.empty());
  CHECK(root.find("b")->find("n")->items.at(1).text == "2");
}

TEST_CASE("merge_keys_and_tags_are_refused_by_name") {
  auto const merge = only(problems_in("a: &x {k: 1}\nb:\n  <<: *x\n  m: 2\n"));
  CHECK(merge.line == 3);
  CHECK(contains(merge.message, "<<"));
  auto const include = only(problems_in("a: 1\nb: !include other.yaml\n"));
  CHECK(include.line == 2);
  CHECK(include.key == "b");
  CHECK(contains(include.message, "!include"));
  CHECK(problems_in("a: !!str 5\n").empty());
}

TEST_CASE("alias_bombs_are_bounded") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int k = 1; k < 12; ++k) {
    std::string const last = "*a" + std::to_string(k - 1);
    bomb += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " [";
    for (int n = 0; n < 10; ++n) bomb += (n > 0 ? ", " : "") + last;
    bomb += "]\n";
  }
  CHECK(contains(only(problems_in(bomb)).message, "aliases expand"));
  CHECK(contains(only(problems_in("a: &a [*a]\n")).message, "alias"));
}

TEST_CASE("syntax_errors_have_a_line") {
  auto const problem = only(problems_in("a: 1\nb: [1, 2\nc: 3\n"));
  CHECK(problem.line > 1);
  CHECK(contains(problem.message, "YAML"));
  CHECK(contains(only(problems_in("a: gr\xFC\xDF\n")).message, "UTF-8"));
  CHECK(contains(only(problems_in("a: 1\n---\nb: 2\n")).message, "more than one"));
  auto const tab = only(problems_in("a:\n\tb: 1\n"));
  CHECK(tab.line == 2);
  CHECK(contains(tab.message, "a tab"));
  CHECK(contains(only(problems_in("? [a, b]\n: 1\n")).message, "key must be a word"));
}

TEST_CASE("nesting_without_end_is_refused") { CHECK(!problems_in("a: " + std::string(100000, '[')).empty()); }

TEST_CASE("overrides_change_the_tree_before_it_is_read") {
  std::vector<Problem> problems;
  Node root = parse_yaml("scheme: {cfl: 0.4}\ngauges: [{name: A, x: 1}]\nempty:\n", "case.yaml", problems);
  apply_override(root, "scheme.cfl=0.3", problems);
  apply_override(root, "gauges.0.x=5", problems);
  apply_override(root, "gauges.1={name: B, at: [1, 2]}", problems);
  apply_override(root, "time.end_s=7", problems);
  apply_override(root, "empty.k=1", problems);
  apply_override(root, "title=a=b", problems);
  REQUIRE(problems.empty());
  CHECK(root.find("scheme")->find("cfl")->text == "0.3");
  CHECK(root.find("gauges")->items[0].find("x")->text == "5");
  CHECK(root.find("gauges")->items[1].find("name")->text == "B");
  CHECK(root.find("time")->find("end_s")->text == "7");
  CHECK(root.find("empty")->find("k")->text == "1");
  CHECK(root.find("title")->text == "a=b");

  apply_override(root, "gauges.5.x=5", problems);
  apply_override(root, "scheme.cfl.deeper=1", problems);
  apply_override(root, "nothing", problems);
  apply_override(root, "a=[1", problems);
  REQUIRE(problems.size() == 4);
  for (auto const& problem : problems) CHECK(problem.file.starts_with("--set "));
  CHECK(problems[0].key == "gauges.5");
}

TEST_CASE("what_is_written_as_yaml_reads_back_the_same") {
  Node root = Node::map();
  root.set("words", Node::string("plain words"));
  Node awkward = Node::sequence();
  for (char const* const text :
       {"no", "12", "a: b", "#", "", " x", "ä \"q\"", "line\nbreak", "-", "~", "1e3", "[", "on"})
    awkward.items.push_back(Node::string(text));
  root.set("awkward", awkward);
  root.set("number", Node::plain("0.1"));
  Node item = Node::map();
  item.set("name", Node::string("G"));
  item.set("at", Node::sequence({Node::plain("1"), Node::plain("2")}));
  root.set("items", Node::sequence({item, item}));
  root.set("none", Node::sequence());
  std::vector<Problem> problems;
  Node const again = parse_yaml(to_yaml(root), "out.yaml", problems);
  CHECK(problems.empty());
  for (std::size_t k = 0; k < awkward.items.size(); ++k)
    CHECK(again.find("awkward")->items.at(k).text == awkward.items[k].text);
  CHECK(again.find("items")->items.at(1).find("at")->items.at(1).text == "2");
  CHECK(again.find("none")->is_sequence());
  CHECK(to_yaml(again) == to_yaml(root));
}
