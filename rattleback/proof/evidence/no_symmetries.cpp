#include <rattleback/proof/evidence/no_symmetries.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/symmetry/symmetry_search.hpp>
#include <rattleback/proof/evidence/scalar_invariants.hpp>

namespace rattleback {
namespace {

/// Every leg of the frame is ∂/∂q for a coordinate q.
bool is_chart(const Space& space) {
  for (int i = 0; i < space.dimension(); ++i) {
    const auto q = space.coordinate(i);
    if (!q || space.leg(i).size() != 1 || space.leg(i).begin()->second != Expr(1)) return false;
  }
  return true;
}

/// g depends on parameters alone and is invertible.
bool metric_is_constant(const System& system) {
  const auto v = system.space.velocities();
  const Matrix g = jacobian(gradient(system.lagrangian, v), v);
  const std::vector<Symbol> parameters = parameters_of(system);
  for (const Symbol s : symbols_of(g.entries())) {
    if (std::find(parameters.begin(), parameters.end(), s) != parameters.end()) continue;
    const Matrix slope = derivative(g, s);
    for (const Expr e : slope.entries())
      if (!vanishes_at_random_points(e)) return false;
  }
  return rank(g) == system.space.dimension();
}

/// The fields ∂/∂q^i and q^j ∂/∂q^i, q^j not an angle, span all of (N.12).
std::vector<VectorField> affine_fields(const Space& space) {
  std::vector<Expr> functions{Expr(1)};
  for (const Factor& factor : space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier == Carrier::real)
        functions.insert(functions.end(), piece.functions.begin(), piece.functions.end());
    }
  }
  std::vector<VectorField> fields;
  for (const Expr f : functions) {
    for (int i = 0; i < space.dimension(); ++i) fields.push_back(f * VectorField::leg(space, i));
  }
  return fields;
}

bool no_isometry_is_one(const System& system) {
  if (!is_chart(system.space) || !metric_is_constant(system)) return false;
  const FoundFields found = fields_satisfying(system.space, affine_fields(system.space),
                                              parameters_of(system), invariance_conditions(system, {}));
  return found.complete && found.fields.empty();
}

/// df along the legs, as a column.
Matrix slopes(const Space& space, Expr f) {
  Matrix df(space.dimension(), 1);
  for (int i = 0; i < df.rows(); ++i) df[i] = space.derivative(i, f);
  return df;
}

/// V and the functions made of it and of g, in the order of the pairs.
std::vector<Expr> functions_of(const System& system, const NoSymmetries& none, const Matrix& inverse) {
  SymbolMap rest;
  for (const Symbol v : system.space.velocities()) rest.emplace(v, Expr(0));
  std::vector<Expr> f{-substitute(system.lagrangian, rest)};
  for (const auto& [j, k] : none.invariants) {
    const Matrix dj = slopes(system.space, f[static_cast<std::size_t>(j)]),
                 dk = slopes(system.space, f[static_cast<std::size_t>(k)]);
    f.push_back(dot(dj, inverse * dk));
  }
  return f;
}

}  // namespace

Dependence dependence_of(const System& system, const NoSymmetries& none) {
  const int n = system.space.dimension();
  if (none.on_positions || (none.invariants.empty() && n > 1)) return {};
  try {
    const Budget budget(work_limits::regularity_parameters);
    const auto v = system.space.velocities();
    const Matrix g = jacobian(gradient(system.lagrangian, v), v);
    const auto inverse = unique_solution(g, Matrix::identity(n));
    if (!inverse) return {};
    const std::vector<Expr> f = functions_of(system, none, inverse->x);
    if (static_cast<int>(f.size()) < n) return {};
    Matrix differentials(static_cast<int>(f.size()), n);
    for (int i = 0; i < differentials.rows(); ++i) {
      for (int j = 0; j < n; ++j)
        differentials(i, j) = short_form(system.space.derivative(j, f[static_cast<std::size_t>(i)]));
    }
    std::vector<Expr> minors;
    for (const std::vector<int>& rows : subsets(differentials.rows(), n)) {
      minors.push_back(short_form(determinant(rows_of(differentials, rows))));
      if (written_size(minors.back()) > legible::in_data.count) return {};
    }
    return {{minors, {short_form(determinant(g))}}, true, false};
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    return {};
  }
  return {};
}

std::optional<NoSymmetries> no_symmetries(const System& system) {
  const bool on_positions = !position_relations(system).empty();
  const ScalarInvariants made = scalar_invariants(system);
  const int n = made.dimension;
  if (n > 0 && made.independent == n)
    return NoSymmetries{
        "functions that every symmetry leaves alone separate the configurations",
        n == 1 ? std::string("no field is one: the potential is not constant (N.10)")
               : fmt::format(
                     "no field is one: {} functions made of the potential and the metric have independent "
                     "differentials (N.10)",
                     n),
        made.pairs, on_positions};
  if (on_positions) return std::nullopt;  // N has other isometries than the space around it
  if (no_isometry_is_one(system))
    return NoSymmetries{
        "the isometries of a constant metric are affine fields, finitely many to combine",
        "no field is one: the metric is constant, its isometries are affine fields, and no combination of "
        "them leaves the rest of the system as it is (N.12)"};
  return std::nullopt;
}

}  // namespace rattleback
