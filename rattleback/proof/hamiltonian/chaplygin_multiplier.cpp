#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/exponential_integral.hpp>
#include <rattleback/geometry/form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/forms/bracket.hpp>

namespace rattleback {
namespace {

Inapplicable does_not_apply(const std::string& why) {
  return {"form-does-not-apply", "there is no Chaplygin multiplier to look for", why,
          "ask the question of a system with linear constraints, a quadratic Lagrangian and no other forces"};
}

/// Forces along D have no place in a Hamiltonian system.
void require_no_forces(const ChaplyginBundle& b) {
  const Matrix Q = Matrix::column(forces_on(b.system, b.D.substitution()));
  for (int a = 0; a < b.dimension(); ++a) {
    if (!vanishes_at_random_points(dot(Q, b.D.psi.column(a))))
      throw does_not_apply("forces that have no potential act on the motion");
  }
}

void require_quadratic(const ChaplyginBundle& b) {
  for (const Expr g : b.metric.entries()) {
    for (const Symbol z : b.D.speeds) {
      if (!vanishes_at_random_points(derivative(g, z)))
        throw does_not_apply("the Lagrangian is not quadratic in the velocities");
    }
  }
  if (!vanishes_at_random_points(derivative(b.lagrangian, b.system.time)))
    throw does_not_apply("the Lagrangian depends on time");
}

std::vector<Expr> nonzero(const std::vector<Expr>& es) {
  std::vector<Expr> some;
  for (const Expr e : es) {
    if (!vanishes_at_random_points(e)) some.push_back(e);
  }
  return some;
}

SymbolMap at_rest(const ChaplyginBundle& b) {
  SymbolMap rest;
  for (const Symbol z : b.D.speeds) rest.emplace(z, Expr(0));
  return rest;
}

/// K^ε_αβ G_εν.
Expr lowered(const ChaplyginBundle& b, int alpha, int beta, int nu) {
  std::vector<Expr> terms{Expr(0)};
  for (int e = 0; e < b.dimension(); ++e) terms.push_back(b.K(alpha, beta, e) * b.metric(e, nu));
  return sum(terms);
}

/// (C.4).
std::vector<Expr> forced_logarithm(const ChaplyginBundle& b) {
  const int m = b.dimension();
  std::vector<Expr> sigma;
  for (int beta = 0; beta < m; ++beta) {
    std::vector<Expr> trace{Expr(0)};
    for (int a = 0; a < m; ++a) trace.push_back(b.K(a, beta, a));
    sigma.push_back(m == 1 ? Expr(0) : short_form(sum(trace) / (m - 1)));
  }
  return sigma;
}

/// (C.3), left minus right, for β ≤ ν.
std::vector<Expr> remainder(const ChaplyginBundle& b, const std::vector<Expr>& sigma) {
  const int m = b.dimension();
  const auto s = [&](int a) { return sigma[static_cast<std::size_t>(a)]; };
  std::vector<Expr> all;
  for (int alpha = 0; alpha < m; ++alpha) {
    for (int beta = 0; beta < m; ++beta) {
      for (int nu = beta; nu < m; ++nu) {
        all.push_back(s(beta) * b.metric(alpha, nu) + s(nu) * b.metric(alpha, beta) -
                      2 * s(alpha) * b.metric(beta, nu) - lowered(b, alpha, beta, nu) -
                      lowered(b, alpha, nu, beta));
      }
    }
  }
  return all;
}

/// K^ε_αβ = σ_β δ^ε_α − σ_α δ^ε_β, which is f K^ε_βα = C^ε_αβ divided by f.                                 (C.5)
bool holds_pointwise(const ChaplyginBundle& b, const std::vector<Expr>& sigma) {
  const int m = b.dimension();
  for (int alpha = 0; alpha < m; ++alpha) {
    for (int beta = alpha + 1; beta < m; ++beta) {
      for (int e = 0; e < m; ++e) {
        Expr r = b.K(alpha, beta, e);
        if (e == alpha) r -= sigma[static_cast<std::size_t>(beta)];
        if (e == beta) r += sigma[static_cast<std::size_t>(alpha)];
        if (!vanishes_at_random_points(r)) return false;
      }
    }
  }
  return true;
}

}  // namespace

Matrix magnetic_form(const ChaplyginBundle& b) {
  const int m = b.dimension();
  const SymbolMap rest = at_rest(b);
  const std::vector<Expr> potential = substitute(gradient(b.lagrangian, b.D.speeds), rest);
  Matrix F(m, m);
  for (int alpha = 0; alpha < m; ++alpha) {
    for (int beta = alpha + 1; beta < m; ++beta) {
      std::vector<Expr> terms{substitute(b.lambda(alpha, beta), rest),
                              b.frame[alpha](potential[static_cast<std::size_t>(beta)]),
                              -b.frame[beta](potential[static_cast<std::size_t>(alpha)])};
      for (int g = 0; g < m; ++g)
        terms.push_back(-b.c(alpha, beta, g) * potential[static_cast<std::size_t>(g)]);
      F(alpha, beta) = short_form(sum(terms));
      F(beta, alpha) = -F(alpha, beta);
    }
  }
  return F;
}

namespace {

/// (dF + σ∧F), which vanishes iff f F is closed.
std::vector<Expr> magnetic_curl(const ChaplyginBundle& b, const std::vector<Expr>& sigma, const Matrix& F) {
  const int m = b.dimension();
  Form form(b.frame.space(), 2);
  for (int alpha = 0; alpha < m; ++alpha) {
    for (int beta = alpha + 1; beta < m; ++beta) {
      if (F(alpha, beta).is_zero()) continue;
      std::vector<Expr> ea(static_cast<std::size_t>(m), Expr(0)), eb = ea;
      ea[static_cast<std::size_t>(alpha)] = 1;
      eb[static_cast<std::size_t>(beta)] = 1;
      form = form + F(alpha, beta) * wedge(Form(b.horizontal_form(ea)), Form(b.horizontal_form(eb)));
    }
  }
  return (d(form) + wedge(Form(b.horizontal_form(sigma)), form)).coefficients();
}

/// f changes when an angle of the model makes a full turn.
std::vector<Symbol> aperiodic_angles(const ChaplyginBundle& b, Expr f) {
  std::vector<Symbol> angles;
  for (const Factor& factor : b.system.space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier != Carrier::angle) continue;
      const Symbol q = piece.functions[0];
      const Expr turned = substitute(f, {{q, Expr(q) + 2 * pi()}});
      if (contains(f, q) && !vanishes_at_random_points(pow(turned, 2) - pow(f, 2))) angles.push_back(q);
    }
  }
  return angles;
}

}  // namespace

namespace {

/// The candidate (C.4) and what it has to satisfy.
ChaplyginMultiplier candidate(const ChaplyginBundle& b) {
  require_no_forces(b);
  require_quadratic(b);
  ChaplyginMultiplier x;
  x.sigma = forced_logarithm(b);
  x.magnetic = magnetic_form(b);
  x.remainder = remainder(b, x.sigma);
  x.curl = b.curl(x.sigma);
  if (b.dimension() > 2) x.magnetic_curl = magnetic_curl(b, x.sigma, x.magnetic);
  return x;
}

}  // namespace

std::vector<Expr> ChaplyginMultiplier::residuals() const {
  std::vector<Expr> all = remainder;
  all.insert(all.end(), curl.begin(), curl.end());
  all.insert(all.end(), magnetic_curl.begin(), magnetic_curl.end());
  return all;
}

std::vector<Expr> multiplier_conditions(const ChaplyginBundle& b) { return candidate(b).residuals(); }

ChaplyginMultiplier chaplygin_multiplier(const ChaplyginBundle& b, std::vector<Expr> hints) {
  ChaplyginMultiplier x = candidate(b);
  x.exists = is_zero(x.residuals());
  x.remainder = nonzero(x.remainder);
  x.curl = nonzero(x.curl);
  x.magnetic_curl = nonzero(x.magnetic_curl);
  if (!proved(x.exists)) return x;
  x.pointwise = holds_pointwise(b, x.sigma);
  hints.push_back(determinant(b.metric));
  x.f = exponential_integral(b.horizontal_form(x.sigma), hints);
  if (!x.f) return x;
  x.f = short_form(*x.f);
  x.density = short_form(pow(*x.f, std::max(b.dimension() - 1, 0)));
  x.aperiodic = aperiodic_angles(b, *x.f);
  return x;
}

namespace {

/// ½ G z z − V: the Lagrangian without its linear part.
Expr without_linear_part(const ChaplyginBundle& b, const std::vector<Expr>& linear) {
  std::vector<Expr> terms{b.lagrangian};
  for (std::size_t a = 0; a < linear.size(); ++a) terms.push_back(-linear[a] * b.D.speeds[a]);
  return sum(terms);
}

/// π_α' = X_α(½ G z z − V) − c_αβ^γ z^β π_γ + F_αβ z^β + σ_α π_β z^β − σ_β z^β π_α, right minus left: f times the flow of H
/// against the constrained motion, divided by f.
std::vector<Expr> flow_residuals(const ChaplyginBundle& b, const ChaplyginMultiplier& x,
                                 const ConstrainedBracket& constrained, const std::vector<Expr>& linear) {
  const int m = b.dimension(), n = b.system.space.dimension();
  const VectorField V = motion(constrained);
  const std::vector<Expr> z(b.D.speeds.begin(), b.D.speeds.end());
  const Expr ell = without_linear_part(b, linear);
  const std::vector<Expr> pi = gradient(ell, b.D.speeds);
  const auto at = [](const std::vector<Expr>& v, int i) { return v[static_cast<std::size_t>(i)]; };
  Expr sigma_z = 0, pi_z = 0;
  for (int a = 0; a < m; ++a) {
    sigma_z += at(x.sigma, a) * at(z, a);
    pi_z += at(pi, a) * at(z, a);
  }
  SymbolMap in_momenta;
  for (int a = 0; a < m; ++a)
    in_momenta.emplace(b.D.speeds[static_cast<std::size_t>(a)], at(constrained.speeds, a));
  std::vector<Expr> residuals;
  for (int a = 0; a < m; ++a) {
    std::vector<Expr> terms{b.frame[a](ell), at(x.sigma, a) * pi_z, -sigma_z * at(pi, a)};
    for (int beta = 0; beta < m; ++beta) {
      terms.push_back(x.magnetic(a, beta) * at(z, beta));
      for (int g = 0; g < m; ++g) terms.push_back(-b.c(a, beta, g) * at(z, beta) * at(pi, g));
    }
    residuals.push_back(substitute(sum(terms), in_momenta) - V[n + a] + V(at(linear, a)));
  }
  return residuals;
}

}  // namespace

ChaplyginHamiltonian chaplygin_hamiltonian(const ChaplyginBundle& b, const ChaplyginMultiplier& x) {
  const int m = b.dimension();
  const ConstrainedBracket constrained = constrained_bracket(b.system, b.D);
  const std::vector<Expr> linear = substitute(gradient(b.lagrangian, b.D.speeds), at_rest(b));
  ChaplyginHamiltonian h;
  h.motion = is_zero(flow_residuals(b, x, constrained, linear));
  if (!x.f) return h;
  SymbolMap scaled;
  for (int a = 0; a < m; ++a) {
    const auto al = static_cast<std::size_t>(a);
    const Symbol p = constrained.momenta[al];
    h.momenta.push_back(Symbol::make("P" + p.name().substr(1), p.attributes()));
    scaled.emplace(p, Expr(h.momenta.back()) / *x.f + linear[al]);
  }
  h.hamiltonian = short_form(substitute(constrained.hamiltonian, scaled));
  h.brackets = Matrix(m, m);
  for (int a = 0; a < m; ++a) {
    for (int beta = 0; beta < m; ++beta) {
      std::vector<Expr> terms{*x.f * x.magnetic(a, beta)};
      for (int g = 0; g < m; ++g) terms.push_back(-b.c(a, beta, g) * h.momenta[static_cast<std::size_t>(g)]);
      h.brackets(a, beta) = short_form(sum(terms));
    }
  }
  return h;
}

Verdict is_chaplygin_multiplier(const ChaplyginBundle& b, Expr f) {
  std::vector<Expr> sigma, conditions;
  for (int i = 0; i < b.frame.dimension(); ++i) {
    const Expr slope = b.frame[i](f) / f;
    if (i < b.dimension())
      sigma.push_back(slope);
    else
      conditions.push_back(slope);
  }
  require_no_forces(b);
  require_quadratic(b);
  const std::vector<Expr> rest = remainder(b, sigma);
  conditions.insert(conditions.end(), rest.begin(), rest.end());
  if (b.dimension() > 2) {
    const std::vector<Expr> shift = magnetic_curl(b, sigma, magnetic_form(b));
    conditions.insert(conditions.end(), shift.begin(), shift.end());
  }
  return is_zero(conditions);
}

}  // namespace rattleback
