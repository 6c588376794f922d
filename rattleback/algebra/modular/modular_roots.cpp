#include <rattleback/algebra/modular/modular_roots.hpp>

#include <algorithm>
#include <map>
#include <set>

#include <rattleback/algebra/modular/modular_point.hpp>

namespace rattleback {
namespace {

using Op = ModularCode::Op;
using Step = ModularCode::Step;
using Keys = std::set<std::uint64_t>;  ///< ModularPoint::key_of

/// The symbols that each slot depends on, and each circle.
struct Dependence {
  std::vector<Keys> slots, circles;
};

/// The slots whose values a step uses.
std::vector<std::uint32_t> used_by(const ModularCode& code, const Step& step) {
  const auto args = std::span(code.operands).subspan(step.first, step.count);
  std::vector<std::uint32_t> all(args.begin(), args.end());
  if (step.op == Op::circle) {
    const ModularCode::Circle& u = code.circles[step.slot];
    all.push_back(u.rest);
    for (const auto& part : u.arctangents) all.push_back(part.slot);
  }
  if (step.op == Op::exponential) {
    const ModularCode::Exponential& u = code.exponentials[step.detail];
    all.push_back(u.rest);
    for (const auto& part : u.powers) all.insert(all.end(), {part.base, part.coefficient});
  }
  return all;
}

Dependence dependence(const ModularCode& code) {
  Dependence d{std::vector<Keys>(code.numbers.size()), std::vector<Keys>(code.circles.size())};
  for (const auto& s : code.symbol_slots) d.slots[s.slot].insert(ModularPoint::key_of(s.symbol));
  for (const Step& step : code.steps) {
    Keys keys;
    for (const std::uint32_t slot : used_by(code, step))
      keys.insert(d.slots[slot].begin(), d.slots[slot].end());
    if (step.op == Op::sine || step.op == Op::cosine)
      keys.insert(d.circles[step.detail].begin(), d.circles[step.detail].end());
    Keys& of = step.op == Op::circle ? d.circles[step.slot] : d.slots[step.slot];
    of.insert(keys.begin(), keys.end());
  }
  return d;
}

bool takes_root(const ModularCode& code, const Step& step) {
  if (step.space != ModularCode::Space::numbers) return false;
  return step.op == Op::root || (step.op == Op::circle && !code.circles[step.slot].arctangents.empty()) ||
         (step.op == Op::exponential && !code.exponentials[step.detail].powers.empty());
}

}  // namespace

/// Backwards: last comes the symbol that the fewest radicands contain, which it completes; then the same without them.
RootSymbols::RootSymbols(const ModularCode& code) {
  const Dependence of = dependence(code);
  std::map<std::uint64_t, Symbol> named;
  for (const auto& s : code.symbol_slots) named.emplace(ModularPoint::key_of(s.symbol), s.symbol);
  std::map<std::size_t, Keys> open;
  for (std::size_t k = 0; k < code.steps.size(); ++k) {
    const Step& step = code.steps[k];
    if (!takes_root(code, step)) continue;
    Keys keys = step.op == Op::circle ? of.circles[step.slot] : of.slots[step.slot];
    if (!keys.empty()) open.emplace(k, std::move(keys));
  }
  for (std::size_t rank = named.size(); !open.empty(); --rank) {
    std::map<std::uint64_t, std::size_t> count;
    for (const auto& [step, keys] : open) {
      for (const std::uint64_t key : keys) ++count[key];
    }
    const auto fewest = std::ranges::min_element(count, {}, [](const auto& c) { return c.second; });
    for (auto at = open.begin(); at != open.end();) {
      if (!at->second.contains(fewest->first)) {
        ++at;
        continue;
      }
      completed_.emplace(at->first, Completed{rank, named.at(fewest->first)});
      at = open.erase(at);
    }
  }
}

std::optional<Symbol> RootSymbols::first(std::span<const std::size_t> failed) const {
  std::optional<Completed> best;
  for (const std::size_t step : failed) {
    const auto found = completed_.find(step);
    if (found == completed_.end()) return std::nullopt;
    if (!best || found->second.rank < best->rank) best = found->second;
  }
  if (!best) return std::nullopt;
  return best->by;
}

}  // namespace rattleback
