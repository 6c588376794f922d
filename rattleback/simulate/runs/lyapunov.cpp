#include <rattleback/simulate/runs/lyapunov.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <Eigen/Core>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/simulate/runs/stalled_motion.hpp>
#include <rattleback/simulate/runs/variational_motion.hpp>
#include <rattleback/simulate/states/tangent_space.hpp>

namespace rattleback {
namespace {

/// frame = Q R with R_jj > 0; the columns become Q. Each is made orthogonal twice to those before it.
Eigen::MatrixXd orthonormalise(Eigen::MatrixXd& frame) {
  Eigen::MatrixXd r = Eigen::MatrixXd::Zero(frame.cols(), frame.cols());
  for (Eigen::Index j = 0; j < frame.cols(); ++j) {
    for (int twice = 0; twice < 2; ++twice) {
      for (Eigen::Index i = 0; i < j; ++i) {
        const double along = frame.col(i).dot(frame.col(j));
        frame.col(j) -= along * frame.col(i);
        r(i, j) += along;
      }
    }
    r(j, j) = frame.col(j).norm();
    frame.col(j) /= r(j, j);
  }
  return r;
}

/// How many factors of e directions may grow or shrink, or grow apart, before the frame is made orthonormal again.
constexpr double longest_growth = 3;

/// Deviations w_j of length one that are never made orthogonal, by their coordinates in the frame.
class Deviations {
 public:
  explicit Deviations(Eigen::Index count) : w_(Eigen::MatrixXd::Identity(count, count)), log_volume_(count) {
    log_volume_.setZero();
  }
  void advance(const Eigen::MatrixXd& r) {
    w_ = (r * w_).eval();
    for (Eigen::Index j = 0; j < w_.cols(); ++j) {
      const double size = w_.col(j).norm();
      w_.col(j) /= size;
      log_volume_[j] += std::log(r(j, j)) - std::log(size);
    }
  }
  /// ln |w_1 ∧ … ∧ w_k| for k = 2 …: the product of what is left of each.
  std::vector<double> log_gali() const {
    std::vector<double> all;
    double total = log_volume_[0];
    for (Eigen::Index k = 1; k < w_.cols(); ++k) all.push_back(total += log_volume_[k]);
    return all;
  }

 private:
  Eigen::MatrixXd w_;
  Eigen::VectorXd log_volume_;
};

/// 2 sin(φ/2) for the smaller angle φ with sin φ = the volume.
double sali_of(double log_volume) {
  const double sine = std::min(1.0, std::exp(log_volume)), cosine = std::sqrt(1 - sine * sine);
  return sine / std::sqrt((1 + cosine) / 2);
}

/// Sums over the motion, one after the other.
class Spectrum {
 public:
  Spectrum(const Flow& flow, std::span<const double> y, const LyapunovOptions& options)
      : flow_(flow),
        options_(options),
        tangent_(flow),
        count_(requested(y)),
        motion_(flow, count_, {.rtol = options.rtol, .atol = options.rtol / 100, .step = 0},
                has_divergence()),
        progress_(options.transient + options.until),
        deviations_(static_cast<Eigen::Index>(count_)) {
    Eigen::MatrixXd frame = tangent_.some_directions(0, y, count_);
    orthonormalise(frame);
    motion_.start(0, y, frame);
    sums_ = Eigen::VectorXd::Zero(frame.cols());
  }

  LyapunovExponents run() {
    const double sign = options_.backward ? -1 : 1;
    const std::vector<double> start(motion_.state().begin(), motion_.state().end());
    try {
      if (options_.transient > 0) advance(sign * options_.transient, false);
      const double from = motion_.time();
      const auto parts = static_cast<double>(options_.blocks + 1);
      advance(from + sign * options_.until / parts, true);
      found_.aligned = motion_.time();
      divergence_before_ = motion_.divergence_integral();
      for (std::size_t b = 1; b <= options_.blocks; ++b) {
        const Eigen::VectorXd before = sums_;
        const double block_start = motion_.time();
        advance(from + sign * options_.until * static_cast<double>(b + 1) / parts, true);
        const Eigen::VectorXd rate = (sums_ - before) / std::abs(motion_.time() - block_start);
        found_.blocks.emplace_back(rate.begin(), rate.end());
        lengths_.push_back(std::abs(motion_.time() - block_start));
      }
    } catch (const StepFailure& failure) {
      found_.failure = failure.reason;
    }
    found_.neutral =
        neutral_directions(flow_, start, motion_.state(), std::abs(motion_.time()), options_.invariants);
    return summary();
  }

 private:
  static bool has_positions(const Flow& flow) {
    const auto& all = flow.system().constraints;
    return std::any_of(all.begin(), all.end(), [](const Constraint& c) { return c.position.has_value(); });
  }
  bool has_divergence() const {
    return options_.divergence && count_ == found_.directions && flow_.projection() == nullptr &&
           !has_positions(flow_);
  }
  std::size_t requested(std::span<const double> y) {
    found_.directions = tangent_.dimension(0, y);
    if (options_.count > found_.directions)
      throw Error("usage",
                  fmt::format("{} Lyapunov exponents of a motion with {} directions", options_.count,
                              found_.directions),
                  "every direction of the state has one; a unit quaternion has three",
                  fmt::format("ask for {} or fewer", found_.directions));
    return options_.count == 0 ? found_.directions : options_.count;
  }

  /// Until that time; the frame is orthonormal then.
  void advance(double end, bool counts) {
    const double sign = options_.backward ? -1 : 1;
    double next = motion_.time() + sign * interval_;
    while (sign * (end - motion_.time()) > 0) {
      if (options_.between_steps) options_.between_steps();
      motion_.step(end);
      progress_.require(motion_.steps(), std::abs(motion_.time()));
      if (sign * (next - motion_.time()) > 0 && sign * (end - motion_.time()) > 0) continue;
      renew(counts);
      next = motion_.time() + sign * interval_;
    }
  }
  void renew(bool counts) {
    Eigen::MatrixXd frame = motion_.directions();
    tangent_.project(motion_.time(), motion_.state(), frame);
    const Eigen::MatrixXd r = orthonormalise(frame);
    motion_.set_directions(frame);
    ++found_.orthonormalisations;
    const Eigen::VectorXd growth = r.diagonal().array().log();
    if (!growth.allFinite()) throw StepFailure(motion_.time(), "the directions grew beyond all numbers");
    const double elapsed = std::abs(motion_.time() - renewed_);
    if (elapsed > 0) {
      const double most = std::max(growth.cwiseAbs().maxCoeff(), growth.maxCoeff() - growth.minCoeff());
      // and often enough for the integral of MEGNO
      interval_ = std::min(elapsed * std::clamp(longest_growth / std::max(most, 1e-3), 0.1, 3.0),
                           options_.until / 400);
    }
    if (counts) {
      sums_ += growth;
      deviations_.advance(r);
      // ∫ t d ln|δ| with the middle of the interval; |δ| is that of the first direction.
      const double middle = std::abs((motion_.time() + renewed_) / 2) - options_.transient;
      const double now = std::abs(motion_.time()) - options_.transient;
      weighted_ += middle * growth[0];
      const double megno = 2 * weighted_ / now;
      mean_ += (found_.megno + megno) / 2 * elapsed;
      found_.megno = megno;
      found_.mean_megno = mean_ / now;
    }
    renewed_ = motion_.time();
  }

  LyapunovExponents summary() {
    found_.time = motion_.time();
    found_.steps = motion_.steps();
    const double total = std::accumulate(lengths_.begin(), lengths_.end(), 0.0);
    const auto mean_of = [&](std::size_t i, std::size_t blocks) {
      double sum = 0, length = 0;
      for (std::size_t b = 0; b < blocks; ++b) {
        sum += lengths_[b] * found_.blocks[b][i];
        length += lengths_[b];
      }
      return length > 0 ? sum / length : std::nan("");
    };
    std::vector<double> means;
    for (std::size_t i = 0; i < count_; ++i) means.push_back(mean_of(i, lengths_.size()));
    std::vector<std::size_t> order(count_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return means[a] > means[b]; });
    for (const std::size_t i : order) {
      found_.exponents.push_back(means[i]);
      found_.halfway.push_back(mean_of(i, std::max<std::size_t>(1, lengths_.size() / 2)));
      double squares = 0;
      for (const auto& block : found_.blocks) squares += std::pow(block[i] - means[i], 2);
      const auto b = static_cast<double>(lengths_.size());
      found_.errors.push_back(b > 1 ? std::sqrt(squares / (b - 1) / b) : std::nan(""));
    }
    for (auto& block : found_.blocks) {
      std::vector<double> sorted;
      for (const std::size_t i : order) sorted.push_back(block[i]);
      block = std::move(sorted);
    }
    if (has_divergence() && total > 0)
      found_.divergence = (motion_.divergence_integral() - divergence_before_) / total;
    if (count_ > 1) {
      found_.log_gali = deviations_.log_gali();
      found_.sali = sali_of(found_.log_gali.front());
    }
    return std::move(found_);
  }

  const Flow& flow_;
  const LyapunovOptions& options_;
  TangentSpace tangent_;
  LyapunovExponents found_;
  std::size_t count_;
  VariationalMotion motion_;
  Progress progress_;
  Deviations deviations_;
  Eigen::VectorXd sums_;
  std::vector<double> lengths_;
  double interval_ = 0, renewed_ = 0, weighted_ = 0, mean_ = 0, divergence_before_ = 0;
};

}  // namespace

double LyapunovExponents::sum() const { return std::accumulate(exponents.begin(), exponents.end(), 0.0); }

double LyapunovExponents::error_of_sum() const {
  const auto b = static_cast<double>(blocks.size());
  double squares = 0;
  for (const auto& block : blocks)
    squares += std::pow(std::accumulate(block.begin(), block.end(), -sum()), 2);
  return b > 1 ? std::sqrt(squares / (b - 1) / b) : std::nan("");
}

std::optional<double> LyapunovExponents::kaplan_yorke() const {
  if (exponents.empty() || !(exponents.front() > 3 * errors.front()) || !(sum() < -3 * error_of_sum()))
    return std::nullopt;
  double partial = 0;
  for (std::size_t j = 0; j < exponents.size(); ++j) {
    if (partial + exponents[j] < 0) return static_cast<double>(j) + partial / std::abs(exponents[j]);
    partial += exponents[j];
  }
  return std::nullopt;
}

LyapunovExponents lyapunov_exponents(const Flow& flow, std::span<const double> y,
                                     const LyapunovOptions& options) {
  return Spectrum(flow, y, options).run();
}

LyapunovExponents lyapunov_exponents(const Flow& flow, std::span<const double> y, double until,
                                     std::size_t count, double rtol) {
  LyapunovOptions options;
  options.until = until;
  options.count = count;
  options.rtol = rtol;
  return lyapunov_exponents(flow, y, options);
}

}  // namespace rattleback
