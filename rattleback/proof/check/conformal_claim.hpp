#pragma once
/// Checks certificates that a factor makes the bracket of the motion Poisson, or that none does.

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_bracket.hpp>

namespace rattleback {

/// Nothing when neither `factor` nor `no_factor` is there. That there is none has one of four reasons:
///     "not integrable"   on D*: the image of f π projects onto D, whatever f is                              (J.5)
///     "rank two"         π∧π = 0, so f drops out of (J.4)
///     "no slopes"        (J.4) has no solution w at all
///     "contradiction"    it has one, and brackets of Y_a[log f] = w_a contradict each other, as in (W.2)
std::vector<CheckedStep> factor_steps(const ClaimedBracket& b, const ClaimedQuotient& q, const Data& d,
                                      const std::vector<Expr>& J);

}  // namespace rattleback
