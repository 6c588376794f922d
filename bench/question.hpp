#pragma once
/// Accelerations and multipliers from a Lagrangian, on the constraint v = N z:
///
///     M v' − Aᵀλ = b,   A v' = −(C' at v' = 0)
///
/// by quasi-velocities: (NᵀM N) z' = Nᵀ(b − M N' z), v' = N z' + N' z, and Aᵀλ = M v' − b.

#include <rattleback/algebra/solving/linear_algebra.hpp>

#include "peers.hpp"

namespace bench {

/// The admissible velocities v = N z. They are part of the question, so no program's time includes them.
struct Question {
  System system;
  Matrix A, N, z;
  SymbolMap psi;
};

inline Question question_of(System system) {
  const int n = system.space.dimension(), k = static_cast<int>(system.constraints.size());
  Matrix A(k, n);
  for (int a = 0; a < k; ++a) {
    const auto row =
        gradient(system.constraints[static_cast<std::size_t>(a)].expression, system.space.velocities());
    for (int i = 0; i < n; ++i) A(a, i) = row[static_cast<std::size_t>(i)];
  }
  Question q{std::move(system), A, kernel(A).basis, {}, {}};
  const int first = q.system.space.velocities()[0].attributes().order;
  std::vector<Expr> z;
  for (int alpha = 0; alpha < q.N.columns(); ++alpha) {
    z.push_back(
        Symbol::make("z" + std::to_string(alpha + 1), {.role = Role::velocity, .order = first + alpha}));
  }
  q.z = Matrix::column(z);
  const Matrix v = q.N * q.z;
  for (int i = 0; i < n; ++i) q.psi.emplace(q.system.space.velocities()[static_cast<std::size_t>(i)], v[i]);
  return q;
}

/// b_i = X_i(L) − C_il^m v^l p_m − (p_i' at v' = 0) on the constraint.
inline Matrix forces(const Question& q, const std::vector<Expr>& p) {
  const Space& Q = q.system.space;
  const int n = Q.dimension();
  const std::vector<Expr> p_rates = derivative_along(p, Q.motion());
  Matrix b(n, 1);
  for (int i = 0; i < n; ++i) {
    std::vector<Expr> terms{Q.derivative(i, q.system.lagrangian), -p_rates[static_cast<std::size_t>(i)]};
    for (int l = 0; l < n; ++l) {
      for (int m = 0; m < n; ++m) {
        if (!Q.c()(i, l, m).is_zero())
          terms.push_back(-(Q.c()(i, l, m) * Q.velocities()[static_cast<std::size_t>(l)] *
                            p[static_cast<std::size_t>(m)]));
      }
    }
    b[i] = sum(terms);
  }
  return substitute(b, q.psi);
}

struct Answer {
  Matrix rates;  ///< z'
  Matrix multipliers;
};

/// M, b and N' z: what derivatives give.
struct Derived {
  Matrix M, b, turning;
};

inline Derived derived_of(const Question& q) {
  const Space& Q = q.system.space;
  const std::vector<Expr> p = gradient(q.system.lagrangian, Q.velocities());
  return {jacobian(p, Q.velocities()), forces(q, p),
          substitute(derivative_along(q.N, Q.motion()), q.psi) * q.z};
}

inline Answer solution_of(const Question& q, const Derived& d) {
  const Matrix Nt = transpose(q.N);
  const Matrix rates = solve(Nt * d.M * q.N, Nt * (d.b - d.M * d.turning))->x;
  return {rates, solve(transpose(q.A), d.M * (q.N * rates + d.turning) - d.b)->x};
}

inline Answer answer_of(const Question& q) { return solution_of(q, derived_of(q)); }

/// The system and its admissible velocities, for the scripts.
inline std::string job_of(const Question& q) {
  std::string job = as_job(q.system);
  for (const Symbol v : q.system.space.velocities())
    job += "psi " + plain(v.name()) + "\t" + plain(q.psi.at(v)) + "\n";
  return job;
}

}  // namespace bench
