/// The inverse of one small matrix per item, kept in a buffer: per thread on a CPU, on the stack of a GPU.

#include <Kokkidio/Kokkidio.hpp>

#include "check.hpp"

using namespace Kokkidio;

void inverse_in_a_buffer() {
  int const N = 10000;
  DualViewMap<Eigen::Matrix2d*> A(N), product(N);
  for (int k = 0; k < N; ++k) A.viewHost().view()(k) << k + 2, 1, 1, 1;
  A.copyToTarget();

  auto const desc = makeBuffer<Eigen::Matrix2d>();
  parallel_for(
      "inverse", N, KOKKOS_LAMBDA(ParallelRange rng) {
        auto local = getBuffer(desc, rng);
        local = rng(A).inverse();
        rng(product) = local * rng(A);
      });
  product.copyToHost();

  double trace = 0, worst = 0;
  for (int k = 0; k < N; ++k) {
    Eigen::Matrix2d const& p = product.viewHost().view()(k);
    trace += p.trace();
    worst = std::max(worst, (p - Eigen::Matrix2d::Identity()).cwiseAbs().maxCoeff());
  }
  expect("sum of traces of inverse times matrix", trace, 2 * N, 1e-8);
  expect("largest deviation from the identity", worst, 0, 1e-11);
}

int main(int argc, char** argv) {
  ScopeGuard const guard(argc, argv);
  inverse_in_a_buffer();
}
