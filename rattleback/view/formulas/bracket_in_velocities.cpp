#include <rattleback/view/formulas/bracket_in_velocities.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>

namespace rattleback {
namespace {

/// Long formulas get names for their shared parts: then the graph counts; of others the letters.
bool is_much_shorter(const std::vector<Expr>& some, const std::vector<Expr>& others) {
  if (std::ranges::any_of(others, [](Expr e) { return !fits(e, legible::without_named_parts); }))
    return 10 * graph_size(some) < 9 * graph_size(others);
  PrintedCost cost;
  const auto letters = [&](const std::vector<Expr>& page) {
    int total = 0;
    for (const Expr e : page) total += cost(e);
    return total;
  };
  return 5 * letters(some) < 2 * letters(others);  // of which repeated parts would get names, too
}

/// A page that is read as it stands.
bool is_short(const std::vector<Expr>& formulas) {
  PrintedCost cost;
  int letters = 0;
  for (const Expr e : formulas) letters += cost(e);
  return letters <= static_cast<int>(legible::page_of_a_bracket.count);
}

/// What is written of a page: ṗ and the velocities, of a rotation Ω.
std::vector<Expr> formulas_of(std::vector<Expr> momentum_rates, const SymbolMap& velocities) {
  for (const auto& [v, value] : velocities) momentum_rates.push_back(value);
  return momentum_rates;
}

/// −c_ab^c z^b p_c with the structure coefficients of those legs of the space whose velocities are speeds: (p × Ω)_a of a body.
Expr euler_poincare_term(const System& system, const ConstrainedBracket& b, std::size_t a) {
  const std::span<const Symbol> v = system.space.velocities();
  const auto leg = [&](std::size_t k) {
    const Expr z = b.D.definitions[k];
    return z.is(Kind::symbol) ? static_cast<int>(std::ranges::find(v, z.symbol()) - v.begin())
                              : system.space.dimension();
  };
  const int n = system.space.dimension(), i = leg(a);
  std::vector<Expr> terms{Expr(0)};
  for (std::size_t k = 0; k < b.momenta.size(); ++k) {
    for (std::size_t l = 0; l < b.momenta.size(); ++l) {
      if (i < n && leg(k) < n && leg(l) < n)
        terms.push_back(-system.space.c()(i, leg(k), leg(l)) * b.D.speeds[k] * b.momenta[l]);
    }
  }
  return sum(terms);
}

/// ṗ_α with that term apart, where this is shorter.
Expr with_momenta(const System& system, const ConstrainedBracket& b, std::size_t a, Expr rate) {
  const Expr term = euler_poincare_term(system, b, a);
  if (term.is_zero()) return rate;
  SymbolMap to_speeds;
  for (std::size_t k = 0; k < b.momenta.size(); ++k) to_speeds.emplace(b.momenta[k], b.definitions[k]);
  const Expr apart = term + short_form(rate - substitute(term, to_speeds));
  PrintedCost cost;
  return cost(apart) < cost(rate) ? apart : rate;
}

BracketInVelocities page_of(const System& system, const ConstrainedBracket& b,
                            const ConstrainedBracket& named) {
  const EquationsOfMotion in_speeds = kinematics(system, b.D, "bracket");
  BracketInVelocities page{
      {}, in_speeds.configuration_rates, in_speeds.velocities, {}, bracket_steps(b, named)};
  const VectorField flow = motion(named);
  for (std::size_t a = 0; a < b.momenta.size(); ++a) {
    const int at = b.D.space.dimension() + static_cast<int>(a);
    page.momentum_rates.push_back(with_momenta(system, b, a, short_form(flow[at])));
  }
  for (std::size_t a = 0; a < b.speeds.size(); ++a)
    page.definitions.push_back({b.D.speeds[a].name(), b.speeds[a]});
  return page;
}

std::optional<BracketInVelocities> shorter_page(const System& system, const ConstrainedBracket& b,
                                                const ConstrainedBracket& named,
                                                const std::vector<Expr>& as_it_stands) {
  BracketInVelocities page = page_of(system, b, named);
  std::vector<Expr> formulas = formulas_of(page.momentum_rates, page.velocities);
  formulas.insert(formulas.end(), b.speeds.begin(), b.speeds.end());
  return is_much_shorter(formulas, as_it_stands) ? std::optional(std::move(page)) : std::nullopt;
}

}  // namespace

std::optional<BracketInVelocities> bracket_in_velocities(const System& system,
                                                         const EquationsOfMotion& equations) {
  if (equations.form != "bracket") return std::nullopt;
  const std::vector<Expr> as_it_stands = formulas_of(equations.speed_rates, equations.velocities);
  constexpr std::size_t largest_graph =
      search_limits::bracket_in_velocities.count;  // larger ones are not printed
  if (is_short(as_it_stands) || graph_size(as_it_stands) > largest_graph) return std::nullopt;
  const ConstrainedBracket b = constrained_bracket(system, linear_velocities(system));
  return shorter_page(system, b, in_velocities(system, b), as_it_stands);
}

}  // namespace rattleback
