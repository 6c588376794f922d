#include <rattleback/motion/forms/voronets.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/equations/solved_equations.hpp>

namespace rattleback {
namespace {

/// X_α, y and [X_α, y + ∂_t], which moving and affine constraints bring in.
struct DriftBracket {
  const System& system;
  Admissible D;
  VectorField y;

  explicit DriftBracket(const System& s, const Splitting& constraints)
      : system(s),
        D(constraints.admissible()),
        y(D.space, {D.drift.entries().begin(), D.drift.entries().end()}) {}

  VectorField operator()(int alpha) const {
    VectorField Z = bracket(D.leg(alpha), y);
    for (int i = 0; i < D.space.dimension(); ++i) Z[i] -= derivative(D.psi(i, alpha), system.time);
    return Z;
  }
};

/// φ^a(Z) = Z^a + A^a_α Z^α: the vertical part.
Expr vertical(const Connection& w, int a, const VectorField& Z) {
  std::vector<Expr> terms{Z[w.fibre()[static_cast<std::size_t>(a)]]};
  for (std::size_t alpha = 0; alpha < w.base().size(); ++alpha)
    terms.push_back(w.A(a, static_cast<int>(alpha)) * Z[w.base()[alpha]]);
  return sum(terms);
}

/// (c_αβ^γ v^β + c_α0^γ) ∂ℓ_c/∂v^γ.
Expr base_bracket_term(const Voronets& form, const std::vector<Expr>& p, const std::vector<Symbol>& v,
                       int alpha) {
  std::vector<Expr> terms{Expr(0)};
  const int m = form.constraints.base_dimension();
  for (int g = 0; g < m; ++g) {
    terms.push_back(form.drift_brackets(g, alpha) * p[static_cast<std::size_t>(g)]);
    for (int beta = 0; beta < m; ++beta) {
      const Expr c = form.base_brackets(alpha, beta, g);
      if (!c.is_zero())
        terms.push_back(c * v[static_cast<std::size_t>(beta)] * p[static_cast<std::size_t>(g)]);
    }
  }
  return sum(terms);
}

Step connection_step(const Splitting& constraints) {
  const Connection& w = constraints.connection;
  Step step{"The constraints as a connection", "v^a + A^a_b v^b + c^a = 0; those not listed vanish", {}};
  for (int a = 0; a < constraints.fibre_dimension(); ++a) {
    const std::string fibre = leg_name(w.space(), w.fibre()[static_cast<std::size_t>(a)]);
    for (int alpha = 0; alpha < constraints.base_dimension(); ++alpha) {
      if (w.A(a, alpha).is_zero()) continue;
      step.lines.push_back(
          {fmt::format("A^{}_{}", fibre, leg_name(w.space(), w.base()[static_cast<std::size_t>(alpha)])),
           w.A(a, alpha)});
    }
    if (!constraints.c[a].is_zero()) step.lines.push_back({"c^" + fibre, constraints.c[a]});
  }
  return step;
}

Step curvature_step(const Voronets& form) {
  const Connection& w = form.constraints.connection;
  const auto name = [&](int i) { return leg_name(w.space(), i); };
  Step step{"Its curvature", "B^a_bc = the a-component of [X_b, X_c]; those not listed vanish", {}};
  for (int a = 0; a < form.B.fibre(); ++a) {
    for (int alpha = 0; alpha < form.B.base(); ++alpha) {
      const std::string left = fmt::format("B^{}_{}", name(w.fibre()[static_cast<std::size_t>(a)]),
                                           name(w.base()[static_cast<std::size_t>(alpha)]));
      if (!form.drift_curvature(a, alpha).is_zero())
        step.lines.push_back({left + ",0", form.drift_curvature(a, alpha)});
      for (int beta = alpha + 1; beta < form.B.base(); ++beta) {
        if (form.B(a, alpha, beta).is_zero()) continue;
        step.lines.push_back(
            {left + "," + name(w.base()[static_cast<std::size_t>(beta)]), form.B(a, alpha, beta)});
      }
    }
  }
  if (step.lines.empty()) step.remark = "zero: the constraints are holonomic";
  return step;
}

Step force_step(const Voronets& form) {
  const Connection& w = form.constraints.connection;
  Step step{"The force of the curvature",
            "-(dL/dv^a) B^a_bc v^c, the derivative taken before the constraint is used",
            {}};
  const std::vector<Expr> force = curvature_force(form);
  for (std::size_t alpha = 0; alpha < force.size(); ++alpha)
    step.lines.push_back({"F_" + leg_name(w.space(), w.base()[alpha]), force[alpha]});
  return step;
}

}  // namespace

Voronets voronets(const System& system, const Splitting& constraints) {
  const Connection& w = constraints.connection;
  const int k = constraints.fibre_dimension(), m = constraints.base_dimension();
  const SymbolMap psi = constraints.admissible().substitution();
  Voronets form{constraints,  short_form(substitute(system.lagrangian, psi)),
                {},           base_coefficients(w),
                curvature(w), Matrix(k, m),
                Matrix(m, m)};
  const std::vector<Expr> p = momenta_on(system, psi);
  for (const int a : w.fibre()) form.fibre_momenta.push_back(short_form(p[static_cast<std::size_t>(a)]));

  for (int a = 0; a < k; ++a) {
    for (int alpha = 0; alpha < m; ++alpha) {
      for (int beta = alpha + 1; beta < m; ++beta) {
        form.B(a, alpha, beta) = short_form(form.B(a, alpha, beta));
        form.B(a, beta, alpha) = -form.B(a, alpha, beta);
      }
    }
  }
  const DriftBracket drift(system, constraints);
  for (int alpha = 0; alpha < m; ++alpha) {
    const VectorField Z = drift(alpha);
    for (int a = 0; a < k; ++a) form.drift_curvature(a, alpha) = short_form(vertical(w, a, Z));
    for (int g = 0; g < m; ++g) form.drift_brackets(g, alpha) = Z[w.base()[static_cast<std::size_t>(g)]];
  }
  return form;
}

std::vector<Expr> curvature_force(const Voronets& form) {
  const std::vector<Symbol> v = form.constraints.base_velocities();
  std::vector<Expr> force;
  for (int alpha = 0; alpha < form.B.base(); ++alpha) {
    std::vector<Expr> terms{Expr(0)};
    for (int a = 0; a < form.B.fibre(); ++a) {
      const Expr p = form.fibre_momenta[static_cast<std::size_t>(a)];
      terms.push_back(-(p * form.drift_curvature(a, alpha)));
      for (int beta = 0; beta < form.B.base(); ++beta)
        terms.push_back(-(p * form.B(a, alpha, beta) * v[static_cast<std::size_t>(beta)]));
    }
    force.push_back(sum(terms));
  }
  return force;
}

EquationsOfMotion voronets_equations(const System& system, const Voronets& form) {
  const Admissible D = form.constraints.admissible();
  const std::vector<Expr> p = gradient(form.lagrangian, D.speeds), force = curvature_force(form);
  const Matrix Q = Matrix::column(forces_on(system, D.substitution()));
  const VectorField V = D.velocity();

  Matrix right(D.rank(), 1);
  for (int alpha = 0; alpha < D.rank(); ++alpha) {
    const auto al = static_cast<std::size_t>(alpha);
    right[alpha] =
        sum({D.leg(alpha)(form.lagrangian), force[al], dot(Q, D.psi.column(alpha)),
             -base_bracket_term(form, p, D.speeds, alpha), -V(p[al]), -derivative(p[al], system.time)});
  }
  EquationsOfMotion equations = solved_equations(kinematics(system, D, "voronets"), system, D,
                                                 jacobian(p, D.speeds), right, Metric::as_built);
  equations.steps = Steps([=] { return steps(form); });
  return equations;
}

EquationsOfMotion voronets_equations(const System& system) {
  return voronets_equations(system, voronets(system, splitting(system)));
}

std::vector<Step> steps(const Voronets& form) {
  return {connection_step(form.constraints),
          {"The constrained Lagrangian", "", {{"L_c", form.lagrangian}}},
          curvature_step(form),
          force_step(form)};
}

}  // namespace rattleback
