#pragma once
/// \file
/// The Riemann solvers there are. A new one is a file in this folder and a word in this list.

#include "solver/riemann/hll.hpp"
#include "solver/riemann/hllc.hpp"
#include "solver/riemann/roe.hpp"

namespace swe {

template <class... T>
struct TypeList {};
using RiemannSolvers = TypeList<RiemannHll, RiemannHllc, RiemannRoe>;

}  // namespace swe
