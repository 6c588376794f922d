// What the founding documents print for concrete systems, printed by us: equal, and not longer. The formulas are in
// printed_formulas.txt.
#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include <doctest/doctest.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/motion/equations/multiplier_symbols.hpp>
#include <rattleback/view/formulas/poisson_vectors.hpp>

#include "../forms.hpp"
#include "benenti_models.hpp"

using namespace rattleback;

namespace {

/// Systems of the documents that the zoo has with other letters only.
const std::map<std::string, std::string> models{{"skate", skate_text},
                                                {"disc", disc_text},
                                                {"two-discs", two_discs_text},
                                                {"two-points", two_points_text},
                                                {"two-equal-points", R"toml(
lagrangian = "1/2*m*(x1'^2 + y1'^2) + 1/2*m*(x2'^2 + y2'^2) + g*m*(x1 + x2)"
space = { x1 = "R", y1 = "R", x2 = "R", y2 = "R" }
parameters = { m = { value = 1, positive = true }, g = 1 }
constraints = { parallel = "x1'*y2' - x2'*y1' = 0" }
[parametrization]
speeds = ["rho", "sigma", "theta"]
x1 = "rho*cos(theta)"
y1 = "rho*sin(theta)"
x2 = "sigma*cos(theta)"
y2 = "sigma*sin(theta)"
)toml"},
                                                {"polar-pendulum", R"toml(
lagrangian = "1/2*m*(r'^2 + r^2*theta'^2) + m*g*r*cos(theta)"
space = { r = "R", theta = "S1" }
parameters = { m = { value = 1, positive = true }, g = 1, ell = { value = 1, positive = true } }
constraints = { rod = "r = ell" }
)toml"},
                                                {"rod-pendulum", R"toml(
lagrangian = "m/2*(x'^2 + y'^2) - m*g*y"
space = { x = "R", y = "R" }
parameters = { m = { value = 1, positive = true }, g = 1, ell = { value = 1, positive = true } }
constraints = { rod = "x^2 + y^2 = ell^2" }
)toml"},
                                                {"suslov-any-axis", R"toml(
lagrangian = "1/2*(I1*Omega[1]^2 + I2*Omega[2]^2 + I3*Omega[3]^2)"
space = { B = { group = "SO(3)", body = "Omega", space = "omega" } }
parameters = { I1 = { value = 1, positive = true }, I2 = { value = 2, positive = true }, I3 = { value = 3, positive = true }, a1 = 1, a2 = 1, a3 = 1 }
constraints = { axis = "a1*Omega[1] + a2*Omega[2] + a3*Omega[3] = 0" }
)toml"},
                                                {"disk-of-type-III", R"toml(
lagrangian = "-m/2*(x'^2 + y'^2) + I/2*theta'^2 + J/2*phi'^2 + m*R*theta'*(cos(phi)*x' + sin(phi)*y')"
space = { x = "R", y = "R", theta = "S1", phi = "S1" }
parameters = { m = { value = 1, positive = true }, I = { value = 1, positive = true }, J = { value = 1, positive = true }, R = { value = 1, positive = true } }
)toml"},
                                                {"class-of-type-III", R"toml(
lagrangian = "1/2*(I1*r1'^2 + I2*r2'^2 - I3*s1'^2 - I4*s2'^2) - A1(r1)*I3*s1'*r2' - A2(r1)*I4*s2'*r2'"
space = { r1 = "R", r2 = "R", s1 = "R", s2 = "R" }
functions = { A1 = ["r1"], A2 = ["r1"] }
parameters = { I1 = { value = 1, positive = true }, I2 = { value = 1, positive = true }, I3 = { value = 1, positive = true }, I4 = { value = 1, positive = true } }
)toml"},
                                                {"unit-snakeboard", R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + theta'^2 + psi'^2 + 2*psi'*theta' + 2*phi'^2)"
space = { x = "R", y = "R", theta = "S1", psi = "S1", phi = "S1" }
constraints = { along = "x' = -cos(phi)/sin(phi)*cos(theta)*theta'", across = "y' = -cos(phi)/sin(phi)*sin(theta)*theta'" }
)toml"},
                                                {"unit-sleigh", R"toml(
lagrangian = "xi3^2 + 1/2*(xi1^2 + xi2^2) + xi2*xi3"
constraints = { blade = "xi2 = 0" }
[algebra]
basis = ["e1", "e2", "e3"]
brackets = { "e1,e3" = "-e2", "e2,e3" = "e1" }
)toml"}};

System model_of(const std::string& name) {
  const auto own = models.find(name);
  return own == models.end() ? load_model(name) : read_model(own->second, name);
}

/// One equation of a document.
struct Line {
  std::string name, formula;
};
/// What a document prints for one system in one form.
struct Printed {
  std::string source, model, form;
  std::vector<Line> abbreviations, lines;
  std::size_t allowed = 0;  ///< letters more than the document
};

std::vector<Printed> read_pages(const char* path) {
  std::ifstream in(path);
  std::vector<Printed> pages;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[')) {
      pages.push_back({line, {}, {}, {}, {}, 0});
      continue;
    }
    const std::size_t equals = line.find(" = ");
    const std::string name = line.substr(0, equals), value = line.substr(equals + 3), with = "with ";
    Printed& page = pages.back();
    if (name == "model") {
      page.model = value;
    } else if (name == "form") {
      page.form = value;
    } else if (name == "allowed") {
      page.allowed = std::stoul(value);
    } else if (name.starts_with(with)) {
      page.abbreviations.push_back({name.substr(with.size()), value});
    } else {
      page.lines.push_back({name, value});
    }
  }
  return pages;
}

/// Our page: every line under the name that the document's lines use.
class OurPage {
 public:
  OurPage(const System& system, const EquationsOfMotion& equations)
      : vectors_(poisson_vectors(system, equations.speed_rates)),
        sheet_(sheet_of(system, equations, true, longest)) {
    for (const SheetLine& line : sheet_.lines)
      if (!line.is_rotation()) lines_.emplace(line.name + "'", line.values[0]);
    for (const Statement& s : sheet_.multipliers) lines_.emplace("multiplier " + s.name, s.value);
    for (const Statement& s : sheet_.reactions) lines_.emplace("reaction " + s.name, s.value);
    for (const Step& step : sheet_.steps)
      for (const Statement& s : step.lines) lines_.emplace("step " + s.name, s.value);
    if (!sheet_.names_multipliers) return;
    for (const Expr a : acceleration_symbols(system.space).entries())
      if (lines_.contains(a.symbol().name())) names_.emplace_back(a.symbol(), a.symbol().name());
    const ConstraintRows rows = constraint_rows(system);
    const Matrix lambda = multiplier_symbols(system, rows);
    for (int s = 0; s < std::min(lambda.rows(), static_cast<int>(sheet_.multipliers.size())); ++s)
      names_.emplace_back(lambda[s].symbol(),
                          "multiplier " + sheet_.multipliers[static_cast<std::size_t>(s)].name);
  }

  /// What our lines are written in, also in steps: momenta, multipliers, legs of a frame.
  std::vector<Symbol> symbols() const {
    std::vector<Expr> values;
    for (const auto& [name, value] : lines_) values.push_back(value);
    return symbols_of(values);
  }
  std::optional<Expr> line(const std::string& name) const {
    const auto found = lines_.find(name);
    return found == lines_.end() ? std::nullopt : std::optional(found->second);
  }
  /// The value with the names of parts, of other lines and of Poisson's vectors resolved.
  Expr resolved(const std::string& name) const {
    Expr e = without_parts(lines_.at(name));
    if (!name.starts_with("step ")) {
      for (std::size_t depth = 0; depth <= names_.size(); ++depth)
        for (const auto& [symbol, other] : names_)
          e = substitute(e, {{symbol, without_parts(lines_.at(other))}});
    }
    SymbolMap entries;
    for (const PoissonVector& v : vectors_)
      for (std::size_t i = 0; i < v.entries.size(); ++i) entries.emplace(v.components[i], Expr(v.entries[i]));
    return substitute(e, entries);
  }
  /// What some lines need besides themselves: parts, and lines by whose names they are written.
  std::size_t length_of_rest(const std::set<std::string>& wanted) const {
    std::set<std::string> needed = wanted;
    for (std::size_t before = 0; before != needed.size();) {
      before = needed.size();
      for (const std::string& name : std::set(needed)) {
        const auto line = lines_.find(name);
        if (line == lines_.end() || name.starts_with("step ")) continue;
        for (const auto& [symbol, other] : names_)
          if (contains(without_parts(line->second), symbol)) needed.insert(other);
      }
    }
    std::size_t length = 0;
    std::vector<Expr> in_steps, elsewhere;
    for (const std::string& name : needed) {
      const auto line = lines_.find(name);
      if (line == lines_.end()) continue;
      if (!wanted.contains(name)) length += text(line->second).size();
      (name.starts_with("step ") ? in_steps : elsewhere).push_back(line->second);
    }
    return length + length_of_parts(sheet_.parts, elsewhere) + length_of_parts(sheet_.step_parts, in_steps);
  }

 private:
  static constexpr std::size_t longest = 400;  // as `derive` prints it

  /// Of those parts that some lines need, also for other parts.
  static std::size_t length_of_parts(const std::vector<Statement>& parts, std::vector<Expr> lines) {
    std::size_t length = 0;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      const Symbol name = symbol(part->name).symbol();
      if (std::ranges::none_of(lines, [&](Expr e) { return contains(e, name); })) continue;
      length += text(part->value).size();
      lines.push_back(part->value);
    }
    return length;
  }

  Expr without_parts(Expr e) const {
    for (const std::vector<Statement>* parts : {&sheet_.parts, &sheet_.step_parts})
      for (auto part = parts->rbegin(); part != parts->rend(); ++part)
        e = substitute(e, {{symbol(part->name).symbol(), part->value}});
    return e;
  }

  std::vector<PoissonVector> vectors_;
  Sheet sheet_;
  std::map<std::string, Expr> lines_;
  std::vector<std::pair<Symbol, std::string>> names_;  ///< x'' and lambda_blade ↦ the line that gives them
};

Scope scope_of(const System& system, const EquationsOfMotion& equations, const OurPage& ours,
               const Printed& page) {
  Scope scope = system.scope;
  for (const Symbol s : ours.symbols())
    if (!scope.find(s.name())) scope.define(s.name(), Expr(s));
  for (const Symbol s : equations.speeds) scope.define(s.name(), Expr(s));
  for (const Symbol a : system.space.accelerations()) scope.define(a.name(), Expr(a));
  for (const Line& line : page.abbreviations) scope.define(line.name, parse(line.formula, scope));
  return scope;
}

/// What is wrong with our page, line by line; empty when it is as the document has it and not longer.
std::vector<std::string> faults(const Printed& page) {
  const System system = model_of(page.model);
  const EquationsOfMotion equations = formalism(page.form).derive(system);
  const OurPage ours(system, equations);
  const Scope scope = scope_of(system, equations, ours, page);
  std::set<std::string> wanted;
  for (const Line& line : page.lines) wanted.insert(line.name);
  const std::size_t rest = ours.length_of_rest(wanted);
  const bool line_by_line = page.abbreviations.empty() && rest == 0;
  std::vector<std::string> faults;
  std::size_t theirs_total = 0, ours_total = rest;
  for (const Line& line : page.abbreviations) theirs_total += line.formula.size();
  for (const Line& line : page.lines) {
    const auto value = ours.line(line.name);
    if (!value) {
      faults.push_back(line.name + " is not printed");
      continue;
    }
    const std::string printed = text(*value);
    if (!proved(are_equal(ours.resolved(line.name), parse(line.formula, scope))))
      faults.push_back(line.name + " differs: " + printed);
    if (line_by_line && printed.size() > line.formula.size() + page.allowed)
      faults.push_back(line.name + " is longer: " + printed);
    theirs_total += line.formula.size();
    ours_total += printed.size();
  }
  if (ours_total > theirs_total + page.allowed)
    faults.push_back("the page is longer: " + std::to_string(ours_total) + " letters for " +
                     std::to_string(theirs_total));
  return faults;
}

}  // namespace

TEST_CASE("every equation that a document prints is printed by us, and not longer") {
  const std::vector<Printed> pages = read_pages("tests/literature/printed_formulas.txt");
  CHECK(pages.size() >= 30);
  for (const Printed& page : pages) {
    CAPTURE(page.source);
    for (const std::string& fault : faults(page)) FAIL_CHECK(fault);
  }
}

TEST_CASE("a page that is wrong, longer than the document's or incomplete is found out") {
  const Printed sleigh{"", "chaplygin-sleigh", "hamel", {}, {{"u'", "a*omega^2"}}, 0};
  CHECK(faults(sleigh).empty());
  Printed mutant = sleigh;
  mutant.lines[0].formula = "-a*omega^2";
  CHECK(faults(mutant).size() == 1);
  mutant.lines[0] = {"omega'", "-a*k*u*omega"};  // shorter, with an abbreviation that is not counted
  mutant.abbreviations = {{"k", "m/(J + m*a^2)"}};
  CHECK(faults(mutant).empty());
  mutant.abbreviations = {{"k", "1"}};
  CHECK(faults(mutant).size() == 2);  // not equal, and ours is longer
  mutant.lines[0] = {"v'", "0"};
  CHECK(faults(mutant).size() == 1);
}
