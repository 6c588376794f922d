#include <rattleback/algebra/fields/double_angle.hpp>

#include <rattleback/algebra/fields/trig_shapes.hpp>

namespace rattleback {
namespace {

/// The parity of the degree in (c, s) that all terms share, if they do.
std::optional<ulong> common_parity(const Polynomial& p, const Relation& pair) {
  std::optional<ulong> parity;
  for (std::size_t i = 0; i < p.terms(); ++i) {
    const auto e = p.exponents(i);
    const ulong of_term =
        (e[static_cast<std::size_t>(pair.generator)] + e[static_cast<std::size_t>(pair.partner)]) % 2;
    if (parity.value_or(of_term) != of_term) return std::nullopt;
    parity = of_term;
  }
  return parity;
}

/// c² = (1 + C)/2, cs = S/2 with C, S = cos 2b, sin 2b, in a polynomial of even degrees without s².
Expr doubled(const Field& field, const Polynomial& p, const Relation& pair, Expr angle) {
  const auto s = static_cast<std::size_t>(pair.generator), c = static_cast<std::size_t>(pair.partner);
  const Expr cos2 = cos(2 * angle), sin2 = sin(2 * angle);
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < p.terms(); ++i) {
    std::vector<ulong> e = p.exponents(i);
    const auto half = static_cast<int>((e[c] - e[s]) / 2);
    const Expr trig = pow((1 + cos2) / 2, half) * (e[s] == 1 ? sin2 / 2 : Expr(1));
    e[c] = e[s] = 0;
    Polynomial rest(p.ring());
    rest.add_term(p.coefficient(i), e);
    terms.push_back(trig * field.expression(rest));
  }
  return sum(terms);
}

}  // namespace

std::optional<Expr> in_double_angle(const Field& field, const Element& x, const Relation& pair) {
  Polynomial n = x.numerator(), d = x.denominator();
  if (pair.sigma < 0 || (!involves(n, pair) && !involves(d, pair))) return std::nullopt;
  const auto above = common_parity(n, pair), below = common_parity(d, pair);
  if (!above || above != below) return std::nullopt;
  if (*above == 1) {
    const Polynomial c = Polynomial::generator(field.ring(), pair.partner);
    n = n * c;
    d = d * c;
  }
  const Expr angle = field.generators()[static_cast<std::size_t>(pair.generator)].args()[0];
  return doubled(field, n, pair, angle) / doubled(field, d, pair, angle);
}

}  // namespace rattleback
