#include <rattleback/motion/forms/agreement.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/degree.hpp>
#include <rattleback/algebra/fields/exact_zeros.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>

namespace rattleback {
namespace {

/// One quantity that all forms must give alike, and the forms that give another value.
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

/// Nodes of all differences; beyond that the exact field is out of reach.
constexpr std::size_t worth_a_proof = search_limits::differences_of_forms.count;

/// Evidence for all of them where roots are involved: real points, one by one.
Verdict weakest(std::span<const Expr> es) { return is_zero(es, {.want_exact = false}); }

/// Zero at random states modulo the prime, all at once so that shared parts are evaluated once; nothing when one is not
/// zero there, or where roots leave the sign to real points.
std::optional<Proved> zero_at_random_states(std::span<const Expr> es) {
  const ModularProgram program(es);
  constexpr int points = search_limits::states_of_agreement.count;
  constexpr std::uint64_t stride = 1'000'003;
  if (program.roots() > 0) return std::nullopt;
  for (int k = 0; k < points; ++k) {
    const auto run = program.run_near(1 + stride * static_cast<std::uint64_t>(k));
    if (!run) return std::nullopt;
    for (std::size_t i = 0; i < es.size(); ++i) {
      if (!run->value(i).is_zero()) return std::nullopt;
    }
  }
  int bits = bits_per_point(es[0], 0);
  for (const Expr e : es) bits = std::min(bits, bits_per_point(e, 0));
  const std::string method = fmt::format("zero at {} random states modulo {}", points, modulus_of_numbers);
  return Proved{{.exact = false, .bits = points * bits, .method = method}, {}};
}

/// A proof of all at once; nothing when it takes too much work, or when the exact field cannot express them.
std::optional<Proved> proof_of_all(std::span<const Expr> es) {
  if (graph_size(es) > worth_a_proof) return std::nullopt;
  const Budget effort(work_limits::agreement);
  ExactZero exact = exact_zeros(es);
  if (exact.answer != ExactAnswer::zero) return std::nullopt;
  return Proved{{.method = "exact in " + exact.field}, std::move(exact.assumptions)};
}

/// The first that is not zero decides; otherwise a proof of all, or the evidence of random states.
Verdict all_vanish(const std::vector<Comparison>& all, std::string& difference) {
  std::vector<Expr> open;
  for (const Comparison& c : all) {
    if (!c.difference.is_zero()) open.push_back(c.difference);
  }
  if (open.empty()) return Proved{{.method = "equal as written"}, {}};
  if (const auto certain = zero_at_random_states(open)) return proof_of_all(open).value_or(*certain);
  if (Verdict likely = weakest(open); proved(likely)) {
    if (auto exact = proof_of_all(open)) return *std::move(exact);
    return likely;
  }
  for (const Comparison& c : all) {
    const Verdict v = is_zero(c.difference, {.want_exact = false});
    if (proved(v)) continue;
    difference = fmt::format("{} of {}", c.what, c.whose);
    return v;
  }
  return weakest(open);
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
  std::string difference;
  found.balance = all_vanish({{"the energy", "one form", rest}}, difference);
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
  if (refuted(found.motion)) {  // one of them is no motion of the system, and has no reactions
    found.balance = Undecided{"the forms disagree", "ask for the balance of one form"};
    return found;
  }
  add_energy_balance(found, system, *reference, admissible);
  return found;
}

}  // namespace rattleback
