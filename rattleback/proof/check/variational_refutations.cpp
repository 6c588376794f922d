// Declared in proof/check/refutation_claims.hpp. No multipliers make the motion variational; no regular Lagrangian has it among its motions.
#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/refutation_claims.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A count between 1 and 20.
int count_in(const Data& d, const char* key) {
  const int n = number_field(d, key);
  if (n < 1 || n > 20) bad_certificate(fmt::format("`{}` is not a small number", key));
  return n;
}

Matrix formulas_in(const ClaimedSystem& claim, const Data& list, std::size_t count) {
  return Matrix::column(
      formulas_of(claim, list, count, {&claim.functions, &claim.speeds, &time_alone()}, "a field"));
}

Matrix left_columns(const Matrix& a, int n) {
  std::vector<int> columns;
  for (int j = 0; j < n; ++j) columns.push_back(j);
  return columns_of(a, columns);
}

/// s·μ + b = 0 differentiated with (C.38): (Γ(s) − s N)·μ + Γ(b) + s·λ = 0.
Matrix differentiated(const ClaimedSystem& claim, const Matrix& rows, const Matrix& N, const Matrix& lambda) {
  const int k = N.rows();
  const Matrix s = left_columns(rows, k);
  return derivative_along(rows, claim.motion) + beside(-(s * N), s * lambda);
}

/// More rows than columns that no numbers μ satisfy: the rank of (s | b) exceeds that of s.
Verdict contradict(const Matrix& rows) {
  const int all = rank(rows).value;
  const Matrix s = left_columns(rows, rows.columns() - 1);
  const int r = rank(s).value;
  if (all <= r)
    return Refuted{
        {.point = {}, .value = fmt::format("rank {} of {}", r, all), .note = "they have a solution"}};
  return has_rank(s, r);
}

}  // namespace

std::vector<CheckedStep> not_variational_steps(const ClaimedSystem& claim, const Data& certificate) {
  const int n = static_cast<int>(claim.velocities.size()), k = static_cast<int>(claim.constraints.size());
  const Data::List& complement = list_field(certificate, "complement");
  if (static_cast<int>(complement.size()) != k)
    bad_certificate("`complement` needs a field for each constraint");
  Matrix W(n, k);
  for (int b = 0; b < k; ++b) {
    const Matrix field = formulas_in(claim, complement[at(b)], at(n));
    for (int i = 0; i < n; ++i) W(i, b) = field[i];
  }
  const Matrix C = substitute(jacobian(claim.constraints, claim.velocities), claim.psi);
  Matrix E(k, n), reaction = Matrix::column(lagrange_expressions(claim, claim.lagrangian));
  for (int a = 0; a < k; ++a) {
    const std::vector<Expr> row = lagrange_expressions(claim, claim.constraints[at(a)]);
    for (int i = 0; i < n; ++i) E(a, i) = row[at(i)];
  }
  for (int i = 0; i < n; ++i) reaction[i] -= substitute(claim.forces[at(i)], claim.psi);
  const Matrix N = transpose(E * W), lambda = transpose(W) * reaction;
  const Matrix S = transpose(E * directions(claim));
  Matrix all = beside(S, Matrix(S.rows(), 1)), latest = all;
  for (int round = 1; round < count_in(certificate, "rounds"); ++round) {
    latest = differentiated(claim, latest, N, lambda);
    all = stacked(all, latest);
  }
  return {{"the fields cross the constraints one by one", is_zero((C * W - Matrix::identity(k)).entries())},
          {"the conditions on the multipliers contradict each other", contradict(all)}};
}

namespace {

/// q̈ = f(q, q̇), with Γ, A^k_j = ∂f^k/∂v^j.
struct SecondOrder {
  std::vector<Expr> f;
  SymbolMap rates;
  Matrix A;
};

SecondOrder second_order(const ClaimedSystem& claim, const Data& d) {
  SecondOrder s;
  for (const Data& e : list_field(d, "accelerations")) {
    if (e.text() == nullptr) bad_certificate("an acceleration is not a formula");
    s.f.push_back(claim.formula(*e.text()));
  }
  require_of_velocities(claim, s.f);
  if (s.f.size() != claim.velocities.size()) bad_certificate("there is one acceleration for each velocity");
  for (std::size_t i = 0; i < s.f.size(); ++i) {
    s.rates.emplace(claim.functions[i], Expr(claim.velocities[i]));
    s.rates.emplace(claim.velocities[i], s.f[i]);
  }
  s.rates.emplace(Symbol::make("t", {.role = Role::time}), Expr(1));
  s.A = jacobian(s.f, claim.velocities);
  return s;
}

/// Second-order equations are written in coordinates: X_i q_j = δ_ij. Then the brackets, which are verified, vanish.
void require_coordinates(const ClaimedSystem& claim) {
  const std::size_t n = claim.velocities.size();
  if (claim.functions.size() != n) bad_certificate("accelerations are stated where there are no coordinates");
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (claim.frame[i].at(claim.functions[j]) != Expr(i == j ? 1 : 0))
        bad_certificate("accelerations are stated in a frame that is not one of coordinates");
    }
  }
}

/// Where g_ij stands among g_11, g_12, …, g_nn.
int place(int n, int i, int j) { return i <= j ? i * n - i * (i - 1) / 2 + j - i : place(n, j, i); }

/// (g T)_ij − (g T)_ji.
Matrix symmetry_rows(const Matrix& T) {
  const int n = T.rows();
  Matrix rows(n * (n - 1) / 2, n * (n + 1) / 2);
  int row = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j, ++row) {
      for (int k = 0; k < n; ++k) {
        rows(row, place(n, i, k)) += T(k, j);
        rows(row, place(n, j, k)) -= T(k, i);
      }
    }
  }
  return rows;
}

/// g_ij R^j_kl summed over cyclic i, k, l with R^j_kl = ∂T^j_k/∂v^l − ∂T^j_l/∂v^k.
Matrix curvature_rows(const ClaimedSystem& claim, const Matrix& T) {
  const int n = T.rows();
  const auto R = [&](int j, int k, int l) {
    return derivative(T(j, k), claim.velocities[at(l)]) - derivative(T(j, l), claim.velocities[at(k)]);
  };
  Matrix rows(n * (n - 1) * (n - 2) / 6, n * (n + 1) / 2);
  int row = 0;
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < n; ++k) {
      for (int l = k + 1; l < n; ++l, ++row) {
        for (int j = 0; j < n; ++j) {
          rows(row, place(n, i, j)) += R(j, k, l);
          rows(row, place(n, k, j)) += R(j, l, i);
          rows(row, place(n, l, j)) += R(j, i, k);
        }
      }
    }
  }
  return rows;
}

/// The consequences of Φ, ∇Φ, …, so many of them: g T is symmetric, and so is what its curvature says.
Matrix all_consequences(const ClaimedSystem& claim, const SecondOrder& s, int count) {
  const Expr half(Rational(1, 2));
  Matrix T = derivative_along(s.A, s.rates) - Expr(2) * jacobian(s.f, claim.functions) - half * (s.A * s.A);
  Matrix rows = stacked(symmetry_rows(T), curvature_rows(claim, T));
  for (int k = 1; k < count; ++k) {
    T = derivative_along(T, s.rates) - half * (s.A * T - T * s.A);
    rows = stacked(rows, stacked(symmetry_rows(T), curvature_rows(claim, T)));
  }
  return rows;
}

/// det Σ c_k g_k = 0 for all c.
Verdict are_singular(const Matrix& left, int n) {
  if (left.columns() == 0) return Proved{};
  Matrix g(n, n);
  for (int c = 0; c < left.columns(); ++c) {
    const Expr factor = Symbol::make(fmt::format("c#{}", c), {.role = Role::parameter});
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) g(i, j) += factor * left(place(n, i, j), c);
    }
  }
  return is_zero(determinant(g));
}

/// f − d/dt ψ at v = ψ.
std::vector<Expr> difference_on_constraint(const ClaimedSystem& claim, const SecondOrder& s) {
  std::vector<Expr> difference = substitute(s.f, claim.psi);
  for (std::size_t i = 0; i < difference.size(); ++i)
    difference[i] -= derivative_along(claim.admissible[i], claim.motion);
  return difference;
}

/// What vanishes iff q̈_c = 0 and q̈_a = Ξ_a(q_c) q̇_c q̇_a for the others.
std::vector<Expr> out_of_step(const ClaimedSystem& claim, const SecondOrder& s, std::size_t clock) {
  std::vector<Expr> all{s.f[clock]};
  for (std::size_t a = 0; a < s.f.size(); ++a) {
    if (a == clock) continue;
    const Expr rate = s.f[a] / (Expr(claim.velocities[clock]) * Expr(claim.velocities[a]));
    for (std::size_t j = 0; j < s.f.size(); ++j) {
      all.push_back(derivative(rate, claim.velocities[j]));
      if (j != clock) all.push_back(derivative(rate, claim.functions[j]));
    }
  }
  return all;
}

}  // namespace

std::vector<CheckedStep> no_control_steps(const ClaimedSystem& claim, const Data& certificate) {
  require_coordinates(claim);
  std::vector<CheckedStep> steps = not_variational_steps(claim, certificate);
  for (const Data& d : list_field(certificate, "systems")) {
    const std::string name = fmt::format("type {}: ", text_field(d, "type"));
    const SecondOrder s = second_order(claim, d);
    const std::vector<Expr> difference = difference_on_constraint(claim, s);
    if (const Data* other = d.find("other"); other != nullptr) {
      steps.push_back({name + "on the constraint it is not the motion", some_do_not_vanish(difference)});
      continue;
    }
    steps.push_back({name + "on the constraint it is the motion", is_zero(difference)});
    Verdict none = Proved{};
    for (std::size_t clock = 0; clock < s.f.size() && proved(none); ++clock)
      none = some_do_not_vanish(out_of_step(claim, s, clock));
    steps.push_back({name + "no coordinate sets the pace of the others", none});
  }
  return steps;
}

std::vector<CheckedStep> no_lagrangian_steps(const ClaimedSystem& claim, const Data& certificate) {
  require_coordinates(claim);
  const int n = static_cast<int>(claim.velocities.size());
  const Data::List& systems = list_field(certificate, "systems");
  if (systems.empty()) bad_certificate("no second-order system is stated");
  std::vector<CheckedStep> steps;
  for (const Data& d : systems) {
    const std::string name = fmt::format("type {}: ", text_field(d, "type"));
    const SecondOrder s = second_order(claim, d);
    const std::vector<Expr> difference = difference_on_constraint(claim, s);
    if (d.find("derivatives") == nullptr) {
      steps.push_back({name + "on the constraint it is not the motion", some_do_not_vanish(difference)});
      continue;
    }
    const Matrix rows = all_consequences(claim, s, count_in(d, "derivatives"));
    const Matrix left = kernel(rows).basis;
    steps.push_back({name + "on the constraint it is the motion", is_zero(difference)});
    steps.push_back({fmt::format("{}the conditions of Helmholtz leave {} of {} multipliers", name,
                                 left.columns(), rows.columns()),
                     is_zero((rows * left).entries())});
    steps.push_back({name + "and no others", at_least(rank(rows).value, rows.columns() - left.columns(),
                                                      "the rank of the conditions")});
    steps.push_back({name + "all of them are singular", are_singular(left, n)});
  }
  return steps;
}

}  // namespace rattleback
