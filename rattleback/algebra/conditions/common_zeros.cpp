#include <rattleback/algebra/conditions/common_zeros.hpp>

#include <algorithm>
#include <array>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/conditions/implied_conditions.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

/// e = 0 iff one of these vanishes: without numbers, powers and what never vanishes.
std::vector<Expr> factors_of(Expr e) {
  std::vector<Expr> factors;
  for (const Assumption& factor : simplified({{e, Assumption::Kind::nonzero, {}}}))
    factors.push_back(factor.expression);
  return factors;
}

/// A condition and its factors.
struct Condition {
  Expr stated;
  std::vector<Expr> factors;

  explicit Condition(Expr e) : stated(e), factors(factors_of(e)) {
    if (!factors.empty()) stated = product(factors);
  }
  bool never_holds() const { return factors.empty(); }
};

/// e² + f² = 0 says the same of real numbers as e = f = 0, and is shorter for l sin θ, l cos θ.
std::optional<Condition> together(const Condition& e, const Condition& f) {
  const Condition both(short_form(pow(e.stated, 2) + pow(f.stated, 2)));
  const std::size_t shortest = std::min(written_size(e.stated), written_size(f.stated));
  if (both.never_holds() || written_size(both.stated) < shortest) return both;
  return std::nullopt;
}

/// Wherever g = 0, also e = 0: every factor of g is one of e, or g is a symbol without which nothing is left of e.
bool implied(const Condition& e, const Condition& g) {
  const auto is_factor_of_e = [&](Expr f) {
    return std::find(e.factors.begin(), e.factors.end(), f) != e.factors.end();
  };
  if (g.stated.is(Kind::symbol))
    return vanishes_at_random_points(substitute(e.stated, SymbolMap{{g.stated.symbol(), Expr(0)}}));
  return std::all_of(g.factors.begin(), g.factors.end(), is_factor_of_e);
}

void merge_pairs(std::vector<Condition>& conditions) {
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    for (std::size_t j = i + 1; j < conditions.size(); ++j) {
      auto both = together(conditions[i], conditions[j]);
      if (!both) continue;
      conditions[i] = std::move(*both);
      conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(j));
      j = i;
    }
  }
}

/// Nothing is left of e where the symbols among the other conditions are 0: x² + y² beside x and y.
bool implied_by_symbols(std::size_t e, const std::vector<Condition>& conditions) {
  SymbolMap zeros;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (i != e && conditions[i].stated.is(Kind::symbol))
      zeros.emplace(conditions[i].stated.symbol(), Expr(0));
  }
  if (zeros.size() < 2) return false;
  try {
    return vanishes_at_random_points(substitute(conditions[e].stated, zeros));
  } catch (const OutOfDomain&) {
    return false;  // a pole
  }
}

void drop_implied(std::vector<Condition>& conditions) {
  for (std::size_t i = 0; i < conditions.size();) {
    const bool follows = implied_by_symbols(i, conditions) ||
                         std::any_of(conditions.begin(), conditions.end(), [&](const Condition& g) {
                           return &g != &conditions[i] && implied(conditions[i], g);
                         });
    if (follows) {
      conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

/// Three squares that add up to one: a row of a rotation matrix.
bool is_unit_vector(const std::vector<Condition>& c) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    for (std::size_t j = i + 1; j < c.size(); ++j) {
      for (std::size_t k = j + 1; k < c.size(); ++k) {
        const Expr squares = pow(c[i].stated, 2) + pow(c[j].stated, 2) + pow(c[k].stated, 2);
        if (vanishes_at_random_points(squares - 1)) return true;
      }
    }
  }
  return false;
}

/// sin x = 0 leaves nothing but 1 and −1 for cos x, and the other way round: can the other condition hold for neither?
bool excludes(const Condition& turn, const Condition& other) {
  const bool sine = is_call_of(turn.stated, Builtin::sin);
  if (!sine && !is_call_of(turn.stated, Builtin::cos)) return false;
  const Expr x = turn.stated.args()[0];
  return std::ranges::all_of(std::array{1, -1}, [&](int sign) {
    const std::vector<Expr> there = rebuild(std::span(&other.stated, 1), [&](Expr e) {
      const bool is_sine = is_call_of(e, Builtin::sin);
      if ((!is_sine && !is_call_of(e, Builtin::cos)) || e.args()[0] != x) return e;
      return Expr(is_sine == sine ? 0 : sign);
    });
    return known_nonzero(short_form(there.front()));
  });
}
bool exclude_each_other(const std::vector<Condition>& conditions) {
  return std::ranges::any_of(conditions, [&](const Condition& turn) {
    return std::ranges::any_of(conditions, [&](const Condition& other) { return excludes(turn, other); });
  });
}

/// Where symbols are 0, by themselves or as squares that add up to 0, is another condition sure to fail? x + b with b > 0 beside y² + a x².
bool fail_at_zeros(const std::vector<Condition>& conditions) {
  SymbolMap zeros;
  const auto note = [&](Expr e) {
    if (e.is(Kind::symbol)) zeros.emplace(e.symbol(), Expr(0));
  };
  for (const Condition& c : conditions) {
    note(c.stated);
    for (const Expr e : zeros_of_squares(c.stated)) note(e);
  }
  return !zeros.empty() && std::ranges::any_of(conditions, [&](const Condition& c) {
    try {
      return known_nonzero(short_form(substitute(c.stated, zeros)));
    } catch (const OutOfDomain&) {
      return false;  // a pole
    }
  });
}

/// A coordinate, its sine or its cosine: it vanishes somewhere.
bool certainly_vanishes(Expr f) {
  const auto is_coordinate = [](Expr e) {
    return e.is(Kind::symbol) && e.symbol().role() == Role::coordinate;
  };
  if (is_call_of(f, Builtin::sin) || is_call_of(f, Builtin::cos)) return is_coordinate(f.args()[0]);
  return is_coordinate(f) && !f.symbol().is_positive();
}

/// Do all vanish where a factor does that they share?
bool share_a_zero(const std::vector<Condition>& conditions) {
  return std::ranges::any_of(conditions.front().factors, [&](Expr f) {
    return certainly_vanishes(f) && std::ranges::all_of(conditions, [&](const Condition& c) {
             return std::ranges::find(c.factors, f) != c.factors.end();
           });
  });
}

/// Σ e² never vanishes: so it is for the minors of rows that stay independent, once the relations are used.
bool squares_stay_positive(std::span<const Expr> es) {
  constexpr std::size_t searched_up_to = search_limits::sum_of_squares.count;
  std::size_t size = 0;
  std::vector<Expr> squares;
  for (const Expr e : es) {
    size += written_size(e);
    squares.push_back(pow(e, 2));
  }
  return size <= searched_up_to && Condition(short_form(sum(squares))).never_holds();
}

}  // namespace

std::optional<std::vector<Expr>> common_zeros(std::span<const Expr> es) {
  std::vector<Condition> conditions(es.begin(), es.end());
  drop_implied(conditions);
  merge_pairs(conditions);
  drop_implied(conditions);
  const bool impossible =
      std::any_of(conditions.begin(), conditions.end(), [](const Condition& c) { return c.never_holds(); });
  if (impossible || exclude_each_other(conditions) || fail_at_zeros(conditions)) return std::nullopt;
  const bool may_be_impossible = conditions.empty() || !share_a_zero(conditions);
  if (may_be_impossible && (is_unit_vector(conditions) || squares_stay_positive(es))) return std::nullopt;
  std::vector<Expr> stated;
  for (const Condition& c : conditions) stated.push_back(c.stated);
  return stated;
}

}  // namespace rattleback
