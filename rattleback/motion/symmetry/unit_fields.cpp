#include <rattleback/motion/symmetry/unit_fields.hpp>

#include <algorithm>
#include <optional>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/positions.hpp>

namespace rattleback {
namespace {

bool vanishes(Expr e) { return e.is_zero() || vanishes_at_random_points(e); }

/// Does g depend on q, and on no other coordinate, velocity or the time?
bool depends_on_alone(const System& system, Expr g, Symbol q) {
  const auto symbols = symbols_of(g);
  return std::ranges::all_of(symbols, [&](Symbol s) { return s == q || s.role() == Role::parameter; }) &&
         !vanishes(derivative(g, q)) && !contains(g, system.time);
}

/// Along the legs that are ∂/∂q.
std::vector<VectorField> along_coordinates(const System& system, const Matrix& metric) {
  std::vector<VectorField> fields;
  for (int i = 0; i < metric.rows(); ++i) {
    const auto q = system.space.coordinate(i);
    bool apart = q && system.space.leg(i).size() == 1;
    for (int j = 0; apart && j < metric.columns(); ++j) apart = i == j || vanishes(metric(i, j));
    if (!apart) continue;
    const Expr g = short_form(metric(i, i));
    if (!depends_on_alone(system, g, *q)) continue;
    VectorField xi(system.space);
    xi[i] = short_form(1 / sqrt(g));
    fields.push_back(std::move(xi));
  }
  return fields;
}

/// A tangent of the curves on which the functions are constant, in the ambient space; nothing where these are no curves.
std::optional<VectorField> tangent_of_curves(const System& system, const std::vector<Expr>& functions) {
  const InAmbientSpace everywhere;
  const int n = system.space.dimension();
  Matrix slopes(static_cast<int>(functions.size()), n);
  for (int s = 0; s < slopes.rows(); ++s) {
    for (int i = 0; i < n; ++i)
      slopes(s, i) = system.space.derivative(i, functions[static_cast<std::size_t>(s)]);
  }
  const Matrix tangents = kernel(slopes).basis;
  if (tangents.columns() != 1) return std::nullopt;
  VectorField xi(system.space);
  for (int i = 0; i < n; ++i) xi[i] = tangents(i, 0);
  return xi;
}

/// T/|T| for the tangent T of a curve N, where |T| is not constant on it.
std::vector<VectorField> along_curve(const System& system, const Matrix& metric,
                                     const std::vector<Expr>& positions) {
  const auto tangent = tangent_of_curves(system, positions);
  if (!tangent) return {};
  const Matrix T = Matrix::column(tangent->coefficients());
  const Expr square = short_form(dot(T, metric * T));
  if (vanishes((*tangent)(square))) return {};
  VectorField xi(system.space);
  for (int i = 0; i < metric.rows(); ++i) xi[i] = short_form(T[i] / sqrt(square));
  return {xi};
}

}  // namespace

std::vector<VectorField> unit_fields(const System& system) {
  try {
    const auto v = system.space.velocities();
    const Matrix metric = jacobian(gradient(system.lagrangian, v), v);
    const std::vector<Expr> positions = position_relations(system);
    return positions.empty() ? along_coordinates(system, metric) : along_curve(system, metric, positions);
  } catch (const OutOfDomain&) {
    return {};
  }
}

}  // namespace rattleback
