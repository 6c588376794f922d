#include <rattleback/simulate/states/reaction_forces.hpp>

#include <atomic>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/motion/equations/normal_reactions.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/native/remembered_code.hpp>

namespace rattleback {

/// Made once for a flow and its copies.
struct ReactionFormulas {
  explicit ReactionFormulas(const Flow& flow);

  std::size_t rows = 0, legs = 0;
  std::vector<ReactionForces::Named> names;
  Code balance, named;  ///< A and M v̇ − b; the named forces in state, time and λ
  mutable std::atomic<bool> remembered{false};
};

ReactionFormulas::ReactionFormulas(const Flow& flow)
    : legs(static_cast<std::size_t>(flow.system().space.dimension())) {
  const System& system = flow.derived_system();
  if (system.constraints.empty()) return;
  const ConstraintRows constraints = constraint_rows(system);
  rows = constraints.independent.size();
  std::vector<Symbol> lambda;
  std::vector<Expr> unknown;
  for (std::size_t s = 0; s < rows; ++s) {
    lambda.push_back(Symbol::make("lambda." + std::to_string(s)));
    unknown.emplace_back(lambda.back());
  }
  Reactions reactions = named_reactions(system, constraints, Matrix::column(unknown));
  for (Statement& normal : implied_normal_reaction(system, flow.equations(), reactions))
    reactions.reactions.push_back(std::move(normal));

  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix force = substitute(lagrange.mass, flow.equations().velocities) *
                           Matrix::column(accelerations_along(system, flow.equations())) -
                       substitute(lagrange.force, flow.equations().velocities);
  std::vector<Expr> both(constraints.a.entries().begin(), constraints.a.entries().end());
  both.insert(both.end(), force.entries().begin(), force.entries().end());
  balance = flow.observing(both);

  std::vector<Expr> values;
  for (const Statement& s : reactions.multipliers) {
    names.push_back({s.name, true, false});
    values.push_back(flow.on_state(s.value));
  }
  for (const Statement& s : reactions.reactions) {
    names.push_back({s.name, false, s.name.ends_with(".normal")});
    values.push_back(flow.on_state(s.value));
  }
  std::vector<Symbol> inputs(flow.state().begin(), flow.state().end());
  inputs.push_back(system.time);
  inputs.insert(inputs.end(), lambda.begin(), lambda.end());
  named = straight_line(inputs, flow.parameters(), values);
}

ReactionForces::ReactionForces(const Flow& flow)
    : backwards_(flow.runs_backwards()),
      states_(flow.dimension()),
      formulas_(flow.derived<ReactionFormulas>()),
      parameters_(flow.parameter_values<double>()) {
  if (formulas_->names.empty()) return;
  if (!formulas_->remembered.exchange(true))
    for (const Code* code : {&formulas_->balance, &formulas_->named})
      remember_code(std::shared_ptr<const Code>(formulas_, code));
  evaluate_.emplace_back(formulas_->balance, parameters_);
  evaluate_.emplace_back(formulas_->named, parameters_);
  x_.resize(states_ + 1 + formulas_->rows);
  out_.resize(formulas_->balance.outputs.size());
}

const std::vector<ReactionForces::Named>& ReactionForces::names() const { return formulas_->names; }

void ReactionForces::operator()(double t, std::span<const double> y, double* values) {
  if (formulas_->names.empty()) return;
  std::copy(y.begin(), y.end(), x_.begin());
  x_[states_] = t;
  evaluate_[0](x_.data(), out_.data());
  const auto n = static_cast<Eigen::Index>(formulas_->legs), k = static_cast<Eigen::Index>(formulas_->rows);
  const Eigen::Map<const Eigen::MatrixXd> transposed(out_.data(), n,
                                                     k);  // A row by row is Aᵀ column by column
  const Eigen::Map<const Eigen::VectorXd> force(out_.data() + n * k, n);
  thread_local dense::LeastSquares least_squares;  // keeps its memory from one state to the next
  const Eigen::VectorXd lambda = least_squares(transposed, force);
  std::copy(lambda.begin(), lambda.end(), x_.begin() + static_cast<std::ptrdiff_t>(states_) + 1);
  if (backwards_) x_[states_] = -t;  // the formulas are in time itself
  evaluate_[1](x_.data(), values);
}

}  // namespace rattleback
