#include <rattleback/motion/velocities/velocity_elimination.hpp>

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/pythagoras.hpp>

namespace rattleback {
namespace {

/// The equations as one tape. `moves_` marks the nodes that depend on velocities, `met_` those visited so far.
class Chain {
 public:
  Chain(std::span<const Symbol> velocities, std::span<const Expr> equations)
      : tape_(equations), moves_(tape_.size(), false), met_(tape_.size(), false), value_(tape_.size()) {
    const std::unordered_set<Symbol> vs(velocities.begin(), velocities.end());
    for (std::size_t slot = 0; slot < tape_.size(); ++slot) {
      const Expr e = tape_.node(slot);
      moves_[slot] = e.is(Kind::symbol) && vs.contains(e.symbol());
      for (const std::uint32_t a : tape_.args(slot)) moves_[slot] = moves_[slot] || moves_[a];
    }
  }

  /// The equations, those with the fewest moving nodes first.
  std::vector<std::size_t> order() const {
    std::vector<std::size_t> equations(tape_.outputs().size()), size;
    std::iota(equations.begin(), equations.end(), 0);
    for (const std::uint32_t root : tape_.outputs()) size.push_back(moving_below(root));
    std::stable_sort(equations.begin(), equations.end(),
                     [&](std::size_t a, std::size_t b) { return size[a] < size[b]; });
    return equations;
  }

  /// Solves an equation for a velocity that no earlier equation contains; nothing when none has a coefficient that cannot
  /// vanish. In either case its nodes are marked as visited.
  std::optional<VelocityElimination::Solved> solve(std::size_t equation) {
    const std::uint32_t root = tape_.outputs()[equation];
    const std::vector<std::uint32_t> fresh = not_met(root);
    std::optional<VelocityElimination::Solved> solved;
    for (auto slot = fresh.rbegin(); slot != fresh.rend() && !solved; ++slot) {
      if (!tape_.node(*slot).is(Kind::symbol)) continue;
      const Symbol v = tape_.node(*slot).symbol();
      const Expr coefficient = collapsed(coefficient_of(v, root, fresh));
      if (coefficient.is_zero() || !known_nonzero(coefficient)) continue;
      rewrite(fresh, [&](Symbol s) { return s == v ? Expr(0) : Expr(s); });
      solved = {v, -value(root) / coefficient};
    }
    rewrite(fresh, [&](Symbol s) { return solved && s == solved->velocity ? solved->value : Expr(s); });
    return solved;
  }

  Expr equation(std::size_t k) const { return value(tape_.outputs()[k]); }

 private:
  Expr value(std::uint32_t slot) const { return moves_[slot] ? value_[slot] : tape_.node(slot); }

  std::size_t moving_below(std::uint32_t root) const {
    std::vector<bool> seen(tape_.size(), false);
    std::vector<std::uint32_t> stack{root};
    std::size_t count = 0;
    while (!stack.empty()) {
      const std::uint32_t slot = stack.back();
      stack.pop_back();
      if (!moves_[slot] || seen[slot]) continue;
      seen[slot] = true;
      ++count;
      for (const std::uint32_t a : tape_.args(slot)) stack.push_back(a);
    }
    return count;
  }

  /// Moving nodes below the root that were not visited before, arguments first; marks them as visited.
  std::vector<std::uint32_t> not_met(std::uint32_t root) {
    std::vector<std::uint32_t> fresh, stack{root};
    while (!stack.empty()) {
      const std::uint32_t slot = stack.back();
      stack.pop_back();
      if (!moves_[slot] || met_[slot]) continue;
      met_[slot] = true;
      fresh.push_back(slot);
      for (const std::uint32_t a : tape_.args(slot)) stack.push_back(a);
    }
    std::sort(fresh.begin(), fresh.end());
    return fresh;
  }

  /// Evaluates the fresh nodes with other velocities. Nodes visited before keep their values, or are 0 without `with_others`.
  template <class Velocity>
  void rewrite(const std::vector<std::uint32_t>& fresh, const Velocity& velocity, bool with_others = true) {
    std::vector<Expr> args;
    for (const std::uint32_t slot : fresh) {
      const Expr e = tape_.node(slot);
      if (e.is(Kind::symbol)) {
        value_[slot] = velocity(e.symbol());
        continue;
      }
      args.clear();
      for (const std::uint32_t a : tape_.args(slot)) {
        const bool kept = with_others || !moves_[a] || std::binary_search(fresh.begin(), fresh.end(), a);
        args.push_back(kept ? value(a) : Expr(0));
      }
      value_[slot] = with_args(e, args);
    }
  }

  /// ∂e/∂v of an affine e: its value where v = 1 and everything else that moves is 0, minus its value at rest.
  Expr coefficient_of(Symbol v, std::uint32_t root, const std::vector<std::uint32_t>& fresh) {
    rewrite(
        fresh, [](Symbol) { return Expr(0); }, false);
    const Expr at_rest = value(root);
    rewrite(
        fresh, [&](Symbol s) { return Expr(s == v ? 1 : 0); }, false);
    return value(root) - at_rest;
  }

  Tape tape_;
  std::vector<bool> moves_, met_;
  std::vector<Expr> value_;  ///< of moving nodes met so far, with what is solved put in
};

}  // namespace

VelocityElimination eliminate_velocities(std::span<const Symbol> velocities,
                                         std::span<const Expr> equations) {
  VelocityElimination result;
  Chain chain(velocities, equations);
  std::vector<std::size_t> others;
  std::unordered_set<Symbol> gone;
  for (const std::size_t k : chain.order()) {
    if (auto solved = chain.solve(k)) {
      gone.insert(solved->velocity);
      result.solved.push_back(*solved);
    } else {
      others.push_back(k);
    }
  }
  std::sort(others.begin(), others.end());
  for (const std::size_t k : others) result.equations.push_back(chain.equation(k));
  for (const Symbol v : velocities) {
    if (!gone.contains(v)) result.left.push_back(v);
  }
  return result;
}

}  // namespace rattleback
