#include <rattleback/model/system/collected.hpp>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

/// Coefficients with more nodes are left as they were built: they are too long to be read, and shortening them takes time.
constexpr std::size_t shortened_up_to = search_limits::coefficients_of_velocities.count;

}  // namespace

bool vanishes(Expr e) { return e.is_zero() || vanishes_at_random_points(e); }

Expr tidied(Expr e) { return graph_size({&e, 1}) < shortened_up_to ? short_form(e) : e; }

Expr collected(Expr e, const Space& space) {
  const std::vector<Expr> slopes = gradient(e, space.velocities());
  SymbolMap rest;
  for (const Symbol v : space.velocities()) rest.emplace(v, Expr(0));
  const auto tidy = [](Expr c) { return vanishes(c) ? Expr(0) : tidied(c); };
  std::vector<Expr> terms{tidy(substitute(e, rest))};
  for (std::size_t i = 0; i < slopes.size(); ++i) terms.push_back(tidy(slopes[i]) * space.velocities()[i]);
  return sum(terms);
}

}  // namespace rattleback
