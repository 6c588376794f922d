#include <rattleback/proof/evidence/no_symmetries.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/positions.hpp>
#include <rattleback/motion/symmetry_search.hpp>
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

}  // namespace

std::optional<NoSymmetries> no_symmetries(const System& system) {
  if (!position_relations(system).empty())
    return std::nullopt;  // N has other isometries than the space around it
  const int n = system.space.dimension();
  if (const ScalarInvariants made = scalar_invariants(system); made.independent == n)
    return NoSymmetries{
        "functions that every symmetry leaves alone separate the configurations",
        n == 1 ? std::string("no field is one: the potential is not constant (N.10)")
               : fmt::format(
                     "no field is one: {} functions made of the potential and the metric have independent "
                     "differentials (N.10)",
                     n),
        made.pairs};
  if (no_isometry_is_one(system))
    return NoSymmetries{
        "the isometries of a constant metric are affine fields, finitely many to combine",
        "no field is one: the metric is constant, its isometries are affine fields, and no combination of "
        "them leaves the rest of the system as it is (N.12)"};
  return std::nullopt;
}

}  // namespace rattleback
