#include <rattleback/proof/check/motion_claims.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/claimed_state.hpp>

namespace rattleback {
namespace {

Expr formula_on_D(const ClaimedSystem& claim, const Data& certificate, const char* key) {
  return functions_on_D(claim, {claim.formula(text_field(certificate, key))})[0];
}

/// Γ[ρ] + ρ div Γ with div of (M.1).
Expr measure_residual(const ClaimedSystem& claim, Expr rho) {
  return derivative_along(rho, claim.motion) + rho * divergence_of_motion(claim);
}

/// It is seen at the state that the certificate names, or somewhere.
std::vector<CheckedStep> seen_steps(const ClaimedSystem& claim, const Data& certificate,
                                    const std::string& what, Expr e) {
  if (certificate.find("at") == nullptr) return {{what, some_do_not_vanish({e})}};
  const ClaimedState state = claimed_state(claim, certificate);
  return {{"the state is one", is_a_state(claim, state)},
          {"at the state " + what, some_do_not_vanish_at(state, {e})}};
}

/// What a claim of the energy has to be about.
void add_energy_step(const ClaimedSystem& claim, const Data& certificate, const std::vector<Expr>& functions,
                     std::vector<CheckedStep>& steps) {
  if (certificate.find("quantity") == nullptr) return;
  if (text_field(certificate, "quantity") != "energy" || functions.size() != 1)
    bad_certificate("the quantity is not known");
  steps.push_back({"the function is the energy", is_zero(functions[0] - energy_on_D(claim))});
}

}  // namespace

std::vector<CheckedStep> constant_steps(const ClaimedSystem& claim, const Data& certificate) {
  const Data* constants = certificate.find("constants");
  if (constants == nullptr) {
    const Expr f = formula_on_D(claim, certificate, "function");
    return {{"the function is constant along it", is_zero(derivative_along(f, claim.motion))}};
  }
  if (constants->list() == nullptr || constants->list()->empty()) bad_certificate("it claims nothing");
  const std::vector<Expr> functions =
      formulas_field(claim, certificate, "constants", constants->list()->size());
  std::vector<CheckedStep> steps;
  add_energy_step(claim, certificate, functions, steps);
  for (const Expr f : functions)
    steps.push_back({"a function is constant along it", is_zero(derivative_along(f, claim.motion))});
  return steps;
}

std::vector<CheckedStep> energy_steps(const ClaimedSystem& claim, const Data& certificate) {
  if (text_field(certificate, "quantity") != "energy") bad_certificate("the quantity is not known");
  std::vector<Expr> power{-derivative(claim.lagrangian, Symbol::make("t", {.role = Role::time}))}, work;
  for (std::size_t i = 0; i < claim.velocities.size(); ++i)
    power.push_back(claim.forces[i] * claim.velocities[i]);
  for (const Expr c : claim.constraints) {
    std::vector<Expr> terms{Expr(0)};
    for (const Symbol v : claim.velocities) terms.push_back(v * derivative(c, v));
    work.push_back(sum(terms));
  }
  return {{"forces and time do not change the energy", is_zero(substitute(sum(power), claim.psi))},
          {"the reactions do no work", is_zero(substitute(work, claim.psi))}};
}

std::vector<CheckedStep> not_constant_steps(const ClaimedSystem& claim, const Data& certificate) {
  const Expr f = formula_on_D(claim, certificate, "function");
  std::vector<CheckedStep> steps;
  add_energy_step(claim, certificate, {f}, steps);
  for (CheckedStep& step :
       seen_steps(claim, certificate, "the function changes", derivative_along(f, claim.motion)))
    steps.push_back(std::move(step));
  return steps;
}

std::vector<CheckedStep> zero_steps(const ClaimedSystem& claim, const Data& certificate) {
  return {{"the function vanishes on D", is_zero(formula_on_D(claim, certificate, "function"))}};
}

std::vector<CheckedStep> not_zero_steps(const ClaimedSystem& claim, const Data& certificate) {
  return seen_steps(claim, certificate, "the function does not vanish",
                    formula_on_D(claim, certificate, "function"));
}

std::vector<CheckedStep> density_steps(const ClaimedSystem& claim, const Data& certificate) {
  const Expr rho = formula_on_D(claim, certificate, "density");
  const Symbol t = Symbol::make("t", {.role = Role::time});
  const auto has_time = [&](const auto& rate) { return contains(rate.second, t); };
  if (contains(rho, t) && std::ranges::none_of(claim.motion, has_time))
    bad_certificate("every motion carries along a density that changes with time");
  return {{"the density is not zero", some_do_not_vanish({rho})},
          {"the density is invariant", is_zero(measure_residual(claim, rho))}};
}

std::vector<CheckedStep> not_a_density_steps(const ClaimedSystem& claim, const Data& certificate) {
  return seen_steps(claim, certificate, "the density is not invariant",
                    measure_residual(claim, formula_on_D(claim, certificate, "density")));
}

}  // namespace rattleback
