#include <rattleback/view/formulas/sheet.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>
#include <rattleback/view/formulas/bracket_in_velocities.hpp>
#include <rattleback/view/formulas/equations_in_names.hpp>
#include <rattleback/view/formulas/poisson_vectors.hpp>
#include <rattleback/view/formulas/shared_parts.hpp>

namespace rattleback {
namespace {

bool contains_any(const std::vector<Expr>& values, const Matrix& B) {
  const auto occurs = [&](Expr entry) {
    return std::ranges::any_of(values, [&](Expr e) { return contains(e, entry.symbol()); });
  };
  return std::ranges::any_of(B.entries(), occurs);
}

/// Of a rolling ball ω = B Ω does not depend on the attitude and is shorter than Ω: B' = ω̂ B.
SheetLine in_better_axes(const System& system, SheetLine line, const Matrix& B) {
  if (!contains_any(line.values, B)) return line;
  const Matrix omega = B * Matrix::column(line.values);
  SheetLine turned{line.name, {}, {}, true};
  for (int k = 0; k < 3; ++k) {
    turned.values.push_back(short_form(omega[k]));
    turned.components.push_back(
        invented_symbol(system, fmt::format("omega{}", k + 1), {.role = Role::velocity}));
  }
  return contains_any(turned.values, B) ? line : turned;
}

/// B' = B Ω̂ or ω̂ B for the rotation matrix `family`, in the speeds.
SheetLine rotation_line(const System& system, const SymbolMap& velocities, const std::string& family) {
  for (const Factor& factor : system.space.factors()) {
    if (factor.pieces.empty()) continue;
    const Symbol first = factor.pieces.front().functions.front();
    if (first.role() != Role::rotation || first.attributes().family != family) continue;
    SheetLine line{family, {}, {factor.velocities.begin(), factor.velocities.begin() + 3}};
    for (const Symbol omega : line.components) line.values.push_back(velocities.at(omega));
    return in_better_axes(system, std::move(line), factor.rotation());
  }
  throw Bug("no factor has the rotation matrix " + family);
}

/// One line per state variable, the nine entries of a rotation matrix together. A coordinate whose velocity is
/// itself a speed needs no line.
std::vector<SheetLine> lines_of(const System& system, const EquationsOfMotion& equations,
                                const std::optional<BracketInVelocities>& named,
                                const std::optional<EquationsInNames>& in_names) {
  std::vector<SheetLine> lines;
  std::set<std::string> families;
  for (std::size_t i = 0; i < equations.configuration.size(); ++i) {
    const Symbol q = equations.configuration[i];
    const Expr rate = (named ? named->configuration_rates : equations.configuration_rates)[i];
    if (q.role() != Role::rotation) {
      const bool trivial = rate.is(Kind::symbol) && rate.symbol().name() == q.name() + "'";
      if (!trivial) lines.push_back({q.name(), {rate}, {}});
    } else if (families.insert(q.attributes().family).second) {
      lines.push_back(
          rotation_line(system, named ? named->velocities : equations.velocities, q.attributes().family));
    }
  }
  const std::vector<Expr>& rates = named      ? named->momentum_rates
                                   : in_names ? in_names->speed_rates
                                              : equations.speed_rates;
  for (std::size_t i = 0; i < equations.speeds.size(); ++i)
    lines.push_back({equations.speeds[i].name(), {rates[i]}, {}});
  return lines;
}

/// Every formula of the equations, in order.
template <class Visit>
void for_each_formula(Sheet& sheet, Visit visit) {
  for (SheetLine& line : sheet.lines) {
    for (Expr& value : line.values) visit(value);
  }
  for (Statement& s : sheet.multipliers) visit(s.value);
  for (Statement& s : sheet.reactions) visit(s.value);
  for (Statement& s : sheet.definitions) visit(s.value);
}

template <class Visit>
void for_each_step_formula(Sheet& sheet, Visit visit) {
  for (Step& step : sheet.steps) {
    for (Statement& s : step.lines) visit(s.value);
  }
}

}  // namespace

Sheet sheet_of(const System& system, const EquationsOfMotion& equations, bool steps, std::size_t longest,
               const TextWidth* width) {
  const std::optional<BracketInVelocities> named = bracket_in_velocities(system, equations);
  const std::optional<EquationsInNames> in_names = equations_in_names(system, equations);
  Sheet sheet{
      {}, {}, lines_of(system, equations, named, in_names), equations.multipliers, equations.reactions, {}};
  if (named) sheet.definitions = named->definitions;
  if (in_names) {
    sheet.multipliers = in_names->multipliers;
    sheet.reactions = in_names->reactions;
    sheet.names_multipliers = true;
  }
  if (steps) sheet.steps = in_short_form(named ? named->steps : equations.steps.all());
  std::vector<PoissonVector> vectors;
  if (equations.form == "reduced") {
    vectors = poisson_vectors(system, equations.speed_rates);
    use_components(vectors, equations, sheet);
  }
  std::set<std::string> taken = names_in_use(system, equations);

  const auto name_parts = [&](auto each_formula) {
    std::vector<Expr> formulas;
    each_formula([&](Expr value) { formulas.push_back(value); });
    NamedParts found = with_named_parts(formulas, taken, longest);
    if (found.parts.empty()) found = with_shared_parts(formulas, taken);
    if (width != nullptr) fit_terms(found, taken, *width);
    auto next = found.formulas.begin();
    each_formula([&](Expr& value) { value = *next++; });
    for (const Statement& part : found.parts) taken.insert(part.name);
    return std::move(found.parts);
  };
  sheet.parts = name_parts([&](auto visit) { for_each_formula(sheet, visit); });
  sheet.step_parts = name_parts([&](auto visit) { for_each_step_formula(sheet, visit); });
  sheet.parts.insert(sheet.parts.end(), sheet.definitions.begin(), sheet.definitions.end());
  for (const PoissonVector& v : vectors) {
    for (std::size_t i = 0; i < v.entries.size(); ++i)
      sheet.parts.push_back({v.components[i].name(), Expr(v.entries[i])});
  }
  return sheet;
}

std::vector<Statement> with_lambda(std::vector<Statement> multipliers) {
  for (Statement& m : multipliers) m.name.insert(0, "lambda_");
  return multipliers;
}

std::vector<Step> in_short_form(std::vector<Step> steps) {
  for (Step& step : steps) {
    for (Statement& line : step.lines) line.value = short_form(line.value);
  }
  return steps;
}

const std::string& heading(const System& system) { return system.title.empty() ? system.name : system.title; }

std::set<std::string> names_in_use(const System& system, const EquationsOfMotion& equations) {
  std::set<std::string> names;
  for (const std::string& name : system.scope.names()) names.insert(name);
  for (const Symbol s : equations.speeds) names.insert(s.name());
  return names;
}

}  // namespace rattleback
