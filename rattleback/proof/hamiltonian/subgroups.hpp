#pragma once
/// One-parameter subgroups of a symmetry group, searched all at once.

#include <vector>

#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_bundle.hpp>

namespace rattleback {

/// Subspaces of the algebra with the same pivots I. Each k-dimensional subspace has one basis in reduced echelon form,
///     h_r = η_{I_r} + Σ_{i > I_r, i ∉ I} c_ri η_i,                                                        (C.29)
/// and it is a subalgebra iff [h_r, h_s]^i = Σ_p [h_r, h_s]^{I_p} h_p^i for every i ∉ I.
struct SubgroupCell {
  std::vector<Generator> basis;  ///< h_r
  std::vector<Symbol> unknowns;  ///< c_ri
  std::vector<Expr> closure;     ///< polynomials in the unknowns: zero where it is a subalgebra
};
std::vector<SubgroupCell> subgroup_cells(const SymmetryAlgebra& g, int k);

/// The subgroups of a symmetry group that complement D and under which conditions on the bundle hold.
struct SubgroupSearch {
  std::string algebra;                   ///< what was searched: the name of the group's algebra
  int dimension = 0;                     ///< of that algebra
  std::vector<ChaplyginBundle> bundles;  ///< candidates; the conditions are for the caller to verify
  bool complements = false;              ///< some subgroup complements D
  bool exhaustive = true;                ///< every subgroup was examined, for parameters in general position
};
/// All symmetries within the ansatz (N.2) are searched.
SubgroupSearch subgroup_search(const System& system, const Admissible& D,
                               const std::function<std::vector<Expr>(const ChaplyginBundle&)>& conditions);

}  // namespace rattleback
