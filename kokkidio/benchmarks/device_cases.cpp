/// The implementations an NVIDIA GPU runs; compiled in CUDA builds only.

#include <Kokkidio/Kokkidio.hpp>

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_reduce.cuh>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "cases.hpp"
#include "kernels.hpp"

namespace Kokkidio::benchmarks {

namespace native {

inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

/// Memory on the GPU by hand.
template <class T>
class Memory {
public:
  explicit Memory(std::size_t count) : bytes_(count * sizeof(T)) { check(cudaMalloc(&data_, bytes_)); }
  Memory(Memory const&) = delete;
  Memory& operator=(Memory const&) = delete;
  ~Memory() { cudaFree(data_); }
  [[nodiscard]] T* data() const { return data_; }
  void copy_from(T const* host) const { check(cudaMemcpy(data_, host, bytes_, cudaMemcpyHostToDevice)); }
  void copy_to(T* host) const { check(cudaMemcpy(host, data_, bytes_, cudaMemcpyDeviceToHost)); }

private:
  T* data_ = nullptr;
  std::size_t bytes_;
};

constexpr int block = 256;
inline unsigned blocks(Index n) { return unsigned((n + block - 1) / block); }

template <class Real>
__global__ void axpy(Index n, Real a, Real const* x, Real const* y, Real* z) {
  Index const i = Index(blockIdx.x) * block + threadIdx.x;
  if (i < n) z[i] = a * x[i] + y[i];
}

template <class Real>
__global__ void friction_step(Index n, Real manning, Real const* d, Real const* v, Real const* in,
                              Real* out) {
  Index const i = Index(blockIdx.x) * block + threadIdx.x;
  if (i >= n) return;
  auto const step = friction::implicit_step<Real>(manning, d[i], v[i], v[i + n], in[i], in[i + n],
                                                  [](Real x) { return Real(1) / ::cbrt(x); });
  out[i] = step.x;
  out[i + n] = step.y;
}

template <class Real>
struct RowProduct {
  Index n;
  Real const *a, *b;
  __device__ Real operator()(Index i) const {
    return (a[i] * b[i] + a[i + n] * b[i + n]) + (a[i + 2 * n] * b[i + 2 * n] + a[i + 3 * n] * b[i + 3 * n]);
  }
};
template <class Real>
struct RowSquare {
  Index n;
  Real const* x;
  __device__ Real operator()(Index i) const {
    return (x[i] * x[i] + x[i + n] * x[i + n]) + (x[i + 2 * n] * x[i + 2 * n] + x[i + 3 * n] * x[i + 3 * n]);
  }
};
struct Plus {
  template <class Real>
  __device__ Real operator()(Real p, Real q) const {
    return p + q;
  }
};
struct Larger {
  template <class Real>
  __device__ Real operator()(Real p, Real q) const {
    return p > q ? p : q;
  }
};

/// Reduction of `row(i)` by CUB; scratch memory is kept.
template <class Real, class Row, class Combine>
class Reduction {
public:
  Reduction(Index n, Row row, Combine combine, Real neutral)
      : n_(n), row_(row), combine_(combine), neutral_(neutral) {
    launch(nullptr);
    scratch_ = std::make_unique<Memory<char>>(bytes_);
  }
  Real operator()() {
    launch(scratch_->data());
    Real result;
    result_.copy_to(&result);
    return result;
  }

private:
  void launch(void* scratch) {
    check(cub::DeviceReduce::TransformReduce(scratch, bytes_, thrust::counting_iterator<Index>(0),
                                             result_.data(), n_, combine_, row_, neutral_));
  }
  Index n_;
  Row row_;
  Combine combine_;
  Real neutral_;
  std::size_t bytes_ = 0;
  Memory<Real> result_{1};
  std::unique_ptr<Memory<char>> scratch_;
};

}  // namespace native

namespace device {

constexpr Target gpu = Target::device;
template <class Real>
using Dual = DualViewMap<Vector<Real>, gpu>;
template <class Real, int columns>
using DualTable = DualViewMap<Table<Real, columns>, gpu>;

template <class Kernel>
std::function<void()> loop(Index n, Kernel const& kernel) {
  return [=] {
    parallel_for<gpu>(n, kernel);
    Kokkos::fence();
  };
}

template <class Real>
struct AxpyData {
  std::shared_ptr<Inputs<Real>> inputs;
  Dual<Real> x, y, z;
  explicit AxpyData(std::shared_ptr<Inputs<Real>> const& in) : inputs(in), x(in->x), y(in->y), z(in->z) {
    x.sync(), y.sync();
  }
  [[nodiscard]] axpy::Data<gpu, Real> views() const {
    return {Inputs<Real>::factor, x.viewTarget(), y.viewTarget(), z.viewTarget()};
  }
};

template <class Real>
void axpy_plain(Index n, Real a, Real const* px, Real const* py, Real* pz) {
  Kokkos::View<Real const*, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const x(px, n), y(py, n);
  Kokkos::View<Real*, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const z(pz, n);
  Kokkos::parallel_for(
      "axpy i2", n, KOKKOS_LAMBDA(int i) { z(i) = a * x(i) + y(i); });
  Kokkos::fence();
}

template <class Real>
Case axpy_case(Index n) {
  auto const inputs = make_inputs<Real>("axpy", n);
  auto const data = std::make_shared<AxpyData<Real>>(inputs);
  auto const v = data->views();
  Real const a = v.a;
  auto const result = [=] {
    data->z.copyToHost();
    return double(inputs->z[n / 2]) + double(inputs->z[n - 1]);
  };
  auto const native_run = [=](Real const* x, Real const* y, Real* z) {
    native::axpy<<<native::blocks(n), native::block>>>(n, a, x, y, z);
    native::check(cudaDeviceSynchronize());
  };
  auto const native_in_place = [=] { native_run(v.x.data(), v.y.data(), v.z.data()); };
  auto const by_hand = [=](auto run) {
    return [=] {
      native::Memory<Real> x(n), y(n), z(n);
      x.copy_from(inputs->x.data()), y.copy_from(inputs->y.data());
      run(x.data(), y.data(), z.data());
      z.copy_to(inputs->z.data());
    };
  };
  auto const plain = [=](Real const* x, Real const* y, Real* z) { axpy_plain(n, a, x, y, z); };
  auto const with_dual = [=](auto kernel_of) {
    return [=] {
      AxpyData<Real> fresh(inputs);
      loop(n, kernel_of(fresh.views()))();
      fresh.z.copyToHost();
    };
  };
  auto const I = [](auto const& d) { return axpy::WithIndex<gpu, Real>{d}; };
  auto const R = [](auto const& d) { return axpy::WithRange<gpu, Real>{d}; };
  auto const L = [](auto const& d) { return axpy::WithLanes<gpu, Real>{d}; };
  return {1,
          {{"i1", native_in_place, by_hand(native_run), result},
           {"i1b", native_in_place, by_hand(native_run), result},
           {"i2", [=] { plain(v.x.data(), v.y.data(), v.z.data()); }, by_hand(plain), result},
           {"i3", loop(n, I(v)), with_dual(I), result},
           {"i4", loop(n, R(v)), with_dual(R), result},
           {"i5", loop(n, L(v)), with_dual(L), result}}};
}

template <class Real, class RowOf, class Combine, class Plain, class Copy, class KernelI, class KernelR,
          class KernelL, class Reducer>
Case reduction_case(Index n, RowOf row, Combine combine, Real neutral, Plain plain, Copy copy,
                    KernelI of_index, KernelR of_range, KernelL of_lanes, Reducer reducer) {
  auto const value = std::make_shared<Real>();
  auto const result = [=] { return double(*value); };
  auto const resident = copy();  // on the GPU for as long as the case lives
  using Row = decltype(row(resident));
  auto const by_cub =
      std::make_shared<native::Reduction<Real, Row, Combine>>(n, row(resident), combine, neutral);
  auto const native_run = [=] { *value = (*by_cub)(); };
  auto const native_transfer = [=] {
    auto const fresh = copy();
    native::Reduction<Real, Row, Combine> reduction(n, row(fresh), combine, neutral);
    *value = reduction();
  };
  auto const kokkidio = [=](char const* name, auto kernel_of) {
    auto const kernel = kernel_of(resident);
    return Variant{name, [=] { parallel_reduce<gpu>(n, kernel, reducer(*value)); },
                   [=] { parallel_reduce<gpu>(n, kernel_of(copy()), reducer(*value)); }, result};
  };
  return {1,
          {{"i1", native_run, native_transfer, result},
           {"i1b", native_run, native_transfer, result},
           {"i2", [=] { plain(resident, *value); }, [=] { plain(copy(), *value); }, result},
           kokkidio("i3", of_index),
           kokkidio("i4", of_range),
           kokkidio("i5", of_lanes)}};
}

template <class Real>
void dot_plain(dot::Data<gpu, Real> const& d, Real& sum) {
  auto const a = d.a.view(), b = d.b.view();
  Kokkos::parallel_reduce(
      "dot i2", d.a.items(),
      KOKKOS_LAMBDA(int i, Real& s) {
        s += (a(i, 0) * b(i, 0) + a(i, 1) * b(i, 1)) + (a(i, 2) * b(i, 2) + a(i, 3) * b(i, 3));
      },
      sum);
}

template <class Real>
void norm_plain(norm::Data<gpu, Real> const& d, Real& largest) {
  auto const x = d.x.view();
  Kokkos::parallel_reduce(
      "norm i2", d.x.items(),
      KOKKOS_LAMBDA(int i, Real& m) {
        Real const square = (x(i, 0) * x(i, 0) + x(i, 1) * x(i, 1)) + (x(i, 2) * x(i, 2) + x(i, 3) * x(i, 3));
        m = m > square ? m : square;
      },
      Kokkos::Max<Real>(largest));
}

template <class Real>
Case dot_case(Index n) {
  auto const inputs = make_inputs<Real>("dot", n);
  auto const copy = [=] {
    DualTable<Real, 4> a(inputs->a), b(inputs->b);
    a.sync(), b.sync();
    return dot::Data<gpu, Real>{a.viewTarget(), b.viewTarget()};
  };
  return reduction_case<Real>(
      n,
      [=](auto const& d) {
        return native::RowProduct<Real>{n, d.a.data(), d.b.data()};
      },
      native::Plus(), Real(0), dot_plain<Real>, copy,
      [](auto const& d) { return dot::WithIndex<gpu, Real>{d}; },
      [](auto const& d) { return dot::WithRange<gpu, Real>{d}; },
      [](auto const& d) { return dot::WithLanes<gpu, Real>{d}; },
      [](Real& r) { return Kokkos::Sum<Real>(r); });
}

template <class Real>
Case norm_case(Index n) {
  auto const inputs = make_inputs<Real>("norm", n);
  auto const copy = [=] {
    DualTable<Real, 4> x(inputs->a);
    x.sync();
    return norm::Data<gpu, Real>{x.viewTarget()};
  };
  return reduction_case<Real>(
      n,
      [=](auto const& d) {
        return native::RowSquare<Real>{n, d.x.data()};
      },
      native::Larger(), std::numeric_limits<Real>::lowest(), norm_plain<Real>, copy,
      [](auto const& d) { return norm::WithIndex<gpu, Real>{d}; },
      [](auto const& d) { return norm::WithRange<gpu, Real>{d}; },
      [](auto const& d) { return norm::WithLanes<gpu, Real>{d}; },
      [](Real& r) { return Kokkos::Max<Real>(r); });
}

template <class Real>
void friction_plain(friction::Data<gpu, Real> const& data) {
  auto const d = data.d.view();
  auto const v = data.v.view(), in = data.in.view();
  auto const out = data.out.view();
  Real const manning = data.manning;
  Kokkos::parallel_for(
      "friction i2", data.d.items(), KOKKOS_LAMBDA(int i) {
        auto const step = friction::implicit_step<Real>(manning, d(i), v(i, 0), v(i, 1), in(i, 0), in(i, 1),
                                                        [](Real x) { return Real(1) / ::cbrt(x); });
        out(i, 0) = step.x;
        out(i, 1) = step.y;
      });
  Kokkos::fence();
}

template <class Real>
struct FrictionData {
  Dual<Real> d;
  DualTable<Real, 2> v, in, out;
  explicit FrictionData(Inputs<Real>& i) : d(i.d), v(i.v), in(i.in), out(i.out) {
    d.sync(), v.sync(), in.sync();
  }
  [[nodiscard]] friction::Data<gpu, Real> views() const {
    return {Inputs<Real>::manning, d.viewTarget(), v.viewTarget(), in.viewTarget(), out.viewTarget()};
  }
};

template <class Real>
Case friction_case(Index n) {
  auto const inputs = make_inputs<Real>("friction", n);
  auto const data = std::make_shared<FrictionData<Real>>(*inputs);
  auto const v = data->views();
  auto const result = [=] {
    data->out.copyToHost();
    return double(inputs->out(n / 2, 0)) + double(inputs->out(n - 1, 1));
  };
  auto const native_run = [=](friction::Data<gpu, Real> const& f) {
    native::friction_step<<<native::blocks(n), native::block>>>(n, f.manning, f.d.data(), f.v.data(),
                                                                f.in.data(), f.out.data());
    native::check(cudaDeviceSynchronize());
  };
  auto const with_copies = [=](auto run) {
    return [=] {
      FrictionData<Real> fresh(*inputs);
      run(fresh.views());
      fresh.out.copyToHost();
    };
  };
  auto const by_hand = [=] {
    native::Memory<Real> d(n), speed(2 * n), in(2 * n), out(2 * n);
    d.copy_from(inputs->d.data()), speed.copy_from(inputs->v.data()), in.copy_from(inputs->in.data());
    native::friction_step<<<native::blocks(n), native::block>>>(n, Inputs<Real>::manning, d.data(),
                                                                speed.data(), in.data(), out.data());
    native::check(cudaDeviceSynchronize());
    out.copy_to(inputs->out.data());
  };
  auto const kokkidio = [=](char const* name, auto kernel_of) {
    return Variant{name, loop(n, kernel_of(v)), with_copies([=](auto const& f) { loop(n, kernel_of(f))(); }),
                   result};
  };
  auto const buffer = makeBuffer<Vector<Real>, gpu>();
  return {1,
          {{"i1", [=] { native_run(v); }, by_hand, result},
           {"i1b", [=] { native_run(v); }, by_hand, result},
           {"i2", [=] { friction_plain(v); }, with_copies(friction_plain<Real>), result},
           kokkidio("i3", [](auto const& d) { return friction::WithIndex<gpu, Real>{d}; }),
           kokkidio("i4",
                    [=](auto const& d) {
                      return friction::WithRange<gpu, Real>{d, buffer};
                    }),
           kokkidio("i5", [](auto const& d) { return friction::WithLanes<gpu, Real>{d}; })}};
}

}  // namespace device

template <class Real>
Case device_case(std::string const& bench, std::int64_t n) {
  if (bench == "axpy") return device::axpy_case<Real>(n);
  if (bench == "dot") return device::dot_case<Real>(n);
  if (bench == "norm") return device::norm_case<Real>(n);
  return device::friction_case<Real>(n);
}
template Case device_case<float>(std::string const&, std::int64_t);
template Case device_case<double>(std::string const&, std::int64_t);

}  // namespace Kokkidio::benchmarks
