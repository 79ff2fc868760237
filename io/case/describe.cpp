// What `swe check` says.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "io/case/case_file.hpp"
#include "io/case/load.hpp"
#include "io/text.hpp"

namespace swe::io {

namespace {

/// Four digits are enough for a person.
std::string rounded(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

/// A volume, without the noise of its sum.
std::string precise(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g", value);
  return text.data();
}

std::string coordinates(double x, double y) { return "(" + number_text(x) + ", " + number_text(y) + ")"; }

class Description {
public:
  explicit Description(LoadedCase const& loaded)
      : loaded_(loaded), scenario_(loaded.scenario), grid_(loaded.scenario.grid), file_(*loaded.case_file) {}

  std::string text() {
    line("case", loaded_.file.string() + (scenario_.title.empty() ? "" : " (" + scenario_.title + ")"));
    describe_domain();
    describe_scheme();
    describe_friction();
    describe_initial();
    for (auto const& boundary : scenario_.boundaries) describe(boundary);
    for (auto const& source : scenario_.sources) describe(source);
    describe_forces();
    for (auto const& motion : scenario_.bed_motions) describe(motion);
    for (auto const& structure : scenario_.structures) describe(structure);
    for (auto const& gauge : loaded_.gauges) describe(gauge);
    for (auto const& section : loaded_.sections) describe(section);
    describe_time();
    describe_output();
    for (auto const& note : loaded_.notes) line("note", note);
    return std::move(text_);
  }

private:
  void line(std::string label, std::string const& words) {
    label.resize(std::max<std::size_t>(label.size(), 11), ' ');
    text_ += label + " " + words + "\n";
  }

  void describe_domain() {
    line("grid", describe_grid(grid_));
    line("", "x " + number_text(grid_.x0) + " to " + number_text(grid_.x0 + grid_.nx * grid_.dx) + ", y " +
                 number_text(grid_.y0) + " to " + number_text(grid_.y0 + grid_.ny * grid_.dy) +
                 (loaded_.output.crs.empty() ? ", no crs" : ", crs " + loaded_.output.crs.substr(0, 60)));
    auto const [low, high] = bed_range();
    line("bed", std::to_string(scenario_.active_cells()) + " of " + counted(grid_.cells(), "cell", "cells") +
                    " active, " + rounded(low) + " to " + rounded(high) + " m");
    constexpr double bytes_per_cell = 150;
    line("memory", "about " + rounded(double(grid_.cells()) * bytes_per_cell / 1e6 + 60) + " MB");
  }

  [[nodiscard]] std::pair<double, double> bed_range() const {
    double low = INFINITY, high = -INFINITY;
    for (double const z : scenario_.bed)
      if (!std::isnan(z)) {
        low = std::min(low, z);
        high = std::max(high, z);
      }
    return {low, high};
  }

  void describe_scheme() {
    auto const& scheme = scenario_.scheme;
    constexpr std::array<char const*, 3> riemann{"hll", "hllc", "roe"}, limiter{"minmod", "van_leer", "mc"};
    line("scheme",
         std::string("Riemann solver ") + riemann[std::size_t(scheme.riemann)] + ", order " +
             std::to_string(scheme.order) +
             (scheme.order > 1 ? std::string(" with ") + limiter[std::size_t(scheme.limiter)] : "") +
             ", cfl " + number_text(scheme.cfl) + ", dry below " + number_text(scheme.dry_tolerance) +
             " m, gravity " + number_text(scheme.gravity) + " m/s2");
  }

  void describe_friction() {
    std::string const law =
        std::visit([](auto const& one) { return std::string(one.kind); }, file_.friction.law);
    line("friction", law + (scenario_.friction.type == FrictionLaw::Type::none
                                ? ""
                                : ", coefficient " + range_of(scenario_.friction.coefficient)));
  }

  [[nodiscard]] std::string range_of(CellField const& field, double factor = 1) const {
    if (field.is_constant()) return rounded(field.constant * factor);
    double low = INFINITY, high = -INFINITY;
    for (std::int64_t cell = 0; cell < grid_.cells(); ++cell)
      if (scenario_.active(cell)) {
        low = std::min(low, field(cell) * factor);
        high = std::max(high, field(cell) * factor);
      }
    return rounded(low) + " to " + rounded(high);
  }

  void describe_initial() {
    double volume = 0, deepest = 0;
    std::int64_t wet = 0;
    for (std::int64_t cell = 0; cell < grid_.cells(); ++cell) {
      if (!scenario_.active(cell)) continue;
      double const h = scenario_.initial.depth(cell);
      volume += h * grid_.cell_area();
      deepest = std::max(deepest, h);
      wet += h > scenario_.scheme.dry_tolerance;
    }
    line("start", counted(wet, "wet cell", "wet cells") + ", volume " + precise(volume) + " m3, deepest " +
                      rounded(deepest) + " m");
  }

  void describe(Boundary const& boundary) {
    constexpr std::array<char const*, 4> sides{"west", "east", "south", "north"};
    BoundaryCase const* const written = written_boundary(boundary.name);
    std::string words = "'" + boundary.name + "'";
    if (written)
      words += ", " + std::visit([](auto const& kind) { return std::string(kind.kind); }, written->type);
    if (boundary.type == Boundary::Type::periodic) {
      line("boundary", words + ", " + sides[std::size_t(boundary.side)] + " side");
      return;
    }
    std::array<int, 4> faces{};
    double width = 0, lowest = INFINITY;
    for (auto const& face : boundary.faces) {
      ++faces[std::size_t(face.side)];
      width += face.side == Side::west || face.side == Side::east ? grid_.dy : grid_.dx;
      lowest = std::min(lowest, scenario_.bed[std::size_t(grid_.index(face.i, face.j))]);
    }
    words += ": " + counted((long long)boundary.faces.size(), "face", "faces") + ", " + rounded(width) +
             " m wide (";
    bool first = true;
    for (std::size_t side = 0; side < faces.size(); ++side)
      if (faces[side] > 0)
        words += (std::exchange(first, false) ? "" : ", ") + std::to_string(faces[side]) + " " + sides[side];
    words += "), lowest bed " + rounded(lowest) + " m";
    if (boundary.type == Boundary::Type::normal_depth) words += ", slope " + rounded(boundary.slope);
    words += series_text(boundary.series, 1, unit_of(boundary.type));
    if (boundary.type == Boundary::Type::state)
      words += ", east" + series_text(boundary.velocity_x, 1, "m/s").substr(1) + ", north" +
               series_text(boundary.velocity_y, 1, "m/s").substr(1);
    line("boundary", words);
    if (boundary.type == Boundary::Type::open) note_standing_water(boundary);
    if (written && !written->along.points.empty())
      line("", "middle of the farthest face " + rounded(farthest(boundary.faces, written->along.points)) +
                   " m from the line");
  }

  /// Nothing moves still water towards an open boundary, which surprises who expects it to fall.
  void note_standing_water(Boundary const& boundary) {
    auto const standing =
        std::count_if(boundary.faces.begin(), boundary.faces.end(), [&](BoundaryFace const& face) {
          auto const cell = grid_.index(face.i, face.j);
          return scenario_.initial.depth(cell) > scenario_.scheme.dry_tolerance &&
                 scenario_.initial.velocity_x(cell) == 0 && scenario_.initial.velocity_y(cell) == 0;
        });
    if (standing > 0)
      line("",
           "still water stands at " + counted((long long)standing, "face", "faces") +
               " at the start and stays until something moves it: `critical` lets it fall, `absorbing` or "
               "`level` hold water beyond");
  }

  static std::string unit_of(Boundary::Type type) {
    if (type == Boundary::Type::discharge) return "m3/s";
    if (type == Boundary::Type::discharge_per_width) return "m2/s";
    return "m";
  }

  [[nodiscard]] BoundaryCase const* written_boundary(std::string const& name) const {
    for (auto const& one : file_.boundaries)
      if (one.name == name) return &one;
    return nullptr;
  }

  [[nodiscard]] double farthest(std::vector<BoundaryFace> const& faces,
                                std::vector<Point> const& along) const {
    double distance = 0;
    for (auto const& face : faces)
      distance = std::max(distance, distance_to_line(face_midpoint(grid_, face), along));
    return distance;
  }

  [[nodiscard]] static std::string series_text(TimeSeries const& series, double factor,
                                               std::string const& unit) {
    if (series.value.empty()) return "";
    auto const [low, high] = std::minmax_element(series.value.begin(), series.value.end());
    std::string text =
        ", " + rounded(*low / factor) + (*low == *high ? "" : " to " + rounded(*high / factor));
    if (!unit.empty()) text += " " + unit;
    if (series.time.size() > 1)
      text += std::string(" from ") + counted((long long)series.time.size(), "record", "records") +
              (series.interpolation == TimeSeries::Interpolation::step ? " (each holds to the next)"
                                                                       : " (linear between)");
    return text;
  }

  void describe(Source const& source) {
    std::string words = "'" + source.name + "', ";
    switch (source.type) {
      case Source::Type::rain:
        if (!source.rasters.empty()) {
          words += "rain by " + counted((long long)source.rasters.time.size(), "raster", "rasters") +
                   ", each holds to the next";
          break;
        }
        words += "rain on " +
                 (source.cells.empty() ? "all active cells"
                                       : counted((long long)source.cells.size(), "cell", "cells")) +
                 series_text(source.series, 1e-3 / 3600, "mm/h");
        break;
      case Source::Type::inflow: {
        words += "inflow into " + counted((long long)source.cells.size(), "cell", "cells");
        if (source.cells.size() == 1) words += " at " + cell_text(source.cells.front());
        words += series_text(source.series, 1, "m3/s");
        break;
      }
      case Source::Type::infiltration:
        words += kind_of_source(source.name) + ", " + infiltration_text(source);
        break;
      case Source::Type::evaporation:
        words += "evaporation from " +
                 (source.cells.empty() ? "all active cells"
                                       : counted((long long)source.cells.size(), "cell", "cells")) +
                 series_text(source.series, 1e-3 / 86400, "mm/day");
        break;
    }
    line("source", words);
  }

  [[nodiscard]] std::string kind_of_source(std::string const& name) const {
    for (auto const& one : file_.sources)
      if (one.name == name)
        return std::visit([](auto const& kind) { return std::string(kind.kind); }, one.type);
    return "";
  }

  [[nodiscard]] std::string infiltration_text(Source const& s) const {
    switch (s.model) {
      case InfiltrationModel::horton:
        return range_of(s.initial_rate, 3.6e6) + " falling to " + range_of(s.rate, 3.6e6) + " mm/h, decay " +
               range_of(s.decay, 3600) + " /h";
      case InfiltrationModel::green_ampt:
        return "conductivity " + range_of(s.rate, 3.6e6) + " mm/h, suction times deficit " +
               range_of(s.suction_deficit) + " m";
      case InfiltrationModel::scs_cn:
        return "retention " + range_of(s.retention, 1e3) + " mm, initial abstraction " +
               range_of(s.initial_abstraction, 1e3) + " mm";
      default:
        return range_of(s.rate, 3.6e6) + " mm/h";
    }
  }

  void describe_forces() {
    if (scenario_.wind) {
      auto const& w = *scenario_.wind;
      line("wind", "drag " + std::string(enum_name(w.drag)) + ", east" +
                       series_text(w.east, 1, "m/s").substr(1) + ", north" +
                       series_text(w.north, 1, "m/s").substr(1));
    }
    if (scenario_.air_pressure)
      line("air", "pressure by " +
                      counted((long long)scenario_.air_pressure->rasters.time.size(), "raster", "rasters") +
                      ", linear between");
    for (auto const& low : scenario_.pressure_lows)
      line("air", "'" + low.name + "', pressure low of " + rounded(low.drop) + " Pa, radius " +
                      rounded(low.radius) + " m, from " + path_point(low, scenario_.start_time) + " to " +
                      path_point(low, scenario_.end_time));
    if (scenario_.coriolis != 0) line("coriolis", "f " + rounded(scenario_.coriolis) + " /s");
    if (scenario_.eddy_viscosity > 0)
      line("eddies", "viscosity " + rounded(scenario_.eddy_viscosity) + " m2/s");
  }

  static std::string path_point(PressureLow const& low, double t) {
    return "(" + rounded(low.x(t)) + ", " + rounded(low.y(t)) + ") at " + rounded(t) + " s";
  }

  void describe(BedMotion const& motion) {
    std::string words = "'" + motion.name + "', ";
    switch (motion.type) {
      case BedMotion::Type::rasters:
        words += counted((long long)motion.rasters.time.size(), "raster", "rasters") + " from " +
                 rounded(motion.rasters.time.front()) + " s to " + rounded(motion.rasters.time.back()) + " s";
        break;
      case BedMotion::Type::uplift:
        words += "uplift of " + range_of(motion.shape) + " m, from " + rounded(motion.series.time.front()) +
                 " s to " + rounded(motion.series.time.back()) + " s";
        break;
      case BedMotion::Type::breach:
        words += "breach of " + counted((long long)motion.cells.size(), "cell", "cells") + " down to" +
                 series_text(motion.series, 1, "m").substr(1);
        break;
    }
    line("bed moves", words);
  }

  void describe(Structure const& structure) {
    std::string words = "'" + structure.name + "', " + std::string(structure_name(structure.type));
    if (structure.type == Structure::Type::culvert || structure.type == Structure::Type::pump) {
      bool const culvert = structure.type == Structure::Type::culvert;
      auto const floor = [&](double level) {
        return culvert ? ", floor " + rounded(level) + " m" : std::string();
      };
      line("structure", words + " from " + end_text(structure.inlet) + floor(structure.inlet_level) +
                            series_text(structure.series, 1, "m3/s"));
      line("", "to " + end_text(structure.outlet) + floor(structure.outlet_level));
      return;
    }
    double length = 0, highest = -INFINITY;
    long long buried = 0;
    auto const& levels = structure.series.value;
    double const crest = structure.type == Structure::Type::gate
                             ? structure.sill_level
                             : *std::max_element(levels.begin(), levels.end());
    for (std::size_t k = 0; k < structure.faces.size(); ++k) {
      auto const& face = structure.faces[k];
      bool const along_x = face.side == Side::west;
      length += along_x ? grid_.dy : grid_.dx;
      double const ground =
          std::max(scenario_.bed[std::size_t(grid_.index(face.i, face.j))],
                   scenario_.bed[std::size_t(grid_.index(face.i - int(along_x), face.j - int(!along_x)))]);
      highest = std::max(highest, ground);
      buried += crest + (structure.above_crest.empty() ? 0.0 : structure.above_crest[k]) < ground;
    }
    words += ": " + counted((long long)structure.faces.size(), "face", "faces") + ", " + rounded(length) +
             " m along the cells, highest bed beside it " + rounded(highest) + " m";
    if (structure.above_crest.empty()) {
      words += series_text(structure.series, 1, "m");
    } else {
      auto const [low, high] =
          std::minmax_element(structure.above_crest.begin(), structure.above_crest.end());
      words += ", crest " + rounded(*low) + " to " + rounded(*high) + " m along it";
    }
    line("structure", words);
    if (buried > 0)
      line("", "lies below the ground at " + counted(buried, "face", "faces") + "; the ground counts there");
    for (auto const& one : file_.structures)
      if (one.name == structure.name)
        std::visit(
            [&](auto const& kind) {
              if constexpr (requires { kind.along; })
                if (!kind.along.points.empty())
                  line("", "middle of the farthest face " +
                               rounded(farthest(structure.faces, kind.along.points)) + " m from the line");
            },
            one.type);
  }

  [[nodiscard]] std::string end_text(std::int64_t cell) const {
    if (cell == Structure::outside) return "outside";
    return cell_text(cell) + ", bed " + rounded(scenario_.bed[std::size_t(cell)]) + " m";
  }

  [[nodiscard]] std::string cell_text(std::int64_t cell) const {
    int const i = int(cell % grid_.nx), j = int(cell / grid_.nx);
    return "cell (" + std::to_string(i) + ", " + std::to_string(j) + ") with centre " +
           coordinates(grid_.x_centre(i), grid_.y_centre(j));
  }

  void describe(GaugeSpec const& gauge) {
    int const i = int(gauge.cell % grid_.nx), j = int(gauge.cell / grid_.nx);
    double const snapped = std::hypot(gauge.at.x - grid_.x_centre(i), gauge.at.y - grid_.y_centre(j));
    line("gauge", "'" + gauge.name + "' at " + coordinates(gauge.at.x, gauge.at.y) + ": " +
                      cell_text(gauge.cell) + ", " + rounded(snapped) + " m away, bed " +
                      rounded(scenario_.bed[std::size_t(gauge.cell)]) + " m" +
                      (gauge.sample == GaugeSpec::Sample::bilinear
                           ? ", bilinear between " + counted((long long)gauge.stencil.size(), "cell", "cells")
                           : "") +
                      every_text(gauge.every_s));
  }

  static std::string every_text(std::optional<double> every) {
    return every ? ", every " + number_text(*every) + " s" : ", every step";
  }

  void describe(SectionSpec const& section) {
    double length = 0;
    for (auto const& face : section.faces) length += face.side == Side::west ? grid_.dy : grid_.dx;
    line("section", "'" + section.name + "': " + counted((long long)section.faces.size(), "face", "faces") +
                        ", " + rounded(length) + " m along the cells" + every_text(section.every_s));
  }

  void describe_time() {
    double const duration = scenario_.end_time - scenario_.start_time;
    double fastest = 0;
    for (std::int64_t cell = 0; cell < grid_.cells(); ++cell) {
      double const h = scenario_.active(cell) ? scenario_.initial.depth(cell) : 0;
      if (!(h > scenario_.scheme.dry_tolerance)) continue;
      double const c = std::sqrt(scenario_.scheme.gravity * h);
      fastest = std::max(fastest, (std::abs(scenario_.initial.velocity_x(cell)) + c) / grid_.dx +
                                      (std::abs(scenario_.initial.velocity_y(cell)) + c) / grid_.dy);
    }
    std::string words = number_text(scenario_.start_time) + " to " + number_text(scenario_.end_time) + " s";
    double const step =
        std::min(fastest > 0 ? scenario_.scheme.cfl / fastest : INFINITY, scenario_.scheme.max_dt);
    if (std::isfinite(step))
      words += ", about " + std::to_string(std::llround(std::ceil(duration / step))) + " steps of " +
               rounded(step) + " s by the waves of the start";
    else
      words += ", steps unknown: nothing is wet at the start";
    line("time", words);
  }

  void describe_output() {
    auto const& output = loaded_.output;
    line("output", std::filesystem::absolute(output.directory).string());
    auto const snapshots = output_times(scenario_.start_time, scenario_.end_time, output.every_s).size();
    std::string fields;
    for (auto const& name : Codec<std::vector<SnapshotField>>::write(output.fields).items)
      fields += (fields.empty() ? "" : ", ") + name.text;
    double const bytes = double(snapshots) * double(output.fields.size()) * double(grid_.cells()) *
                         (output.single_precision ? 4 : 8);
    line("snapshots", counted((long long)snapshots, "snapshot", "snapshots") + " of " + fields + ", " +
                          (output.single_precision ? "single" : "double") + " precision, " +
                          rounded(bytes / 1e6) + " MB before compression (level " +
                          std::to_string(output.compression) + ")");
    if (!file_.output.maxima.empty()) {
      std::string maxima;
      for (auto const& name : Codec<std::vector<MaximaField>>::write(file_.output.maxima).items)
        maxima += (maxima.empty() ? "" : ", ") + name.text;
      line("maxima", maxima);
    }
    if (loaded_.checkpoint.every_wall_s || loaded_.checkpoint.every_s)
      line("checkpoint", (loaded_.checkpoint.every_wall_s
                              ? "every " + duration_text({*loaded_.checkpoint.every_wall_s}) + " of wall time"
                              : "every " + number_text(*loaded_.checkpoint.every_s) + " s") +
                             ", the newest " + std::to_string(loaded_.checkpoint.keep) + " kept");
  }

  LoadedCase const& loaded_;
  Scenario const& scenario_;
  Grid const& grid_;
  CaseFile const& file_;
  std::string text_;
};

}  // namespace

std::string describe(LoadedCase const& loaded) { return Description(loaded).text(); }

}  // namespace swe::io
