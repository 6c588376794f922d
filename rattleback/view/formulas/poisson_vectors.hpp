#pragma once
/// Poisson's vectors on the sheet: reduced equations of rigid bodies in (γ, Ω) instead of entries of a matrix.

#include <rattleback/view/formulas/sheet.hpp>

namespace rattleback {

/// γ = Bᵀe_k, a space axis in the body: a row of B; or B e_k, a body axis in space: a column.
struct PoissonVector {
  std::string
      name;  ///< the model's own where it defines the vector; otherwise alpha, beta, gamma, or b1, b2, b3
  std::vector<Symbol> components, entries;  ///< γ_i, and the entry of B that it is
};
/// For every rotation matrix of which the formulas see one row, or one column, and nothing else.
std::vector<PoissonVector> poisson_vectors(const System& system, std::span<const Expr> formulas);

/// Entries of matrices ↦ components of the vectors.
SymbolMap as_components(const std::vector<PoissonVector>& vectors);

/// The components in place of the entries everywhere on the sheet, with lines for their rates, γ' = γ × Ω.
void use_components(const std::vector<PoissonVector>& vectors, const EquationsOfMotion& equations,
                    Sheet& sheet);

}  // namespace rattleback
