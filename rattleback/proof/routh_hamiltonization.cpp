#include <rattleback/proof/routh_hamiltonization.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/motion/bracket.hpp>
#include <rattleback/motion/kinematics.hpp>

namespace rattleback {
namespace {

std::vector<int> others(const ChaplyginBundle& b, const std::vector<int>& cyclic) {
  std::vector<int> rest;
  for (int a = 0; a < b.dimension(); ++a) {
    if (std::find(cyclic.begin(), cyclic.end(), a) == cyclic.end()) rest.push_back(a);
  }
  return rest;
}

/// q when z^α = q̇.
std::optional<Symbol> base_coordinate(const ChaplyginBundle& b, int alpha) {
  for (const Symbol q : b.system.space.functions()) {
    if (b.D.speeds[static_cast<std::size_t>(alpha)].name() == q.name() + "'") return q;
  }
  return std::nullopt;
}

bool has_coordinates(const ChaplyginBundle& b) {
  for (int a = 0; a < b.dimension(); ++a) {
    if (!base_coordinate(b, a)) return false;
  }
  return b.c.all_zero();
}

/// Λ_αβ z^β.
Expr gyroscopic_force(const ChaplyginBundle& b, int alpha) {
  std::vector<Expr> terms{Expr(0)};
  for (int beta = 0; beta < b.dimension(); ++beta)
    terms.push_back(b.lambda(alpha, beta) * b.D.speeds[static_cast<std::size_t>(beta)]);
  return sum(terms);
}

/// v̇^i from p_i = μ_i.
SymbolMap cyclic_velocities(const ChaplyginBundle& b, const std::vector<int>& cyclic,
                            const std::vector<Symbol>& mu) {
  std::vector<Symbol> v;
  for (const int i : cyclic) v.push_back(b.D.speeds[static_cast<std::size_t>(i)]);
  const std::vector<Expr> p = gradient(b.lagrangian, v);
  SymbolMap rest;
  for (const Symbol s : v) rest.emplace(s, Expr(0));
  Matrix right(static_cast<int>(v.size()), 1);
  for (int i = 0; i < right.rows(); ++i)
    right[i] = Expr(mu[static_cast<std::size_t>(i)]) - substitute(p[static_cast<std::size_t>(i)], rest);
  const auto solved = unique_solution(jacobian(p, v), right);
  if (!solved) {
    throw Error("form-does-not-apply", "the momenta do not determine the cyclic velocities",
                "the block of cyclic velocities of the metric is singular", "fix fewer momenta");
  }
  SymbolMap velocities;
  for (int i = 0; i < right.rows(); ++i)
    velocities.emplace(v[static_cast<std::size_t>(i)], short_form(solved->x[i]));
  return velocities;
}

/// Λ'_ab with Λ'_ab ẇ^b = Φ_a for a force that does no work: a third of the antisymmetrised slopes of its quadratic part, half
/// of those of its linear part.
Matrix effective_form(const std::vector<Expr>& force, const std::vector<Symbol>& w) {
  SymbolMap rest;
  for (const Symbol s : w) rest.emplace(s, Expr(0));
  const Matrix slopes = jacobian(force, w);
  const Matrix linear = substitute(slopes, rest);
  const int m = slopes.rows();
  Matrix lambda(m, m);
  for (int a = 0; a < m; ++a) {
    for (int b = a + 1; b < m; ++b) {
      const Expr quadratic = slopes(a, b) - linear(a, b) - slopes(b, a) + linear(b, a);
      lambda(a, b) = short_form(quadratic / 3 + (linear(a, b) - linear(b, a)) / 2);
      lambda(b, a) = -lambda(a, b);
    }
  }
  return lambda;
}

/// K'^e_ab = −G'^ed ∂Λ'_ab/∂ẇ^d.
StructureCoefficients effective_K(const Matrix& metric, const Matrix& lambda, const std::vector<Symbol>& w) {
  const int m = metric.rows();
  StructureCoefficients K(m);
  for (int a = 0; a < m; ++a) {
    for (int b = a + 1; b < m; ++b) {
      const std::vector<Expr> slopes = gradient(lambda(a, b), w);
      const auto raised = unique_solution(metric, Matrix::column(slopes));
      if (!raised) throw Bug("the metric of a Routhian is singular");
      for (int e = 0; e < m; ++e) K.set(a, b, e, short_form(-raised->x[e]));
    }
  }
  return K;
}

/// The w-system as an unconstrained Chaplygin system over a chart.
ChaplyginBundle shape_system(const ChaplyginBundle& b, const std::vector<int>& w_at, Expr routhian,
                             const std::vector<Expr>& force) {
  std::vector<Symbol> coordinates, w;
  for (const int a : w_at) {
    coordinates.push_back(*base_coordinate(b, a));
    w.push_back(b.D.speeds[static_cast<std::size_t>(a)]);
  }
  System system = b.system;
  system.space = Space::chart(coordinates);
  system.constraints.clear();
  system.velocities.clear();
  system.parametrization.reset();
  system.symmetries.clear();
  system.forces.clear();
  SymbolMap own;  // the chart has velocities of its own name
  for (std::size_t a = 0; a < w.size(); ++a) own.emplace(w[a], Expr(system.space.velocities()[a]));
  system.lagrangian = substitute(routhian, own);
  const std::vector<Symbol> speeds(system.space.velocities().begin(), system.space.velocities().end());
  std::vector<VectorField> legs;
  for (int a = 0; a < system.space.dimension(); ++a) legs.push_back(VectorField::leg(system.space, a));
  Matrix metric = jacobian(gradient(system.lagrangian, speeds), speeds);
  for (Expr& e : metric.entries()) e = short_form(e);
  const Matrix lambda = effective_form(substitute(force, own), speeds);
  Admissible D = admissible_velocities(system);
  const int m = metric.rows();
  const Expr ell = system.lagrangian;
  return {std::move(system),
          std::move(D),
          Frame(legs),
          Matrix(m, 0),
          b.group,
          ell,
          metric,
          StructureCoefficients(m),
          effective_K(metric, lambda, speeds),
          lambda,
          b.where};
}

/// ṗ_a = ∂R/∂w^a + Φ_a and ṗ_i = 0 along the constrained motion, in its momenta.
Verdict reduces(const ChaplyginBundle& b, const RouthReduction& r, const std::vector<int>& w_at) {
  const ConstrainedBracket constrained = constrained_bracket(b.system, b.D);
  const VectorField V = motion(constrained);
  const int n = b.system.space.dimension();
  SymbolMap in_momenta;
  for (std::size_t i = 0; i < r.cyclic.size(); ++i)
    in_momenta.emplace(r.mu[i], Expr(constrained.momenta[static_cast<std::size_t>(r.cyclic[i])]));
  for (const int a : w_at)
    in_momenta.emplace(b.D.speeds[static_cast<std::size_t>(a)],
                       constrained.speeds[static_cast<std::size_t>(a)]);
  std::vector<Expr> residuals;
  for (const int i : r.cyclic) residuals.push_back(V[n + i]);
  for (std::size_t k = 0; k < w_at.size(); ++k)
    residuals.push_back(V[n + w_at[k]] - substitute(b.frame[w_at[k]](r.routhian) + r.force[k], in_momenta));
  return is_zero(residuals);
}

}  // namespace

std::vector<int> cyclic_coordinates(const ChaplyginBundle& b) {
  std::vector<int> cyclic;
  if (!has_coordinates(b)) return cyclic;
  for (int i = 0; i < b.dimension(); ++i) {
    const VectorField& X = b.frame[i];
    const auto still = [&](Expr e) { return vanishes_at_random_points(X(e)); };
    const bool unnoticed =
        still(b.lagrangian) && std::all_of(b.lambda.entries().begin(), b.lambda.entries().end(), still);
    if (unnoticed && vanishes_at_random_points(gyroscopic_force(b, i))) cyclic.push_back(i);
  }
  return cyclic;
}

RouthReduction routh_reduction(const ChaplyginBundle& b, const std::vector<int>& cyclic) {
  if (!has_coordinates(b)) {
    throw Error("form-does-not-apply", "Routh's reduction is made in coordinates of the base",
                "the base of the reduction has no coordinates", "write the rotations in Euler angles");
  }
  const std::vector<int> w_at = others(b, cyclic);
  std::vector<Symbol> mu;
  for (const int i : cyclic) {
    const Symbol v = b.D.speeds[static_cast<std::size_t>(i)];
    mu.push_back(Symbol::make("mu_" + momentum_of(v).name().substr(2), {.role = Role::momentum}));
  }
  const SymbolMap velocities = cyclic_velocities(b, cyclic, mu);
  std::vector<Expr> terms{b.lagrangian};
  for (std::size_t i = 0; i < cyclic.size(); ++i)
    terms.push_back(-Expr(mu[i]) * b.D.speeds[static_cast<std::size_t>(cyclic[i])]);
  const Expr routhian = short_form(substitute(sum(terms), velocities));
  std::vector<Expr> force;
  for (const int a : w_at) force.push_back(short_form(substitute(gyroscopic_force(b, a), velocities)));
  RouthReduction r{cyclic, mu, routhian, force, shape_system(b, w_at, routhian, force), Verdict()};
  r.reduces = reduces(b, r, w_at);
  return r;
}

namespace {

/// d/dt(f p_a)/f = {P_a, H} with H(w, P) = h(w, P/f): free of f itself when written with σ.
Verdict moves_as_constrained(const ChaplyginBundle& b, const RouthReduction& r, const ChaplyginMultiplier& x,
                             const RouthHamiltonian& h, const ConstrainedBracket& constrained) {
  const std::vector<int> w_at = others(b, r.cyclic);
  const VectorField V = motion(constrained);
  const int n = b.system.space.dimension(), m = static_cast<int>(w_at.size());
  const auto p = [&](int a) {
    return Expr(constrained.momenta[static_cast<std::size_t>(w_at[static_cast<std::size_t>(a)])]);
  };
  const auto speed = [&](int a) {
    return constrained.speeds[static_cast<std::size_t>(w_at[static_cast<std::size_t>(a)])];
  };
  Expr sigma_w = 0, p_w = 0;
  for (int a = 0; a < m; ++a) {
    sigma_w += x.sigma[static_cast<std::size_t>(a)] * speed(a);
    p_w += p(a) * speed(a);
  }
  SymbolMap named;
  for (std::size_t i = 0; i < r.cyclic.size(); ++i)
    named.emplace(r.mu[i], Expr(constrained.momenta[static_cast<std::size_t>(r.cyclic[i])]));
  std::vector<Expr> residuals;
  for (int a = 0; a < m; ++a) {
    const int at = w_at[static_cast<std::size_t>(a)];
    std::vector<Expr> terms{V[n + at], sigma_w * p(a), b.frame[at](constrained.hamiltonian),
                            -x.sigma[static_cast<std::size_t>(a)] * p_w};
    for (int c = 0; c < m; ++c) terms.push_back(-substitute(h.brackets(a, c) / *x.f, named) * speed(c));
    residuals.push_back(sum(terms));
  }
  return is_zero(residuals);
}

}  // namespace

RouthHamiltonian routh_hamiltonian(const ChaplyginBundle& b, const RouthReduction& r,
                                   const ChaplyginMultiplier& x) {
  const std::vector<int> w_at = others(b, r.cyclic);
  const ConstrainedBracket constrained = constrained_bracket(b.system, b.D);
  RouthHamiltonian h;
  SymbolMap fixed, rest;
  for (std::size_t i = 0; i < r.cyclic.size(); ++i)
    fixed.emplace(constrained.momenta[static_cast<std::size_t>(r.cyclic[i])], Expr(r.mu[i]));
  for (const int a : w_at) {
    const Symbol p = constrained.momenta[static_cast<std::size_t>(a)];
    h.momenta.push_back(Symbol::make("P" + p.name().substr(1), p.attributes()));
    fixed.emplace(p, Expr(h.momenta.back()) / *x.f);
  }
  h.hamiltonian = short_form(substitute(constrained.hamiltonian, fixed));
  const std::vector<Symbol>& speeds = r.shape.D.speeds;
  for (const Symbol s : speeds) rest.emplace(s, Expr(0));
  const std::vector<Expr> linear = substitute(gradient(r.shape.lagrangian, speeds), rest);
  const int m = r.shape.dimension();
  h.brackets = Matrix(m, m);
  for (int a = 0; a < m; ++a) {
    for (int c = 0; c < m; ++c) {
      const auto at = static_cast<std::size_t>(a), ct = static_cast<std::size_t>(c);
      const Expr over_f = short_form(substitute(r.shape.lambda(a, c), rest) + x.sigma[ct] * linear[at] -
                                     x.sigma[at] * linear[ct]);
      h.brackets(a, c) = *x.f * over_f;  // its short form, with the root of f multiplied out, is long
    }
  }
  h.motion = moves_as_constrained(b, r, x, h, constrained);
  return h;
}

}  // namespace rattleback
