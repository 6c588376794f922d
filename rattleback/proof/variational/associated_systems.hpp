#pragma once
/// Second-order systems on all of Q whose motions on the constraint are the nonholonomic ones, and their Lagrangians.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/motion/forms/chaplygin.hpp>
#include <rattleback/proof/variational/helmholtz.hpp>

namespace rattleback {

/// Equations for the base velocities as they are, and for the fibre:
///   I    s̈^a = −d/dt(A^a_α ṙ^α), in ṙ alone;
///   II   the same, with ṙ^β = −ṡ^a/A^a_β put in where A^a has one entry: decoupled equations;
///   III  the Euler–Lagrange equations of L_V = L − (∂L/∂ṡ^a)(ṡ^a + A^a_α ṙ^α).                          (C.23)
struct AssociatedSystem {
  std::string type;
  SecondOrderSystem equations;
  Verdict restricts;               ///< keeps the constraint and is the nonholonomic motion there
  std::optional<Expr> lagrangian;  ///< III: L_V
};
/// Those that exist for an abelian Chaplygin system in coordinates. Throws Error[form-does-not-apply] otherwise.
std::vector<AssociatedSystem> associated_systems(const Chaplygin& reduction);

/// q̈ = f(q, q̇) of a system without constraints, forces included. Throws Error[form-does-not-apply] where they are not
/// in coordinates, or depend on time.
SecondOrderSystem free_second_order_system(const System& system);

/// q̈_1 = 0, q̈_a = Ξ_a(q_1) q̇_1 q̇_a with antiderivatives ξ_a of Ξ_a has the Lagrangians
///     L = ρ(q̇_1) + ½ Σ_a C_a e^{−ξ_a} q̇_a²/q̇_1,                                                         (C.24)
/// and the term σ(q̇_b) in place of the b-th where Ξ_b = 0.
struct DecoupledLagrangian {
  int clock = 0;                  ///< the coordinate q_1
  std::vector<int> others;        ///< a
  std::vector<Expr> scales;       ///< e^{ξ_a}
  std::vector<Symbol> constants;  ///< C_a
  Expr family;                    ///< (C.24) with an abstract ρ
  Expr lagrangian;                ///< ρ = ½ I q̇_1²
  std::vector<Symbol> momenta;
  Expr hamiltonian;  ///< (p_1 + ½ Σ e^{ξ_a} p_a²/C_a)²/(2I)                                 (C.25)
  Verdict is_lagrangian, legendre;
};
/// `inertia` gives I for each coordinate that may be the clock; 1 where it is left out. `hints` are functions of which the scales may be
/// products of powers. Nothing when the system is of another shape, or a scale has no closed form that was found.
std::optional<DecoupledLagrangian> decoupled_lagrangian(const SecondOrderSystem& s,
                                                        const SymbolMap& inertia = {},
                                                        const std::vector<Expr>& hints = {});
/// Is it of that shape? Then a Lagrangian (C.24) exists, whether or not its scales have closed forms.
bool decouples(const SecondOrderSystem& s);

/// det G and the entries of A: for the class of (C.24) the scales are made of these.
std::vector<Expr> scale_hints(const Chaplygin& reduction);

/// G_αα of every base coordinate for which it is constant.
SymbolMap constant_inertias(const Chaplygin& reduction);

/// The constraint ṡ^a + A^a_α ṙ^α = 0 in the momenta of such a Lagrangian, as affine functions that vanish on it.
std::vector<Expr> constraint_in_momenta(const Chaplygin& reduction, const SecondOrderSystem& s,
                                        const DecoupledLagrangian& L);

}  // namespace rattleback
