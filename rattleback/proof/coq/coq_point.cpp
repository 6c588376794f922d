#include <rattleback/proof/coq/coq_point.hpp>

#include <cmath>

#include <fmt/format.h>

namespace rattleback {
namespace {

using CircleValue = std::pair<Rational, Rational>;

CircleValue turned_by(const CircleValue& a, const CircleValue& b) {
  return {a.first * b.first - a.second * b.second, a.second * b.first + a.first * b.second};
}

/// cos and sin of whole combinations of the angles.
std::optional<CircleValue> cos_sin_at(const CoqPoint& point, Expr a) {
  if (a.is_zero()) return CircleValue{1, 0};
  if (a.is(Kind::symbol)) {
    for (const auto& [s, value] : point.turned) {
      if (s == a.symbol()) return value;
    }
    for (const auto& [s, value] : point.plain) {
      if (s == a.symbol() && value.is_zero()) return CircleValue{1, 0};
    }
    return std::nullopt;
  }
  if (a.is(Kind::sum)) {
    CircleValue all{1, 0};
    for (const Expr part : a.args()) {
      const auto one = cos_sin_at(point, part);
      if (!one) return std::nullopt;
      all = turned_by(all, *one);
    }
    return all;
  }
  if (!a.is(Kind::product) || !a.args()[0].is(Kind::constant) || !a.args()[0].value().is_integer())
    return std::nullopt;
  const auto one = cos_sin_at(point, product(std::vector<Expr>(a.args().begin() + 1, a.args().end())));
  const long n = a.args()[0].value().to_long(0);
  if (!one || n == 0 || n > 20 || n < -20) return std::nullopt;
  CircleValue all{1, 0};
  for (long k = 0; k < std::abs(n); ++k) all = turned_by(all, *one);
  return n < 0 ? CircleValue{all.first, -all.second} : all;
}

/// Roots of squares, log(1), and exponential and hyperbolic functions at 0.
std::optional<Rational> plain_call_at(const CoqPoint& point, Expr e) {
  const Builtin kind = e.function().kind();
  const bool hyperbolic = kind == Builtin::sinh || kind == Builtin::cosh || kind == Builtin::tanh;
  if (kind != Builtin::sqrt && kind != Builtin::exp && kind != Builtin::log && !hyperbolic)
    return std::nullopt;
  const auto inner = value_at(point, e.args()[0]);
  if (!inner) return std::nullopt;
  if (hyperbolic)
    return inner->is_zero() ? std::optional(Rational(kind == Builtin::cosh ? 1 : 0)) : std::nullopt;
  if (kind == Builtin::sqrt) return rational_root(*inner);
  if (kind == Builtin::exp) return inner->is_zero() ? std::optional(Rational(1)) : std::nullopt;
  return inner->is_one() ? std::optional(Rational(0)) : std::nullopt;
}

}  // namespace

std::optional<Rational> value_at(const CoqPoint& point, Expr e) {
  switch (e.kind()) {
    case Kind::constant: return e.value();
    case Kind::symbol:
      for (const auto& [s, value] : point.plain) {
        if (s == e.symbol()) return value;
      }
      return std::nullopt;
    case Kind::sum:
    case Kind::product: {
      Rational all(e.is(Kind::sum) ? 0 : 1);
      for (const Expr part : e.args()) {
        const auto one = value_at(point, part);
        if (!one) return std::nullopt;
        all = e.is(Kind::sum) ? all + *one : all * *one;
      }
      return all;
    }
    case Kind::power: {
      const auto base = value_at(point, e.args()[0]);
      if (!base || (base->is_zero() && e.exponent() < 0)) return std::nullopt;
      Rational all(1);
      for (int k = 0; k < std::abs(e.exponent()); ++k) all = all * *base;
      return e.exponent() < 0 ? Rational(1) / all : all;
    }
    case Kind::call: {
      if (e.function().is_abstract()) return std::nullopt;
      if (const auto plain = plain_call_at(point, e)) return plain;
      const auto turn = cos_sin_at(point, e.args()[0]);
      if (!turn) return std::nullopt;
      const auto& [c, s] = *turn;
      switch (e.function().kind()) {
        case Builtin::cos: return c;
        case Builtin::sin: return s;
        case Builtin::tan: return c.is_zero() ? std::nullopt : std::optional(s / c);
        case Builtin::cot: return s.is_zero() ? std::nullopt : std::optional(c / s);
        case Builtin::sec: return c.is_zero() ? std::nullopt : std::optional(Rational(1) / c);
        case Builtin::csc: return s.is_zero() ? std::nullopt : std::optional(Rational(1) / s);
        default: return std::nullopt;
      }
    }
  }
  return std::nullopt;
}

std::optional<Matrix> values_at(const CoqPoint& point, const Matrix& m) {
  Matrix all(m.rows(), m.columns());
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.columns(); ++j) {
      const auto value = value_at(point, m(i, j));
      if (!value) return std::nullopt;
      all(i, j) = Expr(*value);
    }
  }
  return all;
}

std::optional<Rational> rational_root(const Rational& r) {
  const long n = r.numerator().to_long(-1), d = r.denominator().to_long(-1);
  if (n < 0 || d < 0) return std::nullopt;
  const long a = std::lround(std::sqrt(static_cast<double>(n)));
  const long b = std::lround(std::sqrt(static_cast<double>(d)));
  if (a > 2'000'000'000 || b > 2'000'000'000 || a * a != n || b * b != d) return std::nullopt;
  return Rational(a, b);
}

std::string rational_text(const Rational& r) {
  return fmt::format("(QArith_base.Qmake ({}) {})", r.numerator().text(), r.denominator().text());
}

}  // namespace rattleback
