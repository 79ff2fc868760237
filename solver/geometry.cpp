#include "solver/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace swe {

namespace {

bool is_active(Grid const& grid, std::span<double const> bed, int i, int j) {
  if (i < 0 || j < 0 || i >= grid.nx || j >= grid.ny) return false;
  return !std::isnan(bed[grid.index(i, j)]);
}

/// Coordinate to index along one axis; -1 outside. Comparing with the edges themselves keeps a point on an
/// edge in the cell it opens, whatever the rounding of the division.
int index_along(double origin, double spacing, int count, double at) {
  auto const edge = [&](int k) { return origin + k * spacing; };
  if (!(at >= edge(0) && at <= edge(count))) return -1;
  int k = std::clamp(int(std::floor((at - origin) / spacing)), 0, count - 1);
  if (k > 0 && at < edge(k)) --k;
  if (k + 1 < count && at >= edge(k + 1)) ++k;
  return k;
}

double distance_to_segment(Point p, Point a, Point b) {
  double const dx = b.x - a.x, dy = b.y - a.y;
  double const length2 = dx * dx + dy * dy;
  double const s = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0) : 0.0;
  return std::hypot(p.x - (a.x + s * dx), p.y - (a.y + s * dy));
}

std::pair<int, int> beyond(BoundaryFace const& face) {
  switch (face.side) {
    case Side::west:
      return {face.i - 1, face.j};
    case Side::east:
      return {face.i + 1, face.j};
    case Side::south:
      return {face.i, face.j - 1};
    case Side::north:
      return {face.i, face.j + 1};
  }
  return {face.i, face.j};
}

/// A corner of cells: x0 + i dx, y0 + j dy.
struct GridNode {
  int i = 0, j = 0;
};

}  // namespace

Point face_midpoint(Grid const& grid, BoundaryFace const& face) {
  double x = grid.x_centre(face.i), y = grid.y_centre(face.j);
  if (face.side == Side::west) x = grid.x0 + face.i * grid.dx;
  if (face.side == Side::east) x = grid.x0 + (face.i + 1) * grid.dx;
  if (face.side == Side::south) y = grid.y0 + face.j * grid.dy;
  if (face.side == Side::north) y = grid.y0 + (face.j + 1) * grid.dy;
  return {x, y};
}

std::optional<std::int64_t> cell_at(Grid const& grid, double x, double y) {
  int const i = index_along(grid.x0, grid.dx, grid.nx, x);
  int const j = index_along(grid.y0, grid.dy, grid.ny, y);
  if (i < 0 || j < 0) return std::nullopt;
  return grid.index(i, j);
}

std::vector<BoundaryFace> faces_on_side(Grid const& grid, std::span<double const> bed, Side side, double from,
                                        double to) {
  std::vector<BoundaryFace> faces;
  bool const along_y = side == Side::west || side == Side::east;
  int const count = along_y ? grid.ny : grid.nx;
  for (int k = 0; k < count; ++k) {
    BoundaryFace face{0, 0, side};
    (along_y ? face.j : face.i) = k;
    if (side == Side::east) face.i = grid.nx - 1;
    if (side == Side::north) face.j = grid.ny - 1;
    double const at = along_y ? grid.y_centre(k) : grid.x_centre(k);
    if (at >= from && at <= to && is_active(grid, bed, face.i, face.j)) faces.push_back(face);
  }
  return faces;
}

double distance_to_line(Point p, std::span<Point const> line) {
  double distance = std::numeric_limits<double>::infinity();
  if (line.size() == 1) return std::hypot(p.x - line[0].x, p.y - line[0].y);
  for (std::size_t k = 0; k + 1 < line.size(); ++k)
    distance = std::min(distance, distance_to_segment(p, line[k], line[k + 1]));
  return distance;
}

double chainage(Point p, std::span<Point const> line) {
  double nearest = std::numeric_limits<double>::infinity(), at = 0, length = 0;
  for (std::size_t k = 0; k + 1 < line.size(); ++k) {
    double const dx = line[k + 1].x - line[k].x, dy = line[k + 1].y - line[k].y, part = std::hypot(dx, dy);
    if (double const distance = distance_to_segment(p, line[k], line[k + 1]); distance < nearest) {
      nearest = distance;
      at = length;
      if (part > 0)
        at += std::clamp(((p.x - line[k].x) * dx + (p.y - line[k].y) * dy) / part, 0.0, part);
    }
    length += part;
  }
  return at;
}

std::vector<BoundaryFace> faces_along(Grid const& grid, std::span<double const> bed,
                                      std::span<Point const> line, double distance) {
  std::vector<BoundaryFace> faces;
  if (line.empty()) return faces;
  auto const [west, east] =
      std::minmax_element(line.begin(), line.end(), [](Point a, Point b) { return a.x < b.x; });
  auto const [south, north] =
      std::minmax_element(line.begin(), line.end(), [](Point a, Point b) { return a.y < b.y; });
  auto const clamp_index = [](double position, int count) {
    return int(std::clamp(std::floor(position), 0.0, double(count - 1)));
  };
  int const i_first = clamp_index((west->x - distance - grid.x0) / grid.dx - 1, grid.nx);
  int const i_last = clamp_index((east->x + distance - grid.x0) / grid.dx + 1, grid.nx);
  int const j_first = clamp_index((south->y - distance - grid.y0) / grid.dy - 1, grid.ny);
  int const j_last = clamp_index((north->y + distance - grid.y0) / grid.dy + 1, grid.ny);

  for (int j = j_first; j <= j_last; ++j)
    for (int i = i_first; i <= i_last; ++i) {
      if (!is_active(grid, bed, i, j)) continue;
      for (Side const side : all_sides) {
        BoundaryFace const face{i, j, side};
        auto const [ni, nj] = beyond(face);
        if (is_active(grid, bed, ni, nj)) continue;
        if (distance_to_line(face_midpoint(grid, face), line) <= distance) faces.push_back(face);
      }
    }
  return faces;
}

std::vector<std::int64_t> cells_in_polygon(Grid const& grid, std::span<Point const> polygon) {
  std::vector<std::int64_t> cells;
  if (polygon.size() < 3) return cells;
  std::vector<double> crossings;
  for (int j = 0; j < grid.ny; ++j) {
    double const y = grid.y_centre(j);
    crossings.clear();
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      Point const a = polygon[k], b = polygon[(k + 1) % polygon.size()];
      if ((a.y <= y) == (b.y <= y)) continue;
      crossings.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
    }
    std::sort(crossings.begin(), crossings.end());
    for (std::size_t k = 0; k + 1 < crossings.size(); k += 2) {
      double const first = std::ceil((crossings[k] - grid.x0) / grid.dx - 0.5);
      for (int i = int(std::clamp(first, 0.0, double(grid.nx))); i < grid.nx; ++i) {
        double const x = grid.x_centre(i);
        if (x >= crossings[k + 1]) break;
        if (x >= crossings[k]) cells.push_back(grid.index(i, j));
      }
    }
  }
  return cells;
}

std::vector<SectionFace> section_faces(Grid const& grid, std::span<Point const> line) {
  std::vector<SectionFace> faces;
  if (line.size() < 2) return faces;
  auto const node_at = [&](Point p) {
    auto const nearest = [](double position) { return int(std::lround(std::clamp(position, -1e9, 1e9))); };
    return GridNode{nearest((p.x - grid.x0) / grid.dx), nearest((p.y - grid.y0) / grid.dy)};
  };
  // A step north along an x-face has -x on its left; a step east along a y-face has +y on its left.
  auto const step_y = [&](GridNode& at, int direction) {
    int const j = direction > 0 ? at.j : at.j - 1;
    if (at.i >= 0 && at.i <= grid.nx && j >= 0 && j < grid.ny)
      faces.push_back({at.i, j, Side::west, -direction});
    at.j += direction;
  };
  auto const step_x = [&](GridNode& at, int direction) {
    int const i = direction > 0 ? at.i : at.i - 1;
    if (at.j >= 0 && at.j <= grid.ny && i >= 0 && i < grid.nx)
      faces.push_back({i, at.j, Side::south, direction});
    at.i += direction;
  };

  GridNode at = node_at(line[0]);
  for (std::size_t k = 1; k < line.size(); ++k) {
    GridNode const start = at, end = node_at(line[k]);
    std::int64_t const nx = std::abs(end.i - start.i), ny = std::abs(end.j - start.j);
    int const dir_x = end.i > start.i ? 1 : -1, dir_y = end.j > start.j ? 1 : -1;
    // The next step is the one that leaves the walker nearer to the straight line between the nodes.
    for (std::int64_t x = 0, y = 0; x < nx || y < ny;) {
      bool const go_x =
          y == ny || (x < nx && std::abs((x + 1) * ny - y * nx) <= std::abs(x * ny - (y + 1) * nx));
      if (go_x) {
        step_x(at, dir_x);
        ++x;
      } else {
        step_y(at, dir_y);
        ++y;
      }
    }
  }
  return faces;
}

}  // namespace swe
