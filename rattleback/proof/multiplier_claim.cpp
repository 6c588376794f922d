// A multiplier of a person's own: under which of the groups that the model shows it is one.
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/motion/gibbs_appell.hpp>
#include <rattleback/motion/kinematics.hpp>
#include <rattleback/proof/certificate.hpp>
#include <rattleback/proof/chaplygin_multiplier.hpp>
#include <rattleback/proof/claim.hpp>

namespace rattleback {
namespace {

/// π: v ↦ its part in D, along the orbits.
Matrix projection(const ChaplyginBundle& bundle) {
  std::vector<int> first;
  for (int a = 0; a < bundle.dimension(); ++a) first.push_back(a);
  return bundle.D.psi * rows_of(bundle.frame.dual_matrix(), first);
}

bool has_linear_terms(const ChaplyginBundle& bundle) {
  SymbolMap rest;
  for (const Symbol z : bundle.D.speeds) rest.emplace(z, Expr(0));
  const std::vector<Expr> at_rest = substitute(gradient(bundle.lagrangian, bundle.D.speeds), rest);
  return !std::all_of(at_rest.begin(), at_rest.end(), [](Expr e) { return vanishes_at_random_points(e); });
}

}  // namespace

Data certificate_of(const ChaplyginBundle& bundle, Expr f) {
  if (has_linear_terms(bundle)) return {};
  const EquationsOfMotion motion = gibbs_appell_equations(bundle.system);
  const Matrix P = Matrix::column(momenta_on(bundle.system, motion.velocities));
  const Matrix theta = transpose(projection(bundle)) * P;
  std::vector<Expr> form;
  for (const Expr e : theta.entries()) form.push_back(short_form(f * e));
  return multiplier_certificate(bundle.system, motion, f, form);
}

Answer multiplier_claim(const System& system, Expr f) {
  std::optional<Answer> best;
  std::vector<std::string> failures;
  visit_chaplygin_bundles(system, [&](const ChaplyginBundle& bundle) {
    const Verdict verdict = is_chaplygin_multiplier(bundle, f);
    if (proved(verdict)) {
      best = answer_of(verdict);
      best->answer["group"] = bundle.group;
      best->why = {
          fmt::format("in the time dtau = f dt the motion reduced by {} is Hamiltonian", bundle.group)};
      best->certificate = certificate_of(bundle, f);
      return true;
    }
    const ChaplyginMultiplier x = chaplygin_multiplier(bundle);
    failures.push_back(
        x.f ? fmt::format("reduced by {}: a multiplier is a constant times {}", bundle.group, text(*x.f))
            : fmt::format("reduced by {}: (C.3) fails", bundle.group));
    if (!best || undecided(verdict)) best = answer_of(verdict);
    return false;
  });
  if (!best) return undecided_answer("the model shows no group", "name one in [symmetry]");
  if (best->outcome != Outcome::proved) best->why.insert(best->why.end(), failures.begin(), failures.end());
  return *best;
}

}  // namespace rattleback
