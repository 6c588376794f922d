#include <rattleback/native/schedule.hpp>

#include <algorithm>

namespace rattleback {
namespace {

/// The longest chain from the start of an instruction to the end of the code.
std::vector<int> heights(const Code& code) {
  const std::size_t first = code.first_result();
  std::vector<int> behind(code.registers(), 0), height(code.body.size());
  for (std::size_t i = code.body.size(); i-- > 0;) {
    const Instruction& in = code.body[i];
    height[i] = behind[first + i] + latency(in.op);
    for (const std::uint32_t r : operands(in)) behind[r] = std::max(behind[r], height[i]);
  }
  return height;
}

/// Registers whose value follows from the inputs without a function.
std::vector<bool> without_functions(const Code& code) {
  std::vector<bool> plain(code.registers(), true);
  for (std::size_t i = 0; i < code.body.size(); ++i) {
    const Instruction& in = code.body[i];
    const bool simple = latency(in.op) <= latency(Op::div);
    const auto read = operands(in);
    plain[code.first_result() + i] = simple && plain[read[0]] && plain[read[1]] && plain[read[2]];
  }
  return plain;
}

}  // namespace

int latency(Op op) {
  switch (op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::mul_add:
    case Op::mul_sub:
    case Op::sub_mul:
    case Op::neg:
    case Op::abs: return 1;
    case Op::div:
    case Op::sqrt: return 4;
    default: return 16;
  }
}

Schedule schedule(const Code& code) {
  const std::size_t first = code.first_result();
  const std::vector<bool> plain = without_functions(code);
  Schedule parts;
  std::vector<bool> needed(code.registers()), is_listed(code.registers());
  for (const Instruction& in : code.body) {
    if (!is_angle_function(in.op) || !plain[in.a]) continue;
    needed[in.a] = true;
    if (!is_listed[in.a]) parts.angles.push_back(in.a);
    is_listed[in.a] = true;
  }
  for (std::size_t i = code.body.size(); i-- > 0;) {
    const Instruction& in = code.body[i];
    if (!needed[first + i]) continue;
    for (const std::uint32_t r : operands(in)) needed[r] = true;
  }
  for (std::uint32_t i = 0; i < code.body.size(); ++i) {
    const Instruction& in = code.body[i];
    if (is_angle_function(in.op) && is_listed[in.a]) continue;
    (needed[first + i] ? parts.before : parts.after).push_back(i);
  }
  const std::vector<int> height = heights(code);
  for (std::vector<std::uint32_t>* part : {&parts.before, &parts.after})
    std::stable_sort(part->begin(), part->end(),
                     [&](std::uint32_t i, std::uint32_t j) { return height[i] > height[j]; });
  return parts;
}

}  // namespace rattleback
