#include <rattleback/proof/measure/measure_exceptions.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/model/system/substituted.hpp>
#include <rattleback/proof/evidence/locus_order.hpp>

namespace rattleback {
namespace {

/// First the one, then the other.
SymbolMap composed(const SymbolMap& outer, const SymbolMap& inner) {
  SymbolMap both = inner;
  for (const auto& [s, value] : outer) both.insert_or_assign(s, substitute(value, inner));
  return both;
}

/// Components of the parameters on which a density does exist, each verified there; conditions that appear only on a
/// component cut it further.
class Search {
 public:
  Search(const System& system, const DecideMeasure& decide) : system_(system), decide_(decide) {}

  ParameterLocus found;

  void within(const ParameterLocus& candidates, const Locus& outer, const SymbolMap& values, int depth) {
    found.complete = found.complete && candidates.complete;
    for (std::size_t k = 0; k < candidates.components.size(); ++k) {
      Budget::check();
      if (candidates.solutions[k].empty()) {
        found.complete = false;
        continue;
      }
      Locus component = outer;
      component.insert(component.end(), candidates.components[k].begin(), candidates.components[k].end());
      try {
        decide(std::move(component), composed(values, candidates.solutions[k]), depth, candidates.complete);
      } catch (const OutOfDomain&) {
        continue;  // the constraint or the metric degenerates there
      }
    }
  }

 private:
  void decide(Locus component, SymbolMap values, int depth, bool exact) {
    const System special = substituted(system_, values);
    const OnPositions there_on(special);
    const MeasureDecision there = decide_(special, values);
    if (there.outcome == Outcome::proved) {
      const auto shown = tidied(component);
      if (!shown) return;
      found.components.push_back(*shown);
      found.solutions.push_back(std::move(values));
    } else if (there.outcome == Outcome::refuted && depth > 0 && exact) {
      within(candidates_for_a_measure(special, there), component, values, depth - 1);
    } else if (there.outcome == Outcome::undecided) {
      found.complete = false;
    }
  }

  const System& system_;
  const DecideMeasure& decide_;
};

/// A component that lies within another says nothing new.
ParameterLocus without_contained(const ParameterLocus& all) {
  const auto contains_all = [](const Locus& large, const Locus& small) {
    return std::all_of(small.begin(), small.end(),
                       [&](Expr e) { return std::find(large.begin(), large.end(), e) != large.end(); });
  };
  const std::vector<Locus>& loci = all.components;
  ParameterLocus kept;
  kept.complete = all.complete;
  for (std::size_t i = 0; i < loci.size(); ++i) {
    bool within = false;
    for (std::size_t j = 0; j < loci.size() && !within; ++j)
      within = i != j && contains_all(loci[i], loci[j]) && (loci[j].size() < loci[i].size() || j < i);
    if (within) continue;
    kept.components.push_back(loci[i]);
    kept.solutions.push_back(all.solutions[i]);
  }
  return kept;
}

}  // namespace

std::vector<Expr> conditions_of(const MeasureDecision& d) {
  std::vector<Expr> residuals;
  for (const DirectionalCondition& c : d.closure.conditions) residuals.push_back(c.residual);
  if (d.candidate && d.turns) {  // what one turn adds to σ
    const Symbol q = *d.turns;
    residuals.push_back((substitute(*d.candidate, {{q, q + 2 * pi()}}) - *d.candidate) / (2 * pi()));
  }
  return residuals;
}

ParameterLocus candidates_for_a_measure(const System& system, const MeasureDecision& d) {
  const std::vector<Expr> residuals = conditions_of(d);
  try {
    const Budget budget(work_limits::measure_exceptions);
    return vanishing_locus(system, residuals);
  } catch (const Exhausted&) {  // then by trying
  }
  try {
    return probed_locus(system, residuals);
  } catch (const Exhausted&) {
    ParameterLocus unknown;
    unknown.complete = false;
    return unknown;
  }
}

ParameterLocus collect_exceptions(const System& system, const DecideMeasure& decide,
                                  const ParameterLocus& candidates, Answer& a) {
  Search search(system, decide);
  try {
    search.within(candidates, {}, {}, 2);
  } catch (const Exhausted&) {
    search.found.complete = false;
  }
  ParameterLocus found = without_contained(search.found);
  a.unless = in_canonical_order(found.components);
  return found;
}

}  // namespace rattleback
