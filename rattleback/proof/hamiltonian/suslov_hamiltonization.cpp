#include <rattleback/proof/hamiltonian/suslov_hamiltonization.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/forms/suslov.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/hamiltonian/no_hamiltonization_certificate.hpp>

namespace rattleback {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Inapplicable(
      "form-does-not-apply", "this is not an Euler-Poincare-Suslov system", why,
      "ask it of a left-invariant Lagrangian with left-invariant linear constraints on a group");
}

/// The system on its Lie algebra, with linear constraints, a quadratic energy and nothing else acting.
EulerPoincareSuslov on_algebra(const System& system) {
  EulerPoincareSuslov e = euler_poincare_suslov(system);
  if (std::any_of(e.system.forces.begin(), e.system.forces.end(), [](Expr f) { return !f.is_zero(); }))
    refuse("forces act on it");
  for (const Expr y : e.D.drift.entries()) {
    if (!vanishes_at_random_points(y)) refuse("the constraints are affine, not linear");
  }
  SymbolMap rest;
  for (const Symbol xi : e.system.space.velocities()) rest.emplace(xi, Expr(0));
  for (const Expr p : gradient(e.lagrangian, e.system.space.velocities())) {
    if (!vanishes_at_random_points(substitute(p, rest)))
      refuse("the Lagrangian has a term that is linear in the velocities");
  }
  return e;
}

std::vector<Expr> all_jacobiators(const StructureCoefficients& S) {
  std::vector<Expr> entries;
  for (int a = 0; a < S.dimension(); ++a) {
    for (int b = a + 1; b < S.dimension(); ++b) {
      for (int c = b + 1; c < S.dimension(); ++c) {
        for (const Expr e : jacobiator(S, a, b, c).entries()) entries.push_back(e);
      }
    }
  }
  return entries;
}

/// The name of a Lie algebra of numbers; brackets that depend on parameters have none.
std::string name_of(const StructureCoefficients& S) {
  std::vector<std::string> basis;
  for (int a = 0; a < S.dimension(); ++a) {
    basis.push_back(fmt::format("u{}", a + 1));
    for (int b = 0; b < S.dimension(); ++b) {
      for (int c = 0; c < S.dimension(); ++c) {
        if (!S(a, b, c).is(Kind::constant)) return {};
      }
    }
  }
  return recognised_name(LieAlgebra(basis, S));
}

}  // namespace

SuslovHamiltonization suslov_hamiltonization(const System& system) {
  SuslovHamiltonization x;
  EulerPoincareSuslov on = on_algebra(system);
  x.system = std::move(on.system);
  x.d = std::move(on.D);
  const int m = x.d.rank();
  x.S = constrained_structure_coefficients(x.system, x.d);
  for (int a = 0; a < m; ++a) {
    std::vector<Expr> trace{Expr(0)};
    for (int b = 0; b < m; ++b) {
      for (int c = 0; c < m; ++c) x.S(a, b, c) = short_form(x.S(a, b, c));
      trace.push_back(x.S(a, b, b));
    }
    x.trace.push_back(short_form(sum(trace)));
  }
  x.jacobiator = all_jacobiators(x.S);
  x.is_lie = is_zero(x.jacobiator);
  std::erase_if(x.jacobiator, [](Expr e) { return vanishes_at_random_points(e); });
  const ConstrainedBracket b = constrained_bracket(x.system, x.d);
  x.momenta = b.momenta;
  x.definitions = b.definitions;
  x.hamiltonian = b.hamiltonian;
  if (proved(x.is_lie)) x.name = name_of(x.S);
  return x;
}

namespace {

/// "{p_u, p_omega} = …", those that do not vanish.
std::vector<std::string> bracket_texts(const SuslovHamiltonization& x) {
  std::vector<std::string> lines;
  for (int a = 0; a < x.S.dimension(); ++a) {
    for (int b = a + 1; b < x.S.dimension(); ++b) {
      std::vector<Expr> terms{Expr(0)};
      for (int c = 0; c < x.S.dimension(); ++c)
        terms.push_back(-x.S(a, b, c) * x.momenta[static_cast<std::size_t>(c)]);
      const Expr value = short_form(sum(terms));
      if (!value.is_zero())
        lines.push_back(fmt::format("{{{}, {}}} = {}", x.momenta[static_cast<std::size_t>(a)].name(),
                                    x.momenta[static_cast<std::size_t>(b)].name(), brief(value)));
    }
  }
  return lines;
}

/// (C.34) with ζ^α = z^α.
Data certificate_of(const SuslovHamiltonization& x) {
  const EquationsOfMotion motion = gibbs_appell_equations(x.system);
  std::vector<Expr> speeds, momenta;
  SymbolMap z;
  for (std::size_t a = 0; a < x.momenta.size(); ++a) {
    speeds.push_back(short_form(substitute(x.d.definitions[a], motion.velocities)));
    z.emplace(x.d.speeds[a], speeds.back());
  }
  for (const Expr p : x.definitions) momenta.push_back(short_form(substitute(p, z)));
  return lie_poisson_certificate(x.system, motion, momenta, speeds, x.S);
}

}  // namespace

Answer suslov_hamiltonization_answer(const System& system) {
  const SuslovHamiltonization x = suslov_hamiltonization(system);
  Answer a = answer_of(x.is_lie);
  state_dependence(on_nothing());
  a.answer["exists"] = undecided(x.is_lie) ? Data() : Data(proved(x.is_lie));
  a.answer["brackets"] = bracket_texts(x);
  a.answer["hamiltonian"] = x.hamiltonian;
  if (a.outcome == Outcome::refuted) {
    a.why.push_back(fmt::format("the projected bracket violates Jacobi's identity by {}",
                                brief(short_form(x.jacobiator.front()))));
    state_dependence({{x.jacobiator}, true, false});
    a.certificate = no_lie_bracket_certificate(x.system, x.d);
    return a;
  }
  if (a.outcome == Outcome::undecided) return a;
  a.certificate = certificate_of(x);
  if (x.d.rank() <= 2)
    a.why.emplace_back("a bracket on a space of dimension two always satisfies Jacobi's identity");
  const bool unimodular = proved(is_zero(x.trace));
  a.answer["unimodular"] = unimodular;
  a.answer["algebra"] = x.name.empty() ? Data() : Data(x.name);
  for (const std::string& line : bracket_texts(x)) a.why.push_back(line);
  a.why.push_back(fmt::format("it is Lie-Poisson{} with the Hamiltonian {}, in the time it has",
                              x.name.empty() ? std::string() : " on the dual of " + x.name,
                              brief(x.hamiltonian)));
  if (!unimodular)
    a.why.emplace_back(
        "the algebra is not unimodular: no smooth invariant density, and Hamiltonian all the same");
  return a;
}

}  // namespace rattleback
