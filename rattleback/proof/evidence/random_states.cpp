#include <rattleback/proof/evidence/random_states.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/proof/evidence/random_newton.hpp>

namespace rattleback {
namespace {

/// B Bᵀ = 1 for every rotation matrix, and the components of unit vectors.
std::vector<Expr> relations_of(const Space& space) {
  std::vector<Expr> all;
  for (const Factor& factor : space.factors()) {
    if (factor.pieces.empty() || factor.pieces.front().carrier != Carrier::unit_quaternion) continue;
    const Matrix B = factor.rotation(), product = B * transpose(B);
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) all.push_back(product(i, j) - Expr(i == j ? 1 : 0));
    }
  }
  return all;
}

bool is_proper(const Space& space, const Numbers& state) {
  for (const Factor& factor : space.factors()) {
    if (factor.pieces.empty() || factor.pieces.front().carrier != Carrier::unit_quaternion) continue;
    Eigen::Matrix3d B;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) B(i, j) = evaluate(factor.rotation()(i, j), state);
    }
    if (dense::determinant(B) < 0) return false;
  }
  return true;
}

Eigen::MatrixXd numbers_of(const Matrix& m, const Numbers& state) {
  const std::vector<double> values = evaluate(m.entries(), state);
  Eigen::MatrixXd a(m.rows(), m.columns());
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.columns(); ++j)
      a(i, j) = values[static_cast<std::size_t>(i) * static_cast<std::size_t>(m.columns()) +
                       static_cast<std::size_t>(j)];
  }
  return a;
}

/// Full column rank, singular values above `small`, and every entry finite.
bool has_full_rank(const Matrix& m, const Numbers& state, double small = 1e-6) {
  const Eigen::MatrixXd a = numbers_of(m, state);
  if (!a.allFinite()) return false;
  constexpr double large = 1e6;
  const auto sizes = dense::singular_values(a);
  return sizes.size() == 0 || (sizes[sizes.size() - 1] > small && sizes[0] < large);
}

/// Zeros of f at which its slopes vanish, too, along the set that the other equations leave: Newton's method for f = 0 alone is slow there, and
/// does not end for x^2 + 4*x*y + 5*y^2. With multipliers λ: ∂f = λ ∂φ.
std::vector<Numbers> degenerate_zeros(NewtonSearch search, Expr f) {
  if (!fits(f, legible::in_data)) return {};
  constexpr double close = 1e-10;
  std::vector<Expr> slopes = gradient(f, search.unknowns);
  const std::vector<Symbol> places = search.unknowns;
  for (std::size_t a = 0; a < search.equations.size(); ++a) {
    search.unknowns.push_back(Symbol::make(fmt::format("multiplier{}", a + 1), {.role = Role::constant}));
    for (std::size_t i = 0; i < places.size(); ++i)
      slopes[i] -= Expr(search.unknowns.back()) * derivative(search.equations[a], places[i]);
  }
  search.equations.insert(search.equations.end(), slopes.begin(), slopes.end());
  std::vector<Numbers> found = newton_solutions(search);
  std::erase_if(found, [&](const Numbers& at) { return !(std::abs(evaluate(f, at)) < close); });
  return found;
}

/// f has one sign at the states.
bool has_one_sign(Expr f, const std::vector<Numbers>& states) {
  bool positive = false, negative = false;
  for (const Numbers& at : states) {
    const double value = evaluate(f, at);
    positive = positive || value > 0;
    negative = negative || value < 0;
  }
  return positive != negative;
}

}  // namespace

Numbers parameter_numbers(const System& system) {
  Numbers values;
  for (const Parameter& p : system.parameters) values.emplace(p.symbol, 1);
  for (const auto& [symbol, value] : parameter_values(system)) {
    try {
      values[symbol] = evaluate(value, values);
    } catch (const OutOfDomain&) {
      values[symbol] = 1;
    }
  }
  return values;
}

std::vector<Numbers> random_states(const System& system, const std::vector<Symbol>& speeds, int count,
                                   const std::vector<Expr>& equations) {
  NewtonSearch search{relations_of(system.space), {}, parameter_numbers(system), 2 * count};
  for (const Constraint& c : system.constraints) {
    if (c.position) search.equations.push_back(*c.position);
  }
  search.unknowns.assign(system.space.functions().begin(), system.space.functions().end());
  search.unknowns.insert(search.unknowns.end(), speeds.begin(), speeds.end());
  search.known.emplace(system.time, 0.3);
  const NewtonSearch anywhere = search;
  search.equations.insert(search.equations.end(), equations.begin(), equations.end());
  if (search.equations.empty()) search.equations.emplace_back(0);  // every start is a solution
  std::vector<Numbers> found = newton_solutions(search);
  constexpr int samples = search_limits::one_sign_of_an_equation.count;
  if (found.empty() && equations.size() == 1 &&
      has_one_sign(equations.front(), random_states(system, speeds, samples)))
    found = degenerate_zeros(anywhere, equations.front());
  std::erase_if(found, [&](const Numbers& state) { return !is_proper(system.space, state); });
  if (found.size() > static_cast<std::size_t>(count)) found.resize(static_cast<std::size_t>(count));
  return found;
}

bool has_regular_speeds(const SolvedVelocities& v, const Numbers& state) try {
  return has_full_rank(jacobian(v.psi, v.speeds), state,
                       1e-2);  // Newton's method is slow at degenerate zeros
} catch (const OutOfDomain&) {
  return false;  // an unknown function without a formula
}

namespace {

/// v = ψ(q, z) where it is finite: at the state, or a few last bits beside it, for roots of what vanishes there.
std::optional<std::vector<double>> velocity_at(const SolvedVelocities& v, const Numbers& state) {
  constexpr double last_bits = 1e-14;
  for (const double share : {0.0, last_bits, -last_bits}) {
    Numbers beside = state;
    for (auto& [symbol, value] : beside) {
      if (symbol.role() != Role::parameter) value += share * (1 + std::abs(value));
    }
    const std::vector<double> values = evaluate(v.psi, beside);
    if (std::ranges::all_of(values, [](double x) { return std::isfinite(x); })) return values;
  }
  return std::nullopt;
}

/// ∂C/∂v there; nothing where ψ(q, z) is no velocity of nonlinear constraints.
std::optional<Eigen::MatrixXd> constraint_slopes(const System& system, const SolvedVelocities& v,
                                                 const Numbers& state) {
  Numbers at = state;
  const auto velocities = system.space.velocities();
  const auto values = velocity_at(v, state);
  if (!values && !v.linear) return std::nullopt;
  for (std::size_t i = 0; i < velocities.size(); ++i)
    at[velocities[i]] = values ? (*values)[i] : 1;  // linear constraints do not notice
  return numbers_of(jacobian(constraint_functions(system), velocities), at);
}

}  // namespace

std::optional<int> constraint_rank(const System& system, const SolvedVelocities& v, const Numbers& state,
                                   double size) {
  if (system.constraints.empty()) return 0;
  const auto a = constraint_slopes(system, v, state);
  if (!a) return std::nullopt;
  if (!a->allFinite()) return -1;
  constexpr double rounding = 1e-9, small = 1e-6;
  return a->cwiseAbs().maxCoeff() <= rounding * size ? 0 : dense::rank(*a, small);
}

double size_of_constraints(const System& system, const SolvedVelocities& v, const Numbers& state) {
  if (system.constraints.empty()) return 0;
  const auto a = constraint_slopes(system, v, state);
  return a && a->allFinite() ? dense::singular_values(*a)[0] : 0;
}

bool is_regular_state(const ProjectedMotion& motion, const Numbers& state) try {
  return has_full_rank(jacobian(motion.velocities.psi, motion.velocities.speeds), state) &&
         has_full_rank(motion.metric, state);
} catch (const OutOfDomain&) {
  return false;  // an unknown function without a formula
}

}  // namespace rattleback
