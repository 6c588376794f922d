// Declared in algebra/modular/variety_points.hpp. Points modulo p: free coordinates at random, dependent ones as roots of polynomials.
#include <algorithm>
#include <functional>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/modular/modular_zeros.hpp>
#include <rattleback/algebra/modular/variety_algebra.hpp>

namespace rattleback {
namespace {

bool is_half_angle_tangent(Expr e) { return e.is(Kind::call) && e.function() == half_angle_tangent(); }

}  // namespace

NamedCalls::NamedCalls(std::span<const Expr> es, std::span<const Symbol> unknowns) {
  expressions_ = rebuild(es, [&](Expr e) {
    if (!e.is(Kind::call) || symbols_of(e).empty()) return e;
    const bool depends = std::ranges::any_of(unknowns, [&](Symbol s) { return contains(e, s); });
    if (depends) return e;
    const Symbol name = Symbol::make("\1call " + std::to_string(e.id()));
    meanings_.emplace(name, e);
    return Expr(name);
  });
}

Expr NamedCalls::meaning(Expr e) const {
  for (Expr next = substitute(e, meanings_); next != e; next = substitute(e, meanings_)) e = next;
  return e;
}

VarietyPoints::VarietyPoints(std::vector<Expr> relations) : Variety(std::move(relations)) {
  for (const Expr e : equations_) slopes_.push_back(gradient(e, unknowns_));
}

std::shared_ptr<const Variety> variety_of(const std::vector<Expr>& relations) {
  constexpr std::size_t most = search_limits::varieties.count;
  std::vector<Expr> nontrivial;
  for (const Expr e : relations) {
    if (!e.is(Kind::constant) && std::ranges::find(nontrivial, e) == nontrivial.end())
      nontrivial.push_back(e);
  }
  if (nontrivial.empty()) return nullptr;
  std::vector<std::uint32_t> ids;
  for (const Expr e : nontrivial) ids.push_back(e.id());
  thread_local std::map<std::vector<std::uint32_t>, std::shared_ptr<const Variety>> known;
  if (const auto found = known.find(ids); found != known.end()) return found->second;
  if (known.size() >= most) known.clear();
  const UnchargedScope remembered;
  std::shared_ptr<const Variety> made = std::make_shared<const VarietyPoints>(std::move(nontrivial));
  if (made->unknowns().empty()) made = nullptr;
  return known.emplace(std::move(ids), std::move(made)).first->second;
}

/// With `turned` in a + π/2 for every angle a: tan(a/2) has no value at a = π, where a whole part of N may lie (sin a = 0).
const VarietyPoints::Algebra& VarietyPoints::algebra(bool turned) const {
  std::shared_ptr<Algebra>& known = algebras_[turned ? 1 : 0];
  if (known) return *known;
  const UnchargedScope remembered;
  auto found = std::make_shared<Algebra>();
  try {
    const InAmbientSpace ambient;
    const Budget effort(work_limits::equations_of_a_variety);
    std::vector<Expr> all = turned ? substitute(equations_, turned_angles(1)) : equations_;
    found->named = std::make_unique<NamedCalls>(all, unknowns_);
    all = found->named->expressions();
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      if (sorts_[i] == Sort::angle) all.push_back(cos(Expr(unknowns_[i])));  // a base angle, not a - b
    }
    const Generators generators(all, {RootSplitting::honest, true, false, {}});
    found->field = std::make_unique<Field>(generators.forms());
    for (const Element& x : found->field->elements(generators.forms())) {
      if (found->polynomials.size() < equations_.size()) found->polynomials.push_back(x.numerator());
    }
    for (const Expr g : found->field->generators())
      found->functions.push_back(found->named->meaning(in_functions(g)));
    found->exists = true;
    for (std::size_t i = 0; i < unknowns_.size() && turned; ++i) {
      const bool stands_alone =
          std::ranges::find(found->functions, Expr(unknowns_[i])) != found->functions.end();
      if (sorts_[i] == Sort::angle && stands_alone) found->exists = false;
    }
  } catch (const NoExactForm&) {
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
  }
  known = std::move(found);
  return *known;
}

SymbolMap VarietyPoints::turned_angles(int quarters) const {
  SymbolMap turned;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    if (sorts_[i] == Sort::angle)
      turned.emplace(unknowns_[i], Expr(unknowns_[i]) + Expr(Rational(quarters, 2)) * pi());
  }
  return turned;
}

long VarietyPoints::degree_of(std::size_t unknown) const {
  const Algebra& a = algebra(false);
  long degree = 0;
  if (!a.exists) return degree;
  const std::span<const Expr> generators = a.field->generators();
  for (std::size_t g = 0; g < generators.size(); ++g) {
    const Expr e = generators[g];
    if (e != Expr(unknowns_[unknown]) && !(e.is(Kind::call) && contains(e, unknowns_[unknown]))) continue;
    for (const Polynomial& p : a.polynomials) degree = std::max(degree, p.degree(static_cast<int>(g)));
  }
  return degree;
}

/// Where there is no real point: the pivots of dφ at a random point of the ambient space.
VarietyChart VarietyPoints::generic_chart() const {
  const InAmbientSpace ambient;
  std::vector<std::size_t> order(unknowns_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return std::pair(sorts_[i], degree_of(i)); });
  std::vector<Expr> entries;
  for (const auto& row : slopes_) {
    for (const std::size_t j : order) entries.push_back(row[j]);
  }
  const auto run = ModularProgram(entries).run_near(1);
  if (!run) return {};
  ModularMatrix a(static_cast<int>(slopes_.size()), static_cast<int>(order.size()));
  for (std::size_t i = 0; i < slopes_.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j)
      a(static_cast<int>(i), static_cast<int>(j)) = run->value(i * order.size() + j);
  }
  const Echelon e = row_echelon(a);
  VarietyChart chart;
  for (const int j : e.pivots) chart.dependent.push_back(order[static_cast<std::size_t>(j)]);
  for (const int i : e.rows) chart.rows.push_back(static_cast<std::size_t>(i));
  std::ranges::sort(chart.dependent);
  return chart;
}

/// None where the variety has components of different dimension: which of them the motion is on, the relations do not say.
std::vector<VarietyChart> VarietyPoints::found_charts() const {
  constexpr std::uint64_t seeds = search_limits::charts_of_a_variety.count;
  constexpr std::size_t enough = search_limits::charts_kept.count;
  std::vector<VarietyChart> charts;
  const auto add = [&](VarietyChart chart) {
    if (!chart.dependent.empty() && std::ranges::find(charts, chart) == charts.end())
      charts.push_back(std::move(chart));
  };
  std::size_t points = 0, rank = 0;
  for (std::uint64_t seed = 1; seed <= seeds && points < enough; ++seed) {
    const InAmbientSpace ambient;
    const BallPoint at(seed);
    const auto point = real_point(at);
    if (!point) continue;
    if (points++ > 0 && point->chart.dependent.size() != rank) return {};
    rank = point->chart.dependent.size();
    add(preferred_chart(*point, at));
  }
  if (points == 0) add(generic_chart());
  return charts;
}

std::span<const VarietyChart> VarietyPoints::charts() const {
  if (!charts_) {
    const UnchargedScope remembered;
    charts_ = found_charts();
  }
  return *charts_;
}

std::optional<ModularVarietyPoint> VarietyPoints::modular_point(const ModularPoint& at) const {
  constexpr std::size_t most = search_limits::modular_points.count;
  std::uint64_t key = mix(at.seed(), 0x2545F4914F6CDD1DU);
  for (const Symbol s : given_) key = mix(key, at.value<ModP>(s).word());
  if (const auto found = modular_points_.find(key); found != modular_points_.end()) return found->second;
  const UnchargedScope remembered;
  auto point = found_modular_point(at);
  if (modular_points_.size() >= most) modular_points_.clear();
  return modular_points_.emplace(key, std::move(point)).first->second;
}

bool VarietyPoints::is_generically_nonzero(Expr e) const {
  constexpr std::uint64_t points = search_limits::generic_values.count;
  constexpr long bits = 256;
  const OnVariety here(shared_from_this());
  const auto run = ModularProgram(e).run_near(1);
  bool seen = run && !run->value().is_zero();
  for (std::uint64_t seed = 1; seed <= points; ++seed) {
    const auto value = evaluate_ball(e, BallPoint(seed), bits);
    if (value && value->contains_zero()) return false;
    seen = seen || value;
  }
  return seen && vanishes_on_no_part(e);
}

/// At points of each part that has any where e is defined.
bool VarietyPoints::vanishes_on_no_part(Expr e) const {
  constexpr long bits = 256;
  for (const VarietyPart& part : parts()) {
    for (const std::uint64_t seed : part.real) {
      const auto value = evaluate_ball(e, BallPoint(seed), bits);
      if (value && value->contains_zero()) return false;
    }
    if (!part.real.empty()) continue;
    const ModularProgram program(e);
    for (const std::uint64_t seed : part.modular) {
      const auto run = program.run(ModularPoint(seed));
      if (run && run->value().is_zero()) return false;
    }
  }
  return true;
}

bool VarietyPoints::has_points() const {
  constexpr std::uint64_t seeds = search_limits::point_of_a_variety.count;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    if (modular_point(ModularPoint(seed))) return true;
  }
  return false;
}

/// The chart's generators: which are variables, and what the others are functions of.
std::shared_ptr<const VarietyPoints::Plan> VarietyPoints::plan(std::size_t chart, bool turned) const {
  const Algebra& a = algebra(turned);
  if (!a.exists || chart >= charts().size()) return nullptr;
  auto& known = algebras_[turned ? 1 : 0]->plans;
  known.resize(charts().size());
  if (known[chart]) return *known[chart];
  const auto depends = [&](Expr e) {
    return std::ranges::any_of(charts()[chart].dependent,
                               [&](std::size_t i) { return contains(e, unknowns_[i]); });
  };
  const std::span<const Expr> generators = a.field->generators();
  auto plan = std::make_shared<Plan>();
  plan->variable.resize(generators.size());
  std::vector<Expr> given(generators.size());
  for (std::size_t g = 0; g < generators.size() && plan; ++g) {
    if (!depends(a.functions[g])) {
      given[g] = a.functions[g];
      continue;
    }
    const Expr e = generators[g];
    const bool solvable = e.is(Kind::symbol) || is_call_of(e, Builtin::sqrt) || is_call_of(e, Builtin::abs) ||
                          (is_half_angle_tangent(e) && split_coefficient(e.args()[0]).rest.is(Kind::symbol));
    if (solvable) {
      plan->variable[g] = plan->variables.size();
      plan->variables.push_back(g);
    } else {
      plan = nullptr;
    }
  }
  if (plan) {
    // The variety keeps these programs: if they owned it, it would never be freed.
    const OnVariety here(std::shared_ptr<const Variety>(std::shared_ptr<void>(), this));
    plan->given.emplace(given);
    if (!check_) check_ = std::make_shared<const ModularProgram>(equations_);
  }
  known[chart] = plan;
  return plan;
}

std::optional<ModularVarietyPoint> VarietyPoints::found_modular_point(const ModularPoint& at) const {
  constexpr std::uint64_t draws = search_limits::dependent_coordinates.count;
  if (charts().empty()) return std::nullopt;
  const std::size_t chart = at.seed() % charts().size();
  const bool has_angles = std::ranges::find(sorts_, Sort::angle) != sorts_.end();
  // Turned angles reach parts that the others do not. Where parts are not told apart, points may not move from one to another.
  const bool may_turn = has_angles && (looks_for_parts_ || has_modular_parts());
  bool turned = may_turn && (mix(at.seed(), 0x8CB92BA72F3D8DD7U) & 1U) != 0;
  auto how = plan(chart, turned);
  if (!how && has_angles) {
    turned = !turned;
    how = plan(chart, turned);
  }
  if (!how) return std::nullopt;
  const bool rigid = charts()[chart].dependent.size() == unknowns_.size();
  try {
    for (std::uint64_t draw = 0; draw < (rigid ? 1 : draws); ++draw) {
      if (auto point = solved(*how, turned, at, drawn(charts()[chart], at, draw))) return point;
    }
  } catch (const Exhausted&) {
    Budget::check();
  }
  return std::nullopt;
}

/// Values of the free coordinates: those of the point, or others where its polynomials have no roots.
ModularVarietyPoint VarietyPoints::drawn(const VarietyChart& chart, const ModularPoint& at,
                                         std::uint64_t draw) const {
  ModularVarietyPoint point;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    const Symbol s = unknowns_[i];
    point.values[s] = at.value<ModP>(s);
    if (draw == 0 || std::ranges::find(chart.dependent, i) != chart.dependent.end()) continue;
    const std::uint64_t key = mix(mix(s.hash(), 0x9FB21C651E98DF25U), draw);
    point.values[s] = at.generator<ModP>(key);
    if (sorts_[i] == Sort::angle) point.circles[s] = circle(at.generator<ModAngle>(key));
  }
  return point;
}

std::optional<ModularVarietyPoint> VarietyPoints::solved(const Plan& plan, bool turned,
                                                         const ModularPoint& at,
                                                         const ModularVarietyPoint& free) const {
  const Algebra& a = algebra(turned);
  const std::span<const Expr> generators = a.field->generators();
  ModularVarietyPoint there = free;
  for (std::size_t i = 0; i < unknowns_.size() && turned; ++i) {
    if (sorts_[i] != Sort::angle) continue;
    const auto drawn_before = free.circles.find(unknowns_[i]);
    const CirclePoint here =
        drawn_before != free.circles.end() ? drawn_before->second : circle(at.value<ModAngle>(unknowns_[i]));
    there.circles[unknowns_[i]] = {here.s, -here.c};  // of a - π/2
  }
  const auto values = plan.given->run(at.completed(there));
  if (!values) return std::nullopt;

  const ModularRing ring(plan.variables.size());
  ModularZeros::Polynomials system;
  const auto add = [&](const Polynomial& p) {
    ModularPolynomial q(ring);
    std::vector<ulong> exponents(plan.variables.size());
    for (std::size_t i = 0; i < p.terms(); ++i) {
      ModP c = ModP::from(p.coefficient(i)).value_or(ModP());
      const std::vector<ulong> of = p.exponents(i);
      for (std::size_t g = 0; g < of.size(); ++g) {
        if (plan.variable[g]) {
          exponents[*plan.variable[g]] = of[g];
        } else if (of[g] > 0) {
          c *= power(values->value(g), of[g]);
        }
      }
      if (!c.is_zero()) nmod_mpoly_push_term_ui_ui(q.raw(), c.canonical(), exponents.data(), ring.context());
    }
    nmod_mpoly_sort_terms(q.raw(), ring.context());
    nmod_mpoly_combine_like_terms(q.raw(), ring.context());
    system.push_back(std::move(q));
  };
  for (const Polynomial& p : a.polynomials) add(p);
  for (const Relation& r : a.field->ring().relations()) {
    if (!plan.variable[static_cast<std::size_t>(r.generator)]) continue;
    const Polynomial g = Polynomial::generator(a.field->ring(), r.generator);
    add(g * g - r.square);
  }

  ModularVarietyPoint point;
  const auto accepts = [&](const ModularZeros::Values& found) {
    point = free;
    for (std::size_t k = 0; k < plan.variables.size(); ++k) {
      const Expr e = generators[plan.variables[k]];
      const ModP x = ModP::from(Rational(static_cast<long>(*found[k]))).value_or(ModP());
      if (e.is(Kind::symbol)) point.values[e.symbol()] = x;
      if (!is_half_angle_tangent(e)) continue;
      const Scaled argument = split_coefficient(e.args()[0]);
      const Rational whole = Rational(1) / (Rational(2) * argument.coefficient);
      const ModP norm = 1 + x * x;
      if (!whole.is_integer() || norm.is_zero()) return false;
      const CirclePoint on = power(CirclePoint{(1 - x * x) / norm, 2 * x / norm}, whole.to_long(1));
      point.circles[argument.rest.symbol()] = turned ? CirclePoint{-on.s, on.c} : on;
    }
    const auto run = check_->run(at.completed(point));
    if (!run) return false;
    for (std::size_t i = 0; i < equations_.size(); ++i) {
      if (!run->value(i).is_zero()) return false;
    }
    return true;
  };
  ModularZeros zeros(at.seed(), accepts);
  if (!zeros.search(system, ModularZeros::Values(plan.variables.size()))) return std::nullopt;
  return point;
}

}  // namespace rattleback
