#include <rattleback/proof/coq/coq_theorem.hpp>

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_bracket.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/coq/coq_system.hpp>

namespace rattleback {
namespace {

[[noreturn]] void no_form(const std::string& what, const std::string& why) {
  throw Error("no-coq-form", what, why,
              "check the certificate with `rattleback prove MODEL --certificate FILE`");
}

/// The text of a theorem with its proof by computation.
std::string theorem(const std::string& name, const std::string& statement, const std::string& proof) {
  return fmt::format(
      "Theorem {} :\n  {}.\nProof. apply ({}). vm_cast_no_check (eq_refl true). Qed.\n"
      "Print Assumptions {}.\n\n",
      name, statement, proof, name);
}

/// Multipliers w_i of Lagrange-d'Alembert's equations and ρ_s of the rates of the constraints by which dg/dt follows, g(q, v):
///     G y = ∂(g∘ψ)/∂z, w = Ψ y,   ∂g/∂v − M w = ρ A on D.
/// They are followed by zeros, for the constraints themselves.
std::vector<Expr> combination(const ClaimedSystem& claim, const CoqElimination& x, Expr g) {
  const Matrix Psi = directions(claim);
  const Matrix M =
      substitute(jacobian(gradient(claim.lagrangian, claim.velocities), claim.velocities), claim.psi);
  const Matrix slope = substitute(Matrix::column(gradient(g, claim.velocities)), claim.psi);
  const auto y = unique_solution(transpose(Psi) * M * Psi, transpose(Psi) * slope);
  if (!y) no_form("the metric on D is singular", "");
  const Matrix w = Psi * y->x;
  std::vector<Expr> all;
  for (const Expr e : w.entries()) all.push_back(short_form(substitute(short_form(e), x.in_velocities)));
  const Matrix rho = transpose(slope - M * w) * x.right_inverse;
  for (int s = 0; s < x.A.rows(); ++s)
    all.push_back(short_form(substitute(short_form(rho(0, s)), x.in_velocities)));
  for (int s = 0; s < x.A.rows(); ++s) all.emplace_back(0);
  return all;
}

/// d/dt (v^i ∂L/∂v^i − L) = v^i E_i + λ_s C_s where constraints are homogeneous, forces do no work and L does not know the time.
bool energy_by_equations(const ClaimedSystem& claim) {
  std::vector<Expr> residuals{-derivative(claim.lagrangian, Symbol::make("t", {.role = Role::time}))};
  for (std::size_t i = 0; i < claim.velocities.size(); ++i)
    residuals[0] += claim.forces[i] * claim.velocities[i];
  for (const Expr c : claim.constraints) {
    std::vector<Expr> terms{-c};
    for (const Symbol v : claim.velocities) terms.push_back(v * derivative(c, v));
    residuals.push_back(sum(terms));
  }
  return std::all_of(residuals.begin(), residuals.end(), [](Expr e) { return vanishes_at_random_points(e); });
}

std::string energy_theorem(const ClaimedSystem& claim, std::string& preamble) {
  CoqSystem file(claim, false);
  std::string energy;
  std::vector<Expr> multipliers;
  for (const Symbol v : claim.velocities) {
    energy += fmt::format("{}{} * Kernel.partial {} lagrangian", energy.empty() ? "" : " + ", file.name(v),
                          file.number(v));
    multipliers.emplace_back(v);
  }
  for (std::size_t s = 0; s < claim.constraints.size(); ++s) multipliers.emplace_back(0);
  for (const Symbol lambda : file.multipliers()) multipliers.emplace_back(lambda);
  file.define("energy", "Kernel.E", energy + " - lagrangian");
  file.define("cofactors", "list Kernel.E", file.formulas(multipliers));
  preamble = file.preamble();
  return "(* The energy is constant along every motion. *)\n" +
         theorem("energy_is_conserved", "Kernel.conserved system nonzero positive energy",
                 "Kernel.conserved_ok system reading solved cofactors");
}

std::vector<Expr> functions_claimed(const ClaimedSystem& claim, const Data& certificate) {
  if (certificate.find("constants") != nullptr)
    return formulas_field(claim, certificate, "constants", list_field(certificate, "constants").size());
  return {substitute(claim.formula(text_field(certificate, "function")), claim.psi)};
}

std::string conserved_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  if (certificate.find("quantity") != nullptr && energy_by_equations(claim))
    return energy_theorem(claim, preamble);
  CoqSystem file(claim, true);
  const CoqElimination x = coq_elimination(claim);
  std::string theorems;
  int k = 0;
  for (const Expr f : functions_claimed(claim, certificate)) {
    const Expr g = short_form(substitute(f, x.in_velocities));
    const std::string name = fmt::format("function{}", ++k);
    file.define(name, "Kernel.E", file.formula(g));
    file.define("cofactors_" + name, "list Kernel.E", file.formulas(combination(claim, x, g)));
    theorems += theorem(name + "_is_conserved", "Kernel.conserved system nonzero positive " + name,
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
  return theorem("function_is_zero", "Kernel.on_constraint system nonzero positive function",
                 "Kernel.on_constraint_ok system reading solved function");
}

/// [a; b] of formulas in the frame.
std::vector<Expr> field_of(const ClaimedSystem& claim, const Data& row) {
  Data one;
  one["field"] = row;
  return formulas_field(claim, one, "field", claim.velocities.size());
}

std::string symmetry_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, true);
  std::string theorems;
  int k = 0;
  for (const Data& row : list_field(certificate, "fields")) {
    const std::string name = fmt::format("field{}", ++k);
    file.define(name, "list Kernel.E", file.formulas(field_of(claim, row)));
    theorems += theorem(name + "_is_a_symmetry", "Kernel.symmetry system nonzero positive " + name,
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
               theorem("constraints_are_not_holonomic", "Kernel.nonholonomic system nonzero positive",
                       fmt::format("Kernel.nonholonomic_ok system reading there first second {}%nat", s));
      }
    }
  }
  no_form("no bracket of two legs leaves D",
          "what leaves it is the drift of constraints that are not homogeneous");
}

std::string holonomic_theorem(const ClaimedSystem& claim, std::string& preamble) {
  CoqSystem file(claim, true);
  const std::vector<ClaimedField> legs = legs_of_D(claim);
  if (legs.size() != claim.speeds.size())
    no_form("the constraints carry the motion along", "the kernel's brackets know no time");
  const CoqElimination x = coq_elimination(claim);
  std::string rows;
  for (const ClaimedField& X : legs) rows += (rows.empty() ? "" : "; ") + file.formulas(components(X));
  file.define("legs", "list (list Kernel.E)", "[" + rows + "]");
  file.define("speeds", "list Kernel.E", file.formulas(x.speeds));
  preamble = file.preamble();
  return "(* Fields that span D, and whose brackets stay in D. *)\n" +
         theorem("constraints_are_holonomic", "Kernel.holonomic system nonzero positive legs speeds",
                 "Kernel.holonomic_ok system reading solved legs speeds");
}

/// The motion as a field on (q, z): its definitions, and the theorem that every motion follows it.
std::string field_theorem(const ClaimedSystem& claim, CoqSystem& file) {
  const CoqElimination x = coq_elimination(claim);
  std::string by;
  for (std::size_t a = 0; a < claim.speeds.size(); ++a)
    by += (by.empty() ? "" : ";\n    ") + file.formulas(combination(claim, x, x.speeds[a]));
  file.define("speeds", "list BinNums.positive", file.numbers(claim.speeds));
  file.define("definitions", "list Kernel.E", file.formulas(x.speeds));
  file.define("velocities_by_speeds", "list Kernel.E", file.formulas(claim.admissible));
  file.define("rates_of_speeds", "list Kernel.E", file.formulas(claim.speed_rates));
  file.define("cofactors", "list (list Kernel.E)", "[" + by + "]");
  const std::string field = "system speeds definitions velocities_by_speeds rates_of_speeds";
  return "(* Every motion follows the field (q, z)' = (psi, F), z the speeds. *)\n" +
         theorem("the_field_is_the_motion", fmt::format("Kernel.is_motion {} nonzero positive", field),
                 fmt::format("Kernel.is_motion_ok {} reading solved [] cofactors", field));
}

const std::string along_the_field = "system speeds velocities_by_speeds rates_of_speeds";

std::string measure_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, true);
  const std::string field = field_theorem(claim, file);
  const Expr density = claim.formula(text_field(certificate, "density"));
  file.define("density", "Kernel.E", file.formula(density));
  std::string proof = "Kernel.positive_density_ok {} reading density";
  try {
    file.define("there", "Kernel.point", file.point_where(density));
    proof = "Kernel.invariant_density_ok {} reading there density";
  } catch (const Error&) {  // it has no rational value: its sign is seen instead
  }
  preamble = file.preamble();
  return field +
         "(* The density of dq dz is invariant: the divergence of density times field vanishes. *)\n" +
         theorem("density_is_invariant",
                 fmt::format("Kernel.invariant_density {} nonzero positive density", along_the_field),
                 fmt::format(fmt::runtime(proof), along_the_field));
}

std::string variational_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, true);
  const std::string field = field_theorem(claim, file);
  file.define("multipliers", "list Kernel.E",
              file.formulas(formulas_field(claim, certificate, "multipliers", claim.constraints.size())));
  preamble = file.preamble();
  return field +
         "(* With the multipliers the motion makes the action stationary: E_i(L - mu C) = Q_i along it. "
         "*)\n" +
         theorem("motion_is_variational",
                 fmt::format("Kernel.variational {} nonzero positive multipliers", along_the_field),
                 fmt::format("Kernel.variational_ok {} reading multipliers", along_the_field));
}

std::string lagrangian_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, true);
  const std::string field = field_theorem(claim, file);
  file.define("unconstrained", "Kernel.E",
              file.formula(claim.formula(text_field(certificate, "unconstrained"))));
  preamble = file.preamble();
  return field +
         "(* Without constraints this Lagrangian has the motions among its own: E_i = 0 along them. *)\n" +
         theorem("lagrangian_has_the_motions",
                 fmt::format("Kernel.has_motions {} nonzero positive unconstrained", along_the_field),
                 fmt::format("Kernel.has_motions_ok {} reading unconstrained", along_the_field));
}

/// dg/dt along the motion is not zero at a state.
std::string not_conserved_theorem(const ClaimedSystem& claim, const Data& certificate,
                                  std::string& preamble) {
  CoqSystem file(claim, true);
  const CoqElimination x = coq_elimination(claim);
  const Expr f = substitute(claim.formula(text_field(certificate, "function")), claim.psi);
  const Expr g = short_form(substitute(f, x.in_velocities));
  const Expr rate = short_form(derivative_along(f, claim.motion));
  const Expr in_velocities = short_form(substitute(rate, x.in_velocities));
  file.define("function", "Kernel.E", file.formula(g));
  file.define("rate", "Kernel.E", file.formula(in_velocities));
  file.define("cofactors", "list Kernel.E", file.formulas(combination(claim, x, g)));
  file.define("there", "Kernel.point", file.point_where(rate, true));
  preamble = file.preamble();
  return "(* A state through which every motion changes the function. *)\n" +
         theorem("function_is_not_conserved", "Kernel.not_conserved system nonzero positive function",
                 "Kernel.not_conserved_ok system reading solved there cofactors function rate");
}

std::string not_zero_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, false);
  const Expr f = substitute(claim.formula(text_field(certificate, "function")), claim.psi);
  const Expr g = short_form(substitute(f, coq_elimination(claim).in_velocities));
  file.define("function", "Kernel.E", file.formula(g));
  file.define("there", "Kernel.point", file.point_where(f, true));
  preamble = file.preamble();
  return theorem("function_is_not_zero", "Kernel.seen_on_constraint system nonzero positive function",
                 "Kernel.seen_on_constraint_ok system reading there function");
}

/// Jacobi's identity on D*, or for functions of the momenta alone where there are no functions of the configuration.
std::string jacobi_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  const ClaimedBracket b = claimed_bracket(claim, certificate);
  const std::vector<ClaimedField> legs = legs_of_D(claim);
  if (legs.size() != claim.speeds.size())
    no_form("the constraints carry the motion along", "the kernel's bracket has no drift");
  bool holds = false;
  int first = 0;
  if (const Data* on_D = certificate.find("holds"); on_D != nullptr && on_D->get_if<bool>() != nullptr) {
    holds = *on_D->get_if<bool>();
  } else {
    const Data::List& ways = list_field(certificate, "reductions");
    if (!claim.functions.empty() || ways.empty() || ways[0].find("holds") == nullptr)
      no_form("the claim is about a reduced bracket", "the kernel knows the bracket on D* alone");
    holds = *ways[0].find("holds")->get_if<bool>();
    first = b.n();
  }
  CoqSystem file(claim, false);
  std::string rows;
  for (const ClaimedField& X : legs) rows += (rows.empty() ? "" : "; ") + file.formulas(components(X));
  file.define("legs", "list (list Kernel.E)", "[" + rows + "]");
  file.define("momenta", "list BinNums.positive", file.numbers(b.p));
  file.define("speeds", "list Kernel.E",
              file.formulas(formulas_field(claim, certificate, "speeds_by_momenta", claim.speeds.size())));
  const std::string about = "system legs momenta speeds";
  if (holds) {
    preamble = file.preamble();
    return "(* The bracket of the motion satisfies Jacobi's identity. *)\n" +
           theorem("bracket_is_poisson",
                   fmt::format("Kernel.poisson {} nonzero positive {}%nat", about, first),
                   fmt::format("Kernel.poisson_ok {} reading {}%nat", about, first));
  }
  for (const auto& [index, J] : jacobiator_of(b)) {
    if (index[0] < first || vanishes_at_random_points(J)) continue;
    file.define("there", "Kernel.point", file.point_where(J));
    preamble = file.preamble();
    return "(* Three components of the bracket of the motion violate Jacobi's identity, at a point. *)\n" +
           theorem("bracket_is_not_poisson", fmt::format("Kernel.not_poisson {} nonzero positive", about),
                   fmt::format("Kernel.not_poisson_ok {} reading there {}%nat {}%nat {}%nat", about, index[0],
                               index[1], index[2]));
  }
  no_form("no component violates Jacobi's identity", "");
}

std::string theorem_of(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  const std::string& kind = text_field(certificate, "certificate");
  if (kind == "conserved") return conserved_theorem(claim, certificate, preamble);
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
  no_form(fmt::format("certificates of kind `{}` have no form in Coq yet", kind),
          "functions that are constant, zero or not, symmetries, densities, holonomic constraints and "
          "Jacobi's identity have one");
}

/// A comment: nothing in it may end it.
std::string comment(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("*\"", at)) != std::string::npos;)
    text[at] = text[at] == '*' ? '.' : '\'';
  return text;
}

}  // namespace

std::string coq_file(const Data& certificate, const std::string& model) {
  const ClaimedSystem claim = claimed_system(certificate);
  std::string preamble;
  const std::string theorems = theorem_of(claim, certificate, preamble);
  const Data* digest = certificate.find("model");
  return fmt::format(
      "(* {}\n   model digest {}\n   Check with `coqc`: the standard library and Coquelicot are all it "
      "needs. *)\n{}\n"
      "Import Kernel.Notations.\nOpen Scope expr_scope.\n\n(* ---- The model. *)\n{}\n{}",
      comment(model), digest != nullptr && digest->text() != nullptr ? *digest->text() : "none", coq_kernel(),
      preamble, theorems);
}

}  // namespace rattleback
