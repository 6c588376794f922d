// Declared in algebra/writing/polynomial_writer.hpp. Products and quotients: how the pieces of a fraction are put together.
#include <algorithm>

#include <rattleback/algebra/writing/polynomial_writer.hpp>

namespace rattleback {
namespace {

std::size_t at_index(int g) { return static_cast<std::size_t>(g); }

bool is_even(const Rational& r) { return (r * Rational(1, 2)).is_integer(); }

}  // namespace

/// g^n; a root with its radicand in short form. Low powers are asked for again and again.
Expr PolynomialWriter::generator_power(int g, long n) {
  constexpr long remembered = 8;
  if (n < -remembered || n > remembered) return searched_power(g, n);
  known_powers_.resize(widths_.size() * at_index(2 * remembered + 1));
  const std::size_t at =
      at_index(g) * at_index(2 * remembered + 1) + static_cast<std::size_t>(n + remembered);
  if (!known_powers_[at]) {
    const Expr power = searched_power(g, n);  // which may ask for others
    known_powers_[at] = power;
  }
  return *known_powers_[at];
}

Expr PolynomialWriter::searched_power(int g, long n) {
  const Expr generator = field_.generators()[at_index(g)];
  if (!is_call_of(generator, Builtin::sqrt)) return field_.power_of(g, n);
  if (const auto found = known_radicands_.find(g); found != known_radicands_.end()) {
    return pow(sqrt(found->second), static_cast<int>(n));
  }
  const auto relation = std::ranges::find(field_.ring().relations(), g, &Relation::generator);
  const Expr radicand = written(relation->square, 1);
  known_radicands_.emplace(g, radicand);
  return pow(sqrt(radicand), static_cast<int>(n));
}

/// sin^n/cos^n is tan^n, and 2 sin cos is sin of twice the angle.
void PolynomialWriter::spend_circular(Pieces& pieces, std::vector<Expr>& factors) const {
  for (const Relation* pair : pairs_) {
    long &s = pieces.exponents[at_index(pair->generator)], &c = pieces.exponents[at_index(pair->partner)];
    const Expr angle = field_.generators()[at_index(pair->generator)].args()[0];
    const bool circular = pair->sigma > 0;
    if (s != 0 && s == -c) {
      const Expr tangent = s > 0      ? (circular ? tan(angle) : tanh(angle))
                           : circular ? cot(angle)
                                      : tanh(angle);
      factors.push_back(pow(tangent, static_cast<int>(circular && s < 0 ? -s : s)));
      s = c = 0;
    } else if (circular && s == 1 && c == 1 && is_even(pieces.constant.numerator())) {
      factors.push_back(sin(2 * angle));
      pieces.constant = pieces.constant * Rational(1, 2);
      s = c = 0;
    } else if (circular && s == -1 && c == -1 && is_even(pieces.constant.denominator())) {
      factors.push_back(pow(sin(2 * angle), -1));
      pieces.constant = pieces.constant * Rational(2);
      s = c = 0;
    }
  }
}

/// √a·√b is √(ab) where that is shorter.
void PolynomialWriter::spend_roots(Pieces& pieces, std::vector<Expr>& factors) {
  for (const long side : {1L, -1L}) {
    std::vector<Expr> apart, inside;
    for (int g = 0; g < field_.ring().size(); ++g) {
      if (!is_call_of(field_.generators()[at_index(g)], Builtin::sqrt) ||
          pieces.exponents[at_index(g)] != side)
        continue;
      const Expr root = generator_power(g, 1);
      apart.push_back(root);
      inside.push_back(pow(root, 2));
      pieces.exponents[at_index(g)] = 0;
    }
    if (apart.empty()) continue;
    const Expr together = shorter(product(apart), sqrt(product(inside)));
    factors.push_back(pow(together, static_cast<int>(side)));
  }
}

/// exp(a)·exp(b) is exp(a + b).
void PolynomialWriter::spend_exponentials(Pieces& pieces, std::vector<Expr>& factors) const {
  std::vector<Expr> exponents;
  for (int g = 0; g < field_.ring().size(); ++g) {
    const auto u = exponent_of_generator(field_.generators()[at_index(g)]);
    long& n = pieces.exponents[at_index(g)];
    if (!u || n == 0 || is_call_of(split_coefficient(*u).rest, Builtin::log)) continue;
    exponents.push_back(Expr(n) * *u);
    n = 0;
  }
  if (!exponents.empty()) factors.push_back(exp(sum(exponents)));
}

Expr PolynomialWriter::assembled(Pieces pieces, int depth) {
  std::vector<Expr> factors;
  spend_circular(pieces, factors);
  spend_roots(pieces, factors);
  spend_exponentials(pieces, factors);
  for (std::size_t g = 0; g < pieces.exponents.size(); ++g) {
    if (pieces.exponents[g] != 0)
      factors.push_back(generator_power(static_cast<int>(g), pieces.exponents[g]));
  }
  for (const auto& [base, exponent] : pieces.sums) {
    Expr s = written_sum(base, depth);
    // A sum above the bar with as many minuses as pluses takes the sign of the whole.
    if (pieces.constant.sign() < 0 && exponent % 2 == 1 && s.is(Kind::sum)) {
      const Expr turned = written_sum(-base, depth);
      const bool alone = factors.empty() && pieces.sums.size() == 1 && (-pieces.constant).is_one();
      if (alone || cost_(turned) <= cost_(s)) {
        s = turned;
        pieces.constant = -pieces.constant;
      }
    }
    factors.push_back(pow(s, static_cast<int>(exponent)));
  }
  factors.emplace_back(pieces.constant);
  return product(factors);
}

Pieces PolynomialWriter::best_pieces(const Polynomial& p, int direction) {
  const NormalForm normal_form(p, pairs_);
  std::optional<Pieces> best;
  for (const Polynomial& shape : shapes(*normal_form, key_of(*normal_form))) {
    Pieces pieces;
    pieces.exponents.resize(at_index(field_.ring().size()));
    take(pieces, shape, direction);
    if (!best || terms_of(pieces) < terms_of(*best)) best = std::move(pieces);
  }
  return *best;
}

Expr PolynomialWriter::quotient(const Polynomial& n, const Polynomial& d) {
  Pieces above = best_pieces(n, 1);
  const Pieces below = best_pieces(d, -1);
  above.constant = above.constant * below.constant;
  for (std::size_t g = 0; g < above.exponents.size(); ++g) above.exponents[g] += below.exponents[g];
  above.sums.insert(above.sums.end(), below.sums.begin(), below.sums.end());
  // √a/a = 1/√a.
  for (const Relation& r : field_.ring().relations()) {
    long& exponent = above.exponents[at_index(r.generator)];
    if (r.partner >= 0 || exponent != 1) continue;
    for (auto& [base, power] : above.sums) {
      if (power >= 0 || !(base == r.square || base == -r.square)) continue;
      if (base != r.square) above.constant = -above.constant;  // √a (−a)ⁿ = −(−a)ⁿ⁺¹/√a
      ++power;
      exponent = -1;
      break;
    }
  }
  std::erase_if(above.sums, [](const auto& s) { return s.second == 0; });
  return assembled(std::move(above), 0);
}

}  // namespace rattleback
