#include <rattleback/trial/parameter_trial.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/proof/evidence/exceptional_parameters.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>

namespace rattleback {
namespace {

/// Values on {f_1 = … = f_k = 0}: each equation is solved for a parameter in which it is linear, the others keep the model's values.
/// Nothing where that fails, or where a positive parameter would not be positive.
std::optional<SymbolMap> point_on(const System& system, const Locus& locus) {
  SymbolMap values = parameter_values(system), solved;
  for (Expr f : locus) {
    f = substitute(f, solved);
    std::optional<Symbol> unknown;
    for (const Symbol p : symbols_of(f)) {
      if (values.contains(p) && !solved.contains(p) && !contains(derivative(f, p), p)) unknown = p;
    }
    if (!unknown) return std::nullopt;
    const Expr slope = derivative(f, *unknown);
    const Expr value = -substitute(f, {{*unknown, Expr(0)}}) / slope;
    SymbolMap others = values;
    others.erase(*unknown);
    for (const auto& [p, v] : solved) others.insert_or_assign(p, v);
    solved.insert_or_assign(*unknown, substitute(value, others));
  }
  for (const auto& [p, v] : solved) values.insert_or_assign(p, v);
  for (const auto& [p, v] : values) {
    if (p.is_positive() && known_sign(v) != KnownSign::positive) return std::nullopt;
  }
  return values;
}

Finding compared(const Question& question, const std::string& statement, const AtValues& at,
                 const Answer& there, bool is_contradiction) {
  Finding found{question.name, statement, "asked again with exact parameter values",
                is_contradiction ? Finding::Result::contradicted : Finding::Result::stands,
                fmt::format("{} --set {}", text(there.outcome), at.set)};
  return found;
}

/// All equations of one of the components hold at the values.
bool is_exceptional(const Answer& answer, const SymbolMap& values) {
  return std::ranges::any_of(answer.unless, [&](const Locus& locus) {
    return std::ranges::all_of(locus, [&](Expr f) { return proved(is_zero(substitute(f, values))); });
  });
}

/// Small whole numbers, at which exponents, frequencies and masses meet, for one parameter each: outside of a locus that is said to be complete
/// the outcome is the same.
Findings try_whole_numbers(const System& system, const Question& question, const Answer& answer,
                           double seconds, Random& random) {
  Findings all;
  if (!locus_is_complete(answer)) return all;
  constexpr std::array numbers{0, 1, 2, -1};
  constexpr int draws = search_limits::trial_parameters.count;
  for (int k = 0; k < draws; ++k) {
    SymbolMap values = at_random_values(system, random).values;
    const Symbol p = system.parameters[random() % system.parameters.size()].symbol;
    const int number = numbers[random() % numbers.size()];
    if (!values.contains(p) || (p.is_positive() && number <= 0)) continue;
    values.insert_or_assign(p, Expr(number));
    if (is_exceptional(answer, values)) continue;
    try {
      const AtValues at = at_values(system, values);
      const Answer there = asked_on_set(question, at.system, seconds);
      all.push_back(compared(question, fmt::format("{} outside of a complete locus", text(answer.outcome)),
                             at, there, are_opposite(answer.outcome, there.outcome)));
    } catch (const Error&) {      // no system of this kind at these values
    } catch (const Exhausted&) {  // roots of these values that the zero tests cannot take
      Budget::check();
    }
  }
  return all;
}

}  // namespace

Findings try_parameters(const System& system, const Question& question, const Answer& answer, double seconds,
                        Random& random) {
  Findings all;
  if (!answer.decided() || system.parameters.empty()) return all;
  constexpr int draws = search_limits::trial_parameters.count;
  for (int k = 0; k < draws; ++k) {
    try {
      const AtValues at = at_random_values(system, random);
      const Answer there = asked_on_set(question, at.system, seconds);
      all.push_back(compared(question, fmt::format("{} for generic parameters", text(answer.outcome)), at,
                             there, are_opposite(answer.outcome, there.outcome)));
    } catch (const Error&) {      // no system of this kind at these values
    } catch (const Exhausted&) {  // roots of these values that the zero tests cannot take
      Budget::check();
    }
  }
  for (Finding& f : try_whole_numbers(system, question, answer, seconds, random)) all.push_back(std::move(f));
  for (const Locus& locus : answer.unless) {
    try {
      const auto values = point_on(system, locus);
      if (!values) continue;
      const AtValues at = at_values(system, *values);
      const Answer there = asked_on_set(question, at.system, seconds);
      all.push_back(compared(question, fmt::format("not {} where {}", text(answer.outcome), text(locus)), at,
                             there, there.decided() && there.outcome == answer.outcome));
    } catch (const Error&) {      // the system degenerates there
    } catch (const Exhausted&) {  // roots of these values that the zero tests cannot take
      Budget::check();
    }
  }
  return all;
}

}  // namespace rattleback
