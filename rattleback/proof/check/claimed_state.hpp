#pragma once
/// A witness state of a certificate: a rational point of the manifold, checked to satisfy every relation and constraint.

#include <rattleback/algebra/signs/ball.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// BᵀB − 1 and det B − 1 for matrices, γ·γ − 1 for unit vectors: what the functions of the configuration satisfy.
std::vector<Expr> relations(const ClaimedSystem& claim);

/// Values of symbols, rational numbers all.
struct ClaimedState {
  SymbolMap values;
  BallPoint point{1};
};
/// The field `at`: the names of symbols with their values. Throws Error[bad-certificate].
ClaimedState claimed_state(const ClaimedSystem& claim, const Data& certificate);

/// The relations hold there, and positive parameters are positive.
Verdict is_a_state(const ClaimedSystem& claim, const ClaimedState& state);
/// One of them does not vanish there, by ball arithmetic. Every symbol of theirs needs a value.
Verdict some_do_not_vanish_at(const ClaimedState& state, const std::vector<Expr>& es);

}  // namespace rattleback
