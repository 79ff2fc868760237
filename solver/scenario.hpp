#pragma once
/// \file
/// What the solver is asked to compute, in SI units, with every raster and series already in memory.
/// The io library fills a Scenario from a case file; tests fill one by hand. No file format is known here.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
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

/// Rasters of grid.cells() values at rising times [s]. Before the first time the first holds, after the last the last.
struct RasterSeries {
  std::vector<double> time;
  std::vector<std::vector<double>> raster;
  [[nodiscard]] bool empty() const { return time.empty(); }
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

/// One part of a tide: amplitude cos(2 pi t / period - phase).
struct TideConstituent {
  double amplitude = 0;  ///< [m]
  double period = 0;     ///< [s]
  double phase = 0;      ///< [rad]
};

struct Boundary {
  enum class Type {
    wall,            ///< reflecting
    open,            ///< free outflow (zero gradient; see boundary/open.hpp), never inflow
    level,           ///< water level eta(t) [m], in and out
    discharge,       ///< total discharge [m3/s] into the domain (negative: out), shared by conveyance
    discharge_per_width,  ///< [m2/s] into the domain
    normal_depth,    ///< outflow at normal depth for `slope` (bed slope [-], > 0)
    rating_curve,    ///< outflow Q(level) from `curve_level`, `curve_discharge`
    critical,        ///< critical outflow
    periodic,        ///< joined to the opposite side (whole sides only, in pairs)
    incoming_wave,   ///< elevation eta(t) of the incoming wave about `still_level`; reflected waves leave
    tide,            ///< water level from `still_level` and `constituents`, in and out
    state,           ///< water level `series` and velocity outside, imposed through the Riemann solver
  };
  std::string name;
  Type type = Type::wall;
  std::vector<BoundaryFace> faces;  ///< empty for periodic, which uses `side`
  Side side = Side::west;
  TimeSeries series;
  TimeSeries velocity_x, velocity_y;  ///< of a state, towards east and north [m/s]
  double slope = 0;
  double still_level = 0;
  std::vector<double> curve_level, curve_discharge;
  std::vector<TideConstituent> constituents;
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

/// How ground takes up water. Parameters are fields of a Source; see solver/source/infiltration_law.hpp.
enum class InfiltrationModel : std::uint8_t { none, constant, horton, green_ampt, scs_cn };

/// Water added or taken; the sign is positive for water that enters.
struct Source {
  enum class Type {
    rain,         ///< series in m/s over `cells` (all active cells when empty), or `rasters` in m/s, each holding to the next
    inflow,       ///< series in m3/s shared equally by `cells`; negative: abstraction, never more than there is
    infiltration, ///< into the ground by `model`, never more than there is; one per scenario
    evaporation,  ///< series in m/s over `cells` (all active cells when empty), never more than there is
  };
  std::string name;
  Type type = Type::rain;
  TimeSeries series;
  std::vector<std::int64_t> cells;
  RasterSeries rasters;

  InfiltrationModel model = InfiltrationModel::constant;
  CellField rate;                 ///< constant: rate; horton: final rate; green_ampt: conductivity [m/s]
  CellField initial_rate;         ///< horton: rate of dry ground [m/s]
  CellField decay;                ///< horton [1/s]
  CellField suction_deficit;      ///< green_ampt: suction head times moisture deficit [m]
  CellField retention;            ///< scs_cn: S [m]
  CellField initial_abstraction;  ///< scs_cn: rain kept before any runs off [m]
};

/// Stress of the wind on the water, air_density C |W| W, with the drag coefficient C of a law of the speed |W|.
struct Wind {
  enum class Drag {
    constant,     ///< C = coefficient
    garratt,      ///< C = (0.75 + 0.067 |W|) 1e-3 (Garratt 1977)
    wu,           ///< C = (0.8 + 0.065 |W|) 1e-3 (Wu 1982)
    smith_banke,  ///< C = (0.63 + 0.066 |W|) 1e-3 (Smith & Banke 1975)
  };
  TimeSeries east, north;  ///< towards east and north, 10 m above the water [m/s]
  Drag drag = Drag::garratt;
  double coefficient = 1.3e-3;  ///< [-]
  double air_density = 1.225;   ///< [kg/m3]
};

/// Pressure of the air [Pa], linear in time between rasters.
struct AirPressure {
  RasterSeries rasters;
};

/// A low that travels: pressure -drop exp(-r²/(2 radius²)) at distance r from its centre.
struct PressureLow {
  std::string name;
  TimeSeries x, y;    ///< its centre [m]
  double drop = 0;    ///< [Pa]; negative for a high
  double radius = 1;  ///< where the pressure rises fastest [m]
};

/// The bed as it moves; the water on it goes up and down with it and keeps its depth.
struct BedMotion {
  enum class Type {
    rasters,  ///< the bed is `rasters` [m], linear between them; NaN: the cell is left alone
    uplift,   ///< the bed rises by `shape` [m] times `series`
    breach,   ///< in `cells` the bed is at most `series` [m]
  };
  std::string name;
  Type type = Type::uplift;
  RasterSeries rasters;
  CellField shape;
  std::vector<std::int64_t> cells;
  TimeSeries series;
};

/// What moves water in other ways than over open ground; see solver/structure/.
struct Structure {
  enum class Type {
    culvert,  ///< a pipe from cell `inlet` to cell `outlet`
    pump,     ///< `series` [m3/s] from `inlet` to `outlet`, one of which may be outside, between the levels that switch it
    weir,     ///< along `faces`; crest `series` [m]
    gate,     ///< along `faces`; opening `series` [m] above `sill_level`
    levee,    ///< along `faces`; crest `series` [m]
  };
  std::string name;
  Type type = Type::weir;

  static constexpr std::int64_t outside = -1;
  std::int64_t inlet = 0, outlet = 0;    ///< cells; one end of a pump may be `outside` the domain
  bool energy_head = false;              ///< culvert, weir, gate, levee: heads include the velocity head
  // culvert
  double width = 1, height = 1;          ///< of one barrel; a round one has its diameter in both [m]
  bool round = false;
  int barrels = 1;
  double length = 10;                    ///< [m]
  double manning = 0.013;                ///< [s m^-1/3]
  double entrance_loss = 0.5;            ///< [-]
  double inlet_level = 0, outlet_level = 0;  ///< of the floor at both ends [m]
  bool one_way = false;                  ///< a flap keeps water from flowing back
  // pump
  double on_level = -std::numeric_limits<double>::infinity();   ///< runs once the inlet is above [m]
  double off_level = -std::numeric_limits<double>::infinity();  ///< and until it is below [m]
  // weir, gate, levee
  std::vector<BoundaryFace> faces;       ///< west or south faces of cells, active on both sides
  std::vector<double> above_crest;       ///< weir, levee: how far the crest at each face lies above `series` [m]; empty: 0
  TimeSeries series;
  double coefficient = 0;                ///< discharge coefficient (weir, levee) or contraction (gate) [-]
  double sill_level = 0;                 ///< [m]
};
/// The word for a type, as case files spell it.
[[nodiscard]] std::string_view structure_name(Structure::Type type);

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
  std::optional<Wind> wind;
  std::optional<AirPressure> air_pressure;
  std::vector<PressureLow> pressure_lows;
  double coriolis = 0;         ///< f [1/s]
  double eddy_viscosity = 0;   ///< [m2/s]
  double water_density = 1000; ///< [kg/m3]
  std::vector<BedMotion> bed_motions;
  std::vector<Structure> structures;
  Scheme scheme;
  double start_time = 0;  ///< [s]
  double end_time = 0;    ///< [s]

  [[nodiscard]] bool active(std::int64_t cell) const { return bed[cell] == bed[cell]; }
  [[nodiscard]] std::int64_t active_cells() const;
};

}  // namespace swe
