#include <rattleback/proof/evidence/inequality.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/polynomial_roots.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/evidence/triangular.hpp>

namespace rattleback {
namespace {

constexpr long bits = 256;

bool is_nonnegative(KnownSign s) { return s == KnownSign::positive || s == KnownSign::nonnegative; }
bool is_nonpositive(KnownSign s) { return s == KnownSign::negative || s == KnownSign::nonpositive; }

/// The real roots in s of every factor of e. Nothing when some cannot be enclosed.
std::optional<std::vector<Ball>> real_roots(Expr e, Symbol s) {
  const Generators generators(std::span(&e, 1), {});
  const Field field(generators.forms());
  std::vector<Ball> roots;
  int g = -1;
  for (int k = 0; k < field.ring().size(); ++k) {
    const Expr generator = field.generators()[static_cast<std::size_t>(k)];
    if (generator == Expr(s)) {
      g = k;
    } else if (contains(generator, s)) {
      return std::nullopt;  // within a function
    }
  }
  if (g < 0) return roots;
  const Element x = field.element(generators.forms()[0]);
  for (const Polynomial& p : {x.numerator(), x.denominator()}) {
    for (const auto& [base, exponent] : factored(p).factors) {
      if (base.degree(g) < 1) continue;
      const auto c = evaluate_ball(coefficients_in(field, base, g), BallPoint(1), bits);
      const auto found = c ? polynomial_roots(*c, bits) : std::nullopt;
      if (!found) return std::nullopt;
      for (const EnclosedRoot& r : *found) {
        if (r.is_real) roots.push_back(r.re);
      }
    }
  }
  return roots;
}

/// Certainly true, certainly false, or not to be told.
std::optional<bool> hold_at(const std::vector<Inequality>& all, const BallPoint& point) {
  for (const Inequality& i : all) {
    if (i.kind == Inequality::Kind::always) continue;
    if (i.kind == Inequality::Kind::never) return false;
    const auto value = evaluate_until_nonzero(i.e, point);
    if (!value || (!value->is_positive() && !value->is_negative())) return std::nullopt;
    if (value->is_negative()) return false;
  }
  return true;
}

/// A rational between two numbers, as short as the room allows.
Rational between(double a, double b) {
  const double width = b - a, middle = a + width / 2;
  long scale = 1;
  while (static_cast<double>(scale) * width < 8 && scale < (1L << 40U)) scale *= 2;
  return {std::lround(middle * static_cast<double>(scale)), scale};
}

/// The sign of a polynomial in cosines and sines whose constant outweighs the rest: 2 − cos b. 0 when it does not.
int outweighing_sign(const Field& field, const Polynomial& p) {
  Rational constant = 0, rest = 0;
  for (std::size_t i = 0; i < p.terms(); ++i) {
    const std::vector<ulong> e = p.exponents(i);
    bool plain = true;
    for (std::size_t g = 0; g < e.size(); ++g) {
      if (e[g] == 0) continue;
      plain = false;
      const Expr x = field.generators()[g];
      if (!is_call_of(x, Builtin::cos) && !is_call_of(x, Builtin::sin)) return 0;
    }
    const Rational c = p.coefficient(i);
    if (plain) {
      constant = c;
    } else {
      rest = rest + (c.sign() < 0 ? -c : c);
    }
  }
  return ((constant.sign() < 0 ? -constant : constant) - rest).sign() > 0 ? constant.sign() : 0;
}

std::string end_text(const Ball& b) { return b.contains_zero() ? "0" : fmt::format("{:.6g}", b.midpoint()); }

}  // namespace

Inequality is_positive(const Field& field, const Element& x) {
  if (x.is_zero()) return {Inequality::Kind::never, 0};
  int sign = 1;
  std::vector<Expr> open;
  for (const Polynomial& p : {x.numerator(), x.denominator()}) {
    const Factored parts = factored(p);
    sign *= parts.constant.sign();
    for (const auto& [base, exponent] : parts.factors) {
      if (exponent % 2 == 0) continue;
      if (const int outweighing = outweighing_sign(field, base); outweighing != 0) {
        sign *= outweighing;
        continue;
      }
      const Expr written = field.expression(base);
      const Expr e = known_sign(written) == KnownSign::unknown ? short_form(written) : written;
      const KnownSign known = known_sign(e);
      if (is_nonnegative(known)) continue;
      if (is_nonpositive(known)) {
        sign = -sign;
      } else {
        open.push_back(e);
      }
    }
  }
  if (open.empty()) return {sign > 0 ? Inequality::Kind::always : Inequality::Kind::never, Expr(sign)};
  Expr e = product(open);
  if (open.size() == 1 && sign < 0)
    e = short_form(-e);
  else if (sign < 0)
    e = -e;
  return {Inequality::Kind::sometimes, open.size() == 1 ? short_form(e) : e};
}

Inequality is_positive(Expr e) {
  const Generators generators(std::span(&e, 1), {});
  const Field field(generators.forms());
  return is_positive(field, field.element(generators.forms()[0]));
}

std::string text(const Inequality& inequality) { return text(inequality.e) + " > 0"; }

namespace {

/// ±Π f_k > 0 as Σ x_k = b over the field of two elements, x_k = 1 where f_k < 0.
struct SignEquation {
  std::vector<std::size_t> odd;  ///< indices of the f_k
  bool right = false;
};
SignEquation sign_equation(Expr e, std::vector<Expr>& known) {
  SignEquation equation;
  for (const Expr part :
       e.is(Kind::product) ? std::vector<Expr>(e.args().begin(), e.args().end()) : std::vector<Expr>{e}) {
    if (part.is(Kind::constant)) {
      equation.right = equation.right != (part.value().sign() < 0);
      continue;
    }
    if (part.is(Kind::power) && part.exponent() % 2 == 0) continue;
    const Expr f = part.is(Kind::power) ? part.args()[0] : part;
    const auto same = [&](Expr other) { return other == f || other == short_form(-f); };
    auto at = std::find_if(known.begin(), known.end(), same);
    if (at == known.end()) at = known.insert(known.end(), f);
    equation.right = equation.right != (*at != f);
    const auto k = static_cast<std::size_t>(at - known.begin());
    const auto twice = std::find(equation.odd.begin(), equation.odd.end(), k);
    if (twice == equation.odd.end())
      equation.odd.push_back(k);
    else
      equation.odd.erase(twice);
  }
  return equation;
}

SignEquation added(SignEquation a, const SignEquation& b) {
  for (const std::size_t k : b.odd) {
    const auto twice = std::find(a.odd.begin(), a.odd.end(), k);
    if (twice == a.odd.end())
      a.odd.push_back(k);
    else
      a.odd.erase(twice);
  }
  a.right = a.right != b.right;
  return a;
}

}  // namespace

std::optional<std::vector<Expr>> contradiction(const std::vector<Inequality>& all) {
  std::vector<Expr> known;
  std::vector<std::pair<std::size_t, SignEquation>> solved;  // by a pivot
  for (const Inequality& i : all) {
    if (i.kind != Inequality::Kind::sometimes) continue;
    SignEquation equation = sign_equation(i.e, known);
    for (const auto& [pivot, other] : solved) {
      if (std::find(equation.odd.begin(), equation.odd.end(), pivot) != equation.odd.end())
        equation = added(std::move(equation), other);
    }
    if (equation.odd.empty() && equation.right) return known;
    if (!equation.odd.empty()) solved.emplace_back(equation.odd.front(), equation);
  }
  return std::nullopt;
}

std::optional<std::vector<Interval>> where_all_hold(const std::vector<Inequality>& all, Symbol s) {
  std::vector<Ball> ends;
  for (const Inequality& i : all) {
    if (i.kind == Inequality::Kind::never) return std::vector<Interval>{};
    if (i.kind == Inequality::Kind::always) continue;
    const auto roots = real_roots(i.e, s);
    if (!roots) return std::nullopt;
    ends.insert(ends.end(), roots->begin(), roots->end());
  }
  std::sort(ends.begin(), ends.end(),
            [](const Ball& a, const Ball& b) { return a.midpoint() < b.midpoint(); });
  std::vector<Interval> intervals;
  for (std::size_t k = 0; k <= ends.size(); ++k) {
    const bool first = k == 0, last = k == ends.size();
    // The same root of two conditions leaves no room between its enclosures.
    if (!first && !last && !(ends[k].midpoint() - ends[k - 1].midpoint() > 1e-12)) continue;
    const double a = first ? (last ? -1 : ends[0].midpoint() - 2) : ends[k - 1].midpoint();
    const double b = last ? (first ? 3 : ends.back().midpoint() + 2) : ends[k].midpoint();
    BallPoint point(1);
    point.set(s, between(a, b));
    const auto holds = hold_at(all, point);
    if (!holds) return std::nullopt;
    if (!*holds) continue;
    Interval here;
    if (!first) here.from = ends[k - 1];
    if (!last) here.to = ends[k];
    intervals.push_back(std::move(here));
  }
  return intervals;
}

std::optional<bool> all_hold(const std::vector<Inequality>& all) { return hold_at(all, BallPoint(1)); }

std::string text(const std::vector<Interval>& intervals, const std::string& name) {
  std::vector<std::string> parts;
  for (const Interval& i : intervals) {
    if (i.from && i.to) {
      parts.push_back(fmt::format("{} < {} < {}", end_text(*i.from), name, end_text(*i.to)));
    } else if (i.from) {
      parts.push_back(fmt::format("{} > {}", name, end_text(*i.from)));
    } else if (i.to) {
      parts.push_back(fmt::format("{} < {}", name, end_text(*i.to)));
    } else {
      parts.push_back("every " + name);
    }
  }
  return parts.empty() ? "no " + name : fmt::format("{}", fmt::join(parts, " or "));
}

}  // namespace rattleback
