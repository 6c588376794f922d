#pragma once
/// Proof that no function of first degree in the velocities is constant along the motion: its equations, prolonged at one configuration.

#include <optional>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/dependence.hpp>

namespace rattleback {

/// Along motions of L = ½ g(v, v) + A(v) − V with forces F + Q v under linear constraints, v in D, a function g(ξ, v) − h with ξ in D is constant iff
///     (L_ξ g)(e, e') = 0,   ξ[V] = F(ξ),   e[h] = dA(ξ, e) + Q(ξ, e)   for e, e' in D.                   (N.17)
/// These are the momenta of symmetries and of fields that are none, and gauge momenta f(q) J, each up to a function of the configuration.
/// The equations and their derivatives are formed at one random configuration modulo the prime. When only ξ = 0 solves them there is no such
/// function, in any coordinates, and the result says on which parameters that depends. No result: there are such functions, more
/// derivatives were needed, or the system is of another kind.
std::optional<Dependence> no_momenta(const System& system);

}  // namespace rattleback
