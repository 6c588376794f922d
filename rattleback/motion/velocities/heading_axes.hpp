#pragma once
/// Constraints of a vehicle in the plane, written in axes that turn with its heading: elimination then has no poles at headings.

#include <optional>

#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/motion/velocities/velocity_axes.hpp>

namespace rattleback {

/// Velocities w with v = T w, and rows A, b such that A w + b = 0 says the same as the constraints, and does not contain the heading.
struct HeadingAxes {
  VelocityAxes axes;
  SymbolMap at_heading_zero;  ///< the heading φ ↦ 0, other angles measured from it
  Matrix a, b;

  /// The rows U T. Those that do not depend on the heading are rid of it.
  Matrix rows(const Matrix& U) const;
  /// Equations in v, the first of them the constraints and the others as they are: in w, as short as they were written.
  std::vector<Expr> equations(const System& system, std::span<const Expr> in_v) const;
};

/// A rotation of the plane, (x, y) about the origin and angles with it, that takes the constraints to themselves: then the span of
/// the rows (A T | b) at heading φ is that at heading 0, whatever rows the model states. Declared symmetries are tried first, then
/// coordinates on which the rows do not depend. Nothing when there is no such rotation, or no heading in A.
std::optional<HeadingAxes> heading_axes(const System& system, const VelocityRows& constraints);

}  // namespace rattleback
