#include <rattleback/proof/motion_claims.hpp>

#include <algorithm>

#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/proof/claimed_fields.hpp>
#include <rattleback/proof/claimed_motion.hpp>
#include <rattleback/proof/claimed_state.hpp>

namespace rattleback {
namespace {

Expr formula_on_D(const ClaimedSystem& claim, const Data& certificate, const char* key) {
  return substitute(claim.formula(text_field(certificate, key)), claim.psi);
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

/// (L_ξ Q)_j = ξ^C Q_j + Q_i X_j(ξ^i) − Q_i C_kj^i ξ^k.                                                     (N.4)
std::vector<Expr> turned_forces(const ClaimedSystem& claim, const std::vector<Expr>& xi,
                                const SymbolMap& lift) {
  std::vector<Expr> all = derivative_along(claim.forces, lift);
  for (std::size_t j = 0; j < xi.size(); ++j) {
    for (std::size_t i = 0; i < xi.size(); ++i)
      all[j] += claim.forces[i] * derivative_along(xi[i], claim.frame[j]);
  }
  for (const auto& [k, j, i, value] : claim.structure)
    all[static_cast<std::size_t>(j)] -=
        claim.forces[static_cast<std::size_t>(i)] * value * xi[static_cast<std::size_t>(k)];
  return all;
}

/// What vanishes for a symmetry: of L everywhere, of C and Q on D.
struct SymmetryResiduals {
  std::vector<Expr> field, lagrangian, constraints, forces;
};
std::vector<SymmetryResiduals> symmetry_residuals(const ClaimedSystem& claim, const Data& certificate) {
  const Data* fields = certificate.find("fields");
  if (fields == nullptr || fields->list() == nullptr || fields->list()->empty())
    bad_certificate("`fields` is not a list of vector fields");
  std::vector<SymmetryResiduals> all;
  for (const Data& row : *fields->list()) {
    Data one;
    one["field"] = row;
    const std::vector<Expr> xi = formulas_field(claim, one, "field", claim.velocities.size());
    for (const Symbol s : symbols_of(xi)) {
      if (std::ranges::find(claim.speeds, s) != claim.speeds.end())
        bad_certificate("a field depends on the speeds, and a symmetry acts on configurations");
    }
    const SymbolMap lift = complete_lift(claim, xi);
    all.push_back({xi,
                   {derivative_along(claim.lagrangian, lift)},
                   substitute(derivative_along(claim.constraints, lift), claim.psi),
                   substitute(turned_forces(claim, xi, lift), claim.psi)});
  }
  return all;
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
  return {{"the density is not zero", some_do_not_vanish({rho})},
          {"the density is invariant", is_zero(measure_residual(claim, rho))}};
}

std::vector<CheckedStep> not_a_density_steps(const ClaimedSystem& claim, const Data& certificate) {
  return seen_steps(claim, certificate, "the density is not invariant",
                    measure_residual(claim, formula_on_D(claim, certificate, "density")));
}

std::vector<CheckedStep> symmetry_steps(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<CheckedStep> steps;
  for (const SymmetryResiduals& r : symmetry_residuals(claim, certificate)) {
    steps.push_back({"a field moves something", some_do_not_vanish(r.field)});
    steps.push_back({"the Lagrangian does not notice it", is_zero(r.lagrangian)});
    steps.push_back({"it maps admissible velocities to admissible ones", is_zero(r.constraints)});
    steps.push_back({"the forces do not notice it", is_zero(r.forces)});
  }
  return steps;
}

std::vector<CheckedStep> not_a_symmetry_steps(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<CheckedStep> steps;
  for (const SymmetryResiduals& r : symmetry_residuals(claim, certificate)) {
    std::vector<Expr> all = r.lagrangian;
    for (const auto* more : {&r.constraints, &r.forces}) all.insert(all.end(), more->begin(), more->end());
    steps.push_back({"the system notices the field", some_do_not_vanish(all)});
  }
  return steps;
}

}  // namespace rattleback
