#include <rattleback/motion/equations/energy.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/checks/regularity.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/motion/equations/first_order_motion.hpp>
#include <rattleback/motion/velocities/modular_motion.hpp>

namespace rattleback {
namespace {

/// Does a velocity stand within sin, exp, …? A velocity that is solved for has a value as a number only.
bool has_calls_of_velocities(const System& system, Expr f) {
  std::vector<Expr> roots{system.lagrangian, f};
  for (const Constraint& c : system.constraints) roots.push_back(c.expression);
  roots.insert(roots.end(), system.forces.begin(), system.forces.end());
  const Tape tape(roots);
  std::vector<bool> moves(tape.size(), false);
  const auto velocities = system.space.velocities();
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    moves[slot] =
        e.is(Kind::symbol) && std::find(velocities.begin(), velocities.end(), e.symbol()) != velocities.end();
    for (const std::uint32_t a : tape.args(slot)) moves[slot] = moves[slot] || moves[a];
    const bool harmless =
        !e.is(Kind::call) || e.function().is_abstract() || e.function().kind() == Builtin::sqrt;
    if (moves[slot] && !harmless) return true;
  }
  return false;
}

/// The state as residues, the velocities solved for: anyone can recompute df/dt from it.
Refuted refutation(const ModularMotion& motion, const ModularMotion::State& state, ModP rate) {
  Refuted no;
  for (const Symbol s : motion.program().symbols()) {
    no.at.point.emplace_back(s, std::to_string(state.point.value<ModP>(s).canonical()));
  }
  no.at.value = std::to_string(rate.canonical());
  no.at.note = "all values modulo " + std::to_string(modulus_of_numbers) + "; angles from seed " +
               std::to_string(state.point.seed());
  return no;
}

Verdict decide(const System& system, Expr f, const ConservationTest& how) {
  if (has_calls_of_velocities(system, f)) {
    return Undecided{"velocities stand within transcendental functions",
                     "write these functions as abstract ones"};
  }
  const ModularMotion motion(system);
  const ModularProgram program(f);
  const std::size_t roots = motion.program().roots() + program.roots();
  constexpr int states_for_roots =
      search_limits::states_with_roots.count;  // each draws the sign of every root
  const int points = roots == 0 ? how.points : std::max(how.points, states_for_roots);
  constexpr std::uint64_t stride = 1'000'003;
  int zeros = 0;
  for (int k = 0; zeros < points && k < 4 * points; ++k) {  // some states are poles of f
    std::string obstacle;
    const auto state = motion.state(how.seed + stride * static_cast<std::uint64_t>(k), &obstacle);
    if (!state)
      return Undecided{obstacle, "`rattleback check` says more about the constraints and the Lagrangian"};
    const auto rate = motion.rate(program, *state);
    if (!rate) continue;
    if (!rate->is_zero()) {
      if (motion.program().is_faithful() && program.is_faithful()) return refutation(motion, *state, *rate);
      return Undecided{
          "not conserved for some signs of the roots, or relations between functions are unknown",
          "derive the equations of motion and ask whether the rate is zero"};
    }
    ++zeros;
  }
  if (zeros < points)
    return Undecided{"the function is not defined at random states", "check its roots and denominators"};
  Proved yes;
  yes.why.exact = false;
  yes.why.bits = roots == 0 ? points * motion.bits_per_state(f) : points;
  yes.why.method = "its rate is zero at " + std::to_string(points) + " random states modulo " +
                   std::to_string(modulus_of_numbers);
  return yes;
}

/// C = A_i(q) v^i as it is written: its slopes contain no velocity, and it is 0 at rest.
bool is_written_linear(const System& system, Expr C) {
  const auto v = system.space.velocities();
  SymbolMap rest;
  for (const Symbol s : v) rest.emplace(s, Expr(0));
  const std::vector<Expr> slopes = gradient(C, v);
  return substitute(C, rest).is_zero() && std::none_of(slopes.begin(), slopes.end(), [&](Expr slope) {
           return std::any_of(v.begin(), v.end(), [&](Symbol s) { return contains(slope, s); });
         });
}

/// v^i ∂C/∂v^i = k C, which makes v an allowed virtual displacement wherever C = 0.
bool is_homogeneous(const System& system, Expr C) {
  if (is_written_linear(system, C)) return true;
  const auto v = system.space.velocities();
  const std::vector<Expr> slopes = gradient(C, v);
  std::vector<Expr> terms{Expr(0)};
  for (std::size_t i = 0; i < v.size(); ++i) terms.push_back(Expr(v[i]) * slopes[i]);
  const auto exactly_zero = [](Expr e) {
    const Verdict z = is_zero(e);
    const auto* yes = std::get_if<Proved>(&z);
    return yes != nullptr && yes->why.exact;
  };
  constexpr int highest_degree = search_limits::degree_of_constraints.count;
  for (int k = 1; k <= highest_degree; ++k) {
    if (exactly_zero(sum(terms) - k * C)) return true;
  }
  return false;
}

/// The theorem behind conservation, by its hypotheses: L without time, no forces, constraints homogeneous in the velocities and
/// without time. Then dE/dt = λ_a v^i ∂C^a/∂v^i = 0: an exact proof without equations of motion.             (E.1)
bool theorem_applies(const System& system) {
  const auto timeless = [&](Expr e) { return !contains(e, system.time); };
  return timeless(system.lagrangian) &&
         std::all_of(system.forces.begin(), system.forces.end(), [](Expr e) { return e.is_zero(); }) &&
         std::all_of(system.constraints.begin(), system.constraints.end(), [&](const Constraint& c) {
           return timeless(c.expression) && is_homogeneous(system, c.expression);
         });
}

Verdict by_theorem() {
  Proved yes;
  yes.why.method = "d'Alembert's principle: ideal homogeneous constraints, no forces, no time";
  return yes;
}

/// L = a_i v^i − H with an invertible two-form: dH/dt = Q_i v^i − ∂L/∂t along the motion of first order.
Verdict conserves_energy_of_first_order(const System& system) {
  const EquationsOfMotion motion = first_order_equations(system);
  std::vector<Expr> terms{-derivative(system.lagrangian, system.time)};
  for (std::size_t i = 0; i < system.forces.size(); ++i)
    terms.push_back(system.forces[i] * system.space.velocities()[i]);
  return is_zero(substitute(sum(terms), motion.velocities));
}

/// The matrix ( L_vv  C_vᵀ ; C_v  0 ) has full rank at a random state: one motion through almost every state.
bool is_determined(const System& system) {
  const auto v = system.space.velocities();
  std::vector<Expr> C;
  for (const Constraint& c : system.constraints) C.push_back(c.expression);
  const Matrix hessian = jacobian(gradient(system.lagrangian, v), v), slopes = jacobian(C, v);
  const int n = hessian.rows(), k = slopes.rows();
  Matrix m(n + k, n + k);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) m(i, j) = hessian(i, j);
    for (int s = 0; s < k; ++s) m(i, n + s) = m(n + s, i) = slopes(s, i);
  }
  return rank(m) == n + k;
}

}  // namespace

Expr energy(const System& system) {
  const auto velocities = system.space.velocities();
  const std::vector<Expr> momenta = gradient(system.lagrangian, velocities);
  std::vector<Expr> terms{-system.lagrangian};
  for (std::size_t i = 0; i < momenta.size(); ++i) terms.push_back(velocities[i] * momenta[i]);
  return sum(terms);
}

Verdict is_conserved(const System& system, Expr f, const ConservationTest& how) {
  try {
    return decide(system, f, how);
  } catch (const Exhausted& limit) {
    return Undecided{limit.what(), "give the computation more time or memory"};
  }
}

Verdict conserves_energy(const System& system, const ConservationTest& how) {
  if (is_first_order(system)) return conserves_energy_of_first_order(system);
  const bool ideal = theorem_applies(system);
  if (ideal && !system.parametrization && is_determined(system))
    return by_theorem();  // no states are needed, however long the motion is
  const Verdict found = is_conserved(system, energy(system), how);
  const auto* yes = std::get_if<Proved>(&found);
  const bool settled = refuted(found) || (yes != nullptr && yes->why.exact);
  // Without random states, on constraints that could not be solved for one, the motion must still be determined.
  const bool determined = yes != nullptr || regularity(system).kind != Regularity::Kind::degenerate;
  return settled || !determined || !ideal ? found : by_theorem();
}

}  // namespace rattleback
