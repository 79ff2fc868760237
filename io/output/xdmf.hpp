#pragma once
/// \file
/// The XML companion that lets ParaView and VisIt read a snapshot file.

#include <string>
#include <string_view>
#include <vector>

#include "solver/scenario.hpp"

namespace swe::io {

/// What one snapshot file holds.
struct XdmfContents {
  std::string hdf5_name;  ///< file name without folder: the two files move together
  std::string title;
  Grid grid;
  bool single_precision = false;
  std::vector<std::string> fields;  ///< over (time, y, x)
  bool bed_moves = false;           ///< bed over (time, y, x) instead of (y, x)
  std::vector<double> times;
};

/// XDMF 3 as a temporal collection. `2DSMesh` with `XY` is the form that ParaView 5.11's three readers all
/// show lying flat and the right way round: what its XDMF 2 reader makes of `2DRectMesh` loses x on the way
/// to the picture, and `2DCoRectMesh` stands on edge.
[[nodiscard]] std::string xdmf_text(XdmfContents const& contents);

/// `text` with what XML reserves escaped.
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace swe::io
