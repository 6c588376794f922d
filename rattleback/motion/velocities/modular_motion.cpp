#include <rattleback/motion/velocities/modular_motion.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/degree.hpp>

namespace rattleback {
namespace {

ModularMatrix column(const std::vector<ModP>& x) {
  ModularMatrix m(static_cast<int>(x.size()), 1);
  for (int i = 0; i < m.rows(); ++i) m(i, 0) = x[i];
  return m;
}

std::vector<ModP> column(const ModularMatrix& m, int j) {
  std::vector<ModP> x(m.rows());
  for (int i = 0; i < m.rows(); ++i) x[i] = m(i, j);
  return x;
}

ModP dot_modulo(const std::vector<ModP>& x, const std::vector<ModP>& y) {
  ModP s;
  for (std::size_t i = 0; i < x.size(); ++i) s += x[i] * y[i];
  return s;
}

std::vector<ModP> negated(std::vector<ModP> x) {
  for (ModP& xi : x) xi = -xi;
  return x;
}

/// x + s·w.
std::vector<ModP> moved(std::vector<ModP> x, ModP s, const std::vector<ModP>& w) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += s * w[i];
  return x;
}

/// A root of the quadratic polynomial with these values at 0, 1, −1.
std::optional<ModP> root_of_quadratic(ModP at_0, ModP at_1, ModP at_minus_1) {
  const ModP a = (at_1 + at_minus_1) / 2 - at_0, b = (at_1 - at_minus_1) / 2, c = at_0;
  if (a.is_zero()) return b.is_zero() ? std::nullopt : std::optional(-c / b);
  const auto r = root(b * b - 4 * a * c);
  if (!r) return std::nullopt;
  return (*r - b) / (2 * a);
}

std::vector<std::size_t> places(const ModularProgram& program, std::span<const Symbol> symbols) {
  std::vector<std::size_t> at;
  for (const Symbol s : symbols) {
    const auto index = program.index_of(s);
    if (!index) throw Bug("a symbol is missing from a modular program: " + s.name());
    at.push_back(*index);
  }
  return at;
}

}  // namespace

ModularMotion::ModularMotion(const System& system)
    : system_(system),
      n_(system.space.dimension()),
      k_(static_cast<int>(system.constraints.size())),
      program_(Expr(0)) {
  const Space& space = system_.space;
  std::vector<Expr> roots{system_.lagrangian};
  const auto add = [&](Expr e) {
    roots.push_back(e);
    return roots.size() - 1;
  };
  for (const Constraint& c : system_.constraints) add(c.expression);
  for (const Expr q : system_.forces) force_outputs_.push_back(add(q));
  for (const Symbol v : space.velocities()) add(v);
  for (const Symbol f : space.functions()) rate_outputs_.push_back(add(space.motion().at(f)));
  for (int f = 0; f < static_cast<int>(space.functions().size()); ++f) {
    add(space.functions()[f]);
    for (int i = 0; i < n_; ++i) {
      const auto found = space.leg(i).find(space.functions()[f]);
      if (found != space.leg(i).end() && !found->second.is_zero())
        legs_.push_back({i, f, add(found->second)});
    }
  }
  for (int i = 0; i < n_ && !space.c().all_zero(); ++i) {
    for (int l = 0; l < n_; ++l) {
      for (int m = 0; m < n_; ++m) {
        if (!space.c()(i, l, m).is_zero()) c_.push_back({i, l, m, add(space.c()(i, l, m))});
      }
    }
  }
  program_ = ModularProgram(roots);
  velocity_at_ = places(program_, space.velocities());
  function_at_ = places(program_, space.functions());
  affine_ = constraints_are_affine();
}

ModularMotion::Vector ModularMotion::direction(const ModularProgram& program, const Vector& function_rates,
                                               const Vector& velocities) const {
  Vector d(program.symbols().size());
  const auto put = [&](std::span<const Symbol> symbols, const Vector& values,
                       std::span<const std::size_t> at) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!at.empty()) {
        d[at[i]] = values[i];
      } else if (const auto index = program.index_of(symbols[i])) {
        d[*index] = values[i];
      }
    }
  };
  const bool own = &program == &program_;
  using Places = std::span<const std::size_t>;
  put(system_.space.functions(), function_rates, own ? Places(function_at_) : Places());
  put(system_.space.velocities(), velocities, own ? Places(velocity_at_) : Places());
  if (function_rates.empty()) return d;  // a direction of velocities alone: time stands still
  if (const auto t = program.index_of(system_.time)) d[*t] = 1;
  return d;
}

ModularMotion::Vector ModularMotion::constraint_values(const ModularRun& run) const {
  Vector values(k_);
  for (int a = 0; a < k_; ++a) values[a] = run.value(static_cast<std::size_t>(a) + 1);
  return values;
}

/// Whether ∂²C/∂v∂v vanishes, tried along one direction at one point.
bool ModularMotion::constraints_are_affine() const {
  const auto run = program_.run_near(1);
  if (!run) return false;
  Vector w(n_);
  for (int i = 0; i < n_; ++i) w[i] = run->point().generator<ModP>(static_cast<std::uint64_t>(i));
  const Vector along = direction(program_, {}, w);
  for (int a = 0; a < k_; ++a) {
    const auto g = run->gradient_along(static_cast<std::size_t>(a) + 1, along);
    for (const std::size_t i : velocity_at_) {
      if (!g.tangent[i].is_zero()) return false;
    }
  }
  return true;
}

/// A_ai = ∂C^a/∂v^i.
ModularMatrix ModularMotion::constraint_matrix(const ModularRun& run) const {
  ModularMatrix A(k_, n_);
  for (int a = 0; a < k_; ++a) {
    const Vector gradient = run.gradient(static_cast<std::size_t>(a) + 1);
    for (int i = 0; i < n_; ++i) A(a, i) = gradient[velocity_at_[i]];
  }
  return A;
}

std::optional<ModularRun> ModularMotion::with_velocities(const ModularRun& run, const Vector& v) const {
  ModularPoint point = run.point();
  for (int i = 0; i < n_; ++i) point.set(system_.space.velocities()[i], v[i]);
  return program_.run(point);
}

/// v − δ with A δ = C(v): on the constraint at once where C is affine in v.
std::optional<ModularMotion::OnConstraint> ModularMotion::admissible(const ModularRun& run,
                                                                     std::string& obstacle) const {
  Vector v(n_);
  for (int i = 0; i < n_; ++i) v[i] = run.symbol(velocity_at_[i]);
  ModularMatrix A = constraint_matrix(run);
  const auto delta = solve(A, column(constraint_values(run)));
  if (!delta) {
    obstacle = "no admissible velocity at a generic point: the constraints contradict each other";
    return std::nullopt;
  }
  const auto moved_run = with_velocities(run, moved(v, ModP(-1), column(*delta, 0)));
  if (!moved_run) return std::nullopt;
  if (affine_) return OnConstraint{*moved_run, std::move(A)};
  const Vector values = constraint_values(*moved_run);
  const bool met = std::all_of(values.begin(), values.end(), [](ModP value) { return value.is_zero(); });
  const auto found = met ? moved_run : on_nonlinear_constraint(*moved_run, obstacle);
  if (!found) return std::nullopt;
  return OnConstraint{*found, constraint_matrix(*found)};
}

/// Where a line through v meets the one constraint that is not affine, if that is quadratic. The line stays on the
/// affine constraints.
std::optional<ModularRun> ModularMotion::on_nonlinear_constraint(const ModularRun& run,
                                                                 std::string& obstacle) const {
  obstacle =
      "admissible velocities are found for one constraint that is quadratic in them, beside linear ones";
  const Vector values = constraint_values(run);
  const ModularMatrix all = constraint_matrix(run);
  std::vector<int> curved;
  for (int a = 0; a < k_; ++a) {
    if (!values[a].is_zero()) curved.push_back(a);
  }
  if (curved.size() != 1) return std::nullopt;
  ModularMatrix flat(k_ - 1, n_);
  for (int a = 0, row = 0; a < k_; ++a) {
    for (int i = 0; i < n_ && a != curved[0]; ++i) flat(row, i) = all(a, i);
    row += a != curved[0] ? 1 : 0;
  }
  const ModularMatrix legs = kernel(flat);
  Vector v(n_), w(n_);
  for (int i = 0; i < n_; ++i) v[i] = run.symbol(velocity_at_[i]);
  for (int j = 0; j < legs.columns(); ++j)
    w = moved(w, run.point().generator<ModP>(static_cast<std::uint64_t>(j)), column(legs, j));

  const auto at = [&](ModP s) { return with_velocities(run, moved(v, s, w)); };
  const auto plus = at(1), minus = at(-1);
  if (!plus || !minus) return std::nullopt;
  const auto value = [&](const ModularRun& r) { return r.value(static_cast<std::size_t>(curved[0]) + 1); };
  const auto s = root_of_quadratic(value(run), value(*plus), value(*minus));
  if (!s) return std::nullopt;
  const auto met = at(*s);
  if (!met) return std::nullopt;
  const Vector left = constraint_values(*met);  // of all: the others need not be affine either
  return std::all_of(left.begin(), left.end(), [](ModP c) { return c.is_zero(); }) ? met : std::nullopt;
}

/// b_i = X_i L − C_il^m v^l ∂L/∂v^m + Q_i − (d/dt ∂L/∂v^i at v' = 0).                                   (E.2)
ModularMotion::Vector ModularMotion::forces_without_acceleration(
    const ModularRun& run, const ModularRun::Gradient& lagrangian) const {
  Vector b(n_);
  for (int i = 0; i < n_; ++i) b[i] = -lagrangian.tangent[velocity_at_[i]];
  for (const LegEntry& x : legs_)
    b[x.leg] += run.value(x.output) * lagrangian.value[function_at_[x.function]];
  for (const Coefficient& c : c_) {
    b[c.i] -= run.value(c.output) * run.symbol(velocity_at_[c.l]) * lagrangian.value[velocity_at_[c.m]];
  }
  for (std::size_t i = 0; i < force_outputs_.size(); ++i) b[i] += run.value(force_outputs_[i]);
  return b;
}

/// M v' = b + Aᵀλ and A v' = −(C' at v' = 0), without M and λ: v' = y + N u with A y as required and A N = 0, and
///     (NᵀM N) u = Nᵀ(b − M y),                                                                        (E.3)
/// where M x is one derivative of the gradient of L along x.
std::optional<ModularMotion::Vector> ModularMotion::accelerations(const OnConstraint& at,
                                                                  const Vector& function_rates) const {
  const auto& [run, A] = at;
  const Vector ahead = direction(program_, function_rates, Vector(n_));
  const Vector tangents = run.tangent(ahead);
  const ModularMatrix N = kernel(A);
  const auto y = solve(A, column(negated(Vector(tangents.begin() + 1, tangents.begin() + 1 + k_))));
  if (!y) return std::nullopt;
  const auto mass_times = [&](const Vector& x) {
    const auto g = run.gradient_along(0, direction(program_, {}, x));
    Vector Mx(n_);
    for (int i = 0; i < n_; ++i) Mx[i] = g.tangent[velocity_at_[i]];
    return Mx;
  };
  Vector b = forces_without_acceleration(run, run.gradient_along(0, ahead)), a = column(*y, 0);
  b = moved(b, ModP(-1), mass_times(a));

  const int r = N.columns();
  if (r == 0) return a;
  ModularMatrix G(r, r), right(r, 1);
  std::vector<Vector> legs;
  for (int alpha = 0; alpha < r; ++alpha) legs.push_back(column(N, alpha));
  for (int alpha = 0; alpha < r; ++alpha) {
    const Vector momentum = mass_times(legs[alpha]);
    for (int beta = 0; beta < r; ++beta) G(beta, alpha) = dot_modulo(legs[beta], momentum);
    right(alpha, 0) = dot_modulo(legs[alpha], b);
  }
  if (rank(G) < r) return std::nullopt;
  const auto u = solve(G, right);
  for (int alpha = 0; alpha < r; ++alpha) a = moved(a, (*u)(alpha, 0), legs[alpha]);
  return a;
}

std::optional<ModularMotion::State> ModularMotion::state(std::uint64_t seed, std::string* obstacle) const {
  constexpr int most = search_limits::admissible_state.count;  // half of the lines through a quadric meet it
  std::string why = "no point was found at which the system is defined";
  for (int attempt = 0; attempt < most; ++attempt) {
    const auto run = program_.run_near(seed + static_cast<std::uint64_t>(attempt));
    if (!run) break;
    const auto on_constraint = admissible(*run, why);
    if (!on_constraint) continue;
    State state{on_constraint->run.point(), {}, {}};
    for (const std::size_t output : rate_outputs_)
      state.function_rates.push_back(on_constraint->run.value(output));
    if (auto a = accelerations(*on_constraint, state.function_rates)) {
      state.accelerations = std::move(*a);
      return state;
    }
    why = "the Lagrangian is not regular on the constraint: the accelerations are not determined";
  }
  if (obstacle != nullptr) *obstacle = why;
  return std::nullopt;
}

std::optional<ModP> ModularMotion::rate(const ModularProgram& f, const State& state) const {
  const auto run = f.run(state.point);
  if (!run) return std::nullopt;
  return run->tangent(direction(f, state.function_rates, state.accelerations))[0];
}

/// The entries of the equations of motion have at most three times the degree of L and of the constraints, Cramer's rule
/// adds them up, and admissible velocities are themselves quotients of minors of A.
int ModularMotion::bits_per_state(Expr f) const {
  const double most = std::log2(static_cast<double>(modulus_of_angles));
  const auto degree = [&](Expr e) { return std::exp2(most - bits_per_point(e, 0)); };
  std::vector<Expr> factors;
  for (const Constraint& c : system_.constraints) factors.push_back(c.expression);
  const double constraints = factors.empty() ? 0 : degree(product(factors));
  double forces = 0;
  for (const Expr q : system_.forces) forces += degree(q);
  const double equations = 3 * (n_ + 1) * degree(system_.lagrangian) + 3 * constraints + forces;
  const double total = (equations + 2 * degree(f)) * (1 + constraints);
  return std::max(1, static_cast<int>(std::floor(most - std::log2(total))));
}

bool vanish_along_motion(const System& system, const std::vector<Expr>& formulas,
                         const std::vector<std::pair<Symbol, Expr>>& rates) {
  constexpr int states = 2, draws = search_limits::states_of_vectors.count;
  const ModularMotion motion(system);
  const ModularProgram program(formulas);
  int agreed = 0;
  for (std::uint64_t seed = 1; seed < draws && agreed < states; ++seed) {
    const auto state = motion.state(seed);
    if (!state) continue;
    ModularPoint point = state->point;
    bool complete = true;
    for (const auto& [s, f] : rates) {
      const auto rate = motion.rate(ModularProgram(f), *state);
      complete = complete && rate.has_value();
      if (rate) point.set(s, *rate);
    }
    const auto run = complete ? program.run(point) : std::nullopt;
    if (!run) continue;
    for (std::size_t k = 0; k < formulas.size(); ++k)
      if (!run->value(k).is_zero()) return false;
    ++agreed;
  }
  return agreed > 0;
}

}  // namespace rattleback
