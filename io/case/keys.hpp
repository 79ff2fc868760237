#pragma once
/// \file
/// One description of the keys of a case file, from which reading, messages, JSON Schema and the case with
/// all defaults are made.
///
/// A struct is described by `template <> Record<S> describe<S>()`: its keys, rules between keys, and, for a
/// struct with kinds (boundaries by type, friction by law), a variant whose alternatives bring their own
/// keys. An alternative is a struct with `static constexpr std::string_view kind, doc` and `static
/// std::vector<Key<A>> keys()`.

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "io/case/node.hpp"
#include "io/case/values.hpp"

namespace swe::io {

/// Collects problems while a tree is read, and knows where relative file names start.
class Reading {
public:
  Reading(std::filesystem::path folder, std::vector<Problem>& problems)
      : folder_(std::move(folder)), problems_(problems) {}

  void problem(Node const& node, std::string message) {
    problems_.push_back({node.file ? *node.file : "", node.line, path_, std::move(message)});
  }
  [[nodiscard]] FileName file_name(std::string const& text) const;
  /// Number of problems so far, to see whether a step failed.
  [[nodiscard]] std::size_t problem_count() const { return problems_.size(); }

  /// Goes one key or index deeper for as long as it lives.
  class Step {
  public:
    Step(Reading& reading, std::string const& part);
    Step(Step const&) = delete;
    Step& operator=(Step const&) = delete;
    ~Step() { reading_.path_.resize(length_); }

  private:
    Reading& reading_;
    std::size_t length_;
  };

private:
  std::filesystem::path folder_;
  std::vector<Problem>& problems_;
  std::string path_;
};

/// What is said about one key beside its type.
struct About {
  std::string_view doc;
  std::string_view unit = "";  ///< where the name does not carry it
  Range range = {};
  bool required = false;
};

/// How a type is read, written and described. `read` leaves the value alone after reporting a problem.
template <class T>
struct Codec;

template <class S>
struct Key {
  std::string_view name;
  About about;
  std::function<void(Node const&, S&, Reading&)> read;
  std::function<Node(S const&)> write;  ///< null node: left out
  std::function<Node()> schema;
};

template <class S, class T>
[[nodiscard]] Key<S> key(std::string_view name, T S::*member, About about) {
  return {name, about,
          [member, about](Node const& node, S& s, Reading& reading) {
            Codec<T>::read(node, s.*member, reading, about);
          },
          [member](S const& s) { return Codec<T>::write(s.*member); },
          [about] { return Codec<T>::schema(about); }};
}

/// A rule between keys of one record.
struct KeyGroup {
  enum class Rule { exactly_one, at_most_one };
  Rule rule = Rule::exactly_one;
  std::vector<std::string_view> keys;
};

template <class S>
struct Alternative {
  std::string_view name, doc;
  std::vector<Key<S>> keys;
  std::vector<KeyGroup> groups;
  std::function<void(S&)> select;
  std::function<bool(S const&)> selected;
};

template <class S>
struct Record {
  std::string_view doc;
  std::vector<Key<S>> keys;
  std::vector<KeyGroup> groups = {};
  std::string_view tag = "";  ///< key that names the alternative
  std::string_view tag_doc = "";
  std::vector<Alternative<S>> alternatives = {};
};

/// Specialised for every described struct.
template <class S>
Record<S> describe_record();

template <class S>
Record<S> const& record_of() {
  static Record<S> const record = describe_record<S>();
  return record;
}

/// The alternatives of a variant member, their keys lifted to the struct that holds it.
template <class S, class... A>
[[nodiscard]] std::vector<Alternative<S>> alternatives(std::variant<A...> S::*member) {
  std::vector<Alternative<S>> list;
  auto const add = [&]<class One>(std::type_identity<One>) {
    Alternative<S> alternative{One::kind,
                               One::doc,
                               {},
                               {},
                               [member](S& s) { s.*member = One{}; },
                               [member](S const& s) { return std::holds_alternative<One>(s.*member); }};
    for (Key<One> const& one : One::keys())
      alternative.keys.push_back(
          {one.name, one.about,
           [member, read = one.read](Node const& node, S& s, Reading& reading) {
             read(node, std::get<One>(s.*member), reading);
           },
           [member, write = one.write](S const& s) { return write(std::get<One>(s.*member)); }, one.schema});
    if constexpr (requires { One::groups(); }) alternative.groups = One::groups();
    list.push_back(std::move(alternative));
  };
  (add(std::type_identity<A>{}), ...);
  return list;
}

/// Parts of reading a record that do not depend on its type.
namespace record_detail {

/// `node` is a map, or is reported.
bool expect_map(Node const& node, Reading& reading);
void report_unknown_key(Node const& node, NodeEntry const& entry, std::vector<std::string> const& known,
                        Reading& reading);
void report_missing_key(Node const& node, std::string_view key, Reading& reading);
void check_group(Node const& node, KeyGroup const& group, Reading& reading);
/// Name in `node` under `tag`, one of `names`; -1 after reporting.
int chosen_alternative(Node const& node, std::string_view tag, std::vector<std::string> const& names,
                       Reading& reading);
Node object_schema(std::string_view doc, std::vector<std::pair<std::string, Node>> properties,
                   std::vector<std::string> const& required, std::vector<KeyGroup> const& groups);
Node const_schema(std::string_view value, std::string_view doc);

template <class S>
Node schema_of(std::string_view doc, Record<S> const& record, Alternative<S> const* alternative) {
  std::vector<std::pair<std::string, Node>> properties;
  std::vector<std::string> required;
  std::vector<KeyGroup> groups = record.groups;
  auto const add = [&](std::vector<Key<S>> const& keys) {
    for (auto const& one : keys) {
      properties.emplace_back(one.name, one.schema());
      if (one.about.required) required.emplace_back(one.name);
    }
  };
  add(record.keys);
  if (alternative) {
    properties.emplace_back(record.tag, const_schema(alternative->name, record.tag_doc));
    required.emplace_back(record.tag);
    add(alternative->keys);
    groups.insert(groups.end(), alternative->groups.begin(), alternative->groups.end());
  }
  return object_schema(doc, std::move(properties), required, groups);
}

}  // namespace record_detail

/// Where it is not known which alternative is meant, a misspelt tag among others.
template <class S>
void report_keys_of_no_alternative(Node const& node, Record<S> const& record, Reading& reading) {
  std::vector<std::string> known{std::string(record.tag)};
  for (auto const& one : record.keys) known.emplace_back(one.name);
  for (auto const& alternative : record.alternatives)
    for (auto const& one : alternative.keys) known.emplace_back(one.name);
  for (auto const& entry : node.entries)
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      record_detail::report_unknown_key(node, entry, known, reading);
}

template <class S>
void read_record(Node const& node, S& s, Reading& reading) {
  if (!record_detail::expect_map(node, reading)) return;
  Record<S> const& record = record_of<S>();
  Alternative<S> const* alternative = nullptr;
  if (!record.tag.empty()) {
    std::vector<std::string> names;
    for (auto const& one : record.alternatives) names.emplace_back(one.name);
    int const chosen = record_detail::chosen_alternative(node, record.tag, names, reading);
    if (chosen < 0) {
      report_keys_of_no_alternative(node, record, reading);
      return;
    }
    alternative = &record.alternatives[std::size_t(chosen)];
    alternative->select(s);
  }

  std::vector<Key<S> const*> keys;
  for (auto const& one : record.keys) keys.push_back(&one);
  if (alternative)
    for (auto const& one : alternative->keys) keys.push_back(&one);
  std::vector<std::string> known;
  for (auto const* one : keys) known.emplace_back(one->name);
  if (alternative) known.emplace_back(record.tag);

  for (auto const& entry : node.entries) {
    if (alternative && entry.key == record.tag) continue;
    Key<S> const* match = nullptr;
    for (auto const* one : keys)
      if (one->name == entry.key) match = one;
    if (!match) {
      record_detail::report_unknown_key(node, entry, known, reading);
      continue;
    }
    Reading::Step const step(reading, entry.key);
    match->read(entry.value, s, reading);
  }
  for (auto const* one : keys)
    if (one->about.required && !node.find(one->name))
      record_detail::report_missing_key(node, one->name, reading);
  for (auto const& group : record.groups) record_detail::check_group(node, group, reading);
  if (alternative)
    for (auto const& group : alternative->groups) record_detail::check_group(node, group, reading);
}

template <class S>
Node write_record(S const& s) {
  Record<S> const& record = record_of<S>();
  Node node = Node::map();
  auto const add = [&](std::vector<Key<S>> const& keys) {
    for (auto const& one : keys)
      if (Node value = one.write(s); !value.is_null()) node.set(std::string(one.name), std::move(value));
  };
  add(record.keys);
  for (auto const& one : record.alternatives) {
    if (!one.selected(s)) continue;
    node.set(std::string(record.tag), Node::string(std::string(one.name)));
    add(one.keys);
  }
  return node;
}

template <class S>
Node record_schema(std::string_view doc) {
  Record<S> const& record = record_of<S>();
  if (record.alternatives.empty()) return record_detail::schema_of<S>(doc, record, nullptr);
  Node choices = Node::sequence();
  for (auto const& one : record.alternatives)
    choices.items.push_back(record_detail::schema_of<S>(one.doc, record, &one));
  Node schema = Node::map();
  schema.set("description", Node::string(std::string(doc)));
  schema.set("oneOf", std::move(choices));
  return schema;
}

template <class S>
concept Described = requires {
  describe_record<S>();
}
&&std::is_class_v<S>;

/// Structs by their record.
template <class S>
struct RecordCodec {
  static void read(Node const& node, S& s, Reading& reading, About const&) { read_record(node, s, reading); }
  static Node write(S const& s) { return write_record(s); }
  static Node schema(About const& about) { return record_schema<S>(about.doc); }
};

/// Enumerations by a table of names: `template <> struct EnumNames<E>` with `static constexpr
/// std::array<std::pair< std::string_view, E>, N> table`.
template <class E>
struct EnumNames;

namespace enum_detail {
/// Index of the name in the node, -1 after reporting.
int chosen(Node const& node, std::vector<std::string> const& names, Reading& reading);
Node schema(std::vector<std::string> const& names, About const& about);
}  // namespace enum_detail

template <class E>
[[nodiscard]] std::vector<std::string> enum_names() {
  std::vector<std::string> names;
  for (auto const& entry : EnumNames<E>::table) names.emplace_back(entry.first);
  return names;
}
template <class E>
[[nodiscard]] std::string_view enum_name(E value) {
  for (auto const& [name, one] : EnumNames<E>::table)
    if (one == value) return name;
  return "";
}

template <class E>
requires std::is_enum_v<E>
struct Codec<E> {
  static void read(Node const& node, E& value, Reading& reading, About const&) {
    int const index = enum_detail::chosen(node, enum_names<E>(), reading);
    if (index >= 0) value = EnumNames<E>::table[std::size_t(index)].second;
  }
  static Node write(E value) { return Node::string(std::string(enum_name(value))); }
  static Node schema(About const& about) { return enum_detail::schema(enum_names<E>(), about); }
};

template <>
struct Codec<double> {
  static void read(Node const& node, double& value, Reading& reading, About const& about);
  static Node write(double value);
  static Node schema(About const& about);
};
template <>
struct Codec<int> {
  static void read(Node const& node, int& value, Reading& reading, About const& about);
  static Node write(int value);
  static Node schema(About const& about);
};
template <>
struct Codec<std::string> {
  static void read(Node const& node, std::string& value, Reading& reading, About const& about);
  static Node write(std::string const& value);
  static Node schema(About const& about);
};
template <>
struct Codec<FileName> {
  static void read(Node const& node, FileName& value, Reading& reading, About const& about);
  static Node write(FileName const& value);
  static Node schema(About const& about);
};
template <>
struct Codec<Duration> {
  static void read(Node const& node, Duration& value, Reading& reading, About const& about);
  static Node write(Duration const& value);
  static Node schema(About const& about);
};
template <>
struct Codec<Point> {
  static void read(Node const& node, Point& value, Reading& reading, About const& about);
  static Node write(Point const& value);
  static Node schema(About const& about);
};
/// One point or a list of points.
struct Points {
  std::vector<Point> points;
};
template <>
struct Codec<Points> {
  static void read(Node const& node, Points& value, Reading& reading, About const& about);
  static Node write(Points const& value);
  static Node schema(About const& about);
};
template <>
struct Codec<Line> {
  static void read(Node const& node, Line& value, Reading& reading, About const& about);
  static Node write(Line const& value);
  static Node schema(About const& about);
};
template <>
struct Codec<Area> {
  static void read(Node const& node, Area& value, Reading& reading, About const& about);
  static Node write(Area const& value);
  static Node schema(About const& about);
};
template <>
struct Codec<Field> {
  static void read(Node const& node, Field& value, Reading& reading, About const& about);
  static Node write(Field const& value);
  static Node schema(About const& about);
};

template <class T>
struct Codec<std::optional<T>> {
  static void read(Node const& node, std::optional<T>& value, Reading& reading, About const& about) {
    T one = value.value_or(T{});
    std::size_t const before = reading.problem_count();
    Codec<T>::read(node, one, reading, about);
    if (reading.problem_count() == before) value = std::move(one);
  }
  static Node write(std::optional<T> const& value) { return value ? Codec<T>::write(*value) : Node{}; }
  static Node schema(About const& about) { return Codec<T>::schema(about); }
};

namespace list_detail {
bool expect_list(Node const& node, Reading& reading);
Node schema(Node items, About const& about, bool also_one);
}  // namespace list_detail

/// Lists. Of numbers and names a single one need not stand in brackets.
template <class T>
struct Codec<std::vector<T>> {
  static constexpr bool also_one = std::is_enum_v<T> || std::is_arithmetic_v<T>;
  static void read(Node const& node, std::vector<T>& value, Reading& reading, About const& about) {
    if (node.is_null()) return;
    if (also_one && node.is_scalar()) {
      value.assign(1, T{});
      Codec<T>::read(node, value.front(), reading, about);
      return;
    }
    if (!list_detail::expect_list(node, reading)) return;
    value.assign(node.items.size(), T{});
    for (std::size_t k = 0; k < node.items.size(); ++k) {
      Reading::Step const step(reading, std::to_string(k));
      Codec<T>::read(node.items[k], value[k], reading, about);
    }
  }
  static Node write(std::vector<T> const& value) {
    Node node = Node::sequence();
    for (T const& one : value) node.items.push_back(Codec<T>::write(one));
    return node;
  }
  static Node schema(About const& about) {
    About item = about;
    item.doc = "";
    return list_detail::schema(Codec<T>::schema(item), about, also_one);
  }
};

}  // namespace swe::io
