#pragma once
/// \file
/// The terms beside the fluxes, in the order in which they act at the end of a step. A new one is a file and
/// a word in this list.

#include <tuple>

#include "solver/source/evaporation.hpp"
#include "solver/source/forces.hpp"
#include "solver/source/infiltration.hpp"
#include "solver/source/inflow.hpp"
#include "solver/source/rain.hpp"
#include "solver/structure/registry.hpp"

namespace swe {

template <class Real, Target target>
using AllTerms = std::tuple<Rain<Real, target>, Infiltration<Real, target>, Forces<Real, target>,
                            LineStructures<Real, target>, Inflow<Real, target>, Transfers<Real, target>,
                            Evaporation<Real, target>>;

}  // namespace swe
