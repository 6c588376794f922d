#pragma once
/// Conjectures of the user about a system, decided: `prove --conserved`, `--zero`, `--symmetry`, `--integral-of`, `--agreement`.
/// Each answer carries a certificate that check_certificate() verifies without this code. Conjectures about densities, multipliers
/// and Lagrangians: measure_conjecture.hpp, multiplier_conjecture.hpp, lagrangian_conjecture.hpp.

#include <string>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// A function that changes with every turn of an angle is constant along motions that count the turns: on the cover.
void note_turns(const System& system, Expr f, Answer& a);

/// df/dt = 0 along every admissible motion; f in velocities or quasi-velocities.
Answer conserved_conjecture(const System& system, Expr f);
/// f = 0 at every admissible state.
Answer zero_conjecture(const System& system, Expr f);
/// The Lagrangian, the forces and the constraints do not notice ξ.
Answer symmetry_conjecture(const System& system, const VectorField& xi);
/// F(q) is constant along every admissible velocity: an integral of the constraints.
Answer integral_conjecture(const System& system, Expr F);
/// Densities and factors of time are smooth and positive: a claim that is proved but for that becomes refuted where f is negative or not
/// real, and names the zeros and poles of f else.
void judge_positivity(const System& system, Expr f, const std::string& what, Answer& a);
/// A density or a factor of time that is 0 everywhere satisfies every linear condition and is none.
Answer refuted_as_zero();
/// Two forms of the equations describe one motion.
Answer agreement_conjecture(const System& system, const std::string& first, const std::string& second);

/// The field that "x = -y, y = x, theta = 1" describes, in the syntax of [symmetry].
VectorField field_of_conjecture(const System& system, const std::string& text);

/// Certificate that functions of velocities or speeds are constant. Null where the motion has no closed form or a long one.
Data certificate_of_constants(const System& system, const std::vector<Expr>& functions);

/// A verdict with the point where it fails, if there is one.
Answer answer_with_point(const Verdict& verdict);
/// "name = e" as a reason, where e is short enough to be read.
void add_formula(const std::string& name, Expr e, Answer& answer);

/// div Γ on (q, z): (M.1) for the velocity, and Σ ∂ż^α/∂z^α.
Expr divergence_of(const System& system, const EquationsOfMotion& motion);

/// q ↦ q', z ↦ z', t ↦ 1.
SymbolMap along(const System& system, const EquationsOfMotion& motion);

}  // namespace rattleback
