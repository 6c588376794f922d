#pragma once
/// Poles of the speeds along a run: when a motion comes near one, and the same motion continued in other speeds.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <rattleback/native/evaluator.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>

namespace rattleback {

/// Watches how near the speeds come to a pole: a twentieth of the farthest they have been is near. For a method of second order whose
/// error grows towards the pole, and which may change its speeds often, a third is.
class PoleWatch {
 public:
  PoleWatch(const Flow& flow, const std::string& method);
  bool is_near(double t, std::span<const double> y);

 private:
  /// Compiled once for a flow and its copies.
  struct CodeOfPoles {
    explicit CodeOfPoles(const Flow& flow) : code(flow.code_of(flow.poles())) {}
    Code code;
  };

  double near_;
  std::shared_ptr<const CodeOfPoles> code_;
  std::optional<Evaluator<double>> f_;
  std::vector<double> x_, now_, farthest_;
};

/// The same motion in other speeds, with a stepper that goes on where the other stands.
struct Successor {
  Flow flow;
  std::unique_ptr<Stepper> stepper;
  std::string speeds;  ///< what takes over
};

/// Null where the present speeds are the best for a method that needs independent ones. Throws StepFailure when there are no others.
std::unique_ptr<Successor> succeeding(const Flow& flow, const RunOptions& options, const Stepper& stepper);

}  // namespace rattleback
