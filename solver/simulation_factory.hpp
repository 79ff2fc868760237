#pragma once
#include <memory>

#include "solver/simulation.hpp"

namespace swe {

[[nodiscard]] std::unique_ptr<Simulation> make_host_simulation(Scenario const&, MaximaOptions const&, Precision);
[[nodiscard]] std::unique_ptr<Simulation> make_device_simulation(Scenario const&, MaximaOptions const&, Precision);
[[nodiscard]] std::unique_ptr<Simulation> make_single_precision_device_simulation(Scenario const&, MaximaOptions const&);

}  // namespace swe
