#include <rattleback/study/periodic_branch.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/runs/variational_motion.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>
#include <rattleback/study/collocated_orbit.hpp>
#include <rattleback/study/reduced_motion.hpp>

namespace rattleback {
namespace {

using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;

constexpr double on_circle = 1e-6;  ///< multipliers this much above 1 in size grow

/// The solutions in the plane through a point, across a direction.
SolutionSet in_plane(const SolutionSet& set, const Eigen::VectorXd& point, const Eigen::VectorXd& direction) {
  SolutionSet small = set;
  small.at = [set, point, direction](const Eigen::VectorXd& w, Eigen::VectorXd& F, Eigen::MatrixXd& slopes) {
    set.at(w, F, slopes);
    F.conservativeResize(F.size() + 1);
    slopes.conservativeResize(slopes.rows() + 1, slopes.cols());
    F[F.size() - 1] = direction.dot(w - point);
    slopes.row(slopes.rows() - 1) = direction.transpose();
  };
  return small;
}

class PeriodicFamily {
 public:
  PeriodicFamily(const System& system, const OrbitStart& start, const PeriodicQuestion& question)
      : motion_(system, start.state, free_parameters(question.vary, question.second.name), question.known),
        flow_(motion_.flow()),
        question_(question),
        start_(start),
        n_(motion_.size()) {
    parameters_ = motion_.parameter_values();
    for (Eigen::Index k = 0; k < parameters_.size(); ++k) {
      const std::string name = motion_.parameters()[static_cast<std::size_t>(k)].name();
      if (name == question.vary) {
        varied_ = k;
        if (start.parameter) parameters_[k] = *start.parameter;
        if (std::isnan(parameters_[k])) parameters_[k] = question.branch.low;
      } else {
        second_ = k;
        if (std::isnan(parameters_[k])) parameters_[k] = question.second.low;
      }
    }
    require_second(question.second, second_.has_value());
    choose_quantity();
    if (motion_.forced()) choose_forcing();
  }

  PeriodicBranches run() {
    Vec u = first_guess();
    remember_turns(u);
    SolutionSet set = solution_set();
    rebase(u, false);
    std::optional<Vec> found;
    if (!start_.steady) {
      found = nearest_at_fixed_quantity(set, u);
    } else {
      found = born(set, u);
    }
    if (!found)
      throw Error("no-periodic-motion", "no periodic motion was found near the start",
                  fmt::format("Newton's method does not converge from a period of {:.6g}", period_of(u)),
                  "start nearer to one with --from NAME=VALUE,..., and say its period with --period T");
    rebase(*found, true);
    hold(*found);
    if (held_) {
      set.held = [this](const Vec& w, Vec& h, Mat& slopes) {
        const Vec x = inputs(w);
        h = held_->value(x);
        slopes = spread(held_->slope(x));
      };
    }
    const double q = set.quantity(*found, nullptr);
    if (q < question_.branch.low || q > question_.branch.high)
      throw Error("usage",
                  fmt::format("the periodic motion nearest to the start has {} = {:.6g}", question_.vary, q),
                  "which is not in the range to be followed",
                  "start within it with --from NAME=VALUE,..., or widen it");
    PeriodicBranches all;
    describe(all, *found);
    all.first = continued(set, *found, question_.branch);
    refine_special_points({set, 0, {}, true, orbit_description}, all.first);
    all.others = crossing_branches(set, all.first, question_.branch);
    if (question_.doublings) add_doubled(set, all);
    if (second_) {
      both_free_ = true;
      all.second = question_.second.name;
      all.curves = bifurcation_curves({set, second_at(), question_.second, true, orbit_description},
                                      all.first, question_.branch);
      both_free_ = false;
    }
    for (const Branch* branch : all.all()) {
      all.extents.emplace_back();
      for (const BranchPoint& p : branch->points) all.extents.back().push_back(extents_[key(p.u)]);
    }
    return all;
  }

 private:
  Eigen::Index turns() const { return static_cast<Eigen::Index>(motion_.fields().size()); }
  Eigen::Index free_count() const { return parameters_.size(); }
  Eigen::Index varied_at() const { return unknowns() - free_count() + *varied_; }
  Eigen::Index period_at() const { return n_ + turns(); }
  Eigen::Index unknowns() const { return n_ + turns() + 1 + free_count(); }
  Eigen::Index second_at() const { return unknowns() - free_count() + *second_; }
  /// The second parameter keeps its value while the first is varied.
  bool pinned() const { return second_ && !both_free_; }
  double period_of(const Vec& u) const { return u[period_at()]; }
  static std::vector<double> key(const Vec& u) { return {u.begin(), u.end()}; }

  void choose_quantity() {
    if (varied_ || question_.vary == "period") return;
    const auto known = std::find_if(question_.known.begin(), question_.known.end(),
                                    [&](const Invariant& i) { return i.name == question_.vary; });
    const Expr e =
        flow_.on_state(known != question_.known.end() ? known->value : placed("command line, --vary", [&] {
          return parse(question_.vary, flow_.system().scope);
        }));
    if (!motion_.is_of_kept(e))
      throw Error("usage", fmt::format("`{}` is no function of the periodic motion", question_.vary),
                  "it depends on coordinates that the motion does not depend on",
                  "vary a parameter, `period`, or an integral");
    quantity_ = motion_.functions(std::span(&e, 1));
  }

  void choose_forcing() {
    if (question_.forcing_period.empty())
      throw Error("usage", "the rates depend on time", "the period of the motion is one of the forcing",
                  "give it as an expression of the parameters: --period \"2*pi/Omega\"");
    const Expr e = placed("command line, --period",
                          [&] { return parse(question_.forcing_period, flow_.system().scope); });
    forcing_ = motion_.functions(std::span(&e, 1));
  }

  Vec inputs(const Vec& u) const { return motion_.inputs(u.head(n_), 0, u.tail(free_count())); }
  Mat spread(const Mat& slopes) const {
    Mat all = Mat::Zero(slopes.rows(), unknowns());
    all.leftCols(n_) = slopes.leftCols(n_);
    all.rightCols(free_count()) = slopes.rightCols(free_count());
    return all;
  }

  /// f − ω^a X_a and its slopes; numbers are ω and the parameter.
  RatesWithSlopes rates(const Vec& y, double t, const Vec& s) {
    const Vec x = motion_.inputs(y, t, s.tail(free_count()));
    RatesWithSlopes r;
    r.value = motion_.rates().value(x);
    Mat slope = motion_.rates().slope(x);
    r.by_numbers = Mat::Zero(n_, s.size());
    for (Eigen::Index a = 0; a < turns(); ++a) {
      SlopedFunctions& field = *motion_.fields()[static_cast<std::size_t>(a)];
      const Vec X = field.value(x);
      r.value -= s[a] * X;
      slope -= s[a] * field.slope(x);
      r.by_numbers.col(a) = -X;
    }
    r.by_state = slope.leftCols(n_);
    r.by_time = slope.col(n_);
    r.by_numbers.rightCols(free_count()) = slope.rightCols(free_count());
    return r;
  }
  Vec numbers_of(const Vec& u) const {
    Vec s(turns() + free_count());
    s << u.segment(n_, turns()), u.tail(free_count());
    return s;
  }
  void new_mesh(std::size_t intervals) {
    last_end_.reset();
    orbit_ = std::make_unique<CollocatedOrbit>(
        [this](const Vec& y, double t, const Vec& s) { return rates(y, t, s); }, n_, turns() + free_count(),
        intervals);
  }
  std::optional<CollocatedOrbit::End> end_of(const Vec& u) {
    if (last_end_ && last_u_.size() == u.size() && last_u_ == u) return last_end_;
    last_u_ = u;
    last_end_ = orbit_->end(u.head(n_), period_of(u), numbers_of(u));
    return last_end_;
  }

  void rebase(const Vec& u, bool adapt) {
    base_ = u.head(n_);
    phase_ = orthonormal_basis(motion_.neutral_fields(inputs(u)));
    free_ = orthogonal_complement(motion_.gradients(inputs(u)), n_);
    if (!adapt) return;
    orbit_->adapt();
    last_end_.reset();
  }

  void equations(const Vec& u, Vec& F, Mat& slopes) {
    const auto end = end_of(u);
    const Eigen::Index rows = free_.cols() + motion_.relations().size() + phase_.cols() +
                              (motion_.forced() ? 1 : 0) + (pinned() ? 1 : 0);
    F = Vec::Constant(rows, NAN);
    slopes = Mat::Zero(rows, unknowns());
    if (!end) return;
    Mat by(n_, unknowns());
    by << end->by_start, end->by_numbers.leftCols(turns()), end->by_period,
        end->by_numbers.rightCols(free_count());
    by.leftCols(n_) -= signs_.asDiagonal().toDenseMatrix();
    const Vec gap = end->state - signs_.cwiseProduct(u.head(n_)) - shift_;
    const Vec x = inputs(u);
    F.head(free_.cols()) = free_.transpose() * gap;
    slopes.topRows(free_.cols()) = free_.transpose() * by;
    Eigen::Index row = free_.cols();
    F.segment(row, motion_.relations().size()) = motion_.relations().value(x);
    slopes.middleRows(row, motion_.relations().size()) = spread(motion_.relations().slope(x));
    row += motion_.relations().size();
    F.segment(row, phase_.cols()) = phase_.transpose() * (u.head(n_) - base_);
    slopes.block(row, 0, phase_.cols(), n_) = phase_.transpose();
    row += phase_.cols();
    if (motion_.forced()) {
      F[row] = period_of(u) - copies_ * forcing_->value(x)[0];
      slopes.row(row) = -copies_ * spread(forcing_->slope(x));
      slopes(row, period_at()) += 1;
      ++row;
    }
    if (!pinned()) return;
    F[row] = u[second_at()] - parameters_[*second_];
    slopes(row, second_at()) = 1;
  }

  Vec middle_of(const CollocatedOrbit::End& end) const {
    Vec middle(n_);
    for (Eigen::Index i = 0; i < n_; ++i)
      middle[i] = (end.least[static_cast<std::size_t>(i)] + end.largest[static_cast<std::size_t>(i)]) / 2;
    return middle;
  }
  /// Beyond a steady motion, or beyond the orbit of half the period, the same orbits come again in another phase: what vanishes
  /// there has changed its sign.
  std::string mirrored(const Vec& before, const Vec& after) {
    const auto a = offsets_.find(key(before)), b = offsets_.find(key(after));
    if (a == offsets_.end() || b == offsets_.end() || a->second.dot(b->second) >= 0) return "";
    return copies_ > 1 ? "the branch of half the period" : "a steady motion";
  }

  /// ∂y(T)/∂y(0) where the integrals keep their values, modulo motion and group.
  Eigen::VectorXcd multipliers(const Vec& u) {
    const auto end = end_of(u);
    const Mat normal = motion_.gradients(inputs(u)), neutral = motion_.neutral_fields(inputs(u));
    const Mat inside = neutral * null_space(normal.transpose() * neutral);  // those that keep the integrals
    Mat across(n_, normal.cols() + inside.cols());
    across << normal, inside;
    const Mat basis = orthogonal_complement(across, n_);
    if (!end) return {};
    extents_[key(u)] = {end->least, end->largest};
    offsets_[key(u)] = copies_ > 1 ? Vec(orbit_->at(0.5) - signs_.cwiseProduct(u.head(n_)))
                                   : Vec(u.head(n_) - middle_of(*end));
    if (basis.cols() == 0) return {};
    const Mat reduced = basis.transpose() * (signs_.asDiagonal() * end->by_start) * basis;
    Eigen::VectorXcd all = dense::eigenvalues(reduced);
    std::sort(all.begin(), all.end(), [](auto a, auto b) {
      const double x = std::abs(a), y = std::abs(b);
      return std::abs(x - y) > 1e-12 * (1 + x) ? x > y : a.imag() > b.imag();
    });
    return all;
  }

  SolutionSet solution_set() {
    SolutionSet set;
    set.rank_tolerance = 1e-8;
    set.at = [this](const Vec& u, Vec& F, Mat& slopes) { equations(u, F, slopes); };
    set.quantity = [this](const Vec& u, Vec* slope) {
      if (varied_ || question_.vary == "period") {
        const Eigen::Index at = varied_ ? varied_at() : period_at();
        if (slope != nullptr) *slope = Vec::Unit(unknowns(), at);
        return u[at];
      }
      const Vec x = inputs(u);
      if (slope != nullptr) *slope = spread(quantity_->slope(x)).transpose();
      return quantity_->value(x)[0];
    };
    set.spectrum = [this](const Vec& u) { return multipliers(u); };
    set.growing = [](const Eigen::VectorXcd& all) {
      return static_cast<int>(
          std::count_if(all.begin(), all.end(), [](auto z) { return std::abs(z) > 1 + on_circle; }));
    };
    set.rebase = [this](const Vec& u) { rebase(u, true); };
    set.ended = [this](const Vec& before, const Vec& after) { return mirrored(before, after); };
    return set;
  }

  /// The time of the first near return of what is kept, by a motion from the start.
  double return_time(const Vec& y) {
    VariationalMotion motion(flow_, 1, {.rtol = 1e-9, .atol = 1e-11});
    motion.start(0, start_.state, Mat::Zero(static_cast<Eigen::Index>(flow_.dimension()), 1));
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
  Vec first_guess() {
    Vec u = Vec::Zero(unknowns());
    for (Eigen::Index i = 0; i < n_; ++i) u[i] = start_.state[motion_.kept()[static_cast<std::size_t>(i)]];
    for (const auto& [name, rate] : start_.rates) {
      const auto at = std::find(motion_.field_names().begin(), motion_.field_names().end(), name);
      if (at != motion_.field_names().end()) u[n_ + (at - motion_.field_names().begin())] = rate;
    }
    u.tail(free_count()) = parameters_;
    u[period_at()] = motion_.forced() ? forcing_->value(inputs(u))[0]
                     : start_.period  ? *start_.period
                                      : return_time(u.head(n_));
    return u;
  }

  /// Angles that have turned, quaternions that have changed their sign. Along the group rates take up what is left.
  void remember_turns(Vec& u) {
    signs_ = Vec::Ones(n_);
    shift_ = Vec::Zero(n_);
    new_mesh(40);
    if (start_.steady) return;
    auto end = end_of(u);
    for (int finer = 0; !end && finer < 3; ++finer) {
      new_mesh(80U << static_cast<unsigned>(finer));
      end = end_of(u);
    }
    if (!end) return;
    for (const Eigen::Index q : motion_.quaternions())
      if (end->state.segment(q, 4).dot(u.segment(q, 4)) < 0) signs_.segment(q, 4).setConstant(-1);
    if (turns() > 0) {
      // The group carries the end back: y(T) − T ω X ≈ y(0).
      const Vec gap = end->state - signs_.cwiseProduct(u.head(n_));
      Mat along(n_, turns());
      for (Eigen::Index a = 0; a < turns(); ++a)
        along.col(a) = motion_.fields()[static_cast<std::size_t>(a)]->value(inputs(u));
      u.segment(n_, turns()) += dense::least_norm(along, gap).x / period_of(u);
      end = end_of(u);
      if (!end) return;
    }
    for (Eigen::Index i = 0; i < n_; ++i)
      if (motion_.is_angle(i)) shift_[i] = 2 * M_PI * std::round((end->state[i] - u[i]) / (2 * M_PI));
  }

  /// The nearest orbit at the value of the parameter; integrals and period are free.
  std::optional<Vec> nearest_at_fixed_quantity(const SolutionSet& set, const Vec& u) {
    SolutionSet fixed = set;
    fixed.at = [&](const Vec& w, Vec& F, Mat& slopes) {
      set.at(w, F, slopes);
      if (varied_) slopes.col(varied_at()).setZero();
    };
    std::optional<Vec> found = nearest_solution(fixed, u);
    if (!found) return std::nullopt;
    for (int k = 0; k < 3; ++k) {  // on the mesh that it needs
      rebase(*found, true);
      const auto better = nearest_solution(fixed, *found);
      if (!better) break;
      found = better;
    }
    // An equilibrium is a motion of every period.
    const auto end = end_of(*found);
    double size = 0;
    for (Eigen::Index i = 0; end && i < n_; ++i)
      size =
          std::max(size, end->largest[static_cast<std::size_t>(i)] - end->least[static_cast<std::size_t>(i)]);
    return size > 1e-6 ? found : std::nullopt;
  }

  /// A small orbit around an equilibrium: a step along the direction, corrected across it.
  std::optional<Vec> born(const SolutionSet& set, const Vec& centre) {
    // The eigenvector of the frequency 2π/T.
    const RatesWithSlopes linear = rates(centre.head(n_), 0, numbers_of(centre));
    const auto [values, vectors] = dense::eigenpairs(linear.by_state);
    const std::complex<double> wanted(0, 2 * M_PI / period_of(centre));
    Eigen::Index best = 0;
    for (Eigen::Index i = 1; i < n_; ++i)
      if (std::abs(values[i] - wanted) < std::abs(values[best] - wanted)) best = i;
    Vec direction = Vec::Zero(unknowns());
    direction.head(n_) = vectors.col(best).real();
    if (!(direction.norm() > 1e-9)) return std::nullopt;
    direction.normalize();
    for (const double size : {1e-2, 3e-3, 3e-2, 1e-3}) {
      const Vec predicted = centre + size * (1 + centre.head(n_).norm()) * direction;
      new_mesh(40);
      rebase(predicted, false);
      if (const auto found = nearest_solution(in_plane(set, predicted, direction), predicted)) {
        const double period = period_of(*found);
        if (period > 0.5 * period_of(centre) && period < 2 * period_of(centre)) return found;
      }
    }
    return std::nullopt;
  }

  /// Integrals are held until one direction is left, those first that say something new and leave the quantity free.
  void hold(const Vec& u) {
    Vec F;
    Mat slopes;
    equations(u, F, slopes);
    std::vector<Expr> chosen;
    const SolutionSet set = solution_set();
    const auto add = [&](const Invariant& invariant, bool always) {
      const Mat kernel = kernel_basis(slopes);
      if (kernel.cols() <= 1 && !always) return;
      const Expr value = flow_.on_state(invariant.value);
      if (!motion_.is_of_kept(value)) return;
      const auto function = motion_.functions(std::span(&value, 1));
      const Mat slope = spread(function->slope(inputs(u)));
      if (!always && !((slope * kernel).norm() > 1e-6 * (1 + slope.norm()))) return;
      Mat more(slopes.rows() + 1, slopes.cols());
      more << slopes, slope;
      const Mat left = kernel_basis(more);
      Vec rise(unknowns());
      set.quantity(u, &rise);
      if (!always && (left.cols() == 0 || (rise.transpose() * left).norm() < 1e-7 * rise.norm())) return;
      slopes = more;
      chosen.push_back(value);
      held_names_.push_back(invariant.name);
    };
    for (const Invariant& invariant : question_.held) add(invariant, true);
    // Over its period a family is followed through its energies.
    const bool energy_last = question_.vary == "period";
    for (const Invariant& invariant : question_.known)
      if (!energy_last || invariant.name != "energy") add(invariant, false);
    for (const Invariant& invariant : question_.known)
      if (energy_last && invariant.name == "energy") add(invariant, false);
    if (!chosen.empty()) held_ = motion_.functions(chosen);
  }

  void describe(PeriodicBranches& all, const Vec& u) {
    for (const std::size_t k : motion_.kept()) all.names.push_back(flow_.state()[k].name());
    all.states = motion_.kept().size();
    for (const std::string& field : motion_.field_names()) {
      all.names.push_back("rate of " + field);
      all.fields.push_back(field);
    }
    all.names.push_back("period");
    for (const Symbol p : motion_.parameters()) all.names.push_back(p.name());
    all.held = held_names_;
    all.forced = motion_.forced();
    if (!motion_.forced()) all.trivial.push_back("the motion itself");
    for (const std::string& field : motion_.field_names()) all.trivial.push_back(field);
    const Vec x = inputs(u);
    Mat seen(n_, 0);
    for (Eigen::Index k = 0; k < motion_.integrals().size(); ++k) {
      Mat more(n_, seen.cols() + 1);
      more << seen, motion_.integrals().slope(x).row(k).head(n_).transpose();
      if (orthonormal_basis(more).cols() <= seen.cols()) continue;
      seen = more;
      all.trivial.push_back(motion_.integral_names()[static_cast<std::size_t>(k)]);
    }
  }

  /// Where a multiplier passes −1: twice the period, from a step along its direction.
  void add_doubled(const SolutionSet& set, PeriodicBranches& all) {
    for (std::size_t k = 1; k + 1 < all.first.points.size() && all.doubled.size() < 3; ++k) {
      const BranchPoint& at = all.first.points[k];
      if (at.kind != BranchPoint::Kind::change ||
          orbit_description(all.first.points[k - 1], at, all.first.points[k + 1]) != "period doubling")
        continue;
      rebase(at.u, false);
      const auto end = end_of(at.u);
      if (!end) continue;
      const auto [values, vectors] = dense::eigenpairs(signs_.asDiagonal() * end->by_start);
      Eigen::Index best = 0;
      for (Eigen::Index i = 1; i < n_; ++i)
        if (std::abs(values[i] + 1.0) < std::abs(values[best] + 1.0)) best = i;
      Vec direction = Vec::Zero(unknowns());
      direction.head(n_) = vectors.col(best).real();
      Vec doubled = at.u;
      doubled[period_at()] *= 2;
      const Vec shift = shift_, signs = signs_;
      shift_ = shift + signs.cwiseProduct(shift);
      signs_ = signs.cwiseProduct(signs);
      copies_ = 2;
      new_mesh(2 * orbit_->intervals());
      const double size = 0.02 * (1 + base_.norm());
      const Vec predicted = doubled + size * direction.normalized();
      rebase(predicted, false);
      if (const auto found = nearest_solution(in_plane(set, predicted, direction.normalized()), predicted);
          found && (*found - doubled).norm() > size / 2) {
        BranchOptions options = question_.branch;
        options.most_points = std::min<std::size_t>(options.most_points, 150);
        all.doubled.push_back(continued(set, *found, options));
      }
      shift_ = shift;
      signs_ = signs;
      copies_ = 1;
      new_mesh(40);
    }
  }

  ReducedMotion motion_;
  const Flow& flow_;
  const PeriodicQuestion& question_;
  const OrbitStart& start_;
  Eigen::Index n_ = 0;
  Vec parameters_;                               ///< at the start, of those that are free
  std::optional<Eigen::Index> varied_, second_;  ///< which of them
  bool both_free_ = false;
  double copies_ = 1;  ///< how many periods of the forcing
  std::unique_ptr<SlopedFunctions> quantity_, forcing_, held_;
  std::vector<std::string> held_names_;
  std::unique_ptr<CollocatedOrbit> orbit_;
  Vec last_u_;  ///< the last orbit that was computed
  std::optional<CollocatedOrbit::End> last_end_;
  Vec base_, signs_, shift_;
  Mat phase_, free_;
  std::map<std::vector<double>, OrbitExtent> extents_;
  std::map<std::vector<double>, Vec> offsets_;  ///< what vanishes where a family begins
};

}  // namespace

std::vector<const Branch*> PeriodicBranches::all() const {
  std::vector<const Branch*> list{&first};
  for (const Branch& b : others) list.push_back(&b);
  for (const Branch& b : doubled) list.push_back(&b);
  return list;
}

PeriodicBranches periodic_branches(const System& system, const OrbitStart& start,
                                   const PeriodicQuestion& question) {
  try {
    return PeriodicFamily(system, start, question).run();
  } catch (const StepFailure& failure) {
    throw Error("no-periodic-motion", "no periodic motion was found near the start",
                fmt::format("the motion from there ends at t = {:.6g}: {}", failure.time, failure.reason),
                "start nearer to one with --from NAME=VALUE,..., and say its period with --period T");
  }
}

std::string orbit_description(const BranchPoint& before, const BranchPoint& at, const BranchPoint& after) {
  if (at.kind == BranchPoint::Kind::fold) return "fold";
  if (at.kind == BranchPoint::Kind::regular) return "";
  const BranchPoint& worse = after.growing > before.growing ? after : before;
  std::complex<double> crossed = 0;
  for (const auto& z : worse.spectrum)
    if (std::abs(z) > 1 + on_circle && (crossed == 0.0 || std::abs(z) <= std::abs(crossed))) crossed = z;
  // Where it crosses, the multiplier is the one nearest to it there.
  std::complex<double> here = crossed / std::abs(crossed);
  double distance = INFINITY;
  for (const auto& z : at.spectrum)
    if (const double d = std::abs(z - crossed) + std::abs(std::abs(z) - 1); d < distance) {
      distance = d;
      here = z;
    }
  const double angle = std::abs(std::arg(here));
  if (angle < 1e-3) return "branch point: a multiplier passes 1";
  if (angle > M_PI - 1e-3) return "period doubling";
  std::size_t near = 0;
  for (const auto& z : at.spectrum)
    if (z.imag() > 0 && std::abs(z - std::complex(here.real(), std::abs(here.imag()))) < 0.02) ++near;
  return near > 1 ? fmt::format("collision of multipliers at the angle {:.6g}", angle)
                  : fmt::format("torus (Neimark-Sacker), angle {:.6g}", angle);
}

}  // namespace rattleback
