#include <rattleback/motion/programs/projected_motion.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/orthonormal.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/modular/shadow.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/pythagoras.hpp>
#include <rattleback/algebra/solving/dyad.hpp>
#include <rattleback/algebra/solving/ldlt.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/motion/programs/articulated.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/motion/velocities/degenerate_energy.hpp>
#include <rattleback/motion/velocities/written_velocities.hpp>

namespace rattleback {
namespace {

using Vector = std::vector<Expr>;

/// symbols[i] ↦ values[i].
SymbolMap map_of(std::span<const Symbol> symbols, std::span<const Expr> values) {
  SymbolMap map;
  map.reserve(symbols.size());
  for (std::size_t i = 0; i < symbols.size(); ++i) map.emplace(symbols[i], values[i]);
  return map;
}

std::vector<SymbolMap> maps_of(std::span<const Symbol> symbols, std::span<const Vector> values) {
  std::vector<SymbolMap> maps;
  maps.reserve(values.size());
  for (const Vector& v : values) maps.push_back(map_of(symbols, v));
  return maps;
}

Expr pairing(std::span<const Expr> a, std::span<const Expr> b) {
  Vector terms;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is_zero() && !b[i].is_zero()) terms.push_back(a[i] * b[i]);
  }
  return terms.empty() ? Expr(0) : collapsed(sum(terms));
}

/// Zero in place of B(Ω × Ω): random points say where a proof is worth its time.
void drop_zeros(Vector& es) {
  const ShadowMatrix shadow(Matrix::column(es));
  for (std::size_t i = 0; i < es.size(); ++i) {
    if (!es[i].is_zero() && shadow(static_cast<int>(i), 0).is_zero() &&
        exact_zero(es[i]).answer == ExactAnswer::zero)
      es[i] = Expr(0);
  }
}

/// Names for the components of a direction; no model can write them.
std::vector<Symbol> directions(std::size_t n) {
  thread_local std::vector<Symbol> delta;
  for (std::size_t i = delta.size(); i < n; ++i)
    delta.push_back(
        Symbol::make("#d" + std::to_string(i), {.role = Role::velocity, .order = static_cast<int>(i)}));
  return {delta.begin(), delta.begin() + static_cast<std::ptrdiff_t>(n)};
}

/// v = y + z^α X_α taken apart.
struct Legs {
  std::vector<Vector> legs;  ///< X_α^i, by α
  Vector drift;              ///< y^i; unknown where ψ is not linear
};

Legs legs_of(const SolvedVelocities& v) {
  Legs found;
  for (const Symbol z : v.speeds) found.legs.push_back(derivative_along(v.psi, {{z, Expr(1)}}));
  if (!v.linear) return found;
  SymbolMap rest;
  for (const Symbol z : v.speeds) rest.emplace(z, Expr(0));
  found.drift = substitute(v.psi, rest);
  return found;
}

/// Everything (H.6) is made of, at v = ψ(q, z).
class Projection {
 public:
  Projection(const System& system, const SolvedVelocities& v, Legs legs)
      : system_(system),
        space_(system.space),
        v_(v),
        written_(written_velocities(system.lagrangian, space_.velocities())),
        legs_(std::move(legs.legs)),
        drift_(std::move(legs.drift)) {
    const auto velocities = space_.velocities();
    along_ = substitutions(written_.forms, maps_of(velocities, legs_));
    ahead_ = motion_along(v_.psi);
    ahead_.emplace(system.time, Expr(1));
    values_ = map_of(written_.names,
                     v_.linear ? combined() : substitute(written_.forms, map_of(velocities, v_.psi)));
    momenta_ = gradient(written_.function, written_.names);
  }

  int rank() const { return static_cast<int>(v_.speeds.size()); }

  /// q' for every function of the configuration.
  Vector configuration_rates() const {
    Vector rates;
    for (const Symbol f : space_.functions()) rates.push_back(ahead_.at(f));
    return rates;
  }

  /// G_αβ = θ_k(X_α) F_kl θ_l(X_β): the columns dF_k/dw·θ(X_β), paired with θ(X_α).
  Matrix metric() const {
    Matrix G(rank(), rank());
    const std::vector<Vector> columns = derivatives_along(momenta_, maps_of(written_.names, along_));
    for (int beta = 0; beta < rank(); ++beta) {
      const Vector column = on_constraint(columns[beta]);
      for (int alpha = 0; alpha <= beta; ++alpha)
        G(alpha, beta) = G(beta, alpha) = with_third_row(pairing(along_[alpha], column));
    }
    return G;
  }

  /// X_α[F] − F_k dθ_k(V, X_α) + Q_α − θ_k(X_α) (dF_k/dt at ż = 0).
  Matrix force() const {
    SymbolMap ahead = ahead_;
    const Vector w(written_values());
    Vector drift = derivative_along(w, ahead_);
    if (!space_.c().all_zero()) drop_zeros(drift);
    for (std::size_t k = 0; k < w.size(); ++k) ahead.emplace(written_.names[k], drift[k]);
    const Vector rates = on_constraint(derivative_along(momenta_, ahead)), p = on_constraint(momenta_),
                 Q = forces();
    const std::vector<Vector> twists = exterior_derivatives();
    const Vector pulls = on_constraint(pulls_of_the_function());
    Matrix b(rank(), 1);
    for (int alpha = 0; alpha < rank(); ++alpha) {
      b[alpha] = sum({pulls[alpha], -pairing(p, twists[alpha]), pairing(Q, legs_[alpha]),
                      -pairing(along_[alpha], rates)});
    }
    return b;
  }

 private:
  /// w_k = θ_k(y) + z^α θ_k(X_α): the coefficients are needed anyway.
  Vector combined() const {
    Vector w = substitute(written_.forms, map_of(space_.velocities(), drift_));
    for (std::size_t k = 0; k < w.size(); ++k) {
      Vector terms{w[k]};
      for (int alpha = 0; alpha < rank(); ++alpha)
        if (!along_[alpha][k].is_zero()) terms.push_back(v_.speeds[alpha] * along_[alpha][k]);
      w[k] = sum(terms);
    }
    return w;
  }

  Vector written_values() const {
    Vector w;
    for (const Symbol name : written_.names) w.push_back(values_.at(name));
    return w;
  }

  Vector on_constraint(const Vector& es) const { return substitute(es, values_); }

  Vector forces() const {
    Vector Q = substitute(system_.forces, map_of(space_.velocities(), v_.psi));
    Q.resize(static_cast<std::size_t>(space_.dimension()));
    return Q;
  }

  /// X_α[F] at constant w, by α.
  Vector pulls_of_the_function() const {
    const std::vector<Vector> found = derivatives_along({&written_.function, 1}, motions_along(legs_));
    Vector pulls;
    for (const Vector& pull : found) pulls.push_back(pull.front());
    return pulls;
  }

  /// How the functions of the configuration move along velocities.
  std::vector<SymbolMap> motions_along(std::span<const Vector> velocities) const {
    Vector rates;
    for (const Symbol f : space_.functions()) rates.push_back(space_.motion().at(f));
    return maps_of(space_.functions(), substitutions(rates, maps_of(space_.velocities(), velocities)));
  }
  SymbolMap motion_along(const Vector& velocity) const { return motions_along({&velocity, 1}).front(); }

  /// [V, X_α] for fields with constant components: C_ij^m V^i X_α^j.
  Vector structure_bracket(int alpha) const {
    const StructureCoefficients& C = space_.c();
    Vector b(static_cast<std::size_t>(space_.dimension()), Expr(0));
    for (int i = 0; i < C.dimension(); ++i) {
      for (int j = 0; j < C.dimension(); ++j) {
        for (int m = 0; m < C.dimension(); ++m) {
          if (!C(i, j, m).is_zero())
            b[static_cast<std::size_t>(m)] +=
                C(i, j, m) * v_.psi[static_cast<std::size_t>(i)] *
                legs_[static_cast<std::size_t>(alpha)][static_cast<std::size_t>(j)];
        }
      }
    }
    return b;
  }

  /// dθ_k(V + ∂_t, X_α), by α and k: T_k(X_α, V) + ∂_tθ_k(X_α) − θ_k([V, X_α]) with the bilinear
  ///     T_k(v, δ) = δ[θ_k](v) − v[θ_k](δ),
  /// which vanishes as written for the velocities of material points.
  std::vector<Vector> exterior_derivatives() const {
    const auto velocities = space_.velocities();
    const std::vector<Symbol> delta = directions(velocities.size());
    SymbolMap swap = map_of(velocities, Vector(delta.begin(), delta.end()));
    const Vector B = derivative_along(written_.forms, motion_along(Vector(delta.begin(), delta.end())));
    for (std::size_t i = 0; i < delta.size(); ++i) swap.emplace(delta[i], Expr(velocities[i]));
    const Vector swapped = substitute(B, swap),
                 moving = derivative_along(written_.forms, {{system_.time, Expr(1)}});
    Vector T;
    for (std::size_t k = 0; k < B.size(); ++k) T.push_back(B[k] - swapped[k] + moving[k]);

    std::vector<SymbolMap> at(legs_.size(), map_of(delta, v_.psi));
    for (int alpha = 0; alpha < rank(); ++alpha) {
      for (std::size_t i = 0; i < velocities.size(); ++i) at[alpha].emplace(velocities[i], legs_[alpha][i]);
    }
    std::vector<Vector> twists = substitutions(T, at);
    if (space_.c().all_zero()) return twists;
    std::vector<Vector> brackets;
    for (int alpha = 0; alpha < rank(); ++alpha) brackets.push_back(structure_bracket(alpha));
    const std::vector<Vector> turned = substitutions(written_.forms, maps_of(velocities, brackets));
    for (int alpha = 0; alpha < rank(); ++alpha) {
      for (std::size_t k = 0; k < turned[alpha].size(); ++k) twists[alpha][k] -= turned[alpha][k];
    }
    return twists;
  }

  const System& system_;
  const Space& space_;
  const SolvedVelocities& v_;
  WrittenVelocities written_;
  std::vector<Vector> legs_, along_;  ///< X_α^i and θ_k(X_α), by α
  Vector drift_;                      ///< y^i
  SymbolMap ahead_;                   ///< q' and t' = 1
  SymbolMap values_;                  ///< w_k ↦ θ_k(ψ)
  Vector momenta_;                    ///< F_k, as functions of the w
};

/// Where G is a constant and a dyad, and the constant alone can be inverted; from three rows on that is less work.
std::optional<Matrix> by_dyad(const Matrix& G, const Matrix& b) {
  if (G.rows() < 3) return std::nullopt;
  const auto parts = constant_and_dyad(G);
  if (!parts || !known_nonzero(determinant(ldlt(parts->constant)))) return std::nullopt;
  return solve(*parts, b);
}

/// ż from G ż = b: straight-line LDLᵀ, or (H.8); an indefinite G may need pivots off the diagonal.
Solution accelerations(const Matrix& G, const Matrix& b) {
  if (G.rows() == 0) return {Matrix(0, 1), Matrix(0, 0), {}};
  try {
    const LDLt metric = ldlt(G);
    if (static_cast<int>(metric.d.size()) == G.rows())
      return {by_dyad(G, b).value_or(solve(metric, b)), Matrix(G.rows(), 0), metric.where};
  } catch (const NoDiagonalPivot&) {
    if (const auto other = unique_solution(G, b)) return *other;
  }
  throw degenerate_energy();
}

}  // namespace

namespace {

ProjectedMotion projected(const System& system, SolvedVelocities velocities, Legs legs) {
  ProjectedMotion motion{std::move(velocities), {}, {}, {}};
  const Projection on_constraint(system, motion.velocities, std::move(legs));
  motion.configuration_rates = on_constraint.configuration_rates();
  motion.metric = on_constraint.metric();
  motion.force = on_constraint.force();
  return motion;
}

/// Quasi-velocities as elimination leaves them, where all constraints are linear or affine.
std::optional<Admissible> quasi_velocities(const System& system) {
  try {
    return eliminated_velocities(system);
  } catch (const NonlinearConstraint&) {
    return std::nullopt;
  }
}

}  // namespace

ProjectedMotion projected_motion(const System& system) {
  const std::optional<Admissible> D = quasi_velocities(system);
  if (!D) return projected_motion(system, solved_velocities(system));
  Legs legs;
  for (int alpha = 0; alpha < D->rank(); ++alpha) legs.legs.push_back(D->leg(alpha).coefficients());
  legs.drift.assign(D->drift.entries().begin(), D->drift.entries().end());
  return projected(system, {D->speeds, D->velocity().coefficients(), D->definitions, true, D->where, {}},
                   std::move(legs));
}

ProjectedMotion projected_motion(const System& system, SolvedVelocities velocities) {
  Legs legs = legs_of(velocities);
  return projected(system, std::move(velocities), std::move(legs));
}

EquationsOfMotion solved_motion(const System& system, const ProjectedMotion& motion) {
  const SolvedVelocities& v = motion.velocities;
  EquationsOfMotion equations;
  equations.form = v.linear ? "hamel" : "gibbs-appell";
  equations.configuration.assign(system.space.functions().begin(), system.space.functions().end());
  equations.configuration_rates = motion.configuration_rates;
  equations.speeds = v.speeds;
  const Solution rates = accelerations(motion.metric, motion.force);
  equations.speed_rates.assign(rates.x.entries().begin(), rates.x.entries().end());
  equations.velocities = v.substitution(system.space);
  equations.speed_definitions = v.definitions;
  equations.where = v.where;
  equations.where.insert(equations.where.end(), rates.where.begin(), rates.where.end());
  equations.notes = v.notes;
  return equations;
}

EquationsOfMotion straight_line_equations(const System& system) {
  if (system.space.dimension() >= recursive_from && system.constraints.empty()) {
    if (const auto D = quasi_velocities(system)) {
      const SolvedVelocities v{D->speeds, D->velocity().coefficients(), D->definitions, true, D->where, {}};
      if (auto motion = articulated_motion(system, v)) return *std::move(motion);
    }
  }
  return solved_motion(system, projected_motion(system));
}

}  // namespace rattleback
