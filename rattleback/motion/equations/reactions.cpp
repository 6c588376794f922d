#include <rattleback/motion/equations/reactions.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/checks/independent_constraints.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/motion/equations/normal_reactions.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

namespace rattleback {
namespace {

bool all_affine(const VelocityRows& rows) {
  return std::all_of(rows.affine.begin(), rows.affine.end(), [](bool affine) { return affine; });
}

/// λ_a A_ai is short when λ is; only small sums gain from another search for a short form.
constexpr std::size_t shortened_up_to = search_limits::reaction_forces.count;

/// A condition on the system itself, such as R ≠ r, that no motion can break.
bool is_about_parameters(const Assumption& condition) {
  const std::vector<Symbol> symbols = symbols_of(condition.expression);
  return std::all_of(symbols.begin(), symbols.end(), [](Symbol s) { return s.role() == Role::parameter; });
}

const char* direction_name(ContactReaction::Direction direction) {
  using Direction = ContactReaction::Direction;
  switch (direction) {
    case Direction::normal: return "normal";
    case Direction::along: return "along";
    case Direction::across: return "across";
    case Direction::roller: return "roller";
    case Direction::spin: return "spin";
  }
  return "";
}

/// ⟨n, v_G + ω × r_GC⟩, less the support's: how fast the body's material point at C leaves its support.
std::optional<Expr> normal_velocity(const System& system, const std::string& name) {
  const auto contact = std::find_if(system.contacts.begin(), system.contacts.end(),
                                    [&](const Contact& c) { return c.name == name; });
  if (contact == system.contacts.end()) return std::nullopt;
  const auto body = std::find_if(system.bodies.begin(), system.bodies.end(),
                                 [&](const RigidBody& b) { return b.name == contact->body; });
  if (body == system.bodies.end()) return std::nullopt;
  const auto velocity = [&](const RigidBody& b) {
    return b.v_G_S + cross(b.attitude.w_SB_S(), contact->point - b.r_G_S);
  };
  Matrix v = velocity(*body);
  for (const RigidBody& below : system.bodies)
    if (below.name == contact->support.body) v = v - velocity(below);
  return dot(contact->normal, v);
}

/// A gap may be measured in any way, e.g. by the square of a distance: where gap' = k·(normal velocity), the normal
/// force is k λ.
Expr normal_scale(const System& system, const Constraint& constraint) {
  const auto normal = normal_velocity(system, constraint.reaction->contact);
  if (!normal) return 1;
  const auto velocities = system.space.velocities();
  const std::vector<Expr> gap = gradient(constraint.expression, velocities),
                          unit = gradient(*normal, velocities);
  for (std::size_t i = 0; i < gap.size(); ++i) {
    if (vanishes_at_random_points(unit[i])) continue;
    // A quotient of long formulas that is 1 would be 0/0 where both vanish, as for a bicycle that stands straight.
    if (vanishes_at_random_points(gap[i] - unit[i]) &&
        vanishes_at_random_points(constraint.expression - *normal))
      return 1;
    const Expr scale = short_form(gap[i] / unit[i]);
    const bool uniform = vanishes_at_random_points(constraint.expression - scale * *normal);
    return uniform ? scale : Expr(1);
  }
  return 1;
}

Expr scale_of(const System& system, const Constraint& constraint) {
  return constraint.reaction->direction == ContactReaction::Direction::normal
             ? normal_scale(system, constraint)
             : Expr(1);
}

}  // namespace

ConstraintRows constraint_rows(const System& system) {
  const std::vector<Expr> functions = constraint_functions(system);
  const VelocityRows affine = velocity_rows(system.space, functions);
  ConstraintRows rows;
  rows.linear = all_affine(affine);
  const Matrix a = short_form(rows.linear ? affine.a : jacobian(functions, system.space.velocities()));
  const std::vector<Expr> drift = rates_at_constant_velocity(system, functions);
  rows.independent = independent_on_positions(system, a);
  if (rows.linear && rows.independent.size() == independent_rows(a).size() &&
      rank(beside(affine.a, affine.b)) > static_cast<int>(rows.independent.size())) {
    throw Degenerate("inconsistent-constraints", "the constraints contradict each other",
                     "no velocity satisfies all of them",
                     "`rattleback check` names the constraints in conflict");
  }
  rows.a = rows_of(a, rows.independent);
  rows.c = rows_of(Matrix::column(drift), rows.independent);
  return rows;
}

Matrix multipliers_of(const ConstraintRows& rows, const Matrix& reaction) {
  if (rows.a.rows() == 0) return Matrix(0, 1);
  const auto direct = solve(transpose(rows.a), reaction);
  if (!direct) throw Bug("a reaction is not a combination of the constraints' directions");
  if (std::all_of(direct->where.begin(), direct->where.end(), is_about_parameters)) return direct->x;
  const auto balanced = solve(short_form(rows.a * transpose(rows.a)), rows.a * reaction);
  if (!balanced) throw Bug("independent constraints have dependent directions");
  return balanced->x;
}

std::string name_of(const ContactReaction& reaction) {
  return fmt::format("{}.{}", reaction.contact, direction_name(reaction.direction));
}

Reactions named_reactions(const System& system, const ConstraintRows& rows, const Matrix& multipliers) {
  Reactions named;
  Matrix forces = transpose(rows.a) * multipliers;
  for (Expr& R : forces.entries()) R = graph_size(std::span(&R, 1)) <= shortened_up_to ? short_form(R) : R;
  for (int i = 0; i < forces.rows() && rows.a.rows() > 0; ++i) {
    if (forces[i].is_zero()) continue;
    // Of a group, whose velocities have names of their own, the velocity: v1, v2, w and not v1, v2, theta.
    const Symbol v = system.space.velocities()[i];
    const auto q = system.space.coordinate(i);
    named.reactions.push_back({q && v.name() == q->name() + "'" ? q->name() : v.name(), forces[i]});
  }
  for (std::size_t s = 0; s < rows.independent.size(); ++s) {
    const Constraint& constraint = system.constraints[static_cast<std::size_t>(rows.independent[s])];
    const Expr lambda = multipliers[static_cast<int>(s)];
    named.multipliers.push_back({constraint.name, lambda});
    if (!constraint.reaction) continue;
    named.reactions.push_back(
        {name_of(*constraint.reaction), short_form(scale_of(system, constraint) * lambda)});
  }
  return named;
}

SymbolMap motion_along(const System& system, const EquationsOfMotion& equations) {
  SymbolMap ahead{{system.time, Expr(1)}};
  for (std::size_t i = 0; i < equations.configuration.size(); ++i)
    ahead.emplace(equations.configuration[i], equations.configuration_rates[i]);
  for (std::size_t i = 0; i < equations.speeds.size(); ++i)
    ahead.emplace(equations.speeds[i], equations.speed_rates[i]);
  return ahead;
}

std::vector<Expr> accelerations_along(const System& system, const EquationsOfMotion& equations) {
  std::vector<Expr> psi;
  for (const Symbol v : system.space.velocities()) psi.push_back(equations.velocities.at(v));
  return derivative_along(psi, motion_along(system, equations));
}

Reactions reactions_along(const System& system, const EquationsOfMotion& equations) {
  ConstraintRows rows = constraint_rows(system);
  rows.a = short_form(substitute(rows.a, equations.velocities));
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix reaction = substitute(lagrange.mass, equations.velocities) *
                              Matrix::column(accelerations_along(system, equations)) -
                          substitute(lagrange.force, equations.velocities);
  Reactions found = named_reactions(system, rows, short_form(multipliers_of(rows, reaction)));
  for (Statement& s : implied_normal_reaction(system, equations, found))
    found.reactions.push_back(std::move(s));
  return found;
}

namespace {

/// "left_2 + 2*t", "left_2 - t/3", "left_2 + (a - b)*t": a name and t times a factor other than 1 and -1.
std::string sum_text(const std::string& name, Expr factor) {
  const Symbol t = Symbol::make("t", {.role = Role::time});
  const std::string written = text(short_form(factor * Expr(t)));
  return written.starts_with('-') ? fmt::format("{} - {}", name, written.substr(1))
                                  : fmt::format("{} + {}", name, written);
}

/// "left_2 + t, right_2 - t": with Σ_s y_s A^s = 0 the multipliers λ_s + t y_s have the same reaction, for every t. Empty where that is long.
std::string same_reaction(const System& system, const ConstraintRows& rows, int redundant) {
  const VelocityRows all = velocity_rows(system.space, constraint_functions(system));
  std::vector<int> which = rows.independent;
  which.push_back(redundant);
  const Matrix y = left_kernel(rows_of(all.a, which)).basis;
  if (y.columns() == 0) return {};
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < which.size(); ++k) {
    const Expr factor = short_form(y(static_cast<int>(k), 0));
    if (factor.is_zero()) continue;
    if (!fits(factor, legible::on_a_line)) return {};
    const std::string name = system.constraints[static_cast<std::size_t>(which[k])].name, by = text(factor);
    parts.push_back(by == "1" ? name + " + t" : by == "-1" ? name + " - t" : sum_text(name, factor));
  }
  const std::string all_parts = fmt::format("{}", fmt::join(parts, ", "));
  return all_parts.size() <= legible::on_a_line.count ? all_parts : std::string();
}

}  // namespace

std::vector<std::string> reaction_notes(const System& system, const ConstraintRows& rows) {
  std::vector<std::string> notes;
  if (!rows.linear)
    notes.emplace_back(
        "reactions follow Chetaev's rule, R_i = lambda*dC/dv_i: the constraint is not linear in the "
        "velocities");
  std::vector<std::string> redundant;
  for (int s = 0; s < static_cast<int>(system.constraints.size()); ++s) {
    if (std::find(rows.independent.begin(), rows.independent.end(), s) == rows.independent.end())
      redundant.push_back(system.constraints[static_cast<std::size_t>(s)].name);
  }
  if (!redundant.empty()) {
    notes.push_back(fmt::format(
        "{} follow{} from the other constraints and {} no multiplier here: only the reaction force "
        "is unique",
        fmt::join(redundant, ", "), redundant.size() == 1 ? "s" : "",
        redundant.size() == 1 ? "has" : "have"));
  }
  for (int s = 0; rows.linear && s < static_cast<int>(system.constraints.size()); ++s) {
    if (std::find(rows.independent.begin(), rows.independent.end(), s) != rows.independent.end()) continue;
    if (const std::string same = same_reaction(system, rows, s); !same.empty())
      notes.push_back(fmt::format("for every t the multipliers {} give the same reaction force", same));
  }
  return notes;
}

}  // namespace rattleback
