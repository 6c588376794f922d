#include <rattleback/algebra/writing/form_on_variety.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/pseudo_division.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

bool is_bound(const Variety& variety, Expr e) {
  return std::ranges::any_of(symbols_of(e), [&](Symbol s) { return variety.concerns(s); });
}

/// One relation φ = 0 and an element in one field.
struct OnRelation {
  Generators generators;
  Field field;
  Element value;
  Polynomial relation;

  OnRelation(const std::vector<Expr>& value_and_relation)
      : generators(value_and_relation, {}),
        field(generators.forms()),
        value(field.element(generators.forms()[0])),
        relation(field.element(generators.forms()[1]).numerator()) {
    if (field.has_roots()) relation = norm(relation);  // r = l and r² = P: P = l²
  }

  /// Does the coefficient of the highest power of the generator in φ vanish nowhere?
  bool can_be_eliminated(int g) const {
    return relation.degree(g) > 0 && known_nonzero(field.expression(coefficients_in(relation, g).back()));
  }

  /// The value modulo φ, of lower degree in the generator than φ.
  Element without_high_powers(int g) const {
    const Polynomial lead = coefficients_in(relation, g).back();
    const PseudoRemainder n = pseudo_remainder(value.numerator(), relation, g);
    const PseudoRemainder d = pseudo_remainder(value.denominator(), relation, g);
    return {n.remainder * power(lead, d.m), d.remainder * power(lead, n.m)};
  }
};

/// What one relation makes of e: a short form for each generator that it eliminates.
std::vector<Expr> shapes_by(const Variety& variety, Expr relation, Expr e) {
  std::vector<Expr> shapes;
  const OnRelation here({e, relation});
  for (int g = 0; g < here.field.ring().size(); ++g) {
    const Expr generator = here.field.generators()[static_cast<std::size_t>(g)];
    const bool occurs = here.value.numerator().degree(g) > 0 || here.value.denominator().degree(g) > 0;
    if (occurs && is_bound(variety, generator) && here.can_be_eliminated(g))
      shapes.push_back(short_form(here.field.expression(here.without_high_powers(g))));
  }
  return shapes;
}

/// What one of the relations makes of e.
std::vector<Expr> shapes_of(const Variety& variety, Expr e) {
  std::vector<Expr> shapes;
  if (!is_bound(variety, e) || !fits(e, legible::on_a_line)) return shapes;
  for (const Expr relation : variety.equations()) {
    for (const Expr shape : shapes_by(variety, relation, e)) shapes.push_back(shape);
  }
  return shapes;
}

/// The shortest of these, if it is shorter than e.
std::optional<Expr> shorter(const std::vector<Expr>& shapes, Expr e) {
  PrintedCost cost;
  const auto best = std::ranges::min_element(shapes, {}, [&](Expr shape) { return cost(shape); });
  return best != shapes.end() && cost(*best) < cost(e) ? std::optional(*best) : std::nullopt;
}

/// e by relations one after the other, as long as one of them or two together make it shorter.
Expr shortened(const Variety& variety, Expr e) {
  constexpr std::size_t most_pairs = search_limits::pairs_of_relations.count;
  Expr shortest = short_form(e);
  for (;;) {
    const std::vector<Expr> shapes = shapes_of(variety, shortest);
    auto better = shorter(shapes, shortest);
    const bool in_pairs = variety.equations().size() > 1 && shapes.size() <= most_pairs;
    for (std::size_t i = 0; !better && in_pairs && i < shapes.size(); ++i)
      better = shorter(shapes_of(variety, shapes[i]), shortest);
    if (!better) return shortest;
    shortest = *better;
  }
}

/// Roots and absolute values are shortened from within: the square of √(x² + y²) is seen by its own relation alone.
Expr with_short_arguments(const Variety& variety, Expr e) {
  const auto change = [&](Expr node) {
    if (!is_call_of(node, Builtin::sqrt) && !is_call_of(node, Builtin::abs)) return node;
    const Expr argument = shortened(variety, node.args()[0]);
    return with_args(node, std::span(&argument, 1));
  };
  return rebuild(std::span(&e, 1), change).front();
}

Expr searched(const Variety& variety, Expr e) {
  const Expr off_variety = short_form(e);
  if (!is_bound(variety, off_variety) || !fits(off_variety, legible::on_a_line)) return off_variety;
  const InAmbientSpace everywhere;
  const Budget effort(work_limits::short_form);
  try {
    return shortened(variety, with_short_arguments(variety, off_variety));
  } catch (const Exhausted&) {
    // The form that also holds off the variety stands; so it does below.
  } catch (const NoExactForm&) {
  } catch (const NoValue&) {
  }
  return off_variety;
}

}  // namespace

/// What is remembered costs what it cost, so that limits do not depend on the order of questions.
Expr short_form_on_variety(Expr e) {
  struct Searched {
    Expr form;
    Spent cost;
  };
  const std::shared_ptr<const Variety> variety = Variety::current();
  if (!variety || e.is(Kind::constant) || Budget::out_of_work() || Budget::out_of_steps())
    return short_form(e);
  thread_local std::map<std::pair<std::uint64_t, std::uint64_t>, Searched> known;
  const std::pair key(Variety::current_key(), e.id());
  if (const auto found = known.find(key); found != known.end()) {
    found->second.cost.charge();
    return found->second.form;
  }
  const Spent before = Spent::so_far();
  const Expr shortest = searched(*variety, e);
  if (Budget::out_of_work() || Budget::out_of_steps()) return shortest;
  if (known.size() >= search_limits::short_forms.count) known.clear();
  known.emplace(key, Searched{shortest, Spent::so_far().since(before)});
  return shortest;
}

}  // namespace rattleback
