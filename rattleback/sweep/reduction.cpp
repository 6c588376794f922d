#include <rattleback/sweep/reduction.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <rattleback/algebra/error.hpp>

namespace rattleback {
namespace {

struct KindRow {
  const char* name;
  Reduce kind;
};
constexpr std::array<KindRow, 5> kinds{{{"final", Reduce::final},
                                        {"min", Reduce::minimum},
                                        {"max", Reduce::maximum},
                                        {"crossings", Reduce::crossings},
                                        {"first", Reduce::first_crossing}}};

}  // namespace

Reduction reduction(const std::string& text, const System& system) {
  const std::size_t equals = text.find('='), open = text.find('(');
  if (equals != std::string::npos && equals > 0 && open != std::string::npos && open > equals &&
      text.back() == ')') {
    const std::string name = text.substr(0, equals), kind = text.substr(equals + 1, open - equals - 1);
    for (const KindRow& row : kinds) {
      if (kind == row.name)
        return {name, row.kind, parse(text.substr(open + 1, text.size() - open - 2), system.scope)};
    }
  }
  Place place;
  place.file = "command line, --keep";
  place.text = text;
  throw Error("wrong-reduction", fmt::format("`{}` does not say what to keep of a trajectory", text), "",
              "write name=kind(expression), with kind one of final, min, max, crossings, first")
      .at(place);
}

Code reduction_code(const Flow& flow, const std::vector<Reduction>& reductions) {
  std::vector<Expr> expressions;
  for (const Reduction& r : reductions) expressions.push_back(r.expression);
  return flow.observing(expressions);
}

ReductionWatch::ReductionWatch(const Code& code, const std::vector<Reduction>& reductions,
                               std::span<const double> parameters)
    : evaluate_(code, parameters), input_(code.inputs), values_(reductions.size()), state_(code.inputs - 1) {
  for (const Reduction& r : reductions) kinds_.push_back(r.kind);
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
    results_.push_back(kinds_[r] == Reduce::crossings        ? 0
                       : kinds_[r] == Reduce::first_crossing ? std::numeric_limits<double>::quiet_NaN()
                                                             : value(r, t, y));
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
      results_[r] = crossing.time;
      return;
    }
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
      case Reduce::minimum: extend(stepper, r, -1); break;
      case Reduce::maximum: extend(stepper, r, 1); break;
    }
  }
}

}  // namespace rattleback
