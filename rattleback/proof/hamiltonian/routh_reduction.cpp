#include <rattleback/proof/hamiltonian/routh_reduction.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/frame.hpp>
#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_bundle.hpp>
#include <rattleback/proof/hamiltonian/cyclic_fields.hpp>

namespace rattleback {
namespace {

/// The leg that a field is, when it is one.
std::optional<int> leg_of(const Matrix& components, int i) {
  std::optional<int> leg;
  for (int a = 0; a < components.rows(); ++a) {
    if (components(a, i).is_zero()) continue;
    if (leg || components(a, i) != Expr(1)) return std::nullopt;
    leg = a;
  }
  return leg;
}

bool is_parameter(const System& system, const std::string& name) {
  return std::any_of(system.parameters.begin(), system.parameters.end(),
                     [&](const Parameter& p) { return p.symbol.name() == name; });
}

std::vector<Symbol> names_of_momenta(const ChaplyginBundle& b, const Matrix& components) {
  std::vector<Symbol> mu;
  for (int i = 0; i < components.columns(); ++i) {
    const auto leg = leg_of(components, i);
    const auto q = leg ? base_coordinate(b, *leg) : std::nullopt;
    std::string name = q ? "mu_" + q->name() : components.columns() == 1 ? "mu" : fmt::format("mu{}", i + 1);
    while (is_parameter(b.system, name)) name += "_";  // a friction, say
    mu.push_back(Symbol::make(name, {.role = Role::momentum}));
  }
  return mu;
}

/// (W_a | Y_i) in the frame X_α: unit columns that complete the components.
Matrix completed(const Matrix& components, std::vector<int>& legs) {
  const int m = components.rows(), k = components.columns();
  const std::vector<int> kept = independent_columns(beside(components, Matrix::identity(m)));
  Matrix change(m, m);
  for (const int column : kept) {
    if (column < k) continue;
    change(column - k, static_cast<int>(legs.size())) = 1;
    legs.push_back(column - k);
  }
  for (int i = 0; i < k; ++i) {
    for (int a = 0; a < m; ++a) change(a, m - k + i) = components(a, i);
  }
  return change;
}

/// s^i from ∂ℓ/∂s^i = μ_i.
SymbolMap cyclic_speeds(Expr ell, const std::vector<Symbol>& s, const std::vector<Symbol>& mu) {
  const std::vector<Expr> p = gradient(ell, s);
  SymbolMap rest;
  for (const Symbol x : s) rest.emplace(x, Expr(0));
  Matrix right(static_cast<int>(s.size()), 1);
  for (int i = 0; i < right.rows(); ++i)
    right[i] = Expr(mu[static_cast<std::size_t>(i)]) - substitute(p[static_cast<std::size_t>(i)], rest);
  const auto solved = unique_solution(jacobian(p, s), right);
  if (!solved) {
    throw Inapplicable("form-does-not-apply", "the momenta do not determine the cyclic velocities",
                       "the block of cyclic velocities of the metric is singular", "fix fewer momenta");
  }
  SymbolMap speeds;
  for (int i = 0; i < right.rows(); ++i)
    speeds.emplace(s[static_cast<std::size_t>(i)], short_form(solved->x[i]));
  return speeds;
}

/// Λ'_ab with Λ'_ab w^b = Φ_a for a force that does no work: a third of the antisymmetrised slopes of its quadratic part, half
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

/// K'^e_ab = −G'^ed ∂Λ'_ab/∂w^d.
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

/// The frame (W, Y, ξ) of Q.
Frame adapted_frame(const ChaplyginBundle& b, const RouthReduction& r) {
  std::vector<VectorField> fields;
  for (const int a : r.legs) fields.push_back(b.frame[a]);
  fields.insert(fields.end(), r.fields.begin(), r.fields.end());
  for (int a = b.dimension(); a < b.frame.dimension(); ++a) fields.push_back(b.frame[a]);
  return Frame(fields);
}

/// The w-system over the quotient of the base by the fields.
ChaplyginBundle shape_system(const ChaplyginBundle& b, const RouthReduction& r, const Frame& frame,
                             const StructureCoefficients& c) {
  const int m = r.free();
  Admissible D = b.D;
  D.speeds = r.speeds;
  D.definitions = r.definitions;
  D.psi = columns_of(b.D.psi, r.legs);
  System system = b.system;
  system.forces.clear();  // those along D show in the proof of (C.16)
  StructureCoefficients brackets(m);
  for (int x = 0; x < m; ++x) {
    for (int y = 0; y < m; ++y) {
      for (int z = 0; z < m; ++z) brackets(x, y, z) = c(x, y, z);
    }
  }
  Matrix metric = jacobian(gradient(r.routhian, r.speeds), r.speeds);
  for (Expr& e : metric.entries()) e = short_form(e);
  const Matrix lambda = effective_form(r.force, r.speeds);
  Assumptions where = b.where;
  where.insert(where.end(), frame.where().begin(), frame.where().end());
  return {std::move(system),
          std::move(D),
          frame,
          beside(as_columns(b.frame.space(), r.fields), b.orbits),
          b.group,
          r.routhian,
          metric,
          std::move(brackets),
          effective_K(metric, lambda, r.speeds),
          lambda,
          simplified(where)};
}

/// Y_i^α, one column for each field.
Matrix components_along_D(const ChaplyginBundle& b, const std::vector<VectorField>& fields) {
  Matrix components(b.dimension(), static_cast<int>(fields.size()));
  for (int i = 0; i < components.columns(); ++i) {
    const std::vector<Expr> y = along_D(b, fields[static_cast<std::size_t>(i)]);
    for (int a = 0; a < components.rows(); ++a) components(a, i) = y[static_cast<std::size_t>(a)];
  }
  return components;
}

/// Speeds along (W_a | Y_i): those of the bundle where they are the same.
struct OwnSpeeds {
  std::vector<Symbol> w, s;
  std::vector<Expr> definitions;  ///< w^a(q, z)
  SymbolMap of_z;                 ///< z^α ↦ w^a W_a^α + s^i Y_i^α
};
OwnSpeeds own_speeds(const ChaplyginBundle& b, const Matrix& change, int free) {
  const std::vector<Expr> z(b.D.speeds.begin(), b.D.speeds.end());
  const Matrix own = inverse(change).x * Matrix::column(z);
  OwnSpeeds speeds;
  std::vector<Expr> all;
  for (int a = 0; a < own.rows(); ++a) {
    const Expr definition = short_form(own[a]);
    const Symbol speed =  // no model has symbols of a negative order
        definition.is(Kind::symbol)
            ? definition.symbol()
            : Symbol::make(fmt::format("w{}", a + 1), {.role = Role::velocity, .order = -1 - a});
    (a < free ? speeds.w : speeds.s).push_back(speed);
    if (a < free) speeds.definitions.push_back(definition);
    all.emplace_back(speed);
  }
  const Matrix in_own = change * Matrix::column(all);
  for (int a = 0; a < in_own.rows(); ++a)
    speeds.of_z.emplace(b.D.speeds[static_cast<std::size_t>(a)], in_own[a]);
  return speeds;
}

/// Λ_aβ z^β − c_ab^i w^b μ_i with s^i in the momenta.
std::vector<Expr> effective_force(const ChaplyginBundle& b, const RouthReduction& r, const OwnSpeeds& speeds,
                                  const StructureCoefficients& c, const SymbolMap& eliminated) {
  std::vector<Expr> force;
  for (int a = 0; a < r.free(); ++a) {
    const int leg = r.legs[static_cast<std::size_t>(a)];
    std::vector<Expr> pull{substitute(gyroscopic_force(b, leg), speeds.of_z)};
    for (int x = 0; x < r.free(); ++x) {
      for (std::size_t i = 0; i < r.mu.size(); ++i)
        pull.push_back(-c(a, x, r.free() + static_cast<int>(i)) * r.speeds[static_cast<std::size_t>(x)] *
                       r.mu[i]);
    }
    force.push_back(short_form(substitute(sum(pull), eliminated)));
  }
  return force;
}

/// [W_a, W_b] along D, in short form.
StructureCoefficients brackets_of_legs(const Frame& frame, int free, int m) {
  StructureCoefficients c = structure_coefficients(frame);
  for (int a = 0; a < free; ++a) {
    for (int x = 0; x < free; ++x) {
      for (int d = 0; d < m; ++d) c(a, x, d) = short_form(c(a, x, d));
    }
  }
  return c;
}

}  // namespace

RouthReduction routh_reduction(const ChaplyginBundle& b, const std::vector<VectorField>& fields) {
  const Matrix components = components_along_D(b, fields);
  std::vector<int> legs;
  const Matrix change = completed(components, legs);
  const OwnSpeeds speeds = own_speeds(b, change, static_cast<int>(legs.size()));
  const std::vector<Symbol> mu = names_of_momenta(b, components);
  const Expr ell = short_form(substitute(b.lagrangian, speeds.of_z));
  const SymbolMap eliminated = cyclic_speeds(ell, speeds.s, mu);
  std::vector<Expr> terms{ell};
  for (std::size_t i = 0; i < mu.size(); ++i) terms.push_back(-Expr(mu[i]) * speeds.s[i]);
  const Expr routhian = short_form(substitute(sum(terms), eliminated));
  RouthReduction r{fields, components, legs, mu, speeds.w, speeds.definitions, routhian, {}, b};
  const Frame frame = adapted_frame(b, r);
  const StructureCoefficients c = brackets_of_legs(frame, r.free(), b.dimension());
  r.force = effective_force(b, r, speeds, c, eliminated);
  r.shape = shape_system(b, r, frame, c);
  return r;
}

Verdict reduces(const ChaplyginBundle& b, const RouthReduction& r) {
  const ConstrainedBracket constrained = constrained_bracket(b.system, b.D);
  const VectorField V = motion(constrained);
  const int n = b.system.space.dimension(), m = b.dimension();
  SymbolMap in_momenta, speeds;
  std::vector<Expr> residuals;
  for (int a = 0; a < m; ++a)
    speeds.emplace(b.D.speeds[static_cast<std::size_t>(a)], constrained.speeds[static_cast<std::size_t>(a)]);
  for (std::size_t i = 0; i < r.mu.size(); ++i) {
    std::vector<Expr> J{Expr(0)};
    for (int a = 0; a < m; ++a)
      J.push_back(r.components(a, static_cast<int>(i)) * constrained.momenta[static_cast<std::size_t>(a)]);
    in_momenta.emplace(r.mu[i], sum(J));
    residuals.push_back(V(sum(J)));
    const std::vector<Expr> still = cyclic_residuals(b, r.fields[i]);
    residuals.insert(residuals.end(), still.begin(), still.end());
  }
  for (std::size_t a = 0; a < r.speeds.size(); ++a)
    in_momenta.emplace(r.speeds[a], substitute(r.definitions[a], speeds));
  const std::vector<Expr> p = gradient(r.routhian, r.speeds);
  for (int a = 0; a < r.free(); ++a) {
    const int at = r.legs[static_cast<std::size_t>(a)];
    std::vector<Expr> terms{b.frame[at](r.routhian), r.force[static_cast<std::size_t>(a)]};
    for (int x = 0; x < r.free(); ++x) {
      for (int d = 0; d < r.free(); ++d)
        terms.push_back(-r.shape.c(a, x, d) * r.speeds[static_cast<std::size_t>(x)] *
                        p[static_cast<std::size_t>(d)]);
    }
    residuals.push_back(V[n + at] - substitute(sum(terms), in_momenta));
  }
  return is_zero(residuals);
}

}  // namespace rattleback
