#pragma once
/// Numerical integration of one motion: samples, drift of invariants, events, Poincaré sections, reaction forces.

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/simulate/runs/events.hpp>
#include <rattleback/simulate/states/invariants.hpp>
#include <rattleback/simulate/states/observer.hpp>
#include <rattleback/simulate/states/reaction_forces.hpp>

namespace rattleback {

struct Drift {
  std::string name;
  double initial = 0;
  double largest = 0;       ///< max |I(t) − I(0)| over all steps
  double relative() const;  ///< to |I(0)|, or absolute when that is less than 1
};

struct Event {
  std::string name;  ///< as the user wrote it
  Expr expression;
  bool stops = false;
  int direction = 0;     ///< +1 or −1: only crossings that way count; 0: all
  bool records = false;  ///< a section: the state at each crossing is kept, and no event is reported
};

struct RunOptions {
  double until = 10;        ///< negative: backwards in time
  std::size_t samples = 0;  ///< equally spaced, both ends included; 0 records nothing
  std::string method = "taylor";
  StepperSettings settings;
  std::vector<Event> events;
  std::size_t section_points =
      0;  ///< the motion ends with this many points of a section; 0: as many as there are
  std::vector<Invariant> invariants;
  bool reactions = true;
  bool stop_at_lift_off = false;  ///< the motion ends when a contact would have to pull
  std::size_t most_steps = 50'000'000;
  const std::atomic<bool>* interrupted = nullptr;  ///< ends the motion when it becomes true
  std::function<void(double)> progress;            ///< called after steps with the time reached
};

/// Between two changes of contacts, in a run with flight.
struct ContactPhase {
  double from = 0, to = 0;
  std::vector<std::string> closed, sliding, open;  ///< names of contacts
  double energy_from = 0, energy_to = 0;
};

struct ContactImpact {
  double time = 0;
  std::string contact;
  double approach = 0, rebound = 0;        ///< normal velocities, before and after
  double slip_before = 0, slip_after = 0;  ///< of the point of contact
  double normal_impulse = 0, tangential_impulse = 0;
  double lost = 0;      ///< energy
  std::string outcome;  ///< bounces, rolls, slides, stays
};

struct Trajectory {
  std::vector<std::string> names;  ///< of the columns: state, other velocities, invariants, reactions
  std::size_t states = 0, velocities = 0,
              kept = 0;   ///< how many columns of each kind, in this order; the rest are reactions
  std::vector<double> t;  ///< of the samples
  std::vector<std::vector<double>> rows;
  double end = 0;  ///< the time reached
  std::vector<double> final_row;
  std::vector<double> final_state;  ///< as the flow has it
  std::vector<Drift> drift;
  std::vector<Crossing> crossings;
  std::vector<double> section_t;  ///< when the motion went through the section
  std::vector<std::vector<double>> section_rows;
  std::optional<double> lift_off;  ///< when a contact first pulls
  std::string lift_off_contact;
  Stepper::Counts counts;
  std::size_t evaluations = 0;
  double step = 0;                     ///< of a method of constant step
  std::optional<std::string> failure;  ///< why the motion ended before its time
  std::vector<ContactPhase> phases;    ///< of a run with flight
  std::vector<ContactImpact> impacts;  ///< between them
  std::vector<std::string> notes;      ///< where other speeds took over
};

/// The motion through y at t = 0. A failure on the way is recorded, and everything before it is kept.
Trajectory trajectory(const Flow& flow, std::span<const double> y, const RunOptions& options);

/// A copy that runs backwards. See Flow::reverse_time.
Flow reversed(const Flow& flow);
/// Throws Error[method-does-not-apply] for methods that need more than the rates of the state.
void require_reversible(const std::string& method);

}  // namespace rattleback
