#define CATCH_CONFIG_RUNNER
#include "catch.hpp"

#include <Kokkidio/Runtime.hpp>

int main(int argc, char** argv) {
  Kokkidio::ScopeGuard const guard(argc, argv);
  return Catch::Session().run(argc, argv);
}
