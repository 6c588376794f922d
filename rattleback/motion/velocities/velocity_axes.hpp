#pragma once
/// Change of basis for angular velocities: constraints are solved in body axes or in space axes, whichever gives shorter formulas.

#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// v = T w, where Ω = Bᵀω for a rotation that is turned.
struct VelocityAxes {
  std::vector<Symbol> velocities;  ///< w
  std::vector<Expr> definitions;   ///< w as functions of v
  Matrix T;
  bool turned = false;  ///< otherwise w = v

  /// T m.
  Matrix in_frame(const Matrix& m) const { return turned ? T * m : m; }
  /// The rows A T, rid of rotations that drop out.
  Matrix rows(const Matrix& A) const;
  /// Equations in v, written in w.
  std::vector<Expr> equations(const Space& space, std::vector<Expr> in_v) const;
  /// v ↦ T w.
  SymbolMap substitution(const Space& space) const;
};

/// w = v.
VelocityAxes frame_axes(const Space& space);

/// A uniform ball rolls on a surface in space: neither the constraints A v + b = 0 nor the kinetic energy see its attitude, if
/// only they are written in space axes; in body axes a kernel of A would divide by entries of B. Other bodies have their inertia
/// in body axes, and keep them.
VelocityAxes best_axes(const System& system, const Matrix& A);

}  // namespace rattleback
