#include <rattleback/study/phase_volume.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Core>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>
#include <rattleback/simulate/runs/variational_motion.hpp>
#include <rattleback/simulate/states/observer.hpp>
#include <rattleback/study/bound_volume.hpp>

namespace rattleback {
namespace {

using Mat = Eigen::MatrixXd;

/// ln V at equal times along one motion; shorter where the motion ends.
struct VolumeAlong {
  std::vector<double> log_volume, log_density;
};

/// ρ as a density of the volume that is computed. Where all velocities are numbers of the state, that is the volume V_v of admissible velocities
/// v = Ψ z by their length, and ρ belongs to that of the speeds z: V_v = √det(ΨᵀΨ) V_z.
Expr density_of_volume(const Flow& flow, Expr density) {
  if (flow.projection() == nullptr) return density;
  const System& system = flow.derived_system();
  const SolvedVelocities v = solved_velocities(system);
  if (!v.linear)
    throw Error("usage", "a density where the constraints are not linear in the velocities",
                "it depends on the speeds that it is a density of", "leave out --density");
  Matrix psi(static_cast<int>(v.psi.size()), static_cast<int>(v.speeds.size()));
  for (int i = 0; i < psi.rows(); ++i)
    for (int a = 0; a < psi.columns(); ++a)
      psi(i, a) = derivative(v.psi[static_cast<std::size_t>(i)], v.speeds[static_cast<std::size_t>(a)]);
  return density / sqrt(determinant(transpose(psi) * psi));
}

class CloudRun {
 public:
  CloudRun(const Flow& flow, const VolumeQuestion& question) : question_(question) {
    if (is_state_bound(flow))
      bound_.emplace(flow, question.rtol);
    else
      free_.emplace(flow, 1, StepperSettings{question.rtol, question.rtol / 100, 0}, true);
    if (!question.density) return;
    const Expr density = density_of_volume(flow, *question.density);
    density_.emplace(flow, std::vector<std::string>{"density"}, std::span(&density, 1));
  }
  /// The state on the constraints; false where none is near.
  bool settle(std::vector<double>& y) { return !bound_ || bound_->settle(y); }

  VolumeAlong operator()(const std::vector<double>& y) {
    VolumeAlong found;
    try {
      if (bound_)
        bound_->start(y);
      else
        free_->start(0, y, Mat::Zero(static_cast<Eigen::Index>(y.size()), 1));
      note(found);
      for (std::size_t k = 1; k <= question_.samples; ++k) {
        const double end = question_.until * static_cast<double>(k) / static_cast<double>(question_.samples);
        while (time() < end) bound_ ? bound_->step(end) : free_->step(end);
        note(found);
      }
    } catch (const StepFailure&) {
    }
    return found;
  }

 private:
  double time() const { return bound_ ? bound_->time() : free_->time(); }
  void note(VolumeAlong& found) {
    found.log_volume.push_back(bound_ ? bound_->log_volume() : free_->divergence_integral());
    if (density_) found.log_density.push_back(log_density());
  }
  double log_density() {
    const double rho = (*density_)(time(), bound_ ? bound_->state() : free_->state())[0];
    if (std::isfinite(rho) && rho != 0) return std::log(std::abs(rho));
    throw Error("usage", fmt::format("the density is {} at t = {:.6g}", rho, time()),
                "ln rho has no value there, so that nothing can be compared with the volume",
                "give a density that is positive along the motions, or a smaller --width");
  }

  const VolumeQuestion& question_;
  std::optional<VariationalMotion> free_;  ///< with the divergence
  std::optional<BoundVolume> bound_;
  std::optional<Observer> density_;
};

std::vector<double> with_speeds_reversed(const Flow& flow, std::vector<double> y) {
  for (std::size_t k = flow.first_speed(); k < y.size(); ++k) y[k] = -y[k];
  return y;
}

/// Neighbours of a state, the same in every run, without those that the constraints exclude.
std::vector<std::vector<double>> cloud_around(const Flow& flow, std::span<const double> y,
                                              const VolumeQuestion& question, CloudRun& run) {
  std::vector<std::vector<double>> cloud;
  std::uint64_t random = 88172645463325252U;
  const auto next = [&] {
    random ^= random << 13U;
    random ^= random >> 7U;
    random ^= random << 17U;
    return static_cast<double>(random >> 11U) * 0x1p-52 - 1;
  };
  for (std::size_t m = 0; m < question.motions; ++m) {
    std::vector<double> z(y.begin(), y.end());
    for (double& x : z) x += question.width * next();
    for (const std::size_t q : flow.quaternions()) {
      double square = 0;
      for (std::size_t k = q; k < q + 4; ++k) square += z[k] * z[k];
      for (std::size_t k = q; k < q + 4; ++k) z[k] /= std::sqrt(square);
    }
    if (run.settle(z)) cloud.push_back(std::move(z));
  }
  return cloud;
}

std::vector<VolumeAt> over_cloud(const std::vector<VolumeAlong>& all, const VolumeQuestion& question) {
  std::vector<VolumeAt> table;
  for (std::size_t k = 0; k <= question.samples; ++k) {
    VolumeAt at{question.until * static_cast<double>(k) / static_cast<double>(question.samples), 0, INFINITY,
                -INFINITY};
    std::size_t count = 0;
    for (const VolumeAlong& one : all) {
      if (one.log_volume.size() <= question.samples) continue;
      ++count;
      at.mean += one.log_volume[k];
      at.least = std::min(at.least, one.log_volume[k]);
      at.largest = std::max(at.largest, one.log_volume[k]);
    }
    if (count == 0) return {};
    at.mean /= static_cast<double>(count);
    table.push_back(at);
  }
  return table;
}

std::pair<double, double> mean_rate(const std::vector<VolumeAlong>& all, const VolumeQuestion& question) {
  double sum = 0, squares = 0, count = 0;
  for (const VolumeAlong& one : all) {
    if (one.log_volume.size() <= question.samples) continue;
    const double rate = one.log_volume.back() / question.until;
    sum += rate;
    squares += rate * rate;
    ++count;
  }
  if (count == 0) return {NAN, NAN};
  const double mean = sum / count;
  return {mean, count > 1 ? std::sqrt(std::max(0.0, squares / count - mean * mean) / (count - 1)) : NAN};
}

}  // namespace

PhaseVolume phase_volume(const Flow& flow, std::span<const double> y, const VolumeQuestion& question) {
  PhaseVolume found;
  found.motions = question.motions;
  CloudRun run(flow, question);
  Rates rates(flow);
  std::vector<VolumeAlong> forward, reversed;
  std::vector<double> f(y.size()), g(y.size());
  double size = 0, difference = 0, worst = 0;
  const std::vector<std::vector<double>> cloud = cloud_around(flow, y, question, run);
  found.failed = question.motions - cloud.size();
  for (const std::vector<double>& z : cloud) {
    const std::vector<double> mirrored = with_speeds_reversed(flow, z);
    rates(0, z.data(), f.data());
    rates(0, mirrored.data(), g.data());
    for (std::size_t k = 0; k < f.size(); ++k) {
      // R f has the sign −1 on the speeds: f(Ry) + R f(y) vanishes for reversible motions.
      const double sign = k < flow.first_speed() ? 1 : -1;
      difference = std::max(difference, std::abs(g[k] + sign * f[k]));
      size = std::max(size, std::abs(f[k]));
    }
    forward.push_back(run(z));
    reversed.push_back(run(mirrored));
    if (forward.back().log_volume.size() <= question.samples) ++found.failed;
    for (std::size_t k = 0; k < forward.back().log_density.size(); ++k)
      worst = std::max(worst, std::abs(forward.back().log_density[k] - forward.back().log_density[0] +
                                       forward.back().log_volume[k]));
  }
  found.asymmetry = size > 0 ? difference / size : 0;
  if (question.density) found.violation = worst;
  found.forward = over_cloud(forward, question);
  found.reversed = over_cloud(reversed, question);
  std::tie(found.rate, found.error) = mean_rate(forward, question);
  std::tie(found.reversed_rate, found.reversed_error) = mean_rate(reversed, question);
  return found;
}

}  // namespace rattleback
