#pragma once
/// Reductions of a trajectory to numbers (`--keep`): maximum, crossings and others, besides the final state.

#include <string>
#include <vector>

#include <rattleback/simulate/runs/events.hpp>

namespace rattleback {

enum class Reduce : std::uint8_t {
  final,
  minimum,
  maximum,
  mean,
  crossings,
  first_crossing,
  at_section,
  period,           ///< mean time between crossings of zero upwards
  rotation_number,  ///< turns of an angle between crossings of a section, on average
  attractor,        ///< the mean over the last quarter of the time: where the motion ends up
  lyapunov,         ///< an exponent
  megno
};
/// Of neighbouring motions, not of the motion alone.
inline bool needs_directions(Reduce kind) { return kind == Reduce::lyapunov || kind == Reduce::megno; }

/// As --keep writes it: name=kind(expression), e.g. reversals=crossings(Omega3).
struct KeptQuantity {
  std::string name;
  Reduce kind;
  Expr expression;  ///< in configuration, velocities and quasi-velocities
  /// at(e, g, k): the value of e where g = 0 is crossed upwards for the k-th time; of a rotation number: where turns are counted.
  /// lyapunov(k): the k-th exponent.
  Expr section = {};
  int count = 0;
};

/// Names of the model mean what they mean in its expressions. Throws Error[wrong-reduction] and those of parse().
KeptQuantity reduction(const std::string& text, const System& system);

/// Code for the expressions of reductions, in their order, then for their sections.
Code reduction_code(const Flow& flow, const std::vector<KeptQuantity>& reductions);

/// Follows one trajectory, step by step, along the dense output.
class ReductionWatch {
 public:
  /// The code is reduction_code(); it outlives this.
  /// Of a motion that runs backwards (Flow::reverse_time), `direction` is −1: what goes upwards and where angles turn is told in t,
  /// not in the time of the run.
  ReductionWatch(const Code& code, const std::vector<KeptQuantity>& reductions,
                 std::span<const double> parameters, double until, int direction = 1);
  void start(double t, std::span<const double> y);
  void after_step(const Stepper& stepper);
  /// One number of each reduction; nan for a crossing that did not happen.
  const std::vector<double>& results() const { return results_; }

 private:
  double value(std::size_t r, double t, std::span<const double> y);
  void cross(const Stepper& stepper, std::size_t r);
  void pass(const Stepper& stepper, std::size_t r);
  void extend(const Stepper& stepper, std::size_t r, double sign);
  void average(const Stepper& stepper, std::size_t r, double from);
  void turn(const Stepper& stepper, std::size_t r);

  std::vector<Reduce> kinds_;
  double until_;
  int direction_;
  std::vector<double> first_,
      sums_;  ///< of periods and turns: where the first crossing was; of means: integrals
  std::vector<int> wanted_, passed_;  ///< crossings of sections: which one is asked for, how many there were
  Evaluator<double> evaluate_;
  std::vector<double> input_, values_, results_, state_;
};

}  // namespace rattleback
