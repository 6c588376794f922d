#include <rattleback/proof/steady/equilibria.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/model/system/substituted.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/motion/velocities/time_dependence.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/evidence/total_derivative.hpp>
#include <rattleback/proof/steady/charted_motions.hpp>
#include <rattleback/proof/steady/family_description.hpp>
#include <rattleback/proof/steady/hidden_symmetries.hpp>
#include <rattleback/proof/steady/no_steady_motion.hpp>
#include <rattleback/proof/steady/stability_findings.hpp>
#include <rattleback/proof/steady/steady_certificate.hpp>

namespace rattleback {
namespace {

/// Coordinates on lines in which everything has the period 2 pi: equilibria are listed for one turn.
std::vector<std::string> periodic_lines(const System& system) {
  const InAmbientSpace everywhere;  // of x*y = 0 the part y = 0 has every period in x
  std::vector<Expr> all = system.forces;
  all.push_back(system.lagrangian);
  for (const Constraint& c : system.constraints) all.push_back(c.position ? *c.position : c.expression);
  std::vector<std::string> names;
  for (const Symbol q : system.space.functions()) {
    if (q.role() != Role::coordinate || is_angle(system.space, q)) continue;
    const bool occurs = std::any_of(all.begin(), all.end(), [&](Expr e) { return contains(e, q); });
    if (occurs && std::all_of(all.begin(), all.end(), [&](Expr e) {
          return vanishes_at_random_points(substitute(e, {{q, q + 2 * pi()}}) - e);
        }))
      names.push_back(q.name());
  }
  return names;
}

std::string completeness(const System& system, const ChartedMotions& all) {
  const SteadyMotions& own = all.charts.front()->found;
  if (!all.complete()) return "this is what was found: other states may be steady, too";
  if (!own.complete && !all.by_charts)
    return fmt::format(
        "every equilibrium at the model's parameter values is among these: {} are enclosed on the torus, and "
        "no other box contains one (Krawczyk, O.14)",
        own.enclosed->size());
  const std::string where = !all.covers      ? " at which the speeds are regular"
                            : all.everywhere ? ""
                                             : " at which the constraints are independent";
  const std::vector<std::string> lines = periodic_lines(system);
  const std::string turns =
      lines.empty() ? "" : fmt::format(", up to multiples of 2*pi in {}", fmt::join(lines, " and in "));
  const bool every_state = std::any_of(own.families.begin(), own.families.end(), is_open);
  const bool moved = std::ranges::any_of(all.charts, [](const auto& chart) { return chart->found.moved; });
  const auto group = every_state ? std::nullopt : group_of_steady_motions(system);
  return fmt::format("every {}{} is among these{}{}{}",
                     group ? fmt::format("motion that is steady under {}", *group) : "relative equilibrium",
                     where, moved ? " or is one of them, moved by a symmetry" : "", turns,
                     in_general_position(system));
}

/// States that only Newton's method finds, at the model's values.
void add_missed(const MotionChart& chart, Data::List& list, Answer& a) {
  constexpr std::size_t shown = 4;
  std::vector<Symbol> state = chart.v.speeds;
  const auto q = chart.system.space.functions();
  state.insert(state.begin(), q.begin(), q.end());
  for (const Numbers& numbers : chart.found.missed) {
    list.emplace_back(state_text(chart.system, state, numbers));
    if (list.size() <= shown)
      a.why.push_back(
          fmt::format("{} also finds {}: not among these, at the model's parameter values",
                      chart.found.enclosed ? "interval arithmetic" : "Newton's method from a random start",
                      *list.back().text()));
  }
}

/// Equilibria that are enclosed and have no closed form here.
void add_enclosed(const MotionChart& chart, Answer& a) {
  constexpr std::size_t shown = 12;
  const auto q = chart.system.space.functions();
  Data::List list;
  for (const Numbers& numbers : chart.found.without_closed_form) {
    list.emplace_back(state_text(chart.system, {q.begin(), q.end()}, numbers));
    if (list.size() <= shown)
      a.why.push_back(
          fmt::format("at rest, {}: enclosed by interval arithmetic, at the model's parameter values",
                      *list.back().text()));
  }
  a.answer["enclosed"] = list;
}

/// Families that are real at other parameter values only: named, not judged.
void add_elsewhere(const ChartedMotions& found, Answer& a) {
  Data::List list;
  for (const auto& chart : found.charts) {
    for (const SteadyFamily& f : chart->found.elsewhere) {
      Data record;
      const std::vector<std::string> exists = existence_conditions(f);
      const std::string line = point_text(chart->system, chart->v, f) + existence_text(exists);
      record["point"] = point_text(chart->system, chart->v, f);
      record["exists"] = Data::List(exists.begin(), exists.end());
      list.push_back(record);
      a.why.push_back(line + ": not at the model's values; --set puts others in");
    }
  }
  a.answer["elsewhere"] = list;
}

/// Of the functions that runs take in place of those of which nothing is known.
Answer equilibria_with_formulas(const System& system) {
  const System one = with_formulas(system);
  const OnPositions there(one);
  if (!one.functions.empty())
    return undecided_answer("where the motion is steady depends on a function of which nothing is known",
                            fmt::format("give a formula for runs: {} = {{ of = [...], value = \"...\" }}",
                                        one.functions.front().function.name()));
  Answer a = equilibria_answer(one);
  std::vector<std::string> formulas;
  for (const auto& [function, formula] : written_formulas(system))
    formulas.push_back(fmt::format("{} = {}", function, formula));
  a.why.insert(a.why.begin(), fmt::format("for {}, as in runs of this model, not for every function",
                                          fmt::join(formulas, ", ")));
  a.answer["formulas"] = Data::List(formulas.begin(), formulas.end());
  return a;
}

/// Nothing where the metric degenerates at the model's values.
std::optional<StabilityFindings> findings_where_regular(const System& system, const SteadyFamily& f) {
  try {
    return stability_findings(system, f);
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
}

/// The families of one chart, judged.
void describe_chart(const MotionChart& chart, std::vector<FamilyDescription>& all, int& open) {
  const System& system = chart.system;
  KnownIntegrals integrals(system);
  std::vector<FamilyDescription> here;
  for (const SteadyFamily& f : chart.found.families) {
    Budget::check();
    const auto judged = findings_where_regular(system, f);
    open += judged ? 0 : 1;
    if (!judged) continue;
    StabilityFindings j = *judged;
    const std::vector<Inequality> conditions = j.spectrum.conditions;
    const bool part = std::any_of(
        chart.found.families.begin(), chart.found.families.end(),
        [&](const SteadyFamily& other) { return &other != &f && is_part(system, chart.v, f, other); });
    if (part && is_rest_with_zero_spectrum(f, j)) continue;
    test_energy_and_orbits(system, f, integrals, j);
    if (j.spectrum.coefficients.size() == 1 && !j.minimum && !j.no_minimum && !is_open(f))
      j.stable.reset();  // silent
    std::erase_if(j.spectrum.conditions, [&](const Inequality& i) {
      return std::any_of(f.exists.begin(), f.exists.end(), [&](const Inequality& e) { return e.e == i.e; });
    });
    add_lyapunov(system, chart.v, f, integrals, j);
    here.push_back(family_description(system, chart.v, f, j));
    if (j.exact && j.spectrum.decided)
      here.back().claim = SteadyClaim{&f, here.back().point, j.spectrum.factors, conditions, j.extremum};
    open += j.decided ? 0 : 1;
  }
  drop_parts(system, chart.v, here);
  for (FamilyDescription& d : here) all.push_back(std::move(d));
}

Answer judged_list(const System& system, const ChartedMotions& found) {
  Answer a;
  std::vector<FamilyDescription> all;
  Data::List list, missed;
  std::vector<SteadyClaim> claims;
  int open = 0;
  for (const auto& chart : found.charts) {
    describe_chart(*chart, all, open);
    if (chart == found.charts.front()) {
      for (const FamilyDescription& d : all) {
        if (d.claim) claims.push_back(*d.claim);
      }
    }
  }
  for (FamilyDescription& d : all) {
    const std::string line = d.point + d.said;
    if (std::find(a.why.begin(), a.why.end(), line) != a.why.end()) continue;  // seen in two charts
    list.push_back(std::move(d.record));
    a.why.push_back(line);
  }
  add_elsewhere(found, a);
  add_enclosed(*found.charts.front(), a);
  for (const auto& chart : found.charts) add_missed(*chart, missed, a);
  const bool complete = found.complete(),
             none = list.empty() && found.charts.front()->found.without_closed_form.empty();
  a.answer["families"] = list;
  a.answer["complete"] = complete && found.covers;
  a.answer["missed"] = missed;
  // What Newton's method finds at parameters of value 0 is an exception that is named.
  const bool solved = found.charts.front()->found.complete;
  const bool elsewhere = std::any_of(found.charts.begin(), found.charts.end(),
                                     [](const auto& chart) { return !chart->found.elsewhere.empty(); });
  if (none && complete && elsewhere) {
    a.obstacle = "whether a state is steady depends on the parameters: at the model's values none is";
    a.next_step = "put the values in with --set";
    return a;
  }
  if (none && found.covers && (complete || (solved && exception_at_zero(system)))) {
    a.why.clear();
    return no_steady_motion(system, found, std::move(a));
  }
  if (!none) a.why.push_back(completeness(system, found));
  a.certificate = steady_certificate(system, claims);
  if (!complete || none) {
    a.obstacle =
        !found.covers
            ? "the speeds degenerate where the equations (O.10) are solved, and no other speeds cover "
              "these states"
            : "the equations (O.10) for relative equilibria were not solved wholly, so the list may lack "
              "some";
    a.next_step = !found.covers
                      ? "give speeds in [velocities] that determine every admissible velocity there"
                      : "give numbers for parameters with --set, or linearise about a state of your own with "
                        "`rattleback derive MODEL --linearise`";
    return a;
  }
  if (open > 0) {
    a.obstacle = fmt::format("of {} families {} could not be decided", all.size(), open);
    a.next_step = "give other parameter values with --set";
    return a;
  }
  a.outcome = Outcome::proved;
  if (!found.covers) restrict_domain(a.answer, {"the speeds are regular"});
  if (found.covers && !found.everywhere) restrict_domain(a.answer, {"the constraints are independent"});
  a.evidence = Certificate{true, 0, "Routh and Hurwitz, signs by ball arithmetic"};
  return a;
}

/// A list is complete under the symmetries that are divided out: all there are.
Answer charted_answer(const System& system, const ChartedMotions& found) {
  Answer a = judged_list(system, found);
  if (!a.decided()) return a;
  const auto hidden = hidden_symmetries(system);
  if (!hidden) return a;
  a.outcome = Outcome::undecided;
  a.answer["complete"] = false;
  a.unless.clear();
  a.certificate = {};
  a.obstacle = *hidden;
  a.next_step = "use coordinates in which the symmetries are shifts and turns";
  return a;
}

/// Gyroscopic forces in place of terms linear in the velocities, where these hide symmetries: another gauge has other ones.
std::optional<System> free_of_gauge(const System& system) {
  auto forced = with_gyroscopic_forces(system);
  if (!forced) return std::nullopt;
  const std::size_t own = found_symmetries(system, for_a_derivation).generators.size();
  return found_symmetries(*forced, for_a_derivation).generators.size() > own ? std::move(forced)
                                                                             : std::nullopt;
}

/// Letters may have a motion where the model's own numbers have none.
bool has_no_motion_at_its_values(const System& system) {
  const SymbolMap values = parameter_values(system);
  return !values.empty() && !triage(substituted(system, values)).problems.empty();
}

}  // namespace

Answer equilibria_answer(const System& original) {
  if (!original.functions.empty()) return equilibria_with_formulas(original);
  const auto forced = free_of_gauge(original);
  const System& system = forced ? *forced : original;
  const SolvedVelocities v = solved_velocities(system);
  if (v.speeds.empty())
    return inapplicable_answer("the constraints leave no freedom",
                               "there is nothing to disturb; simulate the motion");
  if (contains_time(system))
    return inapplicable_answer("the equations contain the time, so no motion is steady",
                               "simulate the motion");
  try {
    Answer a = charted_answer(system, charted_motions(system, v));
    if (a.outcome == Outcome::refuted && has_no_motion_at_its_values(system))
      return undecided_answer(
          "with the parameter values of the model the kinetic energy is singular, and states were looked for "
          "there",
          "put other values in place of them with --set");
    if (forced) a.certificate = {};  // of another system than the model's
    return a;
  } catch (const Degenerate&) {
    return undecided_answer("the kinetic energy degenerates at a state that the equations (O.10) lead to",
                            "linearise about a state of your own with `rattleback derive MODEL --linearise`");
  }
}

}  // namespace rattleback
