// The GPU's simulation in single precision: a file of its own, since its kernels take minutes to compile.
#include "solver/simulation_factory.hpp"
#include "solver/simulation_impl.hpp"
#include "solver/stage_device.hpp"

namespace swe {

std::unique_ptr<Simulation> make_single_precision_device_simulation(Scenario const& scenario, MaximaOptions const& maxima) {
  return std::make_unique<SimulationImpl<float, Target::device>>(scenario, maxima);
}

}  // namespace swe
