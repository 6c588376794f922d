#include <rattleback/algebra/text.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/display_order.hpp>

namespace rattleback {
namespace {

constexpr std::size_t longest = 1'000'000;

/// How tightly the outermost operator binds.
enum class Binding : std::uint8_t { sum, product, power, atom };

struct Piece {
  std::string text;
  Binding binding;
};

std::string bracketed(const Piece& p, Binding at_least) {
  return p.binding < at_least ? "(" + p.text + ")" : p.text;
}

Piece piece(Expr e);

Piece power_piece(Expr base, const std::string& exponent) {
  return {bracketed(piece(base), Binding::atom) + "^" + exponent, Binding::power};
}

Piece half_power_piece(const HalfPower& p) {
  if (p.halves == 2) return piece(p.base);
  if (p.halves == 1) return {"sqrt(" + piece(p.base).text + ")", Binding::atom};
  return power_piece(p.base,
                     p.halves % 2 == 0 ? std::to_string(p.halves / 2) : fmt::format("({}/2)", p.halves));
}

Piece call_piece(Expr e) {
  if (const auto p = as_symbolic_power(e)) {
    const Piece exponent = piece(p->exponent);
    const bool plain = p->exponent.is(Kind::symbol);
    return power_piece(p->base, plain ? exponent.text : "(" + exponent.text + ")");
  }
  std::string args;
  for (const Expr a : e.args()) args += (args.empty() ? "" : ", ") + piece(a).text;
  return {text(e.function()) + "(" + args + ")", Binding::atom};
}

/// One side of a fraction, without its number; empty for an empty product.
std::string factors_text(const std::vector<HalfPower>& factors) {
  std::string s;
  for (const HalfPower& f : factors) {
    if (!s.empty()) s += "*";
    // A product inside a product is one that was too long to be flattened; it keeps its brackets.
    s += bracketed(half_power_piece(f), Binding::power);
  }
  return s;
}

Piece product_piece(Expr e) {
  const Fraction f = as_fraction(e);
  std::string above = factors_text(f.numerator);
  if (!f.above.is_one() || above.empty()) above = f.above.text() + (above.empty() ? "" : "*" + above);
  std::string below = factors_text(f.denominator);
  if (!f.below.is_one()) below = f.below.text() + (below.empty() ? "" : "*" + below);
  const std::size_t parts = f.denominator.size() + (f.below.is_one() ? 0 : 1);
  if (parts > 1) below = "(" + below + ")";
  const std::string sign = f.negative ? "-" : "";
  const bool lone_number = parts == 0 && f.numerator.empty();
  return {sign + above + (parts == 0 ? "" : "/" + below),
          lone_number && !f.negative ? Binding::atom : Binding::product};
}

Piece sum_piece(Expr e) {
  std::string s;
  for (const Expr term : ordered_terms(e)) {
    std::string t = bracketed(piece(term), Binding::product);
    const bool negative = t.starts_with('-');
    if (s.empty()) {
      s = std::move(t);
    } else {
      s += negative ? " - " + t.substr(1) : " + " + t;
    }
  }
  return {std::move(s), Binding::sum};
}

Piece piece(Expr e) {
  switch (e.kind()) {
    case Kind::symbol: return {e.symbol().name(), Binding::atom};
    case Kind::sum: return sum_piece(e);
    case Kind::power:
      if (e.exponent() > 0) return power_piece(e.args()[0], std::to_string(e.exponent()));
      return product_piece(e);
    case Kind::call: return call_piece(e);
    case Kind::constant:
    case Kind::product: return product_piece(e);
  }
  return {};
}

}  // namespace

std::string text(Function f) {
  std::string s = f.name();
  const auto orders = f.orders();
  bool differentiated = false;
  for (const int k : orders) differentiated = differentiated || k > 0;
  if (!differentiated) return s;
  if (orders.size() == 1 && orders[0] <= 3) return s + std::string(static_cast<std::size_t>(orders[0]), '\'');
  s += "[";
  for (std::size_t k = 0; k < orders.size(); ++k) s += (k == 0 ? "" : ",") + std::to_string(orders[k]);
  return s + "]";
}

std::string text(Expr e) {
  if (written_size(e) > longest) throw Exhausted("the written-out formula has more than a million terms");
  return piece(e).text;
}

std::string text(const Matrix& m) {
  std::string s;
  for (int i = 0; i < m.rows(); ++i) {
    std::string r;
    for (int j = 0; j < m.columns(); ++j) r += (j == 0 ? "" : ", ") + text(m(i, j));
    s += (i == 0 ? "" : ", ") + (m.is_column() ? r : "[" + r + "]");
  }
  return "[" + s + "]";
}

}  // namespace rattleback
