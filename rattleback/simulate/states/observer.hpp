#pragma once
/// What is recorded along a motion: named functions of state and time, evaluated together.

#include <string>
#include <vector>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

class Observer {
 public:
  Observer(const Flow& flow, std::vector<std::string> names, std::span<const Expr> quantities);
  /// By a code that is there already, with the inputs and parameters of the flow's rates.
  Observer(const Flow& flow, std::vector<std::string> names, std::shared_ptr<const Code> code);

  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return names_.size(); }
  /// The values at a state.
  const std::vector<double>& operator()(double t, std::span<const double> y);

 private:
  std::vector<std::string> names_;
  std::shared_ptr<const Code> code_;
  Evaluator<double> f_;
  std::vector<double> x_, values_;
};

/// The functions of the configuration and the speeds: what `state` means to a user.
Observer state_observer(const Flow& flow);
/// The velocities of the frame, as far as they are not speeds themselves.
Observer velocity_observer(const Flow& flow);
/// The same quantities as of another flow of the system, under their names.
Observer state_observer(const Flow& flow, const Flow& told);
/// The speeds of `told`, also where another flow has taken over.
Observer speed_observer(const Flow& flow, const Flow& told);
Observer velocity_observer(const Flow& flow, const Flow& told);

}  // namespace rattleback
