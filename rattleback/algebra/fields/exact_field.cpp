#include <rattleback/algebra/fields/exact_field.hpp>

#include <algorithm>
#include <array>
#include <map>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/text.hpp>

namespace rattleback {
namespace {

bool is_leaf(Expr e) { return e.is(Kind::symbol) || e.is(Kind::call); }
bool is_root(Expr e) { return is_call_of(e, Builtin::sqrt) || is_call_of(e, Builtin::abs); }
bool is_sine(Expr e) { return is_call_of(e, Builtin::sin) || is_call_of(e, Builtin::sinh); }
bool is_cosine(Expr e) { return is_call_of(e, Builtin::cos) || is_call_of(e, Builtin::cosh); }

Function exponential_function() {
  static const Function f = Function::abstract("\1exp", 1);
  return f;
}

/// The other half of a pair.
Expr partner_of(Expr e) {
  const Expr x = e.args()[0];
  switch (e.function().kind()) {
    case Builtin::sin: return cos(x);
    case Builtin::cos: return sin(x);
    case Builtin::sinh: return cosh(x);
    default: return sinh(x);
  }
}

}  // namespace

bool is_call_of(Expr e, Builtin which) { return e.is(Kind::call) && e.function().kind() == which; }

Expr exponential(Expr u) { return call(exponential_function(), {u}); }

std::optional<Expr> exponent_of_generator(Expr e) {
  if (!e.is(Kind::call) || e.function() != exponential_function()) return std::nullopt;
  return e.args()[0];
}

Expr exponential_power(Expr u, const Rational& k) {
  const Scaled s = split_coefficient(u);
  if (is_call_of(s.rest, Builtin::log)) return pow(s.rest.args()[0], Expr(s.coefficient * k));
  return exp(Expr(k) * u);
}

std::strong_ordering written_order(Expr a, Expr b) {
  allow_recursion();
  if (a == b) return std::strong_ordering::equal;
  if (a.kind() != b.kind()) return a.kind() <=> b.kind();
  switch (a.kind()) {
    case Kind::constant: return a.value() <=> b.value();
    case Kind::symbol: {
      const auto key = [](Symbol s) {
        return std::tuple(s.role(), s.attributes().order, s.name(), s.hash());
      };
      return key(a.symbol()) <=> key(b.symbol());
    }
    case Kind::power:
      if (const auto c = a.exponent() <=> b.exponent(); c != 0) return c;
      break;
    case Kind::call:
      if (const auto c = text(a.function()) <=> text(b.function()); c != 0) return c;
      break;
    default: break;
  }
  std::vector<Expr> xs(a.args().begin(), a.args().end()), ys(b.args().begin(), b.args().end());
  if (!a.is(Kind::call)) {  // the graph sorts terms by hash; people do not
    const auto less = [](Expr x, Expr y) { return written_order(x, y) < 0; };
    std::sort(xs.begin(), xs.end(), less);
    std::sort(ys.begin(), ys.end(), less);
  }
  return std::lexicographical_compare_three_way(xs.begin(), xs.end(), ys.begin(), ys.end(), written_order);
}

Rational content(const Polynomial& p) {
  Rational c;
  for (std::size_t i = 0; i < p.terms(); ++i) {
    fmpz_gcd(fmpq_numref(c.raw()), fmpq_numref(c.raw()), fmpq_numref(p.coefficient(i).raw()));
    if (c.is_one()) break;
  }
  return c;
}

Field::Field(std::span<const Expr> forms) {
  for (const Expr form : forms) collect(form);
  // Top of the tower first, then sines, then the rest as people would list it.
  std::vector<std::pair<int, Expr>> keyed;
  for (const Expr g : generators_) keyed.emplace_back(is_root(g) ? -level(g) : is_sine(g) ? 1 : 2, g);
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : written_order(a.second, b.second) < 0;
  });
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    generators_[i] = keyed[i].second;
    index_.insert_or_assign(keyed[i].second, static_cast<int>(i));
    roots_ += is_root(keyed[i].second) ? 1 : 0;
  }
  // Radicands may hold exponentials, which are printed as such.
  printed_ = rebuild(generators_, [](Expr e) {
    const auto u = exponent_of_generator(e);
    return u ? exponential_power(*u, 1) : e;
  });
  ring_ = Ring::make(static_cast<int>(generators_.size()), [this](Ring& ring) { relate(ring); });
}

void Field::collect(Expr form) {
  allow_recursion();
  for (const Expr e : nodes_until(form, is_leaf)) {
    if (!is_leaf(e) || !index_.emplace(e, 0).second) continue;
    generators_.push_back(e);
    if (is_root(e)) collect(e.args()[0]);
    if (is_sine(e) || is_cosine(e)) collect(partner_of(e));
  }
}

int Field::level(Expr generator) const {
  allow_recursion();
  int below = 0;
  for (const Expr e : nodes_until(generator.args()[0], is_leaf)) {
    if (is_root(e)) below = std::max(below, level(e));
  }
  return below + 1;
}

void Field::relate(Ring& ring) const {
  const Polynomial one(ring, 1);
  std::map<std::string, std::array<int, 3>> directions;
  for (std::size_t i = 0; i < generators_.size(); ++i) {
    const Expr g = generators_[i];
    if (!g.is(Kind::symbol) || g.symbol().role() != Role::direction) continue;
    const auto& attributes = g.symbol().attributes();
    auto& axes = directions.try_emplace(attributes.family, std::array{-1, -1, -1}).first->second;
    axes[static_cast<std::size_t>(attributes.entry)] = static_cast<int>(i);
  }
  for (const auto& [family, axes] : directions) {
    if (std::ranges::count(axes, -1) > 0) continue;
    const Polynomial x = Polynomial::generator(ring, axes[0]), y = Polynomial::generator(ring, axes[1]);
    ring.relate({axes[2], one - x * x - y * y});
  }
  for (std::size_t i = generators_.size(); i-- > 0;) {
    const Expr g = generators_[i];
    const int at = static_cast<int>(i);
    if (is_sine(g)) {
      const int partner = index(partner_of(g));
      const Polynomial c = Polynomial::generator(ring, partner);
      const bool circular = is_call_of(g, Builtin::sin);
      ring.relate({at, circular ? one - c * c : c * c - one, partner, circular ? 1 : -1});
    } else if (is_root(g)) {
      const Element inside = element(ring, g.args()[0]);
      if (!inside.denominator().is_one()) throw Bug("the radicand of a generator is not a polynomial");
      const Polynomial& x = inside.numerator();
      Polynomial square = is_call_of(g, Builtin::sqrt) ? x : x * x;
      reduce(square);
      ring.relate({at, std::move(square)});
    }
  }
}

namespace {

/// The interpretation in an exact field: symbols and calls are its generators.
class Elements {
 public:
  using Value = std::shared_ptr<const Element>;
  Elements(const Field& field, const Ring& ring) : field_(field), ring_(ring) {}

  Value constant(const Rational& c) const { return made(Element(ring_, c)); }
  Value symbol(Symbol s) const { return leaf(Expr(s)); }
  Value leaf(Expr e) const { return made(Element(Polynomial::generator(ring_, field_.index(e)))); }
  Value sum(std::span<const Value> xs) const {
    // Fractions last: as long as the sum is a polynomial there is nothing to cancel. Those over one denominator cancel once.
    Element total(ring_);
    std::vector<std::pair<Polynomial, Polynomial>> fractions;  // denominator, sum of the numerators
    for (const Value& x : xs) {
      if (x->denominator().is_constant()) {
        total = total + *x;
        continue;
      }
      const auto same =
          std::ranges::find(fractions, x->denominator(), &std::pair<Polynomial, Polynomial>::first);
      if (same == fractions.end()) {
        fractions.emplace_back(x->denominator(), x->numerator());
      } else {
        same->second = same->second + x->numerator();
      }
    }
    for (auto& [denominator, numerator] : fractions)
      total = total + Element(std::move(numerator), std::move(denominator));
    return made(std::move(total));
  }
  Value product(std::span<const Value> xs) const {
    Element result = *xs[0];
    for (const Value& x : xs.subspan(1)) result = result * *x;
    return made(std::move(result));
  }
  Value power(const Value& x, int n) const { return made(rattleback::power(*x, n)); }
  Value call(Function, std::span<const Value>) const { throw Bug("a call that is no generator"); }

 private:
  static Value made(Element x) { return std::make_shared<const Element>(std::move(x)); }
  const Field& field_;
  const Ring& ring_;
};

}  // namespace

Element Field::element(const Ring& ring, Expr form) const {
  Elements in(*this, ring);
  return *run(Tape(std::span<const Expr>(&form, 1), is_leaf), in).back();
}

std::vector<Element> Field::elements(std::span<const Expr> forms) const {
  Elements in(*this, *ring_);
  const Tape tape(forms, is_leaf);
  const auto values = run(tape, in);
  std::vector<Element> all;
  for (const std::uint32_t slot : tape.outputs()) all.push_back(*values[slot]);
  return all;
}

Expr Field::power_of(int g, long n) const {
  if (const auto u = exponent_of_generator(generators_[static_cast<std::size_t>(g)])) {
    return exponential_power(*u, Rational(n));
  }
  return pow(printed_[static_cast<std::size_t>(g)], static_cast<int>(n));
}

Expr Field::written(const Polynomial& p, bool final) const {
  std::vector<Expr> terms, factors;
  for (std::size_t i = 0; i < p.terms(); ++i) {
    factors.assign(1, Expr(p.coefficient(i)));
    const std::vector<ulong> exponents = p.exponents(i);
    for (std::size_t g = 0; g < exponents.size(); ++g) {
      const auto n = static_cast<int>(exponents[g]);
      if (n != 0) factors.push_back(final ? power_of(static_cast<int>(g), n) : pow(generators_[g], n));
    }
    terms.push_back(product(factors));
  }
  return terms.empty() ? Expr(0) : sum(terms);
}

Expr Field::expression(const Element& x) const {
  allow_recursion();
  if (x.is_zero()) return Expr(0);
  const auto primitive = [](Polynomial p, const Rational& k) {
    fmpz_mpoly_scalar_divexact_fmpz(p.raw(), p.raw(), fmpq_numref(k.raw()), p.ring().context());
    return p;
  };
  const Rational above = content(x.numerator()), below = content(x.denominator());
  const Expr n = expression(primitive(x.numerator(), above)),
             d = expression(primitive(x.denominator(), below));
  return product({Expr(above / below), n, pow(d, -1)});
}

std::string Field::description() const {
  std::vector<Expr> listed(printed_);
  std::sort(listed.begin(), listed.end(), [](Expr a, Expr b) { return written_order(a, b) < 0; });
  std::string names;
  for (const Expr g : listed) {
    names += (names.empty() ? "" : ", ") + text(g);
    if (!fits(names, legible::generators_of_a_field)) return "Q(" + names + ", …)";
  }
  return names.empty() ? "Q" : "Q(" + names + ")";
}

}  // namespace rattleback
