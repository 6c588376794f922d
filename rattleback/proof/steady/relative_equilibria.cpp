#include <rattleback/proof/steady/relative_equilibria.hpp>

#include <algorithm>
#include <utility>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/proof/evidence/factors.hpp>
#include <rattleback/proof/evidence/random_states.hpp>
#include <rattleback/proof/steady/corotating_motion.hpp>
#include <rattleback/proof/steady/equation_solutions.hpp>
#include <rattleback/proof/steady/equilibria_on_torus.hpp>
#include <rattleback/proof/steady/missed_solutions.hpp>
#include <rattleback/proof/steady/orbit_slice.hpp>
#include <rattleback/proof/steady/rates_in_the_state.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_families = search_limits::families_of_relative_equilibria.count,
                      solvable = search_limits::equations_of_relative_equilibria.count;

class Search {
 public:
  Search(const System& system, const SolvedVelocities& v)
      : system_(system),
        v_(v),
        corotating_(corotating_motion(system, v)),
        equations_(corotating_.equations()) {
    for (const Constraint& c : system.constraints) {
      if (c.position && concerns_legs(*c.position)) equations_.push_back(*c.position);
    }
  }

  SteadyMotions result() {
    for (const OrbitSlice& slice : orbit_slices(system_, corotating_)) {
      found_.moved = found_.moved || !slice.fixed.empty();
      solve_on(slice);
    }
    found_.enclosed = equilibria_on_torus(system_, v_, corotating_);
    return std::move(found_);
  }

 private:
  bool concerns_legs(Expr position) const {
    for (int i = 0; i < system_.space.dimension(); ++i) {
      const bool influencing =
          std::find(corotating_.legs.begin(), corotating_.legs.end(), i) != corotating_.legs.end();
      if (!influencing && !vanishes_at_random_points(system_.space.derivative(i, position))) return false;
    }
    return true;
  }

  /// Coordinates on which nothing depends follow from the position constraints that are none of the equations.
  void complete_on_positions(SymbolMap& values) const {
    std::vector<Symbol> following;
    for (int i = 0; i < system_.space.dimension(); ++i) {
      const auto q = system_.space.coordinate(i);
      if (q && std::ranges::find(corotating_.legs, i) == corotating_.legs.end()) following.push_back(*q);
    }
    for (const Constraint& c : system_.constraints) {
      if (!c.position || concerns_legs(*c.position)) continue;
      const auto q = std::ranges::find_if(following, [&](Symbol s) {
        const Expr slope = derivative(*c.position, s);
        return !contains(slope, s) && !vanishes_at_random_points(substitute(slope, values));
      });
      if (q == following.end()) continue;
      SymbolMap origin = values;
      origin.insert_or_assign(*q, Expr(0));
      values.insert_or_assign(
          *q, short_form(-substitute(*c.position, origin) / substitute(derivative(*c.position, *q), origin)));
      following.erase(q);
    }
  }

  /// As rational expressions in cos q, sin q and exponentials.
  static std::vector<Expr> in_generators(const std::vector<Expr>& es) {
    const Generators generators(es, {});
    return rebuild(generators.forms(), [](Expr e) {
      const auto u = exponent_of_generator(e);
      return u ? exponential_power(*u, 1) : e;
    });
  }

  /// Symbols, or cosines and sines of angles. False: one of them stands within another function.
  static bool add_unknowns(const std::vector<Symbol>& symbols, const std::vector<Expr>& forms,
                           std::vector<Expr>& unknowns) {
    bool all = true;
    for (const Symbol q : symbols) {
      bool plain = false, circular = false, other = false;
      rebuild(forms, [&](Expr e) {
        if (e.is(Kind::symbol)) return e;
        for (const Expr x : e.args()) {
          if (x != Expr(q)) continue;
          const bool turning = is_call_of(e, Builtin::cos) || is_call_of(e, Builtin::sin);
          (turning ? circular : e.is(Kind::call) ? other : plain) = true;
        }
        return e;
      });
      if (other || (plain && circular)) {
        all = false;
      } else if (circular) {
        unknowns.push_back(cos(Expr(q)));
        unknowns.push_back(sin(Expr(q)));
      } else {
        unknowns.emplace_back(q);
      }
    }
    return all;
  }

  /// What is found on the slice; the list is complete when it is on every slice.
  void solve_on(const OrbitSlice& slice) {
    const bool complete_before = std::exchange(found_.complete, true);
    const bool dropped_before = std::exchange(found_.dropped, false);
    search(slice);
    SolvedSlice solved{{}, found_.complete && !found_.dropped};
    for (const auto* list : {&slice.fixed, &slice.pinned}) {
      for (const Symbol q : *list) solved.at.emplace(q, slice.values.at(q));
    }
    found_.slices.push_back(std::move(solved));
    found_.complete = found_.complete && complete_before;
    found_.dropped = found_.dropped || dropped_before;
  }

  void search(const OrbitSlice& slice) {
    try {
      const Budget budget(work_limits::relative_equilibria);
      std::vector<Expr> equations = equations_;
      equations.insert(equations.end(), slice.also.begin(), slice.also.end());
      std::vector<Expr> forms = in_generators(substitute(equations, slice.values));
      std::size_t size = 0;
      for (const Expr e : forms) size += written_size(e);
      if (size > solvable) {
        found_.complete = false;
        return;
      }
      std::vector<Expr> unknowns(corotating_.rates.begin(), corotating_.rates.end());
      const bool speeds = add_unknowns(v_.speeds, forms, unknowns),
                 shape = add_unknowns(slice.open, forms, unknowns);
      found_.complete = found_.complete && speeds && shape && slice.whole;
      const EquationSolutions solved = equation_solutions(forms, unknowns);
      found_.complete = found_.complete && solved.complete;
      compare_with_newton(slice, forms, solved.components);
      if (found_.complete && !is_regular_on(slice)) found_.singular = true;
      for (const EquationSolution& s : solved.components) {
        if (found_.families.size() == most_families) found_.complete = false;
        if (found_.families.size() < most_families) add(slice, unknowns, s);
      }
    } catch (const Exhausted&) {
      Budget::check();
      found_.complete = false;
    } catch (const NoExactForm&) {
      found_.complete = false;
    } catch (const OutOfDomain&) {
      found_.complete = false;
      found_.singular = true;  // the speeds or the metric degenerate on the slice
    }
  }

  /// Newton's method at the model's parameter values and at values beside them: a solution that belongs to no component in closed
  /// form shows that the list is not complete.
  void compare_with_newton(const OrbitSlice& slice, const std::vector<Expr>& forms,
                           const std::vector<EquationSolution>& components) {
    NewtonSearch search{forms, {}, {}};
    search.unknowns = corotating_.rates;
    search.unknowns.insert(search.unknowns.end(), v_.speeds.begin(), v_.speeds.end());
    search.unknowns.insert(search.unknowns.end(), slice.open.begin(), slice.open.end());
    if (slice.direction.size() == 3) {
      std::vector<Expr> terms{Expr(-1)};
      for (const Symbol g : slice.direction) terms.push_back(pow(Expr(g), 2));
      search.equations.push_back(sum(terms));
    }
    const Numbers values = parameter_numbers(system_);
    for (const bool beside : {false, true}) {
      if (beside && (values.empty() || !found_.complete)) return;
      search.known = beside ? numbers_beside(values) : values;
      for (const Numbers& at : missed_solutions(search, components)) {
        if (beside) found_.complete = false;
        if (!beside) note_missed(slice, at);
      }
    }
  }

  /// The state at the model's values, as numbers.
  void note_missed(const OrbitSlice& slice, const Numbers& at) {
    Numbers state = at;
    for (const Symbol f : system_.space.functions()) {
      const auto value = slice.values.find(f);
      if (value != slice.values.end()) state[f] = evaluate(value->second, at);
    }
    found_.missed.push_back(std::move(state));
  }

  /// The speeds are coordinates on D all along the slice: no pole, and ∂ψ/∂z has its full rank everywhere.
  bool is_regular_on(const OrbitSlice& slice) const {
    const Matrix frame = substitute(jacobian(v_.psi, v_.speeds), slice.values);
    for (const Expr e : frame.entries()) {
      for (const Expr base : factors(short_form(e)).below) {
        if (!is_constant(base) && known_sign(base) != KnownSign::positive) return false;
      }
    }
    return !drops_somewhere(frame, substitute(position_relations(system_), slice.values));
  }

  /// A direction that is free, by two angles.
  static SymbolMap by_angles(const std::vector<Symbol>& direction) {
    const Expr tilt = Symbol::make("tilt"), lean = Symbol::make("lean");
    if (direction.size() != 3) return {};
    return {{direction[0], sin(tilt) * cos(lean)},
            {direction[1], sin(tilt) * sin(lean)},
            {direction[2], cos(tilt)}};
  }

  void add(const OrbitSlice& slice, const std::vector<Expr>& unknowns, const EquationSolution& found) {
    try {
      add_in_the_state(slice, unknowns, in_the_state(found, corotating_.rates, unknowns));
    } catch (const OutOfDomain&) {
      found_.complete =
          false;  // a pole where a rate along the group is 0: the other components are looked at all the same
      found_.singular = true;
    }
  }

  void add_in_the_state(const OrbitSlice& slice, const std::vector<Expr>& unknowns,
                        const EquationSolution& s) {
    SymbolMap angles;
    if (!slice.direction.empty() && !s.values.contains(Expr(slice.direction[0])) &&
        !s.values.contains(Expr(slice.direction[1])) && !s.values.contains(Expr(slice.direction[2])))
      angles = by_angles(slice.direction);
    const AtPoint at = [&](std::vector<Expr> es) {
      es = in_generators(substitute(es, slice.values));
      for (Expr& e : es) {
        e = substitute(s.at(e), angles);
        for (const auto& [x, value] : s.values) {
          if (!x.is(Kind::symbol) && contains(e, x.args()[0].symbol()))
            throw Inapplicable("not-steady", "an angle stands within another function", "",
                               "choose another state");
        }
        e = short_form(e);
      }
      return es;
    };
    try {
      for (const auto& [x, value] : s.values) {
        if (x.is(Kind::symbol) && contains(value, x.symbol()))
          throw Inapplicable("not-steady", "circular", "", "");
      }
      const std::vector<Expr> rest = at(equations_);
      if (!std::all_of(rest.begin(), rest.end(), [](Expr e) { return vanishes_at_random_points(e); })) {
        found_.complete = false;  // not what it was taken for, and what it stands for is not known
        return;
      }
      SteadyFamily family;
      family.moved_by_symmetry = slice.fixed;
      family.small = corotating_linearisation(system_, v_, corotating_, at);
      state_matrix(family.small);
      family.along_group = std::any_of(corotating_.rates.begin(), corotating_.rates.end(),
                                       [&](Symbol w) { return !vanishes_at_random_points(s.at(Expr(w))); });
      for (const Expr r : s.radicands) family.exists.push_back(is_positive(substitute(r, angles)));
      write_point(slice, unknowns, s, angles, family);
      if (is_known(family)) return;
      if (exists_for_some(family))
        found_.families.push_back(std::move(family));
      else if (may_exist_elsewhere(family))
        found_.elsewhere.push_back(std::move(family));
    } catch (const OutOfDomain&) {
      found_.singular = true;  // a pole: the speeds or the metric degenerate there
      found_.dropped = found_.dropped || is_regular_at(at);
    }
  }

  /// Two slices may meet: the bottom of a bowl is on every one.
  bool is_known(const SteadyFamily& family) const {
    return std::any_of(found_.families.begin(), found_.families.end(), [&](const SteadyFamily& other) {
      return other.point.values == family.point.values && other.free == family.free;
    });
  }

  /// The speeds are coordinates on D there.
  bool is_regular_at(const AtPoint& at) const {
    try {
      const Matrix frame = jacobian(v_.psi, v_.speeds);
      Matrix there(frame.rows(), frame.columns());
      const std::vector<Expr> entries = at({frame.entries().begin(), frame.entries().end()});
      std::copy(entries.begin(), entries.end(), there.entries().begin());
      return rank(there) == there.columns();
    } catch (const OutOfDomain&) {
      return false;  // a pole
    }
  }

  /// Real for some values of what is free, at the model's parameters.
  bool exists_for_some(const SteadyFamily& family) const {
    std::vector<Inequality> numbers;
    for (const Inequality& i : family.exists) {
      if (i.kind == Inequality::Kind::never) return false;
      numbers.push_back(is_positive(substitute(i.e, parameter_values(system_))));
    }
    const bool open = std::any_of(family.free.begin(), family.free.end(), [&](Symbol f) {
      return std::any_of(numbers.begin(), numbers.end(),
                         [&](const Inequality& i) { return contains(i.e, f); });
    });
    return open || all_hold(numbers).value_or(true);
  }

  /// Real at other parameters: nothing says that the conditions exclude each other, or one of them for itself.
  static bool may_exist_elsewhere(const SteadyFamily& family) {
    return std::none_of(family.exists.begin(), family.exists.end(),
                        [](const Inequality& i) { return i.kind == Inequality::Kind::never; }) &&
           !contradiction(family.exists);
  }

  /// 2 atan(s/(1 + c)), or a quarter turn.
  static Expr angle(Expr c, Expr s) {
    if (s.is_zero()) return c == Expr(1) ? Expr(0) : pi();
    if (c.is_zero() && s == Expr(1)) return pi() / 2;
    if (c.is_zero() && s == Expr(-1)) return -pi() / 2;
    return 2 * atan(s / (1 + c));
  }

  void write_point(const OrbitSlice& slice, const std::vector<Expr>& unknowns, const EquationSolution& s,
                   const SymbolMap& angles, SteadyFamily& family) const {
    SymbolMap& values = family.point.values;
    const auto here = [&](Expr e) {
      return short_form(substitute(s.at(substitute(e, slice.values)), angles));
    };
    for (const Symbol f : system_.space.functions()) values.emplace(f, here(Expr(f)));
    for (const Symbol z : v_.speeds) {
      values.emplace(z, here(Expr(z)));
      family.point.given.push_back(z.name());
    }
    std::vector<Symbol> turning = v_.speeds;
    turning.insert(turning.end(), slice.open.begin(), slice.open.end());
    for (const Symbol q : turning) {
      const auto c = s.values.find(cos(Expr(q))), sine = s.values.find(sin(Expr(q)));
      if (c == s.values.end() || sine == s.values.end()) {
        if (q.role() == Role::coordinate) family.point.given.push_back(q.name());
        continue;
      }
      values.insert_or_assign(q, angle(c->second, sine->second));
      if (values.at(q).is(Kind::symbol) || is_quarter(c->second)) {
        family.point.given.push_back(q.name());
      } else {
        family.shown.emplace_back("cos(" + q.name() + ")", c->second);
        family.shown.emplace_back("sin(" + q.name() + ")", sine->second);
      }
    }
    complete_on_positions(values);
    for (const auto* list : {&slice.fixed, &slice.pinned}) {
      for (const Symbol q : *list) family.point.given.push_back(q.name());
    }
    add_free(slice, unknowns, s, family);
  }
  static bool is_quarter(Expr c) { return c.is_zero() || c == Expr(1) || c == Expr(-1); }

  void add_free(const OrbitSlice& slice, const std::vector<Expr>& unknowns, const EquationSolution& s,
                SteadyFamily& family) const {
    const auto note = [&](Symbol x) {
      if (std::find(family.free.begin(), family.free.end(), x) == family.free.end()) family.free.push_back(x);
    };
    for (const Expr x : unknowns) {
      if (s.values.contains(x)) continue;
      if (!x.is(Kind::symbol)) note(x.args()[0].symbol());
      if (x.is(Kind::symbol) && x.symbol().role() != Role::direction) note(x.symbol());
    }
    const auto is_unknown = [&](Expr x) {
      return std::find(unknowns.begin(), unknowns.end(), x) != unknowns.end();
    };
    for (const Symbol q : slice.open) {  // those within other functions were not solved for
      if (q.role() == Role::coordinate && !is_unknown(Expr(q)) && !is_unknown(cos(Expr(q)))) note(q);
    }
    std::vector<Expr> written;
    for (const auto& [f, value] : family.point.values) written.push_back(value);
    for (const Symbol x : symbols_of(written)) {
      if (x.role() == Role::plain && (x.name() == "tilt" || x.name() == "lean")) note(x);
    }
  }

  const System& system_;
  const SolvedVelocities& v_;
  CorotatingMotion corotating_;
  std::vector<Expr> equations_;
  SteadyMotions found_;
};

}  // namespace

SteadyMotions relative_equilibria(const System& system, const SolvedVelocities& v) {
  return Search(system, v).result();
}

}  // namespace rattleback
