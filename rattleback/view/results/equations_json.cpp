// Declared in view/results/equations.hpp. Equations of motion as JSON.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/control_affine.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/view/formulas/named_parts.hpp>
#include <rattleback/view/formulas/sheet.hpp>
#include <rattleback/view/results/equations.hpp>
#include <rattleback/view/vectors/vector_equations.hpp>

namespace rattleback {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t longest = legible::without_named_parts_in_json.count;

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

std::vector<Statement> conditions(const Assumptions& where) {
  std::vector<Statement> conditions;
  for (const Assumption& a : where)
    conditions.push_back({a.kind == Assumption::Kind::positive ? " > 0" : " != 0", a.expression});
  return conditions;
}

ordered_json derivation_json(const std::vector<Step>& steps, std::vector<Expr>::const_iterator& next) {
  ordered_json out = ordered_json::array();
  for (const Step& step : steps)
    out.push_back(
        {{"title", step.title}, {"remark", step.remark}, {"lines", statements_json(step.lines, next)}});
  return out;
}

/// y' = f + Σ g_k u_k.
ordered_json control_json(const ControlAffine& form) {
  ordered_json out{{"inputs", form.inputs}, {"affine", form.affine}};
  if (!form.affine) return out;
  for (const Statement& f : form.drift) out["drift"][f.name] = text(f.value);
  for (std::size_t k = 0; k < form.inputs.size(); ++k)
    for (const Statement& g : form.fields[k]) out["fields"][form.inputs[k]][g.name] = text(g.value);
  return out;
}

ordered_json form_json(const System& system, const EquationsOfMotion& equations) {
  std::vector<Symbol> state = equations.configuration;
  state.insert(state.end(), equations.speeds.begin(), equations.speeds.end());
  const std::vector<Statement> where = conditions(equations.where);
  std::vector<Expr> formulas;
  for (const Expr rate : equations.configuration_rates) formulas.push_back(short_form(rate));
  formulas.insert(formulas.end(), equations.speed_rates.begin(), equations.speed_rates.end());
  const auto add = [&](const std::vector<Statement>& statements) {
    for (const Statement& s : statements) formulas.push_back(s.value);
  };
  add(equations.multipliers);
  add(equations.reactions);
  add(where);
  std::set<std::string> taken = names_in_use(system, equations);
  const NamedParts named = with_named_parts(formulas, taken, longest);

  // The steps have accelerations in them, which are no names of a model: they have parts of their own.
  for (const Statement& part : named.parts) taken.insert(part.name);
  const std::vector<Step> steps = in_short_form(equations.steps.all());
  formulas.clear();
  for (const Step& step : steps) add(step.lines);
  if (equations.gibbs) formulas.push_back(*equations.gibbs);
  const NamedParts in_steps = with_named_parts(formulas, taken, longest);

  ordered_json form{{"state", ordered_json::array()}, {"rates", ordered_json::object()}};
  auto next = named.formulas.begin();
  for (const Symbol s : state) {
    form["state"].push_back(s.name());
    form["rates"][s.name()] = text(*next++);
  }
  form["multipliers"] = statements_json(equations.multipliers, next);
  form["reactions"] = statements_json(equations.reactions, next);
  form["derivation"] = ordered_json::array();  // keys stay in their order
  form["assumptions"] = ordered_json::array();
  for (const Statement& condition : where) form["assumptions"].push_back(text(*next++) + condition.name);
  next = in_steps.formulas.begin();
  form["derivation"] = derivation_json(steps, next);
  if (equations.gibbs) form["gibbs_function"] = text(*next++);
  for (const Statement& part : named.parts) form["parts"][part.name] = text(part.value);
  for (const Statement& part : in_steps.parts) form["derivation_parts"][part.name] = text(part.value);
  form["notes"] = equations.notes;
  if (const ControlAffine control = control_affine_form(system, equations); !control.inputs.empty())
    form["control"] = control_json(control);
  return form;
}

/// g_ij = ∂²L/∂v^i∂v^j in the frame of the space, and [X_i, X_j] = C_ij^k X_k, indices from 1.
ordered_json tensors_json(const System& system) {
  const auto v = system.space.velocities();
  const Matrix g = jacobian(gradient(system.lagrangian, v), v);
  const std::vector<std::string> names = system.scope.names();
  const NamedParts named = with_named_parts(g.entries(), {names.begin(), names.end()}, longest);
  ordered_json out{{"velocities", ordered_json::array()}, {"metric", ordered_json::array()}};
  for (const Symbol s : v) out["velocities"].push_back(s.name());
  auto next = named.formulas.begin();
  for (int i = 0; i < g.rows(); ++i) {
    ordered_json row = ordered_json::array();
    for (int j = 0; j < g.columns(); ++j) row.push_back(text(*next++));
    out["metric"].push_back(row);
  }
  const StructureCoefficients& c = system.space.c();
  out["structure"] = ordered_json::object();
  for (int a = 0; a < c.dimension(); ++a) {
    for (int b = a + 1; b < c.dimension(); ++b) {
      for (int d = 0; d < c.dimension(); ++d) {
        if (!c(a, b, d).is_zero())
          out["structure"][fmt::format("C_{},{}^{}", a + 1, b + 1, d + 1)] = text(c(a, b, d));
      }
    }
  }
  for (const Statement& part : named.parts) out["parts"][part.name] = text(part.value);
  return out;
}

}  // namespace

std::string as_json(const System& system, const std::vector<EquationsOfMotion>& forms,
                    const std::vector<Absent>& absent, const Agreement* agreement) {
  ordered_json out{
      {"schema", "rattleback.derive/1"}, {"model", system.name}, {"forms", ordered_json::object()}};
  for (const EquationsOfMotion& equations : forms)
    out["forms"][equations.form] = form_json(system, equations);
  out["tensors"] = tensors_json(system);
  for (const EquationsOfMotion& equations : forms) {
    if (!formalism(equations.form).agrees) continue;
    if (const auto vectors = vector_equations(system, equations))
      out["vectors"] = ordered_json::parse(as_json(*vectors));
    break;
  }
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

}  // namespace rattleback
