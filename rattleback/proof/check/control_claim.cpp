#include <rattleback/proof/check/control_claim.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>

namespace rattleback {
namespace {

/// Letters that nothing else in the certificate has: a velocity among them would be replaced by what it is on D.
std::vector<Symbol> controls_of(const ClaimedSystem& claim, const Data& certificate) {
  const Data* names = certificate.find("controls");
  if (names == nullptr || names->list() == nullptr || names->list()->empty())
    bad_certificate("`controls` is not a list of names");
  std::vector<Symbol> controls;
  for (const Data& name : *names->list()) {
    if (name.text() == nullptr) bad_certificate("a control has no name");
    const Expr e = claim.formula(*name.text());
    const auto taken = [&](const std::vector<Symbol>& all) {
      return std::ranges::count(all, e.symbol()) > 0;
    };
    if (!e.is(Kind::symbol) || e.symbol().role() != Role::velocity || taken(claim.velocities) ||
        taken(claim.speeds) || taken(controls))
      bad_certificate(fmt::format("`{}` cannot be a control", *name.text()));
    controls.push_back(e.symbol());
  }
  return controls;
}

}  // namespace

std::vector<CheckedStep> control_steps(const ClaimedSystem& claim, const Data& certificate) {
  const std::size_t n = claim.velocities.size();
  const std::vector<Symbol> u = controls_of(claim, certificate);
  const std::vector<Expr> rho = formulas_field(claim, certificate, "driven", n);
  const std::vector<Expr> p = formulas_field(claim, certificate, "costate", n);
  const std::vector<Expr> along = formulas_field(claim, certificate, "controls_along", u.size());
  const Expr cost = claim.formula(text_field(certificate, "cost"));
  std::vector<Expr> moved = slopes(claim, cost);
  for (const Expr e : rho) {
    for (const Expr slope : slopes(claim, e)) moved.push_back(slope);
  }
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
  return {{"rates and cost are functions of configuration and controls", is_zero(moved)},
          {"with these controls the system moves as the constrained one", is_zero(drive)},
          {"the controls make Pontryagin's function stationary", is_zero(substitute(gradient(H, u), here))},
          {"they are the only ones near by",
           at_least(rank(hessian).value, static_cast<int>(u.size()), "the rank of the second derivatives")},
          {"the costate obeys its equation", is_zero(lagrange_residuals(claim, p, pull))}};
}

}  // namespace rattleback
