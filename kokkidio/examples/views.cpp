/// Kokkos views: who owns memory, what a copy of a view is, and how data moves.

#include <Kokkidio/Kokkidio.hpp>

#include "check.hpp"

void reference_semantics() {
  Kokkos::View<double*> a("a", 10);
  Kokkos::View<double*> b = a;  // the same memory, counted once more
  Kokkos::deep_copy(a, 1.);
  expect("uses of the memory", a.use_count(), 2);

  auto const on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), b);
  expect("value seen through the copy of the view", on_host(3), 1);

  {
    Kokkos::View<double*> const c = b;  // const is the view, not what it shows
    Kokkos::deep_copy(c, 4.);
  }
  expect("uses after the third went out of scope", a.use_count(), on_host.data() == a.data() ? 3 : 2);
  Kokkos::View<double const*> const read_only = a;
  expect("extent of the read-only view", double(read_only.extent(0)), 10);
}

void copies() {
  Kokkos::View<double**> device("device", 3, 4);
  auto const host = Kokkos::create_mirror_view(device);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) host(i, j) = 10 * i + j;
  Kokkos::deep_copy(device, host);

  Kokkos::View<double**> other("other", 3, 4);
  Kokkos::deep_copy(other, device);  // the values, in memory of their own
  Kokkos::deep_copy(device, 0.);
  auto const back = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), other);
  expect("value that survived in the deep copy", back(2, 3), 23);

  auto const row = Kokkos::subview(back, 1, Kokkos::ALL());
  double sum = 0;
  for (std::size_t j = 0; j < row.extent(0); ++j) sum += row(j);
  expect("sum of the subview of one row", sum, 46);
}

/// The same memory as a Kokkos view and as an Eigen map.
void view_and_map() {
  Kokkidio::DualViewMap<double**> m({3, 4});
  m.mapHost().setIdentity();
  m.viewHost().view()(2, 0) = 5;
  expect("entry written through the view, read through the map", m.mapHost()(2, 0), 5);
}

int main(int argc, char** argv) {
  Kokkidio::ScopeGuard const guard(argc, argv);
  reference_semantics();
  copies();
  view_and_map();
}
