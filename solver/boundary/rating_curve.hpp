#pragma once
#include "solver/boundary/discharge.hpp"

namespace swe {

/// Outflow by a table of level and discharge, shared by conveyance. The level is that over the section,
/// weighted by conveyance.
struct RatingCurveBoundaryKind : DischargeBoundaryKind {
  static constexpr auto type = Boundary::Type::rating_curve;
  static constexpr std::string_view name = "rating_curve";
  template <class Real>
  static void prescribe(Boundary const& b, BoundaryMoment const& at, BoundaryForcing<Real>& f) {
    share(at.conveyance > 0 ? -rating_discharge(b, at.level + at.bed_datum) : 0.0, at, f);
  }
  static double largest_inflow(Boundary const&, double, double, double) { return 0; }
};

}  // namespace swe
