#include <rattleback/proof/steady/steady_at_places.hpp>

#include <algorithm>
#include <utility>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/proof/evidence/triangular.hpp>
#include <rattleback/proof/momenta/integral_ansatz.hpp>
#include <rattleback/proof/steady/shifted_copies.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_families = search_limits::families_of_steady_motions.count;

bool is_among(Symbol s, const std::vector<Symbol>& among) {
  return std::find(among.begin(), among.end(), s) != among.end();
}

/// Solves the equations (O.3) at one place after the other.
class SearchAtPlaces {
 public:
  SearchAtPlaces(const System& system, const SolvedVelocities& v)
      : system_(system), v_(v), motion_(projected_motion(system, v)) {
    const std::vector<Expr> force(motion_.force.entries().begin(), motion_.force.entries().end());
    core_ = influential_functions(force, system.space.functions(), motion_.configuration_rates);
    equations_ = force;
    const auto functions = system.space.functions();
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const Symbol f = functions[i];
      if (is_among(f, core_) && !(f.role() == Role::rotation && f.attributes().entry < 6 && turns_freely(f)))
        equations_.push_back(motion_.configuration_rates[i]);
    }
    sort_core();
    turns_ = common_turns(equations_, turning_);
  }

  SteadyMotions result() {
    for (const SymbolMap& place : places()) {
      Budget::check();
      if (found_.families.size() >= most_families) break;
      try {
        solve_at(place);
      } catch (const OutOfDomain&) {
        continue;  // a pole: the chart or the metric degenerates there
      } catch (const NoExactForm&) {
        continue;  // an angle that is a fraction of π with a large denominator
      }
    }
    return std::move(found_);
  }

 private:
  /// Rotations of space about the vertical, B' = ê₃ B, do not matter: only the third row of B has to stand still.
  bool turns_freely(Symbol entry) const {
    SymbolMap turn;
    for (const Symbol s : system_.space.functions()) {
      if (s.role() != Role::rotation || s.attributes().family != entry.attributes().family) continue;
      for (const Symbol other : system_.space.functions()) {
        if (other.role() != Role::rotation || other.attributes().family != entry.attributes().family)
          continue;
        const int from = s.attributes().entry, to = other.attributes().entry;
        if (from < 3 && to == from + 3) turn.emplace(s, -Expr(other));
        if (from >= 3 && from < 6 && to == from - 3) turn.emplace(s, Expr(other));
      }
    }
    const std::vector<Expr> changes = derivative_along(motion_.force.entries(), turn);
    return std::all_of(changes.begin(), changes.end(), [](Expr e) { return vanishes_at_random_points(e); });
  }

  /// Coordinates within functions get values; those that stand in polynomials only are unknowns like the speeds.
  void sort_core() {
    const Tape tape(equations_);
    for (const Symbol q : core_) {
      if (q.role() != Role::coordinate) continue;
      bool inside = false;
      for (std::size_t slot = 0; slot < tape.size() && !inside; ++slot)
        inside = tape.node(slot).is(Kind::call) && contains(tape.node(slot).args()[0], q);
      (inside ? turning_ : shifting_).push_back(q);
    }
  }

  std::vector<SymbolMap> places() const {
    std::vector<SymbolMap> bases{state_point(system_, v_, {}).values};
    std::vector<std::pair<std::string, std::string>> given;
    for (const InitialValue& value : system_.simulation.initial) {
      const auto q = system_.space.functions();
      const Expr* e = std::get_if<Expr>(&value.value);
      const bool coordinate =
          std::any_of(q.begin(), q.end(), [&](Symbol s) { return s.name() == value.name; });
      if (coordinate && e != nullptr && !e->is_zero()) given.emplace_back(value.name, text(*e));
    }
    if (!given.empty()) bases.push_back(state_point(system_, v_, given).values);
    std::vector<SymbolMap> all;
    for (const SymbolMap& base : bases) {
      if (!turning_.empty()) {
        add_turned(base, all);
      } else if (std::any_of(core_.begin(), core_.end(),
                             [](Symbol s) { return s.role() == Role::rotation; })) {
        add_upright_axes(base, all);
      } else {
        all.push_back(base);
      }
    }
    std::vector<SymbolMap> distinct;
    for (SymbolMap& place : all) {
      if (std::find(distinct.begin(), distinct.end(), place) == distinct.end())
        distinct.push_back(std::move(place));
    }
    return distinct;
  }

  /// As given, then quarter turns: of all angles together when there are two, else one by one; then one angle free.
  void add_turned(const SymbolMap& base, std::vector<SymbolMap>& all) const {
    const std::vector<Expr> quarters{Expr(0), pi() / 2, pi(), -pi() / 2};
    all.push_back(base);
    for (const Symbol q : turning_) {
      for (const Expr value : quarters) {
        SymbolMap turned = base;
        turned.insert_or_assign(q, value);
        all.push_back(turned);
        if (turning_.size() != 2 || q != turning_[0]) continue;
        for (const Expr second : quarters) {
          turned.insert_or_assign(turning_[1], second);
          all.push_back(turned);
        }
      }
    }
    if (turning_.size() != 1) return;
    SymbolMap open = base;
    open.insert_or_assign(turning_[0], Expr(turning_[0]));
    all.push_back(std::move(open));
  }

  /// B = 1 and the rotations that put another body axis upright.
  void add_upright_axes(const SymbolMap& base, std::vector<SymbolMap>& all) const {
    const int entries[][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},  {1, 0, 0, 0, -1, 0, 0, 0, -1},
                              {0, 0, -1, 0, 1, 0, 1, 0, 0}, {0, 0, 1, 0, 1, 0, -1, 0, 0},
                              {1, 0, 0, 0, 0, -1, 0, 1, 0}, {1, 0, 0, 0, 0, 1, 0, -1, 0}};
    all.push_back(base);
    for (const auto& B : entries) {
      SymbolMap turned = base;
      for (auto& [s, value] : turned) {
        if (s.role() == Role::rotation) value = Expr(B[s.attributes().entry]);
      }
      all.push_back(std::move(turned));
    }
  }

  /// Heights that contacts prescribe: a line coordinate that stands linearly in a position constraint takes up the rest.
  void satisfy_position_constraints(SymbolMap& place) const {
    for (const Constraint& c : system_.constraints) {
      if (!c.position) continue;
      const Expr rest = substitute(*c.position, place);
      if (rest.is_zero()) continue;
      for (const Symbol q : system_.space.functions()) {
        const Expr slope = q.role() == Role::coordinate ? derivative(*c.position, q) : Expr(0);
        if (!slope.is(Kind::constant) || slope.is_zero()) continue;
        place.insert_or_assign(q, place.at(q) - rest / slope);
        break;
      }
    }
  }

  void solve_at(SymbolMap place) {
    satisfy_position_constraints(place);
    std::vector<Symbol> unknowns = v_.speeds;
    unknowns.insert(unknowns.end(), shifting_.begin(), shifting_.end());
    SymbolMap fixed = place;
    for (const Symbol s : unknowns) fixed.insert_or_assign(s, Expr(s));
    std::vector<Expr> equations = substitute(equations_, fixed);
    std::erase_if(equations, [](Expr e) { return e.is_zero() || vanishes_at_random_points(e); });
    constexpr std::size_t solvable = search_limits::equations_of_steady_motions.count;
    std::size_t size = 0;
    for (const Expr e : equations) size += written_size(e);
    if (size > solvable) {
      found_.complete = false;
      try_single_speeds(place, equations);
      return;
    }
    const Generators generators(equations, {});
    const Field field(generators.forms());
    std::vector<Polynomial> polynomials;
    for (const Expr form : generators.forms()) polynomials.push_back(field.element(form).numerator());
    std::vector<int> indices;
    for (int g = 0; g < field.ring().size(); ++g) {
      const Expr e = field.generators()[static_cast<std::size_t>(g)];
      if (e.is(Kind::symbol) && is_among(e.symbol(), unknowns)) indices.push_back(g);
    }
    if (equations.empty()) {
      add(place, unknowns, {});
      return;
    }
    if (indices.empty()) return;  // a condition on the parameters alone
    for (const Chain& chain : components(field, std::move(polynomials), found_.complete, indices)) {
      const SymbolMap solved = chain.solution(field);
      if (solved.empty()) {
        found_.complete = false;
        continue;
      }
      add(place, unknowns, solved);
    }
  }

  /// Where the equations are long: each speed alone.
  void try_single_speeds(const SymbolMap& place, const std::vector<Expr>& equations) {
    bool moving = false;
    for (std::size_t k = 0; k <= v_.speeds.size(); ++k) {
      if (k == v_.speeds.size() && moving) break;  // rest belongs to these families
      SymbolMap solved;
      for (const Symbol s : shifting_) solved.emplace(s, place.at(s));
      for (std::size_t a = 0; a < v_.speeds.size(); ++a) {
        if (a != k) solved.emplace(v_.speeds[a], Expr(0));
      }
      const auto there = substitute(equations, solved);
      if (!std::all_of(there.begin(), there.end(), [](Expr e) { return vanishes_at_random_points(e); }))
        continue;
      moving = k < v_.speeds.size();
      add(place, v_.speeds, solved);
    }
  }

  /// The same speeds at the same values of what matters, or at angles turned together.
  bool is_known(const SteadyFamily& family) const {
    return std::any_of(found_.families.begin(), found_.families.end(), [&](const SteadyFamily& other) {
      const auto same = [&](Symbol s) { return other.point.values.at(s) == family.point.values.at(s); };
      const auto same_but_turned = [&](Symbol s) { return is_among(s, turning_) || same(s); };
      return std::all_of(v_.speeds.begin(), v_.speeds.end(), same) &&
             (std::all_of(core_.begin(), core_.end(), same) ||
              (std::all_of(core_.begin(), core_.end(), same_but_turned) &&
               differ_by_turns(other.point.values, family.point.values, turning_, turns_)));
    });
  }

  /// Position constraints between coordinates that matter hold for all parameters: a place of the model's numbers is on N at these alone.
  bool is_on_positions(const SymbolMap& point) const {
    return std::ranges::all_of(position_relations(system_), [&](Expr relation) {
      const bool known = std::ranges::all_of(symbols_of(relation), [&](Symbol s) {
        return (s.role() != Role::coordinate && s.role() != Role::rotation) || is_among(s, core_);
      });
      return !known || vanishes_at_random_points(substitute(relation, point));
    });
  }

  void add(const SymbolMap& place, const std::vector<Symbol>& unknowns, const SymbolMap& solved) {
    SteadyFamily family;
    family.point.values = place;
    for (const auto& [s, value] : place) {
      if (s.role() == Role::coordinate && value == Expr(s)) family.free.push_back(s);
    }
    for (const Symbol s : unknowns) {
      const auto found = solved.find(s);
      family.point.values.insert_or_assign(s, found == solved.end() ? Expr(s) : found->second);
      if (found == solved.end()) family.free.push_back(s);
    }
    if (!is_on_positions(family.point.values)) return;
    for (const Symbol s : unknowns) family.point.given.push_back(s.name());
    for (const Symbol s : turning_) family.point.given.push_back(s.name());
    if (is_known(family)) return;
    try {
      family.small = linearisation(system_, v_, family.point);
      state_matrix(family.small);
    } catch (const OutOfDomain&) {
      return;  // the metric degenerates there, or a cyclic coordinate is none
    }
    for (const Symbol q : family.small.idle) {
      if (is_among(q, core_)) family.idle_to_first_order.push_back(q);
    }
    family.steady_for_any_idle = steady_for_any_idle(family);
    found_.families.push_back(std::move(family));
  }

  bool steady_for_any_idle(const SteadyFamily& family) const {
    SymbolMap moved = family.point.values;
    for (const Symbol q : family.idle_to_first_order) {
      if (q.role() != Role::coordinate) return false;
      moved.insert_or_assign(q, Expr(q));
    }
    const std::vector<Expr> rates = substitute(equations_, moved);
    return std::all_of(rates.begin(), rates.end(),
                       [](Expr e) { return e.is_zero() || vanishes_at_random_points(e); });
  }

  const System& system_;
  const SolvedVelocities& v_;
  ProjectedMotion motion_;
  std::vector<Symbol> core_, turning_, shifting_;
  std::vector<SymbolMap> turns_;
  std::vector<Expr> equations_;
  SteadyMotions found_;
};

}  // namespace

SteadyMotions steady_motions_at_places(const System& system, const SolvedVelocities& v) {
  return SearchAtPlaces(system, v).result();
}

}  // namespace rattleback
