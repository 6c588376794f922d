#pragma once
/// Recorder of a run: samples, drift of invariants, events and sections, and contacts that pull or break within a step.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <rattleback/model/system/contact_limits.hpp>
#include <rattleback/simulate/runs/events.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/observer.hpp>
#include <rattleback/simulate/states/reaction_forces.hpp>

namespace rattleback {

class SwitchingMotion;

/// Observes one flow at a time. The table keeps the names of the flow that the motion began with, whichever takes over.
class Recording {
 public:
  /// `switching` is the motion whose forces switch, null where none does.
  Recording(const Flow& flow, const RunOptions& options, const SwitchingMotion* switching);

  /// The states are those of this flow.
  void observe(const Flow& flow);
  /// From now on the states are those of a flow that took over; what is recorded goes on under the same names.
  void go_on(const Flow& given, const Flow& successor);
  /// A state of the flow that is observed, as one of the flow that the motion began with.
  std::vector<double> reported(double t, std::span<const double> y);

  /// One row of the table: state, velocities, invariants, reactions.
  std::vector<double> row(double t, std::span<const double> y);
  /// Drift of the invariants.
  void watch(double t, std::span<const double> y);

  /// Events of the last step, in the order of time; true when one of them ends the motion.
  bool happened(const Stepper& stepper, const RunOptions& options);
  /// Where an event ended the motion.
  const std::optional<Crossing>& ending() const { return ending_; }

  /// Does a contact pull at the start? What is not a number, where the force has a removable singularity, does not.
  void watch_contacts(double t, std::span<const double> y);
  /// When a contact first pulls, within the last step; true when that ends the motion, which has not ended before.
  bool contact_lost(const Stepper& stepper, double before, bool ends);
  /// When a contact first ceases to be what the model says, within the last step: the body is below its support, or hollow where
  /// it touches. The motion ends there.
  std::optional<std::string> contact_broken(const Stepper& stepper, double before);

  Trajectory result;
  std::vector<std::vector<double>> section_states;

 private:
  /// An expression with the signs that the forces have now.
  Expr present(Expr e) const;
  double normal(std::size_t k, double t, std::span<const double> y);
  void lift_off(std::size_t k, double t);
  bool end_at(Crossing c);

  const RunOptions& options_;
  const SwitchingMotion* switching_;  ///< null where no force switches
  std::optional<Observer> state_, velocity_, invariant_;
  std::optional<ReactionForces> reactions_;
  std::vector<std::size_t> normals_;  ///< which reactions press a contact
  std::vector<double> forces_;
  std::vector<Observer> event_;
  std::vector<ContactLimit> limits_;
  std::optional<Observer> limit_;  ///< their values
  std::optional<Observer>
      told_speeds_;  ///< those of the flow that the motion began with, where another took over
  std::size_t first_speed_ = 0;
  std::optional<Crossing> ending_;
};

}  // namespace rattleback
