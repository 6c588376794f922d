#include <rattleback/algebra/conditions/assumptions.hpp>

#include <algorithm>
#include <functional>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/conditions/completed_square.hpp>
#include <rattleback/algebra/conditions/corner_sign.hpp>
#include <rattleback/algebra/conditions/implied_conditions.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/never_vanishes.hpp>
#include <rattleback/algebra/writing/form_on_variety.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

std::span<const Expr> factors_of(const Expr& e) {
  return e.is(Kind::product) ? e.args() : std::span<const Expr>(&e, 1);
}

/// The powers that divide every term of a sum as they stand there: sin²x of sin²x + 2 y sin⁴x.
Expr common_factor(Expr sum) {
  std::vector<Expr> common;
  for (const Expr f : factors_of(sum.args()[0])) {
    const Expr base = f.is(Kind::power) ? f.args()[0] : f;
    int least = f.is(Kind::power) ? f.exponent() : 1;
    for (const Expr term : sum.args()) {
      int here = 0;
      for (const Expr g : factors_of(term)) {
        if (g == base) here = 1;
        if (g.is(Kind::power) && g.args()[0] == base) here = g.exponent();
      }
      least = std::min(least, here);
    }
    if (least > 0 && !base.is(Kind::constant)) common.push_back(pow(base, least));
  }
  return product(common);
}

/// What must vanish for e to vanish: the bases of its factors, x of x², a of √a; short ones first.
std::vector<Expr> numerator_bases(Expr e) {
  allow_recursion();
  std::vector<Expr> bases;
  for (const Expr f : factors_of(e)) {
    if (f.is(Kind::constant) || (f.is(Kind::power) && f.exponent() < 0)) continue;
    const Expr base = f.is(Kind::power) ? f.args()[0] : f;
    const Expr common = base.is(Kind::sum) ? common_factor(base) : Expr(1);
    if (!common.is_one()) {
      std::vector<Expr> terms;
      for (const Expr term : base.args()) terms.push_back(term / common);
      for (const Expr part : {common, sum(terms)}) {
        for (const Expr b : numerator_bases(part)) bases.push_back(b);
      }
      continue;
    }
    bases.push_back(is_call_of(base, Builtin::sqrt) ? base.args()[0] : base);
  }
  std::sort(bases.begin(), bases.end(), [](Expr a, Expr b) {
    const std::size_t m = written_size(a), n = written_size(b);
    return m != n ? m < n : written_order(a, b) < 0;
  });
  return bases;
}

/// Factors of an expression without a short form may have one. Factors that are too long to print are not searched.
std::vector<Expr> short_bases(Expr e) {
  const std::vector<Expr> bases = numerator_bases(e);
  if (bases.size() < 2 || fits(e, legible::without_named_parts)) return bases;
  std::vector<Expr> all;
  for (const Expr base : bases) {
    const Expr shortest = fits(base, legible::in_a_sentence) ? short_form(base) : base;
    for (const Expr b : numerator_bases(shortest)) all.push_back(b);
  }
  return all;
}

bool divides(Expr f) { return f.is(Kind::power) && f.exponent() < 0; }

Expr negated_terms(Expr e) {
  std::vector<Expr> terms;
  for (const Expr term : e.is(Kind::sum) ? e.args() : std::span<const Expr>(&e, 1)) terms.push_back(-term);
  return sum(terms);
}

/// What has the sign of e: v w of 4 v w, c² − v² of −(v² − c²).
Expr without_positive_factors(Expr e) {
  std::vector<Expr> kept;
  bool opposite = false;
  for (const Expr f : factors_of(e)) {
    const KnownSign sign = known_sign(f);
    if (sign == KnownSign::negative) opposite = !opposite;
    if (sign != KnownSign::negative && sign != KnownSign::positive) kept.push_back(f);
  }
  if (kept.empty()) return e;
  if (opposite && kept.size() == 1) return negated_terms(kept[0]);
  return opposite ? -product(kept) : product(kept);
}

/// The numerator of a sum of fractions: what divides within it is a condition of its own.
Expr without_fractions(Expr e) {
  const auto is_fraction = [](Expr term) { return std::ranges::any_of(factors_of(term), divides); };
  if (!e.is(Kind::sum) || !fits(e, legible::in_a_sentence) || std::ranges::none_of(e.args(), is_fraction))
    return e;
  const Expr one_fraction = canonical(e);
  std::vector<Expr> above;
  std::ranges::copy_if(factors_of(one_fraction), std::back_inserter(above), std::not_fn(divides));
  return short_form(product(above));
}

bool may_vanish(Expr e) {
  return !never_vanishes(e) && !is_of_one_sign(e) && !is_positive_by_squares(e) &&
         !is_positive_by_squares(negated_terms(e));
}

/// Those of the bases of e, or of its numerator where that is not much longer, that may vanish.
std::vector<Expr> possible_zeros(Expr e) {
  constexpr int little = 10;
  std::vector<Expr> zeros;
  PrintedCost cost;
  for (const Expr base : short_bases(e)) {
    if (!may_vanish(base)) continue;
    const Expr numerator = without_fractions(base);
    std::vector<Expr> bases = short_bases(numerator);
    std::erase_if(bases, std::not_fn(may_vanish));
    if (!bases.empty() && cost(numerator) > cost(base) + little) bases = {base};
    zeros.insert(zeros.end(), bases.begin(), bases.end());
  }
  return zeros;
}

}  // namespace

Assumptions simplified(const Assumptions& where) {
  Assumptions out;
  const auto add = [&](Expr e, const Assumption& a) {
    const auto same = [&](const Assumption& other) {
      return other.kind == a.kind && (other.expression == e || (a.kind == Assumption::Kind::nonzero &&
                                                                (other.expression + e).is_zero()));
    };
    if (std::none_of(out.begin(), out.end(), same)) out.push_back({e, a.kind, a.why});
  };
  for (const Assumption& a : where) {
    const Expr e = short_form_on_variety(a.expression);
    if (a.kind == Assumption::Kind::positive) {
      if (known_sign(e) != KnownSign::positive) add(without_positive_factors(e), a);
      continue;
    }
    if (!may_vanish(a.expression)) continue;  // seen better as it was built, now and then
    // A fraction vanishes with its numerator; poles of its denominator are excluded wherever it stands.
    for (const Expr base : possible_zeros(e)) add(base, a);
  }
  return without_implied(out);
}

Assumptions denominators(std::span<const Expr> formulas) {
  Assumptions found;
  const Tape tape(formulas);
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (e.is(Kind::power) && e.exponent() < 0)
      found.push_back({e.args()[0], Assumption::Kind::nonzero, "a denominator"});
    if (!e.is(Kind::call)) continue;
    const Builtin f = e.function().kind();
    const Expr x = e.args()[0];
    if (f == Builtin::tan || f == Builtin::sec)
      found.push_back({cos(x), Assumption::Kind::nonzero, "a pole"});
    if (f == Builtin::cot || f == Builtin::csc)
      found.push_back({sin(x), Assumption::Kind::nonzero, "a pole"});
  }
  return simplified(found);
}

}  // namespace rattleback
