#include <rattleback/algebra/tape.hpp>

#include <algorithm>
#include <unordered_set>

namespace rattleback {
namespace {

/// Ids already met, with a number each; open addressing, because this is the inner loop of every pass over the graph.
class IdTable {
 public:
  /// False when the id is known.
  bool insert(std::uint32_t id) {
    if (2 * (count_ + 1) > table_.size()) grow();
    Entry& entry = table_[place_of(id)];
    if (entry.id == id) return false;
    entry.id = id;
    ++count_;
    return true;
  }
  /// The number of an id that was inserted.
  std::uint32_t& operator[](std::uint32_t id) { return table_[place_of(id)].number; }

 private:
  static constexpr std::uint32_t empty = ~std::uint32_t{0};
  struct Entry {
    std::uint32_t id = empty, number = 0;
  };
  std::size_t place_of(std::uint32_t id) const {
    std::size_t i = (id * 0x9E3779B1U) & (table_.size() - 1);
    while (table_[i].id != empty && table_[i].id != id) i = (i + 1) & (table_.size() - 1);
    return i;
  }
  void grow() {
    std::vector<Entry> old(2 * table_.size());
    old.swap(table_);
    for (const Entry& entry : old) {
      if (entry.id != empty) table_[place_of(entry.id)] = entry;
    }
  }
  std::vector<Entry> table_ = std::vector<Entry>(64);
  std::size_t count_ = 0;
};

constexpr auto no_leaf = [](Expr) { return false; };

/// Every node below the roots, once, ascending by id.
template <class Leaf>
std::vector<Expr> reachable(std::span<const Expr> roots, const Leaf& leaf, IdTable& seen) {
  std::vector<Expr> nodes, stack;
  for (const Expr root : roots) {
    if (seen.insert(root.id())) stack.push_back(root);
  }
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    nodes.push_back(e);
    if (leaf(e)) continue;
    for (const Expr a : e.args()) {
      if (seen.insert(a.id())) stack.push_back(a);
    }
  }
  std::sort(nodes.begin(), nodes.end(), [](Expr a, Expr b) { return a.id() < b.id(); });
  return nodes;
}

template <class Leaf>
std::vector<Expr> reachable(std::span<const Expr> roots, const Leaf& leaf) {
  IdTable seen;
  return reachable(roots, leaf, seen);
}

}  // namespace

Tape::Tape(std::span<const Expr> roots) { record(roots, no_leaf); }

Tape::Tape(std::span<const Expr> roots, const IsLeaf& leaf) { record(roots, leaf); }

template <class Leaf>
void Tape::record(std::span<const Expr> roots, const Leaf& leaf) {
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
  std::vector<Symbol> symbols;
  for (const Expr e : reachable(roots, no_leaf)) {
    if (e.is(Kind::symbol)) symbols.push_back(e.symbol());
  }
  return symbols;
}

std::vector<Symbol> symbols_of(Expr root) { return symbols_of(std::span<const Expr>(&root, 1)); }

std::vector<Expr> nodes_until(Expr root, const IsLeaf& leaf) {
  return reachable(std::span<const Expr>(&root, 1), leaf);
}

bool contains(Expr e, Symbol s) {
  if (!e.may_contain(s)) return false;
  const std::vector<Symbol> all = symbols_of(e);
  return std::find(all.begin(), all.end(), s) != all.end();
}

std::size_t graph_size(std::span<const Expr> roots) { return reachable(roots, no_leaf).size(); }

}  // namespace rattleback
