#include <rattleback/algebra/expression/derivative.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/few.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

/// ∂e/∂a_k · d for the k-th argument of a node, without a node for the partial derivative alone.
Expr times_partial(Expr e, std::size_t k, Expr d) {
  switch (e.kind()) {
    case Kind::sum: return d;
    case Kind::product: {
      Few<Expr> factors(e.args().begin(), e.args().end());
      factors[k] = d;
      return product(factors);
    }
    case Kind::power: return product({Expr(e.exponent()), pow(e.args()[0], e.exponent() - 1), d});
    case Kind::call: return partial(e, static_cast<int>(k)) * d;
    default: throw Bug("a leaf has no arguments");
  }
}

/// The tangent of a node from the tangents of its arguments.
template <class Tangent>
Expr tangent_of(Expr e, Tangent tangent) {
  Few<Expr> terms;
  for (std::size_t k = 0; k < e.args().size(); ++k) {
    const Expr d = tangent(k);
    if (!d.is_zero()) terms.push_back(times_partial(e, k, d));
  }
  return terms.empty() ? Expr(0) : sum(terms);
}

/// The nodes below some roots that may contain one of the symbols; what certainly contains none is a leaf.
class Affected {
 public:
  template <class Symbols, class Name>
  Affected(std::span<const Expr> roots, const Symbols& symbols, Name name) : roots_(roots) {
    constexpr std::size_t bits =
        64;  // of the filter: more symbols fill it, and would take longer to go through than they save
    if (symbols.size() > bits) return;
    support_ = 0;
    for (const auto& s : symbols) support_ |= std::uint64_t{1} << (symbol_hash(name(s)) >> 58U);
  }
  bool contains(Expr e) const { return (Graph::node(e).support & support_) != 0; }
  bool none() const {
    return std::ranges::none_of(roots_, [this](Expr e) { return contains(e); });
  }
  Tape tape() const { return {roots_, support_}; }

 private:
  std::span<const Expr> roots_;
  std::uint64_t support_ = ~std::uint64_t{0};
};

Affected affected(std::span<const Expr> roots, const SymbolMap& map) {
  return {roots, map, [](const auto& entry) { return entry.first; }};
}

struct Key {
  std::uint32_t expression;
  Symbol x;
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  std::size_t operator()(const Key& k) const noexcept { return k.x.hash() * 31 + k.expression; }
};

/// Cache of partial derivatives, one per thread, cleared when it has `most` entries. Where steps are counted it holds only
/// those of the same scope: a count must not depend on what was differentiated before.
std::unordered_map<Key, Expr, KeyHash>& memory() {
  constexpr std::size_t most = search_limits::derivatives.count;
  thread_local std::unordered_map<Key, Expr, KeyHash> known, counted;
  thread_local std::size_t scope_of_counted = 0;
  const std::size_t scope = Budget::counted_scope();
  auto& used = scope == 0 ? known : counted;
  if (used.size() > most || (scope != 0 && scope != scope_of_counted)) used.clear();
  if (scope != 0) scope_of_counted = scope;
  return used;
}

}  // namespace

Expr derivative(Expr e, Symbol x) {
  if (!e.may_contain(x)) return Expr(0);
  auto& known = memory();
  if (const auto found = known.find({e.id(), x}); found != known.end()) return found->second;
  // Depth first without recursion: a node is finished once all its arguments are.
  std::vector<Expr> stack{e};
  while (!stack.empty()) {
    const Expr top = stack.back();
    if (known.contains({top.id(), x})) {
      stack.pop_back();
      continue;
    }
    if (top.is(Kind::symbol)) {
      known.emplace(Key{top.id(), x}, Expr(top.symbol() == x ? 1 : 0));
      continue;
    }
    bool ready = true;
    for (const Expr a : top.args()) {
      if (a.may_contain(x) && !known.contains({a.id(), x})) {
        stack.push_back(a);
        ready = false;
      }
    }
    if (!ready) continue;
    const Expr d = tangent_of(top, [&](std::size_t k) {
      const auto found = known.find({top.args()[k].id(), x});
      return found == known.end() ? Expr(0) : found->second;
    });
    known.emplace(Key{top.id(), x}, d);
  }
  return known.at({e.id(), x});
}

namespace {

std::vector<Expr> derivative_along(const Tape& tape, const SymbolMap& v) {
  const Expr zero(0);
  std::vector<Expr> tangents, out;
  tangents.reserve(tape.size());
  out.reserve(tape.outputs().size());
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (e.is(Kind::symbol)) {
      const auto found = v.find(e.symbol());
      tangents.push_back(found == v.end() ? zero : found->second);
    } else if (const auto args = tape.args(slot); args.empty()) {
      tangents.push_back(zero);
    } else {
      tangents.push_back(tangent_of(e, [&](std::size_t k) { return tangents[args[k]]; }));
    }
  }
  for (const std::uint32_t slot : tape.outputs()) out.push_back(tangents[slot]);
  return out;
}

}  // namespace

std::vector<Expr> derivative_along(std::span<const Expr> es, const SymbolMap& v) {
  return derivatives_along(es, {&v, 1}).front();
}

std::vector<std::vector<Expr>> derivatives_along(std::span<const Expr> es, std::span<const SymbolMap> vs) {
  if (vs.empty()) return {};
  const Affected moving = affected(es, vs.front());
  if (moving.none()) return {vs.size(), std::vector<Expr>(es.size(), Expr(0))};
  const Tape tape = moving.tape();
  std::vector<std::vector<Expr>> out;
  out.reserve(vs.size());
  for (const SymbolMap& v : vs) out.push_back(derivative_along(tape, v));
  return out;
}

Expr derivative_along(Expr e, const SymbolMap& v) {
  return derivative_along(std::span<const Expr>(&e, 1), v)[0];
}

std::vector<Expr> gradient(Expr e, std::span<const Symbol> xs) {
  const Tape tape = Affected(std::span<const Expr>(&e, 1), xs, [](Symbol x) { return x; }).tape();
  std::vector<bool> active(tape.size(), false);
  std::unordered_map<Symbol, std::size_t> wanted;
  for (std::size_t i = 0; i < xs.size(); ++i) wanted.emplace(xs[i], i);
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr node = tape.node(slot);
    bool on = node.is(Kind::symbol) && wanted.contains(node.symbol());
    for (const std::uint32_t a : tape.args(slot)) on = on || active[a];
    active[slot] = on;
  }
  std::vector<Expr> out(xs.size(), Expr(0));
  std::vector<std::vector<Expr>> contributions(tape.size());
  contributions[tape.outputs()[0]].push_back(Expr(1));
  for (std::size_t slot = tape.size(); slot-- > 0;) {
    if (!active[slot] || contributions[slot].empty()) continue;
    const Expr node = tape.node(slot);
    const Expr bar = sum(contributions[slot]);
    if (node.is(Kind::symbol)) {
      out[wanted.at(node.symbol())] = bar;
      continue;
    }
    const auto args = tape.args(slot);
    for (std::size_t k = 0; k < args.size(); ++k) {
      if (active[args[k]]) contributions[args[k]].push_back(times_partial(node, k, bar));
    }
  }
  for (std::size_t i = 0; i < xs.size(); ++i) out[i] = out[wanted.at(xs[i])];  // xs may repeat a symbol
  return out;
}

Expr with_args(Expr e, std::span<const Expr> args) {
  switch (e.kind()) {
    case Kind::sum: return sum(args);
    case Kind::product: return product(args);
    case Kind::power: return pow(args[0], e.exponent());
    case Kind::call: return call(e.function(), args);
    default: return e;
  }
}

namespace {

/// The graph rebuilt from the leaves of a tape: `leaf` says what they become, `node` what a rebuilt node does.
template <class Leaf, class Inner>
std::vector<Expr> rebuilt(const Tape& tape, Leaf leaf, Inner node) {
  std::vector<Expr> built, args;
  built.reserve(tape.size());
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (tape.args(slot).empty()) {
      built.push_back(leaf(e));
      continue;
    }
    args.clear();
    bool same = true;
    for (const std::uint32_t a : tape.args(slot)) {
      args.push_back(built[a]);
      same = same && built[a] == tape.node(a);
    }
    built.push_back(node(same ? e : with_args(e, args)));
  }
  std::vector<Expr> out;
  out.reserve(tape.outputs().size());
  for (const std::uint32_t slot : tape.outputs()) out.push_back(built[slot]);
  return out;
}

}  // namespace

std::vector<Expr> rebuild(std::span<const Expr> es, const std::function<Expr(Expr)>& change) {
  return rebuilt(Tape(es), change, change);
}

std::vector<Expr> substitute(std::span<const Expr> es, const SymbolMap& replacement) {
  return substitutions(es, {&replacement, 1}).front();
}

std::vector<std::vector<Expr>> substitutions(std::span<const Expr> es,
                                             std::span<const SymbolMap> replacements) {
  if (replacements.empty()) return {};
  const auto leaf = [](Expr e, const SymbolMap& replacement) {
    if (!e.is(Kind::symbol)) return e;
    const auto found = replacement.find(e.symbol());
    return found == replacement.end() ? e : found->second;
  };
  std::vector<std::vector<Expr>> all;
  all.reserve(replacements.size());
  const Affected changed = affected(es, replacements.front());
  if (std::ranges::all_of(es, [&](Expr e) { return e.is(Kind::symbol) || !changed.contains(e); })) {
    for (const SymbolMap& replacement : replacements) {
      std::vector<Expr>& out = all.emplace_back();
      out.reserve(es.size());
      for (const Expr e : es) out.push_back(leaf(e, replacement));
    }
    return all;
  }
  const Tape tape = changed.tape();
  for (const SymbolMap& replacement : replacements)
    all.push_back(rebuilt(
        tape, [&](Expr e) { return leaf(e, replacement); }, [](Expr e) { return e; }));
  return all;
}

Expr substitute(Expr e, const SymbolMap& replacement) {
  return substitute(std::span<const Expr>(&e, 1), replacement)[0];
}

Expr substitute(Expr e, Function f, std::span<const Symbol> parameters, Expr body) {
  const Function plain = f.primitive();
  const auto change = [&](Expr node) {
    if (!node.is(Kind::call) || node.function().primitive() != plain || !node.function().is_abstract())
      return node;
    Expr value = body;
    SymbolMap arguments;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      for (int times = node.function().orders()[k]; times > 0; --times)
        value = derivative(value, parameters[k]);
      arguments.emplace(parameters[k], node.args()[k]);
    }
    return substitute(value, arguments);
  };
  return rebuild(std::span<const Expr>(&e, 1), change)[0];
}

}  // namespace rattleback
