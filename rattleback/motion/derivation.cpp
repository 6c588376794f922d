#include <rattleback/motion/derivation.hpp>

#include <rattleback/algebra/error.hpp>
#include <rattleback/motion/reactions.hpp>

namespace rattleback {
namespace {

void add_reactions(const System& system, EquationsOfMotion& equations) {
  Reactions found = reactions_along(system, equations);
  equations.multipliers = std::move(found.multipliers);
  equations.reactions = std::move(found.reactions);
}

}  // namespace

Derivation derivation(const System& system, const std::vector<Formalism>& forms, bool reactions) {
  Derivation found;
  std::vector<EquationsOfMotion> comparable;
  std::optional<Error> first_error;
  for (const Formalism& form : forms) {
    try {
      EquationsOfMotion equations = form.derive(system);
      if (form.agrees) comparable.push_back(equations);
      if (form.agrees && reactions && equations.multipliers.empty()) add_reactions(system, equations);
      found.forms.push_back(std::move(equations));
    } catch (const Error& error) {
      if (!first_error) first_error = error;
      found.absent.push_back({form.name, error.why.empty() ? error.summary : error.why});
    }
  }
  if (found.forms.empty() && first_error) throw *first_error;
  if (forms.size() > 1 && !comparable.empty()) found.agreement = agreement(system, comparable);
  return found;
}

}  // namespace rattleback
