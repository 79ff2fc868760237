#pragma once
/// \file
/// One benchmark at one size: its implementations, ready to run on data they share.

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace Kokkidio::benchmarks {

struct Variant {
  std::string name;
  std::function<void()> run;  ///< data in place; complete on return
  std::function<void()>
      with_transfer;               ///< with allocation of what it computes and copies to and from the target
  std::function<double()> result;  ///< a number that tells whether the last run was right
};

struct Case {
  int threads = 0;
  std::vector<Variant> variants;
};

/// Inputs on the host, all random but the same each time; results of the right size.
template <class Real>
struct Inputs {
  Eigen::Array<Real, Eigen::Dynamic, 1> x, y, z, d;
  Eigen::Array<Real, Eigen::Dynamic, 4> a, b;
  Eigen::Array<Real, Eigen::Dynamic, 2> v, in, out;
  static constexpr Real factor = Real(1.5);
  static constexpr Real manning = Real(0.025);
};

/// Numbers between 1 and 2 whose pattern does not repeat with a power of two.
template <class Array>
void fill(Array& array, double seed) {
  using Real = typename Array::Scalar;
  double t = seed;
  for (Eigen::Index c = 0; c < array.cols(); ++c)
    for (Eigen::Index r = 0; r < array.rows(); ++r) {
      t += 0.6180339887498949;
      t -= double(int(t));
      array(r, c) = Real(1 + t);
    }
}

template <class Real>
std::shared_ptr<Inputs<Real>> make_inputs(std::string const& bench, std::int64_t n) {
  auto inputs = std::make_shared<Inputs<Real>>();
  if (bench == "axpy") {
    inputs->x.resize(n), inputs->y.resize(n), inputs->z.setZero(n);
    fill(inputs->x, 0.1), fill(inputs->y, 0.2);
  } else if (bench == "friction") {
    inputs->d.resize(n), inputs->v.resize(n, 2), inputs->in.resize(n, 2), inputs->out.setZero(n, 2);
    fill(inputs->d, 0.3), fill(inputs->v, 0.4), fill(inputs->in, 0.5);
  } else {
    inputs->a.resize(n, 4);
    fill(inputs->a, 0.6);
    if (bench == "dot") inputs->b.resize(n, 4), fill(inputs->b, 0.7);
  }
  return inputs;
}

/// Bytes that a case of one item holds, for the choice of sizes.
inline std::int64_t bytes_per_item(std::string const& bench, bool single) {
  std::int64_t const numbers = bench == "axpy" ? 3 : bench == "dot" ? 8 : bench == "norm" ? 4 : 7;
  return numbers * (single ? 4 : 8);
}

template <class Real>
Case host_case(std::string const& bench, std::int64_t n);
extern template Case host_case<float>(std::string const&, std::int64_t);
extern template Case host_case<double>(std::string const&, std::int64_t);

/// Only in builds with a GPU.
template <class Real>
Case device_case(std::string const& bench, std::int64_t n);

}  // namespace Kokkidio::benchmarks
