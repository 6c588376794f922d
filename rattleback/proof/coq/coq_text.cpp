#include <rattleback/proof/coq/coq_text.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {

constexpr std::size_t longest = search_limits::theorem_for_coq.count;

[[noreturn]] void no_form(const std::string& what) {
  throw NoCoqForm("no-coq-form", what, "",
                  "check the certificate with `rattleback prove MODEL --certificate FILE`");
}

/// Letters, digits, underscores and primes; no word of the language and no name of the kernel's module.
std::string identifier(const std::string& name) {
  std::string s;
  for (const char c : name)
    s += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\'' ? c : '_';
  if (s.empty() || std::isdigit(static_cast<unsigned char>(s[0])) != 0 || s[0] == '\'') s = "x_" + s;
  // Words of the language, and names that the file gives to its own definitions.
  constexpr std::array words{"Axiom",
                             "Check",
                             "Definition",
                             "End",
                             "Import",
                             "Kernel",
                             "Module",
                             "Prop",
                             "Proof",
                             "Qed",
                             "SProp",
                             "Section",
                             "Set",
                             "Type",
                             "as",
                             "at",
                             "by",
                             "cofix",
                             "else",
                             "end",
                             "exists",
                             "exists2",
                             "fix",
                             "for",
                             "forall",
                             "fun",
                             "if",
                             "in",
                             "let",
                             "match",
                             "mod",
                             "return",
                             "then",
                             "using",
                             "where",
                             "with",
                             "cons",
                             "eq_refl",
                             "expr",
                             "false",
                             "nil",
                             "true",
                             "conditions",
                             "definitions",
                             "density",
                             "energy",
                             "fields",
                             "first",
                             "form",
                             "function",
                             "inverse",
                             "lagrangian",
                             "legs",
                             "momenta",
                             "multiplier",
                             "multipliers",
                             "nonzero",
                             "positive",
                             "rate",
                             "rates_of_multipliers",
                             "rates_of_speeds",
                             "reading",
                             "second",
                             "solved",
                             "speeds",
                             "still",
                             "support",
                             "system",
                             "theorems",
                             "unconstrained",
                             "velocities_by_speeds"};
  for (const char* numbered :
       {"constraint",  "field",      "function", "cofactors", "orbits", "coframe",       "samples",
        "weights",     "there",      "slopes",   "twist",     "open",   "no_multiplier", "speeds",
        "definitions", "velocities", "velocity", "rates",     "metric", "squares"}) {
    if (s.starts_with(numbered)) s += "_";
  }
  if (std::find(words.begin(), words.end(), s) != words.end() || s == "_") s += "_";
  return s;
}

void add_once(std::vector<std::string>& all, const std::string& text) {
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
}

std::string number_text(const Rational& r) {
  if (!r.is_integer()) return fmt::format("(Kernel.K ({}) {})", r.numerator().text(), r.denominator().text());
  return r.sign() < 0 ? fmt::format("#({})", r.text()) : fmt::format("#{}", r.text());
}

/// e is a fraction: some factor has a negative exponent.
bool divides(Expr e) {
  if (e.is(Kind::constant) || e.is(Kind::symbol)) return false;
  if (e.is(Kind::power) && e.exponent() < 0) return true;
  const auto args = e.args();
  return std::any_of(args.begin(), args.end(), divides);
}

}  // namespace

CoqNames::Entry& CoqNames::entry(Symbol s) {
  for (auto& [symbol, found] : entries_) {
    if (symbol == s) return found;
  }
  std::string name = identifier(s.name());
  while (taken_.contains(name)) name += "_";
  taken_.emplace(name, ++last_);
  entries_.emplace_back(s, Entry{last_, name});
  return entries_.back().second;
}

int CoqNames::number(Symbol s) { return entry(s).number; }
const std::string& CoqNames::name(Symbol s) { return entry(s).name; }

std::vector<Symbol> CoqNames::symbols() const {
  std::vector<Symbol> all;
  for (const auto& [symbol, entry] : entries_) all.push_back(symbol);
  return all;
}

std::string CoqNames::definitions() const {
  std::string all;
  for (const auto& [symbol, entry] : entries_)
    all += fmt::format("Definition {} := Kernel.V {}.\n", entry.name, entry.number);
  return all;
}

void CoqPrinter::add_positive(const std::string& text) { add_once(positives_, text); }

std::string CoqPrinter::text(Expr e) {
  std::string s = printed(in_exponentials(e), 100);
  length_ += s.size();
  if (length_ > longest) no_form("the formulas are too long for Coq's parser");
  return s;
}

void CoqPrinter::note_at(Expr e, const SymbolMap& values) {
  instead_ = values;
  text(e);
  instead_.clear();
}

std::string CoqPrinter::list(const std::vector<Expr>& es) {
  std::string s;
  for (const Expr e : es) s += (s.empty() ? "" : "; ") + text(e);
  return "[" + s + "]";
}

/// Levels of Coq's grammar: sums 50, products 40, powers 30, arguments 10.
std::string CoqPrinter::printed(Expr e, int level) {
  const auto enclosed = [&](std::string s, int own) { return own > level ? "(" + s + ")" : s; };
  switch (e.kind()) {
    case Kind::constant: return number_text(e.value());
    case Kind::symbol:
      for (const auto& [w, exponential] : exponentials_) {
        if (w == e.symbol()) return enclosed(call(exponential), 11);
      }
      if (const auto value = instead_.find(e.symbol()); value != instead_.end()) {
        const SymbolMap kept = std::exchange(instead_, {});
        const std::string s = printed(kept.at(e.symbol()), level);
        instead_ = kept;
        return s;
      }
      return names_->name(e.symbol());
    case Kind::sum: return enclosed(sum(e), 50);
    case Kind::product: return enclosed(product(e), 40);
    case Kind::power:
      if (e.exponent() < 0) return enclosed(inverse(e.args()[0], -e.exponent()), 30);
      return enclosed(fmt::format("{}^{}", printed(e.args()[0], 10), e.exponent()), 30);
    case Kind::call: return enclosed(call(e), 11);
  }
  throw Bug("a node of unknown kind");
}

std::string CoqPrinter::sum(Expr e) {
  const auto negative = [](Expr term) {
    const Expr c = term.is(Kind::product) ? term.args()[0] : term;
    return c.is(Kind::constant) && c.value().sign() < 0;
  };
  std::string s;
  for (const Expr term : e.args()) {
    if (s.empty()) {
      s = printed(term, 40);
    } else {
      s += negative(term) ? " - " + printed(-term, 40) : " + " + printed(term, 40);
    }
  }
  return s;
}

std::string CoqPrinter::product(Expr e) {
  std::string s;
  for (const Expr factor : e.args()) s += (s.empty() ? "" : "*") + printed(factor, 30);
  return s;
}

/// (/ base)^n; a fraction below the line is turned over first.
std::string CoqPrinter::inverse(Expr base, int exponent) {
  if (divides(base)) {
    const Expr turned = canonical(1 / base);
    if (turned.is(Kind::power) && turned.exponent() == -1 && turned.args()[0] == base)
      no_form(fmt::format("`{}` stands below a line and contains another", rattleback::text(base)));
    const std::string s = "(" + printed(turned, 100) + ")";
    return exponent == 1 ? s : fmt::format("{}^{}", s, exponent);
  }
  const std::string below = printed(base, 10);
  add_once(denominators_, below);
  const Expr divisor = here(substitute(base, SymbolMap(exponentials_.begin(), exponentials_.end())));
  if (std::find(nonzero_.begin(), nonzero_.end(), divisor) == nonzero_.end()) nonzero_.push_back(divisor);
  return exponent == 1 ? fmt::format("(/ {})", below) : fmt::format("(/ {})^{}", below, exponent);
}

/// Hyperbolic functions as fractions in w = exp(x): the kernel knows exp.
Expr CoqPrinter::in_exponentials(Expr e) {
  const auto changed = [&](Expr node) {
    if (!node.is(Kind::call) || node.function().is_abstract()) return node;
    const Builtin f = node.function().kind();
    if (f != Builtin::sinh && f != Builtin::cosh && f != Builtin::tanh) return node;
    const Expr exponential = exp(node.args()[0]);
    const Symbol name = Symbol::make(rattleback::text(exponential), {.sign = Sign::positive});
    if (std::find(exponentials_.begin(), exponentials_.end(), std::pair(name, exponential)) ==
        exponentials_.end())
      exponentials_.emplace_back(name, exponential);
    const Expr w(name);
    if (f == Builtin::tanh) return (w * w - 1) / (w * w + 1);
    return (f == Builtin::sinh ? w - 1 / w : w + 1 / w) / 2;
  };
  return rebuild(std::span(&e, 1), changed).front();
}

/// Sums and whole multiples are expanded by the kernel; their parts are angles.
void CoqPrinter::add_angle(Expr a) {
  if (a.is(Kind::sum)) {
    for (const Expr part : a.args()) add_angle(part);
  } else if (a.is(Kind::product) && a.args()[0].is(Kind::constant) && a.args()[0].value().is_integer()) {
    std::vector<Expr> rest(a.args().begin() + 1, a.args().end());
    add_angle(rattleback::product(rest));
  } else {
    add_once(angles_, printed(a, 10));
  }
}

/// The first radicand so far with the same values: sqrt((1 - x)*(1 + x)) is sqrt(1 - x^2), and to Coq two roots are two numbers.
Expr CoqPrinter::same_radicand(Expr x) {
  const InAmbientSpace everywhere;  // derivatives in all directions are those of one function
  for (const Expr known : radicands_) {
    if (known == x || proved(is_zero(known - x))) return known;
  }
  radicands_.push_back(x);
  return x;
}

/// log(a/b) = log(a b) − log(b²), wherever a/b is positive: the kernel divides by polynomials.
std::string CoqPrinter::log_of_fraction(Expr x) {
  const Expr fraction = canonical(x);
  std::vector<Expr> above, below;
  for (const Expr factor : fraction.is(Kind::product) ? fraction.args() : std::span(&fraction, 1)) {
    if (factor.is(Kind::power) && factor.exponent() < 0)
      below.push_back(1 / factor);
    else
      above.push_back(factor);
  }
  const Expr a = rattleback::product(above), b = rattleback::product(below);
  if (divides(a) || divides(b))
    no_form(fmt::format("`{}` is the logarithm of a fraction in fractions", rattleback::text(x)));
  return "(" + printed(log(a * b) - log(b * b), 100) + ")";
}

std::string CoqPrinter::call(Expr e) {
  const Expr x = e.args()[0];
  const Function f = e.function();
  if (f.is_abstract()) no_form(fmt::format("`{}` is an abstract function", rattleback::text(f)));
  const auto applied = [&](const char* name) { return fmt::format("Kernel.{} {}", name, printed(x, 10)); };
  switch (f.kind()) {
    case Builtin::sin: add_angle(x); return applied("Sin");
    case Builtin::cos: add_angle(x); return applied("Cos");
    case Builtin::tan: return "(" + printed(sin(x) / cos(x), 100) + ")";
    case Builtin::cot: return "(" + printed(cos(x) / sin(x), 100) + ")";
    case Builtin::sec: return "(" + printed(1 / cos(x), 100) + ")";
    case Builtin::csc: return "(" + printed(1 / sin(x), 100) + ")";
    case Builtin::sqrt: {
      const std::string radicand = printed(instead_.empty() ? same_radicand(x) : x, 10),
                        root = "Kernel.Sqrt " + radicand;
      add_once(roots_, radicand);
      add_once(positives_, radicand);
      add_once(denominators_, "(" + root + ")");
      nonzero_.push_back(here(e));
      above_zero_.push_back(here(x));
      return root;
    }
    case Builtin::exp: add_once(others_, applied("Exp")); return applied("Exp");
    case Builtin::log: {
      if (divides(x)) return log_of_fraction(x);
      const std::string argument = printed(x, 10);
      add_once(positives_, argument);
      add_once(denominators_, argument);
      above_zero_.push_back(here(x));
      add_once(others_, applied("Log"));
      return applied("Log");
    }
    default: no_form(fmt::format("the kernel does not know `{}`", f.name()));
  }
}

}  // namespace rattleback
