// Declared in algebra/modular/modular.hpp. Derivatives of a program at a point: forward along a direction, reverse for a gradient, and both for a row of
/// the Hessian. No symbolic derivative is built.
#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/modular/modular_code.hpp>

namespace rattleback {
namespace {

using Op = ModularCode::Op;
using Space = ModularCode::Space;
using Step = ModularCode::Step;

/// v + ε d with ε² = 0.
struct ModDual {
  ModP v, d;
  ModDual() = default;
  ModDual(ModP value) : v(value) {}  // NOLINT: numbers are duals
  ModDual(ModP value, ModP tangent) : v(value), d(tangent) {}
  friend ModDual operator+(ModDual a, ModDual b) { return {a.v + b.v, a.d + b.d}; }
  friend ModDual operator*(ModDual a, ModDual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
  ModDual& operator+=(ModDual b) { return *this = *this + b; }
  bool is_zero() const { return v.is_zero() && d.is_zero(); }
  friend ModDual inverse(ModDual a) {
    const ModP r = inverse(a.v);
    return {r, -(a.d * r * r)};
  }
  friend ModDual power(ModDual a, std::uint64_t n) {
    if (n == 0) return ModP(1);
    const ModP lower = power(a.v, n - 1);
    return {lower * a.v, ModP(static_cast<long>(n)) * lower * a.d};
  }
};

ModP tangent_part(ModP) { return 0; }
ModP tangent_part(ModDual a) { return a.d; }
template <class T>
T with_tangent(ModP v, ModP d) {
  if constexpr (std::is_same_v<T, ModDual>) {
    return {v, d};
  } else {
    return v;
  }
}

/// One program at one point, seen in ModP or with a tangent.
class Sweep {
 public:
  Sweep(const ModularCode& code, const ModularPoint& point, std::span<const CirclePoint> circles)
      : code_(code), point_(point), circles_(circles) {}

  std::vector<ModP> forward(std::span<const ModP> values, std::span<const ModP> direction) const;
  template <class T>
  std::vector<T> reverse(std::span<const T> values, std::uint32_t from) const;

 private:
  std::span<const std::uint32_t> operands(const Step& s) const {
    return std::span(code_.operands).subspan(s.first, s.count);
  }

  /// A generator keyed as in ModularRun.
  template <class T>
  ModP abstract_value(Function f, const Step& step, std::span<const T> values) const {
    std::uint64_t key = f.hash();
    for (const std::uint32_t a : operands(step)) key = mix(key, ModDual(values[a]).v.word());
    return point_.generator<ModP>(key);
  }

  /// ∂f/∂a_k of a call or a power at its arguments.
  template <class T>
  T slope(const Step& step, std::span<const T> values, std::size_t k) const {
    const auto args = operands(step);
    const T x = values[args[k]];
    switch (step.op) {
      case Op::power: {
        const int n = step.exponent;
        const T scale = ModP(n);
        if (n > 0) return scale * power(x, static_cast<std::uint64_t>(n - 1));
        return scale * power(inverse(x), static_cast<std::uint64_t>(1 - static_cast<long>(n)));
      }
      case Op::sine: {
        const CirclePoint& z = circles_[step.detail];
        return with_tangent<T>(z.c, -(z.s * tangent_part(x)));
      }
      case Op::cosine: {
        const CirclePoint& z = circles_[step.detail];
        return with_tangent<T>(-z.s, -(z.c * tangent_part(x)));
      }
      case Op::exponential: return values[step.slot];
      case Op::logarithm: return inverse(x);
      case Op::root: return inverse(T(ModP(2)) * values[step.slot]);
      case Op::arctangent: return inverse(T(ModP(1)) + x * x);
      case Op::abstract: {
        const Function f = code_.functions[step.detail].differentiated(static_cast<int>(k));
        ModP d;
        if constexpr (std::is_same_v<T, ModDual>) {
          for (std::size_t l = 0; l < args.size(); ++l) {
            const ModP dx = tangent_part(values[args[l]]);
            if (!dx.is_zero()) d += abstract_value(f.differentiated(static_cast<int>(l)), step, values) * dx;
          }
        }
        return with_tangent<T>(abstract_value(f, step, values), d);
      }
      default: throw Bug("slope of a step without one");
    }
  }

  const ModularCode& code_;
  const ModularPoint& point_;
  std::span<const CirclePoint> circles_;
};

std::vector<ModP> Sweep::forward(std::span<const ModP> values, std::span<const ModP> direction) const {
  Budget::check();
  std::vector<ModP> tangents(values.size());
  for (std::size_t i = 0; i < code_.symbol_slots.size(); ++i)
    tangents[code_.symbol_slots[i].slot] = direction[i];
  for (const Step& step : code_.steps) {
    if (step.space != Space::numbers || step.op == Op::circle) continue;
    const auto args = operands(step);
    ModP d;
    if (step.op == Op::sum) {
      for (const std::uint32_t a : args) d += tangents[a];
    } else if (step.op == Op::product) {
      ModP head = values[args[0]];
      d = tangents[args[0]];
      for (const std::uint32_t a : args.subspan(1)) {
        d = d * values[a] + head * tangents[a];
        head *= values[a];
      }
    } else {
      for (std::size_t k = 0; k < args.size(); ++k) {
        if (!tangents[args[k]].is_zero()) d += slope(step, values, k) * tangents[args[k]];
      }
    }
    tangents[step.slot] = d;
  }
  return tangents;
}

/// ∂(from)/∂(slot) for every slot.
template <class T>
std::vector<T> Sweep::reverse(std::span<const T> values, std::uint32_t from) const {
  Budget::check();
  std::vector<T> bars(values.size()), heads;
  bars[from] = ModP(1);
  for (auto step = code_.steps.rbegin(); step != code_.steps.rend(); ++step) {
    if (step->space != Space::numbers || step->op == Op::circle || step->slot > from) continue;
    const T bar = bars[step->slot];
    if (bar.is_zero()) continue;  // most of the tape, when it holds several outputs
    const auto args = operands(*step);
    if (step->op == Op::sum) {
      for (const std::uint32_t a : args) bars[a] += bar;
    } else if (step->op == Op::product) {
      heads.assign(args.size(), bar);  // bar · the factors before
      for (std::size_t k = 1; k < args.size(); ++k) heads[k] = heads[k - 1] * values[args[k - 1]];
      bars[args.back()] += heads.back();
      T tail = values[args.back()];
      for (std::size_t k = args.size() - 1; k-- > 0; tail = tail * values[args[k]])
        bars[args[k]] += heads[k] * tail;
    } else {
      for (std::size_t k = 0; k < args.size(); ++k) bars[args[k]] += bar * slope(*step, values, k);
    }
  }
  return bars;
}

}  // namespace

std::vector<ModP> ModularRun::tangent(std::span<const ModP> direction) const {
  const auto tangents = Sweep(*code_, point_, circles_).forward(values_, direction);
  std::vector<ModP> out;
  for (const std::uint32_t slot : code_->outputs) out.push_back(tangents[slot]);
  return out;
}

std::vector<ModP> ModularRun::gradient(std::size_t output) const {
  const auto bars = Sweep(*code_, point_, circles_).reverse<ModP>(values_, code_->outputs[output]);
  std::vector<ModP> out;
  for (const auto& s : code_->symbol_slots) out.push_back(bars[s.slot]);
  return out;
}

ModularRun::Gradient ModularRun::gradient_along(std::size_t output, std::span<const ModP> direction) const {
  const Sweep sweep(*code_, point_, circles_);
  const auto tangents = sweep.forward(values_, direction);
  std::vector<ModDual> values(values_.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {values_[i], tangents[i]};
  const auto bars = sweep.reverse<ModDual>(values, code_->outputs[output]);
  Gradient g;
  for (const auto& s : code_->symbol_slots) {
    g.value.push_back(bars[s.slot].v);
    g.tangent.push_back(bars[s.slot].d);
  }
  return g;
}

}  // namespace rattleback
