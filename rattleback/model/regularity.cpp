#include <rattleback/model/regularity.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/definiteness.hpp>
#include <rattleback/algebra/derivative.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/known_sign.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/model/velocity_rows.hpp>

namespace rattleback {
namespace {

/// ( L_vv  C_vᵀ ; C_v  0 ).
Matrix bordered(const Matrix& hessian, const Matrix& slopes) {
  const int n = hessian.rows(), k = slopes.rows();
  Matrix m(n + k, n + k);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) m(i, j) = hessian(i, j);
    for (int s = 0; s < k; ++s) m(i, n + s) = m(n + s, i) = slopes(s, i);
  }
  return m;
}

/// The first admissible direction without inertia, in words.
std::string massless_direction(const System& system, const Matrix& metric, const Matrix& basis) {
  const Matrix null = kernel(metric).basis;
  if (null.columns() == 0) return "the metric on the admissible velocities is singular";
  const Matrix direction = basis * null.column(0);
  std::string s;
  for (int i = 0; i < direction.rows(); ++i) {
    const Expr e = short_form(direction[i]);
    if (!e.is_zero())
      s += fmt::format("{}{} = {}", s.empty() ? "" : ", ", system.space.velocities()[i].name(), text(e));
  }
  return "the kinetic energy is zero along " + s;
}

/// Is the part of L with velocities, as the model states it, nowhere negative, and zero at rest?
bool is_sum_of_squares(const System& system) {
  const auto velocities = system.space.velocities();
  const auto moves = [&](Expr e) {
    return std::any_of(velocities.begin(), velocities.end(), [&](Symbol v) { return contains(e, v); });
  };
  const Expr L = system.lagrangian;
  std::vector<Expr> moving;
  for (const Expr term : L.is(Kind::sum) ? L.args() : std::span<const Expr>(&L, 1)) {
    if (moves(term)) moving.push_back(term);
  }
  if (moving.empty() || known_sign(sum(moving)) != KnownSign::nonnegative) return false;
  SymbolMap rest;
  for (const Symbol v : velocities) rest.emplace(v, Expr(0));
  return substitute(sum(moving), rest).is_zero();
}

}  // namespace

Regularity regularity(const System& system) {
  const auto velocities = system.space.velocities();
  const Matrix hessian = jacobian(gradient(system.lagrangian, velocities), velocities);
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const Matrix all_slopes = jacobian(functions, velocities);
  const Matrix slopes =
      functions.empty() ? Matrix(0, hessian.columns()) : rows_of(all_slopes, independent_rows(all_slopes));

  Regularity found;
  for (const Symbol v : velocities) {
    const auto knows = [&](Expr e) { return contains(e, v); };
    found.quadratic =
        found.quadratic && std::none_of(hessian.entries().begin(), hessian.entries().end(), knows);
  }
  found.regular_everywhere = rank(hessian) == hessian.rows();
  const bool regular = rank(bordered(hessian, slopes)) == hessian.rows() + slopes.rows();
  const Matrix basis = slopes.rows() == 0 ? Matrix::identity(hessian.columns()) : kernel(slopes).basis;
  const Matrix metric = transpose(basis) * hessian * basis;
  if (!regular) {
    found.kind = Regularity::Kind::degenerate;
    found.why = massless_direction(system, metric, basis);
    return found;
  }
  // Definite without constraints is definite with them, whatever basis of D was chosen.
  if (basis.columns() == 0 || definiteness(hessian).kind == Definiteness::Kind::positive_definite ||
      definiteness(metric).kind == Definiteness::Kind::positive_definite) {
    found.kind = Regularity::Kind::positive_definite;
    return found;
  }
  if (found.quadratic && is_sum_of_squares(system)) {
    found.kind = Regularity::Kind::positive_definite;
    found.generic = true;
    return found;
  }
  const Definiteness with_values = definiteness(substitute(metric, parameter_values(system)));
  found.negative_energy = with_values.kind == Definiteness::Kind::negative_definite ||
                          with_values.kind == Definiteness::Kind::indefinite;
  return found;
}

}  // namespace rattleback
