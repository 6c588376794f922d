// Declared in proof/coq/coq_kinds.hpp. Motions as stationary curves of an action: with the multipliers of the constraints, or of a Lagrangian without constraints.
#include <fmt/format.h>

#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/coq/coq_kinds.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>

namespace rattleback {
std::string coq_variational_theorem(const ClaimedSystem& claim, const Data& certificate,
                                    std::string& preamble) {
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

std::string coq_lagrangian_theorem(const ClaimedSystem& claim, const Data& certificate,
                                   std::string& preamble) {
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

}  // namespace rattleback
