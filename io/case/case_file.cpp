#include "io/case/case_file.hpp"

namespace swe::io {

// clang-format off
template <> struct Codec<GridCase> : RecordCodec<GridCase> {};
template <> struct Codec<PlaneBed> : RecordCodec<PlaneBed> {};
template <> struct Codec<BowlBed> : RecordCodec<BowlBed> {};
template <> struct Codec<DomainCase> : RecordCodec<DomainCase> {};
template <> struct Codec<FrictionCase> : RecordCodec<FrictionCase> {};
template <> struct Codec<InitialCase> : RecordCodec<InitialCase> {};
template <> struct Codec<BoundaryCase> : RecordCodec<BoundaryCase> {};
template <> struct Codec<SourceCase> : RecordCodec<SourceCase> {};
template <> struct Codec<StructureCase> : RecordCodec<StructureCase> {};
template <> struct Codec<Scheme> : RecordCodec<Scheme> {};
template <> struct Codec<TimeCase> : RecordCodec<TimeCase> {};
template <> struct Codec<SnapshotCase> : RecordCodec<SnapshotCase> {};
template <> struct Codec<OutputCase> : RecordCodec<OutputCase> {};
template <> struct Codec<GaugeCase> : RecordCodec<GaugeCase> {};
template <> struct Codec<SectionCase> : RecordCodec<SectionCase> {};
template <> struct Codec<CheckpointCase> : RecordCodec<CheckpointCase> {};
// clang-format on

template <>
Record<RasterFile> describe_record<RasterFile>();

template <>
Record<GridCase> describe_record<GridCase>() {
  return {
      "regular grid",
      {key("nx", &GridCase::nx, {.doc = "cells from west to east", .range = at_least(1), .required = true}),
       key("ny", &GridCase::ny, {.doc = "cells from south to north", .range = at_least(1), .required = true}),
       key("dx_m", &GridCase::dx, {.doc = "width of a cell", .range = positive(), .required = true}),
       key("dy_m", &GridCase::dy, {.doc = "height of a cell; default dx_m", .range = positive()}),
       key("x0_m", &GridCase::x0, {.doc = "western edge of the grid"}),
       key("y0_m", &GridCase::y0, {.doc = "southern edge of the grid"})}};
}

template <>
Record<PlaneBed> describe_record<PlaneBed>() {
  return {"inclined plane level_m + slope_x (x - x0) + slope_y (y - y0)",
          {key("level_m", &PlaneBed::level, {.doc = "elevation at the origin"}),
           key("slope_x", &PlaneBed::slope_x, {.doc = "rise per metre towards the east", .unit = "-"}),
           key("slope_y", &PlaneBed::slope_y, {.doc = "rise per metre towards the north", .unit = "-"}),
           key("at", &PlaneBed::at,
               {.doc = "point [x0, y0]; default: south-west corner of the grid", .unit = "m"})}};
}

template <>
Record<BowlBed> describe_record<BowlBed>() {
  return {"paraboloid level_m + curvature_x (x - xc)^2 + curvature_y (y - yc)^2",
          {key("level_m", &BowlBed::level, {.doc = "elevation at the centre"}),
           key("curvature_x_per_m", &BowlBed::curvature_x, {.doc = "factor of (x - xc)^2"}),
           key("curvature_y_per_m", &BowlBed::curvature_y, {.doc = "factor of (y - yc)^2"}),
           key("at", &BowlBed::at, {.doc = "point [xc, yc]; default: middle of the grid", .unit = "m"})}};
}

template <>
Record<BedCase> describe_record<BedCase>() {
  Record<BedCase> record{"the bed: a raster, or a shape on `grid`", {}};
  for (Key<RasterFile> const& one : record_of<RasterFile>().keys) {
    About about = one.about;
    about.required = false;
    record.keys.push_back({one.name, about,
                           [read = one.read](Node const& node, BedCase& bed, Reading& reading) {
                             read(node, bed.raster, reading);
                           },
                           [write = one.write](BedCase const& bed) {
                             return bed.raster.raster.empty() ? Node{} : write(bed.raster);
                           },
                           one.schema});
  }
  record.keys.push_back(key("constant_m", &BedCase::constant, {.doc = "flat bed of this elevation"}));
  record.keys.push_back(key("plane", &BedCase::plane, {.doc = "inclined plane"}));
  record.keys.push_back(key("bowl", &BedCase::bowl, {.doc = "paraboloid"}));
  record.groups = {{KeyGroup::Rule::exactly_one, {"raster", "constant_m", "plane", "bowl"}}};
  return record;
}

/// A bare file name stands for {raster: FILE}.
template <>
struct Codec<BedCase> {
  static void read(Node const& node, BedCase& bed, Reading& reading, About const& about) {
    if (node.is_scalar())
      Codec<FileName>::read(node, bed.raster.raster, reading, about);
    else
      read_record(node, bed, reading);
  }
  static Node write(BedCase const& bed) { return write_record(bed); }
  static Node schema(About const& about) {
    Node choices = Node::sequence({Codec<FileName>::schema({}), record_schema<BedCase>("")});
    Node schema = Node::map();
    schema.set("description", Node::string(std::string(about.doc)));
    schema.set("anyOf", std::move(choices));
    return schema;
  }
};

template <>
Record<DomainCase> describe_record<DomainCase>() {
  return {"where the water flows",
          {key("bed", &DomainCase::bed,
               {.doc = "elevation of the bed: raster file, {raster, resample, ...}, or a shape on `grid`; "
                       "cells without "
                       "data are inactive",
                .unit = "m",
                .required = true}),
           key("grid", &DomainCase::grid, {.doc = "the grid, where the bed raster does not give it"}),
           key("crs", &DomainCase::crs,
               {.doc = "coordinate reference system, such as EPSG:2154; passed through to every output"})}};
}

std::vector<Key<ManningFriction>> ManningFriction::keys() {
  return {
      key(name, &ManningFriction::coefficient,
          {.doc = "n: number, raster or areas", .unit = "s m^-1/3", .range = at_least(0), .required = true})};
}
std::vector<Key<ChezyFriction>> ChezyFriction::keys() {
  return {
      key(name, &ChezyFriction::coefficient,
          {.doc = "C: number, raster or areas", .unit = "m^1/2/s", .range = positive(), .required = true})};
}
std::vector<Key<DarcyWeisbachFriction>> DarcyWeisbachFriction::keys() {
  return {key(name, &DarcyWeisbachFriction::coefficient,
              {.doc = "f: number, raster or areas", .unit = "-", .range = at_least(0), .required = true})};
}
std::vector<Key<LinearFriction>> LinearFriction::keys() {
  return {key(name, &LinearFriction::coefficient,
              {.doc = "drag rate: number, raster or areas", .range = at_least(0), .required = true})};
}

template <>
Record<FrictionCase> describe_record<FrictionCase>() {
  Record<FrictionCase> record{"friction at the bed", {}};
  record.tag = "law";
  record.tag_doc = "the law";
  record.alternatives = alternatives(&FrictionCase::law);
  return record;
}

template <>
Record<InitialCase> describe_record<InitialCase>() {
  return {
      "the state at the start; dry and at rest without",
      {key("level_m", &InitialCase::level,
           {.doc =
                "water level: number, raster or areas; the depth is what stands above the bed, and without a "
                "default the rest is dry"}),
       key("depth_m", &InitialCase::depth, {.doc = "depth: number, raster or areas", .range = at_least(0)}),
       key("velocity_x_m_per_s", &InitialCase::velocity_x, {.doc = "velocity towards the east"}),
       key("velocity_y_m_per_s", &InitialCase::velocity_y, {.doc = "velocity towards the north"})},
      {{KeyGroup::Rule::at_most_one, {"level_m", "depth_m"}}}};
}

template <>
Record<BoundaryCase> describe_record<BoundaryCase>() {
  Record<BoundaryCase> record{
      "a boundary; faces that none claims are walls",
      {key("name", &BoundaryCase::name, {.doc = "a name of its own", .required = true}),
       key("on", &BoundaryCase::on, {.doc = "side of the grid, or several"}),
       key("from", &BoundaryCase::from,
           {.doc = "part of the side: smallest coordinate along it", .unit = "m"}),
       key("to", &BoundaryCase::to, {.doc = "part of the side: largest coordinate along it", .unit = "m"}),
       key("along", &BoundaryCase::along,
           {.doc = "line (CSV, GeoJSON or points) along the edge of the active cells; takes the faces near "
                   "to it",
            .unit = "m"}),
       key("within_m", &BoundaryCase::within,
           {.doc = "how far from the line the middle of a face may lie; default half a cell",
            .range = positive()})},
      {{KeyGroup::Rule::exactly_one, {"on", "along"}},
       {KeyGroup::Rule::at_most_one, {"from", "along"}},
       {KeyGroup::Rule::at_most_one, {"to", "along"}},
       {KeyGroup::Rule::at_most_one, {"within_m", "on"}}}};
  record.tag = "type";
  record.tag_doc = "what happens there";
  record.alternatives = alternatives(&BoundaryCase::type);
  return record;
}

template <>
Record<SourceCase> describe_record<SourceCase>() {
  Record<SourceCase> record{"what adds, takes or moves water, or moves the bed",
                            {key("name", &SourceCase::name, {.doc = "a name of its own", .required = true})}};
  record.tag = "type";
  record.tag_doc = "what it does";
  record.alternatives = alternatives(&SourceCase::type);
  return record;
}

template <>
Record<StructureCase> describe_record<StructureCase>() {
  Record<StructureCase> record{"something built that water passes or cannot pass",
                               {key("name", &StructureCase::name, {.doc = "a name of its own", .required = true})}};
  record.tag = "type";
  record.tag_doc = "what it is";
  record.alternatives = alternatives(&StructureCase::type);
  return record;
}

template <>
Record<Scheme> describe_record<Scheme>() {
  return {
      "how it is computed",
      {key("riemann", &Scheme::riemann, {.doc = "approximate Riemann solver"}),
       key("order", &Scheme::order, {.doc = "order of accuracy in space and time", .range = between(1, 2)}),
       key("limiter", &Scheme::limiter, {.doc = "slope limiter of the second order"}),
       key("cfl", &Scheme::cfl, {.doc = "Courant number", .range = above_up_to(0, 1)}),
       key("dry_tolerance_m", &Scheme::dry_tolerance,
           {.doc = "a cell with less depth carries no momentum", .range = positive()}),
       key("gravity_m_per_s2", &Scheme::gravity, {.doc = "gravity", .range = positive()}),
       key("min_step_s", &Scheme::min_dt,
           {.doc = "a smaller step ends the run as a numerical failure", .range = positive()})}};
}

template <>
Record<TimeCase> describe_record<TimeCase>() {
  return {"the time that is computed",
          {key("start_s", &TimeCase::start, {.doc = "time of the initial state"}),
           key("end_s", &TimeCase::end,
               {.doc = "time at which the run ends, exactly; after start_s", .required = true}),
           key("max_step_s", &TimeCase::max_step, {.doc = "largest step", .range = positive()})}};
}

template <>
Record<SnapshotCase> describe_record<SnapshotCase>() {
  return {"maps in time",
          {key("every_s", &SnapshotCase::every,
               {.doc = "interval, counted from the start; without it only the first and last state",
                .range = positive()}),
           key("fields", &SnapshotCase::fields, {.doc = "what is stored"}),
           key("compression", &SnapshotCase::compression,
               {.doc = "deflate level, 0 for none", .range = between(0, 9)}),
           key("precision", &SnapshotCase::precision, {.doc = "of the stored numbers"})}};
}
template <>
Record<OutputCase> describe_record<OutputCase>() {
  return {"what is kept",
          {key("directory", &OutputCase::directory,
               {.doc = "results go here; default results/<case name> beside the case"}),
           key("snapshots", &OutputCase::snapshots, {.doc = "maps in time"}),
           key("maxima", &OutputCase::maxima, {.doc = "extremes and times per cell, updated in every step"}),
           key("arrival_depth_m", &OutputCase::arrival_depth,
               {.doc = "arrival is the first time deeper than this", .range = positive()}),
           key("duration_depth_m", &OutputCase::duration_depth,
               {.doc = "duration is the time spent deeper than this", .range = positive()})}};
}

template <>
Record<GaugeCase> describe_record<GaugeCase>() {
  return {"a point at which depth, level and velocity are recorded",
          {key("name", &GaugeCase::name, {.doc = "a name of its own", .required = true}),
           key("at", &GaugeCase::at, {.doc = "point [x, y] in an active cell", .unit = "m"}),
           key("x", &GaugeCase::x, {.doc = "x, instead of `at`", .unit = "m"}),
           key("y", &GaugeCase::y, {.doc = "y, instead of `at`", .unit = "m"}),
           key("every_s", &GaugeCase::every,
               {.doc = "interval; without it a row for every step", .range = positive()}),
           key("sample", &GaugeCase::sample, {.doc = "value of the cell, or bilinear between cell centres"})},
          {{KeyGroup::Rule::exactly_one, {"at", "x"}}, {KeyGroup::Rule::exactly_one, {"at", "y"}}}};
}

template <>
Record<SectionCase> describe_record<SectionCase>() {
  return {"a line through which discharge and volume are recorded",
          {key("name", &SectionCase::name, {.doc = "a name of its own", .required = true}),
           key("along", &SectionCase::along,
               {.doc = "line (CSV, GeoJSON or points); drawn from the left to the right bank, flow "
                       "downstream is positive",
                .unit = "m",
                .required = true}),
           key("every_s", &SectionCase::every,
               {.doc = "interval; without it a row for every step", .range = positive()})}};
}

template <>
Record<CheckpointCase> describe_record<CheckpointCase>() {
  return {
      "states from which a run can be continued",
      {key("every_wall", &CheckpointCase::every_wall, {.doc = "interval of wall time, such as 30min"}),
       key("every_s", &CheckpointCase::every, {.doc = "interval of simulated time", .range = positive()}),
       key("keep", &CheckpointCase::keep, {.doc = "how many of the newest are kept", .range = at_least(1)})}};
}

template <>
Record<CaseFile> describe_record<CaseFile>() {
  return {
      "A case for the shallow-water solver swe. SI units unless a key says otherwise; file names are "
      "relative to "
      "the case file.",
      {key("title", &CaseFile::title, {.doc = "what it is, in words"}),
       key("domain", &CaseFile::domain, {.doc = "grid and bed", .required = true}),
       key("friction", &CaseFile::friction, {.doc = "friction at the bed; none without"}),
       key("initial", &CaseFile::initial, {.doc = "the state at the start; dry without"}),
       key("boundaries", &CaseFile::boundaries, {.doc = "faces that are not walls"}),
       key("sources", &CaseFile::sources, {.doc = "what adds, takes or moves water, or moves the bed"}),
       key("structures", &CaseFile::structures, {.doc = "culverts, pumps, weirs, gates, levees, buildings"}),
       key("scheme", &CaseFile::scheme, {.doc = "how it is computed"}),
       key("time", &CaseFile::time, {.doc = "the time that is computed", .required = true}),
       key("output", &CaseFile::output, {.doc = "what is kept"}),
       key("gauges", &CaseFile::gauges, {.doc = "points that are recorded"}),
       key("sections", &CaseFile::sections, {.doc = "lines through which the flow is recorded"}),
       key("checkpoint", &CaseFile::checkpoint, {.doc = "states from which a run can be continued"})}};
}

double PlaneBed::operator()(Grid const& grid, double x, double y) const {
  Point const from = at.value_or(Point{grid.x0, grid.y0});
  return level + slope_x * (x - from.x) + slope_y * (y - from.y);
}

double BowlBed::operator()(Grid const& grid, double x, double y) const {
  Point const middle =
      at.value_or(Point{grid.x0 + 0.5 * grid.nx * grid.dx, grid.y0 + 0.5 * grid.ny * grid.dy});
  return level + curvature_x * (x - middle.x) * (x - middle.x) +
         curvature_y * (y - middle.y) * (y - middle.y);
}

CaseFile read_case(Node const& root, std::filesystem::path const& folder, std::vector<Problem>& problems) {
  CaseFile file;
  Reading reading(folder, problems);
  read_record(root, file, reading);
  return file;
}

Node write_case(CaseFile const& file) { return write_record(file); }

Node schema_of_case() {
  Node schema = Node::map();
  schema.set("$schema", Node::string("https://json-schema.org/draft/2020-12/schema"));
  schema.set("title", Node::string("swe case file"));
  Node record = record_schema<CaseFile>(record_of<CaseFile>().doc);
  for (auto& [key, line, value] : record.entries) schema.set(key, std::move(value));
  return schema;
}

}  // namespace swe::io
