#include <rattleback/proof/momenta/momenta.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/momentum_count.hpp>
#include <rattleback/proof/evidence/no_symmetries.hpp>
#include <rattleback/proof/evidence/symmetry_count.hpp>
#include <rattleback/proof/evidence/total_derivative.hpp>
#include <rattleback/proof/momenta/gauge_certificate.hpp>
#include <rattleback/proof/momenta/gauge_solutions.hpp>
#include <rattleback/proof/momenta/linear_integrals.hpp>
#include <rattleback/proof/momenta/momenta_of_symmetries.hpp>

namespace rattleback {
namespace {

std::string over(const System& system, const GaugeSystem& gauge) {
  if (gauge.shape_dimension == 0) return "no shape: constant coefficients";
  if (const auto s = shape_function(system, gauge)) return fmt::format("the shape {}", s->name());
  return fmt::format("{} shape variable{}", gauge.shape_dimension, gauge.shape_dimension == 1 ? "" : "s");
}

Data numbers(const std::vector<double>& values, int digits) {
  Data::List list;
  for (const double x : values) list.emplace_back(fmt::format("{:.{}g}", x, digits));
  return list;
}

void add_table(const GaugeTable& table, Answer& a) {
  Data data;
  data["shape"] = table.shape.name();
  data["digits"] = table.digits;
  data["at"] = numbers(table.at, table.digits);
  Data::List solutions;
  for (std::size_t k = 0; k < table.f.size(); ++k) {
    Data::List rows;
    std::vector<std::string> shown;
    constexpr int brief_digits = 6;
    for (std::size_t j = 0; j < table.at.size(); ++j) {
      rows.push_back(numbers(table.f[k][j], table.digits));
      std::vector<std::string> f;
      for (const double x : table.f[k][j])
        f.push_back(fmt::format("{:.{}g}", x, std::min(brief_digits, table.digits)));
      shown.push_back(fmt::format("({}) at {:.4g}", fmt::join(f, ", "), table.at[j]));
    }
    solutions.emplace_back(rows);
    a.why.push_back(fmt::format("at the model's values, f_{}({}) = {}", k + 1, table.shape.name(),
                                fmt::join(shown, ", ")));
  }
  data["f"] = solutions;
  Data::List from;
  std::vector<std::string> starts;
  for (const auto& [q, value] : table.from) {
    starts.push_back(fmt::format("{} = {:.4g}", q.name(), value));
    from.emplace_back(starts.back());
  }
  data["from"] = from;
  if (!starts.empty())
    a.why.push_back(
        fmt::format("along the curve of D across the orbits that starts at {}", fmt::join(starts, ", ")));
  a.answer["gauge_table"] = data;
  a.why.push_back(fmt::format("the table has {} correct digits; --format json has them all", table.digits));
}

/// The closed forms that are found, which are returned, and a table when some are missing.
std::vector<Expr> add_solutions(const System& system, const EquationsOfMotion& motion,
                                const GaugeSystem& gauge, Answer& a) {
  std::vector<Expr> closed;
  try {
    const Budget budget(work_limits::gauge_momenta);
    closed = gauge_momenta_in_closed_form(system, motion, gauge);
  } catch (const Exhausted&) {
    Budget::check();
  }
  a.answer["gauge_momenta"] = closed;
  for (const Expr f : closed)
    a.why.push_back(fmt::format("{} is one of them{}{}", brief(f), where_defined(system, f),
                                cover_note(system.space, f)));
  if (static_cast<int>(closed.size()) >= gauge.count()) return closed;
  const int missing = gauge.count() - static_cast<int>(closed.size());
  a.why.push_back(fmt::format("of {} no closed form was found",
                              missing == gauge.count() ? "them" : fmt::format("{} others", missing)));
  std::vector<std::string> J;
  for (std::size_t b = 0; b + 1 < gauge.momenta.size(); ++b)
    J.push_back(fmt::format("J_{} = {}", b + 1, brief(short_form(gauge.momenta[b].momentum))));
  if (gauge.adds_function()) J.emplace_back("J_0 = 1, whose coefficient is the last");
  a.why.push_back(fmt::format("{}", fmt::join(J, ", ")));
  if (const auto table = gauge_table(system, gauge)) add_table(*table, a);
  if (gauge.shape_dimension > 1)
    a.why.push_back(
        fmt::format("the coefficients are functions of {} variables: no table, whose rows would need "
                    "a curve of your choice",
                    gauge.shape_dimension));
  return closed;
}

/// There may be some where the conditions on their coefficients lose rank.
void state_where_some_appear(const GaugeSystem& gauge) {
  try {
    const Budget budget(work_limits::one_locus);
    const Matrix rows = rows_of(gauge.conditions, independent_columns(transpose(gauge.conditions)));
    const auto functions = regular_unless(columns_of(rows, independent_columns(rows)));
    if (functions && !functions->empty()) state_dependence({{*functions}, false});
  } catch (const Exhausted&) {
    Budget::check();
  }
}

/// A step of the certificate does not hold, as for momenta that are no linear functions of the velocities: it is no witness.
bool is_rejected(const Data& certificate) {
  if (certificate.is_null()) return false;
  try {
    const Budget budget(work_limits::checking);
    return std::ranges::any_of(check_certificate(certificate),
                               [](const CheckedStep& step) { return refuted(step.verdict); });
  } catch (const Exhausted&) {
    Budget::check();
    return false;
  }
}

/// Nothing is known when the symmetries do not suit. `constants` are known to be conserved, exactly.
void count_gauge_momenta(const System& system, const EquationsOfMotion& motion,
                         const std::vector<Expr>& constants, Answer& a, std::string& why_not) {
  const auto gauge = gauge_system(system, motion, why_not);
  if (!gauge) return;
  if (!gauge->largest && gauge->count() == 0) {
    why_not =
        fmt::format("the symmetries {} alone, a part of those found, have no gauge momentum", gauge->group);
    return;
  }
  const int count = gauge->count();
  if (count == 0 && gauge->conditions.rows() > 0) state_where_some_appear(*gauge);
  a.answer["gauge_count"] = count;
  a.answer["group"] = gauge->group;
  a.answer["shape_dimension"] = gauge->shape_dimension;
  a.answer["sections"] = static_cast<int>(gauge->sections.size());
  a.evidence = Certificate{false, 100, "ranks at random points"};
  const std::size_t counted = a.why.size();
  a.why.push_back(
      fmt::format("{} independent gauge moment{} f^b J_b{} over {} section{} of D ∩ T Orb of {}, {}, by "
                  "prolongation (Y.2)",
                  count, count == 1 ? "um" : "a", gauge->adds_function() ? " + f^0" : "",
                  gauge->sections.size(), gauge->sections.size() == 1 ? "" : "s",
                  gauge->group.empty() ? "the symmetries" : gauge->group, over(system, *gauge)));
  const std::vector<Expr> closed = count > 0 ? add_solutions(system, motion, *gauge, a) : std::vector<Expr>{};
  std::vector<Expr> on_D;
  for (const Expr f : constants) on_D.push_back(short_form(substitute(f, motion.velocities)));
  a.certificate = gauge_certificate(system, motion, *gauge, closed, on_D);
  if (is_confirmed_exactly(a.certificate))
    a.evidence = Certificate{true, 0, "slopes, brackets and ranks of the coefficients (Y.2)"};
  else
    a.why[counted] += fmt::format("; certain to 2^-{}", a.evidence.bits);
  if (is_rejected(a.certificate)) a.certificate = {};
}

/// Neither velocity constraints nor forces: where a momentum is constant, up to a function of the configuration, its field is a symmetry.
bool momenta_are_those_of_symmetries(const System& system) {
  return !system.parametrization &&
         std::ranges::all_of(system.forces, [](Expr e) { return vanishes_at_random_points(e); }) &&
         std::ranges::all_of(system.constraints, [](const Constraint& c) { return c.position.has_value(); });
}

/// Whatever the symmetries are: no field in D has a constant momentum.
bool refute_all_momenta(const System& system, Answer& a) {
  const auto dependence = no_momenta(system);
  if (!dependence) return false;
  state_dependence(*dependence);
  a.outcome = Outcome::refuted;
  a.evidence = Certificate{false, 40, "the equations of momenta, prolonged at a random configuration (N.17)"};
  a.certificate = {};
  a.why.emplace_back(
      "no field in D has a constant momentum, whether it is a symmetry or not, nor with a function of the "
      "configuration added: the equations of such momenta and their derivatives leave no room (N.17)");
  a.why.emplace_back("functions of higher degree may be constant");
  return true;
}

/// Constant functions of first degree that no symmetry gives.
bool prove_by_linear_integrals(const System& system, const EquationsOfMotion& motion, Answer& a) {
  const std::vector<LinearIntegral> found = linear_integrals(system, motion);
  if (found.empty()) return false;
  Data::List conserved;
  std::vector<Expr> constants;
  a.outcome = Outcome::proved;
  a.evidence = found.front().why;
  for (const auto& [f, why] : found) {
    if (!why.exact) a.evidence = why;
    conserved.emplace_back(f);
    constants.push_back(f);
    a.why.push_back(fmt::format(
        "{} is conserved{}: of first degree in the velocities, which no symmetry found gives (N.17){}",
        text(f), where_defined(system, f), cover_note(system.space, f)));
  }
  a.answer["conserved"] = conserved;
  state_dependence(on_witness({constants.front()}, {constants.front()}));
  a.certificate = a.evidence.exact ? certificate_of_constants(system, constants) : Data();
  return true;
}

/// What symmetries leave open: no function of first degree is constant, or some are, or none was found.
void decide_without_symmetries(const System& system, const std::optional<EquationsOfMotion>& motion,
                               Answer& a, std::string searched) {
  if (refute_all_momenta(system, a) || (motion && prove_by_linear_integrals(system, *motion, a))) return;
  set_not_found(a,
                searched +
                    ", and constant combinations of those functions (Y.3) that are of first degree in "
                    "the velocities",
                "check a function of your own with `rattleback prove MODEL --conserved`");
}

}  // namespace

Answer momenta_answer(const System& system) {
  Answer a;
  a.answer["conserved"] = Data::List();
  a.answer["gauge_count"] = Data();
  Data::List conserved;
  std::vector<Expr> constants;
  Certificate of_momenta;  // the weakest
  for (const auto& [h, up_to_derivative] : momenta_of_symmetries(system)) {
    if (!proved(h.conserved) || vanishes_at_random_points(h.momentum)) continue;
    const Certificate evidence = answer_of(h.conserved).evidence;
    if (conserved.empty() || !evidence.exact) of_momenta = evidence;
    const Expr p = short_form(h.momentum);
    conserved.emplace_back(p);
    constants.push_back(p);
    a.why.push_back(fmt::format(
        "{} is conserved{}: the momentum of a {} symmetry{}", text(p), where_defined(system, p),
        h.everywhere ? "horizontal" : "gauge",
        (up_to_derivative ? " up to a total derivative (N.16)" : "") + cover_note(system.space, p)));
  }
  a.answer["conserved"] = conserved;
  const auto forced = with_gyroscopic_forces(system);  // the same in every gauge
  std::string why_not;
  bool is_linear = true;
  std::optional<EquationsOfMotion> motion;
  try {
    motion = gibbs_appell_equations(system);
    count_gauge_momenta(system, *motion, of_momenta.exact ? constants : std::vector<Expr>{}, a, why_not);
  } catch (const NonlinearConstraint& error) {
    why_not = error.summary;
    is_linear = false;
  } catch (const OutOfDomain& error) {
    why_not = error.why.empty() ? error.summary : error.why;
  }
  const long* count = a.answer.find("gauge_count")->get_if<long>();
  if (count == nullptr && !conserved.empty())
    a.why.push_back(fmt::format("gauge momenta were not counted: {}", why_not));
  if (!conserved.empty() || (count != nullptr && *count > 0)) {
    a.outcome = Outcome::proved;
    if (!conserved.empty()) a.evidence = of_momenta;
    if (!conserved.empty()) state_dependence(on_witness({constants.front()}, {constants.front()}));
    if (!conserved.empty() && of_momenta.exact && a.certificate.is_null())
      a.certificate = certificate_of_constants(system, constants);
  } else if (count != nullptr) {
    a.why.emplace_back(
        "no combination of the momenta of these symmetries with coefficients of the shape is conserved");
    decide_without_symmetries(
        system, motion, a,
        "momenta of horizontal fields of the ansatz (N.2), gauge momenta of the symmetries found");
  } else if (!is_linear) {
    a.outcome = Outcome::inapplicable;
    a.obstacle =
        "gauge momenta are defined for constraints that are linear in the velocities, and no horizontal "
        "symmetry was found";
    a.next_step =
        "ask for integrals, or check a function of your own with `rattleback prove MODEL --conserved`";
  } else if (const auto none = momenta_are_those_of_symmetries(system)
                                   ? no_symmetries(forced.value_or(system))
                                   : std::nullopt) {
    a.outcome = Outcome::refuted;
    if (none->on_positions) a.evidence = Certificate{false, 40, none->method};
    a.why.push_back(none->why);
    if (!forced) a.certificate = no_symmetries_certificate(system, *none);
    Dependence on = dependence_of(forced.value_or(system), *none);
    if (!on.exhaustive) on = dependence_of_no_symmetry(system);
    state_dependence(on);
    a.why.emplace_back("so there are no momenta of symmetries; functions of higher degree may be constant");
  } else {
    decide_without_symmetries(system, motion, a, "momenta of horizontal fields of the ansatz (N.2)");
    if (a.outcome == Outcome::not_found)
      a.why.push_back(fmt::format("gauge momenta were not counted: {}", why_not));
  }
  return a;
}

}  // namespace rattleback
