#pragma once
/// A witness state of a certificate: a rational point of the manifold, checked to satisfy every relation and constraint.

#include <rattleback/algebra/signs/ball.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// BᵀB − 1 and det B − 1 for rotation matrices: what the functions of the configuration satisfy.
std::vector<Expr> relations(const ClaimedSystem& claim);

/// The values of a map.
std::vector<Expr> formulas_in(const SymbolMap& values);

/// Values of symbols, rational numbers all.
struct ClaimedState {
  SymbolMap values;
  BallPoint point{1};
};
/// The field `at`: the names of symbols with their values, and pi is none of them. Throws Error[bad-certificate].
ClaimedState claimed_state(const ClaimedSystem& claim, const Data& certificate);

/// Positive parameters are positive there.
Verdict positive_values(const ClaimedState& state);
/// And the formulas are real: no root of a negative number. Every symbol of theirs needs a value.
Verdict real_values(const ClaimedState& state, const std::vector<Expr>& formulas);
/// The relations and the position constraints hold at the values.
Verdict is_a_configuration(const ClaimedSystem& claim, const SymbolMap& values);
/// Both.
Verdict is_a_state(const ClaimedSystem& claim, const ClaimedState& state);
/// Every symbol of theirs has a value; throws Error[bad-certificate].
void require_values(const ClaimedState& state, const std::vector<Expr>& es);
/// One of them does not vanish there, by ball arithmetic. Every symbol of theirs needs a value.
Verdict some_do_not_vanish_at(const ClaimedState& state, const std::vector<Expr>& es);

}  // namespace rattleback
