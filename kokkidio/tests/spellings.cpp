/// The spellings of the library's own documentation, compiled for the default target whatever that is.
/// Kernels are defined in functions with a name, as nvcc wants.

#include <Kokkidio/Kokkidio.hpp>

#include <vector>

#include "catch.hpp"

using namespace Kokkidio;

namespace spellings {

void views() {
  int const N = 100, M = 20;
  ViewMap<double*> v(N);
  DualViewMap<double**> m({M, N});
  DualViewMap<double*> norms(M);
  m.mapHost().setRandom();
  DualViewMap<double*> d(N);
  auto x = d.viewHost();
  Eigen::VectorXd const random = Eigen::VectorXd::Random(N);
  x = random;
  CHECK(d.mapHost() == random);
  x = Eigen::VectorXd::Random(N);
  m.copyToTarget();
  m.copyToHost();
  static_assert(Kokkos::is_view<std::remove_cvref_t<decltype(v.view())>>::value);
  CHECK(v.view().extent(0) == std::size_t(N));
  CHECK(v.map().size() == N);
  CHECK(v.rows() == N);
  CHECK(v.cols() == 1);
  CHECK(v.size() == N);
  CHECK(v.data() == v.view().data());
  v.resize(2 * N);
  CHECK(v.size() == 2 * N);
  ViewMap<double*> const target = norms.viewTarget();
  CHECK(target.data() == norms.viewTarget().data());
}

void axpy() {
  int const N = 1000;
  double const a = 2;
  DualViewMap<double*> dx(N), dy(N), dz(N);
  dx.mapHost().setRandom();
  dy.mapHost().setRandom();
  dx.copyToTarget();
  dy.copyToTarget();
  auto const x = dx.viewTarget(), y = dy.viewTarget(), z = dz.viewTarget();
  parallel_for(
      N, KOKKOS_LAMBDA(ParallelRange rng) { rng(z) = a * rng(x) + rng(y); });
  dz.copyToHost();
  CHECK(dz.mapHost().isApprox(a * dx.mapHost() + dy.mapHost(), 1e-15));

  parallel_for(
      {10, 20}, KOKKOS_LAMBDA(ParallelRange rng) { rng(z).setZero(); });
  parallel_for(
      "zero the rest", Kokkos::RangePolicy<>(20, N), KOKKOS_LAMBDA(ParallelRange rng) { rng(dz).setZero(); });
  parallel_for(
      10, KOKKOS_LAMBDA(int i) { z.view()(i) = 1; });
  dz.copyToHost();
  CHECK(dz.mapHost().sum() == 10);
}

struct RowNorms {
  ViewMap<double**> data;
  ViewMap<double*> norms;
  using Scalar = double;

  KOKKOS_FUNCTION void operator()(ParallelRange const& rng) const { rng(norms) = rng(data).rowwise().norm(); }
  KOKKOS_FUNCTION void operator()(ParallelRange const& rng, Scalar& update) const {
    (*this)(rng);
    Scalar const largest = rng(norms).maxCoeff();
    if (largest > update) update = largest;
  }
  KOKKOS_FUNCTION void init(Scalar& update) const { update = -1; }
  KOKKOS_FUNCTION void join(Scalar& update, Scalar const& other) const {
    if (other > update) update = other;
  }
};

void one_functor_for_both() {
  int const M = 5000, N = 7;
  DualViewMap<double**> data({M, N});
  DualViewMap<double*> norms(M);
  data.mapHost().setRandom();
  data.copyToTarget();
  Eigen::VectorXd const expected = data.mapHost().rowwise().norm();
  RowNorms const functor{data.viewTarget(), norms.viewTarget()};
  parallel_for(M, functor);
  norms.copyToHost();
  CHECK(norms.mapHost().isApprox(expected, 1e-14));
  double result = 0;
  parallel_reduce(M, functor, result);
  CHECK(result == Approx(expected.maxCoeff()).epsilon(1e-14));
  parallel_reduce(0, functor, result);
  CHECK(result == -1);
}

void inverse_in_a_buffer() {
  int const N = 3000;
  DualViewMap<Eigen::Matrix2d*> dA(N);
  for (int k = 0; k < N; ++k) dA.viewHost().view()(k) << 2 + k, 1, 1, 1;
  dA.copyToTarget();
  ViewMap<Eigen::Matrix2d*> const A = dA.viewTarget();
  auto desc = makeBuffer<Eigen::Matrix2d>();
  parallel_for(
      N, KOKKOS_LAMBDA(ParallelRange rng) {
        auto local = getBuffer(desc, rng);
        local = rng(A).inverse();
        rng(A) = local;
      });
  dA.copyToHost();
  double error = 0;
  for (int k = 0; k < N; ++k) {
    Eigen::Matrix2d const expected = (Eigen::Matrix2d() << 1, -1, -1, 2 + k).finished() / (1. + k);
    error = std::max(error, (dA.viewHost().view()(k) - expected).norm() / expected.norm());
  }
  CHECK(error < 1e-15);
}

}  // namespace spellings

TEST_CASE("documented_spellings_of_views") { spellings::views(); }
TEST_CASE("documented_spellings_of_loops") { spellings::axpy(); }
TEST_CASE("one_functor_serves_for_and_reduce") { spellings::one_functor_for_both(); }
TEST_CASE("small_matrices_in_a_buffer") { spellings::inverse_in_a_buffer(); }
