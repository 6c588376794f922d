#include <rattleback/algebra/writing/latex.hpp>

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/syntax.hpp>

namespace rattleback {
namespace {

constexpr std::array greek{"alpha", "beta",  "gamma",   "delta",  "epsilon", "zeta",   "eta",
                           "theta", "iota",  "kappa",   "lambda", "mu",      "nu",     "xi",
                           "pi",    "rho",   "sigma",   "tau",    "upsilon", "phi",    "chi",
                           "psi",   "omega", "Gamma",   "Delta",  "Theta",   "Lambda", "Xi",
                           "Pi",    "Sigma", "Upsilon", "Phi",    "Psi",     "Omega"};

/// Names whose command is not their own, as NOTATION.md has them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> other_commands{
    {{"epsilon", "\\varepsilon"}, {"phi", "\\varphi"}, {"ell", "\\ell"}}};

std::string letter(std::string_view stem) {
  for (const auto& [name, command] : other_commands)
    if (stem == name) return std::string(command);
  if (std::find(greek.begin(), greek.end(), stem) != greek.end()) return fmt::format("\\{}", stem);
  if (stem.size() == 1) return std::string(stem);
  return fmt::format("\\mathrm{{{}}}", stem);
}

const char* function_name(Builtin which) {
  switch (which) {
#define FUNCTION(name, parity, latex, ...) \
  case Builtin::name:                      \
    return latex;
#include <rattleback/algebra/expression/functions.def>
#undef FUNCTION
    case Builtin::abstract: break;
  }
  return "";
}

std::string bracketed(const Phrase& p, Binding at_least) {
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
std::string argument(const Written& x) {
  return x.kind == Kind::symbol ? " " + x.text : fmt::format("\\left({}\\right)", x.text);
}

/// \\sin^{2} x, but (\\sin x)^{3/2}.
Phrase raised(const Phrase& base, const std::string& exponent, bool whole) {
  std::string s = bracketed(base, Binding::atom);
  const std::string above = fmt::format("^{{{}}}", exponent);
  if (base.raise == std::string::npos) return {s + above, Binding::power};
  if (whole) return {s.insert(base.raise, above), Binding::power};
  return {fmt::format("\\left({}\\right)", s) + above, Binding::power};
}

Phrase latex_power(const HalfPower& p) {
  if (p.halves == 2) return *p.base;
  if (p.halves == 1) return {fmt::format("\\sqrt{{{}}}", p.base->text)};
  if (p.halves % 2 == 0) return raised(*p.base, std::to_string(p.halves / 2), true);
  return raised(*p.base, fmt::format("{}/2", p.halves), false);
}

/// Names of several letters need air around them: R\,roll, not Rroll.
bool is_word(std::string_view factor) {
  return factor.starts_with("\\mathrm{") || factor.starts_with("\\dot{\\mathrm{") ||
         factor.starts_with("\\ddot{\\mathrm{");
}

/// In a fraction a lone factor needs no brackets.
std::string factors_latex(const Rational& number, const std::vector<HalfPower>& factors, bool in_fraction) {
  std::string s = number.is_one() && !factors.empty() ? "" : number.text();
  bool after_word = false;
  for (const HalfPower& factor : factors) {
    const bool alone = in_fraction && factors.size() == 1 && number.is_one();
    const std::string f = bracketed(latex_power(factor), alone ? Binding::sum : Binding::power);
    const bool word = is_word(f);
    s += (s.empty() ? "" : word || after_word ? " \\, " : " ") + f;
    after_word = word;
  }
  return s;
}

/// What a paper sets.
class LatexNotation : public Notation {
 public:
  Phrase symbol(Symbol s) const override { return {latex_name(s.name())}; }

  Phrase sum(std::span<const WrittenPtr> terms) const override {
    std::string s;
    for (const WrittenPtr& term : terms) {
      const std::string t = bracketed(*term, Binding::product);
      s += s.empty() || t.starts_with('-') ? (s.empty() ? t : " - " + t.substr(1)) : " + " + t;
    }
    return {std::move(s), Binding::sum};
  }

  Phrase fraction(const Fraction& f) const override {
    const std::string sign = f.negative ? "-" : "";
    if (f.denominator.empty() && f.below.is_one()) {
      return {sign + factors_latex(f.above, f.numerator, false),
              f.numerator.empty() && !f.negative ? Binding::atom : Binding::product};
    }
    // ½ m v² rather than m v²/2 when only a number stands below.
    if (f.denominator.empty() && !f.numerator.empty()) {
      return {fmt::format("{}\\frac{{{}}}{{{}}} {}", sign, f.above.text(), f.below.text(),
                          factors_latex(1, f.numerator, false)),
              Binding::product};
    }
    return {fmt::format("{}\\frac{{{}}}{{{}}}", sign, factors_latex(f.above, f.numerator, true),
                        factors_latex(f.below, f.denominator, true)),
            Binding::product};
  }

  Phrase power(const HalfPower& p) const override { return latex_power(p); }
  Phrase power(const Written& base, const Written& exponent) const override {
    return raised(base, exponent.text, false);
  }

  Phrase call(Function f, std::span<const WrittenPtr> args) const override {
    const std::string& x = args[0]->text;
    if (f.kind() == Builtin::sqrt) return {fmt::format("\\sqrt{{{}}}", x)};
    if (f.kind() == Builtin::abs) return {fmt::format("\\left|{}\\right|", x)};
    if (f.kind() == Builtin::exp) return {fmt::format("e^{{{}}}", x), Binding::power};
    if (!f.is_abstract()) {
      const std::string name = function_name(f.kind());
      return {name + argument(*args[0]), Binding::atom, name.size()};
    }
    std::string list;
    for (const WrittenPtr& a : args) list += (list.empty() ? "" : ", ") + a->text;
    return {fmt::format("{}({})", abstract_name(f), list)};
  }
};

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
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto digits = std::find_if_not(subscript.begin(), subscript.end(), is_letter);
    const bool word = digits - subscript.begin() > 1 && std::all_of(digits, subscript.end(), is_digit);
    s += fmt::format("_{{{}}}", word ? latex_name(subscript) : subscript);
  }
  return s;
}

std::string latex(Expr e) { return written(e, LatexNotation()).text; }

std::string latex(const Matrix& m) {
  std::string s;
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.columns(); ++j) s += (j == 0 ? "" : " & ") + latex(m(i, j));
    if (i + 1 < m.rows()) s += " \\\\ ";
  }
  return fmt::format("\\begin{{pmatrix}} {} \\end{{pmatrix}}", s);
}

}  // namespace rattleback
