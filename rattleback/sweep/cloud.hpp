#pragma once
/// Many motions of one flow from given states, all stopped at the same times: what an animation of an ensemble needs.
///
/// They advance side by side in SIMD lanes. Where the flow is taken back onto its constraints after every step, which lanes do not
/// do, they advance one after the other.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <rattleback/simulate/states/flow.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>
#include <rattleback/sweep/lane_integrator.hpp>

namespace rattleback {

class Cloud {
 public:
  /// `states`: one member after the other, at t = 0. The flow outlives it.
  Cloud(const Flow& flow, std::span<const double> states, const StepperSettings& settings);

  std::size_t members() const { return state_.members; }
  bool in_lanes() const { return lanes_ != nullptr; }
  double time() const { return time_; }
  /// One column for each variable of the state.
  const Columns& state() const { return state_; }
  /// False for a motion that ended before time(): its steps became too short, or its numbers not finite.
  const std::vector<bool>& alive() const { return alive_; }

  /// Takes all motions that go on to a later time.
  void advance(double end);

 private:
  void advance_in_lanes(double end);
  void advance_alone(double end);

  const Flow* flow_;
  StepperSettings settings_;
  double time_ = 0;
  Columns state_, constants_;
  std::vector<bool> alive_;
  std::unique_ptr<LaneMethod> method_;
  std::unique_ptr<LaneIntegrator> lanes_;
  std::unique_ptr<Stepper> stepper_;
};

/// Functions of configuration and velocities at every member of a cloud.
class CloudView {
 public:
  /// The flow is that of the clouds that are seen.
  CloudView(const Flow& flow, std::span<const Expr> functions);
  /// One column for each function.
  Columns operator()(const Cloud& cloud);

 private:
  Code code_;
  LaneCode lanes_;
  Columns constants_;
};

}  // namespace rattleback
