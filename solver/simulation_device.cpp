// The GPU's simulation in double precision, and the choice between the two.
#include "solver/simulation_factory.hpp"
#include "solver/simulation_impl.hpp"
#include "solver/stage_device.hpp"

namespace swe {

std::unique_ptr<Simulation> make_device_simulation(Scenario const& scenario, MaximaOptions const& maxima, Precision precision) {
  if (precision == Precision::single_precision) return make_single_precision_device_simulation(scenario, maxima);
  return std::make_unique<SimulationImpl<double, Target::device>>(scenario, maxima);
}

}  // namespace swe
