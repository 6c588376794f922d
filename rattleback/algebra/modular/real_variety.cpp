// Declared in algebra/modular/variety_points.hpp. Real points: Newton from random starts, then Krawczyk's test in balls.
#include <algorithm>
#include <cmath>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/flint_headers.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/modular/variety_points.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#include RATTLEBACK_ARB_HEADER(arb_mat.h)
#pragma GCC diagnostic pop

namespace rattleback {
namespace {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

/// Rows and columns of a largest regular minor: columns in the order given (or, without an order, by size).
struct Pivots {
  std::vector<std::size_t> rows, columns;
};

Pivots pivots(Rows a, std::span<const std::size_t> order, bool by_size, double tolerance) {
  Pivots found;
  std::vector<std::size_t> left(order.begin(), order.end()), rows(a.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  for (Vector& row : a) {
    double size = 0;
    for (const double x : row) size = std::max(size, std::abs(x));
    if (size > 0) {
      for (double& x : row) x /= size;
    }
  }
  while (!left.empty() && found.rows.size() < a.size()) {
    std::size_t column = left.front(), row = a.size();
    double best = tolerance;
    for (const std::size_t j : left) {
      for (const std::size_t i : rows) {
        if (std::abs(a[i][j]) > best) {
          best = std::abs(a[i][j]);
          row = i;
          column = j;
        }
      }
      if (!by_size && row < a.size()) break;
    }
    if (row == a.size()) break;
    found.rows.push_back(row);
    found.columns.push_back(column);
    std::erase(left, column);
    std::erase(rows, row);
    for (const std::size_t i : rows) {
      const double k = a[i][column] / a[row][column];
      for (std::size_t j = 0; j < a[i].size(); ++j) a[i][j] -= k * a[row][j];
    }
  }
  std::ranges::sort(found.rows);
  std::ranges::sort(found.columns);
  return found;
}

/// The solution of a x = b by Gauss with pivots; nothing when a is singular.
std::optional<Vector> solution(Rows a, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[best][k])) best = i;
    }
    if (!(std::abs(a[best][k]) > 0)) return std::nullopt;
    std::swap(a[k], a[best]);
    std::swap(b[k], b[best]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double f = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

Rational rational_of(double x) {
  Rational r;
  arf_t value;
  arf_init(value);
  arf_set_d(value, x);
  arf_get_fmpq(r.raw(), value);
  arf_clear(value);
  return r;
}

Rational midpoint_of(const arb_struct* x, long bits) {
  Rational r;
  arf_t value;
  arf_init(value);
  arf_set_round(value, arb_midref(x), bits, ARF_RND_NEAR);
  arf_get_fmpq(r.raw(), value);
  arf_clear(value);
  return r;
}

Rational rounded_to(double x, int digits) {
  const double scale = std::pow(10.0, digits);
  return Rational(static_cast<long>(std::llround(x * scale)), static_cast<long>(scale));
}

class ArbMatrix {
 public:
  ArbMatrix(std::size_t rows, std::size_t columns) {
    arb_mat_init(m_, static_cast<slong>(rows), static_cast<slong>(columns));
  }
  ~ArbMatrix() { arb_mat_clear(m_); }
  ArbMatrix(const ArbMatrix&) = delete;
  ArbMatrix& operator=(const ArbMatrix&) = delete;
  arb_struct* at(std::size_t i, std::size_t j) {
    return arb_mat_entry(m_, static_cast<slong>(i), static_cast<slong>(j));
  }
  arb_mat_struct* raw() { return m_; }

 private:
  arb_mat_t m_;
};

}  // namespace

/// Newton's method for one seed: the parameters are those of the point, coordinates start where it draws them.
class RealVarietySearch {
 public:
  RealVarietySearch(const VarietyPoints& variety, const BallPoint& at)
      : n_(variety), at_(at.in_ambient_space()), origin_(at_) {
    for (const auto& row : n_.slopes_) all_slopes_.insert(all_slopes_.end(), row.begin(), row.end());
  }

  std::optional<RealVarietyPoint> found() {
    std::size_t before = 0;
    for (const VarietyPoints::Sort last :
         {VarietyPoints::Sort::line, VarietyPoints::Sort::angle, VarietyPoints::Sort::chart}) {
      std::vector<std::size_t> moving;
      for (std::size_t i = 0; i < n_.unknowns_.size(); ++i) {
        if (n_.sorts_[i] <= last) moving.push_back(i);
      }
      if (moving.size() == before) continue;
      before = moving.size();
      for (std::uint64_t start = 0; start < 4; ++start) {
        if (auto point = from_start(moving, start)) return point;
      }
    }
    return std::nullopt;
  }

  /// ∂φ/∂y at the coordinates y.
  std::optional<Rows> slopes(const Vector& y) {
    place(y);
    const auto values = evaluate_ball(all_slopes_, at_, 64);
    if (!values) return std::nullopt;
    Rows a;
    for (std::size_t i = 0; i < n_.equations_.size(); ++i) {
      Vector row;
      for (std::size_t j = 0; j < y.size(); ++j) row.push_back((*values)[i * y.size() + j].midpoint());
      a.push_back(std::move(row));
    }
    return a;
  }

 private:
  void place(const Vector& y) {
    for (std::size_t i = 0; i < y.size(); ++i) at_.set(n_.unknowns_[i], rational_of(y[i]));
  }

  std::optional<Vector> residuals(const Vector& y) {
    place(y);
    const auto values = evaluate_ball(n_.equations_, at_, 64);
    if (!values) return std::nullopt;
    Vector r;
    for (const Ball& b : *values) r.push_back(b.midpoint());
    return r;
  }

  Vector start_values(std::uint64_t start) const {
    Vector y;
    const BallPoint elsewhere(at_.seed() + 7919 * start);
    for (const Symbol s : n_.unknowns_) y.push_back((start == 0 ? origin_ : elsewhere).drawn(s).to_double());
    return y;
  }

  /// y − Jᵀ(J Jᵀ)⁻¹φ in the moving coordinates until φ = 0.
  std::optional<Vector> projected(Vector y, const std::vector<std::size_t>& moving) {
    constexpr int most = search_limits::projection_on_a_variety.count;
    constexpr double small = 1e-13, damping = 1e-13, longest = 2;
    for (int step = 0; step < most; ++step) {
      const auto r = residuals(y);
      if (!r || std::ranges::any_of(*r, [](double x) { return !std::isfinite(x); })) return std::nullopt;
      const auto a = slopes(y);
      if (!a) return std::nullopt;
      double worst = 0;
      for (std::size_t i = 0; i < r->size(); ++i) {
        double size = 1;
        for (const double x : (*a)[i]) size = std::max(size, std::abs(x));
        worst = std::max(worst, std::abs((*r)[i]) / size);
      }
      if (worst < small) return y;
      Rows gram(r->size(), Vector(r->size()));
      double trace = 0;
      for (std::size_t i = 0; i < r->size(); ++i) {
        for (std::size_t k = 0; k < r->size(); ++k) {
          for (const std::size_t j : moving) gram[i][k] += (*a)[i][j] * (*a)[k][j];
        }
        trace += gram[i][i];
      }
      for (std::size_t i = 0; i < r->size(); ++i) gram[i][i] += damping * trace;
      const auto multipliers = solution(gram, *r);
      if (!multipliers) return std::nullopt;
      Vector shift(y.size());
      double length = 0;
      for (const std::size_t j : moving) {
        for (std::size_t i = 0; i < r->size(); ++i) shift[j] += (*a)[i][j] * (*multipliers)[i];
        length = std::max(length, std::abs(shift[j]));
      }
      const double scale = length > longest ? longest / length : 1;
      for (const std::size_t j : moving) y[j] -= scale * shift[j];
    }
    return std::nullopt;
  }

  /// Newton's method in the dependent coordinates alone.
  std::optional<Vector> solved(Vector y, const VarietyChart& chart) {
    constexpr int most = search_limits::dependent_coordinates_by_newton.count;
    const std::size_t k = chart.dependent.size();
    const Vector first = y;
    for (int step = 0; step < most; ++step) {
      const auto r = residuals(y);
      const auto a = r ? slopes(y) : std::nullopt;
      if (!a) return std::nullopt;
      Rows square(k, Vector(k));
      Vector right(k);
      for (std::size_t i = 0; i < k; ++i) {
        right[i] = (*r)[chart.rows[i]];
        for (std::size_t j = 0; j < k; ++j) square[i][j] = (*a)[chart.rows[i]][chart.dependent[j]];
      }
      const auto shift = solution(square, right);
      if (!shift) return std::nullopt;
      double length = 0, size = 1;
      for (std::size_t j = 0; j < k; ++j) {
        y[chart.dependent[j]] -= (*shift)[j];
        length = std::max(length, std::abs((*shift)[j]));
        size = std::max(size, std::abs(y[chart.dependent[j]]));
      }
      if (!std::isfinite(length)) return std::nullopt;
      if (length > 1e-14 * size) continue;
      constexpr double near = 0.5;
      for (std::size_t j = 0; j < y.size(); ++j) {
        if (std::abs(y[j] - first[j]) > near) return std::nullopt;  // another branch
      }
      return y;
    }
    return std::nullopt;
  }

  std::optional<RealVarietyPoint> from_start(const std::vector<std::size_t>& moving, std::uint64_t start) {
    constexpr double tolerance = 1e-7;
    const auto y = projected(start_values(start), moving);
    if (!y) return std::nullopt;
    const auto a = slopes(*y);
    if (!a) return std::nullopt;
    std::vector<std::size_t> all(y->size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    const Pivots best = pivots(*a, moving, true, tolerance);
    if (best.rows.empty() || best.rows.size() < pivots(*a, all, true, tolerance).rows.size())
      return std::nullopt;
    const VarietyChart chart{best.columns, best.rows};
    for (const int digits : {2, 4, 0}) {
      if (auto point = with_short_values(*y, moving, chart, digits)) return point;
    }
    return std::nullopt;
  }

  /// The free coordinates rounded to a few digits (0: as they are), the dependent ones solved for again.
  std::optional<RealVarietyPoint> with_short_values(Vector y, const std::vector<std::size_t>& moving,
                                                    const VarietyChart& chart, int digits) {
    RealVarietyPoint point{chart, std::vector<Rational>(y.size())};
    for (std::size_t i = 0; i < y.size(); ++i) {
      const bool moves = std::ranges::find(moving, i) != moving.end();
      point.at[i] = moves && digits > 0 ? rounded_to(y[i], digits) : rational_of(y[i]);
      if (!moves) point.at[i] = origin_.drawn(n_.unknowns_[i]);
      if (std::ranges::find(chart.dependent, i) == chart.dependent.end()) y[i] = point.at[i].to_double();
    }
    const auto exact = solved(y, chart);
    if (!exact) return std::nullopt;
    for (const std::size_t i : chart.dependent) point.at[i] = rational_of((*exact)[i]);
    constexpr long bits = 160, kept = 120;
    const auto enclosures = n_.enclosed(point, at_, bits);
    if (!enclosures) return std::nullopt;
    for (std::size_t k = 0; k < chart.dependent.size(); ++k)
      point.at[chart.dependent[k]] = midpoint_of((*enclosures)[k].raw(), kept);
    if (!satisfies_all(point, *enclosures)) return std::nullopt;
    return point;
  }

  /// The equations that the chart leaves out hold, too, as far as balls can tell.
  bool satisfies_all(const RealVarietyPoint& point, const std::vector<Ball>& enclosures) {
    constexpr long bits = 160;
    for (std::size_t i = 0; i < point.at.size(); ++i) at_.set(n_.unknowns_[i], point.at[i]);
    for (std::size_t k = 0; k < enclosures.size(); ++k)
      at_.enclose(n_.unknowns_[point.chart.dependent[k]], enclosures[k]);
    const auto values = evaluate_ball(n_.equations_, at_, bits);
    at_.forget_enclosures();
    return values && std::ranges::all_of(*values, [](const Ball& b) { return b.contains_zero(); });
  }

  const VarietyPoints& n_;
  BallPoint at_;
  const BallPoint origin_;  ///< before coordinates were set
  std::vector<Expr> all_slopes_;
};

/// x̃ by Newton's method in balls, then K = x̃ − Yφ(x̃) + (1 − Y φ'(X))(X − x̃) ⊂ X with Y ≈ φ'(x̃)⁻¹: X contains exactly one zero.
std::optional<std::vector<Ball>> VarietyPoints::enclosed(const RealVarietyPoint& point, const BallPoint& at,
                                                         long bits) const {
  const InAmbientSpace ambient;
  const std::size_t k = point.chart.dependent.size();
  const long work = bits + 64;
  BallPoint here = at.in_ambient_space();
  std::vector<Rational> x;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) here.set(unknowns_[i], point.at[i]);
  for (const std::size_t j : point.chart.dependent) x.push_back(point.at[j]);
  std::vector<Expr> functions, slopes;
  for (const std::size_t i : point.chart.rows) {
    functions.push_back(equations_[i]);
    for (const std::size_t j : point.chart.dependent) slopes.push_back(slopes_[i][j]);
  }
  ArbMatrix jacobian(k, k), right(k, 1), shift(k, 1), inverse(k, k);
  const auto fill = [&](const std::vector<Ball>& values, ArbMatrix& into, std::size_t columns) {
    for (std::size_t i = 0; i < values.size(); ++i)
      arb_set(into.at(i / columns, i % columns), values[i].raw());
  };
  for (long correct = 40;; correct *= 2) {
    Budget::check();
    for (std::size_t j = 0; j < k; ++j) here.set(unknowns_[point.chart.dependent[j]], x[j]);
    const auto f = evaluate_ball(functions, here, work), a = evaluate_ball(slopes, here, work);
    if (!f || !a) return std::nullopt;
    fill(*f, right, 1);
    fill(*a, jacobian, k);
    if (arb_mat_approx_solve(shift.raw(), jacobian.raw(), right.raw(), work) == 0) return std::nullopt;
    if (correct > 2 * work) break;
    for (std::size_t j = 0; j < k; ++j) {
      Ball next(x[j], work);
      arb_sub(next.raw(), next.raw(), shift.at(j, 0), work);
      x[j] = midpoint_of(next.raw(), work);
    }
  }
  if (arb_mat_approx_inv(inverse.raw(), jacobian.raw(), work) == 0) return std::nullopt;
  arb_mat_mul(shift.raw(), inverse.raw(), right.raw(), work);  // Yφ(x̃)
  for (long slack = 16; slack <= 48; slack += 16) {
    std::vector<Ball> box;
    for (std::size_t j = 0; j < k; ++j) {
      Ball b(x[j], work);
      mag_t radius;
      mag_init(radius);
      arb_get_mag(radius, b.raw());
      mag_add_ui(radius, radius, 1);
      mag_mul_2exp_si(radius, radius, slack - bits - 16);
      mag_set(arb_radref(b.raw()), radius);
      mag_clear(radius);
      here.enclose(unknowns_[point.chart.dependent[j]], b);
      box.push_back(std::move(b));
    }
    const auto a = evaluate_ball(slopes, here, work);
    here.forget_enclosures();
    if (!a) continue;
    fill(*a, jacobian, k);
    ArbMatrix rest(k, k), deviation(k, 1), image(k, 1);
    arb_mat_mul(rest.raw(), inverse.raw(), jacobian.raw(), work);
    for (std::size_t j = 0; j < k; ++j) {
      arb_sub_ui(rest.at(j, j), rest.at(j, j), 1, work);
      arb_zero(deviation.at(j, 0));
      mag_set(arb_radref(deviation.at(j, 0)), arb_radref(box[j].raw()));
    }
    arb_mat_mul(image.raw(), rest.raw(), deviation.raw(), work);
    arb_mat_add(image.raw(), image.raw(), shift.raw(), work);
    bool inside = true;
    for (std::size_t j = 0; j < k && inside; ++j) {
      mag_t size;
      mag_init(size);
      arb_get_mag(size, image.at(j, 0));
      inside = mag_cmp(size, arb_radref(box[j].raw())) < 0;
      mag_clear(size);
    }
    if (inside) return box;
  }
  return std::nullopt;
}

std::optional<RealVarietyPoint> VarietyPoints::real_point(const BallPoint& at) const {
  constexpr std::size_t most = search_limits::real_points.count;
  if (charts_ && charts_->empty()) return std::nullopt;  // components of different dimension
  std::vector<std::string> key{std::to_string(at.seed())};
  for (const Symbol s : given_) key.push_back(at.drawn(s).text());
  if (const auto found = real_points_.find(key); found != real_points_.end()) return found->second;
  const InAmbientSpace ambient;
  const UnchargedScope remembered;
  auto point = RealVarietySearch(*this, at).found();
  if (real_points_.size() >= most) real_points_.clear();
  return real_points_.emplace(std::move(key), std::move(point)).first->second;
}

VarietyChart VarietyPoints::preferred_chart(const RealVarietyPoint& at, const BallPoint& point) const {
  constexpr double tolerance = 1e-5;
  const InAmbientSpace ambient;
  std::vector<double> y;
  for (const Rational& r : at.at) y.push_back(r.to_double());
  const auto a = RealVarietySearch(*this, point).slopes(y);
  if (!a) return at.chart;
  std::vector<std::size_t> order(unknowns_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return std::pair(sorts_[i], degree_of(i)); });
  const Pivots found = pivots(*a, order, false, tolerance);
  return {found.columns, found.rows};
}

}  // namespace rattleback
