#include <rattleback/proof/constraints/integrability.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/geometry/flag.hpp>
#include <rattleback/geometry/one_form.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/model/checks/constraint_kinds.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/constraints/chow.hpp>
#include <rattleback/proof/constraints/growth_certificate.hpp>
#include <rattleback/proof/evidence/certificate_budget.hpp>
#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/undefined_states.hpp>

namespace rattleback {
namespace {

bool is_nonlinear(const Triage& found) {
  for (const ConstraintKind& kind : found.constraints) {
    if (kind.writing == Writing::nonlinear) return true;
  }
  return false;
}

std::string growth_text(const std::vector<int>& growth) {
  return fmt::format("({})", fmt::join(growth, ", "));
}

/// Holonomic by exhibited integrals: as many independent functions as constraints, constant along every admissible velocity.
bool integrals_prove_it(const System& system, const Triage& found) {
  if (found.drifts || static_cast<int>(found.integrals.size()) != found.rank) return false;
  const Admissible D = admissible_velocities(system);
  std::vector<Expr> rates;
  std::vector<OneForm> differentials;
  for (const Expr F : found.integrals) {
    for (int alpha = 0; alpha < D.rank(); ++alpha) rates.push_back(D.leg(alpha)(F));
    differentials.push_back(differential(system.space, F));
  }
  const Verdict constant = is_zero(rates);
  const auto* yes = std::get_if<Proved>(&constant);
  return yes != nullptr && yes->why.exact && rank(as_rows(system.space, differentials)) == found.rank;
}

/// Where brackets may span less than elsewhere: an angle at a quarter turn, a line at 0, two angles equal or a quarter apart.
std::vector<std::pair<Symbol, Expr>> special_places(const Admissible& D) {
  const Tape tape(D.psi.entries());
  std::vector<Symbol> turning, lines;
  for (const Symbol q : D.space.functions()) {
    if (q.role() != Role::coordinate) continue;
    bool occurs = false, inside = false;
    for (std::size_t slot = 0; slot < tape.size(); ++slot) {
      occurs = occurs || tape.node(slot) == Expr(q);
      inside = inside || (tape.node(slot).is(Kind::call) && contains(tape.node(slot).args()[0], q));
    }
    if (occurs) (inside ? turning : lines).push_back(q);
  }
  std::vector<std::pair<Symbol, Expr>> places;
  for (const Symbol q : lines) places.emplace_back(q, Expr(0));
  for (std::size_t i = 0; i < turning.size(); ++i) {
    for (const Expr value : {Expr(0), pi() / 2}) {
      places.emplace_back(turning[i], value);
      for (std::size_t j = i + 1; j < turning.size(); ++j)
        places.emplace_back(turning[i], turning[j] + value);
    }
  }
  return places;
}

/// Growth vectors at special places that differ from the generic one, as far as a few million steps lead.
std::vector<SpecialGrowth> add_special_growth(const System& system, const std::vector<int>& generic,
                                              Answer& a) {
  std::vector<SpecialGrowth> special;
  Data::List found;
  try {
    const Budget budget(work_limits::integrability_places);
    const Admissible D = admissible_velocities(system);
    std::vector<VectorField> legs;
    for (int alpha = 0; alpha < D.rank(); ++alpha) legs.push_back(D.leg(alpha));
    const Distribution distribution = Distribution::spanned_by(system.space, legs);
    const auto v = system.space.velocities();
    const Matrix G = transpose(D.psi) * jacobian(gradient(system.lagrangian, v), v) * D.psi;
    std::vector<Expr> functions;
    for (const Constraint& c : system.constraints) functions.push_back(c.expression);
    const Matrix rows = velocity_rows(system.space, functions).a;
    for (const auto& [q, value] : special_places(D)) {
      Budget::check();
      try {
        // Where angles fail as a chart the kinetic energy degenerates, and nothing is learnt about D.
        if (rank(substitute(G, {{q, value}})) < rank(G)) continue;
        if (rows.rows() > 0 && rank(substitute(rows, {{q, value}})) < rank(rows))
          continue;  // no constraint there
        const Growth growth = growth_vector_at(distribution, {{q, value}}, 8);
        if (!growth.complete || growth.ranks == generic || growth.ranks.front() != generic.front()) continue;
        Data place;
        place["where"] = fmt::format("{} = {}", q.name(), text(value));
        place["growth_vector"] = growth.ranks;
        found.push_back(place);
        special.push_back({q, value, growth.ranks});
        a.why.push_back(
            fmt::format("growth vector {} where {} = {}", growth_text(growth.ranks), q.name(), text(value)));
      } catch (const NoValue&) {
        continue;  // the fields are not defined there
      }
    }
  } catch (const Exhausted&) {
    a.why.emplace_back("further special places were not looked at");
  }
  a.answer["special"] = found;
  return special;
}

/// The ranks of D^(0), D^(1), …; null where they take too long.
Data derived_ranks(const System& system) {
  return certificate_within_budget([&]() -> Data {
    const Admissible D = admissible_velocities(system);
    std::vector<VectorField> legs;
    for (int alpha = 0; alpha < D.rank(); ++alpha) legs.push_back(D.leg(alpha));
    return legs.empty() ? Data(std::vector<int>{0})
                        : Data(derived_flag(Distribution::spanned_by(system.space, legs)));
  });
}

/// Frobenius: holonomic where the curvature vanishes, whatever the parameters.                            (D.2)
Dependence integrability_dependence(const System& system, bool holonomic) {
  Dependence found;
  try {
    const Budget scope(work_limits::integrability_parameters);
    const IntegrabilityConditions conditions = integrability_conditions(system);
    if (!holonomic) found.on.push_back(conditions.curvature);
    for (const Assumption& a : conditions.where) found.on.push_back({a.expression});
    found.exhaustive = true;
  } catch (const Exhausted&) {
    Budget::check();
  }
  return found;
}

}  // namespace

Answer integrability_answer(const System& system) {
  const Triage found = triage(system);
  if (is_nonlinear(found)) {
    Answer a =
        inapplicable_answer("a constraint is not linear in the velocities, so there is no distribution",
                            "ask about the motion itself: energy, integrals, invariant-measure");
    a.answer["holonomic"] = Data();
    return a;
  }
  const bool holonomic = found.holonomic_dimension == found.rank;
  const int dimension = dimension_of_configurations(system);
  Answer a;
  a.outcome = holonomic ? Outcome::proved : Outcome::refuted;
  state_dependence(integrability_dependence(system, holonomic));
  a.answer["holonomic"] = holonomic;
  a.answer["growth_vector"] = found.growth_vector;
  a.answer["derived_flag"] = derived_ranks(system);
  a.answer["bracket_generating"] = found.growth_vector.back() == dimension;
  a.answer["holonomic_dimension"] = found.holonomic_dimension;
  a.answer["integrals"] = found.integrals;
  // Larger ranks are proved by a minor; that they stop growing rests on two random points, unless integrals show it.
  if (holonomic && integrals_prove_it(system, found))
    a.evidence = Certificate{true, 0, "independent integrals, as many as constraints"};
  else
    a.evidence = holonomic || found.growth_vector.back() != dimension
                     ? Certificate{false, 100, "ranks of brackets at random points"}
                     : Certificate{true, 0, "a minor of the brackets is not zero"};
  a.why.push_back(fmt::format("growth vector {} at a generic configuration, of {}",
                              growth_text(found.growth_vector), dimension));
  a.why.push_back(reach_text(system, found, dimension));
  for (const Expr f : found.integrals) {
    if (!is_constant_on_positions(system, f))
      a.why.push_back(
          fmt::format("{} is constant{}{}", text(f), where_defined(system, f), cover_note(system.space, f)));
  }
  std::vector<SpecialGrowth> special;
  if (!holonomic) special = add_special_growth(system, found.growth_vector, a);
  if (found.rank_drop && !found.rank_drop->loci.empty())
    restrict_domain(a.answer, independence_conditions(system));
  a.certificate = growth_certificate(system, found, special);
  if (!a.evidence.exact && is_confirmed_exactly(a.certificate))
    a.evidence = Certificate{true, 0, "how every bracket follows from those that span (W.1)"};
  return a;
}

}  // namespace rattleback
