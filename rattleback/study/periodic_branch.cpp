#include <rattleback/study/periodic_branch.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>
#include <rattleback/study/first_orbit.hpp>
#include <rattleback/study/periodic_equations.hpp>

namespace rattleback {
namespace {

using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;

class PeriodicFamily {
 public:
  PeriodicFamily(const System& system, const OrbitStart& start, const PeriodicQuestion& question)
      : equations_(system, start, question),
        motion_(equations_.motion()),
        question_(question),
        start_(start),
        n_(equations_.states()) {}

  PeriodicBranches run() {
    const Vec first = first_orbit(equations_, start_);
    SolutionSet set = equations_.solution_set();
    hold(first);
    if (held_) {
      set.held = [this](const Vec& w, Vec& h, Mat& slopes) {
        const Vec x = equations_.inputs(w);
        h = held_->value(x);
        slopes = equations_.spread(held_->slope(x));
      };
    }
    const double q = equations_.quantity(first, nullptr);
    if (q < question_.branch.low || q > question_.branch.high)
      throw Error("usage",
                  fmt::format("the periodic motion nearest to the start has {} = {:.6g}", question_.vary, q),
                  "which is not in the range to be followed",
                  "start within it with --from NAME=VALUE,..., or widen it");
    PeriodicBranches all;
    describe(all, first);
    all.first = continued(set, first, question_.branch);
    refine_special_points({set, 0, {}, true, orbit_description}, all.first);
    all.others = crossing_branches(set, all.first, question_.branch);
    if (question_.doublings) add_doubled(set, all);
    if (const auto second = equations_.second_at()) {
      equations_.free_second(true);
      all.second = question_.second.name;
      all.curves = bifurcation_curves({set, *second, question_.second, true, orbit_description}, all.first,
                                      question_.branch);
      equations_.free_second(false);
    }
    for (const Branch* branch : all.all()) {
      all.extents.emplace_back();
      for (const BranchPoint& p : branch->points) all.extents.back().push_back(equations_.extent(p.u));
    }
    return all;
  }

 private:
  /// Integrals are held until one direction is left, those first that say something new and leave the quantity free.
  void hold(const Vec& u) {
    Vec F;
    Mat slopes;
    equations_.equations(u, F, slopes);
    std::vector<Expr> chosen;
    const auto add = [&](const Invariant& invariant, bool always) {
      const Mat kernel = kernel_basis(slopes);
      if (kernel.cols() <= 1 && !always) return;
      const Expr value = equations_.flow().on_state(invariant.value);
      if (!motion_.is_of_kept(value)) return;
      const auto function = motion_.functions(std::span(&value, 1));
      const Mat slope = equations_.spread(function->slope(equations_.inputs(u)));
      if (!always && !((slope * kernel).norm() > 1e-6 * (1 + slope.norm()))) return;
      Mat more(slopes.rows() + 1, slopes.cols());
      more << slopes, slope;
      const Mat left = kernel_basis(more);
      Vec rise(equations_.unknowns());
      equations_.quantity(u, &rise);
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
    for (const std::size_t k : motion_.kept()) all.names.push_back(equations_.flow().state()[k].name());
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
    const Vec x = equations_.inputs(u);
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
      equations_.rebase(at.u, false);
      const auto end = equations_.end_of(at.u);
      if (!end) continue;
      const auto [values, vectors] = dense::eigenpairs(equations_.signs().asDiagonal() * end->by_start);
      Eigen::Index best = 0;
      for (Eigen::Index i = 1; i < n_; ++i)
        if (std::abs(values[i] + 1.0) < std::abs(values[best] + 1.0)) best = i;
      Vec direction = Vec::Zero(equations_.unknowns());
      direction.head(n_) = vectors.col(best).real();
      Vec doubled = at.u;
      doubled[equations_.period_at()] *= 2;
      equations_.double_period();
      const double size = 0.02 * (1 + at.u.head(n_).norm());
      const Vec predicted = doubled + size * direction.normalized();
      equations_.rebase(predicted, false);
      if (const auto found = nearest_solution(in_plane(set, predicted, direction.normalized()), predicted);
          found && (*found - doubled).norm() > size / 2) {
        BranchOptions options = question_.branch;
        options.most_points = std::min<std::size_t>(options.most_points, 150);
        all.doubled.push_back(continued(set, *found, options));
      }
      equations_.undo_double_period();
    }
  }

  PeriodicEquations equations_;
  const ReducedMotion& motion_;
  const PeriodicQuestion& question_;
  const OrbitStart& start_;
  Eigen::Index n_ = 0;
  std::unique_ptr<SlopedFunctions> held_;
  std::vector<std::string> held_names_;
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
    if (std::abs(z) > 1 + multiplier_tolerance && (crossed == 0.0 || std::abs(z) <= std::abs(crossed)))
      crossed = z;
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
