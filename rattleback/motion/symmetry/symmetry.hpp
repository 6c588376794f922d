#pragma once
/// Infinitesimal symmetries of a mechanical system: vector fields under which the Lagrangian, the forces and the constraints are invariant.

#include <string>
#include <vector>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/structure_coefficients.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// What is invariant under ξ. With ξ^C the complete lift (F.15),
///     ξ^C L = 0,   ξ^C C^a = 0 wherever all C vanish,   L_ξ (Q_i θ^i) = 0 wherever all C vanish.      (N.3)
struct Invariance {
  Verdict lagrangian, constraints, forces;
};
Invariance invariance(const System& system, const VectorField& xi, const ZeroTest& how = {});
/// All three: is ξ an infinitesimal symmetry?
Verdict is_symmetry(const Invariance& of);
Verdict is_symmetry(const System& system, const VectorField& xi, const ZeroTest& how = {});

/// What a derivation asks of a symmetry that it makes use of: its equations are proved by the agreement of forms.
inline constexpr ZeroTest for_a_derivation{.want_exact = false};

/// ξ^C f for a function of configuration and velocity.
Expr complete_lift(const VectorField& xi, Expr f);

/// Fields that span a Lie algebra: [ξ_a, ξ_b] = c_ab^d ξ_d with constant c. The fields of a left action have the structure
/// constants of its group with the opposite sign.
struct SymmetryAlgebra {
  std::string group;  ///< the name the model gives; empty when the program has found it
  std::vector<Generator> generators;
  std::vector<Invariance> invariance;  ///< one for each generator
  bool is_closed = true;               ///< false: brackets leave the span, or their constants were not found
  StructureCoefficients c;
  std::string name;      ///< "se(2)", "so(3) + R", …; empty unless closed
  bool complete = true;  ///< found: every symmetry within the ansatz (N.2) is among them
};

/// Are all of its generators?
Verdict is_symmetry(const SymmetryAlgebra& g);

struct Symmetries {
  std::vector<SymmetryAlgebra> declared;  ///< the groups of [symmetry], each generator judged
  SymmetryAlgebra found;                  ///< all symmetries within the ansatz (N.2), and their brackets
};
Symmetries symmetries(const System& system);

/// The groups of the model, judged.
std::vector<SymmetryAlgebra> declared_symmetries(const System& system);
/// Everything within the ansatz that leaves L, the forces and the constraints as they are.
SymmetryAlgebra found_symmetries(const System& system, const ZeroTest& how = {});
/// How many independent fields are symmetries at least near a general configuration: those of the ansatz, and fields with coefficients that
/// are linear in all coordinates, angles included, which have several values on circles.
int count_of_local_symmetries(const System& system);
/// The same without the constraints: what Noether's theorem asks of a field that lies in D (theorem 9.1 of the notes).
SymmetryAlgebra lagrangian_symmetries(const System& system);

/// The algebra spanned by these fields: brackets, constants, name. Nothing is added to the fields.
SymmetryAlgebra algebra_of(const System& system, std::string group, std::vector<Generator> generators,
                           const ZeroTest& how = {});

}  // namespace rattleback
