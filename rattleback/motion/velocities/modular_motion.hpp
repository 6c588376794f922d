#pragma once
/// The Lagrange–d'Alembert motion at random states modulo a prime: no mass matrix, inverse or multiplier is ever written
/// down, so the cost follows the graph of the Lagrangian and not the formulas of the motion.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

class ModularMotion {
 public:
  explicit ModularMotion(const System& system);

  /// A point with admissible velocities v, and the accelerations there.
  struct State {
    ModularPoint point;
    std::vector<ModP> function_rates;  ///< of the functions of the space: v^i X_i f
    std::vector<ModP> accelerations;   ///< of the velocities of the frame
  };
  /// Nothing when no state was found; `obstacle` says why.
  std::optional<State> state(std::uint64_t seed, std::string* obstacle = nullptr) const;

  /// df/dt = f_q q' + f_v v' + ∂f/∂t along the motion; nothing at a pole of f.
  std::optional<ModP> rate(const ModularProgram& f, const State& state) const;

  const ModularProgram& program() const { return program_; }
  /// −log2 of the chance that df/dt vanishes at a random state without vanishing identically.
  int bits_per_state(Expr f) const;

 private:
  /// [X_i, X_l] = C_il^m X_m, for the C that are not zero; `output` of the program is its value.
  struct Coefficient {
    int i, l, m;
    std::size_t output;
  };
  /// X_i f.
  struct LegEntry {
    int leg, function;
    std::size_t output;
  };
  /// Admissible velocities, and A = ∂C/∂v there.
  struct OnConstraint {
    ModularRun run;
    ModularMatrix A;
  };
  using Vector = std::vector<ModP>;

  Vector direction(const ModularProgram& program, const Vector& function_rates,
                   const Vector& velocities) const;
  bool constraints_are_affine() const;
  ModularMatrix constraint_matrix(const ModularRun& run) const;
  Vector constraint_values(const ModularRun& run) const;
  std::optional<ModularRun> with_velocities(const ModularRun& run, const Vector& v) const;
  std::optional<OnConstraint> admissible(const ModularRun& run, std::string& obstacle) const;
  std::optional<ModularRun> on_nonlinear_constraint(const ModularRun& run, std::string& obstacle) const;
  Vector forces_without_acceleration(const ModularRun& run, const ModularRun::Gradient& lagrangian) const;
  std::optional<Vector> accelerations(const OnConstraint& at, const Vector& function_rates) const;

  System system_;
  int n_, k_;  ///< velocities, constraints
  std::vector<std::size_t> force_outputs_, rate_outputs_;
  std::vector<Coefficient> c_;
  std::vector<LegEntry> legs_;
  ModularProgram program_;
  std::vector<std::size_t> velocity_at_, function_at_;  ///< among the symbols of the program
  bool affine_ = false;                                 ///< A does not depend on the velocities
};

/// Do the formulas vanish along the motion, at some random states? A symbol of `rates` stands for the rate of the function beside it.
bool vanish_along_motion(const System& system, const std::vector<Expr>& formulas,
                         const std::vector<std::pair<Symbol, Expr>>& rates);

}  // namespace rattleback
