#pragma once
/// Does the domain that a certificate states leave out where its witness is not defined? A wider domain is a claim that nothing shows.

#include <string>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// A condition of the witness that fails at a regular state of the stated domain; empty where none was found. The witness is the function that is
/// constant or vanishes, which has no pole and is real on its domain, or the density or multiplier, which does not vanish there, either.
std::string condition_left_out(const Data& certificate, const ClaimedSystem& claim, const System& system);

}  // namespace rattleback
