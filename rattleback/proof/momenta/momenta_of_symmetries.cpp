#include <rattleback/proof/momenta/momenta_of_symmetries.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/motion/symmetry/symmetry_search.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>
#include <rattleback/proof/evidence/total_derivative.hpp>

namespace rattleback {
namespace {

Expr pairing(const std::vector<Expr>& p, const VectorField& X) {
  return dot(Matrix::column(p), Matrix::column(X.coefficients()));
}

/// (N.16) for one field; `forced` has the gyroscopic forces and no others.
std::optional<HorizontalSymmetry> momentum_beside_forces(const System& forced, const VectorField& xi) {
  const Expr work = pairing(forced.forces, xi);
  const auto f = potential(one_form_of_velocities(forced.space, work));
  if (!f || angle_of_several_values(forced.space, *f)) return std::nullopt;
  std::vector<Expr> obstacles{complete_lift(xi, forced.lagrangian), work - forced.space.rate(*f)};
  for (const Constraint& c : forced.constraints)
    obstacles.push_back(pairing(gradient(c.expression, forced.space.velocities()), xi));
  if (!forced.constraints.empty())
    obstacles = substitute(obstacles, solved_velocities(forced).substitution(forced.space));
  return HorizontalSymmetry{xi, short_form(momentum(forced, xi) - *f), is_zero(obstacles),
                            vanishes_at_random_points(complete_lift(xi, forced.lagrangian))};
}

/// Is the field a combination of these with constant coefficients?
bool is_combination(const System& system, const VectorField& xi,
                    const std::vector<ConservedMomentum>& others) {
  std::vector<VectorField> fields{xi};
  for (const ConservedMomentum& h : others) fields.push_back(h.symmetry.field);
  return combination_of_others(system.space, fields).has_value();
}

}  // namespace

std::vector<ConservedMomentum> momenta_of_symmetries(const System& system) {
  std::vector<ConservedMomentum> all;
  for (HorizontalSymmetry& h : horizontal_symmetries(system)) all.push_back({std::move(h), false});
  const bool has_forces =
      std::any_of(system.forces.begin(), system.forces.end(), [](Expr q) { return !q.is_zero(); });
  const auto forced = has_forces ? std::nullopt : with_gyroscopic_forces(system);
  if (!forced) return all;
  const InvariantParts parts{
      .lagrangian = true, .forces = true, .constraints = false, .horizontal = true, .forces_may_work = true};
  const FoundFields found = fields_satisfying(system.space, field_ansatz(system.space), parameters_of(system),
                                              invariance_conditions(*forced, parts));
  for (const VectorField& xi : found.fields) {
    if (is_combination(system, xi, all)) continue;
    if (auto h = momentum_beside_forces(*forced, xi)) all.push_back({std::move(*h), true});
  }
  return all;
}

}  // namespace rattleback
