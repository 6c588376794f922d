#include <rattleback/view/equations.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/latex.hpp>
#include <rattleback/algebra/text.hpp>

namespace rattleback {
namespace {

using nlohmann::ordered_json;

const char* title_of(const std::string& form) {
  if (form == "hamel") return "Hamel's equations";
  return form.c_str();
}

/// Lines of a derivation. The nine entries of a rotation matrix are one line, B' = B*hat(Omega).
struct Line {
  std::string name;
  Expr value;
  std::string instead;  ///< printed in place of the value
};

/// Ω of the rotation matrix `family`, in the speeds: B' = B Ω̂.
std::string angular_velocity(const System& system, const EquationsOfMotion& equations,
                             const std::string& family) {
  for (const Factor& factor : system.space.factors()) {
    const Symbol first = factor.pieces.front().functions.front();
    if (first.role() != Role::rotation || first.attributes().family != family) continue;
    const std::span<const Symbol> omega = std::span(factor.velocities).first(3);
    return fmt::format("{}, {}, {}", text(equations.velocities.at(omega[0])),
                       text(equations.velocities.at(omega[1])), text(equations.velocities.at(omega[2])));
  }
  throw Bug("no factor has the rotation matrix " + family);
}

std::vector<Line> lines_of(const System& system, const EquationsOfMotion& equations) {
  std::vector<Line> lines;
  std::vector<std::string> families;
  for (std::size_t i = 0; i < equations.configuration.size(); ++i) {
    const Symbol q = equations.configuration[i];
    if (q.role() != Role::rotation) {
      lines.push_back({q.name() + "'", equations.configuration_rates[i], {}});
      continue;
    }
    const std::string& family = q.attributes().family;
    if (std::find(families.begin(), families.end(), family) != families.end()) continue;
    families.push_back(family);
    lines.push_back({family + "'", Expr(0),
                     fmt::format("{}*hat([{}])", family, angular_velocity(system, equations, family))});
  }
  for (std::size_t i = 0; i < equations.speeds.size(); ++i)
    lines.push_back({equations.speeds[i].name() + "'", equations.speed_rates[i], {}});
  return lines;
}

std::string aligned(const std::vector<Line>& lines) {
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.name.size());
  std::string s;
  for (const Line& line : lines)
    s += fmt::format("  {:<{}} = {}\n", line.name, width,
                     line.instead.empty() ? text(line.value) : line.instead);
  return s;
}

std::string relation(Assumption::Kind kind) { return kind == Assumption::Kind::positive ? " > 0" : " ≠ 0"; }

}  // namespace

std::string as_text(const System& system, const EquationsOfMotion& equations, bool steps) {
  std::string s = fmt::format("{}: {}\n\n", system.title, title_of(equations.form));
  if (steps) {
    int number = 0;
    for (const Step& step : equations.steps) {
      s += fmt::format("{}. {}{}\n", ++number, step.title, step.remark.empty() ? "" : ": " + step.remark);
      std::vector<Line> lines;
      for (const Statement& line : step.lines) lines.push_back({line.name, line.value, {}});
      s += aligned(lines) + "\n";
    }
    s += fmt::format("{}. Equations of motion\n", ++number);
  }
  s += aligned(lines_of(system, equations));
  for (const Assumption& a : equations.where)
    s += fmt::format("  where {}{}{}\n", text(a.expression), relation(a.kind),
                     a.why.empty() ? "" : ": " + a.why);
  return s;
}

std::string as_latex(const System& system, const EquationsOfMotion& equations, bool steps) {
  const auto environment = [](const std::string& rows) {
    return fmt::format("\\begin{{align*}}\n{}\\end{{align*}}\n", rows);
  };
  std::string s = fmt::format("% {}: {}\n", system.title, title_of(equations.form));
  if (steps) {
    for (const Step& step : equations.steps) {
      std::string rows;
      for (const Statement& line : step.lines)
        rows += fmt::format("  {} &= {} \\\\\n", latex_name(line.name), latex(line.value));
      if (!rows.empty()) s += fmt::format("{}.\n{}", step.title, environment(rows));
    }
  }
  std::string rows;
  for (const Line& line : lines_of(system, equations)) {
    rows += fmt::format("  {} &= {} \\\\\n", latex_name(line.name),
                        line.instead.empty() ? latex(line.value) : line.instead);
  }
  return s + environment(rows);
}

std::string as_json(const System& system, const std::vector<EquationsOfMotion>& forms) {
  ordered_json out{
      {"schema", "rattleback.derive/1"}, {"model", system.name}, {"forms", ordered_json::object()}};
  for (const EquationsOfMotion& equations : forms) {
    ordered_json form{{"state", ordered_json::array()},
                      {"rates", ordered_json::object()},
                      {"assumptions", ordered_json::array()}};
    const auto add = [&](const std::vector<Symbol>& names, const std::vector<Expr>& rates) {
      for (std::size_t i = 0; i < names.size(); ++i) {
        form["state"].push_back(names[i].name());
        form["rates"][names[i].name()] = text(rates[i]);
      }
    };
    add(equations.configuration, equations.configuration_rates);
    add(equations.speeds, equations.speed_rates);
    for (const Assumption& a : equations.where)
      form["assumptions"].push_back(text(a.expression) +
                                    (a.kind == Assumption::Kind::positive ? " > 0" : " != 0"));
    out["forms"][equations.form] = std::move(form);
  }
  return out.dump(2) + "\n";
}

}  // namespace rattleback
