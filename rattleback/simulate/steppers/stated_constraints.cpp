#include <rattleback/simulate/steppers/stated_constraints.hpp>

#include <algorithm>

#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/simulate/steppers/discrete_mechanics.hpp>

namespace rattleback {

bool has_position_constraints(const Flow& flow) {
  const auto& all = flow.derived_system().constraints;
  return std::ranges::any_of(all, [](const Constraint& c) { return c.position.has_value(); });
}

StatedFormulas::StatedFormulas(const Flow& flow) {
  System system = flow.derived_system();
  std::ranges::stable_partition(system.constraints,
                                [](const Constraint& c) { return c.position.has_value(); });
  const auto local = flow.derived<DiscreteFormulas>();
  const std::vector<Expr> functions = constraint_functions(system);
  std::vector<Expr> phi, rates, slopes;
  for (const int s : constraint_rows(system).independent) {
    const auto k = static_cast<std::size_t>(s);
    if (const auto& given = system.constraints[k].position) phi.push_back(flow.in_quaternions(*given));
    rates.push_back(flow.in_quaternions(substitute(on_frame(system, functions[k]), local->frame)));
  }
  positions = static_cast<Eigen::Index>(phi.size());
  others = static_cast<Eigen::Index>(rates.size()) - positions;
  const auto configuration = flow.state().first(flow.first_speed());
  for (const Expr f : phi)
    for (const Expr slope : gradient(f, configuration)) slopes.push_back(slope);
  phi.insert(phi.end(), slopes.begin(), slopes.end());
  slopes.clear();
  for (const Expr c : rates)
    for (const Expr slope : gradient(c, local->symbols)) slopes.push_back(slope);
  rates.insert(rates.end(), slopes.begin(), slopes.end());

  std::vector<Symbol> inputs(configuration.begin(), configuration.end());
  inputs.push_back(flow.system().time);
  position = straight_line(inputs, flow.parameters(), phi);
  inputs.insert(inputs.end() - 1, local->symbols.begin(), local->symbols.end());
  velocity = straight_line(inputs, flow.parameters(), rates);
}

StatedConstraints::StatedConstraints(const Flow& flow)
    : configuration_(flow.first_speed()),
      legs_(flow.derived<DiscreteFormulas>()->legs()),
      formulas_(flow.derived<StatedFormulas>()) {
  const std::vector<double> parameters = flow.parameter_values<double>();
  for (const Code* code : {&formulas_->position, &formulas_->velocity}) {
    evaluate_.emplace_back(*code, parameters);
    x_.resize(std::max<std::size_t>(x_.size(), code->inputs));
    out_.resize(std::max(out_.size(), code->outputs.size()));
  }
}

StatedConstraints::Position StatedConstraints::position(double t, std::span<const double> y) {
  std::copy_n(y.begin(), configuration_, x_.begin());
  x_[configuration_] = t;
  evaluate_[0](x_.data(), out_.data());
  const Eigen::Map<const Eigen::MatrixXd> transposed(
      out_.data() + positions(), static_cast<Eigen::Index>(configuration_), positions());  // row by row
  return {Eigen::Map<const Eigen::VectorXd>(out_.data(), positions()), transposed.transpose()};
}

StatedConstraints::Velocity StatedConstraints::velocity(double t, std::span<const double> y,
                                                        const Eigen::VectorXd& w) {
  std::copy_n(y.begin(), configuration_, x_.begin());
  std::copy(w.begin(), w.end(), x_.begin() + static_cast<std::ptrdiff_t>(configuration_));
  x_[configuration_ + static_cast<std::size_t>(w.size())] = t;
  evaluate_[1](x_.data(), out_.data());
  const Eigen::Map<const Eigen::MatrixXd> transposed(out_.data() + all(), legs_, all());  // row by row
  return {Eigen::Map<const Eigen::VectorXd>(out_.data(), all()), transposed.transpose()};
}

}  // namespace rattleback
