/// Does not compile: the buffer belongs to the device, the range to the host.

#include <Kokkidio/Kokkidio.hpp>

void mix() {
  auto const buffer = Kokkidio::makeBuffer<double, Kokkidio::Target::device>();
  Kokkidio::parallel_for<Kokkidio::Target::host>(
      10, [=](Kokkidio::BasicParallelRange<Kokkidio::Target::host> rng) { getBuffer(buffer, rng); });
}
