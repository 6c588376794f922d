#include <rattleback/motion/symmetry/symmetry.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/symmetry/symmetry_search.hpp>
#include <rattleback/motion/symmetry/unit_fields.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>

namespace rattleback {
namespace {

/// Brackets of symmetries are symmetries; beyond this many the closure is given up.
constexpr std::size_t largest_algebra = search_limits::symmetry_algebra.count;

bool are_all_zero(std::span<const Expr> es) {
  return std::all_of(es.begin(), es.end(), [](Expr e) { return e.is_zero(); });
}

/// (L_ξ Q)_j = ξ^C Q_j − Q([ξ, X_j]) = ξ^C Q_j + Q_i X_j(ξ^i) − Q_i C_kj^i ξ^k.                           (N.4)
std::vector<Expr> lie_derivative_of_forces(const System& system, const VectorField& xi) {
  const Space& space = system.space;
  std::vector<Expr> rates;
  if (are_all_zero(system.forces)) return rates;
  for (int j = 0; j < space.dimension(); ++j) {
    const VectorField turned = bracket(xi, VectorField::leg(space, j));
    std::vector<Expr> terms{complete_lift(xi, system.forces[static_cast<std::size_t>(j)])};
    for (int i = 0; i < space.dimension(); ++i)
      terms.push_back(-system.forces[static_cast<std::size_t>(i)] * turned[i]);
    rates.push_back(sum(terms));
  }
  return rates;
}

/// ξ^C C^a, and ξ(φ): a symmetry is tangent to N = {φ = 0}. A parametrisation alone implies constraints of its own, so there are no
/// others.
std::vector<Expr> rates_of_constraints(const System& system, const VectorField& xi) {
  std::vector<Expr> C = constraint_functions(system);
  for (Expr& c : C) c = complete_lift(xi, c);
  for (const Expr phi : position_relations(system)) C.push_back(xi(phi));
  return C;
}

/// The system with its position constraints alone: its admissible velocities are tangent to N.
System without_velocity_constraints(System system) {
  std::erase_if(system.constraints, [](const Constraint& c) { return !c.position; });
  system.velocities.clear();
  system.parametrization.reset();
  return system;
}

Verdict vanish_on_constraint(const System& system, std::vector<Expr> functions, const ZeroTest& how) {
  if (are_all_zero(functions)) return Proved{{true, 0, "nothing depends on it"}, {}};
  const bool free = system.constraints.empty() && !system.parametrization;
  try {
    if (!free) functions = substitute(functions, solved_velocities(system).substitution(system.space));
  } catch (const Inapplicable& error) {
    return Undecided{error.summary, "give a [parametrization] of the constraint"};
  }
  return is_zero(functions, how);
}

/// The one that says less in favour.
const Verdict& weaker(const Verdict& a, const Verdict& b) {
  const auto standing = [](const Verdict& v) {
    if (const auto* yes = std::get_if<Proved>(&v)) return yes->why.exact ? 3 : 2;
    return undecided(v) ? 1 : 0;
  };
  return standing(b) < standing(a) ? b : a;
}

/// Z = c^d ξ_d with constants c, which may be linear in the parameters; verified.
std::optional<std::vector<Expr>> constants_of(const System& system, const std::vector<VectorField>& xi,
                                              const VectorField& Z) {
  if (are_all_zero(Z.coefficients())) return std::vector<Expr>(xi.size());
  std::vector<Expr> coefficients = Z.coefficients();
  for (const VectorField& X : xi)
    coefficients.insert(coefficients.end(), X.coefficients().begin(), X.coefficients().end());
  std::vector<Expr> monomials{Expr(1)};
  for (const bool with_parameters : {false, true}) {
    if (with_parameters) {
      for (const Symbol s : symbols_of(coefficients)) {
        if (s.role() == Role::parameter) monomials.emplace_back(s);
      }
      if (monomials.size() == 1) break;
    }
    std::vector<VectorField> fields{Z};
    for (const VectorField& X : xi) {
      for (const Expr m : monomials) fields.push_back(m * X);
    }
    const auto x = combination_of_others(system.space, fields);
    if (!x) continue;
    std::vector<Expr> c(xi.size());
    VectorField rest = Z;
    for (std::size_t k = 0; k < x->size(); ++k) {
      c[k / monomials.size()] += Expr((*x)[k]) * monomials[k % monomials.size()];
    }
    for (std::size_t d = 0; d < c.size(); ++d) rest = rest - c[d] * xi[d];
    if (proved(is_zero(rest.coefficients()))) return c;
  }
  return std::nullopt;
}

std::vector<VectorField> fields_of(const std::vector<Generator>& generators) {
  std::vector<VectorField> fields;
  for (const Generator& g : generators) fields.push_back(g.field);
  return fields;
}

Generator named(VectorField xi) {
  for (int i = 0; i < xi.space().dimension(); ++i) xi[i] = short_form(xi[i]);
  return {written(xi), xi, {}};
}

/// The conditions are solved at random points. Where N has several parts these may lie on one of them, and a field that is found may
/// be no symmetry of the others.
std::vector<Generator> not_refuted(const SymmetryAlgebra& g, const InvariantParts& parts) {
  std::vector<Generator> kept;
  for (std::size_t k = 0; k < g.generators.size(); ++k) {
    const Invariance& of = g.invariance[k];
    if (!refuted(parts.constraints ? weaker(weaker(of.lagrangian, of.constraints), of.forces)
                                   : of.lagrangian))
      kept.push_back(g.generators[k]);
  }
  return kept;
}

/// A field that vanishes, on N with position constraints: the random points at which the conditions were solved may not have shown it.
bool moves_nothing(const Generator& g) {
  const std::vector<Expr>& xi = g.field.coefficients();
  return std::ranges::all_of(xi, [](Expr e) { return vanishes_at_random_points(e); });
}

/// Everything the conditions allow, and the brackets of that.
SymmetryAlgebra closure(const System& system, const InvariantParts& parts, const ZeroTest& how) {
  std::vector<VectorField> ansatz = field_ansatz_with_polar(system.space);
  for (VectorField& unit : unit_fields(system)) ansatz.push_back(std::move(unit));
  const FoundFields found =
      fields_satisfying(system.space, ansatz, parameters_of(system), invariance_conditions(system, parts));
  std::vector<VectorField> xi = found.fields;
  for (std::size_t b = 1; b < xi.size() && xi.size() < largest_algebra; ++b) {
    for (std::size_t a = 0; a < b && xi.size() < largest_algebra; ++a) {
      const VectorField Z = bracket(xi[a], xi[b]);
      if (!constants_of(system, xi, Z)) xi.push_back(Z);
    }
  }
  std::vector<Generator> generators;
  for (const VectorField& X : xi) generators.push_back(named(X));
  std::erase_if(generators, moves_nothing);
  SymmetryAlgebra g = algebra_of(system, "", std::move(generators), how);
  const std::vector<Generator> kept = not_refuted(g, parts);
  if (kept.size() < g.generators.size()) g = algebra_of(system, "", kept, how);
  g.complete = found.complete;
  return g;
}

}  // namespace

Expr complete_lift(const VectorField& xi, Expr f) {
  const Space& space = xi.space();
  SymbolMap motion;
  for (const Symbol q : space.functions()) motion.emplace(q, xi(Expr(q)));
  for (int i = 0; i < space.dimension(); ++i) {
    std::vector<Expr> terms{space.rate(xi[i])};
    for (int j = 0; j < space.dimension(); ++j) {
      for (int k = 0; k < space.dimension(); ++k) {
        if (!space.c()(j, k, i).is_zero() && !xi[k].is_zero())
          terms.push_back(space.c()(j, k, i) * space.velocities()[static_cast<std::size_t>(j)] * xi[k]);
      }
    }
    motion.emplace(space.velocities()[static_cast<std::size_t>(i)], sum(terms));
  }
  return derivative_along(f, motion);
}

namespace {

/// No field on the configurations: x = −θ moves x by another amount after every turn of θ.
std::optional<Refuted> turns_into_another(const Space& space, const VectorField& xi) {
  for (const Expr e : xi.coefficients()) {
    if (const auto q = angle_of_several_values(space, e))
      return Refuted{{.point = {},
                      .value = "",
                      .note = fmt::format("it is no field on the circle of {}: {} is another after a turn",
                                          q->name(), text(e))}};
  }
  return std::nullopt;
}

}  // namespace

Invariance invariance(const System& system, const VectorField& xi, const ZeroTest& how) {
  if (const auto no = turns_into_another(system.space, xi)) return {*no, *no, *no};
  const std::vector<Expr> rate{complete_lift(xi, system.lagrangian)};
  // On N the Lagrangian is a function of the velocities that are tangent to N.
  const bool on_positions = !position_relations(system).empty();
  return {on_positions ? vanish_on_constraint(without_velocity_constraints(system), rate, how)
                       : is_zero(rate, how),
          vanish_on_constraint(system, rates_of_constraints(system, xi), how),
          vanish_on_constraint(system, lie_derivative_of_forces(system, xi), how)};
}

Verdict is_symmetry(const Invariance& of) { return weaker(weaker(of.lagrangian, of.constraints), of.forces); }

Verdict is_symmetry(const System& system, const VectorField& xi, const ZeroTest& how) {
  return is_symmetry(invariance(system, xi, how));
}

Verdict is_symmetry(const SymmetryAlgebra& g) {
  Verdict all = Proved{};
  for (const Invariance& of : g.invariance) all = weaker(is_symmetry(of), all);
  return all;
}

SymmetryAlgebra algebra_of(const System& system, std::string group, std::vector<Generator> generators,
                           const ZeroTest& how) {
  const std::vector<VectorField> xi = fields_of(generators);
  const int r = static_cast<int>(xi.size());
  SymmetryAlgebra g{std::move(group), std::move(generators), {}, true, StructureCoefficients(r), "", true};
  for (const VectorField& X : xi) g.invariance.push_back(invariance(system, X, how));
  for (int a = 0; a < r && g.is_closed; ++a) {
    for (int b = a + 1; b < r && g.is_closed; ++b) {
      const auto c =
          constants_of(system, xi, bracket(xi[static_cast<std::size_t>(a)], xi[static_cast<std::size_t>(b)]));
      g.is_closed = c.has_value();
      for (int d = 0; c && d < r; ++d) g.c.set(a, b, d, (*c)[static_cast<std::size_t>(d)]);
    }
  }
  if (!g.is_closed) g.c = StructureCoefficients(r);
  if (g.is_closed && r > 0) {
    std::vector<std::string> basis;
    for (int a = 1; a <= r; ++a) basis.push_back(fmt::format("e{}", a));
    g.name = recognised_name(LieAlgebra(basis, g.c));
  }
  return g;
}

std::vector<SymmetryAlgebra> declared_symmetries(const System& system) {
  std::vector<SymmetryAlgebra> declared;
  for (const Symmetry& s : system.symmetries) declared.push_back(algebra_of(system, s.group, s.generators));
  return declared;
}

SymmetryAlgebra found_symmetries(const System& system, const ZeroTest& how) {
  return closure(system, {}, how);
}

int count_of_local_symmetries(const System& system) {
  std::vector<VectorField> ansatz = field_ansatz_with_polar(system.space);
  for (VectorField& unit : unit_fields(system)) ansatz.push_back(std::move(unit));
  for (const Symbol q : system.space.functions()) {
    if (!is_angle(system.space, q)) continue;
    for (int i = 0; i < system.space.dimension(); ++i) {
      VectorField X(system.space);
      X[i] = Expr(q);
      ansatz.push_back(X);
    }
  }
  const FoundFields found =
      fields_satisfying(system.space, ansatz, parameters_of(system), invariance_conditions(system, {}));
  return static_cast<int>(found.fields.size());
}

SymmetryAlgebra lagrangian_symmetries(const System& system) {
  return closure(system, {.constraints = false}, {});
}

Symmetries symmetries(const System& system) {
  return {declared_symmetries(system), found_symmetries(system)};
}

}  // namespace rattleback
