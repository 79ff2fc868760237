/// Norms of the rows of a 10000 x 256 matrix and the largest of them: one functor for the loop and the
/// reduction, which says itself how partial results begin (`init`) and meet (`join`).

#include <Kokkidio/Kokkidio.hpp>

#include "check.hpp"

using namespace Kokkidio;

struct RowNorms {
  using Scalar = double;
  ViewMap<double**> data;
  ViewMap<double*> norms;

  KOKKOS_FUNCTION void operator()(ParallelRange const& rng) const { rng(norms) = rng(data).rowwise().norm(); }

  KOKKOS_FUNCTION void operator()(ParallelRange const& rng, Scalar& update) const {
    (*this)(rng);
    Scalar const largest = rng(norms).maxCoeff();
    if (largest > update) update = largest;
  }
  KOKKOS_FUNCTION void init(Scalar& update) const { update = 0; }
  KOKKOS_FUNCTION void join(Scalar& update, Scalar const& other) const {
    if (other > update) update = other;
  }
};

void row_norms() {
  int const M = 10000, N = 256;
  DualViewMap<double**> data({M, N});
  DualViewMap<double*> norms(M);
  // Row k holds k + 1 in every column, so its norm is 16 (k + 1).
  data.mapHost().colwise() = Eigen::VectorXd::LinSpaced(M, 1, M);
  data.copyToTarget();

  RowNorms const functor{data.viewTarget(), norms.viewTarget()};
  parallel_for("row norms", M, functor);
  norms.copyToHost();
  expect("norm of row 41", norms.mapHost()[41], 16 * 42, 1e-10);

  double largest = 0;
  parallel_reduce("largest row norm", M, functor, largest);
  expect("largest norm", largest, 16. * M, 1e-8);
}

int main(int argc, char** argv) {
  ScopeGuard const guard(argc, argv);
  row_norms();
}
