#include <rattleback/proof/steady/equation_solutions.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/evidence/triangular.hpp>

namespace rattleback {
namespace {

/// Without leading coefficients that vanish, as they may at special parameters or with earlier values put in.
std::vector<Expr> without_leading_zeros(std::vector<Expr> c) {
  while (!c.empty() && vanishes_at_random_points(c.back())) c.pop_back();
  return c;
}

/// The roots of c_0 + c_1 x + c_2 x² of degree one or two, and what stands under their square root.
std::vector<std::pair<Expr, std::optional<Expr>>> roots(const std::vector<Expr>& c) {
  if (c.size() == 2) return {{short_form(-c[0] / c[1]), std::nullopt}};
  const bool pure = vanishes_at_random_points(c[1]);
  const Expr inside = short_form(pure ? -c[0] / c[2] : c[1] * c[1] - 4 * c[0] * c[2]);
  if (vanishes_at_random_points(inside)) return {{short_form(-c[1] / (2 * c[2])), std::nullopt}};
  if (known_sign(inside) == KnownSign::negative) return {};
  const Expr root = sqrt(inside);
  if (pure) return {{root, inside}, {-root, inside}};
  return {{short_form((-c[1] + root) / (2 * c[2])), inside},
          {short_form((-c[1] - root) / (2 * c[2])), inside}};
}

/// What two functions, or three components, always satisfy, as soon as one of them is known.
std::vector<std::vector<Expr>> related(std::span<const Expr> unknowns) {
  std::vector<std::vector<Expr>> groups;
  for (const Expr x : unknowns) {
    if (is_call_of(x, Builtin::cos)) groups.push_back({x, sin(x.args()[0])});
    if (!x.is(Kind::symbol) || x.symbol().role() != Role::direction || x.symbol().attributes().entry != 0)
      continue;
    std::vector<Expr> vector{x};
    for (const int entry : {1, 2}) {
      for (const Expr y : unknowns) {
        if (y.is(Kind::symbol) && y.symbol().role() == Role::direction &&
            y.symbol().attributes().entry == entry &&
            y.symbol().attributes().family == x.symbol().attributes().family)
          vector.push_back(y);
      }
    }
    groups.push_back(std::move(vector));
  }
  return groups;
}

class Solver {
 public:
  Solver(std::span<const Expr> unknowns, LinearSteps linear)
      : unknowns_(unknowns.begin(), unknowns.end()), linear_(linear) {
    groups_ = related(unknowns);
  }

  void solve(std::vector<Expr> equations, const EquationSolution& so_far) {
    allow_recursion();
    Budget::check();
    std::erase_if(equations, [](Expr e) { return e.is_zero() || vanishes_at_random_points(e); });
    if (equations.empty()) {
      relate(so_far);
      return;
    }
    const Generators generators(equations, {});
    const Field field(generators.forms());
    std::vector<Polynomial> polynomials;
    for (const Expr form : generators.forms()) polynomials.push_back(field.element(form).numerator());
    std::vector<int> indices;
    for (const Expr x : unknowns_) {
      for (int g = 0; g < field.ring().size(); ++g) {
        if (field.generators()[static_cast<std::size_t>(g)] == x && !so_far.values.contains(x))
          indices.push_back(g);
      }
    }
    const std::vector<int> hiding = hiding_generators(field, so_far);
    indices.insert(indices.end(), hiding.begin(), hiding.end());
    if (indices.empty()) {
      // A condition on the parameters alone; with a known function of an unknown in it, nothing is known about that.
      const bool alone = std::none_of(equations.begin(), equations.end(), [&](Expr e) {
        return std::any_of(unknowns_.begin(), unknowns_.end(),
                           [&](Expr x) { return contains(e, symbol_of(x)); });
      });
      if (!alone) found_.complete = false;
      return;
    }
    for (const Chain& chain : components(field, std::move(polynomials), found_.complete, indices, linear_))
      follow(field, chain, so_far);
  }

  EquationSolutions result() && { return std::move(found_); }

 private:
  static Symbol symbol_of(Expr unknown) {
    return unknown.is(Kind::symbol) ? unknown.symbol() : unknown.args()[0].symbol();
  }

  /// Roots and other functions with an unknown inside. They are the last to be solved for: a factor of them alone is not
  /// taken for nonzero then.
  std::vector<int> hiding_generators(const Field& field, const EquationSolution& so_far) const {
    std::vector<int> hiding;
    for (int g = 0; g < field.ring().size(); ++g) {
      const Expr e = field.generators()[static_cast<std::size_t>(g)];
      if (std::find(unknowns_.begin(), unknowns_.end(), e) != unknowns_.end()) continue;
      const bool hides = std::any_of(unknowns_.begin(), unknowns_.end(), [&](Expr x) {
        return !so_far.values.contains(x) && contains(e, symbol_of(x));
      });
      if (hides) hiding.push_back(g);
    }
    return hiding;
  }

  /// x = value is no solution when the value still contains x, within a root; cos q may be known by sin q.
  bool is_circular(Expr x, Expr value) const {
    EquationSolution named;
    if (!x.is(Kind::symbol)) {
      named.values.emplace(cos(x.args()[0]), Symbol::make("c"));
      named.values.emplace(sin(x.args()[0]), Symbol::make("s"));
    }
    return contains(named.at(value), symbol_of(x));
  }

  /// One polynomial after the other, each as soon as the leading variables of the others that it contains have values.
  void follow(const Field& field, const Chain& chain, const EquationSolution& so_far) {
    std::vector<std::size_t> order;
    std::vector<bool> done(chain.polynomials.size());
    while (order.size() < done.size()) {
      std::size_t k = 0;
      const auto waits = [&](std::size_t i) {
        for (std::size_t j = 0; j < done.size(); ++j) {
          if (j != i && !done[j] && chain.polynomials[i].degree(chain.variables[j]) > 0) return true;
        }
        return false;
      };
      while (k < done.size() && (done[k] || waits(k))) ++k;
      if (k == done.size() || chain.polynomials[k].degree(chain.variables[k]) > 2) {
        found_.complete = false;
        return;
      }
      done[k] = true;
      order.push_back(k);
    }
    descend(field, chain, order, 0, so_far);
  }

  void descend(const Field& field, const Chain& chain, const std::vector<std::size_t>& order, std::size_t at,
               const EquationSolution& so_far) {
    if (at == order.size()) {
      relate(so_far);
      return;
    }
    const std::size_t k = order[at];
    const Expr x = field.generators()[static_cast<std::size_t>(chain.variables[k])];
    std::vector<Expr> c = coefficients_in(field, chain.polynomials[k], chain.variables[k]);
    if (std::find(unknowns_.begin(), unknowns_.end(), x) == unknowns_.end()) {
      const bool zero = c.size() == 2 && c[0].is_zero();
      if (zero && known_sign(x) == KnownSign::positive) return;
      if (zero && is_call_of(x, Builtin::sqrt))
        solve_where_zero(field, chain, order, at, so_far);
      else
        found_.complete = false;  // a root with an unknown inside has some value: where, is not known
      return;
    }
    for (Expr& e : c) e = so_far.at(e);
    c = without_leading_zeros(std::move(c));
    if (c.size() < 2) {
      found_.complete = false;
      return;
    }
    for (const auto& [value, inside] : roots(c)) {
      if (is_circular(x, value)) {
        found_.complete = false;
        continue;
      }
      descend(field, chain, order, at + 1, extended(so_far, x, value, inside));
    }
  }

  /// √e = 0 where e = 0; what is left of the chain is solved there.
  void solve_where_zero(const Field& field, const Chain& chain, const std::vector<std::size_t>& order,
                        std::size_t at, const EquationSolution& so_far) {
    const Expr root = field.generators()[static_cast<std::size_t>(chain.variables[order[at]])];
    EquationSolution there = so_far;
    there.values.emplace(root, Expr(0));
    std::vector<Expr> equations{so_far.at(root.args()[0])};
    for (std::size_t k = at + 1; k < order.size(); ++k)
      equations.push_back(there.at(field.expression(chain.polynomials[order[k]])));
    solve(std::move(equations), so_far);
  }

  /// Earlier values may contain x.
  static EquationSolution extended(EquationSolution s, Expr x, Expr value, std::optional<Expr> inside) {
    EquationSolution step;
    step.values.emplace(x, value);
    for (auto& [y, known] : s.values) known = short_form(step.at(known));
    for (Expr& r : s.radicands) r = short_form(step.at(r));
    s.values.emplace(x, value);
    if (inside && known_sign(*inside) != KnownSign::positive) s.radicands.push_back(*inside);
    return s;
  }

  /// A pair or a unit vector of which something is known: what is left of it, what the relation is, and whether known components are
  /// functions of the others.
  struct PartlyKnown {
    std::vector<Expr> left;
    Expr relation = 0;
    bool entangled = false;
  };
  std::optional<PartlyKnown> partly_known(const EquationSolution& s, const std::vector<Expr>& group) const {
    PartlyKnown t;
    std::vector<Expr> terms{Expr(-1)};
    for (const Expr x : group) {
      const auto known = s.values.find(x);
      if (known == s.values.end()) t.left.push_back(x);
      terms.push_back(pow(known == s.values.end() ? x : known->second, 2));
    }
    if (t.left.size() == group.size()) return std::nullopt;
    t.relation = sum(terms);
    t.entangled = std::any_of(t.left.begin(), t.left.end(), [&](Expr x) {
      return std::any_of(group.begin(), group.end(), [&](Expr y) {
        const auto known = s.values.find(y);
        return known != s.values.end() && contains(known->second, symbol_of(x));
      });
    });
    return t;
  }

  /// What is known of the pair or vector is a number or a function of parameters alone.
  bool is_settled(const EquationSolution& s, const std::vector<Expr>& group) const {
    return std::all_of(group.begin(), group.end(), [&](Expr x) {
      const auto known = s.values.find(x);
      return known == s.values.end() || std::none_of(unknowns_.begin(), unknowns_.end(), [&](Expr y) {
               return contains(known->second, symbol_of(y));
             });
    });
  }

  /// cos² + sin² = 1 and |γ|² = 1 where something of them is known; what is left of them is solved for first.
  void relate(const EquationSolution& s) {
    for (const auto& group : groups_) {
      const auto t = partly_known(s, group);
      if (!t || (t->left.empty() && vanishes_at_random_points(t->relation))) continue;
      if (t->left.empty() && complete_settled_group(s)) return;
      if (t->left.empty())
        solve({t->relation}, s);
      else if (t->entangled)
        disentangle(s, t->left, t->relation);
      else
        complete_group(s, t->left, group);
      return;
    }
    if (found_.components.size() < most_components) {
      found_.components.push_back(s);
    } else {
      found_.complete = false;
    }
  }

  /// A pair of which one component has a value: the other follows, and relations that contain it can be judged. False: there is none.
  bool complete_settled_group(const EquationSolution& s) {
    for (const auto& group : groups_) {
      const auto t = partly_known(s, group);
      if (!t || t->left.empty() || t->entangled || !is_settled(s, group)) continue;
      complete_group(s, t->left, group);
      return true;
    }
    return false;
  }

  /// cos q = a + b sin q, say: with cos² + sin² = 1 an equation for sin q alone.
  void disentangle(const EquationSolution& s, const std::vector<Expr>& left, Expr relation) {
    EquationSolution named;
    const Symbol name = Symbol::make("component");
    named.values.emplace(left[0], name);
    const Expr equation = named.at(relation);
    if (left.size() > 1 || contains(equation, symbol_of(left[0]))) {
      found_.complete = false;
      return;
    }
    const Generators generators(std::vector{equation}, {});
    const Field field(generators.forms());
    const auto at = std::find(field.generators().begin(), field.generators().end(), Expr(name));
    if (at == field.generators().end()) {
      found_.complete = false;
      return;
    }
    const std::vector<Expr> c =
        without_leading_zeros(coefficients_in(field, field.element(generators.forms()[0]).numerator(),
                                              static_cast<int>(at - field.generators().begin())));
    if (c.size() < 2 || c.size() > 3) {
      found_.complete = false;
      return;
    }
    for (const auto& [value, inside] : roots(c)) relate(extended(s, left[0], value, inside));
  }

  /// The others of a pair or of a unit vector: ±√(1 − Σ known²), or that times cos and sin of a free angle.
  void complete_group(const EquationSolution& s, const std::vector<Expr>& left,
                      const std::vector<Expr>& group) {
    std::vector<Expr> terms{Expr(1)};
    for (const Expr x : group) {
      if (const auto known = s.values.find(x); known != s.values.end())
        terms.push_back(-pow(known->second, 2));
    }
    const Expr inside = short_form(sum(terms));
    if (known_sign(inside) == KnownSign::negative) return;
    const bool none = vanishes_at_random_points(inside);
    if (none || left.size() == 1) {
      for (const int sign : {1, -1}) {
        EquationSolution more = s;
        for (const Expr x : left)
          more = extended(more, x, none ? Expr(0) : sign * sqrt(inside),
                          none ? std::nullopt : std::optional(inside));
        relate(more);
        if (none) return;
      }
      return;
    }
    const Expr tilt = Symbol::make("tilt");
    EquationSolution more = extended(s, left[0], sqrt(inside) * cos(tilt), inside);
    relate(extended(more, left[1], sqrt(inside) * sin(tilt), std::nullopt));
  }

  static constexpr std::size_t most_components = search_limits::components_of_solutions.count;
  std::vector<Expr> unknowns_;
  LinearSteps linear_;
  std::vector<std::vector<Expr>> groups_;
  EquationSolutions found_;
};

}  // namespace

Expr EquationSolution::at(Expr e) const {
  const auto change = [this](Expr node) {
    const auto found = values.find(node);
    return found == values.end() ? node : found->second;
  };
  return rebuild(std::span(&e, 1), change).front();
}

namespace {

EquationSolutions solved(const std::vector<Expr>& equations, std::span<const Expr> unknowns,
                         LinearSteps linear) {
  Solver solver(unknowns, linear);
  solver.solve(equations, {});
  return std::move(solver).result();
}

}  // namespace

/// Where one order of the steps ends with degrees that are not solved for, another may not.
EquationSolutions equation_solutions(std::vector<Expr> equations, std::span<const Expr> unknowns) {
  EquationSolutions found = solved(equations, unknowns, LinearSteps::all);
  if (found.complete) return found;
  EquationSolutions other = solved(equations, unknowns, LinearSteps::solvable_first);
  return other.complete ? other : found;
}

}  // namespace rattleback
