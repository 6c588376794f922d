#include <rattleback/proof/check/control_claim.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>

namespace rattleback {
std::vector<CheckedStep> control_steps(const ClaimedSystem& claim, const Data& certificate) {
  const std::size_t n = claim.velocities.size();
  // Nothing on D is left among them: a velocity or speed that is a control is replaced by its value there.
  const std::vector<Symbol> u =
      symbols_in(claim, Data(list_field(certificate, "controls")), {Role::velocity}, "control");
  const std::vector<Expr> rho = formulas_of(claim, Data(list_field(certificate, "driven")), n,
                                            {&claim.functions, &u}, "a controlled rate");
  const std::vector<Expr> p = formulas_field(claim, certificate, "costate", n);
  const std::vector<Expr> along = formulas_field(claim, certificate, "controls_along", u.size());
  const Expr cost = claim.formula(text_field(certificate, "cost"));
  require_listed({cost}, {&claim.functions, &u}, "a cost");
  SymbolMap here;
  for (std::size_t j = 0; j < u.size(); ++j) here.emplace(u[j], along[j]);
  // 𝓗 with letters for p, so that ∂/∂u and X_i leave the p_i alone.
  std::vector<Expr> terms{-cost};
  for (std::size_t i = 0; i < n; ++i) {
    const Symbol letter = Symbol::make(fmt::format("p#{}", i), {.role = Role::momentum});
    terms.push_back(letter * rho[i]);
    here.emplace(letter, p[i]);
  }
  const Expr H = sum(terms);
  std::vector<Expr> drive = substitute(rho, here), pull;
  for (std::size_t i = 0; i < n; ++i) {
    drive[i] -= claim.admissible[i];
    pull.push_back(-substitute(derivative_along(H, claim.frame[i]), here));
  }
  const Matrix hessian = substitute(jacobian(gradient(H, u), u), here);
  return {{"with these controls the system moves as the constrained one", is_zero(drive)},
          {"the controls make Pontryagin's function stationary", is_zero(substitute(gradient(H, u), here))},
          {"they are the only ones near by",
           at_least(rank(hessian).value, static_cast<int>(u.size()), "the rank of the second derivatives")},
          {"the costate obeys its equation", is_zero(lagrange_residuals(claim, p, pull))}};
}

}  // namespace rattleback
