// Declared in proof/coq/coq_kinds.hpp. Functions of the state along motions: constant, zero, and refutations of both.
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/coq/coq_kinds.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>

namespace rattleback {
namespace {

/// k with v^i ∂C/∂v^i = k C.
std::optional<int> homogeneous_degree(const ClaimedSystem& claim, Expr c) {
  std::vector<Expr> terms{Expr(0)};
  for (const Symbol v : claim.velocities) terms.push_back(v * derivative(c, v));
  const Expr slope = sum(terms);
  for (int k = 0; k <= 4; ++k) {
    if (vanishes_at_random_points(slope - k * c)) return k;
  }
  return std::nullopt;
}

/// Q_i v^i − ∂L/∂t.
Expr power_of(const ClaimedSystem& claim) {
  Expr power = -derivative(claim.lagrangian, Symbol::make("t", {.role = Role::time}));
  for (std::size_t i = 0; i < claim.velocities.size(); ++i) power += claim.forces[i] * claim.velocities[i];
  return power;
}

/// k_s with d/dt (v^i ∂L/∂v^i − L) = v^i (E_i − Q_i − λ_s ∂C_s/∂v^i) + k_s λ_s C_s + Q_i v^i − ∂L/∂t, where constraints are homogeneous.
std::optional<std::vector<int>> degrees_of_constraints(const ClaimedSystem& claim) {
  std::vector<int> degrees;
  for (const Expr c : claim.constraints) {
    const auto k = homogeneous_degree(claim, c);
    if (!k) return std::nullopt;
    degrees.push_back(*k);
  }
  return degrees;
}

std::optional<std::vector<int>> energy_by_equations(const ClaimedSystem& claim) {
  if (!vanishes_at_random_points(power_of(claim))) return std::nullopt;
  return degrees_of_constraints(claim);
}

/// The energy as the model's velocities give it, and its rate by the equations.
void define_energy(const ClaimedSystem& claim, const std::vector<int>& degrees, CoqSystem& file) {
  std::string energy;
  std::vector<Expr> multipliers;
  for (const Symbol v : claim.velocities) {
    energy += fmt::format("{}{} * Kernel.partial {} lagrangian", energy.empty() ? "" : " + ", file.name(v),
                          file.number(v));
    multipliers.emplace_back(v);
  }
  for (std::size_t s = 0; s < claim.constraints.size(); ++s) multipliers.emplace_back(0);
  for (std::size_t s = 0; s < degrees.size(); ++s) multipliers.push_back(degrees[s] * file.multipliers()[s]);
  file.define("energy", "Kernel.E", energy + " - lagrangian");
  file.define("cofactors", "list Kernel.E", file.formulas(multipliers));
}

std::string energy_theorem(const ClaimedSystem& claim, const std::vector<int>& degrees,
                           std::string& preamble) {
  CoqSystem file(claim, false);
  define_energy(claim, degrees, file);
  preamble = file.preamble();
  return "(* The energy is constant along every motion. *)\n" +
         coq_theorem("energy_is_conserved", "Kernel.conserved system nonzero positive energy",
                     "Kernel.conserved_ok system reading solved cofactors");
}

/// The energy is not constant: Q_i v^i − ∂L/∂t is not zero at a state.
std::string no_energy_theorem(const ClaimedSystem& claim, const std::vector<int>& degrees,
                              std::string& preamble) {
  CoqSystem file(claim, false);
  define_energy(claim, degrees, file);
  const Expr power = power_of(claim);
  file.define("rate", "Kernel.E", file.formula(power));
  file.define("there", "Kernel.point", file.point_where(substitute(power, claim.psi), CoqValues::admissible));
  preamble = file.preamble();
  return "(* A state through which every motion changes the energy. *)\n" +
         coq_theorem("energy_is_not_conserved", "Kernel.not_conserved system nonzero positive energy",
                     "Kernel.not_conserved_ok system reading solved there cofactors energy rate");
}

std::vector<Expr> functions_claimed(const ClaimedSystem& claim, const Data& certificate) {
  if (certificate.find("constants") != nullptr)
    return formulas_field(claim, certificate, "constants", list_field(certificate, "constants").size());
  return {substitute(claim.formula(text_field(certificate, "function")), claim.psi)};
}

}  // namespace

std::string coq_energy_theorem(const ClaimedSystem& claim, std::string& preamble) {
  if (const auto degrees = energy_by_equations(claim)) return energy_theorem(claim, *degrees, preamble);
  no_coq_form("the constraints are not homogeneous in the velocities",
              "the kernel multiplies the equations by the velocities");
}

std::string coq_conserved_theorem(const ClaimedSystem& claim, const Data& certificate,
                                  std::string& preamble) {
  if (certificate.find("quantity") != nullptr) {
    if (const auto degrees = energy_by_equations(claim)) return energy_theorem(claim, *degrees, preamble);
  }
  CoqSystem file(claim, true);
  const CoqElimination x = coq_elimination(claim);
  std::string theorems;
  int k = 0;
  for (const Expr f : functions_claimed(claim, certificate)) {
    const Expr g = short_form(substitute(f, x.in_velocities));
    const std::string name = fmt::format("function{}", ++k);
    file.define(name, "Kernel.E", file.formula(g));
    file.define("cofactors_" + name, "list Kernel.E", file.formulas(coq_combination(claim, x, g)));
    theorems += coq_theorem(name + "_is_conserved", "Kernel.conserved system nonzero positive " + name,
                            "Kernel.conserved_ok system reading solved cofactors_" + name);
  }
  preamble = file.preamble();
  return "(* For every motion that satisfies the constraints and Lagrange-d'Alembert's equations, constant. "
         "*)\n" +
         theorems;
}

std::string coq_zero_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, true);
  const CoqElimination x = coq_elimination(claim);
  file.define("function", "Kernel.E",
              file.formula(substitute(claim.formula(text_field(certificate, "function")), x.in_velocities)));
  preamble = file.preamble();
  return coq_theorem("function_is_zero", "Kernel.on_constraint system nonzero positive function",
                     "Kernel.on_constraint_ok system reading solved function");
}

/// dg/dt along the motion is not zero at a state.
std::string coq_not_conserved_theorem(const ClaimedSystem& claim, const Data& certificate,
                                      std::string& preamble) {
  if (certificate.find("quantity") != nullptr) {
    if (const auto degrees = degrees_of_constraints(claim))
      return no_energy_theorem(claim, *degrees, preamble);
  }
  CoqSystem file(claim, true);
  const CoqElimination x = coq_elimination(claim);
  const Expr f = substitute(claim.formula(text_field(certificate, "function")), claim.psi);
  const Expr g = short_form(substitute(f, x.in_velocities));
  const Expr rate = short_form(derivative_along(f, claim.motion));
  const Expr in_velocities = short_form(substitute(rate, x.in_velocities));
  file.define("function", "Kernel.E", file.formula(g));
  file.define("rate", "Kernel.E", file.formula(in_velocities));
  file.define("cofactors", "list Kernel.E", file.formulas(coq_combination(claim, x, g)));
  file.define("there", "Kernel.point", file.point_where(rate, CoqValues::admissible));
  preamble = file.preamble();
  return "(* A state through which every motion changes the function. *)\n" +
         coq_theorem("function_is_not_conserved", "Kernel.not_conserved system nonzero positive function",
                     "Kernel.not_conserved_ok system reading solved there cofactors function rate");
}

std::string coq_not_zero_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, false);
  const Expr f = substitute(claim.formula(text_field(certificate, "function")), claim.psi);
  const Expr g = short_form(substitute(f, coq_elimination(claim).in_velocities));
  file.define("function", "Kernel.E", file.formula(g));
  file.define("there", "Kernel.point", file.point_where(f, CoqValues::admissible));
  preamble = file.preamble();
  return coq_theorem("function_is_not_zero", "Kernel.seen_on_constraint system nonzero positive function",
                     "Kernel.seen_on_constraint_ok system reading there function");
}

}  // namespace rattleback
