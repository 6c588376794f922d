#include <rattleback/proof/evidence/witness_domain.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/evidence/random_states.hpp>

namespace rattleback {
namespace {

/// A condition of a domain: e > 0, e ≠ 0, or not all of them are 0.
struct StatedCondition {
  std::vector<Expr> es;
  bool positive = false;

  bool fails(const Numbers& state) const {
    constexpr double close = 1e-3;  // Newton's method is slow at degenerate zeros
    return std::ranges::all_of(es, [&](Expr e) {
      const double value = evaluate(e, state);
      return !(positive ? value > close : std::abs(value) > close);
    });
  }
};

/// The conditions A, B of "A and B", brackets left whole.
std::vector<std::string> conjuncts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  int open = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    open += text[k] == '(' ? 1 : text[k] == ')' ? -1 : 0;
    if (open == 0 && text.compare(k, 5, " and ") == 0) {
      parts.emplace_back();
      k += 4;
    } else {
      parts.back() += text[k];
    }
  }
  return parts;
}

/// Formulas of the certificate in the symbols of the model, by their names.
class InModel {
 public:
  InModel(const ClaimedSystem& claim, const System& system, const std::vector<Symbol>& speeds)
      : claim_(claim), symbols_(speeds) {
    const auto q = system.space.functions();
    symbols_.insert(symbols_.end(), q.begin(), q.end());
    for (const Parameter& p : system.parameters) symbols_.push_back(p.symbol);
  }

  Expr formula(const std::string& text) const {
    const Expr e = claim_.formula(text);
    SymbolMap to_model;
    for (const Symbol s : symbols_of(e)) {
      const auto found = std::ranges::find_if(symbols_, [&](Symbol ours) { return ours.name() == s.name(); });
      if (found != symbols_.end()) to_model.emplace(s, Expr(*found));
    }
    return substitute(e, to_model);
  }

 private:
  const ClaimedSystem& claim_;
  std::vector<Symbol> symbols_;
};

/// Nothing for words such as "the speeds are regular".
std::optional<StatedCondition> condition_in(const InModel& model, const std::string& text) {
  constexpr std::string_view never_all = "not (", equal = " = 0", nonzero = " != 0", positive = " > 0";
  StatedCondition found;
  try {
    if (text.starts_with(never_all) && text.ends_with(')')) {
      for (const std::string& part :
           conjuncts_of(text.substr(never_all.size(), text.size() - never_all.size() - 1))) {
        if (!part.ends_with(equal)) return std::nullopt;
        found.es.push_back(model.formula(part.substr(0, part.size() - equal.size())));
      }
      return found;
    }
    for (const std::string_view end : {nonzero, positive}) {
      if (!text.ends_with(end)) continue;
      found.positive = end == positive;
      found.es.push_back(model.formula(text.substr(0, text.size() - end.size())));
      return found;
    }
  } catch (const Error&) {  // a long formula that is told in words
  }
  return std::nullopt;
}

/// The conditions after "where"; nothing where one of them is in words.
std::optional<std::vector<StatedCondition>> stated_conditions(const InModel& model,
                                                              const std::string& domain) {
  std::vector<StatedCondition> all;
  constexpr std::string_view begin = " where ";
  const std::size_t where = domain.find(begin);
  if (where == std::string::npos) return all;
  for (const std::string& part : conjuncts_of(domain.substr(where + begin.size()))) {
    auto condition = condition_in(model, part);
    if (!condition) return std::nullopt;
    all.push_back(std::move(*condition));
  }
  return all;
}

struct Witness {
  const char *questions, *key;
  bool positive;  ///< it does not vanish on its domain
};

std::optional<Witness> witness_of(const std::string& question) {
  constexpr std::array all{Witness{"conserved", "function", false},
                           Witness{"zero", "function", false},
                           Witness{"integral-of", "function", false},
                           Witness{"measure", "density", true},
                           Witness{"invariant-measure", "density", true},
                           Witness{"multiplier", "multiplier", true},
                           Witness{"chaplygin-multiplier", "multiplier", true}};
  const auto* found = std::ranges::find_if(all, [&](const Witness& w) { return question == w.questions; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::string condition_left_out(const Data& certificate, const ClaimedSystem& claim, const System& system) {
  const auto witness = witness_of(text_field(certificate, "question"));
  if (!witness || certificate.find(witness->key) == nullptr) return {};
  const ProjectedMotion motion = projected_motion(system);
  const std::vector<Symbol>& speeds = motion.velocities.speeds;
  if (!std::ranges::equal(speeds, claim.speeds, {}, &Symbol::name, &Symbol::name)) return {};
  const InModel model(claim, system, speeds);
  const bool has_domain = certificate.find("domain") != nullptr;  // without one it holds everywhere
  const auto stated = stated_conditions(model, has_domain ? text_field(certificate, "domain") : "");
  if (!stated) return {};
  const auto is_inside = [&](const Numbers& state) {
    return is_regular_state(motion, state) &&
           std::ranges::none_of(*stated, [&](const StatedCondition& c) { return c.fails(state); });
  };
  constexpr int states = search_limits::sign_of_a_density.count,
                zeros = search_limits::zeros_of_a_density.count;
  const Expr f = model.formula(text_field(certificate, witness->key));
  for (const WitnessCondition& c : limits_of_witness(system, speeds, f, witness->positive)) {
    std::vector<Numbers> there =
        c.positive ? random_states(system, speeds, states) : random_states(system, speeds, zeros, {c.e});
    if (c.positive) std::erase_if(there, [&](const Numbers& state) { return !(evaluate(c.e, state) < 0); });
    if (std::ranges::any_of(there, is_inside))
      return fmt::format("{} {} 0", text(c.e), c.positive ? ">" : "!=");
  }
  return {};
}

}  // namespace rattleback
