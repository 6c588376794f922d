#include <rattleback/motion/forms/suslov.hpp>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/equations/momentum_name.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/equations/solved_equations.hpp>
#include <rattleback/motion/symmetry/body_axes.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>

namespace rattleback {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Inapplicable("form-does-not-apply", "this is not a left-invariant system on a Lie group", why,
                     "use `reduced` when a smaller group acts, otherwise `hamel`");
}

bool is_constant(const Space& space, Expr e) {
  for (int i = 0; i < space.dimension(); ++i) {
    if (!vanishes_at_random_points(space.derivative(i, e))) return false;
  }
  return true;
}

/// Why the frame of the space is not a left-invariant frame of this system; empty when it is.
std::string obstacle(const System& system) {
  const Space& space = system.space;
  if (!is_constant(space, system.lagrangian)) return "the Lagrangian depends on the configuration";
  for (const Expr q : system.forces) {
    if (!is_constant(space, q)) return "a force depends on the configuration";
  }
  for (int a = 0; a < space.dimension(); ++a) {
    for (int b = a + 1; b < space.dimension(); ++b) {
      for (int d = 0; d < space.dimension(); ++d) {
        if (!is_constant(space, space.c()(a, b, d))) return "the frame is not that of a group";
      }
    }
  }
  return {};
}

/// An invariant function without the configuration: short forms lose what cancels.
Expr without_configuration(const Space& space, Expr e) {
  const Expr s = short_form(e);
  const auto functions = space.functions();
  const bool clean =
      std::none_of(functions.begin(), functions.end(), [&](Symbol q) { return contains(s, q); });
  return clean ? s : e;
}

/// v^i = ξ^a: the leg Z_a is the model's own, and no other leg moves that way.
bool is_own(const System& system, const std::vector<VectorField>& Z, std::size_t a, int i) {
  if (Z[a].coefficients() != VectorField::leg(system.space, i).coefficients()) return false;
  for (std::size_t b = 0; b < Z.size(); ++b) {
    if (b != a && !Z[b][i].is_zero()) return false;
  }
  return true;
}

/// Names for the velocities of an invariant frame: the model's where they are the model's, otherwise xi1, xi2, ….
std::vector<Symbol> names_for(const System& system, const std::vector<VectorField>& Z) {
  std::vector<Symbol> names;
  int invented = 0;
  for (std::size_t a = 0; a < Z.size(); ++a) {
    std::optional<Symbol> own;
    for (int i = 0; i < system.space.dimension(); ++i) {
      if (is_own(system, Z, a, i)) own = system.space.velocities()[static_cast<std::size_t>(i)];
    }
    if (!own) {
      ++invented;
      own =
          invented_symbol(system, fmt::format("xi{}", invented), {.role = Role::velocity, .order = invented});
    }
    names.push_back(*own);
  }
  return names;
}

/// Choices of so many found generators are tried as groups.
constexpr std::size_t most_subgroups = search_limits::transitive_subgroups.count;

/// The first subsets {i_1 < … < i_k} of 0 … n − 1 in lexicographic order, most_subgroups at most: there are binomially many.
std::vector<std::vector<std::size_t>> first_subsets(std::size_t n, std::size_t k) {
  std::vector<std::vector<std::size_t>> all;
  if (k > n) return all;
  std::vector<std::size_t> chosen(k);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  while (all.size() < most_subgroups) {
    all.push_back(chosen);
    std::size_t last = k;  // one past the last index that can still grow
    while (last > 0 && chosen[last - 1] == n - k + last - 1) --last;
    if (last == 0) break;
    ++chosen[last - 1];
    for (std::size_t j = last; j < k; ++j) chosen[j] = chosen[j - 1] + 1;
  }
  return all;
}

/// Subgroups of the symmetry group that act simply transitively: the groups of the model first, then what is spanned by
/// generators that were found.
std::vector<std::vector<VectorField>> transitive_groups(const System& system) {
  std::vector<std::vector<VectorField>> all;
  const auto consider = [&](const std::vector<Generator>& generators) {
    std::vector<VectorField> eta;
    for (const Generator& g : generators) eta.push_back(g.field);
    if (static_cast<int>(eta.size()) == system.space.dimension() &&
        rank(as_columns(system.space, eta)) == system.space.dimension())
      all.push_back(std::move(eta));
  };
  for (const Symmetry& s : system.symmetries) {
    const bool holds = std::all_of(s.generators.begin(), s.generators.end(), [&](const Generator& g) {
      return proved(is_symmetry(system, g.field, for_a_derivation));
    });
    if (holds) consider(s.generators);
  }
  if (all.empty()) {
    const std::vector<Generator> found = found_symmetries(system, for_a_derivation).generators;
    for (const auto& choice :
         first_subsets(found.size(), static_cast<std::size_t>(system.space.dimension()))) {
      std::vector<Generator> some;
      for (const std::size_t g : choice) some.push_back(found[g]);
      if (some.size() == found.size() || algebra_of(system, "", some, for_a_derivation).is_closed)
        consider(some);
    }
  }
  return all;
}

/// The system in a left-invariant frame.
BodyAxes on_group(const System& system) {
  const std::string why = obstacle(system);
  if (why.empty() && !system.space.c().all_zero())
    return {system, Matrix::identity(system.space.dimension())};
  System implicit = system;  // a parametrisation is written in velocities that are given up
  if (!system.constraints.empty()) implicit.parametrization.reset();
  for (const std::vector<VectorField>& eta : transitive_groups(system)) {
    const auto Z = invariant_frame(system, eta, {});
    if (!Z || implicit.parametrization) continue;
    System other = in_frame(implicit, Frame(*Z), names_for(system, *Z));
    if (!other.space.c().all_zero() && obstacle(other).empty())
      return {std::move(other), as_columns(system.space, *Z)};
  }
  refuse(why.empty() ? "the space has no group but translations"
                     : why + ", and no symmetry acts simply transitively");
}

LieAlgebra algebra_on(const Space& space) {
  StructureCoefficients c(space.dimension());
  std::vector<std::string> basis;
  for (int a = 0; a < c.dimension(); ++a) {
    basis.push_back(fmt::format("e{}", a + 1));
    for (int b = a + 1; b < c.dimension(); ++b) {
      for (int d = 0; d < c.dimension(); ++d)
        c.set(a, b, d, without_configuration(space, space.c()(a, b, d)));
    }
  }
  return {basis, c};
}

/// A frame of the constraint with constant coefficients.
Admissible constant_velocities(const System& system) {
  const auto constant = [&](const Admissible& D) {
    const auto fixed = [&](Expr e) { return is_constant(system.space, e); };
    return std::all_of(D.psi.entries().begin(), D.psi.entries().end(), fixed) &&
           std::all_of(D.drift.entries().begin(), D.drift.entries().end(), fixed);
  };
  System bare = system;
  bare.velocities.clear();
  for (const System* s : {&system, static_cast<const System*>(&bare)}) {
    Admissible D = linear_velocities(*s);
    if (!constant(D)) continue;
    for (Expr& e : D.psi.entries()) e = without_configuration(system.space, e);
    for (Expr& e : D.drift.entries()) e = without_configuration(system.space, e);
    return D;
  }
  refuse("the constraints depend on the configuration");
}

std::vector<Expr> as_expressions(std::span<const Symbol> symbols) { return {symbols.begin(), symbols.end()}; }

Step algebra_step(const EulerPoincareSuslov& e) {
  Step step{"The Lie algebra", fmt::format("{}; brackets not listed vanish", recognised_name(e.algebra)), {}};
  const auto xi = e.system.space.velocities();
  const int n = e.algebra.dimension();
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      std::vector<Expr> terms{Expr(0)};
      for (int d = 0; d < n; ++d) {
        const Expr leg = Symbol::make("e_" + xi[static_cast<std::size_t>(d)].name(), {.order = d});
        if (!e.algebra.c(a, b, d).is_zero()) terms.push_back(e.algebra.c(a, b, d) * leg);
      }
      if (terms.size() > 1)
        step.lines.push_back({fmt::format("[e_{}, e_{}]", xi[static_cast<std::size_t>(a)].name(),
                                          xi[static_cast<std::size_t>(b)].name()),
                              sum(terms)});
    }
  }
  return step;
}

/// What the program calls xi1, xi2, …: the velocities of the model in the invariant frame.
Step frame_step(const System& system, const EulerPoincareSuslov& e) {
  Step step{"Velocities in an invariant frame", "v = xi^a e_a", {}};
  const Matrix v = e.frame * Matrix::column(as_expressions(e.system.space.velocities()));
  for (int i = 0; i < v.rows(); ++i) {
    const Symbol velocity = system.space.velocities()[static_cast<std::size_t>(i)];
    if (const Expr e_i = short_form(v[i]); e_i != Expr(velocity))
      step.lines.push_back({velocity.name(), e_i});
  }
  return step;
}

Step momentum_step(const EulerPoincareSuslov& e) {
  Step step{"Momenta", "p = dl/dxi", {{"l", e.lagrangian}}};
  const auto xi = e.system.space.velocities();
  const std::vector<Expr> p = gradient(e.lagrangian, xi);
  for (std::size_t a = 0; a < p.size(); ++a)
    step.lines.push_back({momentum_of(e.system, xi[a]).name(), p[a]});
  return step;
}

/// ṗ_b with p, ξ and λ as letters: the multiplier is not eliminated.
Step suslov_step(const EulerPoincareSuslov& e) {
  const auto xi = e.system.space.velocities();
  std::vector<Expr> p;
  for (const Symbol s : xi) p.emplace_back(momentum_of(e.system, s));
  std::vector<Expr> rates = coadjoint_torque(e.algebra, as_expressions(xi), p);
  const bool free = e.constraints.rows() == 0;
  for (std::size_t b = 0; b < rates.size(); ++b) {
    std::vector<Expr> terms{rates[b], b < e.system.forces.size() ? e.system.forces[b] : Expr(0)};
    for (int s = 0; s < e.constraints.rows(); ++s)
      terms.push_back(Symbol::make(fmt::format("lambda{}", s + 1), {.role = Role::multiplier, .order = s}) *
                      e.constraints(s, static_cast<int>(b)));
    rates[b] = sum(terms);
  }
  Step step{free ? "Euler-Poincare equations, in momentum form"
                 : "Euler-Poincare-Suslov equations, in momentum form",
            free ? "p' = ad*_xi p" : "p' = ad*_xi p + lambda a",
            {}};
  for (std::size_t b = 0; b < rates.size(); ++b)
    step.lines.push_back({momentum_of(e.system, xi[b]).name() + "'", rates[b]});
  for (int s = 0; s < e.constraints.rows(); ++s)
    step.lines.push_back({fmt::format("a{}(xi)", s + 1),
                          dot(transpose(e.constraints.row(s)), Matrix::column(as_expressions(xi)))});
  return step;
}

/// {p_a, p_b} = −C_ab^c p_c: for an unconstrained system the momentum form is Hamiltonian.
Step lie_poisson_step(const EulerPoincareSuslov& e) {
  Step step{"Lie-Poisson brackets", "p' = {p, H} with H = p xi - l; those not listed vanish", {}};
  const auto xi = e.system.space.velocities();
  for (int a = 0; a < e.algebra.dimension(); ++a) {
    for (int b = a + 1; b < e.algebra.dimension(); ++b) {
      std::vector<Expr> terms{Expr(0)};
      for (int d = 0; d < e.algebra.dimension(); ++d)
        terms.push_back(-e.algebra.c(a, b, d) * momentum_of(e.system, xi[static_cast<std::size_t>(d)]));
      const Expr value = sum(terms);
      if (!value.is_zero())
        step.lines.push_back(
            {fmt::format("{{{}, {}}}", momentum_of(e.system, xi[static_cast<std::size_t>(a)]).name(),
                         momentum_of(e.system, xi[static_cast<std::size_t>(b)]).name()),
             value});
    }
  }
  return step;
}

}  // namespace

std::vector<Expr> coadjoint_torque(const LieAlgebra& g, std::span<const Expr> xi, std::span<const Expr> p) {
  std::vector<Expr> torque;
  for (int b = 0; b < g.dimension(); ++b) {
    std::vector<Expr> terms{Expr(0)};
    for (int a = 0; a < g.dimension(); ++a) {
      for (int d = 0; d < g.dimension(); ++d) {
        if (!g.c(a, b, d).is_zero())
          terms.push_back(g.c(a, b, d) * xi[static_cast<std::size_t>(a)] * p[static_cast<std::size_t>(d)]);
      }
    }
    torque.push_back(sum(terms));
  }
  return torque;
}

EulerPoincareSuslov euler_poincare_suslov(const System& system) {
  BodyAxes group = on_group(system);
  Admissible D = constant_velocities(group.system);
  Matrix A =
      D.rank() == D.space.dimension() ? Matrix(0, D.space.dimension()) : transpose(left_kernel(D.psi).basis);
  const Expr l = without_configuration(group.system.space, group.system.lagrangian);
  LieAlgebra g = algebra_on(group.system.space);
  return {std::move(group.system), std::move(group.frame), std::move(g), l, std::move(A), std::move(D)};
}

EquationsOfMotion suslov_equations(const System& system) {
  const EulerPoincareSuslov e = euler_poincare_suslov(system);
  const Admissible& D = e.D;
  const SymbolMap psi = D.substitution();
  const auto xi = e.system.space.velocities();
  const std::vector<Expr> p = substitute(gradient(e.lagrangian, xi), psi), Q = forces_on(e.system, psi);
  const std::vector<Expr> torque = coadjoint_torque(e.algebra, D.velocity().coefficients(), p);
  Matrix right(D.rank(), 1), G = transpose(D.psi) * jacobian(p, D.speeds);
  for (Expr& g : G.entries()) g = short_form(g);
  std::vector<Expr> rates;
  for (std::size_t b = 0; b < p.size(); ++b)
    rates.push_back(torque[b] + without_configuration(e.system.space, Q[b]) - derivative(p[b], system.time));
  for (int a = 0; a < D.rank(); ++a) right[a] = dot(D.psi.column(a), Matrix::column(rates));
  Admissible in_model = D;
  in_model.space = system.space;
  in_model.psi = e.frame * D.psi;
  in_model.drift = e.frame * D.drift;
  for (Expr& entry : in_model.psi.entries()) entry = short_form(entry);
  if (!(e.frame == Matrix::identity(e.frame.rows()))) {
    const auto back = solve(e.frame, Matrix::column(as_expressions(system.space.velocities())));
    SymbolMap definitions;
    for (int a = 0; a < e.frame.columns(); ++a)
      definitions.emplace(xi[static_cast<std::size_t>(a)], short_form(back->x[a]));
    in_model.definitions = substitute(D.definitions, definitions);
  }
  EquationsOfMotion equations =
      solved_equations(kinematics(system, in_model, "suslov"), system, in_model, G, right);
  if (!system.constraints.empty()) {
    Reactions reactions = reactions_along(system, equations);
    equations.multipliers = std::move(reactions.multipliers);
    equations.reactions = std::move(reactions.reactions);
  }
  const Step frame = frame_step(system, e);
  equations.steps = Steps([=] {
    std::vector<Step> steps{algebra_step(e), momentum_step(e), suslov_step(e)};
    if (!frame.lines.empty()) steps.insert(steps.begin(), frame);
    if (e.constraints.rows() == 0) steps.push_back(lie_poisson_step(e));
    return steps;
  });
  return equations;
}

}  // namespace rattleback
