#include <rattleback/algebra/expression/graph.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include <sys/single_threaded.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>

namespace rattleback {
namespace {

std::atomic<std::uint32_t> next_id{0};

/// The memory of the nodes that a thread makes: one after the other, because those made together are read together.
class NodeMemory {
 public:
  NodeMemory() = default;
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  /// What is left of the last block serves another thread.
  ~NodeMemory() {
    const std::lock_guard lock(shared().mutex);
    shared().left.push_back({free_, std::exchange(left_, 0)});
  }

  std::byte* allocate(std::size_t bytes) {
    if (bytes > left_) refill(bytes);
    left_ -= bytes;
    return std::exchange(free_, free_ + bytes);
  }

 private:
  struct Piece {
    std::byte* start;
    std::size_t bytes;
  };
  /// Never destroyed: expressions may be used until the very end of the process.
  struct Shared {
    std::mutex mutex;
    std::vector<std::unique_ptr<std::byte[]>> blocks;
    std::vector<Piece> left;  ///< of threads that ended
  };
  static Shared& shared() {
    static auto* all = new Shared;
    return *all;
  }

  [[gnu::noinline]] void refill(std::size_t bytes) {
    constexpr std::size_t block = std::size_t{1} << 16U;
    const std::lock_guard lock(shared().mutex);
    Piece next{nullptr, 0};
    if (!shared().left.empty()) {
      next = shared().left.back();
      shared().left.pop_back();
    }
    if (bytes > next.bytes) {
      next.bytes = std::max(block, bytes);
      shared().blocks.push_back(std::make_unique_for_overwrite<std::byte[]>(next.bytes));
      next.start = shared().blocks.back().get();
    }
    free_ = next.start;
    left_ = next.bytes;
  }

  std::byte* free_ = nullptr;
  std::size_t left_ = 0;
};

/// A part of the node table: an open-addressing set under one lock.
/// Many small shards, chosen by hash, reduce lock contention between threads.
class Shard {
 public:
  template <class Same>
  const Node* find_or_make(const Node& draft, std::span<const Expr> args, Same same) {
    const bool alone = __libc_single_threaded != 0;  // no other thread can start meanwhile: no lock needed
    std::unique_lock lock(mutex_, std::defer_lock);
    if (!alone) lock.lock();
    if (2 * (count_ + 1) > table_.size()) grow();
    std::size_t i = place(draft.hash);
    for (; !table_[i].is_empty(); i = (i + 1) & (table_.size() - 1)) {
      if (table_[i].may_be(draft.hash) && same(*table_[i].node())) return table_[i].node();
    }
    Budget::charge_nodes(1);
    thread_local NodeMemory memory;
    Node* node = new (memory.allocate(sizeof(Node) + args.size_bytes())) Node(draft);
    std::uninitialized_copy(args.begin(), args.end(), const_cast<Expr*>(node->args()));
    if (node->kind == Kind::constant) node->value = &numbers_.emplace_back(*draft.value);
    // Assigned after the arguments have theirs, hence larger: ids are a topological order.
    node->id = next_id.fetch_add(1, std::memory_order_relaxed);
    table_[i] = Slot(node);
    ++count_;
    return node;
  }

 private:
  /// The address of a node and, in the bits that no address uses, 16 of its hash: a probe that fails does not touch the node.
  class Slot {
   public:
    Slot() = default;
    explicit Slot(const Node* node) : word_(tag(node->hash) | reinterpret_cast<std::uintptr_t>(node)) {}
    bool is_empty() const { return word_ == 0; }
    bool may_be(std::uint64_t hash) const { return (word_ & ~address) == tag(hash); }
    const Node* node() const { return reinterpret_cast<const Node*>(word_ & address); }

   private:
    static constexpr std::uint64_t address = (std::uint64_t{1} << 48U) - 1;
    static std::uint64_t tag(std::uint64_t hash) { return hash & ~address; }
    std::uint64_t word_ = 0;
  };

  std::size_t place(std::uint64_t hash) const { return (hash >> 8U) & (table_.size() - 1); }

  void grow() {
    std::vector<Slot> old(std::max<std::size_t>(256, 2 * table_.size()));
    old.swap(table_);
    for (const Slot slot : old) {
      if (slot.is_empty()) continue;
      std::size_t i = place(slot.node()->hash);
      while (!table_[i].is_empty()) i = (i + 1) & (table_.size() - 1);
      table_[i] = slot;
    }
  }

  std::mutex mutex_;
  std::vector<Slot> table_;
  std::size_t count_ = 0;
  std::deque<Rational> numbers_;
};

static_assert(sizeof(Node) % alignof(Node) == 0 && alignof(Expr) <= alignof(Node));

/// Never destroyed: expressions may be used until the very end of the process.
std::array<Shard, 64>& shards() {
  static auto* all = new std::array<Shard, 64>;
  return *all;
}

template <class Same>
const Node* intern_node(const Node& draft, std::span<const Expr> args, Same same) {
  if (!args.empty()) Budget::charge_steps(1);  // leaves are free: small integers are made once
  return shards()[draft.hash & 63U].find_or_make(draft, args, same);
}

std::uint64_t support_of(std::span<const Expr> args) {
  std::uint64_t support = 0;
  for (const Expr e : args) support |= Graph::node(e).support;
  return support;
}

bool same_args(const Node& node, std::span<const Expr> args) {
  return node.count == args.size() && std::equal(args.begin(), args.end(), node.args());
}

/// Symbols and functions: few, so one lock and a chained table serve.
template <class Data>
class Names {
 public:
  template <class Same>
  const Data* find_or_make(Data data, Same same) {
    const std::lock_guard lock(mutex_);
    auto [first, last] = table_.equal_range(data.hash);
    for (; first != last; ++first) {
      if (same(*first->second)) return first->second.get();
    }
    const std::uint64_t hash = data.hash;
    return table_.emplace(hash, std::make_unique<const Data>(std::move(data)))->second.get();
  }

 private:
  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, std::unique_ptr<const Data>> table_;
};

}  // namespace

std::uint64_t hash_text(std::string_view text) {
  std::uint64_t h = 0xCBF29CE484222325U;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return h;
}

Expr Graph::constant(const Rational& value) {
  Node draft{};
  draft.hash = constant_hash(value);
  draft.value = &value;
  draft.kind = Kind::constant;
  return wrap(
      intern_node(draft, {}, [&](const Node& n) { return n.kind == Kind::constant && *n.value == value; }));
}

Expr Graph::symbol(Symbol s) {
  Node draft{};
  draft.hash = symbol_hash(s);
  draft.symbol = s.data_;
  draft.support = std::uint64_t{1} << (draft.hash >> 58U);
  draft.kind = Kind::symbol;
  return wrap(
      intern_node(draft, {}, [&](const Node& n) { return n.kind == Kind::symbol && n.symbol == s.data_; }));
}

Expr Graph::nary(Kind kind, std::span<const Expr> args) {
  Node draft{};
  draft.hash = nary_hash(kind);
  for (const Expr e : args) draft.hash = mix(draft.hash, e.hash());
  draft.support = support_of(args);
  draft.count = static_cast<std::uint32_t>(args.size());
  draft.kind = kind;
  return wrap(intern_node(draft, args, [&](const Node& n) { return n.kind == kind && same_args(n, args); }));
}

Expr Graph::power(Expr base, int exponent) {
  const std::span<const Expr> args(&base, 1);
  Node draft{};
  draft.hash = power_hash(base.hash(), exponent);
  draft.support = support_of(args);
  draft.exponent = exponent;
  draft.count = 1;
  draft.kind = Kind::power;
  return wrap(intern_node(draft, args, [&](const Node& n) {
    return n.kind == Kind::power && n.exponent == exponent && same_args(n, args);
  }));
}

Expr Graph::call(Function f, std::span<const Expr> args) {
  Node draft{};
  draft.hash = call_hash(f);
  for (const Expr e : args) draft.hash = mix(draft.hash, e.hash());
  draft.support = support_of(args);
  draft.function = f.data_;
  draft.count = static_cast<std::uint32_t>(args.size());
  draft.kind = Kind::call;
  return wrap(intern_node(draft, args, [&](const Node& n) {
    return n.kind == Kind::call && n.function == f.data_ && same_args(n, args);
  }));
}

Symbol Graph::intern(SymbolData data) {
  static auto* names = new Names<SymbolData>;
  std::uint64_t h = hash_text(data.name);
  h = mix(h, static_cast<std::uint64_t>(data.attributes.role));
  h = mix(h, static_cast<std::uint64_t>(data.attributes.sign));
  h = mix(h, static_cast<std::uint64_t>(data.attributes.order));
  h = mix(h, hash_text(data.attributes.family));
  data.hash = mix(h, static_cast<std::uint64_t>(data.attributes.entry));
  const SymbolData probe = data;
  return Symbol(names->find_or_make(std::move(data), [&](const SymbolData& other) {
    return other.name == probe.name && other.attributes == probe.attributes;
  }));
}

Function Graph::intern(FunctionData data) {
  static auto* names = new Names<FunctionData>;
  std::uint64_t h = mix(hash_text(data.name), static_cast<std::uint64_t>(data.kind));
  for (const int order : data.orders) h = mix(h, static_cast<std::uint64_t>(order));
  data.hash = h;
  const FunctionData probe = data;
  return Function(names->find_or_make(std::move(data), [&](const FunctionData& other) {
    return other.kind == probe.kind && other.name == probe.name && other.orders == probe.orders;
  }));
}

std::size_t Graph::size() { return next_id.load(std::memory_order_relaxed); }

std::size_t nodes_built() { return Graph::size(); }

Symbol Symbol::make(std::string_view name, const Attributes& attributes) {
  return Graph::intern(SymbolData{std::string(name), attributes, 0});
}

Symbol Symbol::make(std::string_view name) {
  Attributes attributes;
  if (name == "pi") {
    attributes.role = Role::constant;
    attributes.sign = Sign::positive;
  } else if (name.ends_with("''")) {
    attributes.role = Role::acceleration;
  } else if (name.ends_with('\'')) {
    attributes.role = Role::velocity;
  }
  return make(name, attributes);
}

const std::string& Symbol::name() const { return data_->name; }
const Symbol::Attributes& Symbol::attributes() const { return data_->attributes; }
std::uint64_t Symbol::hash() const { return data_->hash; }

Expr::Expr() : Expr(0L) {}

namespace {

/// Small integers without a table look-up.
Expr small_integer(long integer) {
  constexpr long most = search_limits::small_integers.count;
  static const auto cache = [] {
    std::vector<Expr> numbers;
    for (long i = -most; i <= most; ++i) numbers.push_back(Graph::constant(Rational(i)));
    return numbers;
  }();
  if (integer < -most || integer > most) return Graph::constant(Rational(integer));
  return cache[integer + most];
}

}  // namespace

Expr::Expr(long integer) : Expr(small_integer(integer)) {}
Expr::Expr(const Rational& r) : Expr(Graph::constant(r)) {}
Expr::Expr(Symbol s) : Expr(Graph::symbol(s)) {}

const Rational& Expr::value() const {
  if (node_->kind != Kind::constant) throw Bug("value() of an expression that is not a constant");
  return *node_->value;
}

Symbol Expr::symbol() const {
  if (node_->kind != Kind::symbol) throw Bug("symbol() of an expression that is not a symbol");
  return Symbol(node_->symbol);
}

Function Expr::function() const {
  if (node_->kind != Kind::call) throw Bug("function() of an expression that is not a call");
  return Function(node_->function);
}

int Expr::exponent() const {
  if (node_->kind != Kind::power) throw Bug("exponent() of an expression that is not a power");
  return static_cast<int>(node_->exponent);
}

bool Expr::may_contain(Symbol s) const {
  return (node_->support & (std::uint64_t{1} << (symbol_hash(s) >> 58U))) != 0;
}

}  // namespace rattleback
