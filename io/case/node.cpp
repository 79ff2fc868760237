#include "io/case/node.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

namespace swe::io {

namespace {

constexpr std::size_t most_alias_nodes = 100'000;
constexpr std::size_t deepest_alias = 200;

struct Extent {
  std::size_t nodes = 1, depth = 1;
};

Extent extent_of(Node const& node) {
  Extent extent;
  auto const add = [&](Node const& child) {
    auto const [nodes, depth] = extent_of(child);
    extent.nodes += nodes;
    extent.depth = std::max(extent.depth, depth + 1);
  };
  for (auto const& item : node.items) add(item);
  for (auto const& entry : node.entries) add(entry.value);
  return extent;
}

/// Line of the first byte that is not part of well-formed UTF-8; 0 when there is none.
int first_line_not_utf8(std::string_view text) {
  int line = 1;
  for (std::size_t k = 0; k < text.size();) {
    auto const byte = static_cast<unsigned char>(text[k]);
    std::size_t const length = byte < 0x80                   ? 1
                               : byte >= 0xC2 && byte < 0xE0 ? 2
                               : byte >= 0xE0 && byte < 0xF0 ? 3
                               : byte >= 0xF0 && byte < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || k + length > text.size()) return line;
    for (std::size_t n = 1; n < length; ++n)
      if ((static_cast<unsigned char>(text[k + n]) & 0xC0) != 0x80) return line;
    line += byte == '\n';
    k += length;
  }
  return 0;
}

/// Builds the tree from yaml-cpp's events, which carry what its own tree loses: duplicate keys, aliases,
/// tags.
class TreeBuilder : public YAML::EventHandler {
public:
  TreeBuilder(std::shared_ptr<std::string const> file, std::vector<Problem>& problems)
      : file_(std::move(file)), problems_(problems) {}

  Node take() { return std::move(root_); }

  void OnDocumentStart(YAML::Mark const&) override {}
  void OnDocumentEnd() override {}
  void OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) override {
    leaf(make(Node::Kind::null, mark), anchor);
  }
  void OnScalar(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                std::string const& value) override {
    check_tag(mark, tag);
    Node node = make(Node::Kind::scalar, mark);
    node.text = value;
    node.quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
    leaf(std::move(node), anchor);
  }
  void OnAlias(YAML::Mark const& mark, YAML::anchor_t anchor) override {
    auto const found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      problem(line_of(mark), "an alias inside what it stands for");
      leaf(make(Node::Kind::null, mark), 0);
      return;
    }
    auto const extent = extent_of(found->second);
    alias_nodes_ += extent.nodes;
    if (alias_nodes_ > most_alias_nodes || extent.depth > deepest_alias)
      throw YAML::ParserException(
          mark, "aliases expand to more than " + std::to_string(most_alias_nodes) + " nodes");
    leaf(found->second, 0);
  }
  void OnSequenceStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    open_.push_back({make(Node::Kind::sequence, mark), anchor, {}});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    open_.push_back({make(Node::Kind::map, mark), anchor, {}});
  }
  void OnMapEnd() override { close(); }

private:
  struct Key {
    std::string text;
    int line = 0;
    bool usable = true;
  };
  struct Open {
    Node node;
    YAML::anchor_t anchor = 0;
    std::optional<Key> key;
  };

  static int line_of(YAML::Mark const& mark) { return mark.line + 1; }

  [[nodiscard]] Node make(Node::Kind kind, YAML::Mark const& mark) const {
    Node node;
    node.kind = kind;
    node.file = file_;
    node.line = line_of(mark);
    return node;
  }

  [[nodiscard]] std::string path() const {
    std::string path;
    for (auto const& open : open_) {
      if (open.node.is_sequence())
        path += (path.empty() ? "" : ".") + std::to_string(open.node.items.size());
      else if (open.key)
        path += (path.empty() ? "" : ".") + open.key->text;
    }
    return path;
  }

  void problem(int line, std::string message, std::string key = "") {
    problems_.push_back({*file_, line, key.empty() ? path() : std::move(key), std::move(message)});
  }

  void check_tag(YAML::Mark const& mark, std::string const& tag) {
    bool const ordinary = tag.empty() || tag == "?" || tag == "!" || tag.starts_with("tag:yaml.org,2002:");
    if (!ordinary) problem(line_of(mark), "the tag '" + tag + "' is not supported; a case is one file");
  }

  void leaf(Node node, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = node;
    attach(std::move(node));
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    if (done.anchor != 0) anchors_[done.anchor] = done.node;
    attach(std::move(done.node));
  }

  void attach(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.is_sequence()) {
      parent.node.items.push_back(std::move(node));
      return;
    }
    if (!parent.key) {
      parent.key = key_from(parent, node);
      return;
    }
    Key const key = *std::exchange(parent.key, std::nullopt);
    // What is wrong with a section as a whole is shown at its key.
    if (!node.is_scalar()) node.line = key.line;
    if (key.usable) parent.node.entries.push_back({key.text, key.line, std::move(node)});
  }

  Key key_from(Open const& parent, Node const& node) {
    Key key{node.text, node.line, true};
    if (!node.is_scalar()) {
      problem(node.line, "a key must be a word");
      key = {"?", node.line, false};
    } else if (node.text == "<<" && !node.quoted) {
      problem(node.line, "merge keys (<<) are not supported; an alias may stand for a whole value instead");
      key.usable = false;
    } else if (Node const* const earlier = parent.node.find(node.text)) {
      std::string const before = path();
      auto const first = std::find_if(parent.node.entries.begin(), parent.node.entries.end(),
                                      [&](NodeEntry const& entry) { return &entry.value == earlier; });
      problem(node.line, "the key appears twice; first in line " + std::to_string(first->line),
              (before.empty() ? "" : before + ".") + node.text);
      key.usable = false;
    }
    return key;
  }

  std::shared_ptr<std::string const> file_;
  std::vector<Problem>& problems_;
  Node root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node> anchors_;
  std::size_t alias_nodes_ = 0;
};

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  for (;;) {
    auto const dot = path.find('.');
    parts.emplace_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    path.remove_prefix(dot + 1);
  }
}

std::optional<std::size_t> as_index(std::string_view text) {
  std::size_t index = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return index;
}

/// Text that YAML would read as something else when it is not quoted.
bool needs_quotes(std::string const& text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return true;
  if (text.find_first_of("\n\r\t:#{}[],&*!|>'\"%@`\\") != std::string::npos) return true;
  if (std::string_view("-?=~").find(text.front()) != std::string_view::npos) return true;
  if (text.find_first_not_of("0123456789+-.eE_xob") == std::string::npos) return true;
  std::string lower = text;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  for (char const* const word :
       {"null", "true", "false", "yes", "no", "on", "off", "y", "n", ".inf", ".nan", "<<"})
    if (lower == word) return true;
  return false;
}

std::string quote(std::string const& text) {
  std::string quoted = "\"";
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (c == '\r') {
      quoted += "\\r";
    } else if (byte < 0x20) {
      constexpr std::string_view hex = "0123456789abcdef";
      quoted += std::string("\\u00") + hex[byte >> 4] + hex[byte & 15];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

bool is_short_list(Node const& node) {
  return std::all_of(node.items.begin(), node.items.end(), [](Node const& item) {
    return item.is_scalar() ||
           (item.is_sequence() && std::all_of(item.items.begin(), item.items.end(),
                                              [](Node const& inner) { return inner.is_scalar(); }));
  });
}

std::string yaml_scalar(Node const& node) {
  if (node.is_null()) return "null";
  return node.quoted && needs_quotes(node.text) ? quote(node.text) : node.text;
}

std::string yaml_flow(Node const& node) {
  if (!node.is_sequence()) return yaml_scalar(node);
  std::string text = "[";
  for (auto const& item : node.items) text += (text.size() > 1 ? ", " : "") + yaml_flow(item);
  return text + "]";
}

void write_yaml(std::string& out, Node const& node, std::size_t indent, bool in_list) {
  bool first = true;
  auto const margin = [&] {
    if (!(in_list && first)) out += std::string(indent, ' ');
    first = false;
  };
  if (node.is_map()) {
    for (auto const& [key, line, value] : node.entries) {
      margin();
      out += (needs_quotes(key) ? quote(key) : key) + ":";
      bool const block =
          (value.is_map() && !value.entries.empty()) || (value.is_sequence() && !is_short_list(value));
      if (block) {
        out += '\n';
        write_yaml(out, value, indent + 2, false);
      } else {
        out += ' ' + (value.is_map() ? "{}" : yaml_flow(value)) + '\n';
      }
    }
    return;
  }
  for (auto const& item : node.items) {
    margin();
    out += "- ";
    if (item.is_map() && !item.entries.empty())
      write_yaml(out, item, indent + 2, true);
    else
      out += (item.is_map() ? "{}" : yaml_flow(item)) + '\n';
  }
}

void write_json(std::string& out, Node const& node, std::size_t indent) {
  auto const list = [&](char open, char close, std::size_t count, auto const& write_one) {
    out += open;
    for (std::size_t k = 0; k < count; ++k) {
      out += (k > 0 ? ",\n" : "\n") + std::string(indent + 2, ' ');
      write_one(k);
    }
    if (count > 0) out += '\n' + std::string(indent, ' ');
    out += close;
  };
  switch (node.kind) {
    case Node::Kind::null:
      out += "null";
      break;
    case Node::Kind::scalar:
      out += node.quoted ? quote(node.text) : node.text;
      break;
    case Node::Kind::sequence:
      list('[', ']', node.items.size(), [&](std::size_t k) { write_json(out, node.items[k], indent + 2); });
      break;
    case Node::Kind::map:
      list('{', '}', node.entries.size(), [&](std::size_t k) {
        out += quote(node.entries[k].key) + ": ";
        write_json(out, node.entries[k].value, indent + 2);
      });
      break;
  }
}

/// Whether there is a tab before the first word of a line, counted from 1.
bool begins_with_tab(std::string const& text, int line) {
  std::istringstream stream(text);
  std::string words;
  for (int k = 0; k < line && std::getline(stream, words); ++k) {
  }
  return words.substr(0, words.find_first_not_of(" \t")).find('\t') != std::string::npos;
}

}  // namespace

Node const* Node::find(std::string_view key) const {
  for (auto const& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}
Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

Node Node::plain(std::string text) {
  Node node;
  node.kind = Kind::scalar;
  node.text = std::move(text);
  return node;
}
Node Node::string(std::string text) {
  Node node = plain(std::move(text));
  node.quoted = true;
  return node;
}
Node Node::sequence(std::vector<Node> items) {
  Node node;
  node.kind = Kind::sequence;
  node.items = std::move(items);
  return node;
}
Node Node::map() {
  Node node;
  node.kind = Kind::map;
  return node;
}
Node& Node::set(std::string key, Node value) {
  if (Node* const present = find(key))
    *present = std::move(value);
  else
    entries.push_back({std::move(key), 0, std::move(value)});
  return *this;
}

Node parse_yaml(std::string const& text, std::string const& file, std::vector<Problem>& problems) {
  if (int const line = first_line_not_utf8(text); line > 0) {
    problems.push_back({file, line, "", "the text is not UTF-8"});
    return {};
  }
  TreeBuilder builder(std::make_shared<std::string const>(file), problems);
  std::istringstream stream(text);
  try {
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(builder)) {
      class Nothing : public YAML::EventHandler {
        void OnDocumentStart(YAML::Mark const&) override {}
        void OnDocumentEnd() override {}
        void OnNull(YAML::Mark const&, YAML::anchor_t) override {}
        void OnAlias(YAML::Mark const&, YAML::anchor_t) override {}
        void OnScalar(YAML::Mark const&, std::string const&, YAML::anchor_t, std::string const&) override {}
        void OnSequenceStart(YAML::Mark const&, std::string const&, YAML::anchor_t,
                             YAML::EmitterStyle::value) override {}
        void OnSequenceEnd() override {}
        void OnMapStart(YAML::Mark const&, std::string const&, YAML::anchor_t,
                        YAML::EmitterStyle::value) override {}
        void OnMapEnd() override {}
      } nothing;
      if (parser.HandleNextDocument(nothing))
        problems.push_back({file, 0, "", "holds more than one YAML document"});
    }
  } catch (YAML::Exception const& error) {
    int const line = error.mark.is_null() ? 0 : error.mark.line + 1;
    problems.push_back({file, line, "",
                        "not valid YAML: " + error.msg +
                            (begins_with_tab(text, line) ? " (a tab; YAML indents with blanks)" : "")});
    return {};
  }
  return builder.take();
}

void apply_override(Node& root, std::string const& assignment, std::vector<Problem>& problems) {
  std::string const file = "--set " + assignment;
  auto const fail = [&](std::string key, std::string message) {
    problems.push_back({file, 0, std::move(key), std::move(message)});
  };
  auto const equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) return fail("", "must read key.path=value");
  std::size_t const before = problems.size();
  Node value = parse_yaml(assignment.substr(equals + 1), file, problems);
  for (std::size_t k = before; k < problems.size(); ++k) problems[k].line = 0;
  if (problems.size() > before) return;
  if (!value.file) value.file = std::make_shared<std::string const>(file);
  auto const strip_lines = [](auto const& self, Node& node) -> void {
    node.line = 0;
    for (auto& item : node.items) self(self, item);
    for (auto& entry : node.entries) {
      entry.line = 0;
      self(self, entry.value);
    }
  };
  strip_lines(strip_lines, value);

  Node* at = &root;
  std::string path;
  for (auto const& part : split_path(assignment.substr(0, equals))) {
    if (part.empty()) return fail(path, "an empty word in the key path");
    auto const index = as_index(part);
    if (at->is_null()) {
      auto const line = at->line;
      *at = index ? Node::sequence() : Node::map();
      at->file = value.file;
      at->line = line;
    }
    if (at->is_sequence()) {
      if (!index || *index > at->items.size())
        return fail((path.empty() ? "" : path + ".") + part,
                    "is no item of a list of " + std::to_string(at->items.size()) + " (counted from 0)");
      if (*index == at->items.size()) at->items.emplace_back().file = value.file;
      at = &at->items[*index];
    } else if (at->is_map()) {
      if (!at->find(part)) {
        Node fresh;
        fresh.file = value.file;
        at->set(part, std::move(fresh));
      }
      at = at->find(part);
    } else {
      return fail(path, "is a single value, so it has no key '" + part + "'");
    }
    path += (path.empty() ? "" : ".") + part;
  }
  *at = std::move(value);
}

Node const& nearest_node(Node const& root, std::string_view path) {
  Node const* at = &root;
  for (auto const& part : split_path(path)) {
    Node const* next = nullptr;
    if (at->is_map()) next = at->find(part);
    if (auto const index = as_index(part); at->is_sequence() && index && *index < at->items.size())
      next = &at->items[*index];
    if (!next) break;
    at = next;
  }
  return *at;
}

std::string to_yaml(Node const& root) {
  std::string text;
  write_yaml(text, root, 0, false);
  return text;
}

std::string to_json(Node const& root) {
  std::string text;
  write_json(text, root, 0);
  return text + '\n';
}

}  // namespace swe::io
