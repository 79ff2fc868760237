#include <Kokkidio/Kokkidio.hpp>

#include <cstdio>

double sum_of_squares(int n) {
  Kokkidio::ViewMap<double*> v(n);
  Kokkidio::parallel_for(
      n, KOKKOS_LAMBDA(Kokkidio::ParallelRange rng) { rng(v).setConstant(2); });
  double sum = 0;
  Kokkidio::parallel_reduce(
      n, KOKKOS_LAMBDA(Kokkidio::ParallelRange rng, double& s) { s += rng(v).squaredNorm(); }, sum);
  return sum;
}

int main(int argc, char** argv) {
  Kokkidio::ScopeGuard const guard(argc, argv);
  double const sum = sum_of_squares(1000);
  std::printf("sum of squares %g\n", sum);
  return sum == 4000 ? 0 : 1;
}
