#include <rattleback/proof/coq/coq_theorem.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/modular/variety_points.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/normal_gram.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/check/claimed_bracket.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/claimed_positions.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>
#include <rattleback/proof/coq/coq_positions.hpp>
#include <rattleback/proof/coq/coq_system.hpp>

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

std::string conserved_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
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

std::string zero_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, true);
  const CoqElimination x = coq_elimination(claim);
  file.define("function", "Kernel.E",
              file.formula(substitute(claim.formula(text_field(certificate, "function")), x.in_velocities)));
  preamble = file.preamble();
  return coq_theorem("function_is_zero", "Kernel.on_constraint system nonzero positive function",
                     "Kernel.on_constraint_ok system reading solved function");
}

/// [a; b] of formulas in the frame.
std::vector<Expr> field_of(const ClaimedSystem& claim, const Data& row) {
  Data one;
  one["field"] = row;
  return formulas_field(claim, one, "field", claim.velocities.size());
}

/// The fields leave the constraints as they are also off D, and there are no forces: velocities need not be solved for.
bool invariant_off_D(const ClaimedSystem& claim, const Data::List& fields) {
  for (const Expr f : claim.forces) {
    if (!f.is_zero()) return false;
  }
  for (const Data& row : fields) {
    for (const Expr e : derivative_along(claim.constraints, complete_lift(claim, field_of(claim, row)))) {
      if (!vanishes_at_random_points(e)) return false;
    }
  }
  return true;
}

std::string symmetry_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, !invariant_off_D(claim, list_field(certificate, "fields")));
  std::string theorems;
  int k = 0;
  for (const Data& row : list_field(certificate, "fields")) {
    const std::string name = fmt::format("field{}", ++k);
    file.define(name, "list Kernel.E", file.formulas(field_of(claim, row)));
    theorems += coq_theorem(name + "_is_a_symmetry", "Kernel.symmetry system nonzero positive " + name,
                            "Kernel.symmetry_ok system reading solved " + name);
  }
  preamble = file.preamble();
  return "(* Lagrangian, constraints and forces are invariant under the field. *)\n" + theorems;
}

std::vector<Expr> components(const ClaimedField& X) {
  std::vector<Expr> all;
  for (int i = 0; i + 1 < X.rows(); ++i) all.push_back(short_form(X[i]));
  return all;
}

/// Two legs whose bracket leaves D, and the constraint that shows it.
std::string nonholonomic_theorem(const ClaimedSystem& claim, std::string& preamble) {
  const std::vector<ClaimedField> legs = legs_of_D(claim);
  const Matrix A = jacobian(claim.constraints, claim.velocities);
  const std::size_t m = claim.speeds.size();
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a + 1; b < m; ++b) {
      const ClaimedField Z = field_bracket(claim, legs[a], legs[b]);
      for (int s = 0; s < A.rows(); ++s) {
        std::vector<Expr> terms{Expr(0)};
        for (int i = 0; i < A.columns(); ++i) terms.push_back(A(s, i) * Z[i]);
        if (vanishes_at_random_points(sum(terms))) continue;
        CoqSystem file(claim, false);
        file.define("first", "list Kernel.E", file.formulas(components(legs[a])));
        file.define("second", "list Kernel.E", file.formulas(components(legs[b])));
        file.define("there", "Kernel.point", file.point_where(sum(terms)));
        preamble = file.preamble();
        return "(* Two fields along D whose bracket leaves D, at a point. *)\n" +
               coq_theorem("constraints_are_not_holonomic", "Kernel.nonholonomic system nonzero positive",
                           fmt::format("Kernel.nonholonomic_ok system reading there first second {}%nat", s));
      }
    }
  }
  no_coq_form("no bracket of two legs leaves D",
              "what leaves it is the drift of constraints that are not homogeneous");
}

std::string holonomic_theorem(const ClaimedSystem& claim, std::string& preamble) {
  CoqSystem file(claim, true);
  const std::vector<ClaimedField> legs = legs_of_D(claim);
  if (legs.size() != claim.speeds.size())
    no_coq_form("the constraints carry the motion along", "the kernel's brackets know no time");
  const CoqElimination x = coq_elimination(claim);
  std::string rows;
  for (const ClaimedField& X : legs) rows += (rows.empty() ? "" : "; ") + file.formulas(components(X));
  file.define("legs", "list (list Kernel.E)", "[" + rows + "]");
  file.define("speeds", "list Kernel.E", file.formulas(x.speeds));
  preamble = file.preamble();
  return "(* Fields that span D, and whose brackets stay in D. *)\n" +
         coq_theorem("constraints_are_holonomic", "Kernel.holonomic system nonzero positive legs speeds",
                     "Kernel.holonomic_ok system reading solved legs speeds");
}

std::string density_theorem(const ClaimedSystem& claim, Expr density, std::string& preamble) {
  CoqSystem file(claim, true);
  const std::string field = coq_field_theorem(claim, file);
  file.define("density", "Kernel.E", file.formula(density));
  std::string proof = "Kernel.positive_density_ok {} reading density";
  try {
    file.define("there", "Kernel.point", file.point_where(density));
    proof = "Kernel.invariant_density_ok {} reading there density";
  } catch (const NoCoqForm&) {  // it has no rational value: its sign is seen instead
    for (const Expr factor : density.is(Kind::product) ? density.args() : std::span(&density, 1)) {
      if (factor.is(Kind::power) && factor.exponent() % 2 == 0 && factor.exponent() > 0)
        file.assume_positive(factor);  // where it is not zero
    }
  }
  preamble = file.preamble();
  return field +
         "(* The density of dq dz is invariant: the divergence of density times field vanishes. *)\n" +
         coq_theorem("density_is_invariant",
                     fmt::format("Kernel.invariant_density {} nonzero positive density", coq_along_the_field),
                     fmt::format(fmt::runtime(proof), coq_along_the_field));
}

/// A density on N = {φ = 0} times √det(dφ dφᵀ) is one of the space around it, in which φ is constant along the motion.
std::string measure_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  const std::span<const Expr> positions = positions_of_check();
  const Expr density = claim.formula(text_field(certificate, "density"));
  if (positions.empty()) return density_theorem(claim, density, preamble);
  const Expr around = density * sqrt(normal_gram(positions, claim.frame));
  const std::vector<Expr> kept(positions.begin(), positions.end());
  const InAmbientSpace beside;
  const Expr residual = derivative_along(around, claim.motion) + around * divergence_of_motion(claim);
  const std::vector<Expr> rates = derivative_along(kept, claim.motion);
  if (!vanishes_at_random_points(residual) ||
      !std::ranges::all_of(rates, [](Expr e) { return vanishes_at_random_points(e); }))
    no_coq_form("the density is invariant on the position constraints alone",
                "the kernel's divergence is that of the space around them");
  return "(* Beside the position constraints too, where their left sides are constant: the density on them, "
         "times the\n"
         "   root of the Gram determinant of their differentials, is one of the space around them. *)\n" +
         density_theorem(claim, around, preamble);
}

std::string variational_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, true);
  const std::string field = coq_field_theorem(claim, file);
  file.define("multipliers", "list Kernel.E",
              file.formulas(formulas_field(claim, certificate, "multipliers", claim.constraints.size())));
  preamble = file.preamble();
  return field +
         "(* With the multipliers the motion makes the action stationary: E_i(L - mu C) = Q_i along it. "
         "*)\n" +
         coq_theorem("motion_is_variational",
                     fmt::format("Kernel.variational {} nonzero positive multipliers", coq_along_the_field),
                     fmt::format("Kernel.variational_ok {} reading multipliers", coq_along_the_field));
}

std::string lagrangian_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, true);
  const std::string field = coq_field_theorem(claim, file);
  const Expr L = claim.formula(text_field(certificate, "unconstrained"));
  file.define("unconstrained", "Kernel.E", file.formula(L));
  file.note_at(L, claim.psi);  // what it divides by on the constraint
  const Matrix hessian = jacobian(gradient(L, claim.velocities), claim.velocities);
  file.define("there", "Kernel.point",
              file.point_where(substitute(determinant(hessian), claim.psi), CoqValues::admissible));
  preamble = file.preamble();
  return field +
         "(* Without constraints this Lagrangian has the motions among its own: E_i = 0 along them. *)\n" +
         coq_theorem("lagrangian_has_the_motions",
                     fmt::format("Kernel.has_motions {} nonzero positive unconstrained", coq_along_the_field),
                     fmt::format("Kernel.has_motions_ok {} reading unconstrained", coq_along_the_field)) +
         coq_theorem("lagrangian_is_regular", "Kernel.regular system nonzero positive unconstrained",
                     "Kernel.regular_ok system reading there unconstrained");
}

/// dg/dt along the motion is not zero at a state.
std::string not_conserved_theorem(const ClaimedSystem& claim, const Data& certificate,
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

std::string not_zero_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, false);
  const Expr f = substitute(claim.formula(text_field(certificate, "function")), claim.psi);
  const Expr g = short_form(substitute(f, coq_elimination(claim).in_velocities));
  file.define("function", "Kernel.E", file.formula(g));
  file.define("there", "Kernel.point", file.point_where(f, CoqValues::admissible));
  preamble = file.preamble();
  return coq_theorem("function_is_not_zero", "Kernel.seen_on_constraint system nonzero positive function",
                     "Kernel.seen_on_constraint_ok system reading there function");
}

/// (M.7) fails at a point: the divergence of density times field.
std::string not_a_density_theorem(const ClaimedSystem& claim, const Data& certificate,
                                  std::string& preamble) {
  CoqSystem file(claim, true);
  const std::string field = coq_field_theorem(claim, file);
  const Expr density = claim.formula(text_field(certificate, "density"));
  const Expr residual = derivative_along(density, claim.motion) + density * divergence_of_motion(claim);
  file.define("density", "Kernel.E", file.formula(density));
  file.define("there", "Kernel.point", file.point_where(residual));
  preamble = file.preamble();
  const std::string statement =
      fmt::format("(Kernel.along (Kernel.flow {}) density + density * Kernel.divergence {})",
                  coq_along_the_field, coq_along_the_field);
  return field + "(* A point at which the divergence of density times field does not vanish. *)\n" +
         coq_theorem("density_is_not_invariant", "Kernel.seen system nonzero positive " + statement,
                     "Kernel.seen_ok system reading there " + statement);
}

/// ξ^C L, ξ^C C or L_ξ Q does not vanish at a state on the constraint.
std::string not_a_symmetry_theorem(const ClaimedSystem& claim, const Data& certificate,
                                   std::string& preamble) {
  const Data::List& rows = list_field(certificate, "fields");
  if (rows.size() != 1)
    no_coq_form("several fields are said to be no symmetries", "the theorem is about one");
  const std::vector<Expr> xi = field_of(claim, rows.front());
  const SymbolMap lift = complete_lift(claim, xi);
  CoqSystem file(claim, true);
  file.define("field1", "list Kernel.E", file.formulas(xi));
  std::string changed = "lagrangian";
  const Expr of_L = derivative_along(claim.lagrangian, lift);
  Expr seen = substitute(of_L, claim.psi);
  if (vanishes_at_random_points(of_L)) {
    std::size_t s = 0;
    for (; s < claim.constraints.size(); ++s) {
      seen = substitute(derivative_along(claim.constraints[s], lift), claim.psi);
      if (!vanishes_at_random_points(seen)) break;
    }
    if (s == claim.constraints.size())
      no_coq_form("what the field changes are the forces",
                  "the kernel shows changes of the Lagrangian and the constraints");
    changed = fmt::format("constraint{}", s + 1);
  } else if (vanishes_at_random_points(seen)) {
    no_coq_form("the field changes the Lagrangian off the constraint alone",
                "the kernel looks for a state on the constraint");
  }
  file.define("there", "Kernel.point", file.point_where(seen, CoqValues::admissible));
  preamble = file.preamble();
  const std::string rate = fmt::format("(Kernel.along (Kernel.lift system field1) {})", changed);
  return "(* A state on the constraint at which the field changes the Lagrangian, or a constraint. *)\n" +
         coq_theorem("field1_is_not_a_symmetry", "Kernel.seen_on_constraint system nonzero positive " + rate,
                     "Kernel.seen_on_constraint_ok system reading there " + rate);
}

/// Jacobi's identity on D*, or for functions of the momenta alone where there are no functions of the configuration.
std::string jacobi_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  const ClaimedBracket b = claimed_bracket(claim, certificate);
  const std::vector<ClaimedField> legs = legs_of_D(claim);
  if (legs.size() != claim.speeds.size())
    no_coq_form("the constraints carry the motion along", "the kernel's bracket has no drift");
  bool holds = false;
  int first = 0;
  if (const Data* on_D = certificate.find("holds"); on_D != nullptr && on_D->get_if<bool>() != nullptr) {
    holds = *on_D->get_if<bool>();
  } else {
    const Data::List& ways = list_field(certificate, "reductions");
    if (!claim.functions.empty() || ways.empty() || ways[0].find("holds") == nullptr)
      no_coq_form("the claim is about a reduced bracket", "the kernel knows the bracket on D* alone");
    holds = *ways[0].find("holds")->get_if<bool>();
    first = b.n();
  }
  CoqSystem file(claim, false);
  std::string rows;
  for (const ClaimedField& X : legs) rows += (rows.empty() ? "" : "; ") + file.formulas(components(X));
  file.define("legs", "list (list Kernel.E)", "[" + rows + "]");
  file.define("momenta", "list BinNums.positive", file.numbers(b.p));
  file.define(
      "speeds", "list Kernel.E",
      file.formulas(formulas_on(b, Data(list_field(certificate, "speeds_by_momenta")), claim.speeds.size())));
  const std::string about = "system legs momenta speeds";
  if (holds) {
    preamble = file.preamble();
    return "(* The bracket of the motion satisfies Jacobi's identity. *)\n" +
           coq_theorem("bracket_is_poisson",
                       fmt::format("Kernel.poisson {} nonzero positive {}%nat", about, first),
                       fmt::format("Kernel.poisson_ok {} reading {}%nat", about, first));
  }
  for (const auto& [index, J] : jacobiator_of(b)) {
    if (index[0] < first || vanishes_at_random_points(J)) continue;
    file.define("there", "Kernel.point", file.point_where(J));
    preamble = file.preamble();
    return "(* Three components of the bracket of the motion violate Jacobi's identity, at a point. *)\n" +
           coq_theorem("bracket_is_not_poisson", fmt::format("Kernel.not_poisson {} nonzero positive", about),
                       fmt::format("Kernel.not_poisson_ok {} reading there {}%nat {}%nat {}%nat", about,
                                   index[0], index[1], index[2]));
  }
  no_coq_form("no component violates Jacobi's identity", "");
}

/// Why a kind of certificate has no form.
std::string missing_form(const std::string& kind) {
  struct Reason {
    const char *kind, *why;
  };
  constexpr std::array reasons{
      Reason{"gauge-momenta",
             "the factors of these momenta are solutions of linear equations that are stated, not solved"},
      Reason{"no-symmetries",
             "that no field is a symmetry follows from prolonged equations, which the kernel does not know"},
      Reason{"no-integrals",
             "that no combination is constant is a rank over a space of functions, which the kernel does not "
             "state"},
      Reason{
          "no-lagrangian",
          "that no Lagrangian is regular follows from Helmholtz' conditions, which the kernel does not know"},
      Reason{"routh-hamiltonization",
             "the kernel states Hamiltonian forms of the whole motion, not at fixed momenta"},
      Reason{"no-routh-hamiltonization",
             "the kernel states Hamiltonian forms of the whole motion, not at fixed momenta"},
      Reason{"suslov-hamiltonization", "the kernel does not know Lie-Poisson brackets"},
      Reason{"no-suslov-hamiltonization", "the kernel does not know Lie-Poisson brackets"},
      Reason{"optimal-control", "the kernel does not state control problems"},
      Reason{"no-optimal-control", "the kernel does not state control problems"}};
  for (const Reason& r : reasons) {
    if (kind == r.kind) return r.why;
  }
  return "the kernel does not state what it claims";
}

/// What the kernel states in terms of the whole space is not said of a subset of it.
void require_form_on_positions(const std::string& kind) {
  if (positions_of_check().empty()) return;
  if (kind == "not-a-density" || kind == "no-invariant-measure")
    no_coq_form("a density on position constraints is refuted",
                "the kernel's divergence is that of the space around them");
  if (kind == "steady-motions")
    no_coq_form("the small motions keep position constraints",
                "the kernel's small motions are those of the space around them");
  if (kind == "no-chaplygin-multiplier")
    no_coq_form("the multiplier is refuted on position constraints",
                "the kernel counts dimensions of the space around them");
}

std::string theorem_of(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  const std::string& kind = text_field(certificate, "certificate");
  require_form_on_positions(kind);
  if (kind == "conserved") return conserved_theorem(claim, certificate, preamble);
  if (kind == "energy") {
    if (const auto degrees = energy_by_equations(claim)) return energy_theorem(claim, *degrees, preamble);
    no_coq_form("the constraints are not homogeneous in the velocities",
                "the kernel multiplies the equations by the velocities");
  }
  if (kind == "gauge-momenta" && certificate.find("constants") != nullptr &&
      text_field(certificate, "verdict") == "proved")
    return conserved_theorem(claim, certificate, preamble);
  if (kind == "conditionally-variational") return variational_theorem(claim, certificate, preamble);
  if (kind == "inverse-problem") return lagrangian_theorem(claim, certificate, preamble);
  if (kind == "not-conserved") return not_conserved_theorem(claim, certificate, preamble);
  if (kind == "not-zero") return not_zero_theorem(claim, certificate, preamble);
  if (kind == "jacobi") return jacobi_theorem(claim, certificate, preamble);
  if (kind == "zero") return zero_theorem(claim, certificate, preamble);
  if (kind == "symmetries") return symmetry_theorem(claim, certificate, preamble);
  if (kind == "nonholonomic") return nonholonomic_theorem(claim, preamble);
  if (kind == "holonomic") return holonomic_theorem(claim, preamble);
  if (kind == "invariant-measure") return measure_theorem(claim, certificate, preamble);
  if (kind == "not-a-density") return not_a_density_theorem(claim, certificate, preamble);
  if (kind == "not-a-symmetry") return not_a_symmetry_theorem(claim, certificate, preamble);
  if (kind == "regular") return coq_definite_theorem(claim, preamble);
  if (kind == "steady-motions") return coq_steady_theorem(claim, certificate, preamble);
  if (kind == "agreement") return coq_agreement_theorem(claim, certificate, preamble);
  if (kind == "chaplygin-multiplier") return coq_multiplier_theorem(claim, certificate, preamble);
  if (kind == "no-chaplygin-multiplier") return coq_no_multiplier_theorem(claim, certificate, preamble);
  if (kind == "not-conditionally-variational")
    return coq_not_variational_theorem(claim, certificate, preamble);
  if (kind == "no-invariant-measure") return coq_no_density_theorem(claim, certificate, preamble);
  no_coq_form(fmt::format("certificates of kind `{}` have no form in Coq yet", kind), missing_form(kind));
}

/// A comment: nothing in it may end it.
std::string comment(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("*\"", at)) != std::string::npos;)
    text[at] = text[at] == '*' ? '.' : '\'';
  return text;
}

/// The axioms that the theorems rest on, all of them at once.
std::string assumptions_of(const std::string& theorems) {
  const std::string mark = "Theorem ";
  std::string names;
  for (std::size_t at = theorems.find(mark); at != std::string::npos; at = theorems.find(mark, at + 1)) {
    const std::size_t start = at + mark.size();
    names += (names.empty() ? "" : ", ") + theorems.substr(start, theorems.find(' ', start) - start);
  }
  return fmt::format(
      "(* What all of it rests on: the axioms of the real numbers. *)\n"
      "Definition theorems := ({}).\nPrint Assumptions theorems.\n",
      names);
}

/// What the file is about, as a comment.
std::string coq_heading(const Data& certificate, const std::string& model) {
  const Data* digest = certificate.find("model");
  return fmt::format(
      "(* {}\n   model digest {}\n   Check with `coqc`: the standard library and Coquelicot are all it "
      "needs. *)\n",
      comment(model), digest != nullptr && digest->text() != nullptr ? comment(*digest->text()) : "none");
}

/// The position constraints; none where the kernel has no rules for them (they contain rotation matrices) and the theorem is one about all
/// of the space around them, and so about them. A refutation needs a point on them, a density their volume: these have no form then.
std::vector<Expr> stated_positions(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<Expr> positions = claimed_positions(claim, certificate);
  try {
    position_rules(positions);
  } catch (const NoCoqForm&) {
    const Data* verdict = certificate.find("verdict");
    const bool proves = verdict != nullptr && verdict->text() != nullptr && *verdict->text() == "proved";
    if (!proves || text_field(certificate, "certificate") == "invariant-measure") throw;
    return {};
  }
  return positions;
}

/// The model, the theorems and the axioms that they rest on.
std::string statements(const Data& certificate) {
  const ClaimedSystem claim = claimed_system(certificate);
  const std::vector<Expr> positions = stated_positions(claim, certificate);
  const OnVariety here(variety_of(positions));
  std::string preamble;
  const std::string theorems = theorem_of(claim, certificate, preamble);
  return fmt::format("Import Kernel.Notations.\nOpen Scope expr_scope.\n\n(* ---- The model. *)\n{}\n{}{}",
                     preamble, theorems, assumptions_of(theorems));
}

}  // namespace

std::string coq_theorems(const Data& certificate, const std::string& model) {
  return coq_heading(certificate, model) +
         "Require Import ZArith QArith Qreals List Bool Reals.\nFrom Coquelicot Require Import Coquelicot.\n"
         "Require Import kernel.\nImport ListNotations.\n" +
         statements(certificate);
}

std::string coq_file(const Data& certificate, const std::string& model) {
  const std::string claimed = statements(certificate);
  return coq_heading(certificate, model) + coq_kernel() + "\n" + claimed;
}

}  // namespace rattleback
