#pragma once
/// The right-hand side y' = f(t, y) of a flow, in double, at the parameter values of its system.

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// Compiled code where there is some, the interpreter otherwise. Each thread needs its own.
class Rates {
 public:
  explicit Rates(const Flow& flow)
      : flow_(&flow), f_(flow.rates(), flow.parameter_values<double>()), x_(flow.dimension() + 1) {}

  void operator()(double t, const double* y, double* dy) {
    std::copy(y, y + dimension(), x_.begin());
    x_.back() = t;
    f_(x_.data(), dy);
    ++count_;
  }
  std::size_t dimension() const { return flow_->dimension(); }
  std::size_t count() const { return count_; }
  const Flow& flow() const { return *flow_; }

 private:
  const Flow* flow_;
  Evaluator<double> f_;
  std::vector<double> x_;
  std::size_t count_ = 0;
};

}  // namespace rattleback
