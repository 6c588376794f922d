#include <rattleback/native/lowering.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/native/schedule.hpp>

namespace rattleback {
namespace {

/// While code grows, the numbers of registers are not known: results are marked, and renumbered at the end.
constexpr std::uint32_t result_bit = 1U << 28, literal_bit = 1U << 27, constant_bit = 1U << 27;

std::uint32_t number(std::uint32_t a, std::uint32_t results, std::uint32_t second, std::uint32_t second_bit) {
  if (a & result_bit) return results + (a & ~result_bit);
  if (a & second_bit) return second + (a & ~second_bit);
  return a;
}
std::vector<Instruction> renumbered(std::vector<Instruction> list, std::uint32_t results,
                                    std::uint32_t second, std::uint32_t second_bit) {
  for (Instruction& i : list) {
    i.a = number(i.a, results, second, second_bit);
    i.b = arity_of(i.op) == 2 ? number(i.b, results, second, second_bit) : i.a;
  }
  return list;
}

Op operation(Function f) {
  static const std::unordered_map<std::string, Op> ops{
#define OPERATION(name, arity) {#name, Op::name},
#include <rattleback/native/operations.def>
#undef OPERATION
  };
  return ops.at(f.name());
}

Signed signed_by(Signed x, bool negative) {
  x.negative = x.negative != negative;
  return x;
}

}  // namespace

std::uint32_t Instructions::add(Op op, std::uint32_t a, std::uint32_t b) {
  if ((op == Op::add || op == Op::mul) && b < a) std::swap(a, b);
  const std::uint64_t key = (std::uint64_t(op) << 58) ^ (std::uint64_t(a) << 29) ^ b;
  const auto [found, is_new] = made_.try_emplace(key, static_cast<std::uint32_t>(list.size()));
  if (is_new) list.push_back({op, a, b});
  return found->second;
}

Lowering::Lowering(std::span<const Symbol> inputs, std::span<const Symbol> parameters) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    symbols_.emplace(inputs[i], Signed{false, false, std::uint32_t(i)});
  for (std::size_t i = 0; i < parameters.size(); ++i)
    symbols_.emplace(parameters[i], Signed{true, false, std::uint32_t(i)});
  code_.inputs = static_cast<std::uint32_t>(inputs.size());
  code_.parameters = static_cast<std::uint32_t>(parameters.size());
}

Signed Lowering::constant(const Rational& c) {
  const bool negative = c.sign() < 0;
  return {true, negative, literal({negative ? -c : c})};
}

Signed Lowering::symbol(Symbol s) {
  if (const auto found = symbols_.find(s); found != symbols_.end()) return found->second;
  if (s.role() == Role::constant && s.name() == "pi") return {true, false, literal({Rational(0), true})};
  throw NoNumber("no-value", fmt::format("`{}` has no value", s.name()),
                 s.role() == Role::parameter ? "the model declares it without one" : "",
                 fmt::format("give it one: --set {}=1", s.name()));
}

/// Σ x: constants first, in the prologue.
Signed Lowering::sum(std::span<const Signed> xs) {
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
Signed Lowering::early_sum(std::vector<Signed> xs) {
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

Signed Lowering::product(std::span<const Signed> xs) {
  std::optional<Signed> fixed, moving;
  for (const Signed& x : xs) (x.constant ? fixed : moving) = times(x.constant ? fixed : moving, x);
  if (fixed && moving) return is_one(*fixed) ? signed_by(*moving, fixed->negative) : *times(fixed, *moving);
  return fixed ? *fixed : moving ? *moving : constant(Rational(1));
}

Signed Lowering::power(const Signed& x, int n) {
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

Signed Lowering::quotient(const Signed& a, const Signed& b) {
  Signed q = apply(Op::div, a, b);
  q.negative = a.negative != b.negative;
  return q;
}

Signed Lowering::call(Function f, std::span<const Signed> xs) {
  if (f.is_abstract())
    throw NoNumber(
        "no-value", fmt::format("the abstract function `{}` has no values", f.name()),
        "numbers need a formula",
        fmt::format("give it one for runs: [functions] {} = {{ of = [...], value = \"...\" }}", f.name()));
  const Signed one = constant(Rational(1));
  switch (f.kind()) {
    case Builtin::cot: return quotient(function(Op::cos, xs[0]), function(Op::sin, xs[0]));
    case Builtin::sec: return quotient(one, function(Op::cos, xs[0]));
    case Builtin::csc: return quotient(one, function(Op::sin, xs[0]));
    default: return function(operation(f), xs[0]);
  }
}

Code Lowering::finish(std::span<const Signed> outputs) {
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

std::uint32_t Lowering::literal(Literal c) {
  const std::uint64_t key = c.is_pi ? 1 : std::hash<Expr>{}(Expr(c.value));
  const auto [found, is_new] = literals_.try_emplace(key, std::uint32_t(code_.literals.size()));
  if (is_new) code_.literals.push_back(std::move(c));
  return literal_bit | found->second;
}
bool Lowering::is_one(const Signed& x) const {
  if (!x.constant || !(x.at & literal_bit)) return false;
  const Literal& c = code_.literals[x.at & ~literal_bit];
  return !c.is_pi && c.value == Rational(1);
}

/// The register of the body that holds a value; constants are imported once.
std::uint32_t Lowering::in_body(const Signed& x) {
  if (!x.constant) return x.at;
  const auto [found, is_new] = imported_.try_emplace(x.at, std::uint32_t(code_.constants.size()));
  if (is_new) code_.constants.push_back(x.at);
  return constant_bit | found->second;
}

Signed Lowering::apply(Op op, const Signed& a, const Signed& b) {
  if (a.constant && b.constant) return {true, false, result_bit | prologue_.add(op, a.at, b.at)};
  const std::uint32_t left = in_body(a), right = in_body(b);
  return in_body(op, left, right, std::max(depth(a), depth(b)));
}
Signed Lowering::apply(Op op, const Signed& a) {
  if (a.constant) return {true, false, result_bit | prologue_.add(op, a.at)};
  return in_body(op, a.at, 0, depth(a));
}
Signed Lowering::in_body(Op op, std::uint32_t a, std::uint32_t b, int operands) {
  const std::uint32_t made = body_.add(op, a, b);
  if (made == depths_.size()) depths_.push_back(operands + latency(op));
  return {false, false, result_bit | made};
}

/// When a value of the body is there, in additions after the start.
int Lowering::depth(const Signed& x) const {
  return x.constant || (x.at & result_bit) == 0 ? 0 : depths_[x.at & ~result_bit];
}
/// A sign that nothing absorbs goes into a constant factor, or becomes an instruction.
Signed Lowering::materialised(const Signed& x) {
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
/// ±a ± b with one instruction: −a − b = −(a + b).
std::optional<Signed> Lowering::plus(const std::optional<Signed>& a, const Signed& b) {
  if (!a) return b;
  if (a->negative == b.negative) return signed_by(apply(Op::add, *a, b), a->negative);
  return a->negative ? apply(Op::sub, b, *a) : apply(Op::sub, *a, b);
}
std::optional<Signed> Lowering::times(const std::optional<Signed>& a, const Signed& b) {
  if (!a) return b;
  return signed_by(apply(Op::mul, *a, b), a->negative != b.negative);
}

/// y of x = y y. √(y²) is |y|, which has a Taylor series also where y stays 0.
std::optional<Signed> Lowering::root_of_square(const Signed& x) const {
  if (x.constant || x.negative || (x.at & result_bit) == 0) return std::nullopt;
  const Instruction& square = body_.list[x.at & ~result_bit];
  if (square.op != Op::mul || square.a != square.b) return std::nullopt;
  return Signed{false, false, square.a};
}

/// Odd functions hand the sign on, even ones drop it.
Signed Lowering::function(Op op, const Signed& x) {
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
    case Op::sqrt:
      if (const auto root = root_of_square(x)) return apply(Op::abs, *root);
      return apply(op, materialised(x));
    default: return apply(op, materialised(x));
  }
}

}  // namespace rattleback
