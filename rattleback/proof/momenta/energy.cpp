#include <rattleback/proof/momenta/energy.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/form_on_variety.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/certificate_budget.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/evidence/dependence.hpp>

namespace rattleback {
namespace {

/// Q_i v^i − ∂L/∂t: what dE/dt is where the reactions do no work.
Expr power_of_forces(const System& system, const EquationsOfMotion& motion) {
  std::vector<Expr> terms{-derivative(system.lagrangian, system.time)};
  for (std::size_t i = 0; i < system.forces.size(); ++i)
    terms.push_back(system.forces[i] * system.space.velocities()[i]);
  return substitute(sum(terms), motion.velocities);
}

/// What dE/dt is, where that can be written down: the energy is conserved for the parameters at which it vanishes.
void explain_rate(const System& system, Answer& a) {
  try {
    const Budget budget(work_limits::energy_locus);
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    const Expr e = substitute(energy(system), motion.velocities);
    const Expr rate = derivative_along(e, along(system, motion)), work = power_of_forces(system, motion);
    const Expr condition = short_form(vanishes_at_random_points(rate - work) ? work : rate),
               shown = short_form_on_variety(condition);
    a.certificate = not_conserved_certificate(system, motion, short_form(e), rate);
    if (!a.certificate.is_null()) a.certificate["quantity"] = "energy";
    if (fits(shown, legible::in_a_reason)) a.why.back() = fmt::format("dE/dt = {}", text(shown));
    state_dependence({{{condition}}, true, false});
  } catch (const OutOfDomain&) {
    return;  // no closed form of the motion: the counterexample stands alone
  } catch (const Exhausted&) {
    Budget::check();  // the time of the question itself
  }
}

/// What a checker recomputes, within limits of its own: an answer that stands by its structure does not wait for it.
void certify(const System& system, Expr e, Answer& a) {
  try {
    const Budget budget(work_limits::energy_certificate);
    a.certificate = certificate_of_constants(system, {e});
    if (!a.certificate.is_null()) a.certificate["quantity"] = "energy";
    if (!a.evidence.exact && is_confirmed_exactly(a.certificate))
      a.evidence = Certificate{true, 0, "the energy's rate along the motion, in an exact field"};
  } catch (const Exhausted&) {
    a.certificate = Data();
    if (!a.evidence.exact) Budget::check();
  }
}

/// Random states leave it open where velocities stand within roots and other functions; then the rate is written down.
Verdict conservation(const System& system) {
  const Verdict quick = conserves_energy(system);
  if (!undecided(quick)) return quick;
  try {
    return is_zero(energy_rate(system));
  } catch (const OutOfDomain&) {
    return quick;  // no closed form of the motion
  }
}

}  // namespace

Expr energy_rate(const System& system) {
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  return derivative_along(substitute(energy(system), motion.velocities), along(system, motion));
}

Answer energy_answer(const System& system) {
  const Expr e = energy(system);
  Answer a = answer_of(conservation(system));
  a.answer["conserved"] = Data();
  if (a.outcome != Outcome::undecided) a.answer["conserved"] = a.outcome == Outcome::proved;
  if (fits(e, legible::in_data)) a.answer["energy"] = short_form(e);
  if (is_first_order(system)) {
    a.why.emplace_back(
        a.outcome == Outcome::proved
            ? "the Lagrangian is linear in the velocities, and neither forces nor time change H"
            : "forces or time change H");
  } else if (a.outcome == Outcome::proved) {
    a.why.emplace_back(
        a.evidence.method.starts_with("d'Alembert")
            ? "the reactions do no work, and neither forces nor time change it"
            : "the power of reactions, forces and time adds up to 0 at every admissible state");
    state_dependence(on_nothing());
    if (fits(e, legible::in_data)) certify(system, e, a);
    if (a.certificate.is_null())
      a.certificate = certificate_within_budget([&] { return energy_balance_certificate(system); });
  } else if (a.outcome == Outcome::refuted) {
    a.why.emplace_back("dE/dt is not zero at an admissible state");
    explain_rate(system, a);
  }
  note_turns(system, e, a);
  return a;
}

}  // namespace rattleback
