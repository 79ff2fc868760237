#pragma once
#include <cmath>

namespace swe {

/// Sum that keeps what rounding drops (Neumaier 1974).
class CompensatedSum {
 public:
  void add(double x) {
    double const t = sum_ + x;
    rest_ += std::abs(sum_) >= std::abs(x) ? (sum_ - t) + x : (x - t) + sum_;
    sum_ = t;
  }
  [[nodiscard]] double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0, rest_ = 0;
};

}  // namespace swe
