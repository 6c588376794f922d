#pragma once
/// Lie algebras that have names, and finding the name of one that is given by its brackets.

#include <string>

#include <rattleback/geometry/lie_algebra.hpp>

namespace rattleback {

LieAlgebra abelian(int n);
/// [e_i, e_j] = ε_ijk e_k.
LieAlgebra so3();
/// (rot, v1, v2): [rot, v1] = v2, [rot, v2] = −v1.
LieAlgebra se2();
/// (ω1, ω2, ω3, v1, v2, v3): [ω_i, ω_j] = ε_ijk ω_k, [ω_i, v_j] = ε_ijk v_k.
LieAlgebra se3();
/// (h, e, f): [h, e] = 2e, [h, f] = −2f, [e, f] = h.
LieAlgebra sl2();
/// [e1, e2] = e3.
LieAlgebra heisenberg_algebra();
/// so(3) ⊕ so(3) in the basis (L, K): [L, L] = L, [L, K] = K, [K, K] = L, each with ε_ijk.
LieAlgebra so4();
/// (a, b): [a, b] = b.
LieAlgebra aff1();
/// The elementary matrices E11, E12, E21, E22.
LieAlgebra gl2();
/// Bianchi's types of dimension 3: "I", "II", "III", "IV", "V", "VI" (with h), "VI0", "VII" (with h), "VII0",
/// "VIII", "IX"; throws Error[unknown-bianchi-type].
LieAlgebra bianchi(const std::string& type, Expr h = Expr(1));

/// A name by invariants: "R^3", "heis(3)", "so(3)", "sl(2)", "se(2)", "aff(1) + R", "Bianchi V", "gl(2)", "so(4)",
/// "se(3)", …; otherwise "a solvable algebra of dimension 4" and the like. Up to isomorphism over the reals.
std::string recognised_name(const LieAlgebra& g);

}  // namespace rattleback
