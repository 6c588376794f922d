#include <rattleback/proof/steady/steady_motions.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/proof/steady/relative_equilibria.hpp>
#include <rattleback/proof/steady/steady_at_places.hpp>

namespace rattleback {
namespace {

bool is_among(Symbol s, const std::vector<Symbol>& among) {
  return std::find(among.begin(), among.end(), s) != among.end();
}

}  // namespace

int SteadyFamily::dimension() const {
  const auto is_new = [&](Symbol q) { return !is_among(q, free); };
  const auto more =
      steady_for_any_idle ? std::count_if(idle_to_first_order.begin(), idle_to_first_order.end(), is_new) : 0;
  return static_cast<int>(free.size()) + static_cast<int>(more);
}

namespace {

/// Free coordinates of the one, moved by symmetries to where the other has them.
SymbolMap shift(const SteadyFamily& part, const SteadyFamily& whole) {
  SymbolMap to;
  for (const Symbol q : whole.moved_by_symmetry) {
    const Expr at = part.point.values.at(q);
    if (at.is(Kind::symbol) && is_among(at.symbol(), part.free))
      to.emplace(at.symbol(), whole.point.values.at(q));
  }
  return to;
}

/// Is the one family a part of the other: the same speeds and the same values of what matters?
bool is_part(const SteadyFamily& part, const SteadyFamily& whole, const std::vector<Symbol>& influencing) {
  const SymbolMap shifted = shift(part, whole);
  SymbolMap there;
  for (const Symbol s : whole.free) {
    if (const auto value = part.point.values.find(s); value != part.point.values.end())
      there.emplace(s, substitute(value->second, shifted));
  }
  try {
    return std::all_of(influencing.begin(), influencing.end(), [&](Symbol s) {
      const Expr a = substitute(whole.point.values.at(s), there),
                 b = substitute(part.point.values.at(s), shifted);
      if (a == b || vanishes_at_random_points(a - b)) return true;
      return s.role() == Role::coordinate && vanishes_at_random_points(cos(a) - cos(b)) &&
             vanishes_at_random_points(sin(a) - sin(b));
    });
  } catch (const OutOfDomain&) {
    return false;  // a pole of the other family
  }
}

/// Speeds, and what matters of the configuration.
std::vector<Symbol> influencing_symbols(const System& system, const SolvedVelocities& v,
                                        const SteadyFamily& family) {
  std::vector<Symbol> influencing = v.speeds;
  influencing.insert(influencing.end(), family.small.configuration.begin(), family.small.configuration.end());
  for (const Symbol s : system.space.functions()) {
    if (s.role() == Role::rotation && s.attributes().entry >= 6 && family.small.N.rows() > 0)
      influencing.push_back(s);
  }
  return influencing;
}

}  // namespace

bool is_part(const System& system, const SolvedVelocities& v, const SteadyFamily& part,
             const SteadyFamily& whole) {
  std::vector<Symbol> influencing = influencing_symbols(system, v, part);
  for (const SteadyFamily* family : {&part, &whole}) {
    for (const auto& more : {family->small.configuration, family->idle_to_first_order})
      influencing.insert(influencing.end(), more.begin(), more.end());
  }
  return is_part(part, whole, influencing);
}

namespace {

constexpr double close_states = 2e-3;

bool are_close(const System& system, Symbol s, double a, double b) {
  const double apart = is_angle(system.space, s) ? std::remainder(a - b, 2 * M_PI) : a - b;
  return std::abs(apart) <= close_states * (1 + std::abs(a));
}

bool belongs(const System& system, const SolvedVelocities& v, const Numbers& state,
             const SteadyFamily& family) {
  try {
    std::vector<Symbol> influencing = influencing_symbols(system, v, family);
    // At a degenerate state small motions do not feel a coordinate that matters further away.
    if (!family.steady_for_any_idle)
      influencing.insert(influencing.end(), family.idle_to_first_order.begin(),
                         family.idle_to_first_order.end());
    return std::all_of(influencing.begin(), influencing.end(), [&](Symbol s) {
      return are_close(system, s, state.at(s), evaluate(family.point.values.at(s), state));
    });
  } catch (const OutOfDomain&) {
    return false;  // an angle of the family that the state does not have
  }
}

}  // namespace

bool is_same_state(const System& system, const SolvedVelocities& v, const Numbers& a, const Numbers& b) {
  std::vector<Symbol> all(system.space.functions().begin(), system.space.functions().end());
  all.insert(all.end(), v.speeds.begin(), v.speeds.end());
  return std::all_of(all.begin(), all.end(), [&](Symbol s) {
    const auto x = a.find(s), y = b.find(s);
    return x == a.end() || y == b.end() || are_close(system, s, x->second, y->second);
  });
}

bool belongs_to_some(const System& system, const SolvedVelocities& v, const Numbers& state,
                     const std::vector<SteadyFamily>& families) {
  return std::any_of(families.begin(), families.end(),
                     [&](const SteadyFamily& f) { return belongs(system, v, state, f); });
}

namespace {

/// States in numbers that none of the families has, none twice. Enclosed ones complete a list that was not solved for wholly, and contradict
/// one that was.
void keep_missed(const System& system, const SolvedVelocities& v, SteadyMotions& found) {
  const auto is_in = [&](const std::vector<Numbers>& list, const Numbers& state) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Numbers& other) { return is_same_state(system, v, state, other); });
  };
  const auto is_known = [&](const Numbers& state) {
    return belongs_to_some(system, v, state, found.families);
  };
  std::vector<Numbers> candidates = std::exchange(found.missed, {});
  if (found.enclosed) {
    auto& list = found.complete ? candidates : found.without_closed_form;
    std::copy_if(found.enclosed->begin(), found.enclosed->end(), std::back_inserter(list),
                 std::not_fn(is_known));
  }
  for (Numbers& state : candidates) {
    const bool known =
        is_known(state) || is_in(found.without_closed_form, state) || is_in(found.missed, state);
    if (!known) found.missed.push_back(std::move(state));
  }
}

}  // namespace

SteadyMotions steady_motions(const System& system, const SolvedVelocities& v) {
  const InAmbientSpace
      ambient;  // position constraints are among the equations that are solved, and must not count as 0 = 0
  SteadyMotions found = steady_motions_at_places(system, v);
  const SteadyMotions general = relative_equilibria(system, v);
  if (general.families.size() == 1 && general.families[0].small.N.rows() == 0) {
    // No configuration matters: what was found at several places is one family.
    std::vector<SteadyFamily> distinct;
    for (SteadyFamily& family : found.families) {
      if (distinct.empty() || !is_part(family, distinct[0], v.speeds)) distinct.push_back(std::move(family));
    }
    found.families = std::move(distinct);
  }
  if (general.complete && !general.singular && general.moved) {
    std::erase_if(found.families, [&](const SteadyFamily& family) {
      return std::none_of(general.families.begin(), general.families.end(),
                          [&](const SteadyFamily& other) { return is_part(system, v, family, other); });
    });
  }
  for (const SteadyFamily& family : general.families) {
    const std::vector<Symbol> influencing = influencing_symbols(system, v, family);
    const bool known =
        std::any_of(found.families.begin(), found.families.end(),
                    [&](const SteadyFamily& other) { return is_part(family, other, influencing); });
    if (!known) found.families.push_back(family);
  }
  found.elsewhere = general.elsewhere;
  found.complete = general.complete;
  found.singular = general.singular;
  found.dropped = general.dropped;
  found.moved = general.moved;
  found.slices = general.slices;
  found.missed = general.missed;
  found.enclosed = general.enclosed;
  keep_missed(system, v, found);
  return found;
}

}  // namespace rattleback
