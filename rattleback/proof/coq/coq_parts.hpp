#pragma once
/// What the files that write theorems for Coq have in common: the text of a theorem, cofactors, the motion as a field.

#include <string>
#include <vector>

#include <rattleback/proof/check/claimed_system.hpp>
#include <rattleback/proof/coq/coq_system.hpp>

namespace rattleback {

/// Throws Error[no-coq-form].
[[noreturn]] void no_coq_form(const std::string& what, const std::string& why);

/// The text of a theorem with its proof by computation.
std::string coq_theorem(const std::string& name, const std::string& statement, const std::string& proof);

/// Multipliers w_i of Lagrange-d'Alembert's equations and ρ_s of the rates of the constraints by which dg/dt follows, g(q, v):
///     G y = ∂(g∘ψ)/∂z, w = Ψ y,   ∂g/∂v − M w = ρ A on D.
/// They are followed by zeros, for the constraints themselves.
std::vector<Expr> coq_combination(const ClaimedSystem& claim, const CoqElimination& x, Expr g);

/// The motion as a field on (q, z): its definitions in the file, and the theorem that every motion follows it.
std::string coq_field_theorem(const ClaimedSystem& claim, CoqSystem& file);
/// What these definitions are called.
inline const char* const coq_along_the_field = "system speeds velocities_by_speeds rates_of_speeds";

}  // namespace rattleback
