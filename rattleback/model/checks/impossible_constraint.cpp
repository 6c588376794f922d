#include <rattleback/model/checks/impossible_constraint.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/never_vanishes.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/checks/degenerate_positions.hpp>
#include <rattleback/model/checks/independent_constraints.hpp>
#include <rattleback/model/system/velocity_rows.hpp>

namespace rattleback {
namespace {

/// The first constraint on positions that those before it exclude.
const Constraint* excluded_position(const System& system) {
  std::vector<Expr> functions;
  std::vector<int> positions, independent;
  for (const Constraint& c : system.constraints) {
    if (c.position) positions.push_back(static_cast<int>(functions.size()));
    functions.push_back(c.expression);
  }
  if (positions.size() < 2) return nullptr;
  const Matrix rows = velocity_rows(system.space, functions).a;
  for (const int s : positions) {
    std::vector<int> trial = independent;
    trial.push_back(s);
    if (rank(rows_of(rows, trial)) == static_cast<int>(trial.size()))
      independent = trial;
    else if (positions_contradict(system, rows, trial))
      return &system.constraints[static_cast<std::size_t>(s)];
  }
  return nullptr;
}

/// Is f of the first degree in some velocity? Then it has both signs.
bool is_linear_in_a_velocity(Expr f) {
  return std::ranges::any_of(symbols_of(f), [&](Symbol v) {
    if (v.role() != Role::velocity) return false;
    const Expr slope = derivative(f, v);
    return !contains(slope, v) && !vanishes_at_random_points(slope);
  });
}

}  // namespace

std::optional<OneSigned> one_signed(const Constraint& constraint) {
  constexpr std::size_t searched_up_to =
      search_limits::one_signed_constraint.count;  // what a person squares and adds
  const Expr built = constraint.position.value_or(constraint.expression);
  if (is_linear_in_a_velocity(built)) return std::nullopt;
  if (written_size(built) > searched_up_to) return std::nullopt;
  const Expr f = short_form(built);
  switch (known_sign(f)) {
    case KnownSign::positive: return OneSigned{true, text(f) + " is always positive"};
    case KnownSign::negative: return OneSigned{true, text(f) + " is always negative"};
    case KnownSign::nonnegative: return OneSigned{false, text(f) + " is never negative"};
    case KnownSign::nonpositive: return OneSigned{false, text(f) + " is never positive"};
    default: return std::nullopt;
  }
}

namespace {

bool has_a_velocity(Expr e) {
  return std::ranges::any_of(symbols_of(e), [](Symbol s) { return s.role() == Role::velocity; });
}

/// The factors of the numerator that may vanish, and whether the rest is known not to.
struct VanishingFactors {
  std::vector<std::pair<Expr, long>> factors;  ///< with exponents
  bool rest_never_vanishes = true;
  bool has_rest = false;  ///< other factors that are not numbers, or a denominator
};
std::optional<VanishingFactors> vanishing_factors(Expr e) {
  constexpr std::size_t searched_up_to = search_limits::one_signed_constraint.count;
  if (written_size(e) > searched_up_to) return std::nullopt;
  try {
    const Generators forms(std::span(&e, 1), {});
    const Field field(forms.forms());
    const auto element = field.element(forms.forms().front());
    VanishingFactors found;
    for (const auto& [base, exponent] : factored(element.numerator()).factors) {
      const Expr factor = field.expression(base);
      if (never_vanishes(factor)) {
        found.has_rest = true;
      } else {
        found.factors.emplace_back(factor, static_cast<long>(exponent));
      }
    }
    for (const auto& [base, exponent] : factored(element.denominator()).factors) {
      found.has_rest = true;
      found.rest_never_vanishes = found.rest_never_vanishes && never_vanishes(field.expression(base));
    }
    return found;
  } catch (const NoExactForm&) {  // functions without an exact field
    return std::nullopt;
  }
}

}  // namespace

std::vector<Expr> factors_that_constrain(const Constraint& constraint) {
  std::vector<Expr> found;
  if (constraint.position) return found;
  if (const auto all = vanishing_factors(constraint.expression)) {
    for (const auto& [factor, exponent] : all->factors)
      if (has_a_velocity(factor)) found.push_back(factor);
  }
  return found;
}

Expr without_factors_that_never_vanish(Expr e) {
  const auto found = vanishing_factors(e);
  if (!found || !found->rest_never_vanishes) return e;
  if (found->factors.size() != 1) return e;
  const auto& [factor, exponent] = found->factors.front();
  const bool is_as_stated = exponent == 1 && !found->has_rest;  // its sign too, which is the multiplier's
  return is_as_stated || exponent % 2 == 0 ? e : factor;
}

Expr without_odd_power(Expr e) {
  const auto found = vanishing_factors(e);
  const bool has_power =
      found && found->rest_never_vanishes && found->factors.size() == 1 && found->factors.front().second > 1;
  return has_power ? without_factors_that_never_vanish(e) : e;
}

Error split_constraint(const Constraint& constraint, const std::vector<Expr>& factors) {
  std::vector<std::string> equations;
  for (const Expr f : factors) equations.push_back(text(f) + " = 0");
  return Error(
             "singular-constraint",
             fmt::format("constraint `{}` is a product and states several systems at once", constraint.name),
             fmt::format(
                 "it holds where {}; where two of them hold its slopes vanish, and with them every reaction",
                 fmt::join(equations, " or ")),
             "state one of them")
      .at(constraint.place);
}

Error impossible_constraint(const Constraint& constraint, const std::string& why, bool definite) {
  Error error =
      definite ? Error("inconsistent-constraints",
                       fmt::format("constraint `{}` cannot be satisfied", constraint.name), why,
                       "correct it or delete it")
               : Error("singular-constraint",
                       fmt::format("constraint `{}` determines no direction where it holds", constraint.name),
                       why + ", so its slopes vanish wherever it is 0, and with them every reaction",
                       constraint.reaction
                           ? "where joints keep the bodies in touch already, use surfaces that touch along a "
                             "line (cylinder, "
                             "cone), or state the rolling alone in [constraints], such as r*psi' = R*phi'"
                           : "write the conditions that it stands for one by one, such as x' = 0 and y' = 0");
  return error.at(constraint.place);
}

bool positions_contradict(const System& system, const Matrix& rows, const std::vector<int>& which) {
  const InAmbientSpace everywhere;
  const Matrix y = left_kernel(rows_of(rows, which)).basis;
  if (y.columns() == 0) return false;  // they depend on each other on N alone
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < which.size(); ++k) {
    const Expr coefficient = short_form(y(static_cast<int>(k), 0));
    if (coefficient.is_zero()) continue;
    const auto& position = system.constraints[which[k]].position;
    if (!position || !coefficient.is(Kind::constant)) return false;
    terms.push_back(coefficient * *position);
  }
  return !terms.empty() && !vanishes_at_random_points(sum(terms));
}

std::optional<Error> degenerate_positions(const System& system) {
  const auto at = degenerate_position(system);
  if (!at) return std::nullopt;
  const auto last = std::find_if(system.constraints.rbegin(), system.constraints.rend(),
                                 [](const Constraint& c) { return c.position.has_value(); });
  Error error("singular-constraint", "the position constraints do not determine the directions of their set",
              "they hold at " + *at +
                  ", and as at every configuration found fewer directions lead along their set than their "
                  "slopes leave, so that no reaction is determined",
              "write conditions whose slopes are independent where they hold: y = 0 for y^2 = 0, x = 0 and y "
              "= 0 for surfaces that touch there");
  return last == system.constraints.rend() ? error : error.at(last->place);
}

void require_possible_constraints(const System& system) {
  const InAmbientSpace everywhere;  // N may be empty
  for (int s = 0; s < static_cast<int>(system.constraints.size()); ++s) {
    const Constraint& c = system.constraints[static_cast<std::size_t>(s)];
    const auto sign = one_signed(c);
    if (sign && (sign->definite || !c.position || !follows_from_others(system, s)))
      throw impossible_constraint(c, sign->claim, sign->definite);
    if (const auto factors = factors_that_constrain(c); factors.size() > 1)
      throw split_constraint(c, factors);
  }
  if (const Constraint* c = excluded_position(system))
    throw impossible_constraint(*c, "no position satisfies it together with those before it", true);
  if (auto error = degenerate_positions(system)) throw *std::move(error);
}

}  // namespace rattleback
