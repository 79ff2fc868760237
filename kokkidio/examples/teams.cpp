/// Teams: a block of threads that share scratch memory and wait for one another at a barrier. Each team
/// reverses its row of a matrix: it loads the row into scratch memory, waits until all of it is there, and
/// writes it back from the end.

#include <Kokkidio/Kokkidio.hpp>

#include "check.hpp"

void reverse_rows() {
  using Policy = Kokkos::TeamPolicy<>;
  using Team = Policy::member_type;
  using Scratch = Kokkos::View<double*, Kokkos::DefaultExecutionSpace::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  int const rows = 50, cols = 64;
  Kokkos::View<double**> m("m", rows, cols);
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {rows, cols}),
      KOKKOS_LAMBDA(int i, int j) { m(i, j) = 100 * i + j; });

  // The team's size is Kokkos' choice: a fixed one may be more than a space can give (Serial gives 1).
  Policy const policy =
      Policy(rows, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(cols)));
  Kokkos::parallel_for(
      "reverse", policy, KOKKOS_LAMBDA(Team const& team) {
        Scratch const row(team.team_scratch(0), cols);
        int const i = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, cols), [&](int j) { row(j) = m(i, j); });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, cols),
                             [&](int j) { m(i, j) = row(cols - 1 - j); });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m);
  expect("first of row 7", host(7, 0), 763);
  expect("last of row 7", host(7, cols - 1), 700);
}

int main(int argc, char** argv) {
  Kokkidio::ScopeGuard const guard(argc, argv);
  reverse_rows();
}
