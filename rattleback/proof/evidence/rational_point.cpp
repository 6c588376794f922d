#include <rattleback/proof/evidence/rational_point.hpp>

#include <cstdlib>
#include <map>
#include <random>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/charts.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/angles.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/fields/generators.hpp>

namespace rattleback {
namespace {

bool is_circular(Expr e) { return is_call_of(e, Builtin::sin) || is_call_of(e, Builtin::cos); }

/// (a + ib)(c + id).
CosSin times(const CosSin& x, const CosSin& y) {
  return {x.cos * y.cos - x.sin * y.sin, x.cos * y.sin + x.sin * y.cos};
}

class Assignment {
 public:
  Assignment(std::span<const Expr> es, std::uint64_t seed, const std::function<bool(Symbol)>& kept)
      : random_(seed), kept_(kept) {
    const Tape tape(es);
    for (std::size_t slot = 0; slot < tape.size(); ++slot) {
      const Expr e = tape.node(slot);
      if (is_circular(e) || is_call_of(e, Builtin::exp)) note(linear_form(e.args()[0]));
    }
    for (std::size_t slot = 0; slot < tape.size(); ++slot) {
      std::vector<Expr> args;
      for (const std::uint32_t a : tape.args(slot)) args.push_back(values_[a]);
      values_.push_back(value(tape.node(slot), args));
    }
    for (const std::uint32_t slot : tape.outputs()) results_.push_back(values_[slot]);
  }
  std::vector<Expr> results() && { return std::move(results_); }

 private:
  /// cos(x/2) and sin(x) need a point for x/2: remember the denominators of every atom.
  void note(const LinearForm& argument) {
    for (const auto& [atom, coefficient] : argument.terms) {
      if (is_kept(atom)) continue;
      Rational& l = denominators_.try_emplace(atom.id(), 1).first->second;
      l = l * (l * coefficient).denominator();
    }
  }

  /// How often the point of atom/L is taken. Throws Exhausted where its numbers would fill the memory.
  long multiple(Expr atom, const Rational& coefficient) const {
    constexpr long most = search_limits::multiple_of_an_argument.count;
    const long n = (coefficient * denominators_.at(atom.id())).to_long(most + 1);
    if (std::abs(n) > most) throw Exhausted("a multiple of an angle or an exponent is too large");
    return n;
  }

  Rational small_number() {
    static constexpr int numerators[] = {2, 3, 5, 7, -2, -3, -5, -7, 1, -1, 4, -4, 11, -11};
    std::uniform_int_distribution<std::size_t> which(0, std::size(numerators) - 1);
    std::uniform_int_distribution<int> below(1, 3);
    return Rational(numerators[which(random_)], below(random_));
  }

  bool is_kept(Expr e) const {
    for (const Symbol s : symbols_of(e)) {
      if (!kept_(s)) return false;
    }
    return true;
  }

  /// The rational point of the circle that stands for cos, sin of atom/L.
  CosSin circle_point(Expr atom) {
    const auto known = circle_.find(atom.id());
    if (known != circle_.end()) return known->second;
    const Rational t = small_number() + Rational(1, 4), d = 1 + t * t;
    return circle_.emplace(atom.id(), CosSin{Expr((1 - t * t) / d), Expr(2 * t / d)}).first->second;
  }

  CosSin circular(Expr argument) {
    const LinearForm form = linear_form(argument);
    CosSin total{1, 0};
    if (!form.turns.is_zero()) total = {cos(Expr(form.turns) * pi()), sin(Expr(form.turns) * pi())};
    for (const auto& [atom, coefficient] : form.terms) {
      if (is_kept(atom)) {
        total = times(total, {cos(Expr(coefficient) * atom), sin(Expr(coefficient) * atom)});
        continue;
      }
      const long n = multiple(atom, coefficient);
      CosSin step = circle_point(atom);
      if (n < 0) step.sin = -step.sin;
      for (long k = std::abs(n); k > 0; k /= 2) {
        if (k % 2 == 1) total = times(total, step);
        if (k > 1) step = times(step, step);
      }
    }
    return total;
  }

  Expr exponential_value(Expr argument) {
    const LinearForm form = linear_form(argument);
    Expr total = form.turns.is_zero() ? Expr(1) : exp(Expr(form.turns) * pi());
    for (const auto& [atom, coefficient] : form.terms) {
      if (is_kept(atom)) {
        total *= exp(Expr(coefficient) * atom);
        continue;
      }
      const auto [base, fresh] = bases_.try_emplace(atom.id());
      if (fresh) base->second = pow(Expr(small_number()), 2) + 1;
      total *= pow(base->second, static_cast<int>(multiple(atom, coefficient)));
    }
    return total;
  }

  Expr value(Expr e, std::span<const Expr> args) {
    if (e.is(Kind::symbol)) {
      const Symbol s = e.symbol();
      if (kept_(s) || s.role() == Role::constant) return e;
      const Rational x = small_number();
      return Expr(s.is_positive() && x.sign() < 0 ? -x : x);
    }
    if (is_circular(e)) {
      const CosSin both = circular(e.args()[0]);
      return is_call_of(e, Builtin::cos) ? both.cos : both.sin;
    }
    if (is_call_of(e, Builtin::exp)) return exponential_value(e.args()[0]);
    const bool opaque = e.is(Kind::call) && !is_call_of(e, Builtin::sqrt) && !is_call_of(e, Builtin::abs);
    if (opaque && !is_kept(e)) return Expr(small_number());
    return args.empty() ? e : with_args(e, args);
  }

  std::mt19937_64 random_;
  const std::function<bool(Symbol)>& kept_;
  std::map<std::uint32_t, Rational> denominators_;
  std::map<std::uint32_t, CosSin> circle_;
  std::map<std::uint32_t, Expr> bases_;
  std::vector<Expr> values_, results_;
};

}  // namespace

std::vector<Expr> at_rational_point(std::span<const Expr> es, std::uint64_t seed,
                                    const std::function<bool(Symbol)>& kept) {
  std::vector<Expr> free = rebuild(es, in_primitives);
  for (Expr& e : free) e = on_free_symbols(e);
  return Assignment(free, seed, kept).results();
}

std::optional<std::vector<Expr>> at_random_state(std::span<const Expr> es, std::uint64_t seed) {
  constexpr std::uint64_t tries = search_limits::states_of_a_condition.count;
  for (std::uint64_t k = 0; k < tries; ++k) {
    try {
      return at_rational_point(es, seed + 100 * k, [](Symbol s) { return s.role() == Role::parameter; });
    } catch (const OutOfDomain&) {
      continue;
    }
  }
  return std::nullopt;
}

}  // namespace rattleback
