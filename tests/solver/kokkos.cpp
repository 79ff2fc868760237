// The main function of tests that compute. Kokkos starts in it rather than before it: a GPU's kernels are made known by
// constructors of other files.
#define CATCH_CONFIG_RUNNER
#include "tests/catch.hpp"

#include <Kokkidio/Kokkidio.hpp>

#include "tests/solver/support.hpp"

int main(int argc, char** argv) {
  Kokkidio::ScopeGuard const guard(argc, argv);
  return Catch::Session().run(argc, argv);
}

namespace swe::test {
void set_threads(int threads) { Kokkidio::set_num_threads(threads); }
}  // namespace swe::test
