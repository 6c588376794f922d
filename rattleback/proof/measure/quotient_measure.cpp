#include <rattleback/proof/measure/quotient_measure.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/proof/measure/density_description.hpp>
#include <rattleback/proof/measure/measure_exceptions.hpp>
#include <rattleback/proof/measure/steady_divergence.hpp>

namespace rattleback {
namespace {

std::vector<VectorField> at_values(const std::vector<VectorField>& fields, const SymbolMap& values) {
  std::vector<VectorField> out;
  for (const VectorField& f : fields)
    out.emplace_back(f.space(),
                     substitute(std::vector<Expr>(f.coefficients().begin(), f.coefficients().end()), values));
  return out;
}

/// Σ_b c_ab^b = 0: left and right translations preserve one volume.
bool is_unimodular(const SymmetryAlgebra& algebra) {
  const int n = static_cast<int>(algebra.generators.size());
  for (int a = 0; a < n; ++a) {
    Expr trace = 0;
    for (int b = 0; b < n; ++b) trace += algebra.c(a, b, b);
    if (!vanishes_at_random_points(trace)) return false;
  }
  return algebra.is_closed;
}

/// The same question about the motion divided by its symmetries. A density there is one on D, so what excludes the one
/// excludes the other, and only parameters that allow it on D can allow it there.
Answer quotient_answer(const System& system, const MeasureDecision& on_D,
                       const ParameterLocus& exceptions_on_D) {
  Answer a;
  const SymmetryAlgebra algebra = algebra_of(system, "", symmetry_group(system));
  std::vector<VectorField> group;
  for (const Generator& g : algebra.generators) group.push_back(g.field);
  a.answer["group"] = algebra.name;
  a.answer["dimension"] = static_cast<int>(group.size());
  a.answer["exists"] = Data();
  if (group.empty() || !is_unimodular(algebra)) {
    a.obstacle = group.empty() ? "no symmetry was found" : "the group is not unimodular";
    return a;
  }
  const bool excluded = on_D.outcome == Outcome::refuted;
  const MeasureDecision d = excluded ? on_D : measure_on_quotient(system, group);
  a.outcome = d.outcome;
  a.evidence = d.evidence;
  if (d.outcome == Outcome::proved) {
    a.answer["exists"] = true;
    describe_density(system, d, a);
    judge_singular_density(system, d, a);
  } else if (d.outcome == Outcome::refuted) {
    a.answer["exists"] = false;
    describe_refuted_density(d, a);
    const DecideMeasure there = [&group](const System& special, const SymbolMap& values) {
      return measure_on_quotient(special, at_values(group, values));
    };
    collect_exceptions(system, there, excluded ? exceptions_on_D : candidates_for_a_measure(system, d), a);
  }
  if (!on_D.equations.kinetic && d.outcome != Outcome::proved) {
    if (a.outcome == Outcome::refuted)
      a.outcome = Outcome::not_found;  // densities of the configuration alone
    if (a.outcome == Outcome::not_found) a.answer["exists"] = Data();
    refute_measure_on_quotient(system, a);
  }
  return a;
}

}  // namespace

void add_measure_on_quotient(const System& system, const MeasureDecision& on_D,
                             const ParameterLocus& exceptions_on_D, Answer& a) {
  Answer reduced;
  try {
    const Budget budget(work_limits::measure_on_quotient);
    reduced = quotient_answer(system, on_D, exceptions_on_D);
  } catch (const Exhausted&) {
    reduced.answer["exists"] = Data();
    reduced.obstacle = "it took too much work";
  } catch (const OutOfDomain& error) {
    reduced.answer["exists"] = Data();
    reduced.obstacle = error.summary;
  }
  Data::List unless;
  for (const Locus& locus : reduced.unless) unless.emplace_back(text(locus));
  reduced.answer["verdict"] = text(reduced.outcome);
  reduced.answer["unless"] = unless;
  a.answer["reduced"] = reduced.answer;
  if (reduced.outcome == Outcome::undecided) {
    a.why.push_back(fmt::format("on D/G: undecided, {}",
                                reduced.obstacle.empty() ? "no density was found" : reduced.obstacle));
    return;
  }
  const Data* name = reduced.answer.find("group");
  const std::string group = name != nullptr && name->text() != nullptr && !name->text()->empty()
                                ? fmt::format(" with {}", *name->text())
                                : "";
  const bool same = reduced.outcome == a.outcome && text(reduced.unless) == text(a.unless);
  a.why.push_back(fmt::format("on D/G{}: {}{}{}", group, same ? "likewise " : "", text(reduced.outcome),
                              reduced.unless.empty() ? "" : " unless " + text(reduced.unless)));
  if (!same && !reduced.why.empty()) a.why.push_back("on D/G: " + reduced.why.front());
  if (reduced.outcome == Outcome::refuted && reduced.why.back().starts_with("at a steady"))
    a.why.push_back("on D/G: " + reduced.why.back());
}

}  // namespace rattleback
