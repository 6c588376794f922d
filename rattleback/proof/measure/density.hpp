#pragma once
/// Densities in closed form: products of powers of the functions at whose zeros they may become singular.

#include <optional>
#include <span>
#include <vector>

#include <rattleback/proof/evidence/directional_system.hpp>

namespace rattleback {

/// e^σ = Π f_i^{k_i} · exp(Σ c_j q_j).
struct Density {
  Expr sigma, value;
  std::vector<std::pair<Expr, Expr>> powers;  ///< f_i, k_i with k_i ≠ 0
};

/// σ = Σ k_i log f_i + Σ c_j q_j with Y[σ] = rate for all equations, f_i among the factors of `hints`, of the denominators
/// of the rates, and sines and cosines of coordinates, q_j among coordinates on lines: linear in k and c.    (M.4)
std::optional<Density> density(const std::vector<DirectionalEquation>& equations,
                               std::span<const Expr> hints);

/// Factors of numerators and denominators that are not numbers or parameters alone.
std::vector<Expr> factors_of(std::span<const Expr> es);

}  // namespace rattleback
