#include <rattleback/native/register_file.hpp>

namespace rattleback {

Uses::Uses(std::span<const steps::Step> code, std::span<const std::uint32_t> kept, std::uint32_t last)
    : is_needed_(code.size()), first_(code.size(), never), next_(code.size()) {
  for (const std::uint32_t step : kept) is_needed_[step] = true;
  if (last != never) {
    is_needed_[last] = true;
    first_[last] = static_cast<std::uint32_t>(code.size());
  }
  for (auto k = static_cast<std::uint32_t>(code.size()); k-- > 0;) {
    if (!is_needed_[k]) continue;
    const std::array<std::uint32_t, 3> read{code[k].a, code[k].b, code[k].c};
    const auto count = static_cast<std::size_t>(operands_of(code[k].kind));
    for (std::size_t i = 0; i < count; ++i) next_[k][i] = first_[read[i]];
    for (std::size_t i = 0; i < count; ++i) {
      first_[read[i]] = k;
      is_needed_[read[i]] = true;
    }
  }
}

int RegisterFile::free_register() const {
  for (int r = 0; r < x86::xmm_registers; ++r)
    if (value_in_[static_cast<std::size_t>(r)] == empty && (held_ >> r & 1) == 0) return r;
  return none;
}

void RegisterFile::keep(std::uint32_t value) {
  if (has_home(value)) return;
  if (free_slots_.empty()) free_slots_.push_back(static_cast<std::int32_t>(8 * slots_++));
  home_[value] = {x86::Base::rsp, free_slots_.back()};
  free_slots_.pop_back();
  to_.store(home_[value], xmm(register_of_[value]));
}

x86::Xmm RegisterFile::fresh() {
  int r = free_register();
  if (r == none) {
    for (int k = 0; k < x86::xmm_registers; ++k) {
      if ((held_ >> k & 1) != 0) continue;
      if (r == none || next_use_[value_in_[static_cast<std::size_t>(k)]] >
                           next_use_[value_in_[static_cast<std::size_t>(r)]])
        r = k;
    }
    const std::uint32_t value = value_in_[static_cast<std::size_t>(r)];
    keep(value);
    forget(value);
  }
  held_ |= 1U << r;
  return xmm(r);
}

void RegisterFile::put(std::uint32_t value, x86::Xmm in) {
  const auto r = static_cast<std::uint8_t>(in);
  value_in_[r] = value;
  register_of_[value] = static_cast<std::int8_t>(r);
}

void RegisterFile::forget(std::uint32_t value) {
  value_in_[static_cast<std::size_t>(register_of_[value])] = empty;
  register_of_[value] = none;
}

void RegisterFile::hold(std::span<const std::uint32_t> values) {
  free_slots_.insert(free_slots_.end(), given_back_.begin(), given_back_.end());
  given_back_.clear();
  for (const std::uint32_t value : values)
    if (is_in_register(value)) held_ |= 1U << register_of_[value];
}

x86::Xmm RegisterFile::in_register(std::uint32_t value) {
  if (!is_in_register(value)) {
    const x86::Xmm r = fresh();
    to_.load(r, home_[value]);
    put(value, r);
  }
  held_ |= 1U << register_of_[value];
  return xmm(register_of_[value]);
}

x86::Operand RegisterFile::anywhere(std::uint32_t value) {
  if (is_in_register(value)) return in_register(value);
  if (next_use_[value] != Uses::never && free_register() != none) return in_register(value);
  return home_[value];
}

void RegisterFile::release(std::span<const std::uint32_t> operands) {
  for (const std::uint32_t value : operands) {
    if (next_use_[value] != Uses::never) continue;
    if (is_in_register(value)) forget(value);
    if (home_[value].base == x86::Base::rsp) {
      given_back_.push_back(home_[value].offset);
      home_[value] = {x86::Base::rax, 0};
    }
  }
  held_ = 0;
}

void RegisterFile::flush() {
  for (const std::uint32_t value : std::array(value_in_)) {
    if (value == empty) continue;
    if (next_use_[value] != Uses::never) keep(value);
    forget(value);
  }
  held_ = 0;
}

}  // namespace rattleback
