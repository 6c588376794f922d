// Declared in proof/variational/inverse_problem.hpp. The inverse problem of a system without constraints: forces may leave a Lagrangian, another one, or none.
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/parameter_samples.hpp>
#include <rattleback/proof/variational/associated_systems.hpp>
#include <rattleback/proof/variational/inverse_problem.hpp>
#include <rattleback/proof/variational/not_variational_certificate.hpp>
#include <rattleback/proof/variational/quadratic_lagrangian.hpp>

namespace rattleback {
namespace {

/// Products of powers of the variables, of degree at most so many; 1 first.
std::vector<Expr> monomials(const std::vector<Symbol>& variables, int degree) {
  std::vector<Expr> all{Expr(1)};
  std::size_t begin = 0;
  for (int d = 1; d <= degree; ++d) {
    const std::size_t end = all.size();
    for (std::size_t k = begin; k < end; ++k) {
      for (const Symbol x : variables) {
        const Expr next = all[k] * Expr(x);
        if (std::find(all.begin(), all.end(), next) == all.end()) all.push_back(next);
      }
    }
    begin = end;
  }
  return all;
}

/// v^i v^j q^α with |α| ≤ 2 and q^α with |α| ≤ 4, for few coordinates; and what the model's own Lagrangian is made of.
std::vector<Expr> ansatz(const System& system, const SecondOrderSystem& s) {
  std::vector<Expr> terms;
  if (system.lagrangian.is(Kind::sum)) {
    for (const Expr term : system.lagrangian.args()) terms.push_back(term);
  }
  constexpr std::size_t few = search_limits::quadratic_ansatz.count;
  if (s.q.size() > few) return terms;
  const std::vector<Expr> coefficients = monomials(s.q, 2);
  for (std::size_t i = 0; i < s.v.size(); ++i) {
    for (std::size_t j = i; j < s.v.size(); ++j) {
      for (const Expr c : coefficients) terms.push_back(Expr(s.v[i]) * Expr(s.v[j]) * c);
    }
  }
  for (const Expr c : monomials(s.q, 4)) terms.push_back(c);
  return terms;
}

/// A Lagrangian and how it was come by.
struct Candidate {
  Expr lagrangian;
  std::string why;
};

/// L + W where the forces are dW.
std::optional<Candidate> with_potential(const System& system) {
  if (std::ranges::all_of(system.forces, [](Expr f) { return f.is_zero(); }))
    return Candidate{system.lagrangian, "no forces act but those of its own Lagrangian"};
  const auto W = potential(OneForm(system.space, system.forces));
  if (!W) return std::nullopt;
  return Candidate{short_form(system.lagrangian + *W), "the forces have a potential"};
}

/// e^{kt} L where the forces are −k ∂L/∂v with a constant k: friction in proportion to the momenta.
std::optional<Candidate> with_growing_scale(const System& system) {
  const std::vector<Expr> p = gradient(system.lagrangian, system.space.velocities());
  for (std::size_t i = 0; i < p.size() && i < system.forces.size(); ++i) {
    if (vanishes_at_random_points(p[i]) || contains(system.lagrangian, system.time)) continue;
    const Expr k = short_form(-system.forces[i] / p[i]);
    const auto symbols = symbols_of(k);
    if (!std::ranges::all_of(symbols, [](Symbol s) { return s.role() == Role::parameter; }))
      return std::nullopt;
    return Candidate{exp(k * Expr(system.time)) * system.lagrangian,
                     "the forces are in proportion to the momenta"};
  }
  return std::nullopt;
}

std::optional<Candidate> found(const System& system, const SecondOrderSystem& s, Verdict& proof) {
  const auto holds = [&](const std::optional<Candidate>& c) {
    if (!c) return false;
    proof = is_lagrangian(s, c->lagrangian);
    return proved(proof);
  };
  if (const auto own = with_potential(system); holds(own)) return own;
  if (const auto scaled = with_growing_scale(system); holds(scaled)) return scaled;
  if (const auto L = decoupled_lagrangian(s)) {
    const Candidate c{L->lagrangian, "one coordinate moves uniformly and sets the pace of the others"};
    if (holds(c)) return c;
  }
  if (const auto L = lagrangian_in_ansatz(s, ansatz(system, s))) {
    const Candidate c{*L, "found among polynomials"};
    if (holds(c)) return c;
  }
  if (const auto L = quadratic_lagrangian(s, free_parameters(system))) {
    const Candidate c{*L, "found among quadratic forms"};
    if (holds(c)) return c;
  }
  return std::nullopt;
}

}  // namespace

Answer free_inverse_problem(const System& system) {
  const SecondOrderSystem s = free_second_order_system(system);
  Answer a;
  Verdict proof;
  if (const auto c = found(system, s, proof)) {
    a = answer_of(proof);
    a.answer["exists"] = true;
    a.answer["lagrangian"] = c->lagrangian;
    restrict_to_lagrangian(system, s, c->lagrangian, a.answer);
    a.why.push_back(fmt::format("{}: Lagrangian {}", c->why, brief(c->lagrangian)));
    a.certificate = lagrangian_certificate(system, gibbs_appell_equations(system), c->lagrangian);
    return a;
  }
  const AlgebraicMultipliers left = algebraic_multipliers(s);
  if (proved(left.singular)) {
    a = answer_of(left.singular);
    a.outcome = Outcome::refuted;
    a.answer["exists"] = false;
    a.why.push_back(fmt::format(
        "{} algebraic conditions from the Jacobi endomorphism and {} of its derivatives leave only "
        "singular multipliers: no regular Lagrangian",
        left.conditions, left.order));
    a.certificate = no_lagrangian_certificate(system, {{"free", s, left.order}});
    return a;
  }
  a.answer["exists"] = Data();
  a.why.emplace_back("regular multipliers pass the algebraic conditions");
  set_not_found(
      a,
      "the model's own Lagrangian with a potential of the forces or a growing scale, one coordinate that "
      "sets the pace of the others, polynomials of degree two in the velocities with rational coefficients, "
      "quadratic forms",
      "check a Lagrangian of your own with `rattleback prove MODEL --lagrangian`, or its Hessian with "
      "--hessian");
  return a;
}

}  // namespace rattleback
