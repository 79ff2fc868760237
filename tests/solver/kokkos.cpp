// Kokkos lives as long as the tests run.
#include <Kokkidio/Kokkidio.hpp>

#include "tests/solver/support.hpp"

namespace {
Kokkidio::ScopeGuard const guard;
}

namespace swe::test {
void set_threads(int threads) { Kokkidio::set_num_threads(threads); }
}  // namespace swe::test
