#include <rattleback/motion/multipliers.hpp>

#include <rattleback/algebra/assumptions.hpp>
#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/motion/admissible.hpp>
#include <rattleback/motion/singular_states.hpp>

namespace rattleback {
namespace {

Matrix shortened(Matrix m) {
  for (Expr& e : m.entries()) e = short_form(e);
  return m;
}

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
Matrix by_null_space(const LagrangeEquations& lagrange, const ConstraintRows& rows) {
  const auto y = solve(rows.a, -rows.c);
  if (!y) throw Bug("independent constraints have no solution");
  const Matrix particular = shortened(y->x), N = shortened(kernel(rows.a).basis);
  if (N.columns() == 0) return particular;
  const Matrix lowered = transpose(N) * lagrange.mass;
  const Matrix G = shortened(lowered * N);
  if (rank(G) < G.rows()) throw degenerate_energy();
  const auto u = solve(G, shortened(transpose(N) * lagrange.force - lowered * particular));
  if (!u) throw degenerate_energy();
  return particular + N * shortened(u->x);
}

Matrix accelerations(const LagrangeEquations& lagrange, const ConstraintRows& rows) {
  const int k = rows.a.rows(), n = lagrange.mass.rows();
  const bool easily_inverted = is_invertible_diagonal(lagrange.mass) && 2 * k <= n;
  return k > 0 && easily_inverted ? by_projector(lagrange, rows) : by_null_space(lagrange, rows);
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

/// v = ψ(q, z), and the way back: z as functions of v.
struct Restriction {
  SymbolMap to_speeds, to_velocities;
};

/// Where every speed is a velocity, or a combination of velocities that the model names. Speeds of the program's own
/// choice would return as quotients.
std::optional<Restriction> restriction(const System& system, const ConstraintRows& rows) {
  if (!rows.linear || rows.a.rows() == 0 || system.parametrization) return std::nullopt;
  const Admissible D = admissible_velocities(system);
  Restriction found{D.substitution(), {}};
  for (int alpha = 0; alpha < D.rank(); ++alpha) {
    const Expr z = D.definitions[static_cast<std::size_t>(alpha)];
    if (system.velocities.empty() && !z.is(Kind::symbol)) return std::nullopt;
    found.to_velocities.emplace(D.speeds[static_cast<std::size_t>(alpha)], z);
  }
  return found;
}

/// The shorter of e as built after the substitution and its short form.
Expr written_back(Expr e, const SymbolMap& to_velocities) {
  const Expr built = substitute(e, to_velocities), other = short_form(built);
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

ConstrainedMotion constrained_motion(const System& system, const SymbolMap& at) {
  LagrangeEquations lagrange = lagrange_equations(system);
  lagrange.mass = shortened(substitute(lagrange.mass, at));
  lagrange.force = substitute(lagrange.force, at);
  ConstrainedMotion motion;
  motion.rows = constraint_rows(system);
  motion.rows.a = substitute(motion.rows.a, at);
  motion.rows.c = substitute(motion.rows.c, at);
  motion.accelerations = shortened(accelerations(lagrange, motion.rows));
  const Matrix reaction = lagrange.mass * motion.accelerations - lagrange.force;
  motion.multipliers = shortened(multipliers_of(motion.rows, reaction));
  return motion;
}

EquationsOfMotion multiplier_equations(const System& system) {
  const auto on_constraint = restriction(system, constraint_rows(system));
  const ConstrainedMotion motion =
      constrained_motion(system, on_constraint ? on_constraint->to_speeds : SymbolMap());
  EquationsOfMotion equations = with_state(system, motion.accelerations);
  const Reactions named = named_reactions(system, motion.rows, motion.multipliers);
  equations.multipliers = named.multipliers;
  equations.reactions = named.reactions;
  equations.notes = reaction_notes(system, motion.rows);
  if (on_constraint) shorten_on_constraint(equations, on_constraint->to_velocities);
  equations.where = conditions(equations);
  if (!motion.rows.linear) {
    const Assumptions regular =
        full_rank_conditions(motion.rows.a, equations.where, "the constraints lose their rank elsewhere");
    equations.where.insert(equations.where.end(), regular.begin(), regular.end());
  }
  return equations;
}

}  // namespace rattleback
