#include <rattleback/proof/measure/steady_divergence.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/velocities/time_dependence.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/steady/steady_motions.hpp>

namespace rattleback {
namespace {

/// The divergence of the motion at a steady one.
Expr divergence_at(const SteadyFamily& f) {
  const Matrix A = state_matrix(f.small);
  std::vector<Expr> terms{Expr(0)};
  for (int i = 0; i < A.rows(); ++i) terms.push_back(A(i, i));
  return sum(terms);
}

std::string divergence_text(const std::string& where, Expr divergence) {
  const Expr shown = short_form(divergence);
  return fits(shown, legible::on_a_line)
             ? fmt::format("at {} the divergence is {}, not 0: no smooth density at all", where, text(shown))
             : fmt::format("at {} the divergence is not 0: no smooth density at all", where);
}

/// Does the family's motion leave all coordinates of lines where they are? Speeds are constant, everything else lives on circles and
/// rotation groups: the motion stays in a compact set.
bool stays_in_compact_set(const System& system, const SymbolMap& rates, const SymbolMap& values) {
  for (const Factor& factor : system.space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier != Carrier::real) continue;
      for (const Symbol q : piece.functions) {
        if (!vanishes_at_random_points(substitute(rates.at(q), values))) return false;
      }
    }
  }
  return true;
}

}  // namespace

std::optional<Answer> no_measure_by_rest(const System& system) {
  if (contains_time(system)) return std::nullopt;
  const SolvedVelocities v = solved_velocities(system);
  SymbolMap still;
  for (const Symbol z : v.speeds) still.emplace(z, Expr(0));
  const std::vector<Expr> drift = substitute(v.psi, still);
  if (!std::all_of(drift.begin(), drift.end(), [](Expr e) { return vanishes_at_random_points(e); }))
    return std::nullopt;
  for (const SteadyFamily& f : steady_motions(system, v).families) {
    const bool rest = std::all_of(v.speeds.begin(), v.speeds.end(), [&](Symbol z) {
      return substitute(f.point.values.at(z), still).is_zero();  // those that are free are 0 somewhere
    });
    if (!rest || !f.exists.empty()) continue;
    const Expr divergence = substitute(divergence_at(f), still);
    if (vanishes_at_random_points(divergence)) continue;
    Answer a;
    a.outcome = Outcome::refuted;
    a.evidence = Certificate{true, 0, "a divergence at rest is not zero"};
    a.answer["exists"] = false;
    a.answer["density"] = Data();
    a.answer["space"] = "D";
    a.answer["scope"] = "every smooth density";
    a.why.push_back(divergence_text("a state of rest", divergence));
    if (!known_nonzero(short_form(divergence)))
      a.why.emplace_back("parameters at which that is 0 are not excluded");
    return a;
  }
  return std::nullopt;
}

std::optional<std::string> recurrent_divergence(const System& system) {
  if (contains_time(system)) return std::nullopt;
  const SolvedVelocities v = solved_velocities(system);
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  if (motion.speeds != v.speeds) return std::nullopt;
  const SymbolMap rates = along(system, motion);
  const Expr theta = divergence_of(system, motion), change = derivative_along(theta, rates);
  for (const SteadyFamily& f : steady_motions(system, v).families) {
    if (f.along_group || !f.exists.empty()) continue;
    try {
      const Expr there = substitute(theta, f.point.values);
      if (vanishes_at_random_points(there) ||
          !vanishes_at_random_points(substitute(change, f.point.values)) ||
          !stays_in_compact_set(system, rates, f.point.values))
        continue;
      return divergence_text("a steady motion that stays in a compact set", there) +
             (known_nonzero(short_form(there))
                  ? ""
                  : "; where that is 0 only those of the configuration are excluded");
    } catch (const OutOfDomain&) {
      continue;  // a pole of the speeds
    }
  }
  return std::nullopt;
}

void refute_measure_on_quotient(const System& system, Answer& reduced) {
  if (contains_time(system)) return;  // nothing is steady
  const SolvedVelocities v = solved_velocities(system);
  for (const SteadyFamily& f : steady_motions(system, v).families) {
    if (f.along_group) continue;  // the group divided out here may be smaller
    const Expr divergence = divergence_at(f);
    if (vanishes_at_random_points(divergence)) continue;
    reduced.outcome = Outcome::refuted;
    reduced.answer["exists"] = false;
    reduced.answer["scope"] = "every smooth density";
    reduced.why.push_back(divergence_text("a steady motion", divergence));
    return;
  }
}

}  // namespace rattleback
