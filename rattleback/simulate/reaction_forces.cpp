#include <rattleback/simulate/reaction_forces.hpp>

#include <Eigen/Dense>

#include <rattleback/motion/lagrange.hpp>
#include <rattleback/motion/normal_reactions.hpp>

namespace rattleback {

ReactionForces::ReactionForces(const Flow& flow)
    : legs_(static_cast<std::size_t>(flow.system().space.dimension())),
      states_(flow.dimension()),
      parameters_(flow.parameter_values<double>()) {
  const System& system = flow.derived_system();
  backwards_ = flow.runs_backwards();
  if (system.constraints.empty()) return;
  const ConstraintRows rows = constraint_rows(system);
  rows_ = rows.independent.size();
  std::vector<Symbol> lambda;
  std::vector<Expr> unknown;
  for (std::size_t s = 0; s < rows_; ++s) {
    lambda.push_back(Symbol::make("lambda." + std::to_string(s)));
    unknown.emplace_back(lambda.back());
  }
  Reactions reactions = named_reactions(system, rows, Matrix::column(unknown));
  for (Statement& normal : implied_normal_reaction(system, flow.equations(), reactions))
    reactions.reactions.push_back(std::move(normal));

  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix force = substitute(lagrange.mass, flow.equations().velocities) *
                           Matrix::column(accelerations_along(system, flow.equations())) -
                       substitute(lagrange.force, flow.equations().velocities);
  std::vector<Expr> balance(rows.a.entries().begin(), rows.a.entries().end());
  balance.insert(balance.end(), force.entries().begin(), force.entries().end());
  balance_ = flow.observing(balance);

  std::vector<Expr> values;
  for (const Statement& s : reactions.multipliers) {
    names_.push_back({s.name, true, false});
    values.push_back(flow.on_state(s.value));
  }
  for (const Statement& s : reactions.reactions) {
    names_.push_back({s.name, false, s.name.ends_with(".normal")});
    values.push_back(flow.on_state(s.value));
  }
  std::vector<Symbol> inputs(flow.state().begin(), flow.state().end());
  inputs.push_back(system.time);
  inputs.insert(inputs.end(), lambda.begin(), lambda.end());
  named_ = straight_line(inputs, flow.parameters(), values);
  evaluate_.emplace_back(balance_, parameters_);
  evaluate_.emplace_back(named_, parameters_);
  x_.resize(inputs.size());
  out_.resize(balance.size());
}

void ReactionForces::operator()(double t, std::span<const double> y, double* values) {
  if (names_.empty()) return;
  std::copy(y.begin(), y.end(), x_.begin());
  x_[states_] = t;
  evaluate_[0](x_.data(), out_.data());
  const auto n = static_cast<Eigen::Index>(legs_), k = static_cast<Eigen::Index>(rows_);
  const Eigen::Map<const Eigen::MatrixXd> transposed(out_.data(), n,
                                                     k);  // A row by row is Aᵀ column by column
  const Eigen::Map<const Eigen::VectorXd> force(out_.data() + n * k, n);
  const Eigen::VectorXd lambda = transposed.colPivHouseholderQr().solve(force);
  std::copy(lambda.begin(), lambda.end(), x_.begin() + static_cast<std::ptrdiff_t>(states_) + 1);
  if (backwards_) x_[states_] = -t;  // the formulas are in time itself
  evaluate_[1](x_.data(), values);
}

}  // namespace rattleback
