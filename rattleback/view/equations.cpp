#include <rattleback/view/equations.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/latex.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/motion/formalism.hpp>
#include <rattleback/view/named_parts.hpp>

namespace rattleback {
namespace {

using nlohmann::ordered_json;

std::string title_of(const std::string& form) { return formalism(form).title; }

const std::string& heading(const System& system) { return system.title.empty() ? system.name : system.title; }

/// name' = value; for a rotation matrix B' = B Ω̂ with the three components of Ω.
struct Line {
  std::string name;
  std::vector<Expr> values;
  bool is_rotation() const { return values.size() == 3; }
};

/// Ω of the rotation matrix `family`, in the speeds.
std::vector<Expr> angular_velocity(const System& system, const EquationsOfMotion& equations,
                                   const std::string& family) {
  for (const Factor& factor : system.space.factors()) {
    if (factor.pieces.empty()) continue;
    const Symbol first = factor.pieces.front().functions.front();
    if (first.role() != Role::rotation || first.attributes().family != family) continue;
    std::vector<Expr> omega;
    for (int k = 0; k < 3; ++k) omega.push_back(equations.velocities.at(factor.velocities[k]));
    return omega;
  }
  throw Bug("no factor has the rotation matrix " + family);
}

/// One line per state variable, the nine entries of a rotation matrix together. A coordinate whose velocity is
/// itself a speed needs no line.
std::vector<Line> lines_of(const System& system, const EquationsOfMotion& equations) {
  std::vector<Line> lines;
  std::set<std::string> families;
  for (std::size_t i = 0; i < equations.configuration.size(); ++i) {
    const Symbol q = equations.configuration[i];
    const Expr rate = equations.configuration_rates[i];
    if (q.role() != Role::rotation) {
      const bool trivial = rate.is(Kind::symbol) && rate.symbol().name() == q.name() + "'";
      if (!trivial) lines.push_back({q.name(), {rate}});
    } else if (families.insert(q.attributes().family).second) {
      lines.push_back({q.attributes().family, angular_velocity(system, equations, q.attributes().family)});
    }
  }
  for (std::size_t i = 0; i < equations.speeds.size(); ++i)
    lines.push_back({equations.speeds[i].name(), {equations.speed_rates[i]}});
  return lines;
}

std::set<std::string> names_in_use(const System& system, const EquationsOfMotion& equations) {
  std::set<std::string> names;
  for (const std::string& name : system.scope.names()) names.insert(name);
  for (const Symbol s : equations.speeds) names.insert(s.name());
  return names;
}

/// The lines with their shared parts named, when they are long.
struct Sheet {
  std::vector<Line> lines;
  std::vector<Statement> multipliers, reactions, parts;

  /// Every formula of the sheet, in order.
  template <class Visit>
  void for_each_formula(Visit visit) {
    for (Line& line : lines) {
      for (Expr& value : line.values) visit(value);
    }
    for (Statement& s : multipliers) visit(s.value);
    for (Statement& s : reactions) visit(s.value);
  }
};
Sheet sheet_of(const System& system, const EquationsOfMotion& equations) {
  Sheet sheet{lines_of(system, equations), equations.multipliers, equations.reactions, {}};
  std::vector<Expr> formulas;
  sheet.for_each_formula([&](Expr value) { formulas.push_back(value); });
  const NamedParts named = with_named_parts(formulas, names_in_use(system, equations));
  sheet.parts = named.parts;
  auto next = named.formulas.begin();
  sheet.for_each_formula([&](Expr& value) { value = *next++; });
  return sheet;
}

std::string aligned(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::size_t width = 0;
  for (const auto& [name, value] : lines) width = std::max(width, name.size());
  std::string s;
  for (const auto& [name, value] : lines) s += fmt::format("  {:<{}} = {}\n", name, width, value);
  return s;
}

std::string aligned(const std::vector<Statement>& statements) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Statement& s : statements) lines.emplace_back(s.name, text(s.value));
  return aligned(lines);
}

std::string equations_text(const Sheet& sheet) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Line& line : sheet.lines) {
    lines.emplace_back(line.name + "'", line.is_rotation() ? fmt::format("{}*hat({})", line.name,
                                                                         text(Matrix::column(line.values)))
                                                           : text(line.values[0]));
  }
  std::string s = aligned(lines);
  if (!sheet.multipliers.empty()) s += "multipliers\n" + aligned(sheet.multipliers);
  if (!sheet.reactions.empty()) s += "reactions\n" + aligned(sheet.reactions);
  if (!sheet.parts.empty()) s += "  with\n" + aligned(sheet.parts);
  return s;
}

std::string notes_text(const std::vector<std::string>& notes) {
  std::string s;
  for (const std::string& note : notes) s += fmt::format("  note: {}\n", note);
  return s;
}

/// "where cos(theta) ≠ 0": one line for all that a person can take in; how many others there are.
std::string where_text(const Assumptions& where) {
  constexpr std::size_t readable = 60;
  std::vector<std::string> conditions;
  std::size_t long_ones = 0;
  for (const Assumption& a : where) {
    if (written_size(a.expression) > readable) {
      ++long_ones;
    } else {
      conditions.push_back(text(a.expression) + (a.kind == Assumption::Kind::positive ? " > 0" : " ≠ 0"));
    }
  }
  if (long_ones > 0)
    conditions.push_back(fmt::format("{} longer determinant{} ≠ 0", long_ones, long_ones == 1 ? "" : "s"));
  return conditions.empty() ? "" : fmt::format("  where {}\n", fmt::join(conditions, ", "));
}

/// A name as an index: letters as in the formulas, `wheel.normal` and other words upright.
std::string latex_index(const std::string& name) {
  if (name.find('.') == std::string::npos) return latex_name(name);
  std::string words = name;
  std::replace(words.begin(), words.end(), '.', ',');
  std::string escaped;
  for (const char c : words) escaped += c == '_' ? std::string("\\_") : std::string(1, c);
  return fmt::format("\\mathrm{{{}}}", escaped);
}

std::string align_environment(const std::string& rows) {
  return fmt::format("\\begin{{align*}}\n{}\\end{{align*}}\n", rows);
}

std::string latex_rows(const std::vector<Statement>& statements) {
  std::string rows;
  for (const Statement& s : statements)
    rows += fmt::format("  {} &= {} \\\\\n", latex_name(s.name), latex(s.value));
  return rows;
}

/// λ_blade = …, R_x = …: the letter with the statement's name as its index.
std::string latex_rows(const char* letter, const std::vector<Statement>& statements) {
  std::string rows;
  for (const Statement& s : statements)
    rows += fmt::format("  {}_{{{}}} &= {} \\\\\n", letter, latex_index(s.name), latex(s.value));
  return rows;
}

}  // namespace

std::string as_text(const System& system, const EquationsOfMotion& equations, bool steps) {
  std::string s = fmt::format("{}: {}\n\n", heading(system), title_of(equations.form));
  if (steps) {
    int number = 0;
    for (const Step& step : equations.steps) {
      s += fmt::format("{}. {}{}\n", ++number, step.title, step.remark.empty() ? "" : ": " + step.remark);
      s += aligned(step.lines) + "\n";
    }
    s += fmt::format("{}. Equations of motion\n", ++number);
  }
  return s + equations_text(sheet_of(system, equations)) + where_text(equations.where) +
         notes_text(equations.notes);
}

std::string as_latex(const System& system, const EquationsOfMotion& equations, bool steps) {
  std::string s = fmt::format("% {}: {}\n", heading(system), title_of(equations.form));
  if (steps) {
    for (const Step& step : equations.steps) {
      if (!step.lines.empty())
        s += fmt::format("{}.\n{}", step.title, align_environment(latex_rows(step.lines)));
    }
  }
  const Sheet sheet = sheet_of(system, equations);
  std::string rows;
  for (const Line& line : sheet.lines) {
    const std::string left = latex_name(line.name + "'");
    rows += line.is_rotation() ? fmt::format("  {} &= {}\\,\\widehat{{{}}} \\\\\n", left,
                                             latex_name(line.name), latex(Matrix::column(line.values)))
                               : fmt::format("  {} &= {} \\\\\n", left, latex(line.values[0]));
  }
  rows += latex_rows("\\lambda", sheet.multipliers) + latex_rows("R", sheet.reactions);
  s += align_environment(rows);
  if (!sheet.parts.empty()) s += "with\n" + align_environment(latex_rows(sheet.parts));
  return s;
}

namespace {

ordered_json statements_json(const std::vector<Statement>& statements,
                             std::vector<Expr>::const_iterator& next) {
  ordered_json out = ordered_json::object();
  for (const Statement& s : statements) out[s.name] = text(*next++);
  return out;
}

ordered_json verdict_json(const Verdict& verdict) {
  const char* word = proved(verdict) ? "proved" : refuted(verdict) ? "refuted" : "undecided";
  ordered_json out{{"verdict", word}, {"evidence", evidence(verdict)}};
  if (const auto* yes = std::get_if<Proved>(&verdict)) out["method"] = yes->why.method;
  if (const auto* open = std::get_if<Undecided>(&verdict)) out["obstacle"] = open->obstacle;
  return out;
}

ordered_json form_json(const System& system, const EquationsOfMotion& equations) {
  std::vector<Symbol> state = equations.configuration;
  state.insert(state.end(), equations.speeds.begin(), equations.speeds.end());
  std::vector<Expr> formulas = equations.configuration_rates;
  formulas.insert(formulas.end(), equations.speed_rates.begin(), equations.speed_rates.end());
  for (const Statement& s : equations.multipliers) formulas.push_back(s.value);
  for (const Statement& s : equations.reactions) formulas.push_back(s.value);
  const NamedParts named = with_named_parts(formulas, names_in_use(system, equations), 10'000);

  ordered_json form{{"state", ordered_json::array()}, {"rates", ordered_json::object()}};
  auto next = named.formulas.begin();
  for (const Symbol s : state) {
    form["state"].push_back(s.name());
    form["rates"][s.name()] = text(*next++);
  }
  form["multipliers"] = statements_json(equations.multipliers, next);
  form["reactions"] = statements_json(equations.reactions, next);
  for (const Statement& part : named.parts) form["parts"][part.name] = text(part.value);
  if (equations.gibbs) form["gibbs_function"] = text(*equations.gibbs);
  form["assumptions"] = ordered_json::array();
  for (const Assumption& a : equations.where) {
    form["assumptions"].push_back(text(a.expression) +
                                  (a.kind == Assumption::Kind::positive ? " > 0" : " != 0"));
  }
  form["notes"] = equations.notes;
  return form;
}

}  // namespace

std::string as_json(const System& system, const std::vector<EquationsOfMotion>& forms,
                    const std::vector<Absent>& absent, const Agreement* agreement) {
  ordered_json out{
      {"schema", "rattleback.derive/1"}, {"model", system.name}, {"forms", ordered_json::object()}};
  for (const EquationsOfMotion& equations : forms)
    out["forms"][equations.form] = form_json(system, equations);
  for (const Absent& a : absent) out["does_not_apply"][a.form] = a.why;
  if (agreement != nullptr) {
    out["agreement"] = verdict_json(agreement->motion);
    out["agreement"]["forms"] = agreement->forms;
    if (!agreement->difference.empty()) out["agreement"]["difference"] = agreement->difference;
    out["energy"] = verdict_json(agreement->balance);
    out["energy"]["balance"] = agreement->balance_of;
  }
  return out.dump(2) + "\n";
}

std::string as_text(const Agreement& agreement, const std::vector<Absent>& absent) {
  std::string s;
  if (agreement.forms.size() > 1) {
    s += fmt::format("agreement of {}: {}\n", fmt::join(agreement.forms, ", "), evidence(agreement.motion));
    if (!agreement.difference.empty()) s += fmt::format("  they differ in {}\n", agreement.difference);
    if (const auto* open = std::get_if<Undecided>(&agreement.motion)) s += "  " + open->obstacle + "\n";
  }
  s += fmt::format("energy balance: {}{}\n", evidence(agreement.balance),
                   proved(agreement.balance) ? "; " + agreement.balance_of : "");
  for (const Absent& a : absent) s += fmt::format("{} does not apply: {}\n", a.form, a.why);
  return s;
}

}  // namespace rattleback
