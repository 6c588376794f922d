#include <rattleback/view/pictures/smooth_curve.hpp>

#include <algorithm>
#include <cmath>

namespace rattleback {
namespace {

/// Derivatives by the number of the sample: the natural spline's would need a solution of equations; differences of fourth order,
/// (p₋₂ − 8 p₋₁ + 8 p₁ − p₂)/12, of second order near the ends, are as good on samples of dense output.
std::vector<Point> tangents(const std::vector<Point>& p) {
  const std::size_t n = p.size();
  std::vector<Point> d(n);
  const auto mix = [&](double a, std::size_t i, double b, std::size_t j, double c, std::size_t k) {
    return Point{a * p[i].x + b * p[j].x + c * p[k].x, a * p[i].y + b * p[j].y + c * p[k].y};
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (i >= 2 && i + 2 < n) {
      d[i] = {(p[i - 2].x - 8 * p[i - 1].x + 8 * p[i + 1].x - p[i + 2].x) / 12,
              (p[i - 2].y - 8 * p[i - 1].y + 8 * p[i + 1].y - p[i + 2].y) / 12};
    } else if (i == 0) {
      d[i] = mix(-1.5, 0, 2, 1, -0.5, 2);
    } else if (i + 1 == n) {
      d[i] = mix(1.5, n - 1, -2, n - 2, 0.5, n - 3);
    } else {
      d[i] = {(p[i + 1].x - p[i - 1].x) / 2, (p[i + 1].y - p[i - 1].y) / 2};
    }
  }
  return d;
}

/// Hermite's cubic on [first, last] at the samples between: does it stay within the tolerance?
bool fits(const std::vector<Point>& p, const std::vector<Point>& d, std::size_t first, std::size_t last,
          double tolerance) {
  const auto h = static_cast<double>(last - first);
  for (std::size_t i = first + 1; i < last; ++i) {
    const double s = static_cast<double>(i - first) / h, r = 1 - s;
    const double w0 = r * r * (1 + 2 * s), w1 = s * s * (1 + 2 * r), v0 = h * s * r * r, v1 = -h * s * s * r;
    const double x = w0 * p[first].x + w1 * p[last].x + v0 * d[first].x + v1 * d[last].x;
    const double y = w0 * p[first].y + w1 * p[last].y + v0 * d[first].y + v1 * d[last].y;
    if (std::hypot(x - p[i].x, y - p[i].y) > tolerance) return false;
  }
  return true;
}

}  // namespace

std::vector<Point> smooth_curve(const std::vector<Point>& samples, double tolerance) {
  if (samples.size() < 2) return {};
  if (samples.size() < 4) return broken_line(samples, 0);
  const std::vector<Point> d = tangents(samples);
  std::vector<Point> pieces{samples[0]};
  for (std::size_t first = 0; first + 1 < samples.size();) {
    // The longest piece that fits: doubled, then halved.
    std::size_t length = 1;
    const std::size_t rest = samples.size() - 1 - first;
    while (length < rest && fits(samples, d, first, first + std::min(2 * length, rest), tolerance))
      length = std::min(2 * length, rest);
    for (std::size_t more = length / 2; more > 0; more /= 2)
      if (length + more <= rest && fits(samples, d, first, first + length + more, tolerance)) length += more;
    const std::size_t last = first + length;
    const auto h = static_cast<double>(length) / 3;
    pieces.push_back({samples[first].x + h * d[first].x, samples[first].y + h * d[first].y});
    pieces.push_back({samples[last].x - h * d[last].x, samples[last].y - h * d[last].y});
    pieces.push_back(samples[last]);
    first = last;
  }
  return pieces;
}

std::vector<Point> broken_line(const std::vector<Point>& samples, double tolerance) {
  if (samples.size() < 2) return {};
  std::vector<Point> pieces{samples[0]};
  const auto add = [&](Point b) {
    const Point a = pieces.back();
    pieces.push_back({a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3});
    pieces.push_back({a.x + 2 * (b.x - a.x) / 3, a.y + 2 * (b.y - a.y) / 3});
    pieces.push_back(b);
  };
  const auto straight = [&](std::size_t first, std::size_t last) {
    const Point a = samples[first], b = samples[last];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    for (std::size_t i = first + 1; i < last; ++i) {
      const Point p = samples[i];
      const double across = length > 0
                                ? std::abs((p.x - a.x) * (b.y - a.y) - (p.y - a.y) * (b.x - a.x)) / length
                                : std::hypot(p.x - a.x, p.y - a.y);
      const double along = length > 0 ? ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length : 0;
      if (across > tolerance || along < -tolerance || along > length + tolerance) return false;
    }
    return true;
  };
  for (std::size_t first = 0; first + 1 < samples.size();) {
    std::size_t last = first + 1;
    while (last + 1 < samples.size() && last - first < 200 && straight(first, last + 1)) ++last;
    add(samples[last]);
    first = last;
  }
  return pieces;
}

}  // namespace rattleback
