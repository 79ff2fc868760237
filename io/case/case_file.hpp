#pragma once
/// \file
/// A case file as typed sections, with every default in sight. The keys, units, ranges and words for each
/// stand in case_file.cpp.

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/case/boundary_kinds.hpp"
#include "io/case/load.hpp"
#include "io/case/source_kinds.hpp"
#include "io/case/structure_kinds.hpp"
#include "io/case/values.hpp"

namespace swe::io {

/// Grid of a case without a bed raster, or onto which the bed raster is brought.
struct GridCase {
  int nx = 0, ny = 0;
  double dx = 0;
  std::optional<double> dy;  ///< default dx
  double x0 = 0, y0 = 0;
};

/// z = level + slope_x (x - x0) + slope_y (y - y0)
struct PlaneBed {
  double level = 0, slope_x = 0, slope_y = 0;
  std::optional<Point> at;  ///< (x0, y0); default: south-west corner of the grid
  [[nodiscard]] double operator()(Grid const& grid, double x, double y) const;
};

/// Paraboloid z = level + curvature_x (x - xc)² + curvature_y (y - yc)²
struct BowlBed {
  double level = 0, curvature_x = 0, curvature_y = 0;
  std::optional<Point> at;  ///< (xc, yc); default: middle of the grid
  [[nodiscard]] double operator()(Grid const& grid, double x, double y) const;
};

struct BedCase {
  RasterFile raster;
  std::optional<double> constant;
  std::optional<PlaneBed> plane;
  std::optional<BowlBed> bowl;
};

struct DomainCase {
  BedCase bed;
  std::optional<GridCase> grid;
  std::string crs;
};

struct NoFriction {
  static constexpr std::string_view kind = "none", doc = "no friction";
  static std::vector<Key<NoFriction>> keys() { return {}; }
};
struct ManningFriction {
  static constexpr std::string_view kind = "manning", doc = "Manning's law";
  static constexpr auto type = FrictionLaw::Type::manning;
  static constexpr std::string_view name = "manning";
  Field coefficient;
  static std::vector<Key<ManningFriction>> keys();
};
struct ChezyFriction {
  static constexpr std::string_view kind = "chezy", doc = "Chézy's law";
  static constexpr auto type = FrictionLaw::Type::chezy;
  static constexpr std::string_view name = "chezy";
  Field coefficient;
  static std::vector<Key<ChezyFriction>> keys();
};
struct DarcyWeisbachFriction {
  static constexpr std::string_view kind = "darcy_weisbach", doc = "Darcy and Weisbach's law";
  static constexpr auto type = FrictionLaw::Type::darcy_weisbach;
  static constexpr std::string_view name = "darcy_weisbach";
  Field coefficient;
  static std::vector<Key<DarcyWeisbachFriction>> keys();
};
struct LinearFriction {
  static constexpr std::string_view kind = "linear", doc = "drag proportional to the velocity";
  static constexpr auto type = FrictionLaw::Type::linear;
  static constexpr std::string_view name = "linear_per_s";
  Field coefficient;
  static std::vector<Key<LinearFriction>> keys();
};
using FrictionKind =
    std::variant<NoFriction, ManningFriction, ChezyFriction, DarcyWeisbachFriction, LinearFriction>;
struct FrictionCase {
  FrictionKind law;
};

struct InitialCase {
  std::optional<Field> level, depth;  ///< at most one; dry without
  Field velocity_x, velocity_y;
};

struct BoundaryCase {
  std::string name;
  std::vector<Side> on;
  std::optional<double> from, to;  ///< coordinates along the side
  Line along;
  std::optional<double> within;  ///< default half a cell
  BoundaryKind type;
};

struct SourceCase {
  std::string name;
  SourceKind type;
};

struct StructureCase {
  std::string name;
  StructureKind type;
};

struct TimeCase {
  double start = 0, end = 0;
  std::optional<double> max_step;
};

struct SnapshotCase {
  enum class Precision { double_precision, single_precision };
  std::optional<double> every;
  std::vector<SnapshotField> fields = {SnapshotField::h, SnapshotField::hu, SnapshotField::hv};
  int compression = 1;
  Precision precision = Precision::double_precision;
};

enum class MaximaField { depth, level, speed, unit_discharge, hazard, time_of_max, arrival, duration };

struct OutputCase {
  FileName directory;
  SnapshotCase snapshots;
  std::vector<MaximaField> maxima;
  double arrival_depth = 0.05, duration_depth = 0.05;
};

struct GaugeCase {
  std::string name;
  std::optional<Point> at;
  std::optional<double> x, y;
  std::optional<double> every;
  GaugeSpec::Sample sample = GaugeSpec::Sample::cell;
};

struct SectionCase {
  std::string name;
  Line along;
  std::optional<double> every;
};

struct CheckpointCase {
  std::optional<Duration> every_wall;
  std::optional<double> every;
  int keep = 2;
};

struct CaseFile {
  std::string title;
  DomainCase domain;
  FrictionCase friction;
  InitialCase initial;
  std::vector<BoundaryCase> boundaries;
  std::vector<SourceCase> sources;
  std::vector<StructureCase> structures;
  Scheme scheme;
  TimeCase time;
  OutputCase output;
  std::vector<GaugeCase> gauges;
  std::vector<SectionCase> sections;
  CheckpointCase checkpoint;
};

template <>
struct EnumNames<Scheme::Riemann> {
  static constexpr std::array<std::pair<std::string_view, Scheme::Riemann>, 3> table{
      {{"hll", Scheme::Riemann::hll}, {"hllc", Scheme::Riemann::hllc}, {"roe", Scheme::Riemann::roe}}};
};
template <>
struct EnumNames<Scheme::Limiter> {
  static constexpr std::array<std::pair<std::string_view, Scheme::Limiter>, 3> table{
      {{"minmod", Scheme::Limiter::minmod},
       {"van_leer", Scheme::Limiter::van_leer},
       {"mc", Scheme::Limiter::mc}}};
};
template <>
struct EnumNames<Side> {
  static constexpr std::array<std::pair<std::string_view, Side>, 4> table{
      {{"west", Side::west}, {"east", Side::east}, {"south", Side::south}, {"north", Side::north}}};
};
template <>
struct EnumNames<SnapshotField> {
  static constexpr std::array<std::pair<std::string_view, SnapshotField>, 7> table{
      {{"h", SnapshotField::h},
       {"hu", SnapshotField::hu},
       {"hv", SnapshotField::hv},
       {"level", SnapshotField::level},
       {"u", SnapshotField::u},
       {"v", SnapshotField::v},
       {"speed", SnapshotField::speed}}};
};
template <>
struct EnumNames<SnapshotCase::Precision> {
  static constexpr std::array<std::pair<std::string_view, SnapshotCase::Precision>, 2> table{
      {{"double", SnapshotCase::Precision::double_precision},
       {"single", SnapshotCase::Precision::single_precision}}};
};
template <>
struct EnumNames<MaximaField> {
  static constexpr std::array<std::pair<std::string_view, MaximaField>, 8> table{
      {{"depth", MaximaField::depth},
       {"level", MaximaField::level},
       {"speed", MaximaField::speed},
       {"unit_discharge", MaximaField::unit_discharge},
       {"hazard", MaximaField::hazard},
       {"time_of_max", MaximaField::time_of_max},
       {"arrival", MaximaField::arrival},
       {"duration", MaximaField::duration}}};
};
template <>
struct EnumNames<GaugeSpec::Sample> {
  static constexpr std::array<std::pair<std::string_view, GaugeSpec::Sample>, 2> table{
      {{"cell", GaugeSpec::Sample::cell}, {"bilinear", GaugeSpec::Sample::bilinear}}};
};

/// Reads the tree of a case file; what is wrong goes to `problems`. Relative names start from `folder`.
[[nodiscard]] CaseFile read_case(Node const& root, std::filesystem::path const& folder,
                                 std::vector<Problem>& problems);
/// The case with all defaults and absolute file names.
[[nodiscard]] Node write_case(CaseFile const& file);
[[nodiscard]] Node schema_of_case();

}  // namespace swe::io
