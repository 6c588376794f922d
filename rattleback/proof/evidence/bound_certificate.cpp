#include <rattleback/proof/evidence/bound_certificate.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/checks/normal_positions.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/system/substituted.hpp>
#include <rattleback/proof/check/claimed_system.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>
#include <rattleback/proof/evidence/digest.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/stated_system.hpp>
#include <rattleback/proof/evidence/undefined_states.hpp>
#include <rattleback/proof/evidence/witness_domain.hpp>

namespace rattleback {
namespace {

/// Data on one line, fields in their order.
std::string flat(const Data& d) {
  if (const bool* b = d.get_if<bool>()) return *b ? "true" : "false";
  if (const long* n = d.get_if<long>()) return fmt::format("{}", *n);
  if (d.text() != nullptr) return fmt::format("\"{}\"", *d.text());
  std::string all;
  if (d.list() != nullptr) {
    for (const Data& item : *d.list()) all += flat(item) + ";";
    return "[" + all + "]";
  }
  if (d.record() != nullptr) {
    for (const auto& [key, value] : *d.record()) all += key + "=" + flat(value) + ";";
    return "{" + all + "}";
  }
  return "null";
}

/// Symbols in the order of their names: how they are found first does not matter.
Data in_order(Data stated) {
  Data::List symbols = *stated.find("symbols")->list();
  std::sort(symbols.begin(), symbols.end(), [](const Data& a, const Data& b) { return flat(a) < flat(b); });
  stated["symbols"] = symbols;
  return stated;
}

/// Brackets within each other in a formula as it is written.
std::size_t nesting(const std::string& formula) {
  std::size_t open = 0, most = 0;
  for (const char c : formula) {
    if (c == '(' || c == '[') most = std::max(most, ++open);
    if ((c == ')' || c == ']') && open > 0) --open;
  }
  return most;
}

/// Could the formulas be read again? Definitions within each other go deeper than brackets that a reader takes.
bool is_readable(const Data& d) {
  if (d.text() != nullptr) return nesting(*d.text()) <= input_limits::brackets.count;
  if (d.list() != nullptr) return std::ranges::all_of(*d.list(), is_readable);
  return d.record() == nullptr ||
         std::ranges::all_of(*d.record(), [](const Data::Field& field) { return is_readable(field.value); });
}

std::string verdict_text(const Answer& a) { return text(a.outcome); }

/// A claim about the whole certificate: equal, or what differs.
Verdict same(bool equal, const std::string& what) {
  if (equal) return Proved{};
  return Refuted{{.point = {}, .value = what, .note = "differs from the model"}};
}

/// The record of a symbol by its name.
std::map<std::string, std::string> declarations(const Data& stated) {
  std::map<std::string, std::string> all;
  for (const Data& s : *stated.find("symbols")->list()) {
    if (s.find("name") != nullptr && s.find("name")->text() != nullptr)
      all.emplace(*s.find("name")->text(), flat(s));
  }
  return all;
}

/// A Lagrangian without constraints may be a family with constants of its own.
bool has_own_constants(const Data& certificate) {
  const Data* kind = certificate.find("certificate");
  return kind != nullptr && kind->text() != nullptr && *kind->text() == "inverse-problem";
}

/// Symbols of the model are declared as the model does; others are names for speeds, momenta or unknowns, or constants of a family
/// of Lagrangians, whose names are none of the model's. `declared` is the model, without its velocities in another frame.
std::string wrong_role(const ClaimedSystem& claim, const Data& certificate, const Data& declared,
                       const Data& model) {
  const auto ours = declarations(declared), theirs = declarations(certificate), all = declarations(model);
  for (const auto& [name, record] : theirs) {
    if (const auto found = ours.find(name); found != ours.end()) {
      if (found->second != record) return name;
      continue;
    }
    const Expr e = claim.formula(name);
    if (!e.is(Kind::symbol)) return name;
    const Role role = e.symbol().role();
    const bool own = role == Role::velocity || role == Role::momentum || role == Role::multiplier ||
                     role == Role::plain || role == Role::acceleration ||
                     (role == Role::parameter && has_own_constants(certificate) && !all.contains(name));
    const bool known = name == "t" || name == "pi";
    if (!known && (!own || e.symbol().is_positive())) return name;
  }
  return {};
}

std::vector<Expr> formulas_in(const ClaimedSystem& claim, const Data& list) {
  std::vector<Expr> all;
  for (const Data& item : *list.list()) all.push_back(claim.formula(*item.text()));
  return all;
}

Matrix frame_in(const ClaimedSystem& claim, const Data& stated) {
  const Data::List& legs = *stated.find("frame")->list();
  Matrix m(static_cast<int>(legs.size()), static_cast<int>(claim.functions.size()));
  for (int i = 0; i < m.rows(); ++i) {
    const std::vector<Expr> images = formulas_in(claim, legs[static_cast<std::size_t>(i)]);
    for (int k = 0; k < m.columns() && k < static_cast<int>(images.size()); ++k)
      m(i, k) = images[static_cast<std::size_t>(k)];
  }
  return m;
}

/// The model's velocities in those of the certificate, v^i = e_a^i w^a, by the legs X'_a = e_a^i X_i; the identity when frame and names
/// agree. Nothing when the frames are not comparable.
struct FrameChange {
  Matrix e;  ///< one row for each leg of the certificate
  SymbolMap velocities;
};
std::optional<FrameChange> frame_change(const ClaimedSystem& claim, const Data& certificate,
                                        const Data& model) {
  const int n = static_cast<int>(claim.velocities.size());
  if (static_cast<int>(model.find("velocities")->list()->size()) != n) return std::nullopt;
  if (flat(*model.find("velocities")) == flat(*certificate.find("velocities")) &&
      flat(*model.find("frame")) == flat(*certificate.find("frame")) &&
      flat(*model.find("structure")) == flat(*certificate.find("structure")))
    return FrameChange{Matrix::identity(n), {}};
  const Matrix ours = frame_in(claim, model), theirs = frame_in(claim, certificate);
  if (ours.columns() == 0) return std::nullopt;
  const auto solved = unique_solution(transpose(ours), transpose(theirs));
  if (!solved) return std::nullopt;
  FrameChange change{transpose(solved->x), {}};
  if (!proved(is_zero((change.e * ours - theirs).entries()))) return std::nullopt;
  const Data::List& names = *model.find("velocities")->list();
  for (int i = 0; i < n; ++i) {
    std::vector<Expr> terms{Expr(0)};
    for (int a = 0; a < n; ++a)
      terms.push_back(change.e(a, i) * claim.velocities[static_cast<std::size_t>(a)]);
    const Expr v = claim.formula(*names[static_cast<std::size_t>(i)].text());
    if (!v.is(Kind::symbol)) return std::nullopt;
    change.velocities.emplace(v.symbol(), sum(terms));
  }
  return change;
}

/// What the certificate says differently from the model: the name of the first statement, or nothing.
std::string difference(const ClaimedSystem& claim, const Data& certificate, const Data& model) {
  if (flat(*model.find("functions")) != flat(*certificate.find("functions"))) return "the configuration";
  const auto change = frame_change(claim, certificate, model);
  if (!change) return "the frame";
  // In another frame the model's velocities are no symbols of the certificate.
  Data declared = model;
  if (!change->velocities.empty()) {
    Data::List rest;
    for (const Data& s : *model.find("symbols")->list()) {
      const bool velocity = *s.find("role")->get_if<long>() == static_cast<long>(Role::velocity);
      if (!velocity) rest.push_back(s);
    }
    declared["symbols"] = rest;
  }
  if (const std::string name = wrong_role(claim, certificate, declared, model); !name.empty())
    return fmt::format("the role of `{}`", name);
  const auto moved = [&](const Data& text) {
    return substitute(claim.formula(*text.text()), change->velocities);
  };
  const auto equal = [](Expr a, Expr b) { return a == b || proved(is_zero(a - b)); };
  if (!equal(moved(*model.find("lagrangian")), claim.lagrangian)) return "the Lagrangian";
  const Data::List& constraints = *model.find("constraints")->list();
  if (constraints.size() != claim.constraints.size()) return "the number of constraints";
  for (std::size_t s = 0; s < constraints.size(); ++s) {
    if (!equal(moved(constraints[s]), claim.constraints[s])) return "a constraint";
  }
  const Data* ours = model.find("positions");
  const Data* theirs = certificate.find("positions");
  if (flat(ours == nullptr ? Data() : *ours) != flat(theirs == nullptr ? Data() : *theirs))
    return "a position constraint";
  const Data::List& forces = *model.find("forces")->list();
  for (std::size_t a = 0; a < claim.forces.size(); ++a) {
    std::vector<Expr> along{Expr(0)};
    for (std::size_t i = 0; i < forces.size(); ++i)
      along.push_back(change->e(static_cast<int>(a), static_cast<int>(i)) * moved(forces[i]));
    if (!equal(sum(along), claim.forces[a])) return "a force";
  }
  return {};
}

/// "conserved theta'" names the function that is certified, on D.
std::vector<CheckedStep> claim_steps(const ClaimedSystem& claim, const Data& certificate,
                                     const System& system) {
  const Data* question = certificate.find("question");
  const Data* words = certificate.find("claim");
  if (question == nullptr || question->text() == nullptr || words == nullptr || words->text() == nullptr)
    return {};
  const std::string& name = *question->text();
  const char* key = name == "measure"                                                ? "density"
                    : name == "conserved" || name == "zero" || name == "integral-of" ? "function"
                                                                                     : nullptr;
  if (key == nullptr || certificate.find(key) == nullptr) return {};
  const Expr asked = on_frame(system, parse(*words->text(), system.scope));
  SymbolMap to_claim;  // the model's symbols as the certificate declares them
  for (const Symbol s : symbols_of(asked)) to_claim.emplace(s, claim.formula(s.name()));
  const Expr on_D = substitute(substitute(asked, to_claim), claim.psi);
  const Expr certified = substitute(claim.formula(text_field(certificate, key)), claim.psi);
  return {{"the claim is about the function certified", is_zero(on_D - certified)}};
}

/// A decided certificate is about no more states than the model has: every condition under which the motion is defined, or on Q the
/// formulas, is among those of its domain, and no pole of the witness lies on it.
std::vector<CheckedStep> domain_steps(const ClaimedSystem& claim, const Data& certificate,
                                      const System& system) {
  const Data* question = certificate.find("question");
  const Data* verdict = certificate.find("verdict");
  if (question == nullptr || question->text() == nullptr || verdict == nullptr || verdict->text() == nullptr)
    return {};
  if (*verdict->text() != text(Outcome::proved) && *verdict->text() != text(Outcome::refuted)) return {};
  static const std::set<std::string> of_configurations{"integrability", "symmetries", "symmetry",
                                                       "integral-of"};
  const Domain whole = domain_of_motion(system, of_configurations.contains(*question->text()) ? "Q" : "D");
  const Data* domain = certificate.find("domain");
  const std::string stated = domain == nullptr || domain->text() == nullptr ? "" : *domain->text();
  std::string missing;
  const auto require = [&](const std::vector<std::string>& conditions) {
    for (const std::string& condition : conditions) {
      if (missing.empty() && stated.find(condition) == std::string::npos) missing = condition;
    }
  };
  require(whole.where);
  // A statement about the constraints is one about the configurations at which they are independent.
  if (const auto drop = rank_drop_of_constraints(system);
      *question->text() == "integrability" && drop && !drop->loci.empty())
    require(independence_conditions(system));
  std::vector<CheckedStep> steps{
      {"its domain leaves out where the model is not defined", same(missing.empty(), missing)}};
  if (*verdict->text() == text(Outcome::proved)) {
    const std::string left_out = condition_left_out(certificate, claim, system);
    steps.push_back(
        {"its domain leaves out where the witness is not defined", same(left_out.empty(), left_out)});
  }
  return steps;
}

}  // namespace

std::string model_digest(const System& system) {
  Data d = in_order(stated_system(system));
  Data::List positions;
  for (const Constraint& c : system.constraints) positions.push_back(c.position ? Data(*c.position) : Data());
  d["positions"] = positions;
  d["circles"] = circles_of(system.space);
  return sha256(flat(d));
}

Answer sealed(Answer answer, const System& system, const std::string& question, const std::string& claim) {
  if (answer.certificate.is_null() || answer.certificate.find("model") != nullptr) return answer;
  if (!is_readable(answer.certificate)) {
    answer.certificate = {};
    return answer;
  }
  Data& c = answer.certificate;
  c["model"] = model_digest(system);
  c["question"] = question;
  if (!claim.empty()) c["claim"] = claim;
  c["verdict"] = verdict_text(answer);
  Data::List unless;
  for (const Locus& locus : answer.unless) unless.emplace_back(text(locus));
  c["unless"] = unless;
  c["where"] = answer.assumptions;
  if (answer.answer.find("domain") != nullptr) c["domain"] = text(domain_in(answer.answer));
  return answer;
}

std::vector<CheckedStep> binding_steps(const Data& certificate, const System& system) {
  const ClaimedSystem claim = claimed_system(certificate);
  if (certificate.find("model") == nullptr) bad_certificate("the certificate does not name its model");
  if (text_field(certificate, "model") != model_digest(system)) {
    const auto normal = with_normal_positions(system);
    if (normal && text_field(certificate, "model") == model_digest(*normal))
      return binding_steps(certificate, *normal);
    bad_certificate(fmt::format("the certificate was made for another model than `{}`", system.name));
  }
  const char* name = "the system stated is that of the model";
  std::string what = difference(claim, certificate, stated_system(system));
  const auto is_stated = [&](const System& other) {
    return difference(claim, certificate, stated_system(other)).empty();
  };
  if (const SymbolMap values = parameter_values(system);
      !what.empty() && !values.empty() && is_stated(substituted(system, values)))
    what.clear();
  if (!what.empty() && !system.functions.empty() && is_stated(with_formulas(system))) {
    what.clear();
    name = "the system stated is that of the model, with the formulas that runs take for its functions";
  }
  std::vector<CheckedStep> steps{{name, same(what.empty(), what)}};
  if (const Data* circles = certificate.find("circles"))
    steps.push_back({"the circles are those of the model",
                     same(flat(*circles) == flat(circles_of(system.space)), "the circles")});
  for (CheckedStep& step : claim_steps(claim, certificate, system)) steps.push_back(std::move(step));
  for (CheckedStep& step : domain_steps(claim, certificate, system)) steps.push_back(std::move(step));
  return steps;
}

std::vector<std::string> assumed_in(const Data& certificate, bool model_named) {
  std::vector<std::string> lines;
  if (!model_named)
    lines.emplace_back(
        "assumed: the system stated is the one that is meant (name its MODEL to have it compared)");
  std::string positive;
  for (const Data& s : list_field(certificate, "symbols")) {
    if (s.find("positive") != nullptr) positive += (positive.empty() ? "" : ", ") + text_field(s, "name");
  }
  if (!positive.empty()) lines.push_back(fmt::format("assumed: {} > 0", positive));
  if (certificate.find("domain") != nullptr)
    lines.push_back(fmt::format("assumed: on {}", text_field(certificate, "domain")));
  for (const char* key : {"where", "unless"}) {
    if (certificate.find(key) == nullptr) continue;
    for (const Data& item : list_field(certificate, key)) {
      if (item.text() == nullptr) bad_certificate("a condition is not a formula");
      const bool excluded = std::string(key) == "unless";
      lines.push_back(excluded ? fmt::format("assumed: not ({})", *item.text())
                               : fmt::format("assumed: {}", *item.text()));
    }
  }
  return lines;
}

void require_same_answer(const Data& answer, const std::string& question,
                         const std::vector<std::string>& parts, const Data& certificate) {
  const Data* verdict = answer.find("verdict");
  const Data* shown = certificate.find("verdict");
  if (verdict != nullptr && shown != nullptr && flat(*verdict) != flat(*shown))
    bad_certificate("the answer has another verdict than its certificate");
  const Data* asked = certificate.find("question");
  if (question.empty() || asked == nullptr || asked->text() == nullptr || *asked->text() == question) return;
  if (std::find(parts.begin(), parts.end(), *asked->text()) == parts.end())
    bad_certificate(fmt::format("a certificate about `{}` does not answer `{}`", *asked->text(), question));
}

}  // namespace rattleback
