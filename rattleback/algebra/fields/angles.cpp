#include <rattleback/algebra/fields/angles.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>

namespace rattleback {
namespace {

constexpr long largest_multiple = search_limits::multiple_of_an_angle.count;

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

constexpr long too_large = search_limits::denominator_of_an_angle.count;
long denominator_of(const Rational& r) { return r.denominator().to_long(too_large); }

/// n mod 2d of n/d, with a small d.
long numerator_within_a_turn(const Rational& turns) {
  return static_cast<long>(
      fmpz_fdiv_ui(fmpq_numref(turns.raw()), static_cast<ulong>(2 * denominator_of(turns))));
}

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
    if (denominator_of(turns) > largest_multiple) return {cos(Expr(turns) * pi()), sin(Expr(turns) * pi())};
    return times({cos(Expr(unit) * pi()), sin(Expr(unit) * pi())}, numerator_within_a_turn(turns));
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
  return times(unit, numerator_within_a_turn(turns));
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

namespace {

/// The greatest unit of which both are multiples; 0 has every unit.
Rational common_unit(const Rational& a, const Rational& b) {
  Rational unit;
  fmpq_gcd(unit.raw(), a.raw(), b.raw());
  return unit;
}

/// value/unit, when that is an integer that is not too large; otherwise 0.
long small_multiple(const Rational& value, const Rational& unit) {
  const long n = (value / unit).to_long(0);
  return n > largest_multiple || n < -largest_multiple ? 0 : n;
}

/// Coefficients of one atom that have a unit in common.
struct Group {
  Rational unit;
  std::vector<Rational> coefficients;

  bool admits(const Rational& coefficient) const {
    const Rational finer = common_unit(unit, coefficient);
    return small_multiple(coefficient, finer) != 0 &&
           std::ranges::all_of(coefficients,
                               [&](const Rational& c) { return small_multiple(c, finer) != 0; });
  }
  void add(const Rational& coefficient) {
    unit = common_unit(unit, coefficient);
    coefficients.push_back(coefficient);
  }
};

std::vector<Rational> units_of(const LinearForm& base, std::span<const LinearForm> arguments) {
  const auto& [atom, whole] = base.terms[0];
  bool fits = true;
  std::vector<Rational> coefficients;
  for (const LinearForm& argument : arguments) {
    const auto found = std::ranges::find(argument.terms, atom, &LinearForm::Term::atom);
    if (found == argument.terms.end()) continue;
    coefficients.push_back(found->coefficient);
    fits = fits && small_multiple(found->coefficient, whole) != 0;
  }
  if (fits) return {whole};
  std::vector<Group> groups;
  for (const Rational& c : coefficients) {
    const auto open = std::ranges::find_if(groups, [&](const Group& g) { return g.admits(c); });
    if (open != groups.end()) {
      open->add(c);
    } else {
      groups.push_back({common_unit(c, 0), {c}});
    }
  }
  std::vector<Rational> units;
  for (const Group& g : groups) units.push_back(g.unit);
  return units;
}

}  // namespace

Rational unit_of(Expr atom, std::span<const LinearForm> arguments) {
  Rational unit;
  for (const LinearForm& argument : arguments) {
    const auto found = std::ranges::find(argument.terms, atom, &LinearForm::Term::atom);
    if (found != argument.terms.end()) unit = common_unit(unit, found->coefficient);
  }
  return unit;
}

std::vector<LinearForm> units_by_atom(std::span<const LinearForm> arguments) {
  std::vector<LinearForm> all;
  for (const LinearForm& base : bases_by_atom(arguments)) {
    for (const Rational& unit : units_of(base, arguments)) all.push_back({{{base.terms[0].atom, unit}}, 0});
  }
  return all;
}

Angles::Angles(std::span<const LinearForm> arguments, std::span<const LinearForm> preferred)
    : bases_(preferred.begin(), preferred.end()) {
  const bool generated = !preferred.empty() && std::ranges::all_of(arguments, [&](const LinearForm& a) {
    return integer_coordinates(a, bases_).has_value();
  });
  if (!generated) bases_ = units_by_atom(arguments);
  preferred_ = generated ? bases_.size() : 0;
  for (std::size_t k = 1; k < bases_.size() && !generated; ++k)
    dependent_ = dependent_ || bases_[k].terms[0].atom == bases_[k - 1].terms[0].atom;
  multiples_.resize(bases_.size());
}

/// The unit among the bases with one atom, or a new one.
Angles::Multiple Angles::multiple_of(const LinearForm::Term& term) {
  for (std::size_t k = preferred_; k < bases_.size(); ++k) {
    const auto& [atom, unit] = bases_[k].terms[0];
    if (atom != term.atom) continue;
    if (const long n = small_multiple(term.coefficient, unit); n != 0) return {k, n};
  }
  dependent_ = true;  // on a base that is there, as far as anybody knows
  bases_.push_back({{term}, 0});
  multiples_.emplace_back();
  return {bases_.size() - 1, 1};
}

std::vector<Angles::Multiple> Angles::multiples_of(const LinearForm& argument) {
  std::vector<Multiple> all;
  const auto coordinates = integer_coordinates(argument, std::span(bases_).first(preferred_));
  const auto is_small = [](long n) { return n <= largest_multiple && n >= -largest_multiple; };
  if (preferred_ > 0 && coordinates && std::ranges::all_of(*coordinates, is_small)) {
    for (std::size_t k = 0; k < preferred_; ++k) {
      if ((*coordinates)[k] != 0) all.push_back({k, (*coordinates)[k]});
    }
    return all;
  }
  for (const LinearForm::Term& term : argument.terms) all.push_back(multiple_of(term));
  return all;
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
  CosSin result = cos_sin_of_turns(argument.turns, root);
  for (const auto& [base, times] : multiples_of(argument)) {
    const CosSin& m = multiple(base, static_cast<std::size_t>(times < 0 ? -times : times), pair);
    result = added(result, {m.cos, times < 0 ? -m.sin : m.sin});
  }
  return result;
}

}  // namespace rattleback
