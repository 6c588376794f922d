#pragma once
/// Proof that no function of first degree in the velocities is constant along the motion: its equations, prolonged at one configuration.

#include <optional>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/dependence.hpp>

namespace rattleback {

/// Along motions of L = ½ g(v, v) + A(v) − V with forces F + Q v under linear constraints, v in D, a function g(ξ, v) − h with ξ in D is constant iff
///     (L_ξ g)(e, e') = 0,   ξ[V] = F(ξ),   e[h] = dA(ξ, e) + Q(ξ, e)   for e, e' in D.                   (N.17)
/// That are the momenta of symmetries, those of fields that are none, gauge momenta f(q) J, all up to a function of the configuration. Is
/// ξ = 0 at a random configuration modulo the prime when the derivatives of these equations are taken along? No ansatz, the same in all coordinates.
/// If so, on which parameters that depends. Nothing says nothing: there are such functions, or more derivatives were needed, or the system is
/// of another kind.
std::optional<Dependence> no_momenta(const System& system);

}  // namespace rattleback
