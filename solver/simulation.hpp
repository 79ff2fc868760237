#pragma once
/// \file
/// A running computation: owns the fields on the CPU or GPU and moves them through time.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/scenario.hpp"

namespace swe {

enum class Precision { double_precision, single_precision };
enum class Device { cpu, gpu };

/// Whether this build can run on `device` here and now.
[[nodiscard]] bool device_available(Device device);
/// Name of the processor or GPU that would be used.
[[nodiscard]] std::string device_name(Device device);

struct Point { double x = 0, y = 0; };

/// Cell-centred state on the host, in double whatever the solver's precision; i fastest, grid.cells() values.
/// Inactive cells hold NaN.
struct StateHost {
  double time = 0;
  std::vector<double> h;   ///< depth [m]
  std::vector<double> hu;  ///< unit discharge, east [m2/s]
  std::vector<double> hv;  ///< unit discharge, north [m2/s]
  std::vector<double> bed; ///< [m]; only where the bed moves, else empty
};

/// Volumes that one boundary or source has brought in and let out, or that have passed a structure forth and back [m3].
struct VolumeTerm {
  std::string name;
  double in = 0, out = 0;
};

/// Volumes since the start [m3]. `final_` is what the cells hold now; the error is
/// final - (initial + in - out + rain + inflow - abstraction - infiltration - evaporation).
struct VolumeBalance {
  double initial = 0, boundary_in = 0, boundary_out = 0, rain = 0, inflow = 0, abstraction = 0,
         infiltration = 0, evaporation = 0, final_ = 0;
  double structures = 0;     ///< moved from cell to cell by structures; no part of the error
  double bed_displaced = 0;  ///< volume by which the bed has risen; no part of the error, as water rides on it
  std::vector<VolumeTerm> terms;    ///< boundaries, inflows, evaporations by name
  std::vector<VolumeTerm> through;  ///< structures by name
  [[nodiscard]] double error() const {
    return final_ - (initial + boundary_in - boundary_out + rain + inflow - abstraction - infiltration - evaporation);
  }
  /// relative to initial + in + rain + inflow; 0 when that is 0 and the error too
  [[nodiscard]] double relative_error() const;
  /// The balance of the time since `earlier`, which starts with what the cells held then.
  [[nodiscard]] VolumeBalance since(VolumeBalance const& earlier) const;
};

/// Running extremes per cell, updated after every step. Inactive cells hold NaN; a cell that was never wet
/// has depth 0, level = bed, arrival and time of maximum NaN.
struct MaximaOptions {
  bool depth = false, level = false, speed = false, unit_discharge = false, hazard = false,
       time_of_max = false, arrival = false, duration = false;
  double arrival_depth = 0.05;   ///< [m] first time deeper than this
  double duration_depth = 0.05;  ///< [m] time spent deeper than this
  [[nodiscard]] bool any() const {
    return depth || level || speed || unit_discharge || hazard || time_of_max || arrival || duration;
  }
};
struct NamedField { std::string name; std::vector<double> values; };  ///< grid.cells() values

/// What a gauge reads: depth [m], level [m], velocity [m/s] at its cell.
struct GaugeReading { double depth = 0, level = 0, u = 0, v = 0; };

struct SectionFace;  // solver/geometry.hpp
/// What flows through a section, towards the left of a walker along it.
struct SectionReading {
  double discharge = 0;  ///< mean over the last step [m3/s]
  double volume = 0;     ///< since the start [m3]
};

/// The numbers failed: NaN, or a step below the floor. Names the worst cell.
struct NumericalFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
  int i = -1, j = -1;
  double time = 0;
};

/// Seconds of wall time per part of the stepping.
struct Timings { double flux = 0, boundaries = 0, sources = 0, maxima = 0, gauges = 0, other = 0; };

struct Progress { std::int64_t steps = 0; std::int64_t rejected_steps = 0; double time = 0; double dt = 0; };

class Simulation {
 public:
  virtual ~Simulation() = default;

  /// Steps until exactly `t_end`. After each step `after_step(progress)` is called; false ends the call
  /// early. Also stops on jumps of the forcing, so that no step spans one. Throws NumericalFailure.
  virtual void advance_to(double t_end, std::function<bool(Progress const&)> const& after_step = {}) = 0;

  [[nodiscard]] virtual Progress progress() const = 0;
  [[nodiscard]] virtual StateHost state() const = 0;
  [[nodiscard]] virtual VolumeBalance balance() const = 0;
  [[nodiscard]] virtual std::vector<NamedField> maxima() const = 0;
  [[nodiscard]] virtual Timings timings() const = 0;
  /// bytes of all fields held
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;

  /// Cells to be read after every step, and at the start; their order is kept.
  virtual void set_gauges(std::vector<std::int64_t> const& cells) = 0;
  /// Readings at time t, which lies in the last step [t - dt, t] (linear between its ends) or is now.
  [[nodiscard]] virtual std::vector<GaugeReading> gauges_at(double t) const = 0;

  /// Lines of faces through which discharge and volume are measured in every stage; their order is kept.
  virtual void set_sections(std::vector<std::vector<SectionFace>> const& sections) = 0;
  /// Readings at time t, which lies in the last step or is now.
  [[nodiscard]] virtual std::vector<SectionReading> sections_at(double t) const = 0;

  /// Everything needed to continue bit for bit, as named arrays of bytes.
  struct Blob { std::string name; std::vector<std::byte> bytes; };
  [[nodiscard]] virtual std::vector<Blob> checkpoint() const = 0;
  virtual void restore(std::span<Blob const> blobs) = 0;
};

/// Throws std::invalid_argument for a scenario that cannot run (sizes that disagree and the like);
/// the io library has checked what a user can get wrong.
[[nodiscard]] std::unique_ptr<Simulation> make_simulation(Scenario const& scenario, MaximaOptions const& maxima = {},
                                                          Precision precision = Precision::double_precision,
                                                          Device device = Device::cpu);

}  // namespace swe
