#include <rattleback/algebra/latex.hpp>

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/syntax.hpp>

namespace rattleback {
namespace {

constexpr std::size_t longest = 1'000'000;

constexpr std::array greek{"alpha", "beta",  "gamma",   "delta",  "epsilon", "zeta",   "eta",
                           "theta", "iota",  "kappa",   "lambda", "mu",      "nu",     "xi",
                           "pi",    "rho",   "sigma",   "tau",    "upsilon", "phi",    "chi",
                           "psi",   "omega", "Gamma",   "Delta",  "Theta",   "Lambda", "Xi",
                           "Pi",    "Sigma", "Upsilon", "Phi",    "Psi",     "Omega"};

std::string letter(std::string_view stem) {
  if (std::find(greek.begin(), greek.end(), stem) != greek.end()) return fmt::format("\\{}", stem);
  if (stem.size() == 1) return std::string(stem);
  return fmt::format("\\mathrm{{{}}}", stem);
}

const char* function_name(Builtin which) {
  switch (which) {
#define FUNCTION(name, parity, latex, ...) \
  case Builtin::name:                      \
    return latex;
#include <rattleback/algebra/functions.def>
#undef FUNCTION
    case Builtin::abstract: break;
  }
  return "";
}

bool is_plain_function(Expr e) {
  return e.is(Kind::call) && !e.function().is_abstract() && e.function().kind() != Builtin::sqrt &&
         e.function().kind() != Builtin::abs;
}

enum class Binding : std::uint8_t { sum, product, atom };

struct Piece {
  std::string text;
  Binding binding;
};

Piece piece(Expr e);

std::string bracketed(const Piece& p, Binding at_least) {
  return p.binding < at_least ? fmt::format("\\left({}\\right)", p.text) : p.text;
}

std::string abstract_name(Function f) {
  const auto orders = f.orders();
  const std::string name = latex_name(f.name());
  if (orders.size() == 1) {
    if (orders[0] <= 3) return name + std::string(static_cast<std::size_t>(orders[0]), '\'');
    return fmt::format("{}^{{({})}}", name, orders[0]);
  }
  std::string slots;
  for (std::size_t k = 0; k < orders.size(); ++k) slots += fmt::format("{}{}", k == 0 ? "" : ",", orders[k]);
  return std::all_of(orders.begin(), orders.end(), [](int k) { return k == 0; })
             ? name
             : fmt::format("{}^{{({})}}", name, slots);
}

/// The argument of sin, cos, …: brackets only where they help the eye.
std::string argument(Expr x) {
  const Piece p = piece(x);
  return x.is(Kind::symbol) ? " " + p.text : fmt::format("\\left({}\\right)", p.text);
}

Piece call_piece(Expr e) {
  if (const auto p = as_symbolic_power(e)) {
    return {fmt::format("{}^{{{}}}", bracketed(piece(p->base), Binding::atom), piece(p->exponent).text),
            Binding::atom};
  }
  const Function f = e.function();
  if (f.kind() == Builtin::sqrt) return {fmt::format("\\sqrt{{{}}}", piece(e.args()[0]).text), Binding::atom};
  if (f.kind() == Builtin::abs)
    return {fmt::format("\\left|{}\\right|", piece(e.args()[0]).text), Binding::atom};
  if (f.kind() == Builtin::exp) return {fmt::format("e^{{{}}}", piece(e.args()[0]).text), Binding::atom};
  if (!f.is_abstract()) return {function_name(f.kind()) + argument(e.args()[0]), Binding::atom};
  std::string args;
  for (const Expr a : e.args()) args += (args.empty() ? "" : ", ") + piece(a).text;
  return {fmt::format("{}({})", abstract_name(f), args), Binding::atom};
}

Piece power_piece(Expr base, int exponent) {
  if (is_plain_function(base) && base.function().kind() != Builtin::exp) {
    return {
        fmt::format("{}^{{{}}}{}", function_name(base.function().kind()), exponent, argument(base.args()[0])),
        Binding::atom};
  }
  return {fmt::format("{}^{{{}}}", bracketed(piece(base), Binding::atom), exponent), Binding::atom};
}

Piece half_power_piece(const HalfPower& p) {
  if (p.halves == 2) return piece(p.base);
  if (p.halves == 1) return {fmt::format("\\sqrt{{{}}}", piece(p.base).text), Binding::atom};
  if (p.halves % 2 == 0) return power_piece(p.base, p.halves / 2);
  return {fmt::format("{}^{{{}/2}}", bracketed(piece(p.base), Binding::atom), p.halves), Binding::atom};
}

/// In a fraction a lone factor needs no brackets.
std::string factors_latex(const Rational& number, const std::vector<HalfPower>& factors, bool in_fraction) {
  std::string s = number.is_one() && !factors.empty() ? "" : number.text();
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const bool alone = in_fraction && factors.size() == 1 && number.is_one();
    const std::string f = bracketed(half_power_piece(factors[i]), alone ? Binding::sum : Binding::atom);
    s += (s.empty() ? "" : " ") + f;
  }
  return s;
}

Piece product_piece(Expr e) {
  const Fraction f = as_fraction(e);
  const std::string sign = f.negative ? "-" : "";
  if (f.denominator.empty() && f.below.is_one()) {
    return {sign + factors_latex(f.above, f.numerator, false),
            f.numerator.empty() && !f.negative ? Binding::atom : Binding::product};
  }
  // ½ m v² rather than m v²/2 when only a number stands below.
  if (f.denominator.empty() && !f.numerator.empty()) {
    std::string s;
    for (const HalfPower& factor : f.numerator) s += " " + bracketed(half_power_piece(factor), Binding::atom);
    return {fmt::format("{}\\frac{{{}}}{{{}}}{}", sign, f.above.text(), f.below.text(), s), Binding::product};
  }
  return {fmt::format("{}\\frac{{{}}}{{{}}}", sign, factors_latex(f.above, f.numerator, true),
                      factors_latex(f.below, f.denominator, true)),
          Binding::product};
}

Piece sum_piece(Expr e) {
  std::string s;
  for (const Expr term : ordered_terms(e)) {
    const std::string t = bracketed(piece(term), Binding::product);
    s += s.empty() || t.starts_with('-') ? (s.empty() ? t : " - " + t.substr(1)) : " + " + t;
  }
  return {std::move(s), Binding::sum};
}

Piece piece(Expr e) {
  switch (e.kind()) {
    case Kind::symbol: return {latex_name(e.symbol().name()), Binding::atom};
    case Kind::sum: return sum_piece(e);
    case Kind::power: return e.exponent() > 0 ? power_piece(e.args()[0], e.exponent()) : product_piece(e);
    case Kind::call: return call_piece(e);
    case Kind::constant:
    case Kind::product: return product_piece(e);
  }
  return {};
}

/// theta,f1 → \\theta,f_{1}; numbers stay.
std::string indices(std::string_view list) {
  std::string s;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view one = list.substr(0, comma);
    const bool number = std::all_of(one.begin(), one.end(),
                                    [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
    s += (s.empty() ? "" : ",") + (number ? std::string(one) : latex_name(one));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return s;
}

/// A^x_theta, C_12^1: a letter with indices above and below.
std::string indexed_name(std::string_view name) {
  const std::size_t first = name.find_first_of("^_");
  std::string s = letter(name.substr(0, first)), below, above;
  for (std::size_t at = first; at < name.size();) {
    const std::size_t next = std::min(name.find_first_of("^_", at + 1), name.size());
    (name[at] == '^' ? above : below) = indices(name.substr(at + 1, next - at - 1));
    at = next;
  }
  if (!above.empty()) s += fmt::format("^{{{}}}", above);
  return below.empty() ? s : s + fmt::format("_{{{}}}", below);
}

/// {f, g}: a bracket.
std::string bracket_name(std::string_view name) {
  const std::size_t comma = name.find(", ");
  return fmt::format("\\{{{}, {}\\}}", latex_name(name.substr(1, comma - 1)),
                     latex_name(name.substr(comma + 2, name.size() - comma - 3)));
}

}  // namespace

std::string latex_name(std::string_view name) {
  if (name.starts_with('{') && name.ends_with('}') && name.find(", ") != std::string_view::npos)
    return bracket_name(name);
  if (const std::size_t up = name.find('^'); up != std::string_view::npos && up > 0)
    return indexed_name(name);
  const auto [base, primes] = split_primes(name);
  std::string_view stem = base;
  std::string subscript;
  if (const std::size_t bar = base.find('_'); bar != std::string_view::npos && bar > 0) {
    stem = base.substr(0, bar);
    subscript = std::string(base.substr(bar + 1));
    std::replace(subscript.begin(), subscript.end(), '_', ',');
  } else {
    while (!stem.empty() && std::isdigit(static_cast<unsigned char>(stem.back())) != 0) stem.remove_suffix(1);
    subscript = std::string(base.substr(stem.size()));
  }
  std::string s = letter(stem.empty() ? base : stem);
  if (primes > 0) s = fmt::format("\\{}{{{}}}", primes == 1 ? "dot" : primes == 2 ? "ddot" : "dddot", s);
  if (!subscript.empty() && !stem.empty()) {
    const bool word = subscript.size() > 1 && std::all_of(subscript.begin(), subscript.end(), [](char c) {
                        return std::isalpha(static_cast<unsigned char>(c)) != 0;
                      });
    s += word ? fmt::format("_{{{}}}", letter(subscript)) : fmt::format("_{{{}}}", subscript);
  }
  return s;
}

std::string latex(Expr e) {
  if (written_size(e) > longest) throw Exhausted("the written-out formula has more than a million terms");
  return piece(e).text;
}

std::string latex(const Matrix& m) {
  std::string s;
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.columns(); ++j) s += (j == 0 ? "" : " & ") + latex(m(i, j));
    if (i + 1 < m.rows()) s += " \\\\ ";
  }
  return fmt::format("\\begin{{pmatrix}} {} \\end{{pmatrix}}", s);
}

}  // namespace rattleback
