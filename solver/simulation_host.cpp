// The CPU's simulation. Eigen must vectorise here, so this file is never seen as GPU code.
#include "solver/simulation_factory.hpp"
#include "solver/simulation_impl.hpp"

namespace swe {

std::unique_ptr<Simulation> make_host_simulation(Scenario const& scenario, MaximaOptions const& maxima, Precision precision) {
  if (precision == Precision::single_precision)
    return std::make_unique<SimulationImpl<float, Target::host>>(scenario, maxima);
  return std::make_unique<SimulationImpl<double, Target::host>>(scenario, maxima);
}

}  // namespace swe
