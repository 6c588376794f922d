#pragma once
/// Checks certificates that an ansatz contains no first integral besides the energy, by a rank at states modulo a prime.

#include <string>
#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// φ_1, …, φ_n are the products stated; their rates along the motion at n + 6 states s_i, drawn here modulo the prime, have the rank
///     rank (φ_j˙(s_i)) = n − k,   Σ_j c_lj φ_j = a_l E + b_l for k independent rows c_l:                        (W.7)
/// constant combinations form a space of at most k dimensions, and these fill it.
std::vector<CheckedStep> no_integral_steps(const ClaimedSystem& claim, const Data& certificate);

/// "functions: 1, cos(phi) times 1, u, u^2": lines for a person.
std::vector<std::string> no_integral_stated(const Data& certificate);

}  // namespace rattleback
