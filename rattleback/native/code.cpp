#include <rattleback/native/code.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/signs/pythagoras.hpp>
#include <rattleback/native/factored.hpp>
#include <rattleback/native/fused.hpp>
#include <rattleback/native/lowering.hpp>
#include <rattleback/native/schedule.hpp>

namespace rattleback {
namespace {

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
  return pruned(lowering.finish(results));
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

Code pruned(Code code) {
  std::vector<bool> needed(code.registers());
  for (const std::uint32_t out : code.outputs) needed[out] = true;
  const std::size_t first = code.first_result();
  for (std::size_t i = code.body.size(); i-- > 0;)
    if (needed[first + i])
      for (const std::uint32_t r : operands(code.body[i])) needed[r] = true;
  std::vector<std::uint32_t> place(code.registers());
  for (std::uint32_t r = 0; r < first; ++r) place[r] = r;
  std::vector<Instruction> kept;
  for (std::size_t i = 0; i < code.body.size(); ++i) {
    if (!needed[first + i]) continue;
    place[first + i] = static_cast<std::uint32_t>(first + kept.size());
    const auto [a, b, c] = operands(code.body[i]);
    kept.push_back({code.body[i].op, place[a], place[b], place[c]});
  }
  code.body = std::move(kept);
  for (std::uint32_t& out : code.outputs) out = place[out];
  return code;
}

Code with_empty_body(Code code) {
  code.body.clear();
  return code;
}

std::uint32_t constant_register(Code& code, const Rational& number) {
  const auto new_literal = static_cast<std::uint32_t>(code.parameters + code.literals.size());
  for (std::uint32_t k = 0; k < code.constants.size(); ++k) {
    const std::uint32_t c = code.constants[k];
    if (c < code.parameters || c >= new_literal) continue;
    const Literal& literal = code.literals[c - code.parameters];
    if (!literal.is_pi && literal.value == number) return code.inputs + k;
  }
  const auto moved = [&](std::uint32_t r) { return r < new_literal ? r : r + 1; };
  code.literals.push_back({number});
  for (Instruction& i : code.prologue) i = {i.op, moved(i.a), moved(i.b), moved(i.c)};
  for (std::uint32_t& c : code.constants) c = moved(c);
  code.constants.push_back(new_literal);
  return static_cast<std::uint32_t>(code.first_result() - 1);
}

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
