#include <rattleback/view/programs/rate_jacobian.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/operation_count.hpp>

namespace rattleback {

MotionModule with_jacobian(MotionModule module) {
  constexpr std::size_t most_operations = search_limits::exported_jacobian.count;
  const auto rates = std::ranges::find(module.members, "rhs", &ModuleFunction::name);
  if (rates == module.members.end()) return module;
  if (!module.functions.empty()) {
    module.notes.emplace_back("no jacobian: the rates contain functions without a formula");
    return module;
  }
  std::vector<Symbol> state = module.configuration;
  state.insert(state.end(), module.speeds.begin(), module.speeds.end());
  ModuleFunction f{"jacobian", "derivatives of rhs by the state, row by row", ModuleFunction::Of::state, {}};
  std::vector<Expr> roots;
  for (const Statement& rate : rates->outputs) {
    const std::vector<Expr> row = gradient(rate.value, state);
    for (std::size_t j = 0; j < row.size(); ++j) {
      f.outputs.push_back({fmt::format("d({})/d({})", rate.name, state[j].name()), row[j]});
      roots.push_back(row[j]);
    }
  }
  if (const std::size_t n = static_cast<std::size_t>(operation_count(roots).operations);
      n > most_operations) {
    module.notes.push_back(fmt::format("no jacobian: it would have {} operations", n));
    return module;
  }
  module.members.insert(rates + 1, std::move(f));
  return module;
}

}  // namespace rattleback
