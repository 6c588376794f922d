#pragma once
/// The point that the search for a consistent initial state has reached: numbers for parameters, time, coordinates and speeds, with what the
/// user gave. The searches for positions and for speeds work on it in turn.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/simulate/states/flow.hpp>
#include <rattleback/simulate/states/initial_state.hpp>

namespace rattleback {

/// Of what the user typed, relative to the size of the numbers.
inline constexpr double initial_tolerance = 1e-9;

/// `quantity` takes `value` at the start.
struct InitialCondition {
  std::string name;
  Expr quantity;
  double value;
};

class StartPoint {
 public:
  const Flow& flow;
  const System& system;
  InitialOptions how;
  Numbers at;
  std::vector<InitialCondition> conditions;  ///< on velocities
  Numbers guesses;                           ///< of coordinates
  std::optional<Place> place;                ///< of what was given: errors point there

  StartPoint(const Flow& flow, const InitialOptions& how);

  [[noreturn]] void fail(const std::string& slug, std::string what, std::string why, std::string fix) const;
  [[noreturn]] void fail_off_constraint(std::string what, std::string why, std::string fix) const;
  /// Motions are computed in doubles, whatever exact value the model gives.
  void require_number(const std::string& name, double value) const;
  void tell(std::string note) const;
  [[noreturn]] void off_constraint(const Constraint& c, Expr condition, double residual) const;
  /// Values of expressions at the point found so far; abstract functions by their formulas.
  std::vector<double> numbers_of(std::span<const Expr> es) const;
  double number(Expr e) const;
  Eigen::MatrixXd numbers(const Matrix& m) const;
  bool determined(Symbol s) const;
  SymbolMap quasi_velocities() const;
  std::vector<double> configuration() const;

 private:
  /// Where the search for a coordinate starts that the constraints determine.
  void read_guess(const InitialValue& given);
  void read(const InitialValue& given);
  template <class E>
  E placed(E error) const {
    if (place) error.at(*place);
    return error;
  }
};

}  // namespace rattleback
