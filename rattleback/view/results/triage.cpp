#include <rattleback/view/results/triage.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/model/system/machine.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/proof/evidence/domain.hpp>

namespace rattleback {

std::string_view word(Writing w) {
  switch (w) {
    case Writing::position: return "on positions";
    case Writing::linear: return "linear";
    case Writing::affine: return "affine";
    case Writing::nonlinear: return "nonlinear";
  }
  return {};
}

std::string_view word(Effect e) {
  switch (e) {
    case Effect::redundant: return "redundant";
    case Effect::inconsistent: return "inconsistent";
    case Effect::singular: return "singular";
    case Effect::exact: return "exact";
    case Effect::integrable: return "integrable";
    case Effect::integrable_together: return "integrable together with the others";
    case Effect::nonholonomic: return "nonholonomic";
    case Effect::undecided: return "undecided whether integrable";
  }
  return {};
}

namespace {

using nlohmann::ordered_json;

std::string_view word(Regularity::Kind k) {
  switch (k) {
    case Regularity::Kind::positive_definite: return "positive definite";
    case Regularity::Kind::nondegenerate: return "regular";
    case Regularity::Kind::degenerate: return "degenerate";
  }
  return {};
}

std::string_view name_of(Factor::Kind kind) {
  switch (kind) {
    case Factor::Kind::line: return "R";
    case Factor::Kind::circle: return "S1";
    case Factor::Kind::SO3: return "SO(3)";
    case Factor::Kind::SE2: return "SE(2)";
    case Factor::Kind::SE3: return "SE(3)";
    case Factor::Kind::H3: return "H3";
    case Factor::Kind::algebra: break;
  }
  return {};
}

/// "xi1, xi2, xi3 in the Lie algebra so(3)".
std::string algebra_text(const Factor& factor) {
  std::vector<std::string> names;
  for (const Symbol xi : factor.velocities) names.push_back(xi.name());
  const std::string name = recognised_name(LieAlgebra(names, factor.c));
  return fmt::format("{} in {}{}", fmt::join(names, ", "), name.starts_with("a ") ? "" : "the Lie algebra ",
                     name);
}

/// "x, y in R; theta in S1".
std::string space_text(const Space& space) {
  std::string s;
  for (std::size_t i = 0; i < space.factors().size();) {
    const Factor::Kind kind = space.factors()[i].kind;
    std::string names;
    for (; i < space.factors().size() && space.factors()[i].kind == kind; ++i)
      names += (names.empty() ? "" : ", ") + space.factors()[i].name;
    const std::string all = kind == Factor::Kind::algebra ? algebra_text(space.factors()[i - 1])
                                                          : fmt::format("{} in {}", names, name_of(kind));
    s += (s.empty() ? "" : "; ") + all;
  }
  return s;
}

std::string parameters_text(const System& system) {
  std::string s;
  for (const Parameter& p : system.parameters) {
    const std::string unit = p.value ? unit_of(system, p.symbol.name()) : "";
    s += fmt::format("{}{}{}{}{}", s.empty() ? "" : ", ", p.symbol.name(),
                     p.value ? " = " + text(*p.value) : "", unit.empty() || unit == "1" ? "" : " " + unit,
                     p.positive ? " > 0" : "");
  }
  return s;
}

/// "everywhere", or "smaller where cos(phi) = 0"; a locus that is too long to print is only mentioned.
std::string locus_text(const std::optional<RankDrop>& found) {
  constexpr std::size_t readable = legible::on_a_line.count;
  if (!found) return "at a generic configuration";
  const RankDrop& drop = *found;
  if (drop.loci.empty()) return "everywhere";
  std::vector<std::string> places;
  bool unreadable = false;
  for (const auto& locus : drop.loci) {
    std::size_t size = 0;
    for (const Expr e : locus) size += written_size(e);
    unreadable = unreadable || size > readable;
    if (unreadable) break;
    std::vector<std::string> conditions;
    for (const Expr e : locus) conditions.push_back(text(e) + " = 0");
    places.push_back(fmt::format("{}", fmt::join(conditions, " and ")));
  }
  if (unreadable) return "at a generic configuration";
  return fmt::format("{} where {}", drop.exact ? "smaller" : "smaller at most", fmt::join(places, ", or "));
}

/// Lines with a heading in the margin.
class Sheet {
 public:
  void line(std::string_view heading, const std::string& content) {
    text_ += fmt::format("  {:<12} {}\n", heading, content);
  }
  void more(const std::string& content) { line("", content); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// " where y != 0": an integral is constant within its domain, and may have another value on the other side of a pole.
std::string where_constant(const System& system, Expr integral) {
  return where_defined(system, integral) + cover_note(system.space, integral);
}

std::string constraint_text(const System& system, const ConstraintKind& kind) {
  std::string s = fmt::format("{}: {}, {}", kind.name, word(kind.writing), word(kind.effect));
  if (kind.writing == Writing::nonlinear && kind.effect == Effect::nonholonomic)
    s = fmt::format("{}: nonlinear in the velocities (Chetaev's rule)", kind.name);
  if (kind.integral && written_size(*kind.integral) <= 120)
    s += fmt::format("; {} is constant{}", text(*kind.integral), where_constant(system, *kind.integral));
  if (!kind.note.empty()) s += fmt::format(" ({})", kind.note);
  return s;
}

/// "knee: revolute, thigh to shank, angle knee", or "closes a loop: knee_x, knee_y; its other 3 conditions always hold".
std::string joint_text(const JointSummary& joint) {
  std::string s = fmt::format("{}: {}, {} to {}", joint.name, joint.kind, joint.parent, joint.child);
  if (!joint.closes_loop)
    return joint.coordinates.empty() ? s : fmt::format("{}, {}", s, fmt::join(joint.coordinates, ", "));
  s += fmt::format(", closes a loop: {}", joint.conditions.empty()
                                              ? "no condition"
                                              : fmt::format("{}", fmt::join(joint.conditions, ", ")));
  if (joint.satisfied > 0)
    s += fmt::format("; {}{} condition{} hold{} in every position",
                     joint.conditions.empty() ? "its " : "its other ", joint.satisfied,
                     joint.satisfied == 1 ? "" : "s", joint.satisfied == 1 ? "s" : "");
  return s;
}

/// The growth vector belongs to a generic configuration: special ones may be harder to leave.
std::string growth_text(const Triage& found) {
  if (found.rank == 0) return "free motion";
  const bool affine = std::any_of(found.constraints.begin(), found.constraints.end(),
                                  [](const ConstraintKind& kind) { return kind.writing == Writing::affine; });
  const std::string vector =
      fmt::format("growth vector ({}){} at a generic configuration{}", fmt::join(found.growth_vector, ", "),
                  affine ? " of the linear part" : "", found.drifts && !affine ? " and a fixed time" : "");
  if (found.growth_vector.back() == found.dimension) return vector + ": brackets span every direction";
  if (found.drifts) return vector;
  return fmt::format("{}: motion stays on leaves of dimension {}", vector, found.growth_vector.back());
}

std::string growth_at_start_text(const Growth& growth) {
  return fmt::format("growth vector ({}{}) at the initial configuration", fmt::join(growth.ranks, ", "),
                     growth.complete ? "" : ", …");
}

/// "-c*x' along x', …": what acts besides the Lagrangian; only where it acts, when the formulas are long.
std::string forces_text(const System& system) {
  constexpr std::size_t readable = legible::in_a_list.count;
  std::vector<std::string> along, formulas;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    if (system.forces[i].is_zero()) continue;
    along.push_back(system.space.velocities()[i].name());
    longest = std::max(longest, written_size(system.forces[i]));
    if (longest <= readable)
      formulas.push_back(fmt::format("{} along {}", text(system.forces[i]), along.back()));
  }
  if (along.empty()) return {};
  return longest <= readable ? fmt::format("{}", fmt::join(formulas, ", "))
                             : fmt::format("along {}", fmt::join(along, ", "));
}

/// Integrals that exist and were not found.
std::string missing_text(const Triage& found) {
  const int missing = found.holonomic_dimension - static_cast<int>(found.integrals.size());
  return fmt::format("holonomic part: {} more integral{} without a closed form found", missing,
                     missing == 1 ? "" : "s");
}

}  // namespace

std::string as_text(const System& system, const Triage& found, const Machine& machine) {
  Sheet sheet;
  const std::string dof = fmt::format("{} degree{} of freedom", found.degrees_of_freedom(),
                                      found.degrees_of_freedom() == 1 ? "" : "s");
  sheet.line("space", fmt::format("{}: dimension {}", space_text(system.space), found.dimension));
  if (!system.parameters.empty()) sheet.line("parameters", parameters_text(system));
  for (std::size_t k = 0; k < machine.joints.size(); ++k)
    sheet.line(k == 0 ? "joints" : "", joint_text(machine.joints[k]));
  if (found.constraints.empty()) {
    sheet.line("constraints", "none; " + dof);
  } else {
    const char* heading = "constraints";
    for (const ConstraintKind& kind : found.constraints) {
      sheet.line(heading, constraint_text(system, kind));
      heading = "";
    }
    sheet.more(fmt::format("rank {}, {}; {}", found.rank, locus_text(found.rank_drop), dof));
    if (!found.growth_vector.empty()) sheet.more(growth_text(found));
    if (found.growth_at_start) sheet.more(growth_at_start_text(*found.growth_at_start));
    for (const Expr e : found.integrals) {
      if (written_size(e) <= 120)
        sheet.more(fmt::format("holonomic part: {} is constant{}", text(e), where_constant(system, e)));
    }
    if (static_cast<int>(found.integrals.size()) < found.holonomic_dimension) sheet.more(missing_text(found));
  }
  sheet.line("Lagrangian",
             (is_first_order(system) ? std::string("linear in the velocities: equations of first order")
                                     : std::string(word(found.regularity.kind))) +
                 (found.rank > 0 ? " on the constraint" : "") +
                 (found.regularity.kind == Regularity::Kind::nondegenerate && !found.regularity.quadratic
                      ? " at generic velocities"
                  : found.regularity.generic ? " at a generic configuration"
                                             : "") +
                 (found.regularity.regular_everywhere || found.regularity.kind == Regularity::Kind::degenerate
                      ? ""
                      : ", degenerate without it"));
  if (const std::string forces = forces_text(system); !forces.empty()) sheet.line("forces", forces);
  if (found.velocities_are_a_frame) {
    std::vector<std::string> names;
    for (const QuasiVelocity& z : system.velocities) names.push_back(z.symbol.name());
    sheet.line("velocities",
               fmt::format("{} {} the constraint", fmt::join(names, ", "),
                           *found.velocities_are_a_frame ? "parametrise" : "do NOT parametrise"));
  }
  for (std::size_t k = 0; k < found.open.size(); ++k)
    sheet.line(k == 0 ? "open" : "", found.open[k] + ": the time was over");
  return fmt::format("{}\n{}", system.title.empty() ? system.name : system.title, sheet.text());
}

std::string as_json(const System& system, const Triage& found, const Machine& machine) {
  ordered_json out{{"schema", "rattleback.check/1"},
                   {"model", system.name},
                   {"status", found.problems.empty() ? "ok" : "error"},
                   {"dimension", found.dimension},
                   {"rank", found.rank},
                   {"dof", found.degrees_of_freedom()}};
  for (std::size_t k = 0; k < machine.joints.size(); ++k) {
    const JointSummary& joint = machine.joints[k];
    out["joints"].push_back({{"name", joint.name},
                             {"kind", joint.kind},
                             {"parent", joint.parent},
                             {"child", joint.child},
                             {"closes_loop", joint.closes_loop},
                             {"conditions", joint.conditions}});
  }
  ordered_json constraints = ordered_json::array();
  for (const ConstraintKind& kind : found.constraints) {
    ordered_json c{{"name", kind.name}, {"writing", word(kind.writing)}, {"effect", word(kind.effect)}};
    if (kind.integral) c["integral"] = text(*kind.integral);
    if (!kind.note.empty()) c["note"] = kind.note;
    constraints.push_back(std::move(c));
  }
  out["constraints"] = std::move(constraints);
  out["rank_drops"] = found.rank_drop ? ordered_json::array() : ordered_json(nullptr);
  for (const auto& locus : found.rank_drop ? found.rank_drop->loci : std::vector<std::vector<Expr>>{}) {
    ordered_json all = ordered_json::array();
    if (std::any_of(locus.begin(), locus.end(), [](Expr e) { return written_size(e) > 10'000; })) continue;
    for (const Expr e : locus) all.push_back(text(e));
    out["rank_drops"].push_back(std::move(all));
  }
  out["growth_vector"] =
      found.growth_vector.empty() ? ordered_json(nullptr) : ordered_json(found.growth_vector);
  out["growth_vector_at_start"] =
      found.growth_at_start ? ordered_json(found.growth_at_start->ranks) : ordered_json(nullptr);
  out["holonomic_dimension"] = found.holonomic_dimension;
  out["integrals"] = ordered_json::array();
  for (const Expr e : found.integrals) out["integrals"].push_back(text(e));
  out["regularity"] = word(found.regularity.kind);
  out["velocities_are_a_frame"] =
      found.velocities_are_a_frame ? ordered_json(*found.velocities_are_a_frame) : ordered_json(nullptr);
  const auto list = [](const std::vector<Error>& errors) {
    ordered_json all = ordered_json::array();
    for (const Error& e : errors)
      all.push_back({{"slug", e.slug}, {"summary", e.summary}, {"why", e.why}, {"fix", e.fix}});
    return all;
  };
  if (!found.open.empty()) out["open"] = found.open;
  out["problems"] = list(found.problems);
  out["warnings"] = list(found.warnings);
  return out.dump(2) + "\n";
}

}  // namespace rattleback
