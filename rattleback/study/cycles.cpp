#include <rattleback/study/cycles.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;

constexpr double on_circle = 1e-6;

/// P^k(y) − y across the group, and the conditions, with slopes; nothing where the motion does not come back.
struct Gap {
  Vec value;
  Mat slopes;
  double distance = 0;
};
std::optional<Gap> gap_of(ReturnMap& map, int k, const Vec& y) {
  auto found = map.after(y, k, true);
  if (!found || !found->slope.allFinite()) return std::nullopt;
  map.align(y, found->state, &found->slope);
  const ReducedMotion& motion = map.motion();
  const Eigen::Index n = motion.size();
  Mat group(n, static_cast<Eigen::Index>(motion.fields().size()));
  const Vec x = motion.inputs(y, 0, Vec());
  for (std::size_t a = 0; a < motion.fields().size(); ++a)
    group.col(static_cast<Eigen::Index>(a)) = motion.fields()[a]->value(x);
  const Mat across = orthogonal_complement(group, n);
  Vec F;
  Mat slopes;
  map.conditions(y, F, slopes);
  Gap gap;
  gap.distance = (found->state - y).norm();
  gap.value.resize(across.cols() + F.size());
  gap.value << across.transpose() * (found->state - y), F;
  gap.slopes.resize(gap.value.size(), n);
  gap.slopes << across.transpose() * (found->slope - Mat::Identity(n, n)), slopes;
  return gap;
}

/// The smallest divisor of k after which the points repeat.
int least_period(ReturnMap& map, const std::vector<Vec>& points) {
  const int k = static_cast<int>(points.size());
  for (int d = 1; d < k; ++d) {
    if (k % d != 0) continue;
    Vec moved = points[static_cast<std::size_t>(d)];
    map.align(points[0], moved, nullptr);
    if ((moved - points[0]).norm() < 1e-7 * (1 + points[0].norm())) return d;
  }
  return k;
}

std::optional<Cycle> described(ReturnMap& map, int k, const Vec& y) {
  Cycle cycle;
  cycle.points.push_back(y);
  for (const auto& r : map.orbit(y, static_cast<std::size_t>(k - 1))) cycle.points.push_back(r.state);
  if (static_cast<int>(cycle.points.size()) < k) return std::nullopt;
  cycle.period = least_period(map, cycle.points);
  cycle.points.resize(static_cast<std::size_t>(cycle.period));
  auto back = map.after(y, cycle.period, true);
  if (!back) return std::nullopt;
  map.align(y, back->state, &back->slope);
  cycle.time = back->time;
  cycle.residual = (back->state - y).norm();
  cycle.slope = back->slope;
  const Mat basis = map.tangent(y);
  if (basis.cols() == 0) return cycle;
  cycle.multipliers = dense::eigenvalues(basis.transpose() * cycle.slope * basis);
  std::sort(cycle.multipliers.begin(), cycle.multipliers.end(), [](auto a, auto b) {
    const double p = std::abs(a), q = std::abs(b);
    return std::abs(p - q) > 1e-12 * (1 + p) ? p > q : a.imag() > b.imag();
  });
  return cycle;
}

bool same(ReturnMap& map, const Cycle& a, const Cycle& b) {
  if (a.period != b.period) return false;
  return std::any_of(b.points.begin(), b.points.end(), [&](Vec p) {
    map.align(a.points[0], p, nullptr);
    return (p - a.points[0]).norm() < 1e-6 * (1 + p.norm());
  });
}

/// Eigenvector of the slope within the tangent of the section for a real multiplier.
Vec direction_of(ReturnMap& map, const Cycle& cycle, double multiplier) {
  const Mat basis = map.tangent(cycle.points[0]);
  const auto [values, vectors] = dense::eigenpairs(basis.transpose() * cycle.slope * basis);
  Eigen::Index best = 0;
  for (Eigen::Index i = 1; i < basis.cols(); ++i)
    if (std::abs(values[i] - multiplier) < std::abs(values[best] - multiplier)) best = i;
  return (basis * vectors.col(best).real()).normalized();
}

/// A side of a curve, grown.
class Growing {
 public:
  Growing(ReturnMap& map, const Cycle& cycle, const Vec& direction, double multiplier, bool stable,
          const CurveOptions& options)
      : map_(map),
        cycle_(cycle),
        direction_(direction),
        stable_(stable),
        options_(options),
        times_(cycle.period * (multiplier < 0 ? 2 : 1)) {
    const double size = std::abs(stable ? 1 / multiplier : multiplier);
    ratio_ = multiplier < 0 ? size * size : size;
  }

  InvariantCurve run() {
    InvariantCurve curve{stable_, {}, 0};
    constexpr int first = 6;
    std::vector<double> along;
    std::vector<Vec> states;
    for (int j = 0; j <= first; ++j) {
      along.push_back(std::pow(ratio_, static_cast<double>(j) / first));
      const auto y = base(along.back());
      if (!y) return curve;
      states.push_back(*y);
    }
    append(curve, states);
    for (int image = 1; curve.length < options_.length && curve.states.size() < options_.most_points;
         ++image) {
      if (image > 400) break;
      for (Vec& y : states) {
        const auto next = mapped(y);
        if (!next) return curve;
        y = *next;
      }
      if (!refine(image, along, states)) break;
      append(curve, states);
    }
    return curve;
  }

 private:
  std::optional<Vec> base(double s) {
    const Vec& y = cycle_.points[0];
    return map_.projected(y + 1e-5 * (1 + y.norm()) * s * direction_);
  }
  std::optional<Vec> mapped(const Vec& y) {
    auto next = stable_ ? map_.before(y, times_) : map_.after(y, times_);
    if (!next) return std::nullopt;
    map_.align(y, next->state, nullptr);
    return next->state;
  }
  Eigen::Vector2d seen(const Vec& y) const { return options_.plane(map_.full_state(y)); }

  /// Inserts starts where images are too far apart.
  bool refine(int image, std::vector<double>& along, std::vector<Vec>& states) {
    for (std::size_t j = 0; j + 1 < states.size();) {
      if (states.size() > options_.most_points) return true;
      if ((seen(states[j + 1]) - seen(states[j])).norm() <= options_.resolution ||
          along[j + 1] - along[j] < 1e-12 * along[j]) {
        ++j;
        continue;
      }
      const double s = std::sqrt(along[j] * along[j + 1]);
      auto y = base(s);
      for (int k = 0; k < image && y; ++k) y = mapped(*y);
      if (!y) return false;
      along.insert(along.begin() + static_cast<std::ptrdiff_t>(j) + 1, s);
      states.insert(states.begin() + static_cast<std::ptrdiff_t>(j) + 1, *y);
    }
    return true;
  }
  void append(InvariantCurve& curve, const std::vector<Vec>& states) {
    for (const Vec& y : states) {
      if (curve.length >= options_.length) return;
      std::vector<double> full = map_.full_state(y);
      if (!curve.states.empty())
        curve.length += (options_.plane(full) - options_.plane(curve.states.back())).norm();
      curve.states.push_back(std::move(full));
    }
  }

  ReturnMap& map_;
  const Cycle& cycle_;
  Vec direction_;
  bool stable_;
  const CurveOptions& options_;
  int times_;
  double ratio_ = 1;
};

/// Σ w(k/N) a_k / Σ w(k/N) with w(t) = exp(−1/(t(1 − t))).
double weighted_average(std::span<const double> values) {
  double sum = 0, weights = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double t = (static_cast<double>(k) + 1) / (static_cast<double>(values.size()) + 1);
    const double w = std::exp(-1 / (t * (1 - t)));
    sum += w * values[k];
    weights += w;
  }
  return sum / weights;
}

}  // namespace

std::optional<Cycle> cycle_near(ReturnMap& map, int k, const Vec& start) {
  Vec y = start;
  auto gap = gap_of(map, k, y);
  double damping = 1e-3;
  for (int step = 0; step < 30 && gap; ++step) {
    if (gap->value.lpNorm<Eigen::Infinity>() < 1e-10 * (1 + y.lpNorm<Eigen::Infinity>()))
      return described(map, k, y);
    Mat m(gap->slopes.rows() + y.size(), y.size());
    m << gap->slopes, std::sqrt(damping) * Mat::Identity(y.size(), y.size());
    Vec b = Vec::Zero(m.rows());
    b.head(gap->value.size()) = -gap->value;
    const Vec next = y + dense::least_squares(m, b);
    const auto there = gap_of(map, k, next);
    if (there && there->value.norm() < gap->value.norm()) {
      y = next;
      gap = there;
      damping = std::max(damping / 10, 1e-18);
    } else {
      damping *= 10;
      if (damping > 1e6) break;
    }
  }
  return gap && gap->value.lpNorm<Eigen::Infinity>() < 1e-8 ? described(map, k, y) : std::nullopt;
}

std::vector<Cycle> cycles(ReturnMap& map, int k, const std::vector<Vec>& starts) {
  std::vector<Cycle> found;
  const auto add = [&](const Vec& y) {
    const auto cycle = cycle_near(map, k, y);
    if (!cycle) return;
    if (std::none_of(found.begin(), found.end(), [&](const Cycle& c) { return same(map, c, *cycle); }))
      found.push_back(*cycle);
  };
  for (const Vec& start : starts) {
    add(start);
    // The point of the orbit that comes back nearest.
    const auto orbit = map.orbit(start, 40 + static_cast<std::size_t>(k));
    double nearest = INFINITY;
    const Vec* best = nullptr;
    for (std::size_t j = 0; j + static_cast<std::size_t>(k) < orbit.size(); ++j) {
      Vec later = orbit[j + static_cast<std::size_t>(k)].state;
      map.align(orbit[j].state, later, nullptr);
      const double distance = (later - orbit[j].state).norm();
      if (distance < nearest) {
        nearest = distance;
        best = &orbit[j].state;
      }
    }
    if (best != nullptr && nearest < 0.3 * (1 + best->norm())) add(*best);
  }
  std::stable_sort(found.begin(), found.end(), [](const Cycle& a, const Cycle& b) {
    return a.period != b.period ? a.period < b.period : a.time < b.time;
  });
  return found;
}

std::string cycle_kind(const Cycle& cycle) {
  int grow = 0, shrink = 0, complex = 0, negative = 0;
  for (const auto& z : cycle.multipliers) {
    if (std::abs(z) > 1 + on_circle) {
      ++grow;
      if (std::abs(z.imag()) < 1e-9 && z.real() < 0) ++negative;
    } else if (std::abs(z) < 1 - on_circle) {
      ++shrink;
    } else if (std::abs(z.imag()) > on_circle) {
      ++complex;
    }
  }
  const int all = static_cast<int>(cycle.multipliers.size());
  if (all == 0) return "a point of its level";
  if (grow + shrink == 0) return complex == all ? "elliptic" : "parabolic";
  if (grow == 0) return shrink == all ? "attracting" : "attracting, with neutral directions";
  if (shrink == 0) return grow == all ? "repelling" : "repelling, with neutral directions";
  const std::string saddle = negative > 0 ? "inverse saddle" : "saddle";
  return grow + shrink == all ? saddle : saddle + ", with neutral directions";
}

std::optional<double> rotation_of(const Cycle& cycle) {
  if (cycle.multipliers.size() != 2 || cycle_kind(cycle) != "elliptic") return std::nullopt;
  return std::abs(std::arg(cycle.multipliers[0])) / (2 * M_PI);
}

std::vector<InvariantCurve> invariant_curves(ReturnMap& map, const Cycle& cycle, bool stable,
                                             const CurveOptions& options) {
  std::vector<double> chosen;
  for (const auto& z : cycle.multipliers)
    if (stable ? std::abs(z) < 1 - on_circle : std::abs(z) > 1 + on_circle) {
      if (std::abs(z.imag()) > 1e-9) return {};
      chosen.push_back(z.real());
    }
  if (chosen.size() != 1) return {};
  const Vec direction = direction_of(map, cycle, chosen[0]);
  std::vector<InvariantCurve> curves;
  for (const double side : {1.0, -1.0})
    curves.push_back(Growing(map, cycle, side * direction, chosen[0], stable, options).run());
  return curves;
}

std::optional<RotationProfile> rotation_profile(ReturnMap& map, const Cycle& cycle, std::size_t count,
                                                double reach, std::size_t returns) {
  const auto centre = rotation_of(cycle);
  if (!centre) return std::nullopt;
  const Vec& y = cycle.points[0];
  const Mat basis = map.tangent(y);
  // Coordinates in which the linear map is a rotation: real and imaginary part of the eigenvector.
  const auto [values, vectors] = dense::eigenpairs(basis.transpose() * cycle.slope * basis);
  const Eigen::Index k = values[0].imag() > 0 ? 0 : 1;
  Mat frame(2, 2);
  frame << vectors.col(k).real(), -vectors.col(k).imag();
  const Mat to_circle = dense::inverse(frame) * basis.transpose();
  const Vec ray = (basis * frame.col(0)).normalized();
  RotationProfile profile{*centre, {}, 0};
  double expected = 2 * M_PI * *centre;
  for (std::size_t j = 1; j <= count; ++j) {
    const double distance = reach * static_cast<double>(j) / static_cast<double>(count);
    const auto start = map.projected(y + distance * ray);
    if (!start) break;
    std::vector<double> turns;
    const auto angle = [&](Vec z) {
      map.align(y, z, nullptr);
      const Vec c = to_circle * (z - y);
      return std::atan2(c[1], c[0]);
    };
    double last = angle(*start);
    const auto orbit = map.orbit(*start, returns * static_cast<std::size_t>(cycle.period));
    for (std::size_t i = static_cast<std::size_t>(cycle.period) - 1; i < orbit.size();
         i += static_cast<std::size_t>(cycle.period)) {
      const double now = angle(orbit[i].state);
      turns.push_back(expected + std::remainder(now - last - expected, 2 * M_PI));
      last = now;
    }
    if (turns.size() < 20) break;
    const std::span<const double> all(turns);
    const double whole = weighted_average(all);
    const double halves = std::abs(weighted_average(all.first(turns.size() / 2)) -
                                   weighted_average(all.last(turns.size() / 2)));
    profile.orbits.push_back({(*start - y).norm(), whole / (2 * M_PI), halves / (2 * M_PI)});
    expected = whole;
  }
  if (!profile.orbits.empty())
    profile.twist = (profile.orbits[0].rotation - *centre) / std::pow(profile.orbits[0].distance, 2);
  return profile;
}

}  // namespace rattleback
