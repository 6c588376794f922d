// Declared in proof/variational/conditionally_variational.hpp. What is said about variational multipliers: which they are, or along which motions they exist.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/variational/conditionally_variational.hpp>
#include <rattleback/proof/variational/not_variational_certificate.hpp>

namespace rattleback {
namespace {

std::vector<std::string> texts(const std::vector<Expr>& es) {
  std::vector<std::string> all;
  for (const Expr e : es) all.push_back(brief(e));
  return all;
}

std::vector<Symbol> parameters_only(Expr f) {
  std::vector<Symbol> some;
  for (const Symbol s : symbols_of(f)) {
    if (s.role() == Role::parameter) some.push_back(s);
  }
  return some;
}

/// "(u = 0 or v = 0) and (w = 0)"; nothing when it is too long to be read.
std::string partial_text(const ConditionallyVariational& x) {
  std::size_t size = 0;
  for (const std::vector<Expr>& factors : x.partial) {
    for (const Expr f : factors) size += written_size(f);
  }
  if (size > legible::in_multiplier_equations.count) return {};  // in symbols: each is a character at least
  std::vector<std::string> conditions;
  for (const std::vector<Expr>& factors : x.partial) {
    std::vector<std::string> choices;
    for (const Expr f : factors) {
      if (symbols_of(f) != parameters_only(f)) choices.push_back(text(f) + " = 0");
    }
    conditions.push_back(fmt::format("{}", fmt::join(choices, " or ")));
  }
  const std::string all =
      conditions.size() == 1 ? conditions[0] : fmt::format("({})", fmt::join(conditions, ") and ("));
  return x.partial.empty() || all.size() > legible::in_multiplier_equations.count ? std::string() : all;
}

/// Is the density in position and momentum constant, ∂_β ln N = K^α_αβ = 0? Nothing for systems that are not Chaplygin's.
std::optional<bool> density_is_constant(const System& system) {
  try {
    const Chaplygin c = chaplygin_reduction(system);
    for (int beta = 0; beta < c.metric.rows(); ++beta) {
      std::vector<Expr> trace{Expr(0)};
      for (int a = 0; a < c.metric.rows(); ++a) trace.push_back(c.K(a, beta, a));
      if (!vanishes_at_random_points(sum(trace))) return false;
    }
    return true;
  } catch (const Inapplicable&) {
    return std::nullopt;
  }
}

/// The larger Lagrangian system, for a group under which Chaplygin's reduction shows it.
void add_larger_system(Answer& a, const System& system) {
  try {
    const VariationalLagrangian larger = variational_lagrangian(chaplygin_reduction(system));
    if (!proved(larger.restricts)) return;
    a.answer["lagrangian"] = larger.lagrangian;
    a.answer["hessian"] = larger.determinant;
    a.answer["hamiltonian"] = larger.hamiltonian ? Data(*larger.hamiltonian) : Data();
    std::vector<std::string> zero;
    for (const Symbol p : larger.vanishing) zero.push_back(p.name() + " = 0");
    a.answer["submanifold"] = zero;
    a.why.push_back(fmt::format("on the constraint its motions are those of the unconstrained Lagrangian {}",
                                brief(larger.lagrangian)));
    if (larger.hamiltonian)
      a.why.push_back(fmt::format("in phase space: on {} the Hamiltonian {}", fmt::join(zero, ", "),
                                  brief(*larger.hamiltonian)));
  } catch (const Inapplicable&) {  // not a system of this kind
  }
}

/// μ_a belongs to the frame W_a of the complement; ν_s, one for each constraint, with μ_a φ^a = ν_s C^s on TQ. Nothing where the
/// constraints as they are written do not determine it.
std::optional<std::vector<Expr>> of_constraints(const System& system, const ConditionallyVariational& x) {
  const std::vector<Expr>& mu = *x.multipliers;
  std::vector<Expr> functions;
  for (const Constraint& constraint : system.constraints) functions.push_back(constraint.expression);
  const Matrix slopes = jacobian(functions, system.space.velocities());
  Matrix on_complement(static_cast<int>(mu.size()), slopes.rows());  // C^s(W_a)
  for (int a = 0; a < on_complement.rows(); ++a) {
    const Matrix values = slopes * Matrix::column(x.complement[static_cast<std::size_t>(a)].coefficients());
    for (int s = 0; s < slopes.rows(); ++s) on_complement(a, s) = values[s];
  }
  const auto nu = unique_solution(on_complement, Matrix::column(mu));
  if (!nu) return std::nullopt;
  std::vector<Expr> all;
  for (const Expr e : nu->x.entries()) all.push_back(short_form(e));
  return all;
}

Data multipliers_certificate(const System& system, const ConditionallyVariational& x) {
  const auto nu = of_constraints(system, x);
  if (!nu) return {};
  const Admissible D = admissible_velocities(system);
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  SymbolMap speeds;  // those of D as functions of the speeds of the motion
  for (std::size_t z = 0; z < D.speeds.size(); ++z)
    speeds.emplace(D.speeds[z], substitute(D.definitions[z], motion.velocities));
  std::vector<Expr> all;
  for (const Expr e : *nu) all.push_back(short_form(substitute(e, speeds)));
  return variational_certificate(system, motion, all);
}

/// "of `blade`: u, of `wheel`: v", or without names where the constraints do not determine them.
void add_multipliers(Answer& a, const System& system, const ConditionallyVariational& x) {
  const auto nu = of_constraints(system, x);
  const std::vector<std::string> values = texts(nu ? *nu : *x.multipliers);
  a.answer["multipliers"] = values;
  for (const Expr e : nu ? *nu : *x.multipliers) restrict_to_witness(system, e, false, a.answer);
  a.certificate = certificate_of(system, x);
  if (values.empty() || (x.zero_reaction && !x.strict.value_or(false))) return;
  std::vector<std::string> named;
  for (std::size_t s = 0; s < values.size(); ++s)
    named.push_back(nu ? fmt::format("{} of `{}`", values[s], system.constraints[s].name) : values[s]);
  a.why.push_back(fmt::format("the multipliers are {}", fmt::join(named, ", ")));
}

}  // namespace

Data certificate_of(const System& system, const ConditionallyVariational& x) {
  if (refuted(x.full)) return not_variational_certificate(system, x.rounds);
  return x.multipliers ? multipliers_certificate(system, x) : Data();
}

Answer conditionally_variational_answer(const System& system) {
  const ConditionallyVariational x = conditionally_variational(system);
  Answer a = answer_of(x.full);
  a.answer["strict"] = x.strict ? Data(*x.strict) : Data();
  a.answer["full"] = undecided(x.full) ? Data() : Data(proved(x.full));
  if (a.outcome == Outcome::refuted) {
    a.why.emplace_back(
        "along a general motion no multipliers satisfy the equations of the variational principle");
    if (const std::string where = partial_text(x); !where.empty())
      a.why.push_back(fmt::format("only motions with {} throughout may be variational", where));
    state_dependence({{x.conditions}, false, false, true});
    a.certificate = certificate_of(system, x);
    return a;
  }
  if (system.constraints.empty() && !system.parametrization)
    a.why.emplace_back("there are no constraints: the motion is that of its Lagrangian");
  else if (x.zero_reaction)
    a.why.emplace_back(
        "the reactions vanish: the free motion respects the constraints, and zero multipliers do");
  if (x.multipliers) {
    if (a.outcome == Outcome::proved) state_dependence(on_witness({}, *x.multipliers));
    add_multipliers(a, system, x);
  }
  if (x.strict_subgroup) {
    a.answer["subgroups"] = fmt::format("strictly under {}", *x.strict_subgroup);
    a.why.push_back(fmt::format("under {} the curvature exerts no force: strictly so", *x.strict_subgroup));
  }
  const std::optional<bool> constant =
      x.strict.value_or(false) ? std::optional(true) : density_is_constant(system);
  a.answer["constant_density"] = constant ? Data(*constant) : Data();
  if (x.strict.value_or(false) && !x.complement.empty()) {
    a.why.emplace_back(
        "the curvature exerts no force on the reduced motion, whose density in position and momentum is "
        "therefore constant");
    add_larger_system(a, system);
  } else if (constant && !*constant) {
    a.why.emplace_back("and yet the density of the reduced motion in position and momentum is not constant");
  }
  if (a.outcome == Outcome::proved && a.why.empty())
    a.why.emplace_back("the equations for the multipliers (C.9), (C.10) have a solution along every motion");
  return a;
}

}  // namespace rattleback
