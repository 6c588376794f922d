#pragma once
/// The vectors of a rigid body, recognised: K = I Ω + m ρ × (Ω × ρ), N = K × Ω + m g ρ × γ + …, from their components.

#include <optional>
#include <utility>
#include <vector>

#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/view/vectors/body_motion.hpp>
#include <rattleback/view/vectors/vector_names.hpp>

namespace rattleback {

/// (X.1) written in few covariant terms. Found at random states: see proof_of().
struct BodyVectors {
  CovariantTerm Omega, K, N;
  std::vector<std::pair<int, CovariantTerm>> rows;  ///< γ = Bᵀe_3 and other axes of space that the body feels
  std::vector<CovariantTerm> axes;                  ///< a_k of the constraints on Ω
  std::optional<CovariantTerm> rho;                 ///< V = ρ × Ω
  std::vector<Expr> position;               ///< of the point with velocity B V; two or three coordinates
  std::optional<CovariantTerm> multiplier;  ///< λ, where there is one
};

/// `names` gets the lines that define the vectors. Nothing when a vector is not recognised.
std::optional<BodyVectors> body_vectors(const System& system, const EquationsOfMotion& equations,
                                        const BodyMotion& body, VectorNames& names);

/// On the constraint: Ω as a function of the speeds.
Matrix on_constraint(const BodyMotion& body, const EquationsOfMotion& equations, const Matrix& m);
/// What is left of a vector on the constraint when multiples of the axes a_k do not count.
Matrix across_axes(const BodyMotion& body, const EquationsOfMotion& equations, const Matrix& m);

}  // namespace rattleback
