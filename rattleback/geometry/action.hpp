#pragma once
/// Infinitesimal group actions: generators of translations, rotations, and of groups acting on themselves.

#include <string>
#include <vector>

#include <rattleback/geometry/vector_field.hpp>

namespace rattleback {

/// The first leg of a factor.
int first_leg(const Space& space, const Factor& factor);

/// The components ξ^i of a velocity that gives each function the rate named; functions without an entry stand still.
/// Rotation matrices are not moved: their components are set apart.
std::vector<Expr> components(const Space& space, const SymbolMap& rates);

/// A field being put together: rates of functions, and angular velocities of rotation matrices in body axes.
struct FieldRates {
  SymbolMap functions;
  std::vector<std::pair<const Factor*, Matrix>> turns;

  VectorField field(const Space& space) const;
};

/// g ↦ h g: the right-invariant fields, which commute with the legs of the factor.                    (N.1)
///     SO(3): Ω = Bᵀ e_k;   SE(3): also r' = e_k × r, and r' = e_k;   SE(2): ∂_x, ∂_y, −y ∂_x + x ∂_y + ∂_θ;
///     H3 with the frame of (F.10): ∂_x + y ∂_z, ∂_y, ∂_z; likewise for the symmetric one.
/// Their brackets are −C, those of a left action.
std::vector<VectorField> left_translations(const Space& space, const Factor& factor);
/// g ↦ g h: the legs themselves.
std::vector<VectorField> right_translations(const Space& space, const Factor& factor);

/// The field as [symmetry] writes it: `x = "-y", y = "x", theta = "1", B = "left e3"`. A turn that is constant neither in
/// space nor in the body is written with its angular velocity in body axes.
std::string written(const VectorField& xi);

}  // namespace rattleback
