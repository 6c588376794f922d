#include "trial.hpp"

#include "mutant.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/view/results/verdicts.hpp>

namespace rattleback {

// The entries of the checker in its copies.
std::vector<CheckedStep> mutated_check_certificate(const Data& certificate);
bool mutated_is_confirmed_exactly(const Data& certificate);
std::vector<std::string> mutated_stated_in(const Data& certificate);

}  // namespace rattleback

namespace rattleback::inline tests {
namespace {

/// More than one step rejects it.
bool is_blunt(const std::vector<CheckedStep>& steps) {
  return std::ranges::count_if(steps, [](const CheckedStep& s) { return !proved(s.verdict); }) > 1;
}

std::string steps_answer(const std::vector<CheckedStep>& steps) {
  bool exact = true;
  for (const CheckedStep& step : steps) {
    const auto* yes = std::get_if<Proved>(&step.verdict);
    if (yes == nullptr) return "rejected";
    exact = exact && yes->why.exact;
  }
  return exact ? "accepted" : "accepted at random points";
}

/// Whether it is confirmed; and whether a caller without time left hears of it.
std::string confirmation(const Data& certificate) {
  std::string said;
  for (const double seconds : {1000.0, 0.0}) {
    try {
      const Budget budget({.time = std::chrono::duration<double>(seconds)});
      said += mutated_is_confirmed_exactly(certificate) ? "confirmed " : "rejected ";
    } catch (const Exhausted&) {
      said += "no time ";
    } catch (const std::exception&) {
      said += "threw ";
    }
  }
  return said;
}

}  // namespace

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void limit_processor_time(double seconds) {
  const auto limit = static_cast<rlim_t>(processor_time() + seconds + 1);
  const rlimit cpu{limit, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &cpu);
}

std::string answer(const Trial& trial, bool* blunt) {
  if (trial.entry == "confirm") return confirmation(trial.certificate);
  try {
    const Budget budget(work_limits::checking);
    if (trial.entry == "check") {
      const std::vector<CheckedStep> steps = mutated_check_certificate(trial.certificate);
      if (blunt != nullptr) *blunt = is_blunt(steps);
      return steps_answer(steps);
    }
    return fmt::format("{}", fmt::join(mutated_stated_in(trial.certificate), "\n"));
  } catch (const Error&) {
    return "rejected";
  } catch (const Exhausted&) {
    return "rejected";
  } catch (const std::exception&) {
    return "crashed";
  }
}

std::vector<Trial> trials_of(const std::filesystem::path& corpus) {
  std::vector<Trial> all;
  for (const auto& file : std::filesystem::directory_iterator(corpus)) {
    const std::string name = file.path().stem().string();
    std::ifstream in(file.path());
    std::stringstream text;
    text << in.rdbuf();
    all.push_back({.name = name,
                   .entry = name.substr(0, name.find('-')),
                   .certificate = data_from_json(text.str()),
                   .answer = {},
                   .reached = {}});
  }
  return all;
}

void try_kernel(std::vector<Trial>& trials, int last_mutant) {
  std::map<std::vector<bool>, int> sets;
  for (Trial& trial : trials) {
    const double before = processor_time();
    mutant::reached.assign(static_cast<std::size_t>(last_mutant) + 1, false);
    trial.answer = answer(trial, &trial.blunt);
    trial.seconds = processor_time() - before;
    trial.reached = mutant::reached;
    trial.reached_set = sets.emplace(trial.reached, static_cast<int>(sets.size())).first->second;
  }
  std::ranges::sort(trials, {}, [](const Trial& t) { return std::pair(t.blunt, t.seconds); });
}

}  // namespace rattleback::inline tests
