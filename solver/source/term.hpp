#pragma once
/// \file
/// What every term beside the fluxes may do, and when the simulation asks for it. A term keeps its fields on
/// the target and overrides what is its own; loops over cells are free functions.
///
///   prepare(t, dt)        before a step is tried, for what the series ask over [t, t + dt]
///   fill(args, ...)       before each stage: what the loop over cells takes along
///   finish(args, t, dt)   after the stages of a step that may still be rejected; changes the new state
///   accept(t, dt)         the step holds: book what was moved
///   report(balance)       volumes moved since the start
///   visit_arrays(f)       what a checkpoint holds: f(name, array)
///   visit_scalars(f)      the same for plain values: f(name, value)

#include <Kokkidio/Kokkidio.hpp>

#include "solver/fields.hpp"
#include "solver/forcing.hpp"
#include "solver/loops.hpp"
#include "solver/simulation.hpp"
#include "solver/step.hpp"
#include "solver/sum.hpp"

namespace swe {

/// What terms are made from.
struct TermSetup {
  Scenario const& scenario;
  Layout const& layout;
  std::vector<char> const& active;  ///< per cell of the grid
  double bed_datum = 0;             ///< [m]; the bed field is counted from here
};

/// Where a stage stands in its step.
struct StageMoment {
  double time = 0;   ///< of the state the stage starts from [s]
  bool last = true;  ///< of its step
};

template <class Real, Target target>
struct Term {
  using RealArray = Array<Real, target>;
  using DoubleArray = Array<double, target>;

  void prepare(double, double) {}
  void fill(StepArgs<Real>&, StageMoment const&) {}
  /// Largest wave rate [1/s] of the cells changed.
  double finish(StepArgs<Real> const&, double, double) { return 0; }
  void accept(StepArgs<Real> const&, double, double) {}
  void report(VolumeBalance&) const {}
  template <class F>
  void visit_arrays(F const&) const {}
  template <class F>
  void visit_scalars(F const&) {}
  /// After a checkpoint was read.
  void restored() {}
  /// Positions of cells that may become wet without a wet neighbour.
  [[nodiscard]] std::vector<std::int64_t> wet_places() const { return {}; }
  /// Any cell may become wet.
  [[nodiscard]] bool everywhere() const { return false; }
  /// Fastest rise [m/s] of water on dry ground between times a and b.
  [[nodiscard]] double largest_rise(double, double) const { return 0; }
  /// Largest stable step [s].
  [[nodiscard]] double step_limit() const { return std::numeric_limits<double>::infinity(); }
};

}  // namespace swe
