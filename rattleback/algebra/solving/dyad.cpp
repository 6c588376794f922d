#include <rattleback/algebra/solving/dyad.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/ldlt.hpp>
#include <rattleback/algebra/solving/poisson_vector.hpp>

namespace rattleback {
namespace {

bool moves(Expr e) {
  const std::vector<Symbol> symbols = symbols_of(e);
  return std::any_of(symbols.begin(), symbols.end(),
                     [](Symbol s) { return s.role() != Role::parameter && s.role() != Role::constant; });
}

/// e = still + moving; nothing where several terms move.
struct Parted {
  Expr still{0}, moving{0};
};
std::optional<Parted> parted(Expr e) {
  Parted parts;
  std::vector<Expr> still;
  const std::span<const Expr> terms = e.is(Kind::sum) ? e.args() : std::span<const Expr>(&e, 1);
  for (const Expr term : terms) {
    if (!moves(term)) {
      still.push_back(term);
    } else if (parts.moving.is_zero()) {
      parts.moving = term;
    } else {
      return std::nullopt;
    }
  }
  parts.still = sum(still);
  return parts;
}

/// e = scale · root² with a root that moves and a scale that does not.
struct ScaledSquare {
  Expr scale{1}, root{1};
};
std::optional<ScaledSquare> scaled_square(Expr e) {
  ScaledSquare square;
  const std::span<const Expr> factors = e.is(Kind::product) ? e.args() : std::span<const Expr>(&e, 1);
  for (const Expr f : factors) {
    if (!moves(f)) {
      square.scale *= f;
    } else if (f.is(Kind::power) && f.exponent() == 2) {
      square.root *= f.args()[0];
    } else {
      return std::nullopt;
    }
  }
  return square;
}

/// s f fᵀ as its entries are written.
std::optional<ConstantAndDyad> dyad(const Matrix& N) {
  ConstantAndDyad parts;
  int first = -1;  // a row in which f does not vanish
  for (int a = 0; a < N.rows(); ++a) {
    parts.f.emplace_back(0);
    if (N(a, a).is_zero()) continue;
    const auto square = scaled_square(N(a, a));
    if (!square || (first >= 0 && square->scale != parts.scale)) return std::nullopt;
    parts.scale = square->scale;
    if (first < 0) first = a;
    const bool opposite =
        N(first, a) == -parts.scale * parts.f[static_cast<std::size_t>(first)] * square->root;
    parts.f.back() = opposite ? -square->root : square->root;
  }
  if (first < 0) return std::nullopt;
  for (int a = 0; a < N.rows(); ++a)
    for (int b = 0; b < a; ++b)
      if (N(a, b) !=
          parts.scale * parts.f[static_cast<std::size_t>(a)] * parts.f[static_cast<std::size_t>(b)])
        return std::nullopt;
  return parts;
}

}  // namespace

std::optional<ConstantAndDyad> constant_and_dyad(const Matrix& G) {
  Matrix constant(G.rows(), G.rows()), moving(G.rows(), G.rows());
  for (int a = 0; a < G.rows(); ++a) {
    for (int b = 0; b <= a; ++b) {
      const auto parts = parted(G(a, b));
      if (!parts) return std::nullopt;
      constant(a, b) = constant(b, a) = parts->still;
      moving(a, b) = moving(b, a) = parts->moving;
    }
  }
  auto found = dyad(moving);
  if (found) found->constant = std::move(constant);
  return found;
}

Matrix solve(const ConstantAndDyad& G, const Matrix& b) {
  const LDLt constant = ldlt(G.constant);
  const Matrix f = Matrix::column(G.f), k = solve(constant, b), h = solve(constant, f);
  return k - G.scale * dot(f, k) / (1 + G.scale * dot(f, h)) * h;
}

Matrix readable_solution(const ConstantAndDyad& G, const Matrix& b) {
  const LDLt constant = ldlt(G.constant);
  const Matrix f = Matrix::column(G.f), k = solve(constant, b), h = solve(constant, f);
  const Expr along = dot(f, k);
  if (vanishes_at_random_points(along)) return k;
  return solve(constant, b - G.scale * along / without_idle_rotations(1 + G.scale * dot(f, h)) * f);
}

}  // namespace rattleback
