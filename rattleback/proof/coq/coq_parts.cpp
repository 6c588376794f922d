#include <rattleback/proof/coq/coq_parts.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>

namespace rattleback {

void no_coq_form(const std::string& what, const std::string& why) {
  throw NoCoqForm("no-coq-form", what, why,
                  "check the certificate with `rattleback prove MODEL --certificate FILE`");
}

std::string coq_theorem(const std::string& name, const std::string& statement, const std::string& proof) {
  return fmt::format("Theorem {} :\n  {}.\nProof. apply ({}). vm_cast_no_check (eq_refl true). Qed.\n\n",
                     name, statement, proof);
}

std::vector<Expr> coq_combination(const ClaimedSystem& claim, const CoqElimination& x, Expr g) {
  const Matrix Psi = directions(claim);
  const Matrix M =
      substitute(jacobian(gradient(claim.lagrangian, claim.velocities), claim.velocities), claim.psi);
  const Matrix slope = substitute(Matrix::column(gradient(g, claim.velocities)), claim.psi);
  const auto y = unique_solution(transpose(Psi) * M * Psi, transpose(Psi) * slope);
  if (!y) no_coq_form("the metric on D is singular", "the accelerations are not determined there");
  const Matrix w = Psi * y->x;
  std::vector<Expr> all;
  for (const Expr e : w.entries()) all.push_back(short_form(substitute(short_form(e), x.in_velocities)));
  const Matrix rho = transpose(slope - M * w) * x.right_inverse;
  for (int s = 0; s < x.A.rows(); ++s)
    all.push_back(short_form(substitute(short_form(rho(0, s)), x.in_velocities)));
  for (int s = 0; s < x.A.rows(); ++s) all.emplace_back(0);
  return all;
}

std::string coq_field_theorem(const ClaimedSystem& claim, CoqSystem& file) {
  const CoqElimination x = coq_elimination(claim);
  std::string by;
  for (std::size_t a = 0; a < claim.speeds.size(); ++a)
    by += (by.empty() ? "" : ";\n    ") + file.formulas(coq_combination(claim, x, x.speeds[a]));
  file.define("speeds", "list BinNums.positive", file.numbers(claim.speeds));
  file.define("definitions", "list Kernel.E", file.formulas(x.speeds));
  file.define("velocities_by_speeds", "list Kernel.E", file.formulas(claim.admissible));
  file.define("rates_of_speeds", "list Kernel.E", file.formulas(claim.speed_rates));
  file.define("cofactors", "list (list Kernel.E)", "[" + by + "]");
  const std::string field = "system speeds definitions velocities_by_speeds rates_of_speeds";
  return "(* Every motion follows the field (q, z)' = (psi, F), z the speeds. *)\n" +
         coq_theorem("the_field_is_the_motion", fmt::format("Kernel.is_motion {} nonzero positive", field),
                     fmt::format("Kernel.is_motion_ok {} reading solved [] cofactors", field));
}

}  // namespace rattleback
