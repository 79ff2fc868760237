#pragma once
/// \file
/// The structures: those that move water between cells, and those that stand on faces. Buildings are part of
/// the bed (see buildings.hpp).

#include "solver/structure/lines.hpp"
#include "solver/structure/transfers.hpp"
