#include <rattleback/simulate/states/initial_state.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/system/initial_point.hpp>
#include <rattleback/simulate/states/initial_positions.hpp>
#include <rattleback/simulate/states/initial_speeds.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>

namespace rattleback {
namespace {

/// The left-hand sides of the constraints as functions of state and time.
struct ConstraintValues {
  explicit ConstraintValues(const Flow& flow) : code(made(flow)) {}
  static Code made(const Flow& flow) {
    std::vector<Expr> functions;
    for (const Constraint& c : flow.system().constraints) functions.push_back(c.expression);
    return flow.observing(functions);
  }
  Code code;
};

/// The first sample satisfies every constraint, whichever way it was found.
void require_constraints(const StartPoint& start, std::vector<double> y) {
  if (start.system.constraints.empty()) return;
  const auto functions = start.flow.derived<ConstraintValues>();
  y.push_back(start.how.time);
  std::vector<double> values(start.system.constraints.size());
  Evaluator<double>(functions->code, start.flow.parameter_values<double>())(y.data(), values.data());
  double size = 1;
  for (const double x : y) size = std::max(size, std::abs(x));
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!(std::abs(values[k]) <= initial_tolerance * size * size))
      start.off_constraint(start.system.constraints[k], start.system.constraints[k].expression, values[k]);
}

/// Is there a number that is larger than every double?
bool has_no_double(Expr e, std::unordered_set<Expr>& seen) {
  if (!seen.insert(e).second) return false;
  if (e.is(Kind::constant)) return std::isinf(e.value().to_double());
  if (e.is(Kind::symbol)) return false;
  return std::ranges::any_of(e.args(), [&](Expr part) { return has_no_double(part, seen); });
}

void require_finite_rates(const StartPoint& start, std::vector<double> y) {
  y.push_back(start.how.time);
  std::vector<double> rates(start.flow.dimension());
  const std::vector<double> parameters = start.flow.parameter_values<double>();
  Evaluator<double>(start.flow.rates(), parameters)(y.data(), rates.data());
  for (std::size_t k = 0; k < rates.size(); ++k) {
    if (std::isfinite(rates[k])) continue;
    std::unordered_set<Expr> seen;
    if (has_no_double(start.flow.rate_expressions()[k], seen))
      start.fail("number-too-large", "the model contains a number that no motion can be computed with",
                 fmt::format("in the rate of {} stands a number larger than every double, 1.8e308",
                             start.flow.state()[k].name()),
                 "check its exponent, or choose units in which it is of ordinary size");
    start.fail("singular-state", "the equations of motion are not defined at the initial state",
               fmt::format("the rate of {} is {}", start.flow.state()[k].name(),
                           std::isnan(rates[k]) ? "not a number" : "infinite"),
               "start from another state; `rattleback derive` lists what must not vanish");
  }
}

std::vector<double> found_state(const Flow& flow, const InitialOptions& how) {
  StartPoint start(flow, how);
  find_positions(start);
  const Eigen::VectorXd z = find_speeds(start);
  std::vector<double> y = start.configuration();
  y.insert(y.end(), z.begin(), z.end());
  require_finite_rates(start, y);
  require_constraints(start, y);
  return y;
}

bool is_position(const System& system, const InitialValue& given) {
  const Value* meaning = system.scope.find(guessed_name(given));
  if (meaning == nullptr) return false;
  const Expr* e = std::get_if<Expr>(meaning);
  const Expr first = e != nullptr ? *e : std::get<Matrix>(*meaning).entries()[0];
  const auto functions = system.space.functions();
  return first.is(Kind::symbol) &&
         std::find(functions.begin(), functions.end(), first.symbol()) != functions.end();
}

/// Positions, and those velocities that the command line gives.
std::vector<InitialValue> without_own_velocities(const System& system) {
  std::vector<InitialValue> values = system.simulation.initial;
  std::erase_if(values,
                [&](const InitialValue& v) { return !is_from_command_line(v) && !is_position(system, v); });
  return values;
}

}  // namespace

/// Velocities of the model that contradict those of the command line go, where the latter determine the motion.
std::vector<double> initial_state(const Flow& flow, const InitialOptions& how) {
  try {
    return found_state(flow, how);
  } catch (const OffConstraint& error) {
    const std::vector<InitialValue> rest = without_own_velocities(flow.system());
    const bool has_velocity = std::ranges::any_of(rest, [&](const InitialValue& v) {
      return !is_position(flow.system(), v);
    });  // else rest would be taken
    if (how.given != nullptr || !has_velocity || rest.size() == flow.system().simulation.initial.size())
      throw;
    InitialOptions again = how;
    again.given = &rest;
    try {
      return found_state(flow, again);
    } catch (const Error&) {
      // Without the model's own velocities it is no better: what was wrong at first is said.
      throw OffConstraint(error);
    }
  }
}

}  // namespace rattleback
