#include <rattleback/simulate/states/invariants.hpp>

#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/checks/constraint_kinds.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/motion/velocities/field_search.hpp>
#include <rattleback/proof/momenta/integrals.hpp>
#include <rattleback/proof/momenta/momenta_of_symmetries.hpp>

namespace rattleback {
namespace {

/// The formula itself where it is short enough to be a name.
std::string invariant_name(const std::string& kind, Expr value, std::size_t number) {
  const std::string formula = text(value);
  return fits(formula, legible::name_of_a_column) ? fmt::format("{} {}", kind, formula)
                                                  : fmt::format("{} {}", kind, number);
}

/// Does f contain the arc tangent of a quotient? It jumps by π where a motion passes a zero of the denominator, and its drift shows nothing.
bool has_angle_of_quotient(Expr f) {
  const Tape tape(std::span<const Expr>(&f, 1));
  const auto changes = [](Expr e) {
    const std::vector<Symbol> all = symbols_of(e);
    return std::any_of(all.begin(), all.end(),
                       [](Symbol s) { return s.role() != Role::parameter && s.role() != Role::constant; });
  };
  const auto divides = [](Expr node) { return node.is(Kind::power) && node.exponent() < 0; };
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    if (!is_call_of(tape.node(slot), Builtin::atan)) continue;
    const Expr angle = tape.node(slot);
    const Tape inside(angle.args());
    for (std::size_t k = 0; k < inside.size(); ++k)
      if (divides(inside.node(k)) && changes(inside.node(k).args()[0])) return true;
  }
  return false;
}

/// Integrals of constraints that the model states as velocities.
std::vector<Expr> constraint_integrals(const System& system) {
  std::vector<Expr> found = system.constraints.empty() ? std::vector<Expr>{} : holonomic_integrals(system);
  std::erase_if(found, has_angle_of_quotient);
  return found;
}

std::vector<Expr> horizontal_momenta(const System& system) {
  std::vector<Expr> momenta;
  for (const auto& [h, up_to_derivative] : momenta_of_symmetries(system))
    if (proved(h.conserved)) momenta.push_back(h.momentum);
  return momenta;
}

/// What names mean in answers: speeds that a question invents where the model names none, u1, u2, …, are functions of the velocities.
Scope scope_of_answers(const System& system) {
  Scope scope = system.scope;
  if (!system.velocities.empty() || system.parametrization) return scope;
  try {
    const Admissible D = admissible_velocities(system);
    for (std::size_t k = 0; k < D.speeds.size(); ++k)
      if (scope.find(D.speeds[k].name()) == nullptr) scope.define(D.speeds[k].name(), D.definitions[k]);
  } catch (const Inapplicable&) {  // constraints that are not linear: no speeds are invented
  }
  return scope;
}

std::vector<Expr> polynomial_integrals(const System& system) {
  std::vector<Expr> found;
  const Answer answer = integrals_answer(system);
  const Data* list = answer.answer.find("integrals");
  if (list == nullptr || list->list() == nullptr) return found;
  const Scope scope = scope_of_answers(system);
  for (const Data& formula : *list->list()) {
    // Nothing when it is written in names that neither the model nor its speeds have.
    if (const auto e = try_parse(*formula.text(), scope)) found.push_back(*e);
  }
  return found;
}

/// X_i f and ∂f/∂z, at the values of the parameters: integrals are found for these.
std::vector<Expr> differential(const Flow& flow, const SymbolMap& parameters, Expr f) {
  const Expr on_speeds =
      substitute(substitute(on_frame(flow.system(), f), flow.equations().velocities), parameters);
  std::vector<Expr> df = gradient(on_speeds, flow.equations().speeds);
  for (int i = 0; i < flow.system().space.dimension(); ++i)
    df.push_back(flow.system().space.derivative(i, on_speeds));
  return df;
}

/// Those of `more` whose differentials are independent of all before them.
std::vector<Expr> independent_of(const Flow& flow, const std::vector<Invariant>& known,
                                 const std::vector<Expr>& more) {
  std::vector<Expr> all;
  for (const Invariant& i : known) all.push_back(i.value);
  all.insert(all.end(), more.begin(), more.end());
  std::vector<std::vector<Expr>> columns;
  const SymbolMap parameters = parameter_values(flow.system());
  for (const Expr f : all) columns.push_back(differential(flow, parameters, f));
  Matrix m(static_cast<int>(columns.front().size()), static_cast<int>(columns.size()));
  for (int j = 0; j < m.columns(); ++j) {
    for (int i = 0; i < m.rows(); ++i)
      m(i, j) = columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
  }
  std::vector<Expr> kept;
  for (const int j : independent_columns(m))
    if (static_cast<std::size_t>(j) >= known.size()) kept.push_back(all[static_cast<std::size_t>(j)]);
  return kept;
}

}  // namespace

std::vector<Invariant> known_invariants(const System& system) {
  std::vector<Invariant> kept;
  if (proved(conserves_energy(system))) kept.push_back({"energy", energy(system)});
  for (const Constraint& c : system.constraints)
    if (c.position) kept.push_back({c.name, *c.position});
  for (const Symmetry& symmetry : system.symmetries) {
    for (const Generator& xi : symmetry.generators) {
      const Expr p = momentum(system, xi.field);
      if (!p.is_zero() && proved(is_conserved(system, p)))
        kept.push_back({"momentum of " + (xi.name.empty() ? symmetry.group : xi.name), p});
    }
  }
  return kept;
}

std::vector<Invariant> known_invariants(const Flow& flow) {
  std::vector<Invariant> kept = known_invariants(flow.system());
  if (flow.projection() == nullptr) return kept;
  for (const Constraint& c : flow.system().constraints)
    if (!c.position) kept.push_back({c.name, c.expression});
  return kept;
}

FoundInvariants found_invariants(const Flow& flow, const std::vector<Invariant>& known,
                                 std::optional<double> seconds) {
  // Up to these sizes a search takes less than half a second; measured on the zoo. Where it takes more it is cut short.
  struct Search {
    const char* kind;
    std::vector<Expr> (*run)(const System&);
    std::size_t most_fields, most_nodes;
    bool rotations;
  };
  constexpr Search searches[] = {{"integral", constraint_integrals, 150, 100, false},
                                 {"momentum", horizontal_momenta, 300, 5000, true},
                                 {"integral", polynomial_integrals, 160, 250, true}};
  const std::size_t fields = field_ansatz(flow.system().space).size(),
                    nodes = graph_size(flow.rate_expressions());
  FoundInvariants found;
  std::vector<Invariant> all = known;
  std::size_t number = 0;
  Limits limits;
  if (seconds) limits.time = std::chrono::duration<double>(*seconds);
  const Budget budget(limits);
  for (const Search& search : searches) {
    const bool quick = fields <= search.most_fields && nodes <= search.most_nodes &&
                       (search.rotations || flow.quaternions().empty());
    if (!seconds && !quick) {
      found.complete = false;
      continue;
    }
    try {
      const Budget effort(
          {.work = seconds ? std::numeric_limits<std::size_t>::max() : work_limits::watched_integrals.work});
      const std::vector<Expr> more = search.run(flow.system());
      if (more.empty()) continue;
      for (const Expr f : independent_of(flow, all, more))
        all.push_back({invariant_name(search.kind, f, ++number), f});
    } catch (const Exhausted&) {
      found.complete = false;
    } catch (const OutOfDomain&) {
      continue;  // the question does not apply to such a system
    }
  }
  found.invariants.assign(all.begin() + static_cast<std::ptrdiff_t>(known.size()), all.end());
  return found;
}

}  // namespace rattleback
