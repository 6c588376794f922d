// Declared in proof/hamiltonian/routh_hamiltonization.hpp. What is said about Hamiltonization at fixed momenta: the witness, or why every choice of momenta fails.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/hamiltonian/cyclic_fields.hpp>
#include <rattleback/proof/hamiltonian/no_hamiltonization_certificate.hpp>
#include <rattleback/proof/hamiltonian/routh_hamiltonization.hpp>
#include <rattleback/proof/hamiltonian/subgroups.hpp>

namespace rattleback {
namespace {

std::vector<std::string> names(const std::vector<Symbol>& symbols) {
  std::vector<std::string> all;
  for (const Symbol s : symbols) all.push_back(s.name());
  return all;
}

/// Y_i^α p_α, in the velocities of the bundle.
std::vector<Expr> conserved(const ChaplyginBundle& bundle, const RouthReduction& r) {
  std::vector<Expr> momenta;
  const std::vector<Expr> p = gradient(bundle.lagrangian, bundle.D.speeds);
  for (int i = 0; i < r.components.columns(); ++i) {
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t a = 0; a < p.size(); ++a) terms.push_back(r.components(static_cast<int>(a), i) * p[a]);
    momenta.push_back(short_form(sum(terms)));
  }
  return momenta;
}

/// "mu_psi" of a coordinate; "mu = …" where the name alone says nothing.
std::vector<std::string> constants(const ChaplyginBundle& bundle, const RouthReduction& r) {
  std::vector<std::string> all = names(r.mu);
  const std::vector<Expr> momenta = conserved(bundle, r);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].starts_with("mu_")) all[i] += " = " + brief(momenta[i]);
  }
  return all;
}

Answer found(const ChaplyginBundle& bundle, const RouthReduction& r, const ChaplyginMultiplier& x,
             const Verdict& proof) {
  Answer a = answer_of(x.exists);
  if (const Certificate& other = std::get<Proved>(proof).why; !other.exact) a.evidence = other;
  a.answer["exists"] = true;
  a.answer["multiplier"] = x.f ? Data(*x.f) : Data();
  restrict_to_witness(bundle.system, bundle.transversality(), true, a.answer);
  if (x.f) restrict_to_witness(bundle.system, *x.f, true, a.answer);
  a.answer["cyclic"] = names(r.mu);
  a.answer["conserved"] = conserved(bundle, r);
  a.answer["group"] = bundle.group;
  a.why.push_back(fmt::format("reduced by {}, with {} constant: (C.16) is {}", bundle.group,
                              fmt::join(constants(bundle, r), ", "), evidence(proof)));
  if (!x.f) {
    a.why.emplace_back("a multiplier exists locally; no closed form was found");
    return a;
  }
  const RouthHamiltonian h = routh_hamiltonian(bundle, r, x);
  a.answer["momenta"] = names(h.momenta);
  const std::vector<std::string> brackets = brief_brackets(h.momenta, h.brackets);
  a.answer["brackets"] = brackets;
  a.answer["hamiltonian"] = h.hamiltonian;
  restrict_to_witness(bundle.system, {}, h.hamiltonian, false, a.answer);
  a.certificate = certificate_of(bundle, r, x);
  a.why.push_back(fmt::format("f = {}", brief(*x.f)));
  for (const std::string& line : brackets) a.why.push_back(line);
  a.why.push_back(
      fmt::format("in the time dtau = f dt the motion has the Hamiltonian {}", brief(h.hamiltonian)));
  a.why.push_back(fmt::format("f times its flow is the constrained motion: {}", evidence(h.motion)));
  return a;
}

/// The legs of a space, as columns in the velocities of the model. Nothing where these are not rates of coordinates.
std::optional<Matrix> legs_in(const System& model, const Space& own) {
  const int n = model.space.dimension();
  if (own == model.space) return Matrix::identity(n);
  Matrix legs(n, own.dimension());
  for (int i = 0; i < n; ++i) {
    const auto q = model.space.coordinate(i);
    if (!q) return std::nullopt;
    for (int j = 0; j < own.dimension(); ++j) legs(i, j) = own.derivative(j, Expr(*q));
  }
  return legs;
}

/// For the certificate: what is fixed, and the slopes of the one candidate.
std::optional<FixedMomenta> fixed_momenta(const System& model, const ChaplyginBundle& bundle,
                                          const RouthReduction& r, const ChaplyginMultiplier& x) {
  const auto legs = legs_in(model, bundle.frame.space());
  if (!legs) return std::nullopt;
  FixedMomenta fixed{fmt::format("{} at constant {}", bundle.group, fmt::join(names(r.mu), ", ")),
                     bundle.orbits, *legs * as_columns(bundle.frame.space(), r.fields), std::nullopt};
  if (!x.remainder.empty()) return fixed;
  const OneForm form = r.shape.horizontal_form(x.sigma);
  Matrix row(1, legs->columns());
  for (int j = 0; j < row.columns(); ++j) row(0, j) = form[j];
  fixed.slopes.emplace();
  for (const Expr e : (row * inverse(*legs).x).entries()) fixed.slopes->push_back(short_form(e));
  return fixed;
}

/// What was tried, until it succeeds.
struct Search {
  const System& model;
  std::optional<Answer> best;
  std::vector<std::string> obstacles, denied;
  std::vector<FixedMomenta> failed;

  bool succeeds(const ChaplyginBundle& bundle, const std::vector<VectorField>& fields) {
    std::optional<RouthReduction> made;
    try {
      made = routh_reduction(bundle, fields);
    } catch (const Inapplicable&) {  // the momenta do not determine the velocities
      return false;
    }
    const RouthReduction& r = *made;
    const ChaplyginMultiplier x = multiplier_at_fixed_momenta(bundle, r);
    if (refuted(x.exists)) {
      obstacles.push_back(fmt::format("reduced by {} at constant {}: {}", bundle.group,
                                      fmt::join(names(r.mu), ", "), obstacle_to(x)));
      denied.push_back(fmt::format("{} at constant {}", bundle.group, fmt::join(names(r.mu), ", ")));
      if (const auto fixed = fixed_momenta(model, bundle, r, x)) failed.push_back(*fixed);
      if (!best) best = answer_of(x.exists);
      return false;
    }
    const Verdict proof = reduces(bundle, r);
    if (proved(x.exists) && proved(proof)) {
      best = found(bundle, r, x, proof);
      return true;
    }
    if (!best || best->outcome == Outcome::refuted) best = answer_of(proved(x.exists) ? proof : x.exists);
    return false;
  }

  bool tried(const ChaplyginBundle& bundle) {
    return visit_cyclic_sets(bundle,
                             [this](const ChaplyginBundle& in, const std::vector<VectorField>& fields) {
                               return succeeds(in, fields);
                             });
  }
};

/// (C.3) after a largest set of commuting cyclic fields is divided out; 1, which is never zero, when there are none.
std::vector<Expr> conditions_at_fixed_momenta(const ChaplyginBundle& bundle) {
  std::vector<VectorField> fields;
  for (const VectorField& Y : cyclic_fields(bundle)) {
    fields.push_back(Y);
    if (!commute_on_base(bundle, fields)) fields.pop_back();
  }
  if (fields.empty() || static_cast<int>(fields.size()) >= bundle.dimension()) return {Expr(1)};
  return multiplier_conditions(routh_reduction(bundle, fields).shape);
}

/// Under subgroups of symmetries that the model does not declare; otherwise a line about them.
std::string tried_hidden_groups(const System& system, Search& search, bool& found) {
  try {
    const Budget budget(work_limits::fixed_momenta);
    const SubgroupSearch hidden =
        subgroup_search(system, admissible_velocities(system), conditions_at_fixed_momenta);
    for (const ChaplyginBundle& bundle : hidden.bundles) {
      found = search.tried(bundle);
      if (found) return "the group is not among those that the model shows";
    }
    if (!hidden.complements) return {};
    return fmt::format("other subgroups of the symmetries, {}, were searched", hidden.algebra);
  } catch (const Exhausted&) {
    return "other subgroups of the symmetries were left out: the equations for them are too long";
  }
}

}  // namespace

Answer routh_hamiltonization_answer(const System& system) {
  Search search{system, {}, {}, {}, {}};
  bool found = false;
  std::optional<Inapplicable> why_not;
  try {
    visit_chaplygin_bundles(system,
                            [&](const ChaplyginBundle& bundle) { return found = search.tried(bundle); });
  } catch (const Inapplicable& error) {
    why_not = error;
  }
  const std::vector<FixedMomenta> shown = search.failed;
  std::string line;
  if (!found && (!search.best || search.best->outcome == Outcome::refuted))
    line = tried_hidden_groups(system, search, found);
  if (!search.best && why_not) throw Inapplicable(*why_not);
  if (!search.best) {
    throw Inapplicable("form-does-not-apply", "there is nothing to fix",
                       "no symmetry of the reduced system with a constant momentum was found",
                       "ask chaplygin-multiplier, or choose coordinates in which a conserved momentum shows");
  }
  Answer a = std::move(*search.best);
  if (a.outcome == Outcome::refuted) {
    a.answer["exists"] = false;
    a.statement = fmt::format("reduced by {}, the motion is Hamiltonian after a change of time",
                              fmt::join(search.denied, ", or by "));
    a.why = std::move(search.obstacles);
    if (!line.empty()) a.why.push_back(line);
    a.certificate = no_routh_certificate(system, shown);
  }
  if (!line.empty()) a.answer["subgroups"] = line;
  return a;
}

}  // namespace rattleback
