#pragma once
/// \file
/// What the solver is asked to compute, in SI units, with every raster and series already in memory.
/// The io library fills a Scenario from a case file; tests fill one by hand. No file format is known here.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace swe {

/// Regular Cartesian grid. Cell (i, j) covers [x0 + i dx, x0 + (i+1) dx) x [y0 + j dy, y0 + (j+1) dy);
/// i runs east, j runs north. Rasters are stored with i fastest: value(i, j) = v[i + nx * j].
struct Grid {
  int nx = 0, ny = 0;
  double dx = 0, dy = 0;  ///< [m]
  double x0 = 0, y0 = 0;  ///< south-west corner of the grid [m]

  [[nodiscard]] std::int64_t cells() const { return std::int64_t(nx) * ny; }
  [[nodiscard]] std::int64_t index(int i, int j) const { return i + std::int64_t(nx) * j; }
  [[nodiscard]] double x_centre(int i) const { return x0 + (i + 0.5) * dx; }
  [[nodiscard]] double y_centre(int j) const { return y0 + (j + 0.5) * dy; }
  [[nodiscard]] double cell_area() const { return dx * dy; }
  bool operator==(Grid const&) const = default;
};

/// A number per cell: one constant, or a raster of grid.cells() values (used when not empty).
struct CellField {
  double constant = 0;
  std::vector<double> raster;
  [[nodiscard]] double operator()(std::int64_t cell) const { return raster.empty() ? constant : raster[cell]; }
  [[nodiscard]] bool is_constant() const { return raster.empty(); }
};

/// A quantity given at points in time. Times rise; a time may occur twice, which is a jump.
/// `step`: the value holds from its time to the next. `linear`: straight line between points.
/// At a jump the later value holds. Before the first time, the first value holds.
struct TimeSeries {
  enum class Interpolation { linear, step };
  enum class AfterEnd { hold, zero };  ///< beyond the last time

  std::vector<double> time;   ///< [s]
  std::vector<double> value;  ///< SI
  Interpolation interpolation = Interpolation::linear;
  AfterEnd after_end = AfterEnd::hold;

  static TimeSeries constant(double v) { return {{0.0}, {v}, Interpolation::step, AfterEnd::hold}; }
  [[nodiscard]] double operator()(double t) const;
  /// Exact integral from a to b, a <= b.
  [[nodiscard]] double integral(double a, double b) const;
  /// Times at which the value jumps: every record of a step series, doubled times of a linear one.
  [[nodiscard]] std::vector<double> jumps() const;
};

enum class Side : std::uint8_t { west, east, south, north };
constexpr std::array<Side, 4> all_sides = {Side::west, Side::east, Side::south, Side::north};

/// One face of an active cell (i, j), on its side `side`, with no active cell beyond.
struct BoundaryFace {
  int i = 0, j = 0;
  Side side = Side::west;
  auto operator<=>(BoundaryFace const&) const = default;
};

struct Boundary {
  enum class Type {
    wall,            ///< reflecting
    open,            ///< free outflow (zero gradient), never inflow
    level,           ///< water level eta(t) [m], in and out
    discharge,       ///< total discharge [m3/s] into the domain (negative: out), shared by conveyance
    discharge_per_width,  ///< [m2/s] into the domain
    normal_depth,    ///< outflow at normal depth for `slope` (bed slope [-], > 0)
    rating_curve,    ///< outflow Q(level) from `curve_level`, `curve_discharge`
    critical,        ///< critical outflow
    periodic,        ///< joined to the opposite side (whole sides only, in pairs)
    incoming_wave,   ///< elevation eta(t) of the incoming wave about `still_level`; reflected waves leave
  };
  std::string name;
  Type type = Type::wall;
  std::vector<BoundaryFace> faces;  ///< empty for periodic, which uses `side`
  Side side = Side::west;
  TimeSeries series;
  double slope = 0;
  double still_level = 0;
  std::vector<double> curve_level, curve_discharge;
};

struct FrictionLaw {
  enum class Type { none, manning, chezy, darcy_weisbach, linear };
  Type type = Type::none;
  CellField coefficient;  ///< n [s m^-1/3], C [m^1/2/s], f [-], or drag rate [1/s]
};

struct Initial {
  CellField depth;         ///< [m]
  CellField velocity_x;    ///< [m/s]
  CellField velocity_y;    ///< [m/s]
};

/// Water added or taken; the sign is positive for water that enters.
struct Source {
  enum class Type {
    rain,         ///< series in m/s over `cells` (all active cells when empty), scaled per cell by `weight`
    inflow,       ///< series in m3/s shared equally by `cells`; negative: abstraction, never more than there is
    infiltration, ///< constant rate [m/s] `rate`, never more than there is
  };
  std::string name;
  Type type = Type::rain;
  TimeSeries series;
  std::vector<std::int64_t> cells;
  CellField rate;
};

struct Scheme {
  enum class Riemann { hll, hllc, roe };
  enum class Limiter { minmod, van_leer, mc };
  Riemann riemann = Riemann::hllc;
  int order = 1;  ///< 1 or 2
  Limiter limiter = Limiter::mc;
  double cfl = 0.45;
  double dry_tolerance = 1e-6;  ///< [m]; a cell with less depth carries no momentum
  double gravity = 9.81;        ///< [m/s2]
  double max_dt = std::numeric_limits<double>::infinity();  ///< [s]
  double min_dt = 1e-9;         ///< [s]; a smaller step that no output time asks for is a numerical failure
  bool skip_dry_tiles = true;   ///< leave parts of the grid out while they are dry; changes no bit of the result
};

struct Scenario {
  std::string title;
  Grid grid;
  std::vector<double> bed;  ///< [m], grid.cells() values; NaN marks an inactive cell
  FrictionLaw friction;
  Initial initial;
  std::vector<Boundary> boundaries;
  std::vector<Source> sources;
  Scheme scheme;
  double start_time = 0;  ///< [s]
  double end_time = 0;    ///< [s]

  [[nodiscard]] bool active(std::int64_t cell) const { return bed[cell] == bed[cell]; }
  [[nodiscard]] std::int64_t active_cells() const;
};

}  // namespace swe
