#pragma once
/// One-forms written with the differentials of coordinates and of rotations.

#include <optional>
#include <vector>

#include <rattleback/geometry/one_form.hpp>

namespace rattleback {

/// α = Σ a_q dq + Σ b_k Ω^k: differentials of coordinates, and the body rotation legs of each rotation matrix.
struct CoordinateForm {
  std::vector<Symbol> coordinates;
  std::vector<Expr> a;
  struct Rotation {
    std::vector<Symbol> entries;  ///< of B, row by row
    std::vector<Expr> b;          ///< coefficients along X_k B = B ê_k, k = 1, 2, 3
  };
  std::vector<Rotation> rotations;
};

/// Nothing when the frame mixes rotations with coordinates, or the space has a Lie algebra without a group.
std::optional<CoordinateForm> coordinate_form(const OneForm& alpha);

}  // namespace rattleback
