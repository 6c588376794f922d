#pragma once
/// Ansatz for first integrals: the functions φ(q) z^μ of the state whose constant combinations are searched.

#include <optional>
#include <span>
#include <vector>

#include <rattleback/algebra/arithmetic/modular_field.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

/// z^μ of degree at most two in the speeds, times
///     products of at most two of: coordinates, entries of rotation matrices, and cos, sin, cosh, sinh, exp of coordinates,
///     the last where they occur in the motion; and, of the coordinates on which the motion depends, products of
///     trigonometric polynomials of degree two and of powers up to two; and products of the model's own definitions. (Y.3)
/// As many as a second of linear algebra bears; simplest first, no constants.
std::vector<Expr> integral_ansatz(const System& system, const EquationsOfMotion& motion);
/// The same functions as products: every one of `functions` times every one of `powers`, constants left out.
struct AnsatzBlock {
  std::vector<Expr> functions, powers;
};
std::vector<AnsatzBlock> integral_ansatz_blocks(const System& system, const EquationsOfMotion& motion);

/// Coordinates and matrix entries on which `rates` depend, directly or through the rates of others.
std::vector<Symbol> influential_functions(std::vector<Expr> rates, std::span<const Symbol> configuration,
                                          std::span<const Expr> configuration_rates);

/// The rates of the functions along the motion at random points, one row for each point; the parameters have the same
/// values, which `choice` numbers, at all of them. Nothing when the motion is not defined at random states, or not with these
/// values: where roots are taken of parameters every second choice has none.
std::optional<ModularMatrix> sampled_rates(const std::vector<Expr>& functions, const SymbolMap& motion,
                                           int points, int choice);
/// Their differentials at one random point and the same parameters: one row for each direction.
std::optional<ModularMatrix> sampled_differentials(const std::vector<Expr>& functions,
                                                   const std::vector<SymbolMap>& directions, int choice);

}  // namespace rattleback
