#pragma once
/// Frames that are invariant under a group action.

#include <optional>
#include <vector>

#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// Does the group leave the field as it is: [η_a, Z] = 0? At random points.
bool is_invariant(const VectorField& Z, const std::vector<VectorField>& eta);
/// Does the group leave the function as it is: η_a[f] = 0? At random points.
bool is_invariant(Expr f, const std::vector<VectorField>& eta);

/// n independent fields that commute with all η_a, those of `preferred` first, then legs of the space, then what is found
/// within the ansatz (N.2). Nothing when there are not enough.                                          (R.1)
std::optional<std::vector<VectorField>> invariant_frame(const System& system,
                                                        const std::vector<VectorField>& eta,
                                                        const std::vector<VectorField>& preferred);

/// A basis of the space of all x(q) with m x = 0, each a function that the group leaves as it is. The row space of m has to
/// be invariant; then the echelon form is.
Matrix invariant_kernel(const Matrix& m, const std::vector<VectorField>& eta);

/// A frame of D of invariant fields: the model's own speeds where they are invariant, otherwise what an invariant frame
/// makes of the constraints. Nothing when there is no invariant frame.
std::optional<Admissible> invariant_velocities(const System& system, const std::vector<VectorField>& eta);

/// Generators that leave the system as it is and span the largest orbits: the groups of [symmetry] that are proved, together;
/// when there are none, those that are found. Fields that depend on earlier ones at every point are kept.
std::vector<Generator> symmetry_group(const System& system);

}  // namespace rattleback
