#include <rattleback/trial/doubt.hpp>

#include <algorithm>
#include <sstream>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/forms/derivation.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>
#include <rattleback/trial/certificate_trial.hpp>
#include <rattleback/trial/condition_trial.hpp>
#include <rattleback/trial/conserved_trial.hpp>
#include <rattleback/trial/description_trial.hpp>
#include <rattleback/trial/growth_trial.hpp>
#include <rattleback/trial/measure_trial.hpp>
#include <rattleback/trial/parameter_trial.hpp>
#include <rattleback/trial/part_trial.hpp>
#include <rattleback/trial/steady_trial.hpp>

namespace rattleback {
namespace {

/// Experiments that belong to one question.
Findings own_trials(const System& system, const std::string& name, const Answer& answer, Random& random) {
  Findings all;
  for (const auto& [formula, f] : functions_claimed(system, name, answer))
    all.push_back(try_constant(system, name, formula, f, random));
  if (name == "energy" && answer.outcome == Outcome::refuted)
    all.push_back(try_not_constant(system, name, "the energy", energy_of_answer(system, answer), random));
  if (name == "invariant-measure" && answer.outcome == Outcome::proved)
    all.push_back(try_density(system, answer, random));
  if (name == "integrability" && answer.decided()) all.push_back(try_growth(system, answer, random));
  if (name == "equilibria" && answer.outcome == Outcome::refuted)
    all.push_back(try_no_equilibrium(system, answer, random));
  return all;
}

/// The conditions that `derive` states with the usual form.
Findings condition_trials(const System& system, double seconds) {
  try {
    const Derivation found = derivation(system, {usual_formalism(system)}, false, seconds);
    return found.forms.empty() ? Findings() : try_conditions(system, found.forms.front());
  } catch (const OutOfDomain&) {  // no form applies
    return {};
  }
}

void append(Findings more, Findings& all) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// What experiments find within so many seconds together; the limit is said where it ends them.
template <class Experiments>
Findings within(double seconds, const std::string& question, Experiments experiments) {
  Findings all;
  try {
    Limits limits;
    limits.time = std::chrono::duration<double>(seconds);
    const Budget budget(limits);
    experiments(all);
  } catch (const Exhausted& limit) {
    all.push_back({question, "the other experiments", "the time for all of them", Finding::Result::not_tried,
                   limit.what()});
  }
  return all;
}

}  // namespace

Findings doubt(const std::string& text, const System& system, const DoubtOptions& options) {
  Findings all;
  Random random(options.seed);
  const auto rest = overconstrained(system);
  if (options.questions.empty()) {
    if (options.progress) options.progress("conditions");
    append(within(options.seconds, "conditions",
                  [&](Findings& found) {
                    append(condition_trials(rest ? rest->system : system, options.seconds), found);
                  }),
           all);
  }
  for (const Question& q : all_questions()) {
    const bool is_wanted =
        options.questions.empty() ||
        std::find(options.questions.begin(), options.questions.end(), q.name) != options.questions.end();
    if (!is_wanted || q.sum_up != nullptr) continue;
    if (options.progress) options.progress(q.name);
    const Answer answer =
        rest ? noted(asked(q, rest->system, options.seconds), *rest) : asked(q, system, options.seconds);
    const System& asked_system = rest ? rest->system : system;
    append(within(3 * options.seconds, q.name,
                  [&](Findings& found) {
                    append(own_trials(asked_system, q.name, answer, random), found);
                    if (auto checked = try_certificate(asked_system, q.name, answer, options.seconds))
                      found.push_back(std::move(*checked));
                    append(try_wider_domains(asked_system, q.name, answer, options.seconds), found);
                    append(try_parts(text, q, answer, options.seconds), found);
                    append(try_parameters(system, q, answer, options.seconds, random), found);
                    append(try_descriptions(text, q, answer, options.seconds), found);
                  }),
           all);
  }
  return all;
}

std::string shrunk(const std::string& text, const std::function<bool(const std::string&)>& fails) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const auto without = [&](std::size_t skipped) {
    std::string rest;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (k != skipped) rest += lines[k] + "\n";
    }
    return rest;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = lines.size(); k-- > 0;) {
      if (!fails(without(k))) continue;
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(k));
      changed = true;
    }
  }
  return without(lines.size());
}

}  // namespace rattleback
