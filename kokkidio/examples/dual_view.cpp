/// A matrix that is filled with Eigen on the host, changed on the target, and read on the host again.

#include <Kokkidio/Kokkidio.hpp>

#include "check.hpp"

using namespace Kokkidio;

void dual_view() {
  int const M = 200, N = 100;
  DualViewMap<double**> m({M, N});
  m.mapHost() = Eigen::VectorXd::LinSpaced(M, 1, M) * Eigen::RowVectorXd::Ones(N);
  m.copyToTarget();
  parallel_for(
      "double the rows", M, KOKKOS_LAMBDA(ParallelRange rng) { rng(m) *= 2; });
  m.copyToHost();
  expect("sum of the doubled matrix", m.mapHost().sum(), double(M) * (M + 1) * N);

  // An Eigen object that exists already is wrapped: on a CPU nothing is copied at all.
  Eigen::ArrayXd depths = Eigen::ArrayXd::Constant(500, 3);
  DualViewMap<Eigen::ArrayXd> h(depths);
  h.copyToTarget();
  auto const target = h.viewTarget();
  parallel_for(
      "square root", depths.size(), KOKKOS_LAMBDA(ParallelRange rng) { rng(target) = rng(target).sqrt(); });
  h.copyToHost();
  expect("sum of roots in the Eigen object itself", depths.sum(), 500 * std::sqrt(3.), 1e-11);
}

int main(int argc, char** argv) {
  ScopeGuard const guard(argc, argv);
  dual_view();
}
