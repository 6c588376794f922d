#include <rattleback/sweep/kept_quantity.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/placed.hpp>

namespace rattleback {
namespace {

struct KindRow {
  const char* name;
  Reduce kind;
};
constexpr const char* option = "command line, --keep";
constexpr std::array<KindRow, 14> kinds{{{"final", Reduce::final},
                                         {"min", Reduce::minimum},
                                         {"max", Reduce::maximum},
                                         {"mean", Reduce::mean},
                                         {"crossings", Reduce::crossings},
                                         {"reversals", Reduce::crossings},
                                         {"first", Reduce::first_crossing},
                                         {"at", Reduce::at_section},
                                         {"period", Reduce::period},
                                         {"rotation-number", Reduce::rotation_number},
                                         {"attractor", Reduce::attractor},
                                         {"basin", Reduce::attractor},
                                         {"lyapunov", Reduce::lyapunov},
                                         {"megno", Reduce::megno}}};

/// The arguments of a call, at commas outside brackets.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// A whole number from 1 on; 0 for anything else.
int positive_count(const std::string& text) {
  int n = 0;
  for (const char c : text) {
    if (c == ' ') continue;
    if (c < '0' || c > '9' || n > 100'000'000) return 0;
    n = 10 * n + (c - '0');
  }
  return n;
}

}  // namespace

KeptQuantity reduction(const std::string& text, const System& system) {
  const auto read = [&](const std::string& part) {
    return placed(option, [&] { return parse(part, system.scope); });
  };
  const std::size_t equals = text.find('='), open = text.find('(');
  if (equals != std::string::npos && equals > 0 &&
      (text.substr(equals + 1) == "megno" || text.substr(equals + 1) == "megno()"))
    return {text.substr(0, equals), Reduce::megno, Expr(0)};
  if (equals != std::string::npos && equals > 0 && open != std::string::npos && open > equals &&
      text.back() == ')') {
    const std::string name = text.substr(0, equals), kind = text.substr(equals + 1, open - equals - 1);
    const std::string inside = text.substr(open + 1, text.size() - open - 2);
    const std::vector<std::string> parts = split(inside);
    for (const KindRow& row : kinds) {
      if (kind != row.name) continue;
      if (row.kind == Reduce::lyapunov) {
        if (const int which = positive_count(inside); which > 0)
          return {name, row.kind, Expr(0), Expr(0), which};
        continue;
      }
      if (row.kind == Reduce::rotation_number) {
        if (parts.size() == 2) return {name, row.kind, read(parts[0]), read(parts[1])};
        continue;
      }
      if (row.kind != Reduce::at_section) return {name, row.kind, read(inside)};
      if (parts.size() == 3 && positive_count(parts[2]) > 0)
        return {name, row.kind, read(parts[0]), read(parts[1]), positive_count(parts[2])};
    }
  }
  Place place;
  place.file = option;
  place.text = text;
  throw Error("wrong-reduction", fmt::format("`{}` does not say what to keep of a trajectory", text), "",
              "write name=kind(expression), with kind one of final, min, max, mean, crossings, reversals, "
              "first, period, attractor, basin; or "
              "name=at(e, g, k), name=rotation-number(angle, g), name=lyapunov(k), name=megno")
      .at(place);
}

Code reduction_code(const Flow& flow, const std::vector<KeptQuantity>& reductions) {
  std::vector<Expr> expressions;
  for (const KeptQuantity& r : reductions) expressions.push_back(r.expression);
  for (const KeptQuantity& r : reductions) expressions.push_back(r.section);
  return flow.observing(expressions);
}

ReductionWatch::ReductionWatch(const Code& code, const std::vector<KeptQuantity>& reductions,
                               std::span<const double> parameters, double until, int direction)
    : until_(until),
      direction_(direction),
      evaluate_(code, parameters),
      input_(code.inputs),
      values_(2 * reductions.size()),
      state_(code.inputs - 1) {
  for (const KeptQuantity& r : reductions) {
    kinds_.push_back(r.kind);
    wanted_.push_back(r.count);
  }
}

double ReductionWatch::value(std::size_t r, double t, std::span<const double> y) {
  std::copy(y.begin(), y.end(), input_.begin());
  input_.back() = t;
  evaluate_(input_.data(), values_.data());
  return values_[r];
}

void ReductionWatch::start(double t, std::span<const double> y) {
  results_.clear();
  for (std::size_t r = 0; r < kinds_.size(); ++r) {
    const bool waits = kinds_[r] == Reduce::first_crossing || kinds_[r] == Reduce::at_section ||
                       kinds_[r] == Reduce::period || kinds_[r] == Reduce::rotation_number ||
                       needs_directions(kinds_[r]);
    results_.push_back(kinds_[r] == Reduce::crossings ? 0
                       : waits                        ? std::numeric_limits<double>::quiet_NaN()
                                                      : value(r, t, y));
  }
  passed_.assign(kinds_.size(), 0);
  first_.assign(kinds_.size(), 0);
  sums_.assign(kinds_.size(), 0);
}

/// ∫ e dt over the step from `from` on, by Gauss's rule of order 6 on the dense output; the mean so far.
void ReductionWatch::average(const Stepper& stepper, std::size_t r, double from) {
  const double begin = std::max(from, stepper.previous_time()), end = stepper.time();
  if (!(end > begin)) return;
  constexpr std::array<double, 3> nodes{-0.7745966692414834, 0, 0.7745966692414834}, weights{5, 8, 5};
  for (std::size_t g = 0; g < 3; ++g) {
    const double t = (begin + end) / 2 + nodes[g] * (end - begin) / 2;
    stepper.at(t, state_);
    sums_[r] += weights[g] / 18 * (end - begin) * value(r, t, state_);
  }
  results_[r] = sums_[r] / (end - from);
}

/// Periods and rotation numbers: crossings upwards, from the first to the last.
void ReductionWatch::turn(const Stepper& stepper, std::size_t r) {
  const bool is_period = kinds_[r] == Reduce::period;
  const std::size_t section = is_period ? r : kinds_.size() + r;
  const auto g = [&](double t, std::span<const double> y) { return value(section, t, y); };
  for (const Crossing& crossing : crossings(stepper, g)) {
    if (direction_ * crossing.direction <= 0) continue;
    const double now = is_period
                           ? crossing.time
                           : direction_ * value(r, crossing.time, crossing.state) / (2 * std::numbers::pi);
    if (passed_[r]++ == 0)
      first_[r] = now;
    else
      results_[r] = (now - first_[r]) / (passed_[r] - 1);
  }
}

void ReductionWatch::cross(const Stepper& stepper, std::size_t r) {
  if (kinds_[r] == Reduce::first_crossing && !std::isnan(results_[r])) return;
  const auto g = [&](double t, std::span<const double> y) { return value(r, t, y); };
  for (const Crossing& crossing : crossings(stepper, g)) {
    if (crossing.direction == 0) continue;  // it only touches
    if (kinds_[r] == Reduce::crossings) {
      results_[r] += 1;
    } else {
      results_[r] = direction_ * crossing.time;
      return;
    }
  }
}

void ReductionWatch::pass(const Stepper& stepper, std::size_t r) {
  if (passed_[r] >= wanted_[r]) return;
  const auto g = [&](double t, std::span<const double> y) { return value(kinds_.size() + r, t, y); };
  for (const Crossing& crossing : crossings(stepper, g)) {
    if (direction_ * crossing.direction <= 0 || ++passed_[r] < wanted_[r]) continue;
    results_[r] = value(r, crossing.time, crossing.state);
    return;
  }
}

/// The largest of sign·value so far. Within a step it is looked for at equal distances, then between the neighbours of the
/// best by golden sections.
void ReductionWatch::extend(const Stepper& stepper, std::size_t r, double sign) {
  constexpr int samples = 8;
  const double begin = stepper.previous_time(), apart = (stepper.time() - begin) / samples;
  const auto at = [&](double t) {
    stepper.at(t, state_);
    return sign * value(r, t, state_);
  };
  double best = sign * value(r, stepper.time(), stepper.state()), where = stepper.time();
  for (int s = 1; s < samples; ++s) {
    const double t = begin + s * apart, now = at(t);
    if (now > best) {
      best = now;
      where = t;
    }
  }
  if (best < sign * results_[r] - std::abs(best - sign * value(r, begin, stepper.previous_state()))) return;
  constexpr double golden = 0.6180339887498949;
  double a = std::max(begin, where - apart), b = std::min(stepper.time(), where + apart);
  for (int i = 0; i < 40; ++i) {
    const double left = b - golden * (b - a), right = a + golden * (b - a), l = at(left), u = at(right);
    best = std::max({best, l, u});
    (l < u ? a : b) = l < u ? left : right;
  }
  results_[r] = sign * std::max(best, sign * results_[r]);
}

void ReductionWatch::after_step(const Stepper& stepper) {
  for (std::size_t r = 0; r < kinds_.size(); ++r) {
    switch (kinds_[r]) {
      case Reduce::final: results_[r] = value(r, stepper.time(), stepper.state()); break;
      case Reduce::crossings:
      case Reduce::first_crossing: cross(stepper, r); break;
      case Reduce::at_section: pass(stepper, r); break;
      case Reduce::mean: average(stepper, r, 0); break;
      case Reduce::attractor: average(stepper, r, 0.75 * until_); break;
      case Reduce::period:
      case Reduce::rotation_number: turn(stepper, r); break;
      case Reduce::lyapunov:
      case Reduce::megno: break;  // see lane_spectrum.hpp
      case Reduce::minimum: extend(stepper, r, -1); break;
      case Reduce::maximum: extend(stepper, r, 1); break;
    }
  }
}

}  // namespace rattleback
