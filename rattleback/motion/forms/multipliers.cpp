#include <rattleback/motion/forms/multipliers.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/principal_minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/multiplier_symbols.hpp>
#include <rattleback/motion/equations/normal_reactions.hpp>
#include <rattleback/motion/forms/multiplier_steps.hpp>
#include <rattleback/motion/velocities/definite_metric.hpp>
#include <rattleback/motion/velocities/degenerate_energy.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/motion/velocities/singular_states.hpp>

namespace rattleback {
namespace {

/// Combinations of formulas up to this length are simplified; longer ones stay as they were combined.
constexpr std::size_t shortened_up_to = search_limits::combined_multipliers.count;

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
      solve(short_form(rows.a * raised), short_form(-rows.c - rows.a * (inverse * lagrange.force)));
  if (!lambda) throw degenerate_energy();
  return inverse * lagrange.force + raised * short_form(lambda->x);
}

/// The null-space form: v̇ = y + N u with A y = −c and A N = 0, so that λ drops out of
///     (NᵀM N) u = Nᵀ(b − M y).                                                                        (A.5)
/// L itself may be degenerate as long as NᵀMN is regular.
Matrix by_null_space(const LagrangeEquations& lagrange, const Matrix& y, const Matrix& N) {
  if (N.columns() == 0) return y;
  const Matrix lowered = transpose(N) * lagrange.mass;
  const Matrix G = short_form(lowered * N);
  if (rank(G) < G.rows()) throw degenerate_energy();
  const auto u = solve(G, short_form(transpose(N) * lagrange.force - lowered * y));
  if (!u) throw degenerate_energy();
  return y + N * short_form(u->x);
}

/// One y with A y = −c.
Matrix particular_solution(const ConstraintRows& rows) {
  const auto y = solve(rows.a, -rows.c);
  if (!y) throw Bug("independent constraints have no solution");
  return short_form(y->x);
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
  motion.multipliers = short_form(multipliers_of(motion.rows, reaction));
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

/// Without conditions on factors of the determinant of the metric on D, or on its minors, where that is definite and so has no
/// zeros. (H.7)
Assumptions without_determinants(const System& system, const Admissible& D, const Assumptions& where) {
  if (where.empty()) return where;
  const auto definite = definite_metric(system, D);
  if (!definite) return where;
  // Short pivots say exactly where, while a definite metric suffices.
  const bool are_short = std::ranges::all_of(
      where, [](const Assumption& a) { return fits(a.expression, legible::in_a_sentence); });
  const bool suffices_only = std::ranges::any_of(
      *definite, [](const Assumption& a) { return a.kind == Assumption::Kind::positive; });
  if (suffices_only && are_short) return where;
  const Matrix M = substitute(lagrange_equations(system).mass, D.substitution());
  const Matrix G = transpose(D.psi) * M * D.psi;
  std::vector<Expr> stated;
  for (const Assumption& a : where) stated.push_back(a.expression);
  const std::vector<bool> is_minor = are_made_of_principal_minors(G, stated);
  const Expr det = determinant(short_form(G));
  const auto has_no_zeros = [&](const Assumption& a) {
    if (a.kind != Assumption::Kind::nonzero) return false;
    if (is_minor[static_cast<std::size_t>(&a - where.data())]) return true;
    const Expr quotient = short_form(det / a.expression);
    return denominators(std::span(&quotient, 1)).empty();
  };
  Assumptions kept = *definite;
  std::ranges::remove_copy_if(where, std::back_inserter(kept), has_no_zeros);
  kept = simplified(kept);
  return kept.size() < where.size() || (kept.size() == where.size() && !are_short) ? kept : where;
}

/// Conditions that a motion may run into.
Assumptions on_states(const Assumptions& where) {
  Assumptions out;
  const auto is_about_parameters = [](const Assumption& a) {
    return std::ranges::all_of(symbols_of(a.expression),
                               [](Symbol s) { return s.role() == Role::parameter; });
  };
  std::ranges::remove_copy_if(where, std::back_inserter(out), is_about_parameters);
  return out;
}

/// Some of the others, and not all of them.
bool are_fewer(const Assumptions& some, const Assumptions& others) {
  return some.size() < others.size() && std::ranges::all_of(some, [&](const Assumption& a) {
           return std::ranges::find(others, a.expression, &Assumption::expression) != others.end();
         });
}

/// The accelerations in terms of the multipliers, (A.10), with the multipliers' values put in: they divide by nothing but what
/// the multipliers do, and stand where others have poles that the motion does not have. A line that is not shorter in names stays
/// as it is.
void write_with_fewer_poles(const System& system, const ConstraintRows& rows, EquationsOfMotion& equations) {
  if (equations.where.empty()) return;
  const auto in_names = accelerations_by_multipliers(system, rows);
  if (!in_names) return;
  const Matrix lambda = multiplier_symbols(system, rows);
  SymbolMap values;
  for (int s = 0; s < lambda.rows(); ++s)
    values.emplace(lambda[s].symbol(), equations.multipliers[static_cast<std::size_t>(s)].value);
  EquationsOfMotion other = equations;
  PrintedCost cost;
  for (int i = 0; i < in_names->rows(); ++i) {
    Expr& rate = other.speed_rates[static_cast<std::size_t>(i)];
    if (cost(rate) > cost((*in_names)[i])) rate = substitute((*in_names)[i], values);
  }
  const Assumptions where = conditions(other);
  if (!are_fewer(on_states(where), on_states(equations.where))) return;
  equations.speed_rates = other.speed_rates;
  equations.where = where;
}

}  // namespace

std::optional<Admissible> named_speeds(const System& system, const ConstraintRows& rows) {
  if (!rows.linear || rows.a.rows() == 0 || system.parametrization) return std::nullopt;
  Admissible D = admissible_velocities(system);
  const bool plain =
      std::all_of(D.definitions.begin(), D.definitions.end(), [](Expr z) { return z.is(Kind::symbol); });
  if (system.velocities.empty() && !plain) return std::nullopt;
  return D;
}

std::optional<Matrix> accelerations_by_multipliers(const System& system, const ConstraintRows& rows) {
  if (rows.a.rows() == 0) return std::nullopt;
  const LagrangeEquations lagrange = lagrange_equations(system);
  const auto v =
      unique_solution(lagrange.mass, lagrange.force + transpose(rows.a) * multiplier_symbols(system, rows));
  if (!v) return std::nullopt;
  return short_form(v->x);
}

ConstrainedMotion constrained_motion(const System& system) {
  LagrangeEquations lagrange = lagrange_equations(system);
  lagrange.mass = short_form(lagrange.mass);
  const ConstraintRows rows = constraint_rows(system);
  const Matrix a = projector_is_shorter(lagrange, rows)
                       ? by_projector(lagrange, rows)
                       : by_null_space(lagrange, particular_solution(rows), short_form(kernel(rows.a).basis));
  return with_multipliers(lagrange, rows, short_form(a));
}

ConstrainedMotion constrained_motion(const System& system, const Admissible& D) {
  const SymbolMap psi = D.substitution();
  LagrangeEquations lagrange = lagrange_equations(system);
  lagrange.mass = short_form(substitute(lagrange.mass, psi));
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
  if (D) equations.where = without_determinants(system, *D, equations.where);
  write_with_fewer_poles(system, constraint_rows(system), equations);
  if (!motion.rows.linear) {
    const Assumptions regular =
        full_rank_conditions(motion.rows.a, equations.where, "the constraints lose their rank elsewhere");
    equations.where.insert(equations.where.end(), regular.begin(), regular.end());
    equations.where = simplified(equations.where);
  }
  equations.steps = Steps([=] { return multiplier_steps(system, constraint_rows(system)); });
  return equations;
}

}  // namespace rattleback
