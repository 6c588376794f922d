#pragma once
/// Inverse problem of the calculus of variations: is there a Lagrangian on all of Q whose motions on the constraint are the nonholonomic ones?

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/proof/variational/associated_systems.hpp>

namespace rattleback {

/// Proved: an associated second-order system has a regular Lagrangian. Not found otherwise, with a certificate where each of them
/// violates Helmholtz' algebraic conditions (other coordinates have other associated systems). Answer {exists, types, group,
/// lagrangian, hamiltonian, submanifold}, and second_lagrangian, … of (C.31) where another coordinate moves uniformly.
Answer inverse_problem_answer(const System& system);

/// Restricts the domain of an answer to where the Lagrangian has no pole, is real, and its Hessian is regular.
void restrict_to_lagrangian(const System& system, const SecondOrderSystem& s, Expr lagrangian, Data& answer);

/// The same for a family, whose constants move no pole.
void restrict_to_lagrangian(const System& system, const SecondOrderSystem& s, const DecoupledLagrangian& L,
                            Data& answer);

/// The same without constraints: q̈ = f(q, q̇) with forces. A Lagrangian by the potential of the forces, (C.24), or a sum of polynomials
/// with numbers as coefficients; or none, by (C.19)–(C.22). Answer {exists, lagrangian}.
Answer free_inverse_problem(const System& system);

}  // namespace rattleback
