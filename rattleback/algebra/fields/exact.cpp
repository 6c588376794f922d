#include <rattleback/algebra/fields/exact.hpp>

#include <algorithm>
#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/triangular_set.hpp>
#include <rattleback/algebra/expression/charts.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/double_angle.hpp>
#include <rattleback/algebra/fields/exact_zeros.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/fields/trig_shapes.hpp>

namespace rattleback {
namespace {

/// Is the element, whose form is not zero, certainly not the zero function? When roots depend on each other in a
/// way the relations do not know, a nonzero form may vanish; a nonzero norm excludes that.
bool is_certainly_nonzero(const Field& field, const Generators& generators, const Element& x) {
  if (!generators.independent()) return false;
  return !field.has_roots() || !norm(x.numerator()).is_zero();
}

/// The answer with one choice of generators. `left_together`: another splitting of roots may say more.
struct Attempt {
  ExactZero result;
  bool left_together = false;
};

bool is_bound(const Variety& variety, Expr e) {
  return std::ranges::any_of(symbols_of(e), [&](Symbol s) { return variety.index_of(s).has_value(); });
}

/// On a variety: numerators are reduced by a triangular set of its ideal.
Attempt attempted_on(const Variety& variety, std::span<const Expr> es, RootSplitting splitting,
                     bool half_angles) {
  std::vector<Expr> all(es.begin(), es.end());
  all.insert(all.end(), variety.equations().begin(), variety.equations().end());
  const Generators generators(all, {splitting, half_angles, false, {}});
  const Field field(generators.forms());
  ExactZero result;
  result.field = field.description() + " modulo the position constraints";
  result.assumptions = generators.assumptions();
  std::vector<Element> elements = field.elements(generators.forms());
  std::vector<Polynomial> relations;
  for (std::size_t i = es.size(); i < elements.size(); ++i) {
    relations.push_back(elements[i].numerator());
    if (field.has_roots()) relations.push_back(norm(elements[i].numerator()));  // r = l and r² = P: P = l²
  }
  const auto may_lead = [&](int g) {
    const Expr e = field.generators()[static_cast<std::size_t>(g)];
    if (e.is(Kind::symbol)) return variety.index_of(e.symbol()).has_value();
    const bool solvable = e.is(Kind::call) && (e.function() == half_angle_tangent() ||
                                               is_call_of(e, Builtin::sqrt) || is_call_of(e, Builtin::abs));
    return solvable && is_bound(variety, e);
  };
  const auto vanishes_nowhere = [&](const Polynomial& p) {
    return variety.is_generically_nonzero(in_functions(field.form(p)));
  };
  const TriangularSet triangular(std::move(relations), {may_lead, vanishes_nowhere});
  for (const Polynomial& initial : triangular.initials()) {
    if (vanishes_nowhere(initial)) continue;
    result.obstacle =
        "a leading coefficient of the triangular form of the position constraints may vanish on them";
    return {std::move(result), generators.left_together()};
  }
  result.answer = ExactAnswer::zero;
  for (std::size_t i = 0; i < es.size(); ++i) {
    if (triangular.reduced(elements[i].numerator()).is_zero()) continue;
    result.answer = ExactAnswer::unknown;
    result.obstacle = "it is not in the ideal of the position constraints in " + field.description();
    break;
  }
  return {std::move(result), generators.left_together()};
}

Attempt attempted(std::span<const Expr> es, RootSplitting splitting, bool half_angles) {
  if (const auto& variety = Variety::current();
      variety && std::ranges::any_of(es, [&](Expr e) { return is_bound(*variety, e); }))
    return attempted_on(*variety, es, splitting, half_angles);
  const Generators generators(es, {splitting, half_angles, false, {}});
  const Field field(generators.forms());
  ExactZero result;
  result.answer = ExactAnswer::zero;
  result.field = field.description();
  result.assumptions = generators.assumptions();
  for (const Element& x : field.elements(generators.forms())) {
    if (x.is_zero()) continue;
    if (is_certainly_nonzero(field, generators, x)) {
      result.answer = ExactAnswer::nonzero;
      break;
    }
    result.answer = ExactAnswer::unknown;
    result.obstacle = "nothing is known about algebraic relations between the generators of " + result.field;
  }
  return {std::move(result), generators.left_together()};
}

/// √(xy) and √x·√y are different functions where x and y are negative, so the first attempt splits no roots.
ExactZero decided(std::span<const Expr> es, bool half_angles) {
  Attempt honest = attempted(es, RootSplitting::honest, half_angles);
  if (honest.result.answer == ExactAnswer::zero || !honest.left_together) return std::move(honest.result);
  try {
    Attempt assumed = attempted(es, RootSplitting::assumed, half_angles);
    if (assumed.result.answer == ExactAnswer::zero) return std::move(assumed.result);
  } catch (const NoExactForm&) {
    // The answer without splitting stands.
  }
  return std::move(honest.result);
}

}  // namespace

ExactZero exact_zero(Expr e) { return exact_zeros(std::span<const Expr>(&e, 1)); }

ExactZero exact_zeros(std::span<const Expr> es) {
  std::string obstacle;
  // The pair cos, sin keeps degrees low; where it swells, t = tan(b/2) has unique factorisation.
  const auto& variety = Variety::current();
  const bool binds_angles =
      variety && std::ranges::any_of(variety->unknowns(), [&](Symbol s) { return variety->is_angle(s); });
  for (const bool half_angles : {false, true}) {
    if (binds_angles && !half_angles) continue;  // the pair has a relation of its own
    try {
      std::vector<Expr> free(es.begin(), es.end());
      for (Expr& e : free) e = on_free_symbols(e);
      return decided(free, half_angles);
    } catch (const Exhausted& limit) {
      obstacle = limit.what();
    } catch (const NoExactForm& none) {
      obstacle = none.what();
      break;
    } catch (const NoValue& error) {
      obstacle = error.summary;
      break;
    }
  }
  return {ExactAnswer::unknown, {}, obstacle, {}};
}

namespace {

/// When a base angle is half of what occurred and the element is a function of twice that angle, it is written so.
/// Without this, sin(x/2)·cos(x/2) and sin(x)/2 would have different forms. An angle that was doubled before still stands
/// under a root, from which it comes back as a base angle: it is left alone.
std::optional<Expr> in_whole_angles(const Field& field, const Element& x, std::vector<Expr>& doubled_before) {
  for (const Relation* pair : pairs_of(field.ring())) {
    const Expr angle = field.generators()[static_cast<std::size_t>(pair->generator)].args()[0];
    const Rational half_denominator = split_coefficient(angle).coefficient.denominator() * Rational(1, 2);
    if (!half_denominator.is_integer()) continue;
    if (std::ranges::find(doubled_before, angle) != doubled_before.end()) continue;
    if (const auto doubled = in_double_angle(field, x, *pair)) {
      doubled_before.push_back(angle);
      return doubled;
    }
  }
  return std::nullopt;
}

struct CanonicalElement {
  Field field;
  Element value;
};

/// Every angle is doubled at most once, so this ends.
CanonicalElement canonical_element(Expr e) {
  std::vector<Expr> doubled_before;
  for (;;) {
    const Generators generators(std::span<const Expr>(&e, 1), {});
    Field field(generators.forms());
    Element value = field.element(generators.forms()[0]);
    const auto lower = in_whole_angles(field, value, doubled_before);
    if (!lower) return {std::move(field), std::move(value)};
    e = *lower;
  }
}

}  // namespace

Expr canonical(Expr e) {
  if (e.is(Kind::constant) || e.is(Kind::symbol)) return e;
  try {
    const auto [field, value] = canonical_element(e);
    return field.expression(value);
  } catch (const Exhausted&) {
    return e;
  } catch (const NoExactForm&) {
    return e;
  } catch (const NoValue&) {
    return e;
  }
}

std::vector<Expr> canonical_terms(Expr e) {
  const auto [field, value] = canonical_element(e);
  std::vector<Expr> terms;
  const Polynomial& n = value.numerator();
  for (std::size_t i = 0; i < n.terms(); ++i) {
    Polynomial term(n.ring());
    term.add_term(n.coefficient(i), n.exponents(i));
    terms.push_back(field.expression(Element(term, value.denominator())));
  }
  return terms;
}

}  // namespace rattleback
