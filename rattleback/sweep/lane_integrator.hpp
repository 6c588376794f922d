#pragma once
/// SIMD integration of many trajectories, to the same accuracy as one: every lane of a batch has its own step, and a lane whose
/// trajectory has arrived takes the next one.

#include <rattleback/simulate/steppers/stepper.hpp>
#include <rattleback/sweep/lane_code.hpp>
#include <rattleback/sweep/lane_method.hpp>
#include <rattleback/sweep/time_is_up.hpp>

namespace rattleback {

/// Trajectories from the same time to the same end.
struct Flights {
  double time, end;
  Columns state;      ///< at the beginning, then at the end
  Columns constants;  ///< of the rates at the parameters of each member, or of one for all
  std::vector<double> reached, steps;
  std::vector<bool> arrived;  ///< otherwise the steps became too short, or numbers not finite
};

/// Each thread needs its own.
class LaneIntegrator {
 public:
  /// The method outlives it.
  LaneIntegrator(LaneMethod& method, const StepperSettings& settings, const TimeIsUp& time_is_up = {});

  /// What happens to a trajectory does not depend on those beside it.
  void run(Flights& flights);

 private:
  void begin(Flights& flights);
  void fill(int lane, const Flights& flights, std::size_t member);
  void land(int lane, Flights& flights);
  /// Lands those of a group that are there; the next of them take off.
  void exchange(int first, unsigned lanes, Flights& flights);
  void interpret(Flights& flights);

  LaneMethod* method_;
  StepperSettings settings_;
  TimeIsUp time_is_up_;
  std::size_t n_;
  LaneCode rates_;
  LaneRows rows_, y_new_;
  lanes::Batch batch_;
  Columns first_rate_;
  std::vector<double> first_step_;
  std::vector<std::size_t> member_;  ///< of each lane; none when it is empty
  std::size_t next_ = 0, flying_ = 0;
};

}  // namespace rattleback
