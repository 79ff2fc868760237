#pragma once
/// \file
/// Just enough JSON to write a report.

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace swe::io {

/// An object whose members keep their order.
class JsonObject {
public:
  JsonObject& set(std::string_view key, std::string_view text);
  JsonObject& set(std::string_view key, char const* text) { return set(key, std::string_view(text)); }
  /// NaN and infinities, which JSON lacks, become null.
  JsonObject& set(std::string_view key, double number);
  JsonObject& set(std::string_view key, bool value);
  template <std::integral Integer>
  JsonObject& set(std::string_view key, Integer number) {
    return set_raw(key, std::to_string(number));
  }
  JsonObject& set(std::string_view key, JsonObject const& object);
  JsonObject& set(std::string_view key, std::vector<std::string> const& texts);
  JsonObject& set(std::string_view key, std::vector<JsonObject> const& objects);

  /// Indented by two spaces a level, ending without a newline; on one line when `indent` is negative.
  [[nodiscard]] std::string text(int indent = 0) const;

private:
  struct Member {
    std::string key;
    std::string raw;                 ///< JSON text, where it is neither of the others
    std::vector<JsonObject> nested;  ///< one object, or the items of a list
    enum class Kind { raw, object, list } kind = Kind::raw;
  };
  JsonObject& set_raw(std::string_view key, std::string raw);
  JsonObject& set_member(Member member);
  std::vector<Member> members_;
};

/// `text` in quotation marks, with what JSON forbids escaped.
[[nodiscard]] std::string json_quoted(std::string_view text);

}  // namespace swe::io
