// Declared in proof/variational/optimal_control.hpp. Whether the mechanical motions are extremals, and how other extremals differ from them.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/proof/variational/conditionally_variational.hpp>
#include <rattleback/proof/variational/inverse_problem.hpp>
#include <rattleback/proof/variational/not_variational_certificate.hpp>
#include <rattleback/proof/variational/optimal_control.hpp>

namespace rattleback {
namespace {

std::vector<std::string> equations(const std::vector<Symbol>& left, const std::vector<Expr>& right) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < left.size(); ++i)
    lines.push_back(fmt::format("{}' = {}", left[i].name(), text(right[i])));
  return lines;
}

/// The systems that were tried without success.
struct Tried {
  bool open = false;                   ///< a system decouples, but its scales have no closed form
  std::vector<RefutedSystem> systems;  ///< those that do not decouple; none without derivatives is the motion
};

/// (C.31) as a control problem, where another coordinate moves uniformly.
void add_second_control(Answer& a, const Chaplygin& c, const SecondOrderSystem& s,
                        const DecoupledLagrangian& L) {
  const auto second = separated_lagrangian(c, s, L, constant_inertias(c));
  if (!second || !proved(second->is_lagrangian)) return;
  const AssociatedControl x = associated_control(s, L, *second);
  if (!proved(x.stationary) || !proved(x.hamiltonian)) return;
  a.answer["second_cost"] = x.cost;
  a.answer["second_hamiltonian"] = second->hamiltonian;
  a.why.push_back(fmt::format("since {} moves uniformly, so are those with the cost {}",
                              s.q[static_cast<std::size_t>(second->uniform)].name(), text(x.cost)));
}

/// "II", or with the fibre that it belongs to.
std::string name_of(const AssociatedSystem& s, const Chaplygin& c) {
  std::vector<std::string> fibre;
  for (const int i : c.form.constraints.connection.fibre())
    fibre.push_back(s.equations.q[static_cast<std::size_t>(i)].name());
  return fmt::format("{} with the fibre {}", s.type, fmt::join(fibre, ", "));
}

/// (C.27), for the first associated system that decouples.
bool add_associated_control(Answer& a, const Chaplygin& c, Tried& tried) {
  for (const AssociatedSystem& s : associated_systems(c)) {
    if (!proved(s.restricts) || !decouples(s.equations)) {
      tried.systems.push_back({name_of(s, c), s.equations, proved(s.restricts) ? 1 : 0});
      continue;
    }
    tried.open = true;
    const auto L = decoupled_lagrangian(s.equations, constant_inertias(c), scale_hints(c));
    if (!L || !proved(L->is_lagrangian)) continue;
    const AssociatedControl x = associated_control(s.equations, *L);
    if (!proved(x.stationary) || !proved(x.hamiltonian)) continue;
    a.outcome = Outcome::proved;
    a.evidence = std::get<Proved>(x.hamiltonian).why;
    a.answer["cost"] = x.cost;
    a.answer["controls"] = equations(s.equations.q, x.rates);
    a.answer["hamiltonian"] = L->hamiltonian;
    restrict_to_lagrangian(c.system, s.equations, *L, a.answer);
    a.certificate = control_certificate(c.system, s.equations, *L, x);
    a.why.push_back(fmt::format(
        "controls {} with the cost {}: on the constraint the extremals are the mechanical motions",
        fmt::join(equations(s.equations.q, x.rates), ", "), text(x.cost)));
    add_second_control(a, c, s.equations, *L);
    return true;
  }
  return false;
}

/// The same for every choice of the fibre, at most so many.
bool add_associated_control(Answer& a, const System& system, Tried& tried) {
  constexpr int most_groups = search_limits::groups_of_optimal_control.count;
  bool found = false;
  int groups = 0;
  try {
    visit_chaplygin_reductions(system, [&](const Chaplygin& c) {
      try {
        found = add_associated_control(a, c, tried);
      } catch (const Inapplicable&) {  // not a system of this kind
      }
      return found || ++groups == most_groups;
    });
  } catch (const Inapplicable&) {  // not a system of this kind
  }
  return found;
}

std::size_t written_size_of(std::span<const Expr> es) {
  std::size_t size = 0;
  for (const Expr e : es) size += written_size(e);
  return size;
}

bool vanish(std::span<const Expr> es) {
  return std::all_of(es.begin(), es.end(), [](Expr e) { return vanishes_at_random_points(e); });
}

/// Curves of D with the cost ½ G zz: constraints without drift, a quadratic kinetic energy, no time.
bool has_kinetic_cost(const System& system, const Admissible& D) {
  const Expr ell = substitute(system.lagrangian, D.substitution());
  const std::vector<Expr> G = jacobian(gradient(ell, D.speeds), D.speeds).entries();
  std::vector<Expr> rates;
  for (const Symbol z : D.speeds) {
    for (const Expr g : G) rates.push_back(derivative(g, z));
  }
  for (const Expr e : G) rates.push_back(derivative(e, system.time));
  for (const Expr e : D.psi.entries()) rates.push_back(derivative(e, system.time));
  return vanish(D.drift.entries()) && vanish(rates);
}

/// The Lagrangian at rest: what stands beside the kinetic energy.
struct AtRest {
  bool potential = false, gyroscopic = false;
};
AtRest at_rest(const System& system) {
  SymbolMap rest;
  for (const Symbol v : system.space.velocities()) rest.emplace(v, Expr(0));
  const Expr V = substitute(system.lagrangian, rest);
  std::vector<Expr> slopes;
  for (int i = 0; i < system.space.dimension(); ++i) slopes.push_back(system.space.derivative(i, V));
  return {!vanish(slopes), !vanish(substitute(gradient(system.lagrangian, system.space.velocities()), rest))};
}

/// How they differ from the mechanical motion, in words when the formulas are long.
std::string difference_text(const NormalExtremals& x, bool potential) {
  std::vector<std::string> parts;
  const bool brief = written_size_of(x.difference) <= legible::in_a_control_problem.count;
  for (std::size_t i = 0; i < x.difference.size(); ++i) {
    if (x.difference[i].is_zero()) continue;
    const std::string rate = x.momenta[i].name() + "'";
    parts.push_back(brief ? fmt::format("{} in {}", text(x.difference[i]), rate) : rate);
  }
  if (parts.empty())
    return potential ? "each of them is a motion that the system has without its potential"
                     : "each of them is a mechanical motion";
  return fmt::format("they differ from the mechanical motion (without potential) {} {}", brief ? "by" : "in",
                     fmt::join(parts, ", "));
}

/// (C.28), and how it differs from the mechanical motion.
void add_extremals(Answer& a, const System& system) {
  const NormalExtremals x = normal_extremals(system);
  const std::size_t size = written_size_of(x.rates) + written_size(x.hamiltonian);
  if (size <= legible::in_a_control_problem.count) {
    const std::vector<std::string> lines = equations(x.momenta, x.rates);
    a.answer["extremals"] = lines;
    a.answer["energy_hamiltonian"] = x.hamiltonian;
    a.why.push_back(fmt::format("normal extremals of the energy on D: H = {}, {}", text(x.hamiltonian),
                                fmt::join(lines, ", ")));
  } else {
    std::vector<std::string> names;
    for (const Symbol h : x.momenta) names.push_back(h.name());
    a.answer["extremals"] = Data();
    a.answer["energy_hamiltonian"] = Data();
    a.why.push_back(
        fmt::format("normal extremals of the energy on D: (C.28) in {}; written out they have {} symbols",
                    fmt::join(names, ", "), size));
  }
  if (const AtRest rest = at_rest(system); !rest.gyroscopic)
    a.why.push_back(difference_text(x, rest.potential));
}

}  // namespace

namespace {

/// Nothing where no variational principle can be compared with the motion; then `why_not` says why.
std::optional<ConditionallyVariational> variational_part(const System& system,
                                                         std::optional<Inapplicable>& why_not) {
  try {
    return conditionally_variational(system);
  } catch (const Inapplicable& error) {
    why_not = error;
    return std::nullopt;
  }
}

/// What the action says where no control problem (C.27) was found.
Answer of_action(const System& system, const ConditionallyVariational& variational, const Tried& tried) {
  Answer a = answer_of(variational.full);
  a.certificate = refuted(variational.full)
                      ? no_control_certificate(system, variational.rounds, tried.systems)
                      : certificate_of(system, variational);
  if (proved(variational.full))
    a.why.emplace_back("the mechanical motions are extremals of the action among admissible curves");
  if (refuted(variational.full))
    a.why.push_back(
        std::string("the mechanical motions are not extremals of the action among admissible curves") +
        (tried.open ? "" : ", and no associated control system was found in these coordinates"));
  if (!tried.open && a.outcome == Outcome::refuted)
    set_not_found(a,
                  "the action among admissible curves, and associated control systems in these coordinates",
                  "ask inverse-problem, or write the system in other coordinates");
  if (tried.open && a.outcome == Outcome::refuted) {
    a.outcome = Outcome::undecided;
    a.certificate = Data();
    a.obstacle = "an associated system decouples, but no closed form was found for its scales";
    a.next_step = "give the functions in the constraints a simpler form, or ask inverse-problem";
  }
  return a;
}

}  // namespace

Answer optimal_control_answer(const System& system) {
  Answer a;
  std::optional<Inapplicable> why_not;
  const auto variational = variational_part(system, why_not);
  Tried tried;
  const bool associated = add_associated_control(a, system, tried);
  if (!associated && !variational) throw Inapplicable(*why_not);
  if (!associated) a = of_action(system, *variational, tried);
  // Associated systems depend on the coordinates: that none was found does not exclude one.
  a.answer["exists"] = a.outcome == Outcome::proved ? Data(true) : Data();
  a.answer["action_extremals"] = variational ? Data(proved(variational->full)) : Data();
  if (variational && has_kinetic_cost(system, admissible_velocities(system))) add_extremals(a, system);
  return a;
}

}  // namespace rattleback
