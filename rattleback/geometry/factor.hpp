#pragma once
/// The factors of a configuration space: lines, circles, groups, Lie algebras.
///
/// The interface of a factor: its functions, a frame of derivations X_i with the
/// quasi-velocities v^i that belong to it, the structure coefficients, and its numerical representation.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/geometry/lie_algebra.hpp>
#include <rattleback/geometry/structure_coefficients.hpp>

namespace rattleback {

/// Numerical representation of a piece of a factor, with which a stepper moves along the frame and stays on it.
enum class Carrier : std::uint8_t { real, angle, unit_quaternion };

/// One coordinate, or the nine entries of a rotation matrix, row by row.
struct Piece {
  Carrier carrier;
  std::vector<Symbol> functions;
};

struct Factor {
  enum class Kind : std::uint8_t { line, circle, SO3, SE2, SE3, H3, algebra };

  Kind kind;
  std::string name;
  std::vector<Piece> pieces;
  std::vector<Symbol> velocities;  ///< v^i, one for each leg of the frame
  std::vector<SymbolMap>
      frame;                ///< X_i: what it makes of each function; a function that is absent stands still
  StructureCoefficients c;  ///< [X_i, X_j] = C_ij^k X_k

  int dimension() const { return static_cast<int>(velocities.size()); }
  std::vector<Symbol> functions() const;
  /// The rotation matrix B of SO(3), SE(3), SE(2); space = B body.
  Matrix rotation() const;
  /// The position vector of SE(3), SE(2), H3.
  Matrix position() const;
};

/// Names of quasi-velocities; empty means the default.
using VelocityNames = std::vector<std::string>;

/// R or S¹ with X = ∂/∂q and v = q'.
Factor line(std::string_view q, int order = 0);
Factor circle(std::string_view q, int order = 0);
Factor line(Symbol q);
Factor circle(Symbol q);

/// SO(3) by the entries B11 … B33, with the left-invariant frame                                    (F.7)
///     X_k B = B ê_k,   B' = B Ω̂:
/// the velocities are the angular velocity in body axes, Omega1, Omega2, Omega3.
Factor special_orthogonal_3(std::string_view B, int order = 0, const VelocityNames& velocities = {});

/// SE(2) by x, y, θ, with the left-invariant frame (rot, v1, v2)                                    (F.8)
///     X_0 = ∂_θ,  X_1 = cos θ ∂_x + sin θ ∂_y,  X_2 = −sin θ ∂_x + cos θ ∂_y.
Factor special_euclidean_2(std::string_view x, std::string_view y, std::string_view theta, int order = 0,
                           const VelocityNames& velocities = {"omega", "v1", "v2"});

/// SE(3) by B and the position r, with the left-invariant frame                                     (F.9)
///     X_k B = B ê_k,  X_{3+k} r = B e_k:
/// angular, then linear velocity, both in body axes.
Factor special_euclidean_3(std::string_view B, std::string_view r, int order = 0,
                           const VelocityNames& velocities = {});

/// The Heisenberg group in symmetric coordinates, (x, y, z)(x̄, ȳ, z̄) = (x + x̄, y + ȳ, z + z̄ + (x ȳ − y x̄)/2):  (F.10)
///     X_0 = ∂_x,  X_1 = ∂_y + x ∂_z,  X_2 = ∂_z.
Factor heisenberg(std::string_view x, std::string_view y, std::string_view z, int order = 0,
                  const VelocityNames& velocities = {"v1", "v2", "v3"});

/// A Lie algebra alone: no functions, so only reduced dynamics. Velocities xi1, xi2, … unless named.
Factor algebra_factor(std::string_view name, const LieAlgebra& g, int order = 0,
                      const VelocityNames& velocities = {});

}  // namespace rattleback
