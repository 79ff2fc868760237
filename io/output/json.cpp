#include "io/output/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "io/output/number_text.hpp"

namespace swe::io {

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (char const c : text) {
    switch (c) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\t':
        quoted += "\\t";
        break;
      case '\r':
        quoted += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          char code[8];
          std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
          quoted += code;
        } else {
          quoted += c;
        }
    }
  }
  return quoted + '"';
}

JsonObject& JsonObject::set_member(Member member) {
  auto const same =
      std::find_if(members_.begin(), members_.end(), [&](auto const& m) { return m.key == member.key; });
  if (same != members_.end())
    *same = std::move(member);
  else
    members_.push_back(std::move(member));
  return *this;
}

JsonObject& JsonObject::set_raw(std::string_view key, std::string raw) {
  return set_member({std::string(key), std::move(raw), {}, Member::Kind::raw});
}

JsonObject& JsonObject::set(std::string_view key, std::string_view text) {
  return set_raw(key, json_quoted(text));
}
JsonObject& JsonObject::set(std::string_view key, double number) {
  return set_raw(key, std::isfinite(number) ? number_text(number) : "null");
}
JsonObject& JsonObject::set(std::string_view key, bool value) {
  return set_raw(key, value ? "true" : "false");
}
JsonObject& JsonObject::set(std::string_view key, JsonObject const& object) {
  return set_member({std::string(key), {}, {object}, Member::Kind::object});
}
JsonObject& JsonObject::set(std::string_view key, std::vector<JsonObject> const& objects) {
  return set_member({std::string(key), {}, objects, Member::Kind::list});
}
JsonObject& JsonObject::set(std::string_view key, std::vector<std::string> const& texts) {
  std::string raw = "[";
  for (auto const& text : texts) raw += (raw.size() > 1 ? ", " : "") + json_quoted(text);
  return set_raw(key, raw + "]");
}

std::string JsonObject::text(int indent) const {
  bool const one_line = indent < 0;
  int const deeper = one_line ? indent : indent + 2;
  std::string const line = one_line ? "" : "\n" + std::string(static_cast<std::size_t>(deeper), ' ');
  std::string const last_line = one_line ? "" : "\n" + std::string(static_cast<std::size_t>(indent), ' ');
  std::string result = "{";
  for (std::size_t k = 0; k < members_.size(); ++k) {
    auto const& member = members_[k];
    result += (k == 0 ? "" : one_line ? ", " : ",") + line + json_quoted(member.key) + ": ";
    switch (member.kind) {
      case Member::Kind::raw:
        result += member.raw;
        break;
      case Member::Kind::object:
        result += member.nested.front().text(deeper);
        break;
      case Member::Kind::list:
        result += "[";
        for (std::size_t item = 0; item < member.nested.size(); ++item)
          result += (item == 0 ? "" : ", ") + member.nested[item].text(-1);
        result += "]";
        break;
    }
  }
  return result + last_line + "}";
}

}  // namespace swe::io
