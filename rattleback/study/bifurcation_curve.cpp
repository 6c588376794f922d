#include <rattleback/study/bifurcation_curve.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;
using Complex = std::complex<double>;

enum class Test { fold, pair, doubling, collision };

/// Frequencies are compared as λ², multipliers as μ + 1/μ: pairs of a reversible or conservative motion have one value.
Complex folded(Complex z, bool multipliers) { return multipliers ? z + 1.0 / z : z * z; }

/// The entry of a spectrum nearest to a number.
Complex nearest_to(const Eigen::VectorXcd& all, Complex z) {
  Complex best = all[0];
  for (const Complex& x : all)
    if (std::abs(x - z) < std::abs(best - z)) best = x;
  return best;
}

/// g(u) of one bifurcation, followed along its curve.
class TestFunction {
 public:
  TestFunction(const TwoParameterProblem& problem, Test test, Complex critical, const Vec& u)
      : problem_(problem), test_(test), critical_(critical), other_(critical) {
    if (test == Test::collision) {
      // The second of the two that meet: nearest besides, in the upper half plane.
      double distance = INFINITY;
      for (const Complex& z : problem.set.spectrum(u))
        if (z.imag() > 0 && z != critical && std::abs(z - critical) < distance) {
          distance = std::abs(z - critical);
          other_ = z;
        }
    }
    rebase(u);
  }

  double operator()(const Vec& u) const {
    if (test_ == Test::fold) return bordered(u);
    const Eigen::VectorXcd all = problem_.set.spectrum(u);
    if (all.size() == 0) return NAN;
    if (test_ == Test::doubling) {
      Complex product = 1;
      for (const Complex& z : all) product *= (z + 1.0) / (1 + std::abs(z));
      return product.real();
    }
    if (test_ == Test::pair) {
      const Complex z = nearest_to(all, critical_);
      return problem_.multipliers ? std::norm(z) - 1 : z.real();
    }
    const auto [a, b] = two_of(all);
    const Complex difference = folded(a, problem_.multipliers) - folded(b, problem_.multipliers);
    return (difference * difference).real();
  }

  void rebase(const Vec& u) {
    if (test_ == Test::fold) {
      const auto [left, right] = dense::singular_bases(matrix(u));
      const Eigen::Index last = right.cols() - 1;
      left_ = left.col(std::min<Eigen::Index>(last, left.cols() - 1));
      right_ = right.col(last);
      return;
    }
    if (test_ == Test::doubling) return;
    if (const Base* base = nearest_base(u)) {
      critical_ = base->critical;
      other_ = base->other;
    }
    const Eigen::VectorXcd all = problem_.set.spectrum(u);
    if (all.size() == 0) return;
    if (test_ == Test::pair) critical_ = nearest_to(all, critical_);
    if (test_ == Test::collision) std::tie(critical_, other_) = two_of(all);
    bases_.push_back({u, critical_, other_});
  }

  /// Why the bifurcation is none of this kind any more.
  std::string lost() const {
    if (test_ != Test::pair) return "";
    if (!problem_.multipliers)
      return std::abs(critical_.imag()) < 1e-3 ? "the frequency vanishes (Bogdanov-Takens)" : "";
    const double angle = std::abs(std::arg(critical_));
    if (angle < 1e-2) return "the multipliers meet at 1 (resonance 1:1)";
    return angle > M_PI - 1e-2 ? "the multipliers meet at -1 (resonance 1:2)" : "";
  }
  double frequency() const {
    if (test_ == Test::fold || test_ == Test::doubling) return 0;
    return problem_.multipliers ? std::abs(std::arg(critical_)) : std::abs(critical_.imag());
  }
  /// The spectrum without what is critical.
  Eigen::VectorXcd rest(const Vec& u) const {
    const Eigen::VectorXcd spectrum = problem_.set.spectrum(u);
    std::vector<Complex> all(spectrum.begin(), spectrum.end());
    const auto drop = [&](Complex z) {
      const auto at = std::min_element(all.begin(), all.end(),
                                       [&](auto a, auto b) { return std::abs(a - z) < std::abs(b - z); });
      if (at != all.end()) all.erase(at);
    };
    if (test_ == Test::fold) drop(problem_.multipliers ? 1.0 : 0.0);
    if (test_ == Test::doubling) drop(-1.0);
    if (test_ == Test::pair) drop(critical_), drop(std::conj(critical_));
    if (test_ == Test::collision)
      drop(critical_), drop(std::conj(critical_)), drop(other_), drop(std::conj(other_));
    return Eigen::Map<const Eigen::VectorXcd>(all.data(), static_cast<Eigen::Index>(all.size()));
  }

 private:
  /// What is critical at a point of the curve. Where the walk turns back to its start, it is found again from the nearest point.
  struct Base {
    Vec u;
    Complex critical, other;
  };
  const Base* nearest_base(const Vec& u) const {
    const auto nearest = std::min_element(bases_.begin(), bases_.end(), [&](const Base& a, const Base& b) {
      return (a.u - u).squaredNorm() < (b.u - u).squaredNorm();
    });
    return nearest == bases_.end() ? nullptr : &*nearest;
  }

  std::pair<Complex, Complex> two_of(const Eigen::VectorXcd& all) const {
    std::vector<Complex> upper;
    for (const Complex& z : all)
      if (z.imag() >= 0) upper.push_back(z);
    std::sort(upper.begin(), upper.end(),
              [&](auto a, auto b) { return std::abs(a - critical_) < std::abs(b - critical_); });
    if (upper.size() < 2) return {critical_, other_};
    // After a collision both have one frequency and opposite growth.
    auto best = upper.begin() + 1;
    for (auto z = upper.begin() + 1; z != upper.end(); ++z)
      if (std::abs(*z - other_) < std::abs(*best - other_)) best = z;
    return {upper[0], *best};
  }

  /// Slopes of the equations, of what is held and of the quantity, at a fixed second parameter.
  Mat matrix(const Vec& u) const {
    Vec F, h = Vec(0), slope(u.size());
    Mat dF, dh = Mat(0, u.size());
    problem_.set.at(u, F, dF);
    if (problem_.set.held) problem_.set.held(u, h, dh);
    problem_.set.quantity(u, &slope);
    Mat all(dF.rows() + dh.rows() + 1, u.size());
    all << dF, dh, slope.transpose();
    Mat without(all.rows(), all.cols() - 1);
    without << all.leftCols(problem_.second), all.rightCols(all.cols() - problem_.second - 1);
    return without;
  }
  /// J v + g l = 0, r·v = 1.
  double bordered(const Vec& u) const {
    const Mat J = matrix(u);
    Mat all = Mat::Zero(J.rows() + 1, J.cols() + 1);
    all.topLeftCorner(J.rows(), J.cols()) = J;
    all.topRightCorner(J.rows(), 1) = left_;
    all.bottomLeftCorner(1, J.cols()) = right_.transpose();
    Vec b = Vec::Zero(all.rows());
    b[all.rows() - 1] = 1;
    return dense::least_squares(all, b)[J.cols()];
  }

  const TwoParameterProblem& problem_;
  Test test_;
  Complex critical_, other_;
  std::vector<Base> bases_;
  Vec left_, right_;
};

/// Slopes of g by differences along the solutions; between bases they follow by secants [Broyden 1965].
class TestSlope {
 public:
  TestSlope(const TwoParameterProblem& problem, const TestFunction& g) : problem_(problem), g_(g) {}
  void forget() { slope_.resize(0); }

  /// The equations and g.
  void equations(const Vec& u, Vec& F, Mat& slopes) {
    problem_.set.at(u, F, slopes);
    const double value = F.allFinite() && slopes.allFinite() ? g_(u) : NAN;
    if (std::isfinite(value)) learn(u, value, slopes);
    F.conservativeResize(F.size() + 1);
    F[F.size() - 1] = value;
    slopes.conservativeResize(slopes.rows() + 1, Eigen::NoChange);
    if (slope_.size() == u.size())
      slopes.bottomRows(1) = slope_.transpose();
    else
      slopes.bottomRows(1).setZero();
  }

 private:
  void learn(const Vec& u, double value, const Mat& slopes) {
    if (slope_.size() != u.size()) {
      differentiate(u, slopes);
    } else if (const Vec step = u - last_; step.norm() > 1e-9 * (1 + u.norm())) {
      slope_ += ((value - value_) - slope_.dot(step)) / step.squaredNorm() * step;
    }
    last_ = u;
    value_ = value;
  }
  void differentiate(const Vec& u, const Mat& slopes) {
    Mat all = slopes;
    if (problem_.set.held) {
      Vec h;
      Mat dh;
      problem_.set.held(u, h, dh);
      all.conservativeResize(slopes.rows() + dh.rows(), Eigen::NoChange);
      all.bottomRows(dh.rows()) = dh;
    }
    const Mat along = kernel_basis(all);
    const double step = 1e-6 * (1 + u.lpNorm<Eigen::Infinity>());
    slope_ = Vec::Zero(u.size());
    for (Eigen::Index c = 0; c < along.cols(); ++c)
      slope_ += (g_(u + step * along.col(c)) - g_(u - step * along.col(c))) / (2 * step) * along.col(c);
  }

  const TwoParameterProblem& problem_;
  const TestFunction& g_;
  Vec slope_, last_;
  double value_ = 0;
};

/// Newton's method, from near by, for all equations, g, and what is held.
std::optional<Vec> exactly_critical(const TwoParameterProblem& problem, const TestFunction& g, Vec u) {
  Vec h0, h;
  Mat dh;
  if (problem.set.held) problem.set.held(u, h0, dh);
  const double reach = 0.05 * (1 + u.norm());
  TestSlope test(problem, g);
  const Vec start = u;
  for (int k = 0; k < 12; ++k) {
    Vec F;
    Mat slopes;
    test.equations(u, F, slopes);
    if (problem.set.held) {
      problem.set.held(u, h, dh);
      F.conservativeResize(F.size() + h.size());
      F.tail(h.size()) = h - h0;
      slopes.conservativeResize(F.size(), Eigen::NoChange);
      slopes.bottomRows(h.size()) = dh;
    }
    if (!F.allFinite() || !slopes.allFinite()) return std::nullopt;
    if (F.lpNorm<Eigen::Infinity>() < 1e-11 * (1 + u.norm())) return u;
    u -= dense::least_norm(slopes, F, 1e-9).x;
    if (!((u - start).norm() < reach)) return std::nullopt;
  }
  return u;
}

/// The curve through a point.
BifurcationCurve followed(const TwoParameterProblem& problem, const BranchOptions& options,
                          const std::string& kind, Test test, Complex critical, const Vec& start) {
  TestFunction g(problem, test, critical, start);
  SolutionSet set;
  set.rank_tolerance = problem.set.rank_tolerance;
  set.held = problem.set.held;
  TestSlope slope_of_test(problem, g);
  set.at = [&](const Vec& u, Vec& F, Mat& slopes) { slope_of_test.equations(u, F, slopes); };
  set.quantity = [&](const Vec& u, Vec* slope) {
    if (slope != nullptr) *slope = Vec::Unit(u.size(), problem.second);
    return u[problem.second];
  };
  set.spectrum = [&](const Vec& u) { return g.rest(u); };
  set.growing = [&](const Eigen::VectorXcd& rest) {
    return rest.size() == 0 ? 0 : problem.set.growing(rest);
  };
  set.rebase = [&](const Vec& u) {
    problem.set.rebase(u);
    g.rebase(u);
    slope_of_test.forget();
  };
  set.ended = [&](const Vec&, const Vec& after) -> std::string {
    const double p = problem.set.quantity(after, nullptr);
    if (p < options.low || p > options.high) return "the end of the range of what was varied first";
    return g.lost();
  };
  BranchOptions along;
  along.low = problem.range.low;
  along.high = problem.range.high;
  along.most_points = std::min<std::size_t>(options.most_points, 120);
  BifurcationCurve curve;
  curve.kind = kind;
  problem.set.rebase(start);
  curve.branch = continued(set, start, along);
  for (BranchPoint& p : curve.branch.points) {
    curve.first.push_back(problem.set.quantity(p.u, nullptr));
    g.rebase(p.u);
    curve.critical.push_back(g.frequency());
  }
  return curve;
}

/// Bifurcations of codimension one by what is said about a point; none where branches cross.
struct Kind {
  Test test;
  std::string name;
};
std::optional<Kind> kind_named(const std::string& what, bool multipliers) {
  if (what == "fold") return Kind{Test::fold, what};
  if (what == "period doubling") return Kind{Test::doubling, what};
  if (what.starts_with("Hopf")) return Kind{Test::pair, "Hopf"};
  if (what.starts_with("torus")) return Kind{Test::pair, "torus (Neimark-Sacker)"};
  if (what.starts_with("collision"))
    return Kind{Test::collision, multipliers ? "collision of multipliers" : "collision of frequencies"};
  return std::nullopt;
}

/// The eigenvalue of a special point that is critical: nearest to the axis or the circle, in the upper half plane.
Complex critical_at(const BranchPoint& at, bool multipliers) {
  Complex best = 0;
  double distance = INFINITY;
  for (const Complex& z : at.spectrum) {
    if (z.imag() < 1e-9) continue;
    const double d = multipliers ? std::abs(std::abs(z) - 1) : std::abs(z.real());
    if (d < distance) {
      distance = d;
      best = z;
    }
  }
  return best;
}

}  // namespace

void require_second(const SecondParameter& second, bool found) {
  if (second.name.empty() || found) return;
  throw Error("usage", fmt::format("`{}` is no parameter of the model", second.name),
              "curves of bifurcations are followed in a second parameter",
              "write --and NAME=FROM:TO with one");
}

std::vector<std::string> free_parameters(const std::string& vary, const std::string& second) {
  std::vector<std::string> all{vary};
  if (!second.empty() && second != vary) all.push_back(second);
  return all;
}

std::vector<BifurcationCurve> bifurcation_curves(const TwoParameterProblem& problem, const Branch& branch,
                                                 const BranchOptions& options) {
  std::vector<BifurcationCurve> curves;
  for (std::size_t k = 1; k + 1 < branch.points.size(); ++k) {
    const BranchPoint& at = branch.points[k];
    if (at.kind == BranchPoint::Kind::regular) continue;
    const std::string what = problem.describe(branch.points[k - 1], at, branch.points[k + 1]);
    const auto kind = kind_named(what, problem.multipliers);
    if (!kind) continue;
    // A curve that comes back through another point of the branch is there already.
    const bool known = std::any_of(curves.begin(), curves.end(), [&](const BifurcationCurve& c) {
      return c.kind == kind->name &&
             std::any_of(c.branch.points.begin(), c.branch.points.end(), [&](const BranchPoint& p) {
               return (p.u - at.u).norm() < 1e-3 * (1 + at.u.norm()) * (options.high - options.low);
             });
    });
    if (!known)
      curves.push_back(
          followed(problem, options, kind->name, kind->test, critical_at(at, problem.multipliers), at.u));
  }
  return curves;
}

void refine_special_points(const TwoParameterProblem& problem, Branch& branch) {
  for (std::size_t k = 1; k + 1 < branch.points.size(); ++k) {
    BranchPoint& at = branch.points[k];
    if (at.kind != BranchPoint::Kind::change) continue;
    const auto kind =
        kind_named(problem.describe(branch.points[k - 1], at, branch.points[k + 1]), problem.multipliers);
    if (!kind || kind->test == Test::fold) continue;
    problem.set.rebase(at.u);
    const TestFunction g(problem, kind->test, critical_at(at, problem.multipliers), at.u);
    const auto u = exactly_critical(problem, g, at.u);
    if (!u) continue;
    at.u = *u;
    at.quantity = problem.set.quantity(*u, nullptr);
    at.spectrum = problem.set.spectrum(*u);
  }
}

}  // namespace rattleback
