#include <rattleback/simulate/loops/overconstrained.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/simulate/loops/redundant_constraints.hpp>

namespace rattleback {
namespace {

/// Of the position constraints, by exact arithmetic: on their set where points of it are found, else at generic points.
int exact_rank_of_positions(const System& system) {
  System bare = system;
  std::erase_if(bare.constraints, [](const Constraint& c) { return !c.position; });
  return static_cast<int>(constraint_rows(bare).independent.size());
}

}  // namespace

std::optional<Overconstrained> overconstrained(const System& system) {
  if (std::ranges::none_of(system.constraints, [](const Constraint& c) { return c.position.has_value(); }))
    return std::nullopt;
  const RedundantConstraints redundant = redundant_constraints(system);
  if (redundant.which.empty() || exact_rank_of_positions(system) <= redundant.rank) return std::nullopt;
  std::vector<std::string> names;
  for (const int s : redundant.which)
    names.push_back("`" + system.constraints[static_cast<std::size_t>(s)].name + "`");
  return Overconstrained{
      without_constraints(system, redundant.which),
      fmt::format(
          "{} {} left out: where all position constraints hold their rank is {}, found in doubles at {} "
          "assembled positions",
          fmt::join(names, ", "), names.size() == 1 ? "is" : "are", redundant.rank, redundant.tried)};
}

Derivation noted(Derivation found, const Overconstrained& rest) {
  for (EquationsOfMotion& equations : found.forms) equations.notes.push_back(rest.why);
  return found;
}

Answer noted(Answer a, const Overconstrained& rest) {
  a.why.push_back(rest.why);
  a.certificate = Data();
  if (a.outcome == Outcome::refuted) {
    a.outcome = Outcome::undecided;
    a.obstacle = "it is false without the constraints that are left out, on a set that may be larger";
    a.next_step = "state the linkage with as many constraints as it has conditions";
  }
  if (a.outcome == Outcome::proved) {
    constexpr int bits_of_doubles = 40;
    a.evidence = Certificate{false, bits_of_doubles, a.evidence.method};
  }
  return a;
}

Answer asked_on_set(const Question& question, const System& system, double seconds) {
  const auto rest = overconstrained(system);
  return rest ? noted(asked(question, rest->system, seconds), *rest) : asked(question, system, seconds);
}

}  // namespace rattleback
