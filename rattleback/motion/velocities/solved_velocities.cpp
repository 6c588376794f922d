#include <rattleback/motion/velocities/solved_velocities.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/checks/wrong_parametrization.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

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
  } catch (const NoValue&) {
    return std::nullopt;  // the initial state leaves something out
  }
}

NoParametrization no_parametrization(const System& system, int s) {
  NoParametrization error(
      "no-parametrization",
      fmt::format("constraint `{}` cannot be solved for a velocity",
                  system.constraints[static_cast<std::size_t>(s)].name),
      "it is neither linear nor quadratic in any velocity that is still free",
      "give the admissible velocities in [parametrization]: speeds = [\"u\", …] and one formula per "
      "coordinate");
  error.at(system.constraints[static_cast<std::size_t>(s)].place);
  return error;
}

/// The equations that the remaining constraints offer, the best first.
std::vector<Equation> equations_offered(const std::vector<Expr>& functions, const std::vector<int>& remaining,
                                        const std::vector<Symbol>& free) {
  std::vector<std::pair<int, Equation>> found;
  for (const int s : remaining) {
    for (auto v = free.rbegin(); v != free.rend(); ++v) {  // later velocities depend on earlier ones
      auto equation = equation_for(functions[static_cast<std::size_t>(s)], *v);
      if (!equation) continue;
      equation->constraint = s;
      const int rank = preference(*equation);
      found.emplace_back(rank, *equation);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<Equation> out;
  for (const auto& [rank, equation] : found) out.push_back(equation);
  return out;
}

/// What must hold for the root to be real, single and finite.
void assume(const Equation& e, Assumptions& where) {
  const Expr divisor = e.is_linear() ? e.b : e.a;
  if (!known_nonzero(divisor)) where.push_back({divisor, Assumption::Kind::nonzero, "solved for a velocity"});
  if (e.is_linear()) return;
  const KnownSign sign = known_sign(e.radicand());
  if (sign != KnownSign::positive && sign != KnownSign::nonnegative)
    where.push_back({e.radicand(), Assumption::Kind::positive, "a root of this was taken"});
}

/// Velocities solved for one by one, the best equation first. Where that leads nowhere the next best is tried: two
/// quadratic equations may be solvable in one order only.
class OneByOne {
 public:
  explicit OneByOne(const System& system) : initial_(initial_numbers(system)) {
    const auto velocities = system.space.velocities();
    Solving start;
    start.free.assign(velocities.begin(), velocities.end());
    start.functions = constraint_functions(system);
    start.solved.psi.assign(velocities.begin(), velocities.end());
    for (std::size_t s = 0; s < start.functions.size(); ++s) start.remaining.push_back(static_cast<int>(s));
    found_ = search(std::move(start));
    if (!found_) throw no_parametrization(system, stuck_);
  }
  SolvedVelocities solved() const { return *found_; }

 private:
  struct Solving {
    std::vector<Symbol> free;
    std::vector<Expr> functions;
    std::vector<int> remaining;
    SolvedVelocities solved;
  };

  Solving after(Solving s, const Equation& equation) const {
    const auto both = roots(equation);
    const auto chosen = initial_root_is_upper(initial_, equation.velocity, both);
    const Expr root = short_form(chosen.value_or(true) ? both.first : both.second);
    assume(equation, s.solved.where);
    if (!equation.is_linear()) {
      s.solved.notes.push_back(
          fmt::format("{} = {}, the branch {}", equation.velocity.name(), text(root),
                      chosen ? "of the initial state" : "with the positive square root"));
    }
    const SymbolMap now{{equation.velocity, root}};
    s.functions = substitute(s.functions, now);
    s.solved.psi = substitute(s.solved.psi, now);
    std::erase(s.free, equation.velocity);
    return s;
  }

  std::optional<SolvedVelocities> search(Solving s) {
    std::erase_if(s.remaining, [&](int c) { return vanishes(s.functions[static_cast<std::size_t>(c)]); });
    if (s.remaining.empty()) {
      s.solved.speeds = s.free;
      s.solved.definitions.assign(s.free.begin(), s.free.end());
      // √z² = |z| has zero second derivative, but is not linear.
      s.solved.linear = s.solved.notes.empty() && is_affine_in(s.solved.psi, s.free);
      return s.solved;
    }
    const std::vector<Equation> offered = equations_offered(s.functions, s.remaining, s.free);
    if (offered.empty() && stuck_ < 0) stuck_ = s.remaining.front();
    constexpr int most = search_limits::equations_for_velocities.count;  // equations tried in all
    for (const Equation& equation : offered) {
      if (++tried_ > most) break;
      if (auto found = search(after(s, equation))) return found;
    }
    return std::nullopt;
  }

  Numbers initial_;
  int tried_ = 0, stuck_ = -1;
  std::optional<SolvedVelocities> found_;
};

SolvedVelocities from_quasi_velocities(const System& system) {
  const Admissible D = admissible_velocities(system);
  const VectorField v = D.velocity();
  return {D.speeds, v.coefficients(), D.definitions, true, D.where, {}};
}

SolvedVelocities from_parametrization(const System& system) {
  const Parametrization& given = *system.parametrization;
  SolvedVelocities solved{given.speeds, given.psi, {}, is_affine_in(given.psi, given.speeds), {}, {}};
  if (const auto wrong = wrong_parametrization(system)) throw Error(*wrong);
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
  return linear ? from_quasi_velocities(system) : OneByOne(system).solved();
}

}  // namespace rattleback
