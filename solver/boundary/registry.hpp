#pragma once
/// \file
/// The kinds of boundaries. A new one is a file, a value of Boundary::Type, and a word in this list.

#include <string_view>
#include <type_traits>

#include "solver/boundary/critical.hpp"
#include "solver/boundary/discharge.hpp"
#include "solver/boundary/incoming_wave.hpp"
#include "solver/boundary/level.hpp"
#include "solver/boundary/normal_depth.hpp"
#include "solver/boundary/open.hpp"
#include "solver/boundary/periodic.hpp"
#include "solver/boundary/rating_curve.hpp"
#include "solver/boundary/state.hpp"
#include "solver/boundary/tide.hpp"
#include "solver/boundary/wall.hpp"

namespace swe {

template <class... Kinds>
struct BoundaryKinds {
  /// Calls f(Kind{}) for the kind of a type.
  template <class F>
  static void visit(Boundary::Type type, F const& f) {
    (void)((type == Kinds::type && (f(Kinds{}), true)) || ...);
  }
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Outflow<Real> flux(CellInside<Real> const& in, BoundaryForcing<Real> const& f,
                                                   BoundarySite<Real> const& at) {
    Outflow<Real> out{0, 0, 0};
    (void)((f.type == Kinds::type && (out = Kinds::flux(in, f, at), true)) || ...);
    return out;
  }
};

using AllBoundaryKinds =
    BoundaryKinds<WallBoundaryKind, OpenBoundaryKind, LevelBoundaryKind, DischargeBoundaryKind,
                  DischargePerWidthBoundaryKind, NormalDepthBoundaryKind, RatingCurveBoundaryKind,
                  CriticalBoundaryKind, PeriodicBoundaryKind, IncomingWaveBoundaryKind, TideBoundaryKind,
                  StateBoundaryKind>;

/// The word for a type, as case files spell it.
inline std::string_view boundary_name(Boundary::Type type) {
  std::string_view name;
  AllBoundaryKinds::visit(type, [&](auto kind) { name = decltype(kind)::name; });
  return name;
}

}  // namespace swe
