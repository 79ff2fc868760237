#pragma once
/// \file
/// DualViewMap: the same data on the host and on the target.

#include <Kokkos_Core.hpp>

#include <Eigen/Core>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "Kokkidio/Target.hpp"
#include "Kokkidio/ViewMap.hpp"

namespace Kokkidio {

/// A host copy and a target copy of the same shape. Where the target's memory is the host's, both are one
/// allocation and copies between them do nothing. Copies of a DualViewMap share everything.
template <class T, Target target_ = DefaultTarget>
class DualViewMap {
public:
  static constexpr Target target = target_;
  using HostViewMap = ViewMap<T, Target::host>;
  using TargetViewMap = ViewMap<T, target>;
  using Scalar = typename HostViewMap::Scalar;
  static constexpr bool one_allocation = std::is_same_v<MemorySpace<Target::host>, MemorySpace<target>>;

  DualViewMap() = default;
  DualViewMap(Extents extents) : DualViewMap("Kokkidio::DualViewMap", extents) {}
  template <Label L>
  DualViewMap(L const& label, Extents extents) : DualViewMap(HostViewMap(label, extents)) {}

  /// Wraps an existing Eigen object as the host side; it must outlive this. The host counts as modified, so
  /// `sync()` or `copyToTarget()` brings its values to the target.
  template <EigenDense Object>
  requires(!std::is_const_v<Object>) explicit DualViewMap(Object& object) : DualViewMap(HostViewMap(object)) {
    modifyHost();
  }

  /// A host side that exists already.
  explicit DualViewMap(HostViewMap const& host) : host_(host), target_side_(make_target(host)) {
    flags_ = Flags("Kokkidio::DualViewMap::modified");
  }

  [[nodiscard]] KOKKOS_FUNCTION HostViewMap const& viewHost() const { return host_; }
  [[nodiscard]] KOKKOS_FUNCTION TargetViewMap const& viewTarget() const { return target_side_; }
  [[nodiscard]] auto mapHost() const { return host_.map(); }
  [[nodiscard]] KOKKOS_FUNCTION auto mapTarget() const { return target_side_.map(); }
  [[nodiscard]] KOKKOS_FUNCTION Index rows() const { return target_side_.rows(); }
  [[nodiscard]] KOKKOS_FUNCTION Index cols() const { return target_side_.cols(); }
  [[nodiscard]] KOKKOS_FUNCTION Index items() const { return target_side_.items(); }
  [[nodiscard]] KOKKOS_FUNCTION Index size() const { return target_side_.size(); }
  [[nodiscard]] std::string label() const { return host_.label(); }

  /// Copies, and waits until the copy is complete.
  void copyToTarget() const {
    if constexpr (!one_allocation) Kokkos::deep_copy(target_side_.view(), host_.view());
    clear_flags();
  }
  void copyToHost() const {
    if constexpr (!one_allocation) Kokkos::deep_copy(host_.view(), target_side_.view());
    clear_flags();
  }
  /// Copies in the order of the work given to `space`; `space.fence()` waits for it.
  template <class Space>
  requires(Kokkos::is_execution_space<Space>::value) void copyToTarget(Space const& space) const {
    if constexpr (!one_allocation) Kokkos::deep_copy(space, target_side_.view(), host_.view());
    clear_flags();
  }
  template <class Space>
  requires(Kokkos::is_execution_space<Space>::value) void copyToHost(Space const& space) const {
    if constexpr (!one_allocation) Kokkos::deep_copy(space, host_.view(), target_side_.view());
    clear_flags();
  }

  /// Optional bookkeeping: say which side was written, and `sync()` copies what is needed.
  void modifyHost() const { modified(0) = true; }
  void modifyTarget() const { modified(1) = true; }
  [[nodiscard]] bool needsSyncTarget() const { return !one_allocation && modified(0); }
  [[nodiscard]] bool needsSyncHost() const { return !one_allocation && modified(1); }
  /// Throws std::logic_error where both sides were written.
  void sync() const {
    if (needsSyncTarget() && needsSyncHost())
      throw std::logic_error("Kokkidio: both sides of '" + label() + "' were modified");
    if (needsSyncTarget())
      copyToTarget();
    else if (needsSyncHost())
      copyToHost();
    else
      clear_flags();
  }

  /// Resizes both sides; what fits of the values is kept on each.
  void resize(Extents extents) {
    host_.resize(extents);
    if constexpr (one_allocation)
      target_side_ = make_target(host_);
    else
      target_side_.resize(extents);
    if (flags_.data() == nullptr) flags_ = Flags("Kokkidio::DualViewMap::modified");
  }

private:
  using Flags = Kokkos::View<bool[2], Kokkos::HostSpace>;

  static TargetViewMap make_target(HostViewMap const& host) {
    if constexpr (one_allocation)
      return TargetViewMap(host.view());
    else if constexpr (HostViewMap::rank <= 2)
      return TargetViewMap(host.label() + " (target)", host.shape());
    else
      return TargetViewMap(Kokkos::create_mirror(typename TargetViewMap::View::memory_space(), host.view()));
  }
  bool& modified(int side) const {
    if (flags_.data() == nullptr) throw std::logic_error("Kokkidio: an empty DualViewMap cannot be modified");
    return flags_(side);
  }
  void clear_flags() const {
    if (flags_.data() != nullptr) flags_(0) = flags_(1) = false;
  }

  HostViewMap host_;
  TargetViewMap target_side_;
  Flags flags_;
};

}  // namespace Kokkidio
