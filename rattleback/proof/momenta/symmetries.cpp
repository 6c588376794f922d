#include <rattleback/proof/momenta/symmetries.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/evidence/directional_system.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/no_symmetries.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/evidence/symmetry_count.hpp>
#include <rattleback/proof/evidence/total_derivative.hpp>
#include <rattleback/proof/evidence/undefined_states.hpp>

namespace rattleback {
namespace {

constexpr const char* question_line_up_to_derivative =
    "a vector field on the configurations leaves the Lagrangian up to a total derivative, the forces and the "
    "constraints as they are";

/// "x' = -y, y' = x": the velocities that the field gives, those that vanish left out.
std::string field_text(const VectorField& xi) {
  std::vector<std::string> parts;
  for (int i = 0; i < xi.space().dimension(); ++i) {
    if (!xi[i].is_zero())
      parts.push_back(
          fmt::format("{} = {}", xi.space().velocities()[static_cast<std::size_t>(i)].name(), text(xi[i])));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// What [symmetry] declares, judged: {group, algebra, verdict}, and a line each.
void judge_declared(const System& system, Answer& a) {
  Data::List declared;
  for (const SymmetryAlgebra& g : declared_symmetries(system)) {
    std::vector<std::string> wrong;
    for (std::size_t k = 0; k < g.generators.size(); ++k)
      if (refuted(is_symmetry(g.invariance[k]))) wrong.push_back(g.generators[k].name);
    const Verdict all = is_symmetry(g);
    Data entry;
    entry["group"] = g.group;
    entry["algebra"] = g.name;
    entry["verdict"] = evidence(all);
    entry["not"] = wrong;
    declared.push_back(std::move(entry));
    a.why.push_back(wrong.empty()
                        ? fmt::format("declared {}{}: {}", g.group,
                                      g.name.empty() ? "" : ", the algebra " + g.name, evidence(all))
                        : fmt::format("declared {}: refuted, {} {} no symmetr{}", g.group,
                                      fmt::join(wrong, ", "), wrong.size() == 1 ? "is" : "are",
                                      wrong.size() == 1 ? "y" : "ies"));
  }
  if (!declared.empty()) a.answer["declared"] = declared;
}

/// How many symmetries there are at most, also locally, by Killing's equations (N.13).
void compare_with_bound(int found, const std::optional<int>& most, Answer& a) {
  if (!most) return;
  a.answer["at_most"] = *most;
  a.answer["complete"] = *most <= found;
}

/// Those of the fields found that are proved to be symmetries, and their brackets.
SymmetryAlgebra proved_symmetries(const System& system) {
  SymmetryAlgebra found = found_symmetries(system);
  std::vector<Generator> kept;
  for (std::size_t k = 0; k < found.generators.size(); ++k)
    if (proved(is_symmetry(found.invariance[k]))) kept.push_back(found.generators[k]);
  if (kept.size() == found.generators.size()) return found;
  return algebra_of(system, "", std::move(kept));
}

/// ", which changes the Lagrangian by d/dt (B*y)": L_ξ A = d(A(ξ)) + dA(ξ, ·). Empty for a field that leaves it alone.
std::string change_of_lagrangian(const System& system, const System& forced, const VectorField& xi) {
  const Expr change = complete_lift(xi, system.lagrangian) - complete_lift(xi, forced.lagrangian);
  if (vanishes_at_random_points(change)) return "";
  const auto f = potential(one_form_of_velocities(system.space, change));
  return f ? fmt::format(", which changes the Lagrangian by d/dt ({})", text(short_form(*f)))
           : ", which changes the Lagrangian by a total derivative (N.15)";
}

/// By the functions that separate the configurations (N.10), else by Killing's equations (N.13), whatever the proof was.
Dependence dependence_of_no_field(const System& original, const System& system, const NoSymmetries& none) {
  Dependence found = dependence_of(system, none);
  return found.exhaustive ? found : dependence_of_no_symmetry(original);
}

}  // namespace

Answer symmetries_answer(const System& original) {
  // Where L has terms linear in the velocities: gyroscopic forces in their place, which are the same in every gauge.
  const auto forced = with_gyroscopic_forces(original);
  SymmetryAlgebra found = proved_symmetries(original);
  bool up_to_derivative = false;
  if (forced) {
    SymmetryAlgebra more = proved_symmetries(*forced);
    up_to_derivative = more.generators.size() > found.generators.size() || found.generators.empty();
    if (up_to_derivative) found = std::move(more);
  }
  const System& system = up_to_derivative ? *forced : original;
  Answer a;
  judge_declared(original, a);
  if (up_to_derivative) a.statement = question_line_up_to_derivative;
  Data::List generators;
  for (const Generator& g : found.generators) generators.emplace_back(field_text(g.field));
  a.answer["group"] = found.name;
  a.answer["dimension"] = static_cast<int>(found.generators.size());
  a.answer["generators"] = generators;
  if (static_cast<int>(legs_without_functions(system.space).size()) == system.space.dimension()) {
    a.outcome = Outcome::proved;
    a.evidence.method = "nothing depends on where in the group the motion is";
    a.why.emplace_back(
        "the group of the algebra acts by left translations; the model is what they leave of its motion");
  }
  const bool by_translations = a.outcome == Outcome::proved;
  if (by_translations) state_dependence(on_nothing());
  if (found.generators.empty() && a.outcome == Outcome::proved) return a;
  if (found.generators.empty()) {
    if (const auto none = no_symmetries(system)) {
      a.outcome = Outcome::refuted;
      a.evidence.method = none->method;
      if (none->on_positions) a.evidence = Certificate{false, 40, none->method};
      a.why.push_back(none->why);
      if (!up_to_derivative) a.certificate = no_symmetries_certificate(system, *none);
      state_dependence(dependence_of_no_field(original, system, *none));
      return a;
    }
    if (most_symmetries(original).value_or(1) == 0) {
      a.outcome = Outcome::refuted;
      const bool exact = position_relations(original).empty();  // parts of N are not told apart
      a.evidence =
          Certificate{exact, exact ? 0 : 40, "Killing's equations, prolonged at a random configuration"};
      a.why.emplace_back("no field is one: Killing's equations and their derivatives leave no room (N.13)");
      state_dependence(dependence_of_no_symmetry(original));
      return a;
    }
    set_not_found(a, "fields with coordinates, angles and rotations as coefficients (N.2)",
                  "check a field of your own with `rattleback prove MODEL --symmetry`");
    return a;
  }
  a.outcome = Outcome::proved;
  std::vector<VectorField> fields;
  for (std::size_t k = 0; k < found.generators.size(); ++k) {
    const Verdict v = is_symmetry(found.invariance[k]);
    if (const auto* yes = std::get_if<Proved>(&v); yes != nullptr && !yes->why.exact) a.evidence = yes->why;
    a.why.push_back(
        field_text(found.generators[k].field) +
        (up_to_derivative ? change_of_lagrangian(original, *forced, found.generators[k].field) : ""));
    fields.push_back(found.generators[k].field);
    for (const Expr e : fields.back().coefficients()) restrict_to_witness(system, {}, e, false, a.answer);
  }
  // Fields may carry the places where the rank of the constraints drops to others.
  restrict_domain(a.answer, independence_conditions(original, fields));
  if (!by_translations) {
    const auto first = fields.front().coefficients();
    const std::vector<Expr> coefficients(first.begin(), first.end());
    state_dependence(on_witness(coefficients, coefficients));
  }
  if (a.evidence.exact && !up_to_derivative) a.certificate = symmetry_certificate(system, fields, true);
  compare_with_bound(static_cast<int>(found.generators.size()), most_symmetries(original), a);
  a.why.push_back(fmt::format("{} generator{}{}", found.generators.size(),
                              found.generators.size() == 1 ? "" : "s",
                              found.name.empty() ? "" : fmt::format(", the algebra {}", found.name)));
  return a;
}

}  // namespace rattleback
