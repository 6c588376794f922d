#include <rattleback/proof/steady/stability_findings.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/proof/steady/potential_extremum.hpp>

namespace rattleback {
namespace {

std::vector<Inequality> at_values(const std::vector<Inequality>& all, const SymbolMap& values) {
  std::vector<Inequality> out;
  for (const Inequality& i : all)
    out.push_back(i.kind == Inequality::Kind::sometimes ? is_positive(substitute(i.e, values)) : i);
  return out;
}

/// Symbols of the family on which the conditions depend.
std::vector<Symbol> free_in(const std::vector<Inequality>& all, const std::vector<Symbol>& free) {
  std::vector<Symbol> used;
  for (const Symbol s : free) {
    if (std::any_of(all.begin(), all.end(), [&](const Inequality& i) { return contains(i.e, s); }))
      used.push_back(s);
  }
  return used;
}

/// Some e > 0 reads 0 > 0: nothing is on the right for its sake, and the eigenvalues have to be looked at there.
bool is_borderline(const std::vector<Inequality>& all) {
  return std::any_of(all.begin(), all.end(),
                     [](const Inequality& i) { return i.kind == Inequality::Kind::never && i.e.is_zero(); });
}

void decide_at_values(const System& system, const SteadyFamily& family, StabilityFindings& findings) {
  if (!findings.spectrum.decided) return;
  std::vector<Inequality> numbers = at_values(findings.spectrum.conditions, parameter_values(system));
  if (is_borderline(numbers) && !is_borderline(findings.spectrum.conditions)) {
    findings.there = spectral_stability(substitute(state_matrix(family.small), parameter_values(system)));
    numbers = findings.there->conditions;
    if (!findings.there->decided) return;
  }
  const bool never = std::any_of(numbers.begin(), numbers.end(),
                                 [](const Inequality& i) { return i.kind == Inequality::Kind::never; });
  const std::vector<Symbol> free = free_in(numbers, family.free);
  if (never || free.empty()) {
    findings.stable = never ? std::optional(false) : all_hold(numbers);
    findings.decided = findings.stable.has_value();
    return;
  }
  findings.decided = true;  // the conditions are exact; intervals are for people
  if (free.size() > 1) return;
  const auto intervals = where_all_hold(numbers, free[0]);
  if (!intervals) return;
  findings.where = text(*intervals, free[0].name());
  if (intervals->empty()) findings.stable = false;
  if (intervals->size() == 1 && !intervals->front().from && !intervals->front().to) findings.stable = true;
}

/// Terms t e^{λt} with Re λ = 0 in the small motions, those of idle_to_first_order functions included.
bool small_motions_grow(const System& system, const SteadyFamily& f, const StabilityFindings& j) {
  const SpectralStability& spectrum = j.there ? *j.there : j.spectrum;
  if (!spectrum.semisimple) return true;
  const int zeros = spectrum.zeros + static_cast<int>(f.idle_to_first_order.size());
  if (f.idle_to_first_order.empty() || zeros < 2) return false;
  const Matrix A = state_matrix_with(f.small, f.idle_to_first_order);
  return !has_eigenvectors(j.exact && !j.there ? A : substitute(A, parameter_values(system)),
                           {Expr(0), Expr(1)}, zeros);
}

}  // namespace

StabilityFindings stability_findings(const System& system, const SteadyFamily& family) {
  StabilityFindings found;
  const Matrix A = state_matrix(family.small);
  try {
    const Budget budget(work_limits::stability);
    found.spectrum = spectral_stability(A);
  } catch (const Exhausted&) {
    found.exact = false;
    found.spectrum = spectral_stability(substitute(A, parameter_values(system)));
  }
  decide_at_values(system, family, found);
  return found;
}

bool attracts(const SteadyFamily& f, const SpectralStability& spectrum) {
  const int zeros = spectrum.zeros + static_cast<int>(f.idle_to_first_order.size());
  return !spectrum.reversible && zeros == f.dimension();
}

void test_energy_and_orbits(const System& system, const SteadyFamily& f, KnownIntegrals& integrals,
                            StabilityFindings& j) {
  if (!j.spectrum.decided || (j.stable && !*j.stable)) return;
  j.minimum = energy_has_minimum(system, f) && integrals.energy_never_grows();
  if (!j.minimum && integrals.energy_never_grows()) {
    const PotentialAtRest rest = potential_at_rest(system, f);
    j.minimum = j.strict = rest == PotentialAtRest::strict_minimum;
    j.no_minimum = rest == PotentialAtRest::no_minimum && is_natural(system);
  }
  if (j.minimum || j.no_minimum) {
    j.stable = j.minimum;
    j.decided = true;
    return;
  }
  j.grows = small_motions_grow(system, f, j);
  if (j.grows || !f.steady_for_any_idle) j.stable.reset();
}

void add_lyapunov(const System& system, const SolvedVelocities& v, const SteadyFamily& f,
                  KnownIntegrals& integrals, StabilityFindings& j) {
  const bool unstable = j.stable && !*j.stable;
  if (j.minimum && integrals.energy_is_conserved()) j.extremum = energy_momentum(system, v, f, {});
  if (unstable || !j.spectrum.decided || attracts(f, j.spectrum) || j.minimum) return;
  const auto found = lyapunov_stability(system, v, f, integrals);
  if (!found) return;
  j.lyapunov = found->text;
  j.extremum = found->extremum;
}

}  // namespace rattleback
