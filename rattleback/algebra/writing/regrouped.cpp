#include <rattleback/algebra/writing/regrouped.hpp>

#include <algorithm>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>

namespace rattleback {
namespace {

/// The largest number by which every term can be divided with a whole coefficient left.
Rational common_number(Expr sum) {
  Rational common = 0;
  for (const Expr term : sum.args())
    fmpq_gcd(common.raw(), common.raw(), split_coefficient(term).coefficient.raw());
  return common;
}

class Regrouping {
 public:
  Expr operator()(Expr e) {
    allow_recursion();
    if (e.args().empty()) return e;
    if (const auto found = known_.find(e); found != known_.end()) return found->second;
    std::vector<Expr> args;
    for (const Expr a : e.args()) args.push_back((*this)(a));
    Expr best = with_args(e, args);
    if (cost_(best) > cost_(e)) best = e;
    if (best.is(Kind::sum)) best = shorter(best, number_before(best), fraction);
    if (best.is(Kind::product)) best = shorter(best, denominator_within(best));
    known_.emplace(e, best);
    return best;
  }

 private:
  /// b, where it is worth a change of shape.
  Expr shorter(Expr a, Expr b, int worth = 1) { return cost_(b) + worth <= cost_(a) ? b : a; }

  Expr number_before(Expr e) const {
    const Rational k = common_number(e);
    if (k.is_zero() || k.is_one()) return e;
    std::vector<Expr> terms;
    for (const Expr term : e.args()) terms.push_back(term / k);
    return Expr(k) * sum(terms);
  }

  /// The symbols under the bar go into the sum above it that gains most.
  Expr denominator_within(Expr e) {
    Expr best = e;
    std::vector<Expr> below, rest;
    for (const Expr f : e.args())
      (f.is(Kind::power) && f.exponent() < 0 && f.args()[0].is(Kind::symbol) ? below : rest).push_back(f);
    const auto divides = [](Expr f) { return f.is(Kind::power) && f.exponent() < 0; };
    if (below.empty() || std::ranges::any_of(rest, divides)) return e;  // no fractions over fractions
    for (std::size_t k = 0; k < rest.size(); ++k) {
      if (!rest[k].is(Kind::sum)) continue;
      std::vector<Expr> factors = rest, terms;
      for (const Expr term : rest[k].args()) terms.push_back(term * product(below));
      factors[k] = sum(terms);
      best = shorter(best, product(factors), fraction);
    }
    return best;
  }

  static constexpr int fraction = 3;  // letters for which fractions may stand within
  std::unordered_map<Expr, Expr> known_;
  PrintedCost cost_;
};

}  // namespace

Expr regrouped(Expr e) { return Regrouping()(e); }

}  // namespace rattleback
