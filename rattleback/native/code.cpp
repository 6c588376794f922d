#include <rattleback/native/code.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/pythagoras.hpp>
#include <rattleback/algebra/tape.hpp>
#include <rattleback/native/factored.hpp>
#include <rattleback/native/fused.hpp>
#include <rattleback/native/schedule.hpp>

namespace rattleback {
namespace {

/// A value on its way into code: ± a register of the prologue or of the body. Signs are carried along and only
/// become instructions where nothing absorbs them.
struct Signed {
  bool constant = true;
  bool negative = false;
  std::uint32_t at = 0;
};

/// A list of instructions in which equal ones are made once.
class Block {
 public:
  std::uint32_t add(Op op, std::uint32_t a, std::uint32_t b = 0) {
    if ((op == Op::add || op == Op::mul) && b < a) std::swap(a, b);
    const std::uint64_t key = (std::uint64_t(op) << 58) ^ (std::uint64_t(a) << 29) ^ b;
    const auto [found, is_new] = made_.try_emplace(key, static_cast<std::uint32_t>(list.size()));
    if (is_new) list.push_back({op, a, b});
    return found->second;
  }
  std::vector<Instruction> list;

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> made_;
};

/// While code grows, the numbers of registers are not known: results are marked, and renumbered at the end.
constexpr std::uint32_t result_bit = 1U << 28;

class Lowering {
 public:
  using Value = Signed;

  Lowering(std::span<const Symbol> inputs, std::span<const Symbol> parameters) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      symbols_.emplace(inputs[i], Signed{false, false, std::uint32_t(i)});
    for (std::size_t i = 0; i < parameters.size(); ++i)
      symbols_.emplace(parameters[i], Signed{true, false, std::uint32_t(i)});
    code_.inputs = static_cast<std::uint32_t>(inputs.size());
    code_.parameters = static_cast<std::uint32_t>(parameters.size());
  }

  Signed constant(const Rational& c) {
    const bool negative = c.sign() < 0;
    return {true, negative, literal({negative ? -c : c})};
  }

  Signed symbol(Symbol s) {
    if (const auto found = symbols_.find(s); found != symbols_.end()) return found->second;
    if (s.role() == Role::constant && s.name() == "pi") return {true, false, literal({Rational(0), true})};
    throw Error("no-value", fmt::format("`{}` has no value", s.name()),
                s.role() == Role::parameter ? "the model declares it without one" : "",
                fmt::format("give it one: --set {}=1", s.name()));
  }

  /// Σ x: constants first, in the prologue.
  Signed sum(std::span<const Signed> xs) {
    std::optional<Signed> fixed;
    std::vector<Signed> moving;
    for (const Signed& x : xs) {
      if (x.constant) {
        fixed = plus(fixed, x);
      } else {
        moving.push_back(x);
      }
    }
    if (moving.empty()) return fixed ? *fixed : constant(Rational(0));
    const Signed total = early_sum(std::move(moving));
    return fixed ? *plus(total, *fixed) : total;
  }

  /// Those that are there first are added first, so that a sum waits for nothing but its last term: chains of bodies are as
  /// deep as their recursion, not as their sums.
  Signed early_sum(std::vector<Signed> xs) {
    const auto earlier = [&](const Signed& a, const Signed& b) { return depth(a) < depth(b); };
    std::stable_sort(xs.begin(), xs.end(), earlier);
    for (std::size_t first = 0; first + 1 < xs.size(); ++first) {  // xs[first …] by depth
      const Signed both = *plus(xs[first], xs[first + 1]);
      const auto rest = xs.begin() + static_cast<std::ptrdiff_t>(first) + 2;
      const auto place = std::upper_bound(rest, xs.end(), both, earlier);
      std::move(rest, place, rest - 1);
      *(place - 1) = both;
    }
    return xs.back();
  }

  Signed product(std::span<const Signed> xs) {
    std::optional<Signed> fixed, moving;
    for (const Signed& x : xs) (x.constant ? fixed : moving) = times(x.constant ? fixed : moving, x);
    if (fixed && moving) return is_one(*fixed) ? signed_by(*moving, fixed->negative) : *times(fixed, *moving);
    return fixed ? *fixed : moving ? *moving : constant(Rational(1));
  }

  Signed power(const Signed& x, int n) {
    if (n < 0) return quotient(constant(Rational(1)), power(x, -n));
    Signed base = x;
    base.negative = x.negative && n % 2 != 0;
    const bool negative = base.negative;
    base.negative = false;
    std::optional<Signed> result;
    for (unsigned left = static_cast<unsigned>(n); left != 0; left >>= 1) {
      if (left & 1U) result = times(result, base);
      if (left > 1) base = *times(base, base);
    }
    return signed_by(*result, negative);
  }

  Signed quotient(const Signed& a, const Signed& b) {
    Signed q = apply(Op::div, a, b);
    q.negative = a.negative != b.negative;
    return q;
  }

  Signed call(Function f, std::span<const Signed> xs) {
    if (f.is_abstract())
      throw Error("no-value", fmt::format("the abstract function `{}` has no values", f.name()),
                  "numbers need a formula", "write a formula in [define] instead of declaring a function");
    const Signed one = constant(Rational(1));
    switch (f.kind()) {
      case Builtin::cot: return quotient(function(Op::cos, xs[0]), function(Op::sin, xs[0]));
      case Builtin::sec: return quotient(one, function(Op::cos, xs[0]));
      case Builtin::csc: return quotient(one, function(Op::sin, xs[0]));
      default: return function(operation(f), xs[0]);
    }
  }

  Code finish(std::span<const Signed> outputs) {
    std::vector<std::uint32_t> at;
    for (const Signed& x : outputs) at.push_back(in_body(materialised(x)));
    const auto first = static_cast<std::uint32_t>(code_.parameters + code_.literals.size());
    code_.prologue = renumbered(prologue_.list, first, code_.parameters, literal_bit);
    for (std::uint32_t& c : code_.constants) c = number(c, first, code_.parameters, literal_bit);
    const auto result = static_cast<std::uint32_t>(code_.first_result());
    code_.body = renumbered(body_.list, result, code_.inputs, constant_bit);
    for (const std::uint32_t a : at) code_.outputs.push_back(number(a, result, code_.inputs, constant_bit));
    return std::move(code_);
  }

 private:
  static constexpr std::uint32_t literal_bit = 1U << 27, constant_bit = 1U << 27;

  static std::uint32_t number(std::uint32_t a, std::uint32_t results, std::uint32_t second,
                              std::uint32_t second_bit) {
    if (a & result_bit) return results + (a & ~result_bit);
    if (a & second_bit) return second + (a & ~second_bit);
    return a;
  }
  static std::vector<Instruction> renumbered(std::vector<Instruction> list, std::uint32_t results,
                                             std::uint32_t second, std::uint32_t second_bit) {
    for (Instruction& i : list) {
      i.a = number(i.a, results, second, second_bit);
      i.b = arity_of(i.op) == 2 ? number(i.b, results, second, second_bit) : i.a;
    }
    return list;
  }

  static Op operation(Function f) {
    static const std::unordered_map<std::string, Op> ops{
#define OPERATION(name, arity) {#name, Op::name},
#include <rattleback/native/operations.def>
#undef OPERATION
    };
    return ops.at(f.name());
  }

  std::uint32_t literal(Literal c) {
    const std::uint64_t key = c.is_pi ? 1 : std::hash<Expr>{}(Expr(c.value));
    const auto [found, is_new] = literals_.try_emplace(key, std::uint32_t(code_.literals.size()));
    if (is_new) code_.literals.push_back(std::move(c));
    return literal_bit | found->second;
  }
  bool is_one(const Signed& x) const {
    if (!x.constant || !(x.at & literal_bit)) return false;
    const Literal& c = code_.literals[x.at & ~literal_bit];
    return !c.is_pi && c.value == Rational(1);
  }

  /// The register of the body that holds a value; constants are imported once.
  std::uint32_t in_body(const Signed& x) {
    if (!x.constant) return x.at;
    const auto [found, is_new] = imported_.try_emplace(x.at, std::uint32_t(code_.constants.size()));
    if (is_new) code_.constants.push_back(x.at);
    return constant_bit | found->second;
  }

  Signed apply(Op op, const Signed& a, const Signed& b) {
    if (a.constant && b.constant) return {true, false, result_bit | prologue_.add(op, a.at, b.at)};
    const std::uint32_t left = in_body(a), right = in_body(b);
    return in_body(op, left, right, std::max(depth(a), depth(b)));
  }
  Signed apply(Op op, const Signed& a) {
    if (a.constant) return {true, false, result_bit | prologue_.add(op, a.at)};
    return in_body(op, a.at, 0, depth(a));
  }
  Signed in_body(Op op, std::uint32_t a, std::uint32_t b, int operands) {
    const std::uint32_t made = body_.add(op, a, b);
    if (made == depths_.size()) depths_.push_back(operands + latency(op));
    return {false, false, result_bit | made};
  }

  /// When a value of the body is there, in additions after the start.
  int depth(const Signed& x) const {
    return x.constant || (x.at & result_bit) == 0 ? 0 : depths_[x.at & ~result_bit];
  }
  /// A sign that nothing absorbs goes into a constant factor, or becomes an instruction.
  Signed materialised(const Signed& x) {
    if (!x.negative) return x;
    if (!x.constant && (x.at & result_bit)) {
      const Instruction in = body_.list[x.at & ~result_bit];
      const auto is_constant = [](std::uint32_t r) { return (r & constant_bit) && !(r & result_bit); };
      if (in.op == Op::mul && (is_constant(in.a) || is_constant(in.b))) {
        const std::uint32_t c = is_constant(in.a) ? in.a : in.b, other = is_constant(in.a) ? in.b : in.a;
        const Signed negated = apply(Op::neg, {true, false, code_.constants[c & ~constant_bit]});
        if (!is_constant(other)) return apply(Op::mul, negated, {false, false, other});
      }
    }
    return apply(Op::neg, x);
  }
  static Signed signed_by(Signed x, bool negative) {
    x.negative = x.negative != negative;
    return x;
  }

  /// ±a ± b with one instruction: −a − b = −(a + b).
  std::optional<Signed> plus(const std::optional<Signed>& a, const Signed& b) {
    if (!a) return b;
    if (a->negative == b.negative) return signed_by(apply(Op::add, *a, b), a->negative);
    return a->negative ? apply(Op::sub, b, *a) : apply(Op::sub, *a, b);
  }
  std::optional<Signed> times(const std::optional<Signed>& a, const Signed& b) {
    if (!a) return b;
    return signed_by(apply(Op::mul, *a, b), a->negative != b.negative);
  }

  /// Odd functions hand the sign on, even ones drop it.
  Signed function(Op op, const Signed& x) {
    switch (op) {
      case Op::sin:
      case Op::tan:
      case Op::asin:
      case Op::atan:
      case Op::sinh:
      case Op::tanh:
      case Op::asinh:
      case Op::atanh: return signed_by(apply(op, x), x.negative);
      case Op::cos:
      case Op::cosh:
      case Op::abs: return apply(op, x);
      default: return apply(op, materialised(x));
    }
  }

  Code code_;
  Block prologue_, body_;
  std::vector<int> depths_;  ///< of the body's instructions
  std::unordered_map<Symbol, Signed> symbols_;
  std::unordered_map<std::uint64_t, std::uint32_t> literals_;
  std::unordered_map<std::uint32_t, std::uint32_t> imported_;
};

/// The same functions, with every sum written by a rule.
template <class Rule>
std::vector<Expr> with_sums(std::span<const Expr> outputs, Rule rule) {
  const Tape tape(outputs);
  std::vector<Expr> made;
  made.reserve(tape.size());
  std::vector<Expr> xs;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    xs.clear();
    for (const std::uint32_t a : tape.args(slot)) xs.push_back(made[a]);
    switch (e.kind()) {
      case Kind::constant:
      case Kind::symbol: made.push_back(e); break;
      case Kind::sum: made.push_back(rule(xs)); break;
      case Kind::product: made.push_back(product(xs)); break;
      case Kind::power: made.push_back(pow(xs[0], e.exponent())); break;
      case Kind::call: made.push_back(call(e.function(), xs)); break;
    }
  }
  std::vector<Expr> results;
  for (const std::uint32_t slot : tape.outputs()) results.push_back(made[slot]);
  return results;
}

/// How often each slot is an argument.
std::vector<int> uses(const Tape& tape) {
  std::vector<int> count(tape.size());
  for (std::size_t slot = 0; slot < tape.size(); ++slot)
    for (const std::uint32_t a : tape.args(slot)) ++count[a];
  for (const std::uint32_t out : tape.outputs()) ++count[out];
  return count;
}

/// A product whose denominators are used nowhere else divides once: a·b⁻¹·c⁻¹ = a/(b·c). Where products share operands these are
/// multiplied first, if wanted.
class Products {
 public:
  Products(const Tape& tape, Lowering& lowering, const Moves* sharing)
      : tape_(tape), in_(lowering), uses_(uses(tape)) {
    if (sharing != nullptr) find_shared(*sharing);
  }

  bool is_private_denominator(std::uint32_t slot) const {
    const Expr e = tape_.node(slot);
    return e.is(Kind::power) && e.exponent() < 0 && uses_[slot] == 1;
  }
  Signed value(std::size_t slot, std::span<const Signed> values) {
    std::vector<Signed> above, below;
    for (const std::uint32_t a : tape_.args(slot)) {
      if (is_private_denominator(a) && !values[tape_.args(a)[0]].constant) {
        below.push_back(in_.power(values[tape_.args(a)[0]], -tape_.node(a).exponent()));
      } else {
        above.push_back(values[a]);
      }
    }
    const Signed numerator = shared_ ? shared_product(slot, values) : in_.product(above);
    return below.empty() ? numerator : in_.quotient(numerator, in_.product(below));
  }

 private:
  void find_shared(const Moves& moves) {
    std::vector<std::vector<std::uint32_t>> products(tape_.size());
    for (std::size_t slot = 0; slot < tape_.size(); ++slot) {
      if (!tape_.node(slot).is(Kind::product)) continue;
      for (const std::uint32_t a : tape_.args(slot))
        if (moves(tape_.node(a)) && !is_private_denominator(a)) products[slot].push_back(a);
    }
    shared_.emplace(std::move(products), static_cast<std::uint32_t>(tape_.size()));
    pairs_.resize(shared_->pairs());
  }

  /// Constants first.
  Signed shared_product(std::size_t slot, std::span<const Signed> values) {
    std::vector<Signed> xs;
    for (const std::uint32_t a : tape_.args(slot))
      if (values[a].constant) xs.push_back(values[a]);
    for (const std::uint32_t operand : shared_->product(slot)) xs.push_back(operand_value(operand, values));
    return in_.product(xs);
  }
  Signed operand_value(std::uint32_t operand, std::span<const Signed> values) {
    if (!shared_->is_pair(operand)) return values[operand];
    std::optional<Signed>& known = pairs_[operand - tape_.size()];
    if (!known) {
      const Signed both[] = {operand_value(shared_->pair(operand).a, values),
                             operand_value(shared_->pair(operand).b, values)};
      known = in_.product(both);
    }
    return *known;
  }

  const Tape& tape_;
  Lowering& in_;
  std::vector<int> uses_;
  std::optional<SharedProducts> shared_;
  std::vector<std::optional<Signed>> pairs_;
};

/// Instructions that no output needs are left out.
void remove_unused(Code& code) {
  const std::size_t first = code.first_result();
  std::vector<bool> needed(code.registers());
  for (const std::uint32_t out : code.outputs) needed[out] = true;
  for (std::size_t i = code.body.size(); i-- > 0;) {
    if (!needed[first + i]) continue;
    needed[code.body[i].a] = needed[code.body[i].b] = true;
  }
  std::vector<std::uint32_t> place(code.registers());
  for (std::size_t r = 0; r < first; ++r) place[r] = static_cast<std::uint32_t>(r);
  std::vector<Instruction> kept;
  for (std::size_t i = 0; i < code.body.size(); ++i) {
    if (!needed[first + i]) continue;
    place[first + i] = static_cast<std::uint32_t>(first + kept.size());
    kept.push_back({code.body[i].op, place[code.body[i].a], place[code.body[i].b]});
  }
  code.body = std::move(kept);
  for (std::uint32_t& out : code.outputs) out = place[out];
}

}  // namespace

const char* name_of(Op op) {
  static constexpr std::array names{
#define OPERATION(name, arity) #name,
#include <rattleback/native/operations.def>
#undef OPERATION
  };
  return names[static_cast<std::size_t>(op)];
}

int arity_of(Op op) {
  static constexpr std::array arities{
#define OPERATION(name, arity) arity,
#include <rattleback/native/operations.def>
#undef OPERATION
  };
  return arities[static_cast<std::size_t>(op)];
}

std::uint64_t Code::hash() const {
  std::uint64_t h = 0xCBF29CE484222325U;
  const auto mix = [&](std::uint64_t x) { h = std::rotl((h ^ x) * 0x9E3779B97F4A7C15U, 29); };
  mix(inputs), mix(parameters);
  for (const Literal& c : literals) mix(c.is_pi ? 1 : c.value.hash());
  for (const auto* part : {&prologue, &body})
    for (const Instruction& i : *part)
      mix(std::uint64_t(i.op)), mix((std::uint64_t(i.a) << 32) | i.b), mix(i.c);
  for (const auto* part : {&constants, &outputs})
    for (const std::uint32_t r : *part) mix(r);
  return h;
}

namespace {

/// Code for expressions as they stand; `sharing`: where products share operands these are multiplied first.
Code lowered(std::span<const Symbol> inputs, std::span<const Symbol> parameters,
             std::span<const Expr> outputs, const Moves* sharing) {
  const Tape tape(outputs);
  Lowering lowering(inputs, parameters);
  Products products(tape, lowering, sharing);
  std::vector<Signed> values;
  values.reserve(tape.size());
  std::vector<Signed> xs;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    xs.clear();
    for (const std::uint32_t a : tape.args(slot)) xs.push_back(values[a]);
    switch (e.kind()) {
      case Kind::constant: values.push_back(lowering.constant(e.value())); break;
      case Kind::symbol: values.push_back(lowering.symbol(e.symbol())); break;
      case Kind::sum: values.push_back(lowering.sum(xs)); break;
      case Kind::product: values.push_back(products.value(slot, values)); break;
      case Kind::power: values.push_back(lowering.power(xs[0], e.exponent())); break;
      case Kind::call: values.push_back(lowering.call(e.function(), xs)); break;
    }
  }
  std::vector<Signed> results;
  for (const std::uint32_t slot : tape.outputs()) results.push_back(values[slot]);
  Code code = lowering.finish(results);
  remove_unused(code);
  return code;
}

/// Operations as fused code has them, and how long the last of them waits.
std::pair<std::size_t, int> cost(const Code& code) {
  const Code once = fused(code);
  std::size_t total = 0;
  std::vector<int> ready(once.registers());
  for (std::size_t i = 0; i < once.body.size(); ++i) {
    int& now = ready[once.first_result() + i];
    for (const std::uint32_t r : operands(once.body[i])) now = std::max(now, ready[r]);
    now += latency(once.body[i].op);
    total += static_cast<std::size_t>(latency(once.body[i].op));
  }
  return {total, ready.empty() ? 0 : *std::max_element(ready.begin(), ready.end())};
}

}  // namespace

Code straight_line(std::span<const Symbol> inputs, std::span<const Symbol> parameters,
                   std::span<const Expr> outputs) {
  constexpr std::size_t small = 1000;
  const std::vector<Expr> plain =
      with_sums(outputs, [](std::span<const Expr> xs) { return collapsed(sum(xs)); });
  Code code = lowered(inputs, parameters, plain, nullptr);
  if (code.body.size() < 2 || code.body.size() > small) return code;
  const Moves moves(inputs);
  const std::vector<Expr> shorter =
      with_sums(plain, [&](std::span<const Expr> xs) { return factored(xs, moves); });
  Code other = lowered(inputs, parameters, shorter, &moves);
  const auto [operations, wait] = cost(code);
  const auto [fewer, longer] = cost(other);
  return fewer < operations && 10 * longer <= 12 * wait + 20 ? other : code;
}

}  // namespace rattleback
