#include <rattleback/proof/coq/coq_positions.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>

namespace rattleback {
namespace {

using Exponents = std::vector<int>;

int degree(const Exponents& m) { return std::accumulate(m.begin(), m.end(), 0); }

/// Graded reverse lexicographic: the larger monomial comes first.
struct LargerFirst {
  bool operator()(const Exponents& a, const Exponents& b) const {
    if (const int difference = degree(a) - degree(b); difference != 0) return difference > 0;
    for (std::size_t i = a.size(); i-- > 0;) {
      if (a[i] != b[i]) return a[i] < b[i];
    }
    return false;
  }
};

using Polynomial = std::map<Exponents, Rational, LargerFirst>;

/// p += c m q.
void add(Polynomial& p, const Rational& c, const Exponents& m, const Polynomial& q) {
  constexpr std::size_t work_of_a_term = 30;  // a node of a map, against a product in an exact field
  Budget::charge_work(work_of_a_term * (q.size() + 1));
  for (const auto& [n, value] : q) {
    Exponents product = n;
    for (std::size_t i = 0; i < m.size(); ++i) product[i] += m[i];
    const auto [term, is_new] = p.try_emplace(std::move(product), c * value);
    if (is_new) continue;
    term->second = term->second + c * value;
    if (term->second.is_zero()) p.erase(term);
  }
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial all;
  for (const auto& [m, c] : a) add(all, c, m, b);
  return all;
}

/// Symbols, cosines, sines and roots as variables of polynomials.
class PolynomialVariables {
 public:
  explicit PolynomialVariables(std::span<const Expr> formulas) {
    for (const Expr e : formulas) collect(e);
    const auto rank = [](Expr e) {
      if (e.is(Kind::call)) {
        const Builtin f = e.function().kind();
        return f == Builtin::sqrt ? 0 : f == Builtin::sin ? 1 : 3;
      }
      const Role role = e.symbol().role();
      return role == Role::parameter || role == Role::constant || role == Role::time ? 4 : 2;
    };
    std::ranges::stable_sort(all_, {}, rank);
  }

  Polynomial constant(const Rational& c) const {
    Polynomial p;
    if (!c.is_zero()) p.emplace(Exponents(all_.size()), c);
    return p;
  }

  Polynomial read(Expr e) const {
    switch (e.kind()) {
      case Kind::constant: return constant(e.value());
      case Kind::symbol: return variable(e);
      case Kind::sum: {
        Polynomial all;
        for (const Expr part : e.args()) add(all, Rational(1), Exponents(all_.size()), read(part));
        return all;
      }
      case Kind::product: {
        Polynomial all = constant(Rational(1));
        for (const Expr part : e.args()) all = product(all, read(part));
        return all;
      }
      case Kind::power: {
        const Polynomial base = read(e.args()[0]);
        Polynomial all = constant(Rational(1));
        for (int k = 0; k < e.exponent(); ++k) all = product(all, base);
        return all;
      }
      case Kind::call: break;
    }
    if (e.function().kind() == Builtin::sqrt) return variable(e);
    const auto [c, s] = turned(e.args()[0]);
    return e.function().kind() == Builtin::cos ? c : s;
  }

  /// cos² + sin² − 1 and √a² − a: these hold everywhere.
  std::vector<Polynomial> relations() const {
    std::vector<Polynomial> all;
    for (const Expr e : all_) {
      if (!e.is(Kind::call) || e.function().kind() == Builtin::cos) continue;
      const Expr x = e.args()[0];
      Polynomial p = product(variable(e), variable(e));
      const bool is_root = e.function().kind() == Builtin::sqrt;
      const Polynomial cosine = is_root ? read(x) : variable(cos(x));
      add(p, Rational(is_root ? -1 : 1), Exponents(all_.size()), is_root ? cosine : product(cosine, cosine));
      if (!is_root) add(p, Rational(-1), Exponents(all_.size()), constant(Rational(1)));
      all.push_back(std::move(p));
    }
    return all;
  }

  Expr written(const Polynomial& p) const {
    std::vector<Expr> terms{Expr(0)};
    for (const auto& [m, c] : p) terms.push_back(Expr(c) * written(m));
    return sum(terms);
  }
  Expr written(const Exponents& m) const {
    Expr all(1);
    for (std::size_t i = 0; i < m.size(); ++i) {
      if (m[i] != 0) all = all * pow(all_[i], m[i]);
    }
    return all;
  }

 private:
  [[noreturn]] static void no_polynomial(Expr e) {
    no_coq_form(fmt::format("the position constraint contains `{}`", text(e)),
                "the kernel computes modulo polynomials in coordinates, sines, cosines and roots");
  }

  void variable_found(Expr e) {
    if (std::ranges::find(all_, e) == all_.end()) all_.push_back(e);
  }

  void collect(Expr e) {
    if (e.is(Kind::constant)) return;
    if (e.is(Kind::symbol)) {
      if (e.symbol().role() == Role::rotation || e.symbol().role() == Role::direction) no_polynomial(e);
      variable_found(e);
    } else if (!e.is(Kind::call)) {
      if (e.is(Kind::power) && e.exponent() < 0) no_polynomial(e);
      for (const Expr part : e.args()) collect(part);
    } else if (!e.function().is_abstract() && e.function().kind() == Builtin::sqrt) {
      collect(e.args()[0]);
      variable_found(e);
    } else if (!e.function().is_abstract() &&
               (e.function().kind() == Builtin::sin || e.function().kind() == Builtin::cos)) {
      collect_angles(e.args()[0]);
    } else {
      no_polynomial(e);
    }
  }

  /// As the kernel expands them: sums and whole multiples of angles.
  void collect_angles(Expr a) {
    if (a.is(Kind::sum)) {
      for (const Expr part : a.args()) collect_angles(part);
    } else if (const auto multiple = whole_multiple(a)) {
      collect_angles(multiple->second);
    } else if (!a.is_zero()) {
      variable_found(cos(a));
      variable_found(sin(a));
    }
  }

  static std::optional<std::pair<long, Expr>> whole_multiple(Expr a) {
    if (!a.is(Kind::product) || !a.args()[0].is(Kind::constant)) return std::nullopt;
    const long n = a.args()[0].value().to_long(0);
    if (n == 0) return std::nullopt;
    return std::pair(n, rattleback::product(std::vector<Expr>(a.args().begin() + 1, a.args().end())));
  }

  std::pair<Polynomial, Polynomial> turned(Expr a) const {
    using Turn = std::pair<Polynomial, Polynomial>;
    const auto with = [&](const Turn& x, const Turn& y) {
      Turn z{product(x.first, y.first), product(x.second, y.first)};
      add(z.first, Rational(-1), Exponents(all_.size()), product(x.second, y.second));
      add(z.second, Rational(1), Exponents(all_.size()), product(x.first, y.second));
      return z;
    };
    Turn all{constant(Rational(1)), {}};
    if (a.is(Kind::sum)) {
      for (const Expr part : a.args()) all = with(all, turned(part));
    } else if (const auto multiple = whole_multiple(a)) {
      const Turn one = turned(multiple->second);
      for (long k = 0; k < std::abs(multiple->first); ++k) all = with(all, one);
      if (multiple->first < 0) all.second = product(constant(Rational(-1)), all.second);
    } else if (!a.is_zero()) {
      all = {variable(cos(a)), variable(sin(a))};
    }
    return all;
  }

  Polynomial variable(Expr e) const {
    const auto found = std::ranges::find(all_, e);
    if (found == all_.end()) no_polynomial(e);
    Exponents m(all_.size());
    m[static_cast<std::size_t>(found - all_.begin())] = 1;
    return {{m, Rational(1)}};
  }

  std::vector<Expr> all_;
};

/// An element of the ideal: p = Σ_k by_k φ_k modulo the relations that hold everywhere, which are elements themselves.
struct Element {
  Polynomial p;
  std::vector<Polynomial> by;
  bool everywhere = false;

  const Exponents& leading() const { return p.begin()->first; }
};

std::optional<Exponents> divided(const Exponents& a, const Exponents& b) {
  Exponents m = a;
  for (std::size_t i = 0; i < m.size(); ++i) {
    if ((m[i] -= b[i]) < 0) return std::nullopt;
  }
  return m;
}

/// e += c m other.
void combine(Element& e, const Rational& c, const Exponents& m, const Element& other) {
  add(e.p, c, m, other.p);
  for (std::size_t k = 0; k < e.by.size(); ++k) add(e.by[k], c, m, other.by[k]);
}

/// The remainder by all elements but one.
void reduce(Element& e, const std::vector<Element>& basis, std::size_t without) {
  Polynomial rest;
  while (!e.p.empty()) {
    const auto [m, c] = *e.p.begin();
    bool divides = false;
    for (std::size_t i = 0; i < basis.size() && !divides; ++i) {
      if (i == without) continue;
      const auto factor = divided(m, basis[i].leading());
      if (!factor) continue;
      combine(e, -c, *factor, basis[i]);
      divides = true;
    }
    if (divides) continue;
    rest.emplace(m, c);
    e.p.erase(e.p.begin());
  }
  e.p = std::move(rest);
}

void make_monic(Element& e) {
  const Rational c = Rational(1) / e.p.begin()->second;
  for (auto& [m, value] : e.p) value = c * value;
  for (Polynomial& p : e.by) {
    for (auto& [m, value] : p) value = c * value;
  }
}

/// Buchberger's algorithm, the pair of the smallest common multiple first.
std::vector<Element> groebner_basis(std::vector<Element> given) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<Element> basis;
  std::set<std::tuple<int, std::size_t, std::size_t>> pairs;
  const auto common = [&](std::size_t i, std::size_t j) {
    Exponents m = basis[i].leading();
    for (std::size_t v = 0; v < m.size(); ++v) m[v] = std::max(m[v], basis[j].leading()[v]);
    return m;
  };
  const auto insert = [&](Element e) {
    reduce(e, basis, none);
    if (e.p.empty()) return;
    make_monic(e);
    basis.push_back(std::move(e));
    const std::size_t j = basis.size() - 1;
    for (std::size_t i = 0; i < j; ++i) {
      const Exponents m = common(i, j);
      if (degree(m) < degree(basis[i].leading()) + degree(basis[j].leading())) pairs.emplace(degree(m), i, j);
    }
  };
  for (Element& e : given) {
    if (e.everywhere)
      basis.push_back(std::move(e));
    else
      insert(std::move(e));
  }
  while (!pairs.empty()) {
    Budget::check();
    const auto [d, i, j] = *pairs.begin();
    pairs.erase(pairs.begin());
    const Exponents m = common(i, j);
    Element s = basis[i];
    s.everywhere = false;
    s.p.clear();
    for (Polynomial& p : s.by) p.clear();
    combine(s, Rational(1), *divided(m, basis[i].leading()), basis[i]);
    combine(s, Rational(-1), *divided(m, basis[j].leading()), basis[j]);
    insert(std::move(s));
  }
  return basis;
}

/// Without elements whose leading monomial another one divides; each is reduced by the others.
std::vector<Element> reduced(std::vector<Element> basis) {
  for (std::size_t i = basis.size(); i-- > 0;) {
    if (basis[i].everywhere) continue;
    const bool needless = std::ranges::any_of(basis, [&](const Element& e) {
      return &e != &basis[i] && divided(basis[i].leading(), e.leading()).has_value();
    });
    if (needless) basis.erase(basis.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::size_t i = 0; i < basis.size(); ++i) {
    if (!basis[i].everywhere) reduce(basis[i], basis, i);
  }
  return basis;
}

}  // namespace

namespace {

/// The relations that hold everywhere, then the position constraints.
std::vector<Element> generators(const PolynomialVariables& variables, std::span<const Expr> positions) {
  std::vector<Element> given;
  for (Polynomial& p : variables.relations()) {
    // Its square has to lead: the kernel replaces it.
    const Exponents& leading = p.begin()->first;
    if (degree(leading) != 2 || std::ranges::max(leading) != 2)
      no_coq_form("a root in the position constraints has a radicand of higher degree",
                  "the kernel replaces the square of a root by its radicand");
    given.push_back({std::move(p), std::vector<Polynomial>(positions.size()), true});
  }
  for (std::size_t k = 0; k < positions.size(); ++k) {
    Element e{variables.read(positions[k]), std::vector<Polynomial>(positions.size())};
    e.by[k] = variables.constant(Rational(1));
    given.push_back(std::move(e));
  }
  return given;
}

}  // namespace

std::vector<PositionRule> position_rules(std::span<const Expr> positions) {
  if (positions.empty()) return {};
  const PolynomialVariables variables(positions);
  std::vector<PositionRule> rules;
  try {
    const Budget budget(work_limits::equations_of_a_variety);
    for (const Element& e : reduced(groebner_basis(generators(variables, positions)))) {
      if (e.everywhere) continue;
      PositionRule rule{variables.written(e.leading()), Expr(0), {}};
      rule.by = rule.monomial - variables.written(e.p);
      for (const Polynomial& c : e.by) rule.coefficients.push_back(variables.written(c));
      rules.push_back(std::move(rule));
    }
  } catch (const Exhausted&) {
    Budget::check();
    no_coq_form("a Gröbner basis of the position constraints is too long",
                "the kernel computes modulo position constraints by the rules of a basis");
  }
  return rules;
}

}  // namespace rattleback
