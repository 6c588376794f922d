#include <rattleback/simulate/runs/events.hpp>

#include <array>
#include <cmath>

namespace rattleback {
namespace {

constexpr int samples = 16;         // per step; roots nearer to each other than that are one double root
constexpr double touching = 1e-11;  // of the size of g within the step

/// g along the step.
class Along {
 public:
  Along(const Stepper& stepper, const std::function<double(double, std::span<const double>)>& g)
      : stepper_(stepper), g_(g), y_(stepper.state().size()) {}
  double operator()(double t) {
    stepper_.at(t, y_);
    return g_(t, y_);
  }
  std::vector<double> state(double t) {
    stepper_.at(t, y_);
    return y_;
  }

 private:
  const Stepper& stepper_;
  const std::function<double(double, std::span<const double>)>& g_;
  std::vector<double> y_;
};

/// Bisection with secants (Illinois): a and b bracket a sign change.
double root(Along& g, double a, double b, double ga, double gb) {
  for (int side = 0, i = 0; i < 100 && std::abs(b - a) > 1e-15 * (std::abs(a) + std::abs(b)); ++i) {
    double t = i % 4 == 3 ? (a + b) / 2 : (a * gb - b * ga) / (gb - ga);
    if (!(t > std::min(a, b) && t < std::max(a, b))) t = (a + b) / 2;
    const double gt = g(t);
    if (gt == 0) return t;
    if ((gt < 0) == (ga < 0)) {
      a = t;
      ga = gt;
      if (side == -1) gb /= 2;
      side = -1;
    } else {
      b = t;
      gb = gt;
      if (side == 1) ga /= 2;
      side = 1;
    }
  }
  return (a + b) / 2;
}

/// Where sign·g is smallest between a and c, by golden sections: beyond zero if there are two roots.
double smallest(Along& g, double a, double c, double sign) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double left = c - golden * (c - a), right = a + golden * (c - a);
  double g_left = sign * g(left), g_right = sign * g(right);
  for (int i = 0; i < 80 && c - a > 1e-14 * (std::abs(a) + std::abs(c)); ++i) {
    if (g_left < g_right) {
      c = right;
      right = left;
      g_right = g_left;
      left = c - golden * (c - a);
      g_left = sign * g(left);
    } else {
      a = left;
      left = right;
      g_left = g_right;
      right = a + golden * (c - a);
      g_right = sign * g(right);
    }
  }
  return (a + c) / 2;
}

/// How far from a, in steps towards b and c, the parabola through three equidistant values has its vertex.
double vertex(double a, double b, double c) { return (3 * a - 4 * b + c) / (2 * (a - 2 * b + c)); }

/// Whether the smallest |g| of a step may lie beside the first of three samples, at whose end of the step they begin.
bool may_dip(double a, double b, double c) {
  if (a == 0 || !(std::abs(a) < std::abs(b)) || (a < 0) != (b < 0)) return false;
  const double where = vertex(a, b, c);
  return where > -0.5 && where < 1.5;
}

}  // namespace

std::vector<Crossing> crossings(const Stepper& stepper,
                                const std::function<double(double, std::span<const double>)>& g_of) {
  Along g(stepper, g_of);
  const double begin = stepper.previous_time(), length = stepper.time() - begin;
  std::array<double, samples + 1> t{}, value{};
  double size = 0;
  for (int k = 0; k <= samples; ++k) {
    const auto i = static_cast<std::size_t>(k);
    t[i] = k == samples ? stepper.time() : begin + length * k / samples;
    value[i] = k == 0         ? g_of(begin, stepper.previous_state())
               : k == samples ? g_of(stepper.time(), stepper.state())
                              : g(t[i]);
    // A sample exactly on a root says nothing about its kind: look beside it.
    for (int tries = 0; k > 0 && k < samples && value[i] == 0 && tries < 4; ++tries) {
      t[i] += 0.1234 * length / samples;
      value[i] = g(t[i]);
    }
    size = std::max(size, std::abs(value[i]));
  }
  std::vector<Crossing> found;
  if (size == 0) return found;  // zero all along the step: that is no event
  const auto add = [&](double time, int direction) {
    found.push_back({0, time, direction,
                     time == stepper.time()
                         ? std::vector<double>(stepper.state().begin(), stepper.state().end())
                         : g.state(time)});
  };
  // Between two samples with the sign of a: a double root, or two.
  const auto dip = [&](double left, double right, double at_left, double at_right, double low) {
    const double g_low = g(low);
    if (g_low * at_left < 0) {
      add(root(g, left, low, at_left, g_low), at_left < 0 ? 1 : -1);
      add(root(g, low, right, g_low, at_right), at_left < 0 ? -1 : 1);
    } else if (std::abs(g_low) <= touching * size) {
      add(std::min(low, stepper.time()), 0);
    }
  };
  // A double root at the end of a step belongs to one of two steps: this one reaches a little beyond its end, and begins as much
  // later.
  const double reach = std::min(1e-7 * (1 + std::abs(stepper.time())), length / (4 * samples));
  if (may_dip(value[0], value[1], value[2])) {
    const double first = t[0] + reach, low = smallest(g, first, t[1], value[0] < 0 ? -1 : 1);
    if (low - first > reach / 4) dip(first, t[1], value[0], value[1], low);
  }
  for (std::size_t i = 0; i < samples; ++i) {
    const double a = value[i], b = value[i + 1];
    // A zero at the end belongs to this step, one at the beginning to the step before.
    if (b == 0) {
      add(t[i + 1], a < 0 ? 1 : -1);
    } else if ((a < 0) != (b < 0) && a != 0) {
      add(root(g, t[i], t[i + 1], a, b), a < 0 ? 1 : -1);
    } else if (i > 0 && a != 0 && std::abs(a) <= std::abs(value[i - 1]) && std::abs(a) <= std::abs(b) &&
               (a < 0) == (value[i - 1] < 0)) {
      dip(t[i - 1], t[i + 1], value[i - 1], b, smallest(g, t[i - 1], t[i + 1], a < 0 ? -1 : 1));
    }
  }
  if (may_dip(value[samples], value[samples - 1], value[samples - 2])) {
    const double before = t[samples - 1], last = t[samples] + reach,
                 low = smallest(g, before, last, value[samples] < 0 ? -1 : 1);
    const bool crosses = g(low) * value[samples] < 0;
    if (last - low > reach / 4 && !(crosses && low > t[samples]))
      dip(before, t[samples], value[samples - 1], value[samples], low);
  }
  return found;
}

}  // namespace rattleback
