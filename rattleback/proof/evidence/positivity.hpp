#pragma once
/// Is a density or a multiplier smooth and positive? Where it vanishes, has poles or changes its sign.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/check/data.hpp>

namespace rattleback {

struct Positivity {
  std::optional<Numbers> negative;  ///< a state at which it is negative
  std::optional<Numbers> positive;
  /// Functions whose zeros are zeros or poles of it, at states where the speeds and the kinetic energy are regular.
  std::vector<Expr> zeros;
  /// Likewise, but only where the speeds or the kinetic energy degenerate: what happens there is the chart's doing.
  std::vector<Expr> chart;

  bool known = true;  ///< false: it contains functions of which nothing is known, so that no value is

  bool is_real() const { return !known || negative || positive; }
  bool changes_sign() const { return negative && positive; }
  /// Positive up to a sign on every connected part of the states where the speeds and the kinetic energy are regular.
  bool changes_sign_with_chart() const { return changes_sign() && zeros.empty() && !chart.empty(); }
};

/// At random states and at zeros of its factors, found by Newton's method at the model's parameter values: what it finds is there,
/// up to rounding; what it does not find may still be. f is a function of the configuration and of these speeds.
Positivity positivity(const System& system, Expr f);

/// e != 0, or e > 0.
struct WitnessCondition {
  Expr e;
  bool positive = false;
};
/// Conditions under which a function of the configuration and these velocities has no pole, is real and, with `zeros`, does not vanish: "x > 0",
/// "cos(theta) != 0". Each fails at a state that Newton's method finds.
std::vector<WitnessCondition> limits_of_witness(const System& system, const std::vector<Symbol>& velocities,
                                                Expr witness, bool zeros);
/// Restricts the domain of an answer to where its witness, a function of the configuration and the speeds, has no pole and, with `zeros`, does
/// not vanish: "cos(theta) != 0" for each factor that has zeros.
void restrict_to_witness(const System& system, Expr witness, bool zeros, Data& answer);
/// The same for a function of the configuration and these velocities, such as a Lagrangian on TQ.
void restrict_to_witness(const System& system, const std::vector<Symbol>& velocities, Expr witness,
                         bool zeros, Data& answer);

/// "x = 0.52, y = -1.3"
std::string state_text(const System& system, const std::vector<Symbol>& shown, const Numbers& state);

/// "z != 0, cos(theta) != 0"
std::string nonzero_text(const std::vector<Expr>& functions);

}  // namespace rattleback
