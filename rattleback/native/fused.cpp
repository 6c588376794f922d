#include <rattleback/native/fused.hpp>

#include <algorithm>

#include <rattleback/native/schedule.hpp>

namespace rattleback {
namespace {

class Fusion {
 public:
  explicit Fusion(const Code& code)
      : code_(code), uses_(code.registers()), ready_(code.registers()), absorbed_(code.body.size()) {
    for (const Instruction& in : code.body) {
      ++uses_[in.a];
      if (arity_of(in.op) > 1) ++uses_[in.b];
      if (arity_of(in.op) > 2) ++uses_[in.c];
    }
    for (const std::uint32_t out : code.outputs) ++uses_[out];
  }

  std::vector<Instruction> body() {
    std::vector<Instruction> made;
    for (std::size_t i = 0; i < code_.body.size(); ++i) {
      made.push_back(with_product(code_.body[i]));
      int operand = 0;
      for (const std::uint32_t r : operands(made.back())) operand = std::max(operand, ready_[r]);
      ready_[code_.first_result() + i] = operand + latency(made.back().op);
    }
    return made;
  }
  /// Whether an instruction has become a part of another.
  bool is_absorbed(std::size_t i) const { return absorbed_[i]; }

 private:
  bool is_private_product(std::uint32_t r) const {
    return r >= code_.first_result() && code_.body[r - code_.first_result()].op == Op::mul && uses_[r] == 1;
  }
  Instruction absorbing(Op op, std::uint32_t product, std::uint32_t other) {
    const std::size_t i = product - code_.first_result();
    absorbed_[i] = true;
    return {op, code_.body[i].a, code_.body[i].b, other};
  }
  Instruction with_product(const Instruction& in) {
    if (in.op != Op::add && in.op != Op::sub) return in;
    const bool left = is_private_product(in.a), right = is_private_product(in.b);
    if (in.op == Op::sub) {
      if (left == right) return in;
      return left ? absorbing(Op::mul_sub, in.a, in.b) : absorbing(Op::sub_mul, in.b, in.a);
    }
    if (!left && !right) return in;
    // Of two products the one that is there first is made by itself.
    const bool take_left = left && (!right || ready_[in.a] > ready_[in.b]);
    return take_left ? absorbing(Op::mul_add, in.a, in.b) : absorbing(Op::mul_add, in.b, in.a);
  }

  const Code& code_;
  std::vector<int> uses_, ready_;
  std::vector<bool> absorbed_;
};

}  // namespace

Code fused(Code code) {
  Fusion fusion(code);
  const std::vector<Instruction> body = fusion.body();
  const auto first = static_cast<std::uint32_t>(code.first_result());
  std::vector<std::uint32_t> place(code.registers());
  for (std::uint32_t r = 0; r < first; ++r) place[r] = r;
  std::vector<Instruction> kept;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (fusion.is_absorbed(i)) continue;
    place[first + i] = first + static_cast<std::uint32_t>(kept.size());
    const auto [a, b, c] = operands(body[i]);
    kept.push_back({body[i].op, place[a], place[b], place[c]});
  }
  code.body = std::move(kept);
  for (std::uint32_t& out : code.outputs) out = place[out];
  return code;
}

}  // namespace rattleback
