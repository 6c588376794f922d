#include <rattleback/algebra/modular/modular.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/modular/modular_code.hpp>
#include <rattleback/algebra/modular/modular_roots.hpp>

namespace rattleback {
namespace {

using Op = ModularCode::Op;
using Space = ModularCode::Space;
using Step = ModularCode::Step;

std::span<const std::uint32_t> operands(const ModularCode& code, const Step& step) {
  return std::span(code.operands).subspan(step.first, step.count);
}

/// Generators of different kinds have different keys; mix() is symmetric in small numbers, so these are large.
constexpr std::uint64_t arctangent_key = 0x6A09E667F3BCC908U, logarithm_key = 0xBB67AE8584CAA73BU,
                        prime_key = 0x3C6EF372FE94F82BU, call_key = 0xA54FF53A5F1D36F1U,
                        unit_key = 0x510E527FADE682D1U;

/// x^n; nothing for 0^−n.
template <class R>
std::optional<R> integer_power(R x, int n) {
  if (n == 2) return x * x;
  if (n >= 0) return power(x, static_cast<std::uint64_t>(n));
  if (x.is_zero()) return std::nullopt;
  return power(inverse(x), static_cast<std::uint64_t>(-static_cast<long>(n)));
}

/// Sums, products, powers and roots mean the same among numbers, angles and exponents.
template <class R>
bool arithmetic(const Step& step, std::span<const std::uint32_t> args, std::vector<R>& values) {
  R result = values[args[0]];
  switch (step.op) {
    case Op::sum:
      for (const std::uint32_t a : args.subspan(1)) result += values[a];
      break;
    case Op::product:
      for (const std::uint32_t a : args.subspan(1)) result *= values[a];
      break;
    case Op::power: {
      const auto p = integer_power(result, step.exponent);
      if (!p) return false;
      result = *p;
      break;
    }
    default: {
      const auto r = root(result);
      if (!r) return false;
      result = *r;
    }
  }
  values[step.slot] = result;
  return true;
}

/// A generator that is odd in its key: for atan.
ModP odd_generator(const ModularPoint& point, ModP x) {
  const std::uint64_t k = x.canonical(), minus = (-x).canonical();
  const ModP g = point.generator<ModP>(mix(arctangent_key, std::min(k, minus)));
  return x.is_zero() ? ModP() : k < minus ? g : -g;
}

/// log|x|: a generator that is even in its key.
ModP log_generator(const ModularPoint& point, ModP x) {
  return point.generator<ModP>(mix(logarithm_key, std::min(x.canonical(), (-x).canonical())));
}

ModP abstract_value(const ModularPoint& point, Function f, std::span<const std::uint32_t> args,
                    std::span<const ModP> values) {
  std::uint64_t key = f.hash();
  for (const std::uint32_t a : args) key = mix(key, values[a].word());
  return point.generator<ModP>(key);
}

/// The half of the angle with cos ≥ 0: cos(u/2) = √((1 + cos u)/2), sin(u/2) = sin u/(2 cos(u/2)).
std::optional<CirclePoint> half_angle(CirclePoint z) {
  const auto c = root((1 + z.c) / 2);
  if (!c || c->is_zero()) return std::nullopt;
  return CirclePoint{*c, z.s / (2 * *c)};
}

/// The angle 1 and the exponent 1 are random too: e and sin 1 are as free as any variable.
template <class R>
R unit(const ModularPoint& point) {
  return point.generator<R>(unit_key);
}

std::optional<CirclePoint> circle_point(const ModularCode::Circle& u, const ModularPoint& point,
                                        std::span<const ModP> numbers, std::span<const ModAngle> angles) {
  ModAngle rest = angles[u.rest];
  if (!u.pi_coefficient.is_zero()) rest -= u.pi_coefficient * point.value<ModAngle>(pi().symbol());
  CirclePoint z = circle(rest * unit<ModAngle>(point));
  if (u.half_degrees != 0) z = z * circle_of_half_degrees(u.half_degrees);
  for (const auto& part : u.arctangents) {
    const ModP x = numbers[part.slot];
    const auto norm = root(1 + x * x);
    if (!norm) return std::nullopt;
    std::optional<CirclePoint> w = CirclePoint{inverse(*norm), x / *norm};
    for (int h = 0; h < part.halvings && w; ++h) w = half_angle(*w);
    if (!w) return std::nullopt;
    z = z * power(*w, part.numerator);
  }
  for (const auto& part : u.bound) {
    std::optional<CirclePoint> w = point.solved_circle(part.angle);
    if (!w) w = circle(point.value<ModAngle>(part.angle) * unit<ModAngle>(point));
    for (int h = 0; h < part.halvings && w; ++h) w = half_angle(*w);
    if (!w) return std::nullopt;
    z = z * power(*w, part.numerator);
  }
  return z;
}

std::optional<ModP> exponential_value(const ModularCode::Exponential& u, const ModularPoint& point,
                                      std::span<const ModP> numbers, std::span<const ModExponent> exponents) {
  ModP value = exponential(exponents[u.rest] * unit<ModExponent>(point));
  for (const auto& part : u.powers) {
    const ModP a = numbers[part.base];
    if (a.is_zero() || !root(a)) return std::nullopt;  // the base of a real power is positive
    value *= power_of_square(a, exponents[part.coefficient]);
  }
  return value;
}

ModP logarithm_value(const ModularCode::Logarithm& u, const ModularPoint& point,
                     std::span<const ModP> numbers) {
  using Of = ModularCode::Logarithm::Of;
  ModP value;
  for (const auto& term : u.terms) {
    switch (term.of) {
      case Of::factor: value += term.coefficient * log_generator(point, numbers[term.at]); break;
      case Of::prime: value += term.coefficient * point.generator<ModP>(mix(prime_key, term.at)); break;
      case Of::exponential: value += term.coefficient * numbers[term.at]; break;
    }
  }
  return value;
}

}  // namespace

bool ModularRun::evaluate(std::vector<std::size_t>* without_root) {
  const ModularCode& code = *code_;
  values_ = code.numbers;
  circles_.resize(code.circles.size());
  std::vector<ModAngle> angles = code.angles;
  std::vector<ModExponent> exponents = code.exponents;
  for (const auto& s : code.symbol_slots) {
    values_[s.slot] = point_.value<ModP>(s.symbol);
    if (s.in_angles) angles[s.slot] = point_.value<ModAngle>(s.symbol);
    if (s.in_exponents) exponents[s.slot] = point_.value<ModExponent>(s.symbol);
  }
  // A root that does not exist ends the evaluation, or is noted and replaced.
  const auto goes_on = [&](const Step& step) {
    if (without_root == nullptr) return false;
    without_root->push_back(static_cast<std::size_t>(&step - code.steps.data()));
    return true;
  };
  for (const Step& step : code.steps) {
    const auto args = operands(code, step);
    if (step.op == Op::keyed) {
      const std::uint64_t key = mix(call_key, values_[args[0]].word());
      if (step.space == Space::angles) angles[step.slot] = point_.generator<ModAngle>(key);
      if (step.space == Space::exponents) exponents[step.slot] = point_.generator<ModExponent>(key);
      continue;
    }
    if (step.space != Space::numbers) {
      if (!(step.space == Space::angles ? arithmetic(step, args, angles) : arithmetic(step, args, exponents)))
        return false;
      continue;
    }
    switch (step.op) {
      case Op::circle: {
        const auto z = circle_point(code.circles[step.slot], point_, values_, angles);
        if (!z && !goes_on(step)) return false;
        circles_[step.slot] = z.value_or(CirclePoint{});
        break;
      }
      case Op::sine: values_[step.slot] = circles_[step.detail].s; break;
      case Op::cosine: values_[step.slot] = circles_[step.detail].c; break;
      case Op::exponential: {
        const auto value = exponential_value(code.exponentials[step.detail], point_, values_, exponents);
        if (!value && !goes_on(step)) return false;
        values_[step.slot] = value.value_or(ModP(1));
        break;
      }
      case Op::logarithm:
        if (values_[args[0]].is_zero()) return false;
        values_[step.slot] = logarithm_value(code.logarithms[step.detail], point_, values_);
        break;
      case Op::arctangent: values_[step.slot] = odd_generator(point_, values_[args[0]]); break;
      case Op::abstract:
        values_[step.slot] = abstract_value(point_, code.functions[step.detail], args, values_);
        break;
      default:
        if (arithmetic(step, args, values_)) break;
        if (step.op != Op::root || !goes_on(step)) return false;
        values_[step.slot] = ModP(1);
    }
  }
  return without_root == nullptr || without_root->empty();
}

ModularProgram::ModularProgram(std::span<const Expr> roots)
    : code_(std::make_shared<const ModularCode>(compile(roots))) {}

std::size_t ModularProgram::size() const { return code_->numbers.size(); }
std::size_t ModularProgram::outputs() const { return code_->outputs.size(); }
std::span<const Symbol> ModularProgram::symbols() const { return code_->symbols; }
bool ModularProgram::is_faithful() const { return code_->faithful && code_->roots == 0; }
std::size_t ModularProgram::roots() const { return code_->roots; }
bool ModularProgram::is_restricted() const { return code_->restricted; }
bool ModularProgram::is_impossible() const { return code_->impossible; }

std::optional<std::size_t> ModularProgram::index_of(Symbol s) const {
  const auto found = std::find(code_->symbols.begin(), code_->symbols.end(), s);
  if (found == code_->symbols.end()) return std::nullopt;
  return static_cast<std::size_t>(found - code_->symbols.begin());
}

std::optional<ModularRun> ModularProgram::run(const ModularPoint& point) const {
  Budget::check();
  if (code_->variety && !point.is_completed()) {
    if (code_->impossible) return std::nullopt;
    const auto on = code_->variety->modular_point(point);
    if (!on) return std::nullopt;
    return run(point.completed(*on));
  }
  ModularRun run(code_, point);
  if (code_->impossible || !run.evaluate()) return std::nullopt;
  return run;
}

std::optional<ModularRun> ModularProgram::run_near(std::uint64_t seed) const {
  constexpr int most =
      search_limits::points_with_roots.count;  // k independent radicands are all squares at one point in 2^k
  constexpr int few = search_limits::points_with_many_roots.count;
  constexpr std::size_t many_roots = 11;
  for (int k = 0; k < most && !code_->impossible; ++k) {
    if (auto r = run(ModularPoint(seed + static_cast<std::uint64_t>(k)))) return r;
    if (k != (code_->roots > many_roots ? few : most - 1)) continue;
    if (auto r = run_with_roots(seed)) return r;
  }
  return std::nullopt;
}

/// A symbol is drawn again for the sake of the radicands that it completes, until all of these are squares; those completed by
/// symbols before it do not contain it. So k bodies at square distances from each other take 2 + 4 + … + 2^(k−1) points, not 2^(k(k−1)/2).
std::optional<ModularRun> ModularProgram::run_with_roots(std::uint64_t seed) const {
  constexpr int most = search_limits::symbols_along_roots.count;
  const RootSymbols completes(*code_);
  ModularPoint point(seed);
  std::vector<std::size_t> failed;
  for (int k = 0; k < most; ++k) {
    Budget::check();
    ModularRun run(code_, point);
    failed.clear();
    if (run.evaluate(&failed)) return run;
    const auto symbol = completes.first(failed);
    if (failed.empty()) point = ModularPoint(seed + static_cast<std::uint64_t>(k));  // a pole
    if (!failed.empty() && !symbol) return std::nullopt;                             // the root of a number
    if (symbol) point.redraw(*symbol);
  }
  return std::nullopt;
}

ModP ModularRun::value(std::size_t output) const { return values_[code_->outputs[output]]; }
ModP ModularRun::symbol(std::size_t index) const { return values_[code_->symbol_slots[index].slot]; }

}  // namespace rattleback
