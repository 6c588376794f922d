#include <rattleback/proof/variational/vakonomic_multipliers.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/geometry/frame.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

namespace rattleback {
namespace {

void require_no_time(const System& system, const Admissible& D) {
  for (const Expr e : D.psi.entries()) {
    if (!contains(e, system.time)) continue;
    throw Inapplicable("form-does-not-apply", "the variational multipliers are not compared here",
                       "the constraints depend on time",
                       "compare `derive --form vakonomic` and `derive --form hamel`");
  }
}

/// A principle that makes the action stationary knows no other forces. Those that D cannot feel are reactions.
void require_no_forces(const System& system, const Admissible& D) {
  const Matrix Q = Matrix::column(forces_on(system, D.substitution()));
  for (int a = 0; a < D.rank(); ++a) {
    if (vanishes_at_random_points(dot(Q, D.psi.column(a)))) continue;
    throw Inapplicable("form-does-not-apply", "no variational principle is compared with this motion",
                       "forces that are not in the Lagrangian act on it",
                       "put forces with a potential into the Lagrangian, or ask inverse-problem");
  }
}

std::vector<VectorField> legs(const Admissible& D) {
  std::vector<VectorField> fields;
  for (int a = 0; a < D.rank(); ++a) fields.push_back(D.leg(a));
  return fields;
}

/// Legs of the space that complete the frame of D, the last ones preferred.
std::vector<VectorField> completing_legs(const Space& space, const Admissible& D) {
  std::vector<VectorField> fields = legs(D);
  const std::size_t m = fields.size();
  for (int i = space.dimension() - 1; i >= 0; --i) fields.push_back(VectorField::leg(space, i));
  std::vector<VectorField> chosen;
  for (const int column : independent_columns(as_columns(space, fields))) {
    if (static_cast<std::size_t>(column) >= m) chosen.push_back(fields[static_cast<std::size_t>(column)]);
  }
  return {chosen.rbegin(), chosen.rend()};
}

SymbolMap motion_of(const EquationsOfMotion& equations) {
  SymbolMap rates;
  for (std::size_t i = 0; i < equations.configuration.size(); ++i)
    rates.emplace(equations.configuration[i], equations.configuration_rates[i]);
  for (std::size_t a = 0; a < equations.speeds.size(); ++a)
    rates.emplace(equations.speeds[a], equations.speed_rates[a]);
  return rates;
}

Expr paired(const std::vector<Expr>& p, const VectorField& X) {
  return dot(Matrix::column(p), Matrix::column(X.coefficients()));
}

/// λ_a = R_i W_a^i with R = M v̇ − b along the motion.
Matrix reactions(const System& system, const VakonomicConditions& c, const EquationsOfMotion& motion) {
  const SymbolMap psi = c.D.substitution();
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix R = substitute(lagrange.mass, psi) * Matrix::column(accelerations_along(system, motion)) -
                   substitute(lagrange.force, psi);
  Matrix lambda(static_cast<int>(c.complement.size()), 1);
  for (int a = 0; a < lambda.rows(); ++a)
    lambda[a] = dot(R, Matrix::column(c.complement[static_cast<std::size_t>(a)].coefficients()));
  return lambda;
}

}  // namespace

VakonomicConditions vakonomic_conditions(const System& system, const std::vector<VectorField>& complement) {
  VakonomicConditions c;
  c.D = linear_velocities(system);
  require_no_time(system, c.D);
  require_no_forces(system, c.D);
  c.complement = complement.empty() ? completing_legs(system.space, c.D) : complement;
  const EquationsOfMotion motion = straight_line_equations(system);
  c.rates = motion_of(motion);
  const int m = c.D.rank(), k = static_cast<int>(c.complement.size());
  c.S = Matrix(m, k);
  c.N = Matrix(k, k);
  c.lambda = Matrix(k, 1);
  if (k == 0) return c;

  std::vector<VectorField> fields = legs(c.D);
  fields.insert(fields.end(), c.complement.begin(), c.complement.end());
  const Frame frame(fields);
  const VectorField V = c.D.velocity();
  for (int i = 0; i < m + k; ++i) {
    const Matrix Z = frame.dual_matrix() * Matrix::column(bracket(frame[i], V).coefficients());
    for (int a = 0; a < k; ++a) (i < m ? c.S(i, a) : c.N(i - m, a)) = Z[m + a];
  }
  const std::vector<Expr> p = momenta_on(system, c.D.substitution());
  for (const VectorField& W : c.complement) c.momenta.push_back(paired(p, W));
  c.lambda = reactions(system, c, motion);
  return c;
}

Verdict are_vakonomic_multipliers(const VakonomicConditions& c, const std::vector<Expr>& mu) {
  const Matrix m = Matrix::column(mu);
  const Matrix rate = Matrix::column(derivative_along(mu, c.rates));
  std::vector<Expr> residuals = (c.S * m).entries();
  for (const Expr e : (rate - c.lambda + c.N * m).entries()) residuals.push_back(e);
  return is_zero(residuals);
}

namespace {

/// The rows of `more` that are independent of those of `rows` and of each other.
Matrix enlarged(const Matrix& rows, const Matrix& more) {
  Matrix all(rows.rows() + more.rows(), more.columns());
  for (int i = 0; i < all.rows(); ++i) {
    for (int j = 0; j < all.columns(); ++j)
      all(i, j) = i < rows.rows() ? rows(i, j) : more(i - rows.rows(), j);
  }
  return rows_of(all, independent_columns(transpose(all)));
}

/// d/dt of s·μ + b = 0 with (C.10): (Γ(s) − s N)·μ + Γ(b) + s·λ = 0.
Matrix differentiated(const Matrix& rows, const VakonomicConditions& c) {
  const int k = c.N.rows();
  const Matrix dot_rows = derivative_along(rows, c.rates);
  Matrix next(rows.rows(), k + 1);
  for (int i = 0; i < rows.rows(); ++i) {
    for (int j = 0; j <= k; ++j) {
      std::vector<Expr> terms{dot_rows(i, j)};
      for (int a = 0; a < k; ++a) terms.push_back(j < k ? -rows(i, a) * c.N(a, j) : rows(i, a) * c.lambda[a]);
      next(i, j) = sum(terms);
    }
  }
  return next;
}

Matrix left_columns(const Matrix& a, int n) {
  std::vector<int> columns;
  for (int j = 0; j < n; ++j) columns.push_back(j);
  return columns_of(a, columns);
}

}  // namespace

MultiplierClosure closure(const VakonomicConditions& c) {
  const int k = c.N.rows();
  Matrix rows = enlarged(Matrix(0, k + 1), beside(c.S, Matrix(c.S.rows(), 1)));
  MultiplierClosure result;
  for (int before = 0; before < rows.rows() && rows.rows() <= k; ++result.rounds) {
    before = rows.rows();
    rows = enlarged(rows, differentiated(rows, c));
  }
  result.s = left_columns(rows, k);
  result.b = rows.rows() == 0 ? Matrix(0, 1) : rows.column(k);
  result.augmented_rank = rows.rows();
  result.rank = rows.rows() == 0 ? 0 : rank(result.s);
  if (result.solvable() && result.rank == k && k > 0) {
    if (const auto x = solve(result.s, -result.b))
      result.unique = std::vector<Expr>(x->x.entries().begin(), x->x.entries().end());
  }
  return result;
}

}  // namespace rattleback
