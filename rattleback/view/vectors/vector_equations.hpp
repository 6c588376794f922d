#pragma once
/// Equations of a rigid body in vectors, as the literature prints them:
///     K' = K × Ω + m ρ' × (Ω × ρ) + m g ρ × γ,   γ' = γ × Ω,   K = I Ω + m ρ × (Ω × ρ).

#include <optional>
#include <string>

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/view/vectors/vector_names.hpp>

namespace rattleback {

struct VectorEquations {
  std::vector<VectorLine> motion;      ///< K' = …, γ' = γ × Ω, B' = B Ω̂, positions
  std::vector<VectorLine> conditions;  ///< ⟨γ, Ω⟩ = 0
  std::vector<VectorLine> definitions;
  std::vector<VectorLine> space_axes;  ///< γ = Bᵀe_3
  Verdict proof;                       ///< that these lines, in components, are the motion

  std::size_t lines() const { return motion.size() + conditions.size() + definitions.size(); }
};

/// Momentum and torque are found as combinations of few covariant terms (covariant_fit.hpp) and proved equal to (X.1) in components;
/// what the motion makes of K is compared with Lagrange's equations at random states, by way of modular_motion.hpp. Nothing when the
/// system has no such body, or its vectors are not recognised, or anything of this is not proved.
std::optional<VectorEquations> vector_equations(const System& system, const EquationsOfMotion& equations);

std::string as_text(const System& system, const VectorEquations& equations);
std::string as_latex(const System& system, const VectorEquations& equations);
/// Key `vectors` of the schema rattleback.derive/1: formulas in the model language.
std::string as_json(const VectorEquations& equations);

}  // namespace rattleback
