#include <rattleback/motion/multipliers.hpp>

#include <algorithm>

#include <rattleback/algebra/assumptions.hpp>
#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/motion/multiplier_steps.hpp>
#include <rattleback/motion/normal_reactions.hpp>
#include <rattleback/motion/singular_states.hpp>

namespace rattleback {
namespace {

Matrix shortened(Matrix m) {
  for (Expr& e : m.entries()) e = short_form(e);
  return m;
}

/// Combinations of short formulas; a longer one reads better as it was combined.
constexpr std::size_t shortened_up_to = 60;

Error degenerate_energy() {
  return Error("degenerate-energy", "the Lagrangian is not regular on the constraint",
               "the metric on the admissible velocities is singular",
               "add the missing inertia, or constrain the massless direction");
}

bool is_diagonal(const Matrix& m) {
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.columns(); ++j) {
      if (i != j && !m(i, j).is_zero()) return false;
    }
  }
  return true;
}

bool is_invertible_diagonal(const Matrix& m) {
  if (!is_diagonal(m)) return false;
  for (int i = 0; i < m.rows(); ++i) {
    if (vanishes_at_random_points(m(i, i))) return false;
  }
  return true;
}

/// The projector form, where M is easily inverted:
///     (A M⁻¹Aᵀ) λ = −c − A M⁻¹b,   v̇ = M⁻¹(b + Aᵀλ).                                                  (A.4)
Matrix by_projector(const LagrangeEquations& lagrange, const ConstraintRows& rows) {
  Matrix inverse = lagrange.mass;
  for (int i = 0; i < inverse.rows(); ++i) inverse(i, i) = pow(inverse(i, i), -1);
  const Matrix raised = inverse * transpose(rows.a);
  const auto lambda =
      solve(shortened(rows.a * raised), shortened(-rows.c - rows.a * (inverse * lagrange.force)));
  if (!lambda) throw degenerate_energy();
  return inverse * lagrange.force + raised * shortened(lambda->x);
}

/// The null-space form: v̇ = y + N u with A y = −c and A N = 0, so that λ drops out of
///     (NᵀM N) u = Nᵀ(b − M y).                                                                        (A.5)
/// L itself may be degenerate as long as NᵀMN is regular.
Matrix by_null_space(const LagrangeEquations& lagrange, const Matrix& y, const Matrix& N) {
  if (N.columns() == 0) return y;
  const Matrix lowered = transpose(N) * lagrange.mass;
  const Matrix G = shortened(lowered * N);
  if (rank(G) < G.rows()) throw degenerate_energy();
  const auto u = solve(G, shortened(transpose(N) * lagrange.force - lowered * y));
  if (!u) throw degenerate_energy();
  return y + N * shortened(u->x);
}

/// One y with A y = −c.
Matrix particular_solution(const ConstraintRows& rows) {
  const auto y = solve(rows.a, -rows.c);
  if (!y) throw Bug("independent constraints have no solution");
  return shortened(y->x);
}

/// The y that ψ offers: A(q) ψ(q, z) + b = 0 for all z, so dψ/dt at ż = 0 solves A y = −c.
Matrix drift_of(const System& system, const Admissible& D) {
  SymbolMap ahead{{system.time, Expr(1)}};
  for (const Symbol f : system.space.functions()) ahead.emplace(f, D.velocity()(Expr(f)));
  return Matrix::column(derivative_along(D.velocity().coefficients(), ahead));
}

bool projector_is_shorter(const LagrangeEquations& lagrange, const ConstraintRows& rows) {
  return rows.a.rows() > 0 && 2 * rows.a.rows() <= lagrange.mass.rows() &&
         is_invertible_diagonal(lagrange.mass);
}

/// v̇ is found; λ follows from (A.6).
ConstrainedMotion with_multipliers(const LagrangeEquations& lagrange, ConstraintRows rows,
                                   Matrix accelerations) {
  ConstrainedMotion motion{std::move(rows), std::move(accelerations), {}};
  const Matrix reaction = lagrange.mass * motion.accelerations - lagrange.force;
  motion.multipliers = shortened(multipliers_of(motion.rows, reaction));
  return motion;
}

/// The state is (q, v): the velocities of the frame are their own speeds.
EquationsOfMotion with_state(const System& system, const Matrix& rates) {
  EquationsOfMotion equations;
  equations.form = "multipliers";
  const Space& space = system.space;
  equations.configuration.assign(space.functions().begin(), space.functions().end());
  for (const Symbol f : equations.configuration)
    equations.configuration_rates.push_back(space.motion().at(f));
  for (int i = 0; i < space.dimension(); ++i) {
    const Symbol v = space.velocities()[i];
    equations.speeds.push_back(v);
    equations.speed_rates.push_back(rates[i]);
    equations.velocities.emplace(v, Expr(v));
    equations.speed_definitions.push_back(v);
  }
  return equations;
}

/// The admissible velocities, where every speed is a velocity, or a combination of velocities that the model names.
/// Speeds of the program's own choice would return as quotients.
std::optional<Admissible> named_speeds(const System& system, const ConstraintRows& rows) {
  if (!rows.linear || rows.a.rows() == 0 || system.parametrization) return std::nullopt;
  Admissible D = admissible_velocities(system);
  const bool plain =
      std::all_of(D.definitions.begin(), D.definitions.end(), [](Expr z) { return z.is(Kind::symbol); });
  if (system.velocities.empty() && !plain) return std::nullopt;
  return D;
}

/// z^α ↦ its definition by the velocities.
SymbolMap definitions_of(const Admissible& D) {
  SymbolMap map;
  for (std::size_t alpha = 0; alpha < D.speeds.size(); ++alpha)
    map.emplace(D.speeds[alpha], D.definitions[alpha]);
  return map;
}

/// The shorter of e as built after the substitution and its short form; mere names change no form.
Expr written_back(Expr e, const SymbolMap& to_velocities) {
  const Expr built = substitute(e, to_velocities);
  if (std::all_of(to_velocities.begin(), to_velocities.end(),
                  [](const auto& entry) { return entry.second.is(Kind::symbol); }))
    return built;
  const Expr other = short_form(built);
  return written_size(other) < written_size(built) ? other : built;
}

std::vector<Statement> written_back(std::vector<Statement> statements, const SymbolMap& to_velocities) {
  for (Statement& s : statements) s.value = written_back(s.value, to_velocities);
  return statements;
}

void shorten_on_constraint(EquationsOfMotion& equations, const SymbolMap& to_velocities) {
  for (Expr& rate : equations.speed_rates) rate = written_back(rate, to_velocities);
  equations.multipliers = written_back(equations.multipliers, to_velocities);
  equations.reactions = written_back(equations.reactions, to_velocities);
  equations.notes.emplace_back("written for velocities that satisfy the constraints");
}

Assumptions conditions(const EquationsOfMotion& equations) {
  std::vector<Expr> formulas = equations.speed_rates;
  for (const Statement& s : equations.multipliers) formulas.push_back(s.value);
  return denominators(formulas);
}

}  // namespace

ConstrainedMotion constrained_motion(const System& system) {
  LagrangeEquations lagrange = lagrange_equations(system);
  lagrange.mass = shortened(lagrange.mass);
  const ConstraintRows rows = constraint_rows(system);
  const Matrix a = projector_is_shorter(lagrange, rows)
                       ? by_projector(lagrange, rows)
                       : by_null_space(lagrange, particular_solution(rows), shortened(kernel(rows.a).basis));
  return with_multipliers(lagrange, rows, shortened(a));
}

ConstrainedMotion constrained_motion(const System& system, const Admissible& D) {
  const SymbolMap psi = D.substitution();
  LagrangeEquations lagrange = lagrange_equations(system);
  lagrange.mass = shortened(substitute(lagrange.mass, psi));
  lagrange.force = substitute(lagrange.force, psi);
  ConstraintRows rows = constraint_rows(system);
  rows.c = substitute(rows.c, psi);
  Matrix a = by_null_space(lagrange, drift_of(system, D), D.psi);
  for (Expr& e : a.entries()) e = graph_size(std::span(&e, 1)) <= shortened_up_to ? short_form(e) : e;
  return with_multipliers(lagrange, rows, a);
}

EquationsOfMotion multiplier_equations(const System& system) {
  const auto D = named_speeds(system, constraint_rows(system));
  const ConstrainedMotion motion = D ? constrained_motion(system, *D) : constrained_motion(system);
  EquationsOfMotion equations = with_state(system, motion.accelerations);
  Reactions named = named_reactions(system, motion.rows, motion.multipliers);
  for (Statement& s : implied_normal_reaction(system, equations, named))
    named.reactions.push_back(std::move(s));
  equations.multipliers = named.multipliers;
  equations.reactions = named.reactions;
  equations.notes = reaction_notes(system, motion.rows);
  if (D) shorten_on_constraint(equations, definitions_of(*D));
  equations.where = conditions(equations);
  if (!motion.rows.linear) {
    const Assumptions regular =
        full_rank_conditions(motion.rows.a, equations.where, "the constraints lose their rank elsewhere");
    equations.where.insert(equations.where.end(), regular.begin(), regular.end());
    equations.where = simplified(equations.where);
  }
  equations.steps = multiplier_steps(system, constraint_rows(system));
  return equations;
}

}  // namespace rattleback
