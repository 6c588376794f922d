#include <rattleback/view/programs/straight_line.hpp>

#include <algorithm>
#include <tuple>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

enum class Binding : std::uint8_t { sum, product, atom };

struct Piece {
  std::string text;
  Binding binding = Binding::atom;
};

std::string bracketed(const Piece& p, Binding at_least) {
  return p.binding < at_least ? "(" + p.text + ")" : p.text;
}

class Writer {
 public:
  Writer(std::span<const Expr> outputs, CodeNames names, const Dialect& dialect)
      : tape_(outputs), names_(std::move(names)), dialect_(dialect), pieces_(tape_.size()) {}

  StraightLine program() {
    find_shared();
    for (std::size_t slot = 0; slot < tape_.size(); ++slot) {
      const Expr e = tape_.node(slot);
      if (e.is(Kind::symbol) && e.symbol().role() != Role::constant) code_.inputs.push_back(e.symbol());
    }
    for (const Symbol s : code_.inputs) names_.of(s);  // before temporaries take names
    for (std::size_t slot = 0; slot < tape_.size(); ++slot) {
      pieces_[slot] = piece(slot);
      const bool tedious = pieces_[slot].text.size() > longest_inline && !is_output(slot) &&
                           !tape_.node(slot).is(Kind::power);  // below a bar its base is written, not it
      if (shared_[slot] || tedious) pieces_[slot] = {named(pieces_[slot].text)};
    }
    for (const std::uint32_t slot : tape_.outputs()) code_.outputs.push_back(pieces_[slot].text);
    return std::move(code_);
  }

 private:
  static constexpr std::size_t longest_inline = legible::within_a_line_of_code.count;

  bool is_output(std::size_t slot) const {
    const auto outputs = tape_.outputs();
    return std::find(outputs.begin(), outputs.end(), slot) != outputs.end();
  }

  /// A part used twice gets a name, unless it is as short as a name: a symbol, a number, −x.
  void find_shared() {
    std::vector<int> uses(tape_.size(), 0);
    for (std::size_t slot = 0; slot < tape_.size(); ++slot) {
      for (const std::uint32_t a : tape_.args(slot)) ++uses[a];
    }
    for (const std::uint32_t slot : tape_.outputs()) ++uses[slot];
    shared_.resize(tape_.size());
    for (std::size_t slot = 0; slot < tape_.size(); ++slot) {
      const Expr e = tape_.node(slot);
      shared_[slot] = uses[slot] > 1 && !e.args().empty() && !is_negated_symbol(e);
    }
  }

  static bool is_negated_symbol(Expr e) {
    if (!e.is(Kind::product)) return false;
    const Scaled s = split_coefficient(e);
    return s.coefficient == Rational(-1) && s.rest.is(Kind::symbol);
  }

  std::string named(std::string text) {
    std::string name = names_.fresh("k" + std::to_string(code_.temporaries.size() + 1));
    code_.temporaries.push_back({name, std::move(text)});
    return name;
  }

  /// The name of a value that has to be written more than once.
  std::string atom(std::size_t slot) {
    Piece& p = pieces_[slot];
    if (p.binding != Binding::atom || p.text.back() == ')') p = {named(p.text)};
    return p.text;
  }

  Piece piece(std::size_t slot) {
    const Expr e = tape_.node(slot);
    switch (e.kind()) {
      case Kind::constant: return number_piece(e.value());
      case Kind::symbol:
        if (e.symbol().role() == Role::constant) return {dialect_.pi};
        return {names_.of(e.symbol())};
      case Kind::sum: return sum_piece(slot);
      case Kind::product: return product_piece(slot);
      case Kind::power: return power_piece(slot);
      case Kind::call: return call_piece(slot);
    }
    return {};
  }

  Piece number_piece(const Rational& c) const {
    const std::string text = dialect_.number(c);
    return {text,
            text.front() == '-' || text.find('/') != std::string::npos ? Binding::product : Binding::atom};
  }

  Piece sum_piece(std::size_t slot) const {
    std::vector<std::uint32_t> terms(tape_.args(slot).begin(), tape_.args(slot).end());
    const auto positive = [&](std::uint32_t a) { return pieces_[a].text.front() != '-'; };
    const auto first = std::find_if(terms.begin(), terms.end(), positive);
    if (first != terms.end()) std::rotate(terms.begin(), first, first + 1);
    std::string s;
    for (const std::uint32_t a : terms) {
      const std::string& t = pieces_[a].text;
      if (s.empty()) {
        s = t;
      } else if (t.front() == '-') {
        s += " - " + t.substr(1);
      } else {
        s += " + " + t;
      }
    }
    return {s, Binding::sum};
  }

  /// x^|n| with n ≠ 0, ±1 handled by the caller.
  std::string power_text(std::size_t base, int n) {
    return n == 1 ? bracketed(pieces_[base], Binding::atom) : dialect_.power(atom(base), n);
  }

  Piece power_piece(std::size_t slot) {
    const int n = tape_.node(slot).exponent();
    const std::size_t base = tape_.args(slot)[0];
    if (n > 0) return {power_text(base, n), Binding::product};
    std::string below = power_text(base, -n);
    if (n < -1) below = "(" + below + ")";
    return {dialect_.number(Rational(1)) + "/" + below, Binding::product};
  }

  /// Parameters, then what is built from symbols, then the moving symbols, each in their order of declaration.
  std::vector<std::uint32_t> in_reading_order(std::span<const std::uint32_t> factors) const {
    std::vector<std::uint32_t> order(factors.begin(), factors.end());
    const auto key = [&](std::uint32_t slot) {
      const Expr e = tape_.node(slot);
      const Expr base = e.is(Kind::power) ? e.args()[0] : e;
      if (!base.is(Kind::symbol)) return std::tuple(2, 0, std::string());
      const Symbol s = base.symbol();
      const bool moves = s.role() > Role::time;
      return std::tuple(moves ? 3 : 1, s.attributes().order, s.name());
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    return order;
  }

  /// −a*b/(c*d): powers of negative exponent stand below the bar unless they have names.
  Piece product_piece(std::size_t slot) {
    std::vector<std::string> above, below;
    bool lone = true;  // one factor below the bar, which needs no brackets
    Rational coefficient = 1;
    for (const std::uint32_t a : in_reading_order(tape_.args(slot))) {
      const Expr factor = tape_.node(a);
      if (factor.is(Kind::constant)) {
        coefficient = coefficient * factor.value();
      } else if (factor.is(Kind::power) && factor.exponent() < 0 && !shared_[a]) {
        below.push_back(power_text(tape_.args(a)[0], -factor.exponent()));
        lone = below.size() == 1 && factor.exponent() == -1;
      } else {
        above.push_back(bracketed(pieces_[a], Binding::product));
      }
    }
    const bool negative = coefficient.sign() < 0;
    if (negative) coefficient = -coefficient;
    if (!coefficient.is_one() || above.empty()) {
      const std::string c = dialect_.number(coefficient);
      above.insert(above.begin(), c.find('/') == std::string::npos ? c : "(" + c + ")");
    }
    std::string text = negative ? "-" : "";
    for (std::size_t i = 0; i < above.size(); ++i) text += (i > 0 ? "*" : "") + above[i];
    std::string denominator;
    for (std::size_t i = 0; i < below.size(); ++i) denominator += (i > 0 ? "*" : "") + below[i];
    if (!below.empty()) text += lone ? "/" + denominator : "/(" + denominator + ")";
    return {text, Binding::product};
  }

  Piece call_piece(std::size_t slot) const {
    std::vector<std::string> arguments;
    for (const std::uint32_t a : tape_.args(slot)) arguments.push_back(pieces_[a].text);
    const std::string text = dialect_.call(tape_.node(slot).function(), arguments);
    return {text, text.find('/') < text.find('(') ? Binding::product : Binding::atom};
  }

  Tape tape_;
  CodeNames names_;
  const Dialect& dialect_;
  std::vector<Piece> pieces_;
  std::vector<bool> shared_;
  StraightLine code_;
};

}  // namespace

StraightLine straight_line(std::span<const Expr> outputs, CodeNames names, const Dialect& dialect) {
  return Writer(outputs, std::move(names), dialect).program();
}

}  // namespace rattleback
