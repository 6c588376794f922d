#include <rattleback/native/jet_code.hpp>

#include <algorithm>
#include <map>
#include <unordered_map>

#include <rattleback/native/schedule.hpp>

namespace rattleback {
namespace {

using Register = std::uint32_t;

/// There is no recurrence, or no room.
struct Unwritten {};

/// A body that grows; equal instructions are made once. Registers of the result: inputs, old constants, new constants, results;
/// while it grows, results are marked, because the number of constants is not known yet.
class Writer {
 public:
  Writer(const Code& rates, std::size_t longest) : longest_(longest) {
    code_.inputs = rates.inputs;
    code_.parameters = rates.parameters;
    code_.literals = rates.literals;
    code_.prologue = rates.prologue;
    code_.constants = rates.constants;
  }

  /// a/b
  Register constant(long a, long b = 1) {
    const Register next = code_.inputs + static_cast<Register>(code_.constants.size() + numbers_.size());
    const auto [found, is_new] = places_.try_emplace({a, b}, next);
    if (is_new) numbers_.emplace_back(a, b);
    return found->second;
  }
  Register apply(Op op, Register a, Register b) {
    if ((op == Op::add || op == Op::mul) && b < a) std::swap(a, b);
    const std::uint64_t key = (std::uint64_t(op) << 60U) ^ (std::uint64_t(a) << 30U) ^ b;
    const auto [found, is_new] =
        made_.try_emplace(key, result_bit | static_cast<Register>(code_.body.size()));
    if (is_new) {
      if (code_.body.size() == longest_) throw Unwritten{};
      code_.body.push_back({op, a, b});
      depths_.push_back(std::max(depth(a), depth(b)) + latency(op));
    }
    return found->second;
  }
  Register apply(Op op, Register a) { return apply(op, a, a); }

  /// Those that are there first are added first, one after the other: a chain, in which every product is fused (fused.hpp), and
  /// which waits for no more than the two that the last coefficients make.
  Register sum(std::vector<Register> terms) {
    std::stable_sort(terms.begin(), terms.end(), [&](Register a, Register b) { return depth(a) < depth(b); });
    Register total = terms.front();
    for (std::size_t k = 1; k < terms.size(); ++k) total = apply(Op::add, total, terms[k]);
    return total;
  }

  Code finished(const std::vector<Register>& outputs) {
    // New numbers are literals of the prologue; its results move up.
    const auto literals = static_cast<Register>(code_.literals.size());
    const auto first = static_cast<Register>(code_.parameters + literals),
               more = static_cast<Register>(numbers_.size());
    const auto moved = [&](Register r) { return r < first ? r : r + more; };
    for (Instruction& i : code_.prologue) i = {i.op, moved(i.a), moved(i.b)};
    for (Register& c : code_.constants) c = moved(c);
    for (const Rational& value : numbers_) {
      code_.constants.push_back(code_.parameters + static_cast<Register>(code_.literals.size()));
      code_.literals.push_back({value});
    }
    const auto result = static_cast<Register>(code_.first_result());
    const auto placed = [&](Register r) { return (r & result_bit) != 0 ? result + (r & ~result_bit) : r; };
    for (Instruction& i : code_.body) i = {i.op, placed(i.a), placed(i.b)};
    for (const Register out : outputs) code_.outputs.push_back(placed(out));
    return std::move(code_);
  }

 private:
  static constexpr Register result_bit = 1U << 29U;
  int depth(Register r) const { return (r & result_bit) != 0 ? depths_[r & ~result_bit] : 0; }

  Code code_;
  std::size_t longest_;
  std::vector<Rational> numbers_;
  std::map<std::pair<long, long>, Register> places_;  ///< of the numbers
  std::unordered_map<std::uint64_t, Register> made_;
  std::vector<int> depths_;
};

/// Coefficients of one register of the rates; those that are zero for certain are not there.
using Series = std::vector<std::optional<Register>>;

class Recurrences {
 public:
  Recurrences(const Code& rates, std::size_t order, std::size_t longest)
      : rates_(rates), order_(order), to_(rates, longest), series_(rates.registers()) {
    const std::size_t n = rates.outputs.size();
    for (Register i = 0; i < rates.inputs; ++i) series_[i].push_back(i);
    for (Register c = rates.inputs; c < rates.first_result(); ++c) series_[c].push_back(c);
    if (order > 1 && n < rates.inputs) series_[n].push_back(to_.constant(1));  // t = t + 1·s
  }

  Code code() {
    const std::size_t n = rates_.outputs.size();
    const Register zero = to_.constant(0);
    std::vector<Register> outputs;
    for (std::size_t k = 0; k < order_; ++k) {
      for (std::size_t i = 0; i < rates_.body.size(); ++i) extend(i, k);
      const Register next = to_.constant(1, static_cast<long>(k + 1));
      for (std::size_t i = 0; i < n; ++i) {
        const auto rate = at(rates_.outputs[i], k);
        put(series_[i], k + 1, rate ? std::optional(k == 0 ? *rate : to_.apply(Op::mul, *rate, next)) : rate);
        outputs.push_back(series_[i][k + 1].value_or(zero));
      }
    }
    return to_.finished(outputs);
  }

 private:
  using Value = std::optional<Register>;

  static Value of(const Series& s, std::size_t k) { return k < s.size() ? s[k] : std::nullopt; }
  Value at(Register r, std::size_t k) const { return of(series_[r], k); }
  static void put(Series& s, std::size_t k, Value x) {
    s.resize(std::max(s.size(), k + 1));
    s[k] = x;
  }
  Value times(Value a, Value b) { return a && b ? Value(to_.apply(Op::mul, *a, *b)) : std::nullopt; }
  Value negative(Value a) { return a ? Value(to_.apply(Op::neg, *a)) : a; }
  Value minus(Value a, Value b) {
    if (!b) return a;
    return a ? Value(to_.apply(Op::sub, *a, *b)) : negative(b);
  }
  Value plus(Value a, Value b) {
    if (!a || !b) return a ? a : b;
    return to_.apply(Op::add, *a, *b);
  }
  Value total(std::vector<Register> terms) {
    return terms.empty() ? std::nullopt : Value(to_.sum(std::move(terms)));
  }

  /// Σ_{j=from}^{to} a_j b_{k−j}.
  Value convolution(const Series& a, const Series& b, std::size_t from, std::size_t to, std::size_t k) {
    std::vector<Register> terms;
    for (std::size_t j = from; j <= to && j <= k; ++j)
      if (const Value x = times(of(a, j), of(b, k - j))) terms.push_back(*x);
    return total(std::move(terms));
  }
  Value square(const Series& a, std::size_t k) {
    const std::size_t half = (k + 1) / 2;
    Value twice = half == 0 ? std::nullopt : convolution(a, a, 0, half - 1, k);
    if (twice) twice = to_.apply(Op::add, *twice, *twice);
    return k % 2 == 0 ? plus(twice, times(of(a, k / 2), of(a, k / 2))) : twice;
  }
  /// (sign/k) Σ_{j=1}^{to} j a_j b_{k−j}.
  Value weighted(const Series& a, const Series& b, std::size_t to, std::size_t k, long sign = 1) {
    std::vector<Register> terms;
    for (std::size_t j = 1; j <= to; ++j) {
      Value slope = of(a, j);
      if (slope && j > 1) slope = to_.apply(Op::mul, *slope, to_.constant(static_cast<long>(j)));
      if (const Value x = times(slope, of(b, k - j))) terms.push_back(*x);
    }
    const Value sum = total(std::move(terms));
    if (k == 1 || !sum) return sign < 0 ? negative(sum) : sum;
    return to_.apply(Op::mul, *sum, to_.constant(sign, static_cast<long>(k)));
  }
  Value divided(Value a, Register b) { return a ? Value(to_.apply(Op::div, *a, b)) : a; }

  void extend(std::size_t i, std::size_t k) {
    const Instruction& in = rates_.body[i];
    const Series &a = series_[in.a], &b = series_[in.b];
    Series& f = series_[rates_.first_result() + i];
    switch (in.op) {
      case Op::add: return put(f, k, plus(of(a, k), of(b, k)));
      case Op::sub: return put(f, k, minus(of(a, k), of(b, k)));
      case Op::neg: return put(f, k, negative(of(a, k)));
      case Op::mul: return put(f, k, in.a == in.b ? square(a, k) : convolution(a, b, 0, k, k));
      case Op::div: {
        const Value rest = minus(of(a, k), k == 0 ? std::nullopt : convolution(b, f, 1, k, k));
        return put(f, k, divided(rest, b[0].value()));
      }
      case Op::sqrt: {
        if (k == 0) return put(f, 0, to_.apply(Op::sqrt, a[0].value()));
        const Value rest = minus(of(a, k), k == 1 ? std::nullopt : convolution(f, f, 1, k - 1, k));
        return put(f, k, divided(rest, to_.apply(Op::add, *f[0], *f[0])));
      }
      case Op::sin:
      case Op::cos:
      case Op::sinh:
      case Op::cosh: return extend_pair(in, k, f);
      case Op::exp: return put(f, k, k == 0 ? Value(to_.apply(Op::exp, a[0].value())) : weighted(a, f, k, k));
      case Op::log: {
        if (k == 0) return put(f, 0, to_.apply(Op::log, a[0].value()));
        return put(f, k,
                   divided(minus(of(a, k), k == 1 ? std::nullopt : weighted(f, a, k - 1, k)), a[0].value()));
      }
      default: throw Unwritten{};
    }
  }

  /// s' = a' c and c' = ∓ a' s, made once for an argument.
  void extend_pair(const Instruction& in, std::size_t k, Series& f) {
    const bool circular = in.op == Op::sin || in.op == Op::cos;
    auto& [sine, cosine] = pairs_[{in.a, circular}];
    const Series& a = series_[in.a];
    if (sine.size() <= k) {
      const Register x = a[0].value();
      if (k == 0) {
        put(sine, 0, to_.apply(circular ? Op::sin : Op::sinh, x));
        put(cosine, 0, to_.apply(circular ? Op::cos : Op::cosh, x));
      } else {
        const Value s = weighted(a, cosine, k, k), c = weighted(a, sine, k, k, circular ? -1 : 1);
        put(sine, k, s);
        put(cosine, k, c);
      }
    }
    put(f, k, of(in.op == Op::sin || in.op == Op::sinh ? sine : cosine, k));
  }

  const Code& rates_;
  std::size_t order_;
  Writer to_;
  std::vector<Series> series_;
  std::map<std::pair<Register, bool>, std::pair<Series, Series>> pairs_;
};

/// How long the code will be, roughly: products of series have order² instructions.
std::size_t expected_length(const Code& rates, std::size_t order) {
  const auto moves = [&](Register r) { return r < rates.inputs || r >= rates.first_result(); };
  std::size_t length = 0;
  for (const Instruction& in : rates.body) {
    const bool is_sum = in.op == Op::add || in.op == Op::sub || in.op == Op::neg;
    const bool is_product = !is_sum && (arity_of(in.op) == 1 || (moves(in.a) && moves(in.b)));
    length += !is_product ? order : in.a == in.b && in.op == Op::mul ? order * order / 2 : order * order;
  }
  return length;
}

}  // namespace

std::optional<Code> jet_code(const Code& rates, std::size_t order, std::size_t longest) {
  if (expected_length(rates, order) > longest) return std::nullopt;
  try {
    return Recurrences(rates, order, 2 * longest).code();
  } catch (const Unwritten&) {
    return std::nullopt;
  }
}

}  // namespace rattleback
