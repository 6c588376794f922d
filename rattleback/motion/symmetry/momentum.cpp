#include <rattleback/motion/symmetry/momentum.hpp>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/symmetry/symmetry_search.hpp>
#include <rattleback/motion/symmetry/unit_fields.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>

namespace rattleback {
namespace {

Expr pairing(const std::vector<Expr>& p, const VectorField& X) {
  return dot(Matrix::column(p), Matrix::column(X.coefficients()));
}

/// Σ ξ^a η_a.
VectorField combination(const std::vector<VectorField>& eta, const Matrix& xi) {
  VectorField X(eta.front().space());
  for (int a = 0; a < xi.rows(); ++a) {
    if (!xi[a].is_zero()) X = X + xi[a] * eta[static_cast<std::size_t>(a)];
  }
  return X;
}

/// (∂C^a/∂v^i) ξ^i, Q_i ξ^i and ξ^C L at admissible velocities.
std::vector<Expr> obstacles(const System& system, const VectorField& xi) {
  std::vector<Expr> values{complete_lift(xi, system.lagrangian)};
  for (const Constraint& c : system.constraints)
    values.push_back(pairing(gradient(c.expression, system.space.velocities()), xi));
  if (!system.forces.empty()) values.push_back(pairing(system.forces, xi));
  if (system.constraints.empty()) return values;
  return substitute(values, solved_velocities(system).substitution(system.space));
}

}  // namespace

Expr momentum(const System& system, const VectorField& xi) {
  return pairing(gradient(system.lagrangian, system.space.velocities()), xi);
}

MomentumBundle momentum_bundle(const System& system, const std::vector<VectorField>& generators) {
  MomentumBundle bundle{generators, Matrix(static_cast<int>(generators.size()), 0), {}, {}};
  if (generators.empty()) return bundle;
  const VelocityRows rows = independent_constraints(system);
  if (rows.a.rows() == 0) {
    bundle.sections = Matrix::identity(static_cast<int>(generators.size()));
  } else {
    const Kernel kernel_of = kernel(rows.a * as_columns(system.space, generators));
    bundle.sections = kernel_of.basis;
    bundle.where = kernel_of.where;
  }
  for (Expr& e : bundle.sections.entries()) e = short_form(e);
  for (int b = 0; b < bundle.sections.columns(); ++b)
    bundle.fields.push_back(combination(generators, bundle.sections.column(b)));
  return bundle;
}

std::vector<MomentumEquation> momentum_equations(const System& system, const Admissible& D,
                                                 const MomentumBundle& bundle) {
  const SymbolMap psi = D.substitution();
  const std::vector<Expr> p = momenta_on(system, psi), Q = forces_on(system, psi);
  const VectorField V = D.velocity();
  std::vector<MomentumEquation> equations;
  for (int b = 0; b < bundle.rank(); ++b) {
    const VectorField& xi = bundle.fields[static_cast<std::size_t>(b)];
    std::vector<Expr> terms{pairing(Q, xi)};
    for (std::size_t a = 0; a < bundle.generators.size(); ++a) {
      const Expr rate = V(bundle.sections(static_cast<int>(a), b));
      if (!rate.is_zero()) terms.push_back(rate * pairing(p, bundle.generators[a]));
    }
    equations.push_back({xi, short_form(pairing(p, xi)), short_form(sum(terms))});
  }
  return equations;
}

std::vector<HorizontalSymmetry> horizontal_symmetries(const System& system) {
  const InvariantParts parts{.lagrangian = true, .forces = false, .constraints = false, .horizontal = true};
  std::vector<VectorField> ansatz = field_ansatz(system.space);
  for (VectorField& unit : unit_fields(system)) ansatz.push_back(std::move(unit));
  const FoundFields found =
      fields_satisfying(system.space, ansatz, parameters_of(system), invariance_conditions(system, parts));
  std::vector<HorizontalSymmetry> all;
  for (const VectorField& xi : found.fields) {
    all.push_back({xi, short_form(momentum(system, xi)), is_zero(obstacles(system, xi)),
                   vanishes_at_random_points(complete_lift(xi, system.lagrangian))});
  }
  return all;
}

}  // namespace rattleback
