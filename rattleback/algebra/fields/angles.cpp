#include <rattleback/algebra/fields/angles.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>

namespace rattleback {
namespace {

/// Multiples beyond this have polynomials of absurd degree.
constexpr long largest_multiple = 256;

/// (cos(a+b), sin(a+b))
CosSin added(const CosSin& a, const CosSin& b) {
  return {a.cos * b.cos - a.sin * b.sin, a.sin * b.cos + a.cos * b.sin};
}

CosSin times(CosSin base, long n) {
  if (n < 0) return times({base.cos, -base.sin}, -n);
  CosSin result{Expr(1), Expr(0)};
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = added(result, base);
    base = added(base, base);
  }
  return result;
}

/// cos(a/2) = √((1 + cos a)/2), sin(a/2) = sin a/(2 cos(a/2)), for 0 < a < π.
CosSin halved(const CosSin& a, const RootOf& root) {
  const Expr c = root((1 + a.cos) / 2);
  return {c, a.sin / (2 * c)};
}

struct OddPart {
  long power_of_two = 0, odd = 1;
};
OddPart odd_part(long n) {
  OddPart part{0, n};
  for (; part.odd % 2 == 0; part.odd /= 2) ++part.power_of_two;
  return part;
}

constexpr long too_large = 1L << 30;
long denominator_of(const Rational& r) { return r.denominator().to_long(too_large); }

Rational lcm(const Rational& a, const Rational& b) {
  Rational l;
  fmpz_lcm(fmpq_numref(l.raw()), fmpq_numref(a.raw()), fmpq_numref(b.raw()));
  return l;
}

}  // namespace

bool is_constructible(const Rational& turns) {
  const auto [twos, odd] = odd_part(denominator_of(turns));
  return twos <= 6 && (odd == 1 || odd == 3 || odd == 5 || odd == 15);
}

CosSin cos_sin_of_turns(const Rational& turns, const RootOf& root) {
  if (turns.is_integer()) return times({Expr(-1), Expr(0)}, (turns * Rational(1, 2)).is_integer() ? 0 : 1);
  if (!is_constructible(turns)) {
    const Rational unit = Rational(1) / turns.denominator();
    const long n = turns.numerator().to_long(too_large) % (2 * denominator_of(turns));
    if (denominator_of(turns) > largest_multiple) throw NoExactForm("an angle is a small fraction of pi");
    return times({cos(Expr(unit) * pi()), sin(Expr(unit) * pi())}, n);
  }
  const auto [twos, odd] = odd_part(denominator_of(turns));
  // π/2^k by halving π; π/3 and π/5 from their known values; π/15 = 2π/3 − 3π/5.
  CosSin unit{Expr(-1), Expr(0)};
  const CosSin third{Expr(Rational(1, 2)), root(Expr(3)) / 2};
  const Expr root5 = root(Expr(5));
  const Expr cos_tenth = root(Expr(10) + 2 * root5) / 4;
  const CosSin tenth{cos_tenth, (root5 - 1) / 4};
  if (odd == 3) unit = third;
  if (odd == 5) unit = times(tenth, 2);
  if (odd == 15) unit = added(times(third, 2), times(tenth, -6));
  if (odd == 5 && twos >= 1) {
    unit = tenth;
    for (long k = 1; k < twos; ++k) unit = halved(unit, root);
  } else {
    for (long k = 0; k < twos; ++k) unit = k == 0 && odd == 1 ? CosSin{Expr(0), Expr(1)} : halved(unit, root);
  }
  const long period = 2 * denominator_of(turns);
  fmpz_t n;
  fmpz_init(n);
  fmpz_mod_ui(n, fmpq_numref(turns.raw()), static_cast<ulong>(period));
  const long multiple = fmpz_get_si(n);
  fmpz_clear(n);
  return times(unit, multiple);
}

std::vector<LinearForm> bases_by_atom(std::span<const LinearForm> arguments) {
  std::vector<LinearForm::Term> units;  // atom and least common denominator
  for (const LinearForm& argument : arguments) {
    for (const auto& [atom, coefficient] : argument.terms) {
      const auto found = std::ranges::find(units, atom, &LinearForm::Term::atom);
      if (found == units.end()) {
        units.push_back({atom, coefficient.denominator()});
      } else {
        found->coefficient = lcm(found->coefficient, coefficient.denominator());
      }
    }
  }
  std::sort(units.begin(), units.end(),
            [](const auto& a, const auto& b) { return written_order(a.atom, b.atom) < 0; });
  std::vector<LinearForm> bases;
  for (const auto& [atom, l] : units) bases.push_back({{{atom, Rational(1) / l}}, 0});
  return bases;
}

Angles::Angles(std::span<const LinearForm> arguments, std::span<const LinearForm> preferred)
    : bases_(preferred.begin(), preferred.end()) {
  const bool generated = !preferred.empty() && std::ranges::all_of(arguments, [&](const LinearForm& a) {
    return integer_coordinates(a, bases_).has_value();
  });
  if (!generated) bases_ = bases_by_atom(arguments);
  multiples_.resize(bases_.size());
}

/// cos (n+1)b = 2 cos b cos nb − cos (n−1)b, and the same for sin.
const CosSin& Angles::multiple(std::size_t base, std::size_t n, const Pair& pair) {
  std::vector<CosSin>& known = multiples_[base];
  if (known.empty()) {
    known.push_back({Expr(1), Expr(0)});
    known.push_back(pair(expression(bases_[base])));
  }
  while (known.size() <= n) {
    const CosSin &one = known[1], &last = known.back(), &before = known[known.size() - 2];
    known.push_back({2 * one.cos * last.cos - before.cos, 2 * one.cos * last.sin - before.sin});
  }
  return known[n];
}

CosSin Angles::of(const LinearForm& argument, const Pair& pair, const RootOf& root) {
  const auto coordinates = integer_coordinates(argument, bases_);
  if (!coordinates) throw NoExactForm("an angle is not a combination of the base angles");
  CosSin result = cos_sin_of_turns(argument.turns, root);
  for (std::size_t k = 0; k < coordinates->size(); ++k) {
    const long n = (*coordinates)[k];
    if (n == 0) continue;
    if (n > largest_multiple || n < -largest_multiple)
      throw NoExactForm("a multiple of an angle is too large");
    const CosSin& m = multiple(k, static_cast<std::size_t>(n < 0 ? -n : n), pair);
    result = added(result, {m.cos, n < 0 ? -m.sin : m.sin});
  }
  return result;
}

}  // namespace rattleback
