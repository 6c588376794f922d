#include <rattleback/motion/forms/chaplygin.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/equations/momentum_name.hpp>
#include <rattleback/motion/equations/solved_equations.hpp>
#include <rattleback/motion/symmetry/body_axes.hpp>
#include <rattleback/motion/velocities/degenerate_energy.hpp>

namespace rattleback {
namespace {

/// Why the Lagrangian or a force is not invariant along this leg, with the velocities held; nothing when they are.
std::optional<std::string> change_along(const System& system, int leg) {
  const std::string name = leg_name(system.space, leg);
  if (!vanishes_at_random_points(system.space.derivative(leg, system.lagrangian)))
    return fmt::format("the Lagrangian changes along {}", name);
  for (const Expr q : system.forces) {
    if (!vanishes_at_random_points(system.space.derivative(leg, q)))
      return fmt::format("a force changes along {}", name);
  }
  return std::nullopt;
}

/// Fibre legs have to close among themselves and commute with the base, as the orbits of a group in a product do.
bool is_product(const Space& space, const std::vector<int>& fibre) {
  const auto in_fibre = [&](int i) { return std::find(fibre.begin(), fibre.end(), i) != fibre.end(); };
  for (const int a : fibre) {
    for (int i = 0; i < space.dimension(); ++i) {
      for (int k = 0; k < space.dimension(); ++k) {
        if (!space.c()(a, i, k).is_zero() && !(in_fibre(i) && in_fibre(k))) return false;
      }
    }
  }
  return true;
}

/// Why these fibre legs are not the orbits of a symmetry that D crosses; nothing when they are.
std::optional<std::string> obstacle(const System& system, const std::vector<int>& fibre) {
  if (!is_product(system.space, fibre)) return "the fibre velocities belong to a part of a group only";
  for (const int a : fibre) {
    if (auto why = change_along(system, a)) return why;
  }
  const Splitting s = solved_for(system, fibre);
  const Connection& w = s.connection;
  for (int a = 0; a < s.fibre_dimension(); ++a) {
    const std::string name = leg_name(system.space, w.fibre()[static_cast<std::size_t>(a)]);
    if (!s.c[a].is_zero()) return fmt::format("the constraint on {} is affine, not linear", name);
    for (int alpha = 0; alpha < s.base_dimension(); ++alpha) {
      if (!vanishes_at_random_points(derivative(w.A(a, alpha), system.time)))
        return fmt::format("the constraint on {} depends on time", name);
      for (const int b : fibre) {
        if (vanishes_at_random_points(system.space.derivative(b, w.A(a, alpha)))) continue;
        return fmt::format("the constraint on {} changes along {}", name, leg_name(system.space, b));
      }
    }
  }
  return std::nullopt;
}

Chaplygin reduced(System system, Matrix frame, const std::vector<int>& fibre) {
  Voronets form = voronets(system, solved_for(system, fibre));
  const std::vector<Symbol> v = form.constraints.base_velocities();
  const int m = form.constraints.base_dimension(), k = form.constraints.fibre_dimension();
  const Matrix G = short_form(jacobian(gradient(form.lagrangian, v), v));
  const Matrix M = short_form(jacobian(form.fibre_momenta, v));
  const auto raised = solve(G, transpose(M));  // G^εγ M_aγ
  if (!raised) {
    throw degenerate_energy("the constrained Lagrangian has a singular Hessian");
  }
  StructureCoefficients K(m);
  Matrix lambda(m, m);
  for (int alpha = 0; alpha < m; ++alpha) {
    for (int beta = alpha + 1; beta < m; ++beta) {
      std::vector<Expr> force{Expr(0)};
      for (int a = 0; a < k; ++a)
        force.push_back(form.fibre_momenta[static_cast<std::size_t>(a)] * form.B(a, beta, alpha));
      lambda(alpha, beta) = short_form(sum(force));
      lambda(beta, alpha) = -lambda(alpha, beta);
      for (int e = 0; e < m; ++e) {
        std::vector<Expr> terms{Expr(0)};
        for (int a = 0; a < k; ++a) terms.push_back(raised->x(e, a) * form.B(a, alpha, beta));
        K.set(alpha, beta, e, short_form(sum(terms)));
      }
    }
  }
  return {std::move(system), std::move(frame), std::move(form), G, M, std::move(K), std::move(lambda)};
}

/// c_αβ^γ ṙ^β ∂ℓ_c/∂ṙ^γ, when the base is a group.
Expr base_term(const Chaplygin& c, const std::vector<Expr>& p, const std::vector<Symbol>& v, int alpha) {
  std::vector<Expr> terms{Expr(0)};
  for (std::size_t b = 0; b < v.size(); ++b) {
    for (std::size_t g = 0; g < v.size(); ++g) {
      const Expr k = c.form.base_brackets(alpha, static_cast<int>(b), static_cast<int>(g));
      if (!k.is_zero()) terms.push_back(k * v[b] * p[g]);
    }
  }
  return sum(terms);
}

/// The base part of the velocity, along which reduced functions are differentiated.
VectorField base_velocity(const Chaplygin& c) {
  VectorField V(c.system.space);
  for (const int i : c.form.constraints.connection.base())
    V[i] = c.system.space.velocities()[static_cast<std::size_t>(i)];
  return V;
}

/// The reduced frame of D as a frame in the model's own velocities.
Admissible in_model_velocities(const Chaplygin& c, const Space& space) {
  Admissible D = c.form.constraints.admissible();
  D.psi = short_form(c.frame * D.psi);
  D.drift = c.frame * D.drift;
  D.space = space;
  return D;
}

std::vector<std::string> base_names(const Chaplygin& c) {
  std::vector<std::string> names;
  for (const int i : c.form.constraints.connection.base()) names.push_back(leg_name(c.system.space, i));
  return names;
}

Step metric_step(const Chaplygin& c) {
  Step step{"The reduced metric and K", "K^e_ab = M_ac G^ce B_ab; those not listed vanish", {}};
  const std::vector<std::string> r = base_names(c);
  for (std::size_t a = 0; a < r.size(); ++a) {
    for (std::size_t b = a; b < r.size(); ++b) {
      const Expr g = c.metric(static_cast<int>(a), static_cast<int>(b));
      if (!g.is_zero()) step.lines.push_back({fmt::format("G_{},{}", r[a], r[b]), g});
    }
  }
  for (std::size_t a = 0; a < r.size(); ++a) {
    for (std::size_t b = a + 1; b < r.size(); ++b) {
      for (std::size_t e = 0; e < r.size(); ++e) {
        const Expr k = c.K(static_cast<int>(a), static_cast<int>(b), static_cast<int>(e));
        if (!k.is_zero()) step.lines.push_back({fmt::format("K^{}_{},{}", r[e], r[a], r[b]), k});
      }
    }
  }
  return step;
}

/// {p_α, p_β} = Λ_αβ − c_αβ^γ p_γ with the velocities in the momenta.
Step bracket_step(const Chaplygin& c) {
  const std::vector<Symbol> v = c.form.constraints.base_velocities();
  const std::vector<Expr> p = gradient(c.form.lagrangian, v);
  SymbolMap rest;
  for (const Symbol s : v) rest.emplace(s, Expr(0));
  Matrix shifted(static_cast<int>(v.size()), 1);
  std::vector<Expr> momenta;
  for (std::size_t a = 0; a < v.size(); ++a) {
    momenta.push_back(momentum_of(c.system, v[a]));
    shifted[static_cast<int>(a)] = momenta[a] - substitute(p[a], rest);
  }
  Step step{"Brackets of the reduced momenta", "p = dL_c/dr'; those not listed vanish", {}};
  const auto solved = solve(c.metric, shifted);
  if (!solved) return step;
  SymbolMap in_momenta;
  for (std::size_t a = 0; a < v.size(); ++a) in_momenta.emplace(v[a], solved->x[static_cast<int>(a)]);
  for (int a = 0; a < c.metric.rows(); ++a) {
    for (int b = a + 1; b < c.metric.rows(); ++b) {
      std::vector<Expr> terms{substitute(c.lambda(a, b), in_momenta)};
      for (int g = 0; g < c.metric.rows(); ++g)
        terms.push_back(-c.form.base_brackets(a, b, g) * momenta[static_cast<std::size_t>(g)]);
      const Expr value = short_form(sum(terms));
      if (value.is_zero()) continue;
      step.lines.push_back({fmt::format("{{{}, {}}}", momenta[static_cast<std::size_t>(a)].symbol().name(),
                                        momenta[static_cast<std::size_t>(b)].symbol().name()),
                            value});
    }
  }
  if (step.lines.empty()) step.remark = "all vanish: the reduced equations are canonical";
  return step;
}

}  // namespace

bool Chaplygin::is_abelian() const {
  const Connection& w = form.constraints.connection;
  for (const int a : w.fibre()) {
    for (const int b : w.fibre()) {
      for (const int d : w.fibre()) {
        if (!system.space.c()(a, b, d).is_zero()) return false;
      }
    }
  }
  return true;
}

bool is_chaplygin_fibre(const System& system, const std::vector<int>& fibre) {
  return !fibre.empty() && !obstacle(system, fibre);
}

void visit_chaplygin_reductions(const System& system, const std::function<bool(Chaplygin)>& visit) {
  std::string why;
  bool any = false;
  for (const std::vector<int>& fibre : fibre_choices(system)) {
    if (fibre.empty()) {
      why = "it has no constraints";
      break;
    }
    const auto in_coordinates = obstacle(system, fibre);
    if (!in_coordinates) {
      any = true;
      if (visit(reduced(system, Matrix::identity(system.space.dimension()), fibre))) return;
      continue;
    }
    if (why.empty()) why = *in_coordinates;
    for (BodyAxes& axes : planar_body_axes(system, fibre)) {
      if (obstacle(axes.system, fibre)) continue;
      any = true;
      if (visit(reduced(std::move(axes.system), axes.frame, fibre))) return;
    }
  }
  if (any) return;
  throw Inapplicable(
      "form-does-not-apply", "this is not a Chaplygin system in these coordinates", why,
      "use `voronets`, or choose coordinates in which a group moves exactly the constrained velocities");
}

Chaplygin chaplygin_reduction(const System& system) {
  std::optional<Chaplygin> first;
  visit_chaplygin_reductions(system, [&](Chaplygin c) {
    first.emplace(std::move(c));
    return true;
  });
  return std::move(*first);
}

EquationsOfMotion chaplygin_equations(const System& system) {
  return chaplygin_equations(system, chaplygin_reduction(system));
}

EquationsOfMotion chaplygin_equations(const System& system, const Chaplygin& c) {
  const std::vector<Symbol> v = c.form.constraints.base_velocities();
  const std::vector<Expr> p = gradient(c.form.lagrangian, v);
  const Admissible on_base = c.form.constraints.admissible();
  const Matrix Q = Matrix::column(forces_on(c.system, on_base.substitution()));
  const VectorField V = base_velocity(c);
  const int m = c.metric.rows();

  Matrix right(m, 1);
  for (int alpha = 0; alpha < m; ++alpha) {
    const auto al = static_cast<std::size_t>(alpha);
    const int leg = c.form.constraints.connection.base()[al];
    std::vector<Expr> terms{c.system.space.derivative(leg, c.form.lagrangian),
                            dot(Q, on_base.psi.column(alpha)), -base_term(c, p, v, alpha), -V(p[al]),
                            -derivative(p[al], system.time)};
    for (int beta = 0; beta < m; ++beta)
      terms.push_back(c.lambda(alpha, beta) * v[static_cast<std::size_t>(beta)]);
    right[alpha] = sum(terms);
  }
  const Admissible in_model = in_model_velocities(c, system.space);
  EquationsOfMotion equations =
      solved_equations(kinematics(system, in_model, "chaplygin"), system, in_model, c.metric, right);
  equations.steps = Steps([=] {
    std::vector<Step> all = steps(c.form);
    all.push_back(metric_step(c));
    all.push_back(bracket_step(c));
    return all;
  });
  return equations;
}

}  // namespace rattleback
