#pragma once
/// \file
/// The Simulation for one precision on one target.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "solver/forcing.hpp"
#include "solver/kernels.hpp"
#include "solver/reconstruction.hpp"
#include "solver/section.hpp"
#include "solver/simulation.hpp"
#include "solver/source/moving_bed.hpp"
#include "solver/source/registry.hpp"
#include "solver/stage.hpp"
#include "solver/sum.hpp"

namespace swe {

/// A number as people write it: 2.5e-07 rather than 0.000000.
inline std::string in_short(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", x);
  return text;
}

/// Seconds since `from`, which is set to now.
inline double lap(std::chrono::steady_clock::time_point& from) {
  auto const now = std::chrono::steady_clock::now();
  double const seconds = std::chrono::duration<double>(now - from).count();
  from = now;
  return seconds;
}

template <class Real, Target target>
class SimulationImpl final : public Simulation {
 public:
  SimulationImpl(Scenario const& scenario, MaximaOptions const& maxima);

  void advance_to(double t_end, std::function<bool(Progress const&)> const& after_step) override;
  Progress progress() const override { return progress_; }
  StateHost state() const override;
  VolumeBalance balance() const override;
  std::vector<NamedField> maxima() const override;
  Timings timings() const override { return timings_; }
  std::size_t memory_bytes() const override;
  void set_gauges(std::vector<std::int64_t> const& cells) override;
  std::vector<GaugeReading> gauges_at(double t) const override;
  void set_sections(std::vector<std::vector<SectionFace>> const& sections) override;
  std::vector<SectionReading> sections_at(double t) const override;
  std::vector<Blob> checkpoint() const override;
  void restore(std::span<Blob const> blobs) override;

 private:
  template <class T>
  using Device = Array<T, target>;
  template <class T>
  using HostArray = std::vector<T>;

  /// h, hu, hv, and in single precision what rounding kept from h.
  struct State {
    Device<Real> h, hu, hv, residue;
  };

  static constexpr bool compensated = std::is_same_v<Real, float>;  // see StepArgs::residue

  // setting up
  void place_boundaries();
  void place_periodic(Boundary const& a, Boundary const& b);
  void place_terms();
  void set_bed_and_state();
  void set_friction();
  void set_maxima(MaximaOptions const& options);

  // one step
  double step_size(double stop) const;
  StageResult run_step(double dt, double stop);
  StageResult run_stage(int stage, State const& from, State const& to, double dt, double time, double stage_dt);
  [[nodiscard]] bool may_run_ahead(double dt, double stop) const;
  void run_ahead(int start);
  bool wet_anywhere() const;
  void move_bed(double t);
  void book_maxima(double time, double dt);
  double boundary_wave_rate(std::size_t boundary, double a, double b) const;
  template <class F>
  void visit_state(F const& f) const;
  template <class F>
  void visit_arrays(F const& f) const;
  template <class F>
  void visit_scalars(F const& f);
  /// Calls f for every term of the registry.
  template <class F>
  void for_each_term(F const& f) {
    std::apply([&](auto&... term) { (f(term), ...); }, *terms_);
  }
  template <class F>
  void for_each_term(F const& f) const {
    std::apply([&](auto const&... term) { (f(term), ...); }, *terms_);
  }

  /// What a checkpoint holds beside arrays.
  struct Scalars {
    Progress progress;
    double time_before = 0, max_rate = 0, initial_volume = 0;
  };

  void boundary_stage(StepArgs<Real>& a, State const& from, double time, double stage_dt, Real weight, bool first_stage);
  void accept_step(double dt);
  [[noreturn]] void fail(std::string const& what) const;

  StepArgs<Real> arguments(State const& start, State const& from, State const& to, double dt) const;
  StepSizeLimits step_limits() const { return {scenario_.scheme.cfl, scenario_.scheme.max_dt}; }
  bool second_order() const { return scenario_.scheme.order == 2; }
  int state_count() const { return second_order() ? 3 : 2; }
  State const& current() const { return states_[current_]; }

  template <class T>
  static HostArray<T> download(Device<T> const& a) {
    return swe::download<T, target>(a);
  }
  template <class T>
  static void upload(HostArray<T> const& host, Device<T> const& a) {
    swe::upload<T, target>(host, a);
  }
  template <class T>
  static Device<T> make(char const* label, std::vector<T> const& host) {
    return on_target<target>(label, host);
  }
  /// Array over the layout from a function of the cell's number in the grid; `outside` elsewhere.
  template <class T, class F>
  Device<T> field(char const* label, F const& value, T outside = T(0)) const;
  /// Values of an array over the layout as grid.cells() numbers, NaN where inactive.
  template <class T>
  std::vector<double> grid_values(Device<T> const& a) const;

  Scenario scenario_;  ///< without the rasters, which live in the fields below
  Layout layout_;
  std::vector<char> active_;  ///< per cell of the grid
  std::int64_t active_cells_ = 0;

  State states_[3];
  int current_ = 0;
  Device<Real> bed_, friction_raster_;
  Real friction_constant_ = 0;
  double bed_datum_ = 0;  ///< [m]; the bed field is counted from here
  StageRunner<Real, target> runner_;
  bool alone_ = false;  ///< nothing but flow over a bed at rest changes the state
  bool ahead_ = false;  ///< the step from the current state on has been launched, at a length that the last rate gives

  // boundaries
  std::vector<Boundary> boundaries_;  ///< those with computed fluxes
  std::vector<std::pair<Index, Index>> boundary_faces_;  ///< of each: first face and number
  std::vector<double> dry_weight_sum_;
  std::map<std::int64_t, int> marks_;  ///< position of a marked cell -> its number in the table
  Kokkos::View<BoundaryFaceRecord<Real>*, Kokkidio::MemorySpace<target>> faces_;
  Kokkos::View<BoundaryForcing<Real>*, Kokkidio::MemorySpace<target>> forcings_;
  Kokkos::View<VolumeAccount*, Kokkidio::MemorySpace<target>> face_accounts_;
  Device<Real> table_mass_, table_momentum_, table_transverse_, step_mass_;
  Device<std::int64_t> ghost_from_, ghost_to_;
  std::vector<double> boundary_lowest_bed_;

  // everything else that moves water
  std::optional<AllTerms<Real, target>> terms_;
  MovingBed<Real, target> moving_bed_;
  std::vector<std::int64_t> wet_places_;  ///< cells that terms may make wet
  Sections<Real, target> sections_;

  // results
  MaximaOptions maxima_options_;
  Device<Real> max_depth_, max_level_, max_speed_, max_unit_discharge_, max_hazard_, duration_;
  Device<double> time_of_max_, arrival_;
  Device<std::int64_t> gauge_cells_;
  Device<double> gauge_now_, gauge_before_;
  std::vector<std::int64_t> gauge_grid_cells_;
  double time_before_ = 0;

  // time
  std::vector<double> jumps_;
  double max_rate_ = 0;
  Progress progress_;
  double initial_volume_ = 0;
  Timings timings_;
};

template <class Real, Target target>
template <class T, class F>
auto SimulationImpl<Real, target>::field(char const* label, F const& value, T outside) const -> Device<T> {
  HostArray<T> host(std::size_t(layout_.size()), outside);
  for (int j = 0; j < layout_.ny; ++j)
    for (int i = 0; i < layout_.nx; ++i) host[layout_.at(i, j)] = T(value(i + std::int64_t(layout_.nx) * j));
  return make(label, host);
}

template <class Real, Target target>
template <class T>
std::vector<double> SimulationImpl<Real, target>::grid_values(Device<T> const& a) const {
  auto const host = download(a);
  std::vector<double> r(std::size_t(layout_.nx) * layout_.ny, std::numeric_limits<double>::quiet_NaN());
  for (int j = 0; j < layout_.ny; ++j)
    for (int i = 0; i < layout_.nx; ++i) {
      auto const cell = i + std::int64_t(layout_.nx) * j;
      if (active_[cell]) r[cell] = double(host[layout_.at(i, j)]);
    }
  return r;
}

template <class Real, Target target>
SimulationImpl<Real, target>::SimulationImpl(Scenario const& scenario, MaximaOptions const& maxima)
    : scenario_(scenario), layout_(scenario.grid) {
  auto const cells = std::size_t(scenario.grid.cells());
  if (scenario.grid.nx < 1 || scenario.grid.ny < 1 || !(scenario.grid.dx > 0) || !(scenario.grid.dy > 0))
    throw std::invalid_argument("the grid needs cells of positive size");
  if (scenario.bed.size() != cells) throw std::invalid_argument("the bed does not have one value per cell");
  if (scenario.scheme.order != 1 && scenario.scheme.order != 2) throw std::invalid_argument("order is 1 or 2");

  active_.resize(cells);
  for (std::size_t c = 0; c < cells; ++c) active_[c] = scenario.active(std::int64_t(c));
  active_cells_ = std::count(active_.begin(), active_.end(), 1);

  place_boundaries();
  set_bed_and_state();
  set_friction();
  place_terms();
  set_maxima(maxima);
  jumps_ = forcing_jumps(scenario_);
  std::vector<std::int64_t> always;
  auto const faces = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), faces_);
  for (std::size_t k = 0; k < faces.extent(0); ++k) always.push_back(faces(k).cell);
  always.insert(always.end(), wet_places_.begin(), wet_places_.end());
  runner_ = StageRunner<Real, target>(layout_, scenario_.scheme, always);
  // Neighbours across periodic sides are not looked for.
  runner_.set_skip_dry(scenario_.scheme.skip_dry_tiles && ghost_to_.size() == 0);

  alone_ = boundaries_.empty() && scenario_.sources.empty() && scenario_.structures.empty() && scenario_.bed_motions.empty() &&
           scenario_.pressure_lows.empty() && !scenario_.wind && !scenario_.air_pressure && scenario_.coriolis == 0 &&
           scenario_.eddy_viscosity == 0;

  progress_.time = scenario_.start_time;
  time_before_ = progress_.time;
  initial_volume_ = balance().final_;
  scenario_.initial = {};
  scenario_.bed = {};
  scenario_.friction.coefficient.raster = {};
  scenario_.sources = {};
  scenario_.air_pressure = {};
  scenario_.pressure_lows = {};
  scenario_.bed_motions = {};
  scenario_.structures = {};
}

template <class Real, Target target>
void SimulationImpl<Real, target>::place_boundaries() {
  std::vector<BoundaryFaceRecord<Real>> records;
  std::vector<Boundary const*> periodic;
  auto const is_active = [&](int i, int j) {
    return i >= 0 && j >= 0 && i < layout_.nx && j < layout_.ny && active_[i + std::int64_t(layout_.nx) * j];
  };
  for (auto const& b : scenario_.boundaries) {
    if (b.type == Boundary::Type::wall) continue;
    if (b.type == Boundary::Type::periodic) {
      periodic.push_back(&b);
      continue;
    }
    double lowest = std::numeric_limits<double>::infinity();
    for (auto const& f : b.faces) {
      if (!is_active(f.i, f.j)) throw std::invalid_argument("boundary '" + b.name + "' has a face at an inactive cell");
      lowest = std::min(lowest, scenario_.bed[scenario_.grid.index(f.i, f.j)]);
    }
    Index const first = Index(records.size());
    double dry_sum = 0;
    for (auto const& f : b.faces) {
      int const di = f.side == Side::west ? -1 : f.side == Side::east ? 1 : 0;
      int const dj = f.side == Side::south ? -1 : f.side == Side::north ? 1 : 0;
      if (is_active(f.i + di, f.j + dj))
        throw std::invalid_argument("boundary '" + b.name + "' has a face between two active cells");
      auto const mark = marks_.try_emplace(layout_.at(f.i + di, f.j + dj), int(marks_.size())).first->second;
      BoundaryFaceRecord<Real> r;
      r.cell = layout_.at(f.i, f.j) - layout_.origin();
      r.entry = 4 * std::int64_t(mark) + int(f.side);
      r.boundary = int(boundaries_.size());
      r.side = f.side;
      r.width = Real(di != 0 ? scenario_.grid.dy : scenario_.grid.dx);
      if (scenario_.bed[scenario_.grid.index(f.i, f.j)] <= lowest + 1e-6) r.dry_weight = r.width;
      dry_sum += double(r.dry_weight);
      records.push_back(r);
    }
    boundary_faces_.emplace_back(first, Index(records.size()) - first);
    dry_weight_sum_.push_back(dry_sum);
    boundary_lowest_bed_.push_back(lowest);
    boundaries_.push_back(b);
  }

  if (periodic.size() % 2 != 0) throw std::invalid_argument("periodic sides come in pairs");
  for (std::size_t k = 0; k + 1 < periodic.size(); k += 2) place_periodic(*periodic[k], *periodic[k + 1]);

  auto const n = records.size();
  faces_ = decltype(faces_)("boundary_faces", n);
  face_accounts_ = decltype(face_accounts_)("face_accounts", n);
  forcings_ = decltype(forcings_)("boundary_forcings", boundaries_.size());
  auto host = Kokkos::create_mirror_view(faces_);
  std::copy(records.begin(), records.end(), host.data());
  Kokkos::deep_copy(faces_, host);
  table_mass_ = Device<Real>("table_mass", Index(4 * marks_.size()));
  table_momentum_ = Device<Real>("table_momentum", Index(4 * marks_.size()));
  table_transverse_ = Device<Real>("table_transverse", Index(4 * marks_.size()));
  step_mass_ = Device<Real>("step_mass", Index(n));
}

template <class Real, Target target>
void SimulationImpl<Real, target>::place_periodic(Boundary const& a, Boundary const& b) {
  bool const along_x = a.side == Side::west || a.side == Side::east;
  Side const opposite = along_x ? (a.side == Side::west ? Side::east : Side::west)
                                : (a.side == Side::south ? Side::north : Side::south);
  if (b.side != opposite) throw std::invalid_argument("periodic sides '" + a.name + "' and '" + b.name + "' do not face each other");
  auto from = download(ghost_from_), to = download(ghost_to_);
  auto const join = [&](int i_from, int j_from, int i_to, int j_to) {
    from.push_back(layout_.at(i_from, j_from));
    to.push_back(layout_.at(i_to, j_to));
  };
  int const nx = layout_.nx, ny = layout_.ny;
  for (int g = 1; g <= Layout::ghost; ++g) {
    if (along_x)
      for (int j = 0; j < ny; ++j) {
        join((nx - g % nx) % nx, j, -g, j);
        join((g - 1) % nx, j, nx - 1 + g, j);
      }
    else
      for (int i = 0; i < nx; ++i) {
        join(i, (ny - g % ny) % ny, i, -g);
        join(i, (g - 1) % ny, i, ny - 1 + g);
      }
  }
  ghost_from_ = make("ghost_from", from);
  ghost_to_ = make("ghost_to", to);
}

template <class Real, Target target>
void SimulationImpl<Real, target>::set_bed_and_state() {
  // In single precision the bed is stored from a whole number of metres near its mean, so that land far above the
  // datum is as exact as land at sea level. Only differences of the bed matter inside.
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t c = 0; c < active_.size(); ++c)
    if (active_[c]) {
      low = std::min(low, scenario_.bed[c]);
      high = std::max(high, scenario_.bed[c]);
    }
  bed_datum_ = compensated && active_cells_ > 0 ? std::round(0.5 * (low + high)) : 0.0;

  HostArray<Real> bed(std::size_t(layout_.size()), wall_bed<Real>);
  for (int j = 0; j < layout_.ny; ++j)
    for (int i = 0; i < layout_.nx; ++i) {
      auto const cell = scenario_.grid.index(i, j);
      if (active_[cell]) bed[layout_.at(i, j)] = Real(scenario_.bed[cell] - bed_datum_);
    }
  for (auto const& [position, number] : marks_) bed[position] = flux_bed<Real>;
  auto const from = download(ghost_from_), to = download(ghost_to_);
  for (std::size_t k = 0; k < to.size(); ++k) bed[to[k]] = bed[from[k]];

  bed_ = make("bed", bed);

  auto const& initial = scenario_.initial;
  auto const wet = [&](std::int64_t c) { return active_[c] && initial.depth(c) > scenario_.scheme.dry_tolerance; };
  HostArray<Real> h(bed.size(), 0);
  for (int j = 0; j < layout_.ny; ++j)
    for (int i = 0; i < layout_.nx; ++i) {
      auto const c = scenario_.grid.index(i, j);
      if (!active_[c]) continue;
      if (!(initial.depth(c) >= 0)) throw std::invalid_argument("an initial depth is negative or not a number");
      h[layout_.at(i, j)] = Real(initial.depth(c));
    }
  for (auto const& [position, number] : marks_) h[position] = Real(number);
  for (int k = 0; k < state_count(); ++k) {
    auto& s = states_[k];
    s.h = make("h", h);
    s.hu = field<Real>("hu", [&](std::int64_t c) { return wet(c) ? initial.depth(c) * initial.velocity_x(c) : 0; });
    s.hv = field<Real>("hv", [&](std::int64_t c) { return wet(c) ? initial.depth(c) * initial.velocity_y(c) : 0; });
    if (compensated) s.residue = Device<Real>("residue", Index(layout_.size()));
  }

  auto const& g = scenario_.grid;
  max_rate_ = 0;
  for (std::int64_t c = 0; c < g.cells(); ++c) {
    if (!active_[c]) continue;
    double const depth = initial.depth(c), wave = std::sqrt(scenario_.scheme.gravity * depth);
    double const u = wet(c) ? std::abs(initial.velocity_x(c)) : 0, v = wet(c) ? std::abs(initial.velocity_y(c)) : 0;
    max_rate_ = std::max(max_rate_, double(Real((u + wave) / g.dx + (v + wave) / g.dy)));
  }
}

template <class Real, Target target>
void SimulationImpl<Real, target>::set_friction() {
  auto const& friction = scenario_.friction;
  auto const parameter = [&](double c) { return friction_parameter(friction.type, c, scenario_.scheme.gravity); };
  if (friction.type == FrictionLaw::Type::none) return;
  if (friction.coefficient.is_constant()) friction_constant_ = Real(parameter(friction.coefficient.constant));
  else
    friction_raster_ = field<Real>("friction", [&](std::int64_t c) {
      return active_[c] ? parameter(friction.coefficient.raster[c]) : 0.0;
    });
}

template <class Real, Target target>
void SimulationImpl<Real, target>::place_terms() {
  TermSetup const setup{scenario_, layout_, active_, bed_datum_};
  auto const make_all = [&]<class... Terms>(std::type_identity<std::tuple<Terms...>>) {
    return std::tuple<Terms...>(Terms(setup)...);
  };
  terms_.emplace(make_all(std::type_identity<AllTerms<Real, target>>{}));
  for_each_term([&](auto const& term) {
    auto const places = term.wet_places();
    wet_places_.insert(wet_places_.end(), places.begin(), places.end());
  });
  moving_bed_ = MovingBed<Real, target>(setup);
  move_bed(scenario_.start_time);
}

/// Brings the bed to time t, ghost cells of periodic sides too.
template <class Real, Target target>
void SimulationImpl<Real, target>::move_bed(double t) {
  if (!moving_bed_.moves() || !moving_bed_.move_to(t, bed_.data() + layout_.origin())) return;
  if (ghost_to_.size() > 0) copy_field_cells<target>(ghost_from_.data(), ghost_to_.data(), ghost_to_.size(), bed_.data());
}

template <class Real, Target target>
void SimulationImpl<Real, target>::set_maxima(MaximaOptions const& options) {
  maxima_options_ = options;
  double const nan = std::numeric_limits<double>::quiet_NaN();
  Index const n = layout_.size();
  if (options.depth || options.level || options.time_of_max) max_depth_ = Device<Real>("max_depth", n);
  if (options.level && moving_bed_.moves())
    max_level_ = make("max_level", HostArray<Real>(std::size_t(n), -std::numeric_limits<Real>::infinity()));
  if (options.speed) max_speed_ = Device<Real>("max_speed", n);
  if (options.unit_discharge) max_unit_discharge_ = Device<Real>("max_unit_discharge", n);
  if (options.hazard) max_hazard_ = Device<Real>("max_hazard", n);
  if (options.duration) duration_ = Device<Real>("duration", n);
  if (options.time_of_max) time_of_max_ = make("time_of_max", HostArray<double>(std::size_t(n), nan));
  if (options.arrival) arrival_ = make("arrival", HostArray<double>(std::size_t(n), nan));
  if (options.any()) book_maxima(scenario_.start_time, 0);
}

template <class Real, Target target>
void SimulationImpl<Real, target>::book_maxima(double time, double dt) {
  auto const o = layout_.origin();
  auto const real = [&](Device<Real> const& a) { return a.size() > 0 ? a.data() + o : nullptr; };
  auto const full = [&](Device<double> const& a) { return a.size() > 0 ? a.data() + o : nullptr; };
  MaximaFields<Real> const m{real(max_depth_), real(max_level_), real(max_speed_), real(max_unit_discharge_), real(max_hazard_),
                             real(duration_), full(time_of_max_), full(arrival_),
                             Real(maxima_options_.arrival_depth), Real(maxima_options_.duration_depth)};
  update_maxima<target>(layout_.pitch * layout_.ny, bed_.data() + o, current().h.data() + o, current().hu.data() + o,
                        current().hv.data() + o, Real(scenario_.scheme.dry_tolerance), m, time, Real(dt));
}

template <class Real, Target target>
StepArgs<Real> SimulationImpl<Real, target>::arguments(State const& start, State const& from, State const& to, double dt) const {
  auto const o = layout_.origin();
  StepArgs<Real> a;
  a.pitch = layout_.pitch;
  a.nx = layout_.nx;
  a.ny = layout_.ny;
  a.inv_dx = Real(1 / scenario_.grid.dx);
  a.inv_dy = Real(1 / scenario_.grid.dy);
  a.gravity = Real(scenario_.scheme.gravity);
  a.twice_gravity = Real(2 * scenario_.scheme.gravity);
  a.half_root_gravity = Real(0.5 * std::sqrt(scenario_.scheme.gravity));
  a.dry_tolerance = Real(scenario_.scheme.dry_tolerance);
  a.dt = Real(dt);
  a.h = from.h.data() + o;
  a.hu = from.hu.data() + o;
  a.hv = from.hv.data() + o;
  a.h_0 = start.h.data() + o;
  a.hu_0 = start.hu.data() + o;
  a.hv_0 = start.hv.data() + o;
  a.h_new = to.h.data() + o;
  a.hu_new = to.hu.data() + o;
  a.hv_new = to.hv.data() + o;
  if (compensated) {
    a.residue = start.residue.data() + o;
    a.residue_new = to.residue.data() + o;
  }
  a.bed = bed_.data() + o;
  a.friction = scenario_.friction.type;
  a.friction_constant = friction_constant_;
  if (friction_raster_.size() > 0) a.friction_raster = friction_raster_.data() + o;
  a.limiter = scenario_.scheme.limiter;
  a.boundary = {table_mass_.data(), table_momentum_.data(), table_transverse_.data()};
  return a;
}

/// Boundary fluxes and ghost cells for a stage that starts from `from`. `stage_dt` 0: values at `time`; else means over
/// [time, time + stage_dt].
template <class Real, Target target>
void SimulationImpl<Real, target>::boundary_stage(StepArgs<Real>& a, State const& from, double time, double stage_dt,
                                                 Real weight, bool first_stage) {
  if (ghost_to_.size() > 0)
    copy_ghost_cells<target>(ghost_from_.data(), ghost_to_.data(), ghost_to_.size(), from.h.data(), from.hu.data(),
                             from.hv.data());
  if (boundaries_.empty()) return;
  auto forcings = Kokkos::create_mirror_view(forcings_);
  for (std::size_t k = 0; k < boundaries_.size(); ++k) {
    auto const& b = boundaries_[k];
    auto const [first, count] = boundary_faces_[k];
    auto const* faces = faces_.data() + first;
    BoundaryForcing<Real> f;
    f.type = b.type;
    f.slope = Real(b.slope);
    f.still_level = Real(b.still_level - bed_datum_);
    BoundaryMoment moment{time, stage_dt, progress_.time, double(a.dt), bed_datum_, 0, 0, dry_weight_sum_[k]};
    AllBoundaryKinds::visit(b.type, [&](auto kind) {
      if constexpr (kind.measures_section) {
        auto const section = measure_section<target>(a, faces, count);
        moment.conveyance = section.conveyance;
        moment.level = section.level;
      }
      kind.prescribe(b, moment, f);
    });
    forcings(k) = f;
  }
  Kokkos::deep_copy(forcings_, forcings);
  auto const compute = second_order() ? compute_boundary_fluxes<target, 2, Real> : compute_boundary_fluxes<target, 1, Real>;
  compute(a, faces_.data(), Index(faces_.extent(0)), forcings_.data(), step_mass_.data(), weight, first_stage);
}

template <class Real, Target target>
StageResult SimulationImpl<Real, target>::run_stage(int stage, State const& from, State const& to, double dt, double time,
                                                   double stage_dt) {
  auto clock = std::chrono::steady_clock::now();
  auto a = arguments(current(), from, to, dt);
  Real const weight = second_order() ? Real(0.5) : Real(1);
  boundary_stage(a, from, time, stage_dt, weight, stage == 1);
  timings_.boundaries += lap(clock);
  StageMoment const moment{time, !second_order() || stage == 2};
  for_each_term([&](auto& term) { term.fill(a, moment); });
  timings_.sources += lap(clock);
  sections_.measure(a, weight, stage == 1);
  timings_.gauges += lap(clock);
  auto const result = runner_.run(a, dt, stage, wet_anywhere());
  timings_.flux += lap(clock);
  return result;
}

/// Rain falls anywhere, so dry cells may become wet.
template <class Real, Target target>
bool SimulationImpl<Real, target>::wet_anywhere() const {
  bool anywhere = false;
  for_each_term([&](auto const& term) { anywhere = anywhere || term.everywhere(); });
  return anywhere;
}

template <class Real, Target target>
StageResult SimulationImpl<Real, target>::run_step(double dt, double stop) {
  double const t = progress_.time;
  int const next = (current_ + 1) % state_count(), last = (current_ + state_count() - 1) % state_count();
  bool const launched = ahead_ && max_rate_ > 0 && dt == step_limits().step_size(max_rate_);
  ahead_ = false;
  if constexpr (decltype(runner_)::can_run_ahead)
    if (launched) runner_.take_ahead();
  if (!launched) {
    if (!second_order()) {
      run_stage(1, current(), states_[last], dt, t, dt);
    } else {
      auto const first = run_stage(1, current(), states_[next], dt, t, 0);
      if (first.failed) return first;
      run_stage(2, states_[next], states_[last], dt, t + dt, 0);
    }
  }
  if (may_run_ahead(dt, stop)) run_ahead(last);
  auto clock = std::chrono::steady_clock::now();
  auto result = runner_.result();
  timings_.flux += lap(clock);
  auto const a = arguments(current(), current(), states_[last], dt);
  for_each_term([&](auto& term) { result.max_rate = std::max(result.max_rate, term.finish(a, t, dt)); });
  runner_.wake(wet_places_);
  timings_.sources += lap(clock);
  if (!step_limits().allow(result.max_rate, dt)) result.failed = true;
  return result;
}

/// Whether the step after the next one over dt follows from the state alone, so that the device needs no word from here.
template <class Real, Target target>
bool SimulationImpl<Real, target>::may_run_ahead(double dt, double stop) const {
  return decltype(runner_)::can_run_ahead && alone_ && sections_.empty() && stop - (progress_.time + dt) > 3 * dt;
}

/// Launches the step from `start` on, which is being computed. If that comes out otherwise than thought, this step is
/// launched anew.
template <class Real, Target target>
void SimulationImpl<Real, target>::run_ahead(int start) {
  if constexpr (decltype(runner_)::can_run_ahead) {
    int from = start;
    for (int stage = 1; stage <= scenario_.scheme.order; ++stage) {
      int const to = (from + 1) % state_count();
      auto a = arguments(states_[start], states_[from], states_[to], 0);
      boundary_stage(a, states_[from], 0, 0, 0, stage == 1);
      runner_.run_ahead(a, stage, wet_anywhere(), step_limits());
      from = to;
    }
    ahead_ = true;
  }
}

/// Step towards `stop`: by the Courant number, by what the forcing may do to dry ground, and so that no
/// sliver is left before `stop`.
template <class Real, Target target>
double SimulationImpl<Real, target>::step_size(double stop) const {
  auto const& scheme = scenario_.scheme;
  double const t = progress_.time, remaining = stop - t;
  double const shortest = std::min(scenario_.grid.dx, scenario_.grid.dy);
  double dt = max_rate_ > 0 ? step_limits().step_size(max_rate_) : scheme.max_dt;

  double rise = 0;
  for_each_term([&](auto const& term) {
    rise += term.largest_rise(t, stop);
    dt = std::min(dt, term.step_limit());
  });
  double boundary_rise = 0;
  for (std::size_t k = 0; k < boundaries_.size(); ++k) {
    auto const& b = boundaries_[k];
    AllBoundaryKinds::visit(b.type, [&](auto kind) {
      boundary_rise = std::max(boundary_rise, kind.largest_inflow(b, t, stop, dry_weight_sum_[k]) / shortest);
    });
    double const wave = boundary_wave_rate(k, t, stop);
    if (wave > 0) dt = std::min(dt, scheme.cfl / wave);
  }
  dt = std::min(dt, step_bound_for_rise(rise + boundary_rise, shortest, scheme.gravity, scheme.cfl));

  if (dt >= remaining * (1 - 1e-9)) return remaining;
  if (dt < scheme.min_dt) fail("the time step fell to " + in_short(dt) + " s");
  return dt > remaining / 2 ? remaining / 2 : dt;
}

/// Wave rate of the deepest water that a boundary with a prescribed level lets in between times a and b.
template <class Real, Target target>
double SimulationImpl<Real, target>::boundary_wave_rate(std::size_t boundary, double a, double b) const {
  auto const& spec = boundaries_[boundary];
  double level = 0, speed = 0;
  AllBoundaryKinds::visit(spec.type, [&](auto kind) {
    level = kind.highest_level(spec, a, b);
    speed = kind.fastest_flow(spec, a, b);
  });
  double const depth = std::max(0.0, level - boundary_lowest_bed_[boundary]);
  if (depth > 0) speed += std::sqrt(scenario_.scheme.gravity * depth);
  return depth > 0 ? speed * (1 / scenario_.grid.dx + 1 / scenario_.grid.dy) : 0.0;
}

template <class Real, Target target>
void SimulationImpl<Real, target>::advance_to(double t_end, std::function<bool(Progress const&)> const& after_step) {
  while (progress_.time < t_end) {
    auto const jump = std::upper_bound(jumps_.begin(), jumps_.end(), progress_.time);
    double const stop = jump != jumps_.end() ? std::min(*jump, t_end) : t_end;
    double dt = step_size(stop);
    for (;;) {
      for_each_term([&](auto& term) { term.prepare(progress_.time, dt); });
      auto const result = run_step(dt, stop);
      if (!result.failed) {
        max_rate_ = result.max_rate;
        break;
      }
      ++progress_.rejected_steps;
      dt /= 2;
      if (dt < scenario_.scheme.min_dt) fail("no step, however short, keeps depths and velocities finite and not negative");
    }
    current_ = (current_ + (second_order() ? 2 : 1)) % state_count();
    accept_step(dt);
    time_before_ = progress_.time;
    progress_.time = dt == stop - progress_.time ? stop : progress_.time + dt;
    move_bed(progress_.time);
    progress_.dt = dt;
    ++progress_.steps;
    auto clock = std::chrono::steady_clock::now();
    if (maxima_options_.any()) book_maxima(progress_.time, dt);
    timings_.maxima += lap(clock);
    if (gauge_cells_.size() > 0) {
      std::swap(gauge_now_, gauge_before_);
      read_gauges<target>(bed_.data(), current().h.data(), current().hu.data(), current().hv.data(), Real(scenario_.scheme.dry_tolerance),
                          gauge_cells_.data(), gauge_cells_.size(), gauge_now_.data());
    }
    timings_.gauges += lap(clock);
    if (after_step && !after_step(progress_)) return;
  }
}

template <class Real, Target target>
void SimulationImpl<Real, target>::accept_step(double dt) {
  runner_.accept();
  if (faces_.extent(0) > 0)
    book_boundary_volumes<target>(faces_.data(), Index(faces_.extent(0)), step_mass_.data(), dt, face_accounts_.data());
  auto const a = arguments(current(), current(), current(), dt);
  for_each_term([&](auto& term) { term.accept(a, progress_.time, dt); });
  sections_.accept(dt);
}

template <class Real, Target target>
StateHost SimulationImpl<Real, target>::state() const {
  StateHost s{progress_.time, grid_values(current().h), grid_values(current().hu), grid_values(current().hv), {}};
  if (moving_bed_.moves()) {
    s.bed = grid_values(bed_);
    for (auto& z : s.bed) z += bed_datum_;
  }
  return s;
}

template <class Real, Target target>
VolumeBalance SimulationImpl<Real, target>::balance() const {
  VolumeBalance b;
  double const area = scenario_.grid.cell_area();
  b.initial = initial_volume_;
  auto const accounts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), face_accounts_);
  CompensatedSum all_in, all_out, water;
  for (std::size_t k = 0; k < boundaries_.size(); ++k) {
    CompensatedSum in, out;
    auto const [first, count] = boundary_faces_[k];
    for (auto f = std::size_t(first); f < std::size_t(first + count); ++f) {
      in.add(accounts(f).in);
      in.add(accounts(f).in_rest);
      out.add(accounts(f).out);
      out.add(accounts(f).out_rest);
    }
    b.terms.push_back({boundaries_[k].name, in.value(), out.value()});
    all_in.add(in.value());
    all_out.add(out.value());
  }
  auto const add_field = [&](CompensatedSum& sum, auto const& array) {
    if (array.size() == 0) return;
    for (double x : grid_values(array))
      if (x == x) sum.add(x);
  };
  add_field(water, current().h);
  if (compensated) add_field(water, current().residue);
  b.boundary_in = all_in.value();
  b.boundary_out = all_out.value();
  b.final_ = water.value() * area;
  for_each_term([&](auto const& term) { term.report(b); });
  moving_bed_.report(b);
  return b;
}

template <class Real, Target target>
std::vector<NamedField> SimulationImpl<Real, target>::maxima() const {
  std::vector<NamedField> r;
  auto const& o = maxima_options_;
  if (o.depth) r.push_back({"depth", grid_values(max_depth_)});
  if (o.level) {
    r.push_back({"level", grid_values(max_depth_)});
    auto const bed = grid_values(bed_);
    auto const highest = max_level_.size() > 0 ? grid_values(max_level_) : std::vector<double>{};
    for (std::size_t c = 0; c < bed.size(); ++c) {
      auto& level = r.back().values[c];
      level = (highest.empty() ? level + bed[c] : std::max(highest[c], bed[c])) + bed_datum_;
    }
  }
  if (o.speed) r.push_back({"speed", grid_values(max_speed_)});
  if (o.unit_discharge) r.push_back({"unit_discharge", grid_values(max_unit_discharge_)});
  if (o.hazard) r.push_back({"hazard", grid_values(max_hazard_)});
  if (o.time_of_max) r.push_back({"time_of_max", grid_values(time_of_max_)});
  if (o.arrival) r.push_back({"arrival", grid_values(arrival_)});
  if (o.duration) r.push_back({"duration", grid_values(duration_)});
  return r;
}

template <class Real, Target target>
std::size_t SimulationImpl<Real, target>::memory_bytes() const {
  std::size_t bytes = 0;
  visit_arrays([&](auto const&, auto const& a) { bytes += std::size_t(a.size()) * sizeof(a.data()[0]); });
  return bytes;
}

template <class Real, Target target>
void SimulationImpl<Real, target>::set_gauges(std::vector<std::int64_t> const& cells) {
  std::vector<std::int64_t> positions;
  for (auto c : cells) positions.push_back(layout_.at(int(c % layout_.nx), int(c / layout_.nx)));
  gauge_grid_cells_ = cells;
  gauge_cells_ = make("gauge_cells", positions);
  gauge_now_ = Device<double>("gauge_now", Index(4 * cells.size()));
  gauge_before_ = Device<double>("gauge_before", Index(4 * cells.size()));
  if (cells.empty()) return;
  for (auto const* out : {&gauge_now_, &gauge_before_})
    read_gauges<target>(bed_.data(), current().h.data(), current().hu.data(), current().hv.data(), Real(scenario_.scheme.dry_tolerance),
                        gauge_cells_.data(), gauge_cells_.size(), out->data());
}

template <class Real, Target target>
std::vector<GaugeReading> SimulationImpl<Real, target>::gauges_at(double t) const {
  auto const now = download(gauge_now_), before = download(gauge_before_);
  double const span = progress_.time - time_before_;
  double const w = span > 0 ? std::clamp((t - time_before_) / span, 0.0, 1.0) : 1.0;
  std::vector<GaugeReading> r(gauge_grid_cells_.size());
  for (std::size_t k = 0; k < r.size(); ++k) {
    auto const mix = [&](int n) { return w == 1 ? now[4 * k + n] : (1 - w) * before[4 * k + n] + w * now[4 * k + n]; };
    r[k] = {mix(0), mix(1) + bed_datum_, mix(2), mix(3)};
  }
  return r;
}

template <class Real, Target target>
void SimulationImpl<Real, target>::set_sections(std::vector<std::vector<SectionFace>> const& sections) {
  sections_ = Sections<Real, target>(sections, scenario_.grid, layout_, scenario_.scheme);
}

template <class Real, Target target>
std::vector<SectionReading> SimulationImpl<Real, target>::sections_at(double t) const {
  return sections_.readings(std::clamp(progress_.time - t, 0.0, progress_.time - time_before_));
}

template <class Real, Target target>
void SimulationImpl<Real, target>::fail(std::string const& what) const {
  auto const s = state();
  NumericalFailure error(what);
  error.time = progress_.time;
  double worst = -1;
  for (int j = 0; j < layout_.ny; ++j)
    for (int i = 0; i < layout_.nx; ++i) {
      auto const c = i + std::int64_t(layout_.nx) * j;
      if (!active_[c] || !(s.h[c] > scenario_.scheme.dry_tolerance)) continue;
      double const speed = std::hypot(s.hu[c], s.hv[c]) / s.h[c] + std::sqrt(scenario_.scheme.gravity * s.h[c]);
      if (!(speed <= worst)) {
        worst = speed;
        error.i = i;
        error.j = j;
      }
    }
  throw error;
}

/// Every array that a checkpoint holds, by name.
template <class Real, Target target>
template <class F>
void SimulationImpl<Real, target>::visit_state(F const& f) const {
  f("h", current().h);
  f("hu", current().hu);
  f("hv", current().hv);
  if (compensated) f("residue", current().residue);
  f("max_depth", max_depth_);
  f("max_level", max_level_);
  f("max_speed", max_speed_);
  f("max_unit_discharge", max_unit_discharge_);
  f("max_hazard", max_hazard_);
  f("duration", duration_);
  f("time_of_max", time_of_max_);
  f("arrival", arrival_);
  f("gauge_now", gauge_now_);
  f("gauge_before", gauge_before_);
  for_each_term([&](auto const& term) { term.visit_arrays(f); });
  sections_.visit_arrays(f);
}

/// Every plain value that a checkpoint holds, by name.
template <class Real, Target target>
template <class F>
void SimulationImpl<Real, target>::visit_scalars(F const& f) {
  for_each_term([&](auto& term) { term.visit_scalars(f); });
  moving_bed_.visit_scalars(f);
}

template <class Real, Target target>
template <class F>
void SimulationImpl<Real, target>::visit_arrays(F const& f) const {
  visit_state(f);
  for (int k = 0; k < state_count(); ++k) {
    if (k == current_) continue;
    f("h", states_[k].h);
    f("hu", states_[k].hu);
    f("hv", states_[k].hv);
    if (compensated) f("residue", states_[k].residue);
  }
  f("bed", bed_);
  f("friction", friction_raster_);
}

namespace detail {

template <class T>
Simulation::Blob to_blob(std::string name, T const* data, std::size_t n) {
  Simulation::Blob b{std::move(name), std::vector<std::byte>(n * sizeof(T))};
  if (n > 0) std::memcpy(b.bytes.data(), data, b.bytes.size());
  return b;
}

template <class T>
void from_blob(Simulation::Blob const& b, T* data, std::size_t n) {
  if (b.bytes.size() != n * sizeof(T))
    throw std::invalid_argument("checkpoint: '" + b.name + "' has " + std::to_string(b.bytes.size()) + " bytes, expected " +
                                std::to_string(n * sizeof(T)));
  if (n > 0) std::memcpy(data, b.bytes.data(), b.bytes.size());
}

}  // namespace detail

template <class Real, Target target>
std::vector<Simulation::Blob> SimulationImpl<Real, target>::checkpoint() const {
  std::vector<Blob> r;
  visit_state([&](char const* name, auto const& a) {
    if (a.size() == 0) return;
    auto const host = download(a);
    r.push_back(detail::to_blob(name, host.data(), host.size()));
  });
  auto const faces = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), face_accounts_);
  r.push_back(detail::to_blob("face_accounts", faces.data(), faces.extent(0)));
  Scalars const s{progress_, time_before_, max_rate_, initial_volume_};
  r.push_back(detail::to_blob("scalars", &s, 1));
  const_cast<SimulationImpl*>(this)->visit_scalars(
      [&](std::string const& name, auto const& value) { r.push_back(detail::to_blob(name, &value, 1)); });
  return r;
}

template <class Real, Target target>
void SimulationImpl<Real, target>::restore(std::span<Blob const> blobs) {
  auto const find = [&](std::string const& name) -> Blob const& {
    for (auto const& b : blobs)
      if (b.name == name) return b;
    throw std::invalid_argument("checkpoint: '" + name + "' is missing");
  };
  visit_state([&](char const* name, auto const& a) {
    if (a.size() == 0) return;
    auto host = download(a);
    detail::from_blob(find(name), host.data(), host.size());
    upload(host, a);
  });
  for (int k = 0; k < state_count(); ++k) {
    if (k == current_) continue;
    Kokkos::deep_copy(states_[k].h.view(), current().h.view());
    Kokkos::deep_copy(states_[k].hu.view(), current().hu.view());
    Kokkos::deep_copy(states_[k].hv.view(), current().hv.view());
  }
  auto faces = Kokkos::create_mirror_view(face_accounts_);
  detail::from_blob(find("face_accounts"), faces.data(), faces.extent(0));
  Kokkos::deep_copy(face_accounts_, faces);
  Scalars s;
  detail::from_blob(find("scalars"), &s, 1);
  progress_ = s.progress;
  time_before_ = s.time_before;
  max_rate_ = s.max_rate;
  initial_volume_ = s.initial_volume;
  ahead_ = false;
  move_bed(progress_.time);
  visit_scalars([&](std::string const& name, auto& value) { detail::from_blob(find(name), &value, 1); });
  for_each_term([&](auto& term) { term.restored(); });
  runner_.wake_all();
}

}  // namespace swe
