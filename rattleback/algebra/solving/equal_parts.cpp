#include <rattleback/algebra/solving/equal_parts.hpp>

#include <algorithm>
#include <map>
#include <optional>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {

/// Longer parts are not compared: they become one when what they are made of does.
constexpr std::size_t longest = search_limits::equal_parts.count;  // nodes, as written

class Merging {
 public:
  explicit Merging(std::span<const Expr> formulas)
      : tape_(formulas), sizes_(written_sizes(tape_)), chosen_(tape_.size()) {
    for (std::size_t slot = 0; slot < tape_.size(); ++slot) {
      chosen_[slot] = {slot, false};
      if (!tape_.args(slot).empty() && sizes_[slot] <= longest) inner_.push_back(slot);
    }
    group();
  }

  std::vector<Expr> formulas() {
    std::vector<std::optional<Expr>> built(tape_.size());
    std::vector<Expr> result;
    for (const std::uint32_t slot : tape_.outputs()) result.push_back(merged(slot, built));
    return result;
  }

 private:
  struct Choice {
    std::size_t slot;
    bool opposite;
  };

  /// Candidates have the same values, up to the sign, at two random points; the shortest is proved equal to each.
  void group() {
    std::vector<Expr> parts;
    for (const std::size_t slot : inner_) parts.push_back(tape_.node(slot));
    const ModularProgram program(parts);
    const auto here = program.run_near(1), there = program.run_near(1000);
    if (!here || !there) return;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::size_t>> groups;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const auto up_to_sign = [](ModP x) { return std::min(x.word(), (-x).word()); };
      groups[{up_to_sign(here->value(k)), up_to_sign(there->value(k))}].push_back(k);
    }
    ZeroTest quick;
    quick.want_exact = false;
    for (const auto& [values, group] : groups) {
      const std::size_t best = *std::min_element(
          group.begin(), group.end(),
          [&](std::size_t a, std::size_t b) { return sizes_[inner_[a]] < sizes_[inner_[b]]; });
      for (const std::size_t k : group) {
        const bool opposite = here->value(k) != here->value(best);
        if (k != best && proved(are_equal(parts[k], opposite ? -parts[best] : parts[best], quick)))
          chosen_[inner_[k]] = {inner_[best], opposite};
      }
    }
  }

  /// Ends: what stands for a part is not longer than it, and the arguments of that are shorter.
  Expr merged(std::size_t slot, std::vector<std::optional<Expr>>& built) const {
    allow_recursion();
    if (built[slot]) return *built[slot];
    const Expr e = tape_.node(slot);
    Expr result = e;
    if (const Choice choice = chosen_[slot]; choice.slot != slot) {
      const Expr other = merged(choice.slot, built);
      result = choice.opposite ? -other : other;
    } else if (!tape_.args(slot).empty()) {
      std::vector<Expr> args;
      for (const std::uint32_t a : tape_.args(slot)) args.push_back(merged(a, built));
      result = with_args(e, args);
    }
    return *(built[slot] = result);
  }

  Tape tape_;
  std::vector<std::size_t> sizes_;  ///< as written
  std::vector<Choice> chosen_;
  std::vector<std::size_t> inner_;
};

}  // namespace

std::vector<Expr> with_equal_parts_merged(std::span<const Expr> formulas) {
  const InAmbientSpace everywhere;
  return Merging(formulas).formulas();
}

}  // namespace rattleback
