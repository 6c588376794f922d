#pragma once
/// Steppers: one table, one interface. A new stepper is one file and one row; tests/orders measures what the row claims.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <rattleback/simulate/states/rates.hpp>

namespace rattleback {

struct StepperSettings {
  double rtol = 1e-13, atol = 1e-15;  ///< of one step, for adaptive steppers
  double step = 0;                    ///< of the others; 0 leaves the choice to the method
};

/// Why a step could not be taken.
class StepFailure : public std::exception {
 public:
  StepFailure(double when, std::string why) : time(when), reason(std::move(why)) {}
  const char* what() const noexcept override { return reason.c_str(); }
  double time;
  std::string reason;
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual void start(double t, std::span<const double> y) = 0;
  /// One step towards `end`, never past it. Throws StepFailure; the last good state stays.
  virtual void step(double end) = 0;
  /// The state at a time within the last step.
  virtual void at(double t, std::span<double> y) const = 0;

  double time() const { return t_; }
  double previous_time() const { return t_old_; }
  std::span<const double> state() const { return y_; }
  std::span<const double> previous_state() const { return y_old_; }

  struct Counts {
    std::size_t steps = 0, rejected = 0;
  };
  const Counts& counts() const { return counts_; }
  virtual std::size_t evaluations() const = 0;
  virtual double step_length() const { return 0; }  ///< of a method of constant step
  /// A step depends on those before it: it is no map of states.
  virtual bool has_memory() const { return false; }

 protected:
  double t_ = 0, t_old_ = 0;
  std::vector<double> y_, y_old_;
  Counts counts_;
};

struct StepperRow {
  std::string name;   ///< what --method takes
  std::string title;  ///< "Dormand–Prince 8(5,3)"
  int order;          ///< claimed, and measured in tests/orders
  bool adaptive;      ///< chooses its steps by --rtol and --atol; the others take --step
  double rtol;        ///< where nothing else is asked for: near the best that double can do
  std::string keeps;  ///< what it preserves exactly, beside the constraints
  /// Throws Error[method-does-not-apply] with the reason.
  std::unique_ptr<Stepper> (*make)(const Flow&, const StepperSettings&);
};

const std::vector<StepperRow>& all_steppers();
/// Methods that discretise Hamel's equations or the bracket step in as many speeds as there are degrees of freedom.
bool needs_independent_speeds(const std::string& method);
/// Throws Error[unknown-method] with a suggestion.
const StepperRow& stepper_named(const std::string& name);

}  // namespace rattleback
