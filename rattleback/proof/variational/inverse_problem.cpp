#include <rattleback/proof/variational/inverse_problem.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/variational/driven_lagrangian.hpp>
#include <rattleback/proof/variational/not_variational_certificate.hpp>
#include <rattleback/proof/variational/separated_lagrangian.hpp>

namespace rattleback {
namespace {

struct Finding {
  Outcome outcome = Outcome::undecided;
  Verdict proof;
  std::string line;
  int derivatives = 0;  ///< of the Jacobi endomorphism and itself, when they refute it
};

void add_decoupled(Answer& a, const Chaplygin& c, const SecondOrderSystem& s, const DecoupledLagrangian& L) {
  a.answer["lagrangian"] = L.family;
  a.answer["hamiltonian"] = L.hamiltonian;
  std::vector<std::string> submanifold;
  for (const Expr e : constraint_in_momenta(c, s, L)) submanifold.push_back(text(e) + " = 0");
  a.answer["submanifold"] = submanifold;
  a.why.push_back(
      fmt::format("Lagrangian {}, for any function rho with rho'' != 0 and constants that are not zero",
                  brief(L.family)));
  a.why.push_back(fmt::format("Hamiltonian {} (Legendre transform: {}) on {}", brief(L.hamiltonian),
                              evidence(L.legendre), fmt::join(submanifold, ", ")));
}

/// (C.31), where it exists.
void add_separated(Answer& a, const Chaplygin& c, const SecondOrderSystem& s, const DecoupledLagrangian& L) {
  const auto second = separated_lagrangian(c, s, L, constant_inertias(c));
  if (!second || !proved(second->is_lagrangian) || !proved(second->legendre)) return;
  a.answer["second_lagrangian"] = second->lagrangian;
  a.answer["second_hamiltonian"] = second->hamiltonian;
  std::vector<std::string> submanifold;
  for (const Expr e : second->submanifold) submanifold.push_back(text(e) + " = 0");
  a.answer["second_submanifold"] = submanifold;
  a.why.push_back(fmt::format("since {} moves uniformly, also {}, with the Hamiltonian {} on {}",
                              s.q[static_cast<std::size_t>(second->uniform)].name(), text(second->lagrangian),
                              text(second->hamiltonian), fmt::join(submanifold, ", ")));
}

/// The first Lagrangian that is found, for the checker.
void add_certificate(Answer& a, const Chaplygin& c, Expr lagrangian) {
  if (a.certificate.is_null())
    a.certificate = lagrangian_certificate(c.system, gibbs_appell_equations(c.system), lagrangian);
}

Finding judged(Answer& a, const Chaplygin& c, const AssociatedSystem& s) {
  Finding f;
  if (!proved(s.restricts)) {
    f.line = fmt::format("type {}: on the constraint it is not the nonholonomic motion", s.type);
    f.outcome = Outcome::refuted;
    f.proof = s.restricts;
    return f;
  }
  if (s.lagrangian) f.proof = is_lagrangian(s.equations, *s.lagrangian);  // not where forces act besides
  if (s.lagrangian && proved(f.proof)) {
    f.outcome = Outcome::proved;
    f.line = fmt::format("type {}: Lagrangian {}", s.type, brief(*s.lagrangian));
    if (a.answer.find("lagrangian") == nullptr) {
      a.answer["lagrangian"] = *s.lagrangian;
      restrict_to_lagrangian(c.system, s.equations, *s.lagrangian, a.answer);
    }
    add_certificate(a, c, *s.lagrangian);
    return f;
  }
  if (const auto L = decoupled_lagrangian(s.equations, constant_inertias(c), scale_hints(c));
      L && proved(L->is_lagrangian)) {
    f.proof = L->is_lagrangian;
    f.outcome = Outcome::proved;
    f.line = fmt::format("type {}: a regular Lagrangian was found and verified", s.type);
    add_certificate(a, c, L->lagrangian);
    if (a.answer.find("lagrangian") == nullptr) restrict_to_lagrangian(c.system, s.equations, *L, a.answer);
    add_decoupled(a, c, s.equations, *L);
    add_separated(a, c, s.equations, *L);
    return f;
  }
  if (const auto L = driven_lagrangian(s.equations); L && proved(L->is_lagrangian)) {
    f.proof = L->is_lagrangian;
    f.outcome = Outcome::proved;
    f.line =
        fmt::format("type {}: Lagrangian {}, where {} > 0", s.type, brief(L->lagrangian), text(L->positive));
    if (a.answer.find("lagrangian") == nullptr) {
      a.answer["lagrangian"] = L->lagrangian;
      restrict_to_lagrangian(c.system, s.equations, L->lagrangian, a.answer);
    }
    add_certificate(a, c, L->lagrangian);
    return f;
  }
  const AlgebraicMultipliers left = algebraic_multipliers(s.equations);
  if (proved(left.singular)) {
    f.outcome = Outcome::refuted;
    f.proof = left.singular;
    f.derivatives = left.order;
    f.line = fmt::format(
        "type {}: {} algebraic conditions from the Jacobi endomorphism and {} of its derivatives leave only "
        "singular multipliers: no regular Lagrangian",
        s.type, left.conditions, left.order);
  } else {
    f.line = fmt::format(
        "type {}: regular multipliers pass the algebraic conditions; no Lagrangian was found", s.type);
  }
  return f;
}

std::string equations_text(const SecondOrderSystem& s) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < s.q.size(); ++i)
    lines.push_back(fmt::format("{}'' = {}", s.q[i].name(), brief(s.f[i])));
  return fmt::format("{}", fmt::join(lines, ", "));
}

std::string fibre_names(const Chaplygin& c) {
  std::vector<std::string> names;
  for (const int i : c.form.constraints.connection.fibre()) names.push_back(leg_name(c.system.space, i));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// For one choice of the group that moves the fibre.
Answer under_group(const Chaplygin& c) {
  Answer a;
  Data types;
  std::vector<std::string> lines;
  std::optional<Verdict> proof, refutation;
  bool all_refuted = true;
  std::vector<RefutedSystem> refuted_systems;
  for (const AssociatedSystem& s : associated_systems(c)) {
    const Finding f = judged(a, c, s);
    types[s.type]["equations"] = equations_text(s.equations);
    types[s.type]["variational"] =
        f.outcome == Outcome::undecided ? Data() : Data(f.outcome == Outcome::proved);
    lines.insert(f.outcome == Outcome::proved ? lines.begin() : lines.end(), f.line);
    if (f.outcome == Outcome::proved && !proof) proof = f.proof;
    if (f.outcome == Outcome::refuted && !refutation) refutation = f.proof;
    all_refuted = all_refuted && f.outcome == Outcome::refuted;
    refuted_systems.push_back({s.type, s.equations, f.derivatives});
  }
  a.answer["types"] = types;
  a.answer["group"] = fibre_names(c);
  a.why.insert(a.why.begin(), lines.begin(), lines.end());
  if (proof) {
    a.outcome = Outcome::proved;
    a.evidence = std::get<Proved>(*proof).why;
    a.answer["exists"] = true;
  } else if (all_refuted) {
    a.evidence = proved(*refutation) ? std::get<Proved>(*refutation).why : Certificate{};
    set_not_found(
        a, "the associated systems of types I, II and III in these coordinates; in others II and III differ",
        "check a Lagrangian of your own with `rattleback prove MODEL --lagrangian`");
    a.answer["exists"] = Data();
    a.certificate = no_lagrangian_certificate(c.system, refuted_systems);
  } else {
    set_not_found(
        a,
        "Lagrangians (C.23) and (C.24) of the associated systems of types I, II and III in these coordinates",
        "check a Lagrangian of your own with `rattleback prove MODEL --lagrangian`, or ask "
        "chaplygin-multiplier");
    a.answer["exists"] = Data();
  }
  return a;
}

/// Choices of the fibre beyond this are not tried.
constexpr int most_groups = search_limits::groups_of_the_inverse_problem.count;

}  // namespace

void restrict_to_lagrangian(const System& system, const SecondOrderSystem& s, Expr lagrangian, Data& answer) {
  constexpr int most = search_limits::metric_determinant.count;
  restrict_to_witness(system, s.v, lagrangian, false, answer);
  if (angle_of_several_values(system.space, lagrangian)) restrict_domain(answer, {}, true);
  if (s.dimension() > most) return;
  const Matrix hessian = jacobian(gradient(lagrangian, s.v), s.v);
  const Expr det = determinant(hessian);
  restrict_to_witness(system, s.v, det, true, answer);
  std::vector<Expr> formulas = s.f;
  formulas.push_back(lagrangian);
  state_dependence(on_witness({det}, formulas));
}

void restrict_to_lagrangian(const System& system, const SecondOrderSystem& s, const DecoupledLagrangian& L,
                            Data& answer) {
  SymbolMap ones;
  for (const Symbol c : L.constants) ones.emplace(c, Expr(1));
  restrict_to_lagrangian(system, s, substitute(L.lagrangian, ones), answer);
}

Answer inverse_problem_answer(const System& system) {
  if (system.constraints.empty() && !system.parametrization) return free_inverse_problem(system);
  std::optional<Answer> first, other;  // of the best fibre; of one that succeeds where it does not
  std::optional<Inapplicable> why_not;
  int groups = 0;
  visit_chaplygin_reductions(system, [&](const Chaplygin& c) {
    try {
      const Answer a = under_group(c);
      ++groups;
      if (!first)
        first = a;
      else if (a.outcome == Outcome::proved)
        other = a;
      return a.outcome == Outcome::proved || groups == most_groups;
    } catch (const Inapplicable& error) {
      if (!why_not) why_not = error;
      return false;
    }
  });
  if (!first) throw Inapplicable(*why_not);
  Answer a = other ? *other : *first;
  if (other) {
    a.answer["subgroups"] = fmt::format("not with the fibre {}", *first->answer.find("group")->text());
    a.why.push_back(fmt::format("with the fibre {}; not with {}", *a.answer.find("group")->text(),
                                *first->answer.find("group")->text()));
  } else if (groups > 1) {
    a.answer["subgroups"] = fmt::format("{} choices of the fibre were tried", groups);
  }
  return a;
}

}  // namespace rattleback
