// Declared in simulate/steppers/steppers.hpp. Variational integrator for Hamiltonized systems: with a Chaplygin multiplier f, also at fixed momenta, the base is Hamiltonian in the time
/// dτ = f dt (S.18). Between two points of the base lies the path Γ(θ) = X/|X|, X = (1 − θ) x₀ + θ x₁, straight on lines and an arc of a
/// great circle on spheres. The discrete action h L(m, v) + ∫_Γ A, m = Γ(½), v = (x₁ − x₀)/(h c), c = |X(½)|, A the potential of S, gives
///     p₀ = T₀ [(p − ½h F + ½h ⟨p, v⟩ m)/c − ∫ (1 − θ) S Γ' dθ/|X|],
///     p₁ = T₁ [(p + ½h F − ½h ⟨p, v⟩ m)/c + ∫ θ S Γ' dθ/|X|],   p = ∂L/∂v, F = ∂L/∂x at (m, v),               (S.16)
/// with T the tangent part, ⟨p, v⟩ m on spheres only: a map without charts or a choice of A, symmetric, and symplectic for dx∧dp + S.
/// What is above the base moves by the velocity at the middle, t by h/f. Five such steps of constant length in τ [Suzuki 1990] make one of
/// order 4; the state is mapped back to (q, z) and t after each. Systems on groups that are Lie–Poisson have a step of their own: lie_poisson.cpp.
#include <array>
#include <cmath>
#include <limits>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/simulate/states/newton.hpp>
#include <rattleback/simulate/steppers/base_motion.hpp>
#include <rattleback/simulate/steppers/collocation.hpp>
#include <rattleback/simulate/steppers/fixed_step.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

using Vector = Eigen::VectorXd;

/// Gauss's five nodes: the flux through an arc, to order ten.
std::array<double, 5> flux_nodes() {
  const double inner = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 6;
  const double outer = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 6;
  return {0.5 - outer, 0.5 - inner, 0.5, 0.5 + inner, 0.5 + outer};
}

/// A point of the reduced motion, and a configuration above it.
struct PlaceAbove {
  Vector x, p;
  std::vector<double> y;
  double t = 0;
};

/// One step of (S.16).
class VariationalMidpoint {
 public:
  explicit VariationalMidpoint(const Flow& flow)
      : motion_(flow), manifold_(flow), q_(flow.first_speed()), flux_(flux_nodes()) {}

  BaseMotion& motion() { return motion_; }
  const BaseMotion& motion() const { return motion_; }

  /// Moves a place by h in τ; false when there is no solution.
  bool operator()(PlaceAbove& at, const Vector& mu, double h) {
    std::vector<double> y = at.y;
    motion_.set_speeds(at.p, mu, y);
    Vector scale, x = motion_.normalised(at.x + h * motion_.velocity(y), scale);
    const auto residual = [&](const Vector& guess) -> Vector {
      Vector length;
      const Vector x1 = motion_.normalised(guess, length);
      return motion_.tangent(at.x, between(at, mu, h, x1).start) - at.p +
             at.x.cwiseProduct(length - Vector::Ones(length.size()));
    };
    if (!solve_by_newton(residual, x)) return false;
    x = motion_.normalised(x, scale);
    const Arc arc = between(at, mu, h, x);
    if (!move_above(at, arc, mu, h, x)) return false;
    at.x = x;
    at.p = motion_.tangent(x, arc.end);
    at.t += h * arc.t;
    return true;
  }

 private:
  /// From at.x to x₁: its middle, the velocity there, and what (S.16) takes the tangent parts of.
  struct Arc {
    Vector middle, v, start, end;
    double t;
  };
  Arc between(const PlaceAbove& at, const Vector& mu, double h, const Vector& x1) {
    Vector c;
    const Vector middle = motion_.normalised((at.x + x1) / 2, c);
    const Vector v = ((x1 - at.x) / h).cwiseQuotient(c);
    const auto there = rates_at(at, middle, v, mu);
    const Vector push = h / 2 * (there.force - motion_.radial(middle, there.p, v));
    Arc arc{middle, v, (there.p - push).cwiseQuotient(c), (there.p + push).cwiseQuotient(c), there.t};
    if (!motion_.formulas().base.twisted) return arc;
    for (Eigen::Index n = 0; n < flux_.c.size(); ++n) {
      const double theta = flux_.c[n], weight = flux_.b[n];
      Vector length;
      const Vector x = motion_.normalised((1 - theta) * at.x + theta * x1, length);
      const Vector along = motion_.tangent(x, (x1 - at.x).cwiseQuotient(length));
      const Vector flux = rates_at(at, x, along, mu).twist.cwiseQuotient(length);
      arc.start -= weight * (1 - theta) * flux;
      arc.end += weight * theta * flux;
    }
    return arc;
  }

  /// At a configuration above x that is near the place; not numbers where there is none.
  BaseMotion::Rates rates_at(const PlaceAbove& at, const Vector& x, const Vector& v, const Vector& mu) {
    y_ = at.y;
    if (motion_.lift(x, y_)) return motion_.rates(v, mu, y_);
    const Vector none = Vector::Constant(x.size(), NAN);
    return {none, none, none, none, NAN};
  }

  void add(std::vector<double>& y, double h, const Vector& rate) {
    for (std::size_t k = 0; k < q_; ++k) y[k] += h * rate[static_cast<Eigen::Index>(k)];
    manifold_(0, y.data());
  }

  /// The configuration y_m above the middle from which half a step back leads to at.y and half a step forth to the next one, both
  /// taken to their points along D: a symmetric rule.
  bool move_above(PlaceAbove& at, const Arc& arc, const Vector& mu, double h, const Vector& x1) {
    std::vector<double> middle = at.y, back, y;
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 60; ++i) {
      if (!motion_.lift(arc.middle, middle)) return false;
      y = middle;
      const Vector rate = motion_.rates(arc.v, mu, y).q;
      back = middle;
      add(back, -h / 2, rate);
      if (!motion_.lift(at.x, back)) return false;
      double size = 0;
      for (std::size_t k = 0; k < q_; ++k) {
        size = std::max(size, std::abs(at.y[k] - back[k]) / (1 + std::abs(at.y[k])));
        middle[k] += at.y[k] - back[k];
      }
      manifold_(0, middle.data());
      if (!(size < 1e3)) return false;
      if (size < 1e-15 || (size < 1e-13 && size > before / 2)) {
        add(middle, h / 2, rate);
        at.y = middle;
        return motion_.lift(x1, at.y);
      }
      before = size;
    }
    return false;
  }

  BaseMotion motion_;
  Manifold<double> manifold_;
  std::size_t q_;
  Collocation flux_;
  std::vector<double> y_;
};

class Hamiltonized final : public FixedStepper {
 public:
  Hamiltonized(const Flow& flow, const StepperSettings& settings)
      : FixedStepper(flow, settings), midpoint_(flow) {}

  void start(double t, std::span<const double> y) override {
    FixedStepper::start(t, y);
    tau_ = 0;
  }

  void step(double end) override {
    if (step_ == 0) step_ = default_step(f_, t_, y_, end - t_);
    leave();
    BaseMotion& motion = midpoint_.motion();
    if (tau_ == 0) tau_ = step_ * motion.multiplier(y_);  // the first step lasts about as long as asked for
    double h = tau_, t = try_step(h);
    // The last step ends where the motion does: t is monotone in h.
    if (!(t < end - 1e-12 * std::abs(end))) {
      for (int i = 0; i < 50 && std::abs(t - end) > 1e-15 * std::abs(end); ++i) {
        h += (end - t) * motion.multiplier(y_);
        t = try_step(h);
      }
      t = end;
    }
    arrive(t);
  }

  std::size_t evaluations() const override {
    return FixedStepper::evaluations() + midpoint_.motion().evaluations();
  }

 protected:
  void advance(double) override {}

 private:
  /// The state after Δτ = h from y_old_, into y_; its time.
  double try_step(double h) {
    BaseMotion& motion = midpoint_.motion();
    PlaceAbove at{motion.point(y_old_), motion.momenta(y_old_), y_old_, t_old_};
    const Vector mu = motion.constants(y_old_);
    const double outer = 1 / (4 - std::cbrt(4.0));
    for (const double part : {outer, outer, 1 - 4 * outer, outer, outer})
      require_solved(midpoint_(at, mu, part * h));
    motion.set_speeds(at.p, mu, at.y);
    y_ = at.y;
    return at.t;
  }

  VariationalMidpoint midpoint_;
  double tau_ = 0;  ///< the constant step of τ
};

}  // namespace

std::unique_ptr<Stepper> hamiltonized(const Flow& flow, const StepperSettings& settings) {
  try {
    return std::make_unique<Hamiltonized>(flow, settings);
  } catch (const Inapplicable&) {
    try {
      return lie_poisson(flow, settings);
    } catch (const Inapplicable&) {  // the first reason says more
    }
    throw;
  }
}

}  // namespace rattleback
