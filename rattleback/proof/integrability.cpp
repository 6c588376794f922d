#include <rattleback/proof/integrability.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/model/triage.hpp>

namespace rattleback {
namespace {

bool is_nonlinear(const Triage& found) {
  for (const ConstraintKind& kind : found.constraints) {
    if (kind.writing == Writing::nonlinear) return true;
  }
  return false;
}

std::string growth_text(const std::vector<int>& growth) {
  return fmt::format("({})", fmt::join(growth, ", "));
}

/// Chow's theorem, or the leaves that the motion cannot leave.
std::string reach_text(const Triage& found) {
  if (found.growth_vector.back() == found.dimension)
    return "brackets span every direction: any two configurations can be joined (Chow)";
  return fmt::format("motion stays on leaves of dimension {}", found.growth_vector.back());
}

}  // namespace

Answer integrability_answer(const System& system) {
  const Triage found = triage(system);
  if (is_nonlinear(found)) {
    Answer a = undecided_answer("a constraint is not linear in the velocities, so there is no distribution",
                                "ask about the motion itself: energy, integrals, invariant-measure");
    a.answer["holonomic"] = Data();
    return a;
  }
  const bool holonomic = found.holonomic_dimension == found.rank;
  Answer a;
  a.outcome = holonomic ? Outcome::proved : Outcome::refuted;
  a.answer["holonomic"] = holonomic;
  a.answer["growth_vector"] = found.growth_vector;
  a.answer["bracket_generating"] = found.growth_vector.back() == found.dimension;
  a.answer["holonomic_dimension"] = found.holonomic_dimension;
  a.answer["integrals"] = found.integrals;
  // Larger ranks are proved by a minor; that they stop growing rests on two random points.
  a.evidence = holonomic || found.growth_vector.back() != found.dimension
                   ? Certificate{false, 100, "ranks of brackets at random points"}
                   : Certificate{true, 0, "a minor of the brackets is not zero"};
  a.why.push_back(fmt::format("growth vector {} at a generic configuration, of {}",
                              growth_text(found.growth_vector), found.dimension));
  a.why.push_back(reach_text(found));
  for (const Expr f : found.integrals) a.why.push_back(fmt::format("{} is constant", text(f)));
  return a;
}

}  // namespace rattleback
