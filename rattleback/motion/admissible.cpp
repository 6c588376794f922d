#include <rattleback/motion/admissible.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/derivative.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>

namespace rattleback {
namespace {

/// The constraints as rows; throws for the first that is not linear or affine.
VelocityRows constraint_rows(const System& system) {
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  VelocityRows rows = velocity_rows(system.space, functions);
  for (int s = 0; s < rows.count(); ++s) {
    if (rows.affine[s]) continue;
    throw Error("nonlinear-constraint",
                fmt::format("constraint `{}` is not linear in the velocities", system.constraints[s].name),
                "this form needs constraints that are linear or affine in the velocities",
                "use a form for nonlinear constraints, or give a [parametrization]")
        .at(system.constraints[s].place);
  }
  return rows;
}

/// From [velocities]: A v = −b together with U v = z − u_0 determines v.
Admissible from_velocities(const System& system, const VelocityRows& constraints) {
  std::vector<Expr> functions;
  Admissible D;
  for (const QuasiVelocity& z : system.velocities) {
    functions.push_back(z.expression);
    D.speeds.push_back(z.symbol);
  }
  D.definitions = functions;
  const VelocityRows given = velocity_rows(system.space, functions);
  for (int s = 0; s < given.count(); ++s) {
    if (given.affine[s]) continue;
    throw Error("velocities-not-linear",
                fmt::format("`{}` is not linear in the velocities", system.velocities[s].symbol.name()), "",
                "quasi-velocities are linear functions of the velocities")
        .at(system.velocities[s].place);
  }
  const int n = system.space.dimension(), r = static_cast<int>(D.speeds.size()), k = constraints.a.rows();
  const auto wrong = [&](const std::string& why) {
    throw Error("velocities-not-a-frame",
                "the quasi-velocities of [velocities] do not parametrise the constraint", why,
                fmt::format("give {} independent velocities, or leave [velocities] out", n - k))
        .at(system.velocities.front().place);
  };
  if (k + r != n)
    wrong(fmt::format("{} are given, but the constraint leaves {} degrees of freedom", r, n - k));
  const Matrix all = above(constraints.a, given.a);
  if (rank(all) < n) wrong("they depend on each other and on the constraints");

  Matrix right(n, r + 1);  // columns: one per speed, then the drift
  for (int s = 0; s < k; ++s) right(s, r) = -constraints.b[s];
  for (int alpha = 0; alpha < r; ++alpha) {
    right(k + alpha, alpha) = 1;
    right(k + alpha, r) = -given.b[alpha];
  }
  const auto v = solve(all, right);
  if (!v) throw Bug("an invertible system has no solution");
  D.psi = Matrix(n, r);
  D.drift = Matrix(n, 1);
  for (int i = 0; i < n; ++i) {
    for (int alpha = 0; alpha < r; ++alpha) D.psi(i, alpha) = short_form(v->x(i, alpha));
    D.drift[i] = short_form(v->x(i, r));
  }
  D.where = v->where;
  return D;
}

/// The velocity itself serves as the speed of a leg that has coefficient 1 there and no other leg has any.
std::optional<Symbol> own_velocity(const Space& space, const Matrix& basis, int alpha) {
  for (int i = 0; i < basis.rows(); ++i) {
    if (!basis(i, alpha).is_one()) continue;
    bool alone = true;
    for (int beta = 0; beta < basis.columns(); ++beta)
      alone = alone && (beta == alpha || basis(i, beta).is_zero());
    if (alone) return space.velocities()[i];
  }
  return std::nullopt;
}

/// From the constraints alone: a kernel of A, and one solution of A y = −b.
Admissible from_kernel(const System& system, const VelocityRows& constraints) {
  Admissible D;
  const Kernel k = kernel(constraints.a);
  D.psi = k.basis;
  D.where = k.where;
  for (Expr& e : D.psi.entries()) e = short_form(e);
  for (int alpha = 0; alpha < D.psi.columns(); ++alpha) {
    const auto own = own_velocity(system.space, D.psi, alpha);
    D.speeds.push_back(
        own ? *own : Symbol::make(fmt::format("u{}", alpha + 1), {.role = Role::velocity, .order = alpha}));
  }
  D.drift = Matrix(system.space.dimension(), 1);
  if (std::all_of(constraints.b.entries().begin(), constraints.b.entries().end(),
                  [](Expr e) { return e.is_zero(); }))
    return D;
  const auto y = solve(constraints.a, -constraints.b);
  if (!y) throw Bug("independent constraints have no solution");
  for (int i = 0; i < D.drift.rows(); ++i) D.drift[i] = short_form(y->x[i]);
  D.where.insert(D.where.end(), y->where.begin(), y->where.end());
  return D;
}

/// From [parametrization], when it is affine in the speeds; that it satisfies the constraints is checked.
Admissible from_parametrization(const System& system) {
  const Parametrization& given = *system.parametrization;
  Admissible D;
  D.speeds = given.speeds;
  D.psi = jacobian(given.psi, given.speeds);
  SymbolMap rest;
  for (const Symbol z : given.speeds) rest.emplace(z, Expr(0));
  D.drift = Matrix::column(substitute(given.psi, rest));
  for (const Expr e : D.psi.entries()) {
    for (const Symbol z : given.speeds) {
      if (!vanishes_at_random_points(derivative(e, z))) {
        throw Error("nonlinear-constraint", "the parametrisation is not linear in its speeds",
                    "this form needs velocities linear in the speeds",
                    "use a form for nonlinear constraints");
      }
    }
  }
  D.psi = substitute(D.psi, rest);
  return D;
}

/// z from v = Ψ z + y, by as many rows of Ψ as there are speeds.
std::vector<Expr> solved_for_speeds(const Admissible& D, const Space& space) {
  if (D.rank() == 0) return {};
  const std::vector<int> rows = independent_rows(D.psi);
  Matrix right(D.rank(), 1);
  for (int k = 0; k < D.rank(); ++k) right[k] = space.velocities()[rows[k]] - D.drift[rows[k]];
  const auto z = solve(rows_of(D.psi, rows), right);
  if (!z) throw Bug("a frame of the constraint does not determine its speeds");
  return {z->x.entries().begin(), z->x.entries().end()};
}

}  // namespace

VectorField Admissible::leg(int alpha) const {
  const Matrix column = psi.column(alpha);
  return VectorField(space, {column.entries().begin(), column.entries().end()});
}

VectorField Admissible::velocity() const {
  std::vector<Expr> z(speeds.begin(), speeds.end());
  const Matrix v = rank() == 0 ? drift : psi * Matrix::column(z) + drift;
  return VectorField(space, {v.entries().begin(), v.entries().end()});
}

SymbolMap Admissible::substitution() const {
  SymbolMap map;
  const VectorField v = velocity();
  for (int i = 0; i < space.dimension(); ++i) map.emplace(space.velocities()[i], v[i]);
  return map;
}

VelocityRows independent_constraints(const System& system) {
  VelocityRows rows = constraint_rows(system);
  const std::vector<int> kept = independent_rows(rows.a);
  if (rank(beside(rows.a, rows.b)) > static_cast<int>(kept.size())) {
    throw Error("inconsistent-constraints", "the constraints contradict each other",
                "no velocity satisfies all of them", "`rattleback check` names the constraints in conflict");
  }
  rows.a = rows_of(rows.a, kept);
  rows.b = rows_of(rows.b, kept);
  return rows;
}

Admissible admissible_velocities(const System& system) {
  Admissible D;
  if (system.parametrization) {
    D = from_parametrization(system);
  } else {
    const VelocityRows rows = independent_constraints(system);
    D = system.velocities.empty() ? from_kernel(system, rows) : from_velocities(system, rows);
  }
  D.space = system.space;
  if (D.definitions.empty()) D.definitions = solved_for_speeds(D, system.space);
  return D;
}

}  // namespace rattleback
