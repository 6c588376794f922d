// Declared in proof/coq/coq_kinds.hpp. Invariant densities, on position constraints too, and refutations of them.
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/normal_gram.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/claimed_positions.hpp>
#include <rattleback/proof/coq/coq_kinds.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>
#include <rattleback/proof/coq/coq_system.hpp>

namespace rattleback {
namespace {

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

}  // namespace

/// A density on N = {φ = 0} times √det(dφ dφᵀ) is one of the space around it, in which φ is constant along the motion.
std::string coq_measure_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
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

/// (M.7) fails at a point: the divergence of density times field.
std::string coq_not_a_density_theorem(const ClaimedSystem& claim, const Data& certificate,
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

}  // namespace rattleback
