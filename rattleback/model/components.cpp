#include <rattleback/model/components.hpp>

#include <algorithm>

#include <rattleback/algebra/error.hpp>

namespace rattleback {
namespace {

/// The components of one factor, the frame being inverted by hand: it is short for every factor we have.
std::vector<Expr> components(const Factor& factor, const SymbolMap& rates) {
  const auto rate = [&](Symbol q) {
    const auto found = rates.find(q);
    return found == rates.end() ? Expr(0) : found->second;
  };
  const std::vector<Symbol> q = factor.functions();
  switch (factor.kind) {
    case Factor::Kind::line:
    case Factor::Kind::circle: return {rate(q[0])};
    case Factor::Kind::SO3: return {Expr(0), Expr(0), Expr(0)};
    case Factor::Kind::SE2: {  // the frame is orthogonal
      const Expr c = cos(Expr(q[2])), s = sin(Expr(q[2]));
      return {rate(q[2]), c * rate(q[0]) + s * rate(q[1]), c * rate(q[1]) - s * rate(q[0])};
    }
    case Factor::Kind::SE3: {  // V = Bᵀ r'
      const std::vector<Expr> r{rate(q[9]), rate(q[10]), rate(q[11])};
      const Matrix V = transpose(factor.rotation()) * Matrix::column(r);
      return {Expr(0), Expr(0), Expr(0), V[0], V[1], V[2]};
    }
    case Factor::Kind::H3: {  // only z' mixes: subtract what X_1 and X_2 do to z
      const auto along_z = [&](int i) {
        const auto found = factor.frame[static_cast<std::size_t>(i)].find(q[2]);
        return found == factor.frame[static_cast<std::size_t>(i)].end() ? Expr(0) : found->second;
      };
      return {rate(q[0]), rate(q[1]), rate(q[2]) - along_z(0) * rate(q[0]) - along_z(1) * rate(q[1])};
    }
    case Factor::Kind::algebra:
      return std::vector<Expr>(static_cast<std::size_t>(factor.dimension()), Expr(0));
  }
  throw Bug("a kind of factor without components");
}

}  // namespace

std::vector<Symbol> symbols_named(const Scope& scope, const Space& space, const std::string& name) {
  const Value* value = scope.find(name);
  if (value == nullptr) return {};
  std::vector<Expr> entries;
  if (const Expr* e = std::get_if<Expr>(value)) {
    entries = {*e};
  } else {
    const std::span<const Expr> all = std::get<Matrix>(*value).entries();
    entries.assign(all.begin(), all.end());
  }
  std::vector<Symbol> symbols;
  for (const Expr e : entries) {
    if (!e.is(Kind::symbol)) return {};
    const Symbol s = e.symbol();
    const std::span<const Symbol> q = space.functions(), v = space.velocities();
    if (std::find(q.begin(), q.end(), s) == q.end() && std::find(v.begin(), v.end(), s) == v.end()) return {};
    symbols.push_back(s);
  }
  return symbols;
}

int leg_of(const Space& space, Symbol v) {
  const std::span<const Symbol> all = space.velocities();
  const auto found = std::find(all.begin(), all.end(), v);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

int first_leg(const Space& space, const Factor& factor) { return leg_of(space, factor.velocities.front()); }

const Factor* factor_named(const Space& space, const std::string& name) {
  for (const Factor& factor : space.factors()) {
    if (factor.name == name) return &factor;
  }
  return nullptr;
}

std::vector<Expr> components(const Space& space, const SymbolMap& rates) {
  std::vector<Expr> all;
  for (const Factor& factor : space.factors()) {
    const std::vector<Expr> own = components(factor, rates);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

}  // namespace rattleback
