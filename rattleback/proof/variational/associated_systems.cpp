#include <rattleback/proof/variational/associated_systems.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/fields/content.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/exponential_integral.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/proof/variational/conditionally_variational.hpp>

namespace rattleback {
namespace {

/// A fibre coordinate, its velocity, and the constraint ṡ^a = −A^a_α ṙ^α.
struct Fibre {
  Symbol s, velocity;
  Expr rate;
};

struct Coordinates {
  std::vector<Symbol> q, v;  ///< of all legs
  std::vector<int> base, fibre;
  std::vector<Fibre> constrained;
};

Coordinates coordinates(const Chaplygin& c) {
  const Space& Q = c.system.space;
  const Connection& w = c.form.constraints.connection;
  Coordinates x;
  for (int i = 0; i < Q.dimension(); ++i) {
    const auto q = Q.coordinate(i);
    if (!q) {
      throw Inapplicable("form-does-not-apply", "associated second-order systems are written in coordinates",
                         "the reduction uses a frame that is not one of coordinates",
                         "ask it of an abelian Chaplygin system");
    }
    x.q.push_back(*q);
    x.v.push_back(Q.velocities()[static_cast<std::size_t>(i)]);
  }
  x.base = w.base();
  x.fibre = w.fibre();
  for (std::size_t a = 0; a < x.fibre.size(); ++a) {
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t al = 0; al < x.base.size(); ++al)
      terms.push_back(-w.A(static_cast<int>(a), static_cast<int>(al)) *
                      x.v[static_cast<std::size_t>(x.base[al])]);
    const auto at = static_cast<std::size_t>(x.fibre[a]);
    x.constrained.push_back({x.q[at], x.v[at], sum(terms)});
  }
  return x;
}

/// r̈^α of the reduced motion, in the base velocities.
std::vector<Expr> base_accelerations(const Chaplygin& c) {
  const std::vector<Symbol> v = c.form.constraints.base_velocities();
  const std::vector<Expr> p = gradient(c.form.lagrangian, v);
  const Admissible D = c.form.constraints.admissible();
  const Matrix Q = Matrix::column(forces_on(c.system, D.substitution()));
  SymbolMap ahead;
  for (std::size_t a = 0; a < v.size(); ++a)
    ahead.emplace(*c.system.space.coordinate(c.form.constraints.connection.base()[a]), Expr(v[a]));
  const std::vector<Expr> drift = derivative_along(p, ahead);
  Matrix right(static_cast<int>(v.size()), 1);
  for (int a = 0; a < right.rows(); ++a) {
    const int leg = c.form.constraints.connection.base()[static_cast<std::size_t>(a)];
    std::vector<Expr> terms{c.system.space.derivative(leg, c.form.lagrangian), dot(Q, D.psi.column(a)),
                            -drift[static_cast<std::size_t>(a)]};
    for (int b = 0; b < right.rows(); ++b) terms.push_back(c.lambda(a, b) * v[static_cast<std::size_t>(b)]);
    right[a] = sum(terms);
  }
  const auto solved = unique_solution(c.metric, right);
  if (!solved)
    throw Inapplicable("form-does-not-apply", "the reduced kinetic energy is degenerate",
                       "the metric on the base is singular", "give other parameter values with --set");
  std::vector<Expr> f;
  for (const Expr e : solved->x.entries()) f.push_back(short_form(e));
  return f;
}

AssociatedSystem first_type(const Chaplygin& c, const Coordinates& x) {
  SecondOrderSystem s{x.q, x.v, std::vector<Expr>(x.q.size()), c.system.time};
  const std::vector<Expr> f = base_accelerations(c);
  for (std::size_t a = 0; a < x.base.size(); ++a) s.f[static_cast<std::size_t>(x.base[a])] = f[a];
  const SymbolMap ahead =
      s.gamma();  // the fibre accelerations are still 0, and no rate contains fibre velocities
  for (std::size_t a = 0; a < x.fibre.size(); ++a)
    s.f[static_cast<std::size_t>(x.fibre[a])] = short_form(derivative_along(x.constrained[a].rate, ahead));
  return {"I", std::move(s), Verdict(), std::nullopt};
}

/// s̈^a = ṙ^β g(r, ṙ) becomes −(ṡ^a/A^a_β) g, where A^a has the one entry A^a_β.
std::optional<AssociatedSystem> second_type(const Chaplygin& c, const Coordinates& x,
                                            const AssociatedSystem& first) {
  AssociatedSystem second{"II", first.equations, Verdict(), std::nullopt};
  const Connection& w = c.form.constraints.connection;
  for (int a = 0; a < static_cast<int>(x.fibre.size()); ++a) {
    int entry = -1, entries = 0;
    for (int al = 0; al < static_cast<int>(x.base.size()); ++al) {
      if (vanishes_at_random_points(w.A(a, al))) continue;
      entry = al;
      ++entries;
    }
    if (entries != 1) return std::nullopt;
    const Symbol r = x.v[static_cast<std::size_t>(x.base[static_cast<std::size_t>(entry)])];
    Expr& f = second.equations.f[static_cast<std::size_t>(x.fibre[static_cast<std::size_t>(a)])];
    if (!vanishes_at_random_points(substitute(f, {{r, Expr(0)}}))) return std::nullopt;
    const Fibre& fibre = x.constrained[static_cast<std::size_t>(a)];
    f = short_form(f / Expr(r) * (-Expr(fibre.velocity) / w.A(a, entry)));
  }
  return second;
}

std::optional<AssociatedSystem> third_type(const Chaplygin& c, const Coordinates& x) {
  const VariationalLagrangian larger = variational_lagrangian(c);
  const LagrangeEquations equations = lagrange_equations(c.system, larger.lagrangian, c.system.forces);
  const auto solved = unique_solution(equations.mass, equations.force);
  if (!solved) return std::nullopt;
  AssociatedSystem third{"III", {x.q, x.v, {}, c.system.time}, larger.restricts, larger.lagrangian};
  for (const Expr e : solved->x.entries()) third.equations.f.push_back(short_form(e));
  return third;
}

/// On the constraint the accelerations are those of the first type, which are the nonholonomic ones by construction.
Verdict agrees_on_constraint(const Coordinates& x, const AssociatedSystem& s, const AssociatedSystem& first) {
  SymbolMap on;
  for (const Fibre& f : x.constrained) on.emplace(f.velocity, f.rate);
  std::vector<Expr> residuals;
  for (std::size_t i = 0; i < x.q.size(); ++i)
    residuals.push_back(substitute(s.equations.f[i] - first.equations.f[i], on));
  return is_zero(residuals);
}

}  // namespace

std::vector<AssociatedSystem> associated_systems(const Chaplygin& c) {
  const Coordinates x = coordinates(c);
  std::vector<AssociatedSystem> all{first_type(c, x)};
  if (auto second = second_type(c, x, all[0])) all.push_back(std::move(*second));
  if (auto third = third_type(c, x)) all.push_back(std::move(*third));
  for (AssociatedSystem& s : all) s.restricts = agrees_on_constraint(x, s, all[0]);
  return all;
}

SecondOrderSystem free_second_order_system(const System& system) {
  const auto refuse = [](const char* why) {
    throw Inapplicable("form-does-not-apply", "there are no second-order equations in coordinates", why,
                       "write the model in coordinates, without explicit time");
  };
  SecondOrderSystem s;
  s.time = system.time;
  for (int i = 0; i < system.space.dimension(); ++i) {
    const auto q = system.space.coordinate(i);
    if (!q) refuse("the space has velocities that are no rates of coordinates");
    s.q.push_back(*q);
    s.v.push_back(system.space.velocities()[static_cast<std::size_t>(i)]);
  }
  const LagrangeEquations equations = lagrange_equations(system);
  const auto solved = unique_solution(equations.mass, equations.force);
  if (!solved) refuse("the Lagrangian is not regular");
  for (const Expr e : solved->x.entries()) {
    if (contains(e, system.time)) refuse("the equations depend on time");
    s.f.push_back(short_form(e));
  }
  return s;
}

namespace {

/// Ξ_a, when q̈_a = Ξ_a(q_1) q̇_1 q̇_a.
std::optional<Expr> rate_of_scale(const SecondOrderSystem& s, int clock, int a) {
  const auto cl = static_cast<std::size_t>(clock), at = static_cast<std::size_t>(a);
  const Expr xi = short_form(s.f[at] / (Expr(s.v[cl]) * Expr(s.v[at])));
  for (std::size_t i = 0; i < s.q.size(); ++i) {
    if (!vanishes_at_random_points(derivative(xi, s.v[i]))) return std::nullopt;
    if (i != cl && !vanishes_at_random_points(derivative(xi, s.q[i]))) return std::nullopt;
  }
  return xi;
}

/// e^{ξ_a}.
std::optional<Expr> scale(const SecondOrderSystem& s, int clock, int a, const std::vector<Expr>& hints) {
  const auto xi = rate_of_scale(s, clock, a);
  if (!xi) return std::nullopt;
  const Space line = Space::chart(std::vector<Symbol>{s.q[static_cast<std::size_t>(clock)]});
  const auto scale = exponential_integral(OneForm(line, {*xi}), hints);
  return scale ? std::optional(short_form(*scale)) : std::nullopt;
}

}  // namespace

std::optional<DecoupledLagrangian> decoupled_lagrangian(const SecondOrderSystem& s, const SymbolMap& inertias,
                                                        const std::vector<Expr>& hints) {
  for (int clock = 0; clock < s.dimension(); ++clock) {
    if (!vanishes_at_random_points(s.f[static_cast<std::size_t>(clock)])) continue;
    DecoupledLagrangian L;
    L.clock = clock;
    bool fits = true;
    for (int a = 0; a < s.dimension() && fits; ++a) {
      if (a == clock) continue;
      const auto e = scale(s, clock, a, hints);
      fits = e.has_value();
      if (!fits) break;
      L.others.push_back(a);
      L.scales.push_back(*e);
      L.constants.push_back(
          Symbol::make("C_" + s.q[static_cast<std::size_t>(a)].name(), {.role = Role::parameter}));
    }
    if (!fits) continue;
    const Expr u = s.v[static_cast<std::size_t>(clock)];
    const auto known = inertias.find(s.q[static_cast<std::size_t>(clock)]);
    const Expr inertia = known == inertias.end() ? Expr(1) : known->second;
    std::vector<Expr> rest{Expr(0)}, squares{Expr(0)};
    for (std::size_t k = 0; k < L.others.size(); ++k) {
      const Expr w = s.v[static_cast<std::size_t>(L.others[k])];
      rest.push_back(Expr(L.constants[k]) * pow(w, 2) / (2 * L.scales[k] * u));
    }
    const Expr rho = call(Function::abstract("rho", 1), {u});
    L.family = rho + sum(rest);
    L.lagrangian = inertia * pow(u, 2) / 2 + sum(rest);
    L.is_lagrangian = is_lagrangian(s, L.family);
    for (const Symbol v : s.v) L.momenta.push_back(momentum_of(v));
    for (std::size_t k = 0; k < L.others.size(); ++k) {
      const Expr p = L.momenta[static_cast<std::size_t>(L.others[k])];
      squares.push_back(L.scales[k] * pow(p, 2) / (2 * Expr(L.constants[k])));
    }
    L.hamiltonian = pow(Expr(L.momenta[static_cast<std::size_t>(clock)]) + sum(squares), 2) / (2 * inertia);
    SymbolMap legendre;
    std::vector<Expr> energy{-L.lagrangian};
    const std::vector<Expr> p = gradient(L.lagrangian, s.v);
    for (std::size_t i = 0; i < s.v.size(); ++i) {
      legendre.emplace(L.momenta[i], p[i]);
      energy.push_back(p[i] * s.v[i]);
    }
    L.legendre = are_equal(substitute(L.hamiltonian, legendre), sum(energy));
    return L;
  }
  return std::nullopt;
}

bool decouples(const SecondOrderSystem& s) {
  for (int clock = 0; clock < s.dimension(); ++clock) {
    bool all = vanishes_at_random_points(s.f[static_cast<std::size_t>(clock)]);
    for (int a = 0; a < s.dimension() && all; ++a) all = a == clock || rate_of_scale(s, clock, a).has_value();
    if (all) return true;
  }
  return false;
}

std::vector<Expr> scale_hints(const Chaplygin& c) {
  const Connection& w = c.form.constraints.connection;
  std::vector<Expr> hints{determinant(c.metric)};
  for (int a = 0; a < static_cast<int>(w.fibre().size()); ++a) {
    for (int alpha = 0; alpha < static_cast<int>(w.base().size()); ++alpha) {
      if (!vanishes_at_random_points(w.A(a, alpha))) hints.push_back(w.A(a, alpha));
    }
  }
  return hints;
}

std::vector<Expr> constraint_in_momenta(const Chaplygin& c, const SecondOrderSystem& s,
                                        const DecoupledLagrangian& L) {
  const Coordinates x = coordinates(c);
  SymbolMap over_clock;  // q̇_a/q̇_1 = e^{ξ_a} p_a/C_a
  over_clock.emplace(s.v[static_cast<std::size_t>(L.clock)], Expr(1));
  for (std::size_t k = 0; k < L.others.size(); ++k) {
    const auto at = static_cast<std::size_t>(L.others[k]);
    over_clock.emplace(s.v[at], L.scales[k] * Expr(L.momenta[at]) / Expr(L.constants[k]));
  }
  std::vector<Expr> functions;
  for (const Fibre& f : x.constrained) {
    const Expr slip = substitute(Expr(f.velocity) - f.rate, over_clock);
    SymbolMap rest;
    for (const Symbol p : L.momenta) rest.emplace(p, Expr(0));
    std::vector<Expr> coefficients = gradient(slip, L.momenta);
    coefficients.push_back(substitute(slip, rest));  // of the clock's own velocity
    const Matrix plain = primitive(Matrix::column(coefficients));
    std::vector<Expr> terms{plain[static_cast<int>(L.momenta.size())]};
    for (std::size_t i = 0; i < L.momenta.size(); ++i)
      terms.push_back(plain[static_cast<int>(i)] * Expr(L.momenta[i]));
    functions.push_back(short_form(sum(terms)));
  }
  return functions;
}

SymbolMap constant_inertias(const Chaplygin& c) {
  SymbolMap inertias;
  const auto& base = c.form.constraints.connection.base();
  for (std::size_t a = 0; a < base.size(); ++a) {
    const Expr g = c.metric(static_cast<int>(a), static_cast<int>(a));
    const auto functions = c.system.space.functions();
    if (std::none_of(functions.begin(), functions.end(), [&](Symbol q) { return contains(g, q); }))
      inertias.emplace(*c.system.space.coordinate(base[a]), g);
  }
  return inertias;
}

}  // namespace rattleback
