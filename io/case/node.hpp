#pragma once
/// \file
/// The text of a case file as a tree that knows where each piece was written. YAML comes in (JSON and GeoJSON
/// being YAML too); YAML and JSON go out.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/input_error.hpp"

namespace swe::io {

struct NodeEntry;

struct Node {
  enum class Kind { null, scalar, sequence, map };

  Kind kind = Kind::null;
  std::string text;                ///< of a scalar
  bool quoted = false;             ///< scalar that is text whatever it looks like
  std::vector<Node> items;         ///< of a sequence
  std::vector<NodeEntry> entries;  ///< of a map, in the order written
  std::shared_ptr<std::string const> file;
  int line = 0;

  // Defined below, where NodeEntry is complete: clang asks that of the vectors of C++20.
  Node();
  Node(Node const&);
  Node(Node&&) noexcept;
  Node& operator=(Node const&);
  Node& operator=(Node&&) noexcept;
  ~Node();

  [[nodiscard]] bool is_null() const { return kind == Kind::null; }
  [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
  [[nodiscard]] bool is_sequence() const { return kind == Kind::sequence; }
  [[nodiscard]] bool is_map() const { return kind == Kind::map; }
  /// Value of a key of a map; null pointer when absent.
  [[nodiscard]] Node const* find(std::string_view key) const;
  [[nodiscard]] Node* find(std::string_view key);

  /// For trees made by us. `set` replaces or appends and gives back the node for chaining.
  static Node plain(std::string text);
  static Node string(std::string text);
  static Node sequence(std::vector<Node> items = {});
  static Node map();
  Node& set(std::string key, Node value);
};

struct NodeEntry {
  std::string key;
  int line = 0;
  Node value;
};

inline Node::Node() = default;
inline Node::Node(Node const&) = default;
inline Node::Node(Node&&) noexcept = default;
inline Node& Node::operator=(Node const&) = default;
inline Node& Node::operator=(Node&&) noexcept = default;
inline Node::~Node() = default;

/// Reads one YAML document. What is refused is added to `problems`: syntax errors, text that is not UTF-8,
/// duplicate keys, keys that are no plain words, merge keys (<<), tags such as !include, a second document,
/// aliases that expand to more than 100 000 nodes. The tree then holds what could be read.
[[nodiscard]] Node parse_yaml(std::string const& text, std::string const& file,
                              std::vector<Problem>& problems);

/// Applies `key.path=value` (see load_case). The new nodes name `--set key.path=value` as their file.
void apply_override(Node& root, std::string const& assignment, std::vector<Problem>& problems);

/// The node at `path`, or the last one on the way that exists: where a message about `path` should point.
[[nodiscard]] Node const& nearest_node(Node const& root, std::string_view path);

[[nodiscard]] std::string to_yaml(Node const& root);
[[nodiscard]] std::string to_json(Node const& root);

}  // namespace swe::io
