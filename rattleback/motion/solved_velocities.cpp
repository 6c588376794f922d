#include <rattleback/motion/solved_velocities.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/known_sign.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/algebra/numbers.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/model/velocity_rows.hpp>
#include <rattleback/motion/admissible.hpp>
#include <rattleback/motion/lagrange.hpp>

namespace rattleback {
namespace {

bool vanishes(Expr e) { return e.is_zero() || vanishes_at_random_points(e); }

/// Is every ψ^i affine in the speeds?
bool is_affine_in(std::span<const Expr> psi, const std::vector<Symbol>& speeds) {
  for (const Expr e : psi) {
    for (const Expr slope : gradient(e, speeds)) {
      for (const Symbol z : speeds) {
        if (!vanishes(derivative(slope, z))) return false;
      }
    }
  }
  return true;
}

/// The initial state as far as it is given in numbers, for choosing between two roots.
Numbers initial_numbers(const System& system) {
  Numbers at;
  for (const auto& [symbol, value] : parameter_values(system)) {
    if (value.is(Kind::constant)) at.emplace(symbol, value.value().to_double());
  }
  at.emplace(system.time, 0);
  std::vector<Symbol> symbols(system.space.functions().begin(), system.space.functions().end());
  symbols.insert(symbols.end(), system.space.velocities().begin(), system.space.velocities().end());
  for (const InitialValue& given : system.simulation.initial) {
    const auto named =
        std::find_if(symbols.begin(), symbols.end(), [&](Symbol s) { return s.name() == given.name; });
    const Expr* value = std::get_if<Expr>(&given.value);
    if (named != symbols.end() && value != nullptr)
      at.emplace(*named, evaluate(substitute(*value, parameter_values(system)), at));
  }
  return at;
}

/// a v² + b v + c = 0 as an equation for one velocity.
struct Equation {
  int constraint = 0;
  Symbol velocity;
  Expr a, b, c;
  bool is_linear() const { return a.is_zero(); }
  Expr radicand() const { return short_form(b.is_zero() ? -c / a : b * b - 4 * a * c); }
};

/// Nothing when f is neither linear nor quadratic in v.
std::optional<Equation> equation_for(Expr f, Symbol v) {
  const Expr first = derivative(f, v), second = derivative(first, v);
  if (!vanishes(derivative(second, v)) || vanishes(first)) return std::nullopt;
  const SymbolMap rest{{v, Expr(0)}};
  const auto tidy = [](Expr e) { return vanishes(e) ? Expr(0) : short_form(e); };
  return Equation{0, v, tidy(substitute(second, rest) / 2), tidy(substitute(first, rest)),
                  tidy(substitute(f, rest))};
}

/// Smaller is better: what is divided by should not vanish, and what a root is taken of should not be negative.
int preference(const Equation& e) {
  if (e.is_linear()) return known_nonzero(e.b) ? 0 : 4;
  if (!known_nonzero(e.a)) return 5;
  const KnownSign sign = known_sign(e.radicand());
  if (sign == KnownSign::positive || sign == KnownSign::nonnegative) return 1;
  return e.b.is_zero() ? 2 : 3;
}

/// The two roots, the one with +√ first.
std::pair<Expr, Expr> roots(const Equation& e) {
  if (e.is_linear()) return {-e.c / e.b, -e.c / e.b};
  const Expr root = sqrt(e.radicand());
  if (e.b.is_zero()) return {root, -root};
  return {(root - e.b) / (2 * e.a), (-root - e.b) / (2 * e.a)};
}

/// The root nearest to the initial velocity; nothing when the initial state does not say.
std::optional<bool> initial_root_is_upper(const Numbers& initial, Symbol v,
                                          const std::pair<Expr, Expr>& both) {
  if (!initial.contains(v)) return std::nullopt;
  try {
    const double upper = evaluate(both.first, initial), lower = evaluate(both.second, initial);
    if (!std::isfinite(upper) || !std::isfinite(lower) || upper == lower) return std::nullopt;
    return std::abs(upper - initial.at(v)) < std::abs(lower - initial.at(v));
  } catch (const Error&) {
    return std::nullopt;  // the initial state leaves something out
  }
}

Error no_parametrization(const System& system, int s) {
  Error error("no-parametrization",
              fmt::format("constraint `{}` cannot be solved for a velocity",
                          system.constraints[static_cast<std::size_t>(s)].name),
              "it is neither linear nor quadratic in any velocity that is still free",
              "give the admissible velocities in [parametrization]: speeds = [\"u\", …] and one formula per "
              "coordinate");
  return error.at(system.constraints[static_cast<std::size_t>(s)].place);
}

/// The best equation that any remaining constraint offers.
std::optional<Equation> best_equation(const std::vector<Expr>& functions, const std::vector<int>& remaining,
                                      const std::vector<Symbol>& free) {
  std::optional<Equation> best;
  for (const int s : remaining) {
    for (auto v = free.rbegin(); v != free.rend(); ++v) {  // later velocities depend on earlier ones
      auto found = equation_for(functions[static_cast<std::size_t>(s)], *v);
      if (!found) continue;
      found->constraint = s;
      if (!best || preference(*found) < preference(*best)) best = found;
    }
  }
  return best;
}

SolvedVelocities solved_one_by_one(const System& system) {
  const auto velocities = system.space.velocities();
  const Numbers initial = initial_numbers(system);
  std::vector<Symbol> free(velocities.begin(), velocities.end());
  std::vector<Expr> functions = constraint_functions(system), psi(velocities.begin(), velocities.end());
  SolvedVelocities solved;
  std::vector<int> remaining(functions.size());
  for (std::size_t s = 0; s < functions.size(); ++s) remaining[s] = static_cast<int>(s);
  const auto drop_redundant = [&] {
    std::erase_if(remaining, [&](int s) { return vanishes(functions[static_cast<std::size_t>(s)]); });
  };
  for (drop_redundant(); !remaining.empty(); drop_redundant()) {
    const auto equation = best_equation(functions, remaining, free);
    if (!equation) throw no_parametrization(system, remaining.front());
    const auto both = roots(*equation);
    const auto chosen = initial_root_is_upper(initial, equation->velocity, both);
    const Expr root = short_form(chosen.value_or(true) ? both.first : both.second);
    if (!equation->is_linear()) {
      solved.linear = false;
      solved.notes.push_back(fmt::format("{} = {}, the branch {}", equation->velocity.name(), text(root),
                                         chosen ? "of the initial state" : "with the larger root"));
    }
    const SymbolMap now{{equation->velocity, root}};
    functions = substitute(functions, now);
    psi = substitute(psi, now);
    std::erase(free, equation->velocity);
  }
  solved.speeds = free;
  solved.psi = psi;
  solved.definitions.assign(free.begin(), free.end());
  solved.linear = is_affine_in(psi, free);
  return solved;
}

SolvedVelocities from_quasi_velocities(const System& system) {
  const Admissible D = admissible_velocities(system);
  const VectorField v = D.velocity();
  return {D.speeds, v.coefficients(), D.definitions, true, D.where, {}};
}

/// The [parametrization] satisfies every constraint, its speeds are independent and there are enough of them.
void require_parametrization(const System& system, const SolvedVelocities& given) {
  const auto wrong = [&](std::string what, std::string why) {
    throw Error("bad-parametrization", std::move(what), std::move(why),
                "every velocity that satisfies the constraints must be given once")
        .at(system.parametrization->place);
  };
  const SymbolMap psi = given.substitution(system.space);
  const std::vector<Expr> functions = constraint_functions(system);
  for (std::size_t s = 0; s < functions.size(); ++s) {
    if (!vanishes(substitute(functions[s], psi)))
      wrong(fmt::format("the parametrization violates constraint `{}`", system.constraints[s].name),
            "the constraint does not vanish when the velocities are put in");
  }
  const int r = static_cast<int>(given.speeds.size());
  if (rank(jacobian(given.psi, given.speeds)) < r)
    wrong("the speeds of the parametrization depend on each other",
          "the velocities change along fewer directions than there are speeds");
  const int k =
      functions.empty() ? 0 : rank(substitute(jacobian(functions, system.space.velocities()), psi)).value;
  if (r + k != system.space.dimension())
    wrong("the parametrization has the wrong number of speeds",
          fmt::format("{} are given, but the constraints leave {} degrees of freedom", r,
                      system.space.dimension() - k));
}

SolvedVelocities from_parametrization(const System& system) {
  const Parametrization& given = *system.parametrization;
  SolvedVelocities solved{given.speeds, given.psi, {}, is_affine_in(given.psi, given.speeds), {}, {}};
  require_parametrization(system, solved);
  return solved.linear ? from_quasi_velocities(system) : solved;
}

}  // namespace

SymbolMap SolvedVelocities::substitution(const Space& space) const {
  SymbolMap map;
  for (int i = 0; i < space.dimension(); ++i)
    map.emplace(space.velocities()[i], psi[static_cast<std::size_t>(i)]);
  return map;
}

SolvedVelocities solved_velocities(const System& system) {
  if (system.parametrization) return from_parametrization(system);
  const VelocityRows rows = velocity_rows(system.space, constraint_functions(system));
  const bool linear = std::all_of(rows.affine.begin(), rows.affine.end(), [](bool a) { return a; });
  return linear ? from_quasi_velocities(system) : solved_one_by_one(system);
}

}  // namespace rattleback
