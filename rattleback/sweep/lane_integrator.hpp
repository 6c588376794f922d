#pragma once
/// Many trajectories at once, to the same accuracy as one: every lane of a batch has its own step, and a lane whose
/// trajectory has arrived takes the next one.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <rattleback/native/code.hpp>
#include <rattleback/simulate/step_control.hpp>
#include <rattleback/sweep/lane_step.hpp>

namespace rattleback {

/// Where a trajectory begins: state, time, the constants of the code at its parameters, its first step.
struct Launch {
  std::size_t member;
  double time, end;
  std::vector<double> state, constants;
};

struct Landing {
  std::size_t member;
  bool arrived;  ///< at the end; otherwise the steps became too short, or numbers not finite
  double time, steps;
  std::span<const double> state;
};

/// Straight-line code on rows of lanes.
struct LaneProgram {
  std::vector<lanes::Instruction> body;
  std::vector<std::uint32_t> outputs;
  std::uint32_t rows;
};

class LaneIntegrator {
 public:
  LaneIntegrator(const Code& rates, std::span<const std::size_t> quaternions,
                 const StepperSettings& settings);

  /// Launches come from `next` until it says no; landings go to `landed`, in no particular order. What happens to a
  /// trajectory does not depend on those beside it.
  void run(const std::function<bool(Launch&)>& next, const std::function<void(const Landing&)>& landed);

 private:
  struct AlignedDelete {
    void operator()(double* rows) const;
  };
  using Rows = std::unique_ptr<double[], AlignedDelete>;
  static Rows rows(std::size_t count);

  void fill(int lane, const Launch& launch);
  void rates_at(const Launch& launch, double t, const double* y, double* rate);
  void empty(int lane);
  Landing landing(int lane, bool arrived);

  const Code* code_;
  StepControl control_;
  LaneProgram program_;
  std::vector<std::vector<lanes::Weight>> weights_;
  std::vector<std::uint32_t> quaternions_;
  std::vector<double> c_, scratch_, rate_, state_;
  Rows registers_, y_, y_new_, k_, each_;
  lanes::Batch batch_{};
  lanes::Step step_;
  std::vector<std::size_t> member_;  ///< of each lane; none when it is empty
};

}  // namespace rattleback
