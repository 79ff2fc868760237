#pragma once
/// \file
/// Functions of lanes for Eigen's arrays, with Eigen's vectorisation.

#include <Kokkos_Core.hpp>

#include <Eigen/Core>
#include <cstring>

#include "Kokkidio/Lane.hpp"

namespace Kokkidio::detail {

struct Rcbrt {
  template <class L>
  KOKKOS_FORCEINLINE_FUNCTION static L of(L x) {
    return Kokkidio::rcbrt(x);
  }
};
struct FastCbrt {
  template <class L>
  KOKKOS_FORCEINLINE_FUNCTION static L of(L x) {
    return Kokkidio::fast_cbrt(x);
  }
};

/// A function of lanes as a functor of Eigen: an Eigen packet is a register, as a lane is.
template <class T, class Function>
struct LaneFunctor {
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T const& x) const { return Function::of(x); }
  template <class Packet>
  Packet packetOp(Packet const& x) const {
    Lane<T, int(sizeof(Packet) / sizeof(T))> lane;
    static_assert(sizeof(lane) == sizeof(Packet));
    std::memcpy(&lane, &x, sizeof x);
    lane = Function::of(lane);
    Packet result;
    std::memcpy(&result, &lane, sizeof result);
    return result;
  }
};

}  // namespace Kokkidio::detail

template <class T, class Function>
struct Eigen::internal::functor_traits<Kokkidio::detail::LaneFunctor<T, Function>> {
  enum { Cost = 20 * NumTraits<T>::MulCost, PacketAccess = packet_traits<T>::Vectorizable };
};

namespace Kokkidio {

/// Reciprocal cube root and cube root of every coefficient, an expression; see the functions of lanes.
template <class Derived>
KOKKOS_FORCEINLINE_FUNCTION auto rcbrt(Eigen::ArrayBase<Derived> const& x) {
  return x.unaryExpr(detail::LaneFunctor<typename Derived::Scalar, detail::Rcbrt>());
}
template <class Derived>
KOKKOS_FORCEINLINE_FUNCTION auto fast_cbrt(Eigen::ArrayBase<Derived> const& x) {
  return x.unaryExpr(detail::LaneFunctor<typename Derived::Scalar, detail::FastCbrt>());
}

}  // namespace Kokkidio
