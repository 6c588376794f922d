#include <rattleback/algebra/expression/charts.hpp>

#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>

namespace rattleback {
namespace {

/// The rotation matrix of a quaternion (w, x, y, z), times |q|².
Expr quaternion_entry(int row, int column, std::span<const Expr> q) {
  const Expr w = q[0];
  const auto axis = [&](int i) { return q[1 + i % 3]; };
  if (row == column) {
    return pow(w, 2) + pow(axis(row), 2) - pow(axis(row + 1), 2) - pow(axis(row + 2), 2);
  }
  const int third = 3 - row - column;
  const bool cyclic = column == (row + 1) % 3;
  return 2 * (axis(row) * axis(column) + (cyclic ? -1 : 1) * w * axis(third));
}

}  // namespace

Symbol chart_symbol(const std::string& family, int entry) {
  return Symbol::make("chart" + std::to_string(entry) + " of " + family,
                      {Role::plain, Sign::any, entry, family, entry});
}

Expr on_free_symbols(Expr e) {
  SymbolMap values;
  const auto free_symbols = [](const std::string& family, int first, int count) {
    std::vector<Expr> symbols;
    for (int i = first; i < first + count; ++i) symbols.emplace_back(chart_symbol(family, i));
    return symbols;
  };
  for (const Symbol s : symbols_of(e)) {
    const auto& [role, sign, order, family, entry] = s.attributes();
    if (role == Role::rotation) {
      const std::vector<Expr> q = free_symbols(family, 0, 4);
      const Expr norm2 = pow(q[0], 2) + pow(q[1], 2) + pow(q[2], 2) + pow(q[3], 2);
      values.emplace(s, quaternion_entry(entry / 3, entry % 3, q) / norm2);
    } else if (role == Role::direction) {
      const std::vector<Expr> u = free_symbols(family, 4, 2);
      const Expr r2 = pow(u[0], 2) + pow(u[1], 2);
      values.emplace(s, (entry == 2 ? 1 - r2 : 2 * u[static_cast<std::size_t>(entry)]) / (1 + r2));
    }
  }
  return values.empty() ? e : substitute(e, values);
}

}  // namespace rattleback
