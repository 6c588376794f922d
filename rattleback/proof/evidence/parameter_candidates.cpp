#include <rattleback/proof/evidence/parameter_candidates.hpp>

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/proof/evidence/parameter_locus.hpp>
#include <rattleback/proof/evidence/rational_point.hpp>

namespace rattleback {
namespace {

bool is_parameter(Symbol s) { return s.role() == Role::parameter; }

/// Functions of the parameters that vanish together where the constraints are dependent at every state: the minors of their slopes
/// at random states. Empty when one of them has no zeros; nothing when there are too many.
std::optional<std::vector<Expr>> rank_conditions(const System& system) {
  constexpr int largest = search_limits::rank_conditions.count;
  constexpr std::size_t most = search_limits::minors_with_parameters.count;
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  if (functions.empty()) return std::vector<Expr>{};
  const Matrix slopes = jacobian(functions, system.space.velocities());
  const auto entries = slopes.entries();
  const std::vector<Symbol> symbols = symbols_of(entries);
  if (std::ranges::none_of(symbols, is_parameter)) return std::vector<Expr>{};
  const std::vector<int> rows = independent_rows(slopes);
  const int k = static_cast<int>(rows.size());
  std::vector<Expr> minors;
  for (const std::uint64_t seed : {7U, 19U}) {
    const auto values = at_random_state(entries, seed);
    if (!values) return std::nullopt;
    const auto width = static_cast<std::size_t>(slopes.columns());
    const auto entry = [&](int i, int j) {
      return (*values)[static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j)];
    };
    if (k > largest) return std::nullopt;
    const auto choices = subsets(slopes.columns(), k);
    if (choices.size() > most) return std::nullopt;
    Laplace<Expr, decltype(entry)> laplace(entry, rows);
    for (const std::vector<int>& columns : choices) {
      const Expr m = laplace.determinant(columns);
      if (m.is_zero()) continue;
      if (known_nonzero(m)) return std::vector<Expr>{};
      minors.push_back(m);
    }
  }
  return minors;
}

/// Simple components first, after those that are suspected; none twice.
class Collection {
 public:
  /// What was added so far is suspected, and is looked at before anything else.
  void end_of_suspected() { suspected_ = components_.size(); }
  void add(const System& system, const ParameterLocus& locus) {
    for (std::size_t k = 0; k < locus.components.size(); ++k) {
      if (locus.components[k].empty()) continue;
      add(system, Component{locus.components[k], locus.leading[k], locus.solutions[k]});
    }
  }
  /// Constants that a proof chose, such as those of a subgroup, are no parameters. Equations in these alone say how to choose them, and
  /// the others are suspected; what an equation in both leaves of the parameters is not known.
  void add(const System& system, Component component) {
    const auto is_parameter_of_model = [&](Symbol s) {
      return std::ranges::any_of(system.parameters, [&](const Parameter& p) { return p.symbol == s; });
    };
    const auto is_foreign = [&](Expr e) {
      return !std::ranges::all_of(symbols_of(e), is_parameter_of_model);
    };
    const auto is_mixed = [&](Expr e) {
      return is_foreign(e) && std::ranges::any_of(symbols_of(e), is_parameter_of_model);
    };
    if (std::ranges::any_of(component.equations, is_foreign)) {
      has_mixed_ = has_mixed_ || std::ranges::any_of(component.equations, is_mixed);
      std::erase_if(component.equations, is_foreign);
      if (!component.equations.empty()) add(system, vanishing_locus(system, component.equations));
      return;
    }
    const auto shown = tidied(component.equations);
    if (!shown || shown->empty()) return;
    if (!known_.insert(text(*shown)).second) return;
    components_.push_back(std::move(component));
  }
  /// Was a component left out that binds parameters and constants of the proof together?
  bool has_mixed() const { return has_mixed_; }
  std::vector<Component> sorted() && {
    const auto size = [](const Component& c) {
      std::size_t n = 0;
      for (const Expr e : c.equations) n += written_size(e);
      return std::pair(c.equations.size(), n);
    };
    const auto rest = components_.begin() + static_cast<std::ptrdiff_t>(suspected_);
    std::ranges::stable_sort(components_.begin(), rest, {}, size);
    std::ranges::stable_sort(rest, components_.end(), {}, size);
    return std::move(components_);
  }

 private:
  std::vector<Component> components_;
  std::size_t suspected_ = 0;
  bool has_mixed_ = false;
  std::set<std::string> known_;
};

/// p = 0 for every parameter without a sign that stands in the system, not within another function.
std::vector<Component> parameters_at_zero(const System& system) {
  std::vector<Component> all;
  for (const Symbol p : free_parameters(system)) {
    if (!p.is_positive()) all.push_back({{Expr(p)}, {p}, {{p, Expr(0)}}});
  }
  return all;
}

/// Free parameters that stand within sin, exp or a power together with something that is no parameter. Where such functions become
/// dependent (x^p and x^2 at p = 2) is no algebraic condition.
std::vector<Symbol> parameters_within_functions(const System& system) {
  std::vector<Expr> all{system.lagrangian};
  all.insert(all.end(), system.forces.begin(), system.forces.end());
  for (const Constraint& c : system.constraints) all.push_back(c.expression);
  const std::vector<Symbol> free = free_parameters(system);
  std::vector<Symbol> found;
  const Tape tape(all);
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    const bool transcendental = e.is(Kind::call) && !e.function().is_abstract() &&
                                !is_call_of(e, Builtin::sqrt) && !is_call_of(e, Builtin::abs);
    if (!transcendental) continue;
    const std::vector<Symbol> symbols = symbols_of(e);
    if (std::ranges::all_of(symbols, is_parameter)) continue;
    for (const Symbol p : free) {
      if (std::ranges::find(symbols, p) != symbols.end()) found.push_back(p);
    }
  }
  std::vector<Symbol> ordered;
  std::ranges::copy_if(free, std::back_inserter(ordered),
                       [&](Symbol p) { return std::ranges::find(found, p) != found.end(); });
  return ordered;
}

/// Small numbers, and each other: values at which frequencies and exponents meet.
std::vector<Component> meeting_values(std::span<const Symbol> parameters) {
  std::vector<Component> all;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Symbol p = parameters[i];
    for (const Rational& value : {Rational(1), Rational(2), Rational(1, 2), Rational(0), Rational(-1),
                                  Rational(-2), Rational(-1, 2)}) {
      if (p.is_positive() && value.sign() <= 0) continue;
      all.push_back({{Expr(p) - Expr(value)}, {p}, {{p, Expr(value)}}});
    }
    for (std::size_t j = 0; j < i; ++j)
      all.push_back({{Expr(p) - Expr(parameters[j])}, {p}, {{p, Expr(parameters[j])}}});
  }
  return all;
}

/// Where all functions of the list vanish: taken apart exactly, or, where that is long, by trying.
ParameterLocus locus_of(const System& system, std::span<const Expr> list) {
  try {
    const Budget scope(work_limits::one_locus);
    return vanishing_locus(system, list);
  } catch (const Exhausted&) {
    Budget::check();
  }
  try {
    return probed_locus(system, list);
  } catch (const Exhausted&) {
    Budget::check();
  }
  ParameterLocus unknown;
  unknown.complete = false;
  return unknown;
}

/// Each function of the record by itself, short ones first. False when not all were taken apart.
bool add_recorded(const System& system, std::span<const Expr> nonzero, Collection& all) {
  constexpr std::size_t longest = search_limits::recorded_condition.count;
  std::vector<std::pair<std::size_t, Expr>> sorted;
  for (const Expr e : nonzero) sorted.emplace_back(graph_size(std::span(&e, 1)), e);
  std::ranges::stable_sort(sorted, {}, [](const auto& x) { return x.first; });
  bool every = true;
  try {
    const Budget scope(work_limits::recorded_loci);
    for (const auto& [size, e] : sorted) {
      if (known_nonzero(e)) continue;
      if (size > longest) return false;
      const ParameterLocus locus = vanishing_locus(system, std::span(&e, 1));
      every = every && locus.complete;
      all.add(system, locus);
    }
  } catch (const Exhausted&) {
    Budget::check();
    return false;
  }
  return every;
}

}  // namespace

Candidates candidate_components(const System& system, const std::vector<Locus>& suspected,
                                const Dependence& dependence, std::span<const Expr> nonzero) {
  Candidates found;
  Collection all;
  const auto open = [&](const std::string& why) {
    if (found.exhaustive) found.open = why;
    found.exhaustive = false;
  };
  const auto add_zeros_of = [&](const std::vector<Expr>& list) {
    const ParameterLocus locus = locus_of(system, list);
    if (!locus.complete) open("the conditions on the parameters are too long to be taken apart");
    all.add(system, locus);
  };
  for (const std::vector<Expr>& list : suspected) add_zeros_of(list);
  all.end_of_suspected();
  for (const std::vector<Expr>& list : dependence.on) add_zeros_of(list);
  const bool on_positions =
      std::ranges::any_of(system.constraints, [](const Constraint& c) { return c.position.has_value(); });
  if (on_positions && !dependence.on.empty())
    open("the conditions may hold on the position constraints and not beside them");
  if (const auto minors = rank_conditions(system)) {
    if (!minors->empty()) {
      const ParameterLocus locus = locus_of(system, *minors);
      if (!locus.complete) open("where the constraints lose rank is too long to be taken apart");
      all.add(system, locus);
    }
  } else {
    open("the constraints are too many to say for which parameters they lose rank");
  }
  if (!dependence.exhaustive) {
    if (!add_recorded(system, nonzero, all)) open("not every pivot of the proof was taken apart");
    if (!dependence.recorded) open("the proof says only in part which parameters matter");
    for (Component& c : parameters_at_zero(system)) all.add(system, std::move(c));
  }
  std::vector<Symbol> within = parameters_within_functions(system);
  if (dependence.exhaustive) {
    std::vector<Expr> conditions;
    for (const auto* lists : {&suspected, &dependence.on}) {
      for (const std::vector<Expr>& list : *lists)
        conditions.insert(conditions.end(), list.begin(), list.end());
    }
    const std::vector<Symbol> matter = parameters_in(system, conditions);
    std::erase_if(within, [&](Symbol p) { return std::ranges::find(matter, p) == matter.end(); });
  }
  if (!within.empty()) {
    open(fmt::format(
        "{} stands within other functions, and not all values at which these become dependent are known",
        within.front().name()));
    for (Component& c : meeting_values(within)) all.add(system, std::move(c));
  }
  if (all.has_mixed()) open("conditions bind parameters together with constants that the proof chose");
  found.components = std::move(all).sorted();
  return found;
}

std::vector<Component> equal_parameters(const System& system) {
  constexpr std::size_t most = search_limits::equal_parameters.count;
  const std::vector<Symbol> free = free_parameters(system);
  std::vector<Component> all;
  if (free.size() > most) return all;
  for (std::size_t i = 0; i < free.size(); ++i) {
    all.push_back({{Expr(free[i]) - Expr(1)}, {free[i]}, {{free[i], Expr(1)}}});
    for (std::size_t j = 0; j < i; ++j)
      all.push_back({{Expr(free[i]) - Expr(free[j])}, {free[i]}, {{free[i], Expr(free[j])}}});
  }
  return all;
}

}  // namespace rattleback
