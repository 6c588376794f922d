#pragma once
/// Gauge freedom of the Lagrangian: terms linear in the velocities that are a total derivative d/dt f(q) are removed, and others are
/// replaced by their gyroscopic forces, and potentials of forces are put in, so that answers do not depend on how the motion is written.

#include <optional>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// L − A(v) for L = ½ g(v, v) + A(v) − V, or any other L whose part linear in the velocities is A, when dA = 0:
///     dA(X_i, X_j) = X_i[A_j] − X_j[A_i] − C_ij^k A_k.                                                     (N.14)
/// Near every configuration A(v) is then d/dt f(q), and does not enter the equations of motion. Nothing when A = 0 or dA ≠ 0.
std::optional<System> without_total_derivative(const System& system);

/// L − d/dt f(q, t) where A depends on time and dA does not: with ∂A/∂t = dh the Lagrangian L − (A(t) − A(0))(v) − h has the same motions,
/// and its A does not depend on time. Nothing where h is not found, has several values, or dA depends on time.
std::optional<System> with_fixed_gauge(const System& system);

/// L − A(v) with the gyroscopic forces of A in its place, which A + df has, too:
///     Q_i = dA(X_i, X_j) v^j − ∂A_i/∂t.                                                                     (N.15)
/// The motions are the same. A symmetry of this system leaves dA as it is and changes A by a closed form: L by a total derivative.
/// Nothing when A = 0, or when the Lagrangian is singular at rest.
std::optional<System> with_gyroscopic_forces(const System& system);

/// Is e = d/dt f(q) for some f near every configuration: linear in the velocities and closed?
bool is_total_derivative(const System& system, Expr e);

/// L + f with the forces F − df, F the forces at rest and df = F: where a force has a potential it does not matter whether it is written as
/// a force or in the Lagrangian. Nothing when F = 0, depends on time, or is no differential of a function that was found and has one value.
std::optional<System> with_potentials_of_forces(const System& system);
/// L + V with the forces F − dV, V = −L at rest, where forces F at rest have no potential: how much of the force is written as a potential is
/// then a matter of taste, and a symmetry of the motion leaves the whole force as it is. Nothing where F has a potential, or V is constant.
std::optional<System> with_potential_as_force(const System& system);
/// dF(X_i, X_j), where one of them is not zero: forces that have a potential at special parameters are special there.
std::vector<Expr> curl_of_forces(const System& system);

}  // namespace rattleback
