#pragma once
/// Initial states that satisfy their constraints in all digits of a kind of number.

#include <cmath>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/simulate/states/manifold.hpp>

namespace rattleback {

/// x with S x = b for a symmetric S that is not negative; unknowns that the rest determines stay 0.
template <class T>
std::vector<T> solved_symmetric(std::vector<std::vector<T>> S, std::vector<T> b) {
  using std::abs;
  const std::size_t n = b.size();
  T largest(0);
  for (std::size_t i = 0; i < n; ++i)
    if (largest < abs(S[i][i])) largest = abs(S[i][i]);
  std::vector<bool> used(n);
  std::vector<T> x(n, T(0));
  std::vector<std::size_t> pivots;
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i)
      if (!used[i] && (best == n || abs(S[best][best]) < abs(S[i][i]))) best = i;
    if (!(largest * T(1e-12) < abs(S[best][best]))) break;
    used[best] = true;
    pivots.push_back(best);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == best) continue;
      const T factor = S[i][best] / S[best][best];
      for (std::size_t j = 0; j < n; ++j) S[i][j] = S[i][j] - factor * S[best][j];
      b[i] = b[i] - factor * b[best];
    }
  }
  for (const std::size_t i : pivots) x[i] = b[i] / S[i][i];
  return x;
}

/// Newton steps of least norm onto the position constraints, in the coordinates that may move; false where some residual is left.
template <class T>
bool moved_onto_positions(const Flow& flow, std::span<const Expr> positions, std::vector<T>& state,
                          const std::vector<std::size_t>& movable, const T& t) {
  using std::abs;
  std::vector<Symbol> x;
  for (const std::size_t k : movable) x.push_back(flow.state()[k]);
  std::vector<Expr> all;
  for (const Expr f : positions) all.push_back(flow.on_state(f));
  for (std::size_t s = 0; s < positions.size(); ++s) {
    const std::vector<Expr> row = gradient(all[s], x);
    all.insert(all.end(), row.begin(), row.end());
  }
  const Code code = flow.code_of(all);
  Evaluator<T> evaluate(code, flow.parameter_values<T>());
  const std::size_t m = positions.size(), n = movable.size();
  std::vector<T> in(state.begin(), state.end()), out(all.size());
  in.push_back(t);
  T left(0);
  constexpr int most_steps = search_limits::precise_start.count;
  for (int step = 0; step < most_steps; ++step) {
    evaluate(in.data(), out.data());
    left = T(0);
    for (std::size_t s = 0; s < m; ++s)
      if (left < abs(out[s])) left = abs(out[s]);
    if (left == T(0) || n == 0) break;
    std::vector<std::vector<T>> S(m, std::vector<T>(m, T(0)));
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t s = 0; s < m; ++s)
        for (std::size_t k = 0; k < n; ++k) S[r][s] = S[r][s] + out[m + r * n + k] * out[m + s * n + k];
    const std::vector<T> lambda = solved_symmetric(
        std::move(S), std::vector<T>(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(m)));
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t s = 0; s < m; ++s) in[movable[k]] = in[movable[k]] - out[m + s * n + k] * lambda[s];
  }
  if (!(left < T(1e-17))) return false;
  std::copy(in.begin(), in.end() - 1, state.begin());
  return true;
}

/// The state with its coordinates on the position constraints, those that are fixed left alone where that is possible; then with
/// velocities that the constraints allow.
template <class T>
void onto_constraints(const Flow& flow, std::vector<T>& state, const std::vector<bool>& fixed,
                      const T& t = T(0)) {
  std::vector<Expr> positions;
  for (const Constraint& c : flow.system().constraints)
    if (c.position) positions.push_back(*c.position);
  if (!positions.empty()) {
    std::vector<std::size_t> open, all;
    for (std::size_t k = 0; k < flow.first_speed(); ++k) {
      bool turns = false;
      for (const std::size_t q : flow.quaternions()) turns = turns || (k >= q && k < q + 4);
      if (turns) continue;
      all.push_back(k);
      if (!fixed[k]) open.push_back(k);
    }
    if (!moved_onto_positions(flow, positions, state, open, t))
      moved_onto_positions(flow, positions, state, all, t);
  }
  Manifold<T> manifold(flow);
  manifold.settle(t, state.data());
}

}  // namespace rattleback
