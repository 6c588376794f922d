#pragma once
/// Symmetries of a Chaplygin system with constant momenta, for Routh's reduction.

#include <functional>
#include <optional>
#include <vector>

#include <rattleback/proof/hamiltonian/chaplygin_bundle.hpp>

namespace rattleback {

/// Fields Y = Y^α X_α under which the base is invariant, [Y, X_α] = 0, Y[ℓ_c] = 0, Y[Λ] = 0, and that the gyroscopic
/// force leaves alone, Y^α Λ_αβ z^β = 0: nonholonomic cyclic coordinates, or generators of a group that acts on the base, as
/// rotations of space about the vertical do. Their momenta μ = Y^α p_α are constant.                      (C.32)
/// Independent ones: legs of the base that are coordinates first, then what is found within the ansatz (N.2).
std::vector<VectorField> cyclic_fields(const ChaplyginBundle& bundle);
/// All that (C.32) asks to vanish.
std::vector<Expr> cyclic_residuals(const ChaplyginBundle& bundle, const VectorField& Y);

/// Do these fields commute on the base, [Y_i, Y_j] = 0 along D?
bool commute_on_base(const ChaplyginBundle& bundle, const std::vector<VectorField>& fields);

/// The same bundle in a frame of D that the symmetries of the model leave as it is. Nothing when none is found.
std::optional<ChaplyginBundle> invariant_bundle(const ChaplyginBundle& bundle);

/// Sets of commuting cyclic fields, in a frame that they leave as it is: the largest first, and no part of one that failed, since
/// where a set fails its parts do (C.35). Until `succeeds` returns true; did it?
bool visit_cyclic_sets(
    const ChaplyginBundle& bundle,
    const std::function<bool(const ChaplyginBundle&, const std::vector<VectorField>&)>& succeeds);

/// θ^α(Z): the part of a field along D.
std::vector<Expr> along_D(const ChaplyginBundle& bundle, const VectorField& Z);
/// Λ_αβ z^β.
Expr gyroscopic_force(const ChaplyginBundle& bundle, int alpha);
/// q when z^α = q̇.
std::optional<Symbol> base_coordinate(const ChaplyginBundle& bundle, int alpha);

}  // namespace rattleback
