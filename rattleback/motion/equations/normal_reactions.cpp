#include <rattleback/motion/equations/normal_reactions.hpp>

#include <algorithm>
#include <optional>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/contact.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/model/system/velocity_rows.hpp>

namespace rattleback {
namespace {

/// Formulas beyond this size stay as they are built.
constexpr std::size_t shortened_up_to = search_limits::normal_reactions.count;

const Expr* force_named(const Reactions& known, const std::string& name) {
  const auto found = std::find_if(known.reactions.begin(), known.reactions.end(),
                                  [&](const Statement& s) { return s.name == name; });
  return found == known.reactions.end() ? nullptr : &found->value;
}

/// The contacts without a normal force of their own.
std::vector<const Contact*> closed_contacts(const System& system) {
  std::vector<const Contact*> closed;
  for (const Contact& contact : system.contacts) {
    const bool has_normal =
        std::any_of(system.constraints.begin(), system.constraints.end(), [&](const Constraint& c) {
          return c.reaction && c.reaction->contact == contact.name &&
                 c.reaction->direction == ContactReaction::Direction::normal;
        });
    if (!has_normal) closed.push_back(&contact);
  }
  return closed;
}

/// The bodies whose momentum the contact's normal force changes: those that it places, or else all.
bool is_carried(const Contact& contact, const std::string& body) {
  return contact.carried.empty() || std::ranges::find(contact.carried, body) != contact.carried.end();
}

bool is_constant(Expr e) {
  const std::vector<Symbol> symbols = symbols_of(e);
  return std::all_of(symbols.begin(), symbols.end(),
                     [](Symbol s) { return s.role() == Role::parameter || s.role() == Role::constant; });
}

/// The constant vector g with V = ⟨g, Σ m_b r_b⟩, from V and its derivatives: the energy tells that all there is besides inertia
/// is weight, and where it pulls. Nothing when there is more.
std::optional<Matrix> weight(const System& system) {
  Expr potential = -system.lagrangian;
  Matrix moment(3, 1);
  for (const RigidBody& body : system.bodies) {
    potential += kinetic_energy(body);
    moment = moment + body.mass * body.r_G_S;
  }
  if (vanishes_at_random_points(potential)) return Matrix(3, 1);
  for (const Parameter& p : system.parameters) {
    if (vanishes_at_random_points(potential - p.symbol * moment[2])) return p.symbol * unit_vector(2);
  }
  if (graph_size({&potential, 1}) > shortened_up_to) return std::nullopt;
  Matrix rows = transpose(moment), values{{potential}};
  for (int i = 0; i < system.space.dimension(); ++i) {
    Matrix slope(1, 3);
    for (int k = 0; k < 3; ++k) slope(0, k) = system.space.derivative(i, moment[k]);
    rows = above(rows, slope);
    values = above(values, Matrix{{system.space.derivative(i, potential)}});
  }
  const auto solved = solve(rows, values);
  if (!solved) return std::nullopt;
  Matrix g = solved->x;
  for (Expr& e : g.entries()) e = short_form(e);
  const bool holds = vanishes_at_random_points(potential - dot(g, moment));
  return holds && std::ranges::all_of(g.entries(), is_constant) ? std::optional(g) : std::nullopt;
}

/// A condition on the point of contact, which exerts nothing.
bool is_of_point(const System& system, const Constraint& c) {
  return std::ranges::any_of(
      system.contacts, [&](const Contact& contact) { return c.name.starts_with(contact.name + "_touch_"); });
}

/// Nothing acts but weight and contacts.
bool only_contacts(const System& system) {
  const auto from_contact = [&](const Constraint& c) {
    return c.reaction.has_value() || is_of_point(system, c);
  };
  const auto absent = [](Expr Q) { return Q.is_zero(); };
  return std::all_of(system.constraints.begin(), system.constraints.end(), from_contact) &&
         std::all_of(system.forces.begin(), system.forces.end(), absent);
}

/// Can the carried bodies be shifted along the support, none turning and no other body moving? Then only contacts and weight act on them across
/// it; a joint that ties them to other bodies or to the ground may carry any part of the load.
bool slides_on_support(const System& system, const Contact& contact) {
  const std::span<const Symbol> v = system.space.velocities();
  const auto slopes = [&](const Matrix& m) {
    Matrix J(m.rows(), static_cast<int>(v.size()));
    for (int i = 0; i < J.rows(); ++i)
      for (int j = 0; j < J.columns(); ++j) J(i, j) = derivative(m[i], v[static_cast<std::size_t>(j)]);
    return J;
  };
  std::optional<Matrix> shift, held;
  const auto hold = [&](const Matrix& rows) { held = held ? above(*held, rows) : rows; };
  for (const RigidBody& body : system.bodies) {
    const Matrix moves = slopes(body.v_G_S);
    const bool carried = is_carried(contact, body.name);
    if (body.inertia.rows() > 0) hold(slopes(body.attitude.w_SB_S()));
    if (!carried)
      hold(moves);
    else if (shift)
      hold(moves - *shift);
    else
      shift = moves;
  }
  if (!shift) return false;
  if (!held) return independent_rows(*shift).size() >= 2;
  return independent_rows(above(*held, *shift)).size() >= independent_rows(*held).size() + 2;
}

/// What the other contacts exert on the carried bodies along the normal; nothing while one of their normal forces is not known.
std::optional<std::vector<Expr>> other_forces(const System& system, const Contact& contact,
                                              const std::vector<const Contact*>& unknown,
                                              const Reactions& known) {
  std::vector<Expr> terms;
  for (const Contact& other : system.contacts) {
    if (&other == &contact) continue;
    const int share = int(is_carried(contact, other.body)) -
                      int(!other.support.body.empty() && is_carried(contact, other.support.body));
    if (share == 0) continue;
    if (std::ranges::find(unknown, &other) != unknown.end()) return std::nullopt;
    const std::pair<const char*, const Matrix*> directions[] = {
        {".normal", &other.normal}, {".along", &other.along}, {".across", &other.across}};
    for (const auto& [name, direction] : directions) {
      if (const Expr* force = force_named(known, other.name + name))
        terms.push_back(Expr(share) * dot(contact.normal, *direction) * *force);
    }
    if (const Expr* force = other.roller ? force_named(known, other.name + ".roller") : nullptr)
      terms.push_back(Expr(share) * dot(contact.normal, roller_axis(other)) * *force);
  }
  return terms;
}

}  // namespace

const Contact* contact_without_normal(const System& system) {
  const std::vector<const Contact*> closed = closed_contacts(system);
  return closed.size() == 1 && slides_on_support(system, *closed.front()) ? closed.front() : nullptr;
}

std::optional<Matrix> weight_alone(const System& system) {
  return only_contacts(system) ? weight(system) : std::nullopt;
}

std::vector<Statement> implied_normal_reaction(const System& system, const EquationsOfMotion& equations,
                                               const Reactions& known) {
  std::vector<const Contact*> unknown = closed_contacts(system);
  if (unknown.empty()) return {};
  const std::optional<Matrix> g = weight_alone(system);
  if (!g) return {};
  const SymbolMap ahead = motion_along(system, equations);
  Reactions all = known;
  std::vector<Statement> found;
  for (std::size_t k = 0; k < unknown.size();) {
    const Contact& contact = *unknown[k];
    const auto others =
        slides_on_support(system, contact) ? other_forces(system, contact, unknown, all) : std::nullopt;
    if (!others) {
      ++k;
      continue;
    }
    std::vector<Expr> terms;
    for (const RigidBody& body : system.bodies) {
      if (!is_carried(contact, body.name)) continue;
      const Matrix a_G_S = derivative_along(substitute(body.v_G_S, equations.velocities), ahead);
      terms.push_back(body.mass * dot(contact.normal, a_G_S + *g));
    }
    for (const Expr F : *others) terms.push_back(-F);
    const Expr N = sum(terms);
    found.push_back({contact.name + ".normal", graph_size({&N, 1}) <= shortened_up_to ? short_form(N) : N});
    all.reactions.push_back(found.back());
    unknown.erase(unknown.begin() + static_cast<std::ptrdiff_t>(k));
    k = 0;
  }
  return found;
}

}  // namespace rattleback
