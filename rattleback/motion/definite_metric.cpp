#include <rattleback/motion/definite_metric.hpp>

#include <algorithm>

#include <rattleback/algebra/definiteness.hpp>
#include <rattleback/algebra/elimination.hpp>
#include <rattleback/algebra/known_sign.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/motion/written_velocities.hpp>

namespace rattleback {
namespace {

bool is_positive_diagonal(const Matrix& H) {
  for (int k = 0; k < H.rows(); ++k) {
    if (known_sign(H(k, k)) != KnownSign::positive) return false;
    for (int l = 0; l < k; ++l)
      if (!H(k, l).is_zero() || !H(l, k).is_zero()) return false;
  }
  return true;
}

/// The rows with an entry: velocities that F is not merely linear in.
std::vector<int> nonzero_rows(const Matrix& H) {
  std::vector<int> rows;
  for (int k = 0; k < H.rows(); ++k) {
    const Matrix row = H.row(k);
    if (std::ranges::any_of(row.entries(), [](Expr e) { return !e.is_zero(); })) rows.push_back(k);
  }
  return rows;
}

bool contains_any(const Matrix& m, std::span<const Symbol> symbols) {
  const std::vector<Symbol> found = symbols_of(m.entries());
  return std::ranges::any_of(symbols, [&](Symbol s) { return std::ranges::find(found, s) != found.end(); });
}

/// Θ_kα for some k.
Matrix along_legs(const WrittenVelocities& written, const Admissible& D, const std::vector<int>& rows) {
  Matrix theta(static_cast<int>(rows.size()), D.rank());
  for (int alpha = 0; alpha < D.rank(); ++alpha) {
    SymbolMap leg;
    for (int i = 0; i < D.space.dimension(); ++i) leg.emplace(D.space.velocities()[i], D.psi(i, alpha));
    const std::vector<Expr> w = substitute(written.forms, leg);
    for (int k = 0; k < theta.rows(); ++k) theta(k, alpha) = w[static_cast<std::size_t>(rows[k])];
  }
  return theta;
}

}  // namespace

bool has_definite_metric(const System& system, const Admissible& D) {
  constexpr std::size_t most_velocities = 24;
  const WrittenVelocities written = written_velocities(system.lagrangian, system.space.velocities());
  if (written.names.size() > most_velocities || D.rank() == 0) return false;
  const Matrix all = jacobian(gradient(written.function, written.names), written.names);
  if (contains_any(all, written.names) || contains_any(all, system.space.velocities())) return false;
  const std::vector<int> rows = nonzero_rows(all);
  const Matrix H = columns_of(rows_of(all, rows), rows);
  if (!is_positive_diagonal(H) && definiteness(H).kind != Definiteness::Kind::positive_definite) return false;
  const Elimination theta(along_legs(written, D, rows));
  return theta.rank() == D.rank() && theta.assumptions().empty();
}

}  // namespace rattleback
