#include <rattleback/algebra/expression/tape.hpp>

#include <algorithm>
#include <bit>
#include <unordered_set>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/graph.hpp>

namespace rattleback {
namespace {

/// Ids already met, with a number each; open addressing, because this is the inner loop of every pass over the graph.
class IdTable {
 public:
  IdTable() : table_(std::exchange(spare(), {})) { start(); }
  ~IdTable() {
    if (table_.size() > spare().size() && table_.size() <= largest_spare) spare() = std::move(table_);
  }
  IdTable(const IdTable&) = delete;
  IdTable& operator=(const IdTable&) = delete;

  /// False when the id is known.
  bool insert(std::uint32_t id) {
    if (2 * (count_ + 1) > table_.size()) grow();
    Entry& entry = table_[place_of(id)];
    if (entry.pass == pass_) return false;
    entry = {id, 0, pass_};
    ++count_;
    return true;
  }
  /// The number of an id that was inserted.
  std::uint32_t& operator[](std::uint32_t id) { return table_[place_of(id)].number; }

 private:
  /// Entries of earlier passes are empty ones: a table is cleared by counting on.
  struct Entry {
    std::uint32_t id = 0, number = 0;
    std::uint64_t pass = 0;
  };
  using Table = std::vector<Entry>;
  static constexpr std::size_t largest_spare = search_limits::traversed_nodes.count;

  /// A table of this thread that no one uses; empty while someone does.
  static Table& spare() {
    thread_local Table table;
    return table;
  }
  void start() {
    thread_local std::uint64_t passes = 0;
    pass_ = ++passes;
    if (table_.empty()) table_.resize(64);
    shift_ = 33 - static_cast<int>(std::bit_width(table_.size()));
  }
  std::size_t place_of(std::uint32_t id) const {
    const Entry* table = table_.data();
    const std::size_t last = table_.size() - 1;
    std::size_t i = (id * 0x9E3779B1U) >> shift_;  // the high bits: they depend on all of the id
    while (table[i].pass == pass_ && table[i].id != id) i = (i + 1) & last;
    return i;
  }
  [[gnu::noinline]] void grow() {
    Table old(2 * table_.size());
    old.swap(table_);
    --shift_;
    for (const Entry& entry : old) {
      if (entry.pass == pass_) table_[place_of(entry.id)] = entry;
    }
  }
  Table table_;
  std::uint64_t pass_ = 0;
  std::size_t count_ = 0;
  int shift_ = 0;  ///< leaves as many bits of a word as places of the table have
};

constexpr auto no_leaf = [](Expr) { return false; };

/// Every node below the roots, once, in the order in which they are met.
template <class Leaf>
std::vector<Expr> met(std::span<const Expr> roots, const Leaf& leaf, IdTable& seen) {
  constexpr std::size_t usual = 128;
  std::vector<Expr> found, stack;
  found.reserve(usual);
  stack.reserve(usual);
  for (const Expr root : roots) {
    if (seen.insert(root.id())) stack.push_back(root);
  }
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    found.push_back(e);
    if (leaf(e)) continue;
    for (const Expr a : e.args()) {
      if (seen.insert(a.id())) stack.push_back(a);
    }
  }
  return found;
}

/// Ascending by id. Ids are packed with places, so that sorting does not go back to the nodes.
std::vector<Expr> ascending(std::span<const Expr> found) {
  std::vector<std::uint64_t> keys;
  keys.reserve(found.size());
  for (const Expr e : found) keys.push_back(std::uint64_t{e.id()} << 32U | keys.size());
  std::sort(keys.begin(), keys.end());
  std::vector<Expr> nodes;
  nodes.reserve(found.size());
  for (const std::uint64_t key : keys) nodes.push_back(found[key & 0xFFFFFFFFU]);
  return nodes;
}

template <class Leaf>
std::vector<Expr> reachable(std::span<const Expr> roots, const Leaf& leaf, IdTable& seen) {
  return ascending(met(roots, leaf, seen));
}

template <class Leaf>
std::vector<Expr> reachable(std::span<const Expr> roots, const Leaf& leaf) {
  IdTable seen;
  return reachable(roots, leaf, seen);
}

}  // namespace

Tape::Tape(std::span<const Expr> roots) { record(roots, no_leaf); }

Tape::Tape(std::span<const Expr> roots, const IsLeaf& leaf) { record(roots, leaf); }

Tape::Tape(std::span<const Expr> roots, std::uint64_t support) {
  record(roots, [support](Expr e) { return (Graph::node(e).support & support) == 0; });
}

template <class Leaf>
void Tape::record(std::span<const Expr> roots, const Leaf& leaf) {
  Budget::check();
  IdTable slots;
  nodes_ = reachable(roots, leaf, slots);
  first_.reserve(nodes_.size() + 1);
  args_.reserve(2 * nodes_.size());
  outputs_.reserve(roots.size());
  for (const Expr e : nodes_) {
    slots[e.id()] = static_cast<std::uint32_t>(first_.size());
    first_.push_back(static_cast<std::uint32_t>(args_.size()));
    if (leaf(e)) continue;
    for (const Expr a : e.args()) args_.push_back(slots[a.id()]);
  }
  first_.push_back(static_cast<std::uint32_t>(args_.size()));
  for (const Expr root : roots) outputs_.push_back(slots[root.id()]);
}

std::optional<std::uint32_t> Tape::slot_of(Expr e) const {
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), e.id(),
                                      [](Expr a, std::uint32_t id) { return a.id() < id; });
  if (found == nodes_.end() || *found != e) return std::nullopt;
  return static_cast<std::uint32_t>(found - nodes_.begin());
}

std::vector<Symbol> symbols_of(std::span<const Expr> roots) {
  IdTable seen;
  std::vector<Expr> leaves = met(roots, no_leaf, seen);
  std::erase_if(leaves, [](Expr e) { return !e.is(Kind::symbol); });
  std::vector<Symbol> symbols;
  for (const Expr e : ascending(leaves)) symbols.push_back(e.symbol());
  return symbols;
}

std::vector<Symbol> symbols_of(Expr root) { return symbols_of(std::span<const Expr>(&root, 1)); }

std::vector<Function> abstract_functions(std::span<const Expr> roots) {
  IdTable seen;
  std::vector<Expr> calls = met(roots, no_leaf, seen);
  std::erase_if(calls, [](Expr e) { return !e.is(Kind::call) || !e.function().is_abstract(); });
  std::vector<Function> functions;
  for (const Expr e : ascending(calls)) {
    if (std::ranges::find(functions, e.function()) == functions.end()) functions.push_back(e.function());
  }
  return functions;
}

std::vector<Expr> nodes_until(Expr root, const IsLeaf& leaf) {
  return reachable(std::span<const Expr>(&root, 1), leaf);
}

bool contains(Expr e, Symbol s) {
  if (!e.may_contain(s)) return false;
  const std::vector<Symbol> all = symbols_of(e);
  return std::find(all.begin(), all.end(), s) != all.end();
}

std::size_t graph_size(std::span<const Expr> roots) {
  IdTable seen;
  return met(roots, no_leaf, seen).size();
}

}  // namespace rattleback
