#include <rattleback/trial/condition_trial.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/evidence/random_states.hpp>

namespace rattleback {
namespace {

constexpr int wanted_states = search_limits::states_off_a_condition.count;
/// Newton's method finds a double zero to half of the digits.
constexpr double small = 1e-3;

bool is_on_state(Expr e) {
  return std::ranges::any_of(symbols_of(e), [](Symbol s) {
    return s.role() == Role::coordinate || s.role() == Role::rotation || s.role() == Role::direction ||
           s.role() == Role::velocity || s.role() == Role::time;
  });
}

Eigen::MatrixXd numbers_of(const Matrix& m, const Numbers& state) {
  const std::vector<double> flat = evaluate(m.entries(), state);
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(flat.data(), m.rows(), m.columns());
}

/// Not finite, or the smallest singular value is small beside the largest.
bool is_singular(const Matrix& m, const Numbers& state) {
  if (m.rows() == 0 || m.columns() == 0) return false;
  const Eigen::MatrixXd a = numbers_of(m, state);
  if (!a.allFinite()) return true;
  const auto sizes = dense::singular_values(a);
  return sizes[sizes.size() - 1] < small * sizes[0];
}

Matrix stacked(const Matrix& upper, const Matrix& lower) {
  Matrix m(upper.rows() + lower.rows(), upper.columns());
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.columns(); ++j)
      m(i, j) = i < upper.rows() ? upper(i, j) : lower(i - upper.rows(), j);
  }
  return m;
}

/// What must be regular for the motion and its speeds to be defined.
class ImplicitEquations {
 public:
  ImplicitEquations(const System& system, const EquationsOfMotion& equations) : equations_(equations) {
    const auto v = system.space.velocities();
    const std::vector<Expr> functions = constraint_functions(system);
    const Matrix slopes = functions.empty() ? Matrix(0, static_cast<int>(v.size())) : jacobian(functions, v);
    const Matrix inertia = jacobian(gradient(system.lagrangian, v), v);
    matrices_.push_back(bordered(inertia, slopes));
    if (!equations.speed_definitions.empty())
      matrices_.push_back(stacked(slopes, jacobian(equations.speed_definitions, v)));
    for (const Symbol s : v) {
      if (const auto found = equations.velocities.find(s); found != equations.velocities.end())
        velocities_.emplace_back(s, found->second);
    }
    rates_ = equations.configuration_rates;
    rates_.insert(rates_.end(), equations.speed_rates.begin(), equations.speed_rates.end());
    terms_ = system.forces;
    terms_.push_back(system.lagrangian);
  }

  /// Why the state is singular; empty where it is regular.
  std::string broken_at(const Numbers& state) const {
    Numbers at = state;
    for (const auto& [v, psi] : velocities_) at.insert_or_assign(v, evaluate(psi, state));
    for (const double value : evaluate(terms_, at)) {
      if (!std::isfinite(value)) return "energy and forces are not finite";
    }
    if (is_singular(matrices_[0], at)) return "the implicit equations are singular";
    if (matrices_.size() > 1 && is_singular(matrices_[1], at)) return "the speeds are no coordinates";
    return rates_grow(state) ? "the rates are infinite" : "";
  }

 private:
  static Matrix bordered(const Matrix& inertia, const Matrix& slopes) {
    const int n = inertia.rows(), k = slopes.rows();
    Matrix m(n + k, n + k);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) m(i, j) = inertia(i, j);
      for (int s = 0; s < k; ++s) m(i, n + s) = m(n + s, i) = slopes(s, i);
    }
    return m;
  }

  /// Larger by far at a small distance than at a large one, in a direction that is tangent to no simple set.
  bool rates_grow(const Numbers& state) const {
    const auto size_at = [&](double h) {
      Numbers moved = state;
      double step = h;
      const auto move = [&](Symbol s) {
        if (const auto it = moved.find(s); it != moved.end()) it->second += step;
        step *= -0.83;
      };
      for (const Symbol s : equations_.configuration) move(s);
      for (const Symbol s : equations_.speeds) move(s);
      double size = 1;
      for (const double rate : evaluate(rates_, moved)) size = std::max(size, std::abs(rate));
      return size;
    };
    const double near = size_at(1e-6), far = size_at(1e-2);
    return !std::isfinite(near) || near > 30 * far;
  }

  const EquationsOfMotion& equations_;
  std::vector<Matrix>
      matrices_;  ///< of the implicit equations, and of constraints with definitions of the speeds
  std::vector<std::pair<Symbol, Expr>> velocities_;
  std::vector<Expr> rates_, terms_;
};

std::string shown(Expr e) { return fits(e, legible::on_a_line) ? text(e) + " != 0" : "a long condition"; }

bool fails(const Assumption& a, const Numbers& state) {
  const double value = evaluate(a.expression, state);
  return a.kind == Assumption::Kind::positive ? value < small * small : std::abs(value) < small * small;
}

bool another_fails(const Assumptions& where, std::size_t i, const Numbers& state) {
  for (std::size_t k = 0; k < where.size(); ++k) {
    if (k != i && fails(where[k], state)) return true;
  }
  return false;
}

/// Another condition that fails at every one of these states.
const Assumption* covering(const Assumptions& where, std::size_t i, const std::vector<Numbers>& states) {
  for (std::size_t k = 0; k < where.size(); ++k) {
    const bool covers = std::ranges::all_of(states, [&](const Numbers& s) { return fails(where[k], s); });
    if (k != i && covers) return &where[k];
  }
  return nullptr;
}

Finding tried(const System& system, const EquationsOfMotion& equations, const ImplicitEquations& graph,
              std::size_t i) {
  const Expr e = equations.where[i].expression;
  Finding found{"conditions", fmt::format("{} is necessary in `{}`", shown(e), equations.form),
                "Newton's method onto its zeros", Finding::Result::not_tried, ""};
  const std::vector<Numbers> states = random_states(system, equations.speeds, wanted_states, {e});
  if (states.empty()) {
    found.detail = "no state at which it fails was found";
    return found;
  }
  if (const Assumption* other = covering(equations.where, i, states)) {
    found.result = Finding::Result::contradicted;
    found.detail = fmt::format("it fails only where {} fails", shown(other->expression));
    return found;
  }
  found.result = Finding::Result::stands;
  for (const Numbers& state : states) {
    if (another_fails(equations.where, i, state)) continue;
    found.detail = graph.broken_at(state);
    if (!found.detail.empty()) continue;
    found.result = Finding::Result::contradicted;
    found.detail = "all is regular at " + state_text(system, {}, state);
    break;
  }
  return found;
}

}  // namespace

Findings try_conditions(const System& system, const EquationsOfMotion& equations) {
  Findings all;
  if (equations.where.empty()) return all;
  try {
    const ImplicitEquations graph(system, equations);
    for (std::size_t i = 0; i < equations.where.size(); ++i) {
      const Assumption& a = equations.where[i];
      if (a.kind != Assumption::Kind::nonzero || !is_on_state(a.expression)) continue;
      all.push_back(tried(system, equations, graph, i));
    }
  } catch (const OutOfDomain&) {  // functions without formulas have no values
  }
  return all;
}

}  // namespace rattleback
