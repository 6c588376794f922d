// Declared in proof/coq/coq_kinds.hpp. Positive definite metrics by completed squares.
#include <fmt/format.h>

#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/coq/coq_kinds.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>

namespace rattleback {
namespace {

std::size_t entry_of(int i) { return static_cast<std::size_t>(i); }

/// zᵀ G z = Σ d_k l_k², l_k = z_k + Σ_{b > k} u_kb z_b, and z = h l.
struct CompletedSquares {
  std::vector<Expr> d, l;
  Matrix h;
};
CompletedSquares completed_squares(Matrix G, const std::vector<Symbol>& z) {
  const int m = G.rows();
  CompletedSquares s{{}, {}, Matrix::identity(m)};
  Matrix U = Matrix::identity(m);
  for (int k = 0; k < m; ++k) {
    const Expr d = short_form(G(k, k));
    if (d.is_zero())
      no_coq_form("a leading minor of the metric vanishes", "it is no sum of squares in this order");
    for (int b = k + 1; b < m; ++b) U(k, b) = short_form(G(k, b) / d);
    for (int a = k + 1; a < m; ++a) {
      for (int b = k + 1; b < m; ++b) G(a, b) = short_form(G(a, b) - G(a, k) * U(k, b));
    }
    s.d.push_back(d);
  }
  for (int k = 0; k < m; ++k) {
    std::vector<Expr> terms;
    for (int b = k; b < m; ++b) terms.push_back(U(k, b) * z[entry_of(b)]);
    s.l.push_back(sum(terms));
  }
  for (int a = m - 1; a >= 0; --a) {  // z_a = l_a − Σ u_ab z_b
    for (int b = a + 1; b < m; ++b) {
      for (int k = b; k < m; ++k) s.h(a, k) = short_form(s.h(a, k) - U(a, b) * s.h(b, k));
    }
  }
  return s;
}

}  // namespace

std::string coq_definite_theorem(const ClaimedSystem& claim, std::string& preamble) {
  SymbolMap rest;
  for (const Symbol z : claim.speeds) rest.emplace(z, Expr(0));
  const Matrix Psi = substitute(directions(claim), rest);
  const Matrix M = jacobian(gradient(claim.lagrangian, claim.velocities), claim.velocities);
  for (const Symbol v : claim.velocities) {
    for (const Expr e : derivative(M, v).entries()) {
      if (!e.is_zero()) no_coq_form("the Lagrangian is not quadratic in the velocities", "it has no metric");
    }
  }
  CoqSystem file(claim, false);
  const CompletedSquares s = completed_squares(transpose(Psi) * M * Psi, claim.speeds);
  std::vector<Expr> v;
  for (int i = 0; i < Psi.rows(); ++i) {
    std::vector<Expr> terms{Expr(0)};
    for (int a = 0; a < Psi.columns(); ++a) terms.push_back(Psi(i, a) * claim.speeds[entry_of(a)]);
    v.push_back(short_form(sum(terms)));
  }
  std::string energy;
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::size_t j = 0; j < v.size(); ++j)
      energy += fmt::format("{}velocity{} * velocity{} * Kernel.partial {} (Kernel.partial {} lagrangian)",
                            energy.empty() ? "" : " +\n  ", i + 1, j + 1, file.number(claim.velocities[i]),
                            file.number(claim.velocities[j]));
    file.define(fmt::format("velocity{}", i + 1), "Kernel.E", file.formula(v[i]));
  }
  file.define("speeds", "list BinNums.positive", file.numbers(claim.speeds));
  file.define("metric", "Kernel.E", energy);
  file.define("weights", "list Kernel.E", file.formulas(s.d));
  file.define("squares", "list Kernel.E", file.formulas(s.l));
  file.define("inverse", "list (list Kernel.E)", file.rows(s.h));
  preamble = file.preamble();
  return "(* The metric of the kinetic energy is positive definite on D: v^i v^j d2L/dv^i dv^j > 0 unless "
         "all speeds vanish. *)\n" +
         coq_theorem("metric_is_positive_definite",
                     "Kernel.positive_definite system speeds nonzero positive metric",
                     "Kernel.positive_definite_ok system speeds reading metric weights squares inverse");
}

}  // namespace rattleback
