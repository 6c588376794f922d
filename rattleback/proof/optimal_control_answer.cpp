// Whether the mechanical motions are extremals, and how other extremals differ from them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/proof/conditionally_variational.hpp>
#include <rattleback/proof/optimal_control.hpp>

namespace rattleback {
namespace {

std::vector<std::string> equations(const std::vector<Symbol>& left, const std::vector<Expr>& right) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < left.size(); ++i)
    lines.push_back(fmt::format("{}' = {}", left[i].name(), text(right[i])));
  return lines;
}

/// (C.27), for the first associated system that decouples.
bool add_associated_control(Answer& a, const System& system) {
  try {
    const Chaplygin c = chaplygin_reduction(system);
    for (const AssociatedSystem& s : associated_systems(c)) {
      const auto L = decoupled_lagrangian(s.equations, constant_inertias(c));
      if (!L || !proved(L->is_lagrangian) || !proved(s.restricts)) continue;
      const AssociatedControl x = associated_control(s.equations, *L);
      if (!proved(x.stationary) || !proved(x.hamiltonian)) continue;
      a.outcome = Outcome::proved;
      a.evidence = std::get<Proved>(x.hamiltonian).why;
      a.answer["cost"] = x.cost;
      a.answer["controls"] = equations(s.equations.q, x.rates);
      a.answer["hamiltonian"] = L->hamiltonian;
      a.why.push_back(fmt::format(
          "controls {} with the cost {}: on the constraint the extremals are the mechanical motions",
          fmt::join(equations(s.equations.q, x.rates), ", "), text(x.cost)));
      return true;
    }
  } catch (const Error& error) {
    if (error.slug != "form-does-not-apply") throw;
  }
  return false;
}

/// (C.28), and how it differs from the mechanical motion.
void add_extremals(Answer& a, const System& system) {
  const NormalExtremals x = normal_extremals(system);
  std::vector<std::string> lines = equations(x.momenta, x.rates), differences;
  a.answer["extremals"] = lines;
  a.answer["energy_hamiltonian"] = x.hamiltonian;
  a.why.push_back(fmt::format("normal extremals of the energy on D: H = {}, {}", text(x.hamiltonian),
                              fmt::join(lines, ", ")));
  for (std::size_t i = 0; i < x.difference.size(); ++i) {
    if (!x.difference[i].is_zero())
      differences.push_back(fmt::format("{} in {}'", text(x.difference[i]), x.momenta[i].name()));
  }
  a.why.push_back(differences.empty()
                      ? "each of them is a mechanical motion"
                      : fmt::format("they differ from the mechanical motion (without potential) by {}",
                                    fmt::join(differences, ", ")));
}

}  // namespace

Answer optimal_control_answer(const System& system) {
  Answer a;
  const ConditionallyVariational variational = conditionally_variational(system);
  const bool associated = add_associated_control(a, system);
  if (!associated) {
    a = answer_of(variational.full);
    a.why.emplace_back(proved(variational.full)
                           ? "the mechanical motions are extremals of the action among admissible curves"
                           : "the mechanical motions are not extremals of the action among admissible "
                             "curves, and no associated "
                             "control system was found");
  }
  a.answer["exists"] = a.outcome == Outcome::undecided ? Data() : Data(a.outcome == Outcome::proved);
  a.answer["action_extremals"] = proved(variational.full);
  add_extremals(a, system);
  return a;
}

}  // namespace rattleback
