#include "solver/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/catch.hpp"

using namespace swe;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::vector<double> flat(Grid const& grid) { return std::vector<double>(std::size_t(grid.cells()), 0.0); }

/// Even-odd rule as it stands in textbooks, one point at a time.
bool inside(std::vector<Point> const& polygon, Point p) {
  bool odd = false;
  for (std::size_t k = 0, m = polygon.size() - 1; k < polygon.size(); m = k++) {
    Point const a = polygon[k], b = polygon[m];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) odd = !odd;
  }
  return odd;
}

}  // namespace

TEST_CASE("cell_at_is_half_open_and_the_outer_edge_belongs_to_the_last_cell") {
  Grid const grid{4, 3, 10, 10, 500000, 4000000};
  CHECK(cell_at(grid, 500000, 4000000) == grid.index(0, 0));
  CHECK(cell_at(grid, 500010, 4000000) == grid.index(1, 0));
  CHECK(cell_at(grid, std::nextafter(500010.0, 0.0), 4000000) == grid.index(0, 0));
  CHECK(cell_at(grid, 500040, 4000030) == grid.index(3, 2));
  CHECK_FALSE(cell_at(grid, std::nextafter(500040.0, 1e9), 4000000));
  CHECK_FALSE(cell_at(grid, 499999.999, 4000000));
  CHECK_FALSE(cell_at(grid, none, 4000000));
}

TEST_CASE("cell_at_agrees_with_cell_edges_whatever_the_rounding") {
  Grid const grid{1000, 1, 0.1, 0.1, 634250.3, 0};
  for (int i = 0; i < grid.nx; ++i) CHECK(cell_at(grid, grid.x0 + i * grid.dx, 0.05) == i);
}

TEST_CASE("P03_utm_coordinates_keep_their_digits") {
  Grid const grid{5, 4, 0.5, 0.5, 634250.25, 4649776.70};
  CHECK(cell_at(grid, 634251.50, 4649777.45) == grid.index(2, 1));
  CHECK(cell_at(grid, 634251.50, 4649777.24) == grid.index(2, 1));
}

TEST_CASE("faces_on_side_take_active_cells_whose_middle_lies_in_the_part") {
  Grid const grid{4, 3, 10, 10, 0, 0};
  auto bed = flat(grid);
  CHECK(faces_on_side(grid, bed, Side::west).size() == 3);
  CHECK(faces_on_side(grid, bed, Side::north).size() == 4);
  CHECK(faces_on_side(grid, bed, Side::east, 5, 15) ==
        std::vector<BoundaryFace>{{3, 0, Side::east}, {3, 1, Side::east}});
  CHECK(faces_on_side(grid, bed, Side::east, 6, 14).empty());
  bed[std::size_t(grid.index(0, 1))] = none;
  CHECK(faces_on_side(grid, bed, Side::west) ==
        std::vector<BoundaryFace>{{0, 0, Side::west}, {0, 2, Side::west}});
}

TEST_CASE("faces_along_find_the_outline_and_holes_only") {
  Grid const grid{5, 5, 10, 10, 0, 0};
  auto bed = flat(grid);
  std::vector<Point> const west{{0, 0}, {0, 50}};
  CHECK(faces_along(grid, bed, west, 4.9) == faces_on_side(grid, bed, Side::west));
  std::vector<Point> const inner{{20, 0}, {20, 50}};
  CHECK(faces_along(grid, bed, inner, 4.9).empty());
  bed[std::size_t(grid.index(2, 2))] = none;
  CHECK(faces_along(grid, bed, inner, 4.9) == std::vector<BoundaryFace>{{1, 2, Side::east}});
}

TEST_CASE("faces_along_half_a_cell_reach_every_face_of_a_staircase") {
  Grid const grid{40, 40, 1, 1, 0, 0};
  for (double const slope : {0.3, 0.77, 1.0, 2.9}) {
    auto bed = flat(grid);
    std::size_t stairs = 0;
    auto const above = [&](int i, int j) { return grid.y_centre(j) > 1.3 + slope * grid.x_centre(i); };
    for (int j = 0; j < grid.ny; ++j)
      for (int i = 0; i < grid.nx; ++i)
        if (above(i, j)) bed[std::size_t(grid.index(i, j))] = none;
    for (int j = 0; j < grid.ny; ++j)
      for (int i = 0; i < grid.nx; ++i) {
        if (above(i, j)) continue;
        stairs += i > 0 && above(i - 1, j);
        stairs += j + 1 < grid.ny && above(i, j + 1);
      }
    std::vector<Point> const line{{-5, 1.3 - 5 * slope}, {50, 1.3 + 50 * slope}};
    auto const faces = faces_along(grid, bed, line, 0.5);
    auto const within_grid = std::count_if(faces.begin(), faces.end(), [&](BoundaryFace const& face) {
      return (face.side == Side::west && face.i > 0) || (face.side == Side::north && face.j + 1 < grid.ny);
    });
    CHECK(std::size_t(within_grid) == stairs);
  }
}

TEST_CASE("cells_in_polygon_follow_the_even_odd_rule") {
  Grid const grid{60, 50, 0.37, 0.41, -3, 2};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> x(-5, 22), y(0, 25);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Point> polygon(3 + std::size_t(trial));
    for (auto& corner : polygon) corner = {x(random), y(random)};
    auto const cells = cells_in_polygon(grid, polygon);
    std::vector<std::int64_t> expected;
    for (int j = 0; j < grid.ny; ++j)
      for (int i = 0; i < grid.nx; ++i)
        if (inside(polygon, {grid.x_centre(i), grid.y_centre(j)})) expected.push_back(grid.index(i, j));
    CHECK(cells == expected);
  }
}

TEST_CASE("neighbouring_polygons_share_no_cell_and_leave_none_out") {
  Grid const grid{4, 4, 1, 1, 0, 0};
  std::vector<Point> const west{{0, 0}, {1.5, 0}, {1.5, 4}, {0, 4}}, east{{1.5, 0}, {4, 0}, {4, 4}, {1.5, 4}};
  auto const a = cells_in_polygon(grid, west), b = cells_in_polygon(grid, east);
  CHECK(a.size() + b.size() == 16);
  for (auto const cell : a) CHECK(std::find(b.begin(), b.end(), cell) == b.end());
}

TEST_CASE("section_faces_measure_uniform_flow_exactly_across_whatever_line") {
  // The sum of signed face lengths is the flux of a constant unit discharge: (hu, hv) . n L, with n to the
  // left.
  Grid const grid{30, 20, 2, 3, 100, 200};
  std::vector<Point> const line{{110, 212}, {140, 245}, {152, 209}};
  auto const faces = section_faces(grid, line);
  double along_x = 0, along_y = 0;
  for (auto const& face : faces)
    (face.side == Side::west ? along_x : along_y) +=
        face.sign * (face.side == Side::west ? grid.dy : grid.dx);
  CHECK(along_x == Approx(-(209 - 212)).margin(grid.dy / 2 + 1e-9));
  CHECK(along_y == Approx(152 - 110).margin(grid.dx));
}

TEST_CASE("section_from_left_to_right_bank_counts_flow_downstream_positive") {
  Grid const grid{4, 4, 1, 1, 0, 0};
  std::vector<Point> const north_to_south{{2, 4}, {2, 0}};  // looking east, the left bank is in the north
  auto const faces = section_faces(grid, north_to_south);
  CHECK(faces ==
        std::vector<SectionFace>{
            {2, 3, Side::west, 1}, {2, 2, Side::west, 1}, {2, 1, Side::west, 1}, {2, 0, Side::west, 1}});
  std::vector<Point> const beyond{{-3, 2}, {9, 2}};
  CHECK(section_faces(grid, beyond).size() == 4);
}
