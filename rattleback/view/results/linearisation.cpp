#include <rattleback/view/results/linearisation.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/view/formulas/named_parts.hpp>
#include <rattleback/view/formulas/sheet.hpp>
#include <rattleback/view/formulas/wrapped_formula.hpp>

namespace rattleback {
namespace {

using nlohmann::ordered_json;

/// What the model gives values to. Nothing when a symbol is left without one.
std::optional<Numbers> values_of(const System& system, const Linearisation& small) {
  Numbers at;
  for (const auto& [s, value] : parameter_values(system)) at.emplace(s, evaluate(value, {}));
  for (const Matrix* m : {&small.N, &small.J, &small.M, &small.C, &small.K}) {
    for (const Symbol s : symbols_of(m->entries())) {
      if (s.role() != Role::constant && !at.contains(s)) return std::nullopt;
    }
  }
  return at;
}

std::string number_text(double x) { return fmt::format("{:.12g}", std::fabs(x) < 1e-12 ? 0 : x); }

/// Formulas of a few symbols; numbers when one of them is long and all have one.
std::vector<std::string> readable(std::vector<Expr> es, const std::optional<Numbers>& at) {
  constexpr std::size_t longest = legible::in_a_sentence.count,
                        shortened = search_limits::linearisation.count;
  bool short_ones = true;
  for (Expr& e : es) {
    if (written_size(e) <= shortened) e = short_form(e);
    short_ones = short_ones && written_size(e) <= longest;
  }
  std::vector<std::string> texts;
  for (const Expr e : es) texts.push_back(short_ones || !at ? text(e) : number_text(evaluate(e, *at)));
  return texts;
}

/// "9.49*lean - 0.1*lean_rate".
std::string combination(const std::vector<std::string>& coefficients, const std::vector<std::string>& names) {
  std::string s;
  for (std::size_t j = 0; j < names.size(); ++j) {
    std::string c = coefficients[j];
    if (c == "0") continue;
    if (c.find(" + ") != std::string::npos || c.find(" - ") != std::string::npos) c = "(" + c + ")";
    const bool negative = c.front() == '-';
    if (negative) c.erase(0, 1);
    const std::string term = c == "1" ? names[j] : c + "*" + names[j];
    s += s.empty() ? (negative ? "-" : "") + term : (negative ? " - " : " + ") + term;
  }
  return s.empty() ? "0" : s;
}

std::string rows_text(const std::string& name, const Matrix& m, const std::vector<std::string>& entries) {
  std::string s;
  for (int i = 0; i < m.rows(); ++i) {
    const auto row = entries.begin() + static_cast<std::ptrdiff_t>(i) * m.columns();
    s += fmt::format("  {} [{}]\n", i == 0 ? name : std::string(name.size(), ' '),
                     fmt::join(row, row + m.columns(), ", "));
  }
  return s;
}

std::string matrix_text(const char* name, const Matrix& m, const std::optional<Numbers>& at) {
  return rows_text(name, m, readable({m.entries().begin(), m.entries().end()}, at));
}

std::vector<std::string> numbers_text(const Matrix& m, const Numbers& at) {
  std::vector<std::string> texts;
  for (const Expr e : m.entries()) texts.push_back(number_text(evaluate(e, at)));
  return texts;
}

std::vector<std::string> names_of(const std::vector<Symbol>& symbols) {
  std::vector<std::string> names;
  for (const Symbol s : symbols) names.push_back(s.name());
  return names;
}

/// The only letter without a number, and the numbers of all others; nothing where there is none or more than one.
std::optional<std::pair<Symbol, Numbers>> only_letter(const System& system, const Linearisation& small) {
  Numbers at;
  for (const auto& [s, value] : parameter_values(system)) at.emplace(s, evaluate(value, {}));
  std::optional<Symbol> letter;
  for (const Matrix* m : {&small.M, &small.C, &small.K}) {
    for (const Symbol s : symbols_of(m->entries())) {
      if (s.role() == Role::constant || at.contains(s) || letter == s) continue;
      if (letter) return std::nullopt;
      letter = s;
    }
  }
  return letter ? std::optional(std::pair(*letter, at)) : std::nullopt;
}

/// m = m_0 + v m_1 + v² m_2; nothing when it is of higher degree.
std::optional<std::vector<Matrix>> powers_of(Matrix m, Symbol v) {
  std::vector<Matrix> parts;
  Matrix rest = m;
  for (int k = 0; k <= 2; ++k) {
    parts.push_back(Expr(Rational(1, k == 2 ? 2 : 1)) * substitute(m, SymbolMap{{v, Expr(0)}}));
    rest = rest - pow(Expr(v), k) * parts.back();
    m = derivative(m, v);
  }
  for (const Expr e : rest.entries())
    if (!vanishes_at_random_points(e)) return std::nullopt;
  return parts;
}

bool is_long(const Matrix& m) {
  return std::ranges::any_of(m.entries(), [](Expr e) { return !fits(e, legible::in_a_sentence); });
}

/// M z' + v C1 z + (K0 + v² K2) q = 0 with numbers for all other letters, as the benchmark bicycle is stated; where formulas are long.
std::optional<std::string> by_powers_of_letter(const System& system, const Linearisation& small) {
  if (!is_long(small.M) && !is_long(small.C) && !is_long(small.K)) return std::nullopt;
  const auto letter = only_letter(system, small);
  if (!letter || small.speeds.empty() || small.configuration.empty()) return std::nullopt;
  const auto& [v, at] = *letter;
  using Term = std::tuple<const char*, const Matrix*, const char*>;
  std::string equation, matrices;
  for (const auto& [name, m, of] :
       {Term{"M", &small.M, "z'"}, Term{"C", &small.C, "z"}, Term{"K", &small.K, "q"}}) {
    const auto parts = powers_of(*m, v);
    if (!parts) return std::nullopt;
    std::vector<std::string> terms;
    for (std::size_t k = 0; k < parts->size(); ++k) {
      const Matrix& part = (*parts)[k];
      if (std::ranges::all_of(part.entries(), [](Expr e) { return vanishes_at_random_points(e); })) continue;
      const std::string own = *name == 'M' && k == 0 ? name : fmt::format("{}{}", name, k);
      terms.push_back(k == 0 ? own : fmt::format("{}{}*{}", v.name(), k == 1 ? "" : "^2", own));
      matrices += rows_text(own + " =", part, numbers_text(part, at));
    }
    if (terms.empty()) continue;
    const std::string sum = fmt::format("{}", fmt::join(terms, " + "));
    equation +=
        fmt::format("{}{}*{}", equation.empty() ? "" : " + ", terms.size() > 1 ? "(" + sum + ")" : sum, of);
  }
  return fmt::format("  {} = 0 with z = [{}], q = [{}]\n{}", equation,
                     fmt::join(names_of(small.speeds), ", "), fmt::join(names_of(small.configuration), ", "),
                     matrices);
}

std::string complex_text(std::complex<double> z) {
  if (std::fabs(z.imag()) < 1e-12) return number_text(z.real());
  return fmt::format("{} {} {}i", number_text(z.real()), z.imag() < 0 ? "-" : "+",
                     number_text(std::fabs(z.imag())));
}

std::string given_text(const Linearisation& small) {
  std::vector<std::string> items;
  for (const auto& [s, value] : small.about.values) {
    if (!value.is_zero() && s.role() != Role::rotation) items.push_back(s.name() + " = " + text(value));
  }
  std::sort(items.begin(), items.end());
  return items.empty() ? "rest" : fmt::format("{}", fmt::join(items, ", "));
}

std::string matrices_text(const Linearisation& small, const std::optional<Numbers>& at) {
  std::string s;
  if (!small.speeds.empty())
    s += fmt::format("  M*z' + C*z + K*q = 0 with z = [{}], q = [{}]\n",
                     fmt::join(names_of(small.speeds), ", "), fmt::join(names_of(small.configuration), ", "));
  s += matrix_text("M =", small.M, at) + matrix_text("C =", small.C, at);
  if (!small.configuration.empty() && !small.speeds.empty()) s += matrix_text("K =", small.K, at);
  return s;
}

}  // namespace

std::string as_text(const System& system, const Linearisation& small) {
  const std::optional<Numbers> at = values_of(system, small);
  std::string s = fmt::format("{}: small motions about {}\n\n", heading(system), given_text(small));
  std::vector<std::string> variables = names_of(small.configuration);
  for (const std::string& z : names_of(small.speeds)) variables.push_back(z);
  for (int i = 0; i < small.N.rows(); ++i) {
    const Matrix row = beside(small.N.row(i), small.J.row(i));
    const std::string rate =
        combination(readable({row.entries().begin(), row.entries().end()}, at), variables);
    s += fmt::format("  {}' = {}\n", variables[static_cast<std::size_t>(i)], wrapped_formula(rate, 10, 6));
  }
  const auto in_powers = by_powers_of_letter(system, small);
  if (in_powers) {
    s += *in_powers;
  } else {
    s += matrices_text(small, at);
  }
  if (at) {
    s += "eigenvalues\n";
    for (const std::complex<double> z : spectrum(small, *at)) s += "  " + complex_text(z) + "\n";
  } else {
    s += "  note: eigenvalues need a number for every symbol\n";
  }
  std::vector<Symbol> left_out = small.cyclic;
  left_out.insert(left_out.end(), small.idle.begin(), small.idle.end());
  if (!left_out.empty())
    s += fmt::format("  note: nothing depends on {}\n", fmt::join(names_of(left_out), ", "));
  for (const std::string& note : small.notes) s += fmt::format("  note: {}\n", note);
  return s;
}

std::string as_json(const System& system, const Linearisation& small) {
  const std::optional<Numbers> at = values_of(system, small);
  ordered_json out{{"schema", "rattleback.linearise/1"}, {"model", system.name}};
  for (const auto& [s, value] : small.about.values) {
    if (!value.is_zero()) out["about"][s.name()] = text(value);
  }
  out["configuration"] = names_of(small.configuration);
  out["speeds"] = names_of(small.speeds);
  out["cyclic"] = names_of(small.cyclic);
  out["idle"] = names_of(small.idle);

  const std::vector<std::pair<const char*, const Matrix*>> matrices{
      {"N", &small.N}, {"J", &small.J}, {"M", &small.M}, {"C", &small.C}, {"K", &small.K}};
  std::vector<Expr> formulas;
  for (const auto& [name, m] : matrices) {
    for (const Expr e : m->entries()) formulas.push_back(e);
  }
  constexpr std::size_t longest = legible::without_named_parts_in_json.count;
  const std::vector<std::string> known = system.scope.names();
  const NamedParts named = with_named_parts(formulas, {known.begin(), known.end()}, longest);
  auto next = named.formulas.begin();
  for (const auto& [name, m] : matrices) {
    ordered_json rows = ordered_json::array(), numbers = ordered_json::array();
    for (int i = 0; i < m->rows(); ++i) {
      ordered_json row = ordered_json::array(), values = ordered_json::array();
      for (int j = 0; j < m->columns(); ++j) {
        row.push_back(text(*next++));
        if (at) values.push_back(evaluate((*m)(i, j), *at));
      }
      rows.push_back(row);
      numbers.push_back(values);
    }
    out["matrices"][name] = rows;
    if (at) out["numbers"][name] = numbers;
  }
  for (const Statement& part : named.parts) out["parts"][part.name] = text(part.value);
  if (at) {
    for (const std::complex<double> z : spectrum(small, *at))
      out["eigenvalues"].push_back(ordered_json{{"re", z.real()}, {"im", z.imag()}});
  }
  out["notes"] = small.notes;
  return out.dump(2) + "\n";
}

}  // namespace rattleback
