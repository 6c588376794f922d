#pragma once
/// Register allocation for straight-line code by Belady's rule: the value whose next use is farthest away is spilled.

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <rattleback/native/assembler.hpp>
#include <rattleback/native/steps.hpp>

namespace rattleback {

/// When values are needed: computed backwards, from what has to remain at the end.
class Uses {
 public:
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

  /// `kept` are needed wherever they are made; `last` at the end, where it is not `never`.
  Uses(std::span<const steps::Step> code, std::span<const std::uint32_t> kept, std::uint32_t last);

  bool is_needed(std::uint32_t step) const { return is_needed_[step]; }
  /// Of the value that a step makes.
  std::uint32_t first_use(std::uint32_t step) const { return first_[step]; }
  /// After this step, of its operand number i.
  std::uint32_t next_use(std::uint32_t step, int i) const { return next_[step][static_cast<std::size_t>(i)]; }

 private:
  std::vector<bool> is_needed_;
  std::vector<std::uint32_t> first_;
  std::vector<std::array<std::uint32_t, 3>> next_;
};

/// Writes the loads and stores that bring values into registers. A value without a place in memory is spilled to the stack
/// when its register is taken; inputs, constants and literals are in memory already.
class RegisterFile {
 public:
  RegisterFile(x86::Assembler& to, std::size_t values)
      : to_(to),
        register_of_(values, none),
        home_(values, {x86::Base::rax, 0}),
        next_use_(values, Uses::never) {
    value_in_.fill(empty);
  }

  /// Reserves the first doubles on the stack for the caller. To be called once, before the first spill.
  void reserve(std::size_t slots) { slots_ = slots; }
  /// A value that lies in memory.
  void place(std::uint32_t value, x86::Address home) { home_[value] = home; }
  void needs(std::uint32_t value, std::uint32_t next_use) { next_use_[value] = next_use; }

  bool is_in_register(std::uint32_t value) const { return register_of_[value] != none; }
  bool is_last(std::uint32_t value) const { return next_use_[value] == Uses::never; }
  /// Begins a step with these operands: their registers are not to be taken until release(), nor are those asked for below.
  void hold(std::span<const std::uint32_t> values);
  x86::Xmm in_register(std::uint32_t value);
  /// Where it is: in memory only when no register is free or it is not needed again.
  x86::Operand anywhere(std::uint32_t value);
  /// A register for a new value.
  x86::Xmm fresh();
  void put(std::uint32_t value, x86::Xmm in);
  /// Values not needed any more give their places back; registers may be taken again.
  void release(std::span<const std::uint32_t> operands);
  /// Everything that is needed later goes to memory, and no register holds anything.
  void flush();

  /// Doubles on the stack.
  std::size_t slots() const { return slots_; }

 private:
  static constexpr std::int8_t none = -1;
  static constexpr std::uint32_t empty = Uses::never;

  static x86::Xmm xmm(int r) { return static_cast<x86::Xmm>(r); }
  bool has_home(std::uint32_t value) const { return home_[value].base != x86::Base::rax; }
  void keep(std::uint32_t value);
  void forget(std::uint32_t value);
  int free_register() const;

  x86::Assembler& to_;
  std::vector<std::int8_t> register_of_;
  std::vector<x86::Address> home_;  ///< rax: none
  std::vector<std::uint32_t> next_use_;
  std::array<std::uint32_t, x86::xmm_registers> value_in_{};
  std::uint32_t held_ = 0;  ///< one bit for each register
  std::vector<std::int32_t> free_slots_,
      given_back_;  ///< given back: free from the next step on, this one may read them
  std::size_t slots_ = 0;
};

}  // namespace rattleback
