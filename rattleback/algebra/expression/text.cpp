#include <rattleback/algebra/expression/text.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/expression/display_order.hpp>

namespace rattleback {
namespace {

std::string bracketed(const Phrase& p, Binding at_least) {
  return p.binding < at_least ? "(" + p.text + ")" : p.text;
}

Phrase raised(const Phrase& base, const std::string& exponent) {
  return {bracketed(base, Binding::atom) + "^" + exponent, Binding::power};
}

Phrase half_power(const HalfPower& p) {
  if (p.halves == 2) return *p.base;
  if (p.halves == 1) return {"sqrt(" + p.base->text + ")", Binding::atom};
  return raised(*p.base, p.halves % 2 == 0 ? std::to_string(p.halves / 2) : fmt::format("({}/2)", p.halves));
}

/// One side of a fraction, without its number; empty for an empty product.
std::string factors_text(const std::vector<HalfPower>& factors) {
  std::string s;
  for (const HalfPower& f : factors) {
    if (!s.empty()) s += "*";
    // A product inside a product is one that was too long to be flattened; it keeps its brackets.
    s += bracketed(half_power(f), Binding::power);
  }
  return s;
}

/// The syntax of the model language.
class TextNotation : public Notation {
 public:
  Phrase symbol(Symbol s) const override { return {s.name()}; }

  Phrase sum(std::span<const WrittenPtr> terms) const override {
    std::string s;
    for (const WrittenPtr& term : terms) {
      const std::string t = bracketed(*term, Binding::product);
      if (s.empty()) {
        s = t;
      } else {
        s += t.starts_with('-') ? " - " + t.substr(1) : " + " + t;
      }
    }
    return {std::move(s), Binding::sum};
  }

  Phrase fraction(const Fraction& f) const override {
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

  Phrase power(const HalfPower& p) const override { return half_power(p); }

  Phrase power(const Written& base, const Written& exponent) const override {
    return raised(base, exponent.kind == Kind::symbol ? exponent.text : "(" + exponent.text + ")");
  }

  Phrase call(Function f, std::span<const WrittenPtr> args) const override {
    std::string list;
    for (const WrittenPtr& a : args) list += (list.empty() ? "" : ", ") + a->text;
    return {rattleback::text(f) + "(" + list + ")"};
  }
};

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

std::string text(Expr e) { return written(e, TextNotation()).text; }

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
