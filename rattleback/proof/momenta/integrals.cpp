#include <rattleback/proof/momenta/integrals.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/model/checks/constraint_kinds.hpp>
#include <rattleback/model/checks/wrong_parametrization.hpp>
#include <rattleback/model/system/initial_point.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/model/system/substituted.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/momenta/gauge_solutions.hpp>
#include <rattleback/proof/momenta/integral_search.hpp>
#include <rattleback/proof/momenta/momenta.hpp>
#include <rattleback/proof/momenta/momenta_of_symmetries.hpp>
#include <rattleback/proof/momenta/no_integral_certificate.hpp>

namespace rattleback {
namespace {

/// In velocities instead of the speeds of one derivation.
Expr on_velocities(const EquationsOfMotion& motion, Expr f) {
  SymbolMap definitions;
  for (std::size_t a = 0; a < motion.speed_definitions.size(); ++a)
    definitions.emplace(motion.speeds[a], motion.speed_definitions[a]);
  return substitute(f, definitions);
}

/// What is collected for the answer.
struct Collected {
  Data::List integrals, at_values;
  std::vector<Expr> functions;
  bool exact = true;
  int bits = 1000, open = 0;
  bool in_velocities = false;  ///< the speeds of the search are not those of the model
  std::vector<std::string> why;

  /// Proved by differentiation, or counted as open.
  bool add(const IntegralSearch& search, Expr f, const std::string& remark) {
    const Verdict v = is_zero(derivative_along(f, search.rates));
    const auto* yes = std::get_if<Proved>(&v);
    if (yes == nullptr) {
      ++open;
      return false;
    }
    exact = exact && yes->why.exact;
    bits = yes->why.exact ? bits : std::min(bits, yes->why.bits);
    const Expr g = in_velocities ? on_velocities(search.motion, f) : f;
    Expr shown = shortest(g);
    if (text(shown).starts_with('-')) shown = shortest(-g);
    functions.push_back(shown);
    integrals.emplace_back(shown);
    why.push_back(
        fmt::format("{} is constant{}{}", text(shown), where_defined(search.system, shown), remark));
    return true;
  }
};

/// Functions that the position constraints keep at 0 are no integrals: N = {φ = 0} is the space, and what depends on them there is
/// constant.
void know_positions(IntegralSearch& search) {
  for (const Expr f : position_relations(search.system)) search.known.push_back(f);
}

/// Is f independent of what is known? Differentials are compared on N.
bool is_independent(const IntegralSearch& search, Expr f) {
  const std::vector<SymbolMap> directions = search.directions();
  const auto rank_of = [&](const std::vector<Expr>& fs) {
    if (fs.empty()) return 0;
    Matrix slopes(static_cast<int>(directions.size()), static_cast<int>(fs.size()));
    for (int i = 0; i < slopes.rows(); ++i) {
      const auto row = derivative_along(fs, directions[static_cast<std::size_t>(i)]);
      for (int j = 0; j < slopes.columns(); ++j) slopes(i, j) = row[static_cast<std::size_t>(j)];
    }
    return rank(slopes).value;
  };
  std::vector<Expr> longer = search.known;
  longer.push_back(f);
  return rank_of(longer) > rank_of(search.known);
}

/// The value of a function of the configuration at the initial state, where the model gives one.
std::optional<Expr> value_at_start(const System& system, Expr f) {
  if (system.simulation.initial.empty()) return std::nullopt;
  SymbolMap start = initial_point(system);
  for (const Symbol s : symbols_of(f)) {
    if (s.role() != Role::parameter && s.role() != Role::constant && !start.contains(s)) return std::nullopt;
  }
  try {
    return short_form(substitute(f, start));
  } catch (const OutOfDomain&) {
    return std::nullopt;  // a pole
  }
}

/// Integrals of the velocity constraints alone: functions of the configuration. Where the model has an initial state, they fix the
/// leaf through it; otherwise they are parameters of the family of leaves.
void add_holonomic(IntegralSearch& search, Collected& found) {
  know_positions(search);
  for (const Expr f : holonomic_integrals(search.system)) {
    if (!vanishes_at_random_points(derivative_along(f, search.rates)) || !is_independent(search, f)) continue;
    if (const auto value = value_at_start(search.system, f)) {
      found.why.push_back(
          fmt::format("the velocity constraints keep {} constant: the space is the leaf through the initial "
                      "state, where it is {}",
                      text(f), text(*value)));
      search.known.push_back(f);
    } else if (const std::string cover = cover_note(search.system.space, f); !cover.empty()) {
      found.why.push_back(fmt::format("the velocity constraints keep {} constant{}", text(f), cover));
      search.known.push_back(f);
    } else if (found.add(search, f,
                         ", by the velocity constraints: a parameter of the family of their leaves")) {
      search.known.push_back(f);
    }
  }
}

/// The energy is not searched for when it is conserved; whether it is, is said.
bool add_energy(IntegralSearch& search) {
  const Expr e = substitute(energy(search.system), search.motion.velocities);
  if (!vanishes_at_random_points(derivative_along(e, search.rates))) return false;
  search.known.push_back(e);
  return true;
}

/// Found with symbols for the parameters; what is not becomes part of the search with their values. Returns what was found.
std::vector<Expr> search_symbolic(IntegralSearch& search, Collected& found, const std::string& remark) {
  const std::size_t before = found.functions.size();
  const auto all = independent_combinations(search);
  if (!all) return {};
  for (const Residues& x : *all) {
    Budget::check();
    if (const auto f = with_parameters(search, x)) found.add(search, *f, remark);
  }
  std::vector<Expr> more(found.functions.begin() + static_cast<std::ptrdiff_t>(before),
                         found.functions.end());
  search.known.insert(search.known.end(), more.begin(), more.end());
  return more;
}

/// Where the energy changes: it and the momenta of fields that leave L as it is join the ansatz. A combination E − ⟨J, ξ⟩ that is
/// constant is a moving energy: the energy measured in the frame that moves with the constraints.   (Y.7)
void add_moving_energies(IntegralSearch& search) {
  try {
    const Budget budget(work_limits::moving_energies);
    std::vector<Expr> more{substitute(energy(search.system), search.motion.velocities)};
    for (const Generator& g : lagrangian_symmetries(search.system).generators)
      more.push_back(substitute(momentum(search.system, g.field), search.motion.velocities));
    for (const Expr f : more) {
      if (!f.is(Kind::constant) && std::ranges::find(search.ansatz, f) == search.ansatz.end())
        search.ansatz.push_back(f);
    }
  } catch (const Exhausted&) {
    Budget::check();
  }
}

/// Momenta of horizontal symmetries, whose coefficients need not be simple.
void add_momenta(IntegralSearch& search, Collected& found) {
  for (const auto& [h, up_to_derivative] : momenta_of_symmetries(search.system)) {
    if (!proved(h.conserved)) continue;
    const Expr momentum = substitute(h.momentum, search.motion.velocities);
    if (angle_of_several_values(search.system.space, momentum)) continue;  // where L is another after a turn
    if (is_independent(search, momentum) && found.add(search, momentum, ", the momentum of a symmetry"))
      search.known.push_back(momentum);
  }
}

/// Functions of one set of speeds in those of another. Those that are not defined at these values are left out; the search there finds what takes their place.
std::vector<Expr> transferred(const IntegralSearch& from, const IntegralSearch& to,
                              const std::vector<Expr>& fs, const SymbolMap& values) {
  SymbolMap definitions;
  for (std::size_t a = 0; a < from.motion.speed_definitions.size(); ++a)
    definitions.emplace(from.motion.speeds[a], from.motion.speed_definitions[a]);
  std::vector<Expr> moved;
  for (const Expr f : fs) {
    try {
      moved.push_back(substitute(substitute(substitute(f, definitions), values), to.motion.velocities));
    } catch (const Singular&) {  // not a system of this kind
    }
  }
  return moved;
}

/// The system at these values in the speeds of `motion`: from numbers alone a kernel may come out with other legs, and what is
/// said of `u1` has to be about the `u1` of the model. Nothing when those speeds degenerate there.
std::optional<System> in_the_same_speeds(const EquationsOfMotion& motion, System there,
                                         const SymbolMap& values) {
  const auto frame = there.space.velocities();
  const bool named = std::all_of(motion.speeds.begin(), motion.speeds.end(), [&](Symbol z) {
    return std::find(frame.begin(), frame.end(), z) != frame.end();
  });
  if (named || !there.velocities.empty() || there.parametrization) return there;
  Parametrization same{motion.speeds, {}, {}};
  try {
    for (const Symbol v : frame) same.psi.push_back(substitute(motion.velocities.at(v), values));
  } catch (const Singular&) {
    return std::nullopt;
  }
  there.parametrization = std::move(same);
  if (wrong_parametrization(there)) return std::nullopt;
  return there;
}

/// The model may leave something out by a parameter of value 0: a tilt, a field. Integrals of the system without it keep the
/// other parameters as symbols. What is found in the same speeds is added to `known`.
void search_without(const IntegralSearch& search, const SymbolMap& values, std::vector<Expr>& known,
                    Collected& found) {
  SymbolMap zeros;
  std::string where;
  for (const auto& [s, value] : values) {
    if (value.is_zero()) zeros.emplace(s, value);
  }
  if (zeros.empty() || zeros.size() == values.size()) return;
  for (const Parameter& p : search.system.parameters) {
    if (zeros.contains(p.symbol))
      where += fmt::format("{}{} = 0", where.empty() ? " where " : ", ", p.symbol.name());
  }
  const auto without = in_the_same_speeds(search.motion, substituted(search.system, zeros), zeros);
  if (!without) return;
  const OnPositions on_values(*without);
  IntegralSearch there(*without);
  there.known = transferred(search, there, known, zeros);
  const std::vector<Expr> more = search_symbolic(there, found, where);
  known.insert(known.end(), more.begin(), more.end());
  found.at_values.insert(found.at_values.end(), more.begin(), more.end());
}

/// The combinations that are constant, old and new; nothing when the motion is not defined at random states.
std::optional<std::vector<Residues>> search_at_values(const IntegralSearch& search, Collected& found,
                                                      bool with_values) {
  auto constant = constant_combinations(search);
  const auto all = constant ? independent_combinations(search, *constant) : std::nullopt;
  if (!all) return std::nullopt;
  for (const Residues& x : *all) {
    Budget::check();
    const auto f = with_numbers(search, x);
    if (!f) {
      ++found.open;
    } else if (found.add(search, *f, with_values ? " at the model's parameter values" : "") && with_values) {
      found.at_values.push_back(found.integrals.back());
    }
  }
  return constant;
}

/// Those among the first functions of the ansatz: in an echelon form a relation reaches no further than its last function.
std::vector<Residues> of_products(std::vector<Residues> constant, int products) {
  std::erase_if(constant, [&](const Residues& x) { return x.places.back() >= products; });
  return constant;
}

/// Momenta of symmetries with coefficients that solve differential equations (Y.2): they exist where no closed form was found. On one
/// speed alone a momentum may be the root of the energy.
std::optional<Answer> by_gauge_momenta(const System& model, const EquationsOfMotion& motion) {
  if (motion.speeds.size() < 2) return std::nullopt;
  Answer of = momenta_answer(model);
  const Data* closed = of.answer.find("gauge_momenta");
  const Data* count = of.answer.find("gauge_count");
  if (of.outcome != Outcome::proved || count == nullptr || count->get_if<long>() == nullptr)
    return std::nullopt;
  if (*count->get_if<long>() == 0) return std::nullopt;
  Data::List integrals;
  if (closed != nullptr && closed->list() != nullptr) integrals = *closed->list();
  Answer a;
  a.outcome = Outcome::proved;
  a.evidence = of.evidence;
  a.answer["integrals"] = integrals;
  a.answer["at_parameter_values"] = Data::List();
  a.answer["gauge_count"] = *count;
  a.why = std::move(of.why);
  a.certificate = std::move(of.certificate);
  return a;
}

}  // namespace

namespace {

/// An integral is one for all parameters at which it has no pole and does not become a function of the energy.
Dependence dependence_of_integral(const IntegralSearch& search, Expr f, bool energy_is_conserved) {
  const Expr E = substitute(energy(search.system), search.motion.velocities);
  std::vector<Expr> of_f, of_energy, minors;
  for (const SymbolMap& direction : search.directions()) {
    of_f.push_back(derivative_along(f, direction));
    of_energy.push_back(derivative_along(E, direction));
  }
  if (!energy_is_conserved) return on_witness(of_f, {f});
  for (std::size_t i = 0; i < of_f.size(); ++i) {
    for (std::size_t j = i + 1; j < of_f.size(); ++j)
      minors.push_back(of_f[i] * of_energy[j] - of_f[j] * of_energy[i]);
  }
  return on_witness(minors, {f});
}

}  // namespace

std::vector<Expr> integrals_of(const System& system) {
  std::vector<Expr> all;
  IntegralSearch search(system);
  std::string why_not;
  if (const auto gauge = gauge_system(system, search.motion, why_not); gauge && gauge->count() > 0) {
    for (const Expr f : gauge_momenta_in_closed_form(system, search.motion, *gauge)) {
      search.known.push_back(f);
      all.push_back(on_velocities(search.motion, f));
    }
  }
  Collected found;
  add_holonomic(search, found);
  add_energy(search);
  search_symbolic(search, found, "");
  for (const Expr f : found.functions) all.push_back(on_velocities(search.motion, f));
  return all;
}

namespace {

/// `values`: what stands for the parameters in the search at numbers.
Answer integrals_with(const System& model, const SymbolMap& values) {
  IntegralSearch search(model);
  Collected found;
  add_holonomic(search, found);
  const bool energy = add_energy(search);
  if (!energy) add_moving_energies(search);
  if (!values.empty()) search_symbolic(search, found, "");
  if (!values.empty()) add_momenta(search, found);
  const std::vector<Expr> general = found.functions;
  std::vector<Expr> known = search.known;
  search_without(search, values, known, found);

  const auto same = in_the_same_speeds(search.motion, substituted(model, values), values);
  const System numbers = same ? *same : substituted(model, values);
  found.in_velocities = !same;
  const OnPositions on_values(numbers);
  IntegralSearch there(numbers);
  const auto products = static_cast<int>(there.ansatz.size());
  if (!energy) add_moving_energies(there);
  there.known = transferred(search, there, known, values);
  const auto constant = search_at_values(there, found, !values.empty());
  if (values.empty()) add_momenta(there, found);

  Answer a;
  a.answer["integrals"] = found.integrals;
  a.answer["at_parameter_values"] = found.at_values;
  a.answer["ansatz"] = static_cast<int>(search.ansatz.size());
  a.why = found.why;
  if (!found.integrals.empty()) {
    a.outcome = Outcome::proved;
    a.evidence = Certificate{found.exact, found.exact ? 0 : found.bits, "differentiated along the motion"};
    if (!general.empty())
      state_dependence(dependence_of_integral(search, general.front(), energy));
    else if (!values.empty())
      state_dependence({{}, false, true});
    if (energy) a.why.emplace_back("besides the energy");
    if (found.exact && !values.empty() && !general.empty()) {
      a.certificate = conservation_certificate(model, search.motion, general);
    } else if (found.exact && same) {
      a.certificate = conservation_certificate(numbers, there.motion, found.functions);
    }
    return a;
  }
  if (auto gauge = by_gauge_momenta(model, search.motion)) return *gauge;
  if (!constant || found.open > 0) {
    a.obstacle = !constant
                     ? "the motion is not defined at random states"
                     : fmt::format("{} candidates are constant at random points, without proof", found.open);
    a.next_step = "check a function of your own with `rattleback prove MODEL --conserved`";
    return a;
  }
  const char* how = "the linear equations for the coefficients have no other solution modulo a prime";
  a.evidence = Certificate{false, 60, how};
  if (const auto trivial = trivial_integrals(there, of_products(*constant, products))) {
    a.evidence = Certificate{true, 0, how};
    a.certificate = no_integral_certificate(there, *trivial);
  }
  set_not_found(
      a,
      fmt::format("momenta of symmetries, and combinations of {} products φ(q) z^μ (Y.3): none is constant{}",
                  search.ansatz.size(), energy ? " but functions of the energy" : ""),
      "check a function of your own with `rattleback prove MODEL --conserved`");
  return a;
}

}  // namespace

Answer integrals_answer(const System& model) {
  const SymbolMap values = parameter_values(model);
  try {
    return integrals_with(model, values);
  } catch (const Singular&) {  // with the model's values it has no motion: the letters still have one
    if (values.empty()) throw;
    return integrals_with(model, {});
  }
}

}  // namespace rattleback
