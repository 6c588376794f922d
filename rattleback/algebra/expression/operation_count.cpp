#include <rattleback/algebra/expression/operation_count.hpp>

#include <algorithm>
#include <bit>
#include <limits>

#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

bool is_fixed_symbol(Symbol s) { return s.role() == Role::parameter || s.role() == Role::constant; }

/// b^n by squaring.
std::size_t power_cost(int exponent) {
  const auto n = static_cast<unsigned>(std::abs(exponent));
  return static_cast<std::size_t>(std::bit_width(n) - 1 + std::popcount(n) - 1);
}

class Count {
 public:
  explicit Count(std::span<const Expr> roots)
      : tape_(roots), fixed_(tape_.size(), true), uses_(tape_.size(), 0), divides_(tape_.size(), false) {
    for (std::size_t slot = 0; slot < tape_.size(); ++slot) {
      const Expr e = tape_.node(slot);
      if (e.is(Kind::symbol)) fixed_[slot] = is_fixed_symbol(e.symbol());
      for (const std::uint32_t a : tape_.args(slot)) {
        fixed_[slot] = fixed_[slot] && fixed_[a];
        ++uses_[a];
      }
    }
    for (const std::uint32_t root : tape_.outputs()) ++uses_[root];
    for (std::size_t slot = 0; slot < tape_.size(); ++slot) mark_divisions(slot);
  }

  OperationCount result() const {
    OperationCount total;
    for (std::size_t slot = 0; slot < tape_.size(); ++slot)
      (fixed_[slot] ? total.hoisted : total.operations) += cost(slot);
    return total;
  }

  /// Users come after what they use: an owner is known before it is handed on.
  std::vector<std::size_t> unshared() const {
    constexpr std::size_t no_owner = std::numeric_limits<std::size_t>::max(), several = no_owner - 1;
    std::vector<std::size_t> owner(tape_.size(), no_owner), total(tape_.outputs().size(), 0);
    const auto claim = [&](std::uint32_t slot, std::size_t root) {
      owner[slot] = owner[slot] == no_owner || owner[slot] == root ? root : several;
    };
    for (std::size_t root = 0; root < total.size(); ++root) claim(tape_.outputs()[root], root);
    for (std::size_t slot = tape_.size(); slot-- > 0;) {
      for (const std::uint32_t a : tape_.args(slot)) claim(a, owner[slot]);
      if (owner[slot] < several && !fixed_[slot]) total[owner[slot]] += cost(slot);
    }
    return total;
  }

 private:
  /// a·b⁻¹ is one division when b⁻¹ is used nowhere else.
  void mark_divisions(std::size_t slot) {
    if (!tape_.node(slot).is(Kind::product)) return;
    const auto args = tape_.args(slot);
    std::size_t whole = 0;
    for (const std::uint32_t a : args) whole += is_reciprocal(a) ? 0 : 1;
    for (const std::uint32_t a : args) {
      if (is_reciprocal(a) && uses_[a] == 1 && whole > 0) divides_[a] = true;
    }
  }

  bool is_reciprocal(std::uint32_t slot) const {
    return tape_.node(slot).is(Kind::power) && tape_.node(slot).exponent() < 0 && !fixed_[slot];
  }

  std::size_t product_cost(std::size_t slot) const {
    std::size_t factors = 0;
    bool number = false;
    for (const std::uint32_t a : tape_.args(slot)) {
      const Expr e = tape_.node(a);
      if (fixed_[slot] || !fixed_[a]) {
        factors += e.is(Kind::constant) && (-e).is_one() ? 0 : 1;
      } else {
        number = number || !(e.is(Kind::constant) && (-e).is_one());
      }
    }
    return factors + (number ? 1 : 0) - 1;
  }

  std::size_t cost(std::size_t slot) const {
    const Expr e = tape_.node(slot);
    switch (e.kind()) {
      case Kind::constant:
      case Kind::symbol: return 0;
      case Kind::sum: return sum_cost(slot);
      case Kind::product: return product_cost(slot);
      case Kind::power: return power_cost(e.exponent()) + (e.exponent() < 0 && !divides_[slot] ? 1 : 0);
      case Kind::call: return 1;
    }
    return 0;
  }

  std::size_t sum_cost(std::size_t slot) const {
    std::size_t terms = 0;
    bool number = false;
    for (const std::uint32_t a : tape_.args(slot)) {
      if (fixed_[slot] || !fixed_[a]) {
        ++terms;
      } else {
        number = true;
      }
    }
    return terms + (number ? 1 : 0) - 1;
  }

  Tape tape_;
  std::vector<bool> fixed_;
  std::vector<std::size_t> uses_;
  std::vector<bool> divides_;
};

}  // namespace

OperationCount operation_count(std::span<const Expr> roots) { return Count(roots).result(); }

std::vector<std::size_t> unshared_operations(std::span<const Expr> roots) { return Count(roots).unshared(); }

}  // namespace rattleback
