#pragma once
/// \file
/// What the series found, as text for a terminal, as Markdown and as JSON for the plots.

#include <iosfwd>
#include <vector>

#include "validation/analytic/benchmark.hpp"
#include "validation/analytic/run.hpp"

namespace swe::validation {

struct Finding {
  Benchmark benchmark;
  std::vector<SeriesResult> series;  ///< one per scheme
};

void print_text(std::ostream& out, Benchmark const& benchmark, SeriesResult const& series);
/// Tables of errors and orders, verdicts, and links to the plots `NAME.png` beside the report.
void write_markdown(std::ostream& out, std::vector<Finding> const& findings);
void write_json(std::ostream& out, std::vector<Finding> const& findings);

}  // namespace swe::validation
