#include <rattleback/motion/velocities/speed_definitions.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/fields/sign_revealing.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/motion/velocities/rank_loss.hpp>

namespace rattleback {
namespace {

/// No conditions but those of the frame.
bool are_known(const Assumptions& where, const Assumptions& known) {
  return where.empty() || std::ranges::all_of(simplified(where), [&](const Assumption& a) {
           return std::ranges::find(known, a.expression, &Assumption::expression) != known.end();
         });
}

/// z from v = Ψ z + y, by some rows of Ψ: their least squares (ΨᵀΨ)⁻¹Ψᵀ(v − y), where that has no poles. As many rows as speeds
/// first, then one more: x' = u cos θ, y' = u sin θ give u = x' cos θ + y' sin θ, not x'/cos θ.
std::optional<std::vector<Expr>> by_rows(const Matrix& psi, const Matrix& v, const std::vector<int>& rows,
                                         const Assumptions& known) {
  const Matrix some = rows_of(psi, rows), right = rows_of(v, rows);
  const bool is_square = some.rows() == some.columns();
  Matrix gram = is_square ? some : transpose(some) * some;
  for (Expr& e : gram.entries()) e = is_square ? e : sign_revealing(e);
  const auto z = unique_solution(gram, is_square ? right : transpose(some) * right);
  if (!z || !are_known(z->where, known)) return std::nullopt;
  return std::vector<Expr>(z->x.entries().begin(), z->x.entries().end());
}

std::optional<std::vector<Expr>> without_poles(const Matrix& psi, const Matrix& v, const Assumptions& known) {
  constexpr std::size_t few = search_limits::rows_of_speeds.count,
                        small = search_limits::speeds_without_poles.count;
  if (graph_size(psi.entries()) > small) return std::nullopt;
  const MatrixSamples samples(psi, known);
  for (int count = psi.columns(); count <= std::min(psi.columns() + 1, psi.rows()); ++count) {
    const auto choices = subsets(psi.rows(), count);
    for (std::size_t k = 0; k < std::min(few, choices.size()); ++k) {
      if (samples.lose_rank(choices[k])) continue;  // a pole, and no need to solve
      if (auto z = by_rows(psi, v, choices[k], known)) return z;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Expr> speed_definitions(const Admissible& D, const Space& space, Poles poles) {
  if (D.rank() == 0) return {};
  const auto velocities = space.velocities();
  const auto is_plain = [&](Symbol z) {
    const auto at = std::find(velocities.begin(), velocities.end(), z);
    return at != velocities.end() && D.drift[static_cast<int>(at - velocities.begin())].is_zero();
  };
  if (std::all_of(D.speeds.begin(), D.speeds.end(), is_plain)) return {D.speeds.begin(), D.speeds.end()};
  Matrix excess(D.psi.rows(), 1);
  for (int i = 0; i < excess.rows(); ++i) excess[i] = velocities[static_cast<std::size_t>(i)] - D.drift[i];
  const std::vector<int> rows = independent_rows(D.psi);
  const auto z = solve(rows_of(D.psi, rows), rows_of(excess, rows));
  if (!z) throw Bug("a frame of the constraint does not determine its speeds");
  std::vector<Expr> first(z->x.entries().begin(), z->x.entries().end());
  if (poles == Poles::allowed || z->where.empty()) return first;
  const Assumptions known = simplified(D.where);
  if (are_known(z->where, known)) return first;
  return without_poles(D.psi, excess, known).value_or(std::move(first));
}

}  // namespace rattleback
