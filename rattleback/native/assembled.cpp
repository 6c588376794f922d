#include <rattleback/native/assembled.hpp>

#include <algorithm>
#include <cstring>

#include <rattleback/native/angle_rows.hpp>
#include <rattleback/native/code_sizes.hpp>
#include <rattleback/native/emitter.hpp>
#include <rattleback/native/register_file.hpp>
#include <rattleback/native/schedule.hpp>

namespace rattleback {
namespace {

using StepKind = steps::Kind;
using Step = steps::Step;
using Address = x86::Address;
using Base = x86::Base;
using Xmm = x86::Xmm;
using Operand = x86::Operand;

/// Code as steps, with the steps of its outputs.
struct Program {
  steps::Writer writer;
  std::vector<std::uint32_t> outputs;
  std::uint32_t wild = Uses::never;
  std::vector<std::uint32_t> acts;  ///< steps without result
  std::size_t rows = 0;
};

class ProgramWriter {
 public:
  ProgramWriter(const Code& code, Program& program)
      : code_(code), program_(program), to_(program.writer), emitter_(to_), values_(code.registers()) {
    for (std::uint32_t i = 0; i < code.inputs; ++i) values_[i] = to_.value({StepKind::input, i});
    for (std::uint32_t i = 0; i < code.constants.size(); ++i)
      values_[code.inputs + i] = to_.value({StepKind::constant, i});
  }

  void run() {
    std::optional<Schedule> parts;
    // Shorter code makes sines one by one, as their turn comes.
    if (code_.body.size() >= code_sizes::angles_in_rows.count) parts = schedule(code_);
    if (parts && parts->angles.size() >= code_sizes::angles.count) {
      in_parts(*parts);
    } else {
      for (std::uint32_t i = 0; i < code_.body.size(); ++i) instruction(i);
    }
    for (const std::uint32_t out : code_.outputs) program_.outputs.push_back(values_[out].step);
    if (const steps::Mask wild = emitter_.wild(); wild.to != nullptr) program_.wild = wild.step;
  }

 private:
  void instruction(std::uint32_t i) {
    const Instruction& in = code_.body[i];
    values_[code_.first_result() + i] = emitter_.apply(in.op, values_[in.a], values_[in.b], values_[in.c]);
  }
  void act(Step step) { program_.acts.push_back(to_.add(step)); }
  steps::Value row(std::size_t i) { return to_.value({StepKind::row, static_cast<std::uint32_t>(i)}); }

  /// The first angles side by side, before all that needs their sines.
  void in_parts(const Schedule& parts) {
    const std::size_t count = parts.angles.size();
    program_.rows = 2 * count + 1;
    for (const std::uint32_t i : parts.before) instruction(i);
    for (std::uint32_t k = 0; k < count; ++k) act({StepKind::set_row, values_[parts.angles[k]].step, k});
    const std::uint32_t function = to_.literal(reinterpret_cast<std::uint64_t>(angle_rows()));
    act({StepKind::angle_rows, to_.steps()[function].a, static_cast<std::uint32_t>(count)});
    std::vector<bool> is_made(code_.registers());
    for (std::size_t k = 0; k < count; ++k) {
      emitter_.knows(values_[parts.angles[k]], {row(k), row(count + k)});
      is_made[parts.angles[k]] = true;
    }
    emitter_.joins(bits(row(2 * count)));
    for (std::uint32_t i = 0; i < code_.body.size(); ++i)
      if (is_angle_function(code_.body[i].op) && is_made[code_.body[i].a]) instruction(i);
    for (const std::uint32_t i : parts.after) instruction(i);
  }

  const Code& code_;
  Program& program_;
  steps::Writer& to_;
  Emitter<steps::Writer> emitter_;
  std::vector<steps::Value> values_;
};

/// Literals first, then the function.
class Assembly {
 public:
  explicit Assembly(const Program& program)
      : program_(program),
        code_(program.writer.steps()),
        uses_(code_, needed(program), program.wild),
        registers_(to_, code_.size()),
        calls_(program.rows > 0) {
    registers_.reserve(program.rows);
    for (std::uint32_t k = 0; k < code_.size(); ++k)
      calls_ = calls_ || (code_[k].kind == StepKind::call && uses_.is_needed(k));
    for (std::uint32_t i = 0; i < program.outputs.size(); ++i) outputs_.emplace_back(program.outputs[i], i);
    std::sort(outputs_.begin(), outputs_.end());
    for (const std::uint64_t literal : program.writer.literals()) to_.data(literal);
    to_.data(0);  // what reads two doubles may begin at the last literal
    to_.align(64);
    entry_ = to_.size();
    enter();
    for (std::uint32_t k = 0; k < code_.size(); ++k)
      if (uses_.is_needed(k)) write(k);
    leave();
  }

  const std::vector<std::uint8_t>& bytes() const { return to_.bytes(); }
  std::size_t entry() const { return entry_; }

 private:
  static std::vector<std::uint32_t> needed(const Program& program) {
    std::vector<std::uint32_t> all = program.outputs;
    all.insert(all.end(), program.acts.begin(), program.acts.end());
    return all;
  }

  /// Registers that a call leaves alone hold the addresses where there are calls.
  Base x() const { return calls_ ? Base::rbx : Base::rdi; }
  Base constants() const { return calls_ ? Base::rbp : Base::rsi; }
  Base y() const { return calls_ ? Base::r14 : Base::rdx; }
  static constexpr Base kept[] = {Base::rbx, Base::rbp, Base::r14, Base::r15};

  void enter() {
    if (calls_) {
      for (const Base r : kept) to_.push(r);
      to_.copy(x(), Base::rdi);
      to_.copy(constants(), Base::rsi);
      to_.copy(y(), Base::rdx);
      to_.copy(Base::r15, Base::r8);
    }
    frame_ = to_.move_stack(0);
  }
  void leave() {
    if (program_.wild == Uses::never)
      to_.result_zero();
    else
      to_.result_bit(registers_.in_register(program_.wild));
    const auto slots =
        static_cast<std::int32_t>(registers_.slots() | 1);  // odd: calls find the stack aligned
    to_.set_stack(frame_, -8 * slots);
    to_.move_stack(8 * slots);
    if (calls_)
      for (std::size_t i = std::size(kept); i-- > 0;) to_.pop(kept[i]);
    to_.ret();
  }

  /// One step: its operands where the instruction wants them, the result in a register, and in y where it is an output.
  void write(std::uint32_t k) {
    const Step& step = code_[k];
    const std::array<std::uint32_t, 3> read{step.a, step.b, step.c};
    const std::span operands(read.data(), static_cast<std::size_t>(operands_of(step.kind)));
    for (std::size_t i = 0; i < operands.size(); ++i)
      registers_.needs(operands[i], uses_.next_use(k, static_cast<int>(i)));
    registers_.needs(k, uses_.first_use(k));
    if (step.kind == StepKind::angle_rows) {
      make_angles(step);
    } else if (operands.empty()) {
      registers_.place(k, home(step));
    } else if (step.kind == StepKind::set_row) {
      registers_.hold(operands);
      to_.store(at(Base::rsp, step.b), registers_.in_register(step.a));
      registers_.release(operands);
    } else {
      registers_.hold(operands);
      registers_.put(k, compute(step, operands));
    }
    for (; next_output_ < outputs_.size() && outputs_[next_output_].first == k; ++next_output_)
      to_.store(at(y(), outputs_[next_output_].second), registers_.in_register(k));
    registers_.release(std::array{k});
  }

  static Address at(Base base, std::uint32_t index) { return {base, static_cast<std::int32_t>(8 * index)}; }
  Address home(const Step& step) const {
    if (step.kind == StepKind::literal) return at(Base::rip, step.a);
    if (step.kind == StepKind::row) return at(Base::rsp, step.a);
    return at(step.kind == StepKind::input ? x() : constants(), step.a);
  }

  /// The register of the result. The registers of dead operands have been freed.
  Xmm compute(const Step& step, std::span<const std::uint32_t> operands) {
    switch (step.kind) {
      case StepKind::add: return sum(x86::addsd, step, operands, true);
      case StepKind::mul: return sum(x86::mulsd, step, operands, true);
      case StepKind::sub: return sum(x86::subsd, step, operands, false);
      case StepKind::div: return sum(x86::divsd, step, operands, false);
      case StepKind::mul_add: return fused(x86::Fused::add, step, operands);
      case StepKind::mul_sub: return fused(x86::Fused::subtract, step, operands);
      case StepKind::sub_mul: return fused(x86::Fused::negate, step, operands);
      case StepKind::bit_and: return whole(x86::andpd, step, operands);
      case StepKind::bit_or: return whole(x86::orpd, step, operands);
      case StepKind::bit_xor: return whole(x86::xorpd, step, operands);
      case StepKind::add_whole: return whole(x86::paddq, step, operands);
      case StepKind::call: return called(step, operands);
      case StepKind::blend: {
        const Xmm a = registers_.in_register(step.a), b = registers_.in_register(step.b),
                  mask = registers_.in_register(step.c), result = after(operands);
        to_.blend(result, mask, a, b);
        return result;
      }
      case StepKind::differs: {
        const Xmm a = registers_.in_register(step.a);
        const Operand b = registers_.anywhere(step.b);
        const Xmm result = after(operands);
        to_.not_equal(result, a, b);
        return result;
      }
      default: {
        const Xmm a = registers_.in_register(step.a), result = after(operands);
        if (step.kind == StepKind::shift_left)
          to_.shift_left(result, a, static_cast<std::uint8_t>(step.b));
        else
          to_.apply(x86::sqrtsd, result, a, a);
        return result;
      }
    }
  }

  Xmm after(std::span<const std::uint32_t> operands) {
    registers_.release(operands);
    return registers_.fresh();
  }

  Xmm sum(x86::Opcode op, const Step& step, std::span<const std::uint32_t> operands, bool commutes) {
    std::uint32_t a = step.a, b = step.b;
    if (commutes && !registers_.is_in_register(a) && registers_.is_in_register(b)) std::swap(a, b);
    const Xmm first = registers_.in_register(a);
    const Operand second = registers_.anywhere(b);
    const Xmm result = after(operands);
    to_.apply(op, result, first, second);
    return result;
  }

  /// Bits; what lies in memory may be the last double that can be read there, unless it is a literal.
  Xmm whole(x86::Opcode op, const Step& step, std::span<const std::uint32_t> operands) {
    const Xmm a = registers_.in_register(step.a);
    const Operand b = code_[step.b].kind == StepKind::literal ? registers_.anywhere(step.b)
                                                              : Operand(registers_.in_register(step.b));
    const Xmm result = after(operands);
    to_.apply(op, result, a, b);
    return result;
  }

  /// The result overwrites an operand: a dead one, or a copy.
  Xmm fused(x86::Fused how, const Step& step, std::span<const std::uint32_t> operands) {
    std::uint32_t a = step.a, b = step.b;
    const std::uint32_t c = step.c;
    if (registers_.is_last(c)) {
      const Xmm to = registers_.in_register(c);
      if (!registers_.is_in_register(a)) std::swap(a, b);
      const Xmm x = registers_.in_register(a);
      to_.fuse(how, x86::Order::o231, to, x, registers_.anywhere(b));
      return replaced(to, operands);
    }
    if (!registers_.is_last(a)) std::swap(a, b);
    Xmm to = registers_.in_register(a);
    const bool factor_in_memory = !registers_.is_in_register(b) && registers_.is_in_register(c);
    const Xmm x = registers_.in_register(factor_in_memory ? c : b);
    const Operand y = registers_.anywhere(factor_in_memory ? b : c);
    if (!registers_.is_last(a)) {
      const Xmm copy = registers_.fresh();
      to_.move(copy, to);
      to = copy;
    }
    to_.fuse(how, factor_in_memory ? x86::Order::o132 : x86::Order::o213, to, x, y);
    return replaced(to, operands);
  }
  Xmm replaced(Xmm to, std::span<const std::uint32_t> operands) {
    registers_.release(operands);
    return to;
  }

  void make_angles(const Step& step) {
    registers_.flush();
    to_.copy(Base::rdi, Base::rsp);
    to_.set(Base::rsi, static_cast<std::int32_t>(step.b));
    to_.load(Base::rax, at(Base::rip, step.a));
    to_.call(Base::rax);
  }

  Xmm called(const Step& step, std::span<const std::uint32_t> operands) {
    const Xmm argument = registers_.in_register(step.a);
    registers_.flush();
    if (argument != Xmm{}) to_.move(Xmm{}, argument);
    to_.load(Base::rax, at(Base::r15, step.b));
    to_.call(Base::rax);
    registers_.release(operands);
    return Xmm{};
  }

  const Program& program_;
  const std::vector<Step>& code_;
  x86::Assembler to_;
  Uses uses_;
  RegisterFile registers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> outputs_;  ///< steps, and where in y they go
  std::size_t next_output_ = 0, entry_ = 0, frame_ = 0;
  bool calls_;
};

}  // namespace

std::shared_ptr<const AssembledCode> assembled(const Code& code) {
#if defined(__x86_64__)
  if (!rounds_once(this_processor())) return nullptr;
  Program program;
  ProgramWriter(code, program).run();
  const Assembly assembly(program);
  ExecutableMemory memory(assembly.bytes().size());
  if (memory.data() == nullptr) return nullptr;
  std::memcpy(memory.data(), assembly.bytes().data(), assembly.bytes().size());
  if (!memory.seal()) return nullptr;
  const auto function = reinterpret_cast<ScalarCode>(memory.data() + assembly.entry());
  return std::make_shared<const AssembledCode>(AssembledCode{std::move(memory), function});
#else
  return nullptr;
#endif
}

}  // namespace rattleback
