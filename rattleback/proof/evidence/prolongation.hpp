#pragma once
/// Linear equations of first order for functions on Q or N, prolonged at one configuration modulo the prime: how many solutions there can be.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/dependence.hpp>

namespace rattleback {

/// Coordinates of Q, or of N = {φ = 0}: then q are free ones, the dependent y are functions of them, and
///     D_i f = ∂f/∂q^i + Y^a_i ∂f/∂y^a,   Y = −(∂φ/∂y)⁻¹ ∂φ/∂q.
struct Chart {
  std::vector<Symbol> q, dependent;
  Matrix Y;        ///< a row for each dependent coordinate
  Matrix tangent;  ///< T: velocities of all coordinates of Q out of those of q

  std::size_t size() const { return q.size(); }
  Expr slope(Expr f, std::size_t i) const;
};

/// Is one of the position constraints a product? Then N has parts, and one of them may have solutions of its own.
bool has_parts(const System& system);
/// On N while an OnPositions lives. Nothing where a leg of the space is not ∂/∂q of a coordinate, or where N is a point.
std::optional<Chart> chart_of_configurations(const System& system);
/// Columns that span D, in the velocities of the chart. Throws where the constraints are not linear.
Matrix directions_in(const Chart& chart, const System& system);

/// Σ a_i u^i + Σ b_ij ∂_j u^i = 0 for unknown functions u^i, b stored as b[i·n + j] in n coordinates.
struct FieldEquation {
  std::vector<Expr> a, b;
  bool has_slopes = false;
};
/// Appends the equation, unless it is 0 = 0.
void keep(std::vector<FieldEquation>& equations, FieldEquation e);

/// What the equations and their derivatives up to an order leave at a random configuration.
struct RoomLeft {
  int jets =
      0;  ///< dimension of the derivatives of the unknown functions up to the order; no fewer than solutions
  int values = 0;  ///< of the values of the first of them there, as many as were counted
};
/// Nothing where a value modulo the prime is not faithful. The largest of several configurations on N, which may have parts.
std::optional<RoomLeft> room_left(const std::vector<FieldEquation>& equations, const Chart& chart,
                                  std::size_t unknowns, std::size_t counted, int order);

/// Functions of the parameters: wherever one of them is not zero these equations leave nothing of the values, as they do at general parameters with
/// derivatives up to this order. Nothing on N, and where the equations that show it are many.
std::optional<std::vector<Expr>> no_room_unless(const std::vector<FieldEquation>& equations,
                                                const Chart& chart, std::size_t unknowns, std::size_t counted,
                                                int order);

/// Of an answer that rests on that and on a regular metric.
Dependence dependence_of_no_room(const std::optional<std::vector<Expr>>& no_room_unless,
                                 const Matrix& metric);

/// Forces F(q) + Q(q) v of the model, in the velocities of the space; nothing where they are not of first degree.
struct LinearForces {
  Matrix constant, slopes;
};
std::optional<LinearForces> linear_forces(const System& system);

/// The metric of the chart, regular and without velocities; nothing otherwise.
std::optional<Matrix> metric_in(const Chart& chart, const System& system);

}  // namespace rattleback
