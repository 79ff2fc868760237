#include "validation/analytic/report.hpp"

#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>

namespace swe::validation {

namespace {

std::string number(double value, char const* format = "%.3g") {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Visits the rows of one quantity and time on all grids: f(grid, row, row of the grid before or null).
template <class F>
void for_each_error(SeriesResult const& series, std::string const& quantity, double time, F const& f) {
  ErrorRow const* before = nullptr;
  GridResult const* grid_before = nullptr;
  for (auto const& grid : series.grids) {
    ErrorRow const* row = grid.find(quantity, time);
    if (!row) continue;
    f(grid, *row, before, grid_before);
    before = row;
    grid_before = &grid;
  }
}

std::string order_text(double coarse, double fine, GridResult const* grid_coarse,
                       GridResult const& grid_fine) {
  if (!grid_coarse || !(coarse > 0) || !(fine > 0)) return "";
  return number(observed_order(coarse, fine, grid_coarse->n, grid_fine.n), "%.2f");
}

std::string verdict_text(Verdict const& v) {
  return v.what + ": " + number(v.value) + (v.at_least ? " (at least " : " (at most ") + number(v.limit) +
         ")";
}

/// The quantities and times measured, in the order met.
std::vector<std::pair<std::string, double>> measured(SeriesResult const& series) {
  std::vector<std::pair<std::string, double>> all;
  if (series.grids.empty()) return all;
  for (auto const& row : series.grids.front().errors) all.emplace_back(row.quantity, row.time);
  return all;
}

/// Writes JSON with commas in the right places; nothing but objects, arrays, strings and numbers.
class Json {
public:
  explicit Json(std::ostream& out) : out_(out) {}
  void open(char bracket) { separate(), out_ << bracket, fresh_ = true; }
  void close(char bracket) { out_ << bracket, fresh_ = false; }
  void key(std::string const& name) { separate(), quote(name), out_ << ':', fresh_ = true; }
  void value(std::string const& text) { separate(), quote(text); }
  void value(double x) {
    separate();
    if (std::isfinite(x)) {
      out_ << number(x, "%.17g");
    } else {
      out_ << "null";
    }
  }
  template <class T>
  void field(std::string const& name, T const& x) {
    key(name), value(x);
  }
  void field(std::string const& name, std::vector<double> const& values) {
    key(name);
    open('[');
    for (double const x : values) value(x);
    close(']');
  }

private:
  void separate() {
    if (!fresh_) out_ << ',';
    fresh_ = false;
  }
  void quote(std::string const& text) {
    out_ << '"';
    for (char const c : text) {
      if (c == '"' || c == '\\') out_ << '\\';
      out_ << c;
    }
    out_ << '"';
  }
  std::ostream& out_;
  bool fresh_ = true;
};

}  // namespace

void print_text(std::ostream& out, Benchmark const& benchmark, SeriesResult const& series) {
  out << "\n" << benchmark.name << " (" << scheme_name(series.scheme) << "): " << benchmark.title << "\n";
  if (!series.not_run.empty()) {
    out << "  NOT RUN: " << series.not_run << "\n";
    return;
  }
  for (auto const& [quantity, time] : measured(series)) {
    for_each_error(
        series, quantity, time,
        [&, &quantity = quantity, &time = time](GridResult const& grid, ErrorRow const& row,
                                                ErrorRow const* before, GridResult const* grid_before) {
          char line[160];
          std::snprintf(line, sizeof line, "  %-8s t %-8.4g n %-4d L1 %.3e %5s  L2 %.3e %5s  Linf %.3e %5s\n",
                        quantity.c_str(), time, grid.n, row.L1,
                        order_text(before ? before->L1 : 0, row.L1, grid_before, grid).c_str(), row.L2,
                        order_text(before ? before->L2 : 0, row.L2, grid_before, grid).c_str(), row.Linf,
                        order_text(before ? before->Linf : 0, row.Linf, grid_before, grid).c_str());
          out << line;
        });
  }
  for (auto const& grid : series.grids) {
    out << "  n " << grid.n << ": " << grid.steps << " steps, " << number(grid.wall_s) << " s, volume error "
        << number(grid.volume_error) << ", smallest depth " << number(grid.smallest_depth);
    if (grid.xy_difference) out << ", x against y " << number(*grid.xy_difference);
    if (grid.energy_loss) out << ", energy lost " << number(*grid.energy_loss);
    if (grid.unsteadiness) out << ", unsteadiness " << number(*grid.unsteadiness);
    for (auto const& front : grid.fronts) {
      out << ", front at t " << number(front.time) << " off by " << number(front.computed - front.exact)
          << " m";
    }
    for (auto const& check : grid.checks) out << ", " << check.name << " " << number(check.value);
    out << "\n";
  }
  for (auto const& c : series.comparisons) {
    out << "  plain scheme: L1(" << c.quantity << ") at n " << c.n << " " << c.published << ", ours "
        << number(c.ours) << "\n";
  }
  for (auto const& verdict : series.verdicts) {
    if (!verdict.holds()) out << "  MISSED  " << verdict_text(verdict) << "\n";
  }
}

void write_markdown(std::ostream& out, std::vector<Finding> const& findings) {
  out << "# Analytic tests\n\nErrors are sums over cells against the exact solution at cell centres, over "
         "the sum of "
         "the exact\nvalues (L1), root of squares (L2), or largest over largest (Linf); the order is "
         "measured between "
         "a grid\nand the one above it.\n\n## Overview\n\n| test | scheme | promises kept | missed |\n| --- "
         "| --- | --- "
         "| --- |\n";
  for (auto const& finding : findings) {
    for (auto const& series : finding.series) {
      out << "| [" << finding.benchmark.name << "](#" << finding.benchmark.name << ") | "
          << scheme_name(series.scheme) << " | ";
      if (!series.not_run.empty()) {
        out << "not run | " << series.not_run << " |\n";
        continue;
      }
      std::size_t kept = 0;
      std::string missed;
      for (auto const& verdict : series.verdicts) {
        if (verdict.holds()) {
          ++kept;
        } else {
          missed += (missed.empty() ? "" : "; ") + verdict_text(verdict);
        }
      }
      out << kept << " of " << series.verdicts.size() << " | " << missed << " |\n";
    }
  }
  for (auto const& finding : findings) {
    auto const& b = finding.benchmark;
    out << "\n## " << b.name << "\n\n" << b.title << ". It shows " << b.shows << ".\n";
    for (auto const& series : finding.series) {
      out << "\n### " << b.name << ", " << scheme_name(series.scheme) << "\n\n";
      if (!series.not_run.empty()) {
        out << "Not run: " << series.not_run << ".\n";
        continue;
      }
      if (!measured(series).empty()) {
        out << "| quantity | t [s] | n | L1 | order | L2 | order | Linf | order |\n"
               "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
      }
      for (auto const& [quantity, time] : measured(series)) {
        for_each_error(
            series, quantity, time,
            [&, &quantity = quantity, &time = time](GridResult const& grid, ErrorRow const& row,
                                                    ErrorRow const* before, GridResult const* grid_before) {
              out << "| " << quantity << " | " << number(time, "%.5g") << " | " << grid.n << " | "
                  << number(row.L1) << " | " << order_text(before ? before->L1 : 0, row.L1, grid_before, grid)
                  << " | " << number(row.L2) << " | "
                  << order_text(before ? before->L2 : 0, row.L2, grid_before, grid) << " | "
                  << number(row.Linf) << " | "
                  << order_text(before ? before->Linf : 0, row.Linf, grid_before, grid) << " |\n";
            });
      }
      out << "\n| n | steps | volume error | smallest depth [m] | more |\n| --- | --- | --- | --- | --- |\n";
      for (auto const& grid : series.grids) {
        out << "| " << grid.n << " | " << grid.steps << " | " << number(grid.volume_error) << " | "
            << number(grid.smallest_depth) << " | ";
        if (grid.xy_difference) out << "x against y " << number(*grid.xy_difference) << "; ";
        if (grid.energy_loss) out << "energy lost " << number(*grid.energy_loss) << "; ";
        if (grid.unsteadiness) out << "unsteadiness " << number(*grid.unsteadiness) << "; ";
        for (auto const& front : grid.fronts) {
          out << "front at " << number(front.time, "%.4g") << " s off by "
              << number(front.computed - front.exact) << " m; ";
        }
        for (auto const& check : grid.checks) out << check.name << " " << number(check.value) << "; ";
        out << "|\n";
      }
      if (!series.comparisons.empty()) {
        out << "\nL1 errors beside those published for a plain scheme of this order (HLL, minmod, "
               "hydrostatic "
               "reconstruction):\n\n| quantity | n | ours | published |\n| --- | --- | --- | --- |\n";
        for (auto const& c : series.comparisons) {
          out << "| " << c.quantity << " | " << c.n << " | " << number(c.ours) << " | " << c.published
              << " |\n";
        }
      }
      for (auto const& verdict : series.verdicts) {
        if (!verdict.holds()) out << "\n**Missed:** " << verdict_text(verdict) << "\n";
      }
    }
    out << "\n![" << b.name << "](" << b.name << ".png)\n";
  }
}

void write_json(std::ostream& out, std::vector<Finding> const& findings) {
  Json json(out);
  json.open('[');
  for (auto const& finding : findings) {
    json.open('{');
    json.field("name", finding.benchmark.name);
    json.field("title", finding.benchmark.title);
    json.key("series");
    json.open('[');
    for (auto const& series : finding.series) {
      json.open('{');
      json.field("scheme", scheme_name(series.scheme));
      json.field("order", double(series.scheme.order));
      json.field("not_run", series.not_run);
      json.key("verdicts");
      json.open('[');
      for (auto const& v : series.verdicts) {
        json.open('{');
        json.field("what", v.what);
        json.field("value", v.value);
        json.field("limit", v.limit);
        json.field("at_least", double(v.at_least));
        json.field("holds", double(v.holds()));
        json.close('}');
      }
      json.close(']');
      json.key("grids");
      json.open('[');
      for (auto const& grid : series.grids) {
        json.open('{');
        json.field("n", double(grid.n));
        json.field("dx", grid.dx);
        json.field("steps", double(grid.steps));
        json.field("volume_error", grid.volume_error);
        json.key("errors");
        json.open('[');
        for (auto const& row : grid.errors) {
          json.open('{');
          json.field("quantity", row.quantity);
          json.field("time", row.time);
          json.field("L1", row.L1);
          json.field("L2", row.L2);
          json.field("Linf", row.Linf);
          json.close('}');
        }
        json.close(']');
        json.key("profile");
        json.open('{');
        json.field("x", grid.profile.x);
        json.field("bed", grid.profile.bed);
        json.field("h", grid.profile.h);
        json.field("hu", grid.profile.hu);
        json.field("h_exact", grid.profile.h_exact);
        json.field("hu_exact", grid.profile.hu_exact);
        json.close('}');
        json.key("outflow");
        json.open('{');
        json.field("time", grid.outflow.time);
        json.field("computed", grid.outflow.computed);
        json.field("exact", grid.outflow.exact);
        json.close('}');
        json.close('}');
      }
      json.close(']');
      json.close('}');
    }
    json.close(']');
    json.close('}');
  }
  json.close(']');
  out << "\n";
}

}  // namespace swe::validation
