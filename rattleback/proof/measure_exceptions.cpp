#include <rattleback/proof/measure_exceptions.hpp>

#include <algorithm>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/model/substituted.hpp>
#include <rattleback/proof/parameter_locus.hpp>

namespace rattleback {
namespace {

/// Taken apart exactly where that is quick, otherwise by trying.
ParameterLocus exceptional_parameters(const System& system, std::span<const Expr> residuals) {
  try {
    const Budget budget({.time = std::chrono::duration<double>(4), .terms = 20'000});
    return vanishing_locus(system, residuals);
  } catch (const Exhausted&) {
    return probed_locus(system, residuals);
  }
}

/// Components of the parameters on which a density does exist, each verified there; conditions that appear only on a
/// component cut it further.
void collect(const System& system, const DecideMeasure& decide, const MeasureDecision& d, const Locus& outer,
             int depth, Answer& a) {
  std::vector<Expr> residuals;
  for (const DirectionalCondition& c : d.closure.conditions) residuals.push_back(c.residual);
  const ParameterLocus locus = exceptional_parameters(system, residuals);
  bool open = !locus.complete;
  for (std::size_t k = 0; k < locus.components.size(); ++k) {
    Budget::check();
    if (locus.solutions[k].empty()) {
      open = true;
      continue;
    }
    const System special = substituted(system, locus.solutions[k]);
    Locus component = outer;
    component.insert(component.end(), locus.components[k].begin(), locus.components[k].end());
    try {
      const MeasureDecision there = decide(special, locus.solutions[k]);
      if (there.outcome == Outcome::proved) {
        a.unless.push_back(std::move(component));
      } else if (there.outcome == Outcome::refuted && depth > 0 && locus.complete) {
        collect(special, decide, there, component, depth - 1, a);
      } else if (there.outcome == Outcome::undecided) {
        open = true;
      }
    } catch (const Error&) {
      continue;  // the constraint or the metric degenerates there
    }
  }
  const bool said = !a.why.empty() && a.why.back().starts_with("further");
  if (open && !said) a.why.emplace_back("further exceptional parameters are not excluded");
}

/// A component that lies within another says nothing new.
void drop_contained(std::vector<Locus>& loci) {
  const auto contains_all = [](const Locus& large, const Locus& small) {
    return std::all_of(small.begin(), small.end(),
                       [&](Expr e) { return std::find(large.begin(), large.end(), e) != large.end(); });
  };
  std::vector<Locus> kept;
  for (std::size_t i = 0; i < loci.size(); ++i) {
    bool within = false;
    for (std::size_t j = 0; j < loci.size() && !within; ++j)
      within = i != j && contains_all(loci[i], loci[j]) && (loci[j].size() < loci[i].size() || j < i);
    if (!within) kept.push_back(loci[i]);
  }
  loci = std::move(kept);
}

}  // namespace

void collect_exceptions(const System& system, const DecideMeasure& decide, const MeasureDecision& d,
                        Answer& a) {
  try {
    collect(system, decide, d, {}, 2, a);
  } catch (const Exhausted&) {
    a.why.emplace_back("whether it exists for special parameters took too long");
  }
  drop_contained(a.unless);
}

}  // namespace rattleback
