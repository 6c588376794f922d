#include <rattleback/trial/conserved_trial.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/simulate/runs/precise_motion.hpp>

namespace rattleback {
namespace {

constexpr int motions = search_limits::trial_motions.count;

struct Watched {
  int ran = 0;
  double largest = 0;  ///< drift beside the size of the function
  std::string where;
};

/// What f divides by: 1/y and atan(x/y) may have another value after a motion through y = 0.
std::vector<Expr> divisors(Expr f) {
  std::vector<Expr> all;
  const Tape tape(std::span<const Expr>(&f, 1));
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr node = tape.node(slot);
    if (node.is(Kind::power) && node.exponent() < 0) all.push_back(node.args()[0]);
  }
  return all;
}

/// Could one of the divisors, which follow f in the list, have vanished on the way?
bool may_cross_a_pole(const PreciseMotion& run) {
  return std::any_of(run.drift.begin() + 1, run.drift.end(),
                     [](const Drift& d) { return !(d.largest < std::abs(d.initial)); });
}

/// The largest drift over several motions: the first at the model's values, the others at values of their own.
Watched watched(const System& system, Expr f, Random& random) {
  Watched found;
  for (int k = 0; k < 3 * motions && found.ran < motions; ++k) {
    try {
      AtValues at = k == 0 ? at_values(system, {}) : at_random_values(system, random);
      at.system.simulation.initial.clear();  // the random state stands for it
      const Flow flow(at.system);
      const auto y = random_state(flow, random);
      if (!y) continue;
      RunOptions options;
      options.until = 0.5;
      options.most_steps = 2'000;  // in many digits a step takes a millisecond and more
      const Expr at_these = substitute(f, at.values);
      options.invariants = {{"f", at_these}};
      for (const Expr d : divisors(at_these)) options.invariants.push_back({"divisor", d});
      const PreciseMotion run = precise_motion(flow, *y, options, precision("dd"));
      if (run.failure || run.drift.empty() || may_cross_a_pole(run)) continue;
      ++found.ran;
      if (const double drift = run.drift[0].relative(); drift >= found.largest) {
        found.largest = drift;
        found.where = at.set.empty() ? "at the model's values" : "--set " + at.set;
      }
    } catch (const Error&) {      // no motion at these values, whatever the reason: others are drawn
    } catch (const Exhausted&) {  // roots of these values that the zero tests cannot take
      Budget::check();
    }
  }
  return found;
}

Finding finding(const std::string& question, const std::string& statement) {
  return {question, statement, "motions in 32 digits", Finding::Result::not_tried, ""};
}

/// Position constraints and quaternions hold to the rounding of double at the start; what a false integral drifts is far larger.
constexpr double rounding = 1e-10;

}  // namespace

Finding try_constant(const System& system, const std::string& question, const std::string& name, Expr f,
                     Random& random) {
  Finding found = finding(question, fmt::format("{} is constant", name));
  const Watched w = watched(system, f, random);
  if (w.ran == 0) {
    found.detail = "no motion from a random state came to its end";
    return found;
  }
  found.result = w.largest < rounding ? Finding::Result::stands : Finding::Result::contradicted;
  found.detail = fmt::format("{} motions, largest drift {:.1e} {}", w.ran, w.largest, w.where);
  return found;
}

Finding try_not_constant(const System& system, const std::string& question, const std::string& name, Expr f,
                         Random& random) {
  Finding found = finding(question, fmt::format("{} is not constant", name));
  const Watched w = watched(system, f, random);
  if (w.ran < motions) {
    found.detail = "too few motions from random states came to their end";
    return found;
  }
  found.result = w.largest > rounding ? Finding::Result::stands : Finding::Result::contradicted;
  found.detail = fmt::format("{} motions, largest drift {:.1e}", w.ran, w.largest);
  return found;
}

namespace {

/// The formulas of a list of texts in an answer; entries of records are taken from `key`.
std::vector<std::string> texts_in(const Data* list, const std::string& key) {
  std::vector<std::string> all;
  if (list == nullptr || list->list() == nullptr) return all;
  for (const Data& entry : *list->list()) {
    const Data* item = entry.record() != nullptr ? entry.find(key) : &entry;
    if (item != nullptr && item->text() != nullptr) all.push_back(*item->text());
  }
  return all;
}

}  // namespace

Expr energy_of_answer(const System& system, const Answer& answer) {
  const Data* stated = answer.answer.find("energy");
  const auto e = stated == nullptr || stated->text() == nullptr ? std::nullopt
                                                                : try_parse(*stated->text(), system.scope);
  return e.value_or(energy(system));
}

std::vector<std::pair<std::string, Expr>> functions_claimed(const System& system, const std::string& question,
                                                            const Answer& answer) {
  std::vector<std::pair<std::string, Expr>> all;
  if (answer.outcome != Outcome::proved) return all;
  if (question == "energy") all.emplace_back("the energy", energy_of_answer(system, answer));
  const char* list = question == "momenta" ? "conserved" : question == "integrals" ? "integrals" : nullptr;
  if (list == nullptr) return all;
  const std::vector<std::string> special = texts_in(answer.answer.find("at_parameter_values"), "function");
  for (const std::string& formula : texts_in(answer.answer.find(list), "function")) {
    if (std::find(special.begin(), special.end(), formula) != special.end())
      continue;  // said of the model's values alone
    // Nothing when it is written in names that only its own text explains.
    if (const auto f = try_parse(formula, system.scope)) all.emplace_back(formula, *f);
  }
  return all;
}

}  // namespace rattleback
