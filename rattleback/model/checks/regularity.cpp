#include <rattleback/model/checks/regularity.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/conditions/definiteness.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/model/system/velocity_rows.hpp>

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

bool moves(Expr e, std::span<const Symbol> velocities) {
  return std::any_of(velocities.begin(), velocities.end(), [&](Symbol v) { return contains(e, v); });
}

/// The linear forms ℓ_k of Σ w_k ℓ_k², w_k > 0, with velocities in them; false when e is not written so. What stands
/// still is skipped.
bool add_squared_forms(Expr e, std::span<const Symbol> velocities, std::vector<Expr>& forms) {
  allow_recursion();
  if (!moves(e, velocities)) return true;
  if (e.is(Kind::sum))
    return std::all_of(e.args().begin(), e.args().end(),
                       [&](Expr term) { return add_squared_forms(term, velocities, forms); });
  if (e.is(Kind::power) && e.exponent() == 2) {
    forms.push_back(e.args()[0]);
    return true;
  }
  if (!e.is(Kind::product)) return false;
  std::vector<Expr> weight, moving;
  for (const Expr f : e.args()) (moves(f, velocities) ? moving : weight).push_back(f);
  return moving.size() == 1 && known_sign(product(weight)) == KnownSign::positive &&
         add_squared_forms(moving[0], velocities, forms);
}

/// Does the kinetic energy, a sum of squares as the model states it, determine one velocity after the other: J t'^2 gives
/// t', m (x' + d t' sin t)^2 then x', and so on? Then it is positive definite everywhere, and nothing was eliminated.
bool squares_determine_all(const System& system) {
  const auto velocities = system.space.velocities();
  std::vector<Expr> forms;
  if (!add_squared_forms(system.lagrangian, velocities, forms)) return false;
  std::vector<std::vector<Symbol>> open;  // the velocities of each form that are not yet known to vanish
  for (const Expr f : forms) {
    open.emplace_back();
    for (const Symbol v : velocities) {
      if (contains(f, v)) open.back().push_back(v);
    }
  }
  std::size_t found = 0;
  for (bool progress = true; progress && found < velocities.size();) {
    progress = false;
    for (std::size_t k = 0; k < forms.size(); ++k) {
      if (open[k].size() != 1 || !known_nonzero(derivative(forms[k], open[k][0]))) continue;
      const Symbol v = open[k][0];
      for (std::vector<Symbol>& others : open) std::erase(others, v);
      ++found;
      progress = true;
    }
  }
  return found == velocities.size();
}

/// Is the part of L with velocities, as the model states it, nowhere negative, and zero at rest?
bool is_sum_of_squares(const System& system) {
  const auto velocities = system.space.velocities();
  const Expr L = system.lagrangian;
  std::vector<Expr> moving;
  for (const Expr term : L.is(Kind::sum) ? L.args() : std::span<const Expr>(&L, 1)) {
    if (moves(term, velocities)) moving.push_back(term);
  }
  if (moving.empty() || known_sign(sum(moving)) != KnownSign::nonnegative) return false;
  SymbolMap rest;
  for (const Symbol v : velocities) rest.emplace(v, Expr(0));
  return substitute(sum(moving), rest).is_zero();
}

}  // namespace

namespace {

/// ∂C/∂v, independent rows of it.
Matrix independent_slopes(const System& system) {
  const auto velocities = system.space.velocities();
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const Matrix all = jacobian(functions, velocities);
  return functions.empty() ? Matrix(0, static_cast<int>(velocities.size()))
                           : rows_of(all, independent_rows(all));
}

/// Is the metric positive definite, everywhere or at a generic configuration; and is it negative somewhere for the given values?
void find_signs(const System& system, const Matrix& hessian, const Matrix& metric, Regularity& found) {
  // Definite without constraints is definite with them, whatever basis of D was chosen.
  if (metric.columns() == 0 || (found.quadratic && squares_determine_all(system)) ||
      definiteness(hessian).kind == Definiteness::Kind::positive_definite ||
      definiteness(metric).kind == Definiteness::Kind::positive_definite) {
    found.kind = Regularity::Kind::positive_definite;
    return;
  }
  if (found.quadratic && is_sum_of_squares(system)) {
    found.kind = Regularity::Kind::positive_definite;
    found.generic = true;
    return;
  }
  const OnVariety there(variety_of(substitute(position_relations(system), parameter_values(system))));
  const Definiteness with_values = definiteness(substitute(metric, parameter_values(system)));
  found.negative_energy = with_values.kind == Definiteness::Kind::negative_definite ||
                          with_values.kind == Definiteness::Kind::indefinite;
}

}  // namespace

Expr bordered_determinant(const System& system) {
  const auto velocities = system.space.velocities();
  return determinant(
      bordered(jacobian(gradient(system.lagrangian, velocities), velocities), independent_slopes(system)));
}

Regularity regularity(const System& system) {
  std::vector<std::string> open;
  return regularity(system, {}, open);
}

Regularity regularity(const System& system, const TriageLimits& limits, std::vector<std::string>& open) {
  const auto velocities = system.space.velocities();
  const Matrix hessian = jacobian(gradient(system.lagrangian, velocities), velocities);
  const Matrix slopes = independent_slopes(system);

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
  const std::string part = "the signs of the kinetic energy";
  if (!within_limits(limits, part, [&] { find_signs(system, hessian, metric, found); })) open.push_back(part);
  return found;
}

}  // namespace rattleback
