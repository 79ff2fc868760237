/// The wave equation u_tt = c² u_xx on a periodic line, by velocity Verlet:
///
///   predictor   v += dt/2 a,  u += dt v
///   corrector   a = c² (u_{i-1} - 2 u_i + u_{i+1}) / dx²,  v += dt/2 a
///
/// Second order in space and time. d'Alembert's solution for u(x, 0) = f(x), u_t(x, 0) = 0 is the mean of f(x
/// - ct) and f(x + ct).

#include <Kokkidio/Kokkidio.hpp>

#include <numbers>
#include <string>

#include "check.hpp"

using namespace Kokkidio;

constexpr double speed = 2, end_time = 0.4;

double shape(double x) { return std::exp(std::sin(2 * std::numbers::pi * x)); }

/// Largest error at the end with `n` cells; item 0 and item n + 1 repeat the cells at the other end.
double error_of(int n) {
  double const dx = 1. / n, c = speed;
  int const steps = int(std::ceil(end_time * c / (0.5 * dx)));
  double const dt = end_time / steps;
  DualViewMap<double*> u(n + 2);
  ViewMap<double*> const v("velocity", n + 2), a("acceleration", n + 2);
  for (int i = 0; i < n + 2; ++i) u.mapHost()[i] = shape((i - 0.5) * dx);
  u.copyToTarget();
  auto const displacement = u.viewTarget();

  auto const accelerate = [&](double share) {
    parallel_for(
        "repeat ends", 1, KOKKOS_LAMBDA(int) {
          displacement.view()(0) = displacement.view()(n);
          displacement.view()(n + 1) = displacement.view()(1);
        });
    // Lanes read at shifted items: a register full on a CPU, one number on a GPU.
    parallel_for(
        "corrector", {1, n + 1}, KOKKOS_LAMBDA(ParallelRange rng) {
          rng.for_each_lane([&](auto lane) {
            using L = typename decltype(lane)::Value;
            L const bend =
                lane.load(displacement, -1) - 2 * lane.load(displacement) + lane.load(displacement, +1);
            lane(a) = c * c / (dx * dx) * bend;
            lane(v) += share * dt / 2 * lane.load(a);
          });
        });
  };
  accelerate(0);
  for (int step = 0; step < steps; ++step) {
    parallel_for(
        "predictor", {1, n + 1}, KOKKOS_LAMBDA(ParallelRange rng) {
          rng(v) += dt / 2 * rng(a);
          rng(displacement) += dt * rng(v);
        });
    accelerate(1);
  }

  u.copyToHost();
  double error = 0;
  for (int i = 1; i <= n; ++i) {
    double const x = (i - 0.5) * dx, way = c * end_time;
    error = std::max(error, std::abs(u.mapHost()[i] - (shape(x - way) + shape(x + way)) / 2));
  }
  return error;
}

int main(int argc, char** argv) {
  bool const four_threads = argc > 1 && std::string(argv[1]) == "--kokkos-num-threads=4";
  ScopeGuard const guard(argc, argv);
  if (four_threads) expect("threads", num_threads(), 4);
  double const coarse = error_of(400), fine = error_of(800);
  expect("error with 400 cells", coarse, 0, 1e-3);
  expect("order of convergence", std::log2(coarse / fine), 2, 0.05);
}
