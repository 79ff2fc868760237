#include "io/case/case_file.hpp"
#include "io/case/node.hpp"
#include "tests/io/support.hpp"

using namespace swe;
using namespace swe::io;
using namespace swe::test;

namespace {

Node const& at(Node const& node, std::initializer_list<char const*> path) {
  Node const* here = &node;
  for (char const* const key : path) {
    here = here->find(key);
    REQUIRE(here);
  }
  return *here;
}

Node schema() {
  std::vector<Problem> problems;
  Node root = parse_yaml(case_schema(), "schema.json", problems);
  REQUIRE(problems.empty());
  return root;
}

/// Keys that a section of the emitted case holds but its schema does not know.
void unknown_keys(Node const& value, Node const& schema, std::string const& path,
                  std::vector<std::string>& unknown) {
  if (value.is_sequence()) {
    if (Node const* const items = schema.find("items"))
      for (auto const& item : value.items) unknown_keys(item, *items, path, unknown);
    return;
  }
  if (!value.is_map()) return;
  std::vector<Node const*> objects;
  auto const collect = [&](auto const& self, Node const& one) -> void {
    if (one.find("properties")) objects.push_back(&one);
    for (char const* const choice : {"oneOf", "anyOf"})
      if (Node const* const list = one.find(choice))
        for (auto const& option : list->items) self(self, option);
  };
  collect(collect, schema);
  for (auto const& entry : value.entries) {
    Node const* known = nullptr;
    for (Node const* const object : objects)
      if (Node const* const property = object->find("properties")->find(entry.key)) known = property;
    if (known)
      unknown_keys(entry.value, *known, path + "." + entry.key, unknown);
    else
      unknown.push_back(path + "." + entry.key);
  }
}

}  // namespace

TEST_CASE("schema_is_json_with_ranges_units_and_choices") {
  Node const root = schema();
  CHECK(at(root, {"$schema"}).text == "https://json-schema.org/draft/2020-12/schema");
  CHECK(at(root, {"additionalProperties"}).text == "false");
  Node const& cfl = at(root, {"properties", "scheme", "properties", "cfl"});
  CHECK(at(cfl, {"exclusiveMinimum"}).text == "0");
  CHECK(at(cfl, {"maximum"}).text == "1");
  CHECK(at(root, {"properties", "scheme", "properties", "riemann", "enum"}).items.size() == 3);
  CHECK(at(root, {"properties", "boundaries", "items", "oneOf"}).items.size() ==
        std::variant_size_v<BoundaryKind>);
  CHECK(at(root, {"properties", "sources", "items", "oneOf"}).items.size() ==
        std::variant_size_v<SourceKind>);
  CHECK(at(root, {"properties", "friction", "oneOf"}).items.size() == std::variant_size_v<FrictionKind>);
}

TEST_CASE("schema_knows_every_key_of_the_case_with_defaults") {
  CaseFolder const folder;
  auto const loaded = folder.load(R"(
title: everything
domain: {grid: {nx: 8, ny: 6, dx_m: 10}, bed: {plane: {slope_x: -0.01}}, crs: EPSG:2154}
friction: {law: manning, manning: {default: 0.03, polygons: [{over: {centre: [20, 20], radius_m: 15}, value: 0.1}]}}
initial: {depth_m: 0.2, velocity_x_m_per_s: 0.5}
boundaries:
  - {name: in, on: west, from: 0, to: 30, type: discharge, discharge_m3_per_s: 2}
  - {name: out, on: east, type: normal_depth}
sources:
  - {name: storm, type: rain, rate_mm_per_h: 10, over: [[0, 0], [40, 0], [40, 40], [0, 40]]}
  - {name: springs, type: inflow, at: [[5, 5], [15, 5]], discharge_m3_per_s: [1, 2]}
  - {name: soil, type: infiltration, rate_mm_per_h: 3}
time: {end_s: 10, max_step_s: 1}
output: {snapshots: {every_s: 5, fields: [h, level]}, maxima: [depth, arrival]}
gauges: [{name: G, at: [5, 5], every_s: 1, sample: bilinear}]
sections: [{name: S, along: [[40, 60], [40, 0]]}]
checkpoint: {every_wall: 1h30m, keep: 3}
)");
  std::vector<Problem> problems;
  Node const emitted = parse_yaml(loaded.case_yaml, "case.yaml", problems);
  REQUIRE(problems.empty());
  std::vector<std::string> unknown;
  unknown_keys(emitted, schema(), "", unknown);
  CHECK(unknown == std::vector<std::string>{});

  // The emitted case is a case: it loads, and says the same again.
  CaseFolder const results;
  auto const again = results.load(loaded.case_yaml);
  CHECK(again.case_yaml == loaded.case_yaml);
  CHECK(again.scenario.friction.coefficient.raster == loaded.scenario.friction.coefficient.raster);
  CHECK(again.scenario.boundaries.size() == 2);
  CHECK(again.checkpoint.every_wall_s == 5400);
  CHECK(contains(loaded.case_yaml, "cfl: 0.45"));
  CHECK(contains(loaded.case_yaml, "every_wall: 1h30m"));
}
