#include <rattleback/simulate/runs/precise_motion.hpp>

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/simulate/states/big_float.hpp>
#include <rattleback/simulate/states/precise_start.hpp>
#include <rattleback/simulate/steppers/fixed_step.hpp>
#include <rattleback/simulate/steppers/precise_step.hpp>
#include <rattleback/simulate/steppers/taylor.hpp>

namespace rattleback {
namespace {

std::string text_of(long double x) { return fmt::format("{:.20g}", x); }
std::string text_of(const BigFloat& x) { return x.text(); }
double as_double(long double x) { return static_cast<double>(x); }
double as_double(const BigFloat& x) { return x.to_double(); }

/// Functions of the state in the numbers of the motion.
template <class T>
class Observed {
 public:
  Observed(const Flow& flow, std::span<const Expr> es)
      : code_(flow.observing(es)),
        f_(code_, flow.parameter_values<T>()),
        x_(flow.dimension() + 1),
        out_(es.size()) {}
  const std::vector<T>& operator()(const T& t, const std::vector<T>& y) {
    std::copy(y.begin(), y.end(), x_.begin());
    x_.back() = t;
    f_(x_.data(), out_.data());
    return out_;
  }

 private:
  Code code_;
  Evaluator<T> f_;
  std::vector<T> x_, out_;
};

/// Exact values of state variables that the model gives, in T; what it does not give, or what a projection moved, is a double that
/// the constraints correct.
template <class T>
std::vector<T> initial_in(const Flow& flow, std::span<const double> y, bool& exact) {
  std::vector<T> state(y.begin(), y.end());
  std::vector<bool> fixed(state.size());
  const std::vector<T> parameters = flow.parameter_values<T>();
  for (std::size_t k = 0; k < state.size(); ++k) {
    const InitialValue* given = nullptr;
    for (const InitialValue& v : flow.system().simulation.initial)
      if (v.name == flow.state()[k].name()) given = &v;
    const Expr* value = given == nullptr ? nullptr : std::get_if<Expr>(&given->value);
    if (value == nullptr) {
      exact = exact && y[k] == std::floor(y[k]);
      continue;
    }
    const Code code = straight_line({}, flow.parameters(), std::span(value, 1));
    const std::vector<T> constants = constants_of<T>(code, parameters);
    const T& stated = constants[code.outputs[0]];
    const double given_value = as_double(stated);
    if (std::abs(given_value - y[k]) > 1e-15 * (1 + std::abs(given_value))) {
      exact = false;
      continue;
    }
    state[k] = stated;
    fixed[k] = true;
  }
  onto_constraints(flow, state, fixed);
  return state;
}

template <class T, class Method>
PreciseMotion run_by(const Flow& flow, std::span<const double> y, const RunOptions& options, Method motion) {
  PreciseMotion result;
  std::vector<Expr> shown, kept;
  for (const auto* part : {&flow.equations().configuration, &flow.equations().speeds}) {
    for (const Symbol s : *part) {
      result.names.push_back(s.name());
      shown.emplace_back(s);
    }
  }
  for (const Invariant& i : options.invariants) kept.push_back(i.value);
  Observed<T> state(flow, shown), invariants(flow, kept);
  motion.start(T(0.0), initial_in<T>(flow, y, result.exact_start));
  result.order = motion.order();

  const std::vector<T> initial = invariants(motion.time, motion.state);
  for (std::size_t k = 0; k < kept.size(); ++k)
    result.drift.push_back({options.invariants[k].name, as_double(initial[k]), 0});
  const auto written = [&](const T& t, const std::vector<T>& at) {
    std::vector<std::string> row;
    for (const T& x : state(t, at)) row.push_back(text_of(x));
    return row;
  };
  const auto sample_time = [&](std::size_t k) {
    return options.until * static_cast<double>(k) / static_cast<double>(options.samples - 1);
  };
  std::vector<T> between(flow.dimension());
  std::size_t next = 0;
  const T end(options.until);
  while (motion.time < end) {
    try {
      Budget::check();
    } catch (const Exhausted& limit) {  // what was computed before is kept
      result.failure = limit.what();
      break;
    }
    if (result.steps >= options.most_steps) {
      result.failure = fmt::format("{} steps have not brought the motion to its end", options.most_steps);
      break;
    }
    if (!motion.step(end)) {
      result.failure = options.method == "taylor"
                           ? "the steps became too short: the motion meets a singularity here"
                           : "the step has no solution, or it is no longer a number; try a shorter --step";
      break;
    }
    ++result.steps;
    for (; options.samples > 1 && next < options.samples && !(motion.time < T(sample_time(next))); ++next) {
      motion.at(T(sample_time(next)), between.data());
      result.t.push_back(sample_time(next));
      result.rows.push_back(written(T(sample_time(next)), between));
    }
    const std::vector<T>& now = invariants(motion.time, motion.state);
    for (std::size_t k = 0; k < kept.size(); ++k)
      result.drift[k].largest = std::max(result.drift[k].largest, std::abs(as_double(now[k] - initial[k])));
    if (options.progress) options.progress(as_double(motion.time));
  }
  result.end = as_double(motion.time);
  for (const T& x : motion.state) result.final_state.push_back(as_double(x));
  result.final_row = written(motion.time, motion.state);
  return result;
}

/// By the method that the options name; a number differs from the next one by `epsilon`, relatively.
template <class T>
PreciseMotion run(const Flow& flow, std::span<const double> y, const RunOptions& options, double epsilon) {
  if (options.method == "taylor") return run_by<T>(flow, y, options, Taylor<T>(flow, epsilon));
  auto tableau = exact_tableau<T>(options.method);
  if (!tableau)
    throw Inapplicable("method-does-not-apply",
                       fmt::format("the method `{}` works in double only", options.method),
                       "its coefficients or its solver have no more digits",
                       "use --method taylor, rk4, gauss4 or gauss6, or leave out --precision");
  double step = options.settings.step;
  if (step == 0) {
    Rates f(flow);
    step = default_step(f, 0, y, options.until);
  }
  return run_by<T>(flow, y, options, ConstantStep<T>(flow, std::move(*tableau), step, epsilon));
}

}  // namespace

Precision precision(const std::string& given) {
  if (given == "long-double") return {true, 64, given};
  if (given == "dd") return {false, 106, given};
  constexpr long least = 32, most = input_limits::precision.count;
  std::size_t used = 0;
  long bits = 0;
  try {
    bits = std::stol(given, &used);
  } catch (const std::exception&) {
  }
  if (used == given.size() && bits >= least && bits <= most) return {false, bits, given};
  Place place;
  place.file = "command line, --precision";
  place.text = given;
  throw Error("usage", fmt::format("`{}` is not a precision", given), "",
              fmt::format("write long-double, dd, or a number of bits from {} to {}", least, most))
      .at(place);
}

PreciseMotion precise_motion(const Flow& flow, std::span<const double> y, const RunOptions& options,
                             const Precision& wanted) {
  if (options.until < 0) {
    require_reversible(options.method);
    RunOptions forwards = options;
    forwards.until = -options.until;
    PreciseMotion found = precise_motion(reversed(flow), y, forwards, wanted);
    found.end = -found.end;
    for (double& t : found.t) t = -t;
    return found;
  }
  if (wanted.is_long_double)
    return run<long double>(flow, y, options, std::numeric_limits<long double>::epsilon());
  BigFloat::set_precision(wanted.bits);
  return run<BigFloat>(flow, y, options, std::ldexp(1.0, 1 - static_cast<int>(wanted.bits)));
}

}  // namespace rattleback
