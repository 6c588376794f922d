#include <rattleback/study/first_orbit.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/runs/variational_motion.hpp>

namespace rattleback {
namespace {

using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;

class FirstOrbit {
 public:
  FirstOrbit(PeriodicEquations& equations, const OrbitStart& start)
      : equations_(equations), motion_(equations.motion()), start_(start), n_(equations.states()) {}

  Vec found() {
    Vec u = guess();
    if (!start_.steady) remember_turns(u);
    const SolutionSet set = equations_.solution_set();
    equations_.rebase(u, false);
    std::optional<Vec> orbit = start_.steady ? born(set, u) : nearest_at_fixed_quantity(set, u);
    if (!orbit)
      throw Error(
          "no-periodic-motion", "no periodic motion was found near the start",
          fmt::format("Newton's method does not converge from a period of {:.6g}", equations_.period_of(u)),
          "start nearer to one with --from NAME=VALUE,..., and say its period with --period T");
    equations_.rebase(*orbit, true);
    return *orbit;
  }

 private:
  /// The time of the first near return of what is kept, by a motion from the start.
  double return_time(const Vec& y) const {
    const Flow& flow = equations_.flow();
    VariationalMotion motion(flow, 1, {.rtol = 1e-9, .atol = 1e-11});
    motion.start(0, start_.state, Mat::Zero(static_cast<Eigen::Index>(flow.dimension()), 1));
    std::vector<double> times, distances;
    double most = 0;
    const double horizon = 1000;
    const auto distance = [&] {
      double sum = 0;
      for (Eigen::Index i = 0; i < n_; ++i) {
        double d = motion.state()[motion_.kept()[static_cast<std::size_t>(i)]] - y[i];
        if (motion_.is_angle(i)) d = std::remainder(d, 2 * M_PI);
        sum += d * d;
      }
      return std::sqrt(sum);
    };
    for (std::size_t steps = 0; steps < 20000 && motion.time() < horizon; ++steps) {
      motion.step(horizon);
      times.push_back(motion.time());
      distances.push_back(distance());
      most = std::max(most, distances.back());
      const std::size_t k = distances.size();
      if (k < 3 || distances[k - 2] > 0.2 * most || distances[k - 2] > distances[k - 3] ||
          distances[k - 2] > distances[k - 1])
        continue;
      // Where the parabola through the squares of three distances is least.
      const double a = times[k - 3] - times[k - 2], b = times[k - 1] - times[k - 2];
      const double fa = std::pow(distances[k - 3], 2) - std::pow(distances[k - 2], 2),
                   fb = std::pow(distances[k - 1], 2) - std::pow(distances[k - 2], 2);
      const double curvature = (fb / b - fa / a) / (b - a), slope = fb / b - curvature * b;
      const double move = curvature > 0 ? -slope / (2 * curvature) : 0;
      return times[k - 2] + std::clamp(move, a, b);
    }
    throw Error(
        "no-periodic-motion", "the motion from the start does not come back near to it",
        fmt::format("within t = {:.4g}", motion.time()),
        "start nearer to a periodic motion with --from NAME=VALUE,..., or say its period with --period T");
  }

  Vec guess() const {
    Vec u = Vec::Zero(equations_.unknowns());
    for (Eigen::Index i = 0; i < n_; ++i) u[i] = start_.state[motion_.kept()[static_cast<std::size_t>(i)]];
    for (const auto& [name, rate] : start_.rates) {
      const auto at = std::find(motion_.field_names().begin(), motion_.field_names().end(), name);
      if (at != motion_.field_names().end()) u[n_ + (at - motion_.field_names().begin())] = rate;
    }
    u.tail(equations_.parameters().size()) = equations_.parameters();
    u[equations_.period_at()] = motion_.forced() ? equations_.forcing_period(u)
                                : start_.period  ? *start_.period
                                                 : return_time(u.head(n_));
    return u;
  }

  /// Angles that have turned, quaternions that have changed their sign. Along the group rates take up what is left.
  void remember_turns(Vec& u) {
    Vec signs = Vec::Ones(n_), shift = Vec::Zero(n_);
    auto end = equations_.end_of(u);
    for (int finer = 0; !end && finer < 3; ++finer) {
      equations_.new_mesh(80U << static_cast<unsigned>(finer));
      end = equations_.end_of(u);
    }
    if (!end) return;
    for (const Eigen::Index q : motion_.quaternions())
      if (end->state.segment(q, 4).dot(u.segment(q, 4)) < 0) signs.segment(q, 4).setConstant(-1);
    equations_.set_turns(signs, shift);
    const Eigen::Index turns = equations_.turns();
    if (turns > 0) {
      // The group carries the end back: y(T) − T ω X ≈ y(0).
      const Vec gap = end->state - signs.cwiseProduct(u.head(n_));
      Mat along(n_, turns);
      for (Eigen::Index a = 0; a < turns; ++a)
        along.col(a) = motion_.fields()[static_cast<std::size_t>(a)]->value(equations_.inputs(u));
      u.segment(n_, turns) += dense::least_norm(along, gap).x / equations_.period_of(u);
      end = equations_.end_of(u);
      if (!end) return;
    }
    for (Eigen::Index i = 0; i < n_; ++i)
      if (motion_.is_angle(i)) shift[i] = 2 * M_PI * std::round((end->state[i] - u[i]) / (2 * M_PI));
    equations_.set_turns(signs, shift);
  }

  /// The nearest orbit at the value of the parameter; integrals and period are free.
  std::optional<Vec> nearest_at_fixed_quantity(const SolutionSet& set, const Vec& u) {
    SolutionSet fixed = set;
    fixed.at = [&](const Vec& w, Vec& F, Mat& slopes) {
      set.at(w, F, slopes);
      if (const auto varied = equations_.varied_at()) slopes.col(*varied).setZero();
    };
    std::optional<Vec> orbit = nearest_solution(fixed, u);
    if (!orbit) return std::nullopt;
    for (int k = 0; k < 3; ++k) {  // on the mesh that it needs
      equations_.rebase(*orbit, true);
      const auto better = nearest_solution(fixed, *orbit);
      if (!better) break;
      orbit = better;
    }
    // An equilibrium is a motion of every period.
    const auto end = equations_.end_of(*orbit);
    double size = 0;
    for (Eigen::Index i = 0; end && i < n_; ++i)
      size =
          std::max(size, end->largest[static_cast<std::size_t>(i)] - end->least[static_cast<std::size_t>(i)]);
    return size > 1e-6 ? orbit : std::nullopt;
  }

  /// A small orbit around an equilibrium: a step along the direction, corrected across it.
  std::optional<Vec> born(const SolutionSet& set, const Vec& centre) {
    // The eigenvector of the frequency 2π/T.
    const auto [values, vectors] = dense::eigenpairs(equations_.rates_at(centre).by_state);
    const double expected = equations_.period_of(centre);
    const std::complex<double> wanted(0, 2 * M_PI / expected);
    Eigen::Index best = 0;
    for (Eigen::Index i = 1; i < n_; ++i)
      if (std::abs(values[i] - wanted) < std::abs(values[best] - wanted)) best = i;
    Vec direction = Vec::Zero(equations_.unknowns());
    direction.head(n_) = vectors.col(best).real();
    if (!(direction.norm() > 1e-9)) return std::nullopt;
    direction.normalize();
    for (const double size : {1e-2, 3e-3, 3e-2, 1e-3}) {
      const Vec predicted = centre + size * (1 + centre.head(n_).norm()) * direction;
      equations_.new_mesh();
      equations_.rebase(predicted, false);
      if (const auto orbit = nearest_solution(in_plane(set, predicted, direction), predicted)) {
        const double period = equations_.period_of(*orbit);
        if (period > 0.5 * expected && period < 2 * expected) return orbit;
      }
    }
    return std::nullopt;
  }

  PeriodicEquations& equations_;
  const ReducedMotion& motion_;
  const OrbitStart& start_;
  Eigen::Index n_;
};

}  // namespace

Vec first_orbit(PeriodicEquations& equations, const OrbitStart& start) {
  return FirstOrbit(equations, start).found();
}

}  // namespace rattleback
