#include <rattleback/proof/variational/lagrangian_conjecture.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/proof/evidence/certificate.hpp>

namespace rattleback {

Answer lagrangian_conjecture(const System& system, Expr lagrangian) {
  const OnPositions here(system);
  const LagrangeEquations e = lagrange_equations(system, on_frame(system, lagrangian), {});
  const EquationsOfMotion motion = straight_line_equations(system);
  const Matrix residual =
      substitute(e.mass, motion.velocities) * Matrix::column(accelerations_along(system, motion)) -
      substitute(e.force, motion.velocities);
  Answer a = answer_of(is_zero(residual.entries()));
  if (a.outcome == Outcome::refuted) a.why.emplace_back("its equations of Lagrange fail along the motion");
  if (a.outcome != Outcome::proved) return a;
  a.certificate =
      lagrangian_certificate(system, gibbs_appell_equations(system), on_frame(system, lagrangian));
  const Expr det = determinant(e.mass);
  const bool regular = refuted(is_zero(det));
  if (!regular) a.certificate = {};
  a.answer["regular"] = regular;
  a.answer["hessian"] = short_form(det);
  a.why.push_back(
      regular ? fmt::format("it is regular: its Hessian has the determinant {}", brief(short_form(det)))
              : "it is degenerate: its Hessian is singular, so it has other motions through the same states");
  return a;
}

}  // namespace rattleback
