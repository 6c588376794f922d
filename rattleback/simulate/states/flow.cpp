#include <rattleback/simulate/states/flow.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/model/checks/independent_constraints.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/model/system/inputs.hpp>
#include <rattleback/motion/equations/first_order_motion.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/programs/articulated.hpp>
#include <rattleback/motion/programs/economical.hpp>
#include <rattleback/motion/programs/redundant_motion.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>

namespace rattleback {
namespace {

/// The rotation matrix of a unit quaternion, row by row: space = B body.
std::vector<Expr> rotation_of(std::span<const Symbol> q) {
  const Expr w = q[0], x = q[1], y = q[2], z = q[3];
  const auto sq = [](Expr a) { return pow(a, 2); };
  return {sq(w) + sq(x) - sq(y) - sq(z), 2 * (x * y - w * z),           2 * (x * z + w * y),
          2 * (x * y + w * z),           sq(w) - sq(x) + sq(y) - sq(z), 2 * (y * z - w * x),
          2 * (x * z - w * y),           2 * (y * z + w * x),           sq(w) - sq(x) - sq(y) + sq(z)};
}

/// q' = ½ q (0, Ω).
std::vector<Expr> quaternion_rates(std::span<const Symbol> q, std::span<const Expr> omega) {
  const Expr w = q[0], x = q[1], y = q[2], z = q[3], a = omega[0] / 2, b = omega[1] / 2, c = omega[2] / 2;
  return {-(x * a + y * b + z * c), w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a};
}

bool depends_on_state(Expr e) {
  const std::vector<Symbol> symbols = symbols_of(e);
  return std::any_of(symbols.begin(), symbols.end(), [](Symbol s) {
    return s.role() == Role::coordinate || s.role() == Role::rotation || s.role() == Role::time ||
           s.role() == Role::velocity;
  });
}

/// Speeds that the program chose and that degenerate somewhere among the states: a frame, or a root that changes its sign.
bool needs_all_velocities(const System& system, const SolvedVelocities& v) {
  if ((!system.velocities.empty() && v.linear) || system.parametrization) return false;
  return std::any_of(v.where.begin(), v.where.end(),
                     [](const Assumption& a) { return depends_on_state(a.expression); });
}

/// Where speeds that the model names, or local ones, degenerate, and the constraints do not.
std::vector<Expr> own_poles(const System& system, const SolvedVelocities& v, Flow::Speeds which) {
  std::vector<Expr> poles;
  const bool local = which == Flow::Speeds::local;
  if ((system.velocities.empty() && !local) || !v.linear || system.parametrization) return poles;
  std::vector<Expr> slopes;
  for (const Constraint& c : system.constraints) {
    const std::vector<Expr> row = gradient(c.expression, system.space.velocities());
    slopes.insert(slopes.end(), row.begin(), row.end());
  }
  const Assumptions common = denominators(slopes);
  for (const Assumption& a : v.where) {
    const bool is_common = std::ranges::find(common, a.expression, &Assumption::expression) != common.end();
    if (a.kind == Assumption::Kind::nonzero && !is_common && depends_on_state(a.expression))
      poles.push_back(a.expression);
  }
  return poles;
}

/// Speeds that parametrise the admissible velocities, at every state where no local ones are asked for; nothing where none are known.
std::optional<SolvedVelocities> regular_speeds(const System& system, Flow::Speeds which) {
  if (which == Flow::Speeds::all) return std::nullopt;
  try {
    SolvedVelocities v = solved_velocities(system);
    if (which == Flow::Speeds::local || !needs_all_velocities(system, v)) return v;
  } catch (const NoParametrization&) {  // not a system of this kind
  }
  return std::nullopt;
}

/// By the recursion of a tree of joints where there is one and it is long, otherwise from the metric on the constraint.
EquationsOfMotion motion_in(const System& system, SolvedVelocities v, Flow::Effort effort) {
  if (static_cast<int>(v.speeds.size()) >= recursive_from) {
    if (auto motion = articulated_motion(system, v)) return *std::move(motion);
  }
  const ProjectedMotion projected = projected_motion(system, std::move(v));
  return effort == Flow::Effort::quick ? solved_motion(system, projected)
                                       : economical_motion(system, projected);
}

/// The reduced motion, with names for the speeds that are nothing else: where they are velocities of the frame, formulas
/// for v and for z must not be confused.
EquationsOfMotion motion_with(const System& system, SolvedVelocities v, Flow::Effort effort) {
  const std::vector<Symbol> speeds = v.speeds;
  SymbolMap there, back;
  for (std::size_t k = 0; k < speeds.size(); ++k) {
    v.speeds[k] =
        Symbol::make("#z" + std::to_string(k), {.role = Role::velocity, .order = static_cast<int>(k)});
    there.emplace(speeds[k], Expr(v.speeds[k]));
    back.emplace(v.speeds[k], Expr(speeds[k]));
  }
  v.psi = substitute(v.psi, there);
  EquationsOfMotion motion = motion_in(system, std::move(v), effort);
  motion.speeds = speeds;
  motion.configuration_rates = substitute(motion.configuration_rates, back);
  motion.speed_rates = substitute(motion.speed_rates, back);
  for (auto& [velocity, psi] : motion.velocities) psi = substitute(psi, back);
  return motion;
}

/// The system with some velocities of the frame as its speeds.
System with_speeds(System system, const std::vector<Symbol>& velocities) {
  system.parametrization.reset();
  system.velocities.clear();
  for (const Symbol v : velocities) system.velocities.push_back({v, Expr(v), system.lagrangian_place});
  return system;
}

std::vector<Symbol> quaternion_named(const std::string& family) {
  std::vector<Symbol> q;
  for (int k = 0; k < 4; ++k) q.push_back(Symbol::make(family + ".q" + std::to_string(k)));
  return q;
}

}  // namespace

Flow::Flow(System system, Effort effort, Speeds which) : Flow(std::move(system), effort, which, nullptr) {}

Flow::Flow(System system, const std::vector<Symbol>& velocities)
    : Flow(std::move(system), Effort::quick, Speeds::chosen, &velocities) {}

Flow::Flow(System system, Effort effort, Speeds which, const std::vector<Symbol>* velocities)
    : system_(with_laws_of_inputs(std::move(system))), in_local_chart_(velocities != nullptr) {
  if (auto rest = overconstrained(system_))
    independent_ = std::make_shared<const System>(std::move(rest->system));
  else if (auto fewer = without_dependent_constraints(system_))
    independent_ = std::make_shared<const System>(std::move(*fewer));
  std::optional<System> chart;
  if (velocities != nullptr) chart = with_speeds(derived_system(), *velocities);
  const System& stated = chart ? *chart : derived_system();
  if (is_first_order(system_)) {
    equations_ = first_order_equations(system_);
  } else if (auto speeds = regular_speeds(stated, which)) {
    poles_ = own_poles(stated, *speeds, which);
    equations_ = motion_with(stated, std::move(*speeds), effort);
  } else {
    RedundantMotion motion = redundant_motion(stated);
    equations_ = std::move(motion.equations);
    projected_ = std::move(motion.projected);
  }
  std::size_t function = 0;
  for (const Factor& factor : system_.space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier != Carrier::unit_quaternion) {
        for (const Symbol f : piece.functions) {
          state_.push_back(f);
          rate_expressions_.push_back(equations_.configuration_rates[function++]);
        }
        continue;
      }
      quaternions_.push_back(state_.size());
      const std::vector<Symbol> q = quaternion_named(factor.name);
      const std::vector<Expr> entries = rotation_of(q);
      for (std::size_t k = 0; k < 9; ++k) rotations_.emplace(piece.functions[k], entries[k]);
      // The legs of SO(3) and SE(3) begin with the angular velocity in body axes.
      std::vector<Expr> omega;
      for (int k = 0; k < 3; ++k) omega.push_back(equations_.velocities.at(factor.velocities[k]));
      state_.insert(state_.end(), q.begin(), q.end());
      const std::vector<Expr> rates = quaternion_rates(q, omega);
      rate_expressions_.insert(rate_expressions_.end(), rates.begin(), rates.end());
      function += 9;
    }
  }
  state_.insert(state_.end(), equations_.speeds.begin(), equations_.speeds.end());
  rate_expressions_.insert(rate_expressions_.end(), equations_.speed_rates.begin(),
                           equations_.speed_rates.end());
  for (Expr& e : rate_expressions_) e = with_formulas(system_, e);
  rate_expressions_ = substitute(rate_expressions_, rotations_);

  inputs_ = state_;
  inputs_.push_back(system_.time);
  const SymbolMap known = rattleback::parameter_values(system_);
  std::vector<Expr> values;
  for (const Parameter& p : system_.parameters) {
    const auto value = known.find(p.symbol);
    if (value == known.end()) continue;
    parameters_.push_back(p.symbol);
    values.push_back(value->second);
  }
  values_ = straight_line({}, {}, values);
  // Values stay in the order of the parameters, also where two are equal.
  std::vector<std::uint32_t> ordered;
  for (const std::uint32_t out : values_.outputs) ordered.push_back(values_.constants[out]);
  values_.constants = ordered;
  rates_ = straight_line(inputs_, parameters_, rate_expressions_);
  for (Expr& e : poles_) e = in_quaternions(e);
  for (Expr& e : projected_) e = in_quaternions(e);
  if (!projected_.empty()) projection_ = straight_line(inputs_, parameters_, projected_);
}

void Flow::reverse_time() {
  backwards_ = !backwards_;
  for (Expr& e : rate_expressions_) e = -at_reversed_time(e);
  rates_ = straight_line(inputs_, parameters_, rate_expressions_);
  for (Expr& e : projected_) e = at_reversed_time(e);
  if (!projected_.empty()) projection_ = straight_line(inputs_, parameters_, projected_);
  derived_ = std::make_shared<Derived>();
}

Expr Flow::at_reversed_time(Expr e) const {
  return contains(e, system_.time) ? substitute(e, SymbolMap{{system_.time, -Expr(system_.time)}}) : e;
}

Expr Flow::on_state(Expr e) const {
  SymbolMap quasi;
  for (const QuasiVelocity& u : system_.velocities) {
    const bool is_speed =
        std::find(equations_.speeds.begin(), equations_.speeds.end(), u.symbol) != equations_.speeds.end();
    if (!is_speed) quasi.emplace(u.symbol, u.expression);
  }
  return in_quaternions(substitute(substitute(e, quasi), equations_.velocities));
}

Code Flow::observing(std::span<const Expr> es) const {
  std::vector<Expr> observed;
  for (const Expr e : es) observed.push_back(on_state(e));
  return code_of(observed);
}

Code Flow::code_of(std::span<const Expr> es) const {
  if (!backwards_) return straight_line(inputs_, parameters_, es);
  std::vector<Expr> reversed;
  for (const Expr e : es) reversed.push_back(at_reversed_time(e));
  return straight_line(inputs_, parameters_, reversed);
}

}  // namespace rattleback
