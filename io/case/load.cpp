#include "io/case/load.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "io/case/building.hpp"
#include "io/case/case_file.hpp"
#include "io/text.hpp"

namespace swe::io {

namespace {

/// What the solver and the writers hold per cell, all fields together; a grid that needs more than the
/// machine has is refused.
constexpr double run_bytes_per_cell = 150;

constexpr std::array<std::string_view, 4> side_names{"west", "east", "south", "north"};

Side opposite(Side side) {
  switch (side) {
    case Side::west:
      return Side::east;
    case Side::east:
      return Side::west;
    case Side::south:
      return Side::north;
    case Side::north:
      return Side::south;
  }
  return side;
}

std::string item_key(std::string_view list, std::size_t k) {
  return std::string(list) + "." + std::to_string(k);
}

/// Turns the typed sections into a Scenario and what goes with it, section by section.
class Builder {
public:
  Builder(Node const& root, CaseFile const& file, LoadedCase& loaded, std::vector<Problem>& problems)
      : file_(file),
        loaded_(loaded),
        scenario_(loaded.scenario),
        building_(root, scenario_, problems, loaded.notes) {}

  void build() {
    scenario_.title = file_.title;
    scenario_.scheme = file_.scheme;
    build_time();
    build_domain();
    build_structures(true);
    build_friction();
    build_initial();
    build_boundaries();
    build_sources();
    build_structures(false);
    build_output();
    build_gauges();
    build_sections();
  }

private:
  void build_time() {
    auto const& time = file_.time;
    if (time.max_step) scenario_.scheme.max_dt = *time.max_step;
    if (building_.broken("time")) {
      // Without a known end no series can be said to end too early.
      scenario_.start_time = std::numeric_limits<double>::infinity();
      scenario_.end_time = -std::numeric_limits<double>::infinity();
      return;
    }
    scenario_.start_time = time.start;
    scenario_.end_time = time.end;
    if (!(time.end > time.start))
      building_.problem("time.end_s", "must be greater than start_s, which is " + number_text(time.start) +
                                          ", not " + number_text(time.end));
  }

  void build_domain() {
    DomainCase const& domain = file_.domain;
    building_.set_crs(domain.crs);
    if (is_geographic_crs(domain.crs))
      building_.problem("domain.crs",
                        "'" + domain.crs + "' is in longitude and latitude; the solver needs metres");
    else if (is_unknown_epsg(domain.crs))
      building_.problem("domain.crs", "'" + domain.crs + "': EPSG has no reference system of that number");
    if (building_.broken("domain")) {
      loaded_.output.crs = domain.crs;
      return;
    }
    if (domain.grid) {
      scenario_.grid = {domain.grid->nx, domain.grid->ny,
                        domain.grid->dx, domain.grid->dy.value_or(domain.grid->dx),
                        domain.grid->x0, domain.grid->y0};
      if (!fits_memory()) return;
    }
    if (!domain.bed.raster.raster.empty())
      build_bed_from_raster();
    else
      build_bed_from_shape();
    loaded_.output.crs = building_.crs();
    if (scenario_.bed.empty()) return;
    if (scenario_.active_cells() == 0) {
      building_.problem("domain.bed", "no cell is active");
      scenario_.bed.clear();
    }
  }

  bool fits_memory() {
    Grid const& grid = scenario_.grid;
    double const needed = double(grid.nx) * grid.ny * run_bytes_per_cell;
    if (needed <= double(memory_limit_bytes())) return true;
    building_.problem(file_.domain.grid ? "domain.grid" : "domain.bed",
                      std::to_string(grid.nx) + " x " + std::to_string(grid.ny) + " cells need about " +
                          number_text(std::ceil(needed / 1e9)) + " GB, this machine has " +
                          number_text(std::floor(double(memory_limit_bytes()) / 1e9)) + " GB");
    return false;
  }

  void build_bed_from_raster() {
    std::string const key = "domain.bed";
    auto const& file = file_.domain.bed.raster;
    auto const raster = building_.raster(key, file);
    if (!raster) return;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (double const z : raster->values)
      if (!std::isnan(z)) std::tie(low, high) = std::pair(std::min(low, z), std::max(high, z));
    if (building_.crs().empty() && looks_geographic(raster->grid, high - low)) {
      building_.problem(key,
                        file.raster.text + ": cells of " + number_text(raster->grid.dx) + " from (" +
                            number_text(raster->grid.x0) + ", " + number_text(raster->grid.y0) +
                            ") look like degrees, the solver needs metres: reproject it, for example with "
                            "gdalwarp -t_srs EPSG:...; if these are metres, say so with domain.crs: local");
      return;
    }
    if (!file_.domain.grid) {
      scenario_.grid = raster->grid;
      if (fits_memory()) scenario_.bed = raster->values;
      return;
    }
    if (same_grid(raster->grid, scenario_.grid)) {
      scenario_.bed = raster->values;
    } else if (file.resample != Resample::none) {
      scenario_.bed = resample(*raster, scenario_.grid, file.resample);
    } else {
      building_.problem(key, "the raster has " + describe_grid(raster->grid) + ", domain.grid has " +
                                 describe_grid(scenario_.grid) + "; write {raster: " + file.raster.text +
                                 ", resample: bilinear} to have it resampled");
    }
  }

  void build_bed_from_shape() {
    if (!file_.domain.grid) {
      building_.problem("domain.grid", "is needed for a bed without a raster");
      return;
    }
    BedCase const& bed = file_.domain.bed;
    Grid const& grid = scenario_.grid;
    scenario_.bed.resize(std::size_t(grid.cells()));
    for (int j = 0; j < grid.ny; ++j)
      for (int i = 0; i < grid.nx; ++i) {
        double const x = grid.x_centre(i), y = grid.y_centre(j);
        scenario_.bed[std::size_t(grid.index(i, j))] = bed.plane  ? (*bed.plane)(grid, x, y)
                                                       : bed.bowl ? (*bed.bowl)(grid, x, y)
                                                                  : bed.constant.value_or(0);
      }
  }

  void build_friction() {
    if (building_.broken("friction")) return;
    std::visit(
        [&]<class Law>(Law const& law) {
          if constexpr (requires { law.coefficient; }) {
            scenario_.friction.type = Law::type;
            scenario_.friction.coefficient =
                building_.field("friction." + std::string(Law::name), law.coefficient);
          }
        },
        file_.friction.law);
  }

  void build_initial() {
    InitialCase const& initial = file_.initial;
    if (initial.depth && !building_.broken("initial.depth_m"))
      scenario_.initial.depth = building_.field("initial.depth_m", *initial.depth);
    if (initial.level && !building_.broken("initial.level_m")) {
      constexpr double dry = -std::numeric_limits<double>::infinity();
      CellField const level = building_.field("initial.level_m", *initial.level, dry);
      auto& depth = scenario_.initial.depth.raster;
      bool const known =
          level.is_constant() ? !std::holds_alternative<RasterFile>(initial.level->value) : true;
      if (known && building_.has_grid()) depth.assign(scenario_.bed.size(), 0.0);
      for (std::size_t cell = 0; cell < depth.size(); ++cell)
        if (scenario_.active(std::int64_t(cell)))
          depth[cell] = std::max(0.0, level(std::int64_t(cell)) - scenario_.bed[cell]);
    }
    if (!building_.broken("initial.velocity_x_m_per_s"))
      scenario_.initial.velocity_x = building_.field("initial.velocity_x_m_per_s", initial.velocity_x);
    if (!building_.broken("initial.velocity_y_m_per_s"))
      scenario_.initial.velocity_y = building_.field("initial.velocity_y_m_per_s", initial.velocity_y);
  }

  template <class Items>
  void check_names(std::string_view list, Items const& items) {
    std::map<std::string, std::size_t> first;
    for (std::size_t k = 0; k < items.size(); ++k) {
      auto const& name = items[k].name;
      if (name.empty()) continue;
      auto const [known, fresh] = first.emplace(name, k);
      if (!fresh)
        building_.problem(item_key(list, k) + ".name",
                          "'" + name + "' is the name of " + item_key(list, known->second) + " already");
    }
  }

  void build_boundaries() {
    check_names("boundaries", file_.boundaries);
    std::map<BoundaryFace, std::size_t> owner;
    std::map<Side, std::size_t> periodic;
    for (std::size_t k = 0; k < file_.boundaries.size(); ++k) {
      BoundaryCase const& one = file_.boundaries[k];
      std::string const key = item_key("boundaries", k);
      if (building_.broken(key)) continue;
      if (std::holds_alternative<PeriodicBoundary>(one.type)) {
        add_periodic(k, key, periodic);
        continue;
      }
      Boundary boundary;
      boundary.name = one.name;
      boundary.faces = faces_of(one, key);
      std::visit([&](auto const& kind) { kind.apply(boundary, building_, key); }, one.type);
      claim(boundary.faces, k, key, owner);
      scenario_.boundaries.push_back(std::move(boundary));
    }
    for (auto const& [side, k] : periodic)
      for (auto const& face : faces_on_side(scenario_.grid, scenario_.bed, side))
        if (auto const other = owner.find(face); other != owner.end()) {
          building_.problem(item_key("boundaries", k), "boundaries '" + file_.boundaries[k].name + "' and '" +
                                                           file_.boundaries[other->second].name +
                                                           "' claim the same face: " + face_text(face));
          break;
        }
  }

  /// Both sides of each pair, whether the case names one or both.
  void add_periodic(std::size_t k, std::string const& key, std::map<Side, std::size_t>& periodic) {
    BoundaryCase const& one = file_.boundaries[k];
    if (one.on.empty() || one.from || one.to) {
      building_.problem(
          key, "boundary '" + one.name + "': periodic boundaries take whole sides: on: [west, east]");
      return;
    }
    if (!building_.has_grid()) return;
    for (Side const named : one.on)
      for (Side const side : {named, opposite(named)}) {
        if (!periodic.emplace(side, k).second) continue;
        Boundary boundary;
        boundary.name = one.name;
        boundary.type = Boundary::Type::periodic;
        boundary.side = side;
        scenario_.boundaries.push_back(std::move(boundary));
      }
  }

  std::vector<BoundaryFace> faces_of(BoundaryCase const& one, std::string const& key) {
    std::vector<BoundaryFace> faces;
    std::size_t const before = building_.problem_count();
    auto const line = one.along.empty() ? std::vector<Point>{} : building_.line(key + ".along", one.along);
    if (!building_.has_grid() || building_.problem_count() > before) return faces;
    Grid const& grid = scenario_.grid;
    double const infinity = std::numeric_limits<double>::infinity();
    for (Side const side : std::set<Side>(one.on.begin(), one.on.end())) {
      auto const more =
          faces_on_side(grid, scenario_.bed, side, one.from.value_or(-infinity), one.to.value_or(infinity));
      faces.insert(faces.end(), more.begin(), more.end());
    }
    // Half a cell reaches every face of the staircase that a line cuts out of the grid, and no face round a
    // corner.
    double const distance = one.within.value_or(0.5 * std::min(grid.dx, grid.dy) * (1 - 1e-6));
    if (!one.along.empty()) faces = faces_along(grid, scenario_.bed, line, distance);
    if (faces.empty())
      building_.problem(key, "boundary '" + one.name + "' touches no active face" + nearest_face(one, line));
    return faces;
  }

  std::string nearest_face(BoundaryCase const& one, std::vector<Point> const& line) const {
    Grid const& grid = scenario_.grid;
    if (one.along.empty()) {
      if (!one.from && !one.to) return "; there is none on this side";
      bool const along_y = one.on.front() == Side::west || one.on.front() == Side::east;
      double const start = along_y ? grid.y0 : grid.x0,
                   length = along_y ? grid.ny * grid.dy : grid.nx * grid.dx;
      return std::string("; the side runs from ") + (along_y ? "y " : "x ") + number_text(start) + " to " +
             number_text(start + length);
    }
    double const diagonal = std::hypot(grid.nx * grid.dx, grid.ny * grid.dy);
    for (double distance = std::min(grid.dx, grid.dy); distance < 4 * diagonal; distance *= 2)
      if (!faces_along(grid, scenario_.bed, line, distance).empty())
        return "; the nearest is within " + number_text(distance) + " m (see within_m)";
    return "; it lies far outside the grid";
  }

  std::string face_text(BoundaryFace const& face) const {
    return std::string(side_names[std::size_t(face.side)]) + " of the cell at (" +
           number_text(scenario_.grid.x_centre(face.i)) + ", " +
           number_text(scenario_.grid.y_centre(face.j)) + ")";
  }

  void claim(std::vector<BoundaryFace> const& faces, std::size_t k, std::string const& key,
             std::map<BoundaryFace, std::size_t>& owner) {
    bool reported = false;
    for (auto const& face : faces) {
      auto const [known, fresh] = owner.emplace(face, k);
      if (fresh || reported) continue;
      building_.problem(key, "boundaries '" + file_.boundaries[known->second].name + "' and '" +
                                 file_.boundaries[k].name + "' claim the same face: " + face_text(face));
      reported = true;
    }
  }

  void build_sources() {
    check_names("sources", file_.sources);
    for (std::size_t k = 0; k < file_.sources.size(); ++k) {
      SourceCase const& one = file_.sources[k];
      std::string const key = item_key("sources", k);
      if (building_.broken(key)) continue;
      std::visit([&](auto const& kind) { kind.apply(one.name, building_, key, scenario_); }, one.type);
    }
  }

  /// Buildings shape the bed on which everything else is placed; other structures come after.
  void build_structures(bool buildings) {
    if (buildings) check_names("structures", file_.structures);
    for (std::size_t k = 0; k < file_.structures.size(); ++k) {
      StructureCase const& one = file_.structures[k];
      std::string const key = item_key("structures", k);
      if (building_.broken(key) || std::holds_alternative<BuildingStructure>(one.type) != buildings) continue;
      std::visit([&](auto const& kind) { kind.apply(one.name, building_, key, scenario_); }, one.type);
    }
    if (buildings && building_.has_grid() && scenario_.active_cells() == 0) {
      building_.problem("structures", "buildings cover every active cell");
      scenario_.bed.clear();
    }
  }

  void build_output() {
    OutputCase const& output = file_.output;
    loaded_.output.directory = output.directory.path;
    loaded_.output.every_s = output.snapshots.every;
    loaded_.output.fields = output.snapshots.fields;
    loaded_.output.compression = output.snapshots.compression;
    loaded_.output.single_precision = output.snapshots.precision == SnapshotCase::Precision::single_precision;
    MaximaOptions& maxima = loaded_.output.maxima;
    for (MaximaField const field : output.maxima) switch (field) {
        case MaximaField::depth:
          maxima.depth = true;
          break;
        case MaximaField::level:
          maxima.level = true;
          break;
        case MaximaField::speed:
          maxima.speed = true;
          break;
        case MaximaField::unit_discharge:
          maxima.unit_discharge = true;
          break;
        case MaximaField::hazard:
          maxima.hazard = true;
          break;
        case MaximaField::time_of_max:
          maxima.time_of_max = true;
          break;
        case MaximaField::arrival:
          maxima.arrival = true;
          break;
        case MaximaField::duration:
          maxima.duration = true;
          break;
      }
    maxima.arrival_depth = output.arrival_depth;
    maxima.duration_depth = output.duration_depth;
    auto const& checkpoint = file_.checkpoint;
    if (checkpoint.every_wall) loaded_.checkpoint.every_wall_s = checkpoint.every_wall->seconds;
    loaded_.checkpoint.every_s = checkpoint.every;
    loaded_.checkpoint.keep = checkpoint.keep;
  }

  void build_gauges() {
    check_names("gauges", file_.gauges);
    for (std::size_t k = 0; k < file_.gauges.size(); ++k) {
      GaugeCase const& one = file_.gauges[k];
      std::string const key = item_key("gauges", k);
      if (building_.broken(key)) continue;
      GaugeSpec gauge;
      gauge.name = one.name;
      gauge.at = one.at.value_or(Point{one.x.value_or(0), one.y.value_or(0)});
      gauge.sample = one.sample;
      gauge.every_s = one.every;
      auto const cell = building_.active_cell(key + (one.at ? ".at" : ".x"), gauge.at);
      if (!cell) continue;
      gauge.cell = *cell;
      gauge.stencil = gauge.sample == GaugeSpec::Sample::cell ? std::vector<CellWeight>{{*cell, 1.0}}
                                                              : bilinear(gauge.at);
      loaded_.gauges.push_back(std::move(gauge));
    }
  }

  std::vector<CellWeight> bilinear(Point at) const {
    Grid const& grid = scenario_.grid;
    double const p = std::clamp((at.x - grid.x0) / grid.dx - 0.5, 0.0, grid.nx - 1.0);
    double const q = std::clamp((at.y - grid.y0) / grid.dy - 0.5, 0.0, grid.ny - 1.0);
    int const west = int(p), south = int(q);
    std::vector<CellWeight> stencil;
    double sum = 0;
    for (int const dj : {0, 1})
      for (int const di : {0, 1}) {
        double const weight = (di ? p - west : 1 - (p - west)) * (dj ? q - south : 1 - (q - south));
        if (!(weight > 0)) continue;
        auto const cell = grid.index(west + di, south + dj);
        if (!scenario_.active(cell)) continue;
        stencil.push_back({cell, weight});
        sum += weight;
      }
    for (auto& one : stencil) one.weight /= sum;
    return stencil;
  }

  void build_sections() {
    check_names("sections", file_.sections);
    for (std::size_t k = 0; k < file_.sections.size(); ++k) {
      SectionCase const& one = file_.sections[k];
      std::string const key = item_key("sections", k);
      if (building_.broken(key)) continue;
      SectionSpec section{one.name, building_.line(key + ".along", one.along), {}, one.every};
      if (!building_.has_grid() || section.line.empty()) continue;
      section.faces = section_faces(scenario_.grid, section.line);
      Grid const& grid = scenario_.grid;
      auto const active = [&](int i, int j) {
        return i >= 0 && j >= 0 && i < grid.nx && j < grid.ny && scenario_.active(grid.index(i, j));
      };
      std::erase_if(section.faces, [&](SectionFace const& face) {
        bool const x_face = face.side == Side::west;
        return !active(face.i, face.j) && !active(face.i - int(x_face), face.j - int(!x_face));
      });
      if (section.faces.empty())
        building_.problem(key + ".along", "section '" + one.name + "' crosses no active cell");
      loaded_.sections.push_back(std::move(section));
    }
  }

  CaseFile const& file_;
  LoadedCase& loaded_;
  Scenario& scenario_;
  Building building_;
};

}  // namespace

LoadedCase load_case(std::filesystem::path const& file, std::vector<std::string> const& overrides) {
  std::vector<Problem> problems;
  Node root = parse_yaml(read_whole_file(file), file.string(), problems);
  for (auto const& assignment : overrides) apply_override(root, assignment, problems);
  if (root.is_null() && problems.empty()) problems.push_back({file.string(), 0, "", "the case is empty"});
  if (root.is_null()) throw InputError(std::move(problems));

  LoadedCase loaded;
  loaded.file = file;
  loaded.name = file.stem().string();
  auto const folder = file.parent_path();
  CaseFile sections = read_case(root, folder, problems);
  if (sections.output.directory.empty()) {
    std::string const name = "results/" + loaded.name;
    sections.output.directory = {(folder / name).lexically_normal(), name};
  }
  if (root.is_map()) Builder(root, sections, loaded, problems).build();
  if (!problems.empty()) {
    std::stable_sort(problems.begin(), problems.end(), [&](Problem const& a, Problem const& b) {
      auto const order = [&](Problem const& one) { return std::pair(one.file != file.string(), one.line); };
      return order(a) < order(b);
    });
    throw InputError(std::move(problems));
  }
  loaded.case_yaml = to_yaml(write_case(sections));
  loaded.case_file = std::make_shared<CaseFile const>(std::move(sections));
  return loaded;
}

std::string case_schema() { return to_json(schema_of_case()); }

std::vector<double> output_times(double start, double end, std::optional<double> every) {
  std::vector<double> times{start};
  if (every) {
    for (std::int64_t k = 1;; ++k) {
      double const time = start + double(k) * *every;
      if (time >= end - 1e-9 * *every) break;
      times.push_back(time);
    }
  }
  if (end > start) times.push_back(end);
  return times;
}

}  // namespace swe::io
