#include <rattleback/algebra/exact.hpp>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/generators.hpp>
#include <rattleback/algebra/trig_shapes.hpp>

namespace rattleback {
namespace {

/// Is the element, whose form is not zero, certainly not the zero function? When roots depend on each other in a
/// way the relations do not know, a nonzero form may vanish; a nonzero norm excludes that.
bool is_certainly_nonzero(const Field& field, const Generators& generators, const Element& x) {
  if (!generators.independent()) return false;
  return !field.has_roots() || !norm(x.numerator()).is_zero();
}

/// The answer with one choice of generators. `left_together`: another splitting of roots may say more.
struct Attempt {
  ExactZero result;
  bool left_together = false;
};

Attempt attempted(Expr e, Splitting splitting, bool half_angles) {
  const Generators generators(std::span<const Expr>(&e, 1), {splitting, half_angles, false, {}});
  const Field field(generators.forms());
  const Element x = field.element(generators.forms()[0]);
  ExactZero result;
  result.field = field.description();
  result.assumptions = generators.assumptions();
  if (x.is_zero()) {
    result.answer = ExactAnswer::zero;
  } else if (is_certainly_nonzero(field, generators, x)) {
    result.answer = ExactAnswer::nonzero;
  } else {
    result.obstacle = "nothing is known about algebraic relations between the generators of " + result.field;
  }
  return {std::move(result), generators.left_together()};
}

/// √(xy) and √x·√y are different functions where x and y are negative, so first nothing is taken apart.
ExactZero decided(Expr e, bool half_angles) {
  Attempt honest = attempted(e, Splitting::honest, half_angles);
  if (honest.result.answer == ExactAnswer::zero || !honest.left_together) return std::move(honest.result);
  try {
    Attempt assumed = attempted(e, Splitting::assumed, half_angles);
    if (assumed.result.answer == ExactAnswer::zero) return std::move(assumed.result);
  } catch (const NoExactForm&) {
    // The honest answer stands.
  }
  return std::move(honest.result);
}

}  // namespace

ExactZero exact_zero(Expr e) {
  std::string obstacle;
  // The pair cos, sin keeps degrees low; where it swells, t = tan(b/2) has unique factorisation.
  for (const bool half_angles : {false, true}) {
    try {
      return decided(on_free_symbols(e), half_angles);
    } catch (const Exhausted& limit) {
      obstacle = limit.what();
    } catch (const NoExactForm& none) {
      obstacle = none.what();
      break;
    } catch (const Error& error) {
      obstacle = error.summary;
      break;
    }
  }
  return {ExactAnswer::unknown, {}, obstacle, {}};
}

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

/// When a base angle is half of what occurred and the element does not change under b → b + π, it is a function
/// of 2b. Without this, sin(x/2)·cos(x/2) and sin(x)/2 would have different forms.
std::optional<Expr> in_double_angles(const Field& field, const Element& x) {
  for (const Relation* pair : pairs_of(field.ring())) {
    const Expr angle = field.generators()[static_cast<std::size_t>(pair->generator)].args()[0];
    const Rational twos = split_coefficient(angle).coefficient.denominator() * Rational(1, 2);
    if (pair->sigma < 0 || !twos.is_integer()) continue;
    Polynomial n = x.numerator(), d = x.denominator();
    if (!involves(n, *pair) && !involves(d, *pair)) continue;
    const auto above = common_parity(n, *pair), below = common_parity(d, *pair);
    if (!above || above != below) continue;
    if (*above == 1) {
      const Polynomial c = Polynomial::generator(field.ring(), pair->partner);
      n = n * c;
      d = d * c;
    }
    return doubled(field, n, *pair, angle) / doubled(field, d, *pair, angle);
  }
  return std::nullopt;
}

struct CanonicalElement {
  Field field;
  Element value;
};

CanonicalElement canonical_element(Expr e) {
  const Generators generators(std::span<const Expr>(&e, 1), {});
  Field field(generators.forms());
  Element value = field.element(generators.forms()[0]);
  if (const auto lower = in_double_angles(field, value)) return canonical_element(*lower);
  return {std::move(field), std::move(value)};
}

}  // namespace

Expr canonical(Expr e) {
  if (e.is(Kind::constant) || e.is(Kind::symbol)) return e;
  try {
    const auto [field, value] = canonical_element(e);
    return field.expression(value);
  } catch (const Exhausted&) {
    return e;
  } catch (const NoExactForm&) {
    return e;
  } catch (const Error&) {
    return e;
  }
}

std::vector<Expr> canonical_terms(Expr e) {
  const auto [field, value] = canonical_element(e);
  std::vector<Expr> terms;
  const Polynomial& n = value.numerator();
  for (std::size_t i = 0; i < n.terms(); ++i) {
    Polynomial term(n.ring());
    term.add_term(n.coefficient(i), n.exponents(i));
    terms.push_back(field.expression(Element(term, value.denominator())));
  }
  return terms;
}

}  // namespace rattleback
