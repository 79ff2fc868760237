#include "solver/simulation.hpp"

#include <Kokkidio/Kokkidio.hpp>
#include <cmath>
#include <fstream>

#include "solver/simulation_factory.hpp"

namespace swe {

double VolumeBalance::relative_error() const {
  double const scale = initial + boundary_in + rain + inflow;
  return scale > 0 ? error() / scale : (error() == 0 ? 0.0 : std::copysign(INFINITY, error()));
}

VolumeBalance VolumeBalance::since(VolumeBalance const& earlier) const {
  VolumeBalance b = *this;
  b.initial = earlier.final_;
  b.boundary_in -= earlier.boundary_in;
  b.boundary_out -= earlier.boundary_out;
  b.rain -= earlier.rain;
  b.inflow -= earlier.inflow;
  b.abstraction -= earlier.abstraction;
  b.infiltration -= earlier.infiltration;
  b.evaporation -= earlier.evaporation;
  b.structures -= earlier.structures;
  b.bed_displaced -= earlier.bed_displaced;
  auto const subtract = [](std::vector<VolumeTerm>& from, std::vector<VolumeTerm> const& terms) {
    for (std::size_t k = 0; k < terms.size() && k < from.size(); ++k) {
      from[k].in -= terms[k].in;
      from[k].out -= terms[k].out;
    }
  };
  subtract(b.terms, earlier.terms);
  subtract(b.through, earlier.through);
  return b;
}

bool device_available(Device device) {
  if (device == Device::cpu) return true;
  return Kokkidio::has_device && Kokkos::is_initialized();
}

std::string device_name(Device device) {
  if (device == Device::gpu) return Kokkos::DefaultExecutionSpace::name();
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "CPU";
}

std::unique_ptr<Simulation> make_simulation(Scenario const& scenario, MaximaOptions const& maxima, Precision precision,
                                            Device device) {
  if (device == Device::cpu) return make_host_simulation(scenario, maxima, precision);
#if defined(SWE_GPU)
  return make_device_simulation(scenario, maxima, precision);
#else
  throw std::invalid_argument("this program was built without GPU support");
#endif
}

}  // namespace swe
