#pragma once
/// \file
/// Kokkidio: Kokkos decides where code runs, Eigen (and SIMD lanes) how fast it runs on a CPU.

#include "Kokkidio/Batch.hpp"
#include "Kokkidio/Buffer.hpp"
#include "Kokkidio/DualViewMap.hpp"
#include "Kokkidio/EigenFunctions.hpp"
#include "Kokkidio/Lane.hpp"
#include "Kokkidio/LanePiece.hpp"
#include "Kokkidio/Pair.hpp"
#include "Kokkidio/Parallel.hpp"
#include "Kokkidio/ParallelRange.hpp"
#include "Kokkidio/Runtime.hpp"
#include "Kokkidio/Target.hpp"
#include "Kokkidio/ViewMap.hpp"
