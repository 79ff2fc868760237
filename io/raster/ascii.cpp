// ESRI ASCII grids in the dialects people have: keys in any order and case, corner or centre registration per
// axis, dx/dy for oblong cells, Fortran exponents, missing NODATA_value.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <ostream>
#include <string_view>
#include <utility>

#include "io/case/input_error.hpp"
#include "io/raster/raster.hpp"
#include "io/text.hpp"

namespace swe::io {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// No elevation, depth or coefficient is this large; it is what programs write for "missing".
constexpr double absurd = 1e30;
constexpr double customary_no_data = -9999;

enum class HeaderKey {
  ncols,
  nrows,
  xllcorner,
  yllcorner,
  xllcenter,
  yllcenter,
  cellsize,
  dx,
  dy,
  no_data,
  count
};

constexpr std::array<std::pair<std::string_view, HeaderKey>, 15> header_names{{
    {"ncols", HeaderKey::ncols},
    {"nrows", HeaderKey::nrows},
    {"xllcorner", HeaderKey::xllcorner},
    {"yllcorner", HeaderKey::yllcorner},
    {"xllcenter", HeaderKey::xllcenter},
    {"yllcenter", HeaderKey::yllcenter},
    {"xllcentre", HeaderKey::xllcenter},
    {"yllcentre", HeaderKey::yllcenter},
    {"cellsize", HeaderKey::cellsize},
    {"dx", HeaderKey::dx},
    {"dy", HeaderKey::dy},
    {"xdim", HeaderKey::dx},
    {"ydim", HeaderKey::dy},
    {"nodata_value", HeaderKey::no_data},
    {"nodata", HeaderKey::no_data},
}};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

/// A number as such files spell it: leading plus, Fortran's D exponent and `nan` included.
/// Only the whole token counts.
std::optional<double> parse_number(char const* first, char const* last) {
  char const* const begin = first + (last - first > 1 && *first == '+' && first[1] != '-');
  double value = 0;
  auto const [end, error] = std::from_chars(begin, last, value);
  if (error == std::errc() && end == last) return value;
  if (error == std::errc::result_out_of_range) return end == last ? std::optional(HUGE_VAL) : std::nullopt;
  if (error == std::errc() && (*end == 'D' || *end == 'd')) {
    std::string spelled(begin, last);
    spelled[end - begin] = 'e';
    auto const [end2, error2] = std::from_chars(spelled.data(), spelled.data() + spelled.size(), value);
    if (error2 == std::errc() && end2 == spelled.data() + spelled.size()) return value;
  }
  return std::nullopt;
}

struct Header {
  std::array<std::optional<double>, std::size_t(HeaderKey::count)> value;
  std::optional<double> operator[](HeaderKey key) const { return value[std::size_t(key)]; }
};

class Parser {
public:
  Parser(std::string_view text, std::string const& file)
      : at_(text.data()), end_(text.data() + text.size()), file_(file) {
    if (text.starts_with("\xEF\xBB\xBF")) at_ += 3;
  }

  Raster read() {
    read_header();
    Raster raster;
    raster.grid = grid();
    read_values(raster);
    return raster;
  }

private:
  [[noreturn]] void fail(std::string message, int line = 0) const {
    throw InputError({{file_, line, "", std::move(message)}});
  }

  void skip_blanks() {
    for (; at_ < end_ && is_blank(*at_); ++at_) line_ += *at_ == '\n';
  }

  std::string_view token() {
    char const* const first = at_;
    while (at_ < end_ && !is_blank(*at_)) ++at_;
    return {first, std::size_t(at_ - first)};
  }

  void read_header() {
    for (;;) {
      skip_blanks();
      char const* const before = at_;
      if (at_ == end_ || !is_letter(*at_)) return;
      std::string const word = lower_case(token());
      if (word == "nan" || word == "inf") {
        at_ = before;
        return;
      }
      auto const known = std::find_if(header_names.begin(), header_names.end(),
                                      [&](auto const& entry) { return entry.first == word; });
      if (known == header_names.end()) {
        std::vector<std::string> names;
        for (auto const& entry : header_names) names.emplace_back(entry.first);
        fail("'" + word + "' is not a header key of an ESRI ASCII raster" + suggestion(word, names), line_);
      }
      int const key_line = line_;
      skip_blanks();
      std::string_view const text = token();
      auto const value = parse_number(text.data(), text.data() + text.size());
      if (!value || std::isinf(*value))
        fail(word + ": '" + std::string(text) + "' is not a number" + number_hint(text), key_line);
      auto& slot = header_.value[std::size_t(known->second)];
      if (slot) fail("header key " + word + " appears twice", key_line);
      slot = *value;
    }
  }

  [[nodiscard]] int count_of(HeaderKey key, char const* name) const {
    double const value = *header_[key];
    if (!(value >= 1) || value != std::floor(value) || value > std::numeric_limits<int>::max())
      fail(std::string(name) + " must be a whole number of at least 1, not " + number_text(value));
    return int(value);
  }

  [[nodiscard]] Grid grid() const {
    bool const has_size = header_[HeaderKey::cellsize] || (header_[HeaderKey::dx] && header_[HeaderKey::dy]);
    std::vector<std::string> missing;
    if (!header_[HeaderKey::ncols]) missing.emplace_back("ncols");
    if (!header_[HeaderKey::nrows]) missing.emplace_back("nrows");
    if (!header_[HeaderKey::xllcorner] && !header_[HeaderKey::xllcenter]) missing.emplace_back("xllcorner");
    if (!header_[HeaderKey::yllcorner] && !header_[HeaderKey::yllcenter]) missing.emplace_back("yllcorner");
    if (!has_size) missing.emplace_back("cellsize");
    if (!missing.empty()) fail("not an ESRI ASCII raster: header keys are missing: " + join(missing, ", "));
    if (header_[HeaderKey::cellsize] && (header_[HeaderKey::dx] || header_[HeaderKey::dy]))
      fail("cellsize and dx/dy in one header");
    if (header_[HeaderKey::xllcorner] && header_[HeaderKey::xllcenter])
      fail("xllcorner and xllcenter in one header");
    if (header_[HeaderKey::yllcorner] && header_[HeaderKey::yllcenter])
      fail("yllcorner and yllcenter in one header");

    Grid grid;
    grid.nx = count_of(HeaderKey::ncols, "ncols");
    grid.ny = count_of(HeaderKey::nrows, "nrows");
    grid.dx = header_[HeaderKey::cellsize] ? *header_[HeaderKey::cellsize] : *header_[HeaderKey::dx];
    grid.dy = header_[HeaderKey::cellsize] ? *header_[HeaderKey::cellsize] : *header_[HeaderKey::dy];
    if (!(grid.dx > 0) || !(grid.dy > 0)) fail("cellsize must be greater than 0");
    grid.x0 = header_[HeaderKey::xllcorner] ? *header_[HeaderKey::xllcorner]
                                            : *header_[HeaderKey::xllcenter] - 0.5 * grid.dx;
    grid.y0 = header_[HeaderKey::yllcorner] ? *header_[HeaderKey::yllcorner]
                                            : *header_[HeaderKey::yllcenter] - 0.5 * grid.dy;
    if (double(grid.nx) * grid.ny * sizeof(double) > double(memory_limit_bytes()))
      fail(describe_grid(grid) + " do not fit this machine's memory");
    return grid;
  }

  /// Header and body often spell one no-data number differently: as a float and as a double, or with fewer
  /// digits.
  [[nodiscard]] static bool is_no_data(double value, double no_data) {
    if (value == no_data) return true;
    if (std::abs(no_data) >= absurd) return std::abs(value) >= absurd && (value < 0) == (no_data < 0);
    return std::abs(value - no_data) <= 1e-7 * std::abs(no_data);
  }

  void read_values(Raster& raster) {
    auto const [nx, ny] = std::pair(raster.grid.nx, raster.grid.ny);
    std::int64_t const expected = raster.grid.cells();
    double const no_data = header_[HeaderKey::no_data].value_or(customary_no_data);
    std::int64_t defaulted = 0, found = 0;
    raster.values.resize(std::size_t(std::min<std::int64_t>(expected, end_ - at_)));
    if (std::int64_t(raster.values.size()) == expected) {
      for (int row = 0; row < ny && found == std::int64_t(row) * nx; ++row) {
        double* const out = raster.values.data() + std::int64_t(ny - 1 - row) * nx;
        for (int column = 0; column < nx; ++column, ++found) {
          skip_blanks();
          if (at_ == end_) break;
          std::string_view const text = token();
          auto const value = parse_number(text.data(), text.data() + text.size());
          if (!value)
            fail(place(row, column) + ": '" + shorten(text) + "' is not a number" + number_hint(text), line_);
          if (is_no_data(*value, no_data)) {
            out[column] = nan;
            ++defaulted;
          } else if (std::abs(*value) >= absurd) {
            fail(place(row, column) + ": " + shorten(text) +
                     " is no sensible value, and not the NODATA_value " + number_text(no_data),
                 line_);
          } else {
            out[column] = *value;
          }
        }
      }
    } else {
      found = count_tokens();
    }
    if (found == expected) found += count_tokens();
    if (found != expected)
      fail("expected " + std::to_string(expected) + " values (ncols " + std::to_string(nx) + " x nrows " +
           std::to_string(ny) + "), found " + std::to_string(found));
    if (!header_[HeaderKey::no_data] && defaulted > 0)
      raster.notes.push_back(file_ + ": no NODATA_value in the header; " + std::to_string(defaulted) +
                             " cells of -9999 are taken as no data");
  }

  std::int64_t count_tokens() {
    std::int64_t count = 0;
    for (skip_blanks(); at_ < end_; skip_blanks(), ++count) token();
    return count;
  }

  static std::string place(int row, int column) {
    return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
  }
  static std::string shorten(std::string_view text) { return std::string(text.substr(0, 40)); }

  char const* at_;
  char const* end_;
  std::string const& file_;
  int line_ = 1;
  Header header_;
};

}  // namespace

Raster parse_ascii_raster(std::string_view text, std::string const& file) {
  return Parser(text, file).read();
}

void write_ascii_raster(std::ostream& out, Grid const& grid, std::vector<double> const& values,
                        double no_data) {
  out << "ncols " << grid.nx << "\nnrows " << grid.ny << "\nxllcorner " << number_text(grid.x0)
      << "\nyllcorner " << number_text(grid.y0);
  if (grid.dx == grid.dy)
    out << "\ncellsize " << number_text(grid.dx);
  else
    out << "\ndx " << number_text(grid.dx) << "\ndy " << number_text(grid.dy);
  out << "\nNODATA_value " << number_text(no_data) << '\n';
  std::string row;
  for (int j = grid.ny - 1; j >= 0; --j) {
    row.clear();
    for (int i = 0; i < grid.nx; ++i) {
      double const value = values[grid.index(i, j)];
      if (i > 0) row += ' ';
      append_number(row, std::isnan(value) ? no_data : value);
    }
    row += '\n';
    out << row;
  }
}

}  // namespace swe::io
