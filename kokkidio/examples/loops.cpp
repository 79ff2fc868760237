/// The loops of Kokkos: for, reduce, scan, over one and two dimensions. They work beside those of Kokkidio in
/// one program, on the same views.

#include <Kokkidio/Kokkidio.hpp>

#include "check.hpp"

void one_dimension() {
  int const N = 1000;
  Kokkos::View<double*> v("v", N);
  Kokkos::parallel_for(
      "fill", N, KOKKOS_LAMBDA(int i) { v(i) = i; });
  double sum = 0, largest = 0;
  Kokkos::parallel_reduce(
      "sum", N, KOKKOS_LAMBDA(int i, double& s) { s += v(i); }, sum);
  expect("sum", sum, N * (N - 1) / 2);
  Kokkos::parallel_reduce(
      "largest", N,
      KOKKOS_LAMBDA(int i, double& m) {
        if (v(i) > m) m = v(i);
      },
      Kokkos::Max<double>(largest));
  expect("largest", largest, N - 1);

  Kokkos::View<double*> prefix("prefix", N);
  Kokkos::parallel_scan(
      "prefix sums", N, KOKKOS_LAMBDA(int i, double& running, bool last_pass) {
        running += v(i);
        if (last_pass) prefix(i) = running;
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), prefix);
  expect("prefix sum of the first hundred", host(99), 4950);

  // The same memory in a range of Kokkidio's.
  double squares = 0;
  Kokkidio::parallel_reduce(
      "squares", N, KOKKOS_LAMBDA(Kokkidio::ParallelRange rng, double& s) { s += rng(v).squaredNorm(); },
      squares);
  expect("sum of squares", squares, double(N - 1) * N * (2 * N - 1) / 6);
}

void two_dimensions() {
  int const nx = 60, ny = 40;
  Kokkos::View<double**> field("field", nx, ny);
  Kokkos::MDRangePolicy<Kokkos::Rank<2>> const everywhere({0, 0}, {nx, ny});
  Kokkos::parallel_for(
      "fill", everywhere, KOKKOS_LAMBDA(int i, int j) { field(i, j) = i * j; });
  double sum = 0;
  Kokkidio::parallel_reduce(
      "sum", everywhere, KOKKOS_LAMBDA(int i, int j, double& s) { s += field(i, j); }, sum);
  expect("sum over the plane", sum, double(nx * (nx - 1) / 2) * double(ny * (ny - 1) / 2));
}

int main(int argc, char** argv) {
  Kokkidio::ScopeGuard const guard(argc, argv);
  one_dimension();
  two_dimensions();
}
