#include <rattleback/algebra/writing/short_form.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/squared_forms.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/double_angle.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/fields/trig_shapes.hpp>
#include <rattleback/algebra/solving/poisson_vector.hpp>
#include <rattleback/algebra/writing/fraction_shapes.hpp>
#include <rattleback/algebra/writing/lowest_terms.hpp>
#include <rattleback/algebra/writing/polynomial_writer.hpp>
#include <rattleback/algebra/writing/regrouped.hpp>

namespace rattleback {
namespace {

/// The shortest expression seen so far.
class Shortest {
 public:
  explicit Shortest(Expr first) : best_(first), cost_(measure_(first)) {}
  /// On equal length the newcomer wins: the expression as it was built comes first and says least.
  void consider(Expr e) {
    const int cost = measure_(e);
    if (cost > cost_) return;
    best_ = e;
    cost_ = cost;
  }
  /// Fractions within a fraction must save some letters, and not only minuses: formulas of one page share more parts without them.
  void consider_fractions(Expr e, int worth) {
    if (measure_(e) + worth <= cost_ && text(e).size() < text(best_).size()) consider(e);
  }
  /// Prefers an expression whose form shows more about its value, even if it is a little longer.
  void prefer(Expr e) {
    constexpr int reason = 3;
    const int cost = measure_(e);
    if (cost > reason * cost_) return;
    best_ = e;
    cost_ = cost;
  }
  Expr expression() const { return best_; }
  int cost() const { return cost_; }

 private:
  PrintedCost measure_;
  Expr best_;
  int cost_;
};

/// The shortest of all shapes of one element in one field; nothing when none can be shorter than `bound`.
std::optional<Expr> shortest_shape(const Field& field, const Element& x, int bound) {
  PolynomialWriter writer(field, bound);
  if (x.is_zero()) return Expr(0);
  if (writer.is_hopeless(x.numerator(), x.denominator())) return std::nullopt;
  Shortest shortest(writer.quotient(x.numerator(), x.denominator()));
  if (x.terms() > writer_limit) return shortest.expression();
  // With cos² eliminated from both parts a common factor may appear: (1 − s)/c² = 1/(1 + s).
  for (const Relation* pair : pairs_of(field.ring())) {
    if (!involves(x.denominator(), *pair)) continue;
    Polynomial n = without_cos_squared(x.numerator(), *pair), d = without_cos_squared(x.denominator(), *pair);
    cancel(n, d);
    shortest.consider(writer.quotient(n, d));
  }
  if (const auto e = by_velocities(field, writer, x, shortest.cost())) shortest.consider(*e);
  if (const auto e = with_polynomial_part(writer, x.numerator(), x.denominator())) shortest.consider(*e);
  for (const Expr e : in_partial_fractions(writer, x)) shortest.consider_fractions(e, 3);
  if (const auto e = over_reciprocals(field, writer, x)) shortest.consider_fractions(*e, 3);
  return shortest.expression();
}

/// Different forms of the equations of motion contain equal functions, written differently: each is searched once.
/// What is remembered follows from the element and the bound alone, and so does its work: the answers do not depend on their
/// order.
void consider_shapes(const Field& field, const Element& x, Shortest& shortest) {
  struct Searched {
    std::optional<Expr> shape;
    Spent cost;
  };
  thread_local std::map<std::pair<std::uint64_t, int>, Searched> known;
  constexpr std::size_t most_known = search_limits::writings.count;
  const auto bound = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(shortest.cost(), 1))));
  const std::pair key(field.expression(x).id(), bound);
  auto found = known.find(key);
  if (found == known.end()) {
    if (known.size() >= most_known) known.clear();
    const Spent before = Spent::so_far();
    const std::optional<Expr> shape = shortest_shape(field, x, bound);
    found = known.emplace(key, Searched{shape, Spent::so_far().since(before)}).first;
  } else {
    found->second.cost.charge();
  }
  if (found->second.shape) shortest.consider(*found->second.shape);
}

/// Base angles worth trying: those that occurred, if they generate the others; and a ± b in place of a or b.
std::vector<std::vector<LinearForm>> other_angles(std::span<const LinearForm> occurring,
                                                  std::span<const Expr> left) {
  std::vector<std::vector<LinearForm>> choices;
  std::vector<LinearForm> independent;
  for (const LinearForm& a : occurring) {
    std::vector<LinearForm> larger = independent;
    larger.push_back(a);
    if (integer_coordinates(LinearForm{}, larger)) independent = std::move(larger);
  }
  const bool all_atoms =
      std::ranges::all_of(independent, [](const LinearForm& a) { return a.terms.size() == 1; });
  if (!all_atoms) choices.push_back(independent);
  const std::vector<LinearForm> atoms = bases_by_atom(occurring);
  const auto is_left = [&](const LinearForm& a) {
    return std::ranges::find(left, expression(a)) != left.end();
  };
  constexpr std::size_t most = search_limits::generators_exchanged.count;
  if (left.size() > most) return choices;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    for (std::size_t j = 0; j < atoms.size(); ++j) {
      if (i == j || !is_left(atoms[i]) || !is_left(atoms[j])) continue;
      for (const int sign : {1, -1}) {
        std::vector<LinearForm> changed = atoms;
        const LinearForm::Term& other = atoms[j].terms[0];
        changed[i].terms.push_back({other.atom, sign < 0 ? -other.coefficient : other.coefficient});
        choices.push_back(std::move(changed));
      }
    }
  }
  return choices;
}

/// An expression in one choice of generators.
struct Reading {
  Generators generators;
  Field field;
  Element value;

  Reading(Expr e, GeneratorChoice choice)
      : generators(std::span<const Expr>(&e, 1), std::move(choice)),
        field(generators.forms()),
        value(field.element(generators.forms()[0])) {}

  /// Base angles that did not cancel.
  std::vector<Expr> angles() const {
    std::vector<Expr> out;
    for (const Relation* pair : pairs_of(field.ring())) {
      if (!involves(value.numerator(), *pair) && !involves(value.denominator(), *pair)) continue;
      out.push_back(field.generators()[static_cast<std::size_t>(pair->generator)].args()[0]);
    }
    return out;
  }
};

void consider_angles(Expr e, const Reading& plain, std::size_t work, Shortest& shortest);

/// An expression in γ with one of the squares eliminated, and the way back to the entries of the rotation matrix.
struct DirectionReading {
  Expr expression;
  SymbolMap back;
  std::unique_ptr<Reading> reading;
  std::size_t work;
  Expr in_entries;  ///< the value

  DirectionReading(const InDirections& seen, int eliminated) {
    SymbolMap turned;
    for (const auto& [gamma, entry] : seen.back) {
      Symbol::Attributes attributes = gamma.attributes();
      attributes.entry = (attributes.entry + 2 - eliminated + 3) % 3;  // the last is eliminated
      const Symbol other = Symbol::make(gamma.name(), attributes);
      turned.emplace(gamma, Expr(other));
      back.emplace(other, entry);
    }
    expression = substitute(seen.expression, turned);
    const std::size_t before = Budget::work();
    reading = std::make_unique<Reading>(expression, GeneratorChoice{});
    work = Budget::work() - before;
    in_entries = substitute(reading->field.expression(reading->value), back);
  }
};

/// A rotation matrix of which only one direction γ matters. |γ|² = 1 may rid the formula of any one of the squares, or of
/// none: then it reads best when it came without the others. Where there are no squares all are the same, and one is searched.
void consider_directions(const InDirections& seen, Shortest& shortest) {
  const Expr as_entries = substitute(seen.expression, seen.back);
  shortest.prefer(as_entries);
  const Reading free(as_entries, {});
  consider_shapes(free.field, free.value, shortest);
  std::vector<Expr> searched;
  for (const int eliminated : {0, 1, 2}) {
    const DirectionReading r(seen, eliminated);
    if (std::ranges::find(searched, r.in_entries) != searched.end()) continue;
    searched.push_back(r.in_entries);
    Shortest in_gamma(r.expression);
    consider_angles(r.expression, *r.reading, r.work, in_gamma);
    shortest.consider(substitute(in_gamma.expression(), r.back));
  }
}

/// The reading with fewest terms in other angles, if one has fewer than `plain`. One that takes much more work has more terms.
std::unique_ptr<Reading> smallest_reading(Expr e, const Reading& plain, std::size_t work,
                                          const std::vector<Expr>& left) {
  std::unique_ptr<Reading> best;
  const auto consider = [&](Expr form, GeneratorChoice choice) {
    try {
      const Budget limit({.work = work + work_limits::other_angles.work});
      auto other = std::make_unique<Reading>(form, std::move(choice));
      if (other->value.terms() < (best ? *best : plain).value.terms()) best = std::move(other);
    } catch (const Exhausted&) {
      if (Budget::out_of_work()) throw;
    }
  };
  if (left.size() > 1) {
    for (auto& angles : other_angles(plain.generators.angles(), left)) {
      GeneratorChoice choice;
      choice.angles = std::move(angles);
      consider(e, std::move(choice));
    }
  }
  for (const Relation* pair : pairs_of(plain.field.ring())) {
    const auto doubled = in_double_angle(plain.field, plain.value, *pair);
    if (!doubled) continue;
    GeneratorChoice choice;
    for (const Expr angle : left) {
      const bool this_one = plain.field.index(sin(angle)) == pair->generator;
      choice.angles.push_back(linear_form(this_one ? 2 * angle : angle));
    }
    consider(*doubled, std::move(choice));
  }
  return best;
}

/// The reading with fewest terms is searched; that in plain angles only when it has hardly more.
void consider_angles(Expr e, const Reading& plain, std::size_t work, Shortest& shortest) {
  const std::vector<Expr> left = plain.angles();
  std::unique_ptr<Reading> other;
  if (plain.value.terms() <= writer_limit) other = smallest_reading(e, plain, work, left);
  if (other) consider_shapes(other->field, other->value, shortest);
  if (!other || 4 * plain.value.terms() <= 5 * other->value.terms())
    consider_shapes(plain.field, plain.value, shortest);
  if (plain.value.terms() <= writer_limit && plain.generators.has_exponentials()) {
    GeneratorChoice hyperbolic;
    hyperbolic.hyperbolic = true;
    const Reading in_cosh(e, hyperbolic);
    consider_shapes(in_cosh.field, in_cosh.value, shortest);
  }
}

void consider_readings(Expr e, Shortest& shortest) {
  if (const auto seen = in_directions(e)) return consider_directions(*seen, shortest);
  if (const auto squares = in_squared_forms(e)) {
    const Reading in_forms(squares->expression, {});
    Shortest in_names(squares->expression);
    consider_shapes(in_forms.field, in_forms.value, in_names);
    shortest.consider(substitute(in_names.expression(), squares->back));
  }
  const std::size_t before = Budget::work();
  const Reading plain(e, {});
  consider_angles(e, plain, Budget::work() - before, shortest);
}

}  // namespace

namespace {

/// The formula, or another of the same function where this one is 0/0 at states at which the function is regular: that in lowest terms, or e
/// as it was built.
Expr without_removable_poles(Expr e, Expr formula) {
  if (!has_removable_pole(formula)) return formula;
  try {
    if (const auto lowest = in_lowest_terms(e); lowest && !has_removable_pole(*lowest)) return *lowest;
  } catch (const Exhausted&) {
    if (Budget::out_of_work()) return formula;
  } catch (const NoExactForm&) {
  } catch (const NoValue&) {
  }
  return formula != e && !has_removable_pole(e) ? e : formula;
}

Expr searched(Expr e) {
  // What has no short form after this effort is better read with its shared parts named. A large graph collapses soon or never:
  // its parts have short forms, too.
  constexpr std::size_t large_graph = search_limits::long_formula.count,
                        largest_graph = search_limits::longest_formula.count;
  constexpr int longest = legible::searched_for_a_short_form.count;
  e = without_idle_rotations(e);
  const std::size_t graph = graph_size(std::span<const Expr>(&e, 1));
  if (graph > largest_graph) return e;
  const Budget effort(graph > large_graph ? work_limits::short_form_of_a_long_formula
                                          : work_limits::short_form);
  Shortest shortest(e);
  if (shortest.cost() > longest) return e;
  try {
    consider_readings(e, shortest);
  } catch (const Exhausted&) {
    // What was found so far stands; so it does below.
  } catch (const NoExactForm&) {
  } catch (const NoValue&) {
  }
  // A long formula is printed with its shared parts named, so its graph size is compared and not its length.
  const Expr found = regrouped(shortest.expression());
  const bool is_long = !fits(found, legible::without_named_parts);
  const auto size = [](const Expr& x) { return graph_size(std::span<const Expr>(&x, 1)); };
  return without_removable_poles(e, is_long && size(e) < size(found) ? e : found);
}

}  // namespace

/// Where a limit of the caller ends the search the expression stays as it was built, whatever was remembered of it.
Expr short_form(Expr e) {
  const InAmbientSpace everywhere;
  if (e.is(Kind::constant) || e.is(Kind::symbol) || Budget::out_of_work() || Budget::out_of_steps()) return e;
  struct Searched {
    Expr form;
    Spent cost;
  };
  thread_local std::unordered_map<Expr, Searched> known;
  constexpr std::size_t most_known = search_limits::short_forms.count;
  Expr shortest = e;
  try {
    if (const auto found = known.find(e); found != known.end()) {
      found->second.cost.charge();
      return found->second.form;
    }
    const Spent before = Spent::so_far();
    shortest = searched(e);
    if (Budget::out_of_work() || Budget::out_of_steps()) return e;
    Budget::check();  // a result that a time limit cut short is not cached
    if (known.size() >= most_known) known.clear();
    known.emplace(e, Searched{shortest, Spent::so_far().since(before)});
  } catch (const Exhausted&) {
  }
  return shortest;
}

Matrix short_form(Matrix m) {
  for (Expr& e : m.entries()) e = short_form(e);
  return m;
}

}  // namespace rattleback
