// Declared in proof/hamiltonian/chaplygin_multiplier.hpp. What is said about a multiplier: the witness, or the equation that has no solution.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>
#include <rattleback/proof/hamiltonian/no_hamiltonization_certificate.hpp>
#include <rattleback/proof/hamiltonian/quasi_velocity_lagrangian.hpp>
#include <rattleback/proof/hamiltonian/subgroups.hpp>

namespace rattleback {
namespace {

/// The shortest of them, in short form.
Expr plainest(const std::vector<Expr>& es) {
  Expr best = short_form(es.front());
  for (const Expr e : es) {
    const Expr candidate = short_form(e);
    if (written_size(candidate) < written_size(best)) best = candidate;
  }
  return best;
}

}  // namespace

std::string obstacle_to(const ChaplyginMultiplier& x) {
  if (!x.remainder.empty())
    return fmt::format("a multiplier must satisfy {} = 0", brief(plainest(x.remainder)));
  if (!x.curl.empty())
    return fmt::format("d log f is determined and not closed: its curl is {}", brief(plainest(x.curl)));
  return fmt::format("f times the gyroscopic form is not closed: {}", brief(plainest(x.magnetic_curl)));
}

namespace {

std::vector<std::string> names(const std::vector<Symbol>& symbols) {
  std::vector<std::string> all;
  for (const Symbol s : symbols) all.push_back(s.name());
  return all;
}

Answer found(const ChaplyginBundle& bundle, const ChaplyginMultiplier& x) {
  const ChaplyginHamiltonian h = chaplygin_hamiltonian(bundle, x);
  Answer a = answer_of(x.exists);
  a.answer["exists"] = true;
  a.answer["multiplier"] = x.f ? Data(*x.f) : Data();
  a.answer["density"] = x.density ? Data(*x.density) : Data();
  a.answer["group"] = bundle.group;
  restrict_to_witness(bundle.system, bundle.transversality(), true, a.answer);
  if (!x.f) {
    a.answer["slopes"] = x.sigma;
    std::vector<std::string> slopes;
    for (std::size_t k = 0; k < x.sigma.size(); ++k)
      slopes.push_back(fmt::format("{} along {}", brief(x.sigma[k]), bundle.D.speeds[k].name()));
    a.why.push_back(
        fmt::format("reduced by {} a multiplier exists locally; no closed form was found for its logarithm, "
                    "whose slopes are {}",
                    bundle.group, fmt::join(slopes, ", ")));
    return a;
  }
  state_dependence(on_witness({*x.f}, {*x.f}));
  restrict_to_witness(bundle.system, *x.f, true, a.answer);
  restrict_to_witness(bundle.system, {}, h.hamiltonian, false, a.answer);
  a.answer["momenta"] = names(h.momenta);
  const std::vector<std::string> brackets = brief_brackets(h.momenta, h.brackets);
  a.answer["brackets"] = brackets;
  a.answer["hamiltonian"] = h.hamiltonian;
  a.certificate = certificate_of(bundle, *x.f);
  a.why.push_back(fmt::format("f = {}, with the motion reduced by {}", brief(*x.f), bundle.group));
  a.why.push_back(fmt::format(
      "in the time dtau = f dt, with {} = f times the reduced momenta, the motion has the Hamiltonian {}",
      fmt::join(names(h.momenta), ", "), brief(h.hamiltonian)));
  for (const std::string& line : brackets) a.why.push_back("there " + line);
  a.why.push_back(fmt::format("f times its flow is the constrained motion: {}", evidence(h.motion)));
  if (bundle.dimension() > 1)
    a.why.push_back(fmt::format("{} is an invariant density in position and momentum", brief(*x.density)));
  if (!x.pointwise)
    a.why.emplace_back(
        "the forces agree although the brackets do not: f K = C fails, its symmetric part holds");
  if (!x.aperiodic.empty())
    a.why.push_back(fmt::format("f is not periodic in {}: it lives on the covering space",
                                fmt::join(names(x.aperiodic), ", ")));
  return a;
}

/// ℒ_V of (C.26), where cyclic coordinates are what is divided out.
void add_quasi_velocities(const System& system, Expr f, Answer& a) {
  try {
    const QuasiVelocityLagrangian x = quasi_velocity_lagrangian(chaplygin_reduction(system), f);
    if (!proved(x.restricts)) return;
    a.answer["quasi_velocities"] = names(x.omega);
    a.answer["quasi_velocity_lagrangian"] = x.lagrangian;
    a.why.push_back(fmt::format(
        "with q' = f omega, d/dt dL/domega = f dL/dq has these motions on the constraint, L = {} (C.26)",
        brief(x.lagrangian)));
  } catch (const Inapplicable&) {  // not a system of this kind
  }
}

/// What is denied: the groups by name, and `others`, a class of them.
std::string statement_about(const std::vector<GroupOrbits>& groups, const std::string& others) {
  std::vector<std::string> names;
  for (const GroupOrbits& g : groups) {
    if (std::find(names.begin(), names.end(), g.name) == names.end()) names.push_back(g.name);
  }
  if (!others.empty()) names.push_back(others);
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("reduced by {}{}{}, the motion is Hamiltonian after a change of time",
                     fmt::join(names, ", "), names.empty() ? "" : " or ", last);
}

/// Under the groups that the model shows. Nothing when none of them complements D; then `why_not` says why.
std::optional<Answer> shown(const System& system, std::optional<Inapplicable>& why_not,
                            std::vector<GroupOrbits>& tried) {
  std::optional<Answer> best;
  std::vector<std::string> obstacles;
  std::vector<std::vector<Expr>> residuals;
  std::vector<GroupOrbits> groups;
  try {
    visit_chaplygin_bundles(system, [&](const ChaplyginBundle& bundle) {
      const ChaplyginMultiplier x = chaplygin_multiplier(bundle);
      if (proved(x.exists)) {
        best = found(bundle, x);
        if (x.f) add_quasi_velocities(system, *x.f, *best);
        return true;
      }
      if (undecided(x.exists)) {
        best = answer_of(x.exists);
        best->answer["exists"] = Data();
      } else {
        obstacles.push_back(fmt::format("reduced by {}: {}", bundle.group, obstacle_to(x)));
        residuals.push_back(x.residuals());
        groups.push_back({bundle.group, bundle.orbits});
        if (!best) best = answer_of(x.exists);
      }
      return false;
    });
  } catch (const Inapplicable& error) {
    if (best) throw;
    why_not = error;
  }
  if (best && best->outcome == Outcome::refuted) {
    best->why = std::move(obstacles);
    state_dependence({std::move(residuals), false, false, true});
    best->certificate = no_multiplier_certificate(system, groups);
    best->statement = statement_about(groups, "");
    tried = std::move(groups);
  }
  return best;
}

/// Whatever other subgroup of the symmetries has a multiplier; otherwise a line about the search.
std::optional<Answer> hidden(const System& system, std::string& line, bool& decided) {
  try {
    const Budget budget(work_limits::multipliers_of_subgroups);
    const SubgroupSearch search =
        subgroup_search(system, admissible_velocities(system), multiplier_conditions);
    decided = search.complements && search.exhaustive;
    for (const ChaplyginBundle& bundle : search.bundles) {
      const ChaplyginMultiplier x = chaplygin_multiplier(bundle);
      if (proved(x.exists)) return found(bundle, x);
    }
    if (search.complements)
      line =
          search.exhaustive
              ? fmt::format("no other subgroup of the symmetries, {}, has a multiplier", search.algebra)
              : fmt::format("other subgroups of the symmetries, {}, were examined in part", search.algebra);
  } catch (const Exhausted&) {
    line = "other subgroups of the symmetries were left out: the equations for them are too long";
  }
  return std::nullopt;
}

/// A Hamiltonian and a change of time are looked for on a base that stays as it is.
void require_fixed_constraints(const System& system) {
  const Admissible D = linear_velocities(system);
  const auto moves = [&](Expr e) { return contains(e, system.time); };
  if (std::ranges::none_of(D.psi.entries(), moves) && std::ranges::none_of(D.drift.entries(), moves)) return;
  throw Inapplicable("form-does-not-apply", "there is no reduction of Chaplygin's kind",
                     "the constraints depend on time", "use `hamel` or `voronets`");
}

}  // namespace

Answer chaplygin_multiplier_answer(const System& system) {
  require_fixed_constraints(system);
  std::optional<Inapplicable> why_not;
  std::vector<GroupOrbits> tried;
  std::optional<Answer> a = shown(system, why_not, tried);
  if (a && a->outcome != Outcome::refuted) return *a;
  std::string line;
  bool decided = false;
  if (std::optional<Answer> other = hidden(system, line, decided)) {
    other->answer["subgroups"] = "the group is not among those that the model shows";
    return *other;
  }
  if (!a && !decided) throw Inapplicable(*why_not);
  if (!a) {  // a subgroup complements D, and none has a multiplier
    a.emplace();
    a->statement = statement_about({}, "a subgroup of the symmetries found");
  } else if (decided) {
    a->statement = statement_about(tried, "another subgroup of the symmetries found");
  }
  a->outcome = Outcome::refuted;
  a->answer["exists"] = false;
  a->answer["multiplier"] = Data();
  a->evidence.method = "(C.3) leaves one candidate for d log f, and it fails";
  if (!line.empty()) {
    a->answer["subgroups"] = line;
    a->why.push_back(line);
  }
  return *a;
}

}  // namespace rattleback
