#include <rattleback/proof/constraints/regularity.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/model/checks/regularity.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/dependence.hpp>

namespace rattleback {

namespace {

/// Degenerate for the parameters at which the bordered determinant vanishes; a definite metric has none.
Dependence regularity_dependence(const System& system, const Regularity& r) {
  Dependence found;
  found.exhaustive = true;
  const bool definite = r.kind == Regularity::Kind::positive_definite && !r.generic;
  if (definite || r.kind == Regularity::Kind::degenerate) return found;
  try {
    const Budget scope(work_limits::regularity_parameters);
    found.on.push_back({bordered_determinant(system)});
  } catch (const Exhausted&) {
    Budget::check();
    found.exhaustive = false;
  }
  return found;
}

}  // namespace

Answer regularity_answer(const System& system) {
  const Triage found = triage(system);
  for (const Error& problem : found.problems) {
    if (problem.slug != "degenerate-energy")
      throw problem;  // the list of triage(): the one problem that is an answer here
  }
  const Regularity& r = found.regularity;
  const bool regular = r.kind != Regularity::Kind::degenerate;
  const bool definite = r.kind == Regularity::Kind::positive_definite;

  Answer a;
  a.outcome = regular ? Outcome::proved : Outcome::refuted;
  state_dependence(regularity_dependence(system, r));
  a.answer["rank"] = found.rank;
  a.answer["dof"] = found.degrees_of_freedom();
  a.answer["regular"] = regular;
  a.answer["positive_definite"] = Data();  // not decided, when it is regular only
  if (definite || !regular) a.answer["positive_definite"] = definite;
  a.answer["rank_drops"] = Data();
  if (found.rank_drop) a.answer["rank_drops"] = Data::List();
  a.why.push_back(fmt::format("constraints of rank {} leave {} degree{} of freedom", found.rank,
                              found.degrees_of_freedom(), found.degrees_of_freedom() == 1 ? "" : "s"));
  if (definite)
    a.why.push_back(fmt::format("the kinetic energy is positive definite on the constraint{}",
                                r.generic ? " at a generic configuration" : ""));
  if (!regular) a.why.push_back(r.why);
  if (regular && !r.regular_everywhere)
    a.why.push_back("the Lagrangian is degenerate, but not on the constraint");
  if (regular) a.certificate = regular_certificate(system, found.rank);
  if (!found.rank_drop) {
    a.why.push_back("the constraints are too long to say where their rank drops");
    return a;
  }
  Data::List drops;
  for (const Locus& locus : found.rank_drop->loci) drops.emplace_back(text(locus));
  a.answer["rank_drops"] = drops;
  if (!drops.empty()) {
    a.why.push_back(fmt::format("the rank is smaller {}where {}", found.rank_drop->exact ? "" : "at most ",
                                text(found.rank_drop->loci)));
  }
  return a;
}

}  // namespace rattleback
