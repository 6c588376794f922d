#pragma once
/// Checks certificates that state how many momenta of symmetries are conserved, by the algebra alone.

#include <string>
#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// `fields` are symmetries η_a, `sections` a basis ξ_b of D ∩ T Orb, [η_a, ξ_b] = −(M_a)_b^c ξ_c with `turns` M_a. The equations (Y.1)
/// for f^b J_b + f^0 are formed, and h_i[f] = M_i f, stated in `slopes`, solves those that determine it; the others are N f = 0. With
/// brackets and derivatives of these (Y.2) the unknowns (df, f) at a point satisfy
///     Y_k^i df_i − M_k f = 0,   N f = 0,   and f has at most (k + 1)(1 + rank Y) − rank dimensions,            (W.8)
/// one of them J_0 = 1. `solutions` f are as many as counted; where some have no closed form the brackets close.
std::vector<CheckedStep> gauge_steps(const ClaimedSystem& claim, const Data& certificate);

/// "gauge momenta over 2 sections: 1": lines for a person.
std::vector<std::string> gauge_stated(const Data& certificate);

}  // namespace rattleback
