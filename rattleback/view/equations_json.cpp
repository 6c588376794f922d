#include <nlohmann/json.hpp>

#include <rattleback/algebra/text.hpp>
#include <rattleback/view/equations.hpp>
#include <rattleback/view/named_parts.hpp>
#include <rattleback/view/sheet.hpp>

namespace rattleback {
namespace {

using nlohmann::ordered_json;

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

}  // namespace rattleback
