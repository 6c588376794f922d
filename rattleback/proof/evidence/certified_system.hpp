#pragma once
/// What every certificate begins with: the system, and the velocities and the motion claimed for it.

#include <span>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/proof/check/data.hpp>

namespace rattleback {

/// The system and the motion claimed for it, without a claim: what every certificate begins with. Null when this and the formulas
/// that are to follow are too long to be worth their paper.
Data certified_system(const System& system, const EquationsOfMotion& motion, std::span<const Expr> also);
/// The same with the admissible velocities v = ψ(q, z) alone: for claims that are not about the motion.
Data certified_constraints(const System& system, const std::vector<Symbol>& speeds, const SymbolMap& psi,
                           std::span<const Expr> also);

/// Values of every symbol, rational and on the manifold, at which e does not vanish. Null when none was drawn, or when abstract
/// functions have no values.
Data state_where_it_differs_from_zero(const System& system, const EquationsOfMotion& motion, Expr e);

/// The names of the angles: of circles, and of SE(2).
Data circles_of(const Space& space);
/// Formulas as a list of texts.
Data texts(std::span<const Expr> es);
/// The rows of a matrix as lists of texts; its entries are added to `noted`, the formulas whose length counts.
Data rows_of_texts(const Matrix& m, std::vector<Expr>& noted);
/// The velocities of the model along the motion: v = ψ(q, z).
std::vector<Expr> velocities_along(const System& system, const EquationsOfMotion& motion);

}  // namespace rattleback
