/// z = a x + y with a range: the kernel receives a chunk on a CPU and one item on a GPU, and is written once.

#include <Kokkidio/Kokkidio.hpp>

#include "check.hpp"

using namespace Kokkidio;

void saxpy() {
  int const N = 1000000;
  float const a = 2.5f;
  ViewMap<float*> x(N), y(N), z(N);

  // Each range fills its own items; rng.begin() is the number of the first of them.
  parallel_for(
      "fill", N, KOKKOS_LAMBDA(ParallelRange rng) {
        rng(x).setConstant(2);
        rng(y).setConstant(0.25f);
      });
  parallel_for(
      "saxpy", N, KOKKOS_LAMBDA(ParallelRange rng) { rng(z) = a * rng(x) + rng(y); });

  double sum = 0;
  parallel_reduce(
      "sum", N, KOKKOS_LAMBDA(ParallelRange rng, double& s) { s += rng(z).sum(); }, sum);
  expect("sum of a x + y", sum, 5.25 * N);
}

int main(int argc, char** argv) {
  ScopeGuard const guard(argc, argv);
  saxpy();
}
