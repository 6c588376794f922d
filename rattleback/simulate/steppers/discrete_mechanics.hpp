#pragma once
/// Discrete Lagrange–d'Alembert mechanics (variational integrators): configurations that move by local velocities, and the
/// momenta with which a step of the discrete Lagrangian begins and ends.

#include <optional>

#include <Eigen/Core>

#include <rattleback/simulate/states/momentum_chart.hpp>
#include <rattleback/simulate/steppers/stated_constraints.hpp>

namespace rattleback {

/// What the methods below derive once from a flow.
struct DiscreteFormulas {
  explicit DiscreteFormulas(const Flow& flow);
  Eigen::Index legs() const { return static_cast<Eigen::Index>(local.size()); }

  struct Rotation {
    std::size_t state;  ///< where its quaternion begins
    Eigen::Index leg;
  };
  std::vector<Expr> local;      ///< w as functions of the velocities of the frame
  std::vector<Symbol> symbols;  ///< for w
  SymbolMap frame;              ///< the velocities of the frame in w
  std::vector<std::pair<std::size_t, Eigen::Index>> coordinates;  ///< place in the state, leg
  std::vector<Rotation> rotations;
  bool has_algebra = false;
  Code admissible;    ///< w and ∂w/∂z at a state
  Code differential;  ///< ∂L/∂w and X L + Q at a configuration, w and t
};

/// Local velocities w: the rates of coordinates, and the body angular velocity of each rotation. A step moves by
///     q ⊕ h w = (q + h w,  B exp(h ŵ)),                                                                 (S.10)
/// so rotations stay rotations. Each thread needs its own. States y = (q, z) are those of the flow.
class DiscreteMechanics {
 public:
  explicit DiscreteMechanics(const Flow& flow);
  DiscreteMechanics(const DiscreteMechanics&) = delete;
  DiscreteMechanics& operator=(const DiscreteMechanics&) = delete;

  Eigen::Index legs() const { return formulas_->legs(); }
  Eigen::Index speeds() const { return static_cast<Eigen::Index>(speeds_); }

  /// y with its configuration moved to q ⊕ h w.
  std::vector<double> moved(std::span<const double> y, const Eigen::VectorXd& w, double h) const;

  /// The admissible velocity at a state, w = ψ(q, z, t), and X_α = ∂ψ/∂z^α as columns.
  struct Velocity {
    Eigen::VectorXd w;
    Eigen::MatrixXd legs;
  };
  Velocity admissible(double t, std::span<const double> y);
  /// ∂L/∂w and X L + Q at any velocity, in the local frame.
  struct Differential {
    Eigen::VectorXd momentum, force;
  };
  Differential differential(double t, std::span<const double> y, const Eigen::VectorXd& w);

  /// The momenta p⁻ = −D₁L_d − Q⁻ and p⁺ = D₂L_d + Q⁺ of L_d(q, q ⊕ h w) = h L(q ⊕ αh w, w).              (S.11)
  Eigen::VectorXd momentum_before(double t, std::span<const double> y, const Eigen::VectorXd& w, double h,
                                  double alpha);
  Eigen::VectorXd momentum_after(double t, std::span<const double> y, const Eigen::VectorXd& w, double h,
                                 double alpha);

  /// Gives y the speeds of the admissible velocity that has the momentum p on D, ⟨∂L/∂w − p, X_α⟩ = 0; those of y are a
  /// guess. False when there is none nearby. Where all velocities are speeds, p may differ by Aᵀν instead.
  bool set_speeds(double t, const Eigen::VectorXd& p, std::vector<double>& y);
  /// ⟨∂L/∂w, X_α⟩ at a state.
  Eigen::VectorXd momenta(double t, std::span<const double> y) { return chart_.momenta(t, y.data()); }
  MomentumChart& chart() { return chart_; }
  /// The constraints themselves, where they are needed: positions are constrained, or all velocities are speeds.
  StatedConstraints* stated() { return stated_ ? &*stated_ : nullptr; }
  /// The rates of the numbers of the configuration, for each local velocity: q̇ = T(q) w.
  Eigen::MatrixXd rates_of_configuration(std::span<const double> y) const;

  /// The velocities of the frame in the local ones, v = V(q) w, and the symbols for w: for formulas.
  const std::vector<Symbol>& symbols() const { return formulas_->symbols; }
  const SymbolMap& frame_velocities() const { return formulas_->frame; }
  /// Throws Error[method-does-not-apply] for a model that gives a Lie algebra without its group.
  void require_configurations(const std::string& method) const;

 private:
  /// Applies a map of covectors to the angular part of each rotation.
  template <class Map>
  void on_rotations(Eigen::VectorXd& p, const Eigen::VectorXd& w, double h, Map map) const;

  bool set_velocities(double t, const Eigen::VectorXd& p, std::vector<double>& y);

  std::size_t speeds_, first_speed_;
  bool all_velocities_;
  MomentumChart chart_;
  std::shared_ptr<const DiscreteFormulas> formulas_;
  std::optional<StatedConstraints> stated_;
  std::vector<Evaluator<double>> evaluate_;
  std::vector<double> x_, out_;
};

/// Throws Error[method-does-not-apply] for a Lagrangian that is linear in the velocities.
void require_second_order(const Flow& flow, const std::string& method);
/// Besides, the speeds of the flow parametrise the constraint.
/// Throws Error[method-does-not-apply].
void require_parametrized(const Flow& flow, const std::string& method);

}  // namespace rattleback
