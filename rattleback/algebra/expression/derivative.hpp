#pragma once
/// Symbolic differentiation and substitution on the graph, memoised: linear in the number of nodes.

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Replacement or velocity of each symbol.
using SymbolMap = std::unordered_map<Symbol, Expr>;

/// ∂e/∂x. Memoised per thread, so repeated derivatives of shared expressions are free.
Expr derivative(Expr e, Symbol x);

/// Σ_x (∂e/∂x) v_x in one forward sweep: the derivative of e along the direction v. Symbols without an entry
/// stand still.
std::vector<Expr> derivative_along(std::span<const Expr> es, const SymbolMap& v);
Expr derivative_along(Expr e, const SymbolMap& v);
/// Along several directions, with entries for the same symbols: one walk through the graph serves all.
std::vector<std::vector<Expr>> derivatives_along(std::span<const Expr> es, std::span<const SymbolMap> vs);

/// (∂e/∂x_1, …, ∂e/∂x_n) in one reverse sweep: a small multiple of the nodes of e, whatever n is.
std::vector<Expr> gradient(Expr e, std::span<const Symbol> xs);

/// Every occurrence of a symbol replaced, simultaneously.
std::vector<Expr> substitute(std::span<const Expr> es, const SymbolMap& replacement);
Expr substitute(Expr e, const SymbolMap& replacement);
/// Several replacements of the same symbols: one walk through the graph serves all.
std::vector<std::vector<Expr>> substitutions(std::span<const Expr> es,
                                             std::span<const SymbolMap> replacements);

/// Every call of the abstract function f, and of its derivatives, replaced by `body`, a function of `parameters`.
Expr substitute(Expr e, Function f, std::span<const Symbol> parameters, Expr body);

/// The graph rebuilt from the leaves, with `change` applied to every rebuilt node.
std::vector<Expr> rebuild(std::span<const Expr> es, const std::function<Expr(Expr)>& change);

/// e built with other arguments in place of its own.
Expr with_args(Expr e, std::span<const Expr> args);

}  // namespace rattleback
