#include <rattleback/study/return_map.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/runs/events.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {
namespace {

using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;

constexpr std::size_t most_steps = search_limits::steps_to_a_section.count;

}  // namespace

ReturnMap::ReturnMap(const System& system, std::span<const double> state, const std::vector<Invariant>& known,
                     SectionQuestion question)
    : motion_(system, state, {}, known),
      state_(state.begin(), state.end()),
      question_(std::move(question)),
      backwards_(motion_.flow()) {
  backwards_.reverse_time();
  const Expr section = motion_.flow().on_state(question_.section);
  const auto refuse = [](const std::string& what, const std::string& why, const std::string& fix) {
    throw Error("usage", what, why, fix);
  };
  if (!motion_.is_of_kept(section))
    refuse("the section depends on a coordinate that the motion does not depend on",
           fmt::format("the return map is one of {}", fmt::join(motion_.names(), ", ")),
           "choose a section in those");
  const auto of_state = [&](Symbol s) { return std::ranges::count(motion_.flow().state(), s) > 0; };
  if (motion_.forced() && std::ranges::any_of(symbols_of(section), of_state))
    refuse("the rates depend on time, the section on the state",
           "points of the section at different phases cannot be compared",
           "choose a section in the time alone, such as sin(Omega*t)");
  section_ = motion_.functions(std::span(&section, 1));
  std::vector<Expr> levels;
  level_values_.resize(static_cast<Eigen::Index>(question_.levels.size()));
  for (const Level& level : question_.levels) {
    levels.push_back(motion_.flow().on_state(level.value));
    if (!motion_.is_of_kept(levels.back()))
      refuse(fmt::format("`{}` depends on a coordinate that the motion does not depend on", level.name),
             fmt::format("the return map is one of {}", fmt::join(motion_.names(), ", ")),
             "choose a level of a function of those");
    level_values_[static_cast<Eigen::Index>(levels.size()) - 1] = level.at;
  }
  levels_ = motion_.functions(levels);
  const StepperSettings settings{question_.rtol, question_.rtol / 100, 0};
  forward_stepper_ = stepper_named("taylor").make(motion_.flow(), settings);
  backward_stepper_ = stepper_named("taylor").make(backwards_, settings);
  if (motion_.forced()) find_start_time();
}

/// The first zero of a section in time, passed in its direction.
void ReturnMap::find_start_time() {
  const Vec y = start();
  const auto g = [&](double t) { return section_->value(inputs(y, t))[0]; };
  const auto rises = [&](double t) {
    const double slope = section_->slope(inputs(y, t))(0, motion_.size());
    return question_.direction == 0 || slope * question_.direction > 0;
  };
  if (std::abs(g(0)) < 1e-12 && rises(0)) return;
  const double step = 1e-3;
  for (double t = 0; t < question_.longest; t += step) {
    double a = t, b = t + step;
    if (g(a) * g(b) > 0) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = (a + b) / 2;
      (g(a) * g(middle) <= 0 ? b : a) = middle;
    }
    if (b < 1e-9 || !rises(b)) continue;
    start_time_ = b;
    return;
  }
  throw Error("usage", "the section has no points",
              fmt::format("it does not vanish until t = {:.4g}", question_.longest),
              "choose another section");
}

std::vector<double> ReturnMap::full_state(const Vec& y) const {
  std::vector<double> full = state_;
  for (std::size_t i = 0; i < motion_.kept().size(); ++i)
    full[motion_.kept()[i]] = y[static_cast<Eigen::Index>(i)];
  return full;
}

std::optional<ReturnMap::Return> ReturnMap::passed(const Flow& flow, Stepper& stepper, const Vec& y, int k,
                                                   int direction, std::vector<Return>* all) {
  const double sign = flow.runs_backwards() ? -1 : 1, from = sign * start_time_;
  const std::function<double(double, std::span<const double>)> g = [&](double t,
                                                                       std::span<const double> state) {
    return section_->value(inputs(motion_.kept_of(state), sign * t))[0];
  };
  stepper.start(from, full_state(y));
  double last = from, first_end = 0;
  std::size_t steps = 0;
  try {
    while (stepper.time() - last < question_.longest && ++steps < most_steps) {
      Budget::check();
      stepper.step(last + question_.longest);
      if (first_end == 0) first_end = stepper.time() - from;
      for (Crossing& crossing : crossings(stepper, g)) {
        if (crossing.time - last <= 1e-7 * first_end) continue;  // where it started
        if (direction != 0 && crossing.direction != direction) continue;
        Return found{motion_.kept_of(crossing.state), crossing.time - from, {}, std::move(crossing.state)};
        last = crossing.time;
        steps = 0;
        if (all != nullptr) all->push_back(found);
        if (--k == 0) return found;
      }
    }
  } catch (const StepFailure&) {
  }
  return std::nullopt;
}

std::optional<ReturnMap::Return> ReturnMap::after(const Vec& y, int k, bool with_slope) {
  auto found = passed(motion_.flow(), *forward_stepper_, y, k, question_.direction, nullptr);
  if (!found || !with_slope) return found;
  try {
    differentiate(y, *found);
  } catch (const StepFailure&) {
    return std::nullopt;
  }
  return found;
}

std::optional<ReturnMap::Return> ReturnMap::before(const Vec& y, int k) {
  return passed(backwards_, *backward_stepper_, y, k, -question_.direction, nullptr);
}

std::vector<ReturnMap::Return> ReturnMap::orbit(const Vec& y, std::size_t count) {
  std::vector<Return> all;
  if (count == 0) return all;
  passed(motion_.flow(), *forward_stepper_, y, static_cast<int>(count), question_.direction, &all);
  return all;
}

void ReturnMap::differentiate(const Vec& y, Return& found) {
  const Flow& flow = motion_.flow();
  const Eigen::Index n = motion_.size();
  Mat directions = Mat::Zero(static_cast<Eigen::Index>(flow.dimension()), n);
  for (Eigen::Index i = 0; i < n; ++i)
    directions(static_cast<Eigen::Index>(motion_.kept()[static_cast<std::size_t>(i)]), i) = 1;
  if (!variations_)
    variations_ = std::make_unique<VariationalMotion>(flow, static_cast<std::size_t>(n),
                                                      StepperSettings{1e-12, 1e-14, 0});
  VariationalMotion& variations = *variations_;
  variations.start(start_time_, full_state(y), directions);
  const double end = start_time_ + found.time;
  while (variations.time() < end) variations.step(end);
  const Mat all = variations.directions();
  Mat flow_slope(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    flow_slope.row(i) = all.row(static_cast<Eigen::Index>(motion_.kept()[static_cast<std::size_t>(i)]));
  const Vec x = inputs(found.state, end), f = motion_.rates().value(x);
  const Mat gradient = section_->slope(x);
  const double rate = gradient.leftCols(n).row(0).dot(f) + gradient(0, n);
  found.slope = flow_slope - f * (gradient.leftCols(n) * flow_slope) / rate;
}

void ReturnMap::conditions(const Vec& y, Vec& F, Mat& slopes) {
  const Vec x = inputs(y, start_time_);
  const Eigen::Index n = motion_.size(), m = levels_->size(), r = motion_.relations().size(),
                     s = motion_.forced() ? 0 : 1;
  F.resize(s + m + r);
  slopes.resize(s + m + r, n);
  if (s == 1) {
    F[0] = section_->value(x)[0];
    slopes.row(0) = section_->slope(x).leftCols(n);
  }
  F.segment(s, m) = levels_->value(x) - level_values_;
  slopes.middleRows(s, m) = levels_->slope(x).leftCols(n);
  F.tail(r) = motion_.relations().value(x);
  slopes.bottomRows(r) = motion_.relations().slope(x).leftCols(n);
}

std::optional<Vec> ReturnMap::projected(Vec y) {
  Vec F;
  Mat slopes;
  double before = INFINITY;
  for (int k = 0; k < 40; ++k) {
    conditions(y, F, slopes);
    if (!F.allFinite() || !slopes.allFinite()) return std::nullopt;
    const double size = F.size() == 0 ? 0 : F.lpNorm<Eigen::Infinity>();
    if (size < 1e-13 * (1 + y.lpNorm<Eigen::Infinity>()) || (k > 5 && size < 1e-11 && size >= before / 2)) {
      if (question_.direction == 0 || motion_.forced()) return y;
      const Vec x = inputs(y);
      const double rate = section_->slope(x).leftCols(motion_.size()).row(0).dot(motion_.rates().value(x));
      return rate * question_.direction > 0 ? std::optional(y) : std::nullopt;
    }
    before = size;
    const Vec step = dense::least_norm(slopes, F).x;
    const double most = 0.5 * (1 + y.norm());
    y -= step.norm() > most ? Vec(step * (most / step.norm())) : step;
  }
  return std::nullopt;
}

void ReturnMap::align(const Vec& to, Vec& y, Mat* slope) {
  const auto& fields = motion_.fields();
  const auto turn_signs = [&] {
    for (const Eigen::Index q : motion_.quaternions())
      if (y.segment(q, 4).dot(to.segment(q, 4)) < 0) {
        y.segment(q, 4) *= -1;
        if (slope != nullptr) slope->middleRows(q, 4) *= -1;
      }
    for (Eigen::Index i = 0; i < motion_.size(); ++i)
      if (motion_.is_angle(i)) y[i] = to[i] + std::remainder(y[i] - to[i], 2 * M_PI);
  };
  turn_signs();
  const auto count = static_cast<Eigen::Index>(fields.size());
  if (count == 0) return;
  for (int k = 0; k < 60; ++k) {
    Mat X(y.size(), count);
    for (Eigen::Index a = 0; a < count; ++a) X.col(a) = fields[static_cast<std::size_t>(a)]->value(inputs(y));
    Vec s = dense::least_norm(X, to - y).x;
    if (s.norm() > 0.5) s *= 0.5 / s.norm();
    if (s.norm() < 1e-15 * (1 + y.norm())) break;
    // One step of order four along s^a X_a, and of its variations; steps are short where corrections are.
    const auto field = [&](const Vec& z) {
      Vec v = Vec::Zero(z.size());
      for (Eigen::Index a = 0; a < count; ++a)
        v += s[a] * fields[static_cast<std::size_t>(a)]->value(inputs(z));
      return v;
    };
    const auto linear = [&](const Vec& z, const Mat& w) {
      Mat v = Mat::Zero(w.rows(), w.cols());
      for (Eigen::Index a = 0; a < count; ++a)
        v += s[a] * (fields[static_cast<std::size_t>(a)]->slope(inputs(z)).leftCols(z.size()) * w);
      return v;
    };
    constexpr int pieces = 16;
    const double h = 1.0 / pieces;
    for (int piece = 0; piece < pieces; ++piece) {
      const Vec k1 = field(y), y2 = y + h / 2 * k1, k2 = field(y2), y3 = y + h / 2 * k2, k3 = field(y3),
                y4 = y + h * k3, k4 = field(y4);
      if (slope != nullptr) {
        const Mat m1 = linear(y, *slope), m2 = linear(y2, *slope + h / 2 * m1),
                  m3 = linear(y3, *slope + h / 2 * m2), m4 = linear(y4, *slope + h * m3);
        *slope += h / 6 * (m1 + 2 * m2 + 2 * m3 + m4);
      }
      y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    turn_signs();
  }
}

Mat ReturnMap::tangent(const Vec& y) {
  const Vec x = inputs(y, start_time_);
  const Eigen::Index n = motion_.size();
  const Mat normal = motion_.gradients(x);
  Mat normals(n, normal.cols() + 1);
  normals << normal,
      (motion_.forced() ? Mat(Mat::Zero(n, 1)) : Mat(section_->slope(x).leftCols(n).transpose()));
  Mat group(n, static_cast<Eigen::Index>(motion_.fields().size()));
  for (std::size_t a = 0; a < motion_.fields().size(); ++a)
    group.col(static_cast<Eigen::Index>(a)) = motion_.fields()[a]->value(x);
  const Mat inside = group * null_space(normals.transpose() * group);
  Mat across(n, normals.cols() + inside.cols());
  across << normals, inside;
  return orthogonal_complement(across, n);
}

std::vector<Vec> starts_on_level(ReturnMap& map, std::size_t count, const StartRanges& ranges) {
  const ReducedMotion& motion = map.motion();
  const Vec centre = map.start();
  const std::vector<std::string> names = motion.names();
  const Eigen::Index n = motion.size();
  Vec low = centre, high = centre;
  Eigen::Array<bool, Eigen::Dynamic, 1> bounded = Eigen::Array<bool, Eigen::Dynamic, 1>::Constant(n, false);
  for (Eigen::Index i = 0; i < n && ranges.empty(); ++i) {
    const double width = motion.is_angle(i) ? M_PI : 1 + std::abs(centre[i]);
    low[i] = centre[i] - width;
    high[i] = centre[i] + width;
  }
  for (const auto& [name, range] : ranges) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
      throw Error("usage", fmt::format("`{}` is no number of the state that the map is one of", name), "",
                  fmt::format("give ranges of {}", fmt::join(names, ", ")));
    low[at - names.begin()] = range.first;
    high[at - names.begin()] = range.second;
    bounded[at - names.begin()] = true;
  }
  // The ratio g with g^(n+1) = g + 1 makes the points k·g^-i mod 1 even in every dimension [Roberts 2018].
  double ratio = 2;
  for (int k = 0; k < 60; ++k) ratio = std::pow(1 + ratio, 1.0 / static_cast<double>(n + 1));
  std::vector<Vec> found;
  const std::size_t most = 60 * count + 200;
  for (std::size_t k = 1; k <= most && found.size() < count; ++k) {
    Vec y(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double part = 0.5 + static_cast<double>(k) * std::pow(ratio, -static_cast<double>(i + 1));
      y[i] = low[i] + (part - std::floor(part)) * (high[i] - low[i]);
    }
    for (const Eigen::Index q : motion.quaternions()) y.segment(q, 4).normalize();
    const auto on_level = map.projected(y);
    if (!on_level) continue;
    bool inside = true;
    for (Eigen::Index i = 0; i < n; ++i)
      if (bounded[i] && ((*on_level)[i] < low[i] || (*on_level)[i] > high[i])) inside = false;
    if (inside) found.push_back(*on_level);
  }
  if (!found.empty()) return found;
  throw Error(
      "no-start", "no point of the section was found on the level",
      fmt::format("of {} points none could be moved to it by Newton's method within the ranges", most),
      "choose another level or section, or wider ranges with --within NAME=FROM:TO");
}

}  // namespace rattleback
