#pragma once
/// \file
/// Where places given in world coordinates land on the grid.

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "solver/scenario.hpp"
#include "solver/simulation.hpp"

namespace swe {

/// Cell that holds (x, y). Cells are half-open, [west, east) x [south, north), and the outer east and north
/// edges of the grid belong to the last cell; nothing else outside the grid does.
[[nodiscard]] std::optional<std::int64_t> cell_at(Grid const& grid, double x, double y);

/// Faces of active cells on the outline of the grid on `side` whose midpoint coordinate along that side lies
/// in [from, to].
[[nodiscard]] std::vector<BoundaryFace> faces_on_side(Grid const& grid, std::span<double const> bed,
                                                      Side side,
                                                      double from = -std::numeric_limits<double>::infinity(),
                                                      double to = std::numeric_limits<double>::infinity());

/// Faces between an active cell and none, or on the outline of the grid, whose midpoint lies within
/// `distance` [m] of the polyline.
[[nodiscard]] std::vector<BoundaryFace> faces_along(Grid const& grid, std::span<double const> bed,
                                                    std::span<Point const> line, double distance);

/// Middle of a face [m].
[[nodiscard]] Point face_midpoint(Grid const& grid, BoundaryFace const& face);

/// Shortest distance [m] from p to the polyline; infinite for an empty one.
[[nodiscard]] double distance_to_line(Point p, std::span<Point const> line);

/// Length [m] along the polyline from its first point to where it comes nearest to p.
[[nodiscard]] double chainage(Point p, std::span<Point const> line);

/// Cells whose centre lies in the polygon (even-odd rule; the last point joins the first).
[[nodiscard]] std::vector<std::int64_t> cells_in_polygon(Grid const& grid, std::span<Point const> polygon);

/// A face of the grid that a section line crosses, between cell (i, j) and its neighbour to the west
/// (Side::west) or to the south (Side::south); i = nx or j = ny names the outer east or north faces. The
/// section's discharge is the sum over faces of sign * (unit discharge along +x or +y) * face length.
struct SectionFace {
  int i = 0, j = 0;
  Side side = Side::west;
  int sign = 1;
  bool operator==(SectionFace const&) const = default;
};

/// Staircase of faces along a polyline, from the grid node nearest to its first point to that nearest to its
/// last. Discharge counts positive towards the left of a walker along the line: a line drawn from the left to
/// the right bank measures flow downstream. Parts outside the grid are left out.
[[nodiscard]] std::vector<SectionFace> section_faces(Grid const& grid, std::span<Point const> line);

}  // namespace swe
