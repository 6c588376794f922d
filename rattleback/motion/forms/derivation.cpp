#include <rattleback/motion/forms/derivation.hpp>

#include <exception>
#include <memory>

#include <fmt/format.h>
#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/equations/reactions.hpp>

namespace rattleback {
namespace {

void add_reactions(const System& system, EquationsOfMotion& equations) {
  Reactions found = reactions_along(system, equations);
  equations.multipliers = std::move(found.multipliers);
  equations.reactions = std::move(found.reactions);
}

/// Without a limit there is no budget at all.
std::unique_ptr<const Budget> budget_of(std::optional<double> seconds) {
  if (!seconds) return nullptr;
  Limits limits;
  limits.time = std::chrono::duration<double>(*seconds);
  return std::make_unique<const Budget>(limits);
}

}  // namespace

Derivation derivation(const System& system, const std::vector<Formalism>& forms, bool reactions,
                      std::optional<double> seconds) {
  Derivation found;
  std::vector<EquationsOfMotion> comparable;
  std::exception_ptr first_error;
  bool out_of_time = false;
  for (const Formalism& form : forms) {
    try {
      const auto budget = budget_of(seconds);
      EquationsOfMotion equations = form.derive(system);
      std::erase_if(equations.where, [&](const Assumption& a) {
        return a.kind == Assumption::Kind::nonzero && is_nonzero_on_positions(system, a.expression);
      });
      if (form.agrees) comparable.push_back(equations);
      if (form.agrees && reactions && equations.multipliers.empty()) add_reactions(system, equations);
      found.forms.push_back(std::move(equations));
    } catch (const Error& error) {
      if (!first_error) first_error = std::current_exception();
      found.absent.push_back({form.name, error.why.empty() ? error.summary : error.why});
    } catch (const Exhausted& limit) {
      if (!seconds) throw;
      out_of_time = true;
      found.absent.push_back({form.name, limit.what()});
    } catch (const std::exception& broken) {
      if (!seconds) throw;
      found.absent.push_back({form.name, fmt::format("its computation failed: bug[{}]", broken.what())});
    }
  }
  if (found.forms.empty() && first_error && !out_of_time) std::rethrow_exception(first_error);
  if (forms.size() > 1 && !comparable.empty()) {
    try {
      const auto budget = budget_of(seconds);
      found.agreement = agreement(system, comparable);
    } catch (const Exhausted&) {
      if (!seconds) throw;
    } catch (const NoParametrization&) {  // forms are compared at admissible velocities
    } catch (const Error&) {
      throw;
    } catch (const std::exception& broken) {
      if (!seconds) throw;
      const Undecided failed{fmt::format("the comparison failed: bug[{}]", broken.what()),
                             "please report this with the model file"};
      found.agreement = Agreement{{}, failed, {}, failed, {}};
    }
  }
  return found;
}

}  // namespace rattleback
