#pragma once
/// Chaplygin's multiplier: a change of time dτ = f dt after which the reduced motion is Hamiltonian.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_bundle.hpp>

namespace rattleback {

/// With w = z/f and P = f p the reduced motion is that of ℒ(q, w) = ℓ_c(q, f w) in the time τ iff, with σ_α = X_α ln f,
///     σ_β G_αν + σ_ν G_αβ − 2 σ_α G_βν = K^ε_αβ G_εν + K^ε_αν G_εβ.                                    (C.3)
/// Contracting with G^αν leaves one candidate,
///     σ_β = K^α_αβ/(m − 1),                                                                          (C.4)
/// so that f is found by linear algebra and one integration, and "there is none" is a proof.
struct ChaplyginMultiplier {
  std::vector<Expr> sigma;      ///< (C.4)
  std::vector<Expr> remainder;  ///< what (C.4) leaves of (C.3): nonzero entries only, as built
  std::vector<Expr> curl;       ///< dσ as a form on Q: nonzero entries only
  /// A velocity-independent gyroscopic term F_αβ z^β: f F has to be closed on the base; only for m ≥ 3.
  std::vector<Expr> magnetic_curl;
  Matrix magnetic;         ///< F_αβ
  Verdict exists;          ///< locally: all three vanish
  bool pointwise = false;  ///< f K^ε_βα = C^ε_αβ holds as well, the stronger condition        (C.5)
  std::optional<Expr> f;   ///< up to a constant; absent when no closed form was found
  std::optional<Expr> density;    ///< f^(m−1) with respect to dr dp                                   (C.6)
  std::vector<Symbol> aperiodic;  ///< angles on which f is not periodic: it lives on the covering space

  /// Everything that does not vanish.
  std::vector<Expr> residuals() const;
};
/// `hints` are functions of which f may be a power, such as determinants of metrics; that of the bundle is one anyway.
/// Throws Error[form-does-not-apply] for forces along D, or a Lagrangian that is not quadratic.
ChaplyginMultiplier chaplygin_multiplier(const ChaplyginBundle& bundle, std::vector<Expr> hints = {});
/// Why there is none, in words: the shortest condition that fails.
std::string obstacle_to(const ChaplyginMultiplier& multiplier);
/// All that has to vanish, as built: (C.3) at (C.4), dσ, and d(f F) for m ≥ 3.
std::vector<Expr> multiplier_conditions(const ChaplyginBundle& bundle);

/// F_αβ = Λ_αβ at rest − db(X_α, X_β), b_α = ∂ℓ_c/∂z^α at rest.
Matrix magnetic_form(const ChaplyginBundle& bundle);

/// The Hamiltonian system in τ that the multiplier makes: {q, P_α} = X_α q, {P_α, P_β} = −c_αβ^γ P_γ + f F_αβ.
struct ChaplyginHamiltonian {
  std::vector<Symbol> momenta;  ///< P_α = f ∂ℓ_c/∂z^α (its quadratic part)
  Expr hamiltonian;             ///< H(q, P) = ½ G^αβ P_α P_β/f² + V
  Matrix brackets;              ///< {P_α, P_β}
  Verdict motion;  ///< f times its flow is the constrained motion, derived in another way     (C.7)
};
ChaplyginHamiltonian chaplygin_hamiltonian(const ChaplyginBundle& bundle,
                                           const ChaplyginMultiplier& multiplier);

/// What `prove --certificate` recomputes: (C.33) with Θ = f P∘π, P without the terms of L that are linear in the velocities, and
/// S⁰ = f F. Null when it would be too long.
Data certificate_of(const ChaplyginBundle& bundle, Expr f);

/// Is this function a multiplier: does it satisfy (C.3), and do the orbits leave it alone?
Verdict is_chaplygin_multiplier(const ChaplyginBundle& bundle, Expr f);

/// Proved: a multiplier exists under one of the groups that the model shows, or under another subgroup of its symmetries.
/// Refuted: under none of them. Answer {exists, multiplier, density, group, subgroups, momenta, brackets,
/// hamiltonian}.
Answer chaplygin_multiplier_answer(const System& system);

}  // namespace rattleback
