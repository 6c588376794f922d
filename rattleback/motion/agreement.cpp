#include <rattleback/motion/agreement.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/motion/energy.hpp>
#include <rattleback/motion/lagrange.hpp>
#include <rattleback/motion/reactions.hpp>
#include <rattleback/motion/solved_velocities.hpp>

namespace rattleback {
namespace {

/// One quantity that all forms must give alike, and who gives it differently.
struct Comparison {
  std::string what, whose;
  Expr difference;
};

/// The speeds of `form` as functions of the state of `reference`: equal speeds are equal, others by their definitions.
/// Nothing when a speed is neither.
std::optional<SymbolMap> speeds_in(const EquationsOfMotion& form, const EquationsOfMotion& reference) {
  if (form.speeds == reference.speeds && form.velocities == reference.velocities) return SymbolMap();
  if (form.speed_definitions.size() != form.speeds.size()) return std::nullopt;
  const std::vector<Expr> z = substitute(form.speed_definitions, reference.velocities);
  SymbolMap map;
  for (std::size_t alpha = 0; alpha < z.size(); ++alpha) map.emplace(form.speeds[alpha], z[alpha]);
  return map;
}

/// A form in whose state all others can be written; those with solved speeds first, since velocities on TQ are too many.
const EquationsOfMotion* common_reference(const std::vector<EquationsOfMotion>& forms) {
  const EquationsOfMotion* best = nullptr;
  for (const EquationsOfMotion& candidate : forms) {
    const bool serves = std::all_of(forms.begin(), forms.end(), [&](const EquationsOfMotion& form) {
      return speeds_in(form, candidate).has_value();
    });
    if (serves && (best == nullptr || candidate.speeds.size() < best->speeds.size())) best = &candidate;
  }
  return best;
}

/// v̇^i and q' of a form minus those of the reference.
std::vector<Comparison> comparisons(const System& system, const EquationsOfMotion& form,
                                    const EquationsOfMotion& reference) {
  const SymbolMap speeds = *speeds_in(form, reference);
  const std::string whose = fmt::format("{} and {}", reference.form, form.form);
  const std::vector<Expr> a = substitute(accelerations_along(system, form), speeds),
                          b = accelerations_along(system, reference),
                          rates = substitute(form.configuration_rates, speeds);
  std::vector<Comparison> all;
  for (std::size_t i = 0; i < a.size(); ++i)
    all.push_back({system.space.velocities()[i].name() + "'", whose, a[i] - b[i]});
  for (std::size_t i = 0; i < rates.size(); ++i)
    all.push_back({form.configuration[i].name() + "'", whose, rates[i] - reference.configuration_rates[i]});
  return all;
}

/// When the state of the reference leaves the constraints to be satisfied, as velocities on TQ do: the states that do.
SymbolMap admissible_states(const System& system, const EquationsOfMotion& reference) {
  const std::vector<Expr> left = substitute(constraint_functions(system), reference.velocities);
  if (std::all_of(left.begin(), left.end(), [](Expr e) { return vanishes_at_random_points(e); })) return {};
  const SymbolMap psi = solved_velocities(system).substitution(system.space);
  SymbolMap states;
  for (std::size_t alpha = 0; alpha < reference.speeds.size(); ++alpha)
    states.emplace(reference.speeds[alpha], substitute(reference.speed_definitions[alpha], psi));
  return states;
}

/// A proof is worth this long; after that, zero at random states has to do.
ZeroTest patience(bool exact) { return {.want_exact = exact, .exact_seconds = 0.5}; }

/// Random states first. Proofs follow until one is out of reach: the evidence is that of the weakest part.
Verdict all_vanish(const std::vector<Comparison>& all, std::string& difference) {
  std::vector<Expr> differences;
  for (const Comparison& c : all) {
    if (c.difference.is_zero()) continue;
    const Verdict quick = is_zero(c.difference, patience(false));
    if (!proved(quick)) {
      difference = fmt::format("{} of {}", c.what, c.whose);
      return quick;
    }
    differences.push_back(c.difference);
  }
  std::sort(differences.begin(), differences.end(),
            [](Expr a, Expr b) { return graph_size(std::span(&a, 1)) > graph_size(std::span(&b, 1)); });
  for (const Expr e : differences) {
    const Verdict careful = is_zero(e, patience(true));
    const auto* yes = std::get_if<Proved>(&careful);
    if (yes == nullptr || !yes->why.exact) return is_zero(differences, patience(false));
  }
  return Proved{{.method = "exact in fields of rational functions"}, {}};
}

/// dE/dt along the reference.
Expr energy_rate(const System& system, const EquationsOfMotion& reference) {
  SymbolMap ahead;
  for (std::size_t i = 0; i < reference.configuration.size(); ++i)
    ahead.emplace(reference.configuration[i], reference.configuration_rates[i]);
  for (std::size_t i = 0; i < reference.speeds.size(); ++i)
    ahead.emplace(reference.speeds[i], reference.speed_rates[i]);
  ahead.emplace(system.time, Expr(1));
  return derivative_along(substitute(energy(system), reference.velocities), ahead);
}

/// Q_i v^i − ∂L/∂t at v = ψ.
Expr applied_power(const System& system, const EquationsOfMotion& reference) {
  std::vector<Expr> terms{-derivative(system.lagrangian, system.time)};
  for (std::size_t i = 0; i < system.forces.size(); ++i)
    terms.push_back(system.forces[i] * system.space.velocities()[i]);
  return substitute(sum(terms), reference.velocities);
}

/// λ_a v^i ∂C^a/∂v^i at v = ψ, without a multiplier where the constraints are homogeneous: there v^i ∂C^a/∂v^i = 0.
Expr reaction_power(const System& system, const EquationsOfMotion& reference, const SymbolMap& admissible) {
  ConstraintRows rows = constraint_rows(system);
  const auto velocities = system.space.velocities();
  const std::vector<Expr> v(velocities.begin(), velocities.end());
  if (rows.a.rows() == 0) return 0;
  const Matrix work = substitute(rows.a * Matrix::column(v), reference.velocities);
  if (std::all_of(work.entries().begin(), work.entries().end(),
                  [&](Expr e) { return vanishes_at_random_points(substitute(e, admissible)); }))
    return 0;
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix reaction = substitute(lagrange.mass, reference.velocities) *
                              Matrix::column(accelerations_along(system, reference)) -
                          substitute(lagrange.force, reference.velocities);
  rows.a = substitute(rows.a, reference.velocities);
  return dot(multipliers_of(rows, reaction), work);
}

void add_energy_balance(Agreement& found, const System& system, const EquationsOfMotion& reference,
                        const SymbolMap& admissible) {
  const Expr applied = applied_power(system, reference),
             reactions = substitute(reaction_power(system, reference, admissible), admissible);
  const Expr rest = substitute(energy_rate(system, reference) - applied, admissible) - reactions;
  found.balance = is_zero(rest, patience(true));
  found.balance_of = applied.is_zero() && reactions.is_zero() ? "the energy is conserved"
                     : reactions.is_zero() ? "forces and explicit time account for the energy"
                                           : "the power of the reactions accounts for the energy";
}

}  // namespace

Agreement agreement(const System& system, const std::vector<EquationsOfMotion>& forms) {
  Agreement found;
  for (const EquationsOfMotion& form : forms) found.forms.push_back(form.form);
  const EquationsOfMotion* reference = common_reference(forms);
  if (reference == nullptr) {
    found.motion = found.balance = Undecided{"no form's state can express all others",
                                             "name the speeds in [velocities], or compare fewer forms"};
    return found;
  }
  const SymbolMap admissible = admissible_states(system, *reference);
  std::vector<Comparison> all;
  for (const EquationsOfMotion& form : forms) {
    if (&form == reference) continue;
    for (Comparison& c : comparisons(system, form, *reference)) {
      c.difference = substitute(c.difference, admissible);
      all.push_back(std::move(c));
    }
  }
  found.motion = all_vanish(all, found.difference);
  add_energy_balance(found, system, *reference, admissible);
  return found;
}

}  // namespace rattleback
