#pragma once
/// \file
/// One stage over the whole grid, on either target, and which parts of the grid need it.

#include <Kokkidio/Kokkidio.hpp>
#include <algorithm>
#include <vector>

#include "solver/fields.hpp"
#include "solver/step_host.hpp"

namespace swe {

struct StageResult {
  double max_rate = 0;  ///< largest (|u| + c)/dx + (|v| + c)/dy [1/s]
  bool failed = false;  ///< a depth below zero, not a number, or flow faster than a cell per step
};

/// How the fastest wave bounds the step. Host and device compute it alike, to the last bit.
struct StepSizeLimits {
  double cfl = 0, max_dt = 0;  ///< Scheme::cfl, Scheme::max_dt

  [[nodiscard]] KOKKOS_FUNCTION double step_size(double max_rate) const {
    double const dt = cfl / max_rate;
    return dt < max_dt ? dt : max_dt;
  }
  /// A step after which the flow would cross more than a cell in the same time was too long: the bed or a source
  /// has sped it up. This also keeps a fall over a step of the bed within the energy it has.
  [[nodiscard]] KOKKOS_FUNCTION bool allow(double max_rate, double dt) const { return !(max_rate * dt > 1.0 + 1e-6); }
};

template <class Real, Kokkidio::Target target>
class StageRunner;

/// Tiles on the CPU's threads. A tile is left out while it and its neighbours have been dry for two steps (so all
/// states agree there) and nothing feeds it; that changes no bit of the result, since dry cells among dry cells stay so.
template <class Real>
class StageRunner<Real, Kokkidio::Target::host> {
 public:
  static constexpr bool can_run_ahead = false;

  StageRunner() = default;
  /// `always`: positions (from cell (0, 0)) of cells whose tiles take part in every step: those at open boundaries.
  StageRunner(Layout const& layout, Scheme const& scheme, std::vector<std::int64_t> const& always);

  /// Runs a stage of a step over dt and gives what is known of it at once.
  StageResult run(StepArgs<Real> const& a, double dt, int stage, bool everywhere);
  /// What the stages of the step found.
  [[nodiscard]] StageResult result() const { return result_; }
  /// The last stages run are now the state.
  void accept();
  /// Something outside the stages put water into these cells.
  void wake(std::vector<std::int64_t> const& positions);
  void wake_all() { std::fill(wet_before_.begin(), wet_before_.end(), 1); }
  /// Whether dry tiles may be left out (they may by default).
  void set_skip_dry(bool skip) { skip_dry_ = skip; }

 private:
  [[nodiscard]] int tile_of(std::int64_t position) const {
    return int(position % pitch_) / tile_width + tiles_x_ * (int(position / pitch_) / tile_height);
  }
  void choose_active(bool everywhere);
  /// Whether a tile that takes part for its neighbours' sake alone has no water at its edges yet.
  [[nodiscard]] bool stays_dry(StepArgs<Real> const& a, int tile) const;

  std::int64_t pitch_ = 0;
  int tiles_x_ = 0, tiles_y_ = 0;
  int order_ = 1;
  TileKernel<Real> kernel_[2][2] = {};  ///< without and with extras; of both stages
  std::vector<int> active_;
  std::vector<char> always_, wet_, wet_before_, wet_new_;
  std::vector<TileResult<Real>> results_;
  StageResult result_;
  bool skip_dry_ = true;
};

template <class Real>
StageRunner<Real, Kokkidio::Target::host>::StageRunner(Layout const& layout, Scheme const& scheme,
                                                       std::vector<std::int64_t> const& always)
    : pitch_(layout.pitch),
      tiles_x_((layout.nx + tile_width - 1) / tile_width),
      tiles_y_((layout.ny + tile_height - 1) / tile_height),
      order_(scheme.order) {
  for (bool extras : {false, true})
    for (int stage : {1, 2}) kernel_[extras][stage - 1] = host_tile_kernel<Real>(scheme.riemann, scheme.order, stage, extras);
  auto const n = std::size_t(tiles_x_) * tiles_y_;
  always_.assign(n, 0);
  wet_.assign(n, 1);
  wet_before_.assign(n, 1);
  wet_new_.assign(n, 0);
  results_.resize(n);
  for (auto p : always) always_[tile_of(p)] = 1;
}

template <class Real>
void StageRunner<Real, Kokkidio::Target::host>::choose_active(bool everywhere) {
  active_.clear();
  auto const needs = [&](int x, int y) {
    if (everywhere || !skip_dry_ || always_[x + tiles_x_ * y]) return true;
    for (int v = std::max(0, y - 1); v <= std::min(tiles_y_ - 1, y + 1); ++v)
      for (int u = std::max(0, x - 1); u <= std::min(tiles_x_ - 1, x + 1); ++u)
        if (wet_[u + tiles_x_ * v] || wet_before_[u + tiles_x_ * v]) return true;
    return false;
  };
  for (int y = 0; y < tiles_y_; ++y)
    for (int x = 0; x < tiles_x_; ++x)
      if (needs(x, y)) active_.push_back(x + tiles_x_ * y);
}

template <class Real>
bool StageRunner<Real, Kokkidio::Target::host>::stays_dry(StepArgs<Real> const& a, int tile) const {
  if (wet_[tile] || wet_before_[tile] || always_[tile] || a.infiltration.model != InfiltrationModel::none) return false;
  int const i0 = tile % tiles_x_ * tile_width, i1 = std::min(i0 + tile_width, a.nx);
  int const j0 = tile / tiles_x_ * tile_height, j1 = std::min(j0 + tile_height, a.ny);
  // Between a dry cell of the tile and a dry one beside it nothing flows.
  auto const dry = [&](Offset o) { return a.h[o] == 0; };
  for (int i = i0; i < i1; ++i)
    if (!dry(i + a.pitch * (j0 - 1)) || !dry(i + a.pitch * j1)) return false;
  for (int j = j0; j < j1; ++j)
    if (!dry(i0 - 1 + a.pitch * j) || !dry(i1 + a.pitch * j)) return false;
  return true;
}

template <class Real>
StageResult StageRunner<Real, Kokkidio::Target::host>::run(StepArgs<Real> const& a, double, int stage, bool everywhere) {
  if (stage == 1) choose_active(everywhere);
  auto const kernel = kernel_[needs_extras(a, order_)][stage - 1];
  bool const may_skip = skip_dry_ && !everywhere;
  Kokkidio::parallel_for<Kokkidio::Target::host>("stage", Kokkidio::Items(active_.size()).chunk(1), [&](Kokkidio::Index k) {
    int const tile = active_[std::size_t(k)];
    if (may_skip && stays_dry(a, tile)) results_[tile] = {};
    else results_[tile] = kernel(a, tile % tiles_x_ * tile_width, tile / tiles_x_ * tile_height);
  });
  std::fill(wet_new_.begin(), wet_new_.end(), 0);
  Real rate = 0;
  result_ = {};
  for (int tile : active_) {
    rate = std::max(rate, results_[tile].max_rate);
    result_.failed = result_.failed || results_[tile].failed;
    wet_new_[tile] = results_[tile].wet;
  }
  result_.max_rate = double(rate);
  return result_;
}

template <class Real>
void StageRunner<Real, Kokkidio::Target::host>::accept() {
  std::swap(wet_before_, wet_);
  std::swap(wet_, wet_new_);
}

template <class Real>
void StageRunner<Real, Kokkidio::Target::host>::wake(std::vector<std::int64_t> const& positions) {
  for (auto p : positions) wet_new_[tile_of(p)] = 1;
}

}  // namespace swe
