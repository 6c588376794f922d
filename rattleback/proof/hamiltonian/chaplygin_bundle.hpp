#pragma once
/// Systems that reduce to Q/G: D is a complement of the orbits of symmetries, whatever the coordinates.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/geometry/frame.hpp>
#include <rattleback/motion/forms/chaplygin.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// TQ = D ⊕ span{ξ_a} with symmetries ξ_a. In the frame (X_α, ξ_a) of Q
///     [X_α, X_β] = c_αβ^γ X_γ + B^a_αβ ξ_a,   K^ε_αβ = G^εδ ⟨X_δ, ξ_a⟩ B^a_αβ,                             (C.1)
/// and functions on the base Q/G are the functions that the ξ_a leave alone.
struct ChaplyginBundle {
  System system;            ///< the model, in body axes where its own coordinates do not show the group
  Admissible D;             ///< X_α and the speeds
  Frame frame;              ///< X_1, …, X_m, ξ_1, …, ξ_k
  Matrix orbits;            ///< ξ_a as columns, in the velocities of the model
  std::string group;        ///< what moves the fibre: "x, y" or names of generators
  Expr lagrangian;          ///< ℓ_c(q, z) = ½ G z z + b z − V
  Matrix metric;            ///< G_αβ
  StructureCoefficients c;  ///< c_αβ^γ
  StructureCoefficients K;  ///< K(α, β, ε) is K^ε_αβ
  Matrix lambda;  ///< Λ_αβ = −⟨∂L/∂v, ξ_a⟩ B^a_αβ on D, a function of (q, z)                  (C.2)
  Assumptions where;

  int dimension() const { return D.rank(); }
  /// Vanishes where orbits have directions in D: A ξ for constraints A v = 0. There the states of D are none of the base.       (C.1)
  Expr transversality() const;
  /// The one-form on Q with these values on the X_α and none on the orbits.
  OneForm horizontal_form(const std::vector<Expr>& values) const;
  /// dα on the frame, for such a form: zero iff it is closed.
  std::vector<Expr> curl(const std::vector<Expr>& values) const;
};

/// From Chaplygin's reduction, whose fibre legs span the orbits.
ChaplyginBundle chaplygin_bundle(const Chaplygin& reduction);
/// From fields of which is known that they are symmetries. Nothing when they do not complement D.
std::optional<ChaplyginBundle> chaplygin_bundle(const System& system, const Admissible& D,
                                                const std::vector<Generator>& orbits);

/// ξ is a symmetry: it preserves the Lagrangian (ξ^c L = 0) and the constraints ([ξ, D] ⊂ D). At random points.
bool is_symmetry(const System& system, const Admissible& D, const VectorField& xi);

/// What may generate the orbits: the model's [symmetry], and coordinate legs along which nothing changes; only symmetries.
std::vector<Generator> symmetry_generators(const System& system, const Admissible& D);

/// Every way the model shows of being a Chaplygin system, the classical one first: Chaplygin's reduction, then each choice of
/// generators that close under brackets and complement D; until `visit` returns true.
/// Throws Error[form-does-not-apply] when there is none.
void visit_chaplygin_bundles(const System& system, const std::function<bool(const ChaplyginBundle&)>& visit);

}  // namespace rattleback
