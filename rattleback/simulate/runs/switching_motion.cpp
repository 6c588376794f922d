#include <rattleback/simulate/runs/switching_motion.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/switching.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/simulate/runs/events.hpp>
#include <rattleback/simulate/states/observer.hpp>

namespace rattleback {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_changes = search_limits::changes_of_signs.count,
                      most_in_a_row = search_limits::changes_of_signs_at_once.count;
/// A sign is kept as far as it is at most 1, and this: rounding at exactly 1 is no reason to let go.
constexpr double slack_of_signs = 1e-9;

Function slot_function(std::size_t k) { return Function::abstract("#sign" + std::to_string(k), 1); }
Symbol unknown_sign(std::size_t k) {
  return Symbol::make("#s" + std::to_string(k), {.role = Role::parameter, .order = static_cast<int>(k)});
}

/// A flow of the same kind of speeds as another one.
std::shared_ptr<const Flow> flow_like(const Flow& other, const System& system) {
  for (const Flow::Speeds speeds : {Flow::Speeds::chosen, Flow::Speeds::all, Flow::Speeds::local}) {
    auto flow = std::make_shared<Flow>(system, Flow::Effort::quick, speeds);
    const bool same = std::ranges::equal(flow->state(), other.state());
    if (same) return flow;
  }
  throw Bug("no flow of a system with signs has the state of the other");
}

/// e' along y' = rates, with t' = 1; e is written in the state.
Expr rate_along(Expr e, const Flow& flow, std::span<const Expr> rates) {
  SymbolMap direction{{flow.system().time, Expr(1)}};
  for (std::size_t i = 0; i < rates.size(); ++i) direction.insert_or_assign(flow.state()[i], rates[i]);
  return derivative_along(e, direction);
}

}  // namespace

/// One combination of signs.
struct SwitchingMotion::Mode {
  std::shared_ptr<Flow> flow;
  std::unique_ptr<Observer> arguments;
  std::vector<std::size_t> kept;  ///< signs that are 0
  std::unique_ptr<const Code> code;
  std::optional<Evaluator<double>> values;  ///< of those, then the derivatives of all arguments
  std::vector<std::size_t> first;           ///< where those of each argument begin
  std::vector<double> x, out;

  const std::vector<double>& evaluated(double t, std::span<const double> y) {
    x.assign(y.begin(), y.end());
    x.push_back(t);
    (*values)(x.data(), out.data());
    return out;
  }
};

std::unique_ptr<SwitchingMotion> SwitchingMotion::of(const Flow& flow, const std::string& method) {
  constexpr std::array rates_alone{"dop853", "taylor", "radau5", "rk4",        "munthe-kaas",
                                   "gauss4", "gauss6", "cvode",  "cvode-adams"};
  if (sign_calls(flow.system().forces).empty()) return nullptr;
  if (std::ranges::find(rates_alone, method) == rates_alone.end()) return nullptr;
  return std::unique_ptr<SwitchingMotion>(new SwitchingMotion(flow));
}

SwitchingMotion::SwitchingMotion(const Flow& flow) : given_(flow), system_(flow.system()) {
  const std::vector<Expr> calls = sign_calls(system_.forces);
  for (std::size_t k = 0; k < calls.size(); ++k) {
    // Inner signs come first, so that an argument knows those that it contains; the rebuilt call is what occurs then.
    const Expr inner = in_present_signs(calls[k]);
    slots_.push_back(slot_function(k));
    unknowns_.push_back(unknown_sign(k));
    arguments_.push_back(inner.args()[0]);
    const Expr slot = call(slots_.back(), {Expr(system_.time)});
    slot_of_call_.emplace(calls[k], slot);
    slot_of_call_.emplace(inner, slot);
  }
  for (Expr& force : system_.forces) force = in_present_signs(force);
  std::erase_if(system_.functions, [](const AbstractFunction& f) { return f.function == sign_function(); });
  System open = system_;
  const Symbol x = Symbol::make("x");
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    open.parameters.push_back({unknowns_[k], Expr(0), false, "", {}});
    open.functions.push_back({slots_[k], {x}, Expr(unknowns_[k]), "", {}});
  }
  open_ = flow_like(given_, open);
  const std::vector<Symbol> state(open_->state().begin(), open_->state().end());
  Numbers values;
  const std::vector<double> parameters = given_.parameter_values<double>();
  for (std::size_t k = 0; k < parameters.size(); ++k) values.emplace(given_.parameters()[k], parameters[k]);
  const std::vector<Expr> rates(open_->rate_expressions().begin(), open_->rate_expressions().end());
  constexpr int most_derivatives = search_limits::derivatives_of_a_switch.count;
  for (const Expr argument : arguments_) {
    const Expr a = open_->on_state(argument);
    derivatives_.emplace_back();
    for (int order = 0; order < most_derivatives; ++order) {
      derivatives_.back().push_back(rate_along(order == 0 ? a : derivatives_.back().back(), *open_, rates));
      const std::vector<Symbol> inside = symbols_of(derivatives_.back().back());
      if (std::ranges::any_of(unknowns_,
                              [&](Symbol s) { return std::ranges::find(inside, s) != inside.end(); }))
        break;
    }
    const bool moves = std::ranges::any_of(symbols_of(a), [&](Symbol s) {
      return std::ranges::find(state, s) != state.end() || std::ranges::find(unknowns_, s) != unknowns_.end();
    });
    times_.emplace_back();
    slopes_.push_back(0);
    const Expr slope = derivative(a, system_.time);
    if (moves || contains(slope, system_.time) || slope.is_zero()) continue;
    // a = c + d t
    const double d = evaluate(slope, values),
                 c = evaluate(substitute(a, SymbolMap{{system_.time, Expr(0)}}), values);
    const int way = given_.runs_backwards() ? -1 : 1;
    times_.back() = -c / d * way;
    slopes_.back() = (d > 0 ? 1 : -1) * way;
  }
}

SwitchingMotion::~SwitchingMotion() = default;

Expr SwitchingMotion::in_present_signs(Expr e) const {
  return rebuild(std::span(&e, 1),
                 [&](Expr part) {
                   const auto found = slot_of_call_.find(part);
                   return found == slot_of_call_.end() ? part : found->second;
                 })
      .front();
}

SwitchingMotion::Formulas SwitchingMotion::formulas() const {
  Formulas all{
      unknowns_, {open_->rate_expressions().begin(), open_->rate_expressions().end()}, {}, derivatives_, {}};
  for (const Expr a : arguments_) all.arguments.push_back(open_->on_state(a));
  for (const std::optional<double>& time : times_) all.timed.push_back(time.has_value());
  return all;
}

std::optional<std::map<std::size_t, Expr>> SwitchingMotion::kept_values(const Signs& signs) const {
  std::map<std::size_t, Expr> values;
  std::vector<std::size_t> kept;
  SymbolMap known;
  for (std::size_t k = 0; k < signs.size(); ++k) {
    if (signs[k] == 0)
      kept.push_back(k);
    else
      known.emplace(unknowns_[k], Expr(signs[k]));
  }
  if (kept.empty()) return values;
  // a_i' = A_i + Σ_j B_ij s_j = 0 for the signs that are kept.
  const int n = static_cast<int>(kept.size());
  Matrix B(n, n), A(n, 1);
  SymbolMap zero;
  for (const std::size_t k : kept) zero.emplace(unknowns_[k], Expr(0));
  for (int i = 0; i < n; ++i) {
    const Expr rate = substitute(derivatives_[kept[static_cast<std::size_t>(i)]].back(), known);
    A[i] = substitute(rate, zero);
    for (int j = 0; j < n; ++j) B(i, j) = derivative(rate, unknowns_[kept[static_cast<std::size_t>(j)]]);
  }
  const Expr det = determinant(B);
  if (det.is_zero()) return std::nullopt;
  for (int j = 0; j < n; ++j) {  // Cramer
    Matrix Bj = B;
    for (int i = 0; i < n; ++i) Bj(i, j) = -A[i];
    values.emplace(kept[static_cast<std::size_t>(j)], determinant(Bj) / det);
  }
  return values;
}

std::unique_ptr<SwitchingMotion::Mode> SwitchingMotion::made(const Signs& signs) const {
  const auto values = kept_values(signs);
  if (!values) return nullptr;
  System system = system_;
  const Symbol x = Symbol::make("x");
  for (std::size_t k = 0; k < slots_.size(); ++k)
    system.functions.push_back({slots_[k], {x}, signs[k] == 0 ? values->at(k) : Expr(signs[k]), "", {}});
  auto mode = std::make_unique<Mode>();
  auto flow = std::make_shared<Flow>(*flow_like(given_, system));
  if (given_.runs_backwards()) flow->reverse_time();
  flow->set_parameters(given_.parameter_values<double>());
  std::vector<Expr> observed;
  for (const auto& [k, value] : *values) {
    mode->kept.push_back(k);
    observed.push_back(value);
  }
  SymbolMap known;
  for (std::size_t k = 0; k < slots_.size(); ++k)
    known.emplace(unknowns_[k], signs[k] == 0 ? values->at(k) : Expr(signs[k]));
  for (const std::vector<Expr>& derivatives : derivatives_) {
    mode->first.push_back(observed.size());
    for (std::size_t order = 0; order < derivatives.size(); ++order) {
      const bool reversed = given_.runs_backwards() && order % 2 == 0;  // d/ds = −d/dt
      const Expr rate = substitute(derivatives[order], known);
      observed.push_back(reversed ? -rate : rate);
    }
  }
  mode->first.push_back(observed.size());
  mode->code = std::make_unique<const Code>(flow->code_of(observed));
  mode->values.emplace(*mode->code, flow->parameter_values<double>());
  mode->out.resize(observed.size());
  mode->arguments =
      std::make_unique<Observer>(*flow, std::vector<std::string>(arguments_.size()), arguments_);
  mode->flow = std::move(flow);
  return mode;
}

SwitchingMotion::Mode& SwitchingMotion::mode(const Signs& signs) {
  std::unique_ptr<Mode>& found = modes_[signs];
  if (!found) found = made(signs);
  if (!found) throw Bug("signs that nothing keeps");
  return *found;
}

const Flow& SwitchingMotion::flow() const { return *modes_.at(now_)->flow; }

SwitchingMotion::Rate SwitchingMotion::rate(std::size_t k, const Signs& signs, double t,
                                            std::span<const double> y) {
  constexpr double nothing = 1e-13;
  Mode& m = mode(signs);
  const std::vector<double>& values = m.evaluated(t, y);
  for (std::size_t i = m.first[k]; i + 1 < m.first[k + 1]; ++i)
    if (std::abs(values[i]) > nothing) return {values[i], false};
  return {values[m.first[k + 1] - 1], true};
}

/// Do the two sides of a_k = 0 differ, and do both push a_k back?
bool SwitchingMotion::can_keep(std::size_t k, double t, std::span<const double> y) {
  Signs above = now_, below = now_;
  above[k] = 1;
  below[k] = -1;
  const Rate up = rate(k, above, t, y), down = rate(k, below, t, y);
  if (!up.switches || !down.switches) return false;  // it passes through
  const double scale = std::max(std::abs(up.value), std::abs(down.value));
  if (!(down.value - up.value > 1e-9 * scale)) return false;  // continuous there, or both sides push away
  if (up.value > 1e-12 * scale || down.value < -1e-12 * scale) return false;
  Signs kept = now_;
  kept[k] = 0;
  return kept_values(kept).has_value();
}

/// Signs that would have to exceed 1 to keep their argument at zero let go; true when one did.
bool SwitchingMotion::release(double t, std::span<const double> y) {
  Mode& m = mode(now_);
  const std::vector<double> values = m.evaluated(t, y);
  for (std::size_t i = 0; i < m.kept.size(); ++i) {
    if (std::abs(values[i]) <= 1 + slack_of_signs) continue;
    now_[m.kept[i]] = values[i] > 0 ? 1 : -1;
    return true;
  }
  return false;
}

/// Signs whose arguments are zero: kept there where both sides push back, otherwise on the side to which the motion goes.
void SwitchingMotion::settle(const std::vector<std::size_t>& at_zero, double t, std::span<const double> y) {
  for (const std::size_t k : at_zero) {
    if (can_keep(k, t, y)) {
      now_[k] = 0;
      continue;
    }
    Signs above = now_, below = now_;
    above[k] = 1;
    below[k] = -1;
    const double up = rate(k, above, t, y).value, down = rate(k, below, t, y).value;
    now_[k] = up > 0 ? 1 : down < 0 ? -1 : now_[k] == 0 ? 1 : now_[k];
  }
  while (release(t, y)) {
  }
}

void SwitchingMotion::start(double t, std::span<const double> y) {
  now_.assign(slots_.size(), 1);
  // Arguments may contain signs: inner ones come first.
  std::vector<std::size_t> at_zero;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    if (times_[k]) {
      now_[k] = t >= *times_[k] ? slopes_[k] : -slopes_[k];
      continue;
    }
    const double a = (*mode(now_).arguments)(t, y)[k];
    if (a == 0)
      at_zero.push_back(k);
    else
      now_[k] = a > 0 ? 1 : -1;
  }
  settle(at_zero, t, y);
  mode(now_);
}

double SwitchingMotion::next_time(double t) const {
  double next = infinity;
  for (std::size_t k = 0; k < slots_.size(); ++k)
    if (times_[k] && *times_[k] > t) next = std::min(next, *times_[k]);
  return next;
}

std::optional<double> SwitchingMotion::leaves(const Stepper& stepper) {
  Mode& m = mode(now_);
  std::optional<double> first;
  leaving_.clear();
  const auto note = [&](std::size_t k, double when) {
    if (first && when > *first) return;
    if (!first || when < *first) leaving_.clear();
    first = when;
    leaving_.push_back(k);
  };
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    if (times_[k] || now_[k] == 0) continue;
    const auto a = [&](double t, std::span<const double> y) { return (*m.arguments)(t, y)[k]; };
    bool crosses = false;
    for (const Crossing& c : crossings(stepper, a)) {
      if (c.direction != -now_[k]) continue;
      note(k, c.time);
      crosses = true;
      break;
    }
    // From zero straight to the other side.
    const double begin = a(stepper.previous_time(), stepper.previous_state()),
                 end = a(stepper.time(), stepper.state());
    if (crosses || end * now_[k] >= 0 || begin * now_[k] > 0) continue;
    if (at_once_ > 2 * slots_.size() + 2)
      throw StepFailure(stepper.previous_time(),
                        "a sign in the forces has no value with which the motion goes on");
    note(k, stepper.previous_time());
  }
  for (std::size_t i = 0; i < m.kept.size(); ++i) {
    for (const int side : {1, -1}) {
      const auto slack = [&](double t, std::span<const double> y) {
        return 1 + slack_of_signs - side * m.evaluated(t, y)[i];
      };
      for (const Crossing& c : crossings(stepper, slack)) {
        if (c.direction >= 0) continue;
        note(m.kept[i], c.time);
        break;
      }
    }
  }
  if (!first) at_once_ = 0;
  return first;
}

void SwitchingMotion::change(double t, std::span<const double> y) {
  if (++changes_ > most_changes)
    throw StepFailure(t, fmt::format("the forces switch more than {} times", most_changes));
  const bool at_the_same_time = t == last_change_,
             soon = t - last_change_ < 1e-9 * std::max(1.0, std::abs(t));
  at_once_ = at_the_same_time ? at_once_ + 1 : 1;
  in_a_row_ = soon ? in_a_row_ + 1 : 0;
  if (in_a_row_ > most_in_a_row) throw StepFailure(t, "the forces switch without end near this time");
  last_change_ = t;
  if (at_once_ > 4 * slots_.size() + 8) throw StepFailure(t, "the forces switch without end at one time");
  for (std::size_t k = 0; k < slots_.size(); ++k)
    if (times_[k] && *times_[k] <= t) now_[k] = slopes_[k];
  const Signs before = now_;
  Mode& m = mode(before);
  const std::vector<double> values = m.evaluated(t, y);
  std::vector<std::size_t> at_zero;
  for (const std::size_t k : leaving_) {
    const auto kept = std::ranges::find(m.kept, k);
    if (kept != m.kept.end()) {  // friction cannot hold it any longer
      now_[k] = values[static_cast<std::size_t>(kept - m.kept.begin())] > 0 ? 1 : -1;
      continue;
    }
    now_[k] = -now_[k];
    at_zero.push_back(k);
  }
  leaving_.clear();
  for (const std::size_t k : at_zero)
    if (can_keep(k, t, y)) now_[k] = 0;
  while (release(t, y)) {
  }
  mode(now_);
}

}  // namespace rattleback
