#pragma once
/// All zeros of a map on a torus, with proof: boxes without a zero are excluded by interval arithmetic (Arb balls), boxes with exactly
/// one are recognised by Krawczyk's test.

#include <optional>
#include <span>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/signs/ball.hpp>

namespace rattleback {

/// A box with exactly one zero, by its midpoint and its largest radius.
struct EnclosedZero {
  std::vector<double> at;
  double radius = 0;
  int index = 0;  ///< the sign of det ∂f/∂q there: the sum over all zeros is 0 on a torus (Poincaré, Hopf)
};

/// f: T^n → R^n, as many functions as angles, everything else having a value. With Y ≈ (∂f/∂q)⁻¹ at the midpoint m of a box B,
///     K(B) = m − Y f(m) + (1 − Y ∂f/∂q(B)) (B − m):                                                          (O.14)
/// K(B) ⊂ int B means exactly one zero in B, K(B) ∩ B = ∅ none. Nothing when boxes are too many: zeros that are degenerate or not
/// isolated, functions with poles, more than `most_boxes`.
std::optional<std::vector<EnclosedZero>> zeros_on_torus(std::span<const Expr> f,
                                                        const std::vector<Symbol>& angles,
                                                        const SymbolMap& values, int most_boxes = 20'000);

}  // namespace rattleback
