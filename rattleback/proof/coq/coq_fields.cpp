// Declared in proof/coq/coq_kinds.hpp. Vector fields: symmetries, brackets of the fields that span D, and Jacobi's identity.
#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/check/claimed_bracket.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/coq/coq_kinds.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>

namespace rattleback {
namespace {

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

std::vector<Expr> components(const ClaimedField& X) {
  std::vector<Expr> all;
  for (int i = 0; i + 1 < X.rows(); ++i) all.push_back(short_form(X[i]));
  return all;
}

}  // namespace

std::string coq_symmetry_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
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

/// Two legs whose bracket leaves D, and the constraint that shows it.
std::string coq_nonholonomic_theorem(const ClaimedSystem& claim, std::string& preamble) {
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

std::string coq_holonomic_theorem(const ClaimedSystem& claim, std::string& preamble) {
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

/// ξ^C L, ξ^C C or L_ξ Q does not vanish at a state on the constraint.
std::string coq_not_a_symmetry_theorem(const ClaimedSystem& claim, const Data& certificate,
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
std::string coq_jacobi_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
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

}  // namespace rattleback
