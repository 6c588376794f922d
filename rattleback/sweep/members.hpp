#pragma once
/// Runs single members of a sweep: parameter values, initial state, integration, and the row of results.

#include <cmath>

#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/sweep/kept_quantity.hpp>
#include <rattleback/sweep/lane_march.hpp>
#include <rattleback/sweep/lane_method.hpp>
#include <rattleback/sweep/lane_spectrum.hpp>
#include <rattleback/sweep/workers.hpp>

namespace rattleback {

/// What every member has in common.
struct SweepPlan {
  System system;
  double until;  ///< negative: backwards in time, towards repellers
  std::string method = "dop853";
  StepperSettings settings;
  std::vector<KeptQuantity> keep;
  bool project = false;
  TimeIsUp time_is_up = {};  ///< workers throw TimeOfSweepIsOver when it is
};

/// How a trajectory ended, as the column `fate` has it.
enum class Fate : std::uint8_t { arrived = 0, stopped = 1, no_start = 2 };

class Members {
 public:
  /// Throws Error[wrong-axis] for an axis that is neither a parameter nor an initial value, and what the derivation and
  /// the first member's initial state throw.
  Members(SweepPlan plan, Ensemble ensemble);

  /// axes/…, fate, time, steps, final/…, energy_change, kept/….
  const std::vector<Column>& columns() const { return columns_; }
  /// Computes the rows of a block. Not shared between threads; `this` outlives it.
  BlockWorker worker() const;

  const Ensemble& ensemble() const { return ensemble_; }
  /// Only these members of the grid from now on. Not while workers are at work.
  void select(std::vector<std::size_t> members) { ensemble_.select(std::move(members)); }
  const SweepPlan& plan() const { return plan_; }
  /// Units of the columns by their names; empty where the model gives none.
  std::vector<std::pair<std::string, std::string>> units() const;
  const Flow& flow() const { return *flow_; }

 private:
  friend class MemberWorker;
  void require_directions(std::size_t exponents) const;
  double duration() const { return std::abs(plan_.until); }
  int direction() const { return plan_.until < 0 ? -1 : 1; }

  SweepPlan plan_;
  Ensemble ensemble_;
  std::vector<Column> columns_;
  std::unique_ptr<Flow> flow_;
  Code parameters_;  ///< of the flow, as functions of the varied ones
  std::vector<std::size_t>
      parameter_axes_;                     ///< which axes are parameters, in the order of that code's inputs
  std::vector<std::size_t> initial_axes_;  ///< which are initial values
  std::vector<std::size_t>
      state_of_axis_;    ///< the state variable that an initial axis sets, where all do so directly
  bool direct_ = false;  ///< initial states differ in those variables only
  Code energy_, kept_;
  std::unique_ptr<LaneMethod> lanes_;         ///< where members advance side by side, each with its own steps
  std::unique_ptr<MarchMethod> march_;        ///< where they do so with the same constant steps
  std::unique_ptr<SpectrumMethod> spectrum_;  ///< where exponents or MEGNO are kept
  bool watches_ = false;                      ///< something is kept that is seen along each motion
  bool side_by_side() const { return lanes_ || march_; }
};

}  // namespace rattleback
