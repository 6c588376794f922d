#include <rattleback/proof/measure/measure_equations.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/one_form.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/velocities/degenerate_energy.hpp>
#include <rattleback/proof/evidence/divergence_on_positions.hpp>

namespace rattleback {
namespace {

bool all_zero(std::span<const Expr> es) {
  return std::all_of(es.begin(), es.end(), [](Expr e) { return vanishes_at_random_points(e); });
}

/// g_ij = ∂²L/∂v^i∂v^j; nothing when it depends on the velocities.
std::optional<Matrix> kinetic_metric(const System& system) {
  const auto v = system.space.velocities();
  Matrix g = jacobian(gradient(system.lagrangian, v), v);
  for (Expr& e : g.entries()) {
    for (const Symbol s : v) {
      if (!vanishes_at_random_points(derivative(e, s))) return std::nullopt;
    }
    SymbolMap rest;
    for (const Symbol s : v) rest.emplace(s, Expr(0));
    e = substitute(e, rest);
  }
  return g;
}

SymbolMap at_rest(const std::vector<Symbol>& speeds) {
  SymbolMap rest;
  for (const Symbol s : speeds) rest.emplace(s, Expr(0));
  return rest;
}

/// C_αβ^β = G^{βδ} ⟨X_δ, [X_α, X_β]⟩ for every α, without the single coefficients.
std::vector<Expr> traces(const Admissible& D, const Matrix& g, const Matrix& G) {
  const Matrix lowered = transpose(D.psi) * g;
  const int r = D.rank();
  std::vector<Expr> out;
  for (int alpha = 0; alpha < r; ++alpha) {
    Budget::check();
    Matrix products(r, r);  // (δ, β): ⟨X_δ, [X_α, X_β]⟩
    for (int beta = 0; beta < r; ++beta) {
      if (alpha == beta) continue;
      const Matrix column = lowered * Matrix::column(bracket(D.leg(alpha), D.leg(beta)).coefficients());
      for (int delta = 0; delta < r; ++delta) products(delta, beta) = column[delta];
    }
    const auto raised = solve(G, products);
    if (!raised) throw Singular("singular-matrix", "the metric on the constraint is singular");
    std::vector<Expr> terms{Expr(0)};
    for (int beta = 0; beta < r; ++beta) terms.push_back(raised->x(beta, beta));
    out.push_back(sum(terms));
  }
  return out;
}

/// L = ½ g(v, v) + A(v) − V with X_α[V] = 0 and dA(X_α, X_β) = X_α[A(X_β)] − X_β[A(X_α)] − A([X_α, X_β]) = 0 on D: the rates of the
/// speeds are quadratic in them, whatever total derivative stands in L.
bool is_kinetic(const System& system, const Admissible& D) {
  const auto v = system.space.velocities();
  const SymbolMap rest = at_rest({v.begin(), v.end()});
  const Expr at_zero = substitute(system.lagrangian, rest);
  const OneForm A(system.space, substitute(gradient(system.lagrangian, v), rest));
  for (int a = 0; a < D.rank(); ++a) {
    const VectorField X = D.leg(a);
    if (!vanishes_at_random_points(X(at_zero))) return false;
    for (int b = 0; b < a; ++b) {
      const VectorField Y = D.leg(b);
      if (!vanishes_at_random_points(X(A(Y)) - Y(A(X)) - A(bracket(X, Y)))) return false;
    }
  }
  return true;
}

MeasureEquations by_momenta(const System& system, Admissible D, const Matrix& g) {
  MeasureEquations m;
  m.metric = transpose(D.psi) * g * D.psi;
  for (Expr& e : m.metric.entries()) e = short_form(e);
  if (rank(m.metric) < D.rank()) throw degenerate_energy();
  const std::vector<Expr> trace = traces(D, g, m.metric);
  for (int alpha = 0; alpha < D.rank(); ++alpha) {
    const VectorField X = D.leg(alpha);
    m.equations.push_back({X, -(divergence_on_positions(system, X) + trace[static_cast<std::size_t>(alpha)]),
                           fmt::format("X_{}", D.speeds[static_cast<std::size_t>(alpha)].name())});
  }
  m.kinetic = is_kinetic(system, D);
  m.D = std::move(D);
  return m;
}

[[noreturn]] void not_basic(const std::string& why) {
  throw Inapplicable("form-does-not-apply", "a density of the configuration alone is not the right question",
                     why, "check a density of your own with `rattleback prove MODEL --measure`");
}

/// The functions and their first derivatives by z vanish at z = 0.
bool vanish_quadratically(const std::vector<Expr>& functions, const std::vector<Symbol>& z) {
  const SymbolMap rest = at_rest(z);
  const auto vanish = [&](const std::vector<Expr>& es) {
    return std::all_of(es.begin(), es.end(),
                       [&](Expr e) { return vanishes_at_random_points(substitute(e, rest)); });
  };
  return vanish(functions) && vanish(jacobian(functions, z).entries());
}

/// The divergence of the motion on (q, z), by powers of z.
MeasureEquations by_speeds(const System& system, Admissible D) {
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  if (motion.speeds != D.speeds) not_basic("the equations use other speeds than the constraint");
  std::vector<Expr> terms{divergence_on_positions(system, D.velocity())};
  for (std::size_t a = 0; a < motion.speeds.size(); ++a)
    terms.push_back(derivative(motion.speed_rates[a], motion.speeds[a]));
  const Expr theta = sum(terms);
  if (contains(theta, system.time)) not_basic("the motion depends on time");
  const SymbolMap rest = at_rest(D.speeds);
  MeasureEquations m;
  m.momenta = false;
  Expr remainder = theta;
  for (int alpha = 0; alpha < D.rank(); ++alpha) {
    const Symbol z = D.speeds[static_cast<std::size_t>(alpha)];
    const Expr slope = substitute(derivative(theta, z), rest);
    remainder -= slope * z;
    m.equations.push_back({D.leg(alpha), -slope, fmt::format("X_{}", z.name())});
  }
  const Expr constant = substitute(theta, rest);
  if (!vanishes_at_random_points(remainder - constant))
    throw NonlinearDivergence("form-does-not-apply", "no density of the configuration alone is invariant",
                              "the divergence of the motion is not linear in the speeds",
                              "check a density of your own with `rattleback prove MODEL --measure`");
  VectorField y(system.space, std::vector<Expr>(D.drift.entries().begin(), D.drift.entries().end()));
  m.kinetic = all_zero(D.drift.entries()) && vanish_quadratically(motion.speed_rates, motion.speeds);
  m.equations.push_back({std::move(y), -constant, "the drift"});
  m.D = std::move(D);
  return m;
}

}  // namespace

MeasureEquations measure_equations(const System& system) {
  Admissible D = admissible_velocities(system);
  const auto g = kinetic_metric(system);
  const bool timed = contains(system.lagrangian, system.time) ||
                     std::any_of(D.psi.entries().begin(), D.psi.entries().end(),
                                 [&](Expr e) { return contains(e, system.time); });
  const bool plain = g && all_zero(D.drift.entries()) && all_zero(system.forces) && !timed;
  return plain ? by_momenta(system, std::move(D), *g) : by_speeds(system, std::move(D));
}

}  // namespace rattleback
