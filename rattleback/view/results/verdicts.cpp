#include <rattleback/view/results/verdicts.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/exceptional_parameters.hpp>

namespace rattleback {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const Data& data) {
  allow_recursion();
  if (const bool* b = data.get_if<bool>()) return *b;
  if (const long* n = data.get_if<long>()) return *n;
  if (data.text() != nullptr) return *data.text();
  if (data.list() != nullptr) {
    ordered_json out = ordered_json::array();
    for (const Data& item : *data.list()) out.push_back(json_of(item));
    return out;
  }
  if (data.record() != nullptr) {
    ordered_json out = ordered_json::object();
    for (const auto& [key, value] : *data.record()) out[key] = json_of(value);
    return out;
  }
  return nullptr;
}

ordered_json json_of(const Answer& answer) {
  ordered_json out{{"verdict", text(answer.outcome)}};
  if (!answer.statement.empty()) out["statement"] = answer.statement;
  out["answer"] = json_of(answer.answer);
  const Data* domain = answer.answer.find("domain");
  out["domain"] = answer.decided() && domain != nullptr ? json_of(*domain) : ordered_json();
  if (out["answer"].is_object()) out["answer"].erase("domain");
  out["unless"] = ordered_json::array();
  for (const Locus& locus : answer.unless) out["unless"].push_back(text(locus));
  out["unless_complete"] = locus_is_complete(answer);
  out["evidence"] = answer.evidence_text();
  if (!answer.evidence.method.empty()) out["method"] = answer.evidence.method;
  out["why"] = answer.why;
  if (!answer.assumptions.empty()) out["assumptions"] = answer.assumptions;
  if (!answer.decided()) {
    if (answer.outcome == Outcome::not_found)
      out["searched"] = answer.searched;
    else
      out["obstacle"] = answer.obstacle;
    out["next_step"] = answer.next_step;
  }
  out["certificate"] = json_of(answer.certificate);
  return out;
}

}  // namespace

std::string readable_reason(const std::string& reason) {
  constexpr std::size_t longest = legible::reason.count, shown = legible::cut_reason.count;
  if (reason.size() <= longest) return reason;
  std::size_t end = shown;
  while ((static_cast<unsigned char>(reason[end]) & 0xc0) == 0x80) --end;  // not within a character
  return fmt::format("{} ... ({} more characters; --format json has them)", reason.substr(0, end),
                     reason.size() - end);
}

namespace {

/// Is the list after `unless` complete? Nothing where the answer is the same for all parameters, and where no search was made, as for a claim.
std::string locus_line(const Answer& answer) {
  const bool complete = locus_is_complete(answer);
  if (answer.answer.find("locus") == nullptr || (complete && answer.unless.empty())) return {};
  if (complete) return "  locus: complete\n";
  const std::string why = locus_gap(answer);
  return fmt::format("  locus: not complete{}{}\n", why.empty() ? "" : ", ", why);
}

}  // namespace

std::string as_text(const std::string& question, const Answer& answer) {
  std::string s = fmt::format("{}: {}", question, text(answer.outcome));
  if (!answer.unless.empty()) s += fmt::format(" unless {}", text(answer.unless));
  s += "\n";
  if (!answer.statement.empty()) s += fmt::format("  statement: {}\n", answer.statement);
  const Domain domain = domain_in(answer.answer);
  if (answer.decided() && !domain.space.empty()) s += fmt::format("  domain: {}\n", text(domain));
  for (const std::string& line : answer.why) s += fmt::format("  why: {}\n", readable_reason(line));
  for (const std::string& line : answer.assumptions) s += fmt::format("  where {}\n", line);
  s += locus_line(answer);
  if (answer.decided()) return s + fmt::format("  evidence: {}\n", answer.evidence_text());
  if (answer.outcome == Outcome::not_found)
    return s + fmt::format("  searched: {}\n  next step: {}\n", answer.searched, answer.next_step);
  if (answer.outcome == Outcome::inapplicable)
    return s + fmt::format("  why: {}\n  instead: {}\n", answer.obstacle, answer.next_step);
  return s + fmt::format("  obstacle: {}\n  next step: {}\n", answer.obstacle, answer.next_step);
}

std::string as_json(const System& system, const std::vector<std::pair<std::string, Answer>>& answers) {
  ordered_json out{
      {"schema", "rattleback.analyze/1"}, {"model", system.name}, {"questions", ordered_json::object()}};
  for (const auto& [question, answer] : answers) out["questions"][question] = json_of(answer);
  return out.dump(2) + "\n";
}

std::string as_json(const System& system, const std::string& claim, const Answer& answer) {
  ordered_json out{{"schema", "rattleback.prove/1"}, {"model", system.name}, {"claim", claim}};
  out.update(json_of(answer));
  return out.dump(2) + "\n";
}

namespace {

Data data_of(const ordered_json& j) {
  allow_recursion();
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_integer()) return j.get<long>();
  if (j.is_string()) return j.get<std::string>();
  if (j.is_array()) {
    Data::List list;
    for (const ordered_json& item : j) list.push_back(data_of(item));
    return list;
  }
  if (!j.is_object()) return {};
  Data record{Data::Record{}};  // also one without fields: the state "at rest" of a model without parameters
  for (const auto& [key, value] : j.items()) record[key] = data_of(value);
  return record;
}

/// How deep lists and records are nested. Brackets in strings do not count.
int nesting(const std::string& text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && (text[i] == '[' || text[i] == '{')) {
      deepest = std::max(deepest, ++depth);
    } else if (!quoted && (text[i] == ']' || text[i] == '}')) {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Data data_from_json(const std::string& text) {
  constexpr int deepest = input_limits::certificate.count;
  if (nesting(text) > deepest)
    throw Error("bad-certificate", "lists are nested too deeply",
                fmt::format("the limit is {} levels", deepest),
                "use what `prove --format json` prints, unchanged");
  const ordered_json j = ordered_json::parse(text, nullptr, false);
  if (j.is_discarded())
    throw Error("bad-certificate", "this is not JSON", "",
                "use what `prove --format json` prints, unchanged");
  return data_of(j);
}

std::string as_json(const Data& data) { return json_of(data).dump(2) + "\n"; }

}  // namespace rattleback
