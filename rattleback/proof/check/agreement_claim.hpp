#pragma once
/// Checks certificates that several forms of the equations describe one motion, by the algebra alone.

#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// One form of the equations: speeds w = W(q, v) on the constraint, v = φ(q, w), ẇ = H(q, w).
struct ClaimedFormOfEquations {
  std::string name;
  std::vector<Symbol> speeds;
  std::vector<Expr> definitions, velocities, rates;
};
/// The field `forms`. Throws Error[bad-certificate].
std::vector<ClaimedFormOfEquations> claimed_forms(const ClaimedSystem& claim, const Data& certificate);

/// φ(q, W(q, ψ)) = ψ and Γ(W(q, ψ)) = H(q, W(q, ψ)) for every form: each of them is the motion, so they agree.  (A.7)
std::vector<CheckedStep> agreement_steps(const ClaimedSystem& claim, const Data& certificate);
/// The forms by name.
std::vector<std::string> agreement_stated(const Data& certificate);

}  // namespace rattleback
