#include <rattleback/study/branch.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

using Vector = Eigen::VectorXd;
using Matrix2 = Eigen::MatrixXd;

constexpr double solved = 1e-11, independent = 1e-7;

class Walker {
 public:
  Walker(const SolutionSet& set, const BranchOptions& options, const Vector& start)
      : set_(set), options_(options) {
    if (set.held) {
      Matrix2 slopes;
      set.held(start, values_, slopes);
    }
  }

  /// All equations but that of the step.
  void equations(const Vector& u, Vector& F, Matrix2& slopes) const {
    set_.at(u, F, slopes);
    if (!set_.held) return;
    Vector h;
    Matrix2 dh;
    set_.held(u, h, dh);
    Vector both(F.size() + h.size());
    both << F, h - values_;
    Matrix2 all(both.size(), u.size());
    all << slopes, dh;
    F = both;
    slopes = all;
  }

  /// Along the curve, in the sense of the last tangent; of several directions the one in which the quantity grows fastest.
  Vector tangent(const Vector& u, const Vector* last) const {
    Vector F;
    Matrix2 slopes;
    equations(u, F, slopes);
    const Matrix2 basis = kernel_basis(slopes);
    if (basis.cols() == 0) return Vector::Zero(u.size());
    if (last != nullptr) {
      const Vector along = basis * (basis.transpose() * *last);
      if (along.norm() > 0.1) return along.normalized();
    }
    Vector slope(u.size());
    set_.quantity(u, &slope);
    const Vector up = basis * (basis.transpose() * slope);
    return up.norm() > 1e-9 * slope.norm() ? up.normalized() : basis.col(0);
  }

  /// The solution across v from u + s v, and how many corrections it took.
  std::optional<Vector> corrected(const Vector& u, const Vector& v, double s, int* count = nullptr) const {
    const Vector predicted = u + s * v;
    Vector x = predicted, F;
    Matrix2 slopes;
    for (int k = 0; k < 10; ++k) {
      equations(x, F, slopes);
      if (!F.allFinite() || !slopes.allFinite()) return std::nullopt;
      Vector all(F.size() + 1);
      all << F, v.dot(x - predicted);
      if (count != nullptr) *count = k;
      if (all.lpNorm<Eigen::Infinity>() < solved * (1 + x.lpNorm<Eigen::Infinity>())) return x;
      Matrix2 m(all.size(), x.size());
      m << slopes, v.transpose();
      const Vector dx = dense::least_norm(m, -all, set_.rank_tolerance).x;
      if (!(dx.norm() < 10 * (std::abs(s) + 1e-3))) return std::nullopt;
      x += dx;
    }
    equations(x, F, slopes);
    return F.lpNorm<Eigen::Infinity>() < 1e-8 ? std::optional(x) : std::nullopt;
  }

  BranchPoint point(const Vector& u) const {
    BranchPoint made{u, set_.quantity(u, nullptr), set_.spectrum(u)};
    made.growing = set_.growing(made.spectrum);
    return made;
  }

  /// From u in the direction of v; special points among them.
  std::string walk(Vector u, Vector v, std::vector<BranchPoint>& to) const {
    const Vector first = u;
    double s = options_.step > 0 ? options_.step : (options_.high - options_.low) / 50;
    const double longest = 4 * s, shortest = 1e-7 * s;
    BranchPoint last = point(u);
    for (std::size_t k = 0; k < options_.most_points; ++k) {
      Budget::check();
      int count = 0;
      const auto next = corrected(u, v, s, &count);
      if (!next || count > 6) {
        s /= 2;
        if (s < shortest) return "Newton's method no longer converges";
        continue;
      }
      set_.rebase(*next);
      const Vector direction = tangent(*next, &v);
      if (direction.isZero()) return "the solution is isolated";
      if (direction.dot(v) < 0.8 && s > 100 * shortest) {  // the curve bends: take shorter steps
        s /= 2;
        continue;
      }
      BranchPoint now = point(*next);
      if (set_.ended) {
        if (const std::string why = set_.ended(u, *next); !why.empty()) return why;
      }
      special(u, v, s, last, now, to);
      const bool inside = now.quantity >= options_.low && now.quantity <= options_.high;
      if (!inside) {
        if (const auto end = at_the_edge(u, v, s, last.quantity)) to.push_back(point(*end));
        return "the end of the range";
      }
      to.push_back(now);
      if (k > 3 && (*next - first).norm() < s / 2) return "the curve is closed";
      u = *next;
      v = direction;
      last = now;
      if (count <= 3) s = std::min(1.4 * s, longest);
    }
    return fmt::format("{} points", options_.most_points);
  }

  /// Directions in which the equations do not change at a point.
  Matrix2 free_directions(const Vector& u, double threshold = independent) const {
    Vector F;
    Matrix2 slopes;
    equations(u, F, slopes);
    return kernel_basis(slopes, threshold);
  }
  /// Directions that leave the branch at a point: free there, and not at a point beside it.
  std::vector<Vector> departures(const Vector& u, const Vector& beside) const {
    const Matrix2 here = free_directions(u, 1e-5), there = free_directions(beside);
    std::vector<Vector> found;
    if (here.cols() <= there.cols()) return found;
    for (Eigen::Index c = 0; c < here.cols(); ++c) {
      Vector v = here.col(c) - there * (there.transpose() * here.col(c));
      for (const Vector& before : found) v -= before.dot(v) * before;
      if (v.norm() > 0.3) found.push_back(v.normalized());
    }
    return found;
  }

 private:
  /// The s at which a condition changes, by bisection.
  template <class Changed>
  std::optional<Vector> located(const Vector& u, const Vector& v, double s, Changed changed) const {
    double low = 0, high = s;
    std::optional<Vector> found;
    for (int k = 0; k < 40 && high - low > 1e-12 * std::abs(s); ++k) {
      const double middle = (low + high) / 2;
      const auto x = corrected(u, v, middle);
      if (!x) break;
      (changed(*x) ? high : low) = middle;
      found = x;
    }
    return found;
  }
  std::optional<Vector> at_the_edge(const Vector& u, const Vector& v, double s, double before) const {
    return located(u, v, s, [&](const Vector& x) {
      const double q = set_.quantity(x, nullptr);
      return (q < options_.low || q > options_.high) && q != before;
    });
  }
  double rise(const Vector& u, const Vector& v) const {
    Vector slope(u.size());
    set_.quantity(u, &slope);
    return slope.dot(v);
  }
  void special(const Vector& u, const Vector& v, double s, const BranchPoint& last, const BranchPoint& now,
               std::vector<BranchPoint>& to) const {
    const Vector later = tangent(now.u, &v);
    const double before = rise(u, v), after = rise(now.u, later);
    if (before * after < 0) {
      const auto x =
          located(u, v, s, [&](const Vector& at) { return rise(at, tangent(at, &v)) * before < 0; });
      if (x) {
        to.push_back(point(*x));
        to.back().kind = BranchPoint::Kind::fold;
      }
    }
    if (last.growing != now.growing) {
      const auto x =
          located(u, v, s, [&](const Vector& at) { return set_.growing(set_.spectrum(at)) != last.growing; });
      if (x && (to.empty() || to.back().kind != BranchPoint::Kind::fold ||
                (to.back().u - *x).norm() > 1e-5 * (1 + x->norm()))) {
        to.push_back(point(*x));
        to.back().kind = BranchPoint::Kind::change;
      }
    }
  }

  const SolutionSet& set_;
  const BranchOptions& options_;
  Vector values_;
};

}  // namespace

Matrix2 kernel_basis(const Matrix2& m, double threshold) {
  const auto [values, V] = dense::right_singular_basis(m);
  const double most = std::max(1e-300, values.size() > 0 ? values[0] : 0);
  Eigen::Index rank = 0;
  while (rank < values.size() && values[rank] > threshold * most) ++rank;
  return V.rightCols(m.cols() - rank);
}

std::optional<Vector> nearest_solution(const SolutionSet& set, Vector u) {
  // Levenberg and Marquardt's: far from a solution the matrix may be nearly singular in directions that are free at it.
  Vector F, next_F;
  Matrix2 slopes, next_slopes;
  set.at(u, F, slopes);
  double damping = 1e-2;
  for (int k = 0; k < 300 && F.allFinite() && slopes.allFinite(); ++k) {
    if (F.lpNorm<Eigen::Infinity>() < solved * (1 + u.lpNorm<Eigen::Infinity>())) return u;
    Matrix2 m(slopes.rows() + u.size(), u.size());
    m << slopes, std::sqrt(damping) * Matrix2::Identity(u.size(), u.size());
    Vector b = Vector::Zero(m.rows());
    b.head(F.size()) = -F;
    const Vector next = u + dense::least_squares(m, b);
    set.at(next, next_F, next_slopes);
    if (next_F.allFinite() && next_slopes.allFinite() && next_F.norm() < F.norm()) {
      u = next;
      F = next_F;
      slopes = next_slopes;
      damping = std::max(damping / 10, 1e-18);
    } else {
      damping *= 10;
      if (damping > 1e12) break;
    }
  }
  return F.lpNorm<Eigen::Infinity>() < 1e-9 ? std::optional(u) : std::nullopt;
}

Branch continued(const SolutionSet& set, const Vector& start, const BranchOptions& options) {
  const Walker walker(set, options, start);
  Branch branch;
  set.rebase(start);
  {
    Vector F;
    Matrix2 slopes;
    set.at(start, F, slopes);
    branch.family = static_cast<std::size_t>(kernel_basis(slopes).cols());
  }
  const Vector up = walker.tangent(start, nullptr);
  if (up.isZero()) {
    branch.points = {walker.point(start)};
    branch.ended_forward = branch.ended_backward = "the solution is isolated";
    return branch;
  }
  std::vector<BranchPoint> back, forth;
  branch.ended_forward = walker.walk(start, up, forth);
  set.rebase(start);
  if (branch.ended_forward != "the curve is closed") branch.ended_backward = walker.walk(start, -up, back);
  branch.points.assign(back.rbegin(), back.rend());
  branch.points.push_back(walker.point(start));
  branch.points.insert(branch.points.end(), forth.begin(), forth.end());
  return branch;
}

std::vector<Branch> crossing_branches(const SolutionSet& set, const Branch& branch,
                                      const BranchOptions& options) {
  std::vector<Branch> found;
  const double s = (options.step > 0 ? options.step : (options.high - options.low) / 50) / 2;
  for (std::size_t k = 1; k + 1 < branch.points.size(); ++k) {
    const BranchPoint& at = branch.points[k];
    if (at.kind != BranchPoint::Kind::change) continue;
    const Walker walker(set, options, at.u);
    set.rebase(at.u);
    for (const Vector& v : walker.departures(at.u, branch.points[k - 1].u)) {
      for (const double side : {s, -s}) {
        const auto start = walker.corrected(at.u, v, side);
        if (!start || std::abs((*start - at.u).dot(v)) < std::abs(side) / 2) continue;
        const bool known = std::any_of(found.begin(), found.end(), [&](const Branch& other) {
          return std::any_of(other.points.begin(), other.points.end(), [&](const BranchPoint& p) {
            return (p.u - *start).norm() < std::abs(side) / 2;
          });
        });
        if (!known) found.push_back(continued(set, *start, options));
      }
    }
  }
  return found;
}

}  // namespace rattleback
