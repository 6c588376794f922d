#pragma once
/// A system as an ordinary differential equation: its state, the manifold it lives on, and compiled rates.

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/native/evaluator.hpp>

namespace rattleback {

/// y = (configuration, speeds). A coordinate is one number; a rotation is a unit quaternion, four numbers, with
///     B = B(q),  q' = ½ q (0, Ω)  where  B' = B Ω̂.                                                      (S.1)
/// The speeds z parametrise the admissible velocities, so the constraints hold whatever the stepper does. Only where the
/// program finds no frame that stays regular, and the model names none, all velocities are speeds (S.7). Where the speeds that the
/// model names degenerate, another flow of the same motion takes over, in all velocities.
class Flow {
 public:
  /// How much is done for rates of few operations: little before one motion, more before thousands.
  enum class Effort { quick, thorough };
  /// Those that the model names or the program chooses; or all velocities, which have no poles but those of the constraints.
  /// `local`: as many as there are degrees of freedom, also where they have poles, for methods that need such speeds.
  enum class Speeds { chosen, all, local };
  /// Throws what the derivation throws, and Error[no-value] for parameters without a value.
  explicit Flow(System system, Effort effort = Effort::quick, Speeds speeds = Speeds::chosen);
  /// In some velocities of the frame that determine the others by constraints that are linear or affine in them.
  Flow(System system, const std::vector<Symbol>& velocities);

  /// The same motion with the clock running backwards: y' = −f(−s, y) in s = −t. Observed functions of time follow.
  void reverse_time();
  bool runs_backwards() const { return backwards_; }

  std::size_t dimension() const { return state_.size(); }
  std::span<const Symbol> state() const { return state_; }
  std::size_t first_speed() const { return dimension() - equations_.speeds.size(); }
  /// Where each unit quaternion starts.
  const std::vector<std::size_t>& quaternions() const { return quaternions_; }
  /// Inputs: the state, then time. Outputs: the rates of the state.
  const Code& rates() const { return rates_; }
  std::span<const Expr> rate_expressions() const { return rate_expressions_; }

  const System& system() const { return system_; }
  /// The same without position constraints that follow from the others where all hold: what the equations are derived from.
  const System& derived_system() const { return independent_ ? *independent_ : system_; }
  const EquationsOfMotion& equations() const { return equations_; }
  const std::vector<Symbol>& parameters() const { return parameters_; }
  /// Values of the parameters in any kind of number.
  template <class T>
  std::vector<T> parameter_values() const {
    return chosen_.empty() ? constants_of<T>(values_, {}) : std::vector<T>(chosen_.begin(), chosen_.end());
  }
  /// The same motion at other values, in the order of parameters(). What was made from this flow keeps the old ones.
  void set_parameters(std::vector<double> values) { chosen_ = std::move(values); }

  /// A function of configuration, velocities and quasi-velocities, as a function of state and time.
  Expr on_state(Expr e) const;
  /// Code for such functions, with the inputs and parameters of rates().
  Code observing(std::span<const Expr> es) const;
  /// The same for functions that are already written in state and time.
  Code code_of(std::span<const Expr> es) const;
  /// Entries of rotation matrices in quaternions, abstract functions by their formulas, all else as it is.
  Expr in_quaternions(Expr e) const { return substitute(with_formulas(system_, e), rotations_); }

  /// Formulas that a method needs besides, made by T(flow) when first asked for. Copies of a flow share them, whatever their
  /// parameters.
  template <class T>
  std::shared_ptr<const T> derived() const {
    const std::lock_guard lock(derived_->mutex);
    std::shared_ptr<const void>& found = derived_->formulas[typeid(T)];
    if (!found) found = std::make_shared<const T>(*this);
    return std::static_pointer_cast<const T>(found);
  }

  /// Functions of state and time where the speeds of the model have poles that the constraints do not have.
  const std::vector<Expr>& poles() const { return poles_; }
  /// Velocities of the frame are speeds, whatever the model names.
  bool in_local_chart() const { return in_local_chart_; }
  /// Where all velocities are speeds: code that takes them back onto the constraints. See Manifold.
  const Code* projection() const { return projection_ ? &*projection_ : nullptr; }

 private:
  Flow(System system, Effort effort, Speeds speeds, const std::vector<Symbol>* velocities);
  /// e(−t) in place of e(t).
  Expr at_reversed_time(Expr e) const;

  System system_;
  std::shared_ptr<const System> independent_;  ///< where constraints are redundant
  EquationsOfMotion equations_;
  std::vector<Symbol> state_, inputs_, parameters_;
  std::vector<std::size_t> quaternions_;
  SymbolMap rotations_;  ///< entries of rotation matrices in quaternions
  std::vector<Expr> rate_expressions_;
  Code rates_, values_;
  std::optional<Code> projection_;
  std::vector<Expr> poles_, projected_;
  bool backwards_ = false, in_local_chart_ = false;
  std::vector<double> chosen_;  ///< parameters in place of the model's

  struct Derived {
    std::recursive_mutex mutex;  // formulas are made from other formulas
    std::unordered_map<std::type_index, std::shared_ptr<const void>> formulas;
  };
  std::shared_ptr<Derived> derived_ = std::make_shared<Derived>();
};

}  // namespace rattleback
