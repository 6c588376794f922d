#include <rattleback/proof/evidence/positivity.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/factors.hpp>
#include <rattleback/proof/evidence/random_states.hpp>

namespace rattleback {
namespace {

/// f without absolute values and roots around it.
Expr bare(Expr f) {
  while (is_call_of(f, Builtin::abs) || is_call_of(f, Builtin::sqrt)) f = f.args()[0];
  return f.is(Kind::power) ? bare(f.args()[0]) : f;
}

/// Factors above and below the bar that may vanish.
std::vector<Expr> vanishing_factors(Expr f) {
  const Factors parts = factors(short_form(f));
  std::vector<Expr> found;
  for (const auto* list : {&parts.above, &parts.below}) {
    for (const Expr base : *list) {
      const Expr e = bare(base);
      const auto same = [e](Expr other) { return other == e || other == -e; };
      if (is_constant(e) || known_nonzero(e) || std::any_of(found.begin(), found.end(), same)) continue;
      found.push_back(e);
    }
  }
  return found;
}

/// What vanishes where this node has a pole: a denominator, the argument of a logarithm, cos(x) of tan(x); 1 where nothing does.
Expr pole_of(Expr node) {
  if (node.is(Kind::power)) return node.exponent() < 0 ? bare(node.args()[0]) : Expr(1);
  if (!node.is(Kind::call) || node.function().is_abstract()) return 1;
  const Expr x = node.args()[0];
  switch (node.function().kind()) {
    case Builtin::log: return bare(x);
    case Builtin::tan:
    case Builtin::sec: return cos(x);
    case Builtin::cot:
    case Builtin::csc: return sin(x);
    default: return 1;
  }
}

/// What f as it is written divides by anywhere, and arguments of logarithms: zeros of these may be poles of f, as y of y + 1/y.
std::vector<Expr> written_denominators(Expr f) {
  const Tape tape(std::span<const Expr>(&f, 1));
  std::vector<Expr> found;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = pole_of(tape.node(slot));
    const auto same = [e](Expr other) { return other == e || other == -e; };
    if (is_constant(e) || known_nonzero(e) || std::any_of(found.begin(), found.end(), same)) continue;
    found.push_back(e);
  }
  return found;
}

/// Likewise, without those that cancel.
std::vector<Expr> inner_denominators(Expr f) { return written_denominators(short_form(f)); }

/// Positive where this node is real: the argument of a logarithm or a square root, 1 - x^2 of asin(x); 1 where it always is.
Expr positive_for(Expr node) {
  if (!node.is(Kind::call) || node.function().is_abstract()) return 1;
  const Expr x = node.args()[0];
  switch (node.function().kind()) {
    case Builtin::log:
    case Builtin::sqrt: return x;
    case Builtin::asin:
    case Builtin::acos:
    case Builtin::atanh: return 1 - pow(x, 2);
    case Builtin::acosh: return x - 1;
    default: return 1;
  }
}

/// What must be positive for f to be real.
std::vector<Expr> arguments_of_real_functions(Expr f) {
  const Expr shorter = short_form(f);
  const Tape tape(std::span<const Expr>(&shorter, 1));
  std::vector<Expr> found;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = positive_for(tape.node(slot));
    if (!is_constant(e) && known_sign(e) != KnownSign::positive) found.push_back(e);
  }
  return found;
}

/// e depends on nothing but the configuration, these velocities and parameters.
bool is_function_of_state(const System& system, const std::vector<Symbol>& velocities, Expr e) {
  const auto q = system.space.functions();
  const std::vector<Symbol> symbols = symbols_of(e);
  return std::all_of(symbols.begin(), symbols.end(), [&](Symbol s) {
    return s.role() == Role::parameter || s.role() == Role::constant ||
           std::find(velocities.begin(), velocities.end(), s) != velocities.end() ||
           std::find(q.begin(), q.end(), s) != q.end();
  });
}

bool is_negative_somewhere(const System& system, const std::vector<Symbol>& velocities, Expr e) {
  constexpr int states = search_limits::sign_of_a_density.count;
  const std::vector<Numbers> tried = random_states(system, velocities, states);
  return std::any_of(tried.begin(), tried.end(), [&](const Numbers& at) { return evaluate(e, at) < 0; });
}

/// Does f tend to a finite value other than 0 at this state? By its values at two small distances; for zeros of denominators that
/// cancel.
bool tends_to_a_value(Expr f, const Numbers& state) {
  const auto at_distance = [&](double h) {
    Numbers moved = state;
    double step = h;
    for (const Symbol s : symbols_of(f)) {
      if (s.role() == Role::parameter || s.role() == Role::constant) continue;
      if (const auto it = moved.find(s); it != moved.end()) it->second += step;
      step *= -0.83;  // a direction that is tangent to no simple set
    }
    return evaluate(f, moved);
  };
  const double ratio = at_distance(1e-7) / at_distance(1e-4);
  return std::isfinite(ratio) && ratio > 0.8 && ratio < 1.25;
}

bool has_abstract_functions(Expr f) { return !abstract_functions(std::span<const Expr>(&f, 1)).empty(); }

}  // namespace

Positivity positivity(const System& system, Expr f) {
  const ProjectedMotion motion = projected_motion(system);
  const std::vector<Symbol>& speeds = motion.velocities.speeds;
  Positivity found;
  if (has_abstract_functions(f)) {
    found.known = false;
    found.chart = vanishing_factors(f);  // where they vanish, and whether, is not known
    return found;
  }
  constexpr int states = search_limits::sign_of_a_density.count,
                zeros = search_limits::zeros_of_a_density.count;
  for (const Numbers& state : random_states(system, speeds, states)) {
    const double value = evaluate(f, state);
    if (value > 0 && !found.positive) found.positive = state;
    if (value < 0 && !found.negative) found.negative = state;
  }
  std::vector<Expr> candidates = vanishing_factors(f);
  const auto of_products = static_cast<std::ptrdiff_t>(candidates.size());
  for (const Expr e : inner_denominators(f)) {
    const auto same = [e](Expr other) { return other == e || other == -e; };
    if (std::none_of(candidates.begin(), candidates.end(), same)) candidates.push_back(e);
  }
  for (auto it = candidates.begin(); it != candidates.end(); ++it) {
    const Expr factor = *it;
    std::vector<Numbers> there = random_states(system, speeds, zeros, {factor});
    if (it - candidates.begin() >= of_products)
      std::erase_if(there, [&](const Numbers& state) { return tends_to_a_value(f, state); });
    if (there.empty()) continue;
    const bool regular = std::any_of(there.begin(), there.end(),
                                     [&](const Numbers& state) { return is_regular_state(motion, state); });
    (regular ? found.zeros : found.chart).push_back(factor);
  }
  return found;
}

void restrict_to_witness(const System& system, Expr witness, bool zeros, Data& answer) {
  if (has_abstract_functions(witness)) return;  // nothing is known of where they vanish
  restrict_to_witness(system, projected_motion(system).velocities.speeds, witness, zeros, answer);
}

std::vector<WitnessCondition> limits_of_witness(const System& system, const std::vector<Symbol>& velocities,
                                                Expr witness, bool zeros) {
  std::vector<WitnessCondition> all;
  if (has_abstract_functions(witness)) return all;
  std::vector<Expr> candidates = inner_denominators(witness), real;
  if (zeros) {
    for (const Expr e : vanishing_factors(witness)) candidates.push_back(e);
  }
  for (const Expr e : arguments_of_real_functions(witness)) {
    if (!is_function_of_state(system, velocities, e) || !is_negative_somewhere(system, velocities, e))
      continue;
    all.push_back({e, true});
    real.push_back(bare(e));
  }
  // Short forms may divide by what the formula does not: y*z + x*z = y*(z + x*z/y). Nothing is excluded for their sake.
  std::vector<Expr> written = zeros ? candidates : written_denominators(witness);
  std::erase_if(written, [&](Expr e) { return !is_function_of_state(system, velocities, e); });
  const auto is_written = [&](const Numbers& state) {
    constexpr double close = 1e-3;  // Newton's method is slow at degenerate zeros
    return std::any_of(written.begin(), written.end(),
                       [&](Expr e) { return std::abs(evaluate(e, state)) < close; });
  };
  for (const Expr e : candidates) {
    if (std::find(real.begin(), real.end(), e) != real.end() || !is_function_of_state(system, velocities, e))
      continue;
    const std::vector<Numbers> there = random_states(system, velocities, 3, {e});
    if (std::any_of(there.begin(), there.end(), is_written)) all.push_back({e, false});
  }
  return all;
}

void restrict_to_witness(const System& system, const std::vector<Symbol>& velocities, Expr witness,
                         bool zeros, Data& answer) {
  std::vector<std::string> where;
  for (const WitnessCondition& c : limits_of_witness(system, velocities, witness, zeros))
    where.push_back(fits(c.e, legible::on_a_line) ? fmt::format("{} {} 0", text(c.e), c.positive ? ">" : "!=")
                                                  : "the formulas have no poles");
  if (!where.empty()) restrict_domain(answer, where);
}

std::string state_text(const System& system, const std::vector<Symbol>& shown, const Numbers& state) {
  std::vector<std::string> parts;
  const auto add = [&](Symbol s) {
    if (const auto value = state.find(s); value != state.end())
      parts.push_back(
          fmt::format("{} = {:.6g}", s.name(), std::abs(value->second) < 1e-9 ? 0 : value->second));
  };
  for (const Symbol s : shown) add(s);
  if (shown.empty()) {
    for (const Symbol s : system.space.functions()) add(s);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string nonzero_text(const std::vector<Expr>& functions) {
  std::vector<std::string> parts;
  for (const Expr e : functions) parts.push_back(text(e) + " != 0");
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace rattleback
