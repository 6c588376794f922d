#pragma once
/// Is there a density of the configuration on D, and one that a symmetry group leaves alone: a density on D/G?

#include <optional>
#include <string>
#include <vector>

#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/proof/measure/density.hpp>
#include <rattleback/proof/measure/measure_equations.hpp>

namespace rattleback {

/// What was found about σ, before it is put into words.
struct MeasureDecision {
  MeasureEquations equations;
  DirectionalClosure closure;
  std::vector<int>
      still;  ///< legs along which σ does not change (M.5): on D the first equations that the closure was given
  std::optional<Expr> candidate;  ///< the only σ there is, when it is not periodic in `turns`
  std::optional<Symbol> turns;
  std::optional<Density> found;
  Certificate evidence;
  Outcome outcome = Outcome::undecided;
  std::string why;
};

/// On D: (M.2), its prolongation (M.3), and densities in closed form (M.4).
MeasureDecision measure_on_D(const System& system);

/// The equations determine σ up to a constant on every connected part of a dense open set: every density of the configuration is the
/// one found, times a constant on each of them.
bool determines_density(const System& system, const MeasureDecision& d);

/// On D/G for a unimodular group: a density there is one on D that G preserves, so that for every generator
///     η[σ] = −(div η + tr M),   [η, X_α] = M_α^β X_β                                                       (M.9)
/// (with −tr M for densities of dq dz) is added to (M.2). Throws Error[form-does-not-apply] when a field does not preserve D.
MeasureDecision measure_on_quotient(const System& system, const std::vector<VectorField>& group);

}  // namespace rattleback
