#include <rattleback/proof/steady/equilibria.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
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
#include <rattleback/proof/steady/hidden_symmetries.hpp>
#include <rattleback/proof/steady/no_steady_motion.hpp>
#include <rattleback/proof/steady/stability_findings.hpp>
#include <rattleback/proof/steady/steady_certificate.hpp>

namespace rattleback {
namespace {

constexpr std::size_t readable = legible::in_a_condition.count;

std::string joined(const std::vector<std::pair<std::string, Expr>>& values) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : values) parts.push_back(fmt::format("{} = {}", name, text(value)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Although its speeds are 0: the drift of an affine constraint.
bool is_carried_along(const SolvedVelocities& v, const SteadyFamily& f) {
  SymbolMap still;
  for (const Symbol z : v.speeds) still.emplace(z, Expr(0));
  std::vector<Expr> drift = substitute(v.psi, still);
  std::erase_if(drift, [](Expr e) { return e.is_zero() || vanishes_at_random_points(e); });
  return std::any_of(drift.begin(), drift.end(),
                     [&](Expr e) { return !vanishes_at_random_points(substitute(e, f.point.values)); });
}

/// "theta = pi/2, omega = 0; u is free": what matters at the point.
std::string point_text(const System& system, const SolvedVelocities& v, const SteadyFamily& f) {
  std::vector<std::pair<std::string, Expr>> values;
  const auto is_free = [&](Symbol s) { return std::find(f.free.begin(), f.free.end(), s) != f.free.end(); };
  bool rest = true;
  for (const Symbol q : system.space.functions()) {
    const bool given = std::find(f.point.given.begin(), f.point.given.end(), q.name()) != f.point.given.end();
    const bool influencing = std::find(f.small.configuration.begin(), f.small.configuration.end(), q) !=
                             f.small.configuration.end();
    const Expr value = short_form(f.point.values.at(q));
    // Which body axis is upright, unless it is the third.
    const bool upright = q.role() == Role::rotation && q.attributes().entry >= 6 && !value.is_zero() &&
                         !(q.attributes().entry == 8 && value == Expr(1));
    if (upright) values.emplace_back(q.name(), value);
    if (!upright && !is_free(q) && (given || (influencing && !value.is_zero())))
      values.emplace_back(q.name(), value);
  }
  for (const Symbol z : f.small.speeds) {
    const Expr value = short_form(f.point.values.at(z));
    rest = rest && value.is_zero();
    if (!is_free(z)) values.emplace_back(z.name(), value);
  }
  values.insert(values.begin(), f.shown.begin(), f.shown.end());
  rest = rest && !is_carried_along(v, f);
  if (rest) {
    std::erase_if(values, [&](const auto& named) {
      return std::any_of(f.small.speeds.begin(), f.small.speeds.end(),
                         [&](Symbol z) { return z.name() == named.first; });
    });
    return values.empty() ? "at rest" : "at rest, " + joined(values);
  }
  std::vector<std::string> names;
  for (const Symbol s : f.free) names.push_back(s.name());
  if (names.empty()) return joined(values);
  return fmt::format("{}{}{} free", joined(values), values.empty() ? "" : ", ", fmt::join(names, ", "));
}

/// The spectrum at the model's values, what is free having the first of a few values at which the family is real and not degenerate; else none.
std::vector<std::complex<double>> spectrum_in_numbers(const System& system, const SteadyFamily& f) {
  Numbers at;
  for (const auto& [symbol, value] : parameter_values(system)) at.emplace(symbol, evaluate(value, {}));
  for (const double free : {1.0, 2.0, 5.0}) {
    for (const Symbol s : f.free) at.insert_or_assign(s, free);
    try {
      std::vector<std::complex<double>> all = spectrum(f.small, at);
      const auto is_finite = [](std::complex<double> l) {
        return std::isfinite(l.real()) && std::isfinite(l.imag());
      };
      if (std::ranges::all_of(all, is_finite)) return all;
    } catch (const NoValue&) {
      continue;
    }
  }
  return {};
}

/// Eigenvalues in double precision: for people. Zeros are known exactly, and those without eigenvectors come out of doubles worst of all.
std::vector<std::string> eigenvalues(const System& system, const SteadyFamily& f, int zeros) {
  std::vector<std::complex<double>> all = spectrum_in_numbers(system, f);
  std::vector<std::complex<double>*> by_size;
  for (auto& l : all) by_size.push_back(&l);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](auto* a, auto* b) { return std::abs(*a) < std::abs(*b); });
  for (std::size_t k = 0; k < std::min(by_size.size(), static_cast<std::size_t>(zeros)); ++k) *by_size[k] = 0;
  std::vector<std::string> out;
  for (const auto& l : all) {
    constexpr double rounding = 1e-7;
    const double re = std::abs(l.real()) < rounding ? 0 : l.real(),
                 im = std::abs(l.imag()) < rounding ? 0 : l.imag();
    out.push_back(im == 0 ? fmt::format("{:.6g}", re) : fmt::format("{:.6g}{:+.6g}i", re, im));
  }
  return out;
}

/// As many free values as the reduced state has dimensions.
bool is_open(const SteadyFamily& f) {
  return f.idle_to_first_order.empty() &&
         static_cast<int>(f.free.size()) == f.small.N.rows() + f.small.M.rows();
}

/// What the inequalities say when they hold.
std::string described_kind(const SteadyFamily& f, const SpectralStability& spectrum) {
  if (is_open(f)) return "stable: every state near it is steady";
  if (spectrum.coefficients.size() == 1) return "every eigenvalue is 0";
  if (attracts(f, spectrum))
    return f.dimension() == 0 ? "asymptotically stable" : "stable, attracting up to the family";
  if (!spectrum.simple) return "spectrally stable, some eigenvalues are equal";
  return "spectrally stable";
}
std::string described_kind(const SteadyFamily& f, const StabilityFindings& j) {
  if (j.no_minimum) return "unstable at the model's values: the potential has no minimum there (O.15)";
  if (j.strict) return "stable at the model's values: the potential has a strict minimum (O.15)";
  if (j.minimum) return "stable: the energy has a minimum";
  const std::string kind = described_kind(f, j.spectrum);
  return j.grows && !j.there ? kind + ", but small motions grow with the time" : kind;
}
/// At the model's values, where a condition is an equality.
std::string kind_there(const SteadyFamily& f, const StabilityFindings& j) {
  if (j.stable && !*j.stable) return "unstable";
  return described_kind(f, *j.there) + (j.grows ? ", but small motions grow with the time" : "");
}

bool is_never_stable(const StabilityFindings& j) {
  return std::any_of(j.spectrum.conditions.begin(), j.spectrum.conditions.end(),
                     [](const Inequality& i) { return i.kind == Inequality::Kind::never; });
}

/// Conditions that hold for some values and fail for others, so that the model's values say more.
bool states_conditions(const StabilityFindings& j) {
  return !j.spectrum.conditions.empty() && !is_never_stable(j) && !contradiction(j.spectrum.conditions);
}

std::string verdict_text(const StabilityFindings& j, const std::string& kind) {
  if (!j.spectrum.decided) return "no conditions for a polynomial of this degree";
  if (j.spectrum.conditions.empty()) return kind;
  if (is_never_stable(j)) return "unstable";
  if (j.strict || j.no_minimum) return kind;
  std::vector<std::string> parts;
  for (const Inequality& i : j.spectrum.conditions) {
    parts.push_back(text(i));
    if (parts.back().size() > readable) return fmt::format("{} under conditions too long to print", kind);
  }
  if (const auto factors = contradiction(j.spectrum.conditions))
    return fmt::format("unstable where {}", nonzero_text(*factors));
  return fmt::format("{} iff {}", kind, fmt::join(parts, " and "));
}

/// Rest among other steady motions, without any eigenvalue but 0.
bool is_rest_with_zero_spectrum(const SteadyFamily& f, const StabilityFindings& j) {
  return f.free.empty() && j.spectrum.coefficients.size() == 1 &&
         std::all_of(f.small.speeds.begin(), f.small.speeds.end(),
                     [&](Symbol z) { return f.point.values.at(z).is_zero(); });
}

/// Where the roots of the family are real.
std::vector<std::string> existence_conditions(const SteadyFamily& f) {
  std::vector<std::string> exists;
  for (const Inequality& i : f.exists) {
    if (i.kind != Inequality::Kind::sometimes) continue;
    const bool closed = std::any_of(f.free.begin(), f.free.end(), [&](Symbol s) { return contains(i.e, s); });
    exists.push_back(closed ? text(i.e) + " >= 0" : text(i));  // a root may vanish along a family
  }
  return exists;
}

/// ", where a > 0 and b > 0"
std::string existence_text(const std::vector<std::string>& conditions) {
  std::string line;
  for (const std::string& condition : conditions)
    line += fmt::format("{} {}", line.empty() ? ", where" : " and",
                        condition.size() <= readable ? condition : "the roots are real");
  return line;
}

/// A family as data, its point and what is said about it.
struct FamilyDescription {
  const SteadyFamily* family;
  Data record;
  std::string point, said;
  std::string existence, judgement;  ///< of what is said all but the polynomial
  std::vector<Expr> coefficients;    ///< of the polynomial without its roots 0
  std::optional<SteadyClaim> claim;  ///< with symbols for the parameters
};

FamilyDescription family_description(const System& system, const SolvedVelocities& v, const SteadyFamily& f,
                                     const StabilityFindings& j) {
  FamilyDescription d{&f, {}, point_text(system, v, f), {}, {}, {}, j.spectrum.coefficients, {}};
  Data& record = d.record;
  std::string& line = d.said;
  record["point"] = d.point;
  Data::List free, conditions;
  for (const Symbol s : f.free) free.emplace_back(s.name());
  record["free"] = free;
  const std::vector<std::string> existence = existence_conditions(f);
  Data::List exists(existence.begin(), existence.end());
  line += existence_text(existence);
  record["exists"] = exists;
  const Symbol lambda = Symbol::make("lambda");
  const int idle = static_cast<int>(f.idle_to_first_order.size());  // eigenvalues 0 besides those of f.small
  const Expr p = short_form(pow(Expr(lambda), idle) * characteristic_polynomial(j.spectrum, lambda));
  d.existence = line;
  record["polynomial"] = Data();
  if (written_size(p) <= 20 * readable) record["polynomial"] = p;
  if (written_size(p) <= readable) line += fmt::format(": det(lambda - A) = {}", text(p));
  record["zeros"] = j.spectrum.zeros + idle;
  std::vector<std::string> spectrum = eigenvalues(system, f, j.spectrum.zeros);
  spectrum.insert(spectrum.end(), static_cast<std::size_t>(idle), "0");
  record["eigenvalues"] = spectrum;
  for (const Inequality& i : j.spectrum.conditions) {
    const std::string condition = text(i);
    conditions.push_back(condition.size() <= 20 * readable ? Data(condition) : Data());
  }
  record["conditions"] = conditions;
  const std::string kind = described_kind(f, j);
  const std::size_t judgement = line.size();
  record["kind"] = kind;
  record["stable"] = j.stable ? Data(*j.stable) : Data();
  record["stable_where"] = j.where.empty() ? Data() : Data(j.where);
  line += "; " + verdict_text(j, kind);
  record["lyapunov"] = j.lyapunov.empty() ? Data() : Data(j.lyapunov);
  if (!j.lyapunov.empty()) line += "; " + j.lyapunov;
  if (j.there) {
    line += "; at the model's values, on the border: " + kind_there(f, j);
    if (!j.where.empty()) line += fmt::format(" for {}", j.where);
  } else if (!j.where.empty()) {
    line += fmt::format("; at the model's values: {}", j.where);
  } else if (j.stable && states_conditions(j)) {
    line += *j.stable ? "; holds at the model's values" : "; fails at the model's values";
  }
  d.judgement = line.substr(judgement);
  return d;
}

/// But for how many eigenvalues are 0.
bool have_equal_statements(const FamilyDescription& d, const FamilyDescription& other) {
  return d.existence == other.existence && d.judgement == other.judgement &&
         d.coefficients == other.coefficients;
}

/// Places within a larger family, of which nothing else is said, are not listed beside it.
void drop_parts(const System& system, const SolvedVelocities& v, std::vector<FamilyDescription>& all) {
  std::vector<FamilyDescription> kept;
  for (FamilyDescription& d : all) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const FamilyDescription& other) {
      return &other != &d && have_equal_statements(d, other) &&
             other.family->free.size() > d.family->free.size() &&
             is_part(system, v, *d.family, *other.family);
    });
    if (!known) kept.push_back(d);
  }
  all = std::move(kept);
}

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
