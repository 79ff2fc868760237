#include "io/case/keys.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "io/text.hpp"

namespace swe::io {

FileName Reading::file_name(std::string const& text) const {
  // Not normalised: `..` behind a linked folder means what the system makes of it.
  return {folder_ / text, text};
}

Reading::Step::Step(Reading& reading, std::string const& part)
    : reading_(reading), length_(reading.path_.size()) {
  if (!reading_.path_.empty()) reading_.path_ += '.';
  reading_.path_ += part;
}

bool Range::contains(double value) const {
  if (low && (low_open ? !(value > *low) : !(value >= *low))) return false;
  if (high && (high_open ? !(value < *high) : !(value <= *high))) return false;
  return true;
}

std::string Range::text() const {
  std::string text;
  if (low) text += (low_open ? "greater than " : "at least ") + number_text(*low);
  if (low && high) text += " and ";
  if (high) text += (high_open ? "less than " : "at most ") + number_text(*high);
  return text;
}

namespace {

std::string shown(Node const& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return "'" + node.text.substr(0, 60) + "'";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::map:
      return "a section";
  }
  return "";
}

/// A number written plainly: no quotes, no unit, decimal point.
std::optional<double> as_number(Node const& node) {
  if (!node.is_scalar() || node.quoted) return std::nullopt;
  std::string_view text = node.text;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string not_a_number(Node const& node) {
  if (node.is_scalar() && node.quoted) {
    Node bare = node;
    bare.quoted = false;
    if (as_number(bare)) return shown(node) + " stands in quotes, so it is text; remove the quotes";
  }
  return shown(node) + " is not a number" + (node.is_scalar() ? number_hint(node.text) : "");
}

bool check_range(Node const& node, double value, Range const& range, Reading& reading) {
  if (range.contains(value)) return true;
  reading.problem(node, "must be " + range.text() + ", not " + number_text(value));
  return false;
}

bool is_switch_word(std::string_view text) {
  std::string const word = lower_case(text);
  return word == "off" || word == "no" || word == "false" || word == "n" || word == "none";
}

Node described(Node schema, About const& about) {
  std::string doc(about.doc);
  if (!about.unit.empty()) doc += (doc.empty() ? "[" : " [") + std::string(about.unit) + "]";
  if (!doc.empty()) schema.set("description", Node::string(doc));
  return schema;
}

Node typed(std::string_view type) {
  Node schema = Node::map();
  schema.set("type", Node::string(std::string(type)));
  return schema;
}

void add_range(Node& schema, Range const& range) {
  if (range.low)
    schema.set(range.low_open ? "exclusiveMinimum" : "minimum", Node::plain(number_text(*range.low)));
  if (range.high)
    schema.set(range.high_open ? "exclusiveMaximum" : "maximum", Node::plain(number_text(*range.high)));
}

Node number_schema(std::string_view type, Range const& range) {
  Node schema = typed(type);
  add_range(schema, range);
  return schema;
}

Node any_of(std::vector<Node> choices) {
  Node schema = Node::map();
  schema.set("anyOf", Node::sequence(std::move(choices)));
  return schema;
}

Node array_schema(Node items, int fewest, int most = -1) {
  Node schema = typed("array");
  schema.set("items", std::move(items));
  schema.set("minItems", Node::plain(std::to_string(fewest)));
  if (most >= 0) schema.set("maxItems", Node::plain(std::to_string(most)));
  return schema;
}

Node point_schema() { return array_schema(typed("number"), 2, 2); }

bool is_list_of_points(Node const& node) {
  return node.is_sequence() && !node.items.empty() && node.items.front().is_sequence();
}

bool read_points(Node const& node, std::vector<Point>& points, Reading& reading) {
  std::size_t const before = reading.problem_count();
  points.assign(node.items.size(), Point{});
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    Reading::Step const step(reading, std::to_string(k));
    Codec<Point>::read(node.items[k], points[k], reading, {});
  }
  return reading.problem_count() == before;
}

Node write_points(std::vector<Point> const& points) {
  Node node = Node::sequence();
  for (Point const& point : points) node.items.push_back(Codec<Point>::write(point));
  return node;
}

}  // namespace

namespace record_detail {

bool expect_map(Node const& node, Reading& reading) {
  // A section whose keys are all commented out is an empty one.
  if (node.is_map() || node.is_null()) return true;
  if (node.is_scalar() && is_switch_word(node.text)) {
    reading.problem(node, shown(node) + " switches nothing off; leave the section out, or write its keys");
  } else {
    reading.problem(node, "must be a section of keys, not " + shown(node));
  }
  return false;
}

void report_unknown_key(Node const& node, NodeEntry const& entry, std::vector<std::string> const& known,
                        Reading& reading) {
  std::string hint = suggestion(entry.key, known);
  if (hint.empty()) hint = "; known are " + join(known, ", ");
  Node where = entry.value;
  where.line = entry.line;
  if (!where.file) where.file = node.file;
  Reading::Step const step(reading, entry.key);
  reading.problem(where, "unknown key" + hint);
}

void report_missing_key(Node const& node, std::string_view key, Reading& reading) {
  Reading::Step const step(reading, std::string(key));
  reading.problem(node, "is missing");
}

void check_group(Node const& node, KeyGroup const& group, Reading& reading) {
  std::vector<std::string> all, given;
  for (std::string_view const name : group.keys) {
    all.emplace_back(name);
    if (node.find(name)) given.emplace_back(name);
  }
  if (given.size() > 1)
    reading.problem(node, "only one of " + join(all, ", ") + " may be given, not " + join(given, " and "));
  if (given.empty() && group.rule == KeyGroup::Rule::exactly_one)
    reading.problem(node, "one of " + join(all, ", ") + " is needed");
}

int chosen_alternative(Node const& node, std::string_view tag, std::vector<std::string> const& names,
                       Reading& reading) {
  Node const* const value = node.find(tag);
  if (!value) {
    Reading::Step const step(reading, std::string(tag));
    reading.problem(node, "is missing; one of " + join(names, ", "));
    return -1;
  }
  Reading::Step const step(reading, std::string(tag));
  return enum_detail::chosen(*value, names, reading);
}

Node const_schema(std::string_view value, std::string_view doc) {
  Node schema = Node::map();
  schema.set("const", Node::string(std::string(value)));
  if (!doc.empty()) schema.set("description", Node::string(std::string(doc)));
  return schema;
}

Node object_schema(std::string_view doc, std::vector<std::pair<std::string, Node>> properties,
                   std::vector<std::string> const& required, std::vector<KeyGroup> const& groups) {
  Node schema = typed("object");
  if (!doc.empty()) schema.set("description", Node::string(std::string(doc)));
  Node list = Node::map();
  for (auto& [name, property] : properties) list.set(name, std::move(property));
  schema.set("properties", std::move(list));
  if (!required.empty()) {
    Node names = Node::sequence();
    for (auto const& name : required) names.items.push_back(Node::string(name));
    schema.set("required", std::move(names));
  }
  schema.set("additionalProperties", Node::plain("false"));

  auto const require = [](std::string_view name) {
    Node one = Node::map();
    one.set("required", Node::sequence({Node::string(std::string(name))}));
    return one;
  };
  Node rules = Node::sequence();
  for (auto const& group : groups) {
    Node choices = Node::sequence();
    for (std::string_view const name : group.keys) choices.items.push_back(require(name));
    if (group.rule == KeyGroup::Rule::at_most_one) {
      Node any = Node::map();
      any.set("anyOf", Node::sequence(choices.items));
      Node none = Node::map();
      none.set("not", std::move(any));
      choices.items.push_back(std::move(none));
    }
    Node rule = Node::map();
    rule.set("oneOf", std::move(choices));
    rules.items.push_back(std::move(rule));
  }
  if (!rules.items.empty()) schema.set("allOf", std::move(rules));
  return schema;
}

}  // namespace record_detail

namespace enum_detail {

int chosen(Node const& node, std::vector<std::string> const& names, Reading& reading) {
  if (!node.is_scalar()) {
    reading.problem(node, "must be one of " + join(names, ", ") + ", not " + shown(node));
    return -1;
  }
  auto const found = std::find(names.begin(), names.end(), node.text);
  if (found != names.end()) return int(found - names.begin());
  reading.problem(
      node, "must be one of " + join(names, ", ") + ", not " + shown(node) + suggestion(node.text, names));
  return -1;
}

Node schema(std::vector<std::string> const& names, About const& about) {
  Node list = Node::sequence();
  for (auto const& name : names) list.items.push_back(Node::string(name));
  Node schema = Node::map();
  schema.set("enum", std::move(list));
  return described(std::move(schema), about);
}

}  // namespace enum_detail

namespace list_detail {

bool expect_list(Node const& node, Reading& reading) {
  if (node.is_sequence()) return true;
  reading.problem(node, "must be a list, not " + shown(node));
  return false;
}

Node schema(Node items, About const& about, bool also_one) {
  Node list = typed("array");
  list.set("items", items);
  return described(also_one ? any_of({std::move(items), std::move(list)}) : std::move(list), about);
}

}  // namespace list_detail

void Codec<double>::read(Node const& node, double& value, Reading& reading, About const& about) {
  auto const number = as_number(node);
  if (!number) return reading.problem(node, not_a_number(node));
  if (check_range(node, *number, about.range, reading)) value = *number;
}
Node Codec<double>::write(double value) {
  return std::isfinite(value) ? Node::plain(number_text(value)) : Node{};
}
Node Codec<double>::schema(About const& about) {
  return described(number_schema("number", about.range), about);
}

void Codec<int>::read(Node const& node, int& value, Reading& reading, About const& about) {
  auto const number = as_number(node);
  if (!number) return reading.problem(node, not_a_number(node));
  if (*number != std::floor(*number) || std::abs(*number) > std::numeric_limits<int>::max())
    return reading.problem(node, "must be a whole number, not " + node.text);
  if (check_range(node, *number, about.range, reading)) value = int(*number);
}
Node Codec<int>::write(int value) { return Node::plain(std::to_string(value)); }
Node Codec<int>::schema(About const& about) {
  return described(number_schema("integer", about.range), about);
}

void Codec<std::string>::read(Node const& node, std::string& value, Reading& reading, About const&) {
  if (!node.is_scalar()) return reading.problem(node, "must be a word or text, not " + shown(node));
  value = node.text;
}
Node Codec<std::string>::write(std::string const& value) {
  return value.empty() ? Node{} : Node::string(value);
}
// A bare 7 or no is text here, as names often are.
Node Codec<std::string>::schema(About const& about) {
  Node schema = Node::map();
  schema.set("type",
             Node::sequence({Node::string("string"), Node::string("number"), Node::string("boolean")}));
  return described(std::move(schema), about);
}

void Codec<FileName>::read(Node const& node, FileName& value, Reading& reading, About const&) {
  if (!node.is_scalar() || node.text.empty())
    return reading.problem(node, "must be a file name, not " + shown(node));
  value = reading.file_name(node.text);
}
Node Codec<FileName>::write(FileName const& value) {
  return value.empty() ? Node{} : Node::string(std::filesystem::absolute(value.path).string());
}
Node Codec<FileName>::schema(About const& about) { return described(typed("string"), about); }

void Codec<Duration>::read(Node const& node, Duration& value, Reading& reading, About const&) {
  auto const duration = node.is_scalar() ? parse_duration(node.text) : std::nullopt;
  if (!duration || !(duration->seconds > 0))
    return reading.problem(node, "must be a duration such as 30min, 11h50m or 90s, not " + shown(node));
  value = *duration;
}
Node Codec<Duration>::write(Duration const& value) { return Node::string(duration_text(value)); }
Node Codec<Duration>::schema(About const& about) {
  return described(any_of({typed("string"), number_schema("number", positive())}), about);
}

void Codec<Point>::read(Node const& node, Point& value, Reading& reading, About const&) {
  if (!node.is_sequence() || node.items.size() != 2)
    return reading.problem(
        node, "must be a point [x, y], not " +
                  (node.is_sequence() ? "a list of " + std::to_string(node.items.size()) : shown(node)));
  auto const x = as_number(node.items[0]), y = as_number(node.items[1]);
  if (!x) return reading.problem(node.items[0], not_a_number(node.items[0]));
  if (!y) return reading.problem(node.items[1], not_a_number(node.items[1]));
  value = {*x, *y};
}
Node Codec<Point>::write(Point const& value) {
  return Node::sequence({Node::plain(number_text(value.x)), Node::plain(number_text(value.y))});
}
Node Codec<Point>::schema(About const& about) { return described(point_schema(), about); }

void Codec<Points>::read(Node const& node, Points& value, Reading& reading, About const& about) {
  if (is_list_of_points(node)) {
    read_points(node, value.points, reading);
    return;
  }
  Point one;
  std::size_t const before = reading.problem_count();
  Codec<Point>::read(node, one, reading, about);
  if (reading.problem_count() == before) value.points.assign(1, one);
}
Node Codec<Points>::write(Points const& value) {
  return value.points.empty() ? Node{} : write_points(value.points);
}
Node Codec<Points>::schema(About const& about) {
  return described(any_of({point_schema(), array_schema(point_schema(), 1)}), about);
}

void Codec<Line>::read(Node const& node, Line& value, Reading& reading, About const& about) {
  if (node.is_scalar()) return Codec<FileName>::read(node, value.file, reading, about);
  if (!is_list_of_points(node) || node.items.size() < 2)
    return reading.problem(node, "must be a CSV or GeoJSON file, or at least two points [[x, y], [x, y]]");
  read_points(node, value.points, reading);
}
Node Codec<Line>::write(Line const& value) {
  if (!value.file.empty()) return Codec<FileName>::write(value.file);
  return value.points.empty() ? Node{} : write_points(value.points);
}
Node Codec<Line>::schema(About const& about) {
  return described(any_of({typed("string"), array_schema(point_schema(), 2)}), about);
}

template <>
Record<Circle> describe_record<Circle>() {
  return {"cells whose centre lies in a circle",
          {key("centre", &Circle::centre, {.doc = "centre [x, y]", .unit = "m", .required = true}),
           key("radius_m", &Circle::radius, {.doc = "radius", .range = positive(), .required = true})}};
}

void Codec<Area>::read(Node const& node, Area& value, Reading& reading, About const& about) {
  if (node.is_scalar()) return Codec<FileName>::read(node, value.file, reading, about);
  if (node.is_map()) {
    Circle circle;
    std::size_t const before = reading.problem_count();
    read_record(node, circle, reading);
    if (reading.problem_count() == before) value.circle = circle;
    return;
  }
  if (!is_list_of_points(node) || node.items.size() < 3)
    return reading.problem(node,
                           "must be a CSV or GeoJSON file, at least three points [[x, y], ...], or a circle "
                           "{centre: [x, y], radius_m: r}");
  read_points(node, value.points, reading);
}
Node Codec<Area>::write(Area const& value) {
  if (!value.file.empty()) return Codec<FileName>::write(value.file);
  if (value.circle) return write_record(*value.circle);
  return value.points.empty() ? Node{} : write_points(value.points);
}
Node Codec<Area>::schema(About const& about) {
  return described(any_of({typed("string"), array_schema(point_schema(), 3), record_schema<Circle>("")}),
                   about);
}

template <>
struct EnumNames<Resample> {
  static constexpr std::array<std::pair<std::string_view, Resample>, 3> table{
      {{"none", Resample::none}, {"nearest", Resample::nearest}, {"bilinear", Resample::bilinear}}};
};

template <>
Record<RasterFile> describe_record<RasterFile>() {
  return {"a raster",
          {key("raster", &RasterFile::raster,
               {.doc = "ESRI ASCII (.gz), GeoTIFF or NetCDF/HDF5 file", .required = true}),
           key("resample", &RasterFile::resample,
               {.doc = "how a raster of another grid is brought onto the model grid; none refuses it"}),
           key("variable", &RasterFile::variable,
               {.doc = "variable of a NetCDF/HDF5 file that holds several maps"}),
           key("time_index", &RasterFile::time_index,
               {.doc = "which time of a NetCDF/HDF5 variable in time, from 0; negative from the end; default "
                       "the last"})}};
}

template <>
Record<AreaValue> describe_record<AreaValue>() {
  return {"a value inside an area",
          {key("over", &AreaValue::over, {.doc = "polygon file, points or circle", .required = true}),
           key("value", &AreaValue::value,
               {.doc = "value of the cells whose centre lies in it", .required = true})}};
}

template <>
struct Codec<AreaValue> : RecordCodec<AreaValue> {};

template <>
Record<AreaValues> describe_record<AreaValues>() {
  return {"values by area; later areas win",
          {key("default", &AreaValues::otherwise, {.doc = "value outside all areas"}),
           key("polygons", &AreaValues::polygons, {.doc = "areas and their values", .required = true})}};
}

void Codec<Field>::read(Node const& node, Field& value, Reading& reading, About const& about) {
  value.range = about.range;
  if (auto const number = as_number(node)) {
    if (check_range(node, *number, about.range, reading)) value.value = *number;
    return;
  }
  if (node.is_scalar()) {
    FileName const file = reading.file_name(node.text);
    std::error_code error;
    bool const meant_as_number =
        node.quoted ? !not_a_number(node).ends_with("number") : !number_hint(node.text).empty();
    if (node.text.empty() || (meant_as_number && !std::filesystem::exists(file.path, error)))
      return reading.problem(node, not_a_number(node) + ", and no file of that name exists");
    value.value = RasterFile{file, Resample::none, "", std::nullopt};
    return;
  }
  if (node.is_map() && node.find("raster")) {
    RasterFile raster;
    read_record(node, raster, reading);
    value.value = raster;
    return;
  }
  AreaValues areas;
  if (node.is_sequence())
    Codec<std::vector<AreaValue>>::read(node, areas.polygons, reading, about);
  else if (node.is_map())
    read_record(node, areas, reading);
  else
    return reading.problem(node, "must be a number, a raster file, or a list of areas with values");
  if (areas.otherwise) check_range(node, *areas.otherwise, about.range, reading);
  for (auto const& area : areas.polygons) check_range(node, area.value, about.range, reading);
  value.value = std::move(areas);
}
Node Codec<Field>::write(Field const& value) {
  if (auto const* const number = std::get_if<double>(&value.value)) return Codec<double>::write(*number);
  if (auto const* const raster = std::get_if<RasterFile>(&value.value)) return write_record(*raster);
  return write_record(std::get<AreaValues>(value.value));
}
Node Codec<Field>::schema(About const& about) {
  return described(
      any_of({number_schema("number", about.range), typed("string"), record_schema<RasterFile>(""),
              record_schema<AreaValues>(""), array_schema(record_schema<AreaValue>(""), 0)}),
      about);
}

std::optional<Duration> parse_duration(std::string_view text) {
  text = trim(text);
  double seconds = 0;
  bool any = false;
  while (!text.empty()) {
    double value = 0;
    auto const [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc() || !(value >= 0) || !std::isfinite(value)) return std::nullopt;
    text.remove_prefix(std::size_t(end - text.data()));
    std::size_t letters = 0;
    while (letters < text.size() && is_letter(text[letters])) ++letters;
    std::string_view const unit = text.substr(0, letters);
    text.remove_prefix(letters);
    if (unit == "d")
      seconds += 86400 * value;
    else if (unit == "h")
      seconds += 3600 * value;
    else if (unit == "min" || unit == "m")
      seconds += 60 * value;
    else if (unit == "s")
      seconds += value;
    else if (unit.empty() && text.empty() && !any)
      seconds = value;
    else
      return std::nullopt;
    any = true;
  }
  if (!any) return std::nullopt;
  return Duration{seconds};
}

std::string duration_text(Duration duration) {
  double rest = duration.seconds;
  std::string text;
  for (auto const& [unit, length] : {std::pair("h", 3600.0), std::pair("m", 60.0)})
    if (double const count = std::floor(rest / length); count > 0) {
      text += number_text(count) + unit;
      rest -= count * length;
    }
  if (rest > 0 || text.empty()) text += number_text(rest) + "s";
  return text;
}

}  // namespace swe::io
