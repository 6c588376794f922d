#pragma once
/// Vectors of constant length from one body to the next: along an arm that is fixed in a body, or to where two bodies touch.

#include <optional>
#include <vector>

#include <rattleback/view/vectors/rotating_bodies.hpp>
#include <rattleback/view/vectors/vector_names.hpp>

namespace rattleback {

/// r_b − r_parent = length · vector.
struct BodyArm {
  int parent = -1;  ///< a body before this one; −1: none
  Expr length = 1;  ///< 1 where the vector is not a unit vector
  CovariantTerm vector, formula;
  bool is_fixed = false;  ///< in a body that turns: the formula is B c with a constant c
};

/// For every body the arm that leads to it. Their names are n where it is a unit vector, otherwise c. `rotations` are the B of `all`.
std::vector<BodyArm> body_arms(const System& system, const RotatingBodies& all,
                               const std::vector<CovariantTerm>& rotations, VectorNames& names);

/// m as B c with a constant c, where it is fixed in a body.
std::optional<CovariantTerm> fixed_in_body(const System& system, const RotatingBodies& all,
                                           const std::vector<CovariantTerm>& rotations, const Matrix& m);

/// The shortest way to write a vector: in space axes, or as B c in the axes of a body.
CovariantTerm shortest_in_axes(const Matrix& vector, const std::vector<CovariantTerm>& rotations);

}  // namespace rattleback
