#include <rattleback/proof/hamiltonian/multiplier_conjecture.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>

namespace rattleback {
namespace {

/// π: v ↦ its part in D, along the orbits.
Matrix projection(const ChaplyginBundle& bundle) {
  std::vector<int> first;
  for (int a = 0; a < bundle.dimension(); ++a) first.push_back(a);
  return bundle.D.psi * rows_of(bundle.frame.dual_matrix(), first);
}

/// f F_αβ θ^α∧θ^β as a form on Q, entries S(X_i, X_j).
Matrix gyroscopic_two_form(const ChaplyginBundle& bundle, const Matrix& F, Expr f) {
  std::vector<int> first;
  for (int a = 0; a < bundle.dimension(); ++a) first.push_back(a);
  const Matrix theta = rows_of(bundle.frame.dual_matrix(), first);
  Matrix S = f * (transpose(theta) * F * theta);
  for (Expr& e : S.entries()) e = short_form(e);
  return S;
}

}  // namespace

Data certificate_of(const ChaplyginBundle& bundle, Expr f) {
  const EquationsOfMotion motion = gibbs_appell_equations(bundle.system);
  Matrix P = Matrix::column(momenta_on(bundle.system, motion.velocities));
  SymbolMap rest;
  for (const Symbol v : bundle.system.space.velocities()) rest.emplace(v, Expr(0));
  const std::vector<Expr> linear =
      substitute(gradient(bundle.system.lagrangian, bundle.system.space.velocities()), rest);
  const Matrix theta = transpose(projection(bundle)) * (P - Matrix::column(linear));
  HamiltonianClaim claim{f, {}, {}, {}, {}};
  for (const Expr e : theta.entries()) claim.theta.push_back(short_form(f * e));
  const Matrix S = gyroscopic_two_form(bundle, magnetic_form(bundle), f);
  const bool twisted =
      !std::all_of(S.entries().begin(), S.entries().end(), [](Expr e) { return e.is_zero(); });
  if (twisted) claim.twist.push_back(S);
  return hamiltonian_certificate(bundle.system, motion, "chaplygin-multiplier", claim);
}

Answer multiplier_conjecture(const System& system, Expr f) {
  const OnPositions here(system);
  for (const Symbol s : symbols_of(f)) {
    if (s.role() != Role::velocity && s != system.time) continue;
    Place place;
    place.file = "command line, --multiplier";
    throw Error("velocity-not-allowed", "a multiplier is a function of the configuration",
                fmt::format("this one depends on `{}`", s.name()), "use the coordinates")
        .at(place);
  }
  if (vanishes_at_random_points(f)) return refuted_as_zero();
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
      judge_positivity(system, f, "a factor of time", *best);
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
  if (best->outcome != Outcome::proved && !failures.empty())
    best->why.insert(best->why.end(), failures.begin(), failures.end());
  return *best;
}

}  // namespace rattleback
